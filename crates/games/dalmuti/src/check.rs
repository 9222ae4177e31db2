//! Invariants of a table, of a view and of a complete hand, recomputed from scratch.

use cardsharp_climbing::check::{self, Gifts, PlayState, WildsAlone, with};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::{Check, Play, ViewError, ensure, some_deal};
use cardsharp_engine::rules::Rules as _;

use super::deck::{self, Cards, JESTER, RANKS};
use super::determinize;
use super::rules::{MerchantExchange, Scoring, Seating, TaxVisibility};
use super::state::{
    Ask, ExposedFate, PROPOSER, PrivateState, PublicState, Revolution, Round, Stage, View, pairs, tribute,
};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        check_public(view.table).map_err(ViewError::Impossible)?;
        check_own(view).map_err(ViewError::Impossible)?;
        some_deal(determinize::is_possible(view))
    }

    fn audit(&self) -> Result<(), String> {
        check_whole(self)
    }
}

// Checks of the public state.

/// Checks a table with valid rules.
fn check_public(table: &PublicState) -> Result<(), String> {
    session(table)?;
    seats(table)?;
    let play_state = play_state(table);
    play_state.check_memory(table.rules.players)?;
    opening(table)?;
    play_state.check_trick(table.rules.players)?;
    play_state.check_passes()
}

