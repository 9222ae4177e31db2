//! Views of Tahimi from outside.

use cardsharp_engine::Play;
use cardsharp_engine::testing::{self, Changes, play_until, refused_for_want_of_a_deal, use_view};
use cardsharp_engine::{Draw, OwnedView, Session};
use serde_json::{Value, json};

use crate::{Ask, JOKER, Round, Rules, Stage, from_text};

const CHANGES: Changes = Changes {
    cards: &["2", "7", "10", "15", "K", "A", "*"],
    words: &[
        "decree",
        "taxes",
        "play",
        "nothing",
        "tax_jokers",
        "return",
        "none",
        "low",
        "high",
        "wild",
        "holder",
        "standard",
        "special",
        "basic",
        "progressive",
        "middle",
        "serf",
        "",
    ],
    parts: &["/own", "/own/given", "/table/trick", "/table/rules"],
    large: Some("/table/memory"),
};

cardsharp_engine::view_tests!(Round, CHANGES, 40);

/// Returns rules for five players with wild jokers, where seat 5 replaces seat 1 in round 2.
fn rules(more: Value) -> Rules {
    let mut options = json!({
        "players": 5, "jokers": "wild", "rounds": 3,
        "roster_script": [{"round": 2, "leave": 1}, {"round": 2, "join": 5}],
    });
    let (Some(options), Value::Object(more)) = (options.as_object_mut(), more) else { panic!("no options") };
    options.extend(more);
    cardsharp_engine::rules::read(&json!(options)).expect("good rules")
}

/// Returns round 2 of a random session, after `decisions` decisions.
fn second_round(more: Value, decisions: u32) -> Round {
    let mut session = Session::<Round>::new(rules(more), 4);
    let mut draw = Draw::new(4, 0);
    play_until(&mut session, &mut draw, |_| false);
    session.settle();
    session.deal_next();
    let mut decisions = 0..decisions;
    play_until(&mut session, &mut draw, |_| decisions.next().is_none());
    *session.round()
}

/// Returns the view of a position.
fn seen_by(round: &Round, position: usize) -> OwnedView<Round> {
    round.view(round.table().order[position]).to_owned()
}

