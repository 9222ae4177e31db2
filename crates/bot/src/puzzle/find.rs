//! Finds puzzles in sessions between bots.
//!
//! Every decision is screened in a few deals: a puzzle needs a plausible move that loses a lot. The best candidates of a
//! round are then judged twice, in different deals. Both judges must agree, and all bad moves must lose clearly.

use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, AnyTable, GameRules, Seat, SeatView, Size, mask, seed};
use serde_json::{Map, Value};

use super::judge::{Judgement, POSITIONS, exactly};
use super::{Judge, Puzzle};
use crate::bot::{Bot, Ranked};
use crate::bots::Player;
use crate::bots::search::{Reason, Search, SearchSettings};
use crate::endgame_solver::{EndgameSolver, ExactValues};

/// The fewest legal moves of a puzzle.
const FEWEST_MOVES: usize = 3;
/// The most legal moves of a puzzle, so that a person can read the list.
const MOST_MOVES: usize = 30;
/// The most rounds of a session that are played. Later rounds have the same decisions and longer histories.
const ROUNDS: u32 = 2;
/// Deals in which a decision is screened.
const SCREENED: u32 = 24;
/// The most candidates of a round that are judged.
const TRIES: usize = 2;
/// The probability from which a move of the bot is plausible.
const PLAUSIBLE: f64 = 0.1;
/// What the tempting move must lose on average, in rewards.
const LEAST_LOSS: f64 = 0.15;
/// Imagined sessions in which an exact puzzle is played out.
const EXACT_DEALS: u32 = 50;

/// Temperatures of the network in the seats of a session. Stronger and weaker players meet, as people do.
const TEMPERATURES: [f32; 4] = [0.0, 6.0, 1.0, 12.0];
/// The temperature of a player that plays nearly at random.
const WEAKEST: f32 = 75.0;

/// Finds puzzles in sessions. Each session is independent, so sessions can be searched on several threads.
pub struct Finder {
    /// The rules of the sessions, which take turns. There is at least one.
    rules: Vec<GameRules>,
    /// The players of the sessions, repeated to fill all seats. There is at least one.
    players: Vec<Player>,
    /// The player whose likely moves are plausible. It also plays out exact puzzles.
    plausible: Player,
    /// Players that must not all find a best move.
    easy: [Player; 2],
    /// The settings of the search that plays moves out.
    settings: SearchSettings,
    /// The deals of the second judge. The first judge has half of them.
    deals: u32,
    /// The seed of all randomness.
    seed: u64,
}

/// A decision that may become a puzzle.
struct Candidate {
    /// The number of moves before it.
    moves: usize,
    seat: Seat,
    phase: &'static str,
    tempting: ActionId,
    loss: f64,
    exact: Option<ExactValues>,
}

/// The bots of one session.
struct Judges<'f> {
    finder: &'f Finder,
    /// The number of the session.
    number: u64,
    plausible: Box<dyn Bot>,
    search: Search,
    solver: EndgameSolver,
}

impl Finder {
    /// Creates a finder. The network of `settings` plays the sessions, proposes the plausible moves and plays them out; without
    /// one, the scripted player does. The second judge plays moves out in `deals` deals.
    pub fn new(rules: Vec<GameRules>, settings: SearchSettings, deals: u32, seed: u64) -> Self {
        let (players, plausible, weakest) = match &settings.net {
            Some(net) => {
                let at = |temperature: f32| Player::policy("player", net.clone(), temperature);
                (TEMPERATURES.map(at).to_vec(), at(1.0), at(WEAKEST))
            }
            None => (vec![Player::scripted(), Player::random()], Player::scripted(), Player::random()),
        };
        let easy = [Player::scripted(), weakest];
        Self { rules, players, plausible, easy, settings, deals, seed }
    }

    /// Plays session `number` and returns its puzzles, at most one a round, all with number 0.
    pub fn session(&self, number: usize) -> Vec<Puzzle> {
        let rules = &self.rules[number % self.rules.len()];
        let number = number as u64;
        let of = |what: u64| derive(self.seed, &[number, what]);
        let mut table = rules.table(seed::derived(self.seed, &[number]) >> 21);
        let seats = table.seats();
        let player = |seat: usize| &self.players[(number as usize + seat) % self.players.len()];
        let mut bots: Vec<_> = (0..seats).map(|seat| player(seat).bot(of(seat as u64))).collect();
        let mut judges = Judges {
            finder: self,
            number,
            plausible: self.plausible.bot(0),
            search: self.search(of(1 << 32)),
            solver: EndgameSolver::default(),
        };
        let (mut found, mut candidates, mut choices) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            while let Some(view) = table.asked() {
                candidates.extend(judges.screen(table.as_ref(), view, choices.len()));
                let action = bots[view.seat().index()].pick(view);
                choices.push(table.label(action));
                if table.try_play(action).is_err() {
                    return found;
                }
            }
            found.extend(judges.best(rules, table.as_ref(), std::mem::take(&mut candidates), &choices));
            if table.round() >= ROUNDS || !table.deal_next() {
                return found;
            }
        }
    }

    fn search(&self, seed: u64) -> Search {
        Search::new("judge", SearchSettings { threads: 1, ..self.settings.clone() }, seed)
    }
}

