"""Training, solving, exporting: what the command line does, from Python."""

import filecmp
import shutil
import threading
import time
from pathlib import Path

import cardsharp_rl
import pytest

SHORT = {
    "iterations": 3,
    "ppo": {"imitation_iterations": 1},
    "rollout": {"units": 2, "sessions": 2},
    "evaluate": {"every": 2, "deals": 2, "final_deals": 2},
    "checkpoint": {"every": 1},
    "net": {"hidden": [32]},
    "game": "dalmuti",
}


def same(one: Path, other: Path):
    names = sorted(path.name for path in one.iterdir())
    assert names == sorted(path.name for path in other.iterdir())
    assert filecmp.cmpfiles(one, other, names, shallow=False)[0] == names


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    heard = []
    run = cardsharp_rl.train(SHORT, run=tmp_path_factory.mktemp("runs") / "whole", callback=heard.append)
    return run, heard


def test_a_run_is_told_and_exported(trained):
    run, heard = trained
    assert run.finished and run.iterations == 3 and run.decisions > 0
    assert [step.iteration for step in heard] == [1, 2, 3] and heard[0].iterations == 3
    assert heard[-1].decisions == run.decisions and "rollout/decisions" in heard[0].figures
    assert heard[-1].checkpoint.is_dir() and heard[-1].reports == run.reports
    assert run.reports[0].bots[0].place_score.low <= run.reports[0].bots[0].place_score.mean
    verified = cardsharp_rl.verify(run.bundle)
    assert verified.game == "dalmuti" and verified.vectors == 1000 and verified.layers[1] == 32
    assert cardsharp_rl.bot(str(run.bundle)).game == "dalmuti"


def test_a_run_that_is_stopped_goes_on_to_the_same_bytes(trained, tmp_path):
    whole, _ = trained
    stopped = cardsharp_rl.train(SHORT, run=tmp_path / "run", threads=1, callback=lambda step: step.iteration < 1)
    assert not stopped.finished and stopped.iterations < 3 and stopped.bundle is None
    resumed = cardsharp_rl.train(resume=tmp_path / "run", threads=2)
    assert resumed.finished
    same(resumed.bundle, whole.bundle)
    assert filecmp.cmp(resumed.run / "metrics.csv", whole.run / "metrics.csv", shallow=False)


def test_a_run_goes_on_with_what_may_change(trained, tmp_path):
    whole, _ = trained
    shutil.copytree(whole.run, tmp_path / "run")
    longer = cardsharp_rl.train(resume=tmp_path / "run", overrides=[f"iterations={whole.iterations + 1}"])
    assert longer.finished and longer.iterations == whole.iterations + 1
    with pytest.raises(ValueError, match="ppo.clip"):
        cardsharp_rl.train(resume=tmp_path / "run", overrides=["ppo.clip=0.3"])


def test_what_a_callback_raises_is_raised_and_the_run_kept(tmp_path):
    def refuse(step):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        cardsharp_rl.train(SHORT, run=tmp_path / "run", callback=refuse)
    assert cardsharp_rl.train(resume=tmp_path / "run").finished


class Here:
    """A worker pool that plays in this process; what becomes of its blocks is `change`."""

    def __init__(self, change=lambda blocks: blocks):
        self.change, self.worker = change, None

    def rollout(self, config, iteration, since, units, others, nets):
        self.worker = self.worker or cardsharp_rl._core.Worker(config)
        keys = [net.key for net in nets]
        for net in nets:
            if net.key in self.worker.lacks(keys):
                self.worker.hold(net.data())
        return self.change(self.worker.play(iteration, others, keys, unit) for unit in range(units))


@pytest.mark.parametrize("change", [iter, list], ids=["one after the other", "all at once"])
def test_units_that_a_crew_plays_make_the_same_bytes(trained, tmp_path, change):
    whole, _ = trained
    run = cardsharp_rl.train(SHORT, run=tmp_path / "run", workers=Here(change))
    same(run.bundle, whole.bundle)
    assert filecmp.cmp(run.run / "metrics.csv", whole.run / "metrics.csv", shallow=False)


