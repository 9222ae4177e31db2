// Requests to the server of this page, and its event streams. Not every server offers tables.
import { reach } from "#place/network";
import type { Deals } from "cardsharp";
import { unusual, type Setup } from "../session/setup";
import type { Player } from "../session/question";
import { Refused } from "./refused";

/** What `server.json` says about the server. */
export interface Serving {
    tables: boolean;
    /** Whether the server requires a token to open a table. */
    token: boolean;
}

/** The person or bot in a seat. */
export interface Sitter {
    seat: number;
    person: boolean;
    name: string;
    /** Whether a page of the person is open now. True for bots. */
    present: boolean;
    /** The bot that plays for the person now. */
    substitute: string | null;
    /** Whether the person has said that they are ready; true for all once the session runs. */
    ready: boolean;
}

/** A request to take back a move, with the seats that have agreed and those that must still agree. */
interface Wish {
    seat: number;
    agreed: number[];
    missing: number[];
}

/** Public facts about a table that are not in the event log. */
export interface Notice {
    game: string;
    seats: Sitter[];
    /** Whether the session starts when all people are ready. */
    waiting: boolean;
    /** What the deals are made from; `null` if the host chose the seed. */
    deals: Deals | null;
    undo: Wish | null;
    stopped: string | null;
    /** The time for a decision in seconds, if it is limited. */
    clock: { decision?: number | null } | null;
}

/** A table and a secret. The secret identifies a seat, the spectators or the host. */
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
        // Something between the page and the server answered, for example a proxy.
        throw new Refused("", `${reply.status} ${reply.statusText}`);
    }
}

async function ask(method: string, path: string, secret: string | undefined, body?: unknown): Promise<Response> {
    const headers: HeadersInit = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    return answered(await reach(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }));
}

/** What the server of this page offers. On a plain file server `server.json` says that there are no tables. */
export async function serving(): Promise<Serving> {
    try {
        return (await (await reach("server.json")).json()) as Serving;
    } catch {
        return { tables: false, token: false };
    }
}

/** The name that the server uses for a bot. */
function bot(player: Player, game: string): string {
    if (player === "best") return game;
    if (player === "search") return `search:${TRIES}+${game}`;
    return player.startsWith("level ") ? `${game}@${player.slice(6)}` : player;
}

/** The secrets of a new table. `seats` has `null` for bots. */
export interface Opened {
    table: string;
    host: string;
    watch: string;
    seats: (string | null)[];
}

/** How the host wants a table to be. */
export interface Hosting {
    /** The name of the person in each seat. */
    names: string[];
    /** Whether the table is in the list of tables, and anyone may take seats of bots. */
    listed: boolean;
    /** The time for a decision in seconds; 0 for no limit. After it a bot makes the move. */
    seconds: number;
    token: string;
}

/** Opens a table for the people in `hosting.names` and the bots of `setup`. `pace` is in milliseconds. */
export async function open(setup: Setup, { names, listed, seconds, token }: Hosting, pace: number): Promise<Opened> {
    const seats = setup.players.map((player, seat) =>
        player === "you" || player === "guest" ? { person: names[seat] } : { bot: bot(player, setup.game) },
    );
    const rules = unusual(setup.game, setup.rules);
    // The request has no seed, and the server draws one: anyone who knows the seed knows the cards.
    const table = {
        game: setup.game,
        rules,
        seats,
        pace,
        deal: false,
        listed,
        open: listed,
        ready_check: true,
        ...(seconds > 0 && { clock: { decision: seconds, then: "move" } }),
    };
    return (await (await ask("POST", "v1/tables", token || undefined, table)).json()) as Opened;
}

/** A table of the list of tables. */
export interface Listed extends Notice {
    table: string;
}

/** The tables whose hosts have listed them. */
export async function listed(token: string): Promise<Listed[]> {
    const { tables } = (await (await ask("GET", "v1/tables", token || undefined)).json()) as { tables: Listed[] };
    return tables;
}

/** Takes the seat of a bot at an open table. Returns the secret of the seat. */
export async function join(table: string, seat: number, name: string, token: string): Promise<string> {
    const reply = await ask("POST", `v1/tables/${table}/join`, token || undefined, { seat, who: { person: name } });
    return ((await reply.json()) as { secret: string }).secret;
}

/** Sends a command to a table, such as `moves` or `undo`. */
export async function request({ table, secret }: Key, what: string, body: unknown = {}): Promise<void> {
    await ask("POST", `v1/tables/${table}/${what}`, secret, body);
}

/** Ends a table; the server deletes everything about it. */
export async function end({ table, secret }: Key): Promise<void> {
    await ask("DELETE", `v1/tables/${table}`, secret);
}

/** The trace of the whole session, once it is over. */
export async function trace({ table, secret }: Key): Promise<string> {
    return (await ask("GET", `v1/tables/${table}/trace`, secret)).text();
}

/** An event of a stream. `name` is empty for a line of the event log. */
export interface Heard {
    name: string;
    id?: string;
    data: string;
}

/** Parses one block of a stream; `undefined` if it is a comment. */
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

/**
 * Yields the events after the one with the id `after`, in the batches in which they arrive. Ends with the connection.
 */
export async function* listen(
    { table, secret }: Key,
    after: string | undefined,
    signal: AbortSignal,
): AsyncGenerator<Heard[]> {
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
