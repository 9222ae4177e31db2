"""Checks traces of Tahimi: deals, legal moves, cards that move, places and points.

Written from the game's rules.md and lines.md and from docs/trace.md alone. It shares no code with the game.
"""

from collections import Counter

from walk import Walk

JOKER = "*"
RANKS = "2 3 4 5 6 7 8 9 10 J Q K A".split()
ALL = "2 3 4 5 6 7 8 9 10 11 12 13 14 15 J Q K A".split()
# The special deck by number of players, in the order of ALL.
SPECIAL = {
    5: [4, 4, 4, 5, 4, 5, 4, 5, 4, 5, 4, 0, 0, 0, 5, 4, 4, 4],
    6: [4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 5, 5, 5, 4],
    7: [5, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 0, 5, 6, 5, 4],
    8: [5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 4],
}
VARIANT = ["deck", "jokers", "joker_tax", "deuces_high", "rank_privilege", "tax_schedule"]


def deck_of(rules, variant, players):
    """The names of the ranks from the lowest up, and the cards."""
    if players <= 4 or variant["deck"] == "standard":
        counts = dict.fromkeys(RANKS, 4)
    elif variant["deck"] == "extra_suits":
        counts = dict.fromkeys(RANKS, players)
    else:
        counts = {rank: n for rank, n in zip(ALL, SPECIAL[players]) if n}
    ladder = list(counts)
    if variant["deuces_high"]:
        ladder = [*ladder[1:], "2"]
        if rules["deuces_special"] == "relabel":
            counts = dict(zip(ladder, counts.values()))
    deck = Counter(counts)
    if variant["jokers"] != "none":
        deck[JOKER] = 2
    if rules["trim"] == "auto":
        middle = (len(ladder) - 1) // 2
        over = deck.total() % players
        out = min(over, deck[ladder[middle]])
        deck[ladder[middle]] -= out
        for number in range(over - out):
            deck[ladder[middle + (1 if number % 2 else -1)]] -= 1
    return ladder, +deck


def pairs_of(variant, players):
    """Who exchanges how many cards, as positions: (high, low, cards)."""
    schedule = variant["tax_schedule"]
    progressive = schedule == "progressive" or schedule == "auto" and variant["deck"] != "standard"
    counts = [2] if players == 3 else [2, 1]
    if progressive:
        counts = {6: [3, 1], 7: [3, 2], 8: [3, 2, 1]}.get(players, counts)
    return [(high, players - 1 - high, count) for high, count in enumerate(counts)]


def jokers_label(count):
    return f"pay {count} joker{'' if count == 1 else 's'}"


