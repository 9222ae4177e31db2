//! Many sessions side by side, without types: rows, masks and ids.

use ndarray::Array2;

use super::record::{self, Audience, Line};
use super::seat_view::SeatView;
use super::session::Session;
use crate::game::{Contract, Game, Payoff, Turn};
use crate::ground::blocks::width;
use crate::ground::hands::Positions;
use crate::ground::mask::{self, Mask};
use crate::ground::{ActionId, Seat};

/// Where a lane stands after a step.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum LaneState {
    /// No session, or the session's last round was reported: [`BatchEnv::start`] a new one.
    #[default]
    Idle,
    /// The seat in `seat` has a decision; row and mask are its own.
    Decide,
    /// A round ended, `payoff` is set. The lane's next pick is ignored; that step deals on.
    RoundOver,
    /// The last round of the session ended, `payoff` is set. The next step makes the lane idle.
    SessionOver,
}

/// What a [`BatchEnv`] shows of its lanes. One entry (or row) per lane everywhere.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Observation rows, `[lanes, width(OBSERVATION)]`; stale unless the lane decides, no columns unless asked
    /// for.
    pub row: Array2<u8>,
    /// Legal actions as bits, `[lanes, words]`; stale unless the lane decides.
    pub legal: Array2<u64>,
    /// Hidden cards for a critic, `[lanes, width(HIDDEN)]`; no columns unless asked for.
    pub hidden: Array2<u8>,
    /// Who decides.
    pub seat: Vec<Seat>,
    /// What each lane waits for.
    pub state: Vec<LaneState>,
    /// Worth of the round just ended, where `state` is `RoundOver` or `SessionOver`.
    pub payoff: Vec<Payoff>,
    /// What was undertaken in that round, if anything was.
    pub contract: Vec<Option<Contract>>,
}

impl Batch {
    /// Room for `lanes` lanes of games with these widths.
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

/// Sessions of one game side by side, one lane each.
pub trait BatchEnv: Send + Sync {
    /// Number of lanes.
    fn lanes(&self) -> usize;
    /// Room for this environment's lanes.
    fn batch(&self) -> Batch;
    /// Begins a session in `lane` by the rules numbered `rules` in the list the environment was made
    /// with, and shows its first decision in `batch`.
    fn start(&mut self, lane: usize, rules: usize, seed: u64, batch: &mut Batch);
    /// Plays `picks[lane]` wherever `batch.state[lane]` is `Decide` and moves every other lane on as
    /// its state says. Picks are trusted to be legal.
    fn step(&mut self, picks: &[ActionId], batch: &mut Batch);
    /// [`BatchEnv::step`] of these lanes; the others stay as they are.
    fn step_lanes(&mut self, lanes: &[usize], picks: &[ActionId], batch: &mut Batch);
    /// What the seat that decides in `lane` may know; none where nobody decides.
    fn view(&self, lane: usize) -> Option<SeatView<'_>>;
    /// From the lane's next session on, [`BatchEnv::told`] tells what these seats are told; nobody is at first.
    fn listen(&mut self, lane: usize, seats: Positions);
    /// What the seats that [`BatchEnv::listen`] named were told with the last start or step of `lane`, in order: the
    /// lines of their records.
    fn told(&self, lane: usize) -> &[(Seat, Line)];
}

/// How a [`BatchEnv`] plays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// Number of lanes.
    pub lanes: usize,
    /// Play decisions with a single legal action without asking. Changes no trajectory.
    pub skip_forced: bool,
    /// Fill `Batch::row`. Whoever needs the rows of few decisions asks their [`BatchEnv::view`] instead.
    pub rows: bool,
    /// Fill `Batch::hidden`.
    pub reveal: bool,
}

/// The [`BatchEnv`] of game `G`.
pub struct VecEnv<G: Game> {
    rules: Vec<G::Rules>,
    options: BatchOptions,
    lanes: Vec<Option<Session<G>>>,
    listening: Vec<Listening>,
}

/// Who listens in a lane, and what they were told last.
#[derive(Clone, Default)]
struct Listening {
    seats: Positions,
    told: Vec<(Seat, Line)>,
}

impl Listening {
    /// Tells every seat that listens the lines that `told` has for it.
    fn tell(&mut self, told: impl Fn(Audience) -> Vec<Line>) {
        for seat in self.seats.iter().map(Seat) {
            self.told.extend(told(Audience::Seat(seat)).into_iter().map(|line| (seat, line)));
        }
    }
}

/// Plays an action of the seat whose turn it is, and tells those who listen.
fn play<G: Game>(session: &mut Session<G>, seat: Seat, action: ActionId, listening: &mut Listening) {
    if listening.seats == Positions(0) {
        session.round_mut().play(action);
        return;
    }
    let before = *session.round();
    session.round_mut().play(action);
    let (after, number) = (session.round(), session.number());
    listening.tell(|to| record::moved([&before, after], seat, action, number, to));
}

impl<G: Game> VecEnv<G> {
    /// Idle lanes that will play by any of `rules` (already checked).
    pub fn new(rules: Vec<G::Rules>, options: BatchOptions) -> Self {
        let listening = vec![Listening::default(); options.lanes];
        Self { rules, lanes: vec![None; options.lanes], listening, options }
    }

    /// Moves a lane on as its state says.
    fn go_on(&mut self, lane: usize, pick: ActionId, batch: &mut Batch) {
        let listening = &mut self.listening[lane];
        listening.told.clear();
        let Some(session) = &mut self.lanes[lane] else { return };
        match batch.state[lane] {
            LaneState::Decide => play(session, batch.seat[lane], pick, listening),
            LaneState::RoundOver => {
                session.deal_next();
                listening.tell(|to| record::begun(session.round(), session.number(), to));
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
                    listening.tell(|_| record::ended(session, &batch.payoff[lane]));
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
        listening.told.clear();
        listening.tell(|to| {
            let mut lines = vec![record::beginning::<G>(session.rules(), to, Vec::new())];
            lines.extend(record::begun(session.round(), session.number(), to));
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

    fn told(&self, lane: usize) -> &[(Seat, Line)] {
        &self.listening[lane].told
    }
}