impl Judges<'_> {
    /// Returns the decision as a candidate if a plausible move seems to lose a lot.
    fn screen(&mut self, table: &dyn AnyTable, view: SeatView<'_>, moves: usize) -> Option<Candidate> {
        let legal: Vec<ActionId> = mask::actions(&view.legal_words()).collect();
        // Playouts do not show what a bid reveals, so they overrate bids.
        if !(FEWEST_MOVES..=MOST_MOVES).contains(&legal.len()) || view.is_auction() {
            return None;
        }
        let plausible = self.plausible(view);
        let exact = self.solver.solve(view, POSITIONS).filter(ExactValues::tells_apart);
        let lost: Box<dyn Fn(ActionId) -> f64> = match &exact {
            Some(values) => {
                let stake = f64::from(values.value());
                Box::new(move |action| {
                    let of = values.moves.iter().find(|(other, _)| *other == action);
                    // The value of a move is unknown where only winning moves have one. A miss is judged later.
                    let reward = of.map(|&(_, reward)| f64::from(reward)).filter(|reward| reward.is_finite());
                    if values.is_best(action) {
                        0.0
                    } else {
                        reward.map_or(LEAST_LOSS, |reward| stake - reward)
                    }
                })
            }
            None => {
                let verdict = Judgement::of(&legal, &self.search.ends(view, &legal, SCREENED));
                Box::new(move |action| verdict.value(action).map_or(0.0, |judged| judged.loss.mean))
            }
        };
        let tempting = plausible.into_iter().find(|&action| lost(action) >= LEAST_LOSS)?;
        let loss = lost(tempting);
        drop(lost);
        Some(Candidate { moves, seat: view.seat(), phase: table.phase(), tempting, loss, exact })
    }

    /// Returns the plausible moves, the likeliest first: those that the bot likes, and that of the scripted player.
    fn plausible(&mut self, view: SeatView<'_>) -> Vec<ActionId> {
        let mut likely = self.plausible.distribution(view);
        likely.retain(|ranked| ranked.probability >= PLAUSIBLE);
        likely.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let mut plausible: Vec<ActionId> = likely.iter().map(|&Ranked { action, .. }| action).collect();
        let scripted = view.scripted();
        if !plausible.contains(&scripted) {
            plausible.push(scripted);
        }
        plausible
    }

    /// Returns the puzzle of a round that is over: the first candidate that both judges accept.
    fn best(
        &mut self,
        rules: &GameRules,
        table: &dyn AnyTable,
        mut candidates: Vec<Candidate>,
        choices: &[String],
    ) -> Option<Puzzle> {
        // Sessions take turns in which phase they prefer, so that no phase has all puzzles.
        let mut kinds: Vec<(&str, bool)> = candidates.iter().map(Candidate::kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let preferred = kinds.get(self.number as usize % kinds.len().max(1)).copied();
        candidates.sort_by(|a, b| {
            let other = |candidate: &Candidate| Some(candidate.kind()) != preferred;
            other(a).cmp(&other(b)).then(b.loss.total_cmp(&a.loss))
        });
        candidates.into_iter().take(TRIES).find_map(|candidate| {
            let mut then = table.copied();
            let deals_before = |table: &dyn AnyTable| table.steps() - (table.round() as usize - 1);
            while deals_before(then.as_ref()) > candidate.moves {
                then.undo()?;
            }
            self.puzzle(rules, then.as_ref(), &candidate, &choices[..candidate.moves])
        })
    }

    /// Judges a candidate twice. `table` is at its decision.
    fn puzzle(
        &mut self,
        rules: &GameRules,
        table: &dyn AnyTable,
        candidate: &Candidate,
        choices: &[String],
    ) -> Option<Puzzle> {
        let view = table.asked()?;
        let Candidate { seat, phase, tempting, ref exact, .. } = *candidate;
        let finder = self.finder;
        let of = |what: u64| derive(finder.seed, &[self.number, 1 << 33, what]);
        let legal: Vec<ActionId> = mask::actions(&view.legal_words()).collect();
        let mut search = finder.search(of(2));
        let (first, second, deals) = match exact {
            Some(values) => {
                let played = |seed| exactly(table, seat, &finder.plausible, values, EXACT_DEALS, seed);
                (played(of(1))?, played(of(2))?, EXACT_DEALS)
            }
            None => {
                let few = (finder.deals / 2).max(1);
                let first = Judgement::of(&legal, &finder.search(of(1)).ends(view, &legal, few));
                if !first.is_puzzle(tempting) {
                    return None;
                }
                (first, Judgement::of(&legal, &search.ends(view, &legal, finder.deals)), finder.deals)
            }
        };
        let accepted = second.is_clear && second.agrees(&first) && first.is_puzzle(tempting);
        if !(accepted && second.is_puzzle(tempting)) {
            return None;
        }
        let finds = |player: &Player| second.best.contains(&player.bot(of(3)).pick(view));
        if finder.easy.iter().all(finds) {
            return None;
        }
        let best = *second.best.first()?;
        let mut reasons = search.compare(view, [tempting, best], finder.deals.min(400)).reasons;
        if exact.is_some() {
            // The other reasons come from playouts that the endgame solver contradicts.
            reasons.retain(|reason| matches!(reason, Reason::Keeps { .. }));
            let shares =
                [tempting, best].map(|action| second.value(action).map_or(0.0, |judged| judged.first));
            reasons.extend((shares[0] != shares[1]).then_some(Reason::Wins { shares }));
        }
        let label = |action: ActionId| table.label(action);
        Some(Puzzle {
            number: 0,
            rules: unusual(rules),
            seed: table.seed(),
            choices: choices.to_vec(),
            round: table.round(),
            seat,
            phase: phase.to_owned(),
            judge: if exact.is_some() { Judge::Exact } else { Judge::Search },
            deals,
            unit: second.unit,
            tempting: label(tempting),
            best: second.best.iter().map(|&action| label(action)).collect(),
            moves: second.values(table, exact.as_ref()),
            reasons,
        })
    }
}

