//! Ends of rounds that everybody plays exactly.

use std::collections::VecDeque;

use cardsharp_bot::bots::search::Gain;
use cardsharp_bot::exact::{Exact, Step};
use cardsharp_env::{ActionId, Foresight, SeatView};

/// Positions that a move of such an end may cost. Ends that cost more are played like the rest of the round.
const MOST: u64 = 30_000;

/// How a round ends.
#[derive(Default)]
pub(super) enum End {
    /// There is something left to guess.
    #[default]
    Open,
    /// The choices that are still to come, if everybody plays the best.
    Known(VecDeque<Step>),
    /// Finding out would take too long.
    Unknown,
}

/// Finds out how rounds end.
#[derive(Default)]
pub(super) struct Ends(Exact);

impl Ends {
    /// The move of everybody's best play, where nothing is left to guess to the end of the round. `end` is what is known of that.
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

/// What is known of a move of such a line: it is as good as any. Of the others nothing is, so that where several are as good
/// the policy comes to the one that is played.
pub(super) fn best(action: ActionId) -> Gain {
    Gain { action, tries: 0, mean: 0.0, sureness: f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::batch::{BatchOptions, LaneState};
    use cardsharp_env::{Draw, Size, mask};

    use super::*;

    /// Chance plays until an end is known, and the reward of whoever decided there is the one that was certain.
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
