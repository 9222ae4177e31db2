"""Environments of PettingZoo: by its own tests, unchanged, and against the tables that stand behind them."""

import inspect
import pickle
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import cardsharp_rl
import numpy as np
import pettingzoo
import pytest
from cardsharp_rl.pettingzoo import AECCardEnv, dalmuti_v1, env, kuhn_v0, parallel_env, tahimi_v1, taki_v1
from gymnasium.error import ResetNeeded
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test
from pettingzoo.utils import turn_based_aec_to_parallel, wrappers

GAMES = [game.name for game in cardsharp_rl.games(reference=True)]
ROSTER = {
    "rounds": 5,
    "roster_script": [{"round": 2, "join": 4}, {"round": 3, "leave": 1}, {"round": 5, "join": 1}],
}


#: Infos of parallel environments have the same fields in every step.
KINDS = {"active": bool, "place": int, "points": int, "illegal_action": bool}


def random_rules(game: str, seed: int) -> dict[str, Any]:
    """Random rules for a few rounds."""
    drawn = cardsharp_rl.game(game)
    return drawn.random_rules(seed) | {drawn.rounds_option: 3}


def cases() -> Iterator[Any]:
    """Games with arguments of their environments: by default, few and many players, random rules, rosters."""
    for name in GAMES:
        players = cardsharp_rl.game(name).players
        yield pytest.param(name, {}, id=name)
        for number in {players[0], players[-1]}:
            yield pytest.param(name, {"players": number}, id=f"{name}-{number}")
        yield pytest.param(name, {"skip_forced": True}, id=f"{name}-skip_forced")
        for seed in range(2):
            yield pytest.param(name, {"rules": random_rules(name, seed)}, id=f"{name}-random-{seed}")
    yield pytest.param("tahimi", {"rules": ROSTER}, id="tahimi-roster")


@pytest.fixture(autouse=True)
def without_advice() -> Iterator[None]:
    """PettingZoo's tests advise against observations with masks, but for environments they know by name."""
    with warnings.catch_warnings():
        for advice in ("Observation is not a NumPy", "Observation space for each agent probably should"):
            warnings.filterwarnings("ignore", advice)
        yield


def play_on(turns: AECCardEnv, random: np.random.Generator, most: int = 10**6) -> Iterator[tuple[str, Any]]:
    """Plays random legal moves, and gives every agent with what `last` said to it and what it did."""
    for agent in turns.agent_iter(most):
        last = turns.last()
        observation, _, termination, truncation, _ = last
        done = termination or truncation
        action = None if done else int(random.choice(np.flatnonzero(observation["action_mask"])))
        turns.step(action)
        yield agent, (*last, action)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("game", "options"), [*cases()])
def test_passes_the_tests_of_pettingzoo(game: str, options: dict[str, Any]) -> None:
    api_test(env(game, **options), num_cycles=200)
    seed_test(partial(env, game, **options), num_cycles=200)
    # These act without masks.
    lenient = {"illegal": "random", **options}
    parallel_api_test(parallel_env(game, **lenient), num_cycles=1000)
    parallel_seed_test(partial(parallel_env, game, **lenient), num_cycles=200)
    state_test(env(game, **lenient), parallel_env(game, **lenient), num_cycles=5)


@pytest.mark.parametrize("game", GAMES)
def test_whole_sessions_pass_the_tests_of_pettingzoo(game: str) -> None:
    rounds = {cardsharp_rl.game(game).rounds_option: 1}
    api_test(env(game, rules=rounds), num_cycles=2000)
    parallel_api_test(parallel_env(game, rules=rounds, illegal="random"), num_cycles=5000)


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_drawn(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(env, game), custom_tests={"ansi": len, "human": lambda shown: shown is None})
    assert env(game, render_mode="rgb_array").metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert capsys.readouterr().out
    together = parallel_env(game, render_mode="ansi")
    together.reset(seed=1)
    table = cardsharp_rl.Table(game, seed=1)
    assert together.render() == table.view(table.turn).picture()


def test_cycles_are_counted_where_turns_go_round() -> None:
    # Its agents act without masks.
    lenient = [partial(make, illegal="random") for make in (tahimi_v1.env, tahimi_v1.parallel_env)]
    max_cycles_test(SimpleNamespace(env=lenient[0], parallel_env=lenient[1]))


