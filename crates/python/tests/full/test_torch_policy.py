"""A module of torch as a player."""

import cardsharp_rl
import numpy
import pytest
import torch
from cardsharp_rl.policies import TorchPolicy


@pytest.fixture(scope="module")
def module():
    torch.manual_seed(1)
    game = cardsharp_rl.game("dalmuti")
    return torch.nn.Sequential(torch.nn.Linear(game.cells, 32), torch.nn.ReLU(), torch.nn.Linear(32, game.actions))


def test_a_module_plays_as_the_bundle_that_is_made_of_it(module, tmp_path):
    policy = TorchPolicy(module, "dalmuti", name="torch")
    bot = cardsharp_rl.bot(str(cardsharp_rl.export_mlp("dalmuti", module, tmp_path / "bundle")))
    batch = cardsharp_rl.Batch("dalmuti", 400, seed=1)
    for _ in range(5):
        chosen = policy.act(batch.now.observations, batch.now.action_mask)
        # Two programs may round the best of two close logits differently, once in a long while.
        assert (chosen == bot.act(batch)).mean() > 0.99
        batch.step(chosen)
    report = cardsharp_rl.arena("dalmuti", {"torch": policy, "bundle": bot}, num_deals=10)
    assert abs(report["torch"].place_score.mean) < 0.05


def test_bad_modules_are_refused(module):
    with pytest.raises(TypeError, match="expected a torch.nn.Module, not int"):
        TorchPolicy(3, "dalmuti")
    with pytest.raises(ValueError, match="scale: the shape is"):
        TorchPolicy(module, "dalmuti", scale=numpy.ones(3))
    with pytest.raises(RuntimeError, match="device"):
        TorchPolicy(module, "dalmuti", device="nowhere")
    with pytest.raises(ValueError, match="its outputs have shape"):
        cardsharp_rl.arena("dalmuti", [TorchPolicy(module[:2], "dalmuti"), "random"], num_deals=2)
