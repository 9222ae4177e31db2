// Links to games that were played: the trace itself behind the `#`, or where it lies (docs/table.md).
import { reach } from "#place/network";
import { say } from "../words/words.svelte";

/** The longest trace that a link may lead to, in bytes: some hundred long sessions. */
const MOST = 16 * 2 ** 20;

/** From here on some messengers cut a link. */
export const LONG = 30_000;

/** Browsers open no longer address. */
const LONGEST = 2_000_000;

/** What a fragment says of a game that was played. */
export type Linked = { trace: string } | { replay: string };

/** The game of a fragment; none if it leads to none. */
export function fromLink(fragment: string): Linked | undefined {
    const parts = new URLSearchParams(fragment.replace(/^#/, ""));
    const [trace, replay] = [parts.get("trace"), parts.get("replay")];
    if (trace !== null) return { trace };
    return replay === null ? undefined : { replay };
}

/** The trace that a link leads to. Throws with what is wrong with it, in the reader's language. */
export async function linked(link: Linked): Promise<string> {
    return "trace" in link ? fetched(link.trace) : inflated(link.replay);
}

/** The address of this page with a game behind the `#`. Throws if no browser would open it. */
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
    if (address.origin !== location.origin) throw new Error(say("link.elsewhere", { address: address.href, origin: location.origin }));
    const response = await reach(address);
    if (!response.ok || !response.body) throw new Error(say("link.missing", { address: address.href, status: response.status }));
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

/** All of a stream as text; one that is too long is left where it is. */
async function text(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const reader = stream.getReader();
    for (let bytes = 0; ; ) {
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