@pytest.mark.parametrize(
    "change, error, told",
    [
        (
            lambda blocks: [bytes(block) for block in blocks],
            TypeError,
            "a unit that was played elsewhere: expected a uint8 array",
        ),
        (lambda blocks: (block[::2] for block in blocks), TypeError, "and one piece"),
        (lambda blocks: (block.reshape(-1, 1) for block in blocks), TypeError, "in one dimension"),
        (lambda blocks: 3, TypeError, "not iterable"),
        (lambda blocks: list(blocks)[1:], RuntimeError, "units played by workers: 1, expected 2"),
        (lambda blocks: (block[:100] for block in blocks), RuntimeError, "unit 0, played by a worker: it is damaged"),
    ],
)
def test_units_that_are_none_are_refused(tmp_path, change, error, told):
    with pytest.raises(error, match=told):
        cardsharp_rl.train(SHORT, run=tmp_path / "run", workers=Here(change))
    # A run that never was leaves nothing, one that was interrupted a checkpoint.
    assert (tmp_path / "run").exists() == (error is TypeError)


def test_an_interrupt_leaves_a_run_that_can_be_resumed(tmp_path):
    import _thread

    long = SHORT | {"iterations": 100_000}
    times = []

    def told(step):
        if not times:
            times.append(time.monotonic())
            threading.Thread(target=_thread.interrupt_main).start()

    with pytest.raises(KeyboardInterrupt):
        cardsharp_rl.train(long, run=tmp_path / "run", callback=told)
    assert time.monotonic() - times[0] < 2
    assert (tmp_path / "run" / "checkpoints").is_dir()


def test_an_exported_checkpoint_is_the_runs_bundle(trained, tmp_path):
    run, _ = trained
    last = sorted(path for path in (run.run / "checkpoints").iterdir() if path.name.startswith("0"))[-1]
    bundle = cardsharp_rl.export(last, tmp_path / "bundle")
    for name in ("bot.safetensors", "model.onnx", "vectors.jsonl.gz"):
        assert filecmp.cmp(bundle / name, run.bundle / name, shallow=False)
    same(cardsharp_rl.export(run.bundle, tmp_path / "again"), run.bundle)
    told = cardsharp_rl.export(run.bundle, tmp_path / "told", cost=run.run, processor="some")
    assert " core hours of some: " in (told / "card.md").read_text() and cardsharp_rl.verify(told).game == "dalmuti"
    seeded = cardsharp_rl.train({**SHORT, "seed": 2, "iterations": 1}, run=tmp_path / "seeded")
    with pytest.raises(
        ValueError, match="cost: .*: the network belongs to another run: its seed is 1, this run's is 2"
    ):
        cardsharp_rl.export(run.bundle, tmp_path / "other", cost=seeded.run)
    with pytest.raises(ValueError, match="processor: 'some' without a run"):
        cardsharp_rl.export(run.bundle, tmp_path / "other", processor="some")


def test_a_player_learns_against_a_frozen_bot(tmp_path):
    heard = []
    found = cardsharp_rl.exploit(
        "random", "kuhn", run=tmp_path / "run", decisions=2000, num_deals=20, callback=heard.append
    )
    assert found.finished and heard[-1].iteration == found.iterations
    assert found.curve[-1][1] == found.best_response_gain and found.curve[-1][0] == found.decisions
    assert found.best is None and [answer.bot for answer in found.tried] == [str(found.bundle)]


def test_all_answers_to_a_bot_are_compared(tmp_path):
    bot = str(cardsharp_rl.train(SHORT | {"game": "kuhn"}, run=tmp_path / "bot").bundle)
    found = cardsharp_rl.exploit(bot, "kuhn", run=tmp_path / "run", decisions=2000, num_deals=20, search=5, seeds=2)
    bundles = [str(tmp_path / "run" / seed / "bundle") for seed in ("1", "2")]
    assert [answer.bot for answer in found.tried] == [*bundles, f"search:5+{bot}"]
    most = max(answer.best_response_gain.mean for answer in found.tried)
    assert found.best.bot in [answer.bot for answer in found.tried if answer.best_response_gain.mean == most]
    assert found.best_response_gain == found.best.best_response_gain and found.run == tmp_path / "run" / "1"


