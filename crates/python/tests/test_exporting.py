"""Networks from elsewhere as bundles, without torch: layers as arrays, and what is refused."""

import json

import cardsharp_rl
import numpy as np
import pytest
from cardsharp_rl.policies import OnnxPolicy

GAME = cardsharp_rl.game("leduc")


def layers(*sizes, seed=1):
    random = np.random.default_rng(seed)
    return [(random.normal(0, 0.5, size), random.normal(0, 0.5, size[1])) for size in zip(sizes, sizes[1:])]


def forward(network, row):
    for number, (weight, bias) in enumerate(network):
        row = row @ weight + bias
        if number + 1 < len(network):
            row = np.maximum(row, 0)
    return row


def maxima():
    return np.concatenate([np.full(block.len, block.max) for block in GAME.observation])


def distributions(bot, policy):
    """What the bot says of its moves, and what the layers say, along a session."""
    table = cardsharp_rl.Table(GAME, seed=4)
    while not table.over:
        if table.turn is None:
            table.deal_next()
            continue
        logits = forward(policy, table.observation() / maxima())[table.legal_actions()]
        own = np.exp(logits - logits.max())
        told = {move.action: move.probability for move in bot.advise(table).moves}
        yield [told[action] for action in table.legal_actions().tolist()], own / own.sum(), table
        table.play(int(table.legal_actions()[-1]))


def test_a_network_of_arrays_is_a_bundle_that_plays_it(tmp_path):
    policy, value = layers(GAME.cells, 20, 10, GAME.actions), layers(GAME.cells, 8, 1, seed=2)
    bundle = cardsharp_rl.export_mlp("leduc", policy, tmp_path / "bundle", value=value, training={"by": "a test"})
    cardsharp_rl.verify(bundle)
    bot = cardsharp_rl.bot(str(bundle), GAME, temperature=1.0)
    decisions = 0
    for told, own, table in distributions(bot, policy):
        assert np.allclose(told, own, atol=1e-5)
        assert bot.advise(table).value == pytest.approx(forward(value, table.observation() / maxima())[0], abs=1e-5)
        decisions += 1
    assert decisions >= 4
    assert "a test" in (bundle / "card.md").read_text()


def test_one_layer_is_a_head_on_the_policy_s_own_trunk(tmp_path):
    policy = layers(GAME.cells, 12, GAME.actions)
    head = layers(12, 1, seed=3)
    bundle = cardsharp_rl.export_mlp(GAME, policy, tmp_path / "bundle", value=head)
    bot = cardsharp_rl.bot(str(bundle), GAME, temperature=1.0)
    for _, _, table in distributions(bot, policy):
        inner = np.maximum(forward(policy[:1], table.observation() / maxima()), 0)
        assert bot.advise(table).value == pytest.approx(forward(head, inner)[0], abs=1e-5)


def test_hidden_layers_may_end_with_tanh(tmp_path):
    policy, value = layers(GAME.cells, 20, 10, GAME.actions), layers(GAME.cells, 8, 6, 1, seed=2)
    bundle = cardsharp_rl.export_mlp(GAME, policy, tmp_path / "bundle", value=value, activation="tanh")
    cardsharp_rl.verify(bundle)
    assert "(tanh between)" in (bundle / "card.md").read_text()
    batch = cardsharp_rl.Batch(GAME, 40, seed=3)
    batch.step(batch.sample())
    rows, legal = batch.now.observations, batch.now.action_mask

    def bent(network):
        inner = rows / maxima()
        for weight, bias in network[:-1]:
            inner = np.tanh(inner @ weight + bias)
        return inner @ network[-1][0] + network[-1][1]

    likely = np.exp(np.where(legal, bent(policy), -np.inf))
    for lanes in (slice(0, 40), slice(0, 3)):
        told = cardsharp_rl.bot(str(bundle), GAME).policy(rows[lanes], legal[lanes])
        assert np.allclose(told.probabilities, (likely / likely.sum(1, keepdims=True))[lanes], atol=1e-5)
        assert np.allclose(told.values, bent(value)[lanes, 0], atol=1e-5)
    outputs = OnnxPolicy(bundle / "model.onnx").logits(rows, legal)
    assert np.allclose(outputs[legal], bent(policy)[legal], atol=1e-5)


