//! The choices that options have.

use cardsharp_engine::choices;

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
        /// The bidder.
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
        /// The claim counts.
        Undetected,
    }
}

choices! {
    /// How points that end in 5 are rounded to tens.
    RoundHalf {
        /// Down.
        Down,
        /// Up.
        Up,
    }
}

choices! {
    /// For which side the card put aside counts.
    DiscardPoints {
        /// For neither side.
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
        /// Points contracts.
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
