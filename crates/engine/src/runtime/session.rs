//! Consecutive rounds: the standing carries ranks and scores from one to the next.

use serde_json::Value;

use super::difference::{Comparing, difference};
use crate::base::rng::{DealRng, Draw};
use crate::base::rules::{RosterChange, Rules, RulesError, nearest};
use crate::game::{Chosen, DealError, Deals, Narrate, Payoff, Play, Turn};

/// A session: `rules.rounds()` rounds under one seed. Stream 0 of the seed seats the players, and stream `r` deals
/// round `r` (from 1). So any round can be dealt separately.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Session<G: Play> {
    rules: G::Rules,
    seed: u64,
    standing: G::SessionState,
    number: u32,
    round: G,
}

impl<G: Play> Session<G> {
    /// Seats the players and deals the first round.
    pub fn new(rules: G::Rules, seed: u64) -> Self {
        Self::resumed(rules, seed, 1, G::seating(&rules, &mut Draw::new(seed, 0)))
    }

    /// Returns the session right after the deal of round `number`, with the standing after the rounds before it.
    pub(super) fn resumed(rules: G::Rules, seed: u64, number: u32, standing: G::SessionState) -> Self {
        let round = G::deal(&rules, &standing, DealRng::new(seed, u64::from(number)));
        Self { rules, seed, standing, number, round }
    }

    /// The rules of the session.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// The seed of the session.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the round in play, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The round in play.
    pub fn round(&self) -> &G {
        &self.round
    }

    /// The round in play, for an action that is known to be legal.
    pub fn round_mut(&mut self) -> &mut G {
        &mut self.round
    }

    /// Ranks and scores after the rounds settled so far.
    pub fn standing(&self) -> &G::SessionState {
        &self.standing
    }

    /// Returns the same session with another round in play, and another seed for all later rounds.
    pub(super) fn imagined(&self, round: G, seed: u64) -> Self {
        Self { round, seed, ..*self }
    }

    /// Settles the finished round and returns its payoff. Call it once for each round.
    pub fn settle(&mut self) -> Payoff {
        debug_assert_eq!(self.round.turn(), Turn::RoundOver);
        self.round.settle(&mut self.standing)
    }

    /// Whether the round in play is the last one.
    pub fn is_last(&self) -> bool {
        self.number >= self.rules.rounds()
    }

    /// Lets a player join or leave before the next round. This changes the rules of the session, so that the rules,
    /// the seed and the actions still replay it.
    ///
    /// # Errors
    /// There is no next round, or the rules refuse the change; the session is unchanged.
    pub fn change_roster(&mut self, change: RosterChange) -> Result<(), RulesError> {
        if self.is_last() {
            let given = format!("changed after round {}: {change}", self.number);
            return Err(RulesError::invalid("players", given, "it is the last round of the session"));
        }
        self.rules = self.rules.with_change(self.number + 1, change)?;
        Ok(())
    }

    /// Deals the next round, after [`Session::settle`].
    pub fn deal_next(&mut self) {
        *self = Self::resumed(self.rules, self.seed, self.number + 1, self.standing);
    }
}

impl<G: Deals + Narrate> Session<G> {
    /// Seats the players and starts with a chosen deal: fields of the game's `deal` line, as [`Deals::dealt`] takes
    /// them. Fields left out, and all later rounds, are dealt from the seed.
    ///
    /// # Errors
    /// No first round of these rules has this deal; the error says what is wrong and what is valid.
    pub fn of(rules: G::Rules, seed: u64, deal: &Value) -> Result<Self, DealError> {
        let chosen = Chosen::of(deal)?;
        let mut standing = G::seating(&rules, &mut Draw::new(seed, 0));
        let round = G::dealt(&rules, &mut standing, chosen, DealRng::new(seed, 1))?;
        let described = round.describe_deal().unwrap_or_default();
        for (name, given) in chosen.fields() {
            let Some(expected) = described.get(name) else { return Err(unknown::<G>(name, &described)) };
            if let Some((at, expected, given)) =
                difference(expected, &filled(given, expected), Comparing::Loosely)
            {
                let at = if at.starts_with('[') || at.is_empty() {
                    format!("{name}{at}")
                } else {
                    format!("{name}.{at}")
                };
                return Err(DealError::Differs { at, given, expected });
            }
        }
        Ok(Self { rules, seed, standing, number: 1, round })
    }
}

/// Returns the error for a field that deals of this game do not have.
fn unknown<G: Play>(field: &str, described: &Value) -> DealError {
    let names: Vec<&str> =
        described.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let expected = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let nearest = nearest(field, names).map(str::to_owned);
    DealError::Unknown { game: G::NAME, field: field.to_owned(), nearest, expected }
}

/// Returns the chosen value, with null entries of lists replaced by what was dealt.
fn filled(given: &Value, described: &Value) -> Value {
    match (given, described) {
        (Value::Array(given), Value::Array(described)) if given.len() == described.len() => {
            let entry = |(given, described): (&Value, &Value)| {
                if given.is_null() { described } else { given }.clone()
            };
            given.iter().zip(described).map(entry).collect()
        }
        _ => given.clone(),
    }
}
