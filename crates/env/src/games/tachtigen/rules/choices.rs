//! The choices that options have.

use crate::choices;

choices! {
    /// In which order players may open the bidding.
    OpeningOrder {
        /// From the dealer's left, clockwise.
        Forehand,
        /// Drawn for each deal.
        Random,
    }
}

choices! {
    /// What happens when nobody opens.
    AllHold {
        /// The deal ends, worth 0 to everybody.
        EndZero,
        /// The next dealer deals again, up to [`super::MOST_REDEALS`] times.
        Redeal,
    }
}

choices! {
    /// Whether a contract has trump.
    TrumpRule {
        /// The bidder names a suit.
        Named,
        /// The bidder names a suit, or none.
        NamedOrNone,
        /// There is no trump.
        None,
    }
}

choices! {
    /// Which cards the bidder may ask for.
    AskScope {
        /// Any card of a suit he holds.
        AnyHeldSuit,
        /// Aces of suits he holds; only if there is none to ask for kings, and so on down.
        AcesFirst,
    }
}

choices! {
    /// Who leads to the first trick.
    FirstLeader {
        /// The bidder.
        Bidder,
        /// The player on the dealer's left.
        Forehand,
    }
}

choices! {
    /// Whether a lower trump may, or must, be played on a higher one.
    Undertrump {
        /// Only by who has nothing else.
        OnlyIfForced,
        /// It must be, by who is void, must ruff and has only lower trumps.
        CompulsoryIfOnlyLower,
        /// As one likes.
        Free,
    }
}

choices! {
    /// How combinations may share cards.
    RoemOverlap {
        /// Runs, sets and stuk share freely.
        Full,
        /// A card counts in one run or one set; stuk shares.
        Exclusive,
    }
}

choices! {
    /// The cards that the partner's roem is counted in.
    PartnerRoemBasis {
        /// The hand as dealt.
        InitialHand,
        /// What is left when the asked card is played, that card included.
        CurrentHand,
    }
}

choices! {
    /// How roem is announced.
    RoemClaims {
        /// The true total, by itself.
        Auto,
        /// The true total or nothing, as the player chooses.
        TruthfulChoice,
        /// Any total.
        FreeClaim,
    }
}

choices! {
    /// What becomes of a claim beyond the truth.
    Overclaim {
        /// It counts for nothing.
        Void,
        /// The true total counts.
        Correct,
        /// It stands.
        Undetected,
    }
}

choices! {
    /// Where exact fives are rounded to.
    RoundHalf {
        /// Down.
        Down,
        /// Up.
        Up,
    }
}

choices! {
    /// Whether the card put aside counts.
    DiscardPoints {
        /// For nobody.
        None,
        /// For the bidder's side.
        Side,
    }
}

choices! {
    /// Where the bonus for all tricks is paid.
    BonusScope {
        /// In points contracts, where it counts toward the bid.
        PointsOnly,
        /// In any contract that was made with all tricks.
        AnyWon,
    }
}

choices! {
    /// Where playing alone counts double.
    SoloDoubleScope {
        /// In points contracts.
        PointsOnly,
        /// In a zwabber that ends without a partner, too.
        ZwabberToo,
    }
}

choices! {
    /// What a points contract is worth.
    PointScore {
        /// The points beyond the bid, or missing.
        Difference,
        /// The bid itself, won or lost.
        Bid,
    }
}

choices! {
    /// How bidder and partner share a score.
    PartnerShare {
        /// Each gets all of it.
        Full,
        /// Each gets half.
        Split,
    }
}

choices! {
    /// What a learner maximises.
    Reward {
        /// Points less the mean of the other three, in hundreds.
        Relative,
        /// Points, in hundreds.
        Points,
    }
}
