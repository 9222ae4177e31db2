"""Our games as OpenSpiel's: its own tests over ours, its bots at our tables, and exploitability by both."""

import pickle
import subprocess
import sys
import unittest
from pathlib import Path

import cardsharp_rl
import cardsharp_rl.openspiel as ours
import numpy as np
import open_spiel
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, evaluate_bots, exploitability, ismcts, mcts
from open_spiel.python.bots import uniform_random

GAMES = [game.name for game in cardsharp_rl.games(reference=True)]
LARGE = [game.name for game in cardsharp_rl.games()]

VARIANTS = [
    "cardsharp_dalmuti(players=4,strip=[11;12],hands=3)",
    "cardsharp_dalmuti(players=8,scoring=philanthropic,reward=score)",
    "cardsharp_tahimi(players=3,jokers=wild,rounds=2)",
    "cardsharp_tahimi(players=6,deck=special,joker_tax=holder)",
    'cardsharp_tahimi(players=4,rounds=3,roster_script=[{"round":2;"join":4};{"round":3;"leave":1}])',
    'cardsharp_taki(players=2,max_decisions="300",last_card=challenge)',
    "cardsharp_taki(players=3,mode=tournament,stages=2)",
    "cardsharp_tachtigen(roem_claims=free_claim,deals=2,recall=4)",
    "cardsharp_kuhn(hands=3)",
    "cardsharp_leduc(hands=2,recall=7)",
]


def dealt(game, seed=0):
    """A state in which chance has decided."""
    random = np.random.RandomState(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes())
        state.apply_action(int(random.choice(outcomes, p=probabilities)))
    return state


def played(game, moves, seed=0):
    """A state some random moves later."""
    random = np.random.RandomState(seed)
    state = dealt(game, seed)
    for _ in range(moves):
        if state.is_terminal():
            break
        state.apply_action(int(random.choice(state.legal_actions())))
    return state


# OpenSpiel's own tests.


@pytest.mark.parametrize("name", [f"cardsharp_{name}" for name in GAMES] + VARIANTS)
def test_random_simulations_with_serialization(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_random_simulations_by_random_rules(name):
    game = cardsharp_rl.game(name)
    for seed in range(3):
        # Games of TAKI between ten players last long.
        rules = game.random_rules(seed) | {game.rounds_option: 1} | ({"max_decisions": 60} if name == "taki" else {})
        pyspiel.random_sim_test(ours.load(game, rules), num_sims=1, serialize=False, verbose=False)


def test_their_simulation_tests_pass_over_our_games():
    tests = Path(open_spiel.__file__).parent / "python/tests/games_sim_test.py"
    options = "-m pytest -q -p cardsharp_rl.openspiel -p no:cacheprovider -k cardsharp"
    command = [sys.executable, *options.split(), str(tests)]
    result = subprocess.run(command, capture_output=True, text=True, cwd="/")
    assert result.returncode == 0, result.stdout[-3000:]
    assert int(result.stdout.split(" passed")[0].split()[-1]) >= len(GAMES), result.stdout[-300:]


@pytest.fixture(scope="module")
def parsed_flags():
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test", "--test_only_games=cardsharp_"])


def test_their_interface_tests_pass_over_our_games(parsed_flags):
    """Which games there are they ask when they are imported, and ours were there before."""
    suite = api_test.load_tests(unittest.TestLoader(), None, None)
    result = unittest.TestResult()
    suite.run(result)
    assert result.wasSuccessful(), result.failures + result.errors
    assert result.testsRun >= 5 * len(GAMES)


# Chance nodes, decisions and ends; information sets. Theirs of Leduc turn the second card up later, ours deal it
# at once.
TREES = {"cardsharp_kuhn": ((1, 24, 30), 12), "cardsharp_leduc": ((1, 4320, 5880), 936)}


@pytest.mark.parametrize("name", TREES)
def test_their_tests_of_whole_trees_pass_over_our_reference_games(parsed_flags, monkeypatch, name):
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, TREES[name][0])
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, TREES[name][1])
    whole = type("Whole", (api_test.EnforceAPIOnFullTreeBase,), {"game_name": name, "game": pyspiel.load_game(name)})
    result = unittest.TestResult()
    unittest.TestLoader().loadTestsFromTestCase(whole).run(result)
    assert result.wasSuccessful(), result.failures + result.errors
    assert result.testsRun >= 8


# What a state is.


