"""
The compiled part of cardsharp. Everything in it is to be had from `cardsharp_rl` itself.
"""

from _typeshed import SupportsGetItem
from cardsharp_rl._types import Advice, Block, Evaluation, Move, Option, Payoff, Step
from collections.abc import Mapping, Sequence
from numpy import bool_, int8, uint16, uint64, uint8
from numpy.typing import ArrayLike, NDArray
from os import PathLike
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["Batch", "Bot", "Contest", "Game", "Observer", "Parcel", "Sweep", "Table", "View", "Worker", "arena", "blake3", "bot", "bots", "enumerate_deals", "exploit", "export", "game", "games", "load_numpy", "observe", "pick_legal", "pick_logits", "play_others", "read_text", "recall", "solve", "train", "verify", "write_dataset", "write_traces"]

@final
class Batch:
    """
    Many sessions side by side, in step: every lane has a decision at all times. Where a round is over the next is
    dealt, where a session is over another begins.

    Batch("dalmuti", 1024, players=5, seed=1): without a seed one is drawn. `rules` may also be a list of rules, or of
    pairs of rules and how often they are played relative to the others; each session draws its own. The seed of lane
    i's first session is derived from `seed` and i, those of later ones from it, so that lanes play the same whatever
    the number of `threads`. `skip_forced` plays decisions with a single legal action without asking;
    `privileged_observation` fills the field of `Step`; without `autoreset` a lane waits once its session is over:
    `action_mask` has no action there until `reset` begins another.

    With `copy=False` every step gives the same arrays, written over: what an earlier `Step` showed is lost. They are
    the batch's own memory for nothing but showing, so writing to them changes no session.

    >>> batch = cardsharp_rl.Batch("taki", 64, seed=1)
    >>> now = batch.now
    >>> for _ in range(100):
    ...     now = batch.step(batch.sample())
    >>> now.observations.shape == (64, cardsharp_rl.game("taki").cells)
    True

    Raises ValueError for a game, rules or numbers that cannot be. A batch is pickled with its sessions; it may be used in a
    process that was forked or spawned from its own, where it goes on by itself.
    """
    def __len__(self, /) -> int: ...
    def __new__(cls, /, game: str | Game, lanes: SupportsIndex, *, rules: Mapping[str, Any] | Sequence[Mapping[str, Any]] | Sequence[tuple[Mapping[str, Any], float]] | None = None, players: SupportsIndex | None = None, seed: SupportsIndex | None | None = None, threads: SupportsIndex = 1, skip_forced: bool = False, privileged_observation: bool = False, autoreset: bool = True, copy: bool = True) -> Batch: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _restore(game: str | Game, rules: Mapping[str, Any] | Sequence[Mapping[str, Any]] | Sequence[tuple[Mapping[str, Any], float]], seeds: SupportsGetItem[int, SupportsIndex], options: tuple[bool, bool, bool, bool, SupportsIndex], courses: Any, outcomes: Any) -> Batch:
        """
        What `pickle` calls.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    @property
    def lanes(self, /) -> int:
        """
        Number of lanes, L.
        """
    @property
    def now(self, /) -> Step:
        """
        What `reset` or `step` gave last.
        """
    def reset(self, /, seed: SupportsIndex | ArrayLike | None = None, lanes: NDArray[bool_] | None = None) -> Step:
        """
        Begins sessions anew in all lanes, or in those that `lanes` (bool, [L]) marks: with a seed, as if the batch had been
        made with it; with an array of them ([L]), lane i plays what `Table(game, rules, seed=seed[i])` does; without
        one, the lanes' next sessions. Nothing has come of this step: no rewards, nothing done.

        Raises ValueError for wrong shapes, TypeError for wrong types.
        """
    @property
    def rules(self, /) -> list[tuple[dict[str, Any], float]]:
        """
        The rules, all options, and how often each is played.
        """
    def sample(self, /) -> NDArray[uint16]:
        """
        A uniformly random legal action for every lane: uint16, [L]; 0 in lanes that wait. It is drawn from the session's
        seed and the number of the decision: asked twice, it is the same.
        """
    @property
    def seats(self, /) -> int:
        """
        The most seats of a session by any of the rules, S.
        """
    @property
    def seeds(self, /) -> NDArray[uint64]:
        """
        The seeds of the sessions under way: uint64, [L]. `Table(game, rules, seed=...)` deals the same cards.
        """
    def step(self, /, actions: ArrayLike, lanes: NDArray[bool_] | None = None) -> Step:
        """
        Plays an action in every lane, or in those that `lanes` (bool, [L]) marks, and goes on until each has a decision
        again. `actions` is an array of integers, [L]; what it says of other lanes, and of those that wait, does not matter.

        Raises ValueError with lane, action and the legal moves if one is not legal, and for wrong shapes, TypeError for
        wrong types. Nothing was played then.
        """
    def table(self, /, lane: SupportsIndex) -> Table:
        """
        A table with the session of a lane as far as it went: its records, its labels, what would come next.

        Raises IndexError if there is no such lane.
        """
    @property
    def threads(self, /) -> int:
        """
        Number of threads.
        """
    def view(self, /, lane: SupportsIndex) -> View:
        """
        What the seat that decides in a lane may know.

        Raises IndexError if there is no such lane, ValueError if nobody decides there.
        """

@final
class Bot:
    """
    A bot, seated at no table: it decides whatever it is asked.

    Made by `cardsharp_rl.bot`. The same bot with the same seed, asked the same questions, gives the same answers.
    """
    def __reduce__(self, /) -> tuple[Any, ...]:
        """
        What it was made of is pickled and copied, as far as that can be; its random stream begins anew.
        """
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _restore(of: Any, game: str | Game | None, temperature: SupportsFloat | SupportsIndex, simulations: SupportsIndex | None, threads: SupportsIndex, seed: SupportsIndex | None) -> Bot:
        """
        What `pickle` calls.
        """
    def act(self, /, batch: Batch, lanes: NDArray[bool_] | None = None) -> NDArray[uint16]:
        """
        What it plays in every lane of a batch, or in those that `lanes` (bool, [L]) marks: uint16, [L], 0 elsewhere and in
        lanes that wait.

        Raises ValueError if the batch is another game's, or `lanes` has another length.
        """
    def advise(self, /, known: View | Table | Mapping[str, Any] | str) -> Advice:
        """
        What it thinks of every legal move, the best first. `known` is what `pick` takes.

        Raises ValueError as `pick` does.
        """
    @property
    def game(self, /) -> str | None:
        """
        The name of the game that it plays; None if it plays any.
        """
    @property
    def name(self, /) -> str:
        """
        Its name.
        """
    def pick(self, /, known: View | Table | Mapping[str, Any] | str) -> int:
        """
        The move it plays: the number of an action. `known` is a View, a Table (of whose seat to decide it sees what
        that seat does), a view's JSON, or a seat's record up to its decision.

        Raises ValueError if there is no decision, or it is another game's.
        """
    def policy(self, /, observations: NDArray[uint8], action_mask: NDArray[bool_] | NDArray[int8]) -> Evaluation:
        """
        Evaluates `observations` (uint8 [n, cells]) with their `action_mask` (bool or int8 [n, actions]): actions,
        probabilities and values of all rows. Rows come from a batch, an environment or a dataset.

        The actions are those that `act` plays. The probabilities are those of `advise`: at temperature 0 those of
        temperature 1. A bot of action values gives its best action probability 1.

        Scripted bots, searches, the highest level and players written in Python need more than rows.

        Raises ValueError for these bots, for wrong shapes and for a row without a legal action; TypeError for wrong types.
        """
    def reseed(self, /, seed: SupportsIndex | None | None = None) -> None:
        """
        Starts the bot's random stream again, with this seed or with one that is drawn.
        """

@final
class Contest:
    """
    Plays units of one contest, each a pure function of what it is told and its number, but for the times that moves take.
    """
    def __new__(cls, /, job: str) -> Contest:
        """
        The contest that this JSON tells.
        """
    def play(self, /, unit: SupportsIndex) -> bytes:
        """
        Plays this unit: what goes back to where the contest is reported.
        """

@final
class Game:
    """
    A game: its options, and what rows and actions are made of.

    Got by `cardsharp_rl.game("dalmuti")`; everything that takes a game takes its name as well.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __repr__(self, /) -> str: ...
    def action(self, /, label: str) -> int:
        """
        The action with this name, in the notation of the standard deck.

        Raises ValueError if there is none.
        """
    @property
    def action_blocks(self, /) -> tuple[Block, ...]:
        """
        What the actions are, as named runs.
        """
    @property
    def actions(self, /) -> int:
        """
        The number of actions, legal or not.
        """
    @property
    def cells(self, /) -> int:
        """
        The length of an observation row.
        """
    @property
    def contracts(self, /) -> tuple[str, ...]:
        """
        What a seat can undertake in a round, by name; empty in a game without contracts.
        """
    @property
    def encoding(self, /) -> int:
        """
        The version of rows and actions: it rises when one of them changes its meaning.
        """
    @property
    def habits(self, /) -> tuple[str, ...]:
        """
        Kinds of moves that tell how somebody plays, by name.
        """
    def label(self, /, action: SupportsIndex) -> str:
        """
        The name of an action, in the notation of the standard deck.

        Raises ValueError if there is no such action.
        """
    def labels(self, /) -> list[str]:
        """
        The names of all actions, in the notation of the standard deck: a list of `actions` texts.
        """
    @property
    def name(self, /) -> str:
        """
        The name in calls and files.
        """
    @property
    def observation(self, /) -> tuple[Block, ...]:
        """
        What the cells of a row are, as named runs.
        """
    @property
    def options(self, /) -> tuple[Option, ...]:
        """
        The options of its rules: names, values, meanings, defaults.
        """
    @property
    def players(self, /) -> range:
        """
        The numbers of players that it is for.
        """
    @property
    def privileged_cells(self, /) -> int:
        """
        The length of a row of hidden cards, which critics may see: 0 in games that have none.
        """
    @property
    def privileged_observation(self, /) -> tuple[Block, ...]:
        """
        What the cells of a row of hidden cards are, as named runs.
        """
    def random_rules(self, /, seed: SupportsIndex | None) -> dict[str, Any]:
        """
        Valid rules drawn at random over all options and numbers of players.
        """
    @property
    def reference(self, /) -> bool:
        """
        Whether it is there because its solution is known, and not for people.
        """
    @property
    def rounds_option(self, /) -> str:
        """
        The option that says how many rounds a session has.
        """
    def rules(self, rules: Mapping[str, Any] | None = None, /, **options: "object") -> dict[str, Any]:
        """
        Checked rules, all options: those given, as a mapping or by keywords, and the defaults of the others.

        >>> cardsharp_rl.game("dalmuti").rules(players=5)["players"]
        5

        Raises ValueError, which names the option that was refused and what would be right.
        """
    @property
    def title(self, /) -> str:
        """
        The name people use.
        """

