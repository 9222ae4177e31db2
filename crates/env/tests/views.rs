//! Views from outside: whatever text arrives, it is refused with a reason, or everything that takes
//! a view works on it.

use cardsharp_env::blocks::width;
use cardsharp_env::games::ViewError;
use cardsharp_env::games::dalmuti::Round;
use cardsharp_env::games::dalmuti::deck::from_text;
use cardsharp_env::games::dalmuti::rules::Rules;
use cardsharp_env::games::dalmuti::table::{Exposed, ExposedFate, Stage};
use cardsharp_env::mask;
use cardsharp_env::{AnyView, DealRng, Draw, GAMES, Game, OwnedView, Seat, Session, Turn};
use serde_json::{Value, json};

/// Views of random sessions, as JSON: of every seat, one decision in `share`.
fn views(sessions: u64, share: u32) -> Vec<Value> {
    let mut views = Vec::new();
    for seed in 0..sessions {
        let mut draw = Draw::new(seed, 9);
        let rules = <Rules as cardsharp_env::Rules>::random(&mut draw);
        let mut session = Session::<Round>::new(rules, seed);
        loop {
            let mut opening = 0..8u32;
            while let Turn::Decide(seat) = session.round().turn() {
                if opening.next().is_some() || draw.below(share) == 0 {
                    for seat in (0..rules.players).map(Seat) {
                        views.push(json!(session.round().view(seat).to_owned()));
                    }
                }
                let legal = Round::legal(session.round().view(seat));
                let action = mask::nth(&legal.0, draw.below(mask::count(&legal.0)));
                session.round_mut().play(action.expect("there is a legal action"));
            }
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
    views
}

/// Does everything that can be done with a view; the rows and the round it is dealt from it must fit.
fn use_view(text: &str) -> Result<(), ViewError> {
    GAMES[0].with_view(text, &mut |view: &dyn AnyView| {
        let mut row = vec![0; width(Round::OBSERVATION)];
        view.row(&mut row);
        let blocks = Round::OBSERVATION.iter();
        assert!(blocks.flat_map(|b| b.of(&row).iter().map(|cell| *cell <= b.max)).all(|fits| fits));
        let mut legal = vec![0; 5];
        if view.legal(&mut legal) > 0 {
            assert!(mask::contains(&legal, view.scripted()));
        }
        assert!(!view.picture().is_empty());
    })?;
    let view: OwnedView<Round> = serde_json::from_str(text).expect("it was read before");
    let round = Round::redeal(view.view(), DealRng::new(1, 2));
    assert_eq!(round.view(view.seat).to_owned(), view);
    assert_eq!(round.audit(), Ok(()));
    Ok(())
}

/// All places in a JSON value that hold no further values.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), found))
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}/{i}"), found))
        }
        _ => found.push(path.to_owned()),
    }
}

/// Changes one leaf.
fn mutate(value: &mut Value, other: &Value, draw: &mut Draw) {
    let mut all = Vec::new();
    leaves(value, "", &mut all);
    // The many zeros of the memory would take nearly all changes.
    let path = loop {
        let path = &all[draw.below(all.len() as u32) as usize];
        if !path.starts_with("/table/memory") || draw.below(8) == 0 {
            break path.clone();
        }
    };
    let taken = other.pointer(&path).cloned();
    let Some(leaf) = value.pointer_mut(&path) else { return };
    *leaf = match (draw.below(4), &*leaf) {
        (0, _) => taken.unwrap_or(Value::Null),
        (_, Value::Number(n)) => {
            let n = n.as_i64().unwrap_or(0);
            json!(
                [n + 1, n - 1, 0, 255, i64::from(draw.below(14)), 1 << draw.below(33)]
                    [draw.below(6) as usize]
            )
        }
        (1, Value::String(text)) => {
            let mut cards: Vec<&str> = text.split(' ').collect();
            let at = draw.below(cards.len() as u32) as usize;
            cards[at] = ["", "1", "5", "12", "J"][draw.below(5) as usize];
            json!(cards.join(" "))
        }
        (2, Value::String(text)) => json!(format!("{text} {}", 1 + draw.below(13)).replace("13", "J").trim()),
        (_, Value::String(_)) => {
            let words = [
                "misdeal", "dealt", "taxes", "play", "none", "greater", "open", "kept", "nothing",
                "exchange", "",
            ];
            json!(words[draw.below(words.len() as u32) as usize])
        }
        (_, Value::Bool(yes)) => json!(!yes),
        (_, _) => json!(draw.below(12)),
    };
}

#[test]
fn changed_views_are_refused_or_work() {
    let views = views(40, 40);
    let mut draw = Draw::new(11, 0);
    let mut accepted = 0;
    let rounds = 30_000;
    for _ in 0..rounds {
        let any = |draw: &mut Draw| &views[draw.below(views.len() as u32) as usize];
        let mut view = any(&mut draw).clone();
        let other = any(&mut draw);
        match draw.below(8) {
            0 => view["own"] = other["own"].clone(),
            1 => view["seat"] = json!(draw.below(13)),
            2 => view["table"]["trick"] = other["table"]["trick"].clone(),
            3 => view["table"]["rules"] = other["table"]["rules"].clone(),
            _ => {}
        }
        for _ in 0..=draw.below(2) {
            mutate(&mut view, other, &mut draw);
        }
        let text = view.to_string();
        let used = std::panic::catch_unwind(|| use_view(&text).is_ok());
        accepted += u32::from(used.unwrap_or_else(|_| panic!("this view was accepted, and then:\n{text}")));
    }
    println!("{accepted} of {rounds} changed views accepted");
    assert!((rounds / 100..rounds / 2).contains(&accepted), "{accepted} of {rounds} changed views accepted");
}

