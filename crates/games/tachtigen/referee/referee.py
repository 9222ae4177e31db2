"""Checks traces of Tachtigen: deals, legal moves, tricks, roem, places and points.

Written from the game's rules.md and lines.md and from docs/trace.md alone. It shares no code with the game.
"""

from walk import Walk, shared_places

from .cards import CARDS, LADDER, MOVES, RANKS, SUITS, WORTH, in_order, roem_of, strength, value


class Referee(Walk):
    """Walks through one trace."""

    moves = MOVES

    # The session.

    def session(self):
        header = self.header("tachtigen")
        self.rules = header["rules"]
        self.equal("the number of players", [header["players"], self.rules["players"]], [4, 4])
        self.dealer = None
        for self.round in range(1, self.rules["deals"] + 1):
            points = self.one_deal()
            rewards = [booked / 100 for booked in points]
            if self.rules["reward"] == "relative":
                rewards = [reward - (sum(rewards) - reward) / 3 for reward in rewards]
            self.paid(shared_places([-booked for booked in points]), points, rewards)
        return self.end()

    def one_deal(self):
        """One deal; gives the points of each seat."""
        self.deal(self.take("deal"))
        opened = self.opening()
        redeals = 20 if self.rules["all_hold"] == "redeal" else 0
        while opened is None and redeals:
            redeals -= 1
            self.deal(self.event(event="redeal"))
            opened = self.opening()
        if opened is None:
            self.equal("the result", self.event(), {"event": "result", "bid": None})
            return [0] * 4
        self.bidder, self.bid = self.auction(*opened)
        self.event(event="contract", seat=self.bidder, bid=self.bid)
        self.goal = self.bid.removesuffix(" uit de hand")
        self.by_points = self.bid not in WORTH
        self.take_kitty()
        self.name_trump()
        self.asked = self.partner = self.holder = None
        self.solo = False
        if self.by_points:
            self.ask()
        self.play()
        return self.score()

    def deal(self, line):
        if self.dealer is not None:
            self.equal("the dealer", line["dealer"], (self.dealer + 1) % 4)
        self.dealer = line["dealer"]
        self.require(self.dealer in range(4), "somebody deals who does not play")
        self.order = line["order"]
        if self.rules["opening_order"] == "forehand":
            self.equal("the order", self.order, [(self.dealer + step) % 4 for step in range(1, 5)])
        else:
            self.equal("the seats in the order", sorted(self.order), [0, 1, 2, 3])
        self.hands = [hand.split() for hand in line["hands"]]
        self.kitty = line["kitty"]
        self.equal("the sizes of the hands", [len(hand) for hand in self.hands], [8] * 4)
        self.equal("the deck", in_order(sum(self.hands, [self.kitty])), CARDS)
        self.equal("the order of cards", self.hands, [in_order(hand) for hand in self.hands])

    # The auction.

    def higher(self, bid):
        """The bids above this one, all if it is none."""
        above = LADDER[LADDER.index(bid) + 1 :] if bid else LADDER
        return [f"bid {b}" for b in above if b in WORTH or int(b) <= self.rules["max_point_bid"]]

    def opening(self):
        """Who bids first, and what; none if all hold."""
        for seat in self.order:
            choice = self.decide(seat, "opening", [*self.higher(None), "hold"])
            if choice != "hold":
                return seat, choice.removeprefix("bid ")
        return None

    def auction(self, highest, bid):
        """The bidder and his bid. The highest bidder is not reached again: first somebody bids more, or all pass."""
        seat, passed = highest, set()
        while len(passed) < 3:
            seat = (seat + 1) % 4
            if seat in passed:
                continue
            choice = self.decide(seat, "auction", [*self.higher(bid), "pass"])
            if choice == "pass":
                passed.add(seat)
            else:
                highest, bid = seat, choice.removeprefix("bid ")
        return highest, bid

    # Kitty, trump, asking.

    def take_kitty(self):
        self.aside = None
        if self.goal == self.bid:
            self.event(event="kitty", seat=self.bidder, card=self.kitty)
            nine = in_order([*self.hands[self.bidder], self.kitty])
            choice = self.decide(self.bidder, "discard", [f"discard {card}" for card in nine])
            self.aside = choice.removeprefix("discard ")
            nine.remove(self.aside)
            self.hands[self.bidder] = nine
        self.dealt = [[*hand] for hand in self.hands]

    def name_trump(self):
        option = {"zwabber": "trump_zwabber", "prive": "trump_prive"}.get(self.goal, "trump_misere")
        how = self.rules["trump_points" if self.by_points else option]
        if how == "none":
            self.event(event="trump", trump="none")
            named = "none"
        else:
            suits = [*SUITS, *(["none"] if how == "named_or_none" else [])]
            choice = self.decide(self.bidder, "trump", [f"trump {suit}" for suit in suits])
            named = choice.removeprefix("trump ")
        self.trump = None if named == "none" else named

    def ask(self):
        hand = self.hands[self.bidder]
        cards = [card for card in CARDS if card not in hand and any(held[0] == card[0] for held in hand)]
        if not self.rules["ask_discard"]:
            cards = [card for card in cards if card != self.aside]
        if self.rules["ask_scope"] == "aces_first" and cards:
            highest = max(RANKS.index(card[1]) for card in cards)
            cards = [card for card in cards if card[1] == RANKS[highest]]
        choice = self.decide(self.bidder, "ask", [*(f"ask {card}" for card in cards), "solo"])
        self.solo = choice == "solo"
        if not self.solo:
            self.asked = choice.removeprefix("ask ")
            self.holder = next((seat for seat in range(4) if self.asked in self.hands[seat]), None)

    # The play.

    def play(self):
        self.won, self.raw, self.roem = [0] * 4, [0] * 4, 0
        self.refused, self.played = [0] * 4, 0
        self.failed = False
        leader = self.bidder if self.rules["first_leader"] == "bidder" else (self.dealer + 1) % 4
        for number in range(1, 9):
            leader = self.trick(leader, number)
            if not self.by_points and self.failed and self.rules["early_stop"]:
                break

    def trick(self, leader, number):
        """One trick; gives who won it."""
        self.called, self.on_table = False, []
        for step in range(4):
            seat = (leader + step) % 4
            card = self.card(seat)
            if self.on_table and self.on_table[0][0] == self.trump != card[0]:
                self.refused[seat] += any(held[0] == self.trump for held in self.hands[seat])
            self.hands[seat].remove(card)
            self.on_table.append(card)
            self.played += 1
            claim = self.shown(seat, card)
            if claim and step < 3:
                self.claim(*claim)
        winner = (leader + self.on_table.index(self.best())) % 4
        points = sum(value(card, self.trump) for card in self.on_table)
        self.won[winner] += 1
        self.raw[winner] += points
        self.judge(winner, number)
        self.event(event="trick", seat=winner, points=points)
        if claim:
            self.claim(*claim)
        return winner

    def card(self, seat):
        """The card that a player plays; the bidder may call first."""
        hand = self.hands[seat]
        if self.on_table:
            return self.decide(seat, "play", self.following(seat))
        suit = [card for card in hand if self.asked and card[0] == self.asked[0]]
        played = self.holder is not None and self.asked not in self.hands[self.holder]
        can_call = seat == self.bidder and suit and not played
        choice = self.decide(seat, "play", [*hand, *(["call"] if can_call else [])])
        if choice == "call":
            self.called = True
            choice = self.decide(seat, "play", suit)
        return choice

    def following(self, seat):
        """The cards with which a player may follow."""
        hand, rules, led = self.hands[seat], self.rules, self.on_table[0][0]
        if self.called and self.asked in hand:
            return [self.asked]
        follow = [card for card in hand if card[0] == led]
        if self.trump is None:
            return follow or hand
        trumps = [card for card in hand if card[0] == self.trump]
        others = [card for card in hand if card[0] != self.trump]
        highest = max((strength(card, self.trump) for card in self.on_table if card[0] == self.trump), default=-1)
        over = [card for card in trumps if strength(card, self.trump) > highest]
        lone_jack = trumps == [self.trump + "J"]
        if led == self.trump:
            if not trumps or lone_jack and self.refused[seat] < rules["jack_exempt_count"]:
                return hand
            return over if over and rules["must_overtake_trump_lead"] else trumps
        if self.called:
            return follow or others or hand
        free = rules["undertrump"] == "free"
        if follow:
            return follow + (trumps if free else over) * rules["ruff_while_able"]
        if over:
            if rules["must_ruff_when_void"]:
                return hand if lone_jack and rules["jack_exempt_ruff"] else over
            return others + (trumps if free else over)
        if rules["undertrump"] == "compulsory_if_only_lower" and rules["must_ruff_when_void"]:
            return trumps or hand
        return hand if free else others or hand

    def best(self):
        """The card that wins the trick."""
        led = self.on_table[0][0]
        trumps = [card for card in self.on_table if card[0] == self.trump]
        if self.called and not self.rules["forced_trump_wins_called"]:
            trumps = []
        highest = trumps or [card for card in self.on_table if card[0] == led]
        return max(highest, key=lambda card: strength(card, self.trump))

    def shown(self, seat, card):
        """What a card brings to light besides itself; gives who may claim roem now, and how much he has."""
        if card == self.asked:
            self.partner = seat
            self.event(event="partner", seat=seat)
        first = self.by_points and seat == self.bidder and len(self.hands[seat]) == 7
        if first or card == self.asked:
            current = not first and self.rules["partner_roem_basis"] == "current_hand"
            held = [*self.hands[seat], card] if current else self.dealt[seat]
            truth = roem_of(held, self.trump, self.rules)
            if self.rules["roem_claims"] != "auto":
                return seat, truth
            self.event(event="roem", seat=seat, points=truth)
            self.roem += truth
        openly = {"ouverte": (5, [self.bidder]), "praatje": (1, range(4))}.get(self.goal)
        if openly and self.played == openly[0]:
            for other in openly[1]:
                self.event(event="open", seat=other, cards=" ".join(self.hands[other]))
        return None

    def claim(self, seat, truth):
        """Roem that a player claims himself."""
        offered = {0, truth} if self.rules["roem_claims"] == "truthful_choice" else range(0, 330, 10)
        claim = int(self.decide(seat, "claim", [f"claim {points}" for points in offered]).removeprefix("claim "))
        over = {"void": 0, "correct": truth, "undetected": claim}[self.rules["overclaim"]]
        self.roem += over if claim > truth else claim

    def judge(self, winner, number):
        """Whether the trick spoils a contract, and who becomes the partner of a zwabber."""
        if self.goal == "zwabber":
            if self.partner is not None:
                self.failed |= winner != self.partner
            elif winner != self.bidder and not self.failed:
                if number <= 5:
                    self.failed = True
                else:
                    self.partner = winner
                    self.event(event="partner", seat=winner)
        elif not self.by_points:
            self.failed |= (winner == self.bidder) != (self.goal == "prive")

    # The payoff.

    def score(self):
        """What each seat books, after the line with the result."""
        rules = self.rules
        side = {self.bidder, self.partner} - {None}
        result = {"event": "result", "bid": self.bid, "bidder": self.bidder, "partner": self.partner}
        bonus = rules["all_tricks_bonus"] * (sum(self.won[seat] for seat in side) == 8)
        if self.by_points:
            raw = sum(self.raw[seat] for seat in side)
            raw += value(self.aside, self.trump) * (rules["discard_points"] == "side")
            total = (raw + (5 if rules["round_half"] == "up" else 4)) // 10 * 10 + self.roem + bonus
            booked = total - int(self.bid)
            result |= {"made": booked >= 0, "raw": raw, "total": total}
            if rules["point_score"] == "bid":
                booked = int(self.bid) if booked >= 0 else -int(self.bid)
            double = self.solo
        else:
            result["made"] = not self.failed
            booked = -WORTH[self.bid] if self.failed else WORTH[self.bid] + bonus * (rules["bonus_scope"] == "any_won")
            double = self.goal == "zwabber" and self.partner is None and rules["solo_double_scope"] == "zwabber_too"
        self.equal("the result", self.event(), result)
        booked *= 2 if double else 1
        if len(side) == 2 and rules["partner_share"] == "split":
            booked = booked / 2
        return [booked if seat in side else 0 for seat in range(4)]
