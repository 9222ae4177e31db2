//! Rebuilds a game from one seat's event log. Starts with a random deal that fits the seat's own cards.
//! Before each move, swaps hidden cards so that the mover can make this move and the viewer draws the
//! reported cards. Hidden hands may contradict the proofs in [`PublicState`], which are about the real hands.

use cardsharp_engine::game::{EventLog, ImaginedRound, Play, Turn, Update, cards_in};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, Seat};
use serde_json::{Value, json};

use super::actions::Move;
use super::deck::{self, BREAKER, Card, Cards, bit, card_name};
use super::opening::{self, Shuffled};
use super::rules::{DrawPolicy, LastCard, Rules, TakiFollow};
use super::state::{ActionResult, Answer, PublicState, SEATS, Stage, drawable};
use super::{Round, SessionState};

impl EventLog for Round {
    /// Keeps the seat's own cards as `hand`, and replaces the other hands and the draw pile with card counts.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        let hands = deal["hands"].as_array().map(Vec::as_slice).unwrap_or_default();
        let sizes: Vec<usize> = hands.iter().map(cards_in).collect();
        let mut shown_deal = json!({
            "sizes": sizes,
            "turned": deal["turned"],
            "begins": deal["begins"],
            "pile": cards_in(&deal["pile"]),
        });
        if let Some(hand) = to.and_then(|seat| hands.get(seat.index())) {
            shown_deal["hand"] = hand.clone();
        }
        shown_deal
    }

    /// Replaces the cards that others draw, and those of a new draw pile, with their number.
    fn conceal_event(mut event: Value, to: Option<Seat>) -> Option<Value> {
        match event["event"].as_str() {
            Some("draw") if to.is_none_or(|seat| event["seat"] != seat.0) => {
                let count = cards_in(&event["cards"]);
                event = json!({ "event": "draw", "seat": event["seat"], "count": count });
            }
            Some("recycle") => event["pile"] = cards_in(&event["pile"]).into(),
            _ => {}
        }
        Some(event)
    }

    fn imagine(
        rules: &Rules,
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        mut rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let deal = update.deal.ok_or("a game must start with the line `deal`")?;
        let hand = deck::from_text(opening::read_text(deal, "hand")?)
            .map_err(|problem| format!("`hand`: {problem}"))?;
        if hand.total() != u32::from(rules.dealt()) {
            return Err(format!("`hand` has {} cards, but {} are dealt", hand.total(), rules.dealt()));
        }
        let turned = opening::read_turned(rules, deal, ("hand", &hand))?;
        let begins = opening::read_begins(rules, deal)?;
        let rest = Cards::ALL.without(&hand).without(&turned.iter().copied().collect());
        let mut others: Vec<Card> = rest.cards().collect();
        rng.draw(|draw| draw.shuffle(&mut others));
        let mut hands = [None; SEATS];
        hands[seat.index()] = Some(hand);
        let cards = opening::stacked(rules, &hands, &turned, others);
        let shuffled = Shuffled { cards, turned: turned.len(), begins };
        Ok(ImaginedRound::begun(opening::deal_out(rules, standing, shuffled, rng), seat))
    }

    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        let viewer = imagined.seat;
        // The event log does not show which cards the others drew or held before.
        for (seat, own) in imagined.round.own.iter_mut().enumerate() {
            if seat != viewer.index() {
                own.drew = Cards::NONE;
            }
        }
        let draws = Draws::read(update.events, viewer)?;
        let mut hidden = Hidden::of(&mut imagined.round, viewer);
        draws.arrange(&mut hidden)?;
        let mut penalty = None;
        match update.choice {
            None => {}
            Some((_, None)) => return Err("this move needs its `choice`, or must be left out".to_owned()),
            Some((seat, Some(action))) => {
                penalty = Move::of(action).and_then(|chosen| penalty_of(&hidden.round.table, chosen));
                allow(hidden, seat, action, update)?;
                play(imagined, seat, action, &draws)?;
            }
        }
        settle(imagined, update, &draws, penalty)
    }
}

