//! Emotes: quick signs that people show each other, from a fixed list. They are not in the event log, so a client that
//! is not connected misses them.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use cardsharp_env::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::refusal::Refusal;

/// The minimum time between two emotes of a seat.
const PAUSE: Duration = Duration::from_secs(2);
/// The number of emotes that are stored for streams that have not sent them yet.
const RECENT: usize = 16;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Emote {
    Hello,
    Thanks,
    WellPlayed,
    Laugh,
    Wow,
    Oops,
    Hurry,
    Bye,
}

/// The latest emotes of a table.
#[derive(Default)]
pub(crate) struct Emotes {
    /// The number of all emotes so far. The last of `recent` has the number before it.
    count: u64,
    recent: VecDeque<(Seat, Emote)>,
    last: BTreeMap<Seat, Instant>,
}

impl Emotes {
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// # Errors
    /// The last one of this seat was less than [`PAUSE`] ago.
    pub(crate) fn show(&mut self, seat: Seat, emote: Emote, now: Instant) -> Result<(), Refusal> {
        if self.last.get(&seat).is_some_and(|last| now.duration_since(*last) < PAUSE) {
            return Err(Refusal::Emotes(PAUSE.as_secs()));
        }
        self.last.insert(seat, now);
        self.recent.push_back((seat, emote));
        self.count += 1;
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        Ok(())
    }

    /// Returns the events from number `from` on.
    pub(crate) fn since(&self, from: u64) -> String {
        let new = usize::try_from(self.count.saturating_sub(from)).unwrap_or(usize::MAX);
        let old = self.recent.len().saturating_sub(new);
        let event = |(seat, emote): &(Seat, Emote)| {
            format!("event: emote\ndata: {}\n\n", json!({ "seat": seat.0, "emote": emote }))
        };
        self.recent.iter().skip(old).map(event).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_shows_one_emote_at_a_time() {
        let mut emotes = Emotes::default();
        let begun = Instant::now();
        emotes.show(Seat(0), Emote::Hello, begun).unwrap();
        assert_eq!(emotes.show(Seat(0), Emote::Wow, begun), Err(Refusal::Emotes(2)));
        emotes.show(Seat(1), Emote::WellPlayed, begun).unwrap();
        emotes.show(Seat(0), Emote::Wow, begun + PAUSE).unwrap();
        let last = "event: emote\ndata: {\"emote\":\"wow\",\"seat\":0}\n\n";
        assert_eq!(emotes.since(2), last);
        assert!(
            emotes.since(1).starts_with("event: emote\ndata: {\"emote\":\"well_played\",\"seat\":1}\n\n")
        );
        assert_eq!(emotes.since(3), "");
    }

    #[test]
    fn a_slow_stream_gets_the_latest_emotes() {
        let mut emotes = Emotes::default();
        let begun = Instant::now();
        for number in 0..40 {
            emotes.show(Seat(0), Emote::Hello, begun + PAUSE * number).unwrap();
        }
        assert_eq!(emotes.since(0).matches("event").count(), RECENT);
    }
}
