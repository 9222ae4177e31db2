"""What contests found, as dataclasses that turn into tables."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval, resampled by deal.

    Attributes
    ----------
    mean : float
        The estimate.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    """

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ({self.low:+.3f} … {self.high:+.3f})"


@dataclass(frozen=True)
class Contract:
    """How often a bot undertook one kind of contract, and the results.

    Attributes
    ----------
    name : str
        The contract, as in `Game.contracts`.
    count : int
        Rounds in which the bot undertook it.
    share : float
        Share of the bot's rounds in which it was undertaken, 0 to 1.
    made : float
        Share of them that were made, 0 to 1.
    points : float
        Mean points of who undertook them.
    """

    name: str
    count: int
    share: float
    made: float
    points: float


@dataclass(frozen=True)
class Habit:
    """How often a bot made moves of one kind.

    Attributes
    ----------
    name : str
        The kind of move, as in `Game.habits`.
    count : int
        Number of such moves.
    share : float
        Share of the bot's decisions, 0 to 1.
    per_round : float
        How many per round and seat that it held.
    """

    name: str
    count: int
    share: float
    per_round: float


@dataclass(frozen=True)
class Faults:
    """What a program did instead of naming a legal move in time; each time a move was drawn at random.

    Attributes
    ----------
    illegal : int
        Answers that name an illegal move, or that are an error message.
    late : int
        Timeouts.
    broken : int
        Decisions at which the program did not start, had ended, or wrote an invalid line.
    given_up : int
        Decisions for which it was no longer asked, after 3 failures in a row.
    """

    illegal: int
    late: int
    broken: int
    given_up: int


@dataclass(frozen=True)
class Fault:
    """The first exchange in which a program failed.

    Attributes
    ----------
    problem : str
        What went wrong.
    sent : str or None
        The line that it was to answer; None if it did not start.
    answer : str or None
        The line that it wrote instead of a legal move.
    ended : str or None
        How its process ended, if it did.
    stderr : tuple of str
        The last lines that it wrote to standard error.
    """

    problem: str
    sent: str | None = None
    answer: str | None = None
    ended: str | None = None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True)
class BotReport:
    """How one bot did. Means are per round and seat that it held.

    Attributes
    ----------
    name : str
        The name of the bot in the contest.
    place_score : Interval
        1 always first, 0 as good as the others, -1 always last.
    first_rate : Interval
        Share of first places, 0 to 1.
    points : Interval
        Points by the game's scoring.
    points_ahead : Interval
        Points less the mean of the other seats' in the same round.
    places : tuple of float
        Share of each place, best first; together 1.
    contracts : tuple of Contract
        One entry for each kind of contract; empty in games without them.
    decisions : int or None
        Decisions with a choice, where habits were asked for.
    habits : tuple of Habit
        One entry for each kind of move; empty where habits were not asked for.
    num_deals : int or None
        Deals in which it sat at the table; in a round robin.
    rating : Interval or None
        400 points are odds of ten to one; in a round robin.
    ms_per_move : (float, float) or None
        Median and 99th percentile of the time per move, in milliseconds.
    faults : Faults or None
        Of a program (`exec:`): what it did wrong.
    first_fault : Fault or None
        The first exchange in which the program failed; None without one.
    """

    name: str
    place_score: Interval
    first_rate: Interval
    points: Interval
    points_ahead: Interval
    places: tuple[float, ...]
    contracts: tuple[Contract, ...]
    decisions: int | None
    habits: tuple[Habit, ...]
    num_deals: int | None
    rating: Interval | None
    ms_per_move: tuple[float, float] | None
    faults: Faults | None = None
    first_fault: Fault | None = None


@dataclass(frozen=True)
class HeadToHead:
    """How one bot did against another one in a round robin.

    Attributes
    ----------
    mean : Interval
        Mean of 1 where it was placed ahead, 0 where they shared a place, -1 where it was placed behind.
    num_deals : int
        Deals in which both sat at the table.
    """

    mean: Interval
    num_deals: int


