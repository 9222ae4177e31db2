//! Checks of one decision: legality, rows, invariants, views.

use super::{Suite, Violation};
use crate::base::blocks::{Block, width};
use crate::base::mask::Mask;
use crate::base::rng::{DealRng, Draw};
use crate::base::{ActionId, Seat};
use crate::game::{Actions, Label, Observe, OwnedView, Prefix, Turn, View};

/// Checks decisions. It also holds the row buffers that it compares.
pub(super) struct DecisionChecker<'s, G: Observe + Actions> {
    pub(super) suite: &'s Suite<G>,
    most: Vec<u8>,
    row: Vec<u8>,
    again: Vec<u8>,
    hidden: Vec<u8>,
    /// All cells from this index on must be 0 under the rules of the session.
    blank: usize,
}

/// Returns the maximum of every cell.
fn most(blocks: &[Block]) -> Vec<u8> {
    blocks.iter().flat_map(|block| std::iter::repeat_n(block.max, block.len)).collect()
}

fn bad_cell(blocks: &[Block], seat: Seat, cell: usize, problem: String) -> Violation {
    let block = blocks.iter().find(|block| cell < block.end());
    let (name, offset) = block.map_or(("", 0), |block| (block.name, block.offset));
    Violation::Cell { seat: seat.0, block: name, cell: (cell - offset) as u16, problem }
}

impl<'s, G: Observe + Actions> DecisionChecker<'s, G> {
    pub(super) fn new(suite: &'s Suite<G>) -> Self {
        let cells = width(G::OBSERVATION);
        Self {
            suite,
            most: most(G::OBSERVATION),
            row: vec![0; cells],
            again: vec![0; cells],
            hidden: vec![0; width(G::HIDDEN)],
            blank: cells,
        }
    }

    /// Starts a session with these rules. If an earlier version of the encodings shows all of these rules, the
    /// cells added since that version must be 0.
    pub(super) fn begin(&mut self, rules: &G::Rules) -> Result<(), Violation> {
        let wrong = |error: serde_json::Error| Violation::Options(error.to_string());
        let all = serde_json::to_value(rules).map_err(wrong)?;
        let default = serde_json::to_value(G::Rules::default()).map_err(wrong)?;
        let shows = |prefix: &&Prefix| prefix.unseen.iter().all(|option| all[option] == default[option]);
        self.blank =
            G::PREFIXES.iter().filter(shows).map(|prefix| prefix.cells).min().unwrap_or(self.row.len());
        Ok(())
    }

    /// Checks the decision of `seat`; returns its legal actions.
    pub(super) fn decision(&mut self, round: &G, seat: Seat, draw: &mut Draw) -> Result<G::Legal, Violation> {
        let view = round.view(seat);
        let legal = G::legal(view);
        if legal.count() == 0 {
            return Err(Violation::Turn { seat: seat.0, count: 0, turn: true });
        }
        for id in (0..legal.words().len() as u16 * 64).map(ActionId) {
            let mask = legal.contains(id);
            if mask != (usize::from(id.0) < width(G::ACTIONS) && G::is_legal(view, id)) {
                return Err(Violation::Legality {
                    seat: seat.0,
                    label: Label::<G>::at(view.table, id).to_string(),
                    mask,
                });
            }
        }
        self.rows(view)?;
        self.audit(round).map_err(Violation::Invariant)?;
        let present = round.present();
        let other = present.iter().nth(draw.below(present.len()) as usize).map_or(seat, Seat);
        let count = G::legal(round.view(other)).count();
        if other != seat && count != 0 {
            return Err(Violation::Turn { seat: other.0, count, turn: false });
        }
        Ok(legal)
    }

    /// Checks the invariants of the round if the suite includes them.
    pub(super) fn audit(&self, round: &G) -> Result<(), String> {
        self.suite.audit.map_or(Ok(()), |audit| audit(round))
    }

    /// Checks that `observe` writes every cell, whatever was there before, and no value above its maximum.
    fn rows(&mut self, view: View<'_, G>) -> Result<(), Violation> {
        self.row.fill(0xAA);
        self.again.fill(0x55);
        G::observe(view, &mut self.row);
        G::observe(view, &mut self.again);
        if let Some(cell) = (self.blank..self.row.len()).find(|&cell| self.row[cell] != 0) {
            let problem =
                format!("holds {}, though no earlier version lacks one of these rules", self.row[cell]);
            return Err(bad_cell(G::OBSERVATION, view.seat, cell, problem));
        }
        if self.row == self.again && self.row.iter().zip(&self.most).all(|(value, most)| value <= most) {
            return Ok(());
        }
        let cells = self.row.iter().zip(&self.again).zip(&self.most).enumerate();
        for (cell, ((&value, &again), &most)) in cells {
            let problem = match () {
                () if value != again => "is not written".to_owned(),
                () if value > most => format!("holds {value}, more than {most}"),
                () => continue,
            };
            return Err(bad_cell(G::OBSERVATION, view.seat, cell, problem));
        }
        Ok(())
    }

