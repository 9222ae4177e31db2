// No server: the page in one file asks nobody.
import { Refused } from "../company/refused";
import { say } from "../words/words.svelte";

export async function reach(): Promise<Response> {
    throw new Refused("alone", say("app.alone"));
}
