"""Checks the form of a trace of any game: the order of lines, legal choices, seats and places.

Written from docs/trace.md alone.
"""

from walk import Walk, shared_places


class Referee(Walk):
    """Walks through one trace."""

    def session(self):
        header = self.lines[0]
        self.header(header["game"])
        self.seats = header["players"]
        self.round = 0
        while self.round == 0 or self.at < len(self.lines):
            self.round += 1
            self.one_round()
        return self.end()

    def one_round(self):
        before = []
        while self.next_is("decision"):
            before.append(self.decision())
        deal = self.take("deal")
        # Games in which all players play every round need not have an order.
        order = deal.get("order", [*range(self.seats)])
        self.require(set(order) <= {*range(self.seats)}, f"there are seats in {order} that the session does not have")
        self.equal("the number of seats in the order", len(set(order)), len(order))
        self.equal("the number of hands", len(deal["hands"]), len(order))
        self.require(all(hand.strip() for hand in deal["hands"]), "somebody was dealt no cards")
        self.require({*before} <= {*order}, "somebody decided who does not play")
        while not self.next_is("payoff"):
            if self.next_is("event"):
                event = self.take("event")
                named = [event[field] for field in ("from", "to", "seat") if field in event]
                self.require({*named} <= {*order}, f"an event names a seat of {named} that does not play")
            else:
                self.require(self.decision() in order, "somebody decided who does not play")
        payoff = self.take("payoff")
        for list_ in ("place", "points", "reward"):
            self.equal(f"the entries of {list_}", len(payoff[list_]), self.seats)
        places = sorted(payoff["place"][seat] for seat in order)
        self.equal("the places", places, shared_places(places))
        for seat in {*range(self.seats)} - {*order}:
            worth = [payoff[list_][seat] for list_ in ("place", "points", "reward")]
            self.equal(f"what seat {seat} got, which sat out,", worth, [0, 0, 0])

    def decision(self):
        """A decision line, whatever was legal; gives the seat."""
        self.require(self.at < len(self.lines), "the trace ends in the middle of a round")
        line = self.lines[self.at]
        self.decide(line["seat"], line["phase"], line["legal"])
        return line["seat"]
