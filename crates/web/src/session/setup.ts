// The description of a table, as in links and in the browser's storage.
import { rules as checked, type GameName, type Rules } from "cardsharp";
import { SHOWN, isPlayed, type Played } from "../games";
import { isPlayer, PLAYERS, type Player } from "./question";

export interface Setup {
    game: Played;
    /** All options, validated. */
    rules: Rules;
    seed: number;
    /** The player of each seat. */
    players: Player[];
}

/** The largest seed that the page and the engine accept. */
export const MAX_SEED = Number.MAX_SAFE_INTEGER;

/** Draws a seed of 32 bits, which is short enough to type. */
export function drawSeed(): number {
    return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/**
 * Completes a table. Missing rules get their defaults. Without `players`, the person has seat 0 and `best` all others.
 */
export function setup(given: { game: Played; rules?: Partial<Rules>; seed?: number; players?: Player[] }): Setup {
    const rules = checked(given.game, given.rules ?? {});
    const seats = SHOWN[given.game].seats?.(rules) ?? rules.players;
    const others = given.players?.find((player) => player !== "you") ?? "best";
    const players = Array.from(
        { length: seats },
        (_, seat) => given.players?.[seat] ?? (seat === 0 && !given.players ? "you" : others),
    );
    return { game: given.game, rules, seed: given.seed ?? drawSeed(), players };
}

/** The fields in the first line of a trace that describe its table. */
interface Header {
    game: Played;
    rules: Rules;
    seed: number;
    bots: string[];
}

/** The table of a trace, with the person in seat `me`. A bot that this page did not name becomes `best`. */
export function fromTrace(trace: string, me: number): Setup {
    const { game, rules, seed, bots } = JSON.parse(trace.slice(0, trace.indexOf("\n"))) as Header;
    const named = bots.map((name) => /^bot \d+: (.+)$/.exec(name)?.[1]);
    const players = named.map((name, seat): Player =>
        seat === me ? "you" : isPlayer(name) && name !== "you" && name !== "guest" ? name : "best",
    );
    return setup({ game, rules, seed, players });
}

/** The options that differ from the default rules. */
export function unusual(game: GameName, rules: Partial<Rules>): Partial<Rules> {
    const usual = checked(game) as unknown as Record<string, unknown>;
    const given = Object.entries(rules).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]),
    );
    return Object.fromEntries(given) as Partial<Rules>;
}

/** A table as the fragment of an address. */
export function toFragment({ game, rules, seed, players }: Setup): string {
    const parts = new URLSearchParams({ game, seed: String(seed), players: players.join(",") });
    const own = unusual(game, rules);
    if (Object.keys(own).length > 0) parts.set("rules", JSON.stringify(own));
    return parts.toString();
}

/** The table that a fragment names; `undefined` if it names no game. Throws an error that names the fault. */
export function fromFragment(fragment: string): Setup | undefined {
    const parts = new URLSearchParams(fragment.replace(/^#/, ""));
    const game = parts.get("game");
    if (game === null) return undefined;
    if (!isPlayed(game)) throw new Error(`there is no game \`${game}\``);
    const rules = JSON.parse(parts.get("rules") ?? "{}") as Partial<Rules>;
    const seed = parts.has("seed") ? Number(parts.get("seed")) : undefined;
    if (seed !== undefined && !(Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED)) {
        throw new Error(`the seed is ${parts.get("seed")}: expected an integer from 0 to ${MAX_SEED}`);
    }
    const names = parts.get("players")?.split(",");
    const nobody = names?.find((name) => !isPlayer(name));
    if (nobody !== undefined)
        throw new Error(`there is no player \`${nobody}\`: expected you, guest, ${PLAYERS.join(", ")}`);
    return setup({ game, rules, seed, players: names as Player[] | undefined });
}
