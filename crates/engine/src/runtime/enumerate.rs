//! Complete enumeration of a small round: every deal, every decision, every end.
//!
//! The result is a [`Tree`] in sequence form (von Stengel 1996). It does not store positions. It stores the
//! decisions of each seat, ordered by the seat's earlier moves, and for every end the last move of each seat. Exact
//! values then need one pass over the ends and one over the decisions.
//!
//! A decision is identified by the seat's [`View`] together with the seat's previous move. This ensures perfect
//! recall: two positions that a seat can tell apart by its own past are different decisions. That holds even in a
//! game whose views forget something. If views remember everything, each view is one decision.

use std::collections::BTreeMap;
use std::io;

use serde_json::Value;

use super::seat_view::SeatView;
use crate::base::mask::{self, Mask};
use crate::base::rng::Draw;
use crate::base::rules::Rules;
use crate::base::{ActionId, MAX_SEATS, Seat};
use crate::game::{EndgameError, Game, OwnedView, PossibleDeal, Turn, View};
use crate::runtime::session::Session;

/// An information set: all positions that one seat cannot tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationSet {
    /// The seat that decides.
    pub seat: Seat,
    /// The number of the seat's previous move; the number of the seat (`0..seats`) if there is none.
    pub before: u32,
    /// The number of the first move of this decision; the others follow.
    pub first: u32,
    /// The legal actions, ascending.
    pub actions: Box<[ActionId]>,
}

impl InformationSet {
    /// The numbers of the moves of this decision.
    pub fn moves(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.actions.len()
    }
}

/// One end of the round.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RoundEnd<'t> {
    /// The probability of the deal that leads here.
    pub probability: f64,
    /// The number of the last move of each seat, `[seats]`.
    pub last: &'t [u32],
    /// The reward of each seat, `[seats]`.
    pub reward: &'t [f64],
}

/// A completely enumerated round, type-erased. Moves have numbers: `0..seats` mean that the seat has not moved yet,
/// then follow the moves of each decision. Earlier moves of a seat have smaller numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Number of seats in the game.
    pub seats: usize,
    /// Number of deals that were enumerated.
    pub deals: usize,
    /// Decisions and ends of all deals, counted with all cards visible.
    pub positions: u64,
    /// The decisions; those of a seat are in the order of play.
    pub decisions: Vec<InformationSet>,
    /// Number of moves, including the `seats` entries for "not moved yet".
    pub moves: usize,
    /// `[ends]`.
    probability: Vec<f64>,
    /// `[ends, seats]`.
    last: Vec<u32>,
    /// `[ends, seats]`.
    reward: Vec<f64>,
}

impl Tree {
    /// Iterates over all ends, in the order of the deals and of the actions.
    pub fn ends(&self) -> impl Iterator<Item = RoundEnd<'_>> {
        let by_seat = self.last.chunks_exact(self.seats).zip(self.reward.chunks_exact(self.seats));
        self.probability.iter().zip(by_seat).map(|(&probability, (last, reward))| RoundEnd {
            probability,
            last,
            reward,
        })
    }
}

/// Why a round cannot be enumerated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EnumerateError {
    /// The game has too many deals to list.
    #[error(
        "{game} is too large to write out in full: one deal can be played in about 10^{magnitude} ways, and there \
            are too many deals to list"
    )]
    Unlisted {
        game: &'static str,
        /// The base-10 logarithm, rounded down, of the number of ways to play a typical deal.
        magnitude: u32,
    },
    /// There is no such endgame.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// The round has more decisions and ends than the limit.
    #[error(
        "{game} by these rules has more than {most} decisions and ends ({}; one of them can be played in about \
         10^{magnitude} ways): expected rules with fewer cards or players",
        deals.map_or_else(|| "not all deals were listed".to_owned(), |deals| format!("{deals} deals"))
    )]
    TooLarge {
        game: &'static str,
        most: u64,
        /// Number of deals; `None` if not all were listed.
        deals: Option<usize>,
        /// The base-10 logarithm, rounded down, of the number of ways to play a typical deal.
        magnitude: u32,
    },
}

/// A [`Tree`] of any game, with the views of its decisions.
pub trait AnyTree: Send + Sync {
    /// Returns the decisions and ends, without views.
    fn tree(&self) -> &Tree;
    /// The view of decision `decision`.
    fn view(&self, decision: usize) -> SeatView<'_>;
}

/// The enumerated first round of game `G`.
#[derive(Clone, Debug)]
pub struct Explored<G: Game> {
    tree: Tree,
    /// `[decisions]`.
    views: Vec<OwnedView<G>>,
}

impl<G: Game> AnyTree for Explored<G> {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn view(&self, decision: usize) -> SeatView<'_> {
        SeatView::alone(&self.views[decision])
    }
}

impl<G: Game> Explored<G> {
    /// Enumerates the first round of a session by `rules`, which must be checked.
    ///
    /// # Errors
    /// The game does not list its deals, or the round has more than `most` decisions and ends.
    pub fn new(rules: G::Rules, most: u64) -> Result<Self, EnumerateError> {
        let Some(deals) = G::deals(&rules) else {
            return Err(EnumerateError::Unlisted { game: G::NAME, magnitude: magnitude::<G>(rules) });
        };
        Self::within(rules, &deals, most)
    }

