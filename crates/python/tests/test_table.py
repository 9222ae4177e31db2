"""Games, tables, views and records, as a program of somebody else's uses them."""

import copy
import json
import pickle

import cardsharp_rl
import numpy
import pytest

NAMES = [game.name for game in cardsharp_rl.games(reference=True)]


def played(game, seed, moves=10_000, rules=None):
    """A table after some random moves; rounds are dealt on."""
    table = cardsharp_rl.Table(game, rules or cardsharp_rl.game(game).random_rules(seed), seed=seed)
    random = numpy.random.default_rng(seed)
    while moves and not table.over:
        if table.turn is None:
            table.deal_next()
            continue
        table.play(random.choice(table.legal_actions()))
        moves -= 1
    return table


def same(one, other):
    assert one.record("referee") == other.record("referee")
    assert (one.turn, one.round, one.over, one.steps) == (other.turn, other.round, other.over, other.steps)


def test_the_games_are_there():
    assert [game.name for game in cardsharp_rl.games()] == ["tahimi", "dalmuti", "taki", "tachtigen"]
    dalmuti = cardsharp_rl.game("dalmuti")
    assert (dalmuti.title, dalmuti.players) == ("The Great Dalmuti", range(4, 13))
    assert dalmuti.cells == sum(block.len for block in dalmuti.observation)
    assert dalmuti.actions == sum(block.len for block in dalmuti.action_blocks) == len(dalmuti.labels())
    assert all(dalmuti.label(dalmuti.action(label)) == label for label in dalmuti.labels())
    assert pickle.loads(pickle.dumps(dalmuti)) == dalmuti and hash(dalmuti) == hash(cardsharp_rl.game("dalmuti"))


@pytest.mark.parametrize("name", NAMES)
def test_rules_have_all_options(name):
    game = cardsharp_rl.game(name)
    defaults = {option.name: option.default for option in game.options}
    assert game.rules() == defaults
    for seed in range(20):
        rules = game.random_rules(seed)
        assert game.rules(rules) == rules and rules.keys() == defaults.keys()
    most = game.players[-1]
    assert game.rules({}, players=most)["players"] == game.rules({"players": numpy.int64(most)})["players"] == most


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_what_its_trace_says(name):
    for seed in range(5):
        table = played(name, seed)
        assert table.over and not table.deal_next()
        trace = table.record("referee", [f"seat {seat}" for seat in range(table.seats)])
        again = cardsharp_rl.Table.replay(trace)
        same(again, table)
        lines = [json.loads(line) for line in trace.splitlines()]
        told = [line for step in range(table.steps + 1) for line in table.lines(step, "referee")]
        assert lines == [table.header("referee", lines[0]["bots"]), *told]


