//! Texts for people who learn the game.

use cardsharp_climbing::teach as climbing;
use cardsharp_engine::game::{COMMON_WORDS, Happened, KeyedText, Teach, Texts};
use cardsharp_engine::{ActionId, Seat};

use super::actions::{Move, set};
use super::deck::RANKS;
use super::state::{PublicState, Round, Stage, View};

impl Teach for Round {
    const RULES: &'static str = include_str!("../rules.md");
    const WORDS: &'static [&'static str] = &[COMMON_WORDS, climbing::WORDS, include_str!("words.json")];
    const LEGEND: &'static [&'static str] =
        &["1 is the best rank, 12 the worst. To type two 4s: 4x2. With a Jester (J): 4x2+J"];

    fn asks(phase: &str) -> Option<&'static str> {
        Some(match phase {
            "play" => climbing::PLAY,
            "misdeal" => "dalmuti.phase.misdeal",
            "revolution" => "dalmuti.phase.revolution",
            "tax" => "dalmuti.phase.tax",
            "exchange offer" => "dalmuti.phase.offer",
            "exchange" => "dalmuti.phase.exchange",
            _ => return None,
        })
    }

    fn means(view: View<'_>, action: ActionId) -> Option<&'static str> {
        let (trick, trick_rules) = (&view.table.trick, view.table.trick_rules());
        match Move::of(action)? {
            Move::Pass => Some(climbing::pass(trick_rules)),
            Move::Play(set) => climbing::set::<RANKS>(trick, trick_rules, set.set()),
            _ => None,
        }
    }

    fn why_not(view: View<'_>, action: ActionId) -> Option<KeyedText> {
        let (table, hand) = (view.table, &view.own.hand.0);
        match Move::of(action)? {
            Move::Play(set) if table.stage == Stage::Play => {
                Some(climbing::why_not_set((&table.trick, table.trick_rules()), set.set(), hand))
            }
            Move::Pass if table.stage == Stage::Play => Some(KeyedText::new("climbing.why.lead")),
            Move::Give(_) if table.stage != Stage::Play => Some(KeyedText::new("climbing.why.gift")),
            _ => None,
        }
    }

    fn named_move(words: &Texts, label: &str) -> String {
        let text = |name: &str| words.say(name, &[]);
        match label {
            "pass" => text("move.pass"),
            "call revolution" => text("dalmuti.callRevolution"),
            "decline revolution" => text("dalmuti.declineRevolution"),
            "no exchange" => text("dalmuti.noExchange"),
            "keep misdeal" => text("dalmuti.keepMisdeal"),
            "misdeal to peon" => text("dalmuti.misdealToPeon"),
            _ => match label.strip_prefix("exchange with position ").map(str::parse::<u8>) {
                Some(Ok(position)) => {
                    words.say("dalmuti.exchangeWith", &[("position", &(position + 1).to_string())])
                }
                _ => climbing::named(words, label, 'J', |card| card_in_words(words, card)),
            },
        }
    }

    /// People know the other cards by their numbers.
    fn named_card(words: &Texts, word: &str) -> Option<String> {
        (word == "J").then(|| card_in_words(words, word))
    }

    fn consequences(words: &Texts, happened: Happened<'_, Self>) -> Vec<String> {
        let who = happened.who;
        let events = happened.events.iter().filter_map(|event| match event["event"].as_str()? {
            "revolution" => Some(words.say("dalmuti.revolution", &[])),
            "greater_revolution" => Some(words.say("dalmuti.greaterRevolution", &[])),
            "misdeal" => {
                let peon = who(Seat(event["peon"].as_u64()? as u8));
                Some(words.say("dalmuti.misdealt", &[("card", event["exposed"].as_str()?), ("peon", &peon)]))
            }
            _ => climbing::sentence(words, event, who),
        });
        let state = |table: &PublicState| (table.trick, table.trick_rules(), table.order);
        let equals = climbing::equal_rank_sentence::<_, RANKS>(words, &happened, set, state);
        events.chain(equals).collect()
    }
}

/// Returns a card in players' words; `noted` is its notation.
fn card_in_words(words: &Texts, noted: &str) -> String {
    let name = if noted == "J" { "dalmuti.jester".to_owned() } else { format!("dalmuti.rank.{noted}") };
    words.say(&name, &[])
}
