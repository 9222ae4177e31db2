// The page in one file has no server, and so no deals to check.
import { say } from "../words/words.svelte";

export async function verifyDeal(): Promise<never> {
    throw new Error(say("app.offline"));
}
