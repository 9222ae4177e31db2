//! Settings of a search, and their notation in its name.

use std::num::IntErrorKind;
use std::sync::Arc;
use std::time::Duration;

use crate::beliefs::Model;
use crate::net::Net;

/// Default number of playouts per decision.
pub const DEFAULT_SIMULATIONS: u32 = 400;
/// The most playouts per decision in a name or a file. Memory for their results is allocated in advance.
pub const MOST_SIMULATIONS: u32 = 1_000_000;

/// Returns the time since any fixed moment. The caller of a search by time supplies it.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The cost limit of one decision.
#[derive(Clone)]
pub enum Budget {
    /// A number of playouts. Each plays one move in one deal to the end of the round.
    Simulations(u32),
    /// A time limit. The decision then depends on the speed of the machine.
    Time {
        /// The time for one decision.
        each: Duration,
        /// The clock that measures it.
        clock: Clock,
    },
}

/// The settings of a search.
#[derive(Clone)]
pub struct SearchSettings {
    /// The cost limit of one decision.
    pub budget: Budget,
    /// The network that finishes rounds in all seats, proposes a move, and selects the other moves to try. Without one,
    /// the scripted player does this, and all moves are tried.
    pub net: Option<Arc<Net>>,
    /// The belief model that weighs deals. Without one, all deals that the view allows are equally likely.
    pub beliefs: Option<Arc<Model>>,
    /// Moves whose logit is more than this below the network's best are not tried. At 5 these are moves that it plays
    /// less than 1/148 as often.
    pub reach: f32,
    /// The standard errors by which another move must beat the player's own in the same deals.
    pub caution: f64,
    /// Whether the search skips auctions ([`Determinize::is_auction`](cardsharp_env::game::Determinize::is_auction))
    /// and plays the player's own bids.
    pub play_only: bool,
    /// Threads for one decision. They affect only its time.
    pub threads: usize,
}

impl SearchSettings {
    /// Returns the settings that measured best, for the scripted player or a network.
    pub fn new(budget: Budget, net: Option<Arc<Net>>) -> Self {
        let (reach, caution, play_only, threads) = (5.0, 2.0, false, 1);
        Self { budget, net, beliefs: None, reach, caution, play_only, threads }
    }

    /// Returns the position limit of the endgame solver ([`EndgameSolver`](crate::endgame_solver::EndgameSolver)), which searches about ten
    /// positions in a microsecond. It takes at most as long as the playouts, or a fifth of a time limit.
    pub fn positions(&self) -> u64 {
        /// Positions in the time of a playout.
        const TRY: u64 = 200;
        /// Positions in a fifth of a millisecond.
        const FIFTH: u64 = 2000;
        match &self.budget {
            Budget::Simulations(tries) => u64::from(*tries) * TRY,
            Budget::Time { each, .. } => {
                u64::try_from(each.as_millis()).unwrap_or(u64::MAX).saturating_mul(FIFTH)
            }
        }
    }
}

/// A parsed name of a search: `search`, then `:N` (playouts), `:Nms` (a time), `:beliefs`,
/// `:play`, and at the end `+BOT` (a bot file, bundle or checkpoint).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec<'s> {
    /// The number of playouts; `None` for the default.
    pub simulations: Option<u32>,
    /// The time, if the budget is a time.
    pub time: Option<Duration>,
    /// Whether the belief model in the folder of the network weighs deals.
    pub beliefs: bool,
    /// Whether the player makes its own bids.
    pub play_only: bool,
    /// The name of the network's bot, if there is one.
    pub net: Option<&'s str>,
}

/// Why the name of a search is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// A part has no meaning.
    #[error(
        "`{0}` is not an option of a search: expected `search`, then any of `:N` (playouts), `:Nms` (milliseconds), \
         `:beliefs`, `:play`, then optionally `+BOT`"
    )]
    Part(String),
    /// The budget is 0.
    #[error("a search cannot have a budget of `{0}`: expected at least 1")]
    Nothing(String),
    /// The budget is above the limit.
    #[error(
        "a search cannot have a budget of `{0}`: expected 1 to {MOST_SIMULATIONS} playouts, or 1 to {most} milliseconds",
        most = u32::MAX
    )]
    TooLong(String),
    /// The name has two budgets, or an option twice.
    #[error("`{0}` repeats or contradicts an earlier option of the search")]
    Twice(String),
    /// The option `beliefs` has no bot whose model it could use.
    #[error(
        "`{0}` needs a bot with a belief model: expected `+BOT` at the end, like `search:400:beliefs+DIR`"
    )]
    NoModel(String),
    /// A time limit has no clock.
    #[error("`{0}`: a time limit is not available here; use a number of playouts, like `search:400`")]
    NoClock(String),
}

/// Returns whether a bot of this name is a search.
pub fn is_search(name: &str) -> bool {
    name.strip_prefix("search").is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '+']))
}

impl<'s> Spec<'s> {
    /// Parses the name of a search ([`is_search`]).
    ///
    /// # Errors
    /// A part of it is unknown, or contradicts another part.
    pub fn read(name: &'s str) -> Result<Self, SpecError> {
        let (head, net) = name.split_once('+').map_or((name, None), |(head, net)| (head, Some(net)));
        let mut spec = Self { net, ..Self::default() };
        for part in head.split(':').skip(1) {
            let wrong = || SpecError::Part(part.to_owned());
            let number = |digits: &str, most: u32| match digits.parse::<u32>() {
                Ok(0) => Err(SpecError::Nothing(part.to_owned())),
                Ok(number) if number <= most => Ok(number),
                Err(error) if *error.kind() != IntErrorKind::PosOverflow => Err(wrong()),
                _ => Err(SpecError::TooLong(part.to_owned())),
            };
            let budgets = spec.simulations.is_some() || spec.time.is_some();
            let twice = match part {
                "beliefs" => std::mem::replace(&mut spec.beliefs, true),
                "play" => std::mem::replace(&mut spec.play_only, true),
                _ => match part.strip_suffix("ms") {
                    Some(digits) => {
                        spec.time = Some(Duration::from_millis(number(digits, u32::MAX)?.into()));
                        budgets
                    }
                    None => {
                        spec.simulations = Some(number(part, MOST_SIMULATIONS)?);
                        budgets
                    }
                },
            };
            if twice {
                return Err(SpecError::Twice(part.to_owned()));
            }
        }
        if spec.beliefs && net.is_none() {
            return Err(SpecError::NoModel(name.to_owned()));
        }
        Ok(spec)
    }

    /// Returns the settings of the search, without its network.
    pub fn settings(&self, budget: Budget) -> SearchSettings {
        SearchSettings { play_only: self.play_only, ..SearchSettings::new(budget, None) }
    }
}