def test_players_who_stop_are_not_compared(tmp_path):
    words = dict(run=tmp_path / "run", decisions=2000, num_deals=20, seeds=2)
    found = cardsharp_rl.exploit("random", "kuhn", callback=lambda step: step.iteration < 3, **words)
    assert not found.finished and found.iterations == 3
    assert found.tried == () and not (tmp_path / "run" / "2").exists()


def test_small_games_are_solved():
    kuhn = cardsharp_rl.solve("kuhn", "random", iterations=200)
    random, cfr = kuhn.strategies
    assert random.exploitability == pytest.approx(0.4583333333333333, abs=1e-15)
    assert (cfr.name, cfr.iterations) == ("cfr+", 200) and cfr.nash_conv < 0.01
    assert kuhn.game_value[0] <= -1 / 18 <= kuhn.game_value[1] and kuhn.decisions == 12
    leduc = cardsharp_rl.solve("leduc", "random")
    assert leduc.strategies[0].exploitability == pytest.approx(2.373611111111111, abs=1e-12)
    mine = cardsharp_rl.solve("leduc", lambda rows, legal: legal.argmax(1))
    assert mine.strategies[0].nash_conv > 0 and mine.game_value is None


def test_interrupts_end_solving_within_a_second():
    import _thread

    times = []

    def interrupt():
        time.sleep(0.3)
        times.append(time.monotonic())
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        cardsharp_rl.solve("leduc", iterations=10_000_000)
    assert time.monotonic() - times[0] < 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda to: cardsharp_rl.train(SHORT | {"iteration": 3}, run=to), ValueError, "iteration.*did you mean"),
        (lambda to: cardsharp_rl.train(SHORT | {"iterations": "3"}, run=to), ValueError, "iterations"),
        (lambda to: cardsharp_rl.train(SHORT | {"game": None}, run=to), ValueError, "config"),
        (lambda to: cardsharp_rl.train(SHORT, overrides=["ppo.clop=1"], run=to), ValueError, "clop"),
        (lambda to: cardsharp_rl.train(to / "none.toml"), ValueError, "none.toml"),
        (lambda to: cardsharp_rl.train(), ValueError, "config: expected a path or a mapping"),
        (lambda to: cardsharp_rl.train(SHORT, resume=to), ValueError, "resume: a run that goes on"),
        (lambda to: cardsharp_rl.train(resume=to / "none"), FileNotFoundError, "none"),
        (lambda to: cardsharp_rl.train(run=to, resume=to), ValueError, "expected no run besides"),
        (lambda to: cardsharp_rl.train(SHORT, run=to, threads=2000), ValueError, "threads"),
        (lambda to: cardsharp_rl.train(7), TypeError, "int"),
        (lambda to: cardsharp_rl.export(to / "none", to / "bundle"), FileNotFoundError, "none"),
        (lambda to: cardsharp_rl.verify(to / "none"), FileNotFoundError, "there is no folder"),
        (lambda to: cardsharp_rl.solve("dalmuti"), ValueError, "too many deals"),
        (
            lambda to: cardsharp_rl.exploit("random", "kuhn", run=to, decisions=1),
            ValueError,
            "decisions: 1 is out of range",
        ),
        (lambda to: cardsharp_rl.exploit("random", "kuhn", run=to, seeds=0), ValueError, "seeds: 0 is out of range"),
        (lambda to: cardsharp_rl.exploit("nobody", "kuhn", run=to / "run"), ValueError, "there is no bot `nobody`"),
    ],
)
def test_bad_input_is_refused_in_words(call, error, message, tmp_path):
    with pytest.raises(error, match=message):
        call(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty and contains no run: choose another name"):
        cardsharp_rl.train(SHORT, run=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