@pytest.mark.parametrize("name", LARGE)
def test_a_state_is_the_session_of_its_seed(name):
    game = ours.load(name)
    state = dealt(game, 5)
    table = cardsharp_rl.Table(name, game.rules, seed=state.seed)
    random = np.random.RandomState(0)
    while not state.is_terminal():
        assert state.current_player() == table.turn
        assert state.legal_actions() == table.legal_actions().tolist()
        assert [state.action_to_string(action) for action in state.legal_actions()] == [
            move.label for move in table.moves()
        ]
        action = int(random.choice(state.legal_actions()))
        state.apply_action(action)
        table.play(action)
    assert state.returns() == list(table.payoff.reward) == state.rewards()


def test_rewards_come_with_the_end_of_each_round_and_add_up():
    state = dealt(ours.load("dalmuti", {"players": 4, "hands": 3}))
    paid, rounds = np.zeros(4), 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
        paid += state.rewards()
        rounds += any(state.rewards())
        assert np.allclose(paid, state.returns())
    assert rounds == 3


@pytest.mark.parametrize("name", GAMES)
def test_states_survive_clones_serialization_and_pickling(name):
    game = ours.load(name)
    state = played(game, 12)
    same = [state.clone(), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())]
    same.append(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1])
    for other in same:
        assert (str(other), other.history(), other.returns()) == (str(state), state.history(), state.returns())
        assert [other.information_state_string(seat) for seat in range(game.num_players())] == [
            state.information_state_string(seat) for seat in range(game.num_players())
        ]
        # What happens to one does not happen to the other.
        while not other.is_terminal():
            other.apply_action(other.legal_actions()[0])
    assert str(state) == str(played(game, 12))


def test_what_was_pickled_is_read_in_a_process_that_knows_nothing_yet(tmp_path):
    game = ours.load("taki", {"players": 3})
    state = played(game, 9)
    (tmp_path / "pickled").write_bytes(pickle.dumps((game, state)))
    read = "game, state = pickle.load(sys.stdin.buffer)"
    code = f"import pickle, sys; {read}; print(game, state.history(), state.legal_actions())"
    with open(tmp_path / "pickled", "rb") as pickled:
        result = subprocess.run([sys.executable, "-c", code], stdin=pickled, capture_output=True, text=True)
    assert result.stdout == f"{game} {state.history()} {state.legal_actions()}\n", result.stderr


def test_a_history_leads_to_the_same_state():
    game = pyspiel.load_game("cardsharp_taki(players=3)")
    state = played(game, 40)
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)


def test_a_game_is_loaded_again_from_its_name():
    for name in VARIANTS:
        game = pyspiel.load_game(name)
        again = pyspiel.load_game(str(game))
        assert (again.rules, again.recall, str(again)) == (game.rules, game.recall, str(game))
        assert pickle.loads(pickle.dumps(game)).rules == game.rules
    assert str(pyspiel.load_game("cardsharp_dalmuti(players=5)")) == "cardsharp_dalmuti()"


def test_rules_are_those_of_cardsharp_but_for_one_round():
    for name in GAMES:
        game = cardsharp_rl.game(name)
        assert ours.load(name).rules == game.rules({game.rounds_option: 1})
    assert pyspiel.load_game("cardsharp_taki", {"max_decisions": "300"}).rules["max_decisions"] == 300
    assert pyspiel.load_game("cardsharp_dalmuti", {"players": 4, "strip": "[11, 12]"}).rules["strip"] == [11, 12]


def test_what_is_refused_says_what_would_be_right():
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'player'. Available parameters are:.*players"):
        pyspiel.load_game("cardsharp_dalmuti(player=5)")
    with pytest.raises(ValueError, match="players"):
        pyspiel.load_game("cardsharp_dalmuti(players=13)")
    with pytest.raises(ValueError, match="`recall` is -1; expected a whole number, 0 to 1000"):
        pyspiel.load_game("cardsharp_leduc(recall=-1)")
    state = ours.load("dalmuti").new_initial_state()
    with pytest.raises(ValueError, match="nothing is dealt yet"):
        state.view(0)
    with pytest.raises(ValueError, match="nothing is dealt yet"):
        state.table()
    with pytest.raises(ValueError, match="only a session under way"):
        state.resample_from_infostate(0, lambda: 0.5)
    with pytest.raises(ValueError, match="load the game with `recall`"):
        dealt(ours.load("dalmuti")).information_state_tensor(0)


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_is_refused_and_changes_nothing(name):
    state = played(ours.load(name, recall=2), 2)
    if state.is_terminal():
        state = dealt(ours.load(name, recall=2))
    before = (str(state), state.history(), state.information_state_string(), state.information_state_tensor())
    illegal = [action for action in range(state.num_distinct_actions()) if action not in state.legal_actions()]
    for action in (*illegal[:3], 100_000):
        with pytest.raises(ValueError, match="legal|action"):
            state.apply_action(action)
        assert (
            str(state),
            state.history(),
            state.information_state_string(),
            state.information_state_tensor(),
        ) == before


