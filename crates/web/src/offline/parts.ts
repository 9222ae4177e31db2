// Reads the parts that `build/offline.ts` embeds in the page.

/** The text of an embedded element. Throws if the element is missing. */
export function text(id: string): string {
    const text = document.getElementById(id)?.textContent;
    if (text === undefined) throw new Error(`part ${id} of this page is missing`);
    return text;
}

/** The bytes of a part, which is embedded deflated and in base64. */
export async function bytes(id: string): Promise<Uint8Array<ArrayBuffer>> {
    const binary = atob(text(id));
    const packed = new Uint8Array(binary.length);
    for (let at = 0; at < packed.length; at++) packed[at] = binary.charCodeAt(at);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The engine, compiled once for the page and its workers. */
export function engine(): Promise<WebAssembly.Module> {
    return (compiled ??= bytes("engine").then((bytes) => WebAssembly.compile(bytes)));
}

/** The files of all bots, by their paths. */
export async function bots(): Promise<Map<string, Uint8Array>> {
    const ids = [...document.querySelectorAll('script[id^="bots/"]')].map(({ id }) => id);
    return new Map(await Promise.all(ids.map(async (id) => [id, await bytes(id)] as const)));
}
