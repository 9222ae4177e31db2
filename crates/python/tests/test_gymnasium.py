"""Environments of Gymnasium: by its own checks, lanes against single environments, these against tables."""

import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any, ClassVar

import cardsharp_rl
import gymnasium
import numpy as np
import pytest
from cardsharp_rl.gymnasium import SingleAgentEnv, SingleAgentVectorEnv
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordLaneStatistics

GAMES = [game.name for game in cardsharp_rl.games(reference=True)]
ROSTER = {"rounds": 3, "roster_script": [{"round": 2, "join": 4}, {"round": 3, "leave": 1}]}
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def name(game: str) -> str:
    """The id of a game's environment."""
    return f"cardsharp/{game.capitalize()}-v{cardsharp_rl.game(game).encoding - 1}"


def rounds(game: str, number: int) -> dict[str, Any]:
    """Rules for so many rounds."""
    return {cardsharp_rl.game(game).rounds_option: number}


def first_legal(rows: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """A function as an opponent."""
    assert rows.dtype == np.uint8
    assert len(rows) == len(legal)
    return legal.argmax(axis=1)


class Drawn:
    """A class as an opponent, which draws by itself."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def act(self, rows: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return (legal * (1 + self.random.random(legal.shape))).argmax(axis=1)


def legal_actions(observation: dict[str, np.ndarray], random: np.random.Generator) -> np.ndarray:
    """A random legal action of each lane, 0 where there is none."""
    return (observation["action_mask"] * (1 + random.random(observation["action_mask"].shape))).argmax(axis=1)


def cases() -> Iterator[Any]:
    """Games with arguments of their environments."""
    for game in GAMES:
        most = cardsharp_rl.game(game).players[-1]
        yield pytest.param(game, {}, id=game)
        yield pytest.param(game, {"seat": "rotating", "players": most, "rules": rounds(game, 1)}, id=f"{game}-{most}")
        random = cardsharp_rl.game(game).random_rules(5) | rounds(game, 1)
        options = {"seat": "random", "opponents": first_legal, "skip_forced": True, "rules": random}
        yield pytest.param(game, options, id=f"{game}-random")
    mixed = ["scripted", first_legal, "cautious", "scripted"]
    yield pytest.param("tahimi", {"rules": ROSTER, "opponents": mixed, "seat": 4}, id="tahimi-roster")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("game", "options"), [*cases()])
def test_passes_the_check_of_gymnasium(game: str, options: dict[str, Any]) -> None:
    # It acts without masks.
    check_env(gymnasium.make(name(game), illegal="random", **options).unwrapped)
    check_env(gymnasium.make(name(game), illegal="random", flat=True, **options).unwrapped)


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in a process of its own."""
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)


def test_the_module_may_be_named_with_the_environment() -> None:
    assert run(f"import gymnasium; gymnasium.make('cardsharp_rl.gymnasium:{name('taki')}')").returncode == 0


@pytest.mark.parametrize("library", ["gymnasium", "pettingzoo"])
def test_a_library_that_is_not_installed_is_named(library: str) -> None:
    done = run(f"import sys; sys.modules['{library}'] = None; import cardsharp_rl.{library}")
    assert f"pip install 'cardsharp-rl[{library}]'" in done.stderr


@pytest.mark.parametrize("game", cardsharp_rl.games(reference=True), ids=lambda game: game.name)
def test_every_game_is_registered(game: cardsharp_rl.Game) -> None:
    spec = gymnasium.spec(f"cardsharp/{game.name.capitalize()}-v{game.encoding - 1}")
    assert spec.kwargs == {"game": game.name}


@pytest.mark.parametrize("game", GAMES)
def test_an_episode_is_a_session_of_a_table(game: str) -> None:
    env = gymnasium.make(name(game), rules=rounds(game, 2), seat=1).unwrapped
    observation, info = env.reset(seed=3)
    table, scripted = cardsharp_rl.Table(game, env.rules, seed=3), cardsharp_rl.bot("scripted", game)
    random = np.random.default_rng(3)
    terminated, paid, earned = False, 0.0, 0.0
    while True:
        while table.turn not in (1, None):
            table.play(scripted.pick(table))
        if table.turn is None:
            earned += table.payoff.reward[1]
            assert (info["place"], info["points"]) == (table.payoff.place[1], table.payoff.points[1])
            if not table.deal_next():
                break
            continue
        assert np.array_equal(observation["observation"], table.observation())
        assert np.array_equal(env.action_masks(), table.action_mask())
        assert np.array_equal(observation["action_mask"], table.action_mask().astype(np.int8))
        action = random.choice(table.legal_actions())
        table.play(int(action))
        observation, reward, terminated, truncated, info = env.step(action)
        paid += reward
        assert not truncated
    assert terminated
    assert paid == pytest.approx(earned)
    assert not observation["action_mask"].any()
    assert np.array_equal(observation["observation"], table.observation(1))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("game", "options"), [*cases()])
