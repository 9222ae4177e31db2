// Fetches files for the workers of the served page.

const files = new Map<string, Promise<Uint8Array>>();

/** The bytes of the file at `path`, relative to the page at `base`. Each file is fetched once. */
export function file(path: string, base: string): Promise<Uint8Array> {
    const url = new URL(path, base).href;
    let bytes = files.get(url);
    if (bytes === undefined) {
        bytes = fetch(url).then(async (response) => {
            if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
            return new Uint8Array(await response.arrayBuffer());
        });
        files.set(url, bytes);
        // The next call repeats a request that failed.
        bytes.catch(() => files.delete(url));
    }
    return bytes;
}
