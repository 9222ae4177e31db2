// Tests that bad calls of every kind throw an `Error` with a message, and do no harm.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { path, web } from "./place.js";

const cardsharp = await import(join(web, "cardsharp/node.js"));
const { Bot, Network, Observer, Table, View } = cardsharp;

// Pseudorandom numbers that are the same on every run.
let state = 12345;
const below = (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
};
const one = (of) => of[below(of.length)];

const cycle = {};
cycle.self = cycle;
const weights = new Uint8Array(
    readFileSync(path("web/cardsharp/bots/taki/bot.safetensors")),
);

/** A text in which one character is replaced, removed or doubled. */
function damaged(text) {
    const at = below(text.length);
    return (
        text.slice(0, at) +
        one(["", "0", "}", "-1", '"', "99999999999", text[at] + text[at]]) +
        text.slice(at + 1)
    );
}

function damagedBytes() {
    const bytes = weights.slice(
        0,
        one([weights.length, below(weights.length), 8, 0]),
    );
    if (bytes.length > 0)
        bytes[below(Math.min(bytes.length, 9000))] ^= 1 << below(8);
    return bytes;
}

const table = () =>
    new Table(
        one(["dalmuti", "taki", "tahimi", "tachtigen", "kuhn", "leduc"]),
        undefined,
        below(1000),
    );

const strange = [
    () => undefined,
    () => null,
    () =>
        one([
            NaN,
            -1,
            0,
            1,
            1.5,
            255,
            256,
            65535,
            65536,
            2 ** 32,
            2 ** 53,
            1e308,
            Infinity,
            -Infinity,
            -0,
        ]),
    () => one([0n, -1n, 2n ** 64n, 2n ** 70n]),
    () =>
        one([
            "",
            "x",
            "taki",
            "dalmuti",
            "referee",
            "everybody",
            "join 1",
            "leave 0",
            "join 300",
            "pass",
            "\ud800",
            "\u0000",
            "🂡",
        ]),
    () => "x".repeat(one([100, 2 ** 20 + 1])),
    () => "[".repeat(500),
    () =>
        one([
            {},
            [],
            [[]],
            { a: 1 },
            { game: "taki" },
            { players: -1 },
            { rounds: 1e99 },
            cycle,
            new Date(NaN),
            new Map(),
        ]),
    () => one([true, false, Symbol("x"), () => 1, class {}]),
    () => ({
        toJSON: () => {
            throw "not even an error";
        },
    }),
    () => ({
        get game() {
            throw new Error("a getter");
        },
    }),
    () => new Uint8Array(below(20)),
    () => damagedBytes(),
    () => ({
        "bot.safetensors": damagedBytes(),
        "levels.json": new Uint8Array([123, 125]),
    }),
    () => ({ temperature: one([-1, 1e39, "warm", null]), level: below(20) }),
    () => ({
        search: {
            tries: one([0, 1, -1, 5, 1e12]),
            ms: one([undefined, 0, 1]),
            play_only: one([true, false, "x"]),
        },
    }),
    () => ({ seed: one([-1, 1.5, 2 ** 60]) }),
    () => damaged(JSON.stringify(table().view().json())),
    () =>
        JSON.parse(
            JSON.stringify(table().view().json()).replace(/\d+/g, (n) =>
                below(9) ? n : String(below(300)),
            ),
        ),
    () => damaged(table().header(0)),
    () => damaged(one(table().lines(0, 0))),
    () => damaged(table().record("referee", [])),
];

const calls = [
    (a) => cardsharp.games(a),
    (a) => cardsharp.describe(a),
    (a, b) => cardsharp.rules(a, b),
    (a, b, c) => new Table(a, b, c),
    (a) => new Table("taki", a, 1),
    (a) => new Table("dalmuti", undefined, a),
    (a) => Table.replay(a),
    (a) => new View(a),
    (a) => new Observer(a),
    (a, b) => Bot.builtIn(a, b),
    (a) => Bot.builtIn("search", a),
    (a, b, c) => Bot.fromBytes(a, b, c),
    (a) => Bot.fromBytes("taki", a),
    (a) => Bot.fromBytes("taki", weights, a),
    (a, b) => Network.fromBytes(a, b),
    (a) => Network.fromBytes("taki", weights).bot(a),
    (a, b, c) =>
        Bot.builtIn("scripted").compare(
            new Table("taki", undefined, 1).view(),
            a,
            b,
            c,
        ),
    (a, b, c) => Bot.builtIn("scripted").compare(a, 0, b, c),
    (a) => Bot.builtIn("scripted").pick(a),
    (a) => Bot.builtIn("random").advise(a),
    (a) => Bot.fromBytes("taki", weights).pick(new View(a)),
];
const methods = {
    Table: [
        "rules",
        "present",
        "moves",
        "label",
        "play",
        "events",
        "payoff",
        "standing",
        "dealNext",
        "undo",
        "change",
        "view",
        "header",
        "lines",
        "record",
    ],
    View: ["legal", "moves", "label", "row", "mask", "json", "picture"],
    Observer: ["hear", "view", "decide"],
};