def test_lanes_play_what_single_environments_play(game: str, options: dict[str, Any], mode: AutoresetMode) -> None:
    options = {"illegal": "random", **options}
    lanes = gymnasium.make_vec(name(game), num_envs=4, autoreset_mode=mode, **options)
    singles = gymnasium.make_vec(
        name(game), num_envs=4, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **options
    )
    assert isinstance(lanes, SingleAgentVectorEnv)
    assert lanes.observation_space == singles.observation_space
    assert lanes.action_space == singles.action_space
    random, over = np.random.default_rng(1), 0
    told, expected = lanes.reset(seed=20), singles.reset(seed=20)
    assert data_equivalence(told, expected, exact=True)
    assert told[0] in lanes.observation_space
    for step in range(1000):
        # Now and then any action, legal or not.
        actions = singles.action_space.sample() if step % 10 == 9 else legal_actions(told[0], random)
        told, expected = lanes.step(actions), singles.step(actions)
        assert data_equivalence(told[0], expected[0], exact=True)
        # Sums of rewards are rounded otherwise where several rounds end in a step.
        assert np.allclose(told[1], expected[1])
        assert data_equivalence(told[2:], expected[2:], exact=True)
        over += told[2].sum()
        if over >= 3 or (step >= 60 and lanes.rules[lanes.game.rounds_option] > 1):
            break
    else:
        pytest.fail("sessions of a round did not end")


def test_threads_change_nothing() -> None:
    def play(threads: int) -> list[Any]:
        lanes = gymnasium.make_vec(name("dalmuti"), num_envs=8, threads=threads, opponents="random")
        random = np.random.default_rng(2)
        told = [lanes.reset(seed=1)]
        for _ in range(30):
            told.append(lanes.step(legal_actions(told[-1][0], random)))
        return told

    assert data_equivalence(play(1), play(2), exact=True)


@pytest.mark.parametrize("mode", MODES)
def test_statistics_of_episodes_are_recorded(mode: AutoresetMode) -> None:
    single = RecordEpisodeStatistics(gymnasium.make(name("leduc"), seat="rotating"))
    vector = RecordLaneStatistics(gymnasium.make_vec(name("leduc"), num_envs=3, autoreset_mode=mode, seat="rotating"))
    observation, _ = single.reset(seed=1)
    alone = []
    while len(alone) < 5:
        observation, _, terminated, _, info = single.step(int(observation["action_mask"].argmax()))
        if terminated:
            alone.append((info["episode"]["r"], info["episode"]["l"]))
            observation, _ = single.reset()
    observations, _ = vector.reset(seed=1)
    first_lane = []
    while len(first_lane) < 5:
        observations, *_, infos = vector.step(observations["action_mask"].argmax(axis=1))
        if infos.get("_episode", np.zeros(3))[0]:
            first_lane.append((infos["episode"]["r"][0], infos["episode"]["l"][0]))
    assert np.allclose(alone, first_lane)


def test_lanes_in_processes_are_the_same() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # About processes that are forked beside threads.
        lanes = gymnasium.make_vec(name("kuhn"), num_envs=2, vectorization_mode="async")
        try:
            assert data_equivalence(lanes.reset(seed=9), gymnasium.make_vec(name("kuhn"), num_envs=2).reset(seed=9))
        finally:
            lanes.close()


def test_lanes_are_begun_anew_one_by_one() -> None:
    lanes = gymnasium.make_vec(name("kuhn"), num_envs=3, autoreset_mode="Disabled", rules={"hands": 1})
    told, _ = lanes.reset(seed=[5, None, 6])
    over = np.zeros(3, bool)
    while not over.any():
        told, _, over, _, _ = lanes.step(told["action_mask"].argmax(axis=1))
    with pytest.raises(ResetNeeded, match="sessions of lanes"):
        lanes.step(np.ones(3, int))
    told_anew, infos = lanes.reset(options={"reset_mask": over})
    assert np.array_equal(infos["_action_mask"], over)
    assert np.array_equal(told_anew["observation"][~over], told["observation"][~over])
    assert told_anew["action_mask"].any(axis=1).all()


