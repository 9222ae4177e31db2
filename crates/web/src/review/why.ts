// Explains in words why one move is better than another, from the results of both in the same deals.
import type { Compared, CounterMove, Reason } from "cardsharp";
import type { Card, Shown } from "../games/picture";
import { percent } from "../words/percent";
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
    /** The engine's reasons for the verdict, a sentence each. */
    reasons: string[];
}

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
    return { verdict: begun(verdict), reasons: reasonsOf(shown, compared.reasons, moves, who, say) };
}

/** Reasons as sentences. `certain` says that the shares are exact. */
export function reasonsOf(
    shown: Shown,
    reasons: Reason[],
    moves: readonly [string, string],
    who: (seat: number) => string,
    say: Say,
    certain = false,
): string[] {
    const names = moves.map((label) => shown.move(label, say));
    return reasons.map((reason) => begun(sentence(shown, reason, names, who, say, certain)));
}

/** Makes the first letter a capital, because a sentence may start with the name of a card. */
const begun = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** A reason as a sentence. `names` has the names of the two moves. */
function sentence(
    shown: Shown,
    reason: Reason,
    names: string[],
    who: (seat: number) => string,
    say: Say,
    certain: boolean,
): string {
    const share = (value: number): string => percent(value, say, certain);
    const move = "of" in reason ? names[reason.of]! : "";
    switch (reason.reason) {
        case "keeps":
            return say("reason.keeps", { move, cards: list(shown, reason.cards, say) });
        case "aim": {
            const aim = say(reason.name as Key, {}, reason.purpose);
            return say("reason.aim", { move, aim, share: share(reason.share) });
        }
        case "answer": {
            const answer = (answer: CounterMove): string =>
                `${shown.move(answer.choice, say)} (${share(answer.share)})`;
            return say("reason.answer", {
                move,
                who: who(reason.seat),
                could: share(reason.could),
                did: share(reason.did),
                moves: reason.by.map(answer).join(", "),
            });
        }
        case "wins": {
            const [otherwise, first] = reason.shares.map(share) as [string, string];
            return say("reason.wins", { share: first, move: names[1]!, otherwise, other: names[0]! });
        }
    }
}

/** Cards in words, equal ones together. */
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
