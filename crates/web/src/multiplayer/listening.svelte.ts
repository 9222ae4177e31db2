// A table of a server, as its event stream describes it: the event log, the players in the seats, the results.
import { SHOWN, isPlayed, type Played } from "../games";
import type { Line, Shown } from "../games/picture";
import { inWords, pointsOf, reason, type Result, type Told } from "../session/playing";
import { say } from "../words/words.svelte";
import type { Emote } from "./emotes";
import { Refused } from "./refused";
import { trace, type Heard, type Key, type Notice } from "./server";
import { follow } from "./stream";

/** How long an emote is shown, in milliseconds. */
const GLANCE = 5000;

export class Listening {
    game = $state<Played>()!;
    told = $state.raw<Told[]>([]);
    result = $state.raw<Result>();
    over = $state(false);
    failed = $state("");
    connected = $state(true);
    /**
     * Whether listening has ended with an error, for example because the table ended or another player has the seat.
     */
    gone = $state(false);
    /** The error code, if the server refused; empty otherwise. */
    refused = $state("");
    notice = $state.raw<Notice>({
        game: "",
        seats: [],
        waiting: false,
        deals: null,
        undo: null,
        stopped: null,
        clock: null,
    });
    /** The emotes that are shown now, by seat. */
    emotes = $state.raw<Partial<Record<number, Emote>>>({});
    protected lines: Line[] = [];
    protected readonly key: Key;
    readonly #left = new AbortController();

    constructor(key: Key) {
        this.key = key;
    }

    get shown(): Shown {
        return SHOWN[this.game];
    }

    who = (seat: number): string => {
        const sitter = this.notice.seats[seat];
        return sitter?.person ? sitter.name : say("play.bot", { seat: seat + 1 });
    };

    /** Listens until the session is over or `leave` is called. */
    async run(): Promise<void> {
        try {
            await follow(this.key, this, this.#left.signal);
        } catch (error) {
            if (this.left) return;
            this.gone = true;
            this.failed = reason(error);
            if (error instanceof Refused) this.refused = error.code;
        }
    }

    /** Whether `leave` was called. */
    protected get left(): boolean {
        return this.#left.signal.aborted;
    }

    leave(): void {
        this.#left.abort();
    }

    /** The trace of the whole session, once it is over. */
    trace(): Promise<string> {
        return trace(this.key);
    }

    ended(): boolean {
        return this.over;
    }

    heard(batch: Heard[]): void {
        if (this.left || batch.length === 0) return;
        for (const { name, data } of batch) this.take(name, JSON.parse(data));
        if (this.lines.length > 0) this.look();
    }

    /** Writes all texts again, in the current language. */
    retell(): void {
        if (this.lines.length > 0) this.look();
    }

    /** Handles one event of the stream. */
    protected take(name: string, data: unknown): void {
        if (name === "table") {
            this.notice = data as Notice;
            this.#plays(this.notice.game);
        } else if (name === "emote") this.#show(data as { seat: number; emote: Emote });
        else if (name === "reset") this.forget();
        else if (name === "") this.line(data as Line);
    }

    #plays(game: string): void {
        if (!isPlayed(game)) throw new Error(`this page cannot show the game ${game}`);
        this.game = game;
    }

    #show({ seat, emote }: { seat: number; emote: Emote }): void {
        const shown = { ...this.emotes, [seat]: emote };
        this.emotes = shown;
        setTimeout(() => {
            // A later emote has its own time.
            if (this.emotes === shown) this.emotes = {};
        }, GLANCE);
    }

    /** Whether the person in a seat must play, and no page of theirs is open. */
    isAway = (seat: number): boolean => {
        const sitter = this.notice.seats[seat];
        return sitter !== undefined && sitter.person && !sitter.present && sitter.substitute === null;
    };

    /** Forgets all lines, because the server sends the event log again from its start. */
    protected forget(): void {
        this.lines = [];
        this.result = undefined;
    }

    protected line(line: Line): void {
        this.lines.push(line);
        switch (line.line) {
            case "header": {
                this.#plays(String(line.game));
                break;
            }
            case "round":
            case "deal":
                this.result = undefined;
                break;
            case "payoff": {
                const worth = { place: line.place as number[], points: line.points as number[] };
                this.result = { round: line.round ?? 0, worth, together: pointsOf(this.lines) };
                break;
            }
            case "end":
                this.over = true;
        }
    }

    /** Shows the lines received so far. */
    protected look(): void {
        this.told = inWords(this, [this.lines]);
    }
}
