//! Exact play of positions in which hidden cards no longer matter.
//!
//! Two kinds of positions are searched to their ends, without sampled deals:
//!
//! | [`Foresight`] | where | what is found |
//! |---|---|---|
//! | rest of the round | two players left in a climbing game, all hands known in Tachtigen | the reward of every move against best replies |
//! | own turn | TAKI, before hidden cards come in; climbing games, if no opponent can answer | the moves that win, or go out next |
//!
//! The search is a depth-first alpha-beta search over two sides, with a table of positions. Moves, turns and rewards
//! come from the rules ([`Playout`]), so every variant is searched by its own rules.

use cardsharp_env::hands::Positions;
use cardsharp_env::{ActionId, DealRng, Foresight, Key, Playout, Seat, SeatView, mask};

/// Default number of positions that one decision may search. It suffices for all but one or two of a thousand endgames.
pub const DEFAULT_POSITIONS: u64 = 4_000_000;

/// Entries of the position table: at first, the growth factor, and at most.
const PLACES: usize = 1 << 10;
const GROWTH: usize = 8;
const MOST_PLACES: usize = 1 << 16;

/// The exact values of the moves of one decision.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactValues {
    /// What the view determines. [`Foresight::Nothing`] never occurs here.
    pub foresight: Foresight,
    /// Every legal move, ascending, with its exact reward. If only the seat's own turn is known, a winning move has the
    /// reward of winning, or of going out next. Any other move then has minus infinity, because its value is unknown.
    pub moves: Vec<(ActionId, f32)>,
    /// Number of positions that were searched.
    pub positions: u64,
}

impl ExactValues {
    /// Returns the largest exact reward of any move.
    pub fn value(&self) -> f32 {
        self.moves.iter().map(|&(_, reward)| reward).fold(f32::NEG_INFINITY, f32::max)
    }

    /// Returns whether some moves are better than others.
    pub fn tells_apart(&self) -> bool {
        let value = self.value();
        self.moves.iter().any(|&(_, reward)| reward != value)
    }

    /// Returns whether `action` is one of the best moves.
    pub fn is_best(&self, action: ActionId) -> bool {
        let value = self.value();
        self.moves.iter().any(|&(other, reward)| other == action && reward == value)
    }

    /// Returns the best moves, ascending.
    pub fn best(&self) -> impl Iterator<Item = ActionId> + '_ {
        let value = self.value();
        self.moves.iter().filter(move |&&(_, reward)| reward == value).map(|&(action, _)| action)
    }
}

/// Searches positions exactly. It keeps its memory from one decision to the next, but no results.
#[derive(Default)]
pub struct EndgameSolver {
    round: Option<Box<dyn Playout>>,
    places: Vec<Place>,
    /// The number of the current decision. Table entries of other decisions are ignored.
    decision: u32,
    /// Stack of legal actions along the current path, and the mask of those at its end.
    moves: Vec<ActionId>,
    legal: Vec<u64>,
}

/// An entry of the position table.
#[derive(Copy, Clone)]
struct Place {
    key: Key,
    decision: u32,
    bound: Bound,
    value: f32,
    best: ActionId,
}

/// A move of a [line](EndgameSolver::line).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SolvedMove {
    /// The seat that moves.
    pub seat: Seat,
    /// The id of the move.
    pub action: ActionId,
    /// Whether it was the only legal move.
    pub forced: bool,
}

