// Tests of the package in node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
    mkdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { brotliCompressSync } from "node:zlib";
import { BOTS, SESSIONS } from "./cases.js";
import { check } from "./checks.js";
import { path, project, web } from "./place.js";

const cardsharp = await import(join(web, "cardsharp/node.js"));

test("vectors of all bundles and whole sessions are those of the native program", async () => {
    const seen = await check(cardsharp, (name) =>
        readFile(path(name)).then((bytes) => new Uint8Array(bytes)),
    );
    assert.equal(seen.vectors, 1000 * BOTS.length);
    assert.equal(seen.sessions, SESSIONS.length);
    assert.ok(
        seen.characters > 100_000,
        `${seen.characters} characters of traces were compared`,
    );
});

test("what has to be fetched is small", () => {
    const fetched = (name) =>
        brotliCompressSync(readFileSync(path(name))).length;
    const engine = fetched("web/cardsharp/engine_bg.wasm");
    assert.ok(engine <= 500_000, `the engine has ${engine} bytes`);
    for (const game of BOTS) {
        const network = fetched(`web/cardsharp/bots/${game}/bot.safetensors`);
        assert.ok(
            network <= 720_000,
            `the network for ${game} has ${network} bytes`,
        );
    }
});

test("the package has a trained bot for each game", async () => {
    const { trained } = await import(join(web, "cardsharp/bots.node.js"));
    for (const game of BOTS) {
        const files = await trained(game);
        assert.ok("bot.safetensors" in files && "levels.json" in files, game);
        assert.equal(cardsharp.Bot.fromBytes(game, files).levels().length, 10);
        assert.equal(await trained(game), files, "the files are read once");
    }
    await assert.rejects(
        trained("chess"),
        /there is no trained bot for `chess`: expected .*dalmuti/,
    );
});

test("bots of one network play as bots that were read alone", async () => {
    const { Bot, Network, Table } = cardsharp;
    const file = (name) =>
        readFile(path(`web/cardsharp/bots/dalmuti/${name}`)).then(
            (bytes) => new Uint8Array(bytes),
        );
    const bundle = {
        "bot.safetensors": await file("bot.safetensors"),
        "levels.json": await file("levels.json"),
    };
    const network = Network.fromBytes("dalmuti", bundle);
    for (const options of [
        {},
        { level: 4, seed: 5 },
        { search: { tries: 30 } },
    ]) {
        const bots = [
            network.bot(options),
            network.bot(options),
            Bot.fromBytes("dalmuti", bundle, options),
        ];
        const table = new Table("dalmuti", { hands: 1 }, 3);
        while (!table.over) {
            const view = table.view();
            const [one, two, alone] = bots.map((bot) => bot.pick(view));
            assert.deepEqual([one, two], [alone, alone]);
            table.play(one);
        }
    }
});

test("two moves are compared in the same deals, and what they are played for is told", async () => {
    const { Network, Table } = cardsharp;
    const weights = new Uint8Array(
        await readFile(path("web/cardsharp/bots/dalmuti/bot.safetensors")),
    );
    const bot = Network.fromBytes("dalmuti", weights).bot();
    const table = new Table("dalmuti", { hands: 1 }, 3);
    while (table.phase !== "play" || table.view().legal().length < 3)
        table.play(bot.pick(table.view()));
    const view = table.view();
    const [{ label }] = view.moves();
    const [one, other] = view.legal();
    const found = bot.compare(view, one, other, 40);
    assert.equal(found.deals, 40);
    assert.deepEqual(
        bot.compare(view, one, other, 40),
        found,
        "the same question has the same answer",
    );
    const swapped = bot.compare(view, other, one, 40);
    assert.ok(Math.abs(found.place.mean + swapped.place.mean) < 1e-12);
    assert.deepEqual(
        [found.left[0], found.aim[0]],
        [swapped.left[1], swapped.aim[1]],
        label,
    );
    assert.equal(found.aim[0].purpose, "no player tops it");
    const kept = bot.compare(view, one, one, 40);
    assert.equal(kept.place.mean, 0);
});

test("the engine names what a phase asks for, what moves do, and why moves are illegal", () => {
    const table = new cardsharp.Table("taki", { players: 4 }, 7);
    const view = table.view();
    assert.equal(view.asks(table.phase), "taki.phase.turn");
    assert.equal(view.asks("whist"), undefined);
    const meanings = view
        .moves()
        .map(({ label, action }) => [label, view.means(action)]);
    assert.deepEqual(meanings.at(0), ["G1", undefined]);
    assert.deepEqual(meanings.at(-1), ["king", "taki.means.king"]);
    const illegal = [...view.mask().keys()].filter(
        (action) => !view.legal().includes(action),
    );
    const reasons = illegal.flatMap((action) => view.whyNot(action) ?? []);
    assert.ok(
        reasons.length > 10 &&
            reasons.every(({ name }) => /^taki\.(why\.|match)/.test(name)),
    );
    assert.match(
        reasons.find(({ name }) => name === "taki.why.holds").values.card,
        /^\S+$/,
    );
    assert.throws(() => view.whyNot(9999));
});

