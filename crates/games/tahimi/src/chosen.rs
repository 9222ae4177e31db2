//! Rounds with a chosen deal. The user also chooses the decree, because the deck depends on it.

use cardsharp_climbing::record::deal_around;
use cardsharp_climbing::redeal::Each;
use cardsharp_climbing::{self as climbing, Below};
use cardsharp_engine::game::{Chosen, DealError, Deals};
use cardsharp_engine::rng::DealRng;

use super::record::seating;
use super::rules::{Decree, Rules};
use super::table::Own;
use super::variant::MENU;
use super::{Round, Standing, opening};

impl Deals for Round {
    fn dealt(
        rules: &Rules,
        standing: &mut Standing,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut chance = rng.beside();
        let mut round = opening::deal(rules, standing, rng);
        if deal.field("order").is_some() {
            seating::arrange(&mut round.table, rules, deal.json())?;
        }
        if standing.rounds == 0 {
            standing.order = round.table.order;
        }
        if rules.decree != Decree::Off {
            opening::decree(&mut round, decreed(rules, deal)?);
        }
        let (table, ladder) = (&round.table, round.table.ladder());
        let (read, name) = (|text: &str| ladder.read(text), |rank| ladder.name(rank));
        let known = climbing::chosen::hands(deal, &table.deck, table.players, &table.cards, read, name)?;
        let hands = deal_around(&table.deck, &known, &table.cards, &Each::default(), &mut chance)?;
        round.own = hands.map(Own::dealt);
        round.asking = 0;
        opening::begin(&mut round);
        Ok(round)
    }
}

/// Reads the entry of the decree menu from the deal. The rules must have a menu.
///
/// # Errors
/// The deal has no `decree`, or no entry of the menu.
pub(super) fn decreed(rules: &Rules, deal: Chosen<'_>) -> Result<Below<MENU>, DealError> {
    let entries = match &rules.decree {
        Decree::Menu(menu) => menu.as_slice().len(),
        Decree::Off => 0,
    };
    let told = deal.field("decree").and_then(|entry| usize::try_from(entry.as_u64()?).ok());
    let entry = told.filter(|&entry| entry < entries).and_then(Below::new);
    entry.ok_or_else(|| {
        let given = deal.field("decree").map_or_else(|| "missing".to_owned(), |given| format!("{given}"));
        let last = entries.saturating_sub(1);
        format!(
            "`decree` is {given}, expected an entry of the menu, 0 to {last}: what is dealt depends on it"
        )
        .into()
    })
}
