//! Consecutive rounds, with and without roster changes.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Narrate, Observe, Payoff, Play, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::replay::Replay;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::RosterChange;
use cardsharp_engine::table::{AnyTable, Table};
use serde_json::{Value, json};

use super::super::Round;
use super::situation::rules;

/// Plays the present round with random moves and settles it.
fn play_round(session: &mut Session<Round>, draw: &mut Draw) -> Payoff {
    while let Turn::Decide(seat) = session.round().turn() {
        let legal = Round::legal(session.round().view(seat));
        let action = legal.random(draw).unwrap();
        session.round_mut().play(action);
    }
    session.settle()
}

#[test]
fn the_finishing_order_is_the_next_order() {
    let mut session = Session::<Round>::new(rules(json!({"players": 6, "rounds": 30})), 3);
    let mut draw = Draw::new(1, 0);
    for number in 1..=30 {
        assert_eq!(session.round().table.round, number);
        let payoff = play_round(&mut session, &mut draw);
        let order = session.standing().order;
        for (place, seat) in (1..).zip(&order[..6]) {
            assert_eq!(payoff.place[seat.index()], place);
        }
        assert_eq!(session.is_last(), number == 30);
        if number < 30 {
            session.deal_next();
            assert_eq!(session.round().table.order, order);
            assert!(session.round().table.taxes() && !session.round().table.first);
        }
    }
}

#[test]
fn a_session_sums_points_and_rounds_as_tahimi() {
    for rounds in [1, 2, 20] {
        let mut session = Session::<Round>::new(rules(json!({"players": 5, "rounds": rounds})), 5);
        let mut draw = Draw::new(1, 0);
        let (mut points, mut tahimi) = ([0; 12], [0; 12]);
        for number in 1.. {
            assert_eq!(session.round().table().points, points);
            let payoff = play_round(&mut session, &mut draw);
            points.iter_mut().zip(payoff.points).for_each(|(total, new)| *total += new);
            tahimi.iter_mut().zip(payoff.place).for_each(|(total, place)| *total += u16::from(place == 1));
            assert_eq!((session.standing().points, session.standing().tahimi), (points, tahimi));
            assert_eq!(session.standing().rounds, number);
            if session.is_last() {
                assert_eq!(number, rounds);
                break;
            }
            session.deal_next();
        }
        assert_eq!(points.iter().sum::<i32>(), i32::from(rounds) * 10);
        assert_eq!(tahimi.iter().sum::<u16>(), rounds);
    }
}

#[test]
fn a_session_in_which_players_come_and_go() {
    let script = json!([
        {"round": 2, "join": 4},
        {"round": 3, "leave": 1},
        {"round": 4, "leave": 0},
        {"round": 5, "join": 1},
        {"round": 5, "join": 5},
    ]);
    let rules = rules(json!({"players": 4, "rounds": 6, "roster_script": script}));
    let mut session = Session::<Round>::new(rules, 9);
    let mut draw = Draw::new(2, 0);
    let present = [
        vec![0, 1, 2, 3],
        vec![0, 1, 2, 3, 4],
        vec![0, 2, 3, 4],
        vec![2, 3, 4],
        vec![1, 2, 3, 4, 5],
        vec![1, 2, 3, 4, 5],
    ];
    for seats in present {
        assert_eq!(session.round().present().iter().collect::<Vec<u8>>(), seats);
        let before = *session.standing();
        let payoff = play_round(&mut session, &mut draw);
        assert_eq!(payoff.seats, 6, "seats of the whole session");
        for seat in 0..12 {
            let plays = seats.contains(&(seat as u8));
            assert_eq!(payoff.place[seat] > 0, plays, "place 0 is who did not play");
            if !plays {
                assert_eq!((payoff.points[seat], payoff.reward[seat]), (0, 0.0));
                assert_eq!(session.standing().points[seat], before.points[seat]);
            }
        }
        let standing = session.standing();
        assert_eq!(usize::from(standing.players), seats.len());
        assert!(standing.order[seats.len()..].iter().all(|&seat| seat == Seat(0)));
        if !session.is_last() {
            session.deal_next();
        }
    }
    assert!(session.is_last());
}

