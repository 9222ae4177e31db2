//! Checks of the public state.

use cardsharp_climbing::check::{self, Course, WildsAlone};
use cardsharp_climbing::{Memory, Trick, dealt};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rules::Rules as _;

use super::roster;
use crate::deck::{self, Cards, RANKS};
use crate::rules::{Decree, Rules};
use crate::table::{Stage, Table};
use crate::variant::Jokers;

/// Checks a table with valid rules.
pub(super) fn check(table: &Table) -> Result<(), String> {
    session(table)?;
    roster::check(table)?;
    variant(table)?;
    cards(table)?;
    if table.stage == Stage::Play {
        let course = course(table);
        course.check_memory(table.players)?;
        held(table, &course.dealt)?;
        course.check_trick(table.players)?;
        return course.check_passes();
    }
    ensure!(
        table.memory == Memory::EMPTY && table.trick == Trick::new(table.players),
        "something was played before the play"
    );
    held(table, &all_dealt(table))
}

fn session(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    let rounds = rules.rounds();
    ensure!((1..=rounds).contains(&u32::from(table.round)), "round {} of a session of {rounds}", table.round);
    let most = Rules::PLAYERS;
    ensure!(most.contains(&table.players), "{} players at the table: expected {most:?}", table.players);
    ensure!(table.players <= rules.seats(), "{} players, but {} seats", table.players, rules.seats());
    check::seats(&table.order, |seat| table.position[seat].get(), (table.players, rules.seats()))
}

/// Checks that the options in force are those of the rules, with the decree applied.
fn variant(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    let by_rules = rules.variant();
    let expected = match (&rules.decree, table.decree, table.stage) {
        (Decree::Off, None, Stage::Taxes | Stage::Play) | (Decree::Menu(_), None, Stage::Decree) => by_rules,
        (Decree::Menu(menu), Some(entry), Stage::Taxes | Stage::Play) => {
            let bundle = menu.as_slice().get(usize::from(entry));
            by_rules.decreed(bundle.ok_or_else(|| format!("the menu has no decree {entry}"))?)
        }
        (_, decree, stage) => return Err(format!("decree {decree:?} in stage {stage:?} by these rules")),
    };
    ensure!(
        table.variant == expected,
        "`variant` does not match the rules and the decree: {:?} instead of {expected:?}",
        table.variant
    );
    ensure!(
        table.stage != Stage::Taxes || table.taxes(),
        "there are no taxes in a first round under this option"
    );
    Ok(())
}

fn cards(table: &Table) -> Result<(), String> {
    let expected = match table.stage {
        Stage::Decree => Cards::NONE,
        Stage::Taxes | Stage::Play => deck::composition(&table.rules, &table.variant, table.players),
    };
    ensure!(table.deck == expected, "the deck of the rules is not {}", deck::to_text(&table.deck));
    Ok(())
}

/// Number of cards dealt to each position; 0 beyond the players.
pub(super) fn all_dealt(table: &Table) -> [u8; MAX_SEATS] {
    let mut all = [0; MAX_SEATS];
    let cards = table.deck.total();
    (0..table.players).for_each(|p| all[usize::from(p)] = dealt(cards, table.players, p));
    all
}

/// Checks that all players hold the cards dealt minus those played, and that `one_card` lists the players with one
/// card.
fn held(table: &Table, dealt: &[u8; MAX_SEATS]) -> Result<(), String> {
    let mut one_card = Positions(0);
    for (p, &dealt) in dealt.iter().enumerate() {
        let played = table.memory.total[p];
        let (cards, expected) = (table.cards[p], dealt - played);
        ensure!(cards == expected, "position {p} holds {expected} cards, not {cards}");
        if cards == 1 && played > 0 {
            one_card.insert(p as u8);
        }
    }
    ensure!(table.one_card == one_card, "`one_card_positions` does not name the players with one card");
    Ok(())
}

/// The input of the checks that all climbing games share.
fn course(table: &Table) -> Course<'_, RANKS> {
    let alone = match table.variant.jokers {
        Jokers::Wild => WildsAlone::Any(table.ladder().used),
        Jokers::None | Jokers::Low => WildsAlone::Lowest,
    };
    Course {
        customs: table.customs(),
        alone,
        deck: &table.deck,
        dealt: all_dealt(table),
        trick: &table.trick,
        memory: &table.memory,
        text: deck::to_text,
    }
}
