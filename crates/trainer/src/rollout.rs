//! Plays whole sessions with the current policy and stores every decision of the learner.
//!
//! The work is divided into units. A unit is a pure function of the run's seed, the networks, the iteration and its
//! number. It plays a batch of new sessions to their ends and returns the learner's decisions. Units can be played in
//! any order, on any thread or machine. The learner takes them in the order of their numbers, so the result is
//! deterministic.

mod actor;
mod decisions;
mod distill;
mod endgame;
mod remote;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots;
use cardsharp_bot::endgame_solver::EndgameSolver;
use cardsharp_bot::workers::{Stopped, taken_until_stopped};
use cardsharp_bot::{Bot, DecisionBatch};
use cardsharp_document::{FieldError, expect};
use cardsharp_env::batch::{Batch, BatchEnv, BatchOptions};
use cardsharp_env::{ActionId, AnyGame, Draw, GameRules, LaneState, MAX_SEATS, RulesError, SeatView, Size};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::league::{League, LeagueConfig, SeatPlayer};
use crate::streams::{self, StreamPurpose};

use actor::{Actor, Keep};
use endgame::{Distiller, EndgameState};

pub use actor::Acting;
pub use decisions::{Decisions, Discounts, Links, NONE};
pub use distill::{DistillTargets, ReplayBuffer};
pub(crate) use remote::SerializedNets;
pub use remote::{BlockError, RemoteRollout, RolloutRequest, SerializedNet, TakeBlock, Widths, to_bytes};

/// `[rollout]`: sessions that are played between two updates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RolloutConfig {
    /// Units of work per iteration, 1 to 100000. Units are played in parallel on all threads.
    pub units: usize,
    /// Sessions per unit, 1 to 4096. A unit plays them as one batch, each to its end.
    pub sessions: usize,
    /// Whether to play the next rollout while the network learns from this one. That rollout uses the policy from
    /// before the update. Keeps the CPU busy with `device = "gpu"`. Results differ from those without it, and are
    /// deterministic too.
    pub overlap: bool,
    /// Rules to play; each session draws one table by weight. Empty means the game's default rules.
    pub tables: Vec<TableConfig>,
    /// Sessions with random rules.
    pub random: RandomConfig,
    /// Share of sessions in which an exact endgame solver plays all seats once nothing is left to guess, 0 to 1. This
    /// means two players left in The Great Dalmuti and Tahimi, all hands open in Tachtigen. With `distill.weight` above
    /// 0, its moves are distillation targets.
    pub endgame_solver: f64,
}

/// `[rollout.random]`: sessions with random rules, so that the bot learns all variants of its game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RandomConfig {
    /// Share of sessions with random rules, 0 to 1: random options and number of players, with the reward of the first
    /// table. The other sessions draw from `tables`.
    pub share: f64,
    /// Rounds of a session with random rules, 0 to 10000; 0 leaves the random number. Rules without a number of rounds
    /// ignore it.
    pub rounds: u32,
}

/// `[[rollout.tables]]`: rules and how often they are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// Share of sessions with these rules, relative to the weights of the other tables; above 0.
    #[serde(default = "one")]
    pub weight: f64,
    /// Options of the game, like `players = 5`. Missing options have the game's defaults.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

fn one() -> f64 {
    1.0
}

impl Default for RolloutConfig {
    fn default() -> Self {
        let random = RandomConfig::default();
        Self { units: 8, sessions: 16, overlap: false, tables: Vec::new(), random, endgame_solver: 0.0 }
    }
}

impl RolloutConfig {
    /// Refuses values out of range. The rules of the tables are the game's to check.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect((1..=100_000).contains(&self.units), "units", self.units, "expected 1 to 100000")?;
        expect((1..=4096).contains(&self.sessions), "sessions", self.sessions, "expected 1 to 4096")?;
        let RandomConfig { share, rounds } = self.random;
        expect((0.0..=1.0).contains(&share), "random.share", share, "expected a number from 0 to 1")?;
        expect(rounds <= 10_000, "random.rounds", rounds, "expected 0 to 10000")?;
        expect(
            (0.0..=1.0).contains(&self.endgame_solver),
            "endgame_solver",
            self.endgame_solver,
            "expected a number from 0 to 1",
        )?;
        let mut sum = 0.0;
        for (i, table) in self.tables.iter().enumerate() {
            let field = format!("tables[{i}].weight");
            let right = table.weight > 0.0 && table.weight.is_finite();
            expect(right, &field, table.weight, "expected a number above 0")?;
            sum += table.weight;
            let finite =
                "expected smaller weights: the sum of the weights up to this table is too large for a number";
            expect(sum.is_finite(), &field, format!("{:e}", table.weight), finite)?;
        }
        Ok(())
    }
}

