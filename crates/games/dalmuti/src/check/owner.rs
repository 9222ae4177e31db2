//! Checks of one seat's private state. The table must be valid.

use cardsharp_climbing::check::{self, Gifts, with};
use cardsharp_engine::game::ensure;

use crate::deck::{self, Cards, JESTER, RANKS};
use crate::rules::{MerchantExchange, TaxVisibility};
use crate::state::View;
use crate::table::{Ask, ExposedFate, Own, PROPOSER, Revolution, Stage, Table, pairs, tribute};

/// The cards that a player gave and received and that have moved.
type Moved = Gifts<RANKS>;

/// Checks the viewer's private state. Returns the cards dealt to the viewer, after the replacement of an exposed card.
pub(super) fn check(view: View<'_>) -> Result<Cards, String> {
    let (table, own) = (view.table, view.own);
    ensure!(view.seat.0 < table.players(), "seat {} of {} players", view.seat.0, table.players());
    let me = table.position[view.seat.index()];
    let played = &table.memory.played[usize::from(me)];
    let seen = with(&own.hand, &table.memory.gone)?;
    without(&table.deck, &seen, "the deck does not have the cards in hand and played")?;
    ensure!(
        own.partner == partner(table, me),
        "the partner is {:?}, not {:?}",
        partner(table, me),
        own.partner
    );
    let moved = exchanged(table, me, own)?;
    let held = with(&own.hand, played)?;
    // A Dalmuti who saw the tribute may have returned it; without seeing it, they still have it.
    let straight_back = me < 2 && table.rules.tax_visibility == TaxVisibility::Seen;
    let dealt = check::dealt(&table.deck, &held, &moved, straight_back, deck::to_text)?;
    let size = u32::from(table.dealt(me));
    ensure!(dealt.total() == size, "{} of the {size} cards dealt to the viewer", dealt.total());
    tributes(table, me, own, &dealt, &moved)?;
    misdeal(table, me, own, &dealt)?;
    asked(table, me, own)?;
    Ok(dealt)
}

/// The position that `position` exchanges cards with.
fn partner(table: &Table, position: u8) -> Option<u8> {
    if !table.taxes() || !matches!(table.stage, Stage::Taxes | Stage::Play) {
        return None;
    }
    let merchants = table.exchange.map(|target| (PROPOSER, target));
    pairs(table.players())
        .map(|(a, b, _)| (a, b))
        .into_iter()
        .chain(merchants)
        .find_map(|(a, b)| if a == position { Some(b) } else { (b == position).then_some(a) })
}

/// Checks how many cards the viewer gave and received. Returns those that have moved.
fn exchanged(table: &Table, me: u8, own: &Own) -> Result<Moved, String> {
    let none = Moved { given: Cards::NONE, received: Cards::NONE };
    let (given, received) = (own.given.total(), own.received.total());
    let Some(partner) = own.partner else {
        ensure!(given == 0 && received == 0, "cards given or received without a partner");
        return Ok(none);
    };
    let k = pairs(table.players()).iter().find(|p| p.0 == me || p.1 == me).map_or(1, |p| u32::from(p.2));
    if table.stage == Stage::Play {
        ensure!(given == k && received == k, "{given} cards given and {received} received, not {k} each");
        return Ok(Moved { given: own.given, received: own.received });
    }
    let arrives = |yes: bool| if yes && table.rules.tax_visibility == TaxVisibility::Seen { k } else { 0 };
    let (dalmuti, peon) = (me < 2, partner < 2);
    let due = arrives(dalmuti);
    ensure!(received == due, "{received} cards received so far, not {due}");
    if peon {
        let due = arrives(true);
        ensure!(given == due, "{given} cards paid so far, not {due}");
        return Ok(Moved { given: own.given, received: Cards::NONE });
    }
    ensure!(given <= k, "{given} cards picked, not {k}");
    without(&own.hand, &own.given, "cards picked to give must be in hand")?;
    Ok(Moved { given: Cards::NONE, received: own.received })
}

