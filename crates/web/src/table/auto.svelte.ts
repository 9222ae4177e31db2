// Moves that the page makes for the person, if they want that.
import { recall, remember } from "../session/memory";

const [PASS, ONLY] = ["cardsharp.autoPass", "cardsharp.autoOnly"];

export class Auto {
    #pass = $state(recall(PASS) === "yes");
    #only = $state(recall(ONLY) === "yes");

    /** Whether to pass (or draw) if nothing else is legal. */
    get pass(): boolean {
        return this.#pass;
    }

    set pass(wanted: boolean) {
        this.#pass = wanted;
        remember(PASS, wanted ? "yes" : "no");
    }

    /** Whether to make any move that is the only legal one. */
    get only(): boolean {
        return this.#only;
    }

    set only(wanted: boolean) {
        this.#only = wanted;
        remember(ONLY, wanted ? "yes" : "no");
    }
}
