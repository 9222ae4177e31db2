// Cards that move across the table, so that a person sees where they come from and where they go.
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

/** The most cards that fly to a player at once. */
const MOST = 4;
/** The time between two cards that fly together, as a share of the time of one. */
const AFTER = 0.25;

interface Travel {
    /** The place from which the element comes; `undefined` if it appears at once. */
    from: DOMRect | undefined;
    /** In milliseconds. */
    duration: number;
    delay?: number;
}

/** A transition for an element that arrives from another place. */
export function travel(node: Element, { from, duration, delay = 0 }: Travel): TransitionConfig {
    if (from === undefined || duration === 0) return { duration: 0 };
    const to = node.getBoundingClientRect();
    const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2];
    return {
        delay,
        duration,
        easing: cubicOut,
        css: (_, rest) => `transform: translate(${x * rest}px, ${y * rest}px) scale(${1 - 0.25 * rest})`,
    };
}

/** Lets copies of a drawn card fly from where it is to another element. */
export function carry(card: SVGElement, to: Element, count: number, duration: number): void {
    const [start, end] = [card.getBoundingClientRect(), to.getBoundingClientRect()];
    const [x, y] = [
        end.x + end.width / 2 - start.x - start.width / 2,
        end.y + end.height / 2 - start.y - start.height / 2,
    ];
    for (let number = 0; number < Math.min(count, MOST); number++) {
        const copy = card.cloneNode(true) as SVGElement;
        Object.assign(copy.style, {
            position: "fixed",
            left: `${start.x}px`,
            top: `${start.y}px`,
            width: `${start.width}px`,
            pointerEvents: "none",
            zIndex: "10",
        });
        document.body.append(copy);
        const path = [{ transform: "none" }, { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 0.4 }];
        const flight = copy.animate(path, { duration, delay: number * duration * AFTER, easing: "ease-in-out" });
        flight.onfinish = () => copy.remove();
    }
}
