"""Tianshou: its wrapper of turn-based environments, its collector, and its players in all seats."""

import cardsharp_rl
import numpy as np
import pytest
import torch
from cardsharp_rl import pettingzoo

pytest.importorskip("tianshou", reason="Tianshou is not installed: pip install tianshou")

from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

GAMES = [game.name for game in cardsharp_rl.games(reference=True)]


def make(game, rules=None):
    return PettingZooEnv(pettingzoo.env(game, rules=rules))


@pytest.mark.parametrize("game", GAMES)
def test_a_collector_records_the_session_of_a_table(game):
    rules = {cardsharp_rl.game(game).rounds_option: 2}
    env = make(game, rules)
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    buffer = VectorReplayBuffer(10_000, 1)
    collector = Collector(
        MultiAgentOffPolicyAlgorithm(algorithms=players, env=env), DummyVectorEnv([lambda: env]), buffer
    )
    np.random.seed(1)
    collector.collect(n_episode=1, reset_before_collect=True, gym_reset_kwargs={"seed": 7})
    played = buffer[buffer.sample_indices(0)]
    table, returns = cardsharp_rl.Table(game, rules, seed=7), np.zeros(len(env.agents))
    for step in played:
        assert step.obs.agent_id == f"seat_{table.turn}"
        assert np.array_equal(step.obs.obs, table.observation())
        assert np.array_equal(step.obs.mask, table.action_mask())
        table.play(int(step.act))
        if table.payoff is not None:
            returns += table.payoff.reward
            table.deal_next()
    assert table.over and played.terminated.tolist() == [False] * (len(played) - 1) + [True]
    assert np.allclose(played.rew.sum(0), returns)


def test_dqn_plays_and_learns_in_all_seats():
    env, game = make("leduc"), cardsharp_rl.game("leduc")
    np.random.seed(1)
    torch.manual_seed(1)

    def player():
        net = Net(state_shape=game.cells, action_shape=game.actions, hidden_sizes=[64])
        policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.2)
        # More steps than a session has, so the return is that of the session: the next row belongs to another seat.
        return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=50)

    players = [player() for _ in env.agents]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    envs = DummyVectorEnv([lambda: make("leduc") for _ in range(4)])
    collector = Collector(algorithm, envs, VectorReplayBuffer(4000, 4), exploration_noise=True)
    collector.reset()
    before = [weights.clone() for weights in algorithm.parameters()]
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=1200,
            collection_step_num_env_steps=400,
            update_step_num_gradient_steps_per_sample=0.02,
            batch_size=128,
        )
    )
    assert result.train_step == 1200 and result.update_step == 3
    assert all(torch.isfinite(weights).all() for weights in algorithm.parameters())
    assert not any(torch.equal(*pair) for pair in zip(before, algorithm.parameters(), strict=True))
