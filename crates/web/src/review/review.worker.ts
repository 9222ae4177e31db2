// The worker that reviews a session.
import { file } from "#place/files";
import { Review } from "cardsharp";
import { STARTED, type ReviewAnswer, type ReviewQuestion } from "../session/question";

/** Milliseconds between two messages about the progress. */
const NEWS = 200;

async function review({ game, trace, seat, base, thorough }: ReviewQuestion): Promise<void> {
    const network = await file(`bots/${game}/bot.safetensors`, base);
    const review = new Review(trace, seat, network, thorough);
    let told = 0;
    for (;;) {
        const reviewed = review.advance();
        const { done, steps } = review;
        const news = reviewed === undefined || reviewed.decision !== undefined || reviewed.round !== undefined;
        if (news || performance.now() - told > NEWS) {
            told = performance.now();
            self.postMessage({ id: 1, done, steps, reviewed, over: reviewed === undefined } satisfies ReviewAnswer);
        }
        if (reviewed === undefined) break;
    }
    review.free();
}

self.onmessage = async ({ data }: MessageEvent<ReviewQuestion>) => {
    try {
        await review(data);
    } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        self.postMessage({ id: 1, done: 0, steps: 0, error: why } satisfies ReviewAnswer);
    }
};

// A question that arrives before the engine is read would be lost, so the page waits for this message.
self.postMessage({ id: STARTED, done: 0, steps: 0 } satisfies ReviewAnswer);