@final
class Observer:
    """
    Hears the record of a seat line by line, and knows what the seat knows.

    Made with the first line of a record (`Table.header(seat)`), a mapping or its JSON; ValueError if it is none. A whole record is read by
    `cardsharp_rl.observe`.
    """
    def __new__(cls, /, header: Mapping[str, Any] | str) -> Observer: ...
    def __repr__(self, /) -> str: ...
    def decide(self, /) -> View:
        """
        The same at the seat's own decision, for records that leave `turn` lines out: it is asked now.

        Raises ValueError as `view` does, and if it is not the seat's turn.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    def hear(self, /, line: Mapping[str, Any] | str) -> None:
        """
        Hears the next line, a mapping or its JSON. One that the rules do not give is refused with a ValueError, and
        forgotten.
        """
    @property
    def lines(self, /) -> int:
        """
        Lines heard so far.
        """
    @property
    def over(self, /) -> bool:
        """
        Whether the session is over.
        """
    @property
    def seat(self, /) -> int:
        """
        Whose record it is.
        """
    def view(self, /) -> View:
        """
        What the seat knows now.

        Raises ValueError if it has no view: no round is in play, or it sits this one out.
        """

@final
class Parcel:
    """
    A network on its way to those who play units elsewhere.
    """
    def data(self, /) -> bytes:
        """
        The network, as an exported bot.
        """
    @property
    def key(self, /) -> str:
        """
        What names it: who holds a parcel of this key need not get it again.
        """

@final
class Sweep:
    """
    A sweep: asked which run is due, and told what runs measured. It holds the lock of its folder.
    """
    def __new__(cls, /, file: str | PathLike[str], folder: str | PathLike[str] | None, runs: str | PathLike[str]) -> Sweep:
        """
        The sweep of a file, in its folder: a new one, or one that goes on.
        """
    def ask(self, /) -> dict[str, Any] | None:
        """
        A run that may go on and that nobody trains, which is then somebody's until `release`; None if there is none now.
        """
    def close(self, /) -> None:
        """
        Lets go of the folder.
        """
    @property
    def counts(self, /) -> tuple[int, int, int]:
        """
        How many settings have ended, how many there will be, and seeds of each.
        """
    def fail(self, /, setting: SupportsIndex, seed: SupportsIndex, reason: str) -> None:
        """
        A run cannot go on, and never will.
        """
    def finish(self, /) -> dict[str, Any]:
        """
        Measures the best setting once more, writes what came of the sweep into its folder, and gives it.
        """
    @property
    def over(self, /) -> bool:
        """
        Whether every setting has ended.
        """
    @property
    def path(self, /) -> Path:
        """
        Its folder.
        """
    def release(self, /, setting: SupportsIndex, seed: SupportsIndex) -> None:
        """
        Nobody trains the run any more.
        """
    def tell(self, /, setting: SupportsIndex, seed: SupportsIndex, iteration: SupportsIndex, figure: SupportsFloat | SupportsIndex) -> str:
        """
        What a run measured at an iteration: "go on", "hold" or "ended". What was told before may be told again.
        """

@final
class Table:
    """
    A live session: knows everything, checks moves, takes them back.

    Table("dalmuti", {"hands": 1}, players=5, seed=7) seats the players and deals the first round. The same game, rules,
    seed and moves are the same session everywhere. Without a seed one is drawn. `players` may also be an option of
    `rules`. `deal` says what is dealt in the first round, with fields of a trace's line
    `deal`; what it leaves out is dealt by the seed.

    >>> table = cardsharp_rl.Table("dalmuti", {"players": 5}, seed=7)
    >>> while table.turn is not None:
    ...     table.play(table.legal_actions()[0])
    >>> sorted(table.payoff.place)
    [1, 2, 3, 4, 5]

    Raises ValueError for a game, rules or a deal that cannot be, and says what would be right.
    """
    def __copy__(self, /) -> Table: ...
    def __deepcopy__(self, /, _memo: "object") -> Table: ...
    def __new__(cls, /, game: str | Game, rules: Mapping[str, Any] | None = None, *, players: SupportsIndex | None = None, seed: SupportsIndex | None | None = None, deal: Mapping[str, Any] | None = None) -> Table: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _restore(game: str | Game, beginning: str, steps: "list[int | str]") -> Table:
        """
        What `pickle` calls.
        """
    def action(self, /, label: str) -> int:
        """
        The action with this name, as cards are named this round; it need not be legal.

        Raises ValueError if there is none.
        """
    def action_mask(self, /, seat: SupportsIndex | None = None) -> NDArray[bool_]:
        """
        The legal actions of a seat, by default the one that must decide: bool, [actions]; none where it has no decision.

        Raises ValueError as `row` does.
        """
    def change(self, /, change: str) -> None:
        """
        Lets a player join or leave before the next round: "join 4", "leave 2".

        Raises ValueError if the game or its rules refuse it, or it is the last round; nothing changed then.
        """
    def copy(self, /) -> Table:
        """
        The same session once more, with its past.
        """
    def deal(self, /) -> dict[str, Any] | None:
        """
        Everything dealt this round, in card notation; None before the cards are dealt.
        """
    def deal_next(self, /) -> bool:
        """
        Deals the next round; False, and nothing done, while a round is in play or after the last.
        """
    def determinize(self, /, seat: SupportsIndex, seed: SupportsIndex | None) -> Table:
        """
        A table that could be this one for all that `seat` may know: hidden cards, and everything that is dealt afterwards,
        are drawn from `seed`. It has no past, so it tells no records and is not pickled.

        Raises ValueError if the seat does not play this round.
        """
    def events(self, /) -> list[dict[str, Any]]:
        """
        What happened right after the deal, or with the last move, beyond the move itself: to whoever may know all.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    def header(self, /, to: int | str, names: SupportsGetItem[int, str] | None = None) -> dict[str, Any]:
        """
        The first line of a record: of a seat, of "everybody" who watches, or, as a trace, of the "referee". `names` says
        who sits where.

        Raises ValueError if there is no such seat, or there are not as many names as seats.
        """
    @property
    def imagined(self, /) -> bool:
        """
        Whether it was imagined by `determinize`: it has no past then.
        """
    def label(self, /, action: SupportsIndex) -> str:
        """
        The name of an action, as cards are named this round.

        Raises ValueError if there is no such action.
        """
    def legal_actions(self, /) -> NDArray[uint16]:
        """
        The numbers of the legal actions of the seat that must decide, ascending: uint16, empty when the round is over.
        """
    def moves(self, /) -> list[Move]:
        """
        The legal moves with their names.
        """
    def observation(self, /, seat: SupportsIndex | None = None) -> NDArray[uint8]:
        """
        The observation row of a seat, by default the one that must decide: uint8, [cells].

        Raises ValueError if the seat does not play this round, or none is named and the round is over.
        """
    @property
    def over(self, /) -> bool:
        """
        Whether the session is over.
        """
    @property
    def payoff(self, /) -> Payoff | None:
        """
        What the round was worth to each seat; None while it is in play.
        """
    @property
    def phase(self, /) -> str:
        """
        The phase of the decision that is due.
        """
    def play(self, /, move: SupportsIndex | str) -> None:
        """
        Plays a move, by its label or the number of its action.

        Raises ValueError, with the legal moves, if it is not legal now; nothing changed then.
        """
    def play_forced(self, /) -> int:
        """
        Plays decisions with a single legal move until there is another one, or the round is over; how many.
        """
    @property
    def present(self, /) -> list[int]:
        """
        The seats that play this round, ascending.
        """
    def record(self, /, to: int | str, names: SupportsGetItem[int, str] | None = None) -> str:
        """
        All lines so far as text, the header first: the record of a seat or of "everybody", or the session's trace.

        Raises ValueError as `header` does.
        """
    @staticmethod
    def replay(trace: str) -> Table:
        """
        Plays a trace again, to where it ends: every line must be what the rules give.

        Raises ValueError for the first line that is not, and says what the rules give.
        """
    @property
    def round(self, /) -> int:
        """
        The number of the round, from 1.
        """
    @property
    def rules(self, /) -> dict[str, Any]:
        """
        The rules as they have come to be, all options.
        """
    @property
    def seats(self, /) -> int:
        """
        Seats of the session.
        """
    @property
    def seed(self, /) -> int:
        """
        The seed of the session.
        """
    def standing(self, /) -> dict[str, Any]:
        """
        Ranks and scores so far.
        """
    @property
    def steps(self, /) -> int:
        """
        Moves, deals and changes of players so far: what can be taken back.
        """
    def lines(self, /, step: SupportsIndex, to: int | str) -> list[dict[str, Any]]:
        """
        The lines that step number `step` brought, 0 being the beginning of the session, for a seat, "everybody" or the
        "referee".

        Raises ValueError if there is no such seat.
        """
    @property
    def turn(self, /) -> int | None:
        """
        The seat that must decide; None when the round is over.
        """
    def undo(self, /) -> bool:
        """
        Takes back the last move, deal or change of players; False if there is none.
        """
    def view(self, /, seat: SupportsIndex | None = None) -> View:
        """
        What a seat may know, by default the one that must decide.

        Raises ValueError as `row` does.
        """

