// Explains in words why one move is better than another, from the results of both in the same deals.
import type { Aimed, Compared } from "cardsharp";
import type { Card, Shown } from "../games/picture";
import type { Key, Say } from "../words/words.svelte";

/** The unit of a game's results: places or points. */
export const unitOf = ({ points }: Shown): "place" | "points" => (points === undefined ? "place" : "points");

/**
 * How much the first move loses against the second, in places or points, with the bounds of its 95 % confidence
 * interval.
 */
export interface Cost {
    mean: number;
    low: number;
    high: number;
    /** Whether the interval excludes 0, so that one move is clearly better. */
    clear: boolean;
}

export function cost(shown: Shown, compared: Pick<Compared, "place" | "points">): Cost {
    const unit = unitOf(shown);
    const { mean, low, high } = compared[unit];
    const clear = low > 0 || high < 0;
    // A small place is good, but many points are good.
    return unit === "points" ? { mean: -mean, low: -high, high: -low, clear } : { mean, low, high, clear };
}

/** A number with as many decimals as the game's unit needs. */
export function amount(shown: Shown, value: number): string {
    return value.toFixed(unitOf(shown) === "points" ? 1 : 2).replace("-", "−");
}

export interface Why {
    /** Which move is better and by how much, or that the difference is too small to tell. */
    verdict: string;
    /** The reasons for the verdict, a sentence each. */
    reasons: string[];
}

/** The most answers of other players that are named. */
const ANSWERS = 2;
/** The smallest share of deals in which a player must be able to prevent the aim, to be named. */
const SELDOM = 0.02;

/** The texts for the aims of moves, by the engine's names of the aims. */
const AIMS: Record<string, Key> = {
    "no player tops it": "why.aim.set",
    "the next player has to draw": "why.aim.draw",
    "the trick goes your way": "why.aim.trick",
    "the contract goes your way": "why.aim.contract",
};

const percent = new Intl.NumberFormat(undefined, { style: "percent" });

/** Explains a comparison. `moves` has the labels of the two moves in the order of `compared`. */
export function why(
    shown: Shown,
    compared: Compared,
    moves: readonly [string, string],
    who: (seat: number) => string,
    say: Say,
): Why {
    const lost = cost(shown, compared);
    // If the difference is unclear, the second move comes first in the text: it is the bot's favorite.
    const [worse, better] = lost.clear && lost.mean < 0 ? ([1, 0] as const) : ([0, 1] as const);
    const sign = worse === 0 ? 1 : -1;
    const names = moves.map((label) => shown.move(label, say));
    const told = { better: names[better]!, other: names[worse]!, deals: compared.deals };
    const [near, far] = [lost.low * sign, lost.high * sign].sort((a, b) => a - b) as [number, number];
    const verdict = lost.clear
        ? say(`why.better.${unitOf(shown)}`, {
              ...told,
              mean: amount(shown, lost.mean * sign),
              low: amount(shown, near),
              high: amount(shown, far),
          })
        : say("why.even", told);
    const reasons = hands(shown, compared.left[better]!, compared.left[worse]!, told, say);
    for (const which of [better, worse]) reasons.push(...aim(shown, compared.aim[which], names[which]!, who, say));
    if (lost.clear) {
        const [won, otherwise] = [percent.format(compared.first[better]!), percent.format(compared.first[worse]!)];
        if (won !== otherwise) reasons.push(say("why.won", { ...told, won, otherwise }));
    }
    return { verdict: begun(verdict), reasons: reasons.map(begun) };
}

/** Makes the first letter a capital, because a sentence may start with the name of a card. */
const begun = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** The cards that only one of the two moves leaves in the hand. */
function hands(
    shown: Shown,
    better: string,
    other: string,
    told: { better: string; other: string },
    say: Say,
): string[] {
    const [kept, spent] = [list(shown, without(better, other), say), list(shown, without(other, better), say)];
    if (kept && spent) return [say("why.instead", { ...told, kept, spent })];
    if (kept) return [say("why.keeps", { ...told, kept })];
    return spent ? [say("why.sheds", { ...told, spent })] : [];
}

/** The cards of the first hand that are not in the second. */
function without(hand: string, other: string): Card[] {
    const rest = other.split(" ");
    return hand.split(" ").filter((card) => {
        const at = rest.indexOf(card);
        if (at >= 0) rest.splice(at, 1);
        return card !== "" && at < 0;
    });
}

/** Cards in words, equal ones together; empty if there are none. */
function list(shown: Shown, cards: Card[], say: Say): string {
    const counts = new Map<Card, number>();
    for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
    return [...counts]
        .map(([card, count]) => {
            const name = shown.card(card, say);
            return count === 1 ? name : say("set.of", { count, name });
        })
        .join(", ");
}

/** How often a move reached its aim, and which player could prevent that. */
function aim(
    shown: Shown,
    aimed: Aimed | null | undefined,
    move: string,
    who: (seat: number) => string,
    say: Say,
): string[] {
    const key = aimed && AIMS[aimed.purpose];
    if (!aimed || !key) return [];
    const reached = say(key, { move, share: percent.format(aimed.reached) });
    const rival = aimed.rivals.find(({ could }) => could >= SELDOM);
    if (!rival) return [reached];
    const answers = aimed.by
        .slice(0, ANSWERS)
        .map(({ choice, share }) => `${shown.move(choice, say)} (${percent.format(share)})`);
    const values = {
        who: who(rival.seat),
        could: percent.format(rival.could),
        did: percent.format(rival.did),
        moves: answers.join(", "),
    };
    return [`${reached} ${say("why.rival", values)}`];
}