impl Candidate {
    /// Returns what makes candidates different: the phase, and whether the solver judges.
    fn kind(&self) -> (&'static str, bool) {
        (self.phase, self.exact.is_some())
    }
}

impl Judgement {
    /// Returns whether few moves are best, and the tempting one loses a lot.
    fn is_puzzle(&self, tempting: ActionId) -> bool {
        let is_bad = |loss: f64| !self.best.contains(&tempting) && loss >= LEAST_LOSS;
        self.best.len() <= (self.moves.len() / 3).max(1)
            && self.value(tempting).is_some_and(|judged| is_bad(judged.loss.mean))
    }
}

/// Returns rules for the sessions of a set: the default rules, and the same with one player more or fewer.
pub fn usual_rules(game: &dyn AnyGame) -> Vec<GameRules> {
    let usual = game.default_rules();
    let players = usual.players() as u8;
    let sized = |players: u8| usual.sized(Size { players: Some(players), rounds: None }).ok();
    let others = [players.saturating_sub(1), players, players + 1];
    [usual.clone()].into_iter().chain(others.into_iter().filter_map(sized)).collect()
}

/// Returns the options that differ from the default rules.
fn unusual(rules: &GameRules) -> Map<String, Value> {
    let usual = rules.game().default_rules();
    let options = rules.json().as_object().cloned().unwrap_or_default();
    options.into_iter().filter(|(name, value)| usual.json().get(name) != Some(value)).collect()
}

/// Selects at most `count` puzzles and numbers them. Kinds of puzzles take turns: phase, judge, and options of the rules.
pub fn select(found: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let mut kinds: Vec<(String, Vec<Puzzle>)> = Vec::new();
    for puzzle in found {
        let kind = format!("{} {:?} {}", puzzle.phase, puzzle.judge, Value::Object(puzzle.rules.clone()));
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, puzzles)) => puzzles.push(puzzle),
            None => kinds.push((kind, vec![puzzle])),
        }
    }
    let mut queues: Vec<_> = kinds.into_iter().map(|(_, puzzles)| puzzles.into_iter()).collect();
    let mut selected = Vec::new();
    while selected.len() < count {
        let before = selected.len();
        for queue in &mut queues {
            selected.extend(queue.next().filter(|_| selected.len() < count));
        }
        if selected.len() == before {
            break;
        }
    }
    (1..).zip(selected).map(|(number, puzzle)| Puzzle { number, ..puzzle }).collect()
}
