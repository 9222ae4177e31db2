// What the table needs of a session, whoever keeps it: this page, or a server.
import type { View, Worth } from "cardsharp";
import type { Played } from "../games";
import type { Choice, Line, Picture, Shown } from "../games/picture";
import { say } from "../words/words.svelte";
import type { Hints } from "./hints.svelte";
import { recall, remember } from "./memory";

/** Milliseconds that a bot's move is looked at. */
export const SPEEDS = { slow: 1600, normal: 800, fast: 300, instant: 0 } as const;

/** Milliseconds that a card is on its way. */
export const MOTION = { slow: 500, normal: 250, fast: 120, instant: 0 } as const;

export type Speed = keyof typeof SPEEDS;

const SPEED = "cardsharp.speed";

/** The speed of the last session. */
export function keptSpeed(): Speed {
    const kept = recall(SPEED);
    return kept !== null && kept in SPEEDS ? (kept as Speed) : "normal";
}

/** Keeps the speed for other sessions. */
export function keepSpeed(speed: Speed): void {
    remember(SPEED, speed);
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
    worth: Pick<Worth, "place" | "points">;
    /** Points of all rounds so far. */
    together: number[];
}

export interface Playing {
    readonly game: Played;
    readonly shown: Shown;
    /** The seat of the person; none who only watches. */
    readonly me: number | undefined;
    readonly picture: Picture;
    readonly choices: Choice[];
    readonly told: Told[];
    /** Whose turn it is, as far as that may be known; nobody's between rounds. */
    readonly turn: number | undefined;
    readonly phase: string;
    readonly result: Result | undefined;
    readonly over: boolean;
    /** How fast bots play; nothing where that is not this page's to say. */
    speed: Speed | undefined;
    readonly hints: Hints;
    readonly failed: string;
    readonly view: View | undefined;
    /** Whether the person must decide. */
    readonly mine: boolean;
    /** Whether there is a decision of the person to go back to, and nobody's wish to do so waits for an answer. */
    readonly canUndo: boolean;
    /** Whether everything may be known, as a trace. */
    readonly open: boolean;
    /** How a trace of it is called. */
    readonly file: string;
    /** How a seat is called. */
    who(seat: number): string;
    play(label: string): void;
    /** Deals the next round. */
    next(): void;
    /** Back to the person's last decision, or the wish to go there. */
    undo(): void;
    /** What the bot would do in the person's place, and how that compares with the move that he has in mind. */
    hint(own?: string): Promise<void>;
    /** Says the same in the language of now. */
    retell(): void;
    /** Ends it for this page. */
    leave(): void;
    trace(): Promise<string>;
}

/** A line of a record in words. */
export function sentence(session: Pick<Playing, "shown" | "who">, line: Line): string | undefined {
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

/** The lines of each step in words. */
export function inWords(session: Pick<Playing, "shown" | "who">, steps: Line[][]): Told[] {
    return steps.flatMap((lines, step) =>
        lines.flatMap((line) => {
            const text = sentence(session, line);
            return text === undefined ? [] : [{ step, text, head: line.line === "deal" }];
        }),
    );
}

/** Points of all rounds that are over, by seat. */
export function pointsOf(lines: Line[]): number[] {
    const points: number[] = [];
    for (const line of lines) {
        if (line.line === "payoff") (line.points as number[]).forEach((won, seat) => (points[seat] = (points[seat] ?? 0) + won));
    }
    return points;
}

/** What went wrong, in its own words. */
export function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
