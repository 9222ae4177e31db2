//! The players of a table: the person or bot in each seat, and bots that substitute for people.

use std::collections::BTreeMap;
use std::time::Duration;

use cardsharp_env::Seat;
use serde::{Deserialize, Serialize};

use crate::deals::Salt;
use crate::journal::Sitter;
use crate::now::{SeenNow, SubstituteNow};

/// The players of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Players {
    /// The person or bot in each seat.
    pub(crate) sitters: Vec<Sitter>,
    /// The bots that play for people, by seat.
    substitutes: BTreeMap<Seat, String>,
    /// Changes of `substitutes` when the next round is dealt.
    planned: BTreeMap<Seat, Option<String>>,
    /// The people who could see the cards of a seat that others had played before, in the same round.
    seen: Vec<SeenNow>,
    /// The time that people have used, at a table with a limit for the session.
    used: BTreeMap<Seat, Duration>,
    /// The people who are ready for the start of the session, and their salts.
    ready: BTreeMap<Seat, Option<String>>,
    /// The salts with which the session started.
    salts: Vec<Salt>,
}

impl Players {
    pub(crate) fn new(sitters: Vec<Sitter>) -> Self {
        Self { sitters, ..Self::default() }
    }

    /// Returns the name of the bot that plays in a seat; none if a person does.
    pub(crate) fn bot(&self, seat: Seat) -> Option<&str> {
        match self.sitters.get(seat.index()) {
            Some(Sitter::Bot(bot)) => Some(bot),
            _ => self.substitutes.get(&seat).map(String::as_str),
        }
    }

    /// Returns the names of all bots that play or are planned to play.
    pub(crate) fn bots(&self) -> impl Iterator<Item = &str> {
        let seated = self.sitters.iter().filter_map(|sitter| match sitter {
            Sitter::Bot(bot) => Some(bot),
            Sitter::Person { .. } => None,
        });
        let planned = self.planned.values().flatten();
        seated.chain(self.substitutes.values()).chain(planned).map(String::as_str)
    }

    /// Returns the bot that substitutes for the person in a seat.
    pub(crate) fn substitute(&self, seat: Seat) -> Option<&str> {
        self.substitutes.get(&seat).map(String::as_str)
    }

    /// Returns whether a person has this seat, even if a bot plays for them.
    pub(crate) fn has_person(&self, seat: Seat) -> bool {
        matches!(self.sitters.get(seat.index()), Some(Sitter::Person { .. }))
    }

    /// Returns the name of the person or bot in a seat.
    pub(crate) fn name(&self, seat: Seat) -> Option<&str> {
        self.sitters.get(seat.index()).map(Sitter::name)
    }

    /// Changes the name of the person in a seat. Bots keep theirs.
    pub(crate) fn rename(&mut self, seat: Seat, to: String) {
        if let Some(Sitter::Person { name, .. }) = self.sitters.get_mut(seat.index()) {
            *name = to;
        }
    }

    /// Puts a player into a seat. A new seat must be the one after the last. `round` is the round that is in play, if the
    /// player can see cards of it.
    pub(crate) fn sit(&mut self, seat: Seat, sitter: Sitter, round: Option<u32>) {
        self.substitutes.remove(&seat);
        self.planned.remove(&seat);
        self.ready.remove(&seat);
        if let (Sitter::Person { name, .. }, Some(round)) = (&sitter, round) {
            self.seen.push(SeenNow { seat: seat.0, name: name.clone(), round });
        }
        match self.sitters.get_mut(seat.index()) {
            Some(place) => *place = sitter,
            None => self.sitters.push(sitter),
        }
    }

    /// Lets a bot play for the person in a seat, or the person again. Now, or from the next deal on.
    pub(crate) fn hand(&mut self, seat: Seat, bot: Option<String>, at_deal: bool) {
        if at_deal {
            self.planned.insert(seat, bot);
            return;
        }
        self.planned.remove(&seat);
        match bot {
            Some(bot) => self.substitutes.insert(seat, bot),
            None => self.substitutes.remove(&seat),
        };
    }