#[test]
fn true_views_are_accepted() {
    let views = views(40, 20);
    assert!(views.len() > 5_000);
    for view in views {
        use_view(&view.to_string()).unwrap_or_else(|error| panic!("{error}: {view}"));
    }
}

/// A view in the middle of a hand with taxes, of the Greater Dalmuti.
fn example() -> Value {
    let rules = Rules { players: 5, hands: 3, ..Rules::default() };
    let mut session = Session::<Round>::new(rules, 4);
    let mut draw = Draw::new(4, 0);
    for _ in 0..25 {
        let Turn::Decide(seat) = session.round().turn() else { break };
        let legal = Round::legal(session.round().view(seat));
        let action = mask::nth(&legal.0, draw.below(mask::count(&legal.0)));
        session.round_mut().play(action.expect("there is a legal action"));
    }
    let seat = session.round().table().order[0];
    json!(session.round().view(seat).to_owned())
}

#[test]
fn refusals_say_what_is_wrong() {
    let refusals = [
        ("/table/rules/players", json!(3), "rules option `players` cannot be 3"),
        ("/table/rules/misdeal_prob", json!(1.0), "a card is exposed in every hand"),
        ("/table/deck", json!("1 2 2"), "the rules make another deck"),
        ("/table/hand", json!(4), "hand 4 of a session of 3"),
        ("/table/points/0", json!(7), "points"),
        ("/table/order/1", json!(9), "seat 9 in `order` of 5 players"),
        ("/table/stage", json!("taxes"), "cards were played before the play"),
        ("/table/revolution", json!("revolution"), "None cannot be the caller of the revolution"),
        ("/table/exchange", json!(3), "Merchants exchange no cards by these rules"),
        ("/table/trick/turn", json!(7), "beyond the players"),
        ("/table/trick/passed", json!(31), "`passed` is not who had a turn"),
        ("/table/memory/gone/11", json!(99), "the cards gone are not those"),
        ("/table/memory/total/2", json!(99), "cards, not 99"),
        ("/own/hand", json!("1 1 1"), "the deck does not have the cards"),
        ("/own/given", json!("12 12 12"), "3 cards given and 2 received"),
        ("/own/received", json!("J J"), "not all among"),
        ("/own/partner", json!(2), "the partner is Some(4), not Some(2)"),
        ("/own/replacement", json!(2), "a replacement for a card that was not exposed"),
        ("/own/ask", json!("tax"), "Tax is asked"),
        ("/seat", json!(12), "seat 12 of 5 players"),
        ("/own/hand", json!("1 1 x"), "`x` is not a card"),
        ("/table/memory/gone", json!([1, 2]), "expected 13 counts"),
    ];
    for (path, value, expected) in refusals {
        let mut view = example();
        *view.pointer_mut(path).expect(path) = value.clone();
        let error = match use_view(&view.to_string()) {
            Ok(()) => panic!("{path} = {value} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected), "{path} = {value}: {error}");
    }
    let unknown = example().to_string().replacen("\"seat\"", "\"seta\"", 1);
    assert!(use_view(&unknown).is_err_and(|error| error.to_string().contains("unknown field `seta`")));
}

/// The first round of five players whose table is in this stage and fits, over all seeds.
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
    let refused = |view: &OwnedView<Round>| {
        let error = use_view(&json!(view).to_string()).expect_err("no deal");
        assert!(error.to_string().contains("no deal of the cards leads to it"), "{error}: {view:?}");
    };
    // Nobody is dealt so many 12s that two of them are his best numbered cards.
    let round = find(Stage::Play, |round| round.table().taxes());
    let mut paid = round.view(round.table().order[0]).to_owned();
    paid.own.hand.remove(&paid.own.received);
    paid.own.received = from_text("12 12").expect("cards");
    paid.own.hand.add(&paid.own.received);
    refused(&paid);
    // Who was dealt the exposed 1 and keeps nothing better than he pays must have paid it.
    let round = find(Stage::Play, |round| {
        let own = round.own(round.table().order[0]);
        round.table().taxes() && round.table().exposed.is_none() && own.hand.0[0] + own.received.0[0] == 0
    });
    let mut exposed = round.view(round.table().order[0]).to_owned();
    let peon = round.table().order[4];
    exposed.table.exposed = Some(Exposed { rank: 0, receiver: peon, fate: ExposedFate::Kept });
    refused(&exposed);
    // While somebody thinks about a revolution, nobody else has a Jester.
    let round = find(Stage::Dealt, |_| true);
    let Turn::Decide(holder) = round.turn() else { panic!("nobody decides") };
    let mut offered = round.view(Seat((holder.0 + 1) % 5)).to_owned();
    let card = offered.own.hand.cards().next().expect("a card");
    offered.own.hand.0[card] -= 1;
    offered.own.hand.0[12] += 1;
    refused(&offered);
}
