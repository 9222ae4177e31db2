// Requests to the server of this page.

/** Fetches an address. A relative address is relative to the page. */
export function reach(address: string | URL, asked?: RequestInit): Promise<Response> {
    return fetch(new URL(address, document.baseURI), asked);
}
