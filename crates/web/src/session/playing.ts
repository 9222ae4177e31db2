// What the table component needs of a session, which runs in this page or on a server.
import type { View, Worth } from "cardsharp";
import type { Emote } from "../multiplayer/emotes";
import type { Played } from "../games";
import type { Choice, Line, Picture, Shown } from "../games/picture";
import { say } from "../words/words.svelte";
import type { Hints } from "./hints.svelte";
import { recall, remember } from "./memory";

/** Minimum duration of a bot's move, in milliseconds. */
export const SPEEDS = { slow: 1600, normal: 800, fast: 300, instant: 0 } as const;

/** Duration of the animation of a card, in milliseconds. */
export const MOTION = { slow: 500, normal: 250, fast: 120, instant: 0 } as const;

export type Speed = keyof typeof SPEEDS;

const SPEED = "cardsharp.speed";

/** The stored speed of the last session. */
export function keptSpeed(): Speed {
    const kept = recall(SPEED);
    return kept !== null && kept in SPEEDS ? (kept as Speed) : "normal";
}

/** Stores the speed for later sessions. */
export function keepSpeed(speed: Speed): void {
    remember(SPEED, speed);
}

/** An event in words, as a line of the log. */
export interface Told {
    step: number;
    text: string;
    /** Whether this line starts a round. */
    head: boolean;
}

/** The result of a round. */
export interface Result {
    round: number;
    worth: Pick<Worth, "place" | "points">;
    /** Points of all rounds so far, by seat. */
    together: number[];
}

export interface Playing {
    readonly game: Played;
    readonly shown: Shown;
    /** The seat of the person; `undefined` for a spectator. */
    readonly me: number | undefined;
    readonly picture: Picture;
    readonly choices: Choice[];
    readonly told: Told[];
    /** The seat whose turn it is; `undefined` between rounds and where the turn is hidden. */
    readonly turn: number | undefined;
    readonly phase: string;
    readonly result: Result | undefined;
    readonly over: boolean;
    /** How fast bots play; `undefined` where the server decides this. */
    speed: Speed | undefined;
    readonly hints: Hints;
    readonly failed: string;
    readonly view: View | undefined;
    /** Whether the person must decide. */
    readonly mine: boolean;
    /**
     * Whether the person can go back to an earlier decision, or ask for it. False while a request to take back a move
     * is open.
     */
    readonly canUndo: boolean;
    /** Whether the trace is available: it shows all cards. */
    readonly open: boolean;
    /** The name of the trace's file, without the extension. */
    readonly file: string;
    /** The name of a seat, in words. */
    who(seat: number): string;
    /** Whether the person in a seat must play and is not there; only at a table of a server. */
    isAway?(seat: number): boolean;
    /** Checks that a server did not choose the cards; throws an error that says what does not fit. */
    verify?(): Promise<void>;
    /** The emotes that are shown now, by seat; only at a table of a server. */
    readonly emotes?: Partial<Record<number, Emote>>;
    /** When the pending decision must be made, in the time of `Date.now`, if that is limited. */
    readonly deadline?: number | undefined;
    play(label: string): void;
    /** Deals the next round. */
    next(): void;
    /** Goes back to the person's last decision, or asks the other people to agree. */
    undo(): void;
    /** Shows what the bot would do in the person's seat, compared with `own`, the move that the person prefers. */
    hint(own?: string): Promise<void>;
    /** Writes all texts again, in the current language. */
    retell(): void;
    /** Ends the session in this page. */
    leave(): void;
    trace(): Promise<string>;
}

/** A line of an event log in words; `undefined` for a line without a text. */
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

/** The lines of all steps in words. */
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
        if (line.line === "payoff")
            (line.points as number[]).forEach((won, seat) => (points[seat] = (points[seat] ?? 0) + won));
    }
    return points;
}

/** The place of each seat by its total: 1 for the most points. */
export function ranked(totals: number[]): number[] {
    return totals.map((own) => 1 + totals.filter((others) => others > own).length);
}

/** The message of an error. */
export function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
