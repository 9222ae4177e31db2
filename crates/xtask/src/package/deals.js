// Checks the deals of a session at a server. The browser computes the hashes, which keeps the engine small.
import { Table } from "./engine.js";

async function sha256(text) {
    const subtle = globalThis.crypto?.subtle;
    if (subtle === undefined)
        throw new Error(
            "`crypto.subtle` is missing: open the page over https or from localhost",
        );
    const hash = await subtle.digest("SHA-256", new TextEncoder().encode(text));
    const digits = (byte) => byte.toString(16).padStart(2, "0");
    return Array.from(new Uint8Array(hash), digits).join("");
}

export async function verifyDeal(deals, { commitment, salt, trace } = {}) {
    const { secret, salts, seed } = deals;
    if (
        typeof secret !== "string" ||
        !Array.isArray(salts) ||
        typeof seed !== "number"
    )
        throw new Error(
            "`secret`, `salts` or `seed` is missing: the server publishes them when the session is over",
        );
    const hash = await sha256(secret);
    if (hash !== deals.commitment)
        throw new Error(
            `the SHA-256 hash of \`secret\` is ${hash}, but \`commitment\` is ${deals.commitment}: the server changed one of them`,
        );
    if (commitment !== undefined && commitment.toLowerCase() !== hash)
        throw new Error(
            `the commitment is ${hash}, but you noted ${commitment}: the server changed it`,
        );
    if (salt !== undefined) {
        const found = salts.find(({ seat }) => seat === salt.seat)?.salt;
        if (found !== salt.salt)
            throw new Error(
                `the salt of seat ${salt.seat} is ${JSON.stringify(found) ?? "missing"}, but you added ${JSON.stringify(salt.salt)}`,
            );
    }
    const lines = salts.map(({ seat, salt }) => `\n${seat} ${salt}`);
    const expected = parseInt(
        (await sha256(secret + lines.join(""))).slice(0, 13),
        16,
    );
    if (seed !== expected)
        throw new Error(
            `the secret and the salts give the seed ${expected}, but \`seed\` is ${seed}`,
        );
    if (trace !== undefined) {
        Table.replay(trace).free();
        const played = JSON.parse(trace.slice(0, trace.indexOf("\n"))).seed;
        if (played !== seed)
            throw new Error(
                `the trace has the seed ${played}, but the secret and the salts give ${seed}`,
            );
    }
    return { seed, salts };
}
