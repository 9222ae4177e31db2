// The service worker: it stores the page, so that it works without a network. `build/pwa.ts` puts the names of all
// files of the page and a hash of them before this text, as FILES and VERSION.

/** Pages in other folders of this origin have other caches. */
const OWN = `cardsharp ${self.registration.scope} `;
const CACHE = OWN + VERSION;
/** The bots and puzzles of all games are stored later: a person may want to play only one. */
const LATER = FILES.filter((name) => name.startsWith("bots/") || name.startsWith("puzzles/"));
const SOON = FILES.filter((name) => !LATER.includes(name));

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SOON)));
});

self.addEventListener("activate", (event) => {
    const old = caches.keys().then((names) => names.filter((name) => name.startsWith(OWN) && name !== CACHE));
    event.waitUntil(
        old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()),
    );
});

// A page asks to store the bots and puzzles of all games.
self.addEventListener("message", (event) => {
    if (event.data === "all") event.waitUntil(Promise.all(LATER.map((name) => stored(name))));
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const path = request.url.replace(/[?#].*/, "");
    if (request.method !== "GET" || !path.startsWith(self.registration.scope)) return;
    const name = decodeURIComponent(path.slice(self.registration.scope.length)) || "index.html";
    // The newest page comes from the network. Its files have new names, and are fetched as well.
    if (request.mode === "navigate" && FILES.includes(name))
        event.respondWith(fetch(request).catch(() => stored(name)));
    else if (FILES.includes(name)) event.respondWith(stored(name));
    else if (name === "server.json") event.respondWith(fetch(request).catch(() => offline()));
});

/** A file from the cache, or from the network, which then stores it. */
async function stored(name) {
    const cache = await caches.open(CACHE);
    const known = await cache.match(name);
    if (known) return known;
    const response = await fetch(name);
    if (response.ok) await cache.put(name, response.clone());
    return response;
}

/** Without a network there are no tables with other people. */
function offline() {
    return Response.json({ tables: false, token: false });
}