    /// Runs the expensive checks for every seat, among them the view as JSON and a determinization of it.
    pub(super) fn thorough(&mut self, round: &G, seed: u64) -> Result<(), Violation> {
        for seat in round.present().iter().map(Seat) {
            let view = round.view(seat);
            self.rows(view)?;
            self.json(view)?;
            if let Some(determinize) = self.suite.determinize {
                self.determinized(determinize, round, view, seed)?;
            }
            self.revealed(round, seat)?;
            let legal = G::legal(view);
            if round.turn() == Turn::Decide(seat) {
                let own = self.suite.scripted.map(|scripted| scripted(view));
                if let Some(action) = own.filter(|&action| !legal.contains(action)) {
                    return Err(Violation::Scripted {
                        seat: seat.0,
                        label: Label::<G>::at(view.table, action).to_string(),
                    });
                }
            } else if legal.count() != 0 {
                return Err(Violation::Turn { seat: seat.0, count: legal.count(), turn: false });
            }
        }
        Ok(())
    }

    fn json(&mut self, view: View<'_, G>) -> Result<(), Violation> {
        let wrong = |problem: String| Violation::Json { seat: view.seat.0, problem };
        let owned = view.to_owned();
        let text = serde_json::to_string(&owned).map_err(|error| wrong(error.to_string()))?;
        let back: OwnedView<G> =
            serde_json::from_str(&text).map_err(|error| wrong(format!("{error} in {text}")))?;
        if back != owned {
            return Err(wrong(format!("read back as another view: {text}")));
        }
        if let Some(check_view) = self.suite.check_view {
            check_view(back.view()).map_err(|error| wrong(format!("{error}: {text}")))?;
        }
        if self.suite.picture.is_some_and(|picture| picture(view).is_empty()) {
            return Err(wrong("the picture is empty".to_owned()));
        }
        Ok(())
    }

    /// Checks that a determinization of a view shows the same view and satisfies the invariants.
    fn determinized(
        &mut self,
        determinize: fn(View<'_, G>, DealRng) -> Option<G>,
        round: &G,
        view: View<'_, G>,
        seed: u64,
    ) -> Result<(), Violation> {
        let seat = view.seat;
        let wrong = |problem: String| Violation::Determinize { seat: seat.0, problem };
        let rng = DealRng::new(seed, u64::from(seat.0));
        let Some(other) = determinize(view, rng) else {
            return Err(wrong(format!("no round for the view {:?}", view.to_owned())));
        };
        let same = other.view(seat);
        if same.to_owned() != view.to_owned() {
            return Err(wrong(format!(
                "another view: {:?} instead of {:?}",
                same.to_owned(),
                view.to_owned()
            )));
        }
        if determinize(view, rng) != Some(other) {
            return Err(wrong("not a function of view and random stream".to_owned()));
        }
        self.audit(&other)
            .map_err(|problem| wrong(format!("invariant: {problem}; view {:?}", view.to_owned())))?;
        let mine = |turn: Turn| (turn == Turn::Decide(seat), turn == Turn::RoundOver);
        if mine(other.turn()) != mine(round.turn()) {
            return Err(wrong(format!("the turn is {:?}, was {:?}", other.turn(), round.turn())));
        }
        if G::legal(same) != G::legal(view) {
            return Err(wrong("other legal actions".to_owned()));
        }
        if let Some(foresight) = self.suite.foresight.filter(|_| round.turn() == Turn::Decide(seat)) {
            foresight((round, &other), seat, &mut Draw::new(seed, 0))
                .map_err(|problem| Violation::Foresight { seat: seat.0, problem })?;
        }
        G::observe(view, &mut self.row);
        G::observe(same, &mut self.again);
        if let Some(cell) = (0..self.row.len()).find(|&cell| self.row[cell] != self.again[cell]) {
            return Err(bad_cell(
                G::OBSERVATION,
                seat,
                cell,
                "changed when hidden cards were dealt again".to_owned(),
            ));
        }
        Ok(())
    }

    fn revealed(&mut self, round: &G, seat: Seat) -> Result<(), Violation> {
        self.hidden.fill(0xAA);
        round.reveal(seat, &mut self.hidden);
        let beyond = self.hidden.iter().zip(most(G::HIDDEN)).position(|(value, most)| *value > most);
        let problem = "is not written, or beyond its maximum".to_owned();
        beyond.map_or(Ok(()), |cell| Err(bad_cell(G::HIDDEN, seat, cell, problem)))
    }
}
