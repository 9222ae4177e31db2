"""Many sessions side by side."""

import multiprocessing
import os
import pickle
import threading
import time

import cardsharp_rl
import numpy
import pytest

NAMES = [game.name for game in cardsharp_rl.games(reference=True)]


def alike(one, other):
    for name, a, b in zip(one._fields, one, other):
        assert a.dtype == b.dtype and numpy.array_equal(a, b), name


def mixture(name):
    game = cardsharp_rl.game(name)
    return [(game.random_rules(seed), 1.0 + seed) for seed in range(3)]


@pytest.mark.parametrize("name", NAMES)
def test_lanes_play_what_tables_play(name):
    game = cardsharp_rl.game(name)
    batch = cardsharp_rl.Batch(game, 5, rules=mixture(name), seed=3)
    tables = [
        cardsharp_rl.Table(name, batch.rules[rules][0], seed=seed) for rules, seed in zip(batch.now.rules, batch.seeds)
    ]
    returns = numpy.zeros((5, batch.seats), numpy.float32)
    for _ in range(300):
        actions = batch.sample()
        step = batch.step(actions)
        for lane, table in enumerate(tables):
            table.play(actions[lane])
            reward = numpy.zeros(batch.seats, numpy.float32)
            rounds = 0
            while table.turn is None:
                rounds += 1
                reward[: table.seats] += numpy.float32(table.payoff.reward)
                assert tuple(step.place[lane][: table.seats]) == table.payoff.place
                assert tuple(step.points[lane][: table.seats]) == table.payoff.points
                if not table.deal_next():
                    break
            returns[lane] += reward
            assert numpy.array_equal(step.reward[lane], reward) and step.round_over[lane] == (rounds > 0)
            assert step.done[lane] == table.over and numpy.allclose(step.returns[lane], returns[lane])
            if table.over:
                returns[lane] = 0
                table = tables[lane] = cardsharp_rl.Table(
                    name, batch.rules[step.rules[lane]][0], seed=batch.seeds[lane]
                )
            assert step.seat[lane] == table.turn
            assert numpy.array_equal(step.observations[lane], table.observation()) and numpy.array_equal(
                step.action_mask[lane], table.action_mask()
            )
            assert batch.view(lane) == table.view()
            assert batch.table(lane).record("referee") == table.record("referee")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("threads", [0, 2, 3])
def test_threads_change_nothing(name, threads):
    one = cardsharp_rl.Batch(name, 7, rules=mixture(name), seed=1, privileged_observation=True)
    several = cardsharp_rl.Batch(
        name, 7, rules=mixture(name), seed=1, privileged_observation=True, threads=threads, copy=False
    )
    for _ in range(200):
        actions = one.sample()
        assert numpy.array_equal(actions, several.sample())
        alike(one.step(actions), several.step(actions))


def test_shapes_are_as_documented():
    game = cardsharp_rl.game("tachtigen")
    batch = cardsharp_rl.Batch(game, 3, privileged_observation=True)
    now = batch.now
    assert now.observations.shape == (3, game.cells) and now.action_mask.shape == (3, game.actions)
    assert now.privileged_observation.shape == (3, game.privileged_cells)
    assert now.reward.shape == now.returns.shape == now.place.shape == now.points.shape == (3, batch.seats)
    assert now.seat.shape == now.done.shape == now.round_over.shape == now.rules.shape == (3,)
    assert cardsharp_rl.Batch(game, 3).now.privileged_observation.shape == (3, 0)
    assert len(batch) == batch.lanes == 3 and "3 lanes" in repr(batch)


def test_copies_stay_and_shared_arrays_are_written_over():
    copies, shared = cardsharp_rl.Batch("taki", 4, seed=1), cardsharp_rl.Batch("taki", 4, seed=1, copy=False)
    first, kept = copies.now, pickle.loads(pickle.dumps(copies.now))
    alias = shared.now
    alias.action_mask[:] = False  # shows nothing to the engine
    for _ in range(20):
        alike(copies.step(copies.sample()), shared.step(shared.sample()))
    alike(first, kept)
    assert shared.now.observations is alias.observations and copies.now.observations is not first.observations