/// How a stored value relates to the exact value.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// Returns the index of a position in the table.
fn place(key: &Key, places: usize) -> usize {
    let mixed =
        key.iter().fold(0u64, |all, &word| (all.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (mixed >> 40) as usize % places
}

/// An entry that belongs to no decision.
const EMPTY: Place = Place { key: [0; 5], decision: 0, bound: Bound::Exact, value: 0.0, best: ActionId(0) };

impl EndgameSolver {
    /// Returns exact values for a view that has a decision with a choice. Returns `None` if hidden cards matter, or if
    /// no move wins within the seat's own turn. It also returns `None` if the search needs more than `most` positions.
    pub fn solve(&mut self, view: SeatView<'_>, most: u64) -> Option<ExactValues> {
        if mask::single(&view.legal_words()).is_some() {
            return None;
        }
        let foresight = view.foresight();
        let (moves, positions) = self.search(view, most, |search, round| search.moves(round))?;
        let values = ExactValues { foresight, moves, positions };
        (values.value() > f32::NEG_INFINITY).then_some(values)
    }

    /// Returns the moves of the rest of the round if all seats play best. The line ends with the round, or with the own
    /// turn if only that is known. Of several best moves it takes that of the scripted player if it is one of them,
    /// else the first. Returns `None` where [`EndgameSolver::solve`] does, but also answers for a single legal move. `most`
    /// limits the positions of each move of the line.
    pub fn line(&mut self, view: SeatView<'_>, most: u64) -> Option<Vec<SolvedMove>> {
        let (line, _) = self.search(view, most, |search, round| {
            let mut line = Vec::new();
            while let Some(seat) = round.turn() {
                if search.settled(round, seat).is_some() {
                    break;
                }
                search.positions = 1;
                let step = search.best(round, seat)?;
                line.push(step);
                round.step(step.action);
            }
            Some(line)
        })?;
        Some(line)
    }

    /// Runs `how` on the round of a view; returns its result and the number of positions that were searched.
    fn search<T>(
        &mut self,
        view: SeatView<'_>,
        most: u64,
        how: impl FnOnce(&mut AlphaBeta<'_>, &mut dyn Playout) -> Option<T>,
    ) -> Option<(T, u64)> {
        let foresight = view.foresight();
        if foresight == Foresight::Nothing {
            return None;
        }
        let Self { round, places, decision, moves, legal } = self;
        // Any deal works: the search does not read what differs between the deals that the view allows.
        let dealt = view.determinize(DealRng::new(0, 0), round)?;
        *decision = decision.wrapping_add(1);
        if places.is_empty() || *decision == 0 {
            *places = vec![EMPTY; PLACES];
            *decision = 1;
        }
        moves.clear();
        legal.resize(view.words(), 0);
        let stakes = dealt.stakes(view.seat());
        let own_turn = foresight == Foresight::OwnTurn;
        if own_turn && stakes[0] == stakes[1] {
            return None;
        }
        let mut search = AlphaBeta {
            side: dealt.side(view.seat()),
            seat: view.seat().index(),
            own_turn,
            stakes,
            most,
            positions: 1,
            places,
            decision: *decision,
            moves,
            legal,
        };
        let found = how(&mut search, dealt)?;
        Some((found, search.positions))
    }
}

struct AlphaBeta<'a> {
    /// The seats that maximize the reward of `seat`; the others minimize it.
    side: Positions,
    seat: usize,
    own_turn: bool,
    /// The smallest and the greatest reward that the seat can get.
    stakes: [f32; 2],
    most: u64,
    positions: u64,
    places: &'a mut Vec<Place>,
    decision: u32,
    moves: &'a mut Vec<ActionId>,
    legal: &'a mut [u64],
}

impl AlphaBeta<'_> {
    /// Returns every legal move of a round in progress, ascending, with its value.
    fn moves(&mut self, round: &mut dyn Playout) -> Option<Vec<(ActionId, f32)>> {
        round.legal(self.legal);
        let legal: Vec<ActionId> = mask::actions(self.legal).collect();
        let stakes = self.stakes;
        legal.into_iter().map(|action| Some((action, self.after(round, action, stakes)?))).collect()
    }

    /// Returns the best move of a round in progress. Returns `None` at the position limit, or if the values of all
    /// moves are unknown.
    fn best(&mut self, round: &mut dyn Playout, seat: Seat) -> Option<SolvedMove> {
        round.legal(self.legal);
        let forced = mask::single(self.legal).is_some();
        let likely = round.scripted();
        let legal: Vec<ActionId> = mask::actions(self.legal).collect();
        let [least, most] = self.stakes;
        let wants_more = self.side.has(seat.0);
        let (mut best, mut window) = (None, self.stakes);
        for action in std::iter::once(likely).chain(legal.into_iter().filter(|&action| action != likely)) {
            let value = self.after(round, action, window)?;
            let is_better =
                best.is_none_or(|(_, known)| if wants_more { value > known } else { value < known });
            if is_better {
                best = Some((action, value));
                window[usize::from(!wants_more)] = value;
            }
            if value == if wants_more { most } else { least } {
                break;
            }
        }
        let (action, value) = best?;
        (value > f32::NEG_INFINITY).then_some(SolvedMove { seat, action, forced })
    }

    /// Returns the value of a move, or `None` at the position limit. The value is exact between `low` and `high`, and a
    /// bound outside.
    fn after(&mut self, round: &mut dyn Playout, action: ActionId, window: [f32; 2]) -> Option<f32> {
        let foreseen = round.step(action);
        let value = match foreseen || !self.own_turn {
            true => self.value(round, window),
            false => Some(f32::NEG_INFINITY),
        };
        round.back();
        value
    }

    /// Returns the seat's reward if `turn` and the others cannot change it any more in this search of the own turn.
    fn settled(&self, round: &dyn Playout, turn: Seat) -> Option<f32> {
        if !self.own_turn || turn.index() == self.seat {
            return None;
        }
        let [least, most] = round.stakes(Seat(self.seat as u8));
        (least == most).then_some(least)
    }

    /// Returns the value of a certain reward. In a search of the own turn, only the greatest one counts.
    fn valued(&self, reward: f32) -> f32 {
        if self.own_turn && reward < self.stakes[1] { f32::NEG_INFINITY } else { reward }
    }

    fn value(&mut self, round: &mut dyn Playout, [mut low, mut high]: [f32; 2]) -> Option<f32> {
        let Some(turn) = round.turn() else { return Some(self.valued(round.payoff().reward[self.seat])) };
        if let Some(reward) = self.settled(round, turn) {
            return Some(self.valued(reward));
        }
        if self.own_turn && turn.index() != self.seat {
            round.legal(self.legal);
            return match mask::single(self.legal) {
                Some(action) => self.after(round, action, [low, high]),
                None => Some(f32::NEG_INFINITY),
            };
        }
        self.positions += 1;
        if self.positions > self.most {
            return None;
        }
        let places = self.places.len();
        if self.positions > places as u64 && places < MOST_PLACES {
            *self.places = vec![EMPTY; GROWTH * places];
        }
        let key = round.key();
        let mut first = None;
        let known = key.map(|key| (key, &self.places[place(&key, self.places.len())]));
        if let Some((_, known)) =
            known.filter(|(key, known)| known.decision == self.decision && known.key == *key)
        {
            match known.bound {
                Bound::Exact => return Some(known.value),
                Bound::AtLeast if known.value >= high => return Some(known.value),
                Bound::AtMost if known.value <= low => return Some(known.value),
                Bound::AtLeast | Bound::AtMost => first = Some(known.best),
            }
        }
        let wants_more = self.side.has(turn.0);
        let [asked_low, asked_high] = [low, high];
        let start = self.moves.len();
        round.legal(self.legal);
        if !self.own_turn {
            round.thin(self.legal);
        }
        self.moves.extend(mask::actions(self.legal));
        // Search the stored best move or the scripted player's move first, which prunes more.
        let likely = first.unwrap_or_else(|| round.scripted());
        if let Some(at) = self.moves[start..].iter().position(|&action| action == likely) {
            self.moves.swap(start, start + at);
        }
        let mut best = (if wants_more { f32::NEG_INFINITY } else { f32::INFINITY }, self.moves[start]);
        for next in start..self.moves.len() {
            let action = self.moves[next];
            let value = self.after(round, action, [low, high])?;
            if wants_more && value > best.0 || !wants_more && value < best.0 {
                best = (value, action);
            }
            match wants_more {
                true => low = low.max(value),
                false => high = high.min(value),
            }
            if low >= high {
                break;
            }
        }
        self.moves.truncate(start);
        let (value, best) = best;
        let bound = match () {
            () if value <= asked_low => Bound::AtMost,
            () if value >= asked_high => Bound::AtLeast,
            () => Bound::Exact,
        };
        if let Some(key) = key {
            let at = place(&key, self.places.len());
            self.places[at] = Place { key, decision: self.decision, bound, value, best };
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests;
