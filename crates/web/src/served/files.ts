// Files of the page, for its threads.

const files = new Map<string, Promise<Uint8Array>>();

/** The bytes of a file beside the page at `base`, fetched once. */
export function file(path: string, base: string): Promise<Uint8Array> {
    const url = new URL(path, base).href;
    let bytes = files.get(url);
    if (bytes === undefined) {
        bytes = fetch(url).then(async (response) => {
            if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
            return new Uint8Array(await response.arrayBuffer());
        });
        files.set(url, bytes);
        // What failed is fetched again the next time.
        bytes.catch(() => files.delete(url));
    }
    return bytes;
}