class Referee(Walk):
    """Walks through one trace."""

    # The session.

    def session(self):
        header = self.header("tahimi")
        self.rules = header["rules"]
        self.seats = header["players"]
        order, known = None, self.rules["players"]
        for number in range(1, self.rules["rounds"] + 1):
            left, joined = self.changes(number)
            if order is not None and len(order) - len(left) + len(joined) < 3:
                break
            self.round = number
            known = max([known, *(seat + 1 for seat in joined)])
            order = self.one_round(order, left, joined)
        self.equal("the number of seats", self.seats, known)
        return self.end()

    def changes(self, number):
        """The seats that leave and join just before a round."""
        now = [event for event in self.rules["roster_script"] if event["round"] == number]
        left = [event["leave"] for event in now if "leave" in event]
        return left, [event["join"] for event in now if "join" in event]

    def orders(self, order, left, joined):
        """Every order of seats that may come out of the changes."""
        orders = {tuple(seat for seat in order if seat not in left)}
        for seat in joined:
            inserted = set()
            for before in orders:
                n = len(before)
                places = {
                    "middle": [(n + 1) // 2],
                    "serf": [n],
                    "random": [max(n - up, 0) for up in range(5)],
                }[self.rules["join_policy"]]
                inserted |= {(*before[:place], seat, *before[place:]) for place in places}
            orders = inserted
        return orders

    def one_round(self, order, left, joined):
        """One round; gives the seats in the order of going out."""
        self.seat_players(order, left, joined)
        self.deal(left, joined)
        first = self.round == 1 or bool(joined) and self.rules["join_policy"] == "redraw"
        if self.rules["first_round_tax"] or not first:
            self.taxes()
        finished = [self.order[position] for position in self.play()]
        self.payoff(finished)
        return finished

    # Before the play.

    def seat_players(self, order, left, joined):
        """Reads the order of seats, which stands in the deal line, before the decree that precedes it."""
        deals = (line for line in self.lines[self.at :] if line["line"] == "deal")
        self.order = next(deals)["order"]
        players = range(self.rules["players"])
        if order is None and self.rules["seating"] == "fixed":
            self.equal("the order of seats", self.order, list(players))
        elif order is None:
            self.equal("the seats", sorted(self.order), list(players))
        elif joined and self.rules["join_policy"] == "redraw":
            self.equal("the seats", sorted(self.order), sorted({*order} - {*left} | {*joined}))
        else:
            orders = self.orders(order, left, joined)
            self.require(tuple(self.order) in orders, f"the order {self.order} is none of {sorted(orders)}")
        self.n = len(self.order)
        self.require(3 <= self.n <= 8, f"there are {self.n} players")

    def deal(self, left, joined):
        self.variant = {option: self.rules[option] for option in VARIANT}
        decree, menu = None, self.rules["decree"]
        if menu != "off":
            if self.round == 1 and self.chosen is not None:
                # A chosen deal has the decree with which its cards are dealt.
                decree = self.chosen["decree"]
                self.require(decree in range(len(menu)), f"the menu has no entry {decree}")
            else:
                labels = [f"decree {entry}" for entry in range(len(menu))]
                decree = labels.index(self.decide(self.order[0], "decree", labels))
            self.variant |= menu[decree]
        line = self.take("deal")
        for field, expected in [("left", sorted(left)), ("joined", sorted(joined)), ("decree", decree)]:
            self.equal(field, line[field], expected)
        self.equal("the variant", line["variant"], self.variant)
        self.ladder, deck = deck_of(self.rules, self.variant, self.n)
        self.strength = {rank: strength for strength, rank in enumerate(self.ladder)}
        self.hands = [self.cards(text) for text in line["hands"]]
        self.equal("the deck", sum(self.hands, Counter()), deck)
        count = deck.total()
        sizes = [len(range(position, count, self.n)) for position in range(self.n)]
        self.equal("the sizes of the hands", [hand.total() for hand in self.hands], sizes)

    def cards(self, text):
        """Reads `A 7 7 *`, best cards first."""
        names = text.split()
        worth = [self.strength.get(name, -1) for name in names]
        self.require(all(name in self.strength or name == JOKER for name in names), f"`{text}` is not of this deck")
        self.equal("the order of cards", worth, sorted(worth, reverse=True))
        return Counter(names)

    def taxes(self):
        pairs = pairs_of(self.variant, self.n)
        how, jokers = self.variant["joker_tax"], self.variant["jokers"]
        if how == "coupled":
            how = "high" if jokers == "wild" else "low"
        tributes = []
        for _, low, count in pairs:
            held = self.hands[low][JOKER]
            paid = min(held, count) if how == "high" else 0
            if how == "holder" and held:
                labels = [jokers_label(paid) for paid in range(min(held, count) + 1)]
                paid = labels.index(self.decide(self.order[low], "tax jokers", labels))
            tributes.append(self.highest(self.hands[low], count - paid) + Counter({JOKER: paid}))
        for (high, low, _), tribute in zip(pairs, tributes):
            self.moved("tribute", low, high, tribute)
        returns = [self.pick(high, count) for high, _, count in pairs]
        for (high, low, _), given in zip(pairs, returns):
            self.moved("return", high, low, given)

    def highest(self, hand, count):
        """The highest natural cards of a hand."""
        naturals = [rank for rank in hand.elements() if rank != JOKER]
        return Counter(sorted(naturals, key=self.strength.get, reverse=True)[:count])

    def moved(self, event, giver, taker, given):
        """An event line in which these cards, and no others, go from one position to another."""
        line = self.event(event=event, **{"from": self.order[giver], "to": self.order[taker]})
        self.equal("the cards moved", self.cards(line["cards"]), +given)
        self.hands[giver] = self.hands[giver] - given
        self.hands[taker] = self.hands[taker] + given

    def pick(self, high, count):
        """Cards chosen one by one to be given back."""
        given = Counter()
        for _ in range(count):
            left = self.hands[high] - given
            choice = self.decide(self.order[high], "tax", [f"give {rank}" for rank in left])
            given[choice.removeprefix("give ")] += 1
        return given

    # The play.

    def still_in(self):
        return [position for position in range(self.n) if self.hands[position]]

    def after(self, position):
        """The next position clockwise that holds cards."""
        return next(p % self.n for p in range(position + 1, position + 1 + self.n) if self.hands[p % self.n])

    def play(self):
        """Tricks until one player holds cards; the positions in the order of going out."""
        self.finished = []
        leader = 0
        while leader is not None:
            leader = self.trick(leader)
        return self.finished + self.still_in()

    def trick(self, turn):
        """One trick, led from `turn`; gives who leads the next one, none at the end of the round."""
        table, last, passed, skipped = None, None, set(), None
        final = self.rules["pass_is_final"]
        while True:
            others = len(self.still_in()) - 1
            may_pass = table or self.rules["pass_on_lead"] and len(passed) < others
            sets = self.sets(self.hands[turn], table)
            choice = self.decide(self.order[turn], "play", [*sets, *(["pass"] if may_pass else [])])
            if choice == "pass":
                passed.add(turn)
            else:
                to_beat, (table, used) = table, sets[choice]
                self.hands[turn] = self.hands[turn] - used
                # A pass on the lead is not final.
                last, passed, skipped = turn, passed if final and to_beat else set(), None
                if self.hands[turn].total() == 1:
                    self.event(event="one card", seat=self.order[turn])
                if not self.hands[turn]:
                    self.finished.append(turn)
                    if len(self.finished) == self.n - 1:
                        return None
                if table == to_beat:
                    if self.rules["equal_rank"] == "burns":
                        return self.taken(last)
                    skipped = self.open(last, {last} | passed)
            if table and {*self.still_in()} - {last, skipped} <= passed:
                return self.taken(last)
            turn = self.open(turn, {skipped} | (passed if final and table else set()))

    def open(self, position, waiting):
        """The next position clockwise that holds cards and does not wait; none if there is none."""
        clockwise = [(position + steps) % self.n for steps in range(1, self.n + 1)]
        return next((p for p in clockwise if self.hands[p] and p not in waiting), None)

    def taken(self, last):
        """Who leads after a trick taken by this position."""
        if self.hands[last]:
            return last
        return self.still_in()[0] if self.variant["rank_privilege"] else self.after(last)

    def sets(self, hand, table):
        """Every set that can be led, or played on `table` (strength, size): by label, with its cards."""
        found = {}
        for jokers in range(hand[JOKER] + 1):
            stars = JOKER * jokers
            for rank in self.ladder:
                for naturals in range(1, hand[rank] + 1):
                    label = (f"{rank}x{naturals}" if naturals > 1 else rank) + (f"+{stars}" if jokers else "")
                    found[label] = (self.strength[rank], {rank: naturals, JOKER: jokers})
                if jokers and self.variant["jokers"] == "wild":
                    found[f"{stars} as {rank}"] = (self.strength[rank], {JOKER: jokers})
            if jokers and self.variant["jokers"] == "low":
                found[stars] = (-1, {JOKER: jokers})
        playable = {}
        for label, (strength, used) in found.items():
            size = sum(used.values())
            equals = table == (strength, size) and self.rules["equal_rank"] != "forbidden"
            if table is None or equals or (size == table[1] and strength > table[0]):
                playable[label] = ((strength, size), +Counter(used))
        return playable

    # The payoff.

    def payoff(self, finished):
        places, points, rewards = ([0] * self.seats for _ in range(3))
        for place, seat in enumerate(finished, 1):
            places[seat], points[seat] = place, self.n - place
            rewards[seat] = {
                "rank_linear": 1 - 2 * (place - 1) / (self.n - 1),
                "points": self.n - place,
                "tahimi_only": place == 1,
            }[self.rules["reward"]]
        self.paid(places, points, rewards)
