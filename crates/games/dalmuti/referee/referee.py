"""Checks traces of The Great Dalmuti: deals, legal moves, cards that move, places and points.

Written from the game's rules.md and lines.md and from docs/trace.md alone. It shares no code with the game.
"""

from collections import Counter

from walk import Walk

JESTER = 13


def cards(text):
    """Reads `1 7 7 J`."""
    return Counter(JESTER if word == "J" else int(word) for word in text.split())


def name(rank):
    return "J" if rank == JESTER else str(rank)


def play_label(rank, naturals, jesters):
    if naturals == 0:
        return "J" * jesters
    text = name(rank) + (f"x{naturals}" if naturals > 1 else "")
    return text + ("+" + "J" * jesters if jesters else "")


def deck_of(rules):
    """Rank r has r copies, and there are two Jesters; stripped ranks are left out."""
    strip = rules["strip"]
    if strip == "none":
        strip = []
    elif strip == "recommended":
        strip = {4: [11, 12], 5: [12]}.get(rules["players"], [])
    deck = Counter({rank: rank for rank in range(1, 13) if rank not in strip})
    deck[JESTER] = 2
    return deck


def best_cards(hand, count):
    """The best cards of a hand; Jesters are the worst."""
    return Counter(sorted(hand.elements())[:count])


