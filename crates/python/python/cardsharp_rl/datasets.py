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
    """What a folder holds.

    Attributes:
        sessions: Sessions in the dataset.
        decisions: Rows in the dataset.
        shards: Number of files.
        bytes: Size of all files.
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
    threads: int = 0,
    overwrite: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Written:
    """Plays sessions between bots and writes every decision into folder `to`.

    Whole sessions are played until there are so many `decisions`, or so many `sessions`. `bots` are seated from seat 0
    on, again and again until every seat is taken; in the next session the second has seat 0, and so on. `rules` may be
    several, which are played in turn. `forced` also writes decisions with a single legal action. A shard has about
    `shard` decisions. The same call writes the same bytes whatever the `threads`, as long as the bots do not depend on
    them. `progress(sessions, decisions)` is called a few times a second.

    Raises ValueError or TypeError for what cannot be, FileExistsError for a folder that is not empty (`overwrite`
    replaces a dataset), OSError for what cannot be written; whatever a player raises. Ctrl-C stops it; whole shards stay.
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
    """Writes sessions that were played, from the files of their traces (packed by gzip, too); every line must be what
    the rules give.

    Raises ValueError for the first line that is not, with its file; else as `write`.
    """
    texts = [(os.fspath(path), _core.read_text(path)) for path in traces]
    return Written(**_core.write_traces(texts, to, forced, shard, overwrite))


@dataclass(frozen=True)
class Episode:
    """What one seat decided in one session, T times."""

    #: The session's number in the dataset, and the seat.
    session: int
    seat: int
    #: The name of the bot that held the seat.
    bot: str
    #: Observation rows, [T, cells].
    observations: NDArray[numpy.uint8]
    #: Legal actions, [T, actions].
    action_mask: NDArray[numpy.bool_]
    #: What was chosen, [T].
    actions: NDArray[numpy.uint16]
    #: What came before the seat's next decision, [T]: rewards of the rounds that ended in between.
    rewards: NDArray[numpy.float32]
    #: Sums of the rewards from each decision on, [T].
    returns: NDArray[numpy.float32]
    #: The round of each decision, from 1, [T].
    rounds: NDArray[numpy.uint32]
    #: By which of the dataset's rules the session was played.
    rules: int

    def __len__(self) -> int:
        return len(self.actions)


class Dataset:
    """A dataset in a folder of shards, read with pyarrow one shard at a time.

    An episode is what one seat decided in one session, as in Minari: `iterate_episodes`, `sample_episodes`,
    `total_episodes`, `total_steps`. `arrays` gives whole shards at once for learning without episodes.

    Raises FileNotFoundError for a folder without shards, ValueError for files that are no shards of a dataset or have
    another format.
    """

    #: The version of the format.
    FORMAT = 2

    def __init__(self, path: StrPath) -> None:
        import pyarrow.parquet

        self.path = Path(path)
        #: The files, in the order of their numbers.
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
        """What it was drawn from; None of sessions that were read from traces."""
        seed = self._about["seed"]
        return None if seed is None else int(seed)

    @property
    def rules(self) -> list[dict[str, Any]]:
        """The rules that were played by, all options of each."""
        return list(self._about["rules"])

    @property
    def bots(self) -> list[str]:
        """The names of who played."""
        return list(self._about["bots"])

    @property
    def observation(self) -> tuple[Block, ...]:
        """What the cells of a row are."""
        return tuple(Block(**block) for block in self._about["observation"])

    @property
    def actions(self) -> tuple[Block, ...]:
        """What the actions are."""
        return tuple(Block(**block) for block in self._about["actions"])

    @property
    def labels(self) -> list[str]:
        """The name of every action."""
        return list(self._about["labels"])

    @property
    def total_episodes(self) -> int:
        """How many episodes there are."""
        if self._totals is None:
            self._totals = sum(self._count(shard) for shard in self.shards)
        return self._totals

    def __len__(self) -> int:
        return self.total_episodes

    def _count(self, shard: Path) -> int:
        return int(_shard(shard, ["last_of_session"])["last_of_session"].sum())

    def arrays(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, NDArray[Any]]]:
        """The columns of each shard as arrays of N rows: "observation" uint8 [N, cells], "legal" bool [N, actions],
        "bot" texts, the others as `docs/dataset.md` has them."""
        for shard in self.shards:
            yield _shard(shard, columns)

    def iterate_episodes(self) -> Iterator[Episode]:
        """All episodes: sessions in their order, seats ascending in each."""
        for shard in self.arrays():
            yield from _episodes(shard)

    def sample_episodes(self, n: int, *, seed: int | None = None) -> list[Episode]:
        """`n` different episodes, drawn at random.

        Raises ValueError if there are not as many.
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
        """Copies the dataset into the folder of Minari, as `dataset_id` ("cardsharp/dalmuti/scripted-v0"), and returns it.

        Episodes are those of `iterate_episodes`. Observations have the form of `cardsharp_rl.gymnasium`: `observation`,
        uint8 [cells], and `action_mask`, int8 [actions]. Minari needs one after the last decision; there both are 0.
        The infos are `seat`, `rules` and `round` (0 after the last decision). `metadata` are other arguments of
        `minari.create_dataset_from_buffers`.

        Raises ValueError if Minari refuses the id or has a dataset of this name, ModuleNotFoundError without Minari.
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