def test_seats_rotate_or_are_drawn() -> None:
    def seats(option: str, seed: int) -> list[int]:
        env = gymnasium.make(name("dalmuti"), seat=option)
        return [env.reset(seed=seed)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(5))]

    assert seats("rotating", 8) == [3, 4, 0, 1, 2, 3]
    assert seats("random", 8) == seats("random", 8)
    assert len({*seats("random", 8)}) > 1


def test_opponents_sit_clockwise_from_the_learner() -> None:
    class Left:
        """Remembers the seats that it was asked for."""

        asked: ClassVar[set[int]] = set()

        def pick(self, view: cardsharp_rl.View) -> int:
            self.asked.add(view.seat)
            return int(view.legal_actions()[0])

    for make in (gymnasium.make, gymnasium.make_vec):
        Left.asked.clear()
        env = make(name("tahimi"), seat=2, opponents=[Left, "scripted", "random"])
        observation, _ = env.reset(seed=1)
        for _ in range(20):
            observation, *_ = env.step(observation["action_mask"].argmax(axis=-1))
        assert Left.asked == {3}


@pytest.mark.parametrize("opponents", ["random", cardsharp_rl.bot("random", "taki", seed=3), first_legal, Drawn])
def test_seeded_episodes_are_played_again(opponents: Any) -> None:
    def play(env: Any) -> list[Any]:
        told = [env.reset(seed=4)]
        for _ in range(10):
            told.append(env.step(told[-1][0]["action_mask"].argmax(axis=-1)))
            if np.any(told[-1][2]):
                break
        return told

    rules = {"games": 5}
    env = gymnasium.make(name("taki"), opponents=opponents, rules=rules)
    assert data_equivalence(play(env), play(env), exact=True)
    lanes = gymnasium.make_vec(name("taki"), num_envs=3, opponents=opponents, rules=rules)
    assert data_equivalence(play(lanes), play(lanes), exact=True)


def test_an_illegal_action_is_drawn_or_refused() -> None:
    env = gymnasium.make(name("dalmuti"), illegal="random").unwrapped
    observation, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    assert env.step(wrong)[4]["illegal_action"]
    strict = gymnasium.make(name("dalmuti")).unwrapped
    observation, _ = strict.reset(seed=1)
    with pytest.raises(ValueError, match="legal.*illegal='random'"):
        strict.step(wrong)
    assert np.array_equal(strict.action_masks(), observation["action_mask"])
    lanes = gymnasium.make_vec(name("dalmuti"), num_envs=2)
    observation, _ = lanes.reset(seed=1)
    right = observation["action_mask"].argmax(axis=1)
    with pytest.raises(ValueError, match=f"actions: {wrong} is illegal in lane 0, expected one of .*illegal='random'"):
        lanes.step(np.array([wrong, right[1]]))
    assert data_equivalence(lanes.step(right), gymnasium.make_vec(name("dalmuti"), num_envs=2).reset(seed=1)) is False


def test_pictures_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    lanes = gymnasium.make_vec(name("taki"), num_envs=2, render_mode="ansi")
    lanes.reset(seed=[1, 2])
    env = gymnasium.make(name("taki"), render_mode="ansi")
    env.reset(seed=1)
    assert lanes.render()[0] == env.render()
    gymnasium.make(name("taki"), render_mode="human").reset(seed=1)
    assert capsys.readouterr().out.strip() == env.render().strip()


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_pixels_of_one_size(game: str) -> None:
    most = cardsharp_rl.game(game).players[-1]
    env = gymnasium.make(name(game), players=most, rules=rounds(game, 1), render_mode="rgb_array")
    lanes = gymnasium.make_vec(name(game), num_envs=2, players=most, rules=rounds(game, 1), render_mode="rgb_array")
    _, info = env.reset(seed=1)
    lanes.reset(seed=1)
    over, pictures = False, [*lanes.render(), env.render()]
    assert np.array_equal(pictures[0], pictures[-1])
    while not over:
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        pictures.append(env.render())
    assert {(picture.shape, picture.dtype) for picture in pictures} == {((480, 800, 3), np.dtype(np.uint8))}
    assert not np.array_equal(pictures[0], pictures[-1])