@dataclass(frozen=True)
class Report:
    """The result of a contest. Every deal was played from every seat.

    Attributes
    ----------
    game : str
        The name of the game.
    players : int
        Players at the table.
    rules : dict
        All options.
    num_deals : int
        Deals that were played, each from every seat.
    rounds : int
        Rounds in a session, the most that one had.
    seed : int
        The seed of the deals.
    bots : tuple of BotReport
        One report for each bot, in the order in which they were named.
    cross_play : tuple of tuple of HeadToHead or None or None
        How the bot of the row did against that of the column, in a round robin. None where they never met.
    decision : str or None
        "stronger", "weaker" or "unknown", of a sequential test.
    json : dict
        The results, as `cardsharp arena --json` prints it.
    """

    game: str
    players: int
    rules: dict[str, Any]
    num_deals: int
    rounds: int
    seed: int
    bots: tuple[BotReport, ...]
    cross_play: tuple[tuple[HeadToHead | None, ...], ...] | None
    decision: str | None
    json: dict[str, Any]

    def __getitem__(self, name: str) -> BotReport:
        """Returns the report of the bot with this name.

        Raises
        ------
        KeyError
            If there is no such bot. The message lists all bots.
        """
        for bot in self.bots:
            if bot.name == name:
                return bot
        raise KeyError(f"no bot {name!r}: there are {', '.join(repr(bot.name) for bot in self.bots)}")

    def frame(self) -> pandas.DataFrame:
        """Returns the results as a table.

        Returns
        -------
        pandas.DataFrame
            One row for each bot: means, ends of their intervals, and shares of places.
        """
        import pandas

        rows = []
        for bot in self.bots:
            row: dict[str, Any] = {"bot": bot.name}
            for name in ("place_score", "first_rate", "points", "points_ahead", "rating"):
                figure = getattr(bot, name)
                if figure is not None:
                    row |= {name: figure.mean, f"{name}_low": figure.low, f"{name}_high": figure.high}
            row |= {f"place_{place + 1}": share for place, share in enumerate(bot.places)}
            if bot.ms_per_move is not None:
                row |= {"ms_p50": bot.ms_per_move[0], "ms_p99": bot.ms_per_move[1]}
            rows.append(row)
        return pandas.DataFrame(rows).set_index("bot")

    def habits(self) -> pandas.DataFrame:
        """Returns the kinds of moves as a table.

        Returns
        -------
        pandas.DataFrame
            One row for each bot and kind of move; empty without `habits=True`.
        """
        import pandas

        rows = [{"bot": bot.name} | dataclasses.asdict(habit) for bot in self.bots for habit in bot.habits]
        return pandas.DataFrame(rows, columns=["bot", "name", "count", "share", "per_round"])

    def crosses(self) -> pandas.DataFrame:
        """Returns the results of a round robin by pairs.

        Returns
        -------
        pandas.DataFrame
            `HeadToHead.mean` of the bot in the row against the bot in the column; NaN if they never met.

        Raises
        ------
        ValueError
            If the contest was no round robin.
        """
        import pandas

        if self.cross_play is None:
            raise ValueError("cross-play is known of round robins only: pass round_robin=True")
        names = [bot.name for bot in self.bots]
        cells = [[meeting.mean.mean if meeting else float("nan") for meeting in row] for row in self.cross_play]
        return pandas.DataFrame(cells, index=names, columns=names)

    def __str__(self) -> str:
        title = f"{self.game}: {self.players} players, {self.num_deals} deals from every seat, {self.rounds} round(s) a session"
        width = max(len(bot.name) for bot in self.bots)
        lines = [
            f"  {bot.name:{width}}  place score {bot.place_score}, first {100 * bot.first_rate.mean:.1f} %"
            for bot in self.bots
        ]
        failed = [
            f"  {bot.name} failed: {bot.faults}; first: {bot.first_fault.problem}"
            for bot in self.bots
            if bot.faults and bot.first_fault
        ]
        return "\n".join([title, *lines, *failed])


def _interval(value: dict[str, float] | None) -> Interval | None:
    return None if value is None else Interval(**value)


def _bot(value: dict[str, Any]) -> BotReport:
    habits = value.get("habits")
    time = value.get("ms_per_move")
    return BotReport(
        name=value["name"],
        place_score=Interval(**value["place_score"]),
        first_rate=Interval(**value["first_rate"]),
        points=Interval(**value["points"]),
        points_ahead=Interval(**value["points_ahead"]),
        places=tuple(value["places"]),
        contracts=tuple(Contract(**contract) for contract in value.get("contracts", ())),
        decisions=habits and habits["decisions"],
        habits=tuple(Habit(**habit) for habit in habits["kinds"]) if habits else (),
        num_deals=value.get("deals"),
        rating=_interval(value.get("rating")),
        ms_per_move=time and (time["p50"], time["p99"]),
        faults=Faults(**value["faults"]) if "faults" in value else None,
        first_fault=_fault(value.get("first_fault")),
    )


def _fault(value: dict[str, Any] | None) -> Fault | None:
    if value is None:
        return None
    fields = {name: field for name, field in value.items() if name != "stderr"}
    return Fault(**fields, stderr=tuple(value.get("stderr", ())))


def report(value: dict[str, Any]) -> Report:
    """Reads a report from JSON.

    Parameters
    ----------
    value : dict
        The output of `cardsharp arena --json`, or the content of a bundle's `arena.json`.

    Returns
    -------
    Report
        The report.
    """
    crosses = value.get("round_robin", {}).get("cross_play")
    return Report(
        game=value["game"],
        players=value["players"],
        rules=value["rules"],
        num_deals=value["deals"],
        rounds=value["rounds"],
        seed=value["seed"],
        bots=tuple(_bot(bot) for bot in value["bots"]),
        cross_play=crosses
        and tuple(
            tuple(meeting and HeadToHead(Interval(**meeting["ahead"]), meeting["deals"]) for meeting in row)
            for row in crosses
        ),
        decision=value.get("sprt", {}).get("decision"),
        json=value,
    )
