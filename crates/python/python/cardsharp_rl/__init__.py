"""Card games for several players: environments for learning, bots to learn from, and a trainer.

    >>> import cardsharp_rl
    >>> [game.name for game in cardsharp_rl.games()]
    ['tahimi', 'dalmuti', 'taki', 'tachtigen']

A session at a table
    `Table` knows everything, checks moves and takes them back. A seat knows its `View`, and nothing else: all that bots,
    rows and masks are made of. `Observer` and `observe` make it from the seat's record, for whoever sits elsewhere.

    >>> table = cardsharp_rl.Table("taki", {"players": 3}, seed=1)
    >>> table.play(cardsharp_rl.bot("taki").pick(table))

Many sessions at once
    `Batch` has rows (uint8) and masks (bool) of many lanes as arrays, millions of decisions a second.

    >>> batch = cardsharp_rl.Batch("dalmuti", 64, seed=1)
    >>> step = batch.step(batch.sample())

Bots
    `bot` opens one by name or path; functions and classes of your own are bots, too. `arena` says how strong they are.

    >>> print(cardsharp_rl.arena("taki", ["taki", "scripted"], deals=16))  # doctest: +SKIP

Training
    `train` is self-play from a configuration, `exploit` a player against a frozen bot, `solve` small games exactly;
    `export` and `verify` are for bundles, which every front end plays; `export_mlp` makes one of a network from elsewhere.

    >>> cardsharp_rl.solve("leduc", "random").strategies[0].exploitability  # doctest: +SKIP
    2.3736111111111113

Data, and networks of other libraries
    `cardsharp_rl.datasets` writes sessions as Parquet and reads them by episodes; `cardsharp_rl.policies` seats
    modules of torch and models for onnxruntime.

Many machines
    The package `cardsharp-ray` (import `cardsharp_ray`) runs `train`, `arena` and `exploit` on a Ray cluster, to the
    same bytes.

Other interfaces
    `cardsharp_rl.pettingzoo`, `cardsharp_rl.gymnasium`, `cardsharp_rl.openspiel`: the same games as those libraries have theirs.
"""

from cardsharp_rl._arena import BotLike, Chooser, Crew, Picker, arena
from cardsharp_rl._core import Batch, Bot, Game, Observer, Table, View, bot, deals, game, games, observe
from cardsharp_rl._picking import sample_logits, uniform
from cardsharp_rl._report import BotReport, Contract, Fault, Faults, Habit, Interval, Meeting, Report, report
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
from cardsharp_rl._types import Advice, Block, CannotLearn, Evaluation, Move, Option, Payoff, Ranked, Step
from cardsharp_rl.exporting import export_mlp, mlp_file

__all__ = [
    "Advice",
    "Batch",
    "Block",
    "Bot",
    "BotLike",
    "BotReport",
    "CannotLearn",
    "Chooser",
    "Contract",
    "Crew",
    "Evaluation",
    "Exploited",
    "Fault",
    "Faults",
    "Game",
    "Habit",
    "Interval",
    "Iteration",
    "Meeting",
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
    "deals",
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
