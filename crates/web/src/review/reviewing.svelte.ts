// A review of a session, which runs in its own worker.
import { reviewThread } from "#place/threads";
import type { Reviewed } from "cardsharp";
import type { Played } from "../games";
import { STARTED, type ReviewAnswer, type ReviewQuestion } from "../session/question";

export type Decision = NonNullable<Reviewed["decision"]>;
export type RoundParts = NonNullable<Reviewed["round"]>;

/** The budget of a review; a round takes some seconds. */
export const THOROUGH = { tries: 200, deals: 300, playouts: 60 };

export class Reviewing {
    done = $state(0);
    steps = $state(0);
    decisions = $state.raw<Decision[]>([]);
    rounds = $state.raw<RoundParts[]>([]);
    over = $state(false);
    failed = $state("");
    readonly seat: number;
    #worker: Worker;

    constructor(game: Played, trace: string, seat: number) {
        this.seat = seat;
        this.#worker = reviewThread();
        this.#worker.onerror = (event) => (this.failed = event.message || "the review did not start");
        this.#worker.onmessage = ({ data }: MessageEvent<ReviewAnswer>) => {
            if (data.id === STARTED) {
                const question: ReviewQuestion = { game, trace, seat, base: document.baseURI, thorough: THOROUGH };
                return this.#worker.postMessage(question);
            }
            if (data.error !== undefined) return (this.failed = data.error);
            this.done = data.done;
            this.steps = data.steps;
            if (data.reviewed?.decision) this.decisions = [...this.decisions, data.reviewed.decision];
            if (data.reviewed?.round) this.rounds = [...this.rounds, data.reviewed.round];
            if (data.over) this.over = true;
        };
    }

    /** Ends the review, finished or not. */
    leave(): void {
        this.#worker.terminate();
    }
}