@final
class View:
    """
    What one seat may know: all that bots and rows are made of.

    Made of its JSON, a mapping or text, as `Table.view(seat).json()` gives it; one that no game can reach is refused
    with a ValueError. Two views are equal when they show the same.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __new__(cls, /, json: Mapping[str, Any] | str) -> View: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def action_mask(self, /) -> NDArray[bool_]:
        """
        The legal actions as flags: bool, [actions]; none where the seat has no decision.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    def json(self, /) -> dict[str, Any]:
        """
        The view as a dict: what `View` reads, described in `views.md` of the game.
        """
    def label(self, /, action: SupportsIndex) -> str:
        """
        The name of an action, as the seat's cards are named.

        Raises ValueError if there is no such action.
        """
    def legal_actions(self, /) -> NDArray[uint16]:
        """
        The numbers of the legal actions, ascending; empty where the seat has no decision.
        """
    def moves(self, /) -> list[Move]:
        """
        The legal moves with their names.
        """
    def observation(self, /) -> NDArray[uint8]:
        """
        The observation row: uint8, [cells].
        """
    def picture(self, /) -> str:
        """
        The view in words and cards, for a person.
        """
    @property
    def seat(self, /) -> int:
        """
        Whose view it is.
        """
    def text(self, /) -> str:
        """
        The same as text. It is equal exactly when the views are.
        """

