//! Event logs of players, and games rebuilt from them, with unseen cards in random places.

use cardsharp_env::game::{EventLog, ImaginedRound, Update, cards_in};
use cardsharp_env::{ActionId, DealRng, Play, Seat, Turn};
use serde_json::{Value, json};

use crate::cards::{Card, Cards};
use crate::chosen::stacked;
use crate::rules::Rules;
use crate::state::{Round, SEATS, SessionState};

impl EventLog for Round {
    /// Shows the dealer, the turned card and the seat's own cards as `hand`. Hides other hands and the pile.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        let mut told = json!({ "dealer": deal["dealer"], "turned": deal["turned"] });
        if let Some(seat) = to {
            told["hand"] = deal["hands"][seat.index()].clone();
        }
        told
    }

    /// Replaces the cards that others draw, and the cards of a new pile, by their number.
    fn conceal_event(mut event: Value, to: Option<Seat>) -> Option<Value> {
        let hidden = match event["event"].as_str() {
            Some("draw") if to.is_none_or(|seat| event["seat"] != seat.0) => "cards",
            Some("reshuffle") => "pile",
            _ => return Some(event),
        };
        event["count"] = json!(cards_in(&event[hidden]));
        event.as_object_mut()?.remove(hidden);
        Some(event)
    }

    fn imagine(
        rules: &Rules,
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        mut rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let deal = update.deal.ok_or("a game begins with its deal")?;
        let (players, dealt) = (rules.players, usize::from(rules.dealt()));
        let dealer = deal["dealer"].as_u64().filter(|&dealer| dealer < players.into());
        let dealer = dealer.ok_or("`dealer` is not a seat")? as u8;
        let (mine, turned) = (cards(deal, "hand")?, cards(deal, "turned")?);
        let deck = Cards::decks(rules.decks());
        let seen: Cards = mine.iter().chain(&turned).copied().collect();
        let whole = mine.len() == dealt && turned.len() == 1;
        if !whole || usize::from(seen.len()) != dealt + 1 || !seen.without(deck).is_empty() {
            return Err(format!("expected {dealt} cards as `hand` and one `turned` up, all of this deck"));
        }
        let mut unseen: Vec<Card> = deck.without(seen).iter().collect();
        rng.draw(|draw| draw.shuffle(&mut unseen));
        let mut hands = [None; SEATS];
        hands[seat.index()] = Some(mine.into_iter().collect());
        let pile = stacked(rules, Seat(dealer), &hands, turned[0], unseen.into_iter());
        Ok(ImaginedRound::begun(Self::begin(rules, standing, Seat(dealer), pile, rng), seat))
    }

    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        let Some((mover, action)) = update.choice else { return Ok(()) };
        let action = action.ok_or("every move is public: expected its `choice`")?;
        let (me, round) = (imagined.seat, &mut imagined.round);
        if mover != me && round.turn() == Turn::Decide(mover) {
            round.hold(me, mover, action, update)?;
        }
        // The cards that the viewer drew, in order. The first `old` are from the old pile, the others from a new one.
        let mut drawn = Vec::new();
        let (mut old, mut renewed) = (0, false);
        for event in update.events {
            match event["event"].as_str() {
                Some("draw") if event["seat"] == me.0 => {
                    let more = cards(event, "cards")?;
                    old += if renewed { 0 } else { more.len() };
                    drawn.extend(more);
                }
                Some("reshuffle") => renewed = true,
                _ => {}
            }
        }
        for (i, &card) in drawn[..old].iter().enumerate() {
            let place =
                usize::from(round.table.pile).checked_sub(i + 1).ok_or("the draw pile has fewer cards")?;
            round.swap(me, round.pile[place], card)?;
        }
        let hands = update.events.last().and_then(|event| event.get("hands")).cloned();
        let mut problem = None;
        imagined.play_and(mover, action, |round| {
            let arranged =
                round.draw_again(me, &drawn[old..]).and_then(|()| round.lay_open(me, hands.as_ref()));
            problem = arranged.err();
        })?;
        problem.map_or(Ok(()), Err)
    }
}

/// Reads the cards in a field of a line, in order.
fn cards(line: &Value, field: &str) -> Result<Vec<Card>, String> {
    let text = line[field].as_str().ok_or_else(|| format!("`{field}` is not a text of cards"))?;
    text.split_whitespace().map(str::parse).collect()
}

