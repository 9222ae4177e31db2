//! Texts for people who learn the game.

use cardsharp_climbing::teach as climbing;
use cardsharp_engine::ActionId;
use cardsharp_engine::game::{COMMON_WORDS, Happened, KeyedText, Teach, Texts};

use super::actions::{Move, set};
use super::deck::RANKS;
use super::state::{PublicState, Round, Stage, View};

impl Teach for Round {
    const RULES: &'static str = include_str!("../rules.md");
    const WORDS: &'static [&'static str] = &[COMMON_WORDS, climbing::WORDS, include_str!("words.json")];
    const LEGEND: &'static [&'static str] =
        &["J jack, Q queen, K king, A ace, * joker. To type two 7s: 7x2. With a joker: 7x2+*"];

    fn asks(phase: &str) -> Option<&'static str> {
        Some(match phase {
            "play" => climbing::PLAY,
            "decree" => "tahimi.phase.decree",
            "tax jokers" => "tahimi.phase.jokers",
            "tax" => "tahimi.phase.tax",
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
        let number = |text: &str| text.parse::<u32>().ok();
        if label == "pass" {
            return words.say("move.pass", &[]);
        }
        if let Some(entry) = label.strip_prefix("decree ").and_then(number) {
            return words.say("tahimi.decree", &[("number", &(entry + 1).to_string())]);
        }
        if let Some(count) = label.strip_prefix("pay ").and_then(|rest| rest.split(' ').next()) {
            return words.say("tahimi.pay", &[("count", count)]);
        }
        climbing::named(words, label, '*', |card| match card {
            "J" => words.say("card.jack", &[]),
            "Q" => words.say("card.queen", &[]),
            "K" => words.say("card.king", &[]),
            "A" => words.say("card.ace", &[]),
            "*" => words.say("card.joker", &[]),
            number => number.to_owned(),
        })
    }

    fn consequences(words: &Texts, happened: Happened<'_, Self>) -> Vec<String> {
        let events =
            happened.events.iter().filter_map(|event| climbing::sentence(words, event, happened.who));
        let state = |table: &PublicState| (table.trick, table.trick_rules(), table.order);
        let equals = climbing::equal_rank_sentence::<_, RANKS>(words, &happened, set, state);
        events.chain(equals).collect()
    }
}
