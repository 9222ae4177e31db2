//! Random play has the length and width it must have: figures of an independent implementation.

use cardsharp_env::games::dalmuti::Round;
use cardsharp_env::games::dalmuti::rules::{Rules, Strip};
use cardsharp_env::{Draw, Game, Session, Turn, mask};

/// Per hand of uniformly random play without taxes.
struct Figures {
    players: u8,
    strip: Strip,
    decisions: f64,
    /// Tricks that were taken.
    tricks: f64,
    /// Mean number of legal actions.
    branching: f64,
    /// Share of decisions with a single legal action, in percent.
    forced: f64,
}

const fn figures(players: u8, strip: Strip, [decisions, tricks, branching, forced]: [f64; 4]) -> Figures {
    Figures { players, strip, decisions, tricks, branching, forced }
}

/// Counted over 1500 hands each, apart from this code.
const EXPECTED: [Figures; 9] = [
    figures(4, Strip::None, [129.0, 23.0, 3.4, 48.0]),
    figures(5, Strip::None, [163.0, 24.0, 2.6, 55.0]),
    figures(6, Strip::None, [196.0, 25.0, 2.2, 60.0]),
    figures(7, Strip::None, [229.0, 25.0, 2.0, 64.0]),
    figures(8, Strip::None, [260.0, 26.0, 1.8, 67.0]),
    figures(10, Strip::None, [318.0, 26.0, 1.6, 71.0]),
    figures(12, Strip::None, [374.0, 27.0, 1.5, 75.0]),
    figures(4, Strip::Recommended, [98.0, 18.0, 2.9, 49.0]),
    figures(5, Strip::Recommended, [143.0, 22.0, 2.5, 56.0]),
];

#[test]
fn random_hands_are_as_long_and_wide_as_elsewhere() {
    const HANDS: u32 = 2000;
    for expected in EXPECTED {
        // Without taxes: the figures are those of the play alone.
        let rules = Rules {
            players: expected.players,
            strip: expected.strip,
            hands: 1,
            first_deal_revolution: true,
            ..Rules::default()
        };
        let mut draw = Draw::new(1, u64::from(expected.players));
        let [mut decisions, mut tricks, mut choices, mut forced] = [0u32; 4];
        for seed in 0..u64::from(HANDS) {
            let mut session = Session::<Round>::new(rules, seed);
            while let Turn::Decide(seat) = session.round().turn() {
                let legal = Round::legal(session.round().view(seat));
                let count = mask::count(&legal.0);
                tricks +=
                    u32::from(session.round().phase() == "play" && session.round().table().trick.size == 0);
                decisions += 1;
                choices += count;
                forced += u32::from(count == 1);
                session
                    .round_mut()
                    .play(mask::nth(&legal.0, draw.below(count)).expect("there is a legal action"));
            }
        }
        let per_hand = |total: u32| f64::from(total) / f64::from(HANDS);
        let per_decision = |total: u32| f64::from(total) / f64::from(decisions);
        // The trick in which the hand ends is not taken.
        let found = [
            per_hand(decisions),
            per_hand(tricks - HANDS),
            per_decision(choices),
            100.0 * per_decision(forced),
        ];
        let wanted = [expected.decisions, expected.tricks, expected.branching, expected.forced];
        println!("{} players {:?}: {found:.2?}, elsewhere {wanted:?}", expected.players, expected.strip);
        for (found, (wanted, tolerance)) in found.iter().zip(wanted.iter().zip([2.0, 0.8, 0.08, 1.0])) {
            assert!(
                (found - wanted).abs() < tolerance,
                "{} players: {found}, elsewhere {wanted}",
                expected.players
            );
        }
    }
}