/// Plays a move. If it makes a new draw pile, corrects the cards drawn from that pile.
fn play(
    imagined: &mut ImaginedRound<Round>,
    seat: Seat,
    action: ActionId,
    draws: &Draws,
) -> Result<(), String> {
    let (viewer, recycles) = (imagined.seat, imagined.round.table.recycles);
    let mut arranged = Ok(());
    imagined.play_and(seat, action, |round| {
        if round.table.recycles != recycles {
            arranged = draws.arrange_recycled(round, viewer);
        }
    })?;
    arranged
}

/// Swaps hidden cards so that `seat` can play this move and the reported events can follow.
fn allow(mut hidden: Hidden<'_>, seat: Seat, action: ActionId, update: &Update<'_>) -> Result<(), String> {
    let chosen = Move::of(action).ok_or_else(|| format!("there is no move {}", action.0))?;
    if hidden.round.table.stage == Stage::Window {
        ask(&mut hidden, seat)?;
    }
    if hidden.round.turn() != Turn::Decide(seat) {
        return Err(format!("it is not the turn of seat {}", seat.0));
    }
    let mut lacks = 0;
    if seat != hidden.viewer {
        if chosen == Move::Decline {
            return Err(format!("it is secret that seat {} leaves the +3 unanswered", seat.0));
        }
        lacks = lacking(&hidden.round.table, chosen);
        if let Some(card) = chosen.card() {
            hidden.hold(seat, card)?;
        }
        hidden.lack(seat, lacks)?;
    }
    if !update.turn
        && let Some(player) = stays_open(&hidden.round.table, seat, chosen)
        && !is_settled(update, player, penalty_of(&hidden.round.table, chosen))
    {
        keep_open(&mut hidden, player, lacks)?;
    }
    Ok(())
}

/// Returns, as faces, the cards that a player who makes this move cannot hold.
fn lacking(table: &PublicState, chosen: Move) -> u64 {
    match chosen {
        Move::Draw if table.debt == 0 && table.rules.draw_policy == DrawPolicy::StuckOnly => {
            table.playable() & !deck::bit(BREAKER)
        }
        Move::Close | Move::LeaveOpen | Move::Change(_) | Move::King | Move::Plus3
            if table.stage == Stage::Run && table.rules.taki_follow == TakiFollow::All =>
        {
            table.color.faces()
        }
        _ => 0,
    }
}

// The viewer's draws in an event log.

/// A card, and the number of cards above it in the draw pile.
type Drawn = (usize, Card);

/// The cards that the viewer draws during one move.
struct Draws {
    /// From the current draw pile.
    now: Vec<Drawn>,
    /// From the new draw pile made of the discards.
    recycled: Vec<Drawn>,
}

impl Draws {
    /// Collects the viewer's draws from these events.
    fn read(events: &[Value], viewer: Seat) -> Result<Self, String> {
        let mut draws = Self { now: Vec::new(), recycled: Vec::new() };
        let (mut above, mut recycled) = (0_usize, false);
        for event in events {
            match event["event"].as_str() {
                Some("recycle") if recycled => {
                    return Err("the discards are made a new draw pile only once at a time".to_owned());
                }
                Some("recycle") => (above, recycled) = (0, true),
                Some("draw") if event["seat"] == viewer.0 => {
                    for word in opening::read_text(event, "cards")?.split_whitespace() {
                        let card = deck::card_from(word).map_err(|problem| format!("`cards`: {problem}"))?;
                        let draws = if recycled { &mut draws.recycled } else { &mut draws.now };
                        draws.push((above, card));
                        above = above.saturating_add(1);
                    }
                }
                Some("draw") => {
                    let count = event["count"].as_u64().and_then(|count| usize::try_from(count).ok());
                    let count = count.ok_or("`count` is missing, or not a number of cards")?;
                    above = above.saturating_add(count);
                }
                _ => {}
            }
        }
        Ok(draws)
    }

