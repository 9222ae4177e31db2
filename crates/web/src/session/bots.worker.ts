// The thread on which bots think.
import { Bot, View, type BotOptions, type GameName } from "cardsharp";
import { file } from "./files";
import { STARTED, type Answer, type Player, type Question } from "./question";
import { reading } from "./views";

/** Tries of a bot that looks ahead: some tenths of a second for a move. */
const TRIES = 100;

const seated = new Map<string, Promise<Bot>>();

async function make(game: GameName, player: Player, seed: number, base: string): Promise<Bot> {
    if (player === "scripted" || player === "random") return Bot.builtIn(player, { seed });
    const options: BotOptions = { seed };
    if (player.startsWith("level ")) options.level = Number(player.slice(6));
    if (player === "search") options.search = { tries: TRIES };
    const folder = new URL(`bots/${game}/`, base).href;
    const [weights, levels] = await Promise.all([file(`${folder}bot.safetensors`), file(`${folder}levels.json`)]);
    return Bot.fromBytes(game, { "bot.safetensors": weights, "levels.json": levels }, options);
}

function bot({ game, player, seed, base }: Question): Promise<Bot> {
    const name = `${game} ${player} ${seed}`;
    let bot = seated.get(name);
    if (bot === undefined) {
        bot = make(game, player, seed, base);
        seated.set(name, bot);
        bot.catch(() => seated.delete(name));
    }
    return bot;
}

async function answer(question: Question): Promise<Answer> {
    const { id, kind } = question;
    const thinker = await bot(question);
    if (kind === "ready") return { id };
    return reading(new View(question.view!), (view) =>
        kind === "pick" ? { id, action: thinker.pick(view) } : { id, advice: thinker.advise(view) },
    );
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
    try {
        self.postMessage(await answer(data));
    } catch (error) {
        self.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) } satisfies Answer);
    }
};

// Whatever is sent before the engine has been read would be lost.
self.postMessage({ id: STARTED } satisfies Answer);
