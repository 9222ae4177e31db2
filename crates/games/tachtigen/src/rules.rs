//! The rules options of Tachtigen, and the choices that they have.

use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{OptionDoc, RulesError};
use cardsharp_engine::{choices, options};

use super::bids::{BidKind, MOST_POINTS};

pub(super) const PLAYERS: u8 = 4;
/// The most deals that are repeated because no player opens.
pub(super) const MOST_REDEALS: u8 = 20;
/// Points for one unit of reward.
pub(super) const REWARD_SCALE: f32 = 100.0;

options! {
    /// The rules of a session of Tachtigen.
    Rules {
        /// Number of players; Tachtigen is a game for four.
        players: u8 = PLAYERS, whole(4..=PLAYERS);
        /// The order in which players may open: from the dealer's left (forehand), or drawn for each deal (random).
        opening_order: OpeningOrder = OpeningOrder::Forehand, choice, shown(number);
        /// If no player opens: the deal ends and everybody scores 0 (end_zero), or the next dealer deals again,
        /// at most 20 times (redeal).
        all_hold: AllHold = AllHold::EndZero, choice, shown(number);
        /// The highest bid of points. With the default bonus no side can score more than 710.
        max_point_bid: u16 = MOST_POINTS, multiple(10, 220..=MOST_POINTS), drawn(|draw| draw.pick(&[220, 300, 400, MOST_POINTS]));
        /// Trump in points contracts: the bidder names a suit (named), may also play without trump
        /// (named_or_none), or there is no trump (none).
        trump_points: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// The same as trump_points for a zwabber.
        trump_zwabber: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// The same as trump_points for misere, ouverte and both praatjes.
        trump_misere: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// The same as trump_points for both prives.
        trump_prive: TrumpRule = TrumpRule::Named, choice, shown(number);
        /// Cards the bidder may ask for: any card of a suit they hold (any_held_suit), or only aces, kings if no
        /// ace can be asked for, and so on down (aces_first).
        ask_scope: AskScope = AskScope::AnyHeldSuit, choice, shown(number);
        /// Whether the bidder may ask for the card they put aside. Then the bidder has no partner.
        ask_discard: bool = false, switch, shown(true);
        /// Who leads to the first trick: the bidder, or the player on the dealer's left.
        first_leader: FirstLeader = FirstLeader::Bidder, choice, shown(number);
        /// Whether players who can follow a plain suit may trump it.
        ruff_while_able: bool = true, switch, shown(true);
        /// Whether players who cannot follow must trump, and overtrump, if they can.
        must_ruff_when_void: bool = true, switch, shown(true);
        /// Whether a trump lower than one in the trick may be played. With only_if_forced, only players who have
        /// nothing else may. With compulsory_if_only_lower, players who are void and must ruff have to. With free,
        /// all may.
        undertrump: Undertrump = Undertrump::OnlyIfForced, choice, shown(number);
        /// Whether players must beat a trump lead if they can.
        must_overtake_trump_lead: bool = false, switch, shown(true);
        /// The number of trump leads to which a player need not play the trump jack, if it is their only trump.
        jack_exempt_count: u8 = 2, whole(0..=99), drawn(|draw| draw.pick(&[0, 1, 2, 99]));
        /// Whether a player whose only trump is the jack need not trump a plain suit with it.
        jack_exempt_ruff: bool = false, switch, shown(true);
        /// Whether a trump can win a trick in which the asked card was called, if its player had nothing else.
        forced_trump_wins_called: bool = false, switch, shown(true);
        /// Whether runs and sets may share cards (full), or each card counts in one of them only (exclusive).
        roem_overlap: RoemOverlap = RoemOverlap::Full, choice, shown(number);
        /// Whether three or four tens count as roem like aces, kings and queens.
        honour_tens: bool = false, switch, shown(true);
        /// Cards in which the partner's roem is counted: the dealt hand (initial_hand), or the cards held when
        /// the asked card is played (current_hand).
        partner_roem_basis: PartnerRoemBasis = PartnerRoemBasis::InitialHand, choice, shown(number);
        /// How roem is announced: automatically (auto), the true total or nothing (truthful_choice), or any total
        /// that the player claims (free_claim).
        roem_claims: RoemClaims = RoemClaims::Auto, choice, shown(number);
        /// The value of a claim that is too high under free_claim: nothing (void), the truth (correct), or the
        /// claim (undetected).
        overclaim: Overclaim = Overclaim::Void, choice, shown(number);
        /// How points that end in 5 are rounded to tens.
        round_half: RoundHalf = RoundHalf::Down, choice, shown(number);
        /// Whether the card put aside counts for neither side (none) or for the bidder's side (side).
        discard_points: DiscardPoints = DiscardPoints::None, choice, shown(number);
        /// The bonus for winning all eight tricks.
        all_tricks_bonus: u16 = 50, multiple(10, 0..=500), drawn(|draw| draw.pick(&[0, 50, 100]));
        /// Whether this bonus applies to points contracts only (points_only), or to every contract made with all
        /// tricks (any_won).
        bonus_scope: BonusScope = BonusScope::PointsOnly, choice, shown(number);
        /// Whether playing alone counts double in points contracts only (points_only), or also in a zwabber that
        /// ends without a partner (zwabber_too).
        solo_double_scope: SoloDoubleScope = SoloDoubleScope::PointsOnly, choice, shown(number);
        /// Whether a points contract scores the difference to the bid (difference), or the bid itself (bid).
        point_score: PointScore = PointScore::Difference, choice, shown(number);
        /// Whether bidder and partner each get the whole score (full), or half of it (split).
        partner_share: PartnerShare = PartnerShare::Full, choice, shown(number);
        /// Whether play stops as soon as a contract other than points is lost.
        early_stop: bool = true, switch, shown(true);
        /// Deals in a session.
        deals: u16 = 1, whole(1..=1000), drawn(|draw| 1 + draw.below(3) as u16);
    }
    /// Options that change only observation rows and rewards.
    Shaping {
        /// The reward of a learner per deal, in hundreds: its points minus the mean of the other three's
        /// (relative), or its points (points).
        reward: Reward = Reward::Relative, choice, shown(number);
    }
}

