//! A session of random play, with everything that the seats see.

use std::fmt::Write as _;

use serde_json::json;

use super::{Golden, GoldenVariant};
use crate::base::blocks::{Block, width};
use crate::base::mask::{self, Mask};
use crate::base::rng::Draw;
use crate::base::rules::Rules;
use crate::game::{Game, Label, Turn};
use crate::runtime::session::Session;
use crate::testing::random_action;

/// Returns the first seed whose first round satisfies the variant.
fn seed<G: Game>(variant: &GoldenVariant<G>) -> u64 {
    let is_wanted = |&seed: &u64| {
        let mut session = Session::<G>::new(variant.rules, seed);
        let mut draw = Draw::new(seed, u64::MAX);
        loop {
            if (variant.wanted)(session.round()) {
                return true;
            }
            let Turn::Decide(seat) = session.round().turn() else { return false };
            let action = random_action(session.round(), seat, &mut draw);
            session.round_mut().play(action);
        }
    };
    (0..100_000).find(is_wanted).expect("such a round is among them")
}

/// Returns the nonzero cells of a block as text: a single cell as its value, flags as their indices, others as
/// `index:value`.
fn cells(block: &Block, row: &[u8]) -> Option<String> {
    let set: Vec<String> = (block.of(row).iter().enumerate().filter(|(_, value)| **value != 0))
        .map(|(i, value)| match block {
            Block { len: 1, .. } => value.to_string(),
            Block { max: 1, .. } => i.to_string(),
            _ => format!("{i}:{value}"),
        })
        .collect();
    (!set.is_empty()).then(|| format!("{}={}", block.name, set.join(",")))
}

/// Adds what happened beyond the action: the deal, once there is one, and events.
fn happened<G: Game>(before: Option<&G>, after: &G, dealt: &mut bool, text: &mut String) {
    if !*dealt && let Some(deal) = after.describe_deal() {
        *dealt = true;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "deal {deal}");
    }
    for event in G::events(before, after) {
        let _ = writeln!(text, "event {event}");
    }
}

/// Returns the playthrough of a variant.
pub fn of<G: Golden>(variant: &GoldenVariant<G>) -> String {
    let seed = seed(variant);
    let mut text = format!("# {} by random play, seed {seed}\n# {}\n", G::TITLE, json!(variant.rules));
    let mut session = Session::<G>::new(variant.rules, seed);
    let mut draw = Draw::new(seed, u64::MAX);
    let mut row = vec![0; width(G::OBSERVATION)];
    // Writing to a String cannot fail.
    loop {
        let _ = writeln!(text, "\n== {} {} ==", G::ROUND, session.number());
        let mut dealt = false;
        happened(None, session.round(), &mut dealt, &mut text);
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            if G::is_shown(view) {
                let phase = session.round().phase();
                let _ = write!(text, "\n-- seat {}, {phase} --\n{}", seat.0, G::picture(view));
                G::observe(view, &mut row);
                let blocks: Vec<String> =
                    G::OBSERVATION.iter().filter_map(|block| cells(block, &row)).collect();
                let _ = writeln!(text, "row {}", blocks.join(" "));
            }
            let label = |action| Label::<G>::at(view.table, action).to_string();
            let legal: Vec<String> = mask::actions(G::legal(view).words()).map(label).collect();
            let action = random_action(session.round(), seat, &mut draw);
            let _ = writeln!(text, "seat {:<2} {} | {}", seat.0, label(action), legal.join(", "));
            let before = *session.round();
            session.round_mut().play(action);
            happened(Some(&before), session.round(), &mut dealt, &mut text);
        }
        let payoff = session.settle();
        let _ = writeln!(text, "\nseat place points reward");
        for i in 0..usize::from(variant.rules.seats()) {
            let _ = writeln!(
                text,
                "{i:>4} {:>5} {:>6} {:>6.3}",
                payoff.place[i], payoff.points[i], payoff.reward[i]
            );
        }
        let _ = writeln!(text, "standing {}", json!(session.standing()));
        if session.is_last() {
            return text;
        }
        session.deal_next();
    }
}
