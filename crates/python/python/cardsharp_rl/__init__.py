"""Card games for several players: environments for learning, bots to learn from, and a trainer.

    >>> import cardsharp_rl
    >>> [game.name for game in cardsharp_rl.games()]
    ['tahimi', 'dalmuti', 'taki', 'tachtigen']

A session at a table
    `Table` has all cards, checks moves and takes them back. A `View` is what one seat may know. Bots, rows and masks
    are made of nothing else. `Observer` and `observe` make a view from the event log of a seat.

    >>> table = cardsharp_rl.Table("taki", {"players": 3}, seed=1)
    >>> table.play(cardsharp_rl.bot("taki").pick(table))

Many sessions at once
    `Batch` has rows (uint8) and masks (bool) of many lanes as arrays, millions of decisions a second.

    >>> batch = cardsharp_rl.Batch("dalmuti", 64, seed=1)
    >>> step = batch.step(batch.sample())

Bots
    `bot` opens one by name or path; functions and classes of your own are bots, too. `arena` says how strong they are.

    >>> print(cardsharp_rl.arena("taki", ["taki", "scripted"], num_deals=16))  # doctest: +SKIP

Training
    `train` is self-play from a configuration. `exploit` trains a player against a frozen bot. `solve` solves small
    games exactly. `export` writes a bundle, which every front end plays, and `verify` checks it. `export_mlp` makes a
    bundle of a network from another library.

    >>> cardsharp_rl.solve("leduc", "random").strategies[0].exploitability  # doctest: +SKIP
    2.3736111111111113

Data, and networks of other libraries
    `cardsharp_rl.datasets` writes sessions as Parquet and reads them by episodes; `cardsharp_rl.policies` seats
    modules of torch and models for onnxruntime.

Many machines
    The package `cardsharp-ray` (import `cardsharp_ray`) runs `train`, `arena` and `exploit` on a Ray cluster, to the
    same bytes.

Other interfaces
    `cardsharp_rl.pettingzoo`, `cardsharp_rl.gymnasium` and `cardsharp_rl.openspiel` have the games as these libraries
    expect them.
"""

from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any

from cardsharp_rl import _core
from cardsharp_rl._arena import Actor, BotLike, Picker, WorkerPool, arena
from cardsharp_rl._core import Batch, Bot, Game, Observer, Table, View, bot, bots, enumerate_deals, game, games, observe
from cardsharp_rl._picking import sample_logits, uniform
from cardsharp_rl._report import BotReport, Contract, Fault, Faults, Habit, HeadToHead, Interval, Report, report
from cardsharp_rl._training import (
    Exploited,
    Iteration,
    Run,
    Solution,
    Strategy,
    Tried,
    Verified,
    exploit,
    export,
    solve,
    train,
    verify,
)
from cardsharp_rl._types import Advice, Block, Evaluation, Move, Option, Payoff, Ranked, Step, TrainingDiverged
from cardsharp_rl.exporting import export_mlp, mlp_file

__all__ = [
    "Advice",
    "Batch",
    "Block",
    "Bot",
    "BotLike",
    "BotReport",
    "TrainingDiverged",
    "Actor",
    "Contract",
    "Evaluation",
    "WorkerPool",
    "Exploited",
    "Fault",
    "Faults",
    "Game",
    "Habit",
    "Interval",
    "Iteration",
    "HeadToHead",
    "Move",
    "Observer",
    "Option",
    "Payoff",
    "Picker",
    "Ranked",
    "Report",
    "Run",
    "Solution",
    "Step",
    "Strategy",
    "Table",
    "Tried",
    "Verified",
    "View",
    "arena",
    "bot",
    "bots",
    "enumerate_deals",
    "exploit",
    "export",
    "export_mlp",
    "game",
    "games",
    "mlp_file",
    "observe",
    "report",
    "sample_logits",
    "solve",
    "train",
    "uniform",
    "verify",
]

_core.load_numpy()

__version__ = metadata.version("cardsharp-rl")

if TYPE_CHECKING:
    from cardsharp_rl import datasets as datasets
    from cardsharp_rl import gymnasium as gymnasium
    from cardsharp_rl import openspiel as openspiel
    from cardsharp_rl import pettingzoo as pettingzoo
    from cardsharp_rl import policies as policies
    from cardsharp_rl import sb3 as sb3

#: Modules that need packages of their own, and are loaded with their first use.
_MODULES = ("datasets", "gymnasium", "openspiel", "pettingzoo", "policies", "sb3")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