def test_pixels_without_pillow_say_what_to_install() -> None:
    done = run(
        "import sys, gymnasium, cardsharp_rl.gymnasium; sys.modules['PIL'] = None; "
        f"env = gymnasium.make('{name('taki')}', render_mode='rgb_array').unwrapped; env.reset(seed=1); env.render()"
    )
    assert "pip install 'cardsharp-rl[render]'" in done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_flat_environments_show_the_same_rows(game: str) -> None:
    flat, whole = gymnasium.make(name(game), flat=True), gymnasium.make(name(game))
    assert flat.observation_space == whole.observation_space["observation"]
    row, info = flat.reset(seed=1)
    observation, _ = whole.reset(seed=1)
    assert np.array_equal(row, observation["observation"])
    assert np.array_equal(info["action_mask"], flat.unwrapped.action_masks())
    lanes = gymnasium.make_vec(name(game), num_envs=3, flat=True)
    rows, infos = lanes.reset(seed=1)
    assert rows in lanes.observation_space and np.array_equal(rows[0], row)
    assert np.array_equal(infos["action_mask"], lanes.action_masks())


def test_lanes_answer_calls_as_vectors_of_single_environments() -> None:
    lanes = gymnasium.make_vec(name("dalmuti"), num_envs=3, seat="rotating")
    singles = gymnasium.make_vec(name("dalmuti"), num_envs=3, vectorization_mode="sync", seat="rotating")
    lanes.reset(seed=1)
    singles.reset(seed=1)
    for attribute in ("seat", "seats", "rules", "flat"):
        assert lanes.get_attr(attribute) == singles.get_attr(attribute)
    assert np.array_equal(lanes.call("action_masks"), singles.call("action_masks"))
    with pytest.raises(AttributeError):
        lanes.get_attr("colour")


def test_pickled_environments_go_on() -> None:
    for make in (gymnasium.make, gymnasium.make_vec):
        env = make(name("dalmuti")).unwrapped
        observation, _ = env.reset(seed=1)
        other = pickle.loads(pickle.dumps(env))
        action = observation["action_mask"].argmax(axis=-1)
        assert data_equivalence(env.step(action), other.step(action), exact=True)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"players": 3}, ValueError, "players"),
        ({"players": 5, "rules": {"players": 6}}, ValueError, "leave one of them out"),
        ({"rules": {"player": 5}}, ValueError, "players"),
        ({"seat": 5}, ValueError, "seat: 5, expected 0 to 4"),
        ({"seat": "first"}, ValueError, "seat: 'first', expected 'random' or 'rotating'"),
        ({"seat": 1.5}, TypeError, r"seat: 1.5 \(float\), expected a whole number, 0 to 4"),
        ({"rules": 5}, TypeError, r"rules: 5 \(int\), expected a mapping"),
        ({"opponents": "scriptet"}, ValueError, "scripted"),
        ({"opponents": 7}, TypeError, "bot 'int': expected a name, a Bot, a function"),
        ({"opponents": ["scripted"]}, ValueError, "a list of 1, expected one for all, or 4"),
        ({"opponents": cardsharp_rl.bot("random", "taki")}, ValueError, "plays taki, expected one for dalmuti"),
        ({"illegal": "lose"}, ValueError, "'raise' or 'random'"),
    ],
)
@pytest.mark.parametrize("make", [SingleAgentEnv, SingleAgentVectorEnv])
def test_wrong_arguments_are_named(make: Any, options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make(game="dalmuti", **options)


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda rows, legal: 0, ValueError, "one dimension"),
        (lambda rows, legal: legal, TypeError, "integers"),
        (lambda rows, legal: legal.argmin(axis=1), ValueError, "not legal; legal: "),
    ],
)
def test_wrong_choices_of_functions_are_refused(function: Any, error: type[Exception], words: str) -> None:
    rules = {"seating": "fixed"}
    with pytest.raises(error, match=words):
        gymnasium.make(name("dalmuti"), opponents=function, seat=2, rules=rules).reset(seed=1)
    with pytest.raises(error, match=words):
        gymnasium.make_vec(name("dalmuti"), num_envs=2, opponents=function, seat=2, rules=rules).reset(seed=1)