class Referee(Walk):
    """Walks through one trace."""

    def moved(self, event, giver, taker, given):
        """An event line in which these cards, and no others, go from one seat to another."""
        line = self.event(event=event, **{"from": giver, "to": taker})
        self.equal("the cards moved", cards(line["cards"]), given)

    # The session.

    def session(self):
        header = self.header("dalmuti")
        self.rules = header["rules"]
        self.n = self.rules["players"]
        self.equal("the number of players", header["players"], self.n)
        order = None
        for self.round in range(1, self.rules["hands"] + 1):
            order = self.hand(order)
        return self.end()

    def hand(self, order):
        """One hand; `order` is the seat at each position, from the hand before."""
        self.deal(order)
        self.misdeal()
        if not self.revolution() and not self.first_free():
            self.taxes()
        finished = self.play()
        self.payoff(finished)
        return finished

    # Before the play.

    def deal(self, order):
        line = self.take("deal")
        self.order = line["order"]
        if order is not None:
            self.equal("the order of seats", self.order, order)
        elif self.rules["seating"] == "fixed":
            self.equal("the order of seats", self.order, list(range(self.n)))
        else:
            self.equal("the seats", sorted(self.order), list(range(self.n)))
        self.equal("the number of hands", len(line["hands"]), self.n)
        hands = [cards(text) for text in line["hands"]]
        deck = deck_of(self.rules)
        self.equal("the deck", sum(hands, Counter()), deck)
        count = deck.total()
        sizes = [len(range(position, count, self.n)) for position in range(self.n)]
        self.equal("the sizes of the hands", [hand.total() for hand in hands], sizes)
        self.hands = dict(zip(self.order, hands))
        self.exposed = line["exposed"]
        probability = self.rules["misdeal_prob"]
        if self.exposed is None:
            self.require(probability < 1, "no card was exposed, though one always is")
        else:
            self.require(probability > 0, "a card was exposed, though none ever is")
            (rank,) = cards(self.exposed["card"])
            self.require(self.hands[self.exposed["receiver"]][rank] > 0, "the exposed card is not in that hand")

    def misdeal(self):
        """The Greater Dalmuti keeps the exposed card where it is or sends it to the Greater Peon."""
        peon = self.order[-1]
        if self.exposed is None or self.exposed["receiver"] == peon:
            return
        receiver = self.exposed["receiver"]
        if self.decide(self.order[0], "misdeal", ["keep misdeal", "misdeal to peon"]) == "keep misdeal":
            return
        line = self.event(event="misdeal", peon=peon, receiver=receiver, exposed=self.exposed["card"])
        (rank,) = cards(self.exposed["card"])
        (other,) = cards(line["replacement"])
        self.require(self.hands[peon][other] > 0, "the Greater Peon does not hold the replacement")
        self.move(receiver, peon, Counter([rank]))
        self.move(peon, receiver, Counter([other]))

    def move(self, giver, taker, given):
        self.require(given <= self.hands[giver], f"seat {giver} does not hold the cards it gives")
        self.hands[giver] = self.hands[giver] - given
        self.hands[taker] = self.hands[taker] + given

    def first_free(self):
        """Whether the first hand is free of taxes."""
        return self.rules["first_deal_revolution"] and self.round == 1

    def revolution(self):
        """Who was dealt both Jesters may call; whether a revolution was called."""
        holders = [seat for seat in self.order if self.hands[seat][JESTER] == 2]
        if not holders or (self.first_free() and holders[0] != self.order[-1]):
            return False
        choice = self.decide(holders[0], "revolution", ["call revolution", "decline revolution"])
        if choice == "decline revolution":
            return False
        greater = holders[0] == self.order[-1]
        if greater:
            self.order = self.order[::-1]
        self.event(event="greater_revolution" if greater else "revolution", order=self.order)
        return True

    def taxes(self):
        pairs = [(self.order[0], self.order[-1], 2), (self.order[1], self.order[-2], 1)]
        tributes = [best_cards(self.hands[peon], count) for _, peon, count in pairs]
        self.require(all(t[JESTER] == 0 for t in tributes), "a Jester would be paid as tribute")
        seen = self.rules["tax_visibility"] == "seen"
        if seen:
            self.pay(pairs, tributes)
        dealt = dict(self.hands)
        returns = [self.pick(dalmuti, "tax", dealt[dalmuti], count) for dalmuti, _, count in pairs]
        exchange = self.exchange(dealt)
        if not seen:
            self.pay(pairs, tributes)
        for (dalmuti, peon, _), given in zip(pairs, returns):
            self.moved("return", dalmuti, peon, given)
            self.move(dalmuti, peon, given)
        if exchange:
            proposer, target, offered, returned = exchange
            self.moved("exchange", proposer, target, offered)
            if returned is None:
                line = self.event(event="exchange", **{"from": target, "to": proposer})
                returned = cards(line["cards"])
                self.equal("the number of cards", returned.total(), 1)
                self.require(returned <= dealt[target], "the target was not dealt the card that was drawn")
            else:
                self.moved("exchange", target, proposer, returned)
            self.move(proposer, target, offered)
            self.move(target, proposer, returned)

    def pay(self, pairs, tributes):
        for (dalmuti, peon, _), given in zip(pairs, tributes):
            self.moved("tribute", peon, dalmuti, given)
            self.move(peon, dalmuti, given)

    def pick(self, seat, phase, hand, count):
        """Cards chosen one by one from a hand."""
        given = Counter()
        for _ in range(count):
            left = hand - given
            choice = self.decide(seat, phase, [f"give {name(rank)}" for rank in left])
            given += cards(choice.removeprefix("give "))
        return given

    def exchange(self, dealt):
        """The highest Merchant may swap a card with another Merchant; none, or who gives what."""
        how = self.rules["merchant_exchange"]
        if how == "off" or self.n < 6:
            return None
        proposer = self.order[2]
        targets = {f"exchange with position {p}": self.order[p] for p in range(3, self.n - 2)}
        choice = self.decide(proposer, "exchange offer", ["no exchange", *targets])
        if choice == "no exchange":
            return None
        target = targets[choice]
        offered = self.pick(proposer, "exchange", dealt[proposer], 1)
        returned = None if how == "blind_random" else self.pick(target, "exchange", dealt[target], 1)
        return proposer, target, offered, returned

    # The play.

    def play(self):
        """Tricks until one player holds cards; the seats in the order of going out."""
        finished = []
        leader = 0
        while len(finished) < self.n - 1:
            leader = self.trick(leader, finished)
        return finished + [seat for seat in self.order if seat not in finished]

    def trick(self, leader, finished):
        """One trick from the position that leads; gives the position that leads the next one."""
        while not self.hands[self.order[leader]]:
            leader = (leader + 1) % self.n
        turn, last, table, passed, skipped = leader, None, None, set(), None
        final = self.rules["pass_is_final"]
        while True:
            seat = self.order[turn]
            waits = turn in (last, skipped) or final and turn in passed
            if self.hands[seat] and not waits:
                sets = self.sets(self.hands[seat], table)
                choice = self.decide(seat, "play", [*sets, *(["pass"] if table else [])])
                if choice == "pass":
                    passed.add(turn)
                else:
                    to_beat, (table, used) = table, sets[choice]
                    self.hands[seat] = self.hands[seat] - used
                    last, passed, skipped = turn, passed if final else set(), None
                    if not self.hands[seat]:
                        finished.append(seat)
                        if len(finished) == self.n - 1:
                            return turn
                    if table == to_beat:
                        if self.rules["equal_rank"] == "burns":
                            return last
                        skipped = self.next_open(last, passed)
            others = {p for p in range(self.n) if p not in (last, skipped) and self.hands[self.order[p]]}
            if last is not None and others <= passed:
                return last
            turn = (turn + 1) % self.n

    def next_open(self, last, passed):
        """The first position after the last play that holds cards and has not passed; none if there is none."""
        clockwise = [(last + steps) % self.n for steps in range(1, self.n)]
        return next((p for p in clockwise if self.hands[self.order[p]] and p not in passed), None)

    def sets(self, hand, table):
        """Every set that can be led, or played on `table` (rank, size): by label, with its cards."""
        found = {}
        for jesters in range(hand[JESTER] + 1):
            for rank in range(1, 13):
                for naturals in range(1, hand[rank] + 1):
                    found[play_label(rank, naturals, jesters)] = (rank, naturals, jesters)
            if jesters:
                found[play_label(JESTER, 0, jesters)] = (JESTER, 0, jesters)
        playable = {}
        for label, (rank, naturals, jesters) in found.items():
            size = naturals + jesters
            equals = table == (rank, size) and self.rules["equal_rank"] != "forbidden"
            if table is None or equals or (size == table[1] and rank < table[0]):
                playable[label] = ((rank, size), Counter({rank: naturals}) + Counter({JESTER: jesters}))
        return playable

    # The payoff.

    def payoff(self, finished):
        place = {seat: q for q, seat in enumerate(finished, 1)}
        points = {seat: self.n - q for seat, q in place.items()}
        if self.rules["scoring"] == "none":
            points = dict.fromkeys(points, 0)
        elif self.rules["scoring"] == "philanthropic":
            # Greater and Lesser Dalmuti gain a point if their Peon does better than the place of its title.
            points[self.order[0]] += place[self.order[-1]] < self.n
            points[self.order[1]] += place[self.order[-2]] < self.n - 1
        seats = range(self.n)
        if self.rules["reward"] == "score":
            rewards = [float(points[seat]) for seat in seats]
        else:
            rewards = [1 - 2 * (place[seat] - 1) / (self.n - 1) for seat in seats]
        self.paid([place[seat] for seat in seats], [points[seat] for seat in seats], rewards)
