// How the table shows TAKI.
import type { TakiView } from "cardsharp";
import type { Key, Say } from "../../../web/src/words/words.svelte";
import { around, cardsOf, type Card, type Pile, type SeatPicture, type Shown } from "../../../web/src/games/picture";
import Drawing from "./Card.svelte";
import type { en } from "./en";

/** The names of the texts that this game uses. */
export type Words = Key | keyof typeof en;

const COLORS: Record<string, Words> = {
    R: "taki.red",
    B: "taki.blue",
    G: "taki.green",
    Y: "taki.yellow",
    red: "taki.red",
    blue: "taki.blue",
    green: "taki.green",
    yellow: "taki.yellow",
};
const SYMBOLS: Record<string, Words> = {
    stop: "taki.stop",
    dir: "taki.dir",
    plus: "taki.plus",
    taki: "taki.taki",
    "+2": "taki.plus2",
};
const WILDS: Record<string, Words> = {
    color: "taki.color",
    super: "taki.super",
    king: "taki.king",
    "+3": "taki.plus3",
    breaker: "taki.breaker",
};
/** From the names of symbols in views to the notation of cards. */
const NOTED: Record<string, string> = {
    one: "1",
    three: "3",
    four: "4",
    five: "5",
    six: "6",
    seven: "7",
    eight: "8",
    nine: "9",
    stop: "stop",
    plus2: "+2",
    direction: "dir",
    plus: "plus",
    taki: "taki",
};

function symbol(noted: string, say: Say<Words>): string {
    const key = SYMBOLS[noted];
    return key ? say(key) : noted;
}

function card(card: Card, say: Say<Words>): string {
    const wild = WILDS[card];
    if (wild) return say(wild);
    const color = COLORS[card[0] ?? ""];
    return color ? say("taki.colored", { color: say(color), symbol: symbol(card.slice(1), say) }) : card;
}

/** What the next card must match. */
function match(table: TakiView["table"], say: Say<Words>): string {
    const color = say(COLORS[table.color]!);
    if (table.symbol === null) return say("taki.matchColor", { color });
    return say("taki.match", { color, symbol: symbol(NOTED[table.symbol] ?? "", say) });
}

function notes(table: TakiView["table"], say: Say<Words>): string[] {
    const notes = [match(table, say)];
    if (table.debt > 0) notes.push(say("taki.debt", { count: table.debt }));
    if (table.stage === "run") notes.push(say("taki.run", { color: say(COLORS[table.color]!) }));
    else if (table.open) notes.push(say("taki.open"));
    if (table.stage === "free") notes.push(say("taki.free"));
    if (table.stage === "owe") notes.push(say("taki.owe"));
    notes.push(say(table.direction === "left" ? "taki.left" : "taki.right"));
    return notes;
}

export const shown: Shown<Words> = {
    drawing: Drawing,
    picture(seen, _who, say) {
        const view = seen.json() as TakiView;
        const { table, own } = view;
        const tournament = table.rules.mode === "tournament";
        const all = table.sizes.map((cards, seat): SeatPicture => {
            const tags: string[] = [];
            if (table.announced.includes(seat)) tags.push(say("tag.one"));
            if (tournament && table.stages[seat]) tags.push(say("taki.stage", { stage: table.stages[seat] }));
            return { seat, title: "", cards, open: [], points: table.wins[seat], tags, played: [] };
        });
        const piles: Pile[] = [
            { name: say("taki.pile"), cards: [], down: table.pile },
            { name: say("taki.discards"), cards: [table.top] },
        ];
        // After the game no card has to match.
        const over = typeof table.stage === "object" && "over" in table.stage;
        return {
            seats: around(all, view.seat),
            piles,
            notes: over ? [] : notes(table, say),
            hand: cardsOf(own.hand),
            round: say("round.of", { round: table.game, rounds: table.rules.games }),
            turn: over ? undefined : table.turn,
            reversed: table.direction !== "left",
        };
    },
    choice(label) {
        const named = /^(color|super) ([RBGY])$/.exec(label);
        if (named) return { label, cards: [named[1]!] };
        const plain = [
            "draw",
            "close taki",
            "leave taki open",
            "end turn",
            "decline",
            "last card",
            "silent",
            "catch",
            "let go",
        ];
        return { label, cards: plain.includes(label) ? [] : [label] };
    },
    move(label, say) {
        const named = /^(color|super) ([RBGY])$/.exec(label);
        if (named) return say("taki.named", { card: card(named[1]!, say), color: say(COLORS[named[2]!]!) });
        const plain: Record<string, Words> = {
            draw: "taki.draw",
            "close taki": "taki.close",
            "leave taki open": "taki.leave",
            "end turn": "taki.end",
            decline: "taki.decline",
            "last card": "taki.declare",
            silent: "taki.silent",
            catch: "taki.catch",
            "let go": "taki.letGo",
        };
        const key = plain[label];
        return key ? say(key) : card(label, say);
    },
    card,
    event(line, who, say) {
        const seat = who(Number(line.seat));
        switch (line.event) {
            case "draw": {
                const cards =
                    typeof line.cards === "string"
                        ? cardsOf(line.cards)
                              .map((one) => card(one, say))
                              .join(", ")
                        : undefined;
                const count = cards === undefined ? Number(line.count) : cardsOf(String(line.cards)).length;
                const text = say("count.cards", { count });
                return say("taki.drew", { who: seat, cards: cards === undefined ? text : `${text} (${cards})` });
            }
            case "recycle":
                return say("taki.recycle", { count: Number(line.pile) });
            case "stage":
                return say("taki.rose", { who: seat, stage: Number(line.stage) });
            case "settled":
                return say("taki.settled");
            case "won":
                return say("taki.won", { who: seat });
            case "stalemate":
                return say("taki.stalemate");
            case "cut_off":
                return say("taki.cutOff");
            default:
                return undefined;
        }
    },
    value(place, value, say) {
        if (place === "color") return say(COLORS[value]!);
        if (place === "symbol") return symbol(value, say);
        return place === "card" ? card(value, say) : value;
    },
    tap: () => 1,
    passes: ["draw", "end turn", "decline"],
};
