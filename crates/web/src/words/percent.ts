// Shares in percent.
import type { Say } from "./words.svelte";

const written = new Intl.NumberFormat(undefined, { style: "percent" });

/**
 * A share in percent. One that rounds to 0 or 100 % is not proved to be that, so it gets words, unless it is `certain`.
 */
export function percent(share: number, say: Say, certain = false): string {
    const rounded = Math.round(100 * share);
    if (rounded <= 0 && !(certain && share === 0)) return say("share.least");
    if (rounded >= 100 && !(certain && share === 1)) return say("share.most");
    return written.format(share);
}
