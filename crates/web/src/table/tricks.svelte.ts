// The last trick in games of sets: the sets that were in the middle, in the order of play.
import type { Card, Picture } from "../games/picture";

/** A set, and the seat that played it. */
export interface Laid {
    seat: number;
    cards: Card[];
}

export class Tricks {
    /** The last complete trick of this round, as far as this page saw it. */
    last = $state.raw<Laid[]>([]);
    /** The sets of the current trick. */
    now = $state.raw<Laid[]>([]);
    #now: Laid[] = [];
    #round = "";
    #lines = 0;

    /** Updates the tricks after each step. If `lines`, the length of the log, decreases, moves were taken back. */
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
        this.now = [...this.#now];
    }
}
