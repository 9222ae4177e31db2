//! How a deal is scored.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Payoff;

use super::bids::BidKind;
use super::deck::Card;
use super::roem::true_roem;
use super::rules::{
    BonusScope, DiscardPoints, Overclaim, PLAYERS, PartnerShare, PointScore, REWARD_SCALE, Reward,
    RoemClaims, RoundHalf, Rules, SoloDoubleScope,
};
use super::state::{
    ALL_SEATS, AskedCard, BIDDER, HAND, PARTNER, PerSeat, PlayState, Round, SEATS, SessionState, clockwise,
};

/// Number of tricks that a zwabber must win before a partner can emerge.
const ZWABBER_TRICKS: usize = 5;

/// Returns the winners of the tricks played, in order.
fn winners(play: &PlayState) -> &[Seat] {
    &play.leaders[1..=play.trick()]
}

/// Returns whether the last trick makes its winner the partner of a zwabber. It must be the first trick that
/// the bidder did not win, after at least five wins.
pub(super) fn emerges(play: &PlayState, bidder: Seat) -> bool {
    let lost = winners(play).iter().position(|&seat| seat != bidder);
    lost.is_some_and(|first| first >= ZWABBER_TRICKS && first + 1 == play.trick())
}

/// Returns whether the tricks played so far lose a fixed contract.
#[inline]
pub(super) fn is_lost(play: &PlayState, kind: BidKind, bidder: Seat) -> bool {
    match kind {
        BidKind::Points(_) => false,
        BidKind::Zwabber => {
            let winners = winners(play);
            let Some(first) = winners.iter().position(|&seat| seat != bidder) else { return false };
            first < ZWABBER_TRICKS || winners[first..].iter().any(|&seat| seat != winners[first])
        }
        kind if kind.is_misere() => play.won[bidder.index()] > 0,
        _ => usize::from(play.won[bidder.index()]) < play.trick(),
    }
}

/// The result of a finished deal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct DealOutcome {
    /// Points of each seat.
    pub points: PerSeat<i32>,
    /// Whether the contract was made.
    pub made: bool,
    /// Card points of the side, before rounding; 0 for fixed contracts.
    pub raw: u16,
    /// Total of the side, rounded, with roem and bonus; 0 for fixed contracts.
    pub total: i32,
}

/// Rounds card points to a multiple of ten.
pub(super) fn rounded(raw: u16, half: RoundHalf) -> i32 {
    let up = match half {
        RoundHalf::Down => 4,
        RoundHalf::Up => 5,
    };
    i32::from((raw + up) / 10 * 10)
}

/// Returns the value of a roem claim.
fn counted(rules: &Rules, claim: u16, truth: u16) -> u16 {
    if rules.roem_claims != RoemClaims::FreeClaim || claim <= truth {
        return claim;
    }
    match rules.overclaim {
        Overclaim::Void => 0,
        Overclaim::Correct => truth,
        Overclaim::Undetected => claim,
    }
}

/// Returns the result of a finished deal, or `None` if no player bid.
pub(super) fn outcome(round: &Round) -> Option<DealOutcome> {
    let table = &round.table;
    let (bidder, kind) = (table.bidder()?, table.contract()?);
    Some(match kind {
        BidKind::Points(bid) => points(round, bidder, i32::from(bid)),
        fixed => fixed_contract(round, bidder, fixed),
    })
}

fn points(round: &Round, bidder: Seat, bid: i32) -> DealOutcome {
    let table = &round.table;
    let (rules, play) = (&table.rules, &table.play);
    let side = [Some(bidder), table.partner];
    let members = || side.iter().flatten().map(|seat| seat.index());
    let discard = round.own[bidder.index()].discard.filter(|_| rules.discard_points == DiscardPoints::Side);
    let aside = discard.map_or(0, |card: Card| u16::from(card.value(table.trump())));
    let raw = members().map(|seat| u16::from(play.points[seat])).sum::<u16>() + aside;
    let all_tricks = members().map(|seat| usize::from(play.won[seat])).sum::<usize>() == HAND;
    let roem: u16 = [BIDDER, PARTNER]
        .into_iter()
        .filter_map(|whose| {
            let (seat, claim) = (side[whose]?, table.roem[whose]?);
            Some(counted(rules, claim, true_roem(table, whose, &round.own[seat.index()], seat)))
        })
        .sum();
    let bonus = if all_tricks { i32::from(rules.all_tricks_bonus) } else { 0 };
    let total = rounded(raw, rules.round_half) + i32::from(roem) + bonus;
    let made = total >= bid;
    let score = match rules.point_score {
        PointScore::Difference => total - bid,
        PointScore::Bid if made => bid,
        PointScore::Bid => -bid,
    };
    let doubled = if table.asked == AskedCard::Solo { 2 * score } else { score };
    DealOutcome { points: booked(rules, doubled, side), made, raw, total }
}

fn fixed_contract(round: &Round, bidder: Seat, kind: BidKind) -> DealOutcome {
    let table = &round.table;
    let (rules, play) = (&table.rules, &table.play);
    let made = !is_lost(play, kind, bidder);
    let partner = if kind == BidKind::Zwabber { table.partner } else { None };
    let tricks = play.won[bidder.index()] + partner.map_or(0, |seat| play.won[seat.index()]);
    let bonus = made && usize::from(tricks) == HAND && rules.bonus_scope == BonusScope::AnyWon;
    let worth = kind.worth() + if bonus { i32::from(rules.all_tricks_bonus) } else { 0 };
    let alone = kind == BidKind::Zwabber && partner.is_none();
    let factor = if alone && rules.solo_double_scope == SoloDoubleScope::ZwabberToo { 2 } else { 1 };
    let score = factor * if made { worth } else { -worth };
    DealOutcome { points: booked(rules, score, [Some(bidder), partner]), made, raw: 0, total: 0 }
}

/// Returns the points of each seat. Members of the side get the full score, or half each if partners share
/// it.
fn booked(rules: &Rules, score: i32, side: [Option<Seat>; 2]) -> PerSeat<i32> {
    let halved = rules.partner_share == PartnerShare::Split && side[1].is_some();
    let mut points = [0; SEATS];
    for seat in side.into_iter().flatten() {
        points[seat.index()] = if halved { score / 2 } else { score };
    }
    points
}

/// Returns places, points and rewards of a finished deal, and updates the standing for the next dealer.
pub(super) fn settle(round: &Round, standing: &mut SessionState) -> Payoff {
    let table = &round.table;
    let points = outcome(round).map_or([0; SEATS], |outcome| outcome.points);
    let all: i32 = points.iter().sum();
    let mut payoff = Payoff { seats: PLAYERS, ..Payoff::default() };
    for seat in ALL_SEATS.map(Seat::index) {
        let mine = points[seat];
        payoff.place[seat] = 1 + points.iter().filter(|&&other| other > mine).count() as u8;
        payoff.points[seat] = mine;
        payoff.reward[seat] = match table.rules.shaping.reward {
            Reward::Points => mine as f32 / REWARD_SCALE,
            Reward::Relative => (4 * mine - all) as f32 / (3.0 * REWARD_SCALE),
        };
    }
    let scores = std::array::from_fn(|seat| table.scores[seat] + points[seat]);
    *standing = SessionState { deals: table.deal, dealer: clockwise(table.dealer, 1), scores };
    payoff
}
