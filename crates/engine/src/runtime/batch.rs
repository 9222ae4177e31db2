//! Many sessions in parallel lanes, type-erased: rows, masks and ids.

use ndarray::Array2;

use super::log::{self, Audience, Line};
use super::seat_view::SeatView;
use super::session::Session;
use crate::base::blocks::width;
use crate::base::hands::Positions;
use crate::base::mask::{self, Mask};
use crate::base::{ActionId, Seat};
use crate::game::{Contract, Game, Payoff, Turn};

/// The state of a lane after a step.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum LaneState {
    /// No session, or the last round of the session was reported: [`BatchEnv::start`] a new one.
    #[default]
    Idle,
    /// The seat in `seat` has a decision; row and mask belong to its view.
    Decide,
    /// A round ended, and `payoff` is set. The next step ignores the lane's pick and deals the next round.
    RoundOver,
    /// The last round of the session ended, and `payoff` is set. The next step makes the lane idle.
    SessionOver,
}

/// What a [`BatchEnv`] shows of its lanes. Every field has one entry or row for each lane.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Observation rows, `[lanes, width(OBSERVATION)]`; stale unless the lane decides. No columns without
    /// [`BatchOptions::rows`].
    pub row: Array2<u8>,
    /// Action masks, `[lanes, words]`; stale unless the lane decides.
    pub legal: Array2<u64>,
    /// Hidden cards for a critic, `[lanes, width(HIDDEN)]`; no columns without [`BatchOptions::reveal`].
    pub hidden: Array2<u8>,
    /// The seat that decides.
    pub seat: Vec<Seat>,
    /// The state of each lane.
    pub state: Vec<LaneState>,
    /// Payoff of the round that just ended, if `state` is `RoundOver` or `SessionOver`.
    pub payoff: Vec<Payoff>,
    /// Contract of that round, if there was one.
    pub contract: Vec<Option<Contract>>,
}

impl Batch {
    /// Allocates a batch of `lanes` lanes for a game with these widths.
    pub fn new(lanes: usize, cells: usize, words: usize, hidden: usize) -> Self {
        Self {
            row: Array2::zeros((lanes, cells)),
            legal: Array2::zeros((lanes, words)),
            hidden: Array2::zeros((lanes, hidden)),
            seat: vec![Seat(0); lanes],
            state: vec![LaneState::Idle; lanes],
            payoff: vec![Payoff::default(); lanes],
            contract: vec![None; lanes],
        }
    }
}

/// Parallel sessions of one game, one in each lane.
pub trait BatchEnv: Send + Sync {
    /// Returns the number of lanes.
    fn lanes(&self) -> usize;
    /// Allocates a batch for the lanes of this environment.
    fn batch(&self) -> Batch;
    /// Starts a session in `lane`, and shows its first decision in `batch`. `rules` is an index into the list of
    /// rules that the environment was made with.
    fn start(&mut self, lane: usize, rules: usize, seed: u64, batch: &mut Batch);
    /// Plays `picks[lane]` where `batch.state[lane]` is `Decide`, and advances every other lane as its state says.
    /// It does not check that picks are legal.
    fn step(&mut self, picks: &[ActionId], batch: &mut Batch);
    /// [`BatchEnv::step`] for these lanes; the others stay unchanged.
    fn step_lanes(&mut self, lanes: &[usize], picks: &[ActionId], batch: &mut Batch);
    /// Returns the view of the seat that decides in `lane`; `None` if no seat decides.
    fn view(&self, lane: usize) -> Option<SeatView<'_>>;
    /// Selects the seats whose event logs [`BatchEnv::event_lines`] returns, from the lane's next session on. Initially
    /// none.
    fn listen(&mut self, lane: usize, seats: Positions);
    /// Returns the event log lines of the last start or step of `lane`, in order, for the seats of
    /// [`BatchEnv::listen`].
    fn event_lines(&self, lane: usize) -> &[(Seat, Line)];
}

/// Options of a [`BatchEnv`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// Number of sessions side by side.
    pub lanes: usize,
    /// Play decisions with a single legal action automatically. This does not change trajectories.
    pub skip_forced: bool,
    /// Fill `Batch::row`. If you need the rows of few decisions only, use their [`BatchEnv::view`] instead.
    pub rows: bool,
    /// Whether to fill `Batch::hidden`.
    pub reveal: bool,
}

/// The [`BatchEnv`] of game `G`.
pub struct VecEnv<G: Game> {
    rules: Vec<G::Rules>,
    options: BatchOptions,
    lanes: Vec<Option<Session<G>>>,
    listening: Vec<Listening>,
}

/// The seats that listen in a lane, and the lines of the last step for them.
#[derive(Clone, Default)]
struct Listening {
    seats: Positions,
    lines: Vec<(Seat, Line)>,
}

impl Listening {
    /// Adds the lines that `event_lines` returns for each listening seat.
    fn tell(&mut self, lines: impl Fn(Audience) -> Vec<Line>) {
        for seat in self.seats.iter().map(Seat) {
            self.lines.extend(lines(Audience::Seat(seat)).into_iter().map(|line| (seat, line)));
        }
    }
}