def test_what_somebody_holds_is_never_written_over():
    batch = cardsharp_rl.Batch("dalmuti", 33, seed=3, threads=2)
    held, random = [], numpy.random.default_rng(1)
    for _ in range(200):
        step = batch.step(batch.sample())
        part = random.choice(["all", "row", "column", "memory", "none"])
        if part == "all":
            held.append((step, [array.copy() for array in step]))
        elif part != "none":
            view = {
                "row": step.observations[5],
                "column": step.action_mask[:, 7:9],
                "memory": memoryview(step.observations[2:4]),
            }[part]
            held.append(([view], [numpy.array(view)]))
        if len(held) > 4:
            held.pop(int(random.integers(len(held))))
        for arrays, copies in held:
            assert all(numpy.array_equal(array, copy) for array, copy in zip(arrays, copies))


def test_only_marked_lanes_move():
    batch = cardsharp_rl.Batch("dalmuti", 6, seed=2)
    marked = numpy.array([True, False, True, False, False, True])
    before = batch.now
    after = batch.step(numpy.where(marked, batch.sample(), 9999), lanes=marked)
    assert numpy.array_equal((before.observations != after.observations).any(1), marked)
    begun = batch.seeds
    batch.reset(lanes=marked)
    assert numpy.array_equal(batch.seeds != begun, marked)


@pytest.mark.parametrize("threads", [1, 3])
def test_samples_are_those_of_where_the_lanes_are(threads):
    batch = cardsharp_rl.Batch("dalmuti", 9, seed=2, threads=threads)
    random = numpy.random.default_rng(1)

    def check():
        # A copy was never asked before.
        drawn = batch.sample()
        assert numpy.array_equal(drawn, pickle.loads(pickle.dumps(batch)).sample())
        assert batch.now.action_mask[numpy.arange(9), drawn].all()
        drawn[:] = 9999  # an array of one's own
        return batch.sample()

    for _ in range(60):
        batch.step(check(), lanes=random.random(9) < 0.4)
        with pytest.raises(ValueError):
            batch.step(numpy.full(9, 9999))
        batch.step(check())
        batch.step(cardsharp_rl.uniform(batch.now.action_mask, random))
    batch.reset(lanes=random.random(9) < 0.5)
    check()
    batch.reset(5)
    assert numpy.array_equal(check(), cardsharp_rl.Batch("dalmuti", 9, seed=5).sample())


def test_shared_arrays_show_every_lane_that_moved_or_stayed():
    copies, shared = (
        cardsharp_rl.Batch("dalmuti", 9, seed=2),
        cardsharp_rl.Batch("dalmuti", 9, seed=2, copy=False, threads=2),
    )
    random = numpy.random.default_rng(1)
    for _ in range(200):
        marked = random.random(9) < 0.4
        alike(copies.step(copies.sample(), lanes=marked), shared.step(shared.sample(), lanes=marked))
    marked = random.random(9) < 0.5
    alike(copies.reset(lanes=marked), shared.reset(lanes=marked))


def test_seeds_begin_sessions():
    batch = cardsharp_rl.Batch("taki", 3, seed=8)
    first = batch.now
    for _ in range(50):
        batch.step(batch.sample())
    alike(batch.reset(seed=8), first)
    step = batch.reset(seed=numpy.array([5, 6, 5]))
    assert batch.seeds.tolist() == [5, 6, 5]
    batch.reset()
    assert (batch.seeds < 2**53).all() and (cardsharp_rl.Batch("taki", 64, seed=2**53 - 1).seeds < 2**53).all()
    for seed in (2**53, numpy.array([1, 2**53, 3]), numpy.array([1, 2**53, 3], dtype="uint64")):
        with pytest.raises(ValueError, match="seed: 9007199254740992 is out of range: expected 0 to 9007199254740991"):
            batch.reset(seed=seed)
    assert numpy.array_equal(step.observations[1], cardsharp_rl.Table("taki", seed=6).observation())
    assert numpy.array_equal(step.observations[0], step.observations[2])