#[test]
fn refusals_say_what_is_wrong() {
    let round = second_round(json!({}), 19);
    assert!(round.table().trick.size > 0 && round.table().taxes());
    let refusals = [
        ("/table/rules/players", json!(2), "rules option `players` cannot be 2"),
        ("/table/points", json!([0, 0]), "`points` has 2 entries: expected 6"),
        ("/table/rules/rounds", json!(0), "rules option `rounds` cannot be 0"),
        ("/table/rules/jokers", json!("low"), "`variant` does not match the rules and the decree"),
        ("/table/variant/deuces_high", json!(true), "`variant` does not match the rules and the decree"),
        ("/table/decree", json!(0), "decree Some(0) in stage Play by these rules"),
        ("/table/stage", json!("decree"), "decree None in stage Decree by these rules"),
        ("/table/players", json!(9), "`order` has 5 entries: expected 9"),
        ("/table/deck", json!("2 2 3"), "the deck of the rules is not"),
        ("/table/round", json!(4), "round 4 of a session of 3"),
        ("/table/first", json!(true), "`first` is true"),
        ("/table/points/0", json!(9), "9 points for seat 0: expected 0..=4"),
        ("/table/points/5", json!(1), "1 points for seat 5: expected 0..=0"),
        ("/table/order/2", json!(9), "seat 9 in `order` of 6 players"),
        ("/table/order/2", json!(1), "`order` and `position` disagree about seat 1"),
        ("/table/position/1", json!(3), "seat 1 does not play, but has position 3"),
        ("/table/position/1", json!(255), "255 is no position: expected 0 to 11, or null"),
        ("/table/position/0", Value::Null, "`order` and `position` disagree about seat 0"),
        ("/table/position", json!([0, 1, 2]), "`position` has 3 entries: expected 6"),
        ("/table/left", json!([2]), "`joined` or `left` does not match `roster_script`"),
        ("/table/stage", json!("taxes"), "something was played before the play"),
        ("/table/cards/3", json!(0), "position 3 holds"),
        (
            "/table/one_card_positions",
            json!([0, 1, 2, 3, 4]),
            "`one_card_positions` does not name the players with one card",
        ),
        ("/table/trick/turn", json!(7), "names a position that no player has"),
        ("/table/trick/passed", json!([0, 1, 2, 3, 4]), "`passed` does not name the players who had a turn"),
        ("/table/trick/set/rank", json!("1"), "`1` is not a card: expected 2 to 15, J, Q, K, A or *"),
        ("/table/memory/gone", json!("A"), "`gone` does not match the cards"),
        ("/table/memory/total/2", json!(99), "cards, not 99"),
        ("/own/hand", json!("A A A A A"), "the deck does not have the cards"),
        ("/own/given", json!("2 2 2"), "3 cards given and 2 received"),
        ("/own/received", json!("11 12"), "not all among"),
        ("/own/partner_position", json!(2), "the partner is Some(4), not Some(2)"),
        ("/own/ask", json!("return"), "Return is asked"),
        ("/seat", json!(1), "seat 1 does not play this round"),
        ("/seat", json!(12), "seat 12 does not play this round"),
        ("/own/hand", json!("A x"), "`x` is not a card"),
        ("/table/memory/gone", json!([1, 2]), "expected a string"),
        ("/table/memory/played", json!([]), "`memory.played` has 0 entries: expected 5"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&json!(seen_by(&round, 0)), &refusals);
}

#[test]
fn a_newcomer_sits_where_he_was_placed() {
    let round = second_round(json!({}), 0);
    let view = json!(seen_by(&round, 0));
    // The newcomer sits in the middle of five: two of the four others are above. Here the newcomer and the serf
    // swap places.
    let newcomer = round.table().position[5].get();
    assert_eq!(newcomer, Some(2));
    let serf = round.table().order[4];
    let mut changed = view;
    changed["table"]["order"][2] = json!(serf);
    changed["table"]["order"][4] = json!(5);
    changed["table"]["position"][serf.index()] = json!(2);
    changed["table"]["position"][5] = json!(4);
    let error = use_view::<Round>(&changed.to_string()).expect_err("he sits in the middle").to_string();
    assert!(error.contains("seat 5 is a newcomer and cannot be at its place in `order`"), "{error}");
    changed["table"]["rules"]["join_policy"] = json!("serf");
    use_view::<Round>(&changed.to_string()).expect("he sits at the bottom");
}

#[test]
fn before_the_play_views_are_refused_with_reasons() {
    let decree = second_round(json!({"decree": [{}, {"deuces_high": true}]}), 0);
    assert_eq!(decree.table().stage, Stage::Decree);
    let refusals = [
        ("/own/hand", json!("A"), "before the decree no player has cards, and position 0 must decide"),
        ("/own/ask", json!("nothing"), "before the decree no player has cards, and position 0 must decide"),
        ("/table/deck", json!("A"), "the deck of the rules is not A"),
        ("/table/stage", json!("play"), "decree None in stage Play by these rules"),
        ("/table/decree", json!(1), "decree Some(1) in stage Decree by these rules"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&json!(seen_by(&decree, 0)), &refusals);
    let tax = second_round(json!({}), 0);
    assert_eq!(tax.table().stage, Stage::Taxes);
    let refusals = [
        ("/own/ask", json!("nothing"), "Nothing is asked of the viewer"),
        ("/own/received", json!("A"), "1 cards received so far, not 2"),
        ("/own/received", json!(""), "no cards received, but the tribute moves at once"),
        ("/table/memory/passed_on/1/0", json!("7"), "something was played before the play"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&json!(seen_by(&tax, 0)), &refusals);
    let refusals = [
        ("/own/given", json!("2 2"), "the tribute is"),
        ("/own/received", json!("2"), "1 cards received before any are returned"),
        ("/own/ask", json!("return"), "Return is asked of the viewer"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&json!(seen_by(&tax, 4)), &refusals);
}

/// Returns a round in which the serf must decide about its jokers.
fn jokers_are_chosen() -> Round {
    let rules = rules(json!({"joker_tax": "holder", "first_round_tax": true}));
    let rounds = (0..100).map(|seed| *Session::<Round>::new(rules, seed).round());
    let mut asked = rounds.filter(|round| round.own(round.table().order[4]).ask == Ask::TaxJokers);
    asked.find(|round| round.own(round.table().order[4]).hand.0[JOKER] == 1).expect("there is one")
}

#[test]
fn jokers_to_pay_are_the_holders_to_choose() {
    let round = jokers_are_chosen();
    let refusals = [
        ("/own/given", json!("A"), "the jokers to pay cannot be A"),
        ("/own/given", json!("* *"), "the jokers to pay cannot be * *"),
        ("/own/ask", json!("return"), "Return is asked of the viewer"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&json!(seen_by(&round, 4)), &refusals);
    // After the serf's decision, another player, the master serf, has the other joker.
    let mut decided = seen_by(&round, 4);
    decided.own.ask = Ask::Nothing;
    use_view::<Round>(&json!(decided).to_string()).expect("he may have paid none");
    decided.own.given.0[JOKER] = 1;
    use_view::<Round>(&json!(decided).to_string()).expect("or one");
    let mut taxed = decided;
    taxed.table.rules = rules(json!({"joker_tax": "high", "first_round_tax": true}));
    taxed.table.variant.joker_tax = taxed.table.rules.joker_tax;
    let error = use_view::<Round>(&json!(taxed).to_string()).expect_err("jokers are high").to_string();
    assert!(error.contains("no cards paid, but the tribute moves at once"), "{error}");
}

#[test]
fn a_view_without_any_deal_is_refused() {
    // No player can be dealt enough twos for two of them to be that player's best cards.
    let mut paid = seen_by(&second_round(json!({}), 0), 0);
    paid.own.hand.remove(&paid.own.received);
    paid.own.received = from_text("2 2").expect("cards");
    paid.own.hand.add(&paid.own.received);
    refused_for_want_of_a_deal(&paid);
    // A player with both jokers knows that no other player decides about any.
    let mut both = seen_by(&jokers_are_chosen(), 4);
    both.own.ask = Ask::Nothing;
    let card = both.own.hand.cards().next().expect("a card");
    both.own.hand.0[card] -= 1;
    both.own.hand.0[JOKER] += 1;
    refused_for_want_of_a_deal(&both);
    both.own.ask = Ask::TaxJokers;
    use_view::<Round>(&json!(both).to_string()).expect("he decides himself");
}
