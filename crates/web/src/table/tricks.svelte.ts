// The last trick of games of sets: what lay in the middle, one set after the other.
import type { Card, Picture } from "../games/picture";

/** A set, and who laid it. */
export interface Laid {
    seat: number;
    cards: Card[];
}

export class Tricks {
    /** The trick that was taken last in this round, as far as it was seen here. */
    last = $state.raw<Laid[]>([]);
    #now: Laid[] = [];
    #round = "";
    #lines = 0;

    /** Looks at the table after each step; `lines` tell whether something was taken back. */
    see({ piles, round }: Picture, lines: number): void {
        if (round !== this.#round || lines < this.#lines) [this.last, this.#now] = [[], []];
        [this.#round, this.#lines] = [round, lines];
        const laid = piles.find(({ by }) => by !== undefined);
        const top = this.#now.at(-1);
        if (laid) {
            const { by, cards } = laid;
            if (top?.seat !== by || top?.cards.join() !== cards.join()) this.#now.push({ seat: by!, cards });
        } else if (top) {
            [this.last, this.#now] = [this.#now, []];
        }
    }
}