def test_without_restart_lanes_wait():
    batch = cardsharp_rl.Batch("dalmuti", 4, rules={"hands": 1}, autoreset=False, skip_forced=True)
    earned = numpy.zeros_like(batch.now.returns)
    step = batch.now
    while not step.done.all():
        step = batch.step(batch.sample())
        earned += step.reward
        assert numpy.array_equal(step.done, ~step.action_mask.any(1))
    assert numpy.allclose(step.returns, earned)
    again = batch.step(numpy.zeros(4, int))
    assert again.done.all() and not again.reward.any() and numpy.array_equal(again.returns, step.returns)
    ended = batch.table(2)
    assert ended.over and ended.observation(0).shape == (batch.now.observations.shape[1],)
    with pytest.raises(ValueError, match="nobody decides"):
        batch.view(2)
    third = numpy.array([False, False, True, False])
    fresh = batch.reset(lanes=third)
    assert numpy.array_equal(fresh.action_mask.any(1), third) and numpy.array_equal(fresh.done, ~third)


def test_forced_moves_are_skipped():
    batch = cardsharp_rl.Batch("taki", 64, skip_forced=True)
    for _ in range(100):
        assert (batch.step(batch.sample()).action_mask.sum(1) > 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_pickled_batch_goes_on(name):
    batch = cardsharp_rl.Batch(name, 5, rules=mixture(name), seed=4, threads=2, skip_forced=True)
    for _ in range(130):
        batch.step(batch.sample())
    twin = pickle.loads(pickle.dumps(batch))
    alike(twin.now, batch.now)
    for _ in range(130):
        actions = batch.sample()
        alike(twin.step(actions), batch.step(actions))


def test_a_batch_is_no_pickle_of_something_else():
    restore, fields = cardsharp_rl.Batch("taki", 2).__reduce__()
    game, rules, seeds, options, courses, outcomes = fields
    for wrong in (
        (game, rules, seeds[1:], options, courses, outcomes),
        (game, rules, seeds, options, [(0, 0, seeds[0], numpy.uint16([9999])), courses[1]], outcomes),
        (game, rules, seeds, options, courses, tuple(array[1:] for array in outcomes)),
        (game, rules, seeds, (*options[:4], 0), courses, outcomes),
    ):
        with pytest.raises(ValueError, match="not the pickle of a batch"):
            restore(*wrong)


def go_on(batch, actions, queue):
    queue.put(pickle.dumps(batch.step(actions)))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_batches_go_on_in_other_processes(method):
    context = multiprocessing.get_context(method)
    batch = cardsharp_rl.Batch("dalmuti", 64, seed=1, threads=2)
    batch.step(batch.sample())  # its threads run
    queue = context.Queue()
    actions = batch.sample()
    child = context.Process(target=go_on, args=(batch, actions, queue))
    child.start()
    theirs = pickle.loads(queue.get(timeout=60))
    child.join(timeout=60)
    assert child.exitcode == 0
    alike(batch.step(actions), theirs)


def test_steps_let_other_threads_run():
    batch = cardsharp_rl.Batch("tahimi", 20_000)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    for _ in range(30):
        batch.step(batch.sample())
    stop.set()
    other.join()
    assert counted[0] > 30


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: cardsharp_rl.Batch("taki", 0), ValueError, "lanes: 0 is out of range: expected 1 to"),
        (lambda b: cardsharp_rl.Batch("taki", 2.0), TypeError, "expected a whole number"),
        (lambda b: cardsharp_rl.Batch("taki", 2, threads=2000), ValueError, "threads: 2000 is out of range"),
        (lambda b: cardsharp_rl.Batch("taki", 2, rules=[]), ValueError, "rules: there are 0"),
        (lambda b: cardsharp_rl.Batch("taki", 2, rules=[({}, -1)]), ValueError, r"rules\[0\]: the weight is -1"),
        (lambda b: cardsharp_rl.Batch("taki", 2, rules=[({}, 0)]), ValueError, "all weights are 0"),
        (lambda b: cardsharp_rl.Batch("taki", 2, rules=[{}, {"playrs": 2}]), ValueError, r"rules\[1\]: .*`players`"),
        (lambda b: cardsharp_rl.Batch("taki", 2, rules=3), TypeError, "rules: expected a mapping of options, a list"),
        (lambda b: b.step(numpy.zeros(4)), TypeError, "actions: expected an array of integers, not of float64"),
        (lambda b: b.step(numpy.zeros(3, int)), ValueError, "actions: there are 3: expected 4, one for each lane"),
        (lambda b: b.step(numpy.zeros((4, 1), int)), ValueError, r"actions: the shape is \[4, 1\]"),
        (lambda b: b.step("pass"), TypeError, "actions: expected an array of integers"),
        (lambda b: b.step(numpy.full(4, 9999)), ValueError, "lane 0: action 9999 .there are actions 0 to .* legal: "),
        (
            lambda b: b.step(numpy.full(4, -1)),
            ValueError,
            "lane 0: action -1 .* legal: .* Nothing was played in any lane",
        ),
        (lambda b: b.step(b.sample(), lanes=numpy.ones(3, bool)), ValueError, "lanes: there are 3: expected 4"),
        (lambda b: b.step(b.sample(), lanes=numpy.ones(4, int)), TypeError, "lanes: expected a bool array"),
        (lambda b: b.view(4), IndexError, "there is no lane 4: there are lanes 0 to 3"),
        (lambda b: b.table(-1), IndexError, "there is no lane -1"),
        (lambda b: b.reset(seed=-1), ValueError, "seed: -1 is out of range"),
        (lambda b: b.reset(seed=[1, 2]), ValueError, "seed: there are 2: expected 4"),
    ],
)
def test_bad_input_is_refused_in_words(call, error, message):
    batch = cardsharp_rl.Batch("dalmuti", 4)
    before = batch.now
    with pytest.raises(error, match=message):
        call(batch)
    alike(batch.now, before)