@final
class Worker:
    """
    Plays units of one run, each a pure function of the configuration, the networks, the iteration and its number.
    """
    def __new__(cls, /, config: str) -> Worker:
        """
        One for runs of this configuration, which is TOML.
        """
    def hold(self, /, data: bytes) -> None:
        """
        Keeps the network of a parcel.
        """
    def lacks(self, /, keys: SupportsGetItem[int, str]) -> list[str]:
        """
        Which of these networks it has to be given before it can play.
        """
    def play(self, /, iteration: SupportsIndex, others: str, keys: SupportsGetItem[int, str], unit: SupportsIndex) -> NDArray[uint8]:
        """
        Plays a unit of the iteration after so many: the block that the learner takes, `[bytes]`.
        """

def arena(game: str | Game, bots: SupportsGetItem[int, tuple[str | None, Any]], rules: Mapping[str, Any] | None, rounds: SupportsIndex | None, deals: SupportsIndex, seed: SupportsIndex | None, round_robin: bool, seats: SupportsGetItem[int, SupportsIndex] | None, sprt: SupportsFloat | SupportsIndex | None, habits: bool, temperature: SupportsFloat | SupportsIndex, simulations: SupportsIndex | None, threads: SupportsIndex, progress: Any | None, elsewhere: Any | None) -> dict[str, Any]:
    """
    What `cardsharp_rl.arena` calls: the report as a dict.
    """

