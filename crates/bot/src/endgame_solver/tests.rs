use std::collections::BTreeMap;

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::{AnyGame, Batch, BatchEnv, Draw, Payoff, Size};

use super::*;
use crate::bot::Bot;
use crate::bots::EndgameBot;

/// Starts a session of one round; every second one has random rules.
fn session(game: &'static dyn AnyGame, seed: u64) -> (Box<dyn BatchEnv>, Batch) {
    let rules = if seed.is_multiple_of(2) { game.default_rules() } else { game.random_rules(seed) };
    let one = Size { players: None, rounds: Some(1) };
    let options = BatchOptions { lanes: 1, skip_forced: true, rows: true, reveal: false };
    let mut env = game.batch(&[rules.sized(one).unwrap_or(rules)], options);
    let mut batch = env.batch();
    env.start(0, 0, seed, &mut batch);
    (env, batch)
}

/// Plays sessions in which the scripted player makes one in four decisions, and the others are random. Calls `look` at
/// all of them.
fn sessions(game: &'static dyn AnyGame, count: u64, look: &mut dyn FnMut(SeatView<'_>)) {
    for seed in 0..count {
        let ((mut env, mut batch), mut draw) = (session(game, seed), Draw::new(seed, 1));
        while batch.state[0] != LaneState::Idle {
            let mut pick = ActionId(0);
            if let (LaneState::Decide, Some(view)) = (batch.state[0], env.view(0)) {
                look(view);
                let legal = view.legal_words();
                pick = match draw.below(4) {
                    0 => view.scripted(),
                    _ => mask::nth(&legal, draw.below(mask::count(&legal))).expect("a legal move"),
                };
            }
            env.step(&[pick], &mut batch);
        }
    }
}

/// A reference search without pruning, which only stores the value of each position by its key.
struct Plain {
    seat: usize,
    side: Positions,
    words: usize,
    /// Number of positions that it may still visit.
    left: u32,
    worth: BTreeMap<Key, f32>,
}

impl Plain {
    /// Returns the reward of the seat if its side maximizes it and the others minimize it. Returns `None` if there are
    /// too many positions.
    fn value(&mut self, round: &mut dyn Playout) -> Option<f32> {
        self.left = self.left.checked_sub(1)?;
        let Some(turn) = round.turn() else { return Some(round.payoff().reward[self.seat]) };
        let mut legal = vec![0; self.words];
        round.legal(&mut legal);
        let better = if self.side.has(turn.0) { f32::max } else { f32::min };
        let mut value = None;
        for action in mask::actions(&legal) {
            round.step(action);
            let next = self.value(round)?;
            value = Some(value.map_or(next, |value| better(value, next)));
            round.back();
        }
        let value = value?;
        let [least, most] = round.stakes(cardsharp_env::Seat(self.seat as u8));
        assert!((least..=most).contains(&value), "{value} is not at stake: {least} to {most}");
        if let Some(key) = round.key() {
            let before = *self.worth.entry(key).or_insert(value);
            assert_eq!(before, value, "two positions with the key {key:?}");
        }
        Some(value)
    }
}

#[test]
fn what_is_certain_is_what_looking_at_everything_finds() {
    for (game, least) in [("dalmuti", 150), ("tahimi", 150), ("tachtigen", 150)] {
        let game = cardsharp_env::game(game).expect("one of the games");
        let (mut solver, mut held, mut compared) = (EndgameSolver::default(), None, 0);
        sessions(game, 100, &mut |view| {
            if view.foresight() != Foresight::Round {
                return;
            }
            let Some(values) = solver.solve(view, 20_000) else { return };
            let round =
                view.determinize(DealRng::new(7, 3), &mut held).expect("a round that the view allows");
            let mut plain = Plain {
                seat: view.seat().index(),
                side: round.side(view.seat()),
                words: view.words(),
                left: 20_000,
                worth: BTreeMap::new(),
            };
            for &(action, value) in &values.moves {
                round.step(action);
                let Some(found) = plain.value(round) else { return };
                assert_eq!(value, found, "{} {} {}", game.name(), view.label(action), view.json());
                round.back();
                compared += 1;
            }
        });
        assert!(compared >= least, "{}: {compared}", game.name());
    }
}

