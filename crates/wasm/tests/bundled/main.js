// A page of another project that uses the package: one trained bot plays a session with itself.
import { Bot, Table } from "cardsharp";
import { trained } from "cardsharp/bots";

const bot = Bot.fromBytes("taki", await trained("taki"), { level: 5, seed: 1 });
const table = new Table("taki", { players: 4 }, 7);
while (table.turn !== undefined) table.play(bot.pick(table.view()));
globalThis.places = table.payoff().place;
document.title = "Played";