# What a seat sees.


def test_observations_are_rows_in_their_blocks():
    game = ours.load("dalmuti", {"players": 5})
    state = played(game, 20)
    observer = game.make_py_observer()
    for seat in range(5):
        observer.set_from(state, seat)
        row = state.table().observation(seat)
        assert observer.dict["player"].tolist() == [seat == other for other in range(5)]
        for block in game.game.observation:
            cells = row[block.offset : block.offset + block.len]
            assert np.allclose(observer.dict[block.name] * block.max, cells), block.name
        assert np.array_equal(observer.tensor, state.observation_tensor(seat))
        # Theirs, by way of C++.
        assert state.observation_tensor(seat) == pyspiel.State.observation_tensor(state, seat)
        assert observer.tensor.min() >= 0 and observer.tensor.max() <= 1


def test_information_states_remember_what_views_forget():
    """Two ways to the same view: what was seen on the way tells them apart."""
    game = ours.load("leduc", {"hands": 2}, recall=7)
    ways = {}
    for first in range(200):
        state = played(game, 9, seed=first)
        if state.is_terminal():
            continue
        seat = state.current_player()
        ways.setdefault((seat, state.observation_string(seat)), set()).add(
            (state.information_state_string(seat), tuple(state.information_state_tensor(seat)))
        )
    assert max(len(way) for way in ways.values()) > 1
    assert state.information_state_tensor(0) == pyspiel.State.information_state_tensor(state, 0)
    for way in ways.values():
        assert len({string for string, _ in way}) == len(way) == len({tensor for _, tensor in way})


def test_factored_observations_are_what_everybody_and_what_one_seat_knows():
    game = ours.load("kuhn")
    state = dealt(game)
    kind = pyspiel.IIGObservationType
    public = game.make_py_observer(
        kind(perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE)
    )
    private = game.make_py_observer(
        kind(perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER)
    )
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert private.string_from(state, 0) != private.string_from(state, 1)
    with pytest.raises(ValueError, match="observed by one seat"):
        game.make_py_observer(
            kind(perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )


@pytest.mark.parametrize("name", GAMES)
def test_cards_dealt_again_change_nothing_that_the_seat_knows(name):
    game = ours.load(name)
    others = set()
    for moves in (0, 1, 7, 25):
        state = played(game, moves, seed=moves)
        if state.is_terminal():
            continue
        player = state.current_player()
        for draw in range(4):
            sampler = np.random.RandomState(draw).uniform
            other = state.resample_from_infostate(player, sampler)
            assert other.current_player() == player
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert len(other.history()) == len(state.history()) and other.returns() == state.returns()
            assert [item.player for item in other.full_history()] == [item.player for item in state.full_history()]
            assert other.resample_from_infostate(player, sampler).legal_actions() == state.legal_actions()
            others.add((moves, str(other)))
            if game.game.reference:
                assert str(pickle.loads(pickle.dumps(other))) == str(other)
            else:
                with pytest.raises(TypeError, match="an imagined table has no past"):
                    pickle.dumps(other)
            finished = other.clone()
            while not finished.is_terminal():
                finished.apply_action(finished.legal_actions()[0])
    assert len(others) > (3 if game.game.reference else 6), "hidden cards lie otherwise"


def test_listed_deals_are_dealt_again_as_probably_as_they_can_be_there():
    state = dealt(ours.load("kuhn"))
    dealt_again = [str(state.resample_from_infostate(0, np.random.RandomState(draw).uniform)) for draw in range(400)]
    counts = sorted(dealt_again.count(one) for one in set(dealt_again))
    assert len(counts) == 2 and counts[0] > 150, "either of the two cards that seat 0 does not hold"
    other = state.resample_from_infostate(0, np.random.RandomState(1).uniform)
    again = state.get_game().new_initial_state()
    for action in other.history():
        again.apply_action(action)
    assert str(again) == str(other), "a history of a listed deal leads to it"


# Their algorithms on our games, our bots on theirs.


@pytest.mark.parametrize(
    "name", ["cardsharp_kuhn", "cardsharp_leduc", "cardsharp_dalmuti(players=4)", "cardsharp_taki(players=2)"]
)
def test_their_search_bots_play_our_games(name):
    game = pyspiel.load_game(name)
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bots = [
        ismcts.ISMCTSBot(game, evaluator, 2.0, 5, random_state=random),
        mcts.MCTSBot(game, 2.0, 5, evaluator, random_state=random),
    ]
    bots += [uniform_random.UniformRandomBot(seat, random) for seat in range(2, game.num_players())]
    state = dealt(game)
    for _ in range(24):
        if state.is_terminal():
            break
        state.apply_action(bots[state.current_player()].step(state))
    assert len(state.history()) > game.max_chance_nodes_in_history() + 1


def test_ismcts_finds_what_is_plainly_best():
    """With a king in Kuhn poker and a bet to answer: call."""
    game = ours.load("kuhn")
    state = next(
        state
        for state in (dealt(game, seed) for seed in range(100))
        if state.view(1).json()["own"]["card"] == "Ks" and state.current_player() == 0
    )
    state.apply_action(state.string_to_action("bet"))
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 2.0, 200, random_state=random)
    assert state.action_to_string(bot.step(state)) == "call"