/// Plays an action of the seat whose turn it is, and adds its lines for the listening seats.
fn play<G: Game>(session: &mut Session<G>, seat: Seat, action: ActionId, listening: &mut Listening) {
    if listening.seats == Positions(0) {
        session.round_mut().play(action);
        return;
    }
    let before = *session.round();
    session.round_mut().play(action);
    let (after, number) = (session.round(), session.number());
    listening.tell(|to| log::moved([&before, after], seat, action, number, to));
}

impl<G: Game> VecEnv<G> {
    /// Creates idle lanes that can play by any of `rules`, which must be checked.
    pub fn new(rules: Vec<G::Rules>, options: BatchOptions) -> Self {
        let listening = vec![Listening::default(); options.lanes];
        Self { rules, lanes: vec![None; options.lanes], listening, options }
    }

    /// Advances a lane as its state says.
    fn go_on(&mut self, lane: usize, pick: ActionId, batch: &mut Batch) {
        let listening = &mut self.listening[lane];
        listening.lines.clear();
        let Some(session) = &mut self.lanes[lane] else { return };
        match batch.state[lane] {
            LaneState::Decide => play(session, batch.seat[lane], pick, listening),
            LaneState::RoundOver => {
                session.deal_next();
                listening.tell(|to| log::begun(session.round(), session.number(), to));
            }
            LaneState::SessionOver | LaneState::Idle => {
                self.lanes[lane] = None;
                batch.state[lane] = LaneState::Idle;
            }
        }
        self.show(lane, batch);
    }

    fn show(&mut self, lane: usize, batch: &mut Batch) {
        let Some(session) = &mut self.lanes[lane] else { return };
        let listening = &mut self.listening[lane];
        loop {
            let seat = match session.round().turn() {
                Turn::Decide(seat) => seat,
                Turn::RoundOver => {
                    batch.contract[lane] = session.round().contract();
                    batch.payoff[lane] = session.settle();
                    batch.state[lane] =
                        if session.is_last() { LaneState::SessionOver } else { LaneState::RoundOver };
                    listening.tell(|_| log::ended(session, &batch.payoff[lane]));
                    return;
                }
            };
            let legal = G::legal(session.round().view(seat));
            if self.options.skip_forced
                && let Some(only) = mask::single(legal.words())
            {
                play(session, seat, only, listening);
                continue;
            }
            batch.seat[lane] = seat;
            batch.state[lane] = LaneState::Decide;
            if let Some(words) = batch.legal.row_mut(lane).as_slice_mut() {
                words.copy_from_slice(legal.words());
            }
            if self.options.rows
                && let Some(row) = batch.row.row_mut(lane).as_slice_mut()
            {
                G::observe(session.round().view(seat), row);
            }
            if self.options.reveal
                && let Some(row) = batch.hidden.row_mut(lane).as_slice_mut()
            {
                session.round().reveal(seat, row);
            }
            return;
        }
    }
}

impl<G: Game> BatchEnv for VecEnv<G> {
    fn lanes(&self) -> usize {
        self.options.lanes
    }

    fn batch(&self) -> Batch {
        let BatchOptions { lanes, rows, reveal, .. } = self.options;
        let columns = |wanted: bool, blocks| if wanted { width(blocks) } else { 0 };
        Batch::new(lanes, columns(rows, G::OBSERVATION), G::Legal::WORDS, columns(reveal, G::HIDDEN))
    }

    fn start(&mut self, lane: usize, rules: usize, seed: u64, batch: &mut Batch) {
        let session = Session::new(self.rules[rules], seed);
        let listening = &mut self.listening[lane];
        listening.lines.clear();
        listening.tell(|to| {
            let mut lines = vec![log::beginning::<G>(session.rules(), to, Vec::new())];
            lines.extend(log::begun(session.round(), session.number(), to));
            lines
        });
        self.lanes[lane] = Some(session);
        self.show(lane, batch);
    }

    fn step(&mut self, picks: &[ActionId], batch: &mut Batch) {
        for (lane, pick) in picks.iter().enumerate() {
            self.go_on(lane, *pick, batch);
        }
    }

    fn step_lanes(&mut self, lanes: &[usize], picks: &[ActionId], batch: &mut Batch) {
        for &lane in lanes {
            self.go_on(lane, picks[lane], batch);
        }
    }

    fn view(&self, lane: usize) -> Option<SeatView<'_>> {
        let round = self.lanes[lane].as_ref()?.round();
        match round.turn() {
            Turn::Decide(seat) => Some(SeatView::of(round, seat)),
            Turn::RoundOver => None,
        }
    }

    fn listen(&mut self, lane: usize, seats: Positions) {
        self.listening[lane].seats = seats;
    }

    fn event_lines(&self, lane: usize) -> &[(Seat, Line)] {
        &self.listening[lane].lines
    }
}