@pytest.mark.parametrize("name", NAMES)
def test_copies_and_pickles_go_on_alike(name):
    for seed in range(5):
        table = played(name, seed, moves=20 * seed)
        for other in (table.copy(), copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
            same(other, table)
            while other.undo():
                pass
            assert other.steps == 0
        before = table.record("referee")
        twin = table.copy()
        if twin.turn is not None:
            twin.play(int(twin.legal_actions()[-1]))
            assert twin.undo()
        assert table.record("referee") == twin.record("referee") == before


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_knows_what_its_record_tells(name):
    for seed in range(5):
        table = played(name, seed, moves=7 + 11 * seed)
        if table.turn is None:
            continue
        for seat in table.present:
            view = table.view(seat)
            heard = cardsharp_rl.observe(table.record(seat))
            assert heard == view and heard.text() == view.text() and hash(heard) == hash(view)
            assert cardsharp_rl.View(view.json()) == cardsharp_rl.View(view.text()) == view
            assert pickle.loads(pickle.dumps(view)) == view
            assert (
                numpy.array_equal(view.observation(), table.observation(seat))
                and view.observation().dtype == numpy.uint8
            )
            assert (
                numpy.array_equal(view.action_mask(), table.action_mask(seat))
                and view.action_mask().dtype == numpy.bool_
            )
        assert numpy.array_equal(numpy.flatnonzero(table.action_mask()), table.legal_actions())
        assert [move.action for move in table.moves()] == table.legal_actions().tolist()
        assert all(table.action(move.label) == move.action for move in table.moves())


@pytest.mark.parametrize("name", NAMES)
def test_a_redealt_table_shows_the_seat_nothing_new(name):
    for seed in range(10):
        table = played(name, seed, moves=5 * seed)
        if table.turn is None:
            continue
        for draw in range(3):
            imagined = table.determinize(table.turn, draw)
            assert imagined.view(table.turn) == table.view()
            while imagined.turn is not None:
                imagined.play(imagined.legal_actions()[0])
            with pytest.raises(ValueError, match="no past"):
                imagined.record("referee")
            with pytest.raises(TypeError, match="no past"):
                pickle.dumps(imagined)


def test_moves_go_by_label_and_number():
    table = cardsharp_rl.Table("dalmuti", {"players": 5}, seed=7)
    move = table.moves()[0]
    table.play(move.label)
    table.undo()
    for number in (move.action, numpy.uint16(move.action), numpy.array(move.action)):
        table.play(number)
        assert table.undo()
    with pytest.raises(ValueError, match=r"cannot play .* legal: "):
        table.play(numpy.flatnonzero(~table.action_mask())[0])
    with pytest.raises(ValueError, match="there is no move 'seven sevens'; legal: "):
        table.play("seven sevens")
    for wrong in (True, 1.0, None, [1]):
        with pytest.raises(TypeError, match="action: expected a whole number"):
            table.play(wrong)
    assert table.steps == 0


def test_players_come_and_go():
    table = cardsharp_rl.Table("tahimi", {"players": 4}, seed=1)
    while table.turn is not None:
        table.play(table.legal_actions()[0])
    table.change("leave 2")
    assert table.undo()
    table.change("leave 2")
    table.change("join 4")
    assert table.rules["roster_script"] == [{"round": 2, "leave": 2}, {"round": 2, "join": 4}]
    assert table.deal_next() and 2 not in table.present and 4 in table.present
    trace = table.record("referee")
    payoffs = [line for line in map(json.loads, trace.splitlines()) if line["line"] == "payoff"]
    assert [len(payoff["place"]) for payoff in payoffs] == [table.seats] == [5]
    assert cardsharp_rl.Table.replay(trace).record("referee") == trace
    with pytest.raises(ValueError, match="seat 2 does not play this round"):
        table.view(2)
    with pytest.raises(ValueError, match="expected 'join SEAT' or 'leave SEAT'"):
        table.change("vanish 2")
    pickle.loads(pickle.dumps(table))


def test_chosen_cards_are_dealt():
    deal = {"hands": ["SJ S9 SA ST SK SQ S8 S7", None, None, None], "kitty": "HJ"}
    table = cardsharp_rl.Table("tachtigen", seed=7, deal=deal)
    assert table.deal()["kitty"] == "HJ"
    assert pickle.loads(pickle.dumps(table)).deal() == table.deal()
    assert cardsharp_rl.Table.replay(table.record("referee")).deal() == table.deal()
    with pytest.raises(ValueError, match=r"deal: `hands\[0\]`: 2 cards, expected 8"):
        cardsharp_rl.Table("tachtigen", seed=7, deal={"hands": ["SJ S9", None, None, None]})


def test_deals_of_small_games_are_listed():
    for name in ("kuhn", "leduc"):
        deals = cardsharp_rl.enumerate_deals(name)
        assert sum(probability for probability, _ in deals) == pytest.approx(1)
        for _, deal in deals:
            assert cardsharp_rl.Table(name, deal=deal).deal() == deal
    with pytest.raises(ValueError, match="dalmuti has too many deals to list them; games that do: "):
        cardsharp_rl.enumerate_deals("dalmuti")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: cardsharp_rl.game("dalmutti"), ValueError, "no game 'dalmutti': .* did you mean 'dalmuti'"),
        (
            lambda: cardsharp_rl.Table("dalmuti", {"player": 3}),
            ValueError,
            "no rules option `player`; did you mean `players`",
        ),
        (lambda: cardsharp_rl.Table("dalmuti", {"players": 3}), ValueError, "players.*4 to 12"),
        (lambda: cardsharp_rl.Table("dalmuti", 3), TypeError, "expected a mapping, not int"),
        (lambda: cardsharp_rl.Table("dalmuti", {"players": object()}), TypeError, "expected plain values"),
        (lambda: cardsharp_rl.Table("dalmuti", {"players": float("nan")}), ValueError, "JSON"),
        (lambda: cardsharp_rl.Table("dalmuti", seed=-1), ValueError, "seed: -1 is out of range"),
        (
            lambda: cardsharp_rl.Table("dalmuti", seed=2**53),
            ValueError,
            "seed: 9007199254740992 is out of range: expected 0 to 9007199254740991",
        ),
        (lambda: cardsharp_rl.Table("dalmuti", seed="1"), TypeError, "seed: expected a whole number, not str"),
        (lambda: cardsharp_rl.Table(3), TypeError, "game: expected a name or a Game, not int"),
        (lambda: cardsharp_rl.Table("dalmuti").view(99), ValueError, "there is no seat 99"),
        (lambda: cardsharp_rl.Table("dalmuti").view("0"), TypeError, "seat: expected a whole number"),
        (
            lambda: cardsharp_rl.Table("dalmuti").record("nobody"),
            ValueError,
            'expected a seat, "everybody" or "referee"',
        ),
        (lambda: cardsharp_rl.Table("dalmuti").record(0, ["a"]), ValueError, "names: there are 1: expected"),
        (lambda: cardsharp_rl.Table.replay(""), ValueError, "line 1: not the header of a trace"),
        (lambda: cardsharp_rl.View({}), ValueError, "the view names no `game`"),
        (lambda: cardsharp_rl.View("{"), ValueError, "not JSON"),
        (lambda: cardsharp_rl.View(7), TypeError, "expected a mapping or its JSON, not int"),
        (lambda: cardsharp_rl.Observer({"game": "taki"}), ValueError, "header"),
        (lambda: cardsharp_rl.observe(""), ValueError, "the record is empty"),
        (
            lambda: cardsharp_rl.game("taki").label(72),
            ValueError,
            "action: 72 is out of range: taki has actions 0 to 71",
        ),
        (lambda: cardsharp_rl.game("taki").action("nothing"), ValueError, "taki has no action 'nothing'"),
    ],
)
def test_bad_input_is_refused_in_words(call, error, message):
    with pytest.raises(error, match=message):
        call()
