//! Random play for speed measurements. The same play through the batch interface has the same checksum. This proves
//! that a measurement timed the game and not a loop that was optimized away.

use crate::base::blocks::width;
use crate::base::mask::{self, Mask};
use crate::base::rng::derive;
use crate::base::{ActionId, Seat};
use crate::game::{Game, Payoff, Turn};
use crate::runtime::batch::{BatchEnv, LaneState};
use crate::runtime::session::Session;

/// The state of a measurement, with a running checksum of everything it saw.
struct Walk {
    state: u64,
    sum: u64,
    left: u64,
}

impl Walk {
    fn new(seed: u64, decisions: u64) -> Self {
        Self { state: seed | 1, sum: 0, left: decisions }
    }

    fn fold(&mut self, value: u64) {
        self.sum = (self.sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    }

    /// Picks a uniformly random legal move. It uses a multiplicative generator (Knuth's MMIX constants) instead of
    /// [`crate::base::rng::Draw`]. So the time measured is that of the game, not of the generator.
    #[inline(always)]
    fn pick(&mut self, seat: Seat, legal: &[u64]) -> ActionId {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let choices = u64::from(mask::count(legal));
        let action = mask::nth(legal, (((self.state >> 32) * choices) >> 32) as u32).unwrap_or_default();
        self.fold(u64::from(action.0) << 8 | u64::from(seat.0));
        self.left -= 1;
        action
    }

    fn settle(&mut self, payoff: &Payoff) {
        for (place, points) in payoff.place.iter().zip(payoff.points) {
            self.fold(u64::from(*place) << 32 | u64::from(points as u32));
        }
    }

    /// Adds one cell of the row to the checksum, a different one each time. So the compiler cannot skip writing any
    /// cell.
    fn look(&mut self, row: &[u8]) {
        let cell = self.left as usize % row.len();
        self.fold(u64::from(row[cell]));
    }
}

/// Plays `decisions` uniformly random legal moves, forced ones included, in consecutive sessions by `rules`. This
/// covers turn, legality, play, settling and dealing; with `with_row` also the mask as words and the observation
/// row. Returns a checksum of moves, payoffs and one cell of each row, the same as that of [`random_play_again`].
pub fn random_play<G: Game>(rules: G::Rules, seed: u64, decisions: u64, with_row: bool) -> u64 {
    let mut walk = Walk::new(seed, decisions);
    let mut row = vec![0; width(G::OBSERVATION)];
    let mut words = vec![0; G::Legal::WORDS];
    for number in 0.. {
        let mut session = Session::<G>::new(rules, derive(seed, &[number]));
        loop {
            while let Turn::Decide(seat) = session.round().turn() {
                if walk.left == 0 {
                    return walk.sum;
                }
                let view = session.round().view(seat);
                let legal = G::legal(view);
                if with_row {
                    words.copy_from_slice(legal.words());
                    G::observe(view, &mut row);
                    std::hint::black_box((&words, &row));
                    walk.look(&row);
                }
                let action = walk.pick(seat, legal.words());
                session.round_mut().play(action);
            }
            walk.settle(&session.settle());
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
    walk.sum
}

/// Computes the checksum of [`random_play`] through the batch interface. `env` must have one lane, play by the same
/// rules, and not skip forced moves.
///
/// # Panics
/// If `with_row` is true and `env` writes no rows.
pub fn random_play_again(env: &mut dyn BatchEnv, seed: u64, decisions: u64, with_row: bool) -> u64 {
    let mut batch = env.batch();
    assert!(!with_row || batch.row.ncols() > 0, "`env` writes no rows: expected one made with `rows: true`");
    let mut walk = Walk::new(seed, decisions);
    let mut number = 0;
    loop {
        let mut pick = ActionId(0);
        match batch.state[0] {
            LaneState::Idle => {
                env.start(0, 0, derive(seed, &[number]), &mut batch);
                number += 1;
                continue;
            }
            LaneState::Decide if walk.left == 0 => return walk.sum,
            LaneState::Decide => {
                if with_row {
                    walk.look(&batch.row.row(0).to_vec());
                }
                pick = walk.pick(batch.seat[0], &batch.legal.row(0).to_vec());
            }
            LaneState::RoundOver | LaneState::SessionOver => walk.settle(&batch.payoff[0]),
        }
        env.step(&[pick], &mut batch);
    }
}
