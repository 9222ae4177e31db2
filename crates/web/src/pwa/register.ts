// Registers the service worker, with which the page works without a network. The first visit stores the page and the
// games that are played; an installed page, or a later visit, stores all games.
import { recall } from "../session/memory";

const isInstalled = matchMedia("(display-mode: standalone)").matches;
/** Whether this browser has opened a table in an earlier visit. */
const isReturning = recall("cardsharp.table") !== null;

async function register(): Promise<void> {
    try {
        await navigator.serviceWorker.register("./service.js");
        if (isInstalled || isReturning) await storeAll();
    } catch {
        // The browser stores nothing, for example in a private window. The page needs a network then.
    }
}

async function storeAll(): Promise<void> {
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage("all");
}

// A page from a folder has no service worker.
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
    // The page has loaded the engine by now, so that storing the page does not delay it.
    void register();
    addEventListener("appinstalled", () => void storeAll());
}
