// Hints: what the bot would do, and how its favourite compares with another move.
import type { Advice, Compared, ViewJson } from "cardsharp";
import type { Played } from "../games";
import { bots } from "./bots";

/** Two moves in the same deals, the bot's favourite second. */
export interface Weighed {
    moves: readonly [string, string];
    compared: Compared;
}

/** Deals in which two moves are compared: a tenth of a second. */
const DEALS = 60;

export class Hints {
    advice = $state.raw<Advice>();
    weighed = $state.raw<Weighed>();
    /** Grows with everything that makes a thought of before worth nothing. */
    #now = 0;

    /** Forgets the hint: there is another decision. */
    forget(): void {
        this.#now++;
        this.advice = this.weighed = undefined;
    }

    /** Asks the bot; its favourite is compared with the person's own move, or with its second choice. */
    async ask(game: Played, view: ViewJson, own: string | undefined): Promise<void> {
        const now = ++this.#now;
        const advice = await bots.advise(game, "best", view);
        if (now !== this.#now) return;
        [this.advice, this.weighed] = [advice, undefined];
        const [best, second] = advice.moves;
        const other = advice.moves.find(({ label }) => label === own && label !== best?.label) ?? second;
        if (best === undefined || other === undefined) return;
        const compared = await bots.compare(game, view, [other.action, best.action], DEALS);
        if (now === this.#now) this.weighed = { moves: [other.label, best.label], compared };
    }
}