/// Checks that a tribute consists of the Peon's best numbered cards.
fn tributes(table: &Table, me: u8, own: &Own, dealt: &Cards, moved: &Moved) -> Result<(), String> {
    let Some((dalmuti, _, k)) = pairs(table.players()).into_iter().find(|p| p.0 == me || p.1 == me) else {
        return Ok(());
    };
    if me == dalmuti {
        ensure!(moved.received.0[JESTER] == 0, "a Jester is never paid");
    } else if moved.given != Cards::NONE {
        let due = tribute(dealt, k);
        ensure!(
            own.given == due,
            "the tribute is {}, not {}",
            deck::to_text(&due),
            deck::to_text(&own.given)
        );
    }
    Ok(())
}

/// Checks what the viewer knows about an exposed card and its replacement.
fn misdeal(table: &Table, me: u8, own: &Own, dealt: &Cards) -> Result<(), String> {
    let Some(exposed) = table.exposed else {
        ensure!(own.replacement.is_none(), "a replacement for a card that was not exposed");
        return Ok(());
    };
    let n = table.players();
    let peon = me == if table.revolution == Revolution::Greater { 0 } else { n - 1 };
    let receiver = table.position[exposed.receiver.index()] == me;
    let told = exposed.fate == ExposedFate::ToPeon && (peon || receiver);
    ensure!(
        own.replacement.is_some() == told,
        "a replacement is known to the Greater Peon and the receiver only"
    );
    let has = |rank: u8| dealt.0.get(usize::from(rank)).is_some_and(|&n| n > 0);
    if let Some(rank) = own.replacement {
        ensure!(
            table.deck.0.get(usize::from(rank)).is_some_and(|&n| n > 0),
            "no replacement of rank index {rank}"
        );
        ensure!(!receiver || has(rank), "the viewer does not have the replacement");
        ensure!(!peon || has(exposed.rank), "the viewer does not have the exposed card");
    } else if receiver {
        ensure!(has(exposed.rank), "the viewer does not have the exposed card");
    }
    Ok(())
}

/// Checks that the viewer may have the decision `own.ask`, or none, now.
fn asked(table: &Table, me: u8, own: &Own) -> Result<(), String> {
    let both = own.hand.0[JESTER] == 2;
    let may_call = both && (!table.first_deal_revolution() || me == table.greater_peon());
    let given = own.given.total();
    let exchanges = table.rules.merchant_exchange != MerchantExchange::Off && table.players() >= 6;
    let chooses = table.rules.merchant_exchange == MerchantExchange::BlindChoice;
    let possible: &[Ask] = match table.stage {
        Stage::Play => &[Ask::Nothing],
        Stage::Misdeal if me == 0 => &[Ask::Misdeal],
        Stage::Misdeal => &[Ask::Nothing],
        Stage::Dealt if may_call => &[Ask::Revolution],
        Stage::Dealt => &[Ask::Nothing],
        Stage::Taxes => match (me, table.exchange) {
            (0, None) if given < 2 => &[Ask::Tax],
            (0, Some(_)) if given < 2 => &[],
            (1, None) if given < 1 => &[Ask::Tax, Ask::Nothing],
            (1, Some(_)) if given < 1 => &[],
            (1, None) if !exchanges => &[],
            (PROPOSER, None) if exchanges => &[Ask::Offer, Ask::Nothing],
            (PROPOSER, Some(_)) if given < 1 => &[Ask::Exchange],
            (PROPOSER, Some(_)) if !chooses => &[],
            (_, Some(target)) if target == me && given > 0 => &[],
            (_, Some(target)) if target == me && chooses => &[Ask::Exchange, Ask::Nothing],
            _ => &[Ask::Nothing],
        },
    };
    check::asked(&own.ask, possible)
}

/// Removes `part` from `all`; fails with the message `what` if cards are missing.
pub(super) fn without(all: &Cards, part: &Cards, what: &str) -> Result<Cards, String> {
    check::without(all, part, what, deck::to_text)
}
