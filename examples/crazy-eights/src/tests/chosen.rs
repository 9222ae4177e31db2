use cardsharp_env::{Session, Size};
use serde_json::json;

use super::situation::players;
use crate::{CRAZY_EIGHTS, Round};

#[test]
fn a_deal_that_was_told_can_be_chosen_and_what_is_left_out_is_dealt() {
    let deal = json!({ "dealer": 1, "hands": ["2c 3c 4c 5c 6c", null, "2h 3h 4h 5h 6h"], "turned": "Ks" });
    let session = Session::<Round>::of(players(3), 7, &deal).unwrap();
    assert_eq!(session.round().table.dealer.0, 1);
    assert_eq!(session.round().own[1].hand.len(), 5);
    let rules = CRAZY_EIGHTS.default_rules().sized(Size::players(3)).unwrap();
    let told = rules.table_of(7, &deal).unwrap().describe_deal().unwrap();
    assert_eq!(told["hands"][2], "2h 3h 4h 5h 6h");
    assert_eq!(rules.table_of(7, &told).unwrap().describe_deal(), Some(told));
}

#[test]
fn deals_that_cannot_be_are_refused() {
    let rules = CRAZY_EIGHTS.default_rules().sized(Size::players(3)).unwrap();
    for (deal, expected) in [
        (json!({ "dealer": 3 }), "`dealer` is 3, expected a seat of this game"),
        (json!({ "hands": ["2c", null, null] }), "`hands[0]`: 1 cards, expected 5"),
        (
            json!({ "hands": ["2c 3c 4c 5c 6c", "7c 9c Tc Jc 6c", null] }),
            "`hands[1]`: 6c is not in this deck, or was told before",
        ),
        (json!({ "turned": "8c" }), "`turned`: no game begins with an eight, expected another card"),
        (json!({ "pile": "2c 3c" }), "`pile`: 2 cards, expected 36"),
    ] {
        assert_eq!(rules.table_of(1, &deal).err().unwrap().to_string(), expected);
    }
}
