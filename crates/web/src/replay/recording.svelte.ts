// A trace that is gone through, step by step.
import { Table, type Beliefs, type GameName, type ViewJson } from "cardsharp";
import { SHOWN, isPlayed, type Played } from "../games";
import type { Line, Picture } from "../games/picture";
import { sentence } from "../session/playing";
import { reading } from "../session/views";
import { say } from "../words/words.svelte";

/** Deals in which beliefs are counted: a share is known to within some hundredths. */
const DEALS = 1000;

/** Whose eyes the table is seen with: a seat's, or of whoever may know all. */
export type Eyes = "all" | number;

export class Recording {
    readonly game: Played;
    readonly trace: string;
    readonly names: string[];
    readonly steps: number;
    step = $state(0);
    eyes = $state<Eyes>("all");
    picture = $state.raw<Picture>()!;
    /** Hands that lie open, by seat. */
    open = $state.raw(new Map<number, string[]>());
    turn = $state<number>();
    /** Whether the session is over here. */
    over = $state(false);
    /** What the step brought, in words. */
    told = $state.raw<string[]>([]);
    /** The move that comes next; none where cards are dealt next, and at the end. */
    next = $state<string>();
    #table: Table;
    /** The move of each step; none of a deal. */
    #moves: (string | undefined)[];

    /** Throws with the first line that is not what the rules give. */
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

    /** The seat of the person whose session it was; of a session of bots the one that is looked at. */
    get person(): number {
        const own = this.names.findIndex((name) => name === "you" || name === "person");
        if (own >= 0) return own;
        return this.eyes === "all" ? (this.turn ?? 0) : this.eyes;
    }

    who = (seat: number): string => `${say("setup.each", { seat: seat + 1 })} (${this.names[seat] ?? "?"})`;

    /** Forward by moves, back by taking them back. */
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

    /** Shows the table as the eyes see it. */
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

    /** What the seat knows who must decide; none where nobody must. */
    asked(): { seat: number; view: ViewJson } | undefined {
        const seat = this.#table.turn;
        if (seat === undefined) return undefined;
        return { seat, view: reading(this.#table.view(seat), (view) => view.json()) };
    }

    /** The trace as far as it has been gone through. */
    soFar(): string {
        return this.#table.record("referee", this.names);
    }

    /** What the seat that is shown may believe of the others' cards. */
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
        return this.#table.told(step, to).map((text) => JSON.parse(text) as Line);
    }
}
