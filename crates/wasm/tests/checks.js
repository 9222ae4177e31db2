// Checks that must pass in node, in a page and in a worker. `read` returns the bytes of a file of the project, or of
// the build for names that start with `web/`.
import { BOTS, SESSIONS, trace } from "./cases.js";

/** Throws an error if `truth` is false. */
function holds(truth, what) {
    if (!truth) throw new Error(what);
}

const text = (bytes) => new TextDecoder().decode(bytes);

async function unzipped(bytes) {
    const stream = new Blob([bytes])
        .stream()
        .pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
}

const close = (a, b, most) =>
    Math.abs(a - b) <= most * Math.max(1, Math.abs(b));

/**
 * The largest difference of logits at which two moves count as equal: the odds between them are then about 1.01 to 1.
 */
const ALIKE = 0.01;

/** Checks the observation, legal actions, move and value of every vector of a bundle. Returns the number of vectors. */
async function vectors(cardsharp, read, game) {
    const folder = `checkpoints/${game}/bot`;
    const single = cardsharp.Bot.fromBytes(
        game,
        await read(`${folder}/bot.safetensors`),
    );
    const half = cardsharp.Bot.fromBytes(
        game,
        await read(`web/cardsharp/bots/${game}/bot.safetensors`),
    );
    const lines = (await unzipped(await read(`${folder}/vectors.jsonl.gz`)))
        .trimEnd()
        .split("\n");
    lines.forEach((line, at) => {
        const where = `${game}, vector ${at + 1}`;
        const vector = JSON.parse(line);
        const view = new cardsharp.View(vector.view);
        const cells = Array.from(view.row().entries()).filter(
            ([, cell]) => cell !== 0,
        );
        holds(
            JSON.stringify(cells) === JSON.stringify(vector.row),
            `${where}: another row`,
        );
        holds(
            JSON.stringify(Array.from(view.legal())) ===
                JSON.stringify(vector.legal),
            `${where}: other legal actions`,
        );
        const allowed = Array.from(view.mask().entries())
            .filter(([, may]) => may === 1)
            .map(([action]) => action);
        holds(
            JSON.stringify(allowed) === JSON.stringify(vector.legal),
            `${where}: another mask`,
        );
        holds(
            view.label(single.pick(view)) === vector.move,
            `${where}: another move`,
        );
        const logit = (action) => vector.logits[vector.legal.indexOf(action)];
        // At half precision, either of two almost equal moves may be the best.
        holds(
            Math.max(...vector.logits) - logit(half.pick(view)) < ALIKE,
            `${where}: another move at half precision`,
        );
        const advice = single.advise(view);
        // The values are exactly equal, because the arithmetic has the same order on every machine.
        holds(
            advice.value === Number(vector.value),
            `${where}: value ${advice.value}, not ${vector.value}`,
        );
        const top = Math.max(...vector.logits);
        const total = vector.logits.reduce(
            (sum, logit) => sum + Math.exp(logit - top),
            0,
        );
        for (const { action, probability } of advice.moves) {
            holds(
                close(probability, Math.exp(logit(action) - top) / total, 1e-6),
                `${where}: probability of action ${action}`,
            );
        }
        // Vectors of earlier encodings lack newer options, which then have their defaults.
        const json = view.json();
        for (const option of Object.keys(json.table.rules)) {
            if (!(option in vector.view.table.rules))
                delete json.table.rules[option];
        }
        holds(
            JSON.stringify(json) === JSON.stringify(vector.view),
            `${where}: the view changed on its way`,
        );
        view.free();
    });
    return lines.length;
}

async function seated(cardsharp, read, name) {
    if (!name.includes("/")) return cardsharp.Bot.builtIn(name);
    const game = name.split("/")[1];
    return cardsharp.Bot.fromBytes(
        game,
        await read(`${name}/bot.safetensors`),
        { name },
    );
}

/** Plays a session of the native program again; both traces must be equal. Returns the length of the trace. */
async function session(cardsharp, read, number) {
    const native = text(await read(`web/${trace(number)}`));
    const header = JSON.parse(native.slice(0, native.indexOf("\n")));
    const bots = [];
    for (const name of header.bots)
        bots.push(await seated(cardsharp, read, name));
    const table = new cardsharp.Table(header.game, header.rules, header.seed);
    holds(table.seed === header.seed, `session ${number}: another seed`);
    while (!table.over) {
        if (table.turn === undefined) {
            holds(table.dealNext(), `session ${number}: no next round`);
        } else {
            const view = table.view();
            table.play(bots[table.turn].pick(view));
            view.free();
        }
    }
    const played = table.record("referee", header.bots);
    holds(played === native, `session ${number}: another trace`);
    // The trace passes through JavaScript numbers, which write 1.0 as 1.
    const rewritten = native.replace(/^.+$/gm, (line) =>
        JSON.stringify(JSON.parse(line)),
    );
    const again = cardsharp.Table.replay(rewritten);
    holds(
        again.record("referee", header.bots) === native,
        `session ${number}: played again it is another`,
    );
    while (again.undo());
    holds(
        again.steps === 0 && !again.over,
        `session ${number}: taken back it does not begin`,
    );
    return played.length;
}

/**
 * Replays a session of the native program and sends every seat its event log. A view from the log must equal the
 * table's view. Returns the number of decisions.
 */
async function records(cardsharp, read, number) {
    const native = text(await read(`web/${trace(number)}`));
    const [first, ...lines] = native.trimEnd().split("\n");
    const choices = lines.map((line) => JSON.parse(line).choice);
    const { game, rules, seed } = JSON.parse(first);
    const table = new cardsharp.Table(game, rules, seed);
    const begin = () =>
        Array.from(
            { length: table.seats },
            (_, seat) => new cardsharp.Observer(table.header(seat)),
        );
    // The first observers hear all lines. The others do not hear the lines that announce a turn.
    const [observers, unasked] = [begin(), begin()];
    const tell = () => {
        for (let seat = 0; seat < table.seats; seat += 1) {
            for (const line of table.lines(table.steps, seat)) {
                observers[seat].hear(line);
                if (JSON.parse(line).line !== "turn") unasked[seat].hear(line);
            }
        }
    };
    let views = 0;
    tell();
    for (const choice of choices.filter((choice) => choice !== undefined)) {
        if (table.turn === undefined) {
            table.dealNext();
            tell();
        }
        const [view, heard, decides] = [
            table.view(),
            observers[table.turn].view(),
            unasked[table.turn].decide(),
        ];
        const [seen, ...known] = [view, heard, decides].map((view) =>
            JSON.stringify(view.json()),
        );
        for (const told of known) {
            holds(
                told === seen,
                `session ${number}, step ${table.steps}: its record tells ${told}, it sees ${seen}`,
            );
        }
        [view, heard, decides].forEach((view) => view.free());
        table.play(choice);
        tell();
        views += 1;
    }
    holds(
        observers.every((observer) => observer.over === table.over),
        `session ${number}: over for some`,
    );
    return views;
}

/** Runs all checks; returns how much they covered. */
export async function check(cardsharp, read) {
    const seen = {
        vectors: 0,
        sessions: SESSIONS.length,
        characters: 0,
        views: 0,
    };
    for (const game of BOTS)
        seen.vectors += await vectors(cardsharp, read, game);
    for (let number = 0; number < SESSIONS.length; number += 1) {
        seen.characters += await session(cardsharp, read, number);
        seen.views += await records(cardsharp, read, number);
    }
    return seen;
}
