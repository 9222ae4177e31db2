"""Networks of torch as bundles: the same numbers, whatever they looked like there."""

import gzip
import json

import cardsharp_rl
import numpy as np
import pytest
import torch
from torch import nn

GAME = cardsharp_rl.game("dalmuti")
RULES = {"players": 4, "hands": 1}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def mlp(*sizes):
    layers = [layer for size in zip(sizes, sizes[1:]) for layer in (nn.Linear(*size), nn.ReLU())]
    return nn.Sequential(*layers[:-1])


def vectors(bundle):
    """The test vectors of a bundle: what cardsharp computes in positions of its own choice."""
    with gzip.open(bundle / "vectors.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def agree(bundle, policy, value, scale):
    """Whether torch says of every vector what cardsharp says."""
    found = vectors(bundle)
    rows = torch.zeros(len(found), GAME.cells)
    for row, vector in zip(rows, found):
        cells, values = zip(*vector["row"])
        row[list(cells)] = torch.tensor(values, dtype=torch.float32)
    rows *= scale
    with torch.no_grad():
        logits, values = policy(rows), value(rows).squeeze(1)
    for vector, own, worth in zip(found, logits, values):
        told = dict(zip(vector["legal"], vector["logits"]))
        assert np.allclose(own[list(told)].numpy(), list(told.values()), atol=1e-5)
        assert vector["value"] == pytest.approx(worth.item(), abs=1e-5)
    return len(found)


def scales():
    return torch.from_numpy(
        np.concatenate([np.full(block.len, 1 / block.max, np.float32) for block in GAME.observation])
    )


def test_two_heads_on_one_trunk(tmp_path):
    trunk = nn.Sequential(mlp(GAME.cells, 64, 48), nn.ReLU())
    actor, critic = nn.Linear(48, GAME.actions), nn.Linear(48, 1)
    bundle = cardsharp_rl.export_mlp(GAME, nn.Sequential(trunk, actor), tmp_path / "bundle", value=critic, rules=RULES)
    assert agree(bundle, nn.Sequential(trunk, actor), nn.Sequential(trunk, critic), scales()) >= 100
    cardsharp_rl.verify(bundle)


def test_tanh_between_layers(tmp_path):
    def network(outputs):
        return nn.Sequential(nn.Linear(GAME.cells, 40), nn.Tanh(), nn.Linear(40, 30), nn.Tanh(), nn.Linear(30, outputs))

    policy, value = network(GAME.actions), network(1)
    bundle = cardsharp_rl.export_mlp("dalmuti", policy, tmp_path / "bundle", value=value, rules=RULES)
    assert agree(bundle, policy, value, scales()) >= 100
    cardsharp_rl.verify(bundle)
    mixed = nn.Sequential(nn.Linear(GAME.cells, 40), nn.ReLU(), nn.Linear(40, 30), nn.Tanh(), nn.Linear(30, 262))
    with pytest.raises(ValueError, match="ReLU and tanh"):
        cardsharp_rl.export_mlp("dalmuti", mixed, tmp_path / "mixed", rules=RULES)


@pytest.mark.parametrize("hidden", [[32], [32, 24], [32, 24, 16]])
def test_two_networks_side_by_side_of_any_depth(tmp_path, hidden):
    policy, value = mlp(GAME.cells, 40, 30, GAME.actions), mlp(GAME.cells, *hidden, 1)
    bundle = cardsharp_rl.export_mlp("dalmuti", policy, tmp_path / "bundle", value=value, rules=RULES)
    assert agree(bundle, policy, value, scales()) >= 100
    cardsharp_rl.verify(bundle)


def test_rows_that_went_in_as_they_are(tmp_path):
    policy, value = mlp(GAME.cells, 16, GAME.actions), mlp(GAME.cells, 16, 1)
    ones = np.ones(GAME.cells, np.float32)
    bundle = cardsharp_rl.export_mlp(GAME, policy, tmp_path / "bundle", value=value, scale=ones, rules=RULES)
    assert agree(bundle, policy, value, torch.ones(GAME.cells)) >= 100


def test_the_bot_plays_what_torch_prefers(tmp_path):
    policy = mlp(GAME.cells, 32, GAME.actions)
    bundle = cardsharp_rl.export_mlp(GAME, policy, tmp_path / "bundle", rules=RULES)
    bot = cardsharp_rl.bot(str(bundle), GAME)
    batch = cardsharp_rl.Batch(GAME, 64, rules=RULES, seed=1)
    step = batch.reset()
    for _ in range(20):
        with torch.no_grad():
            logits = policy(torch.from_numpy(step.observations).float() * scales())
        preferred = logits.masked_fill(~torch.from_numpy(step.action_mask), -torch.inf).argmax(1).numpy()
        assert np.array_equal(bot.act(batch), preferred)
        step = batch.step(preferred)


def test_networks_that_no_bundle_holds():
    with pytest.raises(TypeError, match="no Sigmoid: expected Linear and ReLU or Tanh in turns"):
        cardsharp_rl.mlp_file(GAME, nn.Sequential(nn.Linear(GAME.cells, 8), nn.Sigmoid(), nn.Linear(8, GAME.actions)))
    with pytest.raises(TypeError, match="without ReLU or tanh between"):
        cardsharp_rl.mlp_file(GAME, nn.Sequential(nn.Linear(GAME.cells, 8), nn.Linear(8, GAME.actions)))
    with pytest.raises(ValueError, match="layer 0 of `policy` has 5 inputs; expected 732"):
        cardsharp_rl.mlp_file(GAME, mlp(5, 8, GAME.actions))