impl Round {
    /// Swaps two cards that are hidden from the viewer, in other hands or in the draw pile.
    fn swap(&mut self, me: Seat, a: Card, b: Card) -> Result<(), String> {
        let hidden = |round: &Self, card: Card| {
            let others = round.own.iter().enumerate().filter(|&(seat, _)| seat != me.index());
            let mut hands = others.filter(|(_, own)| own.hand.has(card)).map(|(seat, _)| seat);
            let pile = round.pile[..usize::from(round.table.pile)].iter().position(|&other| other == card);
            hands
                .next()
                .map(Err)
                .or(pile.map(Ok))
                .ok_or_else(|| format!("{card} is not among the hidden cards"))
        };
        let places = [(hidden(self, a)?, a, b), (hidden(self, b)?, b, a)];
        for (place, from, to) in places {
            match place {
                Ok(place) => self.pile[place] = to,
                Err(seat) => {
                    self.own[seat].hand.remove(from);
                    self.own[seat].hand.add(to);
                }
            }
        }
        Ok(())
    }

    /// Puts the card that another player lays into their hand, if they do not hold it yet.
    fn hold(&mut self, me: Seat, mover: Seat, action: ActionId, update: &Update<'_>) -> Result<(), String> {
        let Some(crate::actions::Move::Lay(face)) = crate::actions::Move::of(action) else { return Ok(()) };
        let card = match update.events_of("lay").next() {
            Some(event) => *cards(event, "card")?.first().ok_or("`card` is empty")?,
            None => Card(face.0),
        };
        let hand = self.own[mover.index()].hand;
        if hand.has(card) && hand.card(face) == card {
            return Ok(());
        }
        // A hand with both cards of a face lays the one of the first deck. So the other card must leave the hand.
        let same = hand.iter().find(|held| held.face() == face);
        let given = same.or_else(|| hand.iter().next()).ok_or("he has no cards")?;
        if !hand.has(card) {
            return self.swap(me, given, card);
        }
        let others =
            self.own.iter().enumerate().filter(|&(seat, _)| seat != me.index() && seat != mover.index());
        let pile = self.pile[..usize::from(self.table.pile)].iter().copied();
        let elsewhere = pile.chain(others.flat_map(|(_, own)| own.hand.iter())).next();
        self.swap(me, given, elsewhere.ok_or_else(|| format!("he lays {given} first"))?)
    }

    /// Gives the viewer these cards from the new pile, which was made while they drew.
    fn draw_again(&mut self, me: Seat, drawn: &[Card]) -> Result<(), String> {
        for (i, &card) in drawn.iter().enumerate() {
            let top = usize::from(self.table.stock.len());
            let place = top.checked_sub(i + 1).ok_or("the new pile has fewer cards")?;
            let from = self.pile[..top].iter().position(|&other| other == card);
            let from = from.filter(|&from| from <= place).ok_or(format!("{card} was not in the new pile"))?;
            self.own[me.index()].hand.remove(self.pile[place]);
            self.own[me.index()].hand.add(card);
            self.pile.swap(place, from);
        }
        Ok(())
    }

    /// Sets the hands to the cards that all players show at the end.
    fn lay_open(&mut self, me: Seat, hands: Option<&Value>) -> Result<(), String> {
        let Some(hands) = hands else { return Ok(()) };
        let unseen = Cards::decks(self.table.rules.decks()).without(self.own[me.index()].hand);
        let mut left = unseen.without(self.table.discards);
        for seat in (0..SEATS.min(self.table.rules.players.into())).filter(|&seat| seat != me.index()) {
            let shown =
                crate::cards::from_text(hands[seat].as_str().ok_or("`hands` has a hand for each seat")?)?;
            if shown.len() != self.table.sizes[seat] || !shown.without(left).is_empty() {
                return Err(format!("seat {seat} cannot be left with {}", hands[seat]));
            }
            left = left.without(shown);
            self.own[seat].hand = shown;
        }
        // The remaining cards are the pile.
        self.pile.iter_mut().zip(left.iter()).for_each(|(place, card)| *place = card);
        Ok(())
    }
}
