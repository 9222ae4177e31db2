//! Options of Tachtigen.

mod choices;
mod options;

use serde::{Deserialize, Serialize};

use super::ladder::{Kind, MOST_POINTS};
use crate::ground::rng::Draw;

pub use choices::*;
pub use options::OPTIONS;

/// Players at a table.
pub const PLAYERS: u8 = 4;
/// Deals that are thrown in for want of a bid, at most.
pub const MOST_REDEALS: u8 = 20;
/// Points to one unit of reward.
pub const REWARD_SCALE: f32 = 100.0;

/// The rules of a session of Tachtigen; [`OPTIONS`] says what each option does.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Number of players: 4.
    pub players: u8,
    /// In which order players may open.
    pub opening_order: OpeningOrder,
    /// What happens when nobody opens.
    pub all_hold: AllHold,
    /// The most points that can be bid: 220 to 710, a multiple of 10.
    pub max_point_bid: u16,
    /// Trump in points contracts.
    pub trump_points: TrumpRule,
    /// Trump in a zwabber.
    pub trump_zwabber: TrumpRule,
    /// Trump in misère, ouverte and both praatjes.
    pub trump_misere: TrumpRule,
    /// Trump in both privés.
    pub trump_prive: TrumpRule,
    /// Which cards may be asked for.
    pub ask_scope: AskScope,
    /// Whether the card put aside may be asked for.
    pub ask_discard: bool,
    /// Who leads to the first trick.
    pub first_leader: FirstLeader,
    /// Whether one may trump a plain suit that one could follow.
    pub ruff_while_able: bool,
    /// Whether who cannot follow must trump, over trumps in the trick.
    pub must_ruff_when_void: bool,
    /// Whether a lower trump may be played on a higher one.
    pub undertrump: Undertrump,
    /// Whether a trump lead must be overtaken.
    pub must_overtake_trump_lead: bool,
    /// Trump leads on which a lone jack may stay in hand, 0 to 99.
    pub jack_exempt_count: u8,
    /// Whether a lone jack need not trump a plain suit.
    pub jack_exempt_ruff: bool,
    /// Whether a trump wins a called trick when its player had nothing else.
    pub forced_trump_wins_called: bool,
    /// How combinations may share cards.
    pub roem_overlap: RoemOverlap,
    /// Whether three or four tens count as roem.
    pub honour_tens: bool,
    /// The cards that the partner's roem is counted in.
    pub partner_roem_basis: PartnerRoemBasis,
    /// How roem is announced.
    pub roem_claims: RoemClaims,
    /// What becomes of a claim beyond the truth.
    pub overclaim: Overclaim,
    /// Where exact fives are rounded to.
    pub round_half: RoundHalf,
    /// Whether the card put aside counts.
    pub discard_points: DiscardPoints,
    /// Bonus for all tricks: 0 to 500, a multiple of 10.
    pub all_tricks_bonus: u16,
    /// Where that bonus is paid.
    pub bonus_scope: BonusScope,
    /// Where playing alone counts double.
    pub solo_double_scope: SoloDoubleScope,
    /// What a points contract is worth.
    pub point_score: PointScore,
    /// How bidder and partner share a score.
    pub partner_share: PartnerShare,
    /// Whether play stops when a fixed contract is decided.
    pub early_stop: bool,
    /// Deals in a session, 1 to 1000.
    pub deals: u16,
    /// What a learner maximises.
    pub reward: Reward,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            players: PLAYERS,
            opening_order: OpeningOrder::Forehand,
            all_hold: AllHold::EndZero,
            max_point_bid: MOST_POINTS,
            trump_points: TrumpRule::Named,
            trump_zwabber: TrumpRule::Named,
            trump_misere: TrumpRule::Named,
            trump_prive: TrumpRule::Named,
            ask_scope: AskScope::AnyHeldSuit,
            ask_discard: false,
            first_leader: FirstLeader::Bidder,
            ruff_while_able: true,
            must_ruff_when_void: true,
            undertrump: Undertrump::OnlyIfForced,
            must_overtake_trump_lead: false,
            jack_exempt_count: 2,
            jack_exempt_ruff: false,
            forced_trump_wins_called: false,
            roem_overlap: RoemOverlap::Full,
            honour_tens: false,
            partner_roem_basis: PartnerRoemBasis::InitialHand,
            roem_claims: RoemClaims::Auto,
            overclaim: Overclaim::Void,
            round_half: RoundHalf::Down,
            discard_points: DiscardPoints::None,
            all_tricks_bonus: 50,
            bonus_scope: BonusScope::PointsOnly,
            solo_double_scope: SoloDoubleScope::PointsOnly,
            point_score: PointScore::Difference,
            partner_share: PartnerShare::Full,
            early_stop: true,
            deals: 1,
            reward: Reward::Relative,
        }
    }
}