    /// Swaps hidden cards so that the viewer will draw these cards from the current pile.
    fn arrange(&self, hidden: &mut Hidden<'_>) -> Result<(), String> {
        let viewer = hidden.viewer;
        let table = &hidden.round.table;
        let mut left = drawable(table, &hidden.round.own[viewer.index()]);
        for &(above, card) in &self.now {
            let i = place(usize::from(hidden.round.table.pile), above)?;
            if !left.has(card) {
                let problem = "it is not in the draw pile";
                return Err(format!("seat {} cannot draw {}: {problem}", viewer.0, card_name(card)));
            }
            left.remove(card);
            hidden.draws(i, card)?;
        }
        Ok(())
    }

    /// Corrects draws from a new draw pile, after the move: swaps cards so that the viewer has drawn the
    /// reported ones.
    fn arrange_recycled(&self, round: &mut Round, viewer: Seat) -> Result<(), String> {
        let size = round.table.stock.total() as usize;
        let gone = usize::from(round.table.pile)..size;
        let drew = |happened: &ActionResult| match *happened {
            ActionResult::Drew(seat, cards) => Some((seat, usize::from(cards))),
            ActionResult::Rose(_) | ActionResult::Settled => None,
        };
        // The last cards drawn in this move came from the new pile; find out who drew each of them.
        let drawn = round.log.entries().iter().filter_map(drew);
        let drawn: Vec<Seat> = drawn.flat_map(|(seat, cards)| std::iter::repeat_n(seat, cards)).collect();
        let takers: Vec<(usize, Seat)> = gone.zip(drawn.into_iter().rev()).collect();
        for &(i, seat) in &takers {
            let own = &mut round.own[seat.index()];
            own.hand.remove(round.pile[i]);
            own.drew.remove(round.pile[i]);
        }
        let mut settled = 0_u128;
        for &(above, card) in &self.recycled {
            let i = place(size, above)?;
            let found = (0..size).find(|&other| round.pile[other] == card && settled >> other & 1 == 0);
            let Some(found) = found else {
                let problem = "it is not among the discards that are shuffled";
                return Err(format!("seat {} cannot draw {}: {problem}", viewer.0, card_name(card)));
            };
            round.pile.swap(i, found);
            settled |= 1 << i;
        }
        for &(i, seat) in &takers {
            let own = &mut round.own[seat.index()];
            own.hand.add(round.pile[i]);
            own.drew.add(round.pile[i]);
        }
        Ok(())
    }
}

/// Returns the index, from the bottom, of the card with `above` cards above it in a draw pile of `pile`
/// cards.
fn place(pile: usize, above: usize) -> Result<usize, String> {
    pile.checked_sub(above.saturating_add(1))
        .ok_or_else(|| format!("more than {pile} cards are drawn from a pile of {pile}"))
}

// Cards that one seat does not see, and swaps of them that make the reported moves possible.

/// Location of a card.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Place {
    /// In the hand of this seat.
    Hand(Seat),
    /// In the draw pile; the index counts from the bottom.
    Pile(usize),
}

/// A game and its cards that the viewer does not see. These cards may be swapped with one another, except
/// those that all players know.
struct Hidden<'a> {
    round: &'a mut Round,
    viewer: Seat,
    /// Indices in the draw pile of the cards that the viewer is about to draw, as bits. Swaps leave them
    /// alone.
    settled: u128,
}

impl<'a> Hidden<'a> {
    fn of(round: &'a mut Round, viewer: Seat) -> Self {
        Self { round, viewer, settled: 0 }
    }

    /// Returns the cards in a hand that may be swapped.
    fn guessed(&self, seat: Seat) -> Cards {
        if seat == self.viewer {
            return Cards::NONE;
        }
        self.round.own[seat.index()].hand.without(&self.round.table.known[seat.index()])
    }

