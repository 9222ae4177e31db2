use super::situation::{Situation, players, setup};
use cardsharp_env::Play as _;

use crate::rules::{Reward, Scoring, Shaping};
use crate::{Rules, SessionState};

fn over(rules: Rules, others: &[&str]) -> Situation {
    let hands: Vec<&str> = ["7h"].iter().chain(others).copied().collect();
    setup(rules, &hands, "5h", "5c ...").after("7h")
}

#[test]
fn a_game_ends_with_the_last_card_of_a_hand() {
    let table = over(players(3), &["2c 3c", "Kd"]);
    assert_eq!(table.payoff().points[..3], [0, -2 - 6, -10]);
    assert_eq!(table.payoff().place[..3], [1, 2, 3]);
}

#[test]
fn an_eight_as_the_last_card_names_no_suit() {
    let mut table = setup(players(2), &["8h", "2c"], "5h", "5c ...");
    table.play("8h");
    assert_eq!(table.payoff().points[..2], [0, -2]);
}

#[test]
fn a_card_costs_its_place_in_the_deck_plus_two() {
    // OpenSpiel's code counts like this, but its description promises the number on the card.
    for (card, cost) in [("2c", 2), ("2d", 3), ("2s", 5), ("3c", 6), ("Tc", 34), ("Ts", 37)] {
        assert_eq!(over(players(2), &[card]).payoff().points[1], -cost, "{card}");
    }
    for (card, cost) in [("8c", 50), ("8s", 50), ("Jc", 10), ("Qd", 10), ("Ks", 10), ("Ah", 10)] {
        assert_eq!(over(players(2), &[card]).payoff().points[1], -cost, "{card}");
    }
}

#[test]
fn by_rank_it_costs_the_number_on_it() {
    let rules = Rules { scoring: Scoring::ByRank, ..players(2) };
    for (card, cost) in [("2c", 2), ("2s", 2), ("9d", 9), ("Ts", 10), ("8c", 50), ("Jc", 10), ("Ah", 10)] {
        assert_eq!(over(rules, &[card]).payoff().points[1], -cost, "{card}");
    }
}

#[test]
fn a_game_is_cut_off_after_a_number_of_cards() {
    let rules = Rules { max_turns: 2, ..players(2) };
    let mut table = setup(rules, &["7h 9h Kd", "2h 3h Qd"], "5h", "5c ...");
    table.play("7h, 2h");
    assert_eq!(table.payoff().points[..2], [-(7 * 4 + 2 + 2) - 10, -(4 + 2 + 2) - 10]);
}

#[test]
fn a_game_ends_when_everybody_has_passed_and_one_more() {
    let mut table = setup(players(3), &["6d", "9c", "Kd"], "7h", "");
    table.play("pass, pass, pass");
    table.expect(0, "pass");
    table.play("pass");
    assert_eq!(table.payoff().place[..3], [2, 3, 1]);
}

#[test]
fn a_card_laid_between_begins_the_count_of_passes_again() {
    let mut table = setup(players(2), &["6h 6d", "9c 3d"], "7h", "");
    table.play("pass, pass, 6h, pass, pass");
    assert_eq!(table.0.table.passes, 2);
    table.play("pass");
    assert_eq!(table.payoff().place[..2], [1, 2]);
}

#[test]
fn who_loses_as_much_shares_a_place() {
    let rules = Rules { shaping: Shaping { reward: Reward::Places }, ..players(4) };
    let payoff = over(rules, &["Jd", "Qd", "8c"]).payoff();
    assert_eq!(payoff.place[..4], [1, 2, 2, 4]);
    assert_eq!(payoff.reward[..4], [1.0, 0.0, 0.0, -1.0]);
}

#[test]
fn points_in_hundreds_are_the_reward() {
    let payoff = over(players(3), &["8c 8d 8s", "Jd"]).payoff();
    assert_eq!(payoff.points[..3], [0, -150, -10]);
    assert_eq!(payoff.reward[..3], [0.0, -1.5, -0.1]);
}

#[test]
fn points_add_up_from_game_to_game() {
    let rules = Rules { games: 2, ..players(2) };
    let mut standing = SessionState { games: 0, points: [0; crate::state::SEATS] };
    over(rules, &["Jd"]).0.settle(&mut standing);
    let next = crate::Round::deal(&rules, &standing, cardsharp_env::DealRng::new(1, 2));
    assert_eq!((next.table.game, &next.table.points[..2]), (2, &[0, -10][..]));
}
