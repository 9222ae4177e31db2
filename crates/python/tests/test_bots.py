"""Bots, those of the package and those written in Python, and contests between them."""

import copy
import os
import pickle
import threading
import time

import cardsharp_rl
import numpy
import pytest

NAMES = [game.name for game in cardsharp_rl.games()]


def last(rows, legal):
    """Plays the last legal action."""
    return legal.shape[1] - 1 - legal[:, ::-1].argmax(1)


class Chance:
    """Plays at random."""

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)

    def act(self, rows, legal):
        nth = (self.random.random(len(legal)) * legal.sum(1)).astype(int)
        return (legal.cumsum(1) > nth[:, None]).argmax(1)


class First:
    """Plays the first legal move, by its label."""

    name = "the first"

    def pick(self, view):
        return view.moves()[0].label


@pytest.mark.parametrize("name", NAMES)
def test_bots_play_batches_as_they_play_tables(name):
    bot, batch = cardsharp_rl.bot(name), cardsharp_rl.Batch(name, 40, seed=5)
    for _ in range(40):
        batch.step(batch.sample())
    chosen = bot.act(batch)
    assert chosen.dtype == numpy.uint16 and batch.now.action_mask[range(40), chosen].all()
    for lane in range(40):
        assert bot.pick(batch.table(lane)) == bot.pick(batch.view(lane)) == chosen[lane]
    marked = numpy.arange(40) % 3 == 0
    assert numpy.array_equal(bot.act(batch, lanes=marked), numpy.where(marked, chosen, 0))


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_evaluates_rows_as_it_advises_views(name):
    batch = cardsharp_rl.Batch(name, 40, seed=5)
    for _ in range(40):
        batch.step(batch.sample())
    rows, legal = batch.now.observations, batch.now.action_mask
    for temperature in (0.0, 2.0):
        bot, twin = (cardsharp_rl.bot(name, temperature=temperature, seed=6) for _ in range(2))
        actions, probabilities, values = bot.policy(rows, legal)
        assert (actions.dtype, probabilities.dtype, values.dtype) == (numpy.uint16, numpy.float32, numpy.float32)
        assert numpy.array_equal(actions, twin.act(batch))
        assert probabilities.shape == legal.shape and not probabilities[~legal].any()
        for lane in range(40):
            advice = bot.advise(batch.view(lane))
            assert values[lane] == numpy.float32(advice.value)
            for move in advice.moves:
                assert probabilities[lane, move.action] == pytest.approx(move.probability, abs=1e-6)
    # Masks of environments are int8, and any array may be a part of another one.
    again = bot.policy(rows[::-1], legal.astype(numpy.int8)[::-1])
    assert numpy.array_equal(again.probabilities[::-1], probabilities)
    assert len(bot.policy(rows[:0], legal[:0]).actions) == 0


def test_what_cannot_be_evaluated_is_refused():
    now = cardsharp_rl.Batch("taki", 4).now
    bot = cardsharp_rl.bot("taki")
    for other in ("scripted", "search:9", "taki@10", last):
        with pytest.raises(ValueError, match="does not decide from rows alone: use `advise`"):
            cardsharp_rl.bot(other, "taki").policy(now.observations, now.action_mask)
    with pytest.raises(ValueError, match=r"observations: the shape is \[4, 5\]: expected \[4, "):
        bot.policy(now.observations[:, :5], now.action_mask)
    with pytest.raises(ValueError, match=r"action_mask: the shape is \[3, "):
        bot.policy(now.observations, now.action_mask[:3])
    with pytest.raises(ValueError, match="action_mask: row 0 has no legal action"):
        bot.policy(now.observations, numpy.zeros_like(now.action_mask))
    with pytest.raises(TypeError, match="observations: expected a uint8 array"):
        bot.policy(now.observations.astype(float), now.action_mask)
    with pytest.raises(TypeError, match="action_mask: expected a bool or int8 array"):
        bot.policy(now.observations, now.action_mask.astype(float))


def test_bots_are_pickled_as_what_they_were_made_of():
    table = cardsharp_rl.Table("taki", seed=2)
    for bot in (
        cardsharp_rl.bot("taki", temperature=3.0, seed=4),
        cardsharp_rl.bot(First, "taki"),
        cardsharp_rl.bot("random"),
    ):
        for twin in (pickle.loads(pickle.dumps(bot)), copy.deepcopy(bot), cardsharp_rl.bot(bot, "taki")):
            bot.reseed(4)
            twin.reseed(4)
            assert (twin.name, [twin.pick(table) for _ in range(9)]) == (bot.name, [bot.pick(table) for _ in range(9)])
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(cardsharp_rl.bot(lambda rows, legal: legal.argmax(1), "taki"))


