"""What every referee does: walk through the lines of a trace, as docs/trace.md has them, and refuse
the first one that is not what it should be.
"""

import json


class Refused(Exception):
    """What is wrong, and in which line."""


def shared_places(ranks):
    """The place of each rank, the smallest being the best; who shares a place has the best of those they take up."""
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def shared_worth(places, worth):
    """What each place is worth, if who shares one has the mean of those they take up; `worth` is that of each alone."""
    taken = [worth[place - 1 : place - 1 + places.count(place)] for place in places]
    return [sum(shares) / len(shares) for shares in taken]


class Walk:
    """Walks through one trace."""

    # Every move of the game in the order of action ids, where a referee knows it.
    moves = None

    def __init__(self, lines):
        self.lines = lines
        self.at = 0
        self.decisions = 0
        self.round = None

    def refuse(self, message):
        raise Refused(f"line {self.at}: {message}")

    def require(self, true, message):
        if not true:
            self.refuse(message)

    def equal(self, what, found, expected):
        self.require(found == expected, f"{what} is {found}, the rules say {expected}")

    def next_is(self, kind):
        """Whether the next line is of this kind."""
        return self.at < len(self.lines) and self.lines[self.at].get("line") == kind

    def take(self, kind):
        """The next line, which must be of this kind and of the round in play."""
        self.at += 1
        self.require(self.at <= len(self.lines), f"the trace ends where a {kind} line was due")
        line = dict(self.lines[self.at - 1])
        self.equal("the line", line.pop("line", None), kind)
        if kind != "header":
            self.equal("the round", line.pop("round", None), self.round)
        return line

    def header(self, game):
        """The first line."""
        header = self.take("header")
        self.equal("the format", header["format"], 1)
        self.equal("the game", header["game"], game)
        self.equal("the number of bots", len(header["bots"]), header["players"])
        # The cards of a chosen deal must be those that are dealt.
        self.chosen = header.get("deal")
        dealt = next((line for line in self.lines if line.get("line") == "deal"), {})
        if self.chosen is not None:
            self.equal("the chosen deal", self.chosen, {k: v for k, v in dealt.items() if k not in ("line", "round")})
        return header

    def event(self, **expected):
        line = self.take("event")
        for field, value in expected.items():
            self.equal(field, line.get(field), value)
        return line

    def decide(self, seat, phase, legal):
        """A decision line; gives the chosen label."""
        line = self.take("decision")
        self.decisions += 1
        self.equal("the seat", line["seat"], seat)
        self.equal("the phase", line["phase"], phase)
        offered = line["legal"]
        self.require(len(set(offered)) == len(offered), f"a legal move is listed twice: {offered}")
        for label in sorted(set(offered) ^ set(legal)):
            self.refuse(f"`{label}` is {'listed but not legal' if label in offered else 'legal but not listed'}")
        if self.moves:
            self.equal("the order of legal moves", offered, sorted(offered, key=self.moves.index))
        self.require(line["choice"] in offered, f"the choice `{line['choice']}` is not legal")
        return line["choice"]

    def paid(self, places, points, rewards):
        """The payoff line, with one entry for each seat."""
        line = self.take("payoff")
        self.equal("the places", line["place"], places)
        self.equal("the points", line["points"], points)
        for seat, (found, expected) in enumerate(zip(line["reward"], rewards, strict=True)):
            close = abs(found - expected) <= 1e-6 * max(1, abs(expected))
            self.require(close, f"the reward of seat {seat} is {found}, the rules say {expected}")

    def end(self):
        self.require(self.at == len(self.lines), "the trace goes on after the last round")
        return {"rounds": self.round, "decisions": self.decisions}


def check(referee, text):
    """Checks the lines of a trace with a kind of referee; gives what it held.

    Raises Refused.
    """
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            lines.append(json.loads(line))
        except ValueError as error:
            raise Refused(f"line {number}: not JSON: {error}") from error
    walk = referee(lines)
    try:
        return walk.session()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Refused(f"line {walk.at}: {type(error).__name__}: {error}") from error
