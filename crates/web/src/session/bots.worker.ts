// The worker in which bots pick moves.
import { file } from "#place/files";
import { Bot, Network, View, type BotOptions, type GameName } from "cardsharp";
import { STARTED, type Answer, type Player, type Question } from "./question";
import { reading } from "./views";

/** Playouts of a bot that searches: some tenths of a second for a move. */
const TRIES = 100;

/** The most bots in memory: one for each seat of the largest table, and some for hints. */
const MOST = 16;

/** The bots used most recently, the latest at the end. */
const seated = new Map<string, Promise<Bot>>();

async function make(game: GameName, player: Player, seed: number, base: string): Promise<Bot> {
    if (player === "scripted" || player === "random") return Bot.builtIn(player, { seed });
    const options: BotOptions = { seed };
    if (player.startsWith("level ")) options.level = Number(player.slice(6));
    if (player === "search") options.search = { tries: TRIES };
    return (await network(game, base)).bot(options);
}

/** The network of each game, which all bots of the game share. */
const networks = new Map<GameName, Promise<Network>>();

function network(game: GameName, base: string): Promise<Network> {
    let read = networks.get(game);
    if (read === undefined) {
        const folder = `bots/${game}`;
        const files = Promise.all([file(`${folder}/bot.safetensors`, base), file(`${folder}/levels.json`, base)]);
        read = files.then(([weights, levels]) =>
            Network.fromBytes(game, { "bot.safetensors": weights, "levels.json": levels }),
        );
        networks.set(game, read);
        // The next question repeats a load that failed.
        read.catch(() => networks.delete(game));
    }
    return read;
}

function bot({ game, player, seed, base }: Question): Promise<Bot> {
    const name = `${game} ${player} ${seed}`;
    const known = seated.get(name);
    const bot = known ?? make(game, player, seed, base);
    seated.delete(name);
    seated.set(name, bot);
    if (known === undefined) {
        bot.catch(() => seated.delete(name));
        leaveOne();
    }
    return bot;
}

/** Frees the bot that has not been used for longest, if there are too many: each takes some of the engine's memory. */
function leaveOne(): void {
    const [oldest] = seated;
    if (oldest === undefined || seated.size <= MOST) return;
    seated.delete(oldest[0]);
    oldest[1].then(
        (bot) => bot.free(),
        () => undefined,
    );
}

async function answer(question: Question): Promise<Answer> {
    const { id, kind } = question;
    const thinker = await bot(question);
    if (kind === "ready") return { id };
    return reading(new View(question.view!), (view) => {
        if (kind === "pick") return { id, action: thinker.pick(view) };
        if (kind === "advise") return { id, advice: thinker.advise(view) };
        return { id, compared: thinker.compare(view, ...question.moves!, question.deals!) };
    });
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
    try {
        self.postMessage(await answer(data));
    } catch (error) {
        self.postMessage({
            id: data.id,
            error: error instanceof Error ? error.message : String(error),
        } satisfies Answer);
    }
};

// A question that arrives before the engine is read would be lost, so the page waits for this message.
self.postMessage({ id: STARTED } satisfies Answer);