    /// Returns whether substitutes change with the next deal.
    pub(crate) fn change_at_deal(&self) -> bool {
        !self.planned.is_empty()
    }

    /// Carries out the changes that were planned for a deal.
    pub(crate) fn dealt(&mut self) {
        for (seat, bot) in std::mem::take(&mut self.planned) {
            self.hand(seat, bot, false);
        }
    }

    /// Notes that the person in a seat is ready, or not any more.
    pub(crate) fn set_ready(&mut self, seat: Seat, ready: bool, salt: Option<String>) {
        match ready {
            true => self.ready.insert(seat, salt),
            false => self.ready.remove(&seat),
        };
    }

    /// Returns whether a person is ready, or a bot plays for them.
    pub(crate) fn is_ready(&self, seat: Seat) -> bool {
        self.bot(seat).is_some() || self.ready.contains_key(&seat)
    }

    /// Returns whether all people are ready.
    pub(crate) fn all_ready(&self) -> bool {
        (0..self.sitters.len()).all(|seat| self.is_ready(Seat(seat as u8)))
    }

    /// Returns the salts: those so far or, after the start, those of the session.
    pub(crate) fn salts(&self) -> Vec<Salt> {
        let ready = self.ready.iter();
        let salts = ready.filter_map(|(seat, salt)| Some(Salt { seat: seat.0, salt: salt.clone()? }));
        self.salts.iter().cloned().chain(salts).collect()
    }

    /// Starts the session with these salts.
    pub(crate) fn start(&mut self, salts: Vec<Salt>) {
        (self.salts, self.ready) = (salts, BTreeMap::new());
        self.dealt();
    }

    /// Returns the time that the person in a seat has used.
    pub(crate) fn used(&self, seat: Seat) -> Duration {
        self.used.get(&seat).copied().unwrap_or_default()
    }

    /// Sets the time that the person in a seat has used.
    pub(crate) fn set_used(&mut self, seat: Seat, used: Duration) {
        self.used.insert(seat, used);
    }

    /// Returns the changes of substitutes that are planned for the next deal.
    pub(crate) fn planned(&self) -> Vec<SubstituteNow> {
        let planned = self.planned.iter();
        planned.map(|(seat, bot)| SubstituteNow { seat: seat.0, bot: bot.clone() }).collect()
    }

    /// Returns the people who could see the cards of a seat that others had played before.
    pub(crate) fn seen(&self) -> &[SeenNow] {
        &self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_substitute_plays_from_now_or_from_the_next_deal() {
        let bot = |name: &str| Some(name.to_owned());
        let secret = crate::secret::Secret::new().unwrap().digest();
        let ann = Sitter::Person { name: "Ann".to_owned(), secret };
        let mut players = Players::new(vec![ann.clone(), Sitter::Bot("random".to_owned())]);
        assert_eq!([0, 1].map(|seat| players.bot(Seat(seat)).map(str::to_owned)), [None, bot("random")]);
        players.hand(Seat(0), bot("scripted"), true);
        assert!(players.bot(Seat(0)).is_none() && players.change_at_deal());
        players.dealt();
        assert_eq!((players.bot(Seat(0)), players.change_at_deal()), (Some("scripted"), false));
        assert!(players.has_person(Seat(0)));
        // What happens at once replaces what was planned.
        players.hand(Seat(0), None, true);
        players.hand(Seat(0), bot("random"), false);
        players.dealt();
        assert_eq!(players.bot(Seat(0)), Some("random"));
        // A person who takes the seat plays, and everyone learns that they saw its cards.
        players.sit(Seat(0), ann, Some(3));
        assert_eq!(players.bot(Seat(0)), None);
        assert_eq!(players.seen(), [SeenNow { seat: 0, name: "Ann".to_owned(), round: 3 }]);
    }
}
