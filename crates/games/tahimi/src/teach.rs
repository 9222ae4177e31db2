//! Texts for people who learn the game.

use cardsharp_climbing::teach as climbing;
use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Happened, Teach, Text, Texts};

use super::actions::{Move, set};
use super::deck::RANKS;
use super::state::{PublicState, Round, Stage, View};

impl Teach for Round {
    const RULES: &'static str = include_str!("../rules.md");
    const WORDS: &'static [&'static str] = &[climbing::WORDS, include_str!("words.json")];

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

    fn why_not(view: View<'_>, action: ActionId) -> Option<Text> {
        let (table, hand) = (view.table, &view.own.hand.0);
        match Move::of(action)? {
            Move::Play(set) if table.stage == Stage::Play => {
                Some(climbing::why_not_set((&table.trick, table.trick_rules()), set.set(), hand))
            }
            Move::Pass if table.stage == Stage::Play => Some(Text::new("climbing.why.lead")),
            Move::Give(_) if table.stage != Stage::Play => Some(Text::new("climbing.why.gift")),
            _ => None,
        }
    }

    fn consequences(words: &Texts, happened: Happened<'_, Self>) -> Vec<String> {
        let events =
            happened.events.iter().filter_map(|event| climbing::sentence(words, event, happened.who));
        let state = |table: &PublicState| (table.trick, table.trick_rules(), table.order);
        let equals = climbing::equal_rank_sentence::<_, RANKS>(words, &happened, set, state);
        events.chain(equals).collect()
    }
}
