//! Checks of the public state.

use cardsharp_climbing::check::{self, Course, WildsAlone};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::ensure;

use crate::deck::{self, Cards, RANKS};
use crate::rules::{MerchantExchange, Scoring, Seating};
use crate::table::{ExposedFate, Revolution, Stage, Table};

/// Checks a table with valid rules.
pub(super) fn check(table: &Table) -> Result<(), String> {
    session(table)?;
    seats(table)?;
    let course = course(table);
    course.check_memory(table.rules.players)?;
    opening(table)?;
    course.check_trick(table.rules.players)?;
    course.check_passes()
}

fn session(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    ensure!(table.deck == rules.deck(), "the deck of the rules is not {}", deck::to_text(&table.deck));
    ensure!((1..=rules.hands).contains(&table.hand), "hand {} of a session of {}", table.hand, rules.hands);
    let n = i32::from(rules.players);
    let hands = i32::from(table.hand) - 1;
    let most = match rules.scoring {
        Scoring::None => 0,
        Scoring::Standard => hands * (n - 1),
        Scoring::Philanthropic => hands * n,
    };
    let (points, rest) = table.points.split_at(usize::from(rules.players));
    ensure!(rest.iter().all(|&p| p == 0), "points for seats that do not play");
    ensure!(points.iter().all(|p| (0..=most).contains(p)), "points are not all in 0..={most}: {points:?}");
    let total: i32 = points.iter().sum();
    let (low, high) = match rules.scoring {
        Scoring::None => (0, 0),
        Scoring::Standard => (hands * n * (n - 1) / 2, hands * n * (n - 1) / 2),
        Scoring::Philanthropic => (hands * n * (n - 1) / 2, hands * (n * (n - 1) / 2 + 2)),
    };
    ensure!((low..=high).contains(&total), "{total} points in all: expected {low}..={high}");
    Ok(())
}

fn seats(table: &Table) -> Result<(), String> {
    let players = table.rules.players;
    // Seats that do not play have position 0.
    let position = |seat: usize| {
        let position = table.position[seat];
        (seat < usize::from(players) || position != 0).then_some(position)
    };
    check::seats(&table.order, position, (players, players))?;
    let players = usize::from(players);
    if table.rules.seating == Seating::Fixed && table.hand == 1 {
        let turned = table.revolution == Revolution::Greater;
        let fixed = |p: usize| if turned { players - 1 - p } else { p };
        let fits = table.order[..players].iter().enumerate().all(|(p, seat)| seat.index() == fixed(p));
        ensure!(fits, "the first seating is fixed, but `order` is another");
    }
    Ok(())
}

/// The input of the checks that all climbing games share.
fn course(table: &Table) -> Course<'_, RANKS> {
    let mut dealt = [0; MAX_SEATS];
    (0..table.rules.players).for_each(|p| dealt[usize::from(p)] = table.dealt(p));
    Course {
        customs: table.customs(),
        alone: WildsAlone::Lowest,
        deck: &table.deck,
        dealt,
        trick: &table.trick,
        memory: &table.memory,
        text: deck::to_text,
    }
}

fn opening(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    let n = rules.players;
    if table.stage != Stage::Play {
        ensure!(table.memory.gone == Cards::NONE, "cards were played before the play");
        ensure!(table.revolution == Revolution::None, "no decision follows a revolution before the play");
    }
    ensure!(
        table.stage != Stage::Taxes || table.taxes(),
        "there are no taxes in a first hand under this option"
    );
    ensure!(
        table.revolution != Revolution::Revolution || !table.first_deal_revolution(),
        "only the Greater Peon may call a revolution in this first hand"
    );
    let caller = table.caller.map(|seat| table.position.get(seat.index()).copied().filter(|_| seat.0 < n));
    let callable = match table.revolution {
        Revolution::None => caller.is_none(),
        Revolution::Revolution => matches!(caller, Some(Some(p)) if p != n - 1),
        Revolution::Greater => caller == Some(Some(0)),
    };
    ensure!(callable, "{:?} cannot be the caller of the revolution", table.caller);
    match table.exposed {
        None => {
            ensure!(table.stage != Stage::Misdeal, "no card is exposed, but a decision about one is due");
            ensure!(rules.misdeal_prob < 1.0, "a card is exposed in every hand by these rules");
        }
        Some(exposed) => {
            ensure!(rules.misdeal_prob > 0.0, "no card is ever exposed by these rules");
            let rank = usize::from(exposed.rank);
            ensure!(rank < RANKS && table.deck.0[rank] > 0, "the deck has no card of rank index {rank}");
            ensure!(exposed.receiver.0 < n, "seat {} was dealt the exposed card", exposed.receiver.0);
            let receiver = table.position[exposed.receiver.index()];
            let peon = if table.revolution == Revolution::Greater { 0 } else { n - 1 };
            ensure!(
                receiver != peon || exposed.fate == ExposedFate::Kept,
                "a card exposed to the Greater Peon stays with the Greater Peon"
            );
            ensure!(
                (exposed.fate == ExposedFate::Open) == (table.stage == Stage::Misdeal),
                "the exposed card is decided in the stage `misdeal`"
            );
        }
    }
    if let Some(target) = table.exchange {
        ensure!(
            rules.merchant_exchange != MerchantExchange::Off && n >= 6,
            "Merchants exchange no cards by these rules"
        );
        ensure!(
            table.taxes() && matches!(table.stage, Stage::Taxes | Stage::Play),
            "Merchants exchange cards after taxes"
        );
        ensure!((3..=n - 3).contains(&target), "no Merchant sits at position {target}");
    }
    Ok(())
}
