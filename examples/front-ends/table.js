// A seat at a table of `cardsharp serve`, for browsers and node, without anything besides.

/**
 * What the server answers; what it refuses is thrown as an error with its message. If the answer is lost, sends the
 * request again. The server carries out requests with the same key once, and returns the first answer again.
 */
export async function ask(server, method, path, secret, body) {
  const headers = { "idempotency-key": crypto.randomUUID(), ...(secret && { authorization: `Bearer ${secret}` }) };
  for (let tries = 1; ; tries++) {
    try {
      const reply = await fetch(server + path, { method, headers, body: body && JSON.stringify(body) });
      const answer = await reply.json();
      if (reply.ok) return answer;
      throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    } catch (error) {
      if (error.code !== undefined || tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Opens a table of a game with its default rules: a person in seat 0, bots in all others. */
export async function open(server, name, bot, rules = {}) {
  const { games } = await ask(server, "GET", "/v1/games");
  const game = games.find(({ game }) => game === name);
  if (!game) throw new Error(`there is no game ${name}: expected ${games.map(({ game }) => game).join(", ")}`);
  const players = rules.players ?? game.rules.players ?? game.players[0];
  const seats = Array.from({ length: players }, (_, seat) => (seat ? { bot } : { person: "You" }));
  const opened = await ask(server, "POST", "/v1/tables", undefined, { game: name, rules, seats });
  return { server, path: `/v1/tables/${opened.table}`, secret: opened.seats[0], host: opened.host };
}

/** The events of a seat until its session is over, as { name, id, data }. A stream that breaks is taken up again. */
export async function* events(table) {
  const { server, path, secret } = table;
  let over = false;
  while (!over) {
    const headers = { authorization: `Bearer ${secret}`, ...(table.last && { "last-event-id": table.last }) };
    const reply = await fetch(`${server}${path}/events`, { headers });
    if (!reply.ok) throw new Error((await reply.json()).error.message);
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = "", end = false; !end; ) {
      const read = await reader.read().catch(() => ({ done: true }));
      text += read.value ?? "";
      end = read.done;
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/, 2)));
        if (!fields.data) continue;
        const event = { name: fields.event ?? "", id: fields.id, data: JSON.parse(fields.data) };
        table.last = event.id ?? table.last;
        over ||= event.data.line === "end";
        yield event;
      }
    }
  }
}

/** Makes a move, written as among the legal ones. The server refuses it if the table has gone on since the last event. */
export function move(table, choice) {
  return ask(table.server, "POST", `${table.path}/moves?after=${table.last}`, table.secret, { move: choice });
}

/** What a bot would do in this seat: the best move first. */
export async function hint(table, bot) {
  return (await ask(table.server, "POST", `${table.path}/hint`, table.secret, { bot })).moves;
}
