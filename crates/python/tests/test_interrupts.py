"""Ctrl-C ends every long call within a second, and leaves its objects usable."""

import _thread
import subprocess
import sys
import threading
import time

import cardsharp_rl
import gymnasium
import numpy
import pytest

SLOW = "search:1000000"


def interrupted(call):
    """Interrupts a call, which must end at once."""
    sent = []

    def interrupt():
        time.sleep(0.3)
        sent.append(time.monotonic())
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        call()
        while time.monotonic() - (sent[0] if sent else time.monotonic()) < 5:
            time.sleep(0.01)
        pytest.fail("the call ended before the signal")
    assert time.monotonic() - sent[0] < 1


@pytest.mark.parametrize("threads", [1, 2])
def test_decisions_of_a_search_end(threads):
    bot = cardsharp_rl.bot(SLOW, "dalmuti", threads=threads, seed=1)
    table = cardsharp_rl.Table("dalmuti", seed=1)
    batch = cardsharp_rl.Batch("dalmuti", 64, seed=1)
    for call in (lambda: bot.pick(table), lambda: bot.advise(table), lambda: bot.act(batch)):
        interrupted(call)
    quick = cardsharp_rl.bot("search:2", "dalmuti", seed=1)
    assert quick.pick(table) in table.legal_actions()
    batch.step(quick.act(batch))


def test_environments_end_whose_opponents_search():
    single = gymnasium.make("cardsharp_rl.gymnasium:cardsharp/Dalmuti-v1", opponents=SLOW, seat=1)
    interrupted(lambda: single.reset(seed=1))
    lanes = gymnasium.make_vec("cardsharp_rl.gymnasium:cardsharp/Dalmuti-v1", num_envs=8, opponents=SLOW, seat=1)
    interrupted(lambda: lanes.reset(seed=1))


def test_many_sessions_end_while_they_begin():
    interrupted(lambda: cardsharp_rl.Batch("tahimi", 1 << 20, seed=1))


def test_exports_end_and_write_nothing(tmp_path):
    game = cardsharp_rl.game("dalmuti")
    widths = (game.cells, 2000, 2000, game.actions)
    layers = [
        (numpy.full((inputs, outputs), 1e-3, numpy.float32), numpy.zeros(outputs, numpy.float32))
        for inputs, outputs in zip(widths, widths[1:])
    ]
    content = cardsharp_rl.mlp_file(game, layers)
    (tmp_path / "bot.safetensors").write_bytes(content)
    interrupted(lambda: cardsharp_rl.export(tmp_path / "bot.safetensors", tmp_path / "bundle"))
    assert not (tmp_path / "bundle").exists()


def test_the_first_array_of_a_process_heeds_a_signal():
    # `map` and `methodcaller` run no Python code between the signal and the array.
    code = """
import _thread, operator, cardsharp_rl
table = cardsharp_rl.Table("taki", seed=1)
try:
    list(map(operator.methodcaller("__call__"), [_thread.interrupt_main, table.observation]))
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "interrupted\n", done.stderr
