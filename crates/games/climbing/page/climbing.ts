// What Tahimi and The Great Dalmuti have in common: sets of one rank, positions, taxes.
import type { DalmutiView, TahimiView } from "cardsharp";
import type { Key, Say } from "../../../web/src/words/words.svelte";
import {
    around,
    cardsOf,
    type Card,
    type Choice,
    type Line,
    type Pile,
    type SeatPicture,
} from "../../../web/src/games/picture";
import type { en } from "./en";

/** The names of the texts that both games use. */
export type Words = Key | keyof typeof en;

type ClimbingView = DalmutiView | TahimiView;

/** The notation of a game's wild card. */
export type Wild = "*" | "J";

/** The cards of a move's label: `7x3+J` is three sevens and a Jester. */
export function choice(label: string, wild: Wild): Choice {
    const given = /^give (\S+)$/.exec(label);
    if (given) return { label, cards: [given[1]!], does: true };
    const alone = /^(\*{1,2}|J{1,2})( as \S+)?$/.exec(label);
    // In Tahimi a lone `J` is a jack.
    if (alone && alone[1]![0] === wild) return { label, cards: [...alone[1]!] };
    const set = /^(\d+|[JQKA])(?:x(\d+))?(?:\+([*J]{1,2}))?$/.exec(label);
    if (!set) return { label, cards: [] };
    const [, rank, size, wilds] = set;
    return { label, cards: [...Array<Card>(Number(size ?? 1)).fill(rank!), ...(wilds ?? "")] };
}

/** A set in words, for example three sevens with a Jester. */
export function set(label: string, wild: Wild, card: (card: Card) => string, say: Say<Words>): string {
    const { cards } = choice(label, wild);
    const called = / as (\S+)$/.exec(label)?.[1];
    const wilds = cards.filter((card) => card === wild).length;
    const plain = cards.length - wilds;
    const [count, name] = plain > 0 ? [plain, card(cards[0]!)] : [wilds, card(wild)];
    const text = count === 1 ? name : say("set.of", { count, name });
    if (called !== undefined) return say("climbing.set.as", { set: text, name: card(called) });
    if (plain > 0 && wilds > 0)
        return say(wilds === 1 ? "climbing.set.wild" : "climbing.set.wilds", { set: text, name: card(wild) });
    return text;
}

/** The set to beat as a pile of cards; no pile while cards are dealt and taxes are paid. */
export function piles(view: ClimbingView, name: (rank: Card) => Card, wild: Wild, say: Say<Words>): Pile[] {
    const top = view.table.trick.set;
    if (view.table.stage !== "play") return [];
    if (!top) return [{ name: say("climbing.pile.empty"), cards: [] }];
    const rank = name(top.rank);
    const wilds = rank === wild ? 0 : top.wilds;
    return [
        {
            name: say("climbing.pile.beat"),
            cards: [...Array<Card>(top.size - wilds).fill(rank), ...Array<Card>(wilds).fill(wild)],
            by: view.table.order[view.table.trick.last],
        },
    ];
}

/** The seat that must play a set; `undefined` before that, because taxes are paid face down. */
export function turn({ table }: ClimbingView): number | undefined {
    return table.stage === "play" ? table.order[table.trick.turn] : undefined;
}

/** The players in the order of positions, starting with the viewer. */
export function seats(
    view: ClimbingView,
    order: number[],
    title: (position: number, players: number) => string,
    cards: (position: number) => number,
    say: Say<Words>,
): SeatPicture[] {
    const { trick, points } = view.table;
    const all = order.map((seat, position): SeatPicture => {
        const out = trick.out.indexOf(position);
        const tags: string[] = [];
        if (out >= 0) tags.push(say("climbing.tag.out", { place: out + 1 }));
        else if (trick.set && trick.last === position) tags.push(say("climbing.tag.led"));
        else if (trick.passed.includes(position)) tags.push(say("tag.passed"));
        else if (trick.skipped === position) tags.push(say("climbing.tag.skipped"));
        return {
            seat,
            title: title(position, order.length),
            cards: cards(position),
            open: [],
            points: points[seat],
            tags,
            played: [],
        };
    });
    return around(all, order.indexOf(view.seat));
}

/** The text of an event that both games have. */
export function event(
    line: Line,
    who: (seat: number) => string,
    say: Say<Words>,
    cards: (text: string) => string,
): string | undefined {
    const moved: Record<string, Words> = {
        tribute: "climbing.event.tribute",
        return: "climbing.event.return",
        exchange: "climbing.event.exchange",
    };
    const key = line.event === undefined ? undefined : moved[line.event];
    if (key === undefined) return undefined;
    const what = typeof line.cards === "string" ? cards(line.cards) : say("count.cards", { count: Number(line.count) });
    return say(key, { from: who(Number(line.from)), to: who(Number(line.to)), cards: what });
}

/** The number of cards of one rank that can beat the set on the table. */
export function tap(view: ClimbingView): number {
    return view.table.stage === "play" ? (view.table.trick.set?.size ?? 1) : 1;
}

/** A list of cards in words. */
export function list(text: string, card: (card: Card) => string): string {
    return cardsOf(text).map(card).join(", ");
}