/// The tables of `[rollout]`, read and checked.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The rules of each table.
    pub rules: Vec<GameRules>,
    /// Cumulative weights: entry `i` is the sum of the weights of tables 0 to `i`.
    weights: Vec<f64>,
    random: RandomConfig,
}

impl Tables {
    /// Reads the tables of a configuration.
    ///
    /// # Errors
    /// The game refuses the rules of a table.
    pub fn new(game: &dyn AnyGame, config: &RolloutConfig) -> Result<Self, RulesError> {
        let mut tables = Self { rules: Vec::new(), weights: Vec::new(), random: config.random.clone() };
        let default = [TableConfig { weight: 1.0, rules: Map::new() }];
        let mut sum = 0.0;
        for table in if config.tables.is_empty() { &default } else { &config.tables[..] } {
            tables.rules.push(game.rules(&Value::Object(table.rules.clone()))?);
            sum += table.weight;
            tables.weights.push(sum);
        }
        Ok(tables)
    }

    /// Draws a table by weight.
    fn draw(&self, draw: &mut Draw) -> usize {
        let sum = self.weights.last().copied().unwrap_or_default();
        let at = (draw.bits() >> 11) as f64 / (1u64 << 53) as f64 * sum;
        self.weights.iter().position(|&weight| at < weight).unwrap_or(0)
    }

    /// Draws the rules of a session: random rules with probability `random.share`, otherwise the rules of a table.
    pub(crate) fn draw_rules(&self, game: &dyn AnyGame, draw: &mut Draw) -> GameRules {
        if self.random.share == 0.0 || f64::from(draw.unit()) >= self.random.share {
            return self.rules[self.draw(draw)].clone();
        }
        let drawn = game.random_rules(draw.bits());
        // All sessions use the reward of the first table, because the learner has one objective.
        let rules = drawn.rewarded_as(&self.rules[0]).unwrap_or(drawn);
        match self.random.rounds {
            0 => rules,
            rounds => rules.sized(Size { players: None, rounds: Some(rounds) }).unwrap_or(rules),
        }
    }
}

/// Everything that a unit depends on, except its number.
pub struct RolloutContext<'a> {
    /// The game that is played.
    pub game: &'a dyn AnyGame,
    /// The rules of its sessions.
    pub tables: &'a Tables,
    /// Number of sessions of a unit.
    pub sessions: usize,
    /// Whether decisions include the hidden cells, which the seat cannot see.
    pub reveal: bool,
    /// Discounts of later rewards.
    pub discounts: Discounts,
    /// How the current policy and the snapshots choose actions.
    pub acting: Acting,
    /// The policy that is being trained.
    pub policy: &'a Arc<dyn PolicyNet>,
    /// The snapshots of earlier policies.
    pub league: &'a League,
    /// Which players share sessions.
    pub seats: &'a LeagueConfig,
    /// Share of the sessions in which the endgame solver plays all seats at the end of a round.
    pub endgame_solver: f64,
    /// Whether the moves of the endgame solver are distillation targets.
    pub distill: bool,
    /// The bot of `LeagueConfig::opponent`, if there is one.
    pub opponent: Option<&'a bots::Player>,
    /// The seed of the run.
    pub seed: u64,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Whether the scripted player chooses the actions in every seat, for imitation.
    pub imitate: bool,
    /// Once it is set, units end early. Their results are then invalid.
    pub stop: &'a AtomicBool,
}

impl RolloutContext<'_> {
    /// The sizes of a decision.
    pub fn widths(&self) -> Widths {
        Widths::new(self.game, self.reveal)
    }
}

/// Counts and scores of a rollout, for the metrics.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct RolloutStats {
    /// Number of complete sessions.
    pub sessions: u64,
    /// Number of rounds in them.
    pub rounds: u64,
    /// Sum of the learner's place scores (1 first, -1 last) in sessions with a snapshot, and their number.
    pub past: (f64, u64),
    /// The same in sessions with the scripted player.
    pub scripted: (f64, u64),
    /// The same in sessions with the opponent.
    pub opponent: (f64, u64),
    /// Sum of KL(target ‖ policy) of distillation targets, in nats, and their number.
    pub target_kl: (f64, u64),
}

impl RolloutStats {
    /// Adds the counts of another unit.
    pub fn add(&mut self, other: &Self) {
        self.sessions += other.sessions;
        self.rounds += other.rounds;
        self.past = (self.past.0 + other.past.0, self.past.1 + other.past.1);
        self.scripted = (self.scripted.0 + other.scripted.0, self.scripted.1 + other.scripted.1);
        self.target_kl = (self.target_kl.0 + other.target_kl.0, self.target_kl.1 + other.target_kl.1);
        self.opponent = (self.opponent.0 + other.opponent.0, self.opponent.1 + other.opponent.1);
    }