/** Whether a call throws. It must throw an `Error` with a message, and never an internal error. */
function refused(call, what) {
    try {
        call();
        return false;
    } catch (error) {
        assert.ok(
            error instanceof Error,
            `${what}: ${String(error)} was thrown`,
        );
        assert.ok(
            !(error instanceof WebAssembly.RuntimeError),
            `${what}: ${error.stack}`,
        );
        assert.ok(error.message.length > 3, `${what}: without a message`);
        assert.doesNotMatch(
            error.message,
            /internal error|unreachable|recursive use|out of memory/,
            what,
        );
        return true;
    }
}

test("thousands of strange calls are refused or answered", () => {
    let count = 0;
    for (let round = 0; round < 3000; round += 1) {
        const call = one(calls);
        const given = [one(strange)(), one(strange)(), one(strange)()];
        count += refused(() => call(...given), `call ${round}, ${call}`)
            ? 1
            : 0;
    }
    assert.ok(count > 2000, `${count} were refused`);
});

test("strange calls in the middle of a session change nothing that they should not", () => {
    for (let game = 0; game < 60; game += 1) {
        const live = table();
        const observer = new Observer(live.header(0));
        for (let move = 0; move < 40 && !live.over; move += 1) {
            const before = live.record("referee", []);
            const kind = one(["Table", "View", "Observer"]);
            const target = {
                Table: live,
                View: live.turn === undefined ? live : live.view(),
                Observer: observer,
            }[kind];
            const method = one(methods[kind]);
            const given = [one(strange)(), one(strange)()];
            if (typeof target[method] === "function") {
                const failed = refused(
                    () => target[method](...given),
                    `${kind}.${method}`,
                );
                if (failed)
                    assert.equal(
                        live.record("referee", []),
                        before,
                        `${method} was refused and did something`,
                    );
            }
            if (live.turn === undefined) live.dealNext();
            else live.play(one(live.moves()).action);
        }
        assert.equal(Table.replay(live.record("referee")).steps, live.steps);
    }
});

test("what was given back is refused, and classes are told apart", () => {
    const gone = table();
    gone.free();
    refused(() => gone.moves(), "a table that was freed");
    assert.ok(
        refused(
            () => Bot.builtIn("random").pick(table()),
            "a table for a view",
        ),
    );
    const view = new Table("taki", undefined, 1).view();
    assert.throws(
        () => Bot.fromBytes("dalmuti", weights),
        /plays `taki`, not `dalmuti`/,
    );
    assert.throws(
        () => new Table("taky", undefined, 1),
        /there is no game `taky`: expected tahimi, dalmuti/,
    );
    assert.throws(
        () => new Table("taki", { playrs: 3 }, 1),
        /did you mean `players`/,
    );
    assert.throws(
        () => new Table("taki", { players: 11 }, 1),
        /expected a whole number, 2 to 10/,
    );
    assert.throws(
        () => new Table("taki", {}, -1),
        /the seed is -1: expected an integer from 0 to 9007199254740991/,
    );
    assert.throws(
        () => Bot.fromBytes("taki", weights, { level: 3 }),
        /the bot has no levels/,
    );
    assert.throws(
        () => Bot.fromBytes("taki", weights, { temprature: 3 }),
        /unknown field `temprature`/,
    );
    for (const seed of [2 ** 53, 2 ** 60]) {
        const rounded = new RegExp(
            `\`seed\`: ${seed} is not a seed: expected an integer from 0 to ${Number.MAX_SAFE_INTEGER}`,
        );
        assert.throws(() => Bot.builtIn("random", { seed }), rounded);
        assert.throws(() => Bot.fromBytes("taki", weights, { seed }), rounded);
        assert.throws(
            () =>
                new cardsharp.Review(
                    new Table("taki", undefined, 1).record("referee"),
                    0,
                    undefined,
                    { seed },
                ),
            rounded,
        );
    }
    for (const seed of [2 ** 53, 2n ** 53n, 2n ** 64n, "7"]) {
        assert.throws(
            () => new Table("taki", {}, seed),
            /the seed is .*: expected an integer from 0 to 9007199254740991/,
        );
    }
    assert.ok(Bot.builtIn("random", { seed: Number.MAX_SAFE_INTEGER }));
    const [first] = view.legal();
    assert.throws(
        () => Bot.fromBytes("taki", weights).compare(view, first, 65000, 5),
        /action 65000 is not legal now/,
    );
    assert.throws(
        () => Bot.builtIn("scripted").compare(view, first, first, 0),
        /the number of deals is 0: expected an integer from 1 to 1,000,000/,
    );
    const over = new Table("taki", undefined, 1);
    while (over.turn !== undefined) over.play(over.moves()[0].label);
    assert.throws(() => over.play("draw"), /the round is over/);
    const trace = new Table("taki", undefined, 1).record("referee");
    assert.throws(
        () => Table.replay(trace.replace("{", '{"deal":{},')),
        /line 1: deal.begins is missing/,
    );
    assert.throws(
        () => view.label("pass"),
        /the action is "pass": expected an action number/,
    );
});

test("a judge whose network is missing is refused", () => {
    const trace = new Table("taki", undefined, 1).record("referee");
    assert.throws(
        () => new cardsharp.Review(trace, 0, {}),
        /the bundle has no `bot.safetensors`/,
    );
    assert.ok(new cardsharp.Review(trace, 0));
});