def test_a_session_is_cut_off_before_a_decision_too_many() -> None:
    turns = dalmuti_v1.env(max_cycles=3)
    turns.reset(seed=4)
    decided = dict.fromkeys(turns.possible_agents, 0)
    for agent, (*_, termination, truncation, _, action) in play_on(turns, np.random.default_rng(4)):
        assert not termination
        assert truncation == (action is None)
        decided[agent] += not truncation
    assert max(decided.values()) == 3
    assert turns.agents == []


@pytest.mark.parametrize(("game", "options"), [*cases()])
def test_a_session_is_that_of_a_table(game: str, options: dict[str, Any]) -> None:
    turns = env(game, **options)
    turns.reset(seed=11)
    table = cardsharp_rl.Table(game, turns.rules, seed=11)
    earned = dict.fromkeys(turns.possible_agents, 0.0)
    paid = dict.fromkeys(turns.possible_agents, 0.0)

    def go_on() -> bool:
        """Plays on to the next decision that is asked for; false after the last round."""
        while True:
            if options.get("skip_forced"):
                table.play_forced()
            if table.turn is not None:
                return True
            for agent, worth in zip(turns.possible_agents, table.payoff.reward, strict=True):
                earned[agent] += worth
            if not table.deal_next():
                return False

    random = np.random.default_rng(3)
    for agent, (observation, reward, termination, _, info, action) in play_on(turns, random, 1000):
        paid[agent] += reward
        if termination:
            assert table.over
            continue
        assert go_on()
        assert agent == f"seat_{table.turn}"
        assert np.array_equal(observation["observation"], table.observation())
        assert np.array_equal(observation["action_mask"].astype(bool), table.action_mask())
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        assert table.action_mask().sum() > 1 or not options.get("skip_forced")
        table.play(action)
        if not go_on():
            assert turns.terminations[agent]
    if not turns.agents:
        assert paid == pytest.approx(earned)


@pytest.mark.parametrize("game", GAMES)
def test_both_kinds_play_the_same(game: str) -> None:
    turns, together = env(game), parallel_env(game)
    turns.reset(seed=2)
    observations, infos = together.reset(seed=2)
    rewards = dict.fromkeys(turns.possible_agents, 0.0)
    for agent, (observation, _, termination, _, info, action) in play_on(turns, np.random.default_rng(2), 500):
        if termination:
            break
        assert [each for each in infos if infos[each]["active"]] == [agent]
        assert infos[agent]["place"] == info.get("place", 0) or "place" in info
        assert {key: type(value) for key, value in infos[agent].items()} == KINDS
        assert all(observations[other]["action_mask"].all() for other in infos if other != agent)
        for key, seen in observation.items():
            assert np.array_equal(seen, observations[agent][key])
        observations, rewards, *_, infos = together.step({agent: action})
        assert rewards == (turns.rewards or rewards)


def test_agents_hear_of_rounds_that_ended() -> None:
    turns = kuhn_v0.env(rules={"hands": 2})
    turns.reset(seed=5)
    heard = [
        (agent, info["place"], info["points"], reward)
        for agent, (_, reward, _, _, info, _) in play_on(turns, np.random.default_rng(5))
        if "place" in info
    ]
    assert [agent for agent, *_ in heard].count("seat_0") == 2
    assert [agent for agent, *_ in heard].count("seat_1") == 2
    assert sum(points for _, _, points, _ in heard) == 0
    assert all((place == 1) == (points > 0) == (reward > 0) for _, place, points, reward in heard)


def test_agents_who_sit_a_round_out_are_not_asked() -> None:
    turns = tahimi_v1.env(rules=ROSTER)
    turns.reset(seed=3)
    assert turns.possible_agents == [f"seat_{seat}" for seat in range(5)]
    assert not turns.observe("seat_4")["observation"].any()
    assert turns.observe("seat_3")["observation"].any()
    assert not turns.state()[4].any()
    asked: dict[int, set[str]] = {}
    rounds = 1
    for agent, (*_, action) in play_on(turns, np.random.default_rng(3)):
        if action is None:
            break
        asked.setdefault(rounds, set()).add(agent)
        rounds += any(turns.rewards.values())
    everybody = {*turns.possible_agents}
    assert asked[1] == everybody - {"seat_4"}
    assert asked[2] == everybody
    assert asked[3] == asked[4] == everybody - {"seat_1"}
    assert asked[5] == everybody


