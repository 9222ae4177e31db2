// A trace that the viewer goes through step by step.
import { Table, type Beliefs, type GameName, type ViewJson } from "cardsharp";
import { SHOWN, isPlayed, type Played } from "../games";
import type { Line, Picture } from "../games/picture";
import { sentence } from "../session/playing";
import { reading } from "../session/views";
import { say } from "../words/words.svelte";

/** Deals from which beliefs are counted; shares are then accurate to a few hundredths. */
const DEALS = 1000;

/** Whose view is shown: that of one seat, or all hands. */
export type Eyes = "all" | number;

export class Recording {
    readonly game: Played;
    readonly trace: string;
    readonly names: string[];
    readonly steps: number;
    step = $state(0);
    eyes = $state<Eyes>("all");
    picture = $state.raw<Picture>()!;
    /** Hands that are face up, by seat. */
    open = $state.raw(new Map<number, string[]>());
    turn = $state<number>();
    /** Whether the session is over at this step. */
    over = $state(false);
    /** What happened in this step, in words. */
    told = $state.raw<string[]>([]);
    /** The label of the next move; `undefined` before a deal and at the end. */
    next = $state<string>();
    #table: Table;
    /** The label of the move of each step; `undefined` for a deal. */
    #moves: (string | undefined)[];

    /** Throws an error that names the first line that contradicts the rules. */
    constructor(trace: string) {
        this.trace = trace;
        this.#table = Table.replay(trace);
        const game: GameName = this.#table.game;
        if (!isPlayed(game)) throw new Error(`this page cannot show the game ${game}`);
        this.game = game;
        this.names = (JSON.parse(trace.slice(0, trace.indexOf("\n"))) as { bots: string[] }).bots;
        this.steps = this.#table.steps;
        const decision = (step: number): string | undefined =>
            this.#lines(step).find(({ line }) => line === "decision")?.choice;
        this.#moves = Array.from({ length: this.steps + 1 }, (_, step) => decision(step));
        this.go(0);
    }

    /** The seat of the person who played the session. In a session of bots, the seat that is shown or must decide. */
    get person(): number {
        const own = this.names.findIndex((name) => name === "you" || name === "person");
        if (own >= 0) return own;
        return this.eyes === "all" ? (this.turn ?? 0) : this.eyes;
    }

    who = (seat: number): string => `${say("setup.each", { seat: seat + 1 })} (${this.names[seat] ?? "?"})`;

    /** Goes to a step, forward by playing moves and back by taking them back. */
    go(step: number): void {
        const to = Math.max(0, Math.min(this.steps, step));
        while (this.#table.steps > to) this.#table.undo();
        while (this.#table.steps < to) {
            const move = this.#moves[this.#table.steps + 1];
            if (move === undefined) this.#table.dealNext();
            else this.#table.play(move);
        }
        this.look();
    }

    /** Shows the table from the chosen view. */
    look(): void {
        const table = this.#table;
        const present = table.present();
        this.step = table.steps;
        this.turn = table.turn;
        this.over = table.over;
        this.next = this.#moves[table.steps + 1];
        const wished = this.eyes === "all" ? (this.turn ?? present[0]!) : this.eyes;
        const seat = present.includes(wished) ? wished : present[0]!;
        this.picture = this.#seen(seat);
        const all = this.eyes === "all" ? [...present].filter((other) => other !== seat) : [];
        this.open = new Map(all.map((other) => [other, this.#seen(other).hand]));
        const lines = this.eyes === "all" ? this.#lines(table.steps) : this.#lines(table.steps, this.eyes);
        const speaker = { shown: SHOWN[this.game], who: this.who };
        this.told = lines.flatMap((line) => sentence(speaker, line) ?? []);
    }

    /** The seat that must decide, and its view; `undefined` if no seat must decide. */
    asked(): { seat: number; view: ViewJson } | undefined {
        const seat = this.#table.turn;
        if (seat === undefined) return undefined;
        return { seat, view: reading(this.#table.view(seat), (view) => view.json()) };
    }

    /** The trace up to the shown step. */
    soFar(): string {
        return this.#table.record("referee", this.names);
    }

    /** The beliefs of the shown seat about the cards of the others. */
    believed(): Beliefs | undefined {
        const seat = this.picture.seats[0]?.seat;
        return seat === undefined ? undefined : reading(this.#table.view(seat), (view) => view.beliefs(DEALS));
    }

    leave(): void {
        this.#table.free();
    }

    #seen(seat: number): Picture {
        return reading(this.#table.view(seat), (view) => SHOWN[this.game].picture(view, this.who, say));
    }

    #lines(step: number, to: number | "referee" = "referee"): Line[] {
        return this.#table.lines(step, to).map((text) => JSON.parse(text) as Line);
    }
}
