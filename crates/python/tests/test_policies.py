"""Networks of other libraries as players."""

import pickle

import cardsharp_rl
import numpy
import pytest
from cardsharp_rl.policies import OnnxPolicy


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """A small network with random weights, as a bundle."""
    game, random = cardsharp_rl.game("taki"), numpy.random.default_rng(1)
    sizes = [game.cells, 24, game.actions]
    layers = [(random.normal(0, 0.3, (a, b)), random.normal(0, 0.3, b)) for a, b in zip(sizes, sizes[1:])]
    return cardsharp_rl.export_mlp(game, layers, tmp_path_factory.mktemp("bundles") / "small")


def test_a_model_of_onnx_plays_as_its_bundle(bundle):
    batch = cardsharp_rl.Batch("taki", 300, seed=2)
    model, bot = OnnxPolicy(bundle / "model.onnx", name="onnx"), cardsharp_rl.bot(str(bundle))
    for _ in range(5):
        assert numpy.array_equal(model.act(batch.now.observations, batch.now.action_mask), bot.act(batch))
        batch.step(batch.sample())
    report = cardsharp_rl.arena("taki", {"onnx": model, "bundle": str(bundle)}, num_deals=10)
    assert report["onnx"].place_score.mean == 0
    twin = pickle.loads(pickle.dumps(model))
    assert numpy.array_equal(twin.act(batch.now.observations, batch.now.action_mask), bot.act(batch))


def test_a_policy_draws_by_temperature(bundle):
    batch = cardsharp_rl.Batch("taki", 1, seed=2)
    rows, legal = numpy.repeat(batch.now.observations, 20_000, 0), numpy.repeat(batch.now.action_mask, 20_000, 0)
    drawn = OnnxPolicy(bundle / "model.onnx", temperature=1.0, seed=3).act(rows, legal)
    advice = cardsharp_rl.bot(str(bundle), temperature=1.0).advise(batch.view(0))
    for move in advice.moves:
        assert (drawn == move.action).mean() == pytest.approx(move.probability, abs=0.02)


def test_bad_models_are_refused(bundle, tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        OnnxPolicy(tmp_path / "none.onnx")
    with pytest.raises(ValueError, match="temperature: -1 is out of range"):
        OnnxPolicy(bundle / "model.onnx", temperature=-1)
    with pytest.raises(Exception, match="INVALID_ARGUMENT|nvalid dimensions"):
        cardsharp_rl.arena("dalmuti", [OnnxPolicy(bundle / "model.onnx"), "random"], num_deals=2)
