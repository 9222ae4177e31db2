// Links to played games. The fragment contains the trace itself, or the address of a trace (docs/table.md).
import { reach } from "#place/network";
import { say } from "../words/words.svelte";

/** The longest trace that a link may lead to, in bytes: a few hundred long sessions. */
const MOST = 16 * 2 ** 20;

/** The length in characters from which some messengers cut links. */
export const LONG = 30_000;

/** The longest address that browsers open, in characters. */
const LONGEST = 2_000_000;

/** The game that a fragment names: `trace` is the address of a trace, `replay` a deflated trace in base64url. */
export type Linked = { trace: string } | { replay: string };

/** The game that a fragment names; `undefined` if it names none. */
export function fromLink(fragment: string): Linked | undefined {
    const parts = new URLSearchParams(fragment.replace(/^#/, ""));
    const [trace, replay] = [parts.get("trace"), parts.get("replay")];
    if (trace !== null) return { trace };
    return replay === null ? undefined : { replay };
}

/** The trace that a link leads to. Throws an error in the reader's language if the link is wrong. */
export async function linked(link: Linked): Promise<string> {
    return "trace" in link ? fetched(link.trace) : inflated(link.replay);
}

/** The address of this page with the deflated trace in its fragment. Throws if it is too long for browsers. */
export async function toLink(trace: string): Promise<string> {
    const deflated = new Blob([trace]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    const data = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const address = `${location.href.replace(/#.*/, "")}#replay=${data}`;
    if (address.length > LONGEST) throw new Error(say("link.longest"));
    return address;
}

async function fetched(where: string): Promise<string> {
    let address: URL;
    try {
        address = new URL(where, document.baseURI);
    } catch {
        throw new Error(say("link.noAddress", { address: where }));
    }
    if (address.origin !== location.origin)
        throw new Error(say("link.elsewhere", { address: address.href, origin: location.origin }));
    const response = await reach(address);
    if (!response.ok || !response.body)
        throw new Error(say("link.missing", { address: address.href, status: response.status }));
    return text(response.body);
}

async function inflated(data: string): Promise<string> {
    let binary: string;
    try {
        if (!/^[\w-]+$/.test(data)) throw new Error("no base64url");
        binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    } catch {
        throw new Error(say("link.damaged"));
    }
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return text(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
}

/** Reads a stream as text. Throws when more than `MOST` bytes arrive. */
async function text(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const reader = stream.getReader();
    for (let bytes = 0; ;) {
        const { done, value } = await reader.read().catch(() => {
            throw new Error(say("link.damaged"));
        });
        if (done) break;
        bytes += value.length;
        if (bytes > MOST) {
            void reader.cancel();
            throw new Error(say("link.large", { most: MOST / 2 ** 20 }));
        }
        parts.push(value);
    }
    return new Blob(parts).text();
}