    fn round(&mut self, seats: &[SeatPlayer; MAX_SEATS], payoff: &cardsharp_env::Payoff) {
        self.rounds += 1;
        let all = usize::from(payoff.seats);
        let sums = match seats[..all].iter().find(|&&player| player != SeatPlayer::Learner) {
            Some(SeatPlayer::Past(_)) => &mut self.past,
            Some(SeatPlayer::Scripted) => &mut self.scripted,
            Some(SeatPlayer::Opponent) => &mut self.opponent,
            Some(SeatPlayer::Learner) | None => return,
        };
        for seat in (0..all).filter(|&seat| seats[seat] == SeatPlayer::Learner) {
            if let Some((margin, opponents)) = payoff.margin(seat) {
                *sums = (sums.0 + f64::from(margin) / f64::from(opponents), sums.1 + 1);
            }
        }
    }
}

/// The data that an iteration learns from.
pub struct Rollout {
    /// All units, joined in their order.
    pub unit: RolloutUnit,
    /// Seconds that it took.
    pub seconds: f64,
}

impl Rollout {
    /// Plays `units` units on `threads` threads. It reuses the memory of `decisions` and ignores its content.
    ///
    /// # Errors
    /// The setting's `stop` was set.
    pub fn play(
        setting: &RolloutContext<'_>,
        units: usize,
        threads: usize,
        decisions: Decisions,
    ) -> Result<Self, Stopped> {
        let start = Instant::now();
        let mut all = RolloutUnit::empty(decisions);
        let unit = |unit| play(setting, unit as u64, Decisions::default());
        taken_until_stopped(threads, units, setting.stop, unit, |unit| all.append(&unit))?;
        Ok(Self { unit: all, seconds: start.elapsed().as_secs_f64() })
    }
}

struct Lane {
    seats: [SeatPlayer; MAX_SEATS],
    draw: Draw,
    /// The state of the current round's endgame; none in sessions without the solver.
    endgame: Option<EndgameState>,
    links: Links,
    /// Links between distillation targets.
    distill_links: Links,
}

/// The result of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RolloutUnit {
    /// The decisions of the learner's seats.
    pub decisions: Decisions,
    /// Distillation targets from the endgame solver.
    pub distill: DistillTargets,
    /// Counts of what was played, and scores.
    pub played: RolloutStats,
}

impl RolloutUnit {
    /// Returns an empty unit. It reuses the memory of `decisions` and ignores its content.
    pub fn empty(mut decisions: Decisions) -> Self {
        decisions.clear();
        Self { decisions, ..Self::default() }
    }

    /// Appends the decisions, targets and counts of another unit.
    pub fn append(&mut self, other: &Self) {
        self.decisions.append(&other.decisions);
        self.distill.append(&other.distill);
        self.played.add(&other.played);
    }
}

/// Plays unit `number`. It reuses the memory of `spare` and ignores its content.
pub fn play(setting: &RolloutContext<'_>, number: u64, spare: Decisions) -> RolloutUnit {
    let mut run = RolloutRun::new(setting, number, spare);
    let mut groups = Vec::new();
    while run.sort_lanes(&mut groups) {
        for (player, lanes) in &groups {
            run.choose(*player, lanes);
        }
        if setting.stop.load(Ordering::Relaxed) {
            break;
        }
        run.env.step(&run.picks, &mut run.batch);
    }
    run.unit
}

/// A unit in play: one session in each lane.
struct RolloutRun<'a> {
    setting: &'a RolloutContext<'a>,
    env: Box<dyn BatchEnv>,
    batch: Batch,
    lanes: Vec<Lane>,
    /// `[lanes]`: the chosen moves.
    picks: Vec<ActionId>,
    actor: Actor,
    opponent: Option<Box<dyn Bot>>,
    solver: EndgameSolver,
    distiller: Distiller<'a>,
    unit: RolloutUnit,
}

