"""Records: what functions of the package give."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import numpy.typing


class Block(NamedTuple):
    """A named block of cells of a row, or of actions.

    Attributes
    ----------
    name : str
        The name, as in `encodings.md` of the game.
    offset : int
        The first cell or action.
    len : int
        The number of cells or actions.
    max : int
        The largest value of a cell; 1 for actions.
    meaning : str
        What its cells or actions mean.
    """

    name: str
    offset: int
    len: int
    max: int
    meaning: str


class Option(NamedTuple):
    """An option of a game's rules.

    Attributes
    ----------
    name : str
        The key in `rules`.
    values : str
        The accepted values, in words.
    meaning : str
        What the option changes.
    default : Any
        Its value if it is left out.
    """

    name: str
    values: str
    meaning: str
    default: Any


class Move(NamedTuple):
    """A legal move.

    Attributes
    ----------
    action : int
        The action.
    label : str
        Its label, with this round's names of cards.
    """

    action: int
    label: str


class Payoff(NamedTuple):
    """The result of a round, with an entry for each seat of the session.

    Attributes
    ----------
    place : tuple of int
        Places, 1 is best; 0 for a seat that did not play the round.
    points : tuple of int
        Points by the game's scoring.
    reward : tuple of float
        Rewards of a learner.
    """

    place: tuple[int, ...]
    points: tuple[int, ...]
    reward: tuple[float, ...]


class Ranked(NamedTuple):
    """A move with a bot's opinion of it.

    Attributes
    ----------
    action : int
        The action.
    label : str
        Its label, with this round's names of cards.
    probability : float
        The probability that the bot plays it. The probabilities of all moves sum to 1.
    value : float or None
        The expected return of the seat; None if the bot does not estimate it.
    """

    action: int
    label: str
    probability: float
    value: float | None


class Advice(NamedTuple):
    """A bot's opinion of a position.

    Attributes
    ----------
    value : float or None
        The expected return of the seat; None if the bot does not estimate it.
    moves : list of Ranked
        All legal moves, best first.
    """

    value: float | None
    moves: list[Ranked]


class Evaluation(NamedTuple):
    """A bot's opinion of n decisions.

    Attributes
    ----------
    actions : ndarray of uint16, shape (n,)
        The action that the bot plays.
    probabilities : ndarray of float32, shape (n, actions)
        The probability of each action; 0 for illegal actions.
    values : ndarray of float32, shape (n,)
        The expected return of the seat.
    """

    actions: numpy.typing.NDArray[numpy.uint16]
    probabilities: numpy.typing.NDArray[numpy.float32]
    values: numpy.typing.NDArray[numpy.float32]


class TrainingDiverged(RuntimeError):
    """A run cannot continue: its weights are no longer numbers, or its sessions have no decision to learn from."""


class Step(NamedTuple):
    """The lanes of a batch after a step. L is the number of lanes, S the largest number of seats.

    Attributes
    ----------
    observations : ndarray of uint8, shape (L, cells)
        The observation row of the seat to move.
    action_mask : ndarray of bool, shape (L, actions)
        Its legal actions; all False in a lane that waits.
    seat : ndarray of uint8, shape (L,)
        The seat to move.
    reward : ndarray of float32, shape (L, S)
        Rewards of the rounds that ended with this step, else 0.
    round_over : ndarray of bool, shape (L,)
        Whether a round ended with this step.
    done : ndarray of bool, shape (L,)
        Whether the session ended with this step. The rows then belong to the next session.
    returns : ndarray of float32, shape (L, S)
        Sums of the session's rewards so far; where `done`, of the session that ended.
    place : ndarray of uint8, shape (L, S)
        Places in the round that ended with this step, 1 is best; 0 for seats that did not play it, and if no round
        ended.
    points : ndarray of int32, shape (L, S)
        Points of that round by the game's scoring, else 0.
    rules : ndarray of uint16, shape (L,)
        The index of the session's rules in `Batch.rules`.
    privileged_observation : ndarray of uint8, shape (L, privileged_cells)
        Cards that the seat cannot see, for critics; no columns without `privileged_observation=True`.
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