@pytest.mark.parametrize("name", NAMES)
def test_bots_advise_from_whatever_a_seat_knows(name):
    bot, table = cardsharp_rl.bot(name), cardsharp_rl.Table(name, seed=9)
    view = table.view()
    advice = bot.advise(table)
    for known in (view, view.json(), view.text(), table.record(table.turn)):
        assert bot.advise(known) == advice
        assert bot.pick(known) == advice.moves[0].action == bot.pick(table)
    assert {(move.action, move.label) for move in advice.moves} == set(map(tuple, table.moves()))
    assert sum(move.probability for move in advice.moves) == pytest.approx(1, abs=1e-12)
    assert isinstance(advice.value, float)


def test_every_kind_of_bot_opens(tmp_path):
    table = cardsharp_rl.Table("taki", seed=2)
    for spec in ("random", "scripted", "cautious", "aggressive", "search:20", "search:20+taki", "taki", "taki@3"):
        bot = cardsharp_rl.bot(spec, "taki", seed=1)
        assert bot.name == spec and bot.pick(table) in table.legal_actions()
    assert cardsharp_rl.bot("taki").game == "taki" and cardsharp_rl.bot("random").game is None
    drawn = cardsharp_rl.bot("taki", temperature=50.0, seed=3)
    first = [drawn.pick(table) for _ in range(20)]
    drawn.reseed(3)
    assert [drawn.pick(table) for _ in range(20)] == first and len(set(first)) > 1


@pytest.mark.parametrize("game", [game.name for game in cardsharp_rl.games(reference=True)])
def test_every_name_in_the_list_of_bots_opens(game):
    names = cardsharp_rl.bots(game)
    assert {"random", "scripted", "search"} <= {*names} <= {*cardsharp_rl.bots()}
    table = cardsharp_rl.Table(game, seed=1)
    for name in names:
        assert cardsharp_rl.bot(name, game, simulations=2).pick(table) in table.legal_actions()


