//! Texts for beginners that the climbing games share.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Words;
use serde_json::Value;

use super::{Customs, EqualRank, Set, Trick};

/// The file of texts.
pub const WORDS: &str = include_str!("words.json");
/// The name of the text that explains the play.
pub const PLAY: &str = "climbing.phase.play";

/// The name of the text that explains a pass.
pub fn pass(customs: Customs) -> &'static str {
    if customs.pass_is_final { "climbing.means.passFinal" } else { "climbing.means.pass" }
}

/// The name of the text that explains the effect of a set of equal rank; `None` if the set only tops the trick.
pub fn set<const N: usize>(trick: &Trick, customs: Customs, set: Set) -> Option<&'static str> {
    if trick.size == 0 || set.strength::<N>() != trick.strength {
        return None;
    }
    match customs.equal_rank {
        EqualRank::Forbidden => None,
        EqualRank::Skips => Some("climbing.means.skips"),
        EqualRank::Burns => Some("climbing.means.burns"),
    }
}

/// A sentence about the effect of a set of equal rank, if there was one. The set turned the trick `before` into
/// `after`. `who` names the player at a position.
pub fn told_of_equals<const N: usize>(
    words: &Words,
    (before, after): (&Trick, &Trick),
    customs: Customs,
    played: Option<Set>,
    who: impl Fn(u8) -> String,
) -> Option<String> {
    let does = set::<N>(before, customs, played?)?;
    if does == "climbing.means.burns" {
        return (!after.is_over()).then(|| words.say("climbing.event.burned", &[]));
    }
    after.skipped.iter().next().map(|position| words.say("climbing.event.skipped", &[("who", &who(position))]))
}

/// A sentence that explains why a set cannot be played on a trick. `hand` has the counts by rank index, the wild cards
/// last.
pub fn why_not_set<const N: usize>(
    words: &Words,
    (trick, customs): (&Trick, Customs),
    set: Set,
    hand: &[u8; N],
) -> String {
    let top = trick.size.to_string();
    if trick.size > 0 && set.size() != trick.size {
        return words.say("climbing.why.size", &[("count", &top)]);
    }
    let equals = customs.equals() != 0;
    if trick.size > 0 && usize::from(set.strength::<N>()) + customs.equals() <= usize::from(trick.strength) {
        return words.say(if equals { "climbing.why.lower" } else { "climbing.why.low" }, &[]);
    }
    let rank = usize::from(set.rank);
    let held = if rank == N - 1 { 0 } else { hand[rank] };
    match held < set.naturals || hand[N - 1] < set.wilds {
        true => words.say("climbing.why.few", &[("count", &set.size().to_string())]),
        false => words.say("climbing.why.combination", &[]),
    }
}

/// A sentence about an event: cards that moved, or a player's last card. `None` for other events.
pub fn told(words: &Words, event: &Value, who: &dyn Fn(Seat) -> String) -> Option<String> {
    let seat = |field: &str| event[field].as_u64().map(|seat| who(Seat(seat as u8)));
    let moved = |name: &str| {
        let (from, to) = (seat("from")?, seat("to")?);
        let cards = event["cards"].as_str().filter(|cards| !cards.is_empty()).map(str::to_owned);
        let count = || {
            event["count"]
                .as_u64()
                .map(|count| if count == 1 { "1 card".to_owned() } else { format!("{count} cards") })
        };
        Some(words.say(name, &[("from", &from), ("to", &to), ("cards", &cards.or_else(count)?)]))
    };
    match event["event"].as_str()? {
        "tribute" => moved("climbing.event.tribute"),
        "return" => moved("climbing.event.return"),
        "exchange" => moved("climbing.event.exchange"),
        "one card" => Some(words.say("climbing.event.oneCard", &[("who", &seat("seat")?)])),
        _ => None,
    }
}