fn session(table: &PublicState) -> Result<(), String> {
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

fn seats(table: &PublicState) -> Result<(), String> {
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
fn play_state(table: &PublicState) -> PlayState<'_, RANKS> {
    let mut dealt = [0; MAX_SEATS];
    (0..table.rules.players).for_each(|p| dealt[usize::from(p)] = table.dealt(p));
    PlayState {
        trick_rules: table.trick_rules(),
        alone: WildsAlone::Lowest,
        deck: &table.deck,
        dealt,
        trick: &table.trick,
        memory: &table.memory,
        text: deck::to_text,
    }
}

fn opening(table: &PublicState) -> Result<(), String> {
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

// Checks of one seat's private state. The table must be valid.

/// The cards that a player gave and received and that have moved.
type Moved = Gifts<RANKS>;

/// Checks the viewer's private state. Returns the cards dealt to the viewer, after the replacement of an exposed card.
fn check_own(view: View<'_>) -> Result<Cards, String> {
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
fn partner(table: &PublicState, position: u8) -> Option<u8> {
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
fn exchanged(table: &PublicState, me: u8, own: &PrivateState) -> Result<Moved, String> {
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
fn tributes(
    table: &PublicState,
    me: u8,
    own: &PrivateState,
    dealt: &Cards,
    moved: &Moved,
) -> Result<(), String> {
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
fn misdeal(table: &PublicState, me: u8, own: &PrivateState, dealt: &Cards) -> Result<(), String> {
    let Some(exposed) = table.exposed else {
        ensure!(own.replacement.is_none(), "a replacement for a card that was not exposed");
        return Ok(());
    };
    let n = table.players();
    let peon = me == if table.revolution == Revolution::Greater { 0 } else { n - 1 };
    let receiver = table.position[exposed.receiver.index()] == me;
    let is_known = exposed.fate == ExposedFate::ToPeon && (peon || receiver);
    ensure!(
        own.replacement.is_some() == is_known,
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
fn asked(table: &PublicState, me: u8, own: &PrivateState) -> Result<(), String> {
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
fn without(all: &Cards, part: &Cards, what: &str) -> Result<Cards, String> {
    check::without(all, part, what, deck::to_text)
}

// Checks of a complete hand.

/// Checks every invariant of the rules on a hand, from its cards alone.
///
/// # Errors
/// The position with the wrong state, or the fault.
fn check_whole(round: &Round) -> Result<(), String> {
    let table = &round.table;
    table.rules.check().map_err(|error| error.to_string())?;
    check_public(table)?;
    let players = usize::from(table.players());
    let mut dealt = [Cards::NONE; MAX_SEATS];
    let mut all = table.memory.gone;
    for (p, own) in round.own.iter().enumerate() {
        if p >= players {
            ensure!(*own == PrivateState::dealt(Cards::NONE), "position {p} has no player, but private data");
            continue;
        }
        dealt[p] = check_own(round.view(table.order[p])).map_err(|error| format!("position {p}: {error}"))?;
        all = with(&all, &own.hand)?;
    }
    ensure!(all == table.deck, "hands and cards played do not add up to the deck");
    taxes(round, &dealt)?;
    jesters(round, &dealt)?;
    replacement(round)?;
    asking(round)
}

/// Checks that partners agree, that tributes are the best cards dealt, and that returned cards were in hand.
fn taxes(round: &Round, dealt: &[Cards; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    if !table.taxes() || !matches!(table.stage, Stage::Taxes | Stage::Play) {
        return Ok(());
    }
    let seen = table.rules.tax_visibility == TaxVisibility::Seen;
    let done = table.stage == Stage::Play;
    for (dalmuti, peon, k) in pairs(table.players()) {
        let [high, low] = [dalmuti, peon].map(|p| &round.own[usize::from(p)]);
        let due = if done || seen { tribute(&dealt[usize::from(peon)], k) } else { Cards::NONE };
        let at_hand =
            if seen { with(&dealt[usize::from(dalmuti)], &due)? } else { dealt[usize::from(dalmuti)] };
        check::pair([dalmuti, peon], [high, low].map(gifts).each_ref(), &due, &at_hand, done, deck::to_text)?;
    }
    if done && let Some(target) = table.exchange {
        let [proposer, target] = [PROPOSER, target].map(|p| &round.own[usize::from(p)]);
        let crossed = proposer.given == target.received && target.given == proposer.received;
        ensure!(crossed, "the Merchants did not get each other's cards");
        let held = [PROPOSER, table.exchange.unwrap_or(PROPOSER)].map(|p| &dealt[usize::from(p)]);
        without(held[0], &proposer.given, "the proposer's card must have been dealt to the proposer")?;
        without(held[1], &target.given, "the target's card must have been dealt to the target")?;
    }
    Ok(())
}

fn gifts(own: &PrivateState) -> Gifts<RANKS> {
    Gifts { given: own.given, received: own.received }
}

/// Checks that only a player dealt both Jesters can call a revolution.
fn jesters(round: &Round, dealt: &[Cards; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    let players = usize::from(table.players());
    let holder = dealt[..players].iter().position(|cards| cards.0[JESTER] == 2);
    match (table.stage, table.revolution) {
        (Stage::Dealt, _) => {
            let asked = holder.is_some_and(|p| usize::from(round.asking) == p);
            ensure!(
                asked,
                "a revolution is offered to position {}, but {holder:?} was dealt both Jesters",
                round.asking
            );
        }
        (_, Revolution::None) => {}
        (_, revolution) => {
            let greater = revolution == Revolution::Greater;
            let caller = table.caller.map(|seat| usize::from(table.position[seat.index()]));
            let may = caller.is_some_and(|p| if greater { p == 0 } else { p != players - 1 });
            ensure!(
                may && holder == caller,
                "{caller:?} called a revolution, but {holder:?} was dealt both Jesters"
            );
        }
    }
    Ok(())
}

/// Checks that all players who know a replacement card know the same one.
fn replacement(round: &Round) -> Result<(), String> {
    let mut known = round.own.iter().filter_map(|own| own.replacement);
    let first = known.next();
    ensure!(known.all(|card| Some(card) == first), "two replacements are known");
    Ok(())
}

/// Checks that exactly one player decides before the play, and that all earlier decisions are made.
fn asking(round: &Round) -> Result<(), String> {
    let table = &round.table;
    let in_play = table.stage == Stage::Play;
    check::asking(round.own.map(|own| own.ask != Ask::Nothing), round.asking, in_play)?;
    if table.stage == Stage::Taxes {
        let given = |p: u8| round.own[usize::from(p)].given.total();
        let (own, target) = (round.own[usize::from(round.asking)].ask, table.exchange);
        // Number of cards picked before this decision: by the two Dalmutis, the proposer and the target.
        let due = match own {
            Ask::Tax if round.asking == 0 => [given(0).min(1), 0, 0, 0],
            Ask::Tax => [2, 0, 0, 0],
            Ask::Exchange if target == Some(round.asking) => [2, 1, 1, 0],
            _ => [2, 1, 0, 0],
        };
        let merchants = target.map_or([0, 0], |target| [given(PROPOSER), given(target)]);
        let picked = [given(0), given(1), merchants[0], merchants[1]];
        ensure!(picked == due, "{picked:?} cards are picked, not {due:?}");
    }
    Ok(())
}