def test_installed_bots_are_listed_and_play_by_their_names(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDSHARP_BOTS", str(tmp_path / "bots"))
    config = {"game": "kuhn", "iterations": 1, "rollout": {"units": 1, "sessions": 4}, "net": {"hidden": [4]}}
    run = cardsharp_rl.train(config, run=tmp_path / "run")
    (tmp_path / "bots" / "mine").mkdir(parents=True)
    run.bundle.rename(tmp_path / "bots" / "mine" / "v2")
    assert "mine@v2" in cardsharp_rl.bots("kuhn") and "mine@v2" not in cardsharp_rl.bots("taki")
    bots = [cardsharp_rl.bot(name) for name in ("mine", "mine@v2", str(tmp_path / "bots" / "mine" / "v2"))]
    moves = {bot.pick(cardsharp_rl.Table("kuhn", seed=3)) for bot in bots}
    assert len(moves) == 1
    copied = cardsharp_rl.export("mine@v2", tmp_path / "copied")
    network = tmp_path / "bots" / "mine" / "v2" / "bot.safetensors"
    assert (copied / "bot.safetensors").read_bytes() == network.read_bytes()
    assert cardsharp_rl.verify("mine@v2").vectors == cardsharp_rl.verify(copied).vectors
    started = {**config, "net": {"hidden": [4], "init_from": "mine@v2"}}
    bundle = cardsharp_rl.train(started, run=tmp_path / "second").bundle
    assert "It began with the weights of a bot" in (bundle / "card.md").read_text()
    for name in (cardsharp_rl.bot, cardsharp_rl.verify, lambda name: cardsharp_rl.export(name, tmp_path / "none")):
        with pytest.raises(ValueError, match="there is no bot `mine@v3` here: there is mine@v2"):
            name("mine@v3")


def test_the_bot_of_a_game_is_exported_by_its_name(tmp_path):
    bundle = cardsharp_rl.export("taki@v1", tmp_path / "taki")
    assert cardsharp_rl.verify(bundle).game == "taki" and (bundle / "levels.json").exists()
    with pytest.raises(ValueError, match="'taki' is part of the program: `export` it first"):
        cardsharp_rl.verify("taki")


def test_players_of_pythons_are_bots():
    batch = cardsharp_rl.Batch("dalmuti", 8)
    for given in (last, Chance, Chance(3), First, First()):
        bot = cardsharp_rl.bot(given, "dalmuti", seed=1)
        assert batch.now.action_mask[range(8), bot.act(batch)].all()
        assert bot.pick(batch.view(0)) in batch.view(0).legal_actions()
    assert (cardsharp_rl.bot(First, "dalmuti").name, cardsharp_rl.bot(last, "dalmuti").name) == ("the first", "last")


def test_a_contest_among_all_kinds():
    bots = {"mine": last, "chance": Chance, "first": First(), "ours": "scripted", "net": cardsharp_rl.bot("dalmuti")}
    report = cardsharp_rl.arena("dalmuti", bots, num_deals=20, round_robin=True)
    assert [bot.name for bot in report.bots] == list(bots) and report.num_deals == 20
    assert report["net"].place_score.mean > report["chance"].place_score.mean
    assert report["mine"].rating.low <= report["mine"].rating.mean <= report["mine"].rating.high
    assert report.cross_play[0][0] is None and report.cross_play[0][1].num_deals > 0
    again = cardsharp_rl.arena("dalmuti", bots, num_deals=20, round_robin=True, threads=1)
    for one, other in zip(report.bots, again.bots):
        assert (one.place_score, one.rating, one.habits) == (other.place_score, other.rating, other.habits)
    with pytest.raises(KeyError, match="no bot 'nobody': there are 'mine'"):
        report["nobody"]


def test_alike_players_score_nothing():
    report = cardsharp_rl.arena("taki", {"one": "scripted", "other": cardsharp_rl.bot("scripted")}, num_deals=10)
    assert [bot.place_score.mean for bot in report.bots] == [0, 0]
    assert sum(report.bots[0].places) == pytest.approx(1)
    assert str(report).splitlines()[0] == "taki: 4 players, 10 deals from every seat, 1 round(s) a session"


def test_a_contest_ends_when_it_knows():
    report = cardsharp_rl.arena("dalmuti", ["scripted", "random"], num_deals=5000, sprt_margin=0.1)
    assert report.decision == "stronger" and report.num_deals < 5000
    seats = cardsharp_rl.arena("tachtigen", ["scripted", "random"], num_deals=8, seats=[0, 1, 0, 1])
    assert seats.json["seats"] == [0, 1, 0, 1]
    assert seats["scripted"].contracts and cardsharp_rl.report(seats.json) == seats


def test_rules_say_how_many_rounds_a_contest_has_unless_it_is_asked_for():
    for rules, rounds, expected in [(None, None, 1), ({"hands": 3}, None, 3), ({"hands": 3}, 2, 2), (None, 2, 2)]:
        report = cardsharp_rl.arena("dalmuti", ["scripted", "random"], rules=rules, rounds=rounds, num_deals=2)
        assert report.rounds == expected, (rules, rounds)
    with pytest.raises(ValueError, match="`hands` cannot be 0"):
        cardsharp_rl.arena("dalmuti", ["scripted", "random"], rules={"hands": 0}, rounds=2, num_deals=2)


def test_reports_turn_into_frames():
    pandas = pytest.importorskip("pandas")
    report = cardsharp_rl.arena("tachtigen", ["scripted", "random"], num_deals=8)
    frame = report.frame()
    assert isinstance(frame, pandas.DataFrame) and list(frame.index) == ["scripted", "random"]
    assert frame.loc["scripted", "place_score"] == report["scripted"].place_score.mean
    assert report.habits().groupby("bot")["count"].sum().gt(0).all()
    with pytest.raises(ValueError, match="pass round_robin=True"):
        report.crosses()


def test_progress_is_told():
    heard = []
    cardsharp_rl.arena("taki", ["scripted", "random"], num_deals=40, progress=lambda done, of: heard.append((done, of)))
    assert heard[-1] == (3, 3) and heard == sorted(heard)


@pytest.mark.skipif(os.name == "nt", reason="the program is a script for sh")
def test_a_program_that_fails_is_named_with_its_first_fault(tmp_path):
    script = tmp_path / "bot.sh"
    hello = '{"line":"hello","protocol":1,"name":"sh","wants":[]}'
    script.write_text(f"read -r hello; echo '{hello}'; read -r begin; exit 3\n")
    report = cardsharp_rl.arena("taki", {"outside": f"exec:sh {script}", "other": "random"}, num_deals=2)
    bot = report["outside"]
    assert bot.faults is not None and bot.faults.broken > 0
    assert bot.first_fault is not None and bot.first_fault.ended == "exit status: 3"
    assert report["other"].faults is None and "outside failed" in str(report)


class Wrong:
    def __init__(self, answer):
        self.answer = answer

    def act(self, rows, legal):
        return self.answer(rows, legal)


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (
            lambda rows, legal: numpy.full(len(rows), 999),
            ValueError,
            "bot '.*' played action 999, which is not legal; legal: ",
        ),
        (lambda rows, legal: (~legal).argmax(1), ValueError, "which is not legal; legal: "),
        (lambda rows, legal: [0.5] * len(rows), TypeError, "the answer of bot '.*': expected an array of integers"),
        (lambda rows, legal: None, TypeError, "the answer of bot '.*': expected an array of integers"),
        (lambda rows, legal: [0], ValueError, "bot '.*' answered 1 actions to "),
        (lambda rows, legal: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_what_a_player_does_wrong_is_raised(answer, error, message):
    for threads in (1, 2):
        with pytest.raises(error, match=message):
            cardsharp_rl.arena("taki", {"wrong": Wrong(answer), "other": "random"}, num_deals=20, threads=threads)
    with pytest.raises(error, match=message):
        cardsharp_rl.bot(Wrong(answer), "taki").act(cardsharp_rl.Batch("taki", 4))
    with pytest.raises(error, match=message):
        cardsharp_rl.arena("taki", [cardsharp_rl.bot(Wrong(answer), "taki"), "random"], num_deals=4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: cardsharp_rl.bot("scriptd"), ValueError, "there is no bot `scriptd`.* did you mean `scripted`"),
        (lambda: cardsharp_rl.bot("taki", "dalmuti"), ValueError, "`taki`, not `dalmuti`"),
        (lambda: cardsharp_rl.bot("taki@11"), ValueError, "there is no level `11`: expected 1 to 10"),
        (lambda: cardsharp_rl.bot("taki", temperature=-1), ValueError, "temperature: -1 is out of range"),
        (lambda: cardsharp_rl.bot(last), ValueError, "game: pass one"),
        (lambda: cardsharp_rl.bot(7, "taki"), TypeError, "expected a name, a Bot, a function"),
        (lambda: cardsharp_rl.bot("taki").pick(cardsharp_rl.Table("dalmuti")), ValueError, "plays taki, not dalmuti"),
        (
            lambda: cardsharp_rl.bot("taki").act(cardsharp_rl.Batch("dalmuti", 2)),
            ValueError,
            "plays taki, not dalmuti",
        ),
        (lambda: cardsharp_rl.bot("random").pick("{}"), ValueError, "the view names no `game`"),
        (lambda: cardsharp_rl.arena("taki", ["random"]), ValueError, "1 bot cannot fill 4 seats"),
        (
            lambda: cardsharp_rl.arena("taki", "random"),
            TypeError,
            "bots: expected a mapping of names to bots, or a list",
        ),
        (lambda: cardsharp_rl.arena("taki", ["random", 3]), TypeError, "expected a name, a Bot, a function"),
        (lambda: cardsharp_rl.arena("taki", ["random", "scripted"], num_deals=0), ValueError, "at least 1 deal"),
        (lambda: cardsharp_rl.arena("taki", ["random", "scripted"], sprt_margin=2.0), ValueError, "at most 1, not 2"),
        (lambda: cardsharp_rl.arena("taki", ["random", "scripted"], seats=[0, 0, 0, 0]), ValueError, "at least once"),
    ],
)
def test_bad_input_is_refused_in_words(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_folder_without_a_network_is_not_found(tmp_path):
    with pytest.raises(FileNotFoundError, match="neither a bundle nor a checkpoint"):
        cardsharp_rl.bot(str(tmp_path))


def test_interrupts_end_contests_within_a_second():
    import _thread

    begun = []

    def interrupt():
        while not begun:
            time.sleep(0.01)
        time.sleep(0.3)
        begun.append(time.monotonic())
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        cardsharp_rl.arena(
            "tahimi", ["search:2000", "random"], num_deals=100_000, progress=lambda done, of: begun.append(0)
        )
    assert time.monotonic() - max(begun) < 1
    thread.join()