impl Rules {
    /// The rule set `rotterdam` with strict following. Players must follow suit; if they cannot, they must
    /// trump, with a higher trump if possible and a lower one otherwise. They must overtake trump leads.
    pub fn rotterdam() -> Self {
        Self {
            ruff_while_able: false,
            must_ruff_when_void: true,
            undertrump: Undertrump::CompulsoryIfOnlyLower,
            must_overtake_trump_lead: true,
            ..Self::default()
        }
    }

    /// The rule set `pandoer`: no player ever has to trump, and a lone trump jack may always stay in hand.
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

    /// Returns the option that says how contracts of this kind choose trump.
    pub(super) fn trump_rule(&self, kind: BidKind) -> TrumpRule {
        match kind {
            BidKind::Points(_) => self.trump_points,
            BidKind::Zwabber => self.trump_zwabber,
            kind if kind.is_prive() => self.trump_prive,
            _ => self.trump_misere,
        }
    }
}

impl cardsharp_engine::rules::Rules for Rules {
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
        // In half of the draws, take the follow rules from the defaults or a rule set, to test the most
        // common rules most.
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

// The choices that options have.

choices! {
    /// The order in which players may open.
    OpeningOrder {
        /// From the dealer's left, clockwise.
        Forehand,
        /// Drawn for each deal.
        Random,
    }
}

choices! {
    /// What happens if no player opens.
    AllHold {
        /// The deal ends, and everybody scores 0.
        EndZero,
        /// The next dealer deals again, at most 20 times.
        Redeal,
    }
}

choices! {
    /// Whether a contract has trump.
    TrumpRule {
        /// The bidder names a suit.
        Named,
        /// The bidder names a suit, or plays without trump.
        NamedOrNone,
        /// There is no trump.
        None,
    }
}

choices! {
    /// Which cards the bidder may ask for.
    AskScope {
        /// Any card of a suit that the bidder holds.
        AnyHeldSuit,
        /// Only aces of suits that the bidder holds; kings if no ace can be asked for, and so on down.
        AcesFirst,
    }
}

choices! {
    /// Who leads to the first trick.
    FirstLeader {
        /// The bidder leads first.
        Bidder,
        /// The player on the dealer's left.
        Forehand,
    }
}

choices! {
    /// Whether a player may, or must, play a trump lower than one in the trick.
    Undertrump {
        /// Only players who have nothing else may.
        OnlyIfForced,
        /// Players who are void, must ruff and hold only lower trumps have to.
        CompulsoryIfOnlyLower,
        /// Every player may, except a player who must trump higher and can.
        Free,
    }
}

choices! {
    /// Whether combinations of roem may share cards.
    RoemOverlap {
        /// A card may count in a run, a set and stuk.
        Full,
        /// A card counts in one run or one set, and also in stuk.
        Exclusive,
    }
}

choices! {
    /// The cards in which the partner's roem is counted.
    PartnerRoemBasis {
        /// The eight dealt cards.
        InitialHand,
        /// The cards in hand when the asked card is played, that card included.
        CurrentHand,
    }
}

choices! {
    /// How roem is announced.
    RoemClaims {
        /// The true total is announced automatically.
        Auto,
        /// The player announces the true total, or nothing.
        TruthfulChoice,
        /// The player announces any total.
        FreeClaim,
    }
}

choices! {
    /// The value of a claim that is too high.
    Overclaim {
        /// It counts for nothing.
        Void,
        /// The true total counts.
        Correct,
        /// The claim counts as announced.
        Undetected,
    }
}

choices! {
    /// How points that end in 5 are rounded to tens.
    RoundHalf {
        /// Half points are rounded down.
        Down,
        /// Half points are rounded up.
        Up,
    }
}

choices! {
    /// For which side the card put aside counts.
    DiscardPoints {
        /// They count for neither side.
        None,
        /// For the bidder's side.
        Side,
    }
}

choices! {
    /// The contracts that get the bonus for winning all eight tricks.
    BonusScope {
        /// Points contracts, where it counts toward the bid.
        PointsOnly,
        /// Every contract made with all tricks.
        AnyWon,
    }
}

choices! {
    /// The contracts in which playing alone counts double.
    SoloDoubleScope {
        /// Only contracts for points.
        PointsOnly,
        /// Points contracts, and a zwabber that ends without a partner.
        ZwabberToo,
    }
}

choices! {
    /// The score of a points contract.
    PointScore {
        /// The points beyond the bid as a plus, or the missing points as a minus.
        Difference,
        /// The bid itself, as a plus or a minus.
        Bid,
    }
}

choices! {
    /// How bidder and partner share a score.
    PartnerShare {
        /// Each gets the whole score.
        Full,
        /// Each gets half of the score.
        Split,
    }
}

choices! {
    /// The reward of a learner.
    Reward {
        /// The learner's points minus the mean of the other three's, in hundreds.
        Relative,
        /// The learner's points, in hundreds.
        Points,
    }
}
