// How the table shows Tahimi.
import type { TahimiRules, TahimiView, View } from "cardsharp";
import type { Key, Say } from "../../../web/src/words/words.svelte";
import * as climbing from "../../climbing/page/climbing";
import { cardsOf, type Card, type Shown } from "../../../web/src/games/picture";
import Drawing from "./Card.svelte";
import type { en } from "./en";

/** The names of the texts that this game uses. */
export type Words = Key | keyof typeof en | climbing.Words;

const WILD = "*";
/** The ranks (slots) in the notation of views, from the lowest to the highest. */
const SLOTS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "J", "Q", "K", "A"];

/** Converts ranks of views, in which aces are high, to their names in the deck in play. */
function names(seen: View): (card: Card) => Card {
    return (card) => {
        const slot = SLOTS.indexOf(card);
        // The action that plays one card of the slot has the name of the card as its label.
        return slot < 0 ? card : seen.label(26 * slot + 2);
    };
}

function card(card: Card, say: Say<Words>): string {
    const courts: Record<string, Words> = {
        J: "card.jack",
        Q: "card.queen",
        K: "card.king",
        A: "card.ace",
        "*": "card.joker",
    };
    const key = courts[card];
    return key ? say(key) : card;
}

/** The title of a position, counted from the top (crates/games/tahimi/rules.md, "Positions and titles"). */
function title(position: number, players: number, progressive: boolean): Words {
    const fromBottom = players - 1 - position;
    const large = players === 8 && progressive;
    if (position === 0) return "tahimi.title.tahimi";
    if (fromBottom === 0) return "tahimi.title.serf";
    if (position === 1 && fromBottom === 1) return "tahimi.title.merchant";
    if (position === 1) return large ? "tahimi.title.senior" : "tahimi.title.vice";
    if (position === 2 && large) return "tahimi.title.junior";
    if (fromBottom === 1) return large ? "tahimi.title.assistant" : "tahimi.title.masterSerf";
    if (fromBottom === 2 && large) return "tahimi.title.masterSerf";
    return "tahimi.title.merchant";
}

/** The options that a decree changes, and their values. */
function decreed(entry: object): string {
    return Object.entries(entry)
        .map(([option, value]) => `${option}: ${value}`)
        .join(", ")
        .replaceAll("_", " ");
}

export const shown: Shown<Words> = {
    drawing: Drawing,
    picture(seen, _who, say) {
        const view = seen.json() as TahimiView;
        const { table, own } = view;
        const called = names(seen);
        const notes: string[] = [];
        if (table.variant.deuces_high) notes.push(say("tahimi.deucesHigh"));
        if (table.variant.jokers !== "none") {
            notes.push(say(table.variant.jokers === "wild" ? "tahimi.jokersWild" : "tahimi.jokersLow"));
        }
        const menu = table.rules.decree;
        if (table.stage === "decree" && menu !== "off") {
            notes.push(
                ...menu.map((entry, at) =>
                    say("tahimi.decreeIs", { number: at + 1, what: decreed(entry) || say("tahimi.asItIs") }),
                ),
            );
        }
        const { deck, tax_schedule: schedule } = table.variant;
        const progressive = schedule === "progressive" || (schedule === "auto" && deck !== "standard");
        const all = climbing.seats(
            view,
            table.order,
            (at, of) => say(title(at, of, progressive)),
            (position) => table.cards[position] ?? 0,
            say,
        );
        for (const seat of all) {
            const position = table.order.indexOf(seat.seat);
            if (table.one_card_positions.includes(position) && seat.cards === 1) seat.tags.push(say("tag.one"));
        }
        return {
            seats: all,
            piles: climbing.piles(view, called, WILD, say),
            notes,
            hand: cardsOf(own.hand).map(called),
            round: say("round.of", { round: table.round, rounds: table.rules.rounds }),
            turn: climbing.turn(view),
        };
    },
    choice: (label) => climbing.choice(label, WILD),
    move(label, say) {
        const named = (which: Card): string => card(which, say);
        const gift = /^give (\S+)$/.exec(label);
        if (gift) return say("climbing.give", { cards: named(gift[1]!) });
        const decree = /^decree (\d+)$/.exec(label);
        if (decree) return say("tahimi.decree", { number: Number(decree[1]) + 1 });
        const pay = /^pay (\d) jokers?$/.exec(label);
        if (pay) return say("tahimi.pay", { count: Number(pay[1]) });
        return label === "pass" ? say("move.pass") : climbing.set(label, WILD, named, say);
    },
    card,
    event(line, who, say) {
        if (line.event === "one card") return say("climbing.event.oneCard", { who: who(Number(line.seat)) });
        return climbing.event(line, who, say, (text) => climbing.list(text, (which) => card(which, say)));
    },
    tap: (seen) => climbing.tap(seen.json() as TahimiView),
    passes: ["pass"],
    seats(rules) {
        const { players, roster_script: script } = rules as TahimiRules;
        return Math.max(players, ...script.map((change) => ("join" in change ? change.join + 1 : 0)));
    },
};
