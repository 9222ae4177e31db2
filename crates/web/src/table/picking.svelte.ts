// Which cards of the hand are taken up, and which moves that makes.
import type { Card, Choice } from "../games/picture";
import { holds } from "../games/picture";
import type { Playing } from "../session/playing";
import { say } from "../words/words.svelte";

export class Picking {
    /** The places in the hand of the cards that are taken up. */
    places = $state.raw<number[]>([]);
    /** Why the last card cannot be taken up. */
    why = $state("");
    #session: Playing;

    constructor(session: Playing) {
        this.#session = session;
        // Another hand, or another turn, begins with nothing taken up.
        $effect(() => {
            void session.choices;
            this.clear();
        });
    }

    get cards(): Card[] {
        return this.places.map((place) => this.#session.picture.hand[place]!);
    }

    /** The moves that take just these cards. */
    readonly ready = $derived.by((): Choice[] => {
        const cards = this.cards;
        if (cards.length === 0) return [];
        return this.#session.choices.filter((choice) => choice.cards.length === cards.length && holds(choice.cards, cards));
    });

    /** Whether a card can be part of a move together with those taken up. */
    fits(place: number): boolean {
        const cards = [...this.places.filter((taken) => taken !== place), place].map((taken) => this.#session.picture.hand[taken]!);
        return this.#session.choices.some((choice) => holds(choice.cards, cards));
    }

    /** Takes a card up, or puts it back. */
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
            const { view, shown, picture } = this.#session;
            if (view) this.why = shown.whyNot(view, picture.hand[place]!, say);
        }
    }

    clear(): void {
        this.places = [];
        this.why = "";
    }

    #alone(place: number): boolean {
        return this.#session.choices.some((choice) => holds(choice.cards, [this.#session.picture.hand[place]!]));
    }

    /** The first tap takes up as many of a kind as a move needs. */
    #whole(place: number): number[] {
        const { picture, shown, view, choices } = this.#session;
        const card = picture.hand[place]!;
        const size = view ? shown.tap(view) : 1;
        const same = [place, ...[...picture.hand.keys()].filter((other) => other !== place && picture.hand[other] === card)].slice(0, size);
        const cards = same.map(() => card);
        return choices.some((choice) => choice.cards.length === cards.length && holds(choice.cards, cards)) ? same : [place];
    }
}
