// The selected cards of the hand, and the moves that they make.
import type { Card, Choice } from "../games/picture";
import { holds } from "../games/picture";
import type { Playing } from "../session/playing";
import { say, type Key } from "../words/words.svelte";

export class Picking {
    /** The places of the selected cards in the hand. */
    places = $state.raw<number[]>([]);
    /** Why the last card cannot be selected. */
    why = $state("");
    #session: Playing;

    constructor(session: Playing) {
        this.#session = session;
        // After a new hand or a new turn no card is selected.
        $effect(() => {
            void session.choices;
            this.clear();
        });
    }

    get cards(): Card[] {
        return this.places.map((place) => this.#session.picture.hand[place]!);
    }

    /** The moves that use exactly the selected cards. */
    readonly ready = $derived.by((): Choice[] => {
        const cards = this.cards;
        if (cards.length === 0) return [];
        return this.#session.choices.filter(
            (choice) => choice.cards.length === cards.length && holds(choice.cards, cards),
        );
    });

    /** Whether one move can use a card together with the selected ones. */
    fits(place: number): boolean {
        const cards = [...this.places.filter((taken) => taken !== place), place].map(
            (taken) => this.#session.picture.hand[taken]!,
        );
        return this.#session.choices.some((choice) => holds(choice.cards, cards));
    }

    /** Selects a card, or deselects it. If it cannot be selected, `why` says why. */
    tap(place: number): void {
        this.why = "";
        if (!this.#session.mine) return;
        if (this.places.includes(place)) {
            this.places = this.places.filter((taken) => taken !== place);
        } else if (this.fits(place)) {
            this.places = this.places.length === 0 ? this.#whole(place) : [...this.places, place];
        } else if (this.#alone(place)) {
            this.places = this.#whole(place);
        } else {
            this.why = this.#whyNot(this.#session.picture.hand[place]!);
        }
    }

    clear(): void {
        this.places = [];
        this.why = "";
    }

    /**
     * Why no move uses the card: the engine's reason against a move of as many such cards as the table asks for. Without
     * a reason, what the phase asks for.
     */
    #whyNot(card: Card): string {
        const { view, shown, phase } = this.#session;
        if (view === undefined) return "";
        const size = shown.tap(view);
        for (const action of view.mask().keys()) {
            const { cards } = shown.choice(view.label(action));
            if (cards.length !== size || cards.some((other) => other !== card)) continue;
            const reason = view.whyNot(action);
            if (reason === undefined) continue;
            const words = (place: string, value: string): string => shown.value?.(place, value, say) ?? value;
            const values = Object.entries(reason.values).map(([place, value]) => [place, words(place, value)]);
            return say(reason.name as Key, Object.fromEntries(values));
        }
        return say((view.asks(phase) ?? "phase.other") as Key);
    }

    #alone(place: number): boolean {
        return this.#session.choices.some((choice) => holds(choice.cards, [this.#session.picture.hand[place]!]));
    }

    /** The places of as many equal cards as a move needs, or only `place` if there is no such move. */
    #whole(place: number): number[] {
        const { picture, shown, view, choices } = this.#session;
        const card = picture.hand[place]!;
        const size = view ? shown.tap(view) : 1;
        const same = [
            place,
            ...[...picture.hand.keys()].filter((other) => other !== place && picture.hand[other] === card),
        ].slice(0, size);
        const cards = same.map(() => card);
        return choices.some((choice) => choice.cards.length === cards.length && holds(choice.cards, cards))
            ? same
            : [place];
    }
}