def test_illegal_picks_name_lane_action_and_legal_moves():
    batch = cardsharp_rl.Batch("dalmuti", 3, seed=1)
    actions = batch.sample()
    actions[1] = numpy.flatnonzero(~batch.now.action_mask[1])[0]
    with pytest.raises(ValueError) as caught:
        batch.step(actions)
    view = batch.view(1)
    assert f"lane 1: action {actions[1]} ({view.label(actions[1])}) is not legal for seat {view.seat}" in str(
        caught.value
    )
    assert all(f"{move.action} ({move.label})" in str(caught.value) for move in view.moves()[:20])


@pytest.mark.parametrize("dtype", ["u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4"])
def test_actions_of_any_width(dtype):
    batch = cardsharp_rl.Batch("taki", 8)
    batch.step(batch.sample().astype(dtype))
    batch.step(batch.sample().tolist())


def test_uniform_picks_are_legal_and_uniform():
    legal = numpy.zeros((30_000, 70), bool)
    legal[:, [3, 20, 69]] = True
    for masks in (legal, legal[:, ::-1], numpy.asfortranarray(legal)):
        picks = cardsharp_rl.uniform(masks, numpy.random.default_rng(1))
        actions, counts = numpy.unique(picks, return_counts=True)
        assert picks.dtype == numpy.uint16 and numpy.array_equal(actions, numpy.flatnonzero(masks[0]))
        assert (abs(counts - 10_000) < 400).all()
    for wrong in (legal[0], legal.astype(int), legal.tolist(), None):
        with pytest.raises(TypeError, match="action_mask: expected a bool or int8 array"):
            cardsharp_rl.uniform(wrong, numpy.random.default_rng(1))
    legal[7] = False
    with pytest.raises(ValueError, match="action_mask: row 7 has no legal action"):
        cardsharp_rl.uniform(legal, numpy.random.default_rng(1))


