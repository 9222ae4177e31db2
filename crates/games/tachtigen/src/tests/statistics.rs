//! Compares the branching factor of random play with figures found independently of this code.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Play, Turn};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::Draw;

use super::super::Round;
use super::super::actions::Move;
use super::super::auction;
use super::super::bids::Bid;
use super::super::rules::Rules;
use super::super::state::Stage;

#[test]
fn random_points_contracts_are_as_wide_as_elsewhere() {
    let mut draw = Draw::new(4, 4);
    let [mut plays, mut choices, mut forced, mut askable] = [0u32; 4];
    const DEALS: u32 = 2_000;
    for seed in 0..u64::from(DEALS) {
        let mut session = Session::<Round>::new(Rules::default(), seed);
        session.round_mut().play(Move::Bid(Bid::LOWEST).id());
        while let Turn::Decide(seat) = session.round().turn() {
            let round = session.round();
            let legal = Round::legal(round.view(seat));
            let count = mask::count(&legal.0);
            match round.table().stage {
                Stage::Auction => {
                    session.round_mut().play(Move::Pass.id());
                    continue;
                }
                Stage::Ask => askable += auction::askable(round.table(), round.own(seat)).len(),
                Stage::Play => {
                    // Calling is a separate action, not a card.
                    let cards = count - u32::from(mask::contains(&legal.0, Move::Call.id()));
                    plays += 1;
                    choices += cards;
                    forced += u32::from(cards == 1);
                }
                _ => {}
            }
            let action = legal.random(&mut draw).unwrap();
            session.round_mut().play(action);
        }
    }
    let mean = f64::from(choices) / f64::from(plays);
    let alone = f64::from(forced) / f64::from(plays);
    let asked = f64::from(askable) / f64::from(DEALS);
    println!("{mean:.2} cards, {:.1} % forced, {asked:.2} cards to ask for", 100.0 * alone);
    assert!((mean - 2.9).abs() < 0.25, "{mean}");
    assert!((alone - 0.29).abs() < 0.03, "{alone}");
    assert!((asked - 21.7).abs() < 0.5, "{asked}");
}
