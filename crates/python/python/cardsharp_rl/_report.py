"""What contests found, as dataclasses that turn into tables."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval, resampled by deal."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ({self.low:+.3f} … {self.high:+.3f})"


@dataclass(frozen=True)
class Contract:
    """How often a bot undertook one kind of contract, and what came of it."""

    name: str
    count: int
    #: Share of the bot's rounds in which it was undertaken, 0 to 1.
    share: float
    #: Share of them that were made, 0 to 1.
    made: float
    #: Mean points of who undertook them.
    points: float


@dataclass(frozen=True)
class Habit:
    """How often a bot made moves of one kind."""

    name: str
    count: int
    #: Share of the bot's decisions, 0 to 1.
    share: float
    #: How many per round and seat that it held.
    per_round: float


@dataclass(frozen=True)
class Faults:
    """What a program did instead of naming a legal move in time; each time a move was drawn at random."""

    illegal: int
    late: int
    broken: int
    given_up: int


@dataclass(frozen=True)
class Fault:
    """The first exchange in which a program failed."""

    problem: str
    #: The line that it was to answer; None if it did not start.
    sent: str | None = None
    #: The line that it wrote instead of a legal move.
    answer: str | None = None
    #: How its process ended, if it did.
    ended: str | None = None
    #: The last lines that it wrote to standard error.
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True)
class BotReport:
    """How one bot did. Means are per round and seat that it held."""

    name: str
    #: 1 always first, 0 as good as the others, -1 always last.
    place_score: Interval
    #: Share of first places, 0 to 1.
    first_rate: Interval
    #: Points by the game's scoring.
    points: Interval
    #: Points less the mean of the other seats' in the same round.
    points_ahead: Interval
    #: Share of each place, best first; together 1.
    places: tuple[float, ...]
    contracts: tuple[Contract, ...]
    #: Decisions with a choice, where habits were asked for.
    decisions: int | None
    habits: tuple[Habit, ...]
    #: Deals in which it sat at the table; in a round robin.
    deals: int | None
    #: 400 points are odds of ten to one; in a round robin.
    rating: Interval | None
    #: Median and 99th percentile of the time per move, in milliseconds.
    ms_per_move: tuple[float, float] | None
    #: Of a program (`exec:`): what it did wrong.
    faults: Faults | None = None
    first_fault: Fault | None = None


@dataclass(frozen=True)
class Meeting:
    """How one bot did against another one in a round robin."""

    #: Mean of 1 where it was placed ahead, 0 where they shared a place, -1 where it was placed behind.
    ahead: Interval
    #: Deals in which both sat at the table.
    deals: int


@dataclass(frozen=True)
class Report:
    """The result of a contest. Every deal was played from every seat."""

    game: str
    players: int
    #: All options.
    rules: dict[str, Any]
    deals: int
    #: Rounds in a session, the most that one had.
    rounds: int
    seed: int
    bots: tuple[BotReport, ...]
    #: Round robin: how the bot of the row did against that of the column; None where they never met.
    cross_play: tuple[tuple[Meeting | None, ...], ...] | None
    #: "stronger", "weaker" or "unknown", of a contest that went on until it knew.
    decision: str | None
    #: All that was found, as `cardsharp arena --json` prints it.
    json: dict[str, Any]

    def __getitem__(self, name: str) -> BotReport:
        """The bot of this name. Raises KeyError, which names those there are."""
        for bot in self.bots:
            if bot.name == name:
                return bot
        raise KeyError(f"no bot {name!r}: there are {', '.join(repr(bot.name) for bot in self.bots)}")

    def frame(self) -> pandas.DataFrame:
        """A row for each bot, in the order that they were named: figures, ends of their intervals, places."""
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
        """A row for each bot and kind of move. Empty where habits were not asked for."""
        import pandas

        rows = [{"bot": bot.name} | dataclasses.asdict(habit) for bot in self.bots for habit in bot.habits]
        return pandas.DataFrame(rows, columns=["bot", "name", "count", "share", "per_round"])

    def crosses(self) -> pandas.DataFrame:
        """Round robin: how the bot of the row did against that of the column (`Meeting.ahead`); NaN where they never met.

        Raises ValueError for a contest that was none.
        """
        import pandas

        if self.cross_play is None:
            raise ValueError("cross-play is known of round robins only: pass round_robin=True")
        names = [bot.name for bot in self.bots]
        cells = [[meeting.ahead.mean if meeting else float("nan") for meeting in row] for row in self.cross_play]
        return pandas.DataFrame(cells, index=names, columns=names)

    def __str__(self) -> str:
        title = (
            f"{self.game}: {self.players} players, {self.deals} deals from every seat, {self.rounds} round(s) a session"
        )
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
        deals=value.get("deals"),
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
    """A report as dataclasses, from the JSON of `cardsharp arena --json`, of a bundle's `arena.json` or of a run."""
    crosses = value.get("round_robin", {}).get("cross_play")
    return Report(
        game=value["game"],
        players=value["players"],
        rules=value["rules"],
        deals=value["deals"],
        rounds=value["rounds"],
        seed=value["seed"],
        bots=tuple(_bot(bot) for bot in value["bots"]),
        cross_play=crosses
        and tuple(
            tuple(meeting and Meeting(Interval(**meeting["ahead"]), meeting["deals"]) for meeting in row)
            for row in crosses
        ),
        decision=value.get("sprt", {}).get("decision"),
        json=value,
    )
