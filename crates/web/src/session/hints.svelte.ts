// Hints: the move that the bot prefers, and a comparison of this favorite with another move.
import type { Advice, Compared, ViewJson } from "cardsharp";
import type { Played } from "../games";
import { bots } from "./bots";

/** Two moves in the same deals; the second is the bot's favorite. */
export interface Weighed {
    moves: readonly [string, string];
    compared: Compared;
}

/** Deals in which two moves are compared; this takes a tenth of a second. */
const DEALS = 60;

export class Hints {
    advice = $state.raw<Advice>();
    weighed = $state.raw<Weighed>();
    /** Increases when answers to earlier questions become outdated. */
    #now = 0;

    /** Forgets the hint, because there is another decision. */
    forget(): void {
        this.#now++;
        this.advice = this.weighed = undefined;
    }

    /** Asks the bot, and compares its favorite with the person's move `own`, or else with the bot's second choice. */
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
