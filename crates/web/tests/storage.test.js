// Tests of the stored tables, and of following a stream, without a browser or a server.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const path = (name) => fileURLToPath(new URL(`../src/multiplayer/${name}`, import.meta.url));

/** Replaces the server: `told` yields the events of a stream. */
const server = {
    name: "server",
    enforce: "pre",
    resolveId: (name, from) => (name === "./server" && from === path("stream.ts") ? "\0server" : undefined),
    load: (name) =>
        name === "\0server"
            ? `import { Refused } from ${JSON.stringify(path("refused.ts"))};
               export async function* listen(key, after, signal) { yield* globalThis.told(Refused, after, signal); }`
            : undefined,
};
const source = (name) =>
    runnerImport(path(name), { plugins: [server], logLevel: "error" }).then(({ module }) => module);
const [{ forgetSeat, forgetTable, storeTable, tables }, { follow }] = await Promise.all([
    source("storage.ts"),
    source("stream.ts"),
]);

const own = {
    table: "1",
    game: "taki",
    seat: "ann",
    host: "host",
    watch: "watch",
    guests: [{ name: "Bob", secret: "bob" }],
};

beforeEach(() => tables().forEach(({ table }) => forgetTable(table)));

test("who opens a guest's link in his own browser has his own seat still", () => {
    storeTable(own);
    storeTable({ table: "2", game: "taki", seat: "eve" });
    storeTable({ table: "1", game: "taki", seat: "bob" });
    assert.deepEqual(tables(), [own, { table: "2", game: "taki", seat: "eve" }]);
});

test("a host without a seat who opens a guest's link has that seat", () => {
    const { seat, ...host } = own;
    storeTable(host);
    storeTable({ table: "1", game: "taki", seat: "bob" });
    assert.deepEqual(tables(), [{ ...host, seat: "bob" }]);
});

test("a seat that is given up is kept no longer, and a host is that still", () => {
    storeTable(own);
    storeTable({ table: "2", game: "taki", seat: "eve" });
    forgetSeat("1", "bob");
    assert.equal(tables()[1].seat, "ann", "it is another one");
    forgetSeat("1", "ann");
    forgetSeat("2", "eve");
    const { seat, ...rest } = own;
    assert.deepEqual(tables(), [rest]);
});

/**
 * Follows these streams one after the other; returns the lines, the error, the number of streams left, and the signals.
 */
async function heard(streams, take = () => undefined) {
    const lines = [];
    const signals = [];
    globalThis.told = async function* (Refused, after, signal) {
        signals.push(signal);
        const stream = streams.shift();
        if (typeof stream === "string") throw new Refused(stream, stream);
        for (const data of stream) yield [{ name: "", id: data, data }];
    };
    const hearing = {
        connected: false,
        heard: ([{ data }]) => (take(data), lines.push(data)),
        ended: () => lines.at(-1) === "end",
    };
    const failed = await follow({}, hearing, new AbortController().signal).then(
        () => undefined,
        (error) => error.message,
    );
    return { lines, failed, left: streams.length, signals };
}

test("what may be answered another time is asked again, what is refused is not", async () => {
    const { lines, failed } = await heard(["internal", ["1"], "slow", ["end"]]);
    assert.deepEqual([lines, failed], [["1", "end"], undefined]);
    const refused = await heard(["forbidden", ["end"]]);
    assert.deepEqual([refused.failed, refused.left], ["forbidden", 1]);
});

test("what cannot be taken in ends it, and the stream with it", async () => {
    const take = (data) => assert.notEqual(data, "2", "no line");
    const { lines, failed, left, signals } = await heard([["1", "2", "3"], ["end"]], take);
    assert.deepEqual([lines, failed, left], [["1"], "no line", 1]);
    assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [true],
    );
});