def test_sessions_follow_from_the_seed_before_them() -> None:
    def sessions(turns: AECCardEnv) -> list[bytes]:
        turns.reset(seed=8)
        first = turns.state().tobytes()
        turns.reset()
        return [first, turns.state().tobytes()]

    assert sessions(dalmuti_v1.env()) == sessions(dalmuti_v1.env())
    fresh = [dalmuti_v1.env(), dalmuti_v1.env()]
    for turns in fresh:
        turns.reset()
    assert not np.array_equal(fresh[0].state(), fresh[1].state())


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    turns = dalmuti_v1.env()
    turns.reset(seed=1)
    before, agent = turns.state(), turns.agent_selection
    legal = turns.infos[agent]["action_mask"]
    wrong = int(np.flatnonzero(legal == 0)[0])
    with pytest.raises(ValueError, match=cardsharp_rl.Table("dalmuti", seed=1).moves()[0].label):
        turns.step(wrong)
    assert turns.agent_selection == agent
    assert np.array_equal(turns.state(), before)


def test_an_illegal_action_may_be_one_drawn_at_random() -> None:
    def session() -> AECCardEnv:
        turns = dalmuti_v1.env(illegal="random")
        turns.reset(seed=1)
        turns.step(261)
        return turns

    turns = session()
    assert np.array_equal(turns.state(), session().state())
    agent = f"seat_{cardsharp_rl.Table('dalmuti', seed=1).turn}"
    while turns.agent_selection != agent:
        turns.step(int(turns.last()[0]["action_mask"].argmax()))
    assert turns.last()[-1]["illegal_action"]
    together = dalmuti_v1.parallel_env(illegal="random")
    together.reset(seed=1)
    assert together.step({agent: 261})[-1][agent]["illegal_action"]
    strict = dalmuti_v1.parallel_env()
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="legal.*illegal='random'"):
        strict.step({agent: 261})


def test_an_observation_that_is_changed_changes_no_info() -> None:
    turns = dalmuti_v1.env()
    turns.reset(seed=1)
    observation, *_, info = turns.last()
    legal = info["action_mask"].copy()
    observation["action_mask"][:] = 0
    assert legal.any() and np.array_equal(info["action_mask"], legal)
    assert np.array_equal(turns.observe(turns.agent_selection)["action_mask"], legal)


def test_the_wrappers_of_pettingzoo_fit_around() -> None:
    turns = wrappers.TerminateIllegalWrapper(taki_v1.raw_env(), illegal_reward=-1)
    turns = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(turns))
    api_test(turns, num_cycles=20)
    turns.reset(seed=1)
    agent = turns.agent_selection
    turns.step(int(np.flatnonzero(turns.last()[0]["action_mask"] == 0)[0]))
    assert all(turns.terminations.values())
    assert turns.rewards[agent] == -1
    parallel_api_test(turn_based_aec_to_parallel(taki_v1.env()), num_cycles=50)


def test_pickled_sessions_go_on() -> None:
    turns = dalmuti_v1.env()
    turns.reset(seed=6)
    list(play_on(turns, np.random.default_rng(6), 50))
    other = pickle.loads(pickle.dumps(turns))
    ways = [list(play_on(each, np.random.default_rng(7), 50)) for each in (turns, other)]
    assert [(agent, seen[1], seen[-1]) for agent, seen in ways[0]] == [
        (agent, seen[1], seen[-1]) for agent, seen in ways[1]
    ]
    assert np.array_equal(turns.state(), other.state())


@pytest.mark.parametrize("game", cardsharp_rl.games(reference=True), ids=lambda game: game.name)
def test_every_game_has_a_module_and_names_in_the_registry(game: cardsharp_rl.Game) -> None:
    name = f"{game.name}_v{game.encoding - 1}"
    module = import_module(f"cardsharp_rl.pettingzoo.{name}")
    assert str(module.env()) == str(module.raw_env()) == str(module.parallel_env()) == name
    assert isinstance(pettingzoo.make("aec", f"cardsharp/{name}"), type(module.env()))
    assert isinstance(pettingzoo.make("parallel", f"cardsharp/{name}"), type(module.parallel_env()))
    assert [*inspect.signature(module.env).parameters] == [*inspect.signature(env).parameters][1:]
    assert pickle.loads(pickle.dumps(module.parallel_env)) is module.parallel_env


