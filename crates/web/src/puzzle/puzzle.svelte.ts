// The position of a puzzle as a session at the table. The person's move is the answer and is not played.
import { Table } from "cardsharp";
import type { Played } from "../games";
import type { Player } from "../session/question";
import { Session } from "../session/session.svelte";
import { setup, type Setup } from "../session/setup";
import type { Puzzle } from "./puzzles";

/** The most seats of a table. */
const SEATS = 12;

/** The table of a puzzle, and the trace up to its position. Throws an error if the moves do not fit the rules. */
function position(game: Played, { number, rules, seed, choices, seat }: Puzzle): [Setup, string] {
    const players = Array.from({ length: SEATS }, (_, at): Player => (at === seat ? "you" : "best"));
    const made = setup({ game, rules, seed, players });
    const table = new Table(game, made.rules, seed);
    try {
        for (const choice of choices) {
            table.dealNext();
            table.play(choice);
        }
        table.dealNext();
        if (table.turn !== seat) throw new Error(`puzzle ${number} of ${game}: seat ${seat} is not to move`);
        const names = made.players.map((player, at) => (player === "you" ? "you" : `bot ${at + 1}: ${player}`));
        return [made, table.record("referee", names)];
    } finally {
        table.free();
    }
}

export class PuzzleSession extends Session {
    readonly puzzle: Puzzle;
    /** The move that the person chose. */
    answer = $state<string>();

    constructor(game: Played, puzzle: Puzzle) {
        const [made, trace] = position(game, puzzle);
        super(made, trace, false);
        this.puzzle = puzzle;
    }

    override get canUndo(): boolean {
        return false;
    }

    override play(label: string): void {
        this.answer ??= label;
    }

    /** The puzzle is to be solved without the bot. */
    override async hint(): Promise<void> {}
}
