//! The start of a hand before the play: deal, misdeal, revolution, taxes and the merchant exchange.

use cardsharp_climbing::{Memory, Trick, random_card};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};

use super::actions::Merchant;
use super::deck::{Cards, DECK, JESTER, Rank};
use super::rules::{MerchantExchange, Rules, TaxVisibility};
use super::state::{
    Ask, Exposed, ExposedFate, PROPOSER, PrivateState, PublicState, Revolution, Round, SessionState, Stage,
    pairs, tribute,
};

/// The table at the start of a hand.
pub fn fresh_table(rules: &Rules, standing: &SessionState) -> PublicState {
    let mut position = [0; MAX_SEATS];
    for (p, seat) in standing.order.iter().enumerate().take(usize::from(rules.players)) {
        position[seat.index()] = p as u8;
    }
    PublicState {
        rules: *rules,
        deck: rules.deck(),
        hand: standing.hands + 1,
        points: standing.points,
        order: standing.order,
        position,
        stage: Stage::Dealt,
        revolution: Revolution::None,
        caller: None,
        exposed: None,
        exchange: None,
        trick: Trick::new(rules.players),
        memory: Memory::EMPTY,
    }
}

/// Shuffles and deals all cards, one at a time from position 0. Exposes a card if the rules say so.
pub fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Round {
    let mut hands = [Cards::NONE; MAX_SEATS];
    let exposed = rng.draw(|draw| {
        let mut pack = [0u8; DECK];
        let mut cards = 0;
        for (rank, &n) in rules.deck().0.iter().enumerate() {
            pack[cards..cards + usize::from(n)].fill(rank as u8);
            cards += usize::from(n);
        }
        let pack = &mut pack[..cards];
        draw.shuffle(pack);
        let mut position = 0;
        for &rank in pack.iter() {
            hands[position].0[usize::from(rank)] += 1;
            position = if position + 1 == usize::from(rules.players) { 0 } else { position + 1 };
        }
        let exposes = rules.misdeal_prob > 0.0 && draw.chance(rules.misdeal_prob);
        exposes.then(|| {
            let place = draw.below(cards as u32) as usize;
            (pack[place], place % usize::from(rules.players))
        })
    });
    let mut round =
        Round { table: fresh_table(rules, standing), own: hands.map(PrivateState::dealt), asking: 0, rng };
    begin(&mut round, exposed);
    round
}

/// Continues after the deal with the first decision. `exposed` is a card (rank index) and the position to which it was
/// dealt.
pub(super) fn begin(round: &mut Round, exposed: Option<(u8, usize)>) {
    match exposed {
        Some((rank, position)) => {
            let receiver = round.table.order[position];
            let to_peon_anyway = position as u8 == round.table.greater_peon();
            let fate = if to_peon_anyway { ExposedFate::Kept } else { ExposedFate::Open };
            round.table.exposed = Some(Exposed { rank, receiver, fate });
            if to_peon_anyway {
                offer_revolution(round);
            } else {
                round.table.stage = Stage::Misdeal;
                round.ask(0, Ask::Misdeal);
            }
        }
        None => offer_revolution(round),
    }
}

/// Applies the Greater Dalmuti's decision to leave the exposed card with its receiver.
pub fn keep_misdeal(round: &mut Round) {
    decide_misdeal(round, ExposedFate::Kept);
}

/// Applies the decision to give the exposed card to the Greater Peon, who gives its receiver a random card in return.
pub fn misdeal_to_peon(round: &mut Round) {
    let peon = usize::from(round.table.greater_peon());
    let card = round.rng.draw(|draw| random_card(&round.own[peon].hand, draw));
    replace(round, card);
    decide_misdeal(round, ExposedFate::ToPeon);
}

/// Swaps the exposed card with a card of the Greater Peon.
pub(super) fn replace(round: &mut Round, card: usize) {
    let Some(exposed) = round.table.exposed else { return };
    let peon = usize::from(round.table.greater_peon());
    let receiver = usize::from(round.table.position[exposed.receiver.index()]);
    let rank = usize::from(exposed.rank);
    round.own[receiver].hand.0[rank] -= 1;
    round.own[peon].hand.0[rank] += 1;
    round.own[peon].hand.0[card] -= 1;
    round.own[receiver].hand.0[card] += 1;
    round.own[peon].replacement = Some(card as u8);
    round.own[receiver].replacement = Some(card as u8);
}

/// Records the decision about the exposed card, and continues with the revolution.
pub(super) fn decide_misdeal(round: &mut Round, decided: ExposedFate) {
    round.own[0].ask = Ask::Nothing;
    if let Some(exposed) = &mut round.table.exposed {
        exposed.fate = decided;
    }
    round.table.stage = Stage::Dealt;
    offer_revolution(round);
}

fn offer_revolution(round: &mut Round) {
    let peon = round.table.greater_peon();
    let holder = (0..round.table.players()).find(|&p| round.own[usize::from(p)].hand.0[JESTER] == 2);
    match holder {
        Some(p) if !round.table.first_deal_revolution() || p == peon => round.ask(p, Ask::Revolution),
        _ => no_revolution(round),
    }
}

fn no_revolution(round: &mut Round) {
    if round.table.taxes() { start_taxes(round) } else { round.table.stage = Stage::Play }
}