test("the deals of a session at a server are verified", async () => {
    const { Table, verifyDeal } = cardsharp;
    const salts = [
        { seat: 0, salt: "rain" },
        { seat: 3, salt: "17:04" },
    ];
    const commitment =
        "271a413bd339c5709fdceaec41f14f11e9fbfb5042d72d331c65f32b284cd09a";
    const deals = {
        commitment,
        secret: "ab".repeat(32),
        salts,
        seed: 3938001651555452,
    };
    const trace = (seed) => {
        const table = new Table("kuhn", {}, seed);
        do while (table.turn !== undefined) table.play(table.moves()[0].label);
        while (table.dealNext());
        return table.record("referee", ["Ann", "Bob"]);
    };
    const played = trace(deals.seed);
    assert.deepEqual(
        await verifyDeal(deals, { commitment, salt: salts[1], trace: played }),
        { seed: deals.seed, salts },
    );
    await verifyDeal(deals);
    const refused = (values, noted, message) =>
        assert.rejects(verifyDeal({ ...deals, ...values }, noted), message);
    await refused({ secret: null }, {}, /when the session is over/);
    await refused({ secret: "cd".repeat(32) }, {}, /the server changed one/);
    await refused({ salts: [salts[0]] }, {}, /give the seed \d+, but/);
    await refused({ seed: 7 }, {}, /but `seed` is 7/);
    await refused({}, { commitment: "5d" }, /you noted 5d/);
    await refused({}, { salt: { seat: 0, salt: "sun" } }, /is "rain", but you/);
    await refused(
        {},
        { salt: { seat: 1, salt: "sun" } },
        /is missing, but you/,
    );
    await refused({}, { trace: trace(7) }, /the trace has the seed 7/);
    await refused({}, { trace: played.replace("decision", "x") }, /line \d+/);
});

test("the examples of both READMEs run", () => {
    const folder = join(web, "examples");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(web, "cardsharp"), join(folder, "node_modules/cardsharp"));
    const readmes = ["crates/wasm/README.md", "README.md"].map((page) =>
        readFileSync(join(project, page), "utf8"),
    );
    const examples = [...readmes.join("\n").matchAll(/```js\n(.*?)```/gs)].map(
        (found) => found[1],
    );
    assert.ok(examples.length >= 5, `${examples.length} examples`);
    examples.forEach((example, number) => {
        const file = join(folder, `${number}.mjs`);
        writeFileSync(file, example);
        execFileSync(process.execPath, [file], {
            cwd: project,
            stdio: ["ignore", "ignore", "inherit"],
        });
    });
});

test("TypeScript accepts the types and refuses what is none of them", () => {
    const folder = join(web, "examples");
    const compiler = join(web, "tools/node_modules/typescript/bin/tsc");
    const options = [
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--lib",
        "es2022,dom",
    ];
    const compile = (name, text) => {
        writeFileSync(join(folder, name), text);
        execFileSync(
            process.execPath,
            [compiler, ...options, join(folder, name)],
            { cwd: folder, encoding: "utf8" },
        );
    };
    const program = (
        move,
    ) => `import { Bot, Table, type Advice, type Rules } from "cardsharp";
const rules: Partial<Rules> = { players: 4 };
const table = new Table("taki", rules, 7n);
const advice: Advice = Bot.builtIn("search", { search: { tries: 20, play_only: true } }).advise(table.view());
table.play(${move});
`;
    compile("right.mts", program("advice.moves[0].label"));
    assert.throws(
        () => compile("wrong.mts", program("advice")),
        "an advice is no move",
    );
});

test("searches and levels draw their deals by a bundle's beliefs, and say so where there are none", async () => {
    const { Bot, Table } = cardsharp;
    const file = (name) =>
        readFile(path(`web/cardsharp/bots/dalmuti/${name}`)).then(
            (bytes) => new Uint8Array(bytes),
        );
    const plain = {
        "bot.safetensors": await file("bot.safetensors"),
        "levels.json": await file("levels.json"),
    };
    const bundle = {
        ...plain,
        "beliefs.safetensors": await file("beliefs.safetensors"),
    };
    const search = { tries: 60, beliefs: true };
    assert.throws(
        () => Bot.fromBytes("dalmuti", plain, { search }),
        /expected a bundle with a `beliefs.safetensors`/,
    );
    assert.throws(
        () => Bot.fromBytes("dalmuti", plain, { level: 10 }),
        /also pass the `beliefs.safetensors` of the bundle/,
    );
    assert.throws(
        () => Bot.builtIn("search", { search }),
        /expected a bundle with a `beliefs.safetensors`/,
    );
    const bots = [{ search }, { search: { tries: 60 } }, { level: 10 }].map(
        (options) => Bot.fromBytes("dalmuti", bundle, options),
    );
    const table = new Table("dalmuti", { hands: 1 }, 3);
    let differ = 0;
    for (let move = 0; move < 20 && !table.over; move += 1) {
        const view = table.view();
        const [believing, alike] = bots.map((bot) =>
            bot.advise(view).moves.map(({ probability }) => probability),
        );
        differ += Number(
            believing.some(
                (probability, place) => probability !== alike[place],
            ),
        );
        table.play(bots[2].pick(view));
    }
    assert.ok(differ > 0, "beliefs tell deals apart");
});