    /// Returns the first hidden card for which `fits` is true, with its location.
    fn find(&self, fits: impl Fn(Place, Card) -> bool) -> Option<(Place, Card)> {
        let table = &self.round.table;
        let pile = usize::from(table.buried.len())..usize::from(table.pile);
        let free = pile.filter(|&i| self.settled >> i & 1 == 0);
        let pile =
            free.map(|i| (Place::Pile(i), self.round.pile[i])).find(|&(place, card)| fits(place, card));
        pile.or_else(|| {
            (0..table.players()).map(Seat).find_map(|seat| {
                let place = Place::Hand(seat);
                self.guessed(seat).cards().find(|&card| fits(place, card)).map(|card| (place, card))
            })
        })
    }

    fn exchange(&mut self, one: (Place, Card), other: (Place, Card)) {
        for ((place, gone), (_, come)) in [(one, other), (other, one)] {
            match place {
                Place::Hand(seat) => {
                    let hand = &mut self.round.own[seat.index()].hand;
                    hand.remove(gone);
                    hand.add(come);
                }
                Place::Pile(i) => self.round.pile[i] = come,
            }
        }
    }

    /// Puts `card` at index `i` of the draw pile, where the viewer will draw it.
    fn draws(&mut self, i: usize, card: Card) -> Result<(), String> {
        let place = Place::Pile(i);
        if self.round.pile[i] != card {
            let buried = i < usize::from(self.round.table.buried.len());
            let found = self.find(|other, found| found == card && other != place).filter(|_| !buried);
            let Some(found) = found else {
                return Err(format!("seat {} cannot draw {} there", self.viewer.0, card_name(card)));
            };
            self.exchange((place, self.round.pile[i]), found);
        }
        self.settled |= 1 << i;
        Ok(())
    }

    /// Makes another player hold this card.
    fn hold(&mut self, seat: Seat, card: Card) -> Result<(), String> {
        let (who, name) = (seat.index(), card_name(card));
        if self.round.table.proofs[who].iter().any(|proof| proof.faces & bit(card) != 0 && proof.at_most == 0)
        {
            return Err(format!("seat {} has shown that it holds no {name}", seat.0));
        }
        if self.round.own[who].hand.count(card) > 0 {
            return Ok(());
        }
        let other = self.guessed(seat).cards().next();
        let found = self.find(|place, found| found == card && place != Place::Hand(seat));
        let (Some(other), Some(found)) = (other, found) else {
            return Err(format!("seat {} cannot hold {name}: no {name} is left for it", seat.0));
        };
        self.exchange((Place::Hand(seat), other), found);
        Ok(())
    }

    /// Makes another player hold no card with one of these faces.
    fn lack(&mut self, seat: Seat, faces: u64) -> Result<(), String> {
        let place = Place::Hand(seat);
        let among = |cards: &Cards| cards.cards().find(|&card| faces & bit(card) != 0);
        while let Some(card) = among(&self.guessed(seat)) {
            let other = self.find(|other, found| other != place && faces & bit(found) == 0);
            let Some(other) = other else {
                return Err(format!(
                    "seat {} must hold {}: no other cards are left",
                    seat.0,
                    card_name(card)
                ));
            };
            self.exchange((place, card), other);
        }
        match among(&self.round.own[seat.index()].hand) {
            Some(card) => Err(format!("seat {} holds {}, as everybody knows", seat.0, card_name(card))),
            None => Ok(()),
        }
    }
}

// A +3 in a rebuilt game: a seat the viewer may not know of is asked for an answer, answers, or all decline.

/// The seat and number of cards of a penalty for a last card that was not announced. The player pays before
/// the +3 that answered theirs is carried out.
type Penalty = Option<(Seat, u64)>;

