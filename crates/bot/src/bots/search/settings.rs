//! How a search plays, and how that is written.

use std::num::IntErrorKind;
use std::sync::Arc;
use std::time::Duration;

use crate::beliefs::Model;
use crate::net::Net;

/// Tries per decision where nothing else is said.
pub const DEFAULT_SIMULATIONS: u32 = 400;
/// The most tries per decision that a name or a file may ask for: room for what they show is taken before they begin.
pub const MOST_SIMULATIONS: u32 = 1_000_000;

/// The time since any fixed moment. Whoever lets bots think for a time brings one.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// How much a decision may cost.
#[derive(Clone)]
pub enum Budget {
    /// Tries: a move, played in a deal to the end of the round, is one.
    Simulations(u32),
    /// Time. What is decided then depends on how fast the machine is.
    Time {
        /// For one decision.
        each: Duration,
        /// Tells how much of it is left.
        clock: Clock,
    },
}

/// How tries are spent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Every move in the same deals; the better half again in more of them, until two are left.
    #[default]
    Halving,
    /// A tree of what everybody may do, over all deals.
    Tree,
}

/// How far a move is played out before it is judged.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Horizon {
    /// To the end of the round, by the rules.
    #[default]
    End,
    /// To the next decision of the seat that searches (or the end, if it has none), by what the network
    /// expects there: cheaper and steadier, and wrong where the network is. Needs one whose value is that
    /// of the round: trained with `round_gamma = 0`. For [`Method::Halving`].
    Value,
}

/// How a search plays.
#[derive(Clone)]
pub struct Settings {
    /// How much a decision may cost.
    pub budget: Budget,
    /// How tries are spent.
    pub method: Method,
    /// How far moves are played out.
    pub horizon: Horizon,
    /// Finishes rounds in all seats, proposes its move and names the others worth trying; without one
    /// the game's built-in player does, and all moves are tried.
    pub net: Option<Arc<Net>>,
    /// How probable deals are; without it all that the view allows are alike.
    pub beliefs: Option<Arc<Model>>,
    /// Moves whose logit is further below the network's best are not tried: at 5 those that it plays
    /// less than 1/148 as often.
    pub reach: f32,
    /// The player's own move is left only if another gains this many standard errors of the difference
    /// in the same deals. For [`Method::Halving`].
    pub caution: f64,
    /// Whether the player's own bids stand, where there is an auction ([`Redeal::is_auction`](cardsharp_env::game::Redeal::is_auction)),
    /// and only what follows is searched.
    pub play_only: bool,
    /// Threads for one decision. They change the time it takes and nothing else.
    pub threads: usize,
}

impl Settings {
    /// The settings that measured best, for a built-in player or a network.
    pub fn new(budget: Budget, net: Option<Arc<Net>>) -> Self {
        let (method, horizon) = (Method::default(), Horizon::default());
        let (reach, caution, play_only, threads) = (5.0, 2.0, false, 1);
        Self { budget, method, horizon, net, beliefs: None, reach, caution, play_only, threads }
    }

    /// Positions for what is certain ([`Exact`](crate::exact::Exact)), ten of which are looked at in a microsecond, about: no more time
    /// than the tries take, and a fifth of a time that was set.
    pub fn positions(&self) -> u64 {
        /// Positions in the time of a try.
        const TRY: u64 = 200;
        /// Positions in the fifth of a millisecond.
        const FIFTH: u64 = 2000;
        match &self.budget {
            Budget::Simulations(tries) => u64::from(*tries) * TRY,
            Budget::Time { each, .. } => {
                u64::try_from(each.as_millis()).unwrap_or(u64::MAX).saturating_mul(FIFTH)
            }
        }
    }
}

/// A search as it is written: `search`, then `:N` (tries), `:Nms` (a time), `:tree` or `:halving`, `:value`, `:beliefs`, `:play`,
/// and at last `+BOT` (a bot file, bundle or checkpoint).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec<'s> {
    /// Tries, if written.
    pub simulations: Option<u32>,
    /// Time, if written.
    pub time: Option<Duration>,
    /// The method, if written.
    pub method: Option<Method>,
    /// How far moves are played out, if written.
    pub horizon: Option<Horizon>,
    /// Whether deals are drawn by the model of beliefs beside the network.
    pub beliefs: bool,
    /// Whether bids are the player's own.
    pub play_only: bool,
    /// What names the network, if there is one.
    pub net: Option<&'s str>,
}

/// What is wrong with the name of a search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// A part that means nothing.
    #[error(
        "`{0}` is not an option of a search: expected `search`, then any of `:N` (playouts), `:Nms` (milliseconds), \
         `:tree` or `:halving`, `:value`, `:beliefs`, `:play`, then optionally `+BOT`"
    )]
    Part(String),
    /// Nothing to search with.
    #[error("a search cannot have a budget of `{0}`: expected at least 1")]
    Nothing(String),
    /// More than there may be.
    #[error(
        "a search cannot have a budget of `{0}`: expected 1 to {MOST_SIMULATIONS} playouts, or 1 to {most} milliseconds",
        most = u32::MAX
    )]
    TooLong(String),
    /// Two budgets, or two methods.
    #[error("`{0}` repeats or contradicts an earlier option of the search")]
    Twice(String),
    /// A network's values, and no network or a tree.
    #[error(
        "`{0}` needs a network's values: expected the default method and `+BOT` at the end, like \
         `search:400:value+trained`"
    )]
    NoValue(String),
    /// Beliefs, and nobody whose they are.
    #[error(
        "`{0}` needs a bot with a belief model: expected `+BOT` at the end, like `search:400:beliefs+DIR`"
    )]
    NoModel(String),
    /// A time, and nobody to tell it.
    #[error("`{0}`: a time limit is not available here; use a number of playouts, like `search:400`")]
    NoClock(String),
}

/// Whether a bot of this name is a search.
pub fn is_search(name: &str) -> bool {
    name.strip_prefix("search").is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '+']))
}

impl<'s> Spec<'s> {
    /// Reads the name of a search ([`is_search`]).
    ///
    /// # Errors
    /// A part of it means nothing, or not together with another.
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
                "tree" => spec.method.replace(Method::Tree).is_some(),
                "halving" => spec.method.replace(Method::Halving).is_some(),
                "beliefs" => std::mem::replace(&mut spec.beliefs, true),
                "play" => std::mem::replace(&mut spec.play_only, true),
                "value" => spec.horizon.replace(Horizon::Value).is_some(),
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
        if spec.horizon == Some(Horizon::Value) && (net.is_none() || spec.method == Some(Method::Tree)) {
            return Err(SpecError::NoValue(name.to_owned()));
        }
        if spec.beliefs && net.is_none() {
            return Err(SpecError::NoModel(name.to_owned()));
        }
        Ok(spec)
    }

    /// The settings of the search, without its network.
    pub fn settings(&self, budget: Budget) -> Settings {
        let settings = Settings::new(budget, None);
        let method = self.method.unwrap_or(settings.method);
        let horizon = self.horizon.unwrap_or(settings.horizon);
        Settings { method, horizon, play_only: self.play_only, ..settings }
    }
}
