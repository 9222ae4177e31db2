// The bots run in a worker, so that the page never waits for them.
import { botsThread } from "#place/threads";
import type { Advice, Compared, GameName, ViewJson } from "cardsharp";
import { STARTED, type Answer, type Player, type Question } from "./question";

const ENDED = "the bots were stopped";

class Bots {
    #worker: Promise<Worker> | undefined;
    #asked = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
    #last = 0;
    #end: ((why: Error) => void) | undefined;

    /** Makes the worker fetch and read the network, so that the first move comes at once. */
    async ready(game: GameName, player: Player): Promise<void> {
        await this.#ask({ kind: "ready", game, player, seed: 0 });
    }

    /** The number of the action that a player picks. */
    async pick(game: GameName, player: Player, seed: number, view: ViewJson): Promise<number> {
        return (await this.#ask({ kind: "pick", game, player, seed, view })).action!;
    }

    /** A player's probabilities of all legal moves, and its estimate of the position. */
    async advise(game: GameName, player: Player, view: ViewJson): Promise<Advice> {
        return (await this.#ask({ kind: "advise", game, player, seed: 0, view })).advice!;
    }

    /** Compares two moves, as action numbers, over the same deals. The strongest bot plays them out. */
    async compare(game: GameName, view: ViewJson, moves: readonly [number, number], deals: number): Promise<Compared> {
        return (await this.#ask({ kind: "compare", game, player: "best", seed: 0, view, moves, deals })).compared!;
    }

    /**
     * Ends the worker when the person leaves the bots; the next question starts a new one. Browsers free the memory of
     * messages late. In a worker that runs all day this memory piles up, and only the end of the worker frees all of
     * it.
     */
    leave(): void {
        this.#end?.(new Error(ENDED));
    }

    async #ask(question: Omit<Question, "id" | "base">): Promise<Answer> {
        const begun = (this.#worker ??= this.#begin());
        const worker = await begun;
        if (begun !== this.#worker) throw new Error(ENDED);
        const id = ++this.#last;
        const answer = new Promise<Answer>((resolve, reject) => this.#asked.set(id, { resolve, reject }));
        worker.postMessage({ ...question, id, base: document.baseURI } satisfies Question);
        return answer;
    }

    /** Starts the worker; resolves when it says that it has started. */
    #begin(): Promise<Worker> {
        const worker = botsThread();
        return new Promise((ready, refused) => {
            worker.onmessage = ({ data }: MessageEvent<Answer>) => {
                if (data.id === STARTED) return ready(worker);
                const waiting = this.#asked.get(data.id);
                this.#asked.delete(data.id);
                if (data.error === undefined) waiting?.resolve(data);
                else waiting?.reject(new Error(data.error));
            };
            // A worker that has ended never answers: pending questions fail, and the next question starts a new worker.
            this.#end = (why) => {
                refused(why);
                for (const { reject } of this.#asked.values()) reject(why);
                this.#asked.clear();
                worker.terminate();
                this.#worker = this.#end = undefined;
            };
            worker.onerror = (event) => this.#end?.(new Error(event.message || "the bots did not start"));
        });
    }
}

export const bots = new Bots();
