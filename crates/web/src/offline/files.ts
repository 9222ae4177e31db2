// The files of the bots in a worker of the page in one file. The first message to the worker brings all of them.

let files = new Map<string, Uint8Array>();

export function give(all: Map<string, Uint8Array>): void {
    files = all;
}

/** The bytes of a file that a served page would fetch. */
export async function file(path: string): Promise<Uint8Array> {
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error(`${path} is missing from this page`);
    return bytes;
}