def test_logits_are_sampled_by_their_softmax_over_legal_actions():
    legal = numpy.zeros((40_000, 70), bool)
    legal[:, [3, 20, 69]] = True
    logits = numpy.full(legal.shape, 9.0)
    logits[:, [3, 20, 69]] = numpy.log([0.5, 0.3, 0.2])
    random = numpy.random.default_rng(1)
    for masks in (legal, legal.astype(numpy.int8)):
        for temperature in (1.0, 0.5):
            picks = cardsharp_rl.sample_logits(logits, masks, random, temperature=temperature)
            expected = numpy.array([0.5, 0.3, 0.2]) ** (1 / temperature)
            found = numpy.array([(picks == action).mean() for action in (3, 20, 69)])
            assert picks.dtype == numpy.uint16 and found.sum() == pytest.approx(1)
            assert abs(found - expected / expected.sum()).max() < 0.01
    assert (cardsharp_rl.sample_logits(logits, legal, random, temperature=0) == 3).all()
    logits[:, 3] = -numpy.inf
    assert set(cardsharp_rl.sample_logits(logits, legal, random)) == {20, 69}
    few, masks = logits[:9].copy(), legal[:9].copy()
    few[4, 20] = numpy.nan
    with pytest.raises(ValueError, match="logits: row 4 has no finite"):
        cardsharp_rl.sample_logits(few, masks, random)
    masks[2] = False
    with pytest.raises(ValueError, match="action_mask: row 2 has no legal action"):
        cardsharp_rl.sample_logits(few, masks, random)
    with pytest.raises(ValueError, match=r"logits: the shape is \[9, 70\]: expected \(8, 70\)"):
        cardsharp_rl.sample_logits(few, legal[:8], random)
    with pytest.raises(ValueError, match="temperature: -1 is out of range"):
        cardsharp_rl.sample_logits(logits, legal, random, temperature=-1)
    with pytest.raises(TypeError, match="logits: expected a float array"):
        cardsharp_rl.sample_logits(legal, legal, random)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_arrays_outlive_their_batch():
    now = cardsharp_rl.Batch("taki", 512, copy=False).now
    assert now.action_mask.any(1).all() and now.observations.any()


def test_players_are_an_argument_too():
    batch = cardsharp_rl.Batch("dalmuti", 2, rules=[{"hands": 1}, {"hands": 2}], players=7, seed=1)
    assert [rules["players"] for rules, _ in batch.rules] == [7, 7] and batch.seats == 7
    assert cardsharp_rl.Batch("dalmuti", 2, players=8).seats == cardsharp_rl.Table("dalmuti", players=8).seats == 8
    for make in (
        cardsharp_rl.Table,
        lambda game, rules, **options: cardsharp_rl.Batch(game, 2, rules=rules, **options),
    ):
        with pytest.raises(ValueError, match="players: 5, but the rules say 6; leave one of them out"):
            make("dalmuti", {"players": 6}, players=5)


def test_a_seed_is_drawn_or_given():
    assert cardsharp_rl.Table("taki").seed != cardsharp_rl.Table("taki", seed=None).seed
    assert not numpy.array_equal(cardsharp_rl.Batch("taki", 4).seeds, cardsharp_rl.Batch("taki", 4, seed=None).seeds)
    assert numpy.array_equal(cardsharp_rl.Batch("taki", 4, seed=3).seeds, cardsharp_rl.Batch("taki", 4, seed=3).seeds)
    first, second = (cardsharp_rl.arena("kuhn", ["random", "scripted"], num_deals=2, seed=None) for _ in range(2))
    assert first.seed != second.seed