def blake3(data: bytes) -> str:
    """
    The BLAKE3 sum of some bytes, in hexadecimal: the one that files of networks carry.
    """

def bot(bot: Any, game: str | Game | None = None, *, temperature: SupportsFloat | SupportsIndex = 0.0, simulations: SupportsIndex | None = None, threads: SupportsIndex = 1, seed: SupportsIndex | None | None = None) -> Bot:
    """
    The bot of this name: "random", "scripted", "cautious", "aggressive"; "search", "search:400" (tries for a decision),
    "search:50ms", "search:200+PATH" (with a network); a game's name for the bot that ships for it, "dalmuti@5" at one
    of its levels; the path of a bundle, a checkpoint or a bot file. Or a player that is written in Python: a function
    `f(observations, action_mask)`, an object with `act(observations, action_mask)` or `pick(view)`, or a class of such
    objects.

    `game` need not be said where the name tells it. Networks play at `temperature`: 0 the likeliest move, 1 by
    probability. `simulations` are the tries of searches whose name tells none. `threads` are those of a search.

    >>> bot = cardsharp_rl.bot("taki")
    >>> table = cardsharp_rl.Table("taki", seed=3)
    >>> bot.pick(table) in table.legal_actions()
    True

    Raises ValueError if there is no such bot or it plays another game, FileNotFoundError for a folder without a
    network, TypeError for what is no bot at all.
    """

