// The trained bots of the package. Files are fetched on first use.
import { URLS } from "./bots/urls.js";

const fetched = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok)
        throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
    return new Uint8Array(await answer.arrayBuffer());
};

export const trained = reader(fetched);

/** The files of a game's trained bot by name, each read once. */
export function reader(read) {
    const known = new Map();
    return (game) => {
        if (!Object.hasOwn(URLS, game)) {
            return Promise.reject(
                new Error(
                    `there is no trained bot for \`${game}\`: expected ${Object.keys(URLS).join(", ")}`,
                ),
            );
        }
        if (!known.has(game)) {
            const files = Object.entries(URLS[game]).map(
                async ([name, url]) => [name, await read(url)],
            );
            const all = Promise.all(files).then(Object.fromEntries);
            known.set(game, all);
            // A failed download is repeated by the next call.
            all.catch(() => known.delete(game));
        }
        return known.get(game);
    };
}
