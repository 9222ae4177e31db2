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

__all__ = ["Batch", "Bot", "Contest", "Game", "Observer", "Parcel", "Sweep", "Table", "View", "Worker", "arena", "begin", "blake3", "bot", "bots", "enumerate_deals", "exploit", "export", "game", "games", "load_numpy", "observe", "pick_legal", "pick_logits", "play_on", "play_others", "read_text", "recall", "solve", "spiel_mask", "spiel_tensor", "train", "verify", "write_dataset", "write_traces"]

@final
class Batch:
    """
    Many sessions side by side, one in each lane, as arrays.

    Each lane always has a decision: after a round the next round is dealt, after a session another session starts.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    lanes : int
        Number of lanes, L.
    rules : mapping, list of mappings, or list of (mapping, weight), optional
        Options of the rules. Options that are left out have their defaults. Of several rules each session draws its
        own, by the weights if there are weights.
    players : int, optional
        Number of players, instead of the option in `rules`.
    seed : int, optional
        Seed of all sessions. The sessions of lane i follow from `seed` and i, for any number of threads. None draws
        a seed.
    threads : int, default 1
        Number of threads; 0 is one for each core.
    skip_forced : bool, default False
        Whether decisions with a single legal action are played without asking.
    privileged_observation : bool, default False
        Whether steps have `privileged_observation`.
    autoreset : bool, default True
        If False, a lane waits when its session is over. It has no legal action until `reset`.
    copy : bool, default True
        If False, all steps share one set of arrays, and a step overwrites the content of the one before. Writing to
        the arrays changes no session.

    Raises
    ------
    ValueError
        If the game is unknown, the rules are refused or a number is out of range.
    TypeError
        If an argument has a wrong type.

    Notes
    -----
    A batch is pickled with its sessions. It can be used in forked and spawned processes.

    Examples
    --------
    >>> batch = cardsharp_rl.Batch("taki", 64, seed=1)
    >>> now = batch.now
    >>> for _ in range(100):
    ...     now = batch.step(batch.sample())
    >>> now.observations.shape == (64, cardsharp_rl.game("taki").cells)
    True
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
        The result of the last `reset` or `step`.
        """
    def reset(self, /, seed: SupportsIndex | ArrayLike | None = None, lanes: NDArray[bool_] | None = None) -> Step:
        """
        Starts new sessions.

        Parameters
        ----------
        seed : int or array_like of int, shape (L,), optional
            An int starts the batch again as if it had been made with this seed. With an array, lane i plays
            `Table(game, rules, seed=seed[i])`. None starts the next session of each lane.
        lanes : ndarray of bool, shape (L,), optional
            The lanes that start a new session. None means all.

        Returns
        -------
        Step
            The first decisions. All rewards are 0, and nothing is done.

        Raises
        ------
        ValueError
            If an array has a wrong shape.
        TypeError
            If an array has a wrong type.
        """
    @property
    def rules(self, /) -> list[tuple[dict[str, Any], float]]:
        """
        The rules with all options, and the weight of each.
        """
    def sample(self, /) -> NDArray[uint16]:
        """
        Draws a legal action for each lane, all with the same probability.

        The draws follow from the session's seed and the number of the decision. A second call before the next step
        returns the same actions.

        Returns
        -------
        ndarray of uint16, shape (L,)
            The actions; 0 in lanes that wait.
        """
    @property
    def seats(self, /) -> int:
        """
        The largest number of seats under any of the rules, S.
        """
    @property
    def seeds(self, /) -> NDArray[uint64]:
        """
        The seeds of the current sessions, uint64, shape (L,). `Table(game, rules, seed=...)` deals the same cards.
        """
    def step(self, /, actions: ArrayLike, lanes: NDArray[bool_] | None = None) -> Step:
        """
        Plays one action in each lane, up to the next decision.

        Parameters
        ----------
        actions : array_like of int, shape (L,)
            The actions. Entries of lanes that are not in `lanes` or that wait do not count.
        lanes : ndarray of bool, shape (L,), optional
            The lanes that play. None means all.

        Returns
        -------
        Step
            The next decisions, and the rewards of rounds that ended.

        Raises
        ------
        ValueError
            If an action is illegal; the message has the lane and the legal actions. Or if an array has a wrong shape.
            Nothing is played then.
        TypeError
            If an array has a wrong type. Nothing is played then.
        """
    def table(self, /, lane: SupportsIndex) -> Table:
        """
        Copies the session of a lane into a table, with all its moves.

        Parameters
        ----------
        lane : int
            The lane, from 0.

        Returns
        -------
        Table
            The session so far.

        Raises
        ------
        IndexError
            If there is no such lane.
        """
    @property
    def threads(self, /) -> int:
        """
        Number of threads.
        """
    def view(self, /, lane: SupportsIndex) -> View:
        """
        Returns the view of the seat to move in a lane.

        Parameters
        ----------
        lane : int
            The lane, from 0.

        Returns
        -------
        View
            What the seat may know.

        Raises
        ------
        IndexError
            If there is no such lane.
        ValueError
            If the lane waits.
        """

