// Plays whole sessions against shipped bots: node session.js http://127.0.0.1:8037 dalmuti tahimi taki tachtigen
import { ask, events, move, open } from "./table.js";

const [server, ...games] = process.argv.slice(2);
for (const game of games) {
  const table = await open(server, game, game);
  const record = [];
  for await (const { name, data } of events(table)) {
    if (name === "") record.push(data);
    // Any of the legal moves, but the same ones every time.
    if (name === "legal") await move(table, data.legal[(record.length * 7) % data.legal.length]);
  }
  const payoffs = record.filter(({ line }) => line === "payoff");
  const places = payoffs.map(({ place }) => place[0]);
  console.log(`${game}: ${record.length} lines, ${payoffs.length} rounds, places of seat 0: ${places.join(" ")}`);
  await ask(server, "DELETE", table.path, table.host);
}
