// The server that the page came from.

/** Asks what lies at an address, as it is read from the page. */
export function reach(address: string | URL, asked?: RequestInit): Promise<Response> {
    return fetch(new URL(address, document.baseURI), asked);
}
