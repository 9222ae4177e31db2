// A session that runs in this page: the person, the bots, and the events so far.
import { Table, View } from "cardsharp";
import { SHOWN, type Played } from "../games";
import type { Choice, Line, Picture } from "../games/picture";
import { say } from "../words/words.svelte";
import { bots } from "./bots";
import { Hints } from "./hints.svelte";
import {
    SPEEDS,
    inWords,
    keptSpeed,
    pointsOf,
    reason,
    type Playing,
    type Result,
    type Speed,
    type Told,
} from "./playing";
import type { Player } from "./question";
import type { Setup } from "./setup";
import { storeSession } from "./storage";
import { reading } from "./views";

export class Session implements Playing {
    readonly setup: Setup;
    readonly open = true;
    #names: string[];
    readonly me: number | undefined;
    picture = $state.raw<Picture>()!;
    choices = $state.raw<Choice[]>([]);
    told = $state.raw<Told[]>([]);
    turn = $state<number>();
    phase = $state("");
    result = $state.raw<Result>();
    over = $state(false);
    speed = $state<Speed>(keptSpeed());
    readonly hints = new Hints();
    failed = $state("");
    #table: Table;
    /** The lines of each step: those for the viewer, and those of the trace. */
    #heard: { lines: Line[]; trace: string[] }[] = [];
    #view: View | undefined;
    /** The seat whose view is shown. */
    #eyes: number;
    readonly #stored: boolean;
    #running = false;
    #left = false;
    /** Increases when a bot's pending move becomes outdated. */
    #now = 0;

    /** `stored` is false for a session that must not replace the stored one of its game. */
    constructor(setup: Setup, trace?: string, stored = true) {
        this.setup = setup;
        this.#stored = stored;
        const person = setup.players.indexOf("you");
        this.me = person < 0 ? undefined : person;
        this.#eyes = this.me ?? 0;
        this.#names = setup.players.map((player, seat) => (player === "you" ? "you" : `bot ${seat + 1}: ${player}`));
        this.#table = trace === undefined ? new Table(setup.game, setup.rules, setup.seed) : Table.replay(trace);
        this.#look();
    }

    who = (seat: number): string => (seat === this.me ? say("play.you") : say("play.bot", { seat: seat + 1 }));

    get game(): Played {
        return this.setup.game;
    }

    get shown() {
        return SHOWN[this.game];
    }

    get file(): string {
        return `${this.game}-${this.setup.seed}`;
    }

    get view(): View | undefined {
        return this.#view;
    }

    get mine(): boolean {
        return this.turn !== undefined && this.turn === this.me;
    }

    /** The trace so far, with all cards. */
    async trace(): Promise<string> {
        return this.#trace();
    }

    #trace(): string {
        const header = this.#table.header("referee", this.#names);
        return [header, ...this.#heard.flatMap((step) => step.trace), ""].join("\n");
    }

    get canUndo(): boolean {
        return this.me !== undefined && this.#table.steps > 0;
    }

    /** Plays the moves of bots until the person must decide, the round is over, or the table is left. */
    async run(): Promise<void> {
        if (this.#running) return;
        this.#running = true;
        try {
            while (!this.#left && this.turn !== undefined && !this.mine) await this.#bot(this.turn);
        } catch (error) {
            this.failed = reason(error);
        } finally {
            this.#running = false;
        }
    }

    async #bot(seat: number): Promise<void> {
        const now = this.#now;
        const view = reading(this.#table.view(seat), (view) => view.json());
        const player = this.setup.players[seat] as Player;
        const pause = new Promise((done) => setTimeout(done, SPEEDS[this.speed]));
        const seed = (this.setup.seed + seat) % 2 ** 32;
        const pick = bots.pick(this.setup.game, player === "you" || player === "guest" ? "best" : player, seed, view);
        const [action] = await Promise.all([pick, pause]);
        if (this.#left || now !== this.#now) return;
        this.#table.play(action);
        this.#look();
    }

    /** Plays the person's move. */
    play(label: string): void {
        this.#now++;
        this.#table.play(label);
        this.#look();
        void this.run();
    }

    next(): void {
        this.#now++;
        if (this.#table.dealNext()) this.#look();
        void this.run();
    }

    undo(): void {
        if (!this.canUndo) return;
        this.#now++;
        const asked = (): boolean => this.#table.turn === this.me && this.#table.moves().length > 1;
        do {
            if (!this.#table.undo()) break;
        } while (!asked());
        this.#look();
        void this.run();
    }

    async hint(own?: string): Promise<void> {
        if (!this.mine || this.#view === undefined) return;
        try {
            await this.hints.ask(this.game, this.#view.json(), own);
        } catch (error) {
            this.failed = reason(error);
        }
    }

    retell(): void {
        this.#look();
    }

    /** Ends the session in this page; the stored session stays. */
    leave(): void {
        if (this.#left) return;
        this.#left = true;
        this.#view?.free();
        this.#table.free();
    }

    #look(): void {
        const table = this.#table;
        this.hints.forget();
        this.turn = table.turn;
        this.phase = table.phase;
        this.over = table.over;
        const present = table.present();
        if (!present.includes(this.#eyes)) this.#eyes = present[0] ?? 0;
        else if (this.me !== undefined && present.includes(this.me)) this.#eyes = this.me;
        this.#view?.free();
        this.#view = table.view(this.#eyes);
        this.picture = this.shown.picture(this.#view, this.who, say);
        this.choices = this.mine ? table.moves().map(({ label }) => this.shown.choice(label)) : [];
        this.#hear();
        this.told = inWords(
            this,
            this.#heard.map(({ lines }) => lines),
        );
        const worth = table.payoff();
        this.result = worth && {
            round: table.round,
            worth,
            together: pointsOf(this.#heard.flatMap(({ lines }) => lines)),
        };
        // Stored at each decision of the person and after each round: bots play their moves again when it continues.
        if (!this.#stored) return;
        if (this.over) storeSession(this.setup, undefined);
        else if (this.mine || worth !== undefined) storeSession(this.setup, this.#trace());
    }

    /** Adds the lines of new steps, and removes those of steps that were taken back. */
    #hear(): void {
        this.#heard.length = Math.min(this.#heard.length, this.#table.steps + 1);
        for (let step = this.#heard.length; step <= this.#table.steps; step++) {
            const lines = this.#table.lines(step, this.me ?? "everybody").map((text) => JSON.parse(text) as Line);
            this.#heard.push({ lines, trace: this.#table.lines(step, "referee") });
        }
    }
}