def test_nobody_goes_on_where_an_opponent_failed() -> None:
    class Failing:
        """Raises an error when it is asked for the third time."""

        asked = 0

        def act(self, rows: np.ndarray, legal: np.ndarray) -> np.ndarray:
            self.asked += 1
            if self.asked == 3:
                raise RuntimeError("out of ideas")
            return legal.argmax(axis=1)

    for env in (
        gymnasium.make(name("kuhn"), opponents=Failing(), rules={"hands": 50}),
        gymnasium.make_vec(name("kuhn"), num_envs=1, opponents=Failing(), rules={"hands": 50}),
    ):
        env.reset(seed=1)
        action = np.ones(env.action_space.shape, int)
        with pytest.raises(RuntimeError, match="out of ideas"):
            for _ in range(9):
                env.step(action)
        with pytest.raises(ResetNeeded):
            env.step(action)
        env.reset(seed=1)
        env.step(action)


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        (np.zeros(2), TypeError, r"actions: float64, expected integers \[2\]"),
        (["pass", "pass"], TypeError, r"expected integers \[2\]"),
        (np.zeros(3, int), ValueError, r"actions: \[3\], expected \[2\]"),
        (0, ValueError, r"actions: \[\], expected \[2\]"),
        (np.array([0, -1]), ValueError, "actions: -1 in lane 1, expected 0 to 261"),
        (np.array([262, 0]), ValueError, "actions: 262 in lane 0, expected 0 to 261"),
    ],
)
def test_wrong_actions_of_lanes_are_refused(actions: Any, error: type[Exception], words: str) -> None:
    lanes = SingleAgentVectorEnv(2, game="dalmuti")
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        lanes.step(actions)
    lanes.reset(seed=1)
    with pytest.raises(error, match=words):
        lanes.step(actions)


def test_wrong_resets_of_lanes_are_refused() -> None:
    lanes = SingleAgentVectorEnv(2, game="dalmuti")
    with pytest.raises(ValueError, match="seed: 3 seeds, expected one, or 2"):
        lanes.reset(seed=[1, 2, 3])
    with pytest.raises(ResetNeeded, match="for all lanes first"):
        lanes.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(TypeError, match=r"reset_mask.*list, expected an array of bool \[2\]"):
        lanes.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match=r"reset_mask.*\[2\] with 0 lanes"):
        lanes.reset(options={"reset_mask": np.zeros(2, bool)})
    with pytest.raises(ValueError, match="num_envs: 0, expected at least 1"):
        SingleAgentVectorEnv(0, game="dalmuti")


def test_calls_out_of_order_are_refused() -> None:
    env = SingleAgentEnv("kuhn", rules={"hands": 1})
    for call in (lambda: env.step(0), env.render, env.action_masks):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            call()
    env.reset(seed=1)
    for wrong in (None, "call", 1.0):
        with pytest.raises(TypeError, match=r"action: .*, expected a whole number, 0 to 2"):
            env.step(wrong)
    with pytest.raises(ValueError, match="action: 3, expected 0 to 2"):
        env.step(3)
    while not env.step(int(env.action_masks().argmax()))[2]:
        pass
    with pytest.raises(ResetNeeded, match="the session is over"):
        env.step(1)


@pytest.mark.parametrize("skip_forced", [False, True])
def test_bots_that_are_asked_at_once_play_what_they_play_one_by_one(skip_forced: bool) -> None:
    class Asked(SingleAgentEnv):
        """Its opponents are asked one by one."""

        def __init__(self) -> None:
            super().__init__(
                "dalmuti", opponents=["scripted", "random", "cautious"], players=4, skip_forced=skip_forced
            )
            self._opponents.are_quick = False

    env, asked = (
        SingleAgentEnv("dalmuti", opponents=["scripted", "random", "cautious"], players=4, skip_forced=skip_forced),
        Asked(),
    )
    assert env._opponents.are_quick
    for seed in range(3):
        told, other = env.reset(seed=seed), asked.reset(seed=seed)
        over = False
        while not over:
            assert data_equivalence(told[0], other[0])
            action = int(told[0]["action_mask"].argmax())
            told, other = env.step(action), asked.step(action)
            assert told[1:3] == other[1:3]
            over = told[2]


def test_vectors_are_vectors_of_gymnasium() -> None:
    lanes = gymnasium.make_vec(name("tachtigen"), num_envs=2)
    assert isinstance(lanes, VectorEnv)
    assert lanes.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert lanes.np_random_seed == (None, None)
    lanes.reset(seed=3)
    assert lanes.np_random_seed == (3, 4)
    lanes.close()
    with pytest.raises(ValueError, match="valid AutoresetMode"):
        SingleAgentVectorEnv(2, game="kuhn", autoreset_mode="later")