impl Rules {
    /// The named preset `rotterdam`: strict following. Suit must be followed, who cannot must trump,
    /// higher if possible and lower if not, and trump leads must be overtaken.
    pub fn rotterdam() -> Self {
        Self {
            ruff_while_able: false,
            must_ruff_when_void: true,
            undertrump: Undertrump::CompulsoryIfOnlyLower,
            must_overtake_trump_lead: true,
            ..Self::default()
        }
    }

    /// The named preset `pandoer`: nobody ever has to trump, and a lone trump jack never has to fall.
    pub fn pandoer() -> Self {
        Self {
            ruff_while_able: true,
            must_ruff_when_void: false,
            undertrump: Undertrump::OnlyIfForced,
            must_overtake_trump_lead: false,
            jack_exempt_count: 99,
            jack_exempt_ruff: true,
            ..Self::default()
        }
    }

    /// Whether contracts of this kind have trump.
    pub fn trump_rule(&self, kind: Kind) -> TrumpRule {
        match kind {
            Kind::Points(_) => self.trump_points,
            Kind::Zwabber => self.trump_zwabber,
            kind if kind.is_prive() => self.trump_prive,
            _ => self.trump_misere,
        }
    }
}

impl crate::ground::rules::Rules for Rules {
    const OPTIONS: &'static [crate::ground::rules::OptionDoc] = OPTIONS;
    const PLAYERS: std::ops::RangeInclusive<u8> = PLAYERS..=PLAYERS;
    const ROUNDS_OPTION: &'static str = "deals";

    fn check(&self) -> Result<(), crate::ground::rules::RulesError> {
        options::check(self)
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.deals)
    }

    fn random(draw: &mut Draw) -> Self {
        const COIN: &[bool] = &[false, true];
        // Half of the rules leave the follow rules as they are, or are a preset: what is played most
        // is tested most.
        let base = match draw.below(8) {
            0 => Self::rotterdam(),
            1 => Self::pandoer(),
            2 | 3 => Self::default(),
            _ => Self {
                ruff_while_able: draw.pick(COIN),
                must_ruff_when_void: draw.pick(COIN),
                undertrump: draw.pick(Undertrump::ALL),
                must_overtake_trump_lead: draw.pick(COIN),
                jack_exempt_count: draw.pick(&[0, 1, 2, 99]),
                jack_exempt_ruff: draw.pick(COIN),
                forced_trump_wins_called: draw.pick(COIN),
                ..Self::default()
            },
        };
        Self {
            players: PLAYERS,
            opening_order: draw.pick(OpeningOrder::ALL),
            all_hold: draw.pick(AllHold::ALL),
            max_point_bid: draw.pick(&[220, 300, 400, MOST_POINTS]),
            trump_points: draw.pick(TrumpRule::ALL),
            trump_zwabber: draw.pick(TrumpRule::ALL),
            trump_misere: draw.pick(TrumpRule::ALL),
            trump_prive: draw.pick(TrumpRule::ALL),
            ask_scope: draw.pick(AskScope::ALL),
            ask_discard: draw.pick(COIN),
            first_leader: draw.pick(FirstLeader::ALL),
            roem_overlap: draw.pick(RoemOverlap::ALL),
            honour_tens: draw.pick(COIN),
            partner_roem_basis: draw.pick(PartnerRoemBasis::ALL),
            roem_claims: draw.pick(RoemClaims::ALL),
            overclaim: draw.pick(Overclaim::ALL),
            round_half: draw.pick(RoundHalf::ALL),
            discard_points: draw.pick(DiscardPoints::ALL),
            all_tricks_bonus: draw.pick(&[0, 50, 100]),
            bonus_scope: draw.pick(BonusScope::ALL),
            solo_double_scope: draw.pick(SoloDoubleScope::ALL),
            point_score: draw.pick(PointScore::ALL),
            partner_share: draw.pick(PartnerShare::ALL),
            early_stop: draw.pick(COIN),
            deals: 1 + draw.below(3) as u16,
            reward: draw.pick(Reward::ALL),
            ..base
        }
    }
}