/// Returns the penalty that this choice causes.
fn penalty_of(table: &PublicState, chosen: Move) -> Penalty {
    let seat = match (table.stage, chosen) {
        (Stage::LastCard { seat, .. }, Move::Silent) if table.rules.last_card == LastCard::Declare => seat,
        (Stage::Catch { silent, .. }, Move::Catch) => silent,
        _ => return None,
    };
    Some((seat, table.rules.last_card_penalty.into()))
}

/// Returns whether the events show that a +3 of `player` is settled. Others drew more than the penalty, a
/// player won, or `settled` says so.
fn is_settled(update: &Update<'_>, player: Seat, penalty: Penalty) -> bool {
    let draws = |seat: Option<Seat>| {
        let of_others = update.events_of("draw").filter(move |event| event["seat"] != player.0);
        let of_seat = of_others.filter(move |event| seat.is_none_or(|seat| event["seat"] == seat.0));
        of_seat.map(|event| event["count"].as_u64().unwrap_or_else(|| cards_in(&event["cards"]) as u64))
    };
    // A damaged event log may contain any count.
    let sum = |seat: Option<Seat>| draws(seat).fold(0, u64::saturating_add);
    let paid = penalty.map_or(0, |(seat, cards)| sum(Some(seat)).min(cards));
    update.events_of("settled").chain(update.events_of("won")).next().is_some() || sum(None) > paid
}

/// Returns whether a seat holds a card that can answer the +3.
fn answers(round: &Round, seat: Seat) -> bool {
    round.own[seat.index()].hand.once & round.table.answers(seat) != 0
}

/// Makes `seat` the one that is asked about the +3 on the table. Seats asked before have declined secretly.
fn ask(hidden: &mut Hidden<'_>, seat: Seat) -> Result<(), String> {
    let viewer = hidden.viewer;
    let round = &mut *hidden.round;
    let player = round.table.turn;
    let later = |seat: Seat| round.table.steps(player, seat);
    let own = round.own[viewer.index()].answer;
    let problem = if seat == player {
        Some(format!("seat {} laid the +3 itself", seat.0))
    } else if seat == viewer {
        let nothing = own == Answer::Declined || !answers(round, viewer);
        nothing.then(|| format!("seat {} has no answer to the +3, or has declined it", viewer.0))
    } else {
        let first = viewer != player && answers(round, viewer) && own != Answer::Declined;
        if own == Answer::Asked || first && later(viewer) < later(seat) {
            Some(format!("seat {} is asked before seat {}, and has not answered", viewer.0, seat.0))
        } else if own == Answer::Declined && later(seat) < later(viewer) {
            Some(format!("seat {} was asked before seat {}, and declined", seat.0, viewer.0))
        } else {
            None
        }
    };
    if let Some(problem) = problem {
        return Err(problem);
    }
    for (other, own) in round.own.iter_mut().enumerate() {
        if other != viewer.index() {
            own.answer = Answer::Nothing;
        }
    }
    round.own[seat.index()].answer = Answer::Asked;
    round.asked = seat;
    Ok(())
}

/// Returns the player of the +3 that others may answer after `seat` makes this choice, if there is one.
fn stays_open(table: &PublicState, seat: Seat, chosen: Move) -> Option<Seat> {
    match (table.stage, chosen) {
        // The player of the first +3 has to announce their last card first.
        (Stage::Window, Move::Plus3) if says_last_card(table) => None,
        (Stage::Window, Move::Decline) => Some(table.turn),
        (Stage::LastCard { next, .. }, Move::Declare) if next.plus3 => Some(next.seat),
        (Stage::LastCard { next, .. }, Move::Silent) if next.plus3 => {
            (table.rules.last_card == LastCard::Declare).then_some(next.seat)
        }
        (Stage::Catch { next, .. }, Move::Catch) if next.plus3 => Some(next.seat),
        (Stage::Catch { silent, asked, next }, Move::LetGo) if next.plus3 => {
            (table.after(asked, 1) == silent).then_some(next.seat)
        }
        (_, Move::Plus3) => Some(seat),
        _ => None,
    }
}

