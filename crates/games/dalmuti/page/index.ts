// How the table shows The Great Dalmuti.
import type { DalmutiView } from "cardsharp";
import type { Key, Say } from "../../../web/src/words/words.svelte";
import * as climbing from "../../climbing/page/climbing";
import { cardsOf, type Card, type Shown } from "../../../web/src/games/picture";
import Drawing from "./Card.svelte";
import type { en } from "./en";

/** The names of the texts that this game uses. */
export type Words = Key | keyof typeof en | climbing.Words;

const WILD = "J";

function card(card: Card, say: Say<Words>): string {
    return say(card === WILD ? "dalmuti.jester" : (`dalmuti.rank.${card}` as Words));
}

function title(position: number, players: number, say: Say<Words>): string {
    if (position === 0) return say("dalmuti.title.greater");
    if (position === 1) return say("dalmuti.title.lesser");
    if (position === players - 1) return say("dalmuti.title.greaterPeon");
    return say(position === players - 2 ? "dalmuti.title.lesserPeon" : "dalmuti.title.merchant");
}

export const shown: Shown<Words> = {
    drawing: Drawing,
    picture(seen, _who, say) {
        const view = seen.json() as DalmutiView;
        const { table, own } = view;
        const notes: string[] = [];
        if (table.revolution !== "none") {
            notes.push(say(table.revolution === "greater" ? "dalmuti.greaterRevolution" : "dalmuti.revolution"));
        }
        if (table.exposed) notes.push(say("dalmuti.exposed", { card: card(table.exposed.card, say) }));
        const total = (text: string): number => cardsOf(text).length;
        const dealt = total(table.deck);
        const held = (position: number): number => {
            const players = table.order.length;
            // A greater revolution reverses the positions, but the cards stay with their seats.
            const dealtTo = table.revolution === "greater" ? players - 1 - position : position;
            const base = Math.floor(dealt / players) + (dealtTo < dealt % players ? 1 : 0);
            return base - (table.memory.total[position] ?? 0);
        };
        return {
            seats: climbing.seats(view, table.order, (at, of) => title(at, of, say), held, say),
            piles: climbing.piles(view, (rank) => rank, WILD, say),
            notes,
            hand: cardsOf(own.hand),
            round: say("round.of", { round: table.hand, rounds: table.rules.hands }),
            turn: climbing.turn(view),
        };
    },
    choice: (label) => climbing.choice(label, WILD),
    move(label, say) {
        const named = (which: Card): string => card(which, say);
        const gift = /^give (\S+)$/.exec(label);
        if (gift) return say("climbing.give", { cards: named(gift[1]!) });
        const position = /^exchange with position (\d+)$/.exec(label);
        if (position) return say("dalmuti.exchangeWith", { position: Number(position[1]) + 1 });
        const plain: Record<string, Words> = {
            pass: "move.pass",
            "call revolution": "dalmuti.callRevolution",
            "decline revolution": "dalmuti.declineRevolution",
            "no exchange": "dalmuti.noExchange",
            "keep misdeal": "dalmuti.keepMisdeal",
            "misdeal to peon": "dalmuti.misdealToPeon",
        };
        const key = plain[label];
        return key ? say(key) : climbing.set(label, WILD, named, say);
    },
    card,
    event(line, who, say) {
        if (line.event === "revolution") return say("dalmuti.revolution");
        if (line.event === "greater_revolution") return say("dalmuti.greaterRevolution");
        if (line.event === "misdeal") {
            return say("dalmuti.misdealt", { card: card(String(line.exposed), say), peon: who(Number(line.peon)) });
        }
        return climbing.event(line, who, say, (text) => climbing.list(text, (which) => card(which, say)));
    },
    tap: (seen) => climbing.tap(seen.json() as DalmutiView),
    passes: ["pass"],
};
