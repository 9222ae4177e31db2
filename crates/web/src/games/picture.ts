// What a game shows. The types are the same for all games, so that one table component draws them all.
import type { Rules, View } from "cardsharp";
import type { Component } from "svelte";
import type { Say } from "../words/words.svelte";

/** A card of a game in its notation: `7`, `SJ`, `R5`, `*`. */
export type Card = string;

/** A player as the others see them. */
export interface SeatPicture {
    seat: number;
    /** The player's rank or role in this round, in words; empty if there is none. */
    title: string;
    /** The number of cards in hand; `undefined` where it is hidden. */
    cards: number | undefined;
    /** The player's cards that are face up. */
    open: Card[];
    points: number | undefined;
    /** Facts about the player, the shortest first: passed, bid, last card. */
    tags: string[];
    /** The player's cards in this trick. */
    played: Card[];
}

/** Cards in the middle of the table. */
export interface Pile {
    /** The name of the pile, in words. */
    name: string;
    cards: Card[];
    /** The number of cards that are face down; `undefined` if the pile has none. */
    down?: number;
    /** The seat that played the pile, if another player must beat it. */
    by?: number;
    /** Whether the pile belongs to a finished trick that is shown again. */
    past?: boolean;
}

/** The table as one seat sees it. */
export interface Picture {
    /** The players of the round, clockwise from the viewer. */
    seats: SeatPicture[];
    piles: Pile[];
    /** What counts now, in words: the contract, the color to match, the debt. */
    notes: string[];
    hand: Card[];
    /** The number of the round, in words. */
    round: string;
    /** The seat whose turn it is; `undefined` where that is hidden. */
    turn: number | undefined;
    /** Whether turns go counterclockwise. */
    reversed?: boolean;
}

/** A legal move, as the table offers it. */
export interface Choice {
    label: string;
    /** The cards of the hand that the move uses; empty for a move without cards. */
    cards: Card[];
    /** Whether the name of the move says what happens to its cards, as in “give” or “discard”. */
    does?: boolean;
    /** A card that the move asks for, which is not in this hand. */
    names?: Card;
}

/** What each game provides for the table component. `W` are the names of the texts that it uses. */
export interface Shown<W extends string = any> {
    /** Draws a card in a picture of 60 by 84 units. */
    drawing: Component<{ card: Card; say: Say<W> }>;
    picture(view: View, who: (seat: number) => string, say: Say<W>): Picture;
    /** The cards that a move takes out of the hand, and the card that it asks for. */
    choice(label: string): Choice;
    /** A move in words. */
    move(label: string, say: Say<W>): string;
    card(card: Card, say: Say<W>): string;
    /** An event of an event log in words; `undefined` where the move before it says enough. */
    event(event: Line, who: (seat: number) => string, say: Say<W>): string | undefined;
    /** A value in a text of the engine, in words: `place` is its placeholder. Without it, all values are numbers. */
    value?(place: string, value: string, say: Say<W>): string;
    /** The rare moves among many, which the table offers behind a “more” button. */
    seldom?(choices: Choice[]): Choice[];
    /** The number of equal cards that the first tap selects. */
    tap(view: View): number;
    /** The moves with which a player lets the turn go by; the key P plays them. */
    passes: readonly string[];
    /** The points that a value of 1 means, in a game whose results are points. Other games have places. */
    points?: number;
    /** The number of seats, in a game that players may join later; otherwise `rules.players`. */
    seats?(rules: Rules): number;
}

/** A line of an event log or a trace (docs/protocol.md). */
export interface Line {
    line: string;
    round?: number;
    seat?: number;
    choice?: string;
    event?: string;
    [field: string]: unknown;
}

/** Splits a list of cards that is separated by spaces. */
export function cardsOf(text: string | null | undefined): Card[] {
    return text ? text.split(" ") : [];
}

/** The items rotated so that the one at `from` is first; unchanged if `from` is negative. */
export function around<T>(items: T[], from: number): T[] {
    return from < 0 ? items : [...items.slice(from), ...items.slice(0, from)];
}

/** Whether `all` contains every card of `some`, at least as often. */
export function holds(all: Card[], some: Card[]): boolean {
    const rest = [...all];
    return some.every((card) => {
        const at = rest.indexOf(card);
        if (at < 0) return false;
        rest.splice(at, 1);
        return true;
    });
}
