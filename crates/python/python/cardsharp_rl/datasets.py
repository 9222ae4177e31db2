"""Sessions as datasets: written by `write` and `write_traces` (or `cardsharp dataset`), read by `Dataset`.

Shards are Parquet: polars, pandas, DuckDB and pyarrow read them without this package. `docs/dataset.md` says what each
column is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from cardsharp_rl import _core
from cardsharp_rl._arena import BotLike, named
from cardsharp_rl._training import StrPath
from cardsharp_rl._types import Block

if TYPE_CHECKING:
    import minari  # pyright: ignore[reportMissingImports]
    import pyarrow


@dataclass(frozen=True)
class Written:
    """The content of a folder.

    Attributes
    ----------
    sessions : int
        Sessions in the dataset.
    decisions : int
        Rows in the dataset.
    shards : int
        Number of files.
    bytes : int
        Size of all files.
    """

    sessions: int
    decisions: int
    shards: int
    bytes: int


def write(
    to: StrPath,
    game: str | _core.Game,
    bots: Mapping[str, BotLike] | Sequence[BotLike],
    *,
    decisions: int | None = None,
    sessions: int | None = None,
    rules: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    seed: int | None = 1,
    forced: bool = False,
    shard: int = 100_000,
    temperature: float = 0.0,
    simulations: int | None = None,
    threads: int = 1,
    overwrite: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Written:
    """Plays sessions between bots and writes each decision as a row.

    The same call writes the same bytes for any number of threads, if the bots do not depend on it. Ctrl-C stops it;
    complete shards stay.

    Parameters
    ----------
    to : str or path
        The folder of the dataset.
    game : str or Game
        The game or its name.
    bots : mapping of str to bot, or sequence of bots
        Everything that `cardsharp_rl.bot` takes. They are seated from seat 0 on, again and again until all seats are
        taken. The next session starts with the second bot.
    decisions : int, optional
        Whole sessions are played until there are this many decisions.
    sessions : int, optional
        The number of sessions, instead of `decisions`.
    rules : mapping or sequence of mappings, optional
        Options of the rules. Several rules are played in turn.
    seed : int or None, default 1
        Seed of all sessions. None draws one.
    forced : bool, default False
        Whether to write decisions with a single legal action.
    shard : int, default 100000
        Approximate number of decisions in each file.
    temperature : float, default 0
        How networks choose: 0 the most probable action, 1 by their probabilities.
    simulations : int, optional
        Playouts of searches whose name has no number.
    threads : int, default 1
        Number of threads; 0 is one for each core.
    overwrite : bool, default False
        Whether to replace a dataset in the folder.
    progress : callable, optional
        Called as `progress(sessions, decisions)` a few times a second.

    Returns
    -------
    Written
        Numbers of sessions, decisions and files.

    Raises
    ------
    ValueError
        If an argument is out of range or does not fit the others.
    TypeError
        If an argument has a wrong type.
    FileExistsError
        If the folder is not empty.
    OSError
        If a file cannot be written.
    """
    each = [{}] if rules is None else [rules] if isinstance(rules, Mapping) else list(rules)
    return Written(
        **_core.write_dataset(
            game, named(bots), to, each, decisions, sessions, seed, forced, shard, temperature, simulations, threads,
            overwrite, progress,
        )
    )  # fmt: skip


def write_traces(
    to: StrPath, traces: Sequence[StrPath], *, forced: bool = False, shard: int = 100_000, overwrite: bool = False
) -> Written:
    """Writes the sessions of traces as a dataset. Each line is checked against the rules.

    Parameters
    ----------
    to : str or path
        The folder of the dataset.
    traces : sequence of str or path
        Files of traces, plain or packed by gzip.
    forced, shard, overwrite
        As in `write`.

    Returns
    -------
    Written
        Numbers of sessions, decisions and files.

    Raises
    ------
    ValueError
        If a line differs from what the rules give. The message has the file.
    FileExistsError, OSError
        As `write`.
    """
    texts = [(os.fspath(path), _core.read_text(path)) for path in traces]
    return Written(**_core.write_traces(texts, to, forced, shard, overwrite))


@dataclass(frozen=True)
class Episode:
    """The T decisions of one seat in one session.

    Attributes
    ----------
    session : int
        The number of the session in the dataset.
    seat : int
        The seat.
    bot : str
        The name of the bot in the seat.
    observations : ndarray of uint8, shape (T, cells)
        Observation rows.
    action_mask : ndarray of bool, shape (T, actions)
        Legal actions.
    actions : ndarray of uint16, shape (T,)
        The actions that were played.
    rewards : ndarray of float32, shape (T,)
        Rewards of the rounds that ended before the seat's next decision.
    returns : ndarray of float32, shape (T,)
        Sums of the rewards from each decision on.
    rounds : ndarray of uint32, shape (T,)
        The round of each decision, from 1.
    rules : int
        The index of the session's rules in `Dataset.rules`.
    """

    session: int
    seat: int
    bot: str
    observations: NDArray[numpy.uint8]
    action_mask: NDArray[numpy.bool_]
    actions: NDArray[numpy.uint16]
    rewards: NDArray[numpy.float32]
    returns: NDArray[numpy.float32]
    rounds: NDArray[numpy.uint32]
    rules: int

    def __len__(self) -> int:
        return len(self.actions)


class Dataset:
    """A dataset in a folder of shards, read with pyarrow one shard at a time.

    An episode has the decisions of one seat in one session, as in Minari.

    Parameters
    ----------
    path : str or path
        The folder.

    Attributes
    ----------
    path : Path
        The folder.
    shards : tuple of Path
        The files, ordered by number.
    total_steps : int
        Number of rows.

    Raises
    ------
    FileNotFoundError
        If the folder has no shards.
    ValueError
        If a file is no shard of a dataset, or has another format.
    """

    #: The version of the format.
    FORMAT = 2

    def __init__(self, path: StrPath) -> None:
        import pyarrow.parquet

        self.path = Path(path)
        self.shards: tuple[Path, ...] = tuple(sorted(self.path.glob("shard-*.parquet")))
        if not self.shards:
            raise FileNotFoundError(f"path: {self.path} has no shards (shard-00000.parquet and so on)")
        abouts = []
        self.total_steps = 0
        for shard in self.shards:
            metadata = pyarrow.parquet.read_metadata(shard)
            text = (metadata.metadata or {}).get(b"cardsharp")
            if text is None:
                raise ValueError(f"{shard}: its footer has no `cardsharp`: it is no shard of a dataset")
            about = json.loads(text)
            if about["format"] != self.FORMAT:
                raise ValueError(f"{shard}: format {about['format']}; this package reads format {self.FORMAT}")
            abouts.append(about)
            self.total_steps += metadata.num_rows
        # Later shards know all that earlier ones do.
        self._about: dict[str, Any] = abouts[-1]
        self._totals: int | None = None

    @property
    def game(self) -> str:
        """The name of the game."""
        return str(self._about["game"])

    @property
    def encoding(self) -> int:
        """The version of rows and actions."""
        return int(self._about["encoding"])

    @property
    def seed(self) -> int | None:
        """The seed of the sessions; None if they were read from traces."""
        seed = self._about["seed"]
        return None if seed is None else int(seed)

    @property
    def rules(self) -> list[dict[str, Any]]:
        """The rules of the sessions, with all options."""
        return list(self._about["rules"])

    @property
    def bots(self) -> list[str]:
        """The names of the bots."""
        return list(self._about["bots"])

    @property
    def observation(self) -> tuple[Block, ...]:
        """The cells of a row as named blocks."""
        return tuple(Block(**block) for block in self._about["observation"])

    @property
    def actions(self) -> tuple[Block, ...]:
        """The actions as named blocks."""
        return tuple(Block(**block) for block in self._about["actions"])

    @property
    def labels(self) -> list[str]:
        """The labels of all actions."""
        return list(self._about["labels"])

    @property
    def total_episodes(self) -> int:
        """The number of episodes."""
        if self._totals is None:
            self._totals = sum(self._count(shard) for shard in self.shards)
        return self._totals

    def __len__(self) -> int:
        return self.total_episodes

    def _count(self, shard: Path) -> int:
        return int(_shard(shard, ["last_of_session"])["last_of_session"].sum())

    def arrays(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, NDArray[Any]]]:
        """Reads the shards as arrays, for learning without episodes.

        Parameters
        ----------
        columns : sequence of str, optional
            The columns, as in `docs/dataset.md`. None means all.

        Yields
        ------
        dict of str to ndarray
            The columns of a shard with N rows: "observation" as uint8 of shape (N, cells), "legal" as bool of shape
            (N, actions), the others of shape (N,).
        """
        for shard in self.shards:
            yield _shard(shard, columns)

    def iterate_episodes(self) -> Iterator[Episode]:
        """Reads all episodes, ordered by session and seat.

        Yields
        ------
        Episode
            The next episode.
        """
        for shard in self.arrays():
            yield from _episodes(shard)

    def sample_episodes(self, n: int, *, seed: int | None = None) -> list[Episode]:
        """Draws different episodes.

        Parameters
        ----------
        n : int
            The number of episodes.
        seed : int, optional
            Seed of the draw. None draws one.

        Returns
        -------
        list of Episode
            The episodes, ordered by session and seat.

        Raises
        ------
        ValueError
            If the dataset has fewer episodes.
        """
        if not 0 <= n <= self.total_episodes:
            raise ValueError(f"n: {n} is out of range: the dataset has {self.total_episodes} episodes")
        chosen = set(numpy.random.default_rng(seed).choice(self.total_episodes, n, replace=False).tolist())
        found, first = [], 0
        for shard in self.shards:
            count = self._count(shard)
            if any(first <= number < first + count for number in chosen):
                found += [each for number, each in enumerate(_episodes(_shard(shard)), first) if number in chosen]
            first += count
        return found

    def to_minari(self, dataset_id: str, **metadata: Any) -> minari.MinariDataset:
        """Copies the dataset into the folder of Minari.

        Observations have the form of `cardsharp_rl.gymnasium`: `observation` and `action_mask`. Minari needs one after
        the last decision; there both are 0. The infos are `seat`, `rules` and `round` (0 after the last decision).

        Parameters
        ----------
        dataset_id : str
            The name in Minari, for example "cardsharp/dalmuti/scripted-v0".
        **metadata
            Other arguments of `minari.create_dataset_from_buffers`.

        Returns
        -------
        minari.MinariDataset
            The copy, with the episodes of `iterate_episodes`.

        Raises
        ------
        ValueError
            If Minari refuses the name, or has a dataset of this name.
        ModuleNotFoundError
            If Minari is not installed.
        """
        import minari  # pyright: ignore[reportMissingImports]
        from gymnasium import spaces
        from minari.data_collector.episode_buffer import EpisodeBuffer  # pyright: ignore[reportMissingImports]

        maxima = numpy.concatenate([numpy.full(block.len, block.max, numpy.uint8) for block in self.observation])
        actions = sum(block.len for block in self.actions)

        def buffer(number: int, episode: Episode) -> EpisodeBuffer:
            count = len(episode)
            # Minari's types ask for lists, but it takes and stores arrays.
            arrays: dict[str, Any] = {
                "actions": episode.actions.astype(numpy.int64),
                "rewards": episode.rewards,
                "terminations": numpy.arange(count) == count - 1,
                "truncations": numpy.zeros(count, bool),
            }
            return EpisodeBuffer(
                id=number,
                observations={
                    "observation": _with_zeros(episode.observations),
                    "action_mask": _with_zeros(episode.action_mask.view(numpy.int8)),
                },
                **arrays,
                infos={
                    "seat": numpy.full(count + 1, episode.seat),
                    "rules": numpy.full(count + 1, episode.rules),
                    "round": _with_zeros(episode.rounds.astype(numpy.int64)),
                },
            )

        # One after the other: not all of them need to fit into memory.
        buffers: Any = (buffer(number, episode) for number, episode in enumerate(self.iterate_episodes()))
        return minari.create_dataset_from_buffers(
            dataset_id,
            buffers,
            observation_space=spaces.Dict(
                {
                    "observation": spaces.Box(0, maxima, dtype=numpy.uint8),
                    "action_mask": spaces.Box(0, 1, (actions,), dtype=numpy.int8),
                }
            ),
            action_space=spaces.Discrete(actions),
            **metadata,
        )

    def __repr__(self) -> str:
        return f"<cardsharp_rl.datasets.Dataset of {self.game}: {self.total_steps} decisions in {len(self.shards)} shard(s)>"


def _with_zeros(rows: NDArray[Any]) -> NDArray[Any]:
    """The rows and one more of zeros."""
    return numpy.concatenate([rows, numpy.zeros_like(rows, shape=(1, *rows.shape[1:]))])


def _shard(path: Path, columns: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path, columns=None if columns is None else list(columns))
    return {name: _array(name, table[name]) for name in table.column_names}


def _by_seat(shard: dict[str, NDArray[Any]]) -> tuple[NDArray[numpy.intp], NDArray[numpy.intp]]:
    """The order of rows by session and seat, and where in it each seat of each session begins."""
    # Stable: within a session and a seat, rows stay in the order of play.
    order = numpy.lexsort((shard["seat"], shard["session"]))
    session, seat = shard["session"][order], shard["seat"][order]
    return order, numpy.flatnonzero(numpy.r_[True, (session[1:] != session[:-1]) | (seat[1:] != seat[:-1])])


def _array(name: str, column: pyarrow.ChunkedArray) -> NDArray[Any]:
    if name in ("observation", "legal"):
        width = column.type.byte_width
        # The second buffer of a piece holds its bytes.
        pieces = [
            numpy.frombuffer(piece.buffers()[1], numpy.uint8).reshape(-1, width)[
                piece.offset : piece.offset + len(piece)
            ]
            for piece in column.chunks
        ]
        rows = numpy.concatenate(pieces) if pieces else numpy.zeros((0, width), numpy.uint8)
        return rows.view(numpy.bool_) if name == "legal" else rows
    array: NDArray[Any] = column.to_numpy()
    return array


def _episodes(shard: dict[str, NDArray[Any]]) -> Iterator[Episode]:
    order, begins = _by_seat(shard)
    session, seat = shard["session"][order], shard["seat"][order]
    for begin, end in zip(begins, numpy.r_[begins[1:], len(order)]):
        rows = order[begin:end]
        yield Episode(
            session=int(session[begin]),
            seat=int(seat[begin]),
            bot=str(shard["bot"][rows[0]]),
            observations=shard["observation"][rows],
            action_mask=shard["legal"][rows],
            actions=shard["action"][rows],
            rewards=shard["reward"][rows],
            returns=shard["return_to_go"][rows],
            rounds=shard["round"][rows],
            rules=int(shard["rules"][rows[0]]),
        )