/// The holder of both Jesters calls no revolution.
pub fn decline_revolution(round: &mut Round) {
    round.own[usize::from(round.asking)].ask = Ask::Nothing;
    no_revolution(round);
}

/// The holder of both Jesters calls a revolution.
pub fn call_revolution(round: &mut Round) {
    let holder = round.asking;
    round.own[usize::from(holder)].ask = Ask::Nothing;
    round.table.stage = Stage::Play;
    round.table.caller = Some(round.table.order[usize::from(holder)]);
    if holder == round.table.greater_peon() {
        round.table.revolution = Revolution::Greater;
        reverse_positions(round);
    } else {
        round.table.revolution = Revolution::Revolution;
    }
}

/// Reverses the positions of all players. Hands stay with their players.
fn reverse_positions(round: &mut Round) {
    let n = usize::from(round.table.players());
    round.own[..n].reverse();
    round.table.order[..n].reverse();
    for (p, &Seat(seat)) in round.table.order[..n].iter().enumerate() {
        round.table.position[usize::from(seat)] = p as u8;
    }
}

// Taxes and the merchant exchange.

fn start_taxes(round: &mut Round) {
    round.table.stage = Stage::Taxes;
    for (dalmuti, peon, _) in pairs(round.table.players()) {
        round.own[usize::from(dalmuti)].partner = Some(peon);
        round.own[usize::from(peon)].partner = Some(dalmuti);
    }
    if round.table.rules.tax_visibility == TaxVisibility::Seen {
        move_tributes(round);
    }
    round.ask(0, Ask::Tax);
}

fn move_tributes(round: &mut Round) {
    for (dalmuti, peon, k) in pairs(round.table.players()) {
        let cards = tribute(&round.own[usize::from(peon)].hand, k);
        give(round, peon, dalmuti, &cards);
        round.own[usize::from(peon)].given = cards;
    }
}

/// Moves cards from one position to another and records them as received.
fn give(round: &mut Round, from: u8, to: u8, cards: &Cards) {
    round.own[usize::from(from)].hand.remove(cards);
    round.own[usize::from(to)].hand.add(cards);
    round.own[usize::from(to)].received.add(cards);
}

/// Picks a card to give for the player who is asked.
pub fn pick(round: &mut Round, rank: Rank) {
    let own = &mut round.own[usize::from(round.asking)];
    own.given.0[rank.get()] += 1;
    match own.ask {
        Ask::Tax => picked_tax(round),
        Ask::Exchange => picked_exchange(round),
        Ask::Nothing | Ask::Misdeal | Ask::Revolution | Ask::Offer => {}
    }
}

/// Continues after a Dalmuti's pick of a card to return.
fn picked_tax(round: &mut Round) {
    let (dalmuti, _, k) = pairs(round.table.players())[usize::from(round.asking)];
    let own = &mut round.own[usize::from(dalmuti)];
    if own.given.total() < u32::from(k) {
        return;
    }
    own.ask = Ask::Nothing;
    if dalmuti == 0 {
        round.ask(1, Ask::Tax);
    } else if round.table.rules.merchant_exchange != MerchantExchange::Off && round.table.players() >= 6 {
        round.ask(PROPOSER, Ask::Offer);
    } else {
        finish_taxes(round);
    }
}

/// The highest Merchant exchanges no card.
pub fn keep_cards(round: &mut Round) {
    round.own[usize::from(PROPOSER)].ask = Ask::Nothing;
    finish_taxes(round);
}

/// The highest Merchant starts an exchange with another Merchant.
pub fn propose(round: &mut Round, with: Merchant) {
    let target = with.position();
    round.table.exchange = Some(target);
    round.own[usize::from(PROPOSER)].partner = Some(target);
    round.own[usize::from(target)].partner = Some(PROPOSER);
    round.ask(PROPOSER, Ask::Exchange);
}

/// Continues after a Merchant's pick of a card to give.
fn picked_exchange(round: &mut Round) {
    round.own[usize::from(round.asking)].ask = Ask::Nothing;
    match round.table.exchange {
        Some(target) if round.asking == PROPOSER => {
            if round.table.rules.merchant_exchange == MerchantExchange::BlindRandom {
                let hand = round.own[usize::from(target)].hand;
                let card = round.rng.draw(|draw| random_card(&hand, draw));
                round.own[usize::from(target)].given = Cards::one(card);
                finish_taxes(round);
            } else {
                round.ask(target, Ask::Exchange);
            }
        }
        _ => finish_taxes(round),
    }
}

/// Moves all cards that have not moved yet, and starts the play.
pub(super) fn finish_taxes(round: &mut Round) {
    if round.table.rules.tax_visibility == TaxVisibility::Sealed {
        move_tributes(round);
    }
    for (dalmuti, peon, _) in pairs(round.table.players()) {
        let cards = round.own[usize::from(dalmuti)].given;
        give(round, dalmuti, peon, &cards);
    }
    if let Some(target) = round.table.exchange {
        let (offered, returned) =
            (round.own[usize::from(PROPOSER)].given, round.own[usize::from(target)].given);
        give(round, PROPOSER, target, &offered);
        give(round, target, PROPOSER, &returned);
    }
    round.table.stage = Stage::Play;
}
