"""Finding and changing lines of a trace, to see whether a referee notices."""


def other(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return value[:-1] or [0, *value]
    if isinstance(value, dict):
        return {}
    return value + " nonsense" if isinstance(value, str) else 1 + (value or 0)


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
        return [*self.lines[:at], {**self.lines[at], field: to(self.lines[at][field])}, *self.lines[at + 1 :]]

    def choices(self):
        """The numbers of the plays with more than one legal move."""
        plays = enumerate(self.lines)
        return [at for at, line in plays if line.get("phase") in ("play", "turn") and len(line["legal"]) > 1]

    def following(self):
        """The number of the first play that is neither the first legal move nor none."""
        chosen = ((at, self.lines[at]) for at in self.choices())
        return next(at for at, line in chosen if line["choice"] not in ("pass", line["legal"][0]))

    def common(self):
        """Named copies with things wrong that any game may have wrong."""
        lines, change, following = self.lines, self.change, self.following()
        deal, payoff = self.find("deal"), self.find("payoff")
        if "order" in lines[deal]:
            yield "a seat twice", change(deal, "order", lambda o: [o[0], *o[:-1]])
        yield "a move listed twice", change(following, "legal", lambda m: [*m, m[0]])
        yield "an illegal choice", change(following, "choice", lambda _: "nonsense")
        yield "a place that nobody can have", change(payoff, "place", lambda p: [*p[:-1], len(p) + 1])
        yield "a decision by nobody", change(following, "seat", lambda _: 11)
        yield "the end missing", lines[:-1]
        yield "a line too many", [*lines, lines[-1]]

    def with_rules(self):
        """Named copies with things wrong that it takes the rules to see."""
        lines, change, following = self.lines, self.change, self.following()
        deal, payoff = self.find("deal"), self.find("payoff")
        yield "hands of wrong sizes", change(deal, "hands", lambda h: [h[0] + h[1][-3:], h[1][:-3], *h[2:]])
        yield "a legal move missing", change(following, "legal", lambda m: [x for x in m if x != m[0]])
        yield "another choice", change(following, "choice", lambda _: lines[following]["legal"][0])
        yield "another seat's turn", change(following, "seat", lambda s: (s + 1) % lines[0]["players"])
        yield "another phase", change(following, "phase", lambda _: "tax")
        yield "places exchanged", change(payoff, "place", lambda p: [p[1], p[0], *p[2:]])
        yield "a point more", change(payoff, "points", lambda p: [p[0] + 1, *p[1:]])
        yield "another reward", change(payoff, "reward", lambda r: [r[0] + 0.01, *r[1:]])
        yield "a decision missing", lines[:following] + lines[following + 1 :]

    def fields(self):
        """Named copies in which a line of each kind is missing, or one field of it is another."""
        seen = {"header"}
        for at, line in enumerate(self.lines):
            kind = line.get("event") or line.get("phase") or line["line"]
            if kind not in seen:
                seen.add(kind)
                yield f"a {kind} line missing", self.lines[:at] + self.lines[at + 1 :]
                for field in line:
                    yield f"another {field} of a {kind} line", self.change(at, field, other)
