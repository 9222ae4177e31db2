// What a game shows: the same shapes for all games, so that one table draws them all.
import type { View } from "cardsharp";
import type { Key, Say } from "../words/words.svelte";

/** A card of a game in its notation: `7`, `SJ`, `R5`, `*`. */
export type Card = string;

/** A player as the others see him. */
export interface SeatPicture {
    seat: number;
    /** His rank or part in this round, in words; empty if there is none. */
    title: string;
    /** Cards in hand, where that is known. */
    cards: number | undefined;
    /** Cards of his that lie face up. */
    open: Card[];
    points: number | undefined;
    /** What is to be known of him, shortest first: passed, bids, last card. */
    tags: string[];
    /** What he has on the table in this trick. */
    played: Card[];
}

/** Cards in the middle of the table. */
export interface Pile {
    /** What it is, in words. */
    name: string;
    cards: Card[];
    /** How many lie face down in it; nothing where none do. */
    down?: number;
    /** The seat that laid it, where somebody is to top it. */
    by?: number;
    /** Whether it is over and only looked back at. */
    past?: boolean;
}

/** The table as one seat sees it. */
export interface Picture {
    /** The players of the round, clockwise from the viewer. */
    seats: SeatPicture[];
    piles: Pile[];
    /** Lines about what counts now: the contract, the color to match, what is owed. */
    notes: string[];
    hand: Card[];
    /** Which round it is, in words. */
    round: string;
    /** Whose turn everybody sees it is; nobody's where that is hidden. */
    turn: number | undefined;
}

/** A legal move as the table offers it. */
export interface Choice {
    label: string;
    /** The cards of the hand that it takes; none for a plain choice. */
    cards: Card[];
    /** Whether its words say what is done with the cards: they are given, or put aside, and not played. */
    does?: boolean;
    /** A card that is named and not held: one that is asked for. */
    names?: Card;
}

/** What a game says about itself to the table. */
export interface Shown {
    picture(view: View, who: (seat: number) => string, say: Say): Picture;
    /** The cards that a move takes out of the hand, and what else it names. */
    choice(label: string): Choice;
    /** A move in words. */
    move(label: string, say: Say): string;
    card(card: Card, say: Say): string;
    /** An event of a record in words; nothing where the move before it said enough. */
    event(event: Line, who: (seat: number) => string, say: Say): string | undefined;
    /** Why a card of the hand cannot be played now, by what the table shows. */
    whyNot(view: View, card: Card, say: Say): string;
    /** The game in some sentences, for somebody who has never played it. */
    lesson: Key;
    /** What a choice means in this view, for them; nothing where its name says it. */
    means(label: string, view: View | undefined): Key | undefined;
    /** What a phase asks of a player. */
    phase(phase: string): Key;
    /** Those of many choices that are chosen seldom, and offered behind a “more”. */
    seldom?(choices: Choice[]): Choice[];
    /** How many cards of a kind a first tap takes up. */
    tap(view: View): number;
}

/** A line of a record (docs/protocol.md). */
export interface Line {
    line: string;
    round?: number;
    seat?: number;
    choice?: string;
    event?: string;
    [field: string]: unknown;
}

/** Cards of a text of cards. */
export function cardsOf(text: string | null | undefined): Card[] {
    return text ? text.split(" ") : [];
}

/** `from`, and all others behind it in their order. */
export function around<T>(items: T[], from: number): T[] {
    return from < 0 ? items : [...items.slice(from), ...items.slice(0, from)];
}

/** Whether `all` holds every card of `some`, as often. */
export function holds(all: Card[], some: Card[]): boolean {
    const rest = [...all];
    return some.every((card) => {
        const at = rest.indexOf(card);
        if (at < 0) return false;
        rest.splice(at, 1);
        return true;
    });
}
