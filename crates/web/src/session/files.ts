// Files of the page, for its threads.

const files = new Map<string, Promise<Uint8Array>>();

/** The bytes at an address, fetched once. */
export function file(url: string): Promise<Uint8Array> {
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