/// Plays the line in the real round, not in the deal of the search. The hands of the other seats there must not matter.
#[test]
fn the_line_leads_where_it_says_in_the_round_in_play() {
    for (game, least) in [("dalmuti", 20), ("tahimi", 20), ("taki", 20), ("tachtigen", 3)] {
        let game = cardsharp_env::game(game).expect("one of the games");
        let (mut solver, mut followed) = (EndgameSolver::default(), 0);
        for seed in 0..100 {
            let ((mut env, mut batch), mut draw) = (session(game, seed), Draw::new(seed, 1));
            while batch.state[0] != LaneState::Idle {
                let (LaneState::Decide, Some(view)) = (batch.state[0], env.view(0)) else {
                    env.step(&[ActionId(0)], &mut batch);
                    continue;
                };
                let Some(values) = solver.solve(view, 50_000) else {
                    let legal = view.legal_words();
                    let any = mask::nth(&legal, draw.below(mask::count(&legal))).expect("a legal move");
                    env.step(&[any], &mut batch);
                    continue;
                };
                let line = solver.line(view, 4_000_000).expect("what was certain");
                let seat = view.seat().index();
                let end = follow(env.as_mut(), &mut batch, &line, &mut draw);
                assert_eq!(end.reward[seat], values.value(), "{} seed {seed}", game.name());
                followed += 1;
                break;
            }
        }
        assert!(followed >= least, "{}: {followed}", game.name());
    }
}

/// Plays a line, and at random after it: a player who has gone out has its place. The session plays forced moves.
fn follow(env: &mut dyn BatchEnv, batch: &mut Batch, line: &[SolvedMove], draw: &mut Draw) -> Payoff {
    for step in line.iter().filter(|step| !step.forced) {
        let view = env.view(0).expect("a decision");
        assert!(batch.seat[0] == step.seat && mask::contains(&view.legal_words(), step.action));
        env.step(&[step.action], batch);
    }
    while batch.state[0] == LaneState::Decide {
        let legal = env.view(0).expect("a decision").legal_words();
        let any = mask::nth(&legal, draw.below(mask::count(&legal))).expect("a legal move");
        env.step(&[any], batch);
    }
    batch.payoff[0]
}

/// Plays the last legal move.
struct Last;

impl Bot for Last {
    fn name(&self) -> &str {
        "last"
    }
    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        mask::actions(&view.legal_words()).last().expect("a legal move")
    }
}

#[test]
fn nothing_certain_is_missed_however_it_is_asked_for() {
    for game in ["dalmuti", "tahimi", "taki"] {
        let game = cardsharp_env::game(game).expect("one of the games");
        let mut bot = EndgameBot::new(Box::new(Last), 20_000);
        let (mut solver, mut mattered, mut corrected) = (EndgameSolver::default(), 0, 0);
        sessions(game, 30, &mut |view| {
            let own = Last.pick(view);
            let (pick, advice) = (bot.pick(view), bot.advise(view));
            let total: f64 = bot.distribution(view).iter().map(|ranked| ranked.probability).sum();
            assert!((total - 1.0).abs() < 1e-9 && advice.moves[0].action == pick);
            let Some(values) = solver.solve(view, 20_000) else {
                assert_eq!(pick, own, "the other bot's move");
                return;
            };
            assert!(values.is_best(pick), "{} {}", game.name(), view.json());
            assert_eq!(advice.value.is_some(), values.tells_apart());
            mattered += usize::from(values.tells_apart());
            corrected += usize::from(pick != own);
        });
        assert!(mattered > 15 && corrected > 0, "{}: {mattered} {corrected}", game.name());
    }
}

#[test]
fn too_many_positions_are_not_searched() {
    let game = cardsharp_env::game("dalmuti").expect("one of the games");
    let (mut solver, mut given_up) = (EndgameSolver::default(), 0);
    sessions(game, 40, &mut |view| {
        let found = solver.solve(view, 100_000);
        let positions = found.map_or(0, |values| values.positions);
        if positions > 1 {
            assert_eq!(solver.solve(view, positions - 1), None);
            assert!(solver.solve(view, positions).is_some());
            given_up += 1;
        }
    });
    assert!(given_up > 10, "{given_up}");
}
