//! Explains whether a contract was made.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Happened, Words};
use serde_json::Value;

use crate::course::HAND;
use crate::ladder::Kind;
use crate::score::rounded;
use crate::table::{Asked, Round};

/// Returns the result of a deal in words, with what was needed and what was reached.
pub(super) fn ended(words: &Words, happened: &Happened<'_, Round>, result: &Value) -> String {
    let table = happened.after;
    let (Some(bidder), Some(kind), Some(bid)) = (table.bidder(), table.contract(), table.high()) else {
        return words.say("tachtigen.nobody", &[]);
    };
    let name = if result["made"] == true { "tachtigen.made" } else { "tachtigen.lost" };
    let verdict = words.say(name, &[("who", &(happened.who)(bidder)), ("bid", &bid.to_string())]);
    let why = match kind {
        Kind::Points(bid) => points(happened, result, i64::from(bid)),
        fixed => tricks(happened, bidder, fixed),
    };
    format!("{verdict} {why}")
}

fn points(happened: &Happened<'_, Round>, result: &Value, bid: i64) -> String {
    let table = happened.after;
    let (raw, total) = (result["raw"].as_u64().unwrap_or(0) as u16, result["total"].as_i64().unwrap_or(0));
    let round = i64::from(rounded(raw, table.rules.round_half));
    let side = [table.bidder(), table.partner];
    let won: usize = side.iter().flatten().map(|seat| usize::from(table.play.won[seat.index()])).sum();
    let bonus = if won == HAND { i64::from(table.rules.all_tricks_bonus) } else { 0 };
    let mut parts = vec![format!("{raw} in tricks, rounded {round}")];
    if total - round - bonus != 0 {
        parts.push(format!("{} roem", total - round - bonus));
    }
    if bonus != 0 {
        parts.push(format!("{bonus} for all tricks"));
    }
    let partner = match (table.partner, table.asked) {
        (Some(seat), _) => format!(" with {}", (happened.who)(seat)),
        (None, Asked::Solo) => " alone, which counts double".to_owned(),
        (None, _) => " without a partner".to_owned(),
    };
    let difference = match total - bid {
        0 => "just that".to_owned(),
        more @ 1.. => format!("{more} more"),
        less => format!("{} too few", -less),
    };
    format!("{bid} were needed and {total} were reached{partner}: {}; {difference}.", parts.join(", "))
}

/// Explains the result of a fixed contract, which counts tricks.
fn tricks(happened: &Happened<'_, Round>, bidder: Seat, kind: Kind) -> String {
    let play = &happened.after.play;
    let winners = &play.leaders[1..=play.trick()];
    let won = usize::from(play.won[bidder.index()]);
    let lost = winners.iter().position(|&seat| seat != bidder).map(|at| at + 1);
    if kind.is_misere() {
        return match winners.iter().position(|&seat| seat == bidder) {
            Some(at) => format!("The bidder had to take no trick, and took trick {}.", at + 1),
            None => "The bidder had to take no trick, and took none.".to_owned(),
        };
    }
    match (kind, lost) {
        (Kind::Zwabber, Some(first)) if first <= 5 => {
            format!("The bidder had to take the first five tricks, and did not take trick {first}.")
        }
        (Kind::Zwabber, Some(first)) => {
            let partner = (happened.who)(winners[first - 1]);
            let rest = winners[first..].iter().position(|&seat| seat != winners[first - 1]);
            match rest {
                None => format!("{won} tricks in a row, and {partner} took all the others."),
                Some(at) => {
                    format!(
                        "{won} tricks in a row; {partner} took the next one and had to take the rest, but not trick {}.",
                        first + at + 1
                    )
                }
            }
        }
        (_, Some(first)) => {
            format!("The bidder had to take all eight tricks, and did not take trick {first}.")
        }
        (_, None) => "The bidder took all eight tricks.".to_owned(),
    }
}
