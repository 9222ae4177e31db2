// Files of the page, for its threads, which were given all of them.

let files = new Map<string, Uint8Array>();

export function give(all: Map<string, Uint8Array>): void {
    files = all;
}

/** The bytes of a file that would lie beside the page. */
export async function file(path: string): Promise<Uint8Array> {
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error(`${path} is missing from this page`);
    return bytes;
}
