//! A bot that plays exactly where the endgame solver finds the result, and otherwise asks another bot.

use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, Seat, SeatView};

use crate::bot::{Advice, Bot, DecisionBatch, Fault, Faults, Ranked, Stop, certain};
use crate::endgame_solver::{EndgameSolver, ExactValues};

/// Wraps a bot. Where [`EndgameSolver`] finds the result, it plays one of the best moves: the wrapped bot's own move if
/// it is one of them, else the first.
pub struct EndgameBot {
    bot: Box<dyn Bot>,
    solver: EndgameSolver,
    /// The most positions that a decision may search.
    most: u64,
}

impl EndgameBot {
    /// Wraps `bot`; each decision may search at most `most` positions.
    pub fn new(bot: Box<dyn Bot>, most: u64) -> Self {
        Self { bot, solver: EndgameSolver::default(), most }
    }

    /// Returns the exact rewards, if they differ between moves.
    fn known(&mut self, view: SeatView<'_>) -> Option<ExactValues> {
        self.solver.solve(view, self.most).filter(ExactValues::tells_apart)
    }
}

/// Returns `own` if it is one of the best moves, else the first best move.
fn corrected(values: &ExactValues, own: ActionId) -> ActionId {
    if values.is_best(own) { own } else { values.best().next().unwrap_or(own) }
}

impl Bot for EndgameBot {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.pick_at(0, view)
    }

    fn choose(&mut self, ask: DecisionBatch<'_>, picks: &mut [ActionId]) {
        let mut open = Vec::with_capacity(ask.lanes.len());
        let mut known = Vec::new();
        for &lane in ask.lanes {
            match ask.env.view(lane).and_then(|view| self.known(view)) {
                Some(values) if values.best().count() == 1 => picks[lane] = corrected(&values, picks[lane]),
                other => {
                    open.push(lane);
                    known.extend(other.map(|values| (lane, values)));
                }
            }
        }
        self.bot.choose(DecisionBatch { lanes: &open, ..ask }, picks);
        known.iter().for_each(|(lane, values)| picks[*lane] = corrected(values, picks[*lane]));
    }

    fn pick_at(&mut self, table: usize, view: SeatView<'_>) -> ActionId {
        match self.known(view) {
            Some(values) if values.best().count() == 1 => corrected(&values, ActionId::default()),
            Some(values) => corrected(&values, self.bot.pick_at(table, view)),
            None => self.bot.pick_at(table, view),
        }
    }

    fn listens(&self) -> bool {
        self.bot.listens()
    }

    fn hear(&mut self, table: usize, seat: Seat, line: &Line) {
        self.bot.hear(table, seat, line);
    }

    fn stop_when(&mut self, stop: Stop) {
        self.bot.stop_when(stop);
    }

    fn faults(&self) -> Option<Faults> {
        self.bot.faults()
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.bot.take_fault()
    }

    fn random_moves(&self, table: usize, seat: Seat) -> u64 {
        self.bot.random_moves(table, seat)
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let advice = self.bot.advise(view);
        let Some(values) = self.known(view) else { return advice };
        let likely: f64 =
            advice.moves.iter().filter(|ranked| values.is_best(ranked.action)).map(|r| r.probability).sum();
        let count = values.best().count() as f64;
        let ranked = |&(action, reward): &(ActionId, f32)| {
            let own =
                advice.moves.iter().find(|ranked| ranked.action == action).map_or(0.0, |r| r.probability);
            let share = if likely > 0.0 { own / likely } else { 1.0 / count };
            let probability = if values.is_best(action) { share } else { 0.0 };
            Ranked { action, probability, value: reward.is_finite().then_some(reward) }
        };
        Advice::new(Some(values.value()), values.moves.iter().map(ranked).collect())
    }

    fn distribution(&mut self, view: SeatView<'_>) -> Vec<Ranked> {
        match self.known(view) {
            None => self.bot.distribution(view),
            Some(values) => {
                // As in `choose`, the first best move replaces every move outside of the best ones.
                let mut moves: Vec<Ranked> = certain(&view.legal_words(), ActionId(u16::MAX)).collect();
                for own in self.bot.distribution(view) {
                    let becomes = corrected(&values, own.action);
                    if let Some(ranked) = moves.iter_mut().find(|ranked| ranked.action == becomes) {
                        ranked.probability += own.probability;
                    }
                }
                moves
            }
        }
    }
}
