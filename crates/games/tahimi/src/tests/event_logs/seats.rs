//! Event logs with players who join, leave, or sit a round out.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Play, Turn};
use cardsharp_engine::log::Audience;
use cardsharp_engine::rules::RosterChange::{self, Join, Leave};
use cardsharp_engine::table::{AnyTable, Table};
use cardsharp_engine::testing::{event_log, imagined};
use cardsharp_engine::{AnyObserver, ObserveError, Observer};
use serde_json::{Value, json};

use super::super::super::{Round, Rules};
use super::super::situation::rules;
use super::scripted_move;

/// A table, with an observer for each seat from the first line on.
struct Listeners {
    table: Table<Round>,
    observers: Vec<Observer<Round>>,
    /// Number of compared views, by seat.
    compared: Vec<u32>,
}

impl Listeners {
    fn new(rules: Rules, seed: u64, seats: u8) -> Self {
        let table = Table::<Round>::new(rules, seed);
        let header = |seat| table.header(Audience::Seat(Seat(seat)), Vec::new()).json();
        let observers = (0..seats).map(|seat| Observer::new(&header(seat)).unwrap()).collect();
        let mut all = Self { table, observers, compared: vec![0; usize::from(seats)] };
        all.listen();
        all
    }

    /// Sends each observer its new lines, and compares the view of the player to decide.
    fn listen(&mut self) {
        for (seat, observer) in self.observers.iter_mut().enumerate() {
            for line in self.table.lines(self.table.steps(), Audience::Seat(Seat(seat as u8))) {
                observer.hear(&line.json()).unwrap_or_else(|error| panic!("seat {seat}: {error}"));
            }
        }
        let round = self.table.session().round();
        let Turn::Decide(seat) = round.turn() else { return };
        let view = self.observers[seat.index()].view().unwrap();
        assert_eq!(view.json(), self.table.view(seat).unwrap().json());
        self.compared[seat.index()] += 1;
    }

    /// Plays the round to its end.
    fn play(&mut self) {
        while scripted_move(&mut self.table) {
            self.listen();
        }
    }

    fn change(&mut self, change: RosterChange) {
        self.table.change_roster(change).unwrap();
        self.listen();
    }

    fn deal_next(&mut self) {
        assert!(self.table.deal_next());
        self.listen();
    }
}

