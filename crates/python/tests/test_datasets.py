"""Sessions as datasets, written and read."""

import gzip
import json
from pathlib import Path

import cardsharp_rl
import numpy
import pyarrow.parquet
import pytest
from cardsharp_rl import datasets


def test_episodes_are_the_decisions_of_a_seat(tmp_path):
    written = datasets.write(
        tmp_path / "data", "dalmuti", ["scripted", "random"], sessions=6, rules={"players": 5, "hands": 2}, shard=300
    )
    data = datasets.Dataset(tmp_path / "data")
    episodes = list(data.iterate_episodes())
    assert (data.total_steps, written.sessions, len(data.shards)) == (written.decisions, 6, written.shards)
    assert len(episodes) == len(data) == data.total_episodes and sum(map(len, episodes)) == written.decisions
    assert (data.game, data.bots, data.labels) == (
        "dalmuti",
        ["scripted", "random"],
        cardsharp_rl.game("dalmuti").labels(),
    )
    for episode in episodes:
        assert episode.action_mask[range(len(episode)), episode.actions].all()
        assert numpy.allclose(episode.rewards[::-1].cumsum()[::-1], episode.returns, atol=1e-6)
        last_of_round = numpy.append(episode.rounds[1:] != episode.rounds[:-1], True)
        assert not episode.rewards[~last_of_round].any()
    rewards = numpy.concatenate([shard["round_reward"][shard["last_of_round"]] for shard in data.arrays()])
    assert sum(episode.rewards.sum() for episode in episodes) == pytest.approx(rewards.sum(), abs=1e-3)
    sampled = data.sample_episodes(3, seed=1)
    places = [(episode.session, episode.seat) for episode in episodes]
    assert len({places.index((each.session, each.seat)) for each in sampled}) == 3


def test_datasets_of_releases_are_read_and_other_formats_refused(tmp_path):
    releases = sorted((Path(__file__).parent / "releases").iterdir())
    for release in releases:
        data = datasets.Dataset(release / "dataset")
        assert (data.game, data.total_steps, data.bots) == ("kuhn", 100, ["random"])
        assert sum(len(episode) for episode in data.iterate_episodes()) == 100
        for shard in data.arrays():
            # A session of Kuhn poker has one round.
            assert (shard["return_to_go"] == shard["round_reward"]).all()
            assert (shard["reward"] == numpy.where(shard["last_of_session"], shard["round_reward"], 0)).all()
        assert [[*shard] for shard in data.arrays(["reward", "seat"])] == [["reward", "seat"]]
    shard = releases[0] / "dataset" / "shard-00000.parquet"
    about = {**json.loads(pyarrow.parquet.read_metadata(shard).metadata[b"cardsharp"]), "format": 3}
    table = pyarrow.parquet.read_table(shard).replace_schema_metadata({b"cardsharp": json.dumps(about).encode()})
    pyarrow.parquet.write_table(table, tmp_path / "shard-00000.parquet")
    with pytest.raises(ValueError, match="format 3; this package reads format 2"):
        datasets.Dataset(tmp_path)


def test_minari_reads_an_exported_dataset(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    datasets.write(tmp_path / "data", "dalmuti", ["scripted"], sessions=3, rules={"players": 4, "hands": 2}, shard=100)
    data = datasets.Dataset(tmp_path / "data")
    data.to_minari("cardsharp/dalmuti/scripted-v0", description="A test.", algorithm_name="scripted")
    read = minari.load_dataset("cardsharp/dalmuti/scripted-v0")
    assert (read.total_episodes, read.total_steps) == (data.total_episodes, data.total_steps)
    for episode, own in zip(read.iterate_episodes(), data.iterate_episodes(), strict=True):
        assert len(episode.observations["observation"]) == len(own) + 1
        assert numpy.array_equal(episode.observations["observation"][:-1], own.observations)
        assert numpy.array_equal(episode.observations["action_mask"][:-1], own.action_mask)
        assert numpy.array_equal(episode.actions, own.actions) and numpy.array_equal(episode.rewards, own.rewards)
        assert [*episode.terminations] == [False] * (len(own) - 1) + [True] and not episode.truncations.any()
        assert set(episode.infos["seat"]) == {own.seat}
        for at in range(len(own) + 1):
            step = {key: values[at] for key, values in episode.observations.items()}
            assert step in read.observation_space
        assert all(action in read.action_space for action in episode.actions)
    assert len(read.sample_episodes(2)) == 2
    with pytest.raises(ValueError, match="already exists"):
        data.to_minari("cardsharp/dalmuti/scripted-v0")


def test_traces_become_a_dataset(tmp_path):
    table = cardsharp_rl.Table("taki", seed=3)
    while table.turn is not None:
        table.play(cardsharp_rl.bot("scripted").pick(table))
    trace = table.record("referee", ["a", "b", "c", "d"])
    (tmp_path / "trace.jsonl").write_text(trace)
    datasets.write_traces(tmp_path / "data", [tmp_path / "trace.jsonl"])
    shards = lambda: [path.read_bytes() for path in sorted((tmp_path / "data").glob("shard-*.parquet"))]  # noqa: E731
    written = shards()
    for form in (b"\xef\xbb\xbf" + trace.encode() + b"\n\r\n", gzip.compress(trace.encode())):
        (tmp_path / "trace.jsonl").write_bytes(form)
        datasets.write_traces(tmp_path / "data", [tmp_path / "trace.jsonl"], overwrite=True)
        assert shards() == written
    (tmp_path / "trace.jsonl").write_bytes(trace.encode("utf-16"))
    with pytest.raises(ValueError, match=r"trace.jsonl: .*UTF-16.*Out-File"):
        datasets.write_traces(tmp_path / "data", [tmp_path / "trace.jsonl"], overwrite=True)
    with pytest.raises(FileNotFoundError, match="none.jsonl: there is no such file"):
        datasets.write_traces(tmp_path / "data", [tmp_path / "none.jsonl"], overwrite=True)
    episodes = list(datasets.Dataset(tmp_path / "data").iterate_episodes())
    assert {episode.bot for episode in episodes} <= {"a", "b", "c", "d"}
    assert all(episode.returns[0] == numpy.float32(table.payoff.reward[episode.seat]) for episode in episodes)


def test_a_trace_that_is_refused_leaves_the_dataset_that_it_was_to_replace(tmp_path):
    written = datasets.write(tmp_path / "data", "taki", ["random"], sessions=2)
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(ValueError, match="bad.jsonl"):
        datasets.write_traces(tmp_path / "data", [tmp_path / "bad.jsonl"], overwrite=True)
    assert datasets.Dataset(tmp_path / "data").total_steps == written.decisions


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda to: datasets.write(to, "taki", "random", sessions=1), TypeError, "bots: expected a mapping"),
        (lambda to: datasets.write(to, "taki", ["random"]), ValueError, "either `decisions` or `sessions`"),
        (lambda to: datasets.write(to, "taki", [], sessions=1), ValueError, "there are no bots"),
        (lambda to: datasets.write(to, "taki", [lambda rows, legal: 1 / 0], sessions=1), ZeroDivisionError, "zero"),
        (lambda to: datasets.write_traces(to, []), ValueError, "traces: there are none"),
        (lambda to: datasets.Dataset(to), FileNotFoundError, "has no shards"),
    ],
)
def test_bad_input_is_refused_in_words(call, error, message, tmp_path):
    with pytest.raises(error, match=message):
        call(tmp_path / "data")
