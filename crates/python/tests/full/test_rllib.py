"""RLlib of Ray: its wrappers of PettingZoo's environments pass its own check, and PPO plays in all seats by masks."""

import math

import cardsharp_rl
import gymnasium
import pytest
from cardsharp_rl import pettingzoo

# RLlib asks for another Gymnasium, so its dependencies may be missing though Ray is there.
pytest.importorskip(
    "ray.rllib.algorithms.ppo",
    reason="RLlib is not installed: pip install 'ray[tune]' torch dm-tree lz4 ormsgpack scipy",
    exc_type=ImportError,
)

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from ray.tune.registry import register_env

WRAPPERS = {"env": PettingZooEnv, "parallel_env": ParallelPettingZooEnv}


def make(kind, game, **options):
    return WRAPPERS[kind](getattr(pettingzoo, kind)(game, **options))


class Masked(ActionMaskingTorchRLModule):
    """RLlib's own module for masks, which calls the row `observations`."""

    def __init__(self, *, observation_space, **given):
        row, mask = observation_space["observation"], observation_space["action_mask"]
        renamed = gymnasium.spaces.Dict({"observations": row, "action_mask": mask})
        super().__init__(observation_space=renamed, **given)

    def _preprocess_batch(self, batch, **given):
        seen = batch[Columns.OBS]
        batch[Columns.OBS] = {"observations": seen["observation"].float(), "action_mask": seen["action_mask"]}
        return super()._preprocess_batch(batch, **given)


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("kind", WRAPPERS)
@pytest.mark.parametrize("game", [game.name for game in cardsharp_rl.games(reference=True)])
def test_wrapped_environments_pass_the_check_of_rllib(game, kind):
    # It draws actions without masks.
    check_multiagent_environments(make(kind, game, illegal="random"))


@pytest.mark.parametrize("kind", WRAPPERS)
def test_ppo_plays_all_seats_by_masks(kind, cluster):
    register_env(kind, lambda config: make(kind, "leduc"))
    module = RLModuleSpec(module_class=Masked, model_config={"fcnet_hiddens": [32]})
    config = (
        PPOConfig()
        .environment(kind)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **given: "shared")
        .rl_module(rl_module_spec=module)
        .training(train_batch_size_per_learner=500, minibatch_size=250, num_epochs=1, gamma=1.0)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    for _ in range(2):
        result = algorithm.train()
    algorithm.stop()
    # An action that is illegal would have ended the run.
    assert result["env_runners"]["num_episodes_lifetime"] > 50
    returns = result["env_runners"]["agent_episode_returns_mean"]
    assert {*returns} == {"seat_0", "seat_1"} and sum(returns.values()) == pytest.approx(0, abs=1e-6)
    assert math.isfinite(result["learners"]["shared"]["total_loss"])
