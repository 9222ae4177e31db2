"""Records: what functions of the package give."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import numpy.typing


class Block(NamedTuple):
    """A named run of cells of a row, or of actions.

    Attributes:
        name: The name of the block, as in `encodings.md` of the game.
        offset: The first cell or action.
        len: How many there are.
        max: The largest value of a cell; 1 for actions.
        meaning: What its cells or actions mean.
    """

    name: str
    offset: int
    len: int
    max: int
    meaning: str


class Option(NamedTuple):
    """An option of a game's rules.

    Attributes:
        name: The key in `rules`.
        values: What may be given, in words.
        meaning: What the option changes.
        default: Its value if it is left out.
    """

    name: str
    values: str
    meaning: str
    default: Any


class Move(NamedTuple):
    """A move: the number of its action, and its name as cards are named in the round.

    Attributes:
        action: The number of the action.
        label: The name of the action, as cards are named this round.
    """

    action: int
    label: str


class Payoff(NamedTuple):
    """What a round was worth, an entry for each seat of the session.

    Attributes:
        place: Finishing places, 1 is best; 0 of a seat that sat the round out.
        points: Points of the game's own scoring.
        reward: What a learner maximises.
    """

    place: tuple[int, ...]
    points: tuple[int, ...]
    reward: tuple[float, ...]


class Ranked(NamedTuple):
    """A move and how much a bot likes it.

    Attributes:
        action: The number of the action.
        label: The name of the action, as cards are named this round.
        probability: How probable it is that the bot plays it; all moves together have 1.
        value: The return that the seat can expect of it, where the bot estimates that.
    """

    action: int
    label: str
    probability: float
    value: float | None


class Advice(NamedTuple):
    """What a bot thinks of a position.

    Attributes:
        value: The return that the seat can expect, if the bot estimates it.
        moves: Every legal move, the best first.
    """

    value: float | None
    moves: list[Ranked]


class Evaluation(NamedTuple):
    """What a bot plays and expects at n decisions.

    Attributes:
        actions: The action that it plays, uint16 [n].
        probabilities: The probability of every action, float32 [n, actions]; 0 for illegal ones.
        values: The return that the seat can expect, float32 [n].
    """

    actions: numpy.typing.NDArray[numpy.uint16]
    probabilities: numpy.typing.NDArray[numpy.float32]
    values: numpy.typing.NDArray[numpy.float32]


class TrainingDiverged(RuntimeError):
    """A run of this configuration cannot go on, however often it is tried: its weights are no longer numbers, or its
    sessions have no decision to learn from."""


class Step(NamedTuple):
    """What a batch shows of its lanes after a step: L lanes, S the most seats of a session.

    Attributes:
        observations: Observation rows of the seats that decide, [L, cells].
        action_mask: Their legal actions, [L, actions]; none in a lane that waits.
        seat: Who decides, [L].
        reward: What the rounds that ended with this step were worth to each seat, [L, S]; else 0.
        round_over: Whether a round ended with this step, [L].
        done: Whether the session ended with this step, [L]. What is shown besides is of the next one, which has
            begun.
        returns: Sums of the session's rewards so far, [L, S]; where `done`, of the whole session that ended.
        place: Finishing places in the round that ended with this step, 1 is best, [L, S]; 0 for seats that sat it
            out, and where none ended.
        points: Its points by the game's scoring, [L, S]; else 0.
        rules: Which of the batch's rules the lane's session is played by, [L].
        privileged_observation: The hidden cards that a critic may see, [L, privileged_cells]; no columns unless asked for.
    """

    observations: numpy.typing.NDArray[numpy.uint8]
    action_mask: numpy.typing.NDArray[numpy.bool_]
    seat: numpy.typing.NDArray[numpy.uint8]
    reward: numpy.typing.NDArray[numpy.float32]
    round_over: numpy.typing.NDArray[numpy.bool_]
    done: numpy.typing.NDArray[numpy.bool_]
    returns: numpy.typing.NDArray[numpy.float32]
    place: numpy.typing.NDArray[numpy.uint8]
    points: numpy.typing.NDArray[numpy.int32]
    rules: numpy.typing.NDArray[numpy.uint16]
    privileged_observation: numpy.typing.NDArray[numpy.uint8]