    /// Enumerates the endgame that `cards` selects, by `rules`, which must be checked.
    ///
    /// # Errors
    /// `cards` is not an endgame ([`Deals::endgame`](crate::game::Deals::endgame)), or the endgame has more than
    /// `most` decisions and ends.
    pub fn endgame(rules: G::Rules, cards: &Value, most: u64) -> Result<Self, EnumerateError> {
        match G::endgame(&rules, cards, most) {
            Ok(deals) => Self::within(rules, &deals, most),
            Err(EndgameError::TooLarge { most }) => Err(too_large::<G>(rules, most, None)),
            Err(error) => Err(error.into()),
        }
    }

    fn within(rules: G::Rules, deals: &[PossibleDeal<G>], most: u64) -> Result<Self, EnumerateError> {
        Self::of(rules, deals, most).ok_or_else(|| too_large::<G>(rules, most, Some(deals.len())))
    }

    /// Enumerates the rounds that follow from `deals`; `None` if they have more than `most` decisions and ends.
    pub fn of(rules: G::Rules, deals: &[PossibleDeal<G>], most: u64) -> Option<Self> {
        let seats = usize::from(rules.seats());
        let mut explorer = Explorer::<G> {
            tree: Tree {
                seats,
                deals: deals.len(),
                positions: 0,
                decisions: Vec::new(),
                moves: seats,
                probability: Vec::new(),
                last: Vec::new(),
                reward: Vec::new(),
            },
            views: Vec::new(),
            known: BTreeMap::new(),
            standing: G::seating(&rules, &mut Draw::new(0, 0)),
            most,
        };
        let last = std::array::from_fn(|seat| seat as u32);
        let done = deals.iter().all(|deal| explorer.explore(deal.probability, &deal.round, last));
        done.then_some(Self { tree: explorer.tree, views: explorer.views })
    }

    /// Iterates over the views of the decisions, `[decisions]`.
    pub fn views(&self) -> impl Iterator<Item = View<'_, G>> {
        self.views.iter().map(OwnedView::view)
    }
}

fn too_large<G: Game>(rules: G::Rules, most: u64, deals: Option<usize>) -> EnumerateError {
    EnumerateError::TooLarge { game: G::NAME, most, deals, magnitude: magnitude::<G>(rules) }
}

/// A depth-first walk through all positions.
struct Explorer<G: Game> {
    tree: Tree,
    views: Vec<OwnedView<G>>,
    /// Decisions by the seat's previous move and a checksum of the view. Few views have the same checksum.
    known: BTreeMap<(u32, u64), Vec<u32>>,
    /// A standing to settle rounds with. Payoffs do not depend on it.
    standing: G::SessionState,
    most: u64,
}

impl<G: Game> Explorer<G> {
    /// Adds everything that can follow `round`, whose deal has this probability; false if the limit is exceeded.
    fn explore(&mut self, probability: f64, round: &G, last: [u32; MAX_SEATS]) -> bool {
        self.tree.positions += 1;
        if self.tree.positions > self.most {
            return false;
        }
        let Turn::Decide(seat) = round.turn() else {
            self.end(probability, round, &last);
            return true;
        };
        let decision = self.decision(round, seat, last[seat.index()]);
        let count = self.tree.decisions[decision].actions.len();
        (0..count).all(|i| {
            let InformationSet { first, ref actions, .. } = self.tree.decisions[decision];
            let (mut next, mut after) = (*round, last);
            next.play(actions[i]);
            after[seat.index()] = first + i as u32;
            self.explore(probability, &next, after)
        })
    }

    fn end(&mut self, probability: f64, round: &G, last: &[u32; MAX_SEATS]) {
        let seats = self.tree.seats;
        let payoff = round.settle(&mut self.standing.clone());
        self.tree.probability.push(probability);
        self.tree.last.extend(&last[..seats]);
        self.tree.reward.extend(payoff.reward[..seats].iter().map(|&reward| f64::from(reward)));
    }

    /// Returns the number of the decision of `seat` in `round` after its move `before`, and adds it if it is new.
    fn decision(&mut self, round: &G, seat: Seat, before: u32) -> usize {
        let view = round.view(seat).to_owned();
        let mut sum = Checksum(0xcbf2_9ce4_8422_2325);
        // An error here is harmless: the view would only share its checksum with more other views.
        let _ = serde_json::to_writer(&mut sum, &view);
        let alike = self.known.entry((before, sum.0)).or_default();
        if let Some(&known) = alike.iter().find(|&&known| self.views[known as usize] == view) {
            return known as usize;
        }
        let number = self.views.len();
        alike.push(number as u32);
        let actions: Box<[ActionId]> = mask::actions(G::legal(view.view()).words()).collect();
        let first = self.tree.moves as u32;
        self.tree.moves += actions.len();
        self.tree.decisions.push(InformationSet { seat, before, first, actions });
        self.views.push(view);
        number
    }
}

/// The FNV-1a checksum, 64 bits, of the bytes written to it.
struct Checksum(u64);

impl io::Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 =
            bytes.iter().fold(self.0, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Estimates the base-10 logarithm of the number of ways to play a deal. It multiplies the numbers of legal actions
/// of all steps in a round, and takes the mean of the logarithms over a few random rounds. The estimate is low, but
/// enough to tell hopeless from large.
fn magnitude<G: Game>(rules: G::Rules) -> u32 {
    const ROUNDS: u64 = 64;
    let mut total = 0.0;
    for seed in 0..ROUNDS {
        let mut draw = Draw::new(seed, 1);
        let mut session = Session::<G>::new(rules, seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let legal = G::legal(session.round().view(seat));
            let count = mask::count(legal.words());
            total += f64::from(count).log10();
            let action = mask::nth(legal.words(), draw.below(count)).unwrap_or_default();
            session.round_mut().play(action);
        }
    }
    (total / ROUNDS as f64) as u32
}