impl<'a> RolloutRun<'a> {
    /// Starts all sessions of unit `number`.
    fn new(setting: &'a RolloutContext<'a>, number: u64, spare: Decisions) -> Self {
        let RolloutContext { sessions, reveal, .. } = *setting;
        let (rules, draws): (Vec<GameRules>, Vec<Draw>) = (0..sessions)
            .map(|lane| {
                let path = [setting.iteration, number, lane as u64];
                let mut draw = Draw::new(streams::seed(setting.seed, StreamPurpose::Rollout, &path), 0);
                (setting.tables.draw_rules(setting.game, &mut draw), draw)
            })
            .unzip();
        let options = BatchOptions { lanes: sessions, skip_forced: true, rows: true, reveal };
        let mut env = setting.game.batch(&rules, options);
        let mut batch = env.batch();
        let mut lanes: Vec<Lane> = Vec::with_capacity(sessions);
        for (lane, mut draw) in draws.into_iter().enumerate() {
            let seats = match setting.imitate {
                true => [SeatPlayer::Learner; MAX_SEATS],
                false => setting.league.seats(setting.seats, rules[lane].seats(), &mut draw),
            };
            env.start(lane, lane, draw.bits(), &mut batch);
            let solves =
                !setting.imitate && setting.endgame_solver > 0.0 && draw.chance(setting.endgame_solver);
            lanes.push(Lane {
                seats,
                draw,
                endgame: solves.then(EndgameState::default),
                links: Links::default(),
                distill_links: Links::default(),
            });
        }
        // This number differs from every lane's, so the stream does too.
        let path = [setting.iteration, number, sessions as u64];
        let stream = streams::seed(setting.seed, StreamPurpose::Rollout, &path);
        let mut unit = RolloutUnit::empty(spare);
        unit.played.sessions = sessions as u64;
        Self {
            setting,
            env,
            batch,
            lanes,
            picks: vec![ActionId(0); sessions],
            actor: Actor::new(sessions, setting.policy.actions(), setting.acting),
            opponent: setting.opponent.map(|player| player.bot(stream)),
            solver: EndgameSolver::default(),
            distiller: Distiller::new(&**setting.policy),
            unit,
        }
    }

    /// Sorts lanes with a decision by player, lets the endgame solver choose where it can, and counts rounds that are
    /// over. Returns false once all sessions are over.
    fn sort_lanes(&mut self, groups: &mut Vec<(SeatPlayer, Vec<usize>)>) -> bool {
        groups.clear();
        let mut active = false;
        for lane in 0..self.lanes.len() {
            match self.batch.state[lane] {
                LaneState::Idle => continue,
                LaneState::Decide => {
                    if !self.solve(lane) {
                        let player = self.lanes[lane].seats[self.batch.seat[lane].index()];
                        match groups.iter_mut().find(|(other, _)| *other == player) {
                            Some((_, group)) => group.push(lane),
                            None => groups.push((player, vec![lane])),
                        }
                    }
                }
                LaneState::RoundOver | LaneState::SessionOver => self.count_round(lane),
            }
            active = true;
        }
        active
    }

    /// Lets the endgame solver choose in a lane. Returns whether it did.
    fn solve(&mut self, number: usize) -> bool {
        let Self { setting, env, batch, solver, unit, .. } = self;
        let lane = &mut self.lanes[number];
        let endgame = lane.endgame.as_mut();
        let Some(action) = endgame.and_then(|endgame| endgame::pick(solver, env.view(number)?, endgame))
        else {
            return false;
        };
        self.picks[number] = action;
        if setting.distill {
            let kl = self.distiller.push(batch, number, action, &mut unit.distill);
            let (sum, count) = &mut unit.played.target_kl;
            (*sum, *count) = (*sum + f64::from(kl), *count + 1);
            let seat = batch.seat[number].index();
            lane.distill_links.decided(seat, setting.discounts, &mut unit.distill.decisions);
        }
        true
    }

    /// Counts a round that is over.
    fn count_round(&mut self, number: usize) {
        let Self { setting, unit, .. } = self;
        let (lane, payoff) = (&mut self.lanes[number], &self.batch.payoff[number]);
        lane.endgame = lane.endgame.as_ref().map(|_| EndgameState::Open);
        unit.played.round(&lane.seats, payoff);
        lane.links.round_over(payoff, setting.discounts, &mut unit.decisions);
        lane.distill_links.round_over(payoff, setting.discounts, &mut unit.distill.decisions);
    }

    /// Lets a player choose in some lanes.
    fn choose(&mut self, player: SeatPlayer, group: &[usize]) {
        let Self { setting, env, batch, lanes, picks, actor, .. } = self;
        if player == SeatPlayer::Scripted || setting.imitate {
            for &lane in group {
                picks[lane] = env.view(lane).map(SeatView::scripted).unwrap_or_default();
            }
        }
        match player {
            SeatPlayer::Scripted => {}
            SeatPlayer::Opponent => {
                if let Some(bot) = &mut self.opponent {
                    let (env, stop) = (env.as_ref(), setting.stop);
                    bot.choose(DecisionBatch { env, batch, lanes: group, stop }, picks);
                }
            }
            SeatPlayer::Past(past) => {
                let net = &setting.league.pool[past].net;
                actor.choose(&**net, batch, group, lanes, picks, None);
            }
            SeatPlayer::Learner => {
                let decisions = &mut self.unit.decisions;
                let keep = Some(Keep { discounts: setting.discounts, decisions, imitate: setting.imitate });
                actor.choose(&**setting.policy, batch, group, lanes, picks, keep);
            }
        }
    }
}

#[cfg(test)]
#[path = "rollout/tests.rs"]
mod tests;