@pytest.mark.parametrize("game", GAMES)
def test_flat_environments_show_the_same_rows(game: str) -> None:
    parallel_api_test(parallel_env(game, flat=True, illegal="random"), num_cycles=100)
    flat, whole = env(game, flat=True), env(game)
    assert flat.observation_space("seat_0") == whole.observation_space("seat_0")["observation"]
    flat.reset(seed=3)
    whole.reset(seed=3)
    _, infos = parallel_env(game, flat=True).reset(seed=3)
    assert all(info["action_mask"].all() != info["active"] for info in infos.values())
    assert np.array_equal(flat.last()[0], whole.last()[0]["observation"])
    assert np.array_equal(flat.last()[-1]["action_mask"], whole.last()[0]["action_mask"])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"game": "dalmutti"}, ValueError, "dalmuti"),
        ({"game": 5}, TypeError, r"game: 5 \(int\), expected a name"),
        ({"players": 3}, ValueError, "players"),
        ({"players": 5, "rules": {"players": 6}}, ValueError, "leave one of them out"),
        ({"rules": {"player": 5}}, ValueError, "players"),
        ({"rules": [5]}, TypeError, r"rules: \[5\] \(list\), expected a mapping"),
        ({"illegal": "lose"}, ValueError, "'raise' or 'random'"),
        ({"render_mode": "rgb"}, ValueError, "'human' or 'ansi' or 'rgb_array'"),
        ({"max_cycles": 0}, ValueError, "max_cycles: 0, expected at least 1"),
        ({"max_cycles": "4"}, TypeError, "max_cycles: '4'"),
    ],
)
@pytest.mark.parametrize("make", [env, parallel_env])
def test_wrong_arguments_are_named(
    make: Callable[..., Any], options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        make(**{"game": "dalmuti"} | options)


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (None, TypeError, "None.*whole number, 0 to 261"),
        (1.0, TypeError, "float"),
        ("pass", TypeError, "'pass'"),
        (np.array([1, 2]), TypeError, "ndarray"),
        (-1, ValueError, "-1, expected 0 to 261"),
        (262, ValueError, "262, expected 0 to 261"),
    ],
)
def test_wrong_actions_are_refused(action: Any, error: type[Exception], words: str) -> None:
    turns, together = dalmuti_v1.env(illegal="random"), dalmuti_v1.parallel_env()
    turns.reset(seed=1)
    together.reset(seed=1)
    with pytest.raises(error, match=words):
        turns.step(action)
    with pytest.raises(error, match=words):
        together.step({turns.agent_selection: action})
    assert np.array_equal(turns.state(), together.state())


def test_calls_out_of_order_are_refused() -> None:
    turns, together = kuhn_v0.env(), kuhn_v0.parallel_env()
    for call in (
        lambda: turns.step(0),
        turns.render,
        turns.state,
        lambda: turns.observe("seat_0"),
        lambda: together.step({}),
    ):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            call()
    for attribute in ("agents", "agent_selection", "rewards", "infos"):
        with pytest.raises(AttributeError, match=rf"{attribute} cannot be accessed before reset\(\)"):
            getattr(turns, attribute)
    turns.reset(seed=1)
    while not turns.terminations[turns.agent_selection]:
        turns.step(int(np.flatnonzero(turns.last()[0]["action_mask"])[0]))
    with pytest.raises(ValueError, match="expected None, because seat_0 is done"):
        turns.step(0)
    turns.step(None)
    turns.step(None)
    with pytest.raises(ResetNeeded, match="the session is over"):
        turns.step(None)


def test_unknown_agents_are_refused() -> None:
    turns, together = kuhn_v0.env(), kuhn_v0.parallel_env()
    turns.reset(seed=1)
    together.reset(seed=1)
    for call in (turns.observe, turns.observation_space, turns.action_space, together.action_space):
        with pytest.raises(ValueError, match="agent: 'seat_2', expected one of seat_0, seat_1"):
            call("seat_2")
    with pytest.raises(ValueError, match="actions: 'seat_2'"):
        together.step({"seat_0": 1, "seat_2": 1})
    with pytest.raises(ValueError, match="actions: nothing of seat_0, whose turn it is"):
        together.step({"seat_1": 1})
    with pytest.raises(TypeError, match="actions: int, expected a dictionary"):
        together.step(1)
