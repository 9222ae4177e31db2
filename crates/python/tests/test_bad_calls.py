"""Random calls with random values: whatever is wrong is an exception of Python's, never the end of the process."""

import random

import cardsharp_rl
import numpy

CALLS = 100_000

VALUES = [
    None, True, False, 0, 1, 3, -1, 255, 256, 65_535, 65_536, 2**63, 2**64, -(2**70), 0.5, float("nan"), float("inf"), 1j,
    "", "taki", "dalmuti", "random", "everybody", "referee", "deal", "join 1", "leave 0", "\0", "ü" * 100, "{}", "[]", '{"game": "taki"}',
    b"bytes", (), (1, 2), [], [0], [[0]], {}, {"players": 4}, {"players": "4"}, {"game": "taki"}, {1: 2}, set(), range(3), object(),
    numpy.int64(2), numpy.uint8(7), numpy.float32(1), numpy.bool_(True), numpy.zeros(0), numpy.zeros(4), numpy.zeros(4, int),
    numpy.full(4, 2**40), numpy.zeros((4, 4), int), numpy.ones(4, bool), numpy.array(["a"] * 4), numpy.array([None] * 4),
    numpy.zeros(4, "u2")[::-1], numpy.zeros(8, "i8")[::2], int, len, lambda *given: given, lambda rows, legal: 0,
]  # fmt: skip

#: What random values cannot hurt, and tell nothing.
PLAIN = {
    "__class__",
    "__dir__",
    "__doc__",
    "__format__",
    "__getattribute__",
    "__getstate__",
    "__init__",
    "__init_subclass__",
}
PLAIN |= {
    "__delattr__",
    "__new__",
    "__setattr__",
    "__sizeof__",
    "__subclasshook__",
    "__reduce_ex__",
    "__ne__",
    "__str__",
}


def objects():
    table = cardsharp_rl.Table("dalmuti", seed=1)
    return [
        cardsharp_rl.game("taki"),
        table,
        table.view(),
        cardsharp_rl.Observer(table.header(0)),
        cardsharp_rl.Batch("taki", 4),
        cardsharp_rl.Batch("kuhn", 4, autoreset=False, threads=2),
        cardsharp_rl.bot("scripted"),
        cardsharp_rl.bot("taki"),
    ]


def test_no_call_ends_the_process():
    values = random.Random(1)
    functions = [
        cardsharp_rl.game,
        cardsharp_rl.games,
        cardsharp_rl.observe,
        cardsharp_rl.enumerate_deals,
        cardsharp_rl.bot,
    ]
    functions += [
        cardsharp_rl.Table,
        cardsharp_rl.View,
        cardsharp_rl.Observer,
        cardsharp_rl.Batch,
        cardsharp_rl.Table.replay,
    ]
    mine = objects()
    names = {id(each): [name for name in dir(each) if name not in PLAIN] for each in mine}
    raised = 0
    for call in range(CALLS):
        if call % 2000 == 0:
            mine = objects()
            names = {id(each): [name for name in dir(each) if name not in PLAIN] for each in mine}
        given = [values.choice(VALUES) for _ in range(values.randrange(4))]
        named = {}
        if values.random() < 0.2:
            named[values.choice(["seed", "rules", "lanes", "threads", "deal", "game", "temperature", "copy"])] = (
                values.choice(VALUES)
            )
        if values.random() < 0.25:
            function = values.choice(functions)
            # Many lanes are slow, not wrong.
            if function is cardsharp_rl.Batch:
                given = [value if not isinstance(value, int) or value < 300 else 300 for value in given]
                named = {key: value if not isinstance(value, int) or value < 300 else 3 for key, value in named.items()}
        else:
            owner = values.choice(mine)
            function = getattr(owner, values.choice(names[id(owner)]))
            if not callable(function):
                continue
        try:
            function(*given, **named)
        except Exception as error:
            assert str(error), (function, given, named)
            raised += 1
    assert raised > CALLS // 4
