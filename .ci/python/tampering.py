"""Finding and changing lines of a trace, to see whether a referee notices."""

import copy


class Lines:
    """The lines of a trace that follows the rules."""

    def __init__(self, lines):
        self.lines = lines

    def find(self, kind, **fields):
        """The number of the first line of this kind with these fields."""
        for at, line in enumerate(self.lines):
            if line["line"] == kind and all(line.get(k) == v for k, v in fields.items()):
                return at
        raise LookupError(f"the trace to tamper with has no {kind} line with {fields}")

    def change(self, at, field, to):
        """A copy in which one field of one line is another."""
        changed = copy.deepcopy(self.lines)
        changed[at][field] = to(changed[at][field])
        return changed

    def choices(self):
        """The numbers of the plays with more than one legal move."""
        plays = enumerate(self.lines)
        return [at for at, line in plays if line.get("phase") == "play" and len(line["legal"]) > 1]

    def common(self):
        """Named copies with things wrong that any game may have wrong."""
        lines, change = self.lines, self.change
        following = next(at for at in self.choices() if lines[at]["choice"] not in ("pass", lines[at]["legal"][0]))
        deal, payoff = self.find("deal"), self.find("payoff")
        yield "a seat twice", change(deal, "order", lambda o: [o[0], *o[:-1]])
        yield "a move listed twice", change(following, "legal", lambda l: [*l, l[0]])
        yield "an illegal choice", change(following, "choice", lambda _: "nonsense")
        yield "places exchanged twice", change(payoff, "place", lambda p: [p[0], *p[:-1]])
        yield "a decision by nobody", change(following, "seat", lambda _: 11)
        yield "the end missing", lines[:-1]
        yield "a line too many", [*lines, lines[-1]]

    def with_rules(self):
        """Named copies with things wrong that it takes the rules to see."""
        lines, change = self.lines, self.change
        following = next(at for at in self.choices() if lines[at]["choice"] not in ("pass", lines[at]["legal"][0]))
        deal, payoff = self.find("deal"), self.find("payoff")
        yield "hands of wrong sizes", change(deal, "hands", lambda h: [h[0] + h[1][-3:], h[1][:-3], *h[2:]])
        yield "a legal move missing", change(following, "legal", lambda l: [x for x in l if x != l[0]])
        yield "another choice", change(following, "choice", lambda _: lines[following]["legal"][0])
        yield "another seat's turn", change(following, "seat", lambda s: (s + 1) % len(lines[deal]["order"]))
        yield "another phase", change(following, "phase", lambda _: "tax")
        yield "places exchanged", change(payoff, "place", lambda p: [p[1], p[0], *p[2:]])
        yield "a point more", change(payoff, "points", lambda p: [p[0] + 1, *p[1:]])
        yield "another reward", change(payoff, "reward", lambda r: [r[0] + 0.01, *r[1:]])
        yield "a decision missing", lines[:following] + lines[following + 1 :]