def bots(game: str | Game | None = None) -> list[str]:
    """
    The names of the bots that play a game, or any of the games: rules, searches, and the bots that ship with their levels.

    >>> "scripted" in cardsharp_rl.bots("taki")
    True
    """

def enumerate_deals(game: str | Game, rules: Mapping[str, Any] | None = None) -> list[tuple[float, dict[str, Any]]]:
    """
    Every deal of a session's first round with its probability, each as `Table(game, rules, deal=...)` takes it.

    >>> len(cardsharp_rl.enumerate_deals("kuhn"))
    6

    Raises ValueError for games with too many.
    """

def exploit(bot: str, game: str | Game, rules: Mapping[str, Any] | None, rounds: SupportsIndex | None, decisions: SupportsIndex, scratch: bool, search: SupportsIndex | None, seeds: SupportsIndex, deals: SupportsIndex, temperature: SupportsFloat | SupportsIndex, seed: SupportsIndex | None, folder: str | PathLike[str], threads: SupportsIndex, callback: Any | None, elsewhere: Any | None, contests: Any | None) -> dict[str, Any]:
    """
    The function behind `cardsharp_rl.exploit`. Returns the results of the first run as a dict, and the other attempts.
    """

def export(source: str | PathLike[str], to: str | PathLike[str], seed: SupportsIndex | None, run: str | PathLike[str] | None, processor: str | None) -> list[str]:
    """
    What `cardsharp_rl.export` calls: the names of the files.
    """

