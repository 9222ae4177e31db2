//! Views of Tachtigen from outside.

use cardsharp_engine::Play;
use cardsharp_engine::testing::{self, Changes, play_until};
use cardsharp_engine::{Draw, Session};
use serde_json::{Value, json};

use crate::{AskedCard, BidKind, Round, Rules};

const CHANGES: Changes = Changes {
    cards: &["SJ", "S9", "HA", "H6", "D7", "CT"],
    words: &[
        "opening", "auction", "discard", "trump", "ask", "play", "claim", "over", "nothing", "solo", "S",
        "none", "80", "misere", "prive", "SJ", "H6", "",
    ],
    parts: &["/own", "/table/play", "/table/auction", "/table/rules"],
    large: Some("/table/play"),
};

cardsharp_engine::view_tests!(Round, CHANGES, 100);

/// Returns the bidder's view in the third trick of a points contract in which a card is asked for.
fn example() -> Value {
    for seed in 0.. {
        let mut session = Session::<Round>::new(Rules { deals: 3, ..Rules::default() }, seed);
        let mut draw = Draw::new(seed, 0);
        let is_found = play_until(&mut session, &mut draw, |round| {
            let table = round.table();
            let asked = matches!(table.asked, AskedCard::Card(_)) && table.roem[1].is_none();
            let points = matches!(table.contract(), Some(BidKind::Points(_)));
            asked && points && table.play.trick() == 2 && table.bidder() == Some(table.turn)
        });
        if is_found {
            let seat = session.round().table().turn;
            return json!(session.round().view(seat).to_owned());
        }
    }
    unreachable!("there is one")
}

#[test]
fn refusals_say_what_is_wrong() {
    let refusals = [
        ("/table/rules/players", json!(3), "rules option `players` cannot be 3"),
        ("/table/rules/max_point_bid", json!(225), "rules option `max_point_bid` cannot be 225"),
        ("/table/deal", json!(4), "deal 4 of a session of 3"),
        ("/table/scores/0", json!(70), "cannot be the scores"),
        ("/table/redeals", json!(1), "dealt again 1 times"),
        ("/table/dealer", json!(4), "seat 4 of 4 players"),
        ("/table/auction/order/0", json!(9), "seat 9 of 4 players"),
        ("/table/auction/passed", json!([0, 1, 2, 3]), "the highest bidder has passed"),
        ("/table/auction/held", json!([4]), "[4] are not seats of 4 players"),
        ("/table/stage", json!("auction"), "the auction is over"),
        ("/table/kitty", json!(null), "the kitty is taken unless"),
        ("/table/trump", json!("none"), "trump cannot be Some(None)"),
        ("/table/asked", json!("nothing"), "Nothing cannot be asked now"),
        ("/table/partner", json!(7), "seat 7 of 4 players"),
        ("/table/play/leaders/1", json!(8), "seat 8 of 4 players"),
        ("/table/play/won/0", json!(8), "the play is"),
        ("/table/play/leaders", json!([0, 1]), "`leaders` has 2 entries: expected 3"),
        ("/table/play/called", json!([8]), "[8] are not tricks: expected 0 to 7"),
        ("/table/play/lone", json!([6]), "[6] are not seats of 4 players"),
        ("/table/roem/bidder", json!(15), "announced 15, and has"),
        ("/own/hand", json!("SJ SJ"), "SJ occurs twice"),
        ("/own/hand", json!("SJ"), "1 cards in hand, not"),
        ("/own/hand", json!("SJ xx"), "`xx` is not a card"),
        ("/own/discard", json!(null), "None put aside"),
        ("/seat", json!(12), "seat 12 of 4 players"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&example(), &refusals);
}
