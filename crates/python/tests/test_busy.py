"""Objects in use by another thread, or by a player inside the call: either they answer, or the error says so."""

import copy
import pickle
import threading
import time

import cardsharp_rl
import pytest
from cardsharp_rl import _core


def busy(name, call):
    """Makes a call that must be refused because the object is in use."""
    with pytest.raises(RuntimeError, match=f"^the {name} is in use: another thread, or a player inside this call"):
        call()


def test_a_batch_that_another_thread_steps():
    batch = cardsharp_rl.Batch("tahimi", 50_000, seed=1)
    picks = batch.sample()
    calls = {
        "now": lambda: batch.now,
        "game": lambda: batch.game,
        "lanes": lambda: batch.lanes,
        "seats": lambda: batch.seats,
        "threads": lambda: batch.threads,
        "rules": lambda: batch.rules,
        "seeds": lambda: batch.seeds,
        "len": lambda: len(batch),
        "repr": lambda: repr(batch),
        "view": lambda: batch.view(0),
        "table": lambda: batch.table(0),
        "sample": batch.sample,
        "reset": batch.reset,
        "step": lambda: batch.step(picks),
        "reduce": batch.__reduce__,
        "bot": lambda: cardsharp_rl.bot("random").act(batch),
    }
    said, stop = {}, threading.Event()

    def refused(call):
        """What a call raises while the batch is in use; None if it is free."""
        try:
            call()
        except RuntimeError as error:
            return str(error)
        except ValueError:
            pass  # It was free, and the actions are old.
        return None

    def between():
        while len(said) < len(calls) and not stop.is_set():
            time.sleep(0)
            for name in [name for name in calls if name not in said]:
                # Most calls take long if the batch is free.
                if refused(lambda: batch.lanes) is None:
                    break
                if (error := refused(calls[name])) is not None:
                    said[name] = error

    other = threading.Thread(target=between)
    other.start()
    for _ in range(1000):
        if len(said) == len(calls):
            break
        # The other thread may come first.
        refused(lambda: batch.step(batch.sample()))
    stop.set()
    other.join()
    assert said.keys() == calls.keys()
    assert all("the Batch is in use: another thread" in error for error in said.values())


def test_a_batch_whose_player_uses_it():
    batch = cardsharp_rl.Batch("taki", 4, seed=1)

    def curious(rows, legal):
        assert batch.lanes == len(batch) == 4 and batch.now.seat.shape == (4,)
        busy("Batch", lambda: batch.step(legal.argmax(1)))
        busy("Batch", batch.sample)
        busy("Batch", batch.reset)
        return legal.argmax(1)

    cardsharp_rl.bot(curious, "taki").act(batch)


def test_a_bot_whose_player_asks_it():
    table, batch = cardsharp_rl.Table("taki", seed=1), cardsharp_rl.Batch("taki", 4, seed=1)
    asked = []

    class Curious:
        def pick(self, view):
            asked.append(view)
            for call in (
                lambda: bot.pick(table),
                lambda: bot.advise(table),
                lambda: bot.act(batch),
                bot.reseed,
                lambda: _core.play_others(table.copy(), 1, [bot] * 3, False),
            ):
                busy("Bot", call)
            assert bot.name in repr(bot) and bot.game == "taki"
            assert cardsharp_rl.bot(bot, "taki").name == bot.name
            return view.legal_actions()[0]

    bot = cardsharp_rl.bot(Curious(), "taki")
    assert bot.pick(table) in table.legal_actions() and len(asked) == 1


def test_a_table_whose_players_use_it():
    table = cardsharp_rl.Table("taki", players=4, seed=1)
    learner = (table.turn + 1) % 4
    asked = []

    def curious(rows, legal):
        asked.append(len(rows))
        for call in (
            lambda: table.seed,
            lambda: table.rules,
            lambda: table.seats,
            lambda: table.present,
            lambda: table.round,
            lambda: table.turn,
            lambda: table.phase,
            lambda: table.over,
            lambda: table.steps,
            lambda: table.payoff,
            table.legal_actions,
            table.moves,
            lambda: table.label(0),
            lambda: table.action("pass"),
            lambda: table.play(0),
            table.play_forced,
            table.deal_next,
            table.undo,
            lambda: table.change("leave 1"),
            table.events,
            table.standing,
            table.deal,
            table.observation,
            table.action_mask,
            table.view,
            lambda: table.header(0),
            lambda: table.lines(0, "referee"),
            lambda: table.record("referee"),
            lambda: table.determinize(0, 1),
            table.copy,
            lambda: copy.copy(table),
            lambda: copy.deepcopy(table),
            lambda: pickle.dumps(table),
            lambda: repr(table),
            lambda: cardsharp_rl.bot("random").pick(table),
        ):
            busy("Table", call)
        assert table.game == "taki" and not table.imagined
        return legal.argmax(1)

    bot = cardsharp_rl.bot(curious, "taki")
    _core.play_others(table, learner, [bot] * 3, False)
    assert asked and table.steps >= len(asked)
