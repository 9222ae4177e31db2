"""Checks traces of TAKI: deals, legal moves, cards that players draw, stages, places and points.

Written from the game's rules.md and lines.md and from docs/trace.md alone. It shares no code with the game.
"""

from collections import Counter

from walk import Walk, shared_places, shared_worth

from .cards import COLORED, COLORS, COPIES, KINDS, MOVES, labels, may_begin


class Over(Exception):
    """The game is over: its event, and the winner if there is one."""


class Referee(Walk):
    """Walks through one trace."""

    moves = MOVES

    # The session.

    def session(self):
        header = self.header("taki")
        self.rules = header["rules"]
        self.n = self.rules["players"]
        self.equal("the number of players", header["players"], self.n)
        self.tournament = self.rules["mode"] == "tournament"
        self.limit = self.rules["max_decisions"]
        if self.limit == "auto":
            self.limit = 20000 if self.tournament else 4000
        for self.round in range(1, self.rules["games"] + 1):
            self.game()
        return self.end()

    def game(self):
        seat = self.deal()
        self.asked = still = 0
        try:
            while still < self.n:
                self.moved = False
                seat = self.one_turn(seat)
                still = 0 if self.moved else still + 1
            raise Over("stalemate")
        except Over as over:
            how, *winner = over.args
        self.event(event=how, **({"seat": winner[0]} if winner else {}))
        self.payoff(how, winner)

    def deal(self):
        """Everybody's cards and the first of the discards; gives the seat that begins."""
        line = self.take("deal")
        hands = [text.split() for text in line["hands"]]
        turned, self.pile = line["turned"].split(), line["pile"].split()
        for hand in hands:
            self.equal("the order of cards", hand, sorted(hand, key=KINDS.index))
        size = self.rules["stages"] if self.tournament else 8
        self.equal("the sizes of the hands", [len(hand) for hand in hands], [size] * self.n)
        *buried, first = turned
        self.equal("the deck", Counter(sum(hands, [first, *self.pile])), Counter(COPIES))
        self.equal("the bottom of the draw pile", self.pile[len(self.pile) - len(buried) :], buried)
        fit = [may_begin(card, self.rules["start_card"]) for card in turned]
        self.equal("which cards turned up may begin", fit, [False] * len(buried) + [True])
        self.require(0 <= line["begins"] < self.n, "somebody begins who does not play")
        if self.rules["first_player"] == "seat0":
            self.equal("the seat that begins", line["begins"], 0)
        self.hands = [Counter(hand) for hand in hands]
        self.stages = [size] * self.n
        self.discards = [first]
        self.color, self.symbol = COLORED[first]
        self.debt, self.open, self.direction = 0, False, 1
        return line["begins"]

    # What players do.

    def ask(self, seat, phase, legal):
        """A decision. Those that nobody may notice do not count, and a +3 is always settled."""
        if self.asked >= self.limit and phase != "window":
            raise Over("cut_off")
        choice = self.decide(seat, phase, legal)
        self.asked += choice != "decline"
        return choice

    def lay(self, seat, card):
        self.hands[seat][card] -= 1
        self.hands[seat] = +self.hands[seat]
        self.discards.append(card)
        self.left[seat] = self.hands[seat].total()
        self.moved = True

    def draw(self, seat, count):
        """Cards from the draw pile, which is made anew where it is too small."""
        count -= self.drawn(seat, min(count, len(self.pile)))
        if count and len(self.discards) > 1:
            *under, top = self.discards
            self.discards = [top]
            self.pile = self.event(event="recycle")["pile"].split()
            self.equal("the cards of the new draw pile", Counter(self.pile), Counter(under))
            self.drawn(seat, min(count, len(self.pile)))

    def drawn(self, seat, count):
        if count:
            cards, self.pile = self.pile[:count], self.pile[count:]
            self.event(event="draw", seat=seat, cards=" ".join(cards))
            self.hands[seat] += Counter(cards)
            self.moved = True
        return count

    def others(self, seat):
        """The other seats in turn order."""
        return [(seat + self.direction * step) % self.n for step in range(1, self.n)]

    # A turn.

    def one_turn(self, seat):
        """One turn; gives the seat whose turn is next."""
        self.left, self.skip, self.mover = {}, 0, seat
        choice = self.ask(seat, "turn", self.turn_moves(seat))
        if choice == "draw":
            self.draw(seat, self.debt or 1)
            self.debt = 0
        while choice not in ("draw", None):
            choice = self.act(self.mover, choice)
        self.finish(self.mover)
        return (self.mover + self.direction * (1 + self.skip)) % self.n

    def turn_moves(self, seat):
        if self.debt:
            return [card for card in self.hands[seat] if card == "king" or card.endswith("+2")] + ["draw"]
        return self.matching(seat)

    def matching(self, seat):
        """Cards that match, and drawing where that is allowed."""
        cards = [
            card
            for card in self.hands[seat]
            if card not in COLORED or COLORED[card][0] == self.color or COLORED[card][1] == self.symbol
        ]
        if self.discards[-1] == "+3" and not self.rules["cover_resolved_plus3"]:
            cards = [card for card in cards if card not in ("color", "super")]
        stuck = not {*cards} - {"breaker"}
        return labels(cards, self.color) + ["draw"] * (stuck or self.rules["draw_policy"] == "anytime")

    def act(self, seat, choice):
        """A card and what it does; gives the same player's next choice, none at the end of the turn."""
        card, *named = choice.split()
        self.lay(seat, card)
        if card == "breaker":
            return self.draw(seat, 3)
        if card in COLORED or card == "super":
            color, symbol = COLORED.get(card) or (named[0], "taki")
            joins = self.open and color == self.color
            self.color, self.symbol = color, symbol
            self.open = joins and self.debt > 0
            if (joins or symbol == "taki") and not self.debt:
                return self.run(seat)
            return self.effect(seat)
        self.open = False
        if card == "+3":
            return self.plus3(seat)
        self.symbol = None
        if card == "king":
            return self.king(seat)
        self.color = named[0]
        return None

    def effect(self, seat):
        """What a colored card does, on its own or as the last one of a TAKI."""
        if self.symbol == "stop":
            self.skip = 1
        elif self.symbol == "dir":
            self.direction = -self.direction
            self.skip = int(self.n == 2 and self.rules["two_player_direction"] == "acts_as_stop")
        elif self.symbol == "+2":
            self.debt += 2
        elif self.symbol == "plus":
            return self.owe(seat)
        return None

    def run(self, seat):
        """What follows in a TAKI, the first card having been laid."""
        while hand := self.hands[seat]:
            same = [card for card in hand if card in COLORED and COLORED[card][0] == self.color]
            legal = labels(same + ["super"] * (hand["super"] > 0), self.color)
            if not same or self.rules["taki_follow"] == "optional":
                if self.rules["run_wilds"] == "faq":
                    legal += labels([card for card in ("color", "king", "+3") if hand[card]], "")
                if self.symbol != "taki":
                    legal.append("close taki")
                if self.symbol == "taki" or self.symbol != "plus" and self.rules["taki_close"] == "choice":
                    legal.append("leave taki open")
            choice = self.ask(seat, "run", legal)
            card = choice.split()[0]
            if card in ("close", "leave"):
                self.open = card == "leave"
                break
            if card in ("color", "king", "+3"):
                return choice
            self.lay(seat, card)
            self.symbol = COLORED[card][1] if card in COLORED else "taki"
        else:
            self.open = self.symbol == "taki"
        return self.effect(seat)

    def owe(self, seat):
        """One more card after a Plus, laid or drawn."""
        if not self.hands[seat]:
            return None if self.rules["plus_last"] == "wins" else self.draw(seat, 1)
        choice = self.ask(seat, "owe", self.matching(seat))
        return self.draw(seat, 1) if choice == "draw" else choice

    def king(self, seat):
        """Any card after a King, or none."""
        self.debt = 0
        if not self.hands[seat]:
            return None
        colors = COLORS if self.rules["super_on_king"] == "choose" else self.color
        choice = self.ask(seat, "free", [*labels(self.hands[seat], colors), "end turn"])
        return None if choice == "end turn" else choice

    def plus3(self, seat):
        """Who can answer is asked; the first answer stands."""
        if not self.hands[seat] and self.rules["plus3_last"] == "wins_at_once":
            self.go_out(seat)
        others = self.others(seat)
        options = {"king": "king_vs_plus3", "+3": "plus3_vs_plus3"}
        next_may = [card for card, option in options.items() if self.rules[option] == "next_player"]
        # A +3 that answers another one may come after the limit of decisions. Then no seat is asked.
        for other in others if self.asked <= self.limit else []:
            may = [*(next_may if other == others[0] else []), "breaker"]
            answers = [card for card in may if self.hands[other][card]]
            choice = self.ask(other, "window", [*answers, "decline"]) if answers else "decline"
            if choice == "decline":
                continue
            self.lay(other, choice)
            if choice == "breaker":
                self.draw(seat, 3)
                return self.finish(other)
            self.finish(seat)
            self.mover = other
            if choice == "+3":
                return self.plus3(other)
            self.symbol = None
            return self.king(other)
        there_are_cards = self.pile or len(self.discards) > 1
        for other in others:
            self.draw(other, 3)
        if not there_are_cards:
            self.event(event="settled")
        return None

    # The end of a turn.

    def finish(self, seat):
        """Only what is left of a hand after playing ends it, or is a last card; cards drawn do neither."""
        left = self.left.pop(seat, None)
        if left == self.hands[seat].total():
            if left == 0:
                self.go_out(seat)
            elif left == 1:
                self.last_card(seat)

    def go_out(self, seat):
        if not self.tournament or self.stages[seat] == 1:
            raise Over("won", seat)
        self.stages[seat] -= 1
        self.draw(seat, self.stages[seat])
        self.event(event="stage", seat=seat, stage=self.stages[seat])

    def last_card(self, seat):
        how = self.rules["last_card"]
        if how == "auto" or self.ask(seat, "last card", ["last card", "silent"]) == "last card":
            return
        asked = (self.ask(other, "catch", ["catch", "let go"]) for other in self.others(seat))
        if how == "declare" or "catch" in asked:
            self.draw(seat, self.rules["last_card_penalty"])

    # The payoff.

    def payoff(self, how, winner):
        seats = range(self.n)
        stages = self.stages if self.tournament else [0] * self.n
        ranks = [(seat not in winner, stages[seat], self.hands[seat].total()) for seat in seats]
        winner_only = self.rules["ranking"] == "winner_only"
        if how == "stalemate":
            ranks = [0] * self.n
        elif winner_only:
            ranks = [rank > min(ranks) for rank in ranks]
        places = shared_places(ranks)
        others = self.n - 1
        worth = [1] + [-1 / others] * others if winner_only else [1 - 2 * below / others for below in seats]
        self.paid(places, [int(seat in winner) for seat in seats], shared_worth(places, worth))