#[test]
fn a_session_ends_when_fewer_than_three_are_left() {
    let script = json!([{"round": 3, "leave": 1}, {"round": 3, "leave": 2}]);
    let rules = rules(json!({"players": 4, "rounds": 20, "roster_script": script}));
    let mut session = Session::<Round>::new(rules, 9);
    let mut draw = Draw::new(2, 0);
    play_round(&mut session, &mut draw);
    assert!(!session.is_last());
    session.deal_next();
    play_round(&mut session, &mut draw);
    assert!(session.is_last());
    let view = session.round().view(Seat(0));
    let mut row = vec![0; cardsharp_engine::blocks::width(Round::OBSERVATION)];
    Round::observe(view, &mut row);
    assert_eq!(super::situation::named(Round::OBSERVATION, "rounds_left").of(&row), [0]);
    assert!(Round::picture(view).starts_with("Round 2 of 2\n"), "{}", Round::picture(view));
}

/// A table after random play up to the end of a round.
fn played(options: &Value, rounds: u32) -> Table<Round> {
    let mut table = Table::<Round>::new(rules(options.clone()), 7);
    play_on(&mut table, rounds);
    table
}

fn play_on(table: &mut Table<Round>, rounds: u32) {
    for number in 0..rounds {
        if number > 0 || table.turn().is_none() {
            assert!(table.deal_next());
        }
        let mut draw = Draw::new(4, u64::from(AnyTable::round(table)));
        while table.turn().is_some() {
            let legal = table.legal();
            table.try_play(legal[draw.below(legal.len() as u32) as usize]).unwrap();
        }
    }
}

#[test]
fn a_change_at_the_table_is_the_same_as_a_script() {
    let mut live = played(&json!({"rounds": 6}), 2);
    live.change_roster(RosterChange::Join(Seat(4))).unwrap();
    live.change_roster(RosterChange::Leave(Seat(0))).unwrap();
    assert_eq!(AnyTable::seats(&live), 5);
    play_on(&mut live, 2);
    live.change_roster(RosterChange::Join(Seat(0))).unwrap();
    play_on(&mut live, 2);
    assert!(live.over());
    let script = json!([{"round": 3, "join": 4}, {"round": 3, "leave": 0}, {"round": 5, "join": 0}]);
    let scripted = played(&json!({"rounds": 6, "roster_script": script}), 6);
    assert_eq!(AnyTable::rules(&live), AnyTable::rules(&scripted));
    assert_eq!((live.session(), live.payoff()), (scripted.session(), scripted.payoff()));
}

#[test]
fn a_session_with_changes_is_replayed_from_its_rules_seed_and_actions() {
    let mut live = Table::<Round>::new(rules(json!({"rounds": 3, "join_policy": "redraw"})), 7);
    let mut actions = Vec::new();
    loop {
        while live.turn().is_some() {
            let action = live.legal()[0];
            actions.push(action);
            live.try_play(action).unwrap();
        }
        match AnyTable::round(&live) {
            1 => live.change_roster(RosterChange::Join(Seat(4))).unwrap(),
            2 => live.change_roster(RosterChange::Leave(Seat(2))).unwrap(),
            _ => break,
        }
        assert!(live.deal_next());
    }
    let replay = Replay::<Round> { rules: *live.session().rules(), seed: 7, deal: None, actions };
    let again = replay.table().unwrap();
    assert_eq!(again.session(), live.session());
    let text = serde_json::to_string(&replay).unwrap();
    assert_eq!(
        serde_json::from_str::<Replay<Round>>(&text).unwrap().table().unwrap().session(),
        live.session()
    );
}

#[test]
fn a_change_can_be_taken_back() {
    let mut table = played(&json!({"rounds": 4}), 1);
    let before = *table.session();
    table.change_roster(RosterChange::Leave(Seat(3))).unwrap();
    table.change_roster(RosterChange::Join(Seat(4))).unwrap();
    assert_ne!(table.session(), &before);
    assert!(table.undo().is_some() && table.undo().is_some());
    assert_eq!(table.session(), &before);
    // Undo also takes back a round that was dealt after the change.
    table.change_roster(RosterChange::Leave(Seat(3))).unwrap();
    let changed = *table.session();
    assert!(table.deal_next());
    assert_eq!(AnyTable::present(&table).len(), 3);
    assert!(table.undo().is_some());
    assert_eq!(table.session(), &changed);
    assert!(table.undo().is_some());
    assert_eq!(table.session(), &before);
}