@final
class Bot:
    """
    A bot that decides at any table, made by `cardsharp_rl.bot`.

    A bot with the same seed gives the same answers to the same questions.
    """
    def __reduce__(self, /) -> tuple[Any, ...]:
        """
        Pickles and copies how the bot was made, where possible. Its random stream starts again.
        """
    def __repr__(self, /) -> str: ...
    @staticmethod
    def _restore(of: Any, game: str | Game | None, temperature: SupportsFloat | SupportsIndex, simulations: SupportsIndex | None, threads: SupportsIndex, seed: SupportsIndex | None) -> Bot:
        """
        What `pickle` calls.
        """
    def act(self, /, batch: Batch, lanes: NDArray[bool_] | None = None) -> NDArray[uint16]:
        """
        Chooses an action in each lane of a batch.

        Parameters
        ----------
        batch : Batch
            A batch of the bot's game.
        lanes : ndarray of bool, shape (L,), optional
            The lanes in which the bot decides. None means all.

        Returns
        -------
        ndarray of uint16, shape (L,)
            The actions; 0 in other lanes and in lanes that wait.

        Raises
        ------
        ValueError
            If the batch plays another game, or `lanes` has a wrong length.
        """
    def advise(self, /, known: View | Table | Mapping[str, Any] | str) -> Advice:
        """
        Ranks all legal moves of a position.

        Parameters
        ----------
        known : View, Table, mapping or str
            The position, as for `pick`.

        Returns
        -------
        Advice
            The moves, best first, with probabilities and values; and the value of the position.

        Raises
        ------
        ValueError
            As `pick`.
        """
    @property
    def game(self, /) -> str | None:
        """
        The name of the bot's game; None if it plays any game.
        """
    @property
    def name(self, /) -> str:
        """
        The name of the bot.
        """
    def pick(self, /, known: View | Table | Mapping[str, Any] | str) -> int:
        """
        Chooses an action.

        Parameters
        ----------
        known : View, Table, mapping or str
            The position: a view, a view's JSON, or a seat's event log up to its decision. Of a table the bot sees only
            what the seat to move sees.

        Returns
        -------
        int
            A legal action.

        Raises
        ------
        ValueError
            If no seat has a decision, or the position is of another game.
        """
    def policy(self, /, observations: NDArray[uint8], action_mask: NDArray[bool_] | NDArray[int8]) -> Evaluation:
        """
        Evaluates the network for many rows at once.

        Scripted bots, searches, level 10 and players written in Python need more than rows.

        Parameters
        ----------
        observations : ndarray of uint8, shape (n, cells)
            Rows of a batch, an environment or a dataset.
        action_mask : ndarray of bool or int8, shape (n, actions)
            Their legal actions.

        Returns
        -------
        Evaluation
            The actions that `act` plays, probabilities and values. Probabilities are those of `advise`: at temperature
            0 the same as at temperature 1. A bot of action values gives its best action probability 1.

        Raises
        ------
        ValueError
            If the bot needs more than rows, shapes are wrong or a row has no legal action.
        TypeError
            If an array has a wrong type.
        """
    def reseed(self, /, seed: SupportsIndex | None | None = None) -> None:
        """
        Starts the random stream of the bot again.

        Parameters
        ----------
        seed : int, optional
            The seed. None draws one.
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
    A game: its options, observation rows and actions.

    `cardsharp_rl.game("dalmuti")` returns it. Every function that takes a game also takes its name.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __repr__(self, /) -> str: ...
    def action(self, /, label: str) -> int:
        """
        Returns the action with a label.

        Parameters
        ----------
        label : str
            The label, in the notation of the standard deck.

        Returns
        -------
        int
            The action, from 0.

        Raises
        ------
        ValueError
            If no action has this label.
        """
    @property
    def action_blocks(self, /) -> tuple[Block, ...]:
        """
        The actions as named blocks.
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
        The names of contracts that a seat can undertake; empty in a game without contracts.
        """
    @property
    def encoding(self, /) -> int:
        """
        The version of rows and actions. It rises when one of them changes its meaning.
        """
    @property
    def habits(self, /) -> tuple[str, ...]:
        """
        The names of the kinds of moves that `arena` counts for each bot.
        """
    def label(self, /, action: SupportsIndex) -> str:
        """
        Returns the label of an action.

        Parameters
        ----------
        action : int
            The action, from 0.

        Returns
        -------
        str
            The label, in the notation of the standard deck.

        Raises
        ------
        ValueError
            If there is no such action.
        """
    def labels(self, /) -> list[str]:
        """
        Returns the labels of all actions, in the notation of the standard deck.

        Returns
        -------
        list of str
            One label for each action.
        """
    @property
    def name(self, /) -> str:
        """
        The name in calls and files.
        """
    @property
    def observation(self, /) -> tuple[Block, ...]:
        """
        The cells of an observation row as named blocks.
        """
    @property
    def options(self, /) -> tuple[Option, ...]:
        """
        The options of the rules: names, values, meanings and defaults.
        """
    @property
    def players(self, /) -> range:
        """
        The possible numbers of players.
        """
    @property
    def privileged_cells(self, /) -> int:
        """
        The length of a row of hidden cards for critics; 0 in games without hidden cards.
        """
    @property
    def privileged_observation(self, /) -> tuple[Block, ...]:
        """
        The cells of a row of hidden cards as named blocks.
        """
    def random_rules(self, /, seed: SupportsIndex | None) -> dict[str, Any]:
        """
        Draws valid rules, over all options and numbers of players.

        Parameters
        ----------
        seed : int or None
            The seed. None draws one.

        Returns
        -------
        dict
            All options.
        """
    @property
    def reference(self, /) -> bool:
        """
        Whether the game serves as a reference with a known solution.
        """
    @property
    def rounds_option(self, /) -> str:
        """
        The option with the number of rounds in a session.
        """
    def rules(self, rules: Mapping[str, Any] | None = None, /, **options: "object") -> dict[str, Any]:
        """
        Validates rules and adds the defaults.

        Parameters
        ----------
        rules : mapping, optional
            Options and their values.
        **options
            Further options, as keywords.

        Returns
        -------
        dict
            All options.

        Raises
        ------
        ValueError
            If an option is unknown or refused. The message has the option and what is allowed.

        Examples
        --------
        >>> cardsharp_rl.game("dalmuti").rules(players=5)["players"]
        5
        """
    @property
    def title(self, /) -> str:
        """
        The title for people.
        """

@final
class Observer:
    """
    Reads the event log of a seat line by line, and has the view of the seat.

    `cardsharp_rl.observe` reads a whole log at once.

    Parameters
    ----------
    header : mapping or str
        The first line, as `Table.header(seat)` returns it, or its JSON.

    Raises
    ------
    ValueError
        If the line is not a valid header.
    """
    def __new__(cls, /, header: Mapping[str, Any] | str) -> Observer: ...
    def __repr__(self, /) -> str: ...
    def decide(self, /) -> View:
        """
        Returns the view at the seat's own decision, for logs without `turn` lines.

        Returns
        -------
        View
            What the seat may know.

        Raises
        ------
        ValueError
            As `view`, and if it is not the seat's turn.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    def hear(self, /, line: Mapping[str, Any] | str) -> None:
        """
        Reads the next line.

        Parameters
        ----------
        line : mapping or str
            The line, or its JSON.

        Raises
        ------
        ValueError
            If the rules do not allow this line. It is ignored then.
        """
    @property
    def lines(self, /) -> int:
        """
        The number of lines so far.
        """
    @property
    def over(self, /) -> bool:
        """
        Whether the session is over.
        """
    @property
    def seat(self, /) -> int:
        """
        The seat of the log.
        """
    def view(self, /) -> View:
        """
        Returns the view of the seat.

        Returns
        -------
        View
            What the seat may know now.

        Raises
        ------
        ValueError
            If no round is in play, or the seat does not play in it.
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
    One session with all its cards. It checks moves and takes them back.

    The same game, rules, seed and moves always give the same session.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    rules : mapping, optional
        Options of the rules. Options that are left out have their defaults.
    players : int, optional
        Number of players, instead of the option in `rules`.
    seed : int, optional
        Seed of the session. None draws one.
    deal : mapping, optional
        Cards of the first round, with fields of a trace's line `deal`. The seed deals what is left out.

    Raises
    ------
    ValueError
        If the game is unknown, or the rules or the deal are refused. The message says what is allowed.

    Examples
    --------
    >>> table = cardsharp_rl.Table("dalmuti", {"players": 5}, seed=7)
    >>> while table.turn is not None:
    ...     table.play(table.legal_actions()[0])
    >>> sorted(table.payoff.place)
    [1, 2, 3, 4, 5]
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
        Returns the action with a label. It may be illegal now.

        Parameters
        ----------
        label : str
            The label, with this round's names of cards.

        Returns
        -------
        int
            The action, from 0.

        Raises
        ------
        ValueError
            If no action has this label.
        """
    def action_mask(self, /, seat: SupportsIndex | None = None) -> NDArray[bool_]:
        """
        Returns the legal actions of a seat as flags.

        Parameters
        ----------
        seat : int, optional
            The seat. None means the seat to move.

        Returns
        -------
        ndarray of bool, shape (actions,)
            True for legal actions; all False if the seat has no decision.

        Raises
        ------
        ValueError
            As `observation`.
        """
    def change(self, /, change: str) -> None:
        """
        Lets a player join or leave before the next round.

        Parameters
        ----------
        change : str
            For example "join 4" or "leave 2".

        Raises
        ------
        ValueError
            If the game or its rules refuse the change, or this is the last round. Nothing changes then.
        """
    def copy(self, /) -> Table:
        """
        Copies the session with its past.

        Returns
        -------
        Table
            An independent copy.
        """
    def deal(self, /) -> dict[str, Any] | None:
        """
        Returns all cards that were dealt this round.

        Returns
        -------
        dict or None
            Fields of a trace's line `deal`; None before the deal.
        """
    def deal_next(self, /) -> bool:
        """
        Deals the next round.

        Returns
        -------
        bool
            False if a round is in play or the last round is over. Nothing changes then.
        """
    def determinize(self, /, seat: SupportsIndex, seed: SupportsIndex | None) -> Table:
        """
        Draws a table that agrees with what a seat may know.

        Parameters
        ----------
        seat : int
            The seat.
        seed : int or None
            The seed of hidden cards and of all later deals. None draws one.

        Returns
        -------
        Table
            A table without a past. It has no event log and cannot be pickled.

        Raises
        ------
        ValueError
            If the seat does not play this round.
        """
    def events(self, /) -> list[dict[str, Any]]:
        """
        Returns the events right after the deal or the last move, with all hidden cards.

        Returns
        -------
        list of dict
            Events as in a trace. The move is not one of them.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    def header(self, /, to: int | str, names: SupportsGetItem[int, str] | None = None) -> dict[str, Any]:
        """
        Returns the first line of an event log or trace.

        Parameters
        ----------
        to : int or str
            The seat of an event log; "everybody" for spectators; "referee" for a trace.
        names : list of str, optional
            The name of the player in each seat.

        Returns
        -------
        dict
            The line.

        Raises
        ------
        ValueError
            If there is no such seat, or the number of names is not the number of seats.
        """
    @property
    def imagined(self, /) -> bool:
        """
        Whether `determinize` made this table. It has no past then.
        """
    def label(self, /, action: SupportsIndex) -> str:
        """
        Returns the label of an action.

        Parameters
        ----------
        action : int
            The action, from 0.

        Returns
        -------
        str
            The label, with this round's names of cards.

        Raises
        ------
        ValueError
            If there is no such action.
        """
    def legal_actions(self, /) -> NDArray[uint16]:
        """
        Returns the legal actions of the seat to move.

        Returns
        -------
        ndarray of uint16
            The actions, ascending; empty when the round is over.
        """
    def moves(self, /) -> list[Move]:
        """
        Returns the legal moves of the seat to move.

        Returns
        -------
        list of Move
            Actions with their labels; empty when the round is over.
        """
    def observation(self, /, seat: SupportsIndex | None = None) -> NDArray[uint8]:
        """
        Returns the observation row of a seat.

        Parameters
        ----------
        seat : int, optional
            The seat. None means the seat to move.

        Returns
        -------
        ndarray of uint8, shape (cells,)
            The row. `Game.observation` describes its cells.

        Raises
        ------
        ValueError
            If the seat does not play this round, or `seat` is left out and the round is over.
        """
    @property
    def over(self, /) -> bool:
        """
        Whether the session is over.
        """
    @property
    def payoff(self, /) -> Payoff | None:
        """
        Places, points and rewards of the round; None while it is in play.
        """
    @property
    def phase(self, /) -> str:
        """
        The phase of the current decision.
        """
    def play(self, /, move: SupportsIndex | str) -> None:
        """
        Plays a move.

        Parameters
        ----------
        move : int or str
            The action or its label.

        Raises
        ------
        ValueError
            If the move is illegal. The message has the legal moves. Nothing changes then.
        """
    def play_forced(self, /) -> int:
        """
        Plays decisions with a single legal move, up to another decision or the end of the round.

        Returns
        -------
        int
            The number of moves.
        """
    @property
    def present(self, /) -> list[int]:
        """
        The seats that play this round, ascending.
        """
    def record(self, /, to: int | str, names: SupportsGetItem[int, str] | None = None) -> str:
        """
        Returns all lines so far as text, the header first.

        Parameters
        ----------
        to : int or str
            A seat for its event log; "everybody" for the log of spectators; "referee" for the trace.
        names : list of str, optional
            The name of the player in each seat.

        Returns
        -------
        str
            JSON lines.

        Raises
        ------
        ValueError
            As `header`.
        """
    @staticmethod
    def replay(trace: str) -> Table:
        """
        Plays a trace again, up to its end, and checks each line.

        Parameters
        ----------
        trace : str
            The trace, as `record("referee")` returns it.

        Returns
        -------
        Table
            The session at the end of the trace.

        Raises
        ------
        ValueError
            If a line differs from what the rules give. The message has both.
        """
    @property
    def round(self, /) -> int:
        """
        The number of the round, from 1.
        """
    @property
    def rules(self, /) -> dict[str, Any]:
        """
        The rules, all options.
        """
    @property
    def seats(self, /) -> int:
        """
        The number of seats in the session.
        """
    @property
    def seed(self, /) -> int:
        """
        The seed of the session.
        """
    def standing(self, /) -> dict[str, Any]:
        """
        Returns the scores so far.

        Returns
        -------
        dict
            Ranks and scores of all seats.
        """
    @property
    def steps(self, /) -> int:
        """
        The number of moves, deals and changes of players so far. `undo` takes back one of them.
        """
    def lines(self, /, step: SupportsIndex, to: int | str) -> list[dict[str, Any]]:
        """
        Returns the lines of one step.

        Parameters
        ----------
        step : int
            The number of the step; 0 is the start of the session.
        to : int or str
            The reader: a seat, "everybody" or "referee".

        Returns
        -------
        list of dict
            The lines.

        Raises
        ------
        ValueError
            If there is no such seat.
        """
    @property
    def turn(self, /) -> int | None:
        """
        The seat to move; None when the round is over.
        """
    def undo(self, /) -> bool:
        """
        Takes back the last move, deal or change of players.

        Returns
        -------
        bool
            False if there is none.
        """
    def view(self, /, seat: SupportsIndex | None = None) -> View:
        """
        Returns the view of a seat.

        Parameters
        ----------
        seat : int, optional
            The seat. None means the seat to move.

        Returns
        -------
        View
            What the seat may know.

        Raises
        ------
        ValueError
            As `observation`.
        """

@final
class View:
    """
    What one seat may know. Bots and observation rows depend on nothing else.

    Two views are equal if they show the same.

    Parameters
    ----------
    json : mapping or str
        The view as `View.json` returns it, or its JSON.

    Raises
    ------
    ValueError
        If no session can reach this view.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __new__(cls, /, json: Mapping[str, Any] | str) -> View: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def action_mask(self, /) -> NDArray[bool_]:
        """
        Returns the legal actions as flags.

        Returns
        -------
        ndarray of bool, shape (actions,)
            True for legal actions; all False if the seat has no decision.
        """
    @property
    def game(self, /) -> str:
        """
        The name of the game.
        """
    def json(self, /) -> dict[str, Any]:
        """
        Returns the view as a dictionary.

        Returns
        -------
        dict
            The fields that `views.md` of the game describes.
        """
    def label(self, /, action: SupportsIndex) -> str:
        """
        Returns the label of an action.

        Parameters
        ----------
        action : int
            The action, from 0.

        Returns
        -------
        str
            The label, with the seat's names of cards.

        Raises
        ------
        ValueError
            If there is no such action.
        """
    def legal_actions(self, /) -> NDArray[uint16]:
        """
        Returns the legal actions.

        Returns
        -------
        ndarray of uint16
            The actions, ascending; empty if the seat has no decision.
        """
    def moves(self, /) -> list[Move]:
        """
        Returns the legal moves.

        Returns
        -------
        list of Move
            Actions with their labels; empty if the seat has no decision.
        """
    def observation(self, /) -> NDArray[uint8]:
        """
        Returns the observation row.

        Returns
        -------
        ndarray of uint8, shape (cells,)
            The row. `Game.observation` describes its cells.
        """
    def picture(self, /) -> str:
        """
        Returns the view as text for people, with drawn cards.

        Returns
        -------
        str
            Several lines.
        """
    @property
    def seat(self, /) -> int:
        """
        The seat of the view.
        """
    def text(self, /) -> str:
        """
        Returns the view as a text that is equal for equal views.

        Returns
        -------
        str
            One text for each content of a view.
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

def begin(table: Table, seed: SupportsIndex | None) -> Table:
    """
    Begins a session by the rules of `table` and this seed.
    """

def blake3(data: bytes) -> str:
    """
    The BLAKE3 sum of some bytes, in hexadecimal: the one that files of networks carry.
    """

def bot(bot: Any, game: str | Game | None = None, *, temperature: SupportsFloat | SupportsIndex = 0.0, simulations: SupportsIndex | None = None, threads: SupportsIndex = 1, seed: SupportsIndex | None | None = None) -> Bot:
    """
    Opens a bot.

    Parameters
    ----------
    bot : str, path, Bot or player
        A name: "random", "scripted", "cautious" or "aggressive". A search: "search", "search:400" (playouts for each
        decision), "search:50ms" or "search:200+PATH" (with a network). The bot that ships for a game: "dalmuti", or
        "dalmuti@5" at one of its levels. The path of a bundle, a checkpoint or a bot file. Or a player written in Python:
        a function `f(observations, action_mask)`, an object with `act(observations, action_mask)` or `pick(view)`, or a
        class of such objects.
    game : str or Game, optional
        The game. It can be left out if the name has it.
    temperature : float, default 0
        How networks choose: 0 the most probable action, 1 by their probabilities.
    simulations : int, optional
        Playouts of searches whose name has no number.
    threads : int, default 1
        Threads of a search.
    seed : int, optional
        Seed of the random stream. None draws one.

    Returns
    -------
    Bot
        The bot.

    Raises
    ------
    ValueError
        If there is no such bot, or it plays another game.
    FileNotFoundError
        If a folder has no network.
    TypeError
        If the argument is neither a name nor a player.

    Examples
    --------
    >>> bot = cardsharp_rl.bot("taki")
    >>> table = cardsharp_rl.Table("taki", seed=3)
    >>> bot.pick(table) in table.legal_actions()
    True
    """

def bots(game: str | Game | None = None) -> list[str]:
    """
    Lists the bots that play a game.

    Parameters
    ----------
    game : str or Game, optional
        The game. None means all games.

    Returns
    -------
    list of str
        Names for `bot`: rules, searches, the bots that ship with their levels, and those that
        `cardsharp bots get` installed.

    Examples
    --------
    >>> "scripted" in cardsharp_rl.bots("taki")
    True
    """

def enumerate_deals(game: str | Game, rules: Mapping[str, Any] | None = None) -> list[tuple[float, dict[str, Any]]]:
    """
    Lists all deals of a session's first round.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    rules : mapping, optional
        Options of the rules.

    Returns
    -------
    list of (float, dict)
        The probability of each deal, and the deal for `Table(game, rules, deal=...)`.

    Raises
    ------
    ValueError
        If the game has too many deals.

    Examples
    --------
    >>> len(cardsharp_rl.enumerate_deals("kuhn"))
    6
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
    Returns the game with a name.

    Parameters
    ----------
    name : str
        The name, as in `games`.

    Returns
    -------
    Game
        The game.

    Raises
    ------
    ValueError
        If there is no such game. The message lists all games.
    """

def games(reference: bool = False) -> list[Game]:
    """
    Lists the games.

    Parameters
    ----------
    reference : bool, default False
        Whether to include games that serve as references with a known solution.

    Returns
    -------
    list of Game
        The games.
    """

def load_numpy() -> None:
    """
    What `import cardsharp_rl` calls: loads the interface of numpy, so that a signal becomes an exception. The crate `numpy`
    loads it with the first array otherwise, and panics if a signal is pending then.
    """

def observe(record: str) -> View:
    """
    Reads the event log of a seat.

    Parameters
    ----------
    record : str
        All lines of the log (JSON lines), up to the seat's decision or another moment at which it has a view.

    Returns
    -------
    View
        What the seat may know after the last line.

    Raises
    ------
    ValueError
        If the rules do not allow a line, or the seat has no view then.
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

