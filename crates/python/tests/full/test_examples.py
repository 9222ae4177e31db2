"""Every example that learns, run from beginning to end, and what comes out played."""

import os
import subprocess
import sys
from pathlib import Path

import cardsharp_rl
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[4] / "examples/python"


def run(command, folder):
    """What an example says; its own short mode is its arguments."""
    name, *arguments = command.split() if isinstance(command, str) else command
    result = subprocess.run([sys.executable, EXAMPLES / name, *arguments], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def plays(bundle, game, rules=None):
    """A bundle that is sound, and plays."""
    cardsharp_rl.verify(bundle)
    batch = cardsharp_rl.Batch(game, 8, rules=rules, seed=3)
    step = batch.reset()
    bot = cardsharp_rl.bot(str(bundle), game)
    for _ in range(50):
        step = batch.step(bot.act(batch))
    assert np.isfinite(step.returns).all()


def test_ppo_in_one_file(tmp_path):
    said = run("ppo_single_file.py --decisions 20000 --lanes 32 --deals 20 --to bundle", tmp_path)
    assert said.count("explained") == 9 and "less those of `scripted`" in said
    plays(tmp_path / "bundle", "leduc")
    rules = '{"players": 4, "hands": 1}'
    large = ["--game", "dalmuti", "--rules", rules, *"--decisions 2048 --lanes 32 --deals 2 --to large".split()]
    run(["ppo_single_file.py", *large], tmp_path)
    plays(tmp_path / "large", "dalmuti", {"players": 4, "hands": 1})


@pytest.mark.parametrize("opponents", ["itself", "scripted"])
def test_maskable_ppo(opponents, tmp_path):
    said = run(f"maskable_ppo.py --opponents {opponents} --steps 4096 --envs 16 --deals 20 --to bundle", tmp_path)
    assert "total_timesteps" in said and "less those of `scripted`" in said
    plays(tmp_path / "bundle", "kuhn")


def test_torchrl(tmp_path):
    said = run("torchrl_self_play.py --frames 2048 --envs 4 --deals 20 --to bundle", tmp_path)
    assert said.count("frames ") == 8 and "less those of `scripted`" in said
    plays(tmp_path / "bundle", "leduc")


def test_behaviour_cloning(tmp_path):
    dataset = "dataset dalmuti --bots scripted --decisions 10000 --to data"
    subprocess.run([os.environ["CARDSHARP"], *dataset.split()], cwd=tmp_path, check=True, capture_output=True)
    said = run("behaviour_cloning.py data --epochs 2 --rows 8000 --deals 10 --to bundle", tmp_path)
    last = said.split("pass 2", 1)[1].split()
    assert float(last[last.index("agrees") + 1]) > float(last[last.index("chance") + 1]) + 0.1
    plays(tmp_path / "bundle", "dalmuti", {"players": 5, "hands": 1})


def test_an_agent_of_rlcard(tmp_path):
    assert run("rlcard_agent.py --deals 10", tmp_path).count("dalmuti") >= 2


@pytest.mark.parametrize("kind", ["random", "dqn"])
def test_rlcards_own_agents_take_a_seat(kind, tmp_path, monkeypatch):
    from rlcard.agents import DQNAgent, RandomAgent

    monkeypatch.syspath_prepend(str(EXAMPLES))
    from rlcard_agent import seated

    game = cardsharp_rl.game("leduc")
    agents = {
        "random": RandomAgent(num_actions=game.actions),
        "dqn": DQNAgent(num_actions=game.actions, state_shape=[game.cells], mlp_layers=[16]),
    }
    result = cardsharp_rl.arena(game, [seated(agents[kind], game), "random"], num_deals=50, seed=1)
    assert result is not None


def test_links_lead_to_the_same_seats_next_decision():
    """Advantages by hand: two seats, two rounds, rewards at their ends."""
    sys.path.insert(0, str(EXAMPLES))
    from ppo_single_file import advantages

    played = {
        "seat": np.array([[0], [1], [0], [1], [1], [0]]),
        "value": np.array([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6]], np.float32),
        "reward": np.zeros((6, 1, 2), np.float32),
        "round_over": np.array([[False], [False], [False], [True], [False], [False]]),
    }
    played["reward"][3, 0] = [1, -1]
    result, usable = advantages(played, gae_lambda=0.5)
    assert usable[:, 0].tolist() == [True] * 4 + [False] * 2, "the second round goes on beyond the rollout"
    last = {2: 1 - 0.3, 3: -1 - 0.4}
    assert result[2, 0] == pytest.approx(last[2]) and result[3, 0] == pytest.approx(last[3])
    assert result[0, 0] == pytest.approx(0.3 - 0.1 + 0.5 * last[2])
    assert result[1, 0] == pytest.approx(0.4 - 0.2 + 0.5 * last[3])
