// A session at this page's own table: the person, the bots, and what happened.
import { Table, View, type Advice, type Worth } from "cardsharp";
import { SHOWN } from "../games";
import type { Choice, Line, Picture } from "../games/picture";
import { say } from "../words/words.svelte";
import { bots } from "./bots";
import type { Player } from "./question";
import type { Setup } from "./setup";
import { keep } from "./storage";
import { reading } from "./views";

/** Milliseconds that a bot's move is looked at. */
export const SPEEDS = { slow: 1600, normal: 800, fast: 300, instant: 0 } as const;

export type Speed = keyof typeof SPEEDS;

const SPEED = "cardsharp.speed";

function keptSpeed(): Speed {
    const kept = localStorage.getItem(SPEED);
    return kept !== null && kept in SPEEDS ? (kept as Speed) : "normal";
}

/** Keeps the speed for other sessions. */
export function keepSpeed(speed: Speed): void {
    localStorage.setItem(SPEED, speed);
}

/** What happened, as a line to read. */
export interface Told {
    step: number;
    text: string;
    /** Whether a round begins with it. */
    head: boolean;
}

/** How a round ended. */
export interface Result {
    round: number;
    worth: Worth;
    /** Points of all rounds so far. */
    together: number[];
}

export class Session {
    readonly setup: Setup;
    readonly names: string[];
    /** The seat of the person; none who only watches. */
    readonly me: number | undefined;
    picture = $state.raw<Picture>()!;
    choices = $state.raw<Choice[]>([]);
    told = $state.raw<Told[]>([]);
    turn = $state<number>();
    phase = $state("");
    result = $state.raw<Result>();
    over = $state(false);
    speed = $state(keptSpeed());
    advice = $state.raw<Advice>();
    failed = $state("");
    #table: Table;
    /** What each step brought: the viewer's lines, and those of the trace. */
    #heard: { lines: Line[]; trace: string[] }[] = [];
    #view: View | undefined;
    /** Whose view is shown. */
    #eyes: number;
    #running = false;
    #left = false;
    /** Grows with everything that makes a thought of before worth nothing. */
    #now = 0;

    constructor(setup: Setup, trace?: string) {
        this.setup = setup;
        const person = setup.players.indexOf("you");
        this.me = person < 0 ? undefined : person;
        this.#eyes = this.me ?? 0;
        this.names = setup.players.map((player, seat) => (player === "you" ? "you" : `bot ${seat + 1}: ${player}`));
        this.#table = trace === undefined ? new Table(setup.game, setup.rules, setup.seed) : Table.replay(trace);
        this.#look();
    }

    /** How a seat is called. */
    who = (seat: number): string => (seat === this.me ? say("play.you") : say("play.bot", { seat: seat + 1 }));

    get shown() {
        return SHOWN[this.setup.game];
    }

    get view(): View | undefined {
        return this.#view;
    }

    /** Whether the person must decide. */
    get mine(): boolean {
        return this.turn !== undefined && this.turn === this.me;
    }

    /** What is written down: everything, for whoever may know all. */
    get trace(): string {
        const header = this.#table.header("referee", this.names);
        return [header, ...this.#heard.flatMap((step) => step.trace), ""].join("\n");
    }

    get steps(): number {
        return this.#table.steps;
    }

    /** Whether there is a decision of the person to go back to. */
    get canUndo(): boolean {
        return this.me !== undefined && this.#table.steps > 0;
    }

    /** Plays bots' moves until the person is asked, the round is over, or the table is left. */
    async run(): Promise<void> {
        if (this.#running) return;
        this.#running = true;
        try {
            while (!this.#left && this.turn !== undefined && !this.mine) await this.#bot(this.turn);
        } catch (error) {
            this.failed = error instanceof Error ? error.message : String(error);
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
        const pick = bots.pick(this.setup.game, player === "you" ? "best" : player, seed, view);
        const [action] = await Promise.all([pick, pause]);
        if (this.#left || now !== this.#now) return;
        this.#table.play(action);
        this.#look();
    }

    /** The person's move. */
    play(label: string): void {
        this.#now++;
        this.#table.play(label);
        this.#look();
        void this.run();
    }

    /** Deals the next round. */
    next(): void {
        this.#now++;
        if (this.#table.dealNext()) this.#look();
        void this.run();
    }

    /** Back to the person's last decision. */
    undo(): void {
        this.#now++;
        const asked = (): boolean => this.#table.turn === this.me && this.#table.moves().length > 1;
        do {
            if (!this.#table.undo()) break;
        } while (!asked());
        this.#look();
        void this.run();
    }

    /** What the bot would do in the person's place. */
    async hint(): Promise<void> {
        if (!this.mine || this.#view === undefined) return;
        const now = this.#now;
        try {
            const advice = await bots.advise(this.setup.game, "best", this.#view.json());
            if (now === this.#now) this.advice = advice;
        } catch (error) {
            this.failed = error instanceof Error ? error.message : String(error);
        }
    }

    /** Says the same in the language of now. */
    retell(): void {
        this.#look();
    }

    /** Ends it for this page; what was kept stays. */
    leave(): void {
        if (this.#left) return;
        this.#left = true;
        this.#view?.free();
        this.#table.free();
    }

    #look(): void {
        const table = this.#table;
        this.advice = undefined;
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
        this.told = this.#heard.flatMap(({ lines }, step) =>
            lines.flatMap((line) => {
                const text = sentence(this, line);
                return text === undefined ? [] : [{ step, text, head: line.line === "deal" }];
            }),
        );
        const worth = table.payoff();
        this.result = worth && { round: table.round, worth, together: this.#together() };
        // Bots' moves are made again; what a person did is kept.
        if (this.over) keep(this.setup, undefined);
        else if (this.mine || worth !== undefined) keep(this.setup, this.trace);
    }

    /** Hears what was told since, and forgets what was taken back. */
    #hear(): void {
        this.#heard.length = Math.min(this.#heard.length, this.#table.steps + 1);
        for (let step = this.#heard.length; step <= this.#table.steps; step++) {
            const lines = this.#table.told(step, this.me ?? "everybody").map((text) => JSON.parse(text) as Line);
            this.#heard.push({ lines, trace: this.#table.told(step, "referee") });
        }
    }

    /** Points of all rounds that are over, by seat. */
    #together(): number[] {
        const points = Array<number>(this.#table.seats).fill(0);
        for (const line of this.#heard.flatMap((step) => step.lines)) {
            if (line.line === "payoff") (line.points as number[]).forEach((won, seat) => (points[seat]! += won));
        }
        return points;
    }
}

/** A line of a record in words. */
export function sentence(session: Pick<Session, "shown" | "who">, line: Line): string | undefined {
    const { shown, who } = session;
    switch (line.line) {
        case "deal":
            return say("play.dealt", { round: line.round ?? 0 });
        case "move":
        case "decision": {
            const move = line.choice === undefined ? say("play.unseen") : shown.move(line.choice, say);
            return say("play.moves", { who: who(line.seat ?? 0), move });
        }
        case "event":
            return shown.event(line, who, say);
        case "change": {
            const [what, seat] = (line.choice ?? "").split(" ");
            return say(what === "join" ? "play.joined" : "play.left", { who: who(Number(seat)) });
        }
        default:
            return undefined;
    }
}
