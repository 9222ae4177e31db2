//! The limits of time for the decisions of people.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest limit, in seconds.
pub(crate) const MOST: u32 = 7 * 24 * 3600;
/// The shortest time for a decision. A person without time left in the session has it, too.
const LEAST: Duration = Duration::from_secs(1);

/// Limits of time for people, and what happens when the time is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeLimits {
    /// Seconds for each decision, 1 to 604,800.
    decision: u32,
    /// Seconds for all decisions of a person in the session, 1 to 604,800. Default: no limit.
    #[serde(default)]
    session: Option<u32>,
    /// What happens when the time is over.
    #[serde(default)]
    pub(crate) then: Then,
}

/// What happens when the time of a person is over.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Then {
    /// The bot `scripted` makes this move.
    #[default]
    Move,
    /// The bot `scripted` substitutes for the person, until they or the host end that.
    Substitute,
    /// The bot `scripted` takes the seat, and the person's secret becomes invalid.
    Leave,
}

impl TimeLimits {
    /// Returns a limit that is out of range.
    pub(crate) fn wrong(self) -> Option<u32> {
        let given = [Some(self.decision), self.session];
        given.into_iter().flatten().find(|seconds| !(1..=MOST).contains(seconds))
    }

    /// Returns whether the time of the session is limited.
    pub(crate) fn counts(self) -> bool {
        self.session.is_some()
    }

    /// Returns the time for the next decision of a person who has used this time.
    pub(crate) fn time(self, used: Duration) -> Duration {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let left = self.session.map_or(Duration::MAX, |session| seconds(session).saturating_sub(used));
        seconds(self.decision).min(left).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_has_the_time_that_is_left_in_the_session() {
        let seconds = Duration::from_secs;
        let clock = TimeLimits { decision: 30, session: Some(100), then: Then::Move };
        assert_eq!([0, 70, 90, 100, 200].map(|used| clock.time(seconds(used)).as_secs()), [30, 30, 10, 1, 1]);
        assert_eq!(TimeLimits { session: None, ..clock }.time(seconds(500)), seconds(30));
        assert_eq!(clock.wrong(), None);
        assert_eq!(TimeLimits { decision: 0, ..clock }.wrong(), Some(0));
        assert_eq!(TimeLimits { session: Some(MOST + 1), ..clock }.wrong(), Some(MOST + 1));
    }
}