def test_their_cfr_comes_near_the_equilibrium_of_our_kuhn():
    game = ours.load("kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    result = exploitability.nash_conv(game, solver.average_policy(), return_only_nash_conv=False)
    assert result.nash_conv < 0.01


def test_their_algorithms_in_cpp_run_on_our_games():
    game = ours.load("kuhn")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy()) < 0.01
    uniform = ours.BotPolicy(game, cardsharp_rl.bot("random", "kuhn"))
    assert exploitability.nash_conv(game, uniform, use_cpp_br=True) == pytest.approx(11 / 12, abs=1e-9)


@pytest.mark.parametrize("name, uniform", [("kuhn", 11 / 12), ("leduc", 4.747222222222222)])
@pytest.mark.parametrize("spec", ["random", "scripted"])
def test_nash_conv_is_the_same_by_both(name, uniform, spec):
    game = ours.load(name)
    theirs = exploitability.nash_conv(game, ours.BotPolicy(game, cardsharp_rl.bot(spec, name)))
    own = cardsharp_rl.solve(name, spec).strategies[0].nash_conv
    assert theirs == pytest.approx(own, abs=1e-9)
    if spec == "random":
        assert theirs == pytest.approx(uniform, abs=1e-9)


def test_nash_conv_of_a_network_is_the_same_by_both(tmp_path):
    game = ours.load("leduc")
    random = np.random.default_rng(1)
    sizes = [game.game.cells, 24, game.game.actions]
    layers = [(random.normal(0, 0.7, size), random.normal(0, 0.3, size[1])) for size in zip(sizes, sizes[1:])]
    bundle = str(cardsharp_rl.export_mlp("leduc", layers, tmp_path / "bundle"))
    theirs = exploitability.nash_conv(game, ours.BotPolicy(game, cardsharp_rl.bot(bundle, "leduc", temperature=1.0)))
    own = cardsharp_rl.solve("leduc", bundle, temperature=1.0).strategies[0].nash_conv
    assert theirs == pytest.approx(own, abs=1e-9)


def test_our_bots_sit_at_their_table():
    game = ours.load("dalmuti", {"players": 4})
    random = np.random.RandomState(1)
    bots = [ours.BotPlayer(cardsharp_rl.bot("scripted", "dalmuti"))]
    bots += [uniform_random.UniformRandomBot(seat, random) for seat in range(1, 4)]
    returns = np.mean([evaluate_bots.evaluate_bots(game.new_initial_state(), bots, random) for _ in range(20)], axis=0)
    assert returns[0] > 0.5, "the scripted player is far ahead of chance"


def test_their_environment_for_learners_runs_ours():
    environment = rl_environment.Environment(ours.load("tachtigen"))
    environment.seed(1)
    step = environment.reset()
    decisions = 0
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == 4 + cardsharp_rl.game("tachtigen").cells
        step = environment.step([step.observations["legal_actions"][seat][0]])
        decisions += 1
    assert decisions >= 4


def test_python_ends_well_after_games_were_registered():
    """OpenSpiel frees what was registered after the interpreter has ended."""
    code = "import cardsharp_rl.openspiel, pyspiel; pyspiel.load_game('cardsharp_kuhn').new_initial_state()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
