//! Checks how often a deal separates new and old cards in every hand.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Play, Turn};
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;

use super::Known;
use crate::Round;
use crate::rules::Rules;
use crate::tests::situation::random_move;

#[test]
fn nearly_every_deal_explains_who_drew_what() {
    let mut draw = Draw::new(41, 0);
    let (mut exact, mut all) = (0, 0);
    for seed in 0..60 {
        let mut round = *Session::<Round>::new(Rules::random(&mut draw), seed).round();
        for _ in 0..500 {
            if !matches!(round.turn(), Turn::Decide(_)) || !random_move(&mut round, &mut draw) {
                break;
            }
            if round.table.recycles > 0 && draw.below(20) == 0 {
                let viewer = Seat(draw.below(u32::from(round.table.players())) as u8);
                let deal = Known::of(round.view(viewer)).deal(&mut draw).unwrap();
                exact += u32::from(deal.exact);
                all += 1;
                if deal.exact {
                    for seat in 0..usize::from(round.table.players()) {
                        let had = deal.own[seat].hand.with(&round.table.laid[seat]);
                        assert!(had.contains(&deal.own[seat].drew));
                    }
                }
            }
        }
    }
    println!("{exact} of {all} deals after recycling");
    assert!(all > 100 && exact * 10 > all * 9, "{exact} of {all}");
}
