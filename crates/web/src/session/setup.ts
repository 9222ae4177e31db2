// What a table is made of, as it stands in links and in the browser's storage.
import { rules as checked, type GameName, type Rules } from "cardsharp";
import { isPlayed, type Played } from "../games";
import { isPlayer, PLAYERS, type Player } from "./question";

export interface Setup {
    game: Played;
    /** All options, checked. */
    rules: Rules;
    seed: number;
    /** Who plays each seat. */
    players: Player[];
}

/** The largest seed, which the engine takes too. */
export const MAX_SEED = Number.MAX_SAFE_INTEGER;

/** Draws a seed of 32 bits, short enough to type. */
export function drawSeed(): number {
    return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** Sets a table: what is not said is as the game comes, with the bot at its best in the other seats. */
export function setup(given: { game: Played; rules?: Partial<Rules>; seed?: number; players?: Player[] }): Setup {
    const rules = checked(given.game, given.rules ?? {});
    const seats = seatsOf(rules);
    const others = given.players?.find((player) => player !== "you") ?? "best";
    const players = Array.from({ length: seats }, (_, seat) => given.players?.[seat] ?? (seat === 0 && !given.players ? "you" : others));
    return { game: given.game, rules, seed: given.seed ?? drawSeed(), players };
}

/** Seats of a session: those who join later have one, too. */
function seatsOf(rules: Rules): number {
    const script = "roster_script" in rules ? rules.roster_script : [];
    const joined = script.map((change) => ("join" in change && typeof change.join === "number" ? change.join + 1 : 0));
    return Math.max(rules.players, ...joined);
}

/** What the first line of a trace says of its table. */
interface Header {
    game: Played;
    rules: Rules;
    seed: number;
    bots: string[];
}

/** The table of a trace, for a person who goes on with it in a seat; bots that this page did not name play at their best. */
export function fromTrace(trace: string, me: number): Setup {
    const { game, rules, seed, bots } = JSON.parse(trace.slice(0, trace.indexOf("\n"))) as Header;
    const named = bots.map((name) => /^bot \d+: (.+)$/.exec(name)?.[1]);
    const players = named.map((name, seat): Player => (seat === me ? "you" : isPlayer(name) && name !== "you" && name !== "guest" ? name : "best"));
    return setup({ game, rules, seed, players });
}

/** Options that are not as the game comes. */
export function unusual(game: GameName, rules: Partial<Rules>): Partial<Rules> {
    const usual = checked(game) as unknown as Record<string, unknown>;
    const given = Object.entries(rules).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]));
    return Object.fromEntries(given) as Partial<Rules>;
}

/** A table as the fragment of an address. */
export function toFragment({ game, rules, seed, players }: Setup): string {
    const parts = new URLSearchParams({ game, seed: String(seed), players: players.join(",") });
    const own = unusual(game, rules);
    if (Object.keys(own).length > 0) parts.set("rules", JSON.stringify(own));
    return parts.toString();
}

/** The table of a fragment; none if it names no game. Throws with what is wrong in it. */
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
    if (nobody !== undefined) throw new Error(`there is no player \`${nobody}\`: expected you, guest, ${PLAYERS.join(", ")}`);
    return setup({ game, rules, seed, players: names as Player[] | undefined });
}
