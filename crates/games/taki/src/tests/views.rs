//! Views of TAKI from outside.

use cardsharp_engine::Play;
use cardsharp_engine::testing::{self, Changes, play_until, use_view};
use cardsharp_engine::{Draw, Seat, Session};
use serde_json::{Value, json};

use crate::{LastCard, Mode, Round, Rules, Stage, Symbol, card_name, from_text};

const CHANGES: Changes = Changes {
    cards: &["R1", "B5", "Y+2", "Gstop", "Rtaki", "Bplus", "color", "super", "king", "+3", "breaker"],
    words: &[
        "turn", "run", "free", "owe", "window", "red", "blue", "taki", "plus2", "left", "right", "nothing",
        "asked", "declined", "king", "",
    ],
    parts: &["/own", "/table/rules", "/table/stage", "/table/proofs", "/table/discards"],
    large: Some("/table/laid"),
};

cardsharp_engine::view_tests!(Round, CHANGES, 40);

/// Returns a view in the middle of a game, in an ordinary turn.
fn example() -> Value {
    let rules = Rules { players: 4, games: 3, ..Rules::default() };
    let mut session = Session::<Round>::new(rules, 4);
    let mut draw = Draw::new(4, 0);
    play_until(&mut session, &mut draw, |round| {
        let table = round.table();
        table.decisions > 15 && table.stage == Stage::Turn && table.debt == 0 && !table.open
    });
    json!(session.round().view(Seat(1)).to_owned())
}

#[test]
fn refusals_say_what_is_wrong() {
    let refusals = [
        ("/table/rules/players", json!(1), "rules option `players` cannot be 1"),
        ("/table/rules/players", json!(3), "`wins` has 4 entries: expected 3"),
        ("/table/rules/stages", json!(0), "rules option `stages` cannot be 0"),
        ("/table/game", json!(4), "game 4 of a session of 3"),
        ("/table/wins/0", json!(7), "games won"),
        ("/table/turn", json!(9), "seat 9 of 4 players"),
        ("/table/debt", json!(3), "an odd number of cards is owed"),
        ("/table/debt", json!(60), "60 cards are owed for cards +2"),
        ("/table/recycles", json!(100), "100 new draw piles, but only"),
        ("/table/stages/0", json!(3), "seat 0 in stage 3"),
        ("/table/sizes/2", json!(99), "cards in hands, draw pile and discards"),
        ("/table/laid", json!([]), "`laid` has 0 entries: expected 4"),
        ("/table/announced", json!([6]), "`announced` names seats that no player has"),
        ("/table/decisions", json!(9999), "the game is cut off after 4000"),
        ("/table/idle", json!(2), "a turn without a move although there are cards"),
        ("/table/remained", json!(1), "cards laid in a turn that is only starting"),
        ("/table/stage", json!("window"), "no +3 on top"),
        ("/own/hand", json!("R1"), "1 cards in a hand of"),
        ("/own/hand", json!("R1 X5"), "`X5` is not a card"),
        ("/own/answer", json!("asked"), "there is nothing to answer"),
        ("/own/drew", json!("R1"), "1 cards drawn, not"),
        ("/seat", json!(12), "seat 12 of 4 players"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&example(), &refusals);
}

#[test]
fn a_debt_has_a_limit() {
    let rules =
        Rules { players: 4, mode: Mode::Tournament, last_card: LastCard::Challenge, ..Rules::default() };
    let mut session = Session::<Round>::new(rules, 4);
    let mut draw = Draw::new(4, 0);
    play_until(&mut session, &mut draw, |round| round.table().debt > 0);
    let mut view = json!(session.round().view(Seat(1)).to_owned());
    use_view::<Round>(&view.to_string()).expect("the view itself");
    let laid = session.round().table().discards.among(Symbol::Plus2.faces());
    for debt in [2 * laid + 2, 60, 80, 4_000_000_000] {
        view["table"]["debt"] = json!(debt);
        let error = use_view::<Round>(&view.to_string()).expect_err("a large debt").to_string();
        let expected = format!("{debt} cards are owed for cards +2, not up to {}", 2 * laid);
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn a_view_without_any_deal_is_refused() {
    // Everyone would know that another player holds cards that the viewer holds.
    let mut view = example();
    let hand = from_text(view["own"]["hand"].as_str().expect("cards")).expect("cards");
    let card = hand.cards().next().expect("a card");
    let name = card_name(card);
    view["table"]["known"][0] = json!(format!("{name} {name}"));
    let error = use_view::<Round>(&view.to_string()).expect_err("no deal").to_string();
    assert!(error.contains("no deal of the cards leads to it") || error.contains("two places"), "{error}");
}
