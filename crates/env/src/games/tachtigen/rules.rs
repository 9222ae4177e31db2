//! Options of Tachtigen.

mod choices;

use super::ladder::{Kind, MOST_POINTS};
use crate::ground::rng::Draw;
use crate::ground::rules::{OptionDoc, RulesError};
use crate::options;

pub use choices::*;

/// Players at a table.
pub(super) const PLAYERS: u8 = 4;
/// Deals that are thrown in for want of a bid, at most.
pub(super) const MOST_REDEALS: u8 = 20;
/// Points to one unit of reward.
pub(super) const REWARD_SCALE: f32 = 100.0;

options! {
    /// The rules of a session of Tachtigen.
    Rules {
        /// Number of players; Tachtigen is a game for four.
        players: u8 = PLAYERS, whole(4..=PLAYERS);
        /// In which order players may make the first bid: from the dealer's left, or in an order drawn for
        /// each deal.
        opening_order: OpeningOrder = OpeningOrder::Forehand, choice, shown(number);
        /// If nobody makes a first bid the deal ends and is worth nothing, or the next dealer deals again
        /// (at most 20 times).
        all_hold: AllHold = AllHold::EndZero, choice, shown(number);
        /// The most points that can be bid. With the usual bonus no side can ever score more than 710.
        max_point_bid: u16 = MOST_POINTS, multiple(10, 220..=MOST_POINTS), drawn(|draw| draw.pick(&[220, 300, 400, MOST_POINTS]));
        /// Whether points contracts have trump, and whether the bidder may do without.
        trump_points: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// The same for a zwabber.
        trump_zwabber: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// The same for misere, ouverte and both praatjes.
        trump_misere: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// The same for both prives.
        trump_prive: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// Which cards the bidder may ask for: any of a suit he holds, or only aces; kings if no ace can
        /// be asked for, and so on down.
        ask_scope: AskScope = AskScope::AnyHeldSuit, choice, shown(number);
        /// Whether the bidder may ask for the card he put aside: then nobody is his partner.
        ask_discard: bool = false, switch, shown(true);
        /// Who leads to the first trick: the bidder, or the player on the dealer's left.
        first_leader: FirstLeader = FirstLeader::Bidder, choice, shown(number);
        /// Whether a plain suit may be trumped by who could follow it.
        ruff_while_able: bool = true, switch, shown(true);
        /// Whether who cannot follow must trump, and overtrump, if he can.
        must_ruff_when_void: bool = true, switch, shown(true);
        /// Whether a trump lower than one in the trick may be played: only by who has nothing else; it
        /// must be, by who is void and must ruff; or always.
        undertrump: Undertrump = Undertrump::OnlyIfForced, choice, shown(number);
        /// Whether a trump lead must be beaten by who can.
        must_overtake_trump_lead: bool = false, switch, shown(true);
        /// On how many trump leads a player may keep the trump jack if it is his only trump.
        jack_exempt_count: u8 = 2, whole(0..=99), drawn(|draw| draw.pick(&[0, 1, 2, 99]));
        /// Whether a trump jack that is a player's only trump may also be kept when he would have to trump
        /// a plain suit.
        jack_exempt_ruff: bool = false, switch, shown(true);
        /// Whether a trump wins a trick in which the asked card was called, when its player had nothing
        /// else.
        forced_trump_wins_called: bool = false, switch, shown(true);
        /// Whether runs and sets may share cards, or every card counts in one of them.
        roem_overlap: RoemOverlap = RoemOverlap::Full, choice, shown(number);
        /// Whether three or four tens count as roem like aces, kings and queens.
        honour_tens: bool = false, switch, shown(true);
        /// Whether the partner's roem is counted in the cards he was dealt, or in those he holds when he
        /// plays the asked card.
        partner_roem_basis: PartnerRoemBasis = PartnerRoemBasis::InitialHand, choice, shown(number);
        /// Roem is announced by itself; or the player chooses between the truth and nothing; or he claims
        /// what he likes.
        roem_claims: RoemClaims = RoemClaims::Auto, choice, shown(number);
        /// What a claim beyond the truth counts under free_claim: nothing, the truth, or what was claimed.
        overclaim: Overclaim = Overclaim::Void, choice, shown(number);
        /// Where points that end in 5 are rounded to.
        round_half: RoundHalf = RoundHalf::Down, choice, shown(number);
        /// Whether the card put aside counts for nobody or for the bidder's side.
        discard_points: DiscardPoints = DiscardPoints::None, choice, shown(number);
        /// What all eight tricks are worth beyond their points.
        all_tricks_bonus: u16 = 50, multiple(10, 0..=500), drawn(|draw| draw.pick(&[0, 50, 100]));
        /// Whether that bonus belongs to points contracts, or is added to every contract made with all
        /// tricks.
        bonus_scope: BonusScope = BonusScope::PointsOnly, choice, shown(number);
        /// Whether playing alone counts double in points contracts only, or in a zwabber that ends without
        /// a partner too.
        solo_double_scope: SoloDoubleScope = SoloDoubleScope::PointsOnly, choice, shown(number);
        /// Whether a points contract is worth the difference to the bid, or the bid.
        point_score: PointScore = PointScore::Difference, choice, shown(number);
        /// Whether bidder and partner each get the whole score, or half of it.
        partner_share: PartnerShare = PartnerShare::Full, choice, shown(number);
        /// Whether play stops as soon as a contract other than points is lost.
        early_stop: bool = true, switch, shown(true);
        /// Deals in a session.
        deals: u16 = 1, whole(1..=1000), drawn(|draw| 1 + draw.below(3) as u16);
    }
    /// What shapes observation rows and rewards, and nothing that is played.
    Shaping {
        /// What a learner maximises per deal, in hundreds: its points less the mean of the other three's,
        /// or its points.
        reward: Reward = Reward::Relative, choice, shown(number);
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
    pub(super) fn trump_rule(&self, kind: Kind) -> TrumpRule {
        match kind {
            Kind::Points(_) => self.trump_points,
            Kind::Zwabber => self.trump_zwabber,
            kind if kind.is_prive() => self.trump_prive,
            _ => self.trump_misere,
        }
    }
}

impl crate::ground::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ROUNDS_OPTION: &'static str = "deals";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.deals)
    }

    fn random(draw: &mut Draw) -> Self {
        let drawn = Self::drawn(draw);
        // Half of the rules leave the follow rules as they are, or are a preset: what is played most
        // is tested most.
        let preset = match draw.below(8) {
            0 => Self::rotterdam(),
            1 => Self::pandoer(),
            2 | 3 => Self::default(),
            _ => return drawn,
        };
        Self {
            ruff_while_able: preset.ruff_while_able,
            must_ruff_when_void: preset.must_ruff_when_void,
            undertrump: preset.undertrump,
            must_overtake_trump_lead: preset.must_overtake_trump_lead,
            jack_exempt_count: preset.jack_exempt_count,
            jack_exempt_ruff: preset.jack_exempt_ruff,
            forced_trump_wins_called: preset.forced_trump_wins_called,
            ..drawn
        }
    }
}
