//! Consecutive deals of a session.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Play, Scripted, Turn};
use serde_json::json;

use super::super::Round;
use super::situation::rules;

#[test]
fn the_deal_goes_around_and_scores_add_up() {
    let mut session = Session::<Round>::new(rules(json!({"deals": 9})), 11);
    let mut totals = [0; 4];
    let first = session.round().table().dealer.0;
    for deal in 1..=9u16 {
        let table = session.round().table();
        assert_eq!((table.deal, table.scores), (deal, totals));
        assert_eq!(table.dealer, Seat((first + deal as u8 - 1) % 4));
        assert_eq!(session.round().turn(), Turn::Decide(Seat((table.dealer.0 + 1) % 4)));
        while let Turn::Decide(seat) = session.round().turn() {
            let action = Round::scripted(session.round().view(seat));
            session.round_mut().play(action);
        }
        let payoff = session.settle();
        (0..4).for_each(|seat| totals[seat] += payoff.points[seat]);
        assert_eq!(session.standing().scores, totals);
        assert_eq!(session.is_last(), deal == 9);
        if deal < 9 {
            session.deal_next();
        }
    }
}

#[test]
fn the_first_dealer_is_drawn() {
    let mut dealt = [0; 4];
    for seed in 0..400 {
        dealt[Session::<Round>::new(rules(json!({})), seed).round().table().dealer.index()] += 1;
    }
    assert!(dealt.iter().all(|n| (60..150).contains(n)), "{dealt:?}");
}
