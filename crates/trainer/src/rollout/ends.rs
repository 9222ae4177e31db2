//! Endgames in which the endgame solver plays all seats.

use std::collections::VecDeque;

use cardsharp_bot::bots::search::Gain;
use cardsharp_bot::exact::{Exact, Step};
use cardsharp_env::{ActionId, Foresight, SeatView};

/// Maximum number of positions for solving an endgame. More expensive endgames are played like the rest of the round.
const MOST: u64 = 30_000;

/// The state of a round's endgame.
#[derive(Default)]
pub(super) enum End {
    /// Not solved: something was hidden so far.
    #[default]
    Open,
    /// Solved: the decisions until the end of the round, if all seats play their best moves.
    Known(VecDeque<Step>),
    /// Too expensive to solve.
    Unknown,
}

#[derive(Default)]
pub(super) struct Ends(Exact);

impl Ends {
    /// Returns the solver's move, if nothing relevant is hidden until the end of the round. `end` is the state of the
    /// current round.
    pub(super) fn pick(&mut self, view: SeatView<'_>, end: &mut End) -> Option<ActionId> {
        if matches!(end, End::Open) && view.foresight() == Foresight::Round {
            let line = self.0.line(view, MOST);
            let choices = |line: Vec<Step>| line.into_iter().filter(|step| !step.forced).collect();
            *end = line.map_or(End::Unknown, |line| End::Known(choices(line)));
        }
        match end {
            End::Known(steps) => steps.pop_front().map(|step| step.action),
            End::Open | End::Unknown => None,
        }
    }
}

/// Returns a certain gain for a move of the solver: it is as good as any other. Nothing is known of the other moves, so
/// of equally good moves the policy learns the one that is played.
pub(super) fn best(action: ActionId) -> Gain {
    Gain { action, tries: 0, mean: 0.0, sureness: f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::batch::{BatchOptions, LaneState};
    use cardsharp_env::{Draw, Size, mask};

    use super::*;

    /// Random players play until an endgame is solved. The seat that decides there gets the reward that the solver
    /// predicts.
    #[test]
    fn known_ends_bring_what_was_certain_and_need_nobody_else() {
        for (name, least) in [("dalmuti", 20), ("tahimi", 20), ("tachtigen", 2)] {
            let game = cardsharp_env::game(name).expect("one of the games");
            let (mut ends, mut exact, mut known) = (Ends::default(), Exact::default(), 0);
            for seed in 0..60 {
                let rules = if seed % 2 == 0 { game.default_rules() } else { game.random_rules(seed) };
                let rules = rules.sized(Size { players: None, rounds: Some(1) }).unwrap_or(rules);
                let options = BatchOptions { lanes: 1, skip_forced: true, rows: true, reveal: false };
                let mut env = game.batch(&[rules], options);
                let (mut batch, mut draw) = (env.batch(), Draw::new(seed, 1));
                env.start(0, 0, seed, &mut batch);
                let (mut end, mut certain) = (End::default(), None);
                while batch.state[0] == LaneState::Decide {
                    let view = env.view(0).expect("a decision");
                    let seat = view.seat().index();
                    let action = match ends.pick(view, &mut end) {
                        Some(action) => {
                            assert!(mask::contains(&view.legal_words(), action), "{name} seed {seed}");
                            certain.get_or_insert_with(|| (seat, exact.certain(view, u64::MAX)));
                            action
                        }
                        None => {
                            assert!(certain.is_none(), "{name} seed {seed}: an end that was known is not");
                            let legal = view.legal_words();
                            mask::nth(&legal, draw.below(mask::count(&legal))).expect("a legal move")
                        }
                    };
                    env.step(&[action], &mut batch);
                }
                if let Some((seat, certain)) = certain {
                    let value = certain.expect("a choice in a known end").value();
                    assert_eq!(batch.payoff[0].reward[seat], value, "{name} seed {seed}");
                    known += 1;
                }
            }
            assert!(known >= least, "{name}: {known}");
        }
    }
}