#[test]
fn who_sits_a_round_out_hears_what_everybody_sees() {
    let script = json!([
        {"round": 2, "leave": 1}, {"round": 3, "join": 1}, {"round": 3, "join": 4}, {"round": 4, "leave": 0}
    ]);
    for policy in ["middle", "serf", "redraw", "random"] {
        let options = json!({"rounds": 4, "roster_script": script, "join_policy": policy, "jokers": "low"});
        let mut all = Listeners::new(rules(options), 3, 5);
        for round in 1..=4 {
            if round > 1 {
                all.deal_next();
            }
            assert_eq!(
                all.observers[1].view().map(|_| ()).map_err(|error| error.to_string()),
                if round == 2 {
                    Err("seat 1 has no view now: it sits this round out".to_owned())
                } else {
                    Ok(())
                }
            );
            all.play();
        }
        assert!(all.compared.iter().all(|&n| n > 5), "{policy}: {:?}", all.compared);
        assert!(all.observers.iter().all(AnyObserver::over));
        let second = |line: &&Value| line["round"] == 2;
        let [left, watches] =
            [Audience::Seat(Seat(1)), Audience::Everybody].map(|to| event_log(&all.table, to));
        assert_eq!(
            left.iter().filter(second).collect::<Vec<_>>(),
            watches.iter().filter(second).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_session_with_too_few_players_ends_before_its_last_round() {
    let script = json!([{"round": 3, "leave": 1}]);
    let options = json!({"players": 3, "rounds": 9, "roster_script": script});
    let mut all = Listeners::new(rules(options), 8, 3);
    all.play();
    assert!(!all.observers.iter().any(AnyObserver::over));
    all.deal_next();
    all.play();
    assert!(all.observers.iter().all(AnyObserver::over));
    assert_eq!(event_log(&all.table, Audience::Everybody).pop().unwrap(), json!({"line": "end", "seed": 8}));
}

#[test]
fn players_come_and_go_at_a_live_table() {
    let options = json!({"players": 3, "rounds": 9, "join_policy": "random"});
    // Two players who join later receive the public lines from the start.
    let mut all = Listeners::new(rules(options), 5, 5);
    all.play();
    all.change(Join(Seat(3)));
    all.change(Join(Seat(4)));
    all.deal_next();
    // The change is requested while a round is in play.
    all.change(Leave(Seat(0)));
    all.play();
    all.deal_next();
    all.play();
    assert!(all.compared.iter().all(|&n| n > 5), "{:?}", all.compared);
    all.change(Leave(Seat(1)));
    assert!(!all.observers[4].over());
    all.change(Leave(Seat(2)));
    assert!(all.table.over() && all.observers.iter().all(AnyObserver::over), "two are left");
    let event_lines = event_log(&all.table, Audience::Seat(Seat(4)));
    assert_eq!(
        event_lines[event_lines.len() - 2..],
        [json!({"line": "change", "round": 4, "choice": "leave 2"}), json!({"line": "end", "seed": 5}),]
    );
    let payoffs = |to| event_log(&all.table, to).iter().filter(|line| line["line"] == "payoff").count();
    assert_eq!([Audience::Referee, Audience::Everybody].map(payoffs), [3, 3], "each round is paid once");
}

#[test]
fn after_the_last_round_nobody_comes_or_goes() {
    let options = json!({"players": 3, "rounds": 2, "seating": "fixed"});
    let mut all = Listeners::new(rules(options), 5, 3);
    let change = json!({"line": "change", "round": 3, "choice": "join 3"});
    let refused = |observer: &mut Observer<Round>| observer.hear(&change).unwrap_err();
    all.play();
    all.deal_next();
    assert!(matches!(refused(&mut all.observers[0]), ObserveError::Impossible { .. }));
    assert!(refused(&mut all.observers[1]).to_string().ends_with("it is the last round of the session"));
}

#[test]
fn newcomers_have_headers_where_players_may_join() {
    let header = |seat: u8| {
        let table = Table::<Round>::new(rules(json!({})), 1);
        Observer::<Round>::new(&table.header(Audience::Seat(Seat(seat)), Vec::new()).json())
    };
    assert!(header(11).is_ok());
    let message = header(12).unwrap_err().to_string();
    assert!(message.ends_with("`seat` is 12, expected 0 to 11"), "{message}");
}

#[test]
fn newcomers_have_headers_whatever_the_script_says_of_others() {
    let script = json!([{"round": 3, "join": 4}, {"round": 3, "leave": 0}]);
    let mut all = Listeners::new(rules(json!({"rounds": 5, "roster_script": script})), 5, 6);
    for _ in 0..2 {
        all.play();
        all.deal_next();
    }
    all.play();
    all.change(Join(Seat(5)));
    all.deal_next();
    all.play();
    assert!(all.compared.iter().all(|&n| n > 0), "{:?}", all.compared);
}

#[test]
fn nobody_joins_a_game_whose_players_stay() {
    type Dalmuti = cardsharp_dalmuti::Round;
    let table = Table::<Dalmuti>::new(Default::default(), 1);
    let seats = AnyTable::seats(&table);
    let header = table.header(Audience::Seat(Seat(seats as u8)), Vec::new()).json();
    let message = Observer::<Dalmuti>::new(&header).unwrap_err().to_string();
    assert!(message.ends_with(&format!("`seat` is {seats}, expected 0 to {}", seats - 1)), "{message}");
}

#[test]
fn chance_places_newcomers_where_the_order_says() {
    for (policy, orders) in [
        ("random", [json!([1, 0, 3, 2]), json!([3, 1, 0, 2])]),
        ("redraw", [json!([3, 2, 0, 1]), json!([0, 1, 2, 3])]),
    ] {
        let options = json!({"players": 3, "join_policy": policy, "seating": "fixed", "rounds": 2,
            "decree": [{}], "roster_script": [{"round": 2, "join": 3}]});
        let mut all = Listeners::new(rules(options), 7, 4);
        all.play();
        let standing = all.table.session().standing();
        let stayed: Vec<u8> = standing.order[..3].iter().map(|seat| seat.0).collect();
        // The orders above assume that the round finished as 1, 0, 2.
        let finished = |name: &Value| {
            let place = [1, 0, 2, 3].iter().position(|&seat| name == seat).unwrap();
            stayed.get(place).copied().unwrap_or(3)
        };
        for order in orders {
            let order: Vec<u8> = order.as_array().unwrap().iter().map(finished).collect();
            let mut observer = all.observers[0].clone();
            let line = json!({"line": "round", "round": 2, "left": [], "joined": [3], "order": order});
            observer.hear(&line).unwrap();
            let round = imagined(&mut observer).unwrap().unwrap();
            assert_eq!(json!(round.table().order[..4]), json!(order));
        }
        let turned: Vec<u8> = stayed.iter().rev().copied().chain([3]).collect();
        let mut observer = all.observers[0].clone();
        let line = json!({"line": "round", "round": 2, "left": [], "joined": [3], "order": turned});
        observer.hear(&line).unwrap();
        let followed = imagined(&mut observer);
        assert_eq!(followed.is_ok(), policy == "redraw", "{followed:?}");
        if let Err(error) = followed {
            assert!(
                error.to_string().contains("`order`: among themselves, those who stayed sit "),
                "{error}"
            );
        }
    }
}
