// The tables of the server that this browser has stored: it has a seat there, or opened them.
import type { Played } from "../games";
import { recall, remember } from "../session/memory";
import type { Opened } from "./server";

/** What the person noted before the deal, to verify it at the end. */
export interface Proof {
    /** The hash of the server's secret. */
    commitment?: string;
    /** The person's own text, which goes into the deals. */
    salt?: string;
}

/** A table, with the secrets that this browser has for it. */
export interface StoredTable {
    table: string;
    game: Played;
    /** The secret of the seat in `seat`, and of the spectators in `watch`. */
    seat?: string;
    watch?: string;
    /** For the host only: the host's secret, and the invited people with theirs. */
    host?: string;
    guests?: { seat: number; name: string; secret: string }[];
    /** The secret of the seat with which the person has gone to the table. */
    begun?: string;
    proof?: Proof;
}

const STORED = "cardsharp.tables";
/** The most tables that are stored; the oldest are dropped. */
const MOST = 8;

/** All stored tables, the latest first. */
export function tables(): StoredTable[] {
    try {
        return JSON.parse(recall(STORED) ?? "[]") as StoredTable[];
    } catch {
        // The stored text is not what this page writes.
        return [];
    }
}

/**
 * Stores a table as the latest. Secrets that are already stored win: a host who opens a guest's link keeps their own
 * seat. A host without a seat gets the guest's seat.
 */
export function storeTable(table: StoredTable): void {
    const known = tables().find((stored) => stored.table === table.table);
    const others = tables().filter((stored) => stored.table !== table.table);
    save([{ ...table, ...known }, ...others].slice(0, MOST));
}

/** Notes that the person has gone to the table with this seat. */
export function beginTable(table: string, secret: string, proof: Proof): void {
    save(tables().map((stored) => (stored.table === table ? { ...stored, begun: secret, proof } : stored)));
}

/** Removes a stored seat if it has this secret. For a host the table stays stored. */
export function forgetSeat(table: string, secret: string): void {
    const known = tables().find((stored) => stored.table === table);
    if (known?.seat !== secret) return;
    if (!known.host) return forgetTable(table);
    const { seat: _, ...rest } = known;
    save(tables().map((stored) => (stored.table === table ? rest : stored)));
}

/** Removes a stored table. */
export function forgetTable(table: string): void {
    save(tables().filter((stored) => stored.table !== table));
}

function save(tables: StoredTable[]): void {
    remember(STORED, JSON.stringify(tables));
}

/** What the browser stores for the host of a new table. `me` is the host's seat, or −1 for none. */
export function ownTable(game: Played, opened: Opened, names: string[], me: number): StoredTable {
    const guests = opened.seats.flatMap((secret, seat) =>
        secret === null || seat === me ? [] : [{ seat, name: names[seat]!, secret }],
    );
    const seat = me < 0 ? undefined : (opened.seats[me] ?? undefined);
    return { table: opened.table, game, host: opened.host, watch: opened.watch, guests, ...(seat && { seat }) };
}

/** The fragment of the address of a table. It contains a secret: anyone with the link can take the seat. */
export function tableFragment(table: string, as: "seat" | "watch", secret: string): string {
    return new URLSearchParams({ table, [as]: secret }).toString();
}

/** The table that a fragment names; `undefined` if it names none. */
export function fromTableFragment(
    fragment: string,
): { table: string; as: "seat" | "watch"; secret: string } | undefined {
    const parts = new URLSearchParams(fragment.replace(/^#/, ""));
    const table = parts.get("table");
    const as = parts.has("seat") ? "seat" : "watch";
    const secret = parts.get(as);
    return table && secret ? { table, as, secret } : undefined;
}
