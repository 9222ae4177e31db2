"""Records: what functions of the package give."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import numpy.typing


class Block(NamedTuple):
    """A named run of cells of a row, or of actions."""

    name: str
    #: The first cell or action.
    offset: int
    #: How many there are.
    len: int
    #: The largest value of a cell; 1 for actions.
    max: int
    meaning: str


class Option(NamedTuple):
    """An option of a game's rules."""

    name: str
    #: What may be given, in words.
    values: str
    meaning: str
    default: Any


class Move(NamedTuple):
    """A move: the number of its action, and its name as cards are named in the round."""

    action: int
    label: str


class Payoff(NamedTuple):
    """What a round was worth, an entry for each seat of the session."""

    #: Finishing places, 1 is best; 0 of a seat that sat the round out.
    place: tuple[int, ...]
    #: Points of the game's own scoring.
    points: tuple[int, ...]
    #: What a learner maximises.
    reward: tuple[float, ...]


class Ranked(NamedTuple):
    """A move and how much a bot likes it."""

    action: int
    label: str
    #: How probable it is that the bot plays it; all moves together have 1.
    probability: float
    #: The return that the seat can expect of it, where the bot estimates that.
    value: float | None


class Advice(NamedTuple):
    """What a bot thinks of a position."""

    #: The return that the seat can expect, if the bot estimates it.
    value: float | None
    #: Every legal move, the best first.
    moves: list[Ranked]


class Evaluation(NamedTuple):
    """What a bot plays and expects at n decisions."""

    #: The action that it plays, uint16 [n].
    actions: numpy.typing.NDArray[numpy.uint16]
    #: The probability of every action, float32 [n, actions]; 0 for illegal ones.
    probabilities: numpy.typing.NDArray[numpy.float32]
    #: The return that the seat can expect, float32 [n].
    values: numpy.typing.NDArray[numpy.float32]


class CannotLearn(RuntimeError):
    """A run of this configuration cannot go on, however often it is tried: its weights are no longer numbers, or its sessions have
    no decision to learn from."""


class Step(NamedTuple):
    """What a batch shows of its lanes after a step: L lanes, S the most seats of a session."""

    #: Observation rows of the seats that decide, [L, cells].
    rows: numpy.typing.NDArray[numpy.uint8]
    #: Their legal actions, [L, actions]; none in a lane that waits.
    legal: numpy.typing.NDArray[numpy.bool_]
    #: Who decides, [L].
    seat: numpy.typing.NDArray[numpy.uint8]
    #: What the rounds that ended with this step were worth to each seat, [L, S]; else 0.
    reward: numpy.typing.NDArray[numpy.float32]
    #: Whether a round ended with this step, [L].
    round_over: numpy.typing.NDArray[numpy.bool_]
    #: Whether the session ended with this step, [L]. What is shown besides is of the next one, which has begun.
    done: numpy.typing.NDArray[numpy.bool_]
    #: Sums of the session's rewards so far, [L, S]; where `done`, of the whole session that ended.
    returns: numpy.typing.NDArray[numpy.float32]
    #: Finishing places in the round that ended with this step, 1 is best, [L, S]; 0 for seats that sat it out, and
    #: where none ended.
    place: numpy.typing.NDArray[numpy.uint8]
    #: Its points by the game's scoring, [L, S]; else 0.
    points: numpy.typing.NDArray[numpy.int32]
    #: Which of the batch's rules the lane's session is played by, [L].
    rules: numpy.typing.NDArray[numpy.uint16]
    #: The hidden cards that a critic may see, [L, hidden_cells]; no columns unless asked for.
    hidden: numpy.typing.NDArray[numpy.uint8]
