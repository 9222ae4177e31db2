//! Texts for beginners that the climbing games share.

use cardsharp_engine::game::{Game, Happened, KeyedText, Texts};
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};
use serde_json::Value;

use super::{EqualRank, Set, Trick, TrickRules};

/// The file of texts.
pub const WORDS: &str = include_str!("words.json");
/// The name of the text that explains the play.
pub const PLAY: &str = "climbing.phase.play";

/// The name of the text that explains a pass.
pub fn pass(trick_rules: TrickRules) -> &'static str {
    if trick_rules.pass_is_final { "climbing.means.passFinal" } else { "climbing.means.pass" }
}

/// The name of the text that explains the effect of a set of equal rank; `None` if the set only tops the trick.
pub fn set<const N: usize>(trick: &Trick, trick_rules: TrickRules, set: Set) -> Option<&'static str> {
    if trick.size == 0 || set.strength::<N>() != trick.strength {
        return None;
    }
    match trick_rules.equal_rank {
        EqualRank::Forbidden => None,
        EqualRank::Skips => Some("climbing.means.skips"),
        EqualRank::Burns => Some("climbing.means.burns"),
    }
}

/// The trick, its rules and the seats by position.
pub type TrickState = (Trick, TrickRules, [Seat; MAX_SEATS]);

/// A sentence about the effect of a set of equal rank, if the step played one. `of` returns the set of an action, and
/// `state` the trick, its rules and the seats by position.
pub fn equal_rank_sentence<G: Game, const N: usize>(
    words: &Texts,
    step: &Happened<'_, G>,
    of: fn(ActionId) -> Option<Set>,
    state: fn(&G::PublicState) -> TrickState,
) -> Option<String> {
    let ((before, ..), (after, trick_rules, order)) = (state(step.before?), state(step.after));
    let does = set::<N>(&before, trick_rules, of(step.chosen?.1)?)?;
    if does == "climbing.means.burns" {
        return (!after.is_over()).then(|| words.say("climbing.event.burned", &[]));
    }
    let skipped = after.skipped.iter().next().map(|position| order[usize::from(position)]);
    skipped.map(|seat| words.say("climbing.event.skipped", &[("who", &(step.who)(seat))]))
}

/// A set, or a card to give away, in players' words. `label` is that of the move, `wild` the notation of the wild
/// card, and `card` names a card.
pub fn named(words: &Texts, label: &str, wild: char, card: impl Fn(&str) -> String) -> String {
    if let Some(given) = label.strip_prefix("give ") {
        return words.say("climbing.give", &[("cards", &card(given))]);
    }
    let (set, called) = label.split_once(" as ").map_or((label, None), |(set, name)| (set, Some(name)));
    let (plain, wilds) = set.split_once('+').map_or((set, 0), |(plain, wilds)| (plain, wilds.len()));
    let (name, count) = match plain.split_once('x') {
        // Only wild cards.
        None if plain.chars().all(|c| c == wild) => (card(&wild.to_string()), plain.len().to_string()),
        None => (card(plain), "1".to_owned()),
        Some((rank, count)) => (card(rank), count.to_owned()),
    };
    let text = if count == "1" { name } else { words.say("set.of", &[("count", &count), ("name", &name)]) };
    let named = |name: &str, card: &str| words.say(name, &[("set", &text), ("name", card)]);
    match (called, wilds) {
        (Some(called), _) => named("climbing.set.as", &card(called)),
        (None, 0) => text,
        (None, 1) => named("climbing.set.wild", &card(&wild.to_string())),
        (None, _) => named("climbing.set.wilds", &card(&wild.to_string())),
    }
}

/// The text that explains why a set cannot be played on a trick. `hand` has the counts by rank index, the wild cards
/// last.
pub fn why_not_set<const N: usize>(
    (trick, trick_rules): (&Trick, TrickRules),
    set: Set,
    hand: &[u8; N],
) -> KeyedText {
    if trick.size > 0 && set.size() != trick.size {
        return KeyedText::new("climbing.why.size").with("count", trick.size);
    }
    let equals = trick_rules.equals() != 0;
    if trick.size > 0
        && usize::from(set.strength::<N>()) + trick_rules.equals() <= usize::from(trick.strength)
    {
        return KeyedText::new(if equals { "climbing.why.lower" } else { "climbing.why.low" });
    }
    let rank = usize::from(set.rank);
    let held = if rank == N - 1 { 0 } else { hand[rank] };
    match held < set.naturals || hand[N - 1] < set.wilds {
        true => KeyedText::new("climbing.why.few").with("count", set.size()),
        false => KeyedText::new("climbing.why.combination"),
    }
}

/// A sentence about an event: cards that moved, or a player's last card. `None` for other events.
pub fn sentence(words: &Texts, event: &Value, who: &dyn Fn(Seat) -> String) -> Option<String> {
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
