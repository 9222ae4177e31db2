// A seat at a table of a server. The state is derived from the event log that the server sends.
import { verifyDeal } from "#place/deals";
import { Observer, type View } from "cardsharp";
import type { Choice, Line, Picture } from "../games/picture";
import { Hints } from "../session/hints.svelte";
import { reason, type Playing } from "../session/playing";
import { say } from "../words/words.svelte";
import type { Emote } from "./emotes";
import type { Proof } from "./storage";
import { Listening } from "./listening.svelte";
import { Refused } from "./refused";
import { request } from "./server";

export class Joined extends Listening implements Playing {
    readonly speed = undefined;
    me = $state<number>();
    picture = $state.raw<Picture>()!;
    choices = $state.raw<Choice[]>([]);
    phase = $state("");
    readonly hints = new Hints();
    /** Whether a view was received, so that the table can be shown. */
    ready = $state(false);
    /** What the person noted before the deal. */
    proof: Proof = {};
    /** When the pending decision must be made, in the time of `Date.now`; `undefined` without a limit. */
    deadline = $state<number>();
    /** Whether all earlier events have arrived, so that what comes now happens now. */
    #live = false;
    #observer: Observer | undefined;
    #view: View | undefined;

    get file(): string {
        return `${this.game}-${this.key.table}`;
    }

    get view(): View | undefined {
        return this.#view;
    }

    get open(): boolean {
        return this.over;
    }

    get mine(): boolean {
        return this.choices.length > 0;
    }

    get turn(): number | undefined {
        if (this.mine) return this.me;
        return this.result || this.over ? undefined : this.picture.turn;
    }

    /**
     * Whether the seat made a move in this round that it can ask to take back. While a request is open, asking would
     * mean to agree.
     */
    get canUndo(): boolean {
        void this.told;
        if (this.notice.undo !== null) return false;
        const dealt = this.lines.findLastIndex(({ line }) => line === "deal" || line === "round");
        return !this.over && this.lines.slice(dealt + 1).some(({ line, seat }) => line === "move" && seat === this.me);
    }

    override who = (seat: number): string => {
        if (seat === this.me) return say("play.you");
        const sitter = this.notice.seats[seat];
        return sitter?.person ? sitter.name : say("play.bot", { seat: seat + 1 });
    };

    play(label: string): void {
        const { choices } = this;
        this.choices = [];
        void this.#ask("moves", { move: label }).then((done) => {
            // After a refused move the person can choose again.
            if (!done && this.choices.length === 0) this.choices = choices;
        });
    }

    next(): void {
        void this.#ask("deal");
    }

    undo(): void {
        void this.#ask("undo");
    }

    /** Checks that the server did not choose the cards. Throws an error that says what does not fit. */
    async verify(): Promise<void> {
        const { deals } = this.notice;
        if (deals === null) throw new Error(say("multiplayer.noDeals"));
        const { commitment, salt } = this.proof;
        const seat = this.me;
        await verifyDeal(deals, {
            ...(commitment !== undefined && { commitment }),
            ...(salt !== undefined && seat !== undefined && { salt: { seat, salt } }),
            trace: await this.trace(),
        });
    }

    /** Agrees or refuses that another player's move is taken back. */
    agree(yes: boolean): void {
        void this.#ask("undo", { agree: yes });
    }

    /** Lets a bot play for the person until they come back. */
    async rest(): Promise<boolean> {
        return this.#ask("substitute", { bot: this.game });
    }

    /** Lets the person play again. */
    async back(): Promise<boolean> {
        return this.#ask("substitute", { bot: null });
    }

    /** Says that the person is ready. The salt goes into the deals, so that the server cannot choose the cards. */
    async sit(salt: string): Promise<boolean> {
        return this.#ask("ready", { salt });
    }

    async name(name: string): Promise<boolean> {
        return this.#ask("name", { name });
    }

    async show(emote: Emote): Promise<boolean> {
        return this.#ask("emote", { emote });
    }

    /** Gives this seat to a bot for good. Returns whether the server accepted. */
    async replaced(): Promise<boolean> {
        return this.#ask("leave", { bot: this.game });
    }

    async hint(own?: string): Promise<void> {
        if (!this.mine || this.#view === undefined) return;
        try {
            await this.hints.ask(this.game, this.#view.json(), own);
        } catch (error) {
            this.failed = reason(error);
        }
    }

    override leave(): void {
        if (this.left) return;
        super.leave();
        this.#view?.free();
        this.#observer?.free();
    }

    async #ask(what: string, body: unknown = {}): Promise<boolean> {
        this.failed = "";
        try {
            await request(this.key, what, body);
            return true;
        } catch (error) {
            // Others were faster: the next round or the session has begun, and the stream brings its events.
            const begun = error instanceof Refused && ["round_in_play", "started"].includes(error.code);
            if (!begun) this.failed = reason(error);
            return false;
        }
    }

    protected override take(name: string, data: unknown): void {
        if (name !== "legal") return super.take(name, data);
        const { legal, seconds } = data as { legal: string[]; seconds?: number };
        this.choices = legal.map((label) => this.shown.choice(label));
        if (seconds !== undefined) this.deadline = Date.now() + seconds * 1000;
    }

    protected override forget(): void {
        super.forget();
        this.choices = [];
        this.#observer?.free();
        this.#observer = undefined;
    }

    protected override line(line: Line): void {
        super.line(line);
        if (line.line === "header") {
            this.me = Number(line.seat);
            this.#observer = new Observer(line);
            return;
        }
        this.deadline = undefined;
        if (line.line === "turn") this.phase = String(line.phase);
        else this.choices = [];
        try {
            this.#observer!.hear(line);
        } catch {
            // The view was taken before all lines of a move had arrived. A new observer hears all lines without that
            // pause.
            this.#observer!.free();
            const [header, ...lines] = this.lines;
            this.#observer = new Observer(header!);
            for (const line of lines) this.#observer.hear(line);
        }
    }

    /** Starts the time of another player's decision, if everyone sees who must decide. */
    #time(): void {
        const { turn, notice } = this;
        const sitter = turn === undefined ? undefined : notice.seats[turn];
        const seconds = notice.clock?.decision;
        // At the start it is not known when a decision began.
        if (this.#live && seconds && sitter?.person && !sitter.substitute && !this.mine)
            this.deadline ??= Date.now() + seconds * 1000;
        this.#live = true;
    }

    protected override look(): void {
        super.look();
        this.hints.forget();
        let view: View;
        try {
            view = this.#observer!.view();
        } catch {
            // Between rounds, and in a round without this seat, the last view stays on the screen.
            return;
        }
        this.#view?.free();
        this.#view = view;
        this.picture = this.shown.picture(view, this.who, say);
        this.ready = true;
        this.#time();
    }
}
