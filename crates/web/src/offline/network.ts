// The page in one file has no server, so every request fails.
import { Refused } from "../multiplayer/refused";
import { say } from "../words/words.svelte";

export async function reach(): Promise<Response> {
    throw new Refused("offline", say("app.offline"));
}
