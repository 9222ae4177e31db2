// Storage between visits. Where the browser stores nothing, or has no room, values last until the page is closed.

const unkept = new Map<string, string>();

/** `sessionStorage` is emptied when the page is closed. */
type Where = "localStorage" | "sessionStorage";

export function recall(name: string, where: Where = "localStorage"): string | null {
    const here = unkept.get(name);
    if (here !== undefined) return here;
    try {
        return window[where].getItem(name);
    } catch {
        return null;
    }
}

export function remember(name: string, text: string, where: Where = "localStorage"): void {
    try {
        window[where].setItem(name, text);
        unkept.delete(name);
    } catch {
        unkept.set(name, text);
    }
}

export function forget(name: string): void {
    unkept.delete(name);
    try {
        localStorage.removeItem(name);
    } catch {
        // Without storage nothing was stored.
    }
}
