// The server that this page came from, where one keeps tables: requests and streams of events.
import { reach } from "#place/network";
import { unusual, type Setup } from "../session/setup";
import type { Player } from "../session/question";
import { Refused } from "./refused";

/** What a server says of itself. */
export interface Serving {
    tables: boolean;
    /** Whether it wants a token for a table. */
    token: boolean;
}

/** Whoever has the secret is a seat, the spectators, or the host of the table. */
export interface Key {
    table: string;
    secret: string;
}

const TRIES = 100;

async function answered(reply: Response): Promise<Response> {
    if (reply.ok) return reply;
    const text = await reply.text();
    try {
        const { error } = JSON.parse(text) as { error: { code: string; message: string } };
        throw new Refused(error.code, error.message);
    } catch (error) {
        if (error instanceof Refused) throw error;
        // Something between the page and the server answered.
        throw new Refused("", `${reply.status} ${reply.statusText}`);
    }
}

async function ask(method: string, path: string, secret: string | undefined, body?: unknown): Promise<Response> {
    const headers: HeadersInit = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    return answered(await reach(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }));
}

/** Whether the page came from a server that keeps tables; a plain file server answers with a file that says no. */
export async function serving(): Promise<Serving> {
    try {
        return (await (await reach("server.json")).json()) as Serving;
    } catch {
        return { tables: false, token: false };
    }
}

/** How the server calls a player. */
function bot(player: Player, game: string): string {
    if (player === "best") return game;
    if (player === "search") return `search:${TRIES}+${game}`;
    return player.startsWith("level ") ? `${game}@${player.slice(6)}` : player;
}

/** The secrets of a table that was opened. */
export interface Opened {
    table: string;
    host: string;
    watch: string;
    seats: (string | null)[];
}

/** Opens a table: people by their names, bots by theirs. `pace` is in milliseconds. */
export async function open(setup: Setup, names: string[], pace: number, token: string): Promise<Opened> {
    const seats = setup.players.map((player, seat) =>
        player === "you" || player === "guest" ? { person: names[seat] } : { bot: bot(player, setup.game) },
    );
    const rules = unusual(setup.game, setup.rules);
    // Whoever knows the seed knows the cards: it stays the server's.
    const table = { game: setup.game, rules, seats, pace, deal: false };
    return (await (await ask("POST", "v1/tables", token || undefined, table)).json()) as Opened;
}

/** Asks something of a table. */
export async function request({ table, secret }: Key, what: string, body: unknown = {}): Promise<void> {
    await ask("POST", `v1/tables/${table}/${what}`, secret, body);
}

/** Ends a table; nothing of it is left. */
export async function end({ table, secret }: Key): Promise<void> {
    await ask("DELETE", `v1/tables/${table}`, secret);
}

/** The whole session, once it is over. */
export async function trace({ table, secret }: Key): Promise<string> {
    return (await ask("GET", `v1/tables/${table}/trace`, secret)).text();
}

/** What a stream says: a line of a record, or something besides, by its name. */
export interface Heard {
    name: string;
    id?: string;
    data: string;
}

/** One block of a stream; none of a comment. */
function block(text: string): Heard | undefined {
    const heard: Heard = { name: "", data: "" };
    for (const line of text.split("\n")) {
        const colon = line.indexOf(":");
        const value = line.slice(colon + 1).replace(/^ /, "");
        if (line.startsWith("event:")) heard.name = value;
        else if (line.startsWith("id:")) heard.id = value;
        else if (line.startsWith("data:")) heard.data += value;
    }
    return heard.data === "" ? undefined : heard;
}

/** What came at once, again and again, after the event of this id. Ends when the connection does. */
export async function* listen({ table, secret }: Key, after: string | undefined, signal: AbortSignal): AsyncGenerator<Heard[]> {
    const headers: Record<string, string> = { authorization: `Bearer ${secret}` };
    if (after !== undefined) headers["last-event-id"] = after;
    const reply = await answered(await reach(`v1/tables/${table}/events`, { headers, signal }));
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop()!;
        yield blocks.flatMap((text) => block(text) ?? []);
    }
}