#[test]
fn impossible_changes_are_refused_and_change_nothing() {
    let mut table = played(&json!({"players": 8, "rounds": 2}), 1);
    let before = *table.session();
    let cases = [
        (RosterChange::Join(Seat(8)), "a table has at most 8 players"),
        (RosterChange::Join(Seat(7)), "must not be at the table already"),
        (RosterChange::Join(Seat(9)), "the next new player is seat 8"),
        (RosterChange::Leave(Seat(8)), "who leaves must be at the table"),
    ];
    for (change, expected) in cases {
        let error = table.change_roster(change).unwrap_err().to_string();
        assert!(error.contains(expected), "{change}: {error}");
        assert_eq!(table.session(), &before);
    }
    play_on(&mut table, 1);
    let error = table.change_roster(RosterChange::Leave(Seat(0))).unwrap_err().to_string();
    assert!(error.contains("the last round of the session"), "{error}");
}

#[test]
fn a_change_while_a_round_is_played_comes_before_the_next() {
    let mut table = Table::<Round>::new(rules(json!({"rounds": 2})), 7);
    table.change_roster(RosterChange::Join(Seat(4))).unwrap();
    assert_eq!(AnyTable::present(&table).len(), 4);
    play_on(&mut table, 1);
    assert!(table.deal_next());
    assert_eq!(AnyTable::present(&table).len(), 5);
}

#[test]
fn leaving_can_end_a_session() {
    let mut table = played(&json!({"players": 3, "rounds": 9}), 1);
    table.change_roster(RosterChange::Leave(Seat(0))).unwrap();
    assert!(table.over() && !table.deal_next());
    // The session continues if another player joins first.
    assert!(table.undo().is_some());
    table.change_roster(RosterChange::Join(Seat(3))).unwrap();
    table.change_roster(RosterChange::Leave(Seat(0))).unwrap();
    assert!(!table.over() && table.deal_next());
    assert_eq!(AnyTable::present(&table).iter().collect::<Vec<u8>>(), [1, 2, 3]);
}

#[test]
fn no_more_changes_than_fit() {
    let mut table = Table::<Round>::new(rules(json!({"rounds": 100})), 7);
    for number in 0..24 {
        let change = if number % 2 == 0 { RosterChange::Leave } else { RosterChange::Join };
        play_on(&mut table, 1);
        table.change_roster(change(Seat(3))).unwrap();
    }
    let error = table.change_roster(RosterChange::Leave(Seat(3))).unwrap_err().to_string();
    assert!(error.contains("no more than 24 changes"), "{error}");
}

#[test]
fn dalmuti_keeps_its_players() {
    type Dalmuti = cardsharp_dalmuti::Round;
    let mut table = Table::<Dalmuti>::new(Default::default(), 7);
    let before = *table.session();
    for change in [RosterChange::Leave(Seat(0)), RosterChange::Join(Seat(5))] {
        let error = AnyTable::change_roster(&mut table, change).unwrap_err().to_string();
        assert!(error.contains("the same players stay for the whole session"), "{error}");
        assert_eq!(table.session(), &before);
    }
}

#[test]
fn the_same_seed_and_actions_give_the_same_rounds() {
    let options =
        json!({"players": 7, "rounds": 3, "jokers": "wild", "joker_tax": "holder", "decree": [{}, {}]});
    for seed in 0..20 {
        let [mut a, mut b] = [seed; 2].map(|seed| Session::<Round>::new(rules(options.clone()), seed));
        let [mut draw_a, mut draw_b] = [seed; 2].map(|seed| Draw::new(seed, 9));
        loop {
            assert_eq!(a, b);
            assert_eq!(play_round(&mut a, &mut draw_a), play_round(&mut b, &mut draw_b));
            if a.is_last() {
                break;
            }
            a.deal_next();
            b.deal_next();
        }
        let other = Session::<Round>::new(rules(json!({})), seed);
        assert_ne!(
            other.round().own[0].hand,
            Session::<Round>::new(rules(json!({})), seed + 100).round().own[0].hand
        );
    }
}

#[test]
fn who_sits_a_round_out_has_no_view() {
    let script = json!([{"round": 2, "leave": 1}, {"round": 2, "join": 4}]);
    let rules = rules(json!({"players": 4, "rounds": 2, "roster_script": script}));
    let mut table = Table::<Round>::new(rules, 3);
    for (round, absent) in [(1, 4), (2, 1)] {
        assert_eq!(table.round(), round);
        for seat in (0..=u8::MAX).map(Seat) {
            let plays = seat.0 < 5 && seat.0 != absent;
            assert_eq!(table.view(seat).map(|view| view.seat()), plays.then_some(seat));
        }
        while let Some(view) = table.asked() {
            let action = view.scripted();
            table.try_play(action).unwrap();
        }
        table.deal_next();
    }
    assert!(table.over() && table.asked().is_none());
}