/// Returns whether the player of the +3 on the table will be asked about their last card after an answer.
fn says_last_card(table: &PublicState) -> bool {
    let left = table.sizes[table.turn.index()];
    table.rules.last_card != LastCard::Auto && table.remained == Some(1) && left == 1
}

/// Makes sure that a +3 of `player` still waits for an answer. If the viewer is not asked themselves, another
/// seat that can be asked must hold an answer. The player of the +3 must not hold cards with one of the faces
/// in `lacks`.
fn keep_open(hidden: &mut Hidden<'_>, player: Seat, lacks: u64) -> Result<(), String> {
    let (viewer, table) = (hidden.viewer, hidden.round.table);
    let can =
        |round: &Round, seat: Seat| round.own[seat.index()].hand.once & table.answers_to(player, seat) != 0;
    let me = table.steps(player, viewer);
    let declines = table.turn == player && hidden.round.own[viewer.index()].answer == Answer::Asked;
    let asked = !declines && viewer != player && can(hidden.round, viewer);
    let steps = if declines { me + 1..table.players() } else { 1..if asked { me } else { table.players() } };
    let others = steps.map(|steps| table.after(player, steps)).filter(|&seat| seat != viewer);
    for seat in others {
        if can(hidden.round, seat) {
            return Ok(());
        }
        let cards = [deck::BREAKER, deck::KING, deck::PLUS3];
        for card in cards.into_iter().filter(|&card| table.answers_to(player, seat) & bit(card) != 0) {
            if give(hidden, (player, seat), card, lacks) {
                return Ok(());
            }
        }
    }
    if asked {
        return Ok(());
    }
    Err("no player can answer the +3, so all others draw: their draws are missing".to_owned())
}

/// Gives a hidden card to `seat`, so that it can answer the +3 that `player` is about to lay. Returns false
/// if no suitable card is left.
fn give(hidden: &mut Hidden<'_>, (player, seat): (Seat, Seat), card: Card, lacks: u64) -> bool {
    let lays = hidden.round.own[player.index()].hand.count(card) == 1 && card == deck::PLUS3;
    let player = Place::Hand(player);
    let Some(own) = hidden.guessed(seat).cards().next() else { return false };
    let elsewhere = hidden.find(|place, found| found == card && place != player);
    let found = elsewhere.or_else(|| hidden.find(|_, found| found == card).filter(|_| !lays));
    let Some(mut found) = found else { return false };
    if found.0 == player {
        // The player of the +3 gets another card in exchange, none of `lacks`.
        let other = hidden.find(|place, other| place != player && other != card && lacks & bit(other) == 0);
        let Some(other) = other else { return false };
        hidden.exchange(found, other);
        found.0 = other.0;
    }
    if found.0 != Place::Hand(seat) {
        hidden.exchange((Place::Hand(seat), own), found);
    }
    true
}

/// Resolves a +3 that waits for an answer: asks the viewer, makes the hidden seats decline, or leaves it
/// open.
fn settle(
    imagined: &mut ImaginedRound<Round>,
    update: &Update<'_>,
    draws: &Draws,
    penalty: Penalty,
) -> Result<(), String> {
    let viewer = imagined.seat;
    while imagined.round.table.stage == Stage::Window {
        if !is_settled(update, imagined.round.table.turn, penalty) {
            return if update.turn {
                ask(&mut Hidden::of(&mut imagined.round, viewer), viewer)
            } else {
                Ok(())
            };
        }
        let asked = imagined.round.asked;
        if asked == viewer {
            return Err(format!("seat {} can answer the +3, and has not been asked", viewer.0));
        }
        play(imagined, asked, Move::Decline.id(), draws)?;
    }
    Ok(())
}
