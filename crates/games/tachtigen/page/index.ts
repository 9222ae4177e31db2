// How the table shows Tachtigen.
import type { TachtigenView } from "cardsharp";
import type { Key, Say } from "../../../web/src/words/words.svelte";
import { around, cardsOf, type Card, type Pile, type SeatPicture, type Shown } from "../../../web/src/games/picture";
import Drawing from "./Card.svelte";
import type { en } from "./en";

/** The names of the texts that this game uses. */
export type Words = Key | keyof typeof en;

const SUITS: Record<string, Words> = {
    S: "suit.spades",
    H: "suit.hearts",
    D: "suit.diamonds",
    C: "suit.clubs",
    spades: "suit.spades",
    hearts: "suit.hearts",
    diamonds: "suit.diamonds",
    clubs: "suit.clubs",
};
const RANKS: Record<string, Words> = {
    J: "card.jack",
    Q: "card.queen",
    K: "card.king",
    A: "card.ace",
};

function rank(noted: string, say: Say<Words>): string {
    const key = RANKS[noted];
    return key ? say(key) : noted === "T" ? "10" : noted;
}

function card(card: Card, say: Say<Words>): string {
    const suit = SUITS[card[0] ?? ""];
    return suit ? say("card.ofSuit", { rank: rank(card.slice(1), say), suit: say(suit) }) : card;
}

function bid(text: string, say: Say<Words>): string {
    const contracts: Record<string, Words> = {
        misere: "tachtigen.misere",
        zwabber: "tachtigen.zwabber",
        ouverte: "tachtigen.ouverte",
        praatje: "tachtigen.praatje",
        prive: "tachtigen.prive",
        "praatje uit de hand": "tachtigen.praatjeHand",
        "prive uit de hand": "tachtigen.priveHand",
    };
    const key = contracts[text];
    return key ? say(key) : text;
}

function trump(text: string, say: Say<Words>): string {
    return say(SUITS[text] ?? "tachtigen.noTrump");
}

/** The cards of each trick, with the seats that played them. The last trick may be incomplete. */
function tricks(play: TachtigenView["table"]["play"]): { seat: number; card: Card }[][] {
    const cards = cardsOf(play.cards);
    const made: { seat: number; card: Card }[][] = [];
    for (let trick = 0; trick * 4 < cards.length; trick++) {
        const leader = play.leaders[trick] ?? 0;
        made.push(cards.slice(trick * 4, trick * 4 + 4).map((card, at) => ({ seat: (leader + at) % 4, card })));
    }
    return made;
}

function contract(table: TachtigenView["table"], who: (seat: number) => string, say: Say<Words>): string[] {
    const { high, bids } = table.auction;
    const best = high === null ? null : bids[high];
    if (high === null || best == null) return [];
    const auction = table.stage === "opening" || table.stage === "auction";
    const notes = [say(auction ? "tachtigen.highest" : "tachtigen.plays", { who: who(high), bid: bid(best, say) })];
    if (table.trump !== null) notes.push(say("tachtigen.trumpIs", { trump: trump(table.trump, say) }));
    if (typeof table.asked === "object") notes.push(say("tachtigen.askedFor", { card: card(table.asked.card, say) }));
    if (table.asked === "solo") notes.push(say("tachtigen.alone"));
    if (table.kitty !== null) notes.push(say("tachtigen.kittyWas", { card: card(table.kitty, say) }));
    return notes;
}

/** The number of bids of points that are offered at once; higher bids are behind a “more” button. */
const BIDS = 6;