def test_without_a_value_it_says_nothing_of_positions(tmp_path):
    bundle = cardsharp_rl.export_mlp(GAME, layers(GAME.cells, 12, GAME.actions), tmp_path / "bundle")
    assert cardsharp_rl.bot(str(bundle), GAME).advise(cardsharp_rl.Table(GAME)).value == 0


def test_the_same_network_gives_the_same_bytes():
    network = layers(GAME.cells, 12, GAME.actions)
    content = cardsharp_rl.mlp_file(GAME, network)
    assert content == cardsharp_rl.mlp_file("leduc", network)
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert header["trunk.0.weight"] == {
        "dtype": "F32",
        "shape": [GAME.cells, 12],
        "data_offsets": header["trunk.0.weight"]["data_offsets"],
    }
    assert json.loads(header["__metadata__"]["cardsharp"])["header"]["layers"] == [GAME.cells, 12, GAME.actions]


@pytest.mark.parametrize(
    "policy, arguments, says",
    [
        (layers(GAME.cells, GAME.actions), {}, "`policy` has 1 layers; expected a hidden layer or more"),
        (layers(5, 12, GAME.actions), {}, f"layer 0 of `policy` has 5 inputs; expected {GAME.cells}"),
        (layers(GAME.cells, 12, 4), {}, f"`policy` has 4 outputs; expected {GAME.actions}"),
        (
            [(np.zeros((GAME.cells, 12)), np.zeros(12)), (np.zeros((11, 3)), np.zeros(3))],
            {},
            "layer 1 of `policy` has 11 inputs; expected 12",
        ),
        (
            [(np.zeros((12, GAME.cells)), np.zeros(12)), (np.zeros((12, 3)), np.zeros(3))],
            {},
            r"expected \[inputs, outputs\] and \[outputs\]",
        ),
        (layers(GAME.cells, 12, GAME.actions), {"value": layers(11, 1)}, r"shape \(11, 1\); expected \(12, 1\)"),
        (
            layers(GAME.cells, 12, GAME.actions),
            {"value": layers(GAME.cells, 4, 2)},
            "`value` has 2 outputs; expected 1",
        ),
        (layers(GAME.cells, 12, GAME.actions), {"scale": np.ones(3)}, r"`scale` has shape \(3,\); leduc has 31 cells"),
        (
            layers(GAME.cells, 12, GAME.actions),
            {"outputs": "scores"},
            "`outputs` is 'scores'; expected 'logits' or 'action_values'",
        ),
        (
            layers(GAME.cells, 12, GAME.actions),
            {"activation": "gelu"},
            "`activation` is 'gelu'; expected 'relu' or 'tanh'",
        ),
        (
            layers(GAME.cells, 12, GAME.actions),
            {"activation": "tanh", "value": layers(GAME.cells, 4, 4, 1)},
            "`policy` has 1 hidden layers, `value` 2; with tanh between them, expected the same number",
        ),
        (layers(GAME.cells, 12, GAME.actions), {"rules": {"hand": 1}}, "hand"),
        (
            [(np.full((GAME.cells, 2), np.nan), np.zeros(2)), (np.zeros((2, 3)), np.zeros(3))],
            {},
            "`trunk.0.weight` holds numbers that are not finite",
        ),
    ],
)
def test_what_is_no_network_is_refused(policy, arguments, says):
    with pytest.raises(ValueError, match=says):
        cardsharp_rl.mlp_file(GAME, policy, **arguments)


def test_a_folder_that_is_no_bundle_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(OSError, match=r"thesis\.txt"):
        cardsharp_rl.export_mlp(GAME, layers(GAME.cells, 12, GAME.actions), tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"