def play_on(table: Table, action: SupportsIndex, skip_forced: bool) -> tuple[int, NDArray[int8]] | None:
    """
    Plays an action, then, with `skip_forced`, decisions with a single legal action. Returns the seat that must decide and
    its legal actions (int8, [actions]); None when the round is over.

    Raises ValueError or TypeError as `Table.play` does; then nothing was played.
    """

def play_others(table: Table, seat: SupportsIndex, bots: SupportsGetItem[int, Bot], skip_forced: bool) -> bool:
    """
    Plays the other seats until `seat` must decide or the round is over. `bots` are those of the seats after it, clockwise;
    one bot may have several. With `skip_forced` decisions with a single legal action are played, too. Returns whether
    `seat` must decide.

    Other threads and signals wait meanwhile, so the bots must be quick.
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

def spiel_mask(table: Table, list: list[int]) -> NDArray[Any]:
    """
    The legal actions of the seat that must decide, 1 for each, as OpenSpiel's mask. Fills `list`, which has one 0, and
    returns the same numbers as an array.
    """

def spiel_tensor(table: Table, seat: SupportsIndex, seats: SupportsIndex, list: list[float]) -> NDArray[Any]:
    """
    OpenSpiel's observation tensor: the seat one-hot among `seats`, and its row with each cell divided by its maximum. Fills
    `list`, which has one 0, and returns the same numbers as an array.
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
