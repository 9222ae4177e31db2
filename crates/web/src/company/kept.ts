// The tables of servers at which this browser has a seat, or which it opened.
import type { Played } from "../games";
import { recall, remember } from "../session/memory";
import type { Opened } from "./server";

/** A table with what this browser may do there. */
export interface KeptTable {
    table: string;
    game: Played;
    /** The seat's secret, or that of spectators. */
    seat?: string;
    watch?: string;
    /** The host's secret, and the people that were asked to come. */
    host?: string;
    guests?: { name: string; secret: string }[];
}

const KEPT = "cardsharp.tables";
/** As many as a person comes back to. */
const MOST = 8;

/** All of them, the latest first. */
export function tables(): KeptTable[] {
    try {
        return JSON.parse(recall(KEPT) ?? "[]") as KeptTable[];
    } catch {
        // Somebody wrote something else there.
        return [];
    }
}

/**
 * Keeps a table as the latest. What is known of it stays: whoever opens a guest's link has his own seat still, and a host without one has
 * the guest's.
 */
export function keepTable(table: KeptTable): void {
    const known = tables().find((kept) => kept.table === table.table);
    const others = tables().filter((kept) => kept.table !== table.table);
    save([{ ...table, ...known }, ...others].slice(0, MOST));
}

/** Keeps a seat no longer, and of its table what whoever opened it has besides. */
export function forgetSeat(table: string, secret: string): void {
    const known = tables().find((kept) => kept.table === table);
    if (known?.seat !== secret) return;
    if (!known.host) return forgetTable(table);
    const { seat: _, ...rest } = known;
    save(tables().map((kept) => (kept.table === table ? rest : kept)));
}

/** Keeps a table no longer. */
export function forgetTable(table: string): void {
    save(tables().filter((kept) => kept.table !== table));
}

function save(tables: KeptTable[]): void {
    remember(KEPT, JSON.stringify(tables));
}

/** What whoever opened a table keeps of it. */
export function ownTable(game: Played, opened: Opened, names: string[], me: number): KeptTable {
    const guests = opened.seats.flatMap((secret, seat) =>
        secret === null || seat === me ? [] : [{ name: names[seat]!, secret }],
    );
    const seat = me < 0 ? undefined : (opened.seats[me] ?? undefined);
    return { table: opened.table, game, host: opened.host, watch: opened.watch, guests, ...(seat && { seat }) };
}

/** The part of an address that leads to a table. It holds a secret: whoever has it has the seat. */
export function tableFragment(table: string, as: "seat" | "watch", secret: string): string {
    return new URLSearchParams({ table, [as]: secret }).toString();
}

/** The table of a fragment; none if it names none. */
export function fromTableFragment(fragment: string): { table: string; as: "seat" | "watch"; secret: string } | undefined {
    const parts = new URLSearchParams(fragment.replace(/^#/, ""));
    const table = parts.get("table");
    const as = parts.has("seat") ? "seat" : "watch";
    const secret = parts.get(as);
    return table && secret ? { table, as, secret } : undefined;
}