def game(name: str) -> Game:
    """
    The game of this name.

    Raises ValueError if there is none, and says which there are.
    """

def games(reference: bool = False) -> list[Game]:
    """
    The games, those that people play; with `reference` also the ones that are there because their solution is known.
    """

def load_numpy() -> None:
    """
    What `import cardsharp_rl` calls: loads the interface of numpy, so that a signal becomes an exception. The crate `numpy`
    loads it with the first array otherwise, and panics if a signal is pending then.
    """

def observe(record: str) -> View:
    """
    What a seat knows after all lines of its record (text): at its own decision, or whenever it has a view.

    Raises ValueError for the first line that the rules do not give, or if the seat has no view then.
    """

def pick_legal(action_mask: Any, draws: Any) -> NDArray[uint16]:
    """
    Picks for `cardsharp_rl.uniform`: of row i's k legal actions the one at place `draws[i]` (0 to 1) times k.
    """

def pick_logits(logits: Any, action_mask: Any, draws: Any, temperature: SupportsFloat | SupportsIndex) -> NDArray[uint16]:
    """
    Picks for `cardsharp_rl.sample_logits`: an action of row i by the softmax of its legal logits over `temperature`.
    `draws[i]` (0 to 1) chooses it. At temperature 0 it is the action with the largest logit.
    """

def play_others(table: Table, seat: SupportsIndex, bots: SupportsGetItem[int, Bot], skip_forced: bool) -> bool:
    """
    What `cardsharp_rl.gymnasium` calls: plays the other seats of a table until `seat` must decide or the round is over.
    `bots` are those of the seats after it, clockwise; one bot may have several. With `skip_forced` decisions with a single
    legal action are played, too. Returns whether `seat` must decide.
    """

def read_text(path: str | PathLike[str]) -> str:
    """
    The text of a file that any program wrote: a byte order mark is skipped, gzip is unpacked.

    Raises OSError for a file that cannot be read, ValueError for one that is not UTF-8 text.
    """

def recall(path: str | PathLike[str], figure: str) -> list[tuple[int, float]]:
    """
    The figures that the run in a folder has measured, by iteration, up to its newest checkpoint; none of a folder that is
    no run yet. Whoever trains there is waited for, half a minute at most.
    """

def solve(game: str | Game, rules: Mapping[str, Any] | None, bot: Any | None, endgame: Mapping[str, Any] | None, iterations: SupportsIndex, temperature: SupportsFloat | SupportsIndex, seed: SupportsIndex | None) -> dict[str, Any]:
    """
    What `cardsharp_rl.solve` calls: what was found as a dict.
    """

def train(config: str | PathLike[str] | None, text: Mapping[str, Any] | None, overrides: SupportsGetItem[int, str], folder: str | PathLike[str] | None, runs: str | PathLike[str], resume: str | PathLike[str] | None, threads: SupportsIndex | None, callback: Any | None, elsewhere: Any | None) -> dict[str, Any]:
    """
    The function behind `cardsharp_rl.train`. Returns the results of the run as a dict.
    """

def verify(bundle: str | PathLike[str]) -> dict[str, Any]:
    """
    What `cardsharp_rl.verify` calls: what was found as a dict.
    """

def write_dataset(game: str | Game, bots: SupportsGetItem[int, tuple[str | None, Any]], to: str | PathLike[str], rules: SupportsGetItem[int, Mapping[str, Any]], decisions: SupportsIndex | None, sessions: SupportsIndex | None, seed: SupportsIndex | None, forced: bool, shard: SupportsIndex, temperature: SupportsFloat | SupportsIndex, simulations: SupportsIndex | None, threads: SupportsIndex, overwrite: bool, progress: Any | None) -> dict[str, Any]:
    """
    What `cardsharp_rl.datasets.write` calls.
    """

def write_traces(traces: SupportsGetItem[int, tuple[str, str]], to: str | PathLike[str], forced: bool, shard: SupportsIndex, overwrite: bool) -> dict[str, Any]:
    """
    What `cardsharp_rl.datasets.write_traces` calls.
    """
