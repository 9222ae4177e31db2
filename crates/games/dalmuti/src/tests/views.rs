//! Views of The Great Dalmuti from outside.

use cardsharp_engine::Play;
use cardsharp_engine::game::Scripted;
use cardsharp_engine::testing::{self, Changes, play_until, refused_for_want_of_a_deal};
use cardsharp_engine::{Draw, Seat, Session, Turn};
use serde_json::{Value, json};

use crate::{Exposed, ExposedFate, Round, Rules, Stage, from_text};

const CHANGES: Changes = Changes {
    cards: &["1", "2", "5", "7", "12", "J"],
    words: &[
        "misdeal", "dealt", "taxes", "play", "none", "greater", "open", "kept", "nothing", "exchange", "",
    ],
    parts: &["/own", "/table/trick", "/table/rules"],
    large: Some("/table/memory"),
};

cardsharp_engine::view_tests!(Round, CHANGES, 40);

/// Returns the Greater Dalmuti's view in the middle of a hand with taxes.
fn example() -> Value {
    let rules = Rules { players: 5, hands: 3, ..Rules::default() };
    let mut session = Session::<Round>::new(rules, 4);
    let mut draw = Draw::new(4, 0);
    let mut decisions = 0..25;
    play_until(&mut session, &mut draw, |_| decisions.next().is_none());
    let seat = session.round().table().order[0];
    json!(session.round().view(seat).to_owned())
}

#[test]
fn refusals_say_what_is_wrong() {
    let refusals = [
        ("/table/rules/players", json!(3), "rules option `players` cannot be 3"),
        ("/table/rules/players", json!(4), "`points` has 5 entries: expected 4"),
        ("/table/rules/hands", json!(0), "rules option `hands` cannot be 0"),
        ("/table/order", json!([0, 1, 2, 3]), "`order` has 4 entries: expected 5"),
        ("/table/rules/misdeal_prob", json!(1.0), "a card is exposed in every hand"),
        ("/table/deck", json!("1 2 2"), "the deck of the rules is not"),
        ("/table/hand", json!(4), "hand 4 of a session of 3"),
        ("/table/points/0", json!(7), "points"),
        ("/table/order/1", json!(9), "seat 9 in `order` of 5 players"),
        ("/table/stage", json!("taxes"), "cards were played before the play"),
        ("/table/revolution", json!("revolution"), "None cannot be the caller of the revolution"),
        ("/table/exchange_position", json!(3), "Merchants exchange no cards by these rules"),
        ("/table/trick/turn", json!(7), "names a position that no player has"),
        ("/table/trick/passed", json!([0, 1, 2, 3, 4]), "`passed` does not name the players who had a turn"),
        ("/table/trick/passed", json!([1, 1]), "1 occurs twice in a list"),
        ("/table/trick/out", json!([0, 1, 2, 3, 4]), "`trick.out` has 5 of 5 players: expected fewer"),
        ("/table/trick/set/rank", json!("13"), "`13` is not a card: expected 1 to 12 or J"),
        ("/table/trick/set/size", json!(0), "`trick.set` has no cards: expected null"),
        ("/table/memory/gone", json!("12"), "`gone` does not match the cards"),
        ("/table/memory/total/2", json!(99), "cards, not 99"),
        ("/own/hand", json!("1 1 1"), "the deck does not have the cards"),
        ("/own/given", json!("12 12 12"), "3 cards given and 2 received"),
        ("/own/received", json!("J J"), "not all among"),
        ("/own/partner_position", json!(2), "the partner is Some(4), not Some(2)"),
        ("/own/replacement", json!("3"), "a replacement for a card that was not exposed"),
        ("/own/ask", json!("tax"), "Tax is asked"),
        ("/seat", json!(12), "seat 12 of 5 players"),
        ("/own/hand", json!("1 1 x"), "`x` is not a card"),
        ("/table/memory/gone", json!([1, 2]), "expected a string"),
        ("/table/memory/played", json!([]), "`memory.played` has 0 entries: expected 5"),
    ];
    testing::refusals_say_what_is_wrong::<Round>(&example(), &refusals);
}

/// Returns the first round of five players whose table is in this stage and for which `fits` is true, over all
/// seeds.
fn find(stage: Stage, fits: impl Fn(&Round) -> bool) -> Round {
    let rules = Rules { players: 5, misdeal_prob: 0.5, ..Rules::default() };
    for seed in 0.. {
        let mut session = Session::<Round>::new(rules, seed);
        while session.round().table().stage != Stage::Play {
            if session.round().table().stage == stage {
                break;
            }
            let Turn::Decide(seat) = session.round().turn() else { break };
            let action = Round::scripted(session.round().view(seat));
            session.round_mut().play(action);
        }
        if session.round().table().stage == stage && fits(session.round()) {
            return *session.round();
        }
    }
    unreachable!("there is one");
}

#[test]
fn a_view_without_any_deal_is_refused() {
    // No player can be dealt enough 12s for two of them to be that player's best numbered cards.
    let round = find(Stage::Play, |round| round.table().taxes());
    let mut paid = round.view(round.table().order[0]).to_owned();
    paid.own.hand.remove(&paid.own.received);
    paid.own.received = from_text("12 12").expect("cards");
    paid.own.hand.add(&paid.own.received);
    refused_for_want_of_a_deal(&paid);
    // A player who was dealt the exposed 1, and has nothing better than the paid cards left, must have paid the 1.
    let round = find(Stage::Play, |round| {
        let own = round.own(round.table().order[0]);
        round.table().taxes() && round.table().exposed.is_none() && own.hand.0[0] + own.received.0[0] == 0
    });
    let mut exposed = round.view(round.table().order[0]).to_owned();
    let peon = round.table().order[4];
    exposed.table.exposed = Some(Exposed { rank: 0, receiver: peon, fate: ExposedFate::Kept });
    refused_for_want_of_a_deal(&exposed);
    // While a player decides about a revolution, no other player has a Jester.
    let round = find(Stage::Dealt, |_| true);
    let Turn::Decide(holder) = round.turn() else { panic!("nobody decides") };
    let mut offered = round.view(Seat((holder.0 + 1) % 5)).to_owned();
    let card = offered.own.hand.cards().next().expect("a card");
    offered.own.hand.0[card] -= 1;
    offered.own.hand.0[12] += 1;
    refused_for_want_of_a_deal(&offered);
}
