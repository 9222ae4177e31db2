//! Endgames in which the endgame solver plays all seats, and distillation targets from its moves.

use std::collections::VecDeque;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::endgame_solver::{EndgameSolver, SolvedMove};
use cardsharp_bot::net::Scratch;
use cardsharp_env::{ActionId, Batch, Foresight, SeatView};

use super::DistillTargets;
use super::distill::push_target;

/// Maximum number of positions for solving an endgame. More expensive endgames are played like the rest of the round.
const MOST_POSITIONS: u64 = 30_000;

/// The state of a round's endgame.
#[derive(Default)]
pub(super) enum EndgameState {
    /// Not solved: something was hidden so far.
    #[default]
    Open,
    /// Solved: the decisions until the end of the round, if all seats play their best moves.
    Solved(VecDeque<SolvedMove>),
    /// Too expensive to solve.
    Unsolved,
}

/// Returns the solver's move, if nothing relevant is hidden until the end of the round. `endgame` is the state of the
/// current round.
pub(super) fn pick(
    solver: &mut EndgameSolver,
    view: SeatView<'_>,
    endgame: &mut EndgameState,
) -> Option<ActionId> {
    if matches!(endgame, EndgameState::Open) && view.foresight() == Foresight::Round {
        let line = solver.line(view, MOST_POSITIONS);
        let choices = |line: Vec<SolvedMove>| line.into_iter().filter(|step| !step.forced).collect();
        *endgame = line.map_or(EndgameState::Unsolved, |line| EndgameState::Solved(choices(line)));
    }
    match endgame {
        EndgameState::Solved(steps) => steps.pop_front().map(|step| step.action),
        EndgameState::Open | EndgameState::Unsolved => None,
    }
}

/// Makes distillation targets from the solver's moves: the policy, shifted towards each move.
pub(super) struct Distiller<'a> {
    policy: &'a dyn PolicyNet,
    scratch: Scratch,
    logits: Vec<f32>,
}

impl<'a> Distiller<'a> {
    pub(super) fn new(policy: &'a dyn PolicyNet) -> Self {
        Self { policy, scratch: Scratch::default(), logits: vec![0.0; policy.actions()] }
    }

    /// Adds the decision of lane `lane`, at which the solver plays `action`, to `targets`. Returns KL(target ‖ π) in
    /// nats.
    pub(super) fn push(
        &mut self,
        batch: &Batch,
        lane: usize,
        action: ActionId,
        targets: &mut DistillTargets,
    ) -> f32 {
        let (row, legal, hidden) = (batch.row.row(lane), batch.legal.row(lane), batch.hidden.row(lane));
        let (row, legal) = (row.as_slice().unwrap_or_default(), legal.as_slice().unwrap_or_default());
        self.policy.forward(row, legal, &mut self.scratch, &mut self.logits);
        targets.decisions.push(row, legal, hidden.as_slice().unwrap_or_default(), action, 0.0, 0.0);
        push_target(legal, &self.logits, action, &mut targets.probabilities)
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::batch::{BatchOptions, LaneState};
    use cardsharp_env::{Draw, Size, mask};

    use super::*;

    /// Random players play until an endgame is solved. The seat that decides there gets the reward that the solver
    /// predicts.
    #[test]
    fn solved_endgames_end_with_the_predicted_reward() {
        for (name, least) in [("dalmuti", 20), ("tahimi", 20), ("tachtigen", 2)] {
            let game = cardsharp_env::game(name).expect("one of the games");
            let (mut solver, mut second, mut solved) =
                (EndgameSolver::default(), EndgameSolver::default(), 0);
            for seed in 0..60 {
                let rules = if seed % 2 == 0 { game.default_rules() } else { game.random_rules(seed) };
                let rules = rules.sized(Size { players: None, rounds: Some(1) }).unwrap_or(rules);
                let options = BatchOptions { lanes: 1, skip_forced: true, rows: true, reveal: false };
                let mut env = game.batch(&[rules], options);
                let (mut batch, mut draw) = (env.batch(), Draw::new(seed, 1));
                env.start(0, 0, seed, &mut batch);
                let (mut endgame, mut certain) = (EndgameState::default(), None);
                while batch.state[0] == LaneState::Decide {
                    let view = env.view(0).expect("a decision");
                    let seat = view.seat().index();
                    let action = match pick(&mut solver, view, &mut endgame) {
                        Some(action) => {
                            assert!(mask::contains(&view.legal_words(), action), "{name} seed {seed}");
                            certain.get_or_insert_with(|| (seat, second.solve(view, u64::MAX)));
                            action
                        }
                        None => {
                            assert!(certain.is_none(), "{name} seed {seed}: a solved endgame is open again");
                            let legal = view.legal_words();
                            mask::nth(&legal, draw.below(mask::count(&legal))).expect("a legal move")
                        }
                    };
                    env.step(&[action], &mut batch);
                }
                if let Some((seat, certain)) = certain {
                    let value = certain.expect("a choice in a solved endgame").value();
                    assert_eq!(batch.payoff[0].reward[seat], value, "{name} seed {seed}");
                    solved += 1;
                }
            }
            assert!(solved >= least, "{name}: {solved}");
        }
    }
}