export const shown: Shown<Words> = {
    drawing: Drawing,
    picture(seen, who, say) {
        const view = seen.json() as TachtigenView;
        const { table, own } = view;
        const { auction, play } = table;
        const made = tricks(play);
        const last = made.at(-1) ?? [];
        const past = last.length === 4 || table.stage === "over";
        const held = (seat: number): number =>
            8 + (table.stage === "discard" && seat === auction.high ? 1 : 0) - cardsOf(play.played[seat]).length;
        const all = [0, 1, 2, 3].map((seat): SeatPicture => {
            const tags: string[] = [];
            const said = auction.bids[seat];
            if (seat === table.dealer) tags.push(say("tachtigen.tag.dealer"));
            if (table.stage === "opening" || table.stage === "auction") {
                if (auction.passed.includes(seat)) tags.push(say("tag.passed"));
                else if (said != null) tags.push(say("tachtigen.bid", { bid: bid(said, say) }));
                else if (auction.held.includes(seat)) tags.push(say("tachtigen.tag.held"));
            } else {
                if (seat === auction.high) tags.push(say("tachtigen.tag.bidder"));
                if (seat === table.partner) tags.push(say("tachtigen.tag.partner"));
                const won = play.won[seat] ?? 0;
                if (won > 0)
                    tags.push(
                        say("tachtigen.tag.tricks", {
                            count: won,
                            points: play.points[seat] ?? 0,
                        }),
                    );
            }
            const asked = typeof table.asked === "object" ? table.asked.card : undefined;
            if (seat === view.seat && table.partner === null && asked && cardsOf(own.hand).includes(asked)) {
                tags.push(say("tachtigen.tag.secret"));
            }
            return {
                seat,
                title: "",
                cards: held(seat),
                open: seat !== view.seat && table.open.includes(seat) ? cardsOf(table.shown[seat]) : [],
                points: table.scores[seat],
                tags,
                played: past ? [] : last.filter((one) => one.seat === seat).map((one) => one.card),
            };
        });
        // The last complete trick stays visible until the next one is complete.
        const whole = made.filter((trick) => trick.length === 4);
        const piles: Pile[] = [];
        const winner = play.leaders[whole.length];
        if (whole.length > 0) {
            const name = say("tachtigen.lastTrick", { who: winner === undefined ? "" : who(winner) });
            piles.push({ name, cards: whole.at(-1)!.map((one) => one.card), past: true });
        }
        return {
            seats: around(all, view.seat),
            piles,
            notes: contract(table, who, say),
            hand: cardsOf(own.hand),
            round: say("round.of", { round: table.deal, rounds: table.rules.deals }),
            turn: table.stage === "over" ? undefined : table.turn,
        };
    },
    choice(label) {
        const discard = /^discard (\S+)$/.exec(label);
        if (discard) return { label, cards: [discard[1]!], does: true };
        const ask = /^ask (\S+)$/.exec(label);
        if (ask) return { label, cards: [], names: ask[1]! };
        return { label, cards: /^[SHDC][6-9TJQKA]$/.test(label) ? [label] : [] };
    },
    move(label, say) {
        const [verb, rest] = [label.split(" ", 1)[0]!, label.slice(label.indexOf(" ") + 1)];
        if (label === "pass") return say("move.pass");
        if (label === "hold") return say("tachtigen.hold");
        if (label === "solo") return say("tachtigen.solo");
        if (label === "call") return say("tachtigen.call");
        if (verb === "bid") return say("tachtigen.bid", { bid: bid(rest, say) });
        if (verb === "trump") return say("tachtigen.trumpIs", { trump: trump(rest, say) });
        if (verb === "ask") return say("tachtigen.ask", { card: card(rest, say) });
        if (verb === "discard") return say("tachtigen.discard", { card: card(rest, say) });
        if (verb === "claim") return say("tachtigen.claim", { points: Number(rest) });
        return card(label, say);
    },
    card,
    event(line, who, say) {
        const seat = line.seat === undefined ? "" : who(Number(line.seat));
        switch (line.event) {
            case "redeal":
                return say("tachtigen.redeal");
            case "contract":
                return say("tachtigen.plays", { who: seat, bid: bid(String(line.bid), say) });
            case "kitty":
                return say("tachtigen.kitty", { who: seat, card: card(String(line.card), say) });
            case "trump":
                return say("tachtigen.trumpIs", { trump: trump(String(line.trump), say) });
            case "partner":
                return line.seat === null ? undefined : say("tachtigen.partnerIs", { who: seat });
            case "roem":
                return Number(line.points) === 0
                    ? undefined
                    : say("tachtigen.roem", { who: seat, points: Number(line.points) });
            case "open":
                return say("tachtigen.opens", { who: seat });
            case "trick":
                return say("tachtigen.tookTrick", { who: seat, points: Number(line.points) });
            case "result": {
                if (line.bid === null) return say("tachtigen.nobody");
                const made = say(line.made ? "tachtigen.made" : "tachtigen.lost", {
                    who: who(Number(line.bidder)),
                    bid: bid(String(line.bid), say),
                });
                return line.total === undefined
                    ? made
                    : `${made} ${say("tachtigen.total", { total: Number(line.total) })}`;
            }
            default:
                return undefined;
        }
    },
    value(place, value, say) {
        if (place === "suit") return say(SUITS[value]!);
        if (place === "bid") return bid(value, say);
        return place === "card" ? card(value, say) : value;
    },
    seldom: (choices) => choices.filter(({ label }) => /^bid \d+$/.test(label)).slice(BIDS),
    tap: () => 1,
    passes: ["pass", "hold"],
    points: 100,
};
