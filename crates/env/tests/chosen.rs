//! Sessions with a chosen first deal, in every game.

use cardsharp_env::game::{Chosen, DealError};
use cardsharp_env::log::Line;
use cardsharp_env::mask::Mask;
use cardsharp_env::table::Step;
use cardsharp_env::{
    AnyTable, Audience, DealRng, Draw, Game, GameRules, Rules, Seat, Session, Turn, game, games,
};
use serde_json::{Value, json};

fn rules(name: &str, options: Value) -> GameRules {
    game(name).expect("one of the games").rules(&options).expect("rules")
}

/// Returns the deal of a new table. If the table starts with a decree, this plays the first legal one.
fn dealt(table: &mut dyn AnyTable) -> Value {
    if table.describe_deal().is_none() {
        table.try_play(table.legal()[0]).expect("a legal move");
    }
    table.describe_deal().expect("the cards are dealt")
}

fn refusal(rules: &GameRules, deal: &Value) -> String {
    rules.table_of(7, deal).err().unwrap_or_else(|| panic!("{deal} is accepted")).to_string()
}

/// Plays until the session is over, with the scripted players or at random.
fn play_on(table: &mut dyn AnyTable, by_chance: bool) {
    let mut draw = Draw::new(9, 0);
    loop {
        while let Some(view) = table.asked() {
            let legal = table.legal();
            let action = if by_chance { draw.pick(&legal) } else { view.scripted() };
            table.try_play(action).expect("a legal move");
        }
        if !table.deal_next() {
            return;
        }
    }
}

fn lines_of(table: &dyn AnyTable, to: Audience) -> Vec<Line> {
    (0..=table.steps()).flat_map(|step| table.lines(step, to)).collect()
}

#[test]
fn what_was_dealt_chosen_is_the_same_session() {
    for game in games::GAMES.iter() {
        for seed in 0..40 {
            let rules = game.random_rules(seed);
            let mut table = rules.table(seed);
            let deal = dealt(table.as_mut());
            let mut chosen = rules.table_of(seed, &deal).unwrap_or_else(|error| panic!("{error}: {deal}"));
            let before = table.steps();
            assert_eq!(chosen.describe_deal(), Some(deal));
            for table in [table.as_mut(), chosen.as_mut()] {
                play_on(table, seed % 2 == 0);
            }
            // Decrees of later rounds are drawn in the same way, so the whole sessions are equal.
            let lines = |table: &dyn AnyTable, from: usize| -> Vec<Line> {
                (from..=table.steps()).flat_map(|step| table.lines(step, Audience::Referee)).collect()
            };
            assert_eq!(
                lines(table.as_ref(), before + 1),
                lines(chosen.as_ref(), 1),
                "{} {rules}",
                game.name()
            );
            assert_eq!(table.standing(), chosen.standing());
        }
    }
}

/// Deals every later round of random sessions again from its description.
fn deal_later_rounds<G: Game>() {
    let mut draw = Draw::new(21, 0);
    let mut later = 0;
    for seed in 0..60 {
        let rules = <G::Rules as Rules>::random(&mut draw);
        let mut session = Session::<G>::new(rules, seed);
        let play = |round: &mut G, draw: &mut Draw| {
            let Turn::Decide(seat) = round.turn() else { return false };
            let action = G::legal(round.view(seat)).random(draw).expect("a legal move");
            round.play(action);
            true
        };
        loop {
            while play(session.round_mut(), &mut draw) {}
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
            let mut round = *session.round();
            if round.describe_deal().is_none() {
                play(&mut round, &mut draw);
            }
            let deal = round.describe_deal().expect("the cards are dealt");
            let (rng, mut standing) = (DealRng::new(seed, session.number().into()), *session.standing());
            let chosen = Chosen::of(&deal).and_then(|deal| G::dealt(&rules, &mut standing, deal, rng));
            assert_eq!(chosen, Ok(round), "{deal}");
            assert_eq!(standing, *session.standing());
            later += 1;
        }
    }
    assert!(later > 20, "{} {later}", G::NAME);
}

#[test]
fn later_rounds_can_be_chosen_too() {
    deal_later_rounds::<games::tahimi::Round>();
    deal_later_rounds::<games::dalmuti::Round>();
    deal_later_rounds::<games::taki::Round>();
    deal_later_rounds::<games::tachtigen::Round>();
    deal_later_rounds::<games::kuhn::Round>();
    deal_later_rounds::<games::leduc::Round>();
}

#[test]
fn taken_back_to_the_beginning_the_chosen_cards_are_there() {
    for game in games::GAMES.iter() {
        let rules = game.random_rules(5);
        let deal = dealt(rules.table(1).as_mut());
        let mut table = rules.table_of(2, &deal).expect("a deal of these rules");
        let beginning = lines_of(table.as_ref(), Audience::Referee);
        play_on(table.as_mut(), true);
        let mut rounds = 1;
        while let Some(step) = table.undo() {
            rounds += u32::from(step == Step::Deal);
        }
        assert_eq!((lines_of(table.as_ref(), Audience::Referee), table.round()), (beginning, 1));
        assert_eq!(rounds, rules.rounds(), "{}", game.name());
        assert_eq!(table.describe_deal(), Some(deal));
    }
}

#[test]
fn what_was_dealt_is_told_all_round_until_it_is_forgotten() {
    for (game, seed) in games::GAMES.iter().flat_map(|game| (0..6).map(move |seed| (game, seed))) {
        let mut table = game.random_rules(seed).table(seed);
        let (mut draw, mut known) = (Draw::new(seed, 1), (0, None));
        while !table.over() {
            if known.0 != table.round() {
                known = (table.round(), None);
            }
            let deal = table.describe_deal();
            if known.1.is_none() {
                known.1 = deal.clone();
            }
            assert_eq!(deal, known.1, "{} in round {}", game.name(), table.round());
            match table.turn().map(|_| table.legal()) {
                Some(legal) => {
                    let chosen = draw.pick(&legal);
                    table.try_play(chosen).expect("a legal move");
                }
                None => assert!(table.deal_next(), "{}", game.name()),
            }
        }
        assert!(known.1.is_some(), "{}", game.name());
        table.forget(table.steps());
        assert_eq!(table.describe_deal(), None, "{}", game.name());
    }
}

#[test]
fn the_header_of_a_trace_tells_what_was_chosen_and_that_of_others_nothing() {
    let rules = rules("tachtigen", json!({ "deals": 1 }));
    let deal = json!({ "hands": [null, "SJ S9 SA ST SK SQ S8 S7", null, null], "kitty": "HJ" });
    let table = rules.table_of(3, &deal).expect("a deal");
    let header = table.header(Audience::Referee, Vec::new()).json();
    assert_eq!(header["deal"], table.describe_deal().expect("dealt"));
    assert_eq!(header["deal"]["hands"][1], "S7 S8 S9 ST SJ SQ SK SA");
    let again = rules.table_of(3, &header["deal"]).expect("the same deal");
    assert_eq!(lines_of(again.as_ref(), Audience::Referee), lines_of(table.as_ref(), Audience::Referee));
    assert!(rules.table(3).header(Audience::Referee, Vec::new()).json().get("deal").is_none());
    for to in [Audience::Everybody, Audience::Seat(Seat(0))] {
        assert!(
            table.header(to, Vec::new()).json().get("deal").is_none(),
            "others' cards are nobody's business"
        );
    }
}

#[test]
fn seats_are_told_of_chosen_cards_what_they_may_know_and_make_their_views_of_it() {
    let menu = json!([{ "deck": "special" }, {}, { "jokers": "wild" }]);
    let all = [
        ("tahimi", json!({ "players": 5, "rounds": 2, "decree": menu })),
        ("tahimi", json!({ "players": 4, "rounds": 2, "first_round_tax": true })),
        (
            "dalmuti",
            json!({ "players": 5, "hands": 2, "misdeal_prob": 1.0, "merchant_exchange": "blind_choice" }),
        ),
        ("taki", json!({ "players": 3 })),
        ("tachtigen", json!({ "deals": 2, "opening_order": "random" })),
        ("kuhn", json!({})),
        ("leduc", json!({})),
    ];
    for (name, options) in all {
        let rules = rules(name, options);
        let deal = dealt(rules.table(11).as_mut());
        let mut table = rules.table_of(12, &deal).expect("a deal of these rules");
        play_on(table.as_mut(), false);
        for seat in 0..table.seats() {
            let to = Audience::Seat(Seat(seat as u8));
            let mut observer =
                rules.game().observer(&table.header(to, Vec::new()).json()).expect("a record's header");
            let mut live = rules.table_of(12, &deal).expect("a deal of these rules");
            for step in 0..=table.steps() {
                match table.step(step) {
                    Some(Step::Move(_, action)) if step > 0 => live.try_play(action).expect("a legal move"),
                    Some(Step::Deal) if step > 0 => assert!(live.deal_next()),
                    _ => {}
                }
                for line in table.lines(step, to) {
                    let line = line.json();
                    observer
                        .hear(&line)
                        .unwrap_or_else(|error| panic!("{name}, seat {seat}: {error}: {line}"));
                }
                if live.turn() == Some(Seat(seat as u8)) {
                    let view = live.view(Seat(seat as u8)).expect("a view").json();
                    assert_eq!(
                        observer.view().expect("a view").json(),
                        view,
                        "{name}, seat {seat}, step {step}"
                    );
                }
            }
            assert!(observer.over());
        }
    }
}

#[test]
fn what_is_left_out_is_dealt_by_the_seed() {
    let hand = "SJ S9 SA ST SK SQ S8 S7";
    let of = |seed| {
        let rules = rules("tachtigen", json!({}));
        let table = rules.table_of(seed, &json!({ "hands": [hand, null, null, null] })).expect("a deal");
        let deal = table.describe_deal().expect("dealt");
        assert_eq!(deal["hands"][0].as_str().map(|cards| cards.split(' ').count()), Some(8));
        deal
    };
    assert_eq!(of(1), of(1));
    let kitties: std::collections::BTreeSet<String> =
        (0..40).map(|seed| of(seed)["kitty"].to_string()).collect();
    assert!(kitties.len() > 12, "{kitties:?}");
    let dealers: std::collections::BTreeSet<String> =
        (0..40).map(|seed| of(seed)["dealer"].to_string()).collect();
    assert_eq!(dealers.len(), 4);
}

#[test]
fn who_leaves_the_exposed_card_out_leaves_it_to_the_rules() {
    let exposed = |probability: f64| {
        let rules = rules("dalmuti", json!({ "players": 6, "misdeal_prob": probability }));
        let deals = (0..200).map(|seed| rules.table_of(seed, &json!({})).expect("a deal").describe_deal());
        let mut by_receiver = [0; 6];
        for deal in deals.flatten().filter(|deal| !deal["exposed"].is_null()) {
            by_receiver[deal["exposed"]["receiver"].as_u64().expect("a seat") as usize] += 1;
        }
        by_receiver
    };
    assert_eq!(exposed(0.0), [0; 6]);
    assert_eq!(exposed(1.0).iter().sum::<i32>(), 200);
    assert!(exposed(1.0).iter().all(|times| (18..50).contains(times)), "{:?}", exposed(1.0));
    assert!((70..130).contains(&exposed(0.5).iter().sum::<i32>()));
}

#[test]
fn a_whole_line_of_a_trace_is_a_deal() {
    let rules = rules("taki", json!({ "players": 3, "games": 3 }));
    let mut table = rules.table(1);
    play_on(table.as_mut(), true);
    let lines: Vec<Value> = lines_of(table.as_ref(), Audience::Referee).iter().map(Line::json).collect();
    let third = lines.iter().find(|line| line["line"] == "deal" && line["round"] == 3).expect("a third game");
    let chosen = rules.table_of(1, third).expect("a deal");
    assert_eq!(chosen.describe_deal().expect("dealt")["pile"], third["pile"]);
    assert_eq!(refusal(&rules, &lines[1].clone()), "`line` is \"decision\", expected \"deal\"");
}

#[test]
fn the_round_of_a_deal_is_the_number_of_one() {
    for game in games::GAMES.iter() {
        let rules = game.default_rules();
        let mut deal = dealt(rules.table(3).as_mut());
        for right in [json!(1), json!(700)] {
            deal["round"] = right;
            assert!(rules.table_of(3, &deal).is_ok(), "{}: {deal}", game.name());
        }
        for wrong in
            [json!(1e308), json!(4_294_967_296_u64), json!(0), json!(-1), json!(1.5), json!("1"), json!(null)]
        {
            deal["round"] = wrong.clone();
            let expected = format!("`round` is {wrong}, expected a whole number from 1 to 4294967295");
            assert_eq!(refusal(&rules, &deal), expected, "{}", game.name());
        }
    }
}

#[test]
fn deals_that_cannot_be_are_refused_in_words() {
    let tachtigen = rules("tachtigen", json!({}));
    let (a, b) = ("SJ S9 SA ST SK SQ S8 S7", "HJ H9 HA HT HK HQ H8 H7");
    let four = |hands: [Value; 4]| json!({ "hands": hands });
    let null = Value::Null;
    for (deal, expected) in [
        (json!([1]), "a deal is a JSON object with fields of the line `deal`, not [1]"),
        (
            json!({ "hand": a }),
            "a deal of tachtigen has no `hand`; did you mean `hands`?: expected `dealer`, `hands`, `kitty`, `order`",
        ),
        (
            json!({ "hands": [a, b] }),
            "`hands` is a list of 2, expected a list of 4, each a text of cards or null",
        ),
        (
            json!({ "hands": a }),
            "`hands` is \"SJ S9 SA ST SK SQ S8 S7\", expected a list of 4, each a text of cards or null",
        ),
        (
            four([json!(7), null.clone(), null.clone(), null.clone()]),
            "`hands[0]` is 7, expected a text of cards or null",
        ),
        (four([null.clone(), json!("SJ S9"), null.clone(), null.clone()]), "`hands[1]`: 2 cards, expected 8"),
        (
            four([json!(a), json!(b), json!(a.replace("S7", "C7")), null.clone()]),
            "`hands[2]`: S8 S9 ST SJ SQ SK SA is in a hand before it",
        ),
        (
            four([json!(a.replace("S7", "SJ")), null.clone(), null.clone(), null.clone()]),
            "`hands[0]`: SJ occurs twice in `SJ S9 SA ST SK SQ S8 SJ`",
        ),
        (json!({ "hands": [a, null, null, null], "kitty": "SJ" }), "`kitty` is SJ, which is in `hands[0]`"),
        (json!({ "dealer": 4 }), "`dealer` is 4, expected a seat, 0 to 3"),
        (json!({ "dealer": 0, "order": [0, 1, 2, 3] }), "`order[0]` is 0, but by these rules it is 1"),
    ] {
        assert_eq!(refusal(&tachtigen, &deal), expected);
    }
    let dalmuti = rules("dalmuti", json!({ "players": 5, "seating": "fixed" }));
    let twelves = "12 12 12 12 12 12 12 12 12 12 12 12 11 11 11 11";
    for (deal, expected) in [
        (
            json!({ "hands": [twelves, twelves, null, null, null] }),
            "`hands` hold 24 x 12, but the deck has 12 x 12",
        ),
        (json!({ "hands": ["1 2", null, null, null, null] }), "`hands[0]`: 2 cards, expected 16"),
        (
            json!({ "hands": ["1 x", null, null, null, null] }),
            "`hands[0]`: `x` is not a card: expected 1 to 12 or J",
        ),
        (json!({ "order": [1, 0, 2, 3, 4] }), "`order[0]` is 1, but by these rules it is 0"),
        (
            json!({ "exposed": { "card": "4", "receiver": 2 } }),
            "`exposed`: by these rules no card is exposed, expected null (`misdeal_prob` is 0)",
        ),
    ] {
        assert_eq!(refusal(&dalmuti, &deal), expected);
    }
    let exposing = rules("dalmuti", json!({ "players": 5, "seating": "fixed", "misdeal_prob": 1.0 }));
    for (deal, expected) in [
        (json!({ "exposed": null }), "`exposed`: by these rules a card is exposed (`misdeal_prob` is 1)"),
        (
            json!({ "hands": [twelves, null, null, null, null], "exposed": { "card": "4", "receiver": 0 } }),
            "`exposed`: `hands[0]` has no 4",
        ),
        (
            json!({ "hands": [twelves, null, null, null, null], "exposed": { "card": "12", "receiver": 1 } }),
            "`exposed`: no 12 is left to be dealt to position 1",
        ),
    ] {
        assert_eq!(refusal(&exposing, &deal), expected);
    }
    let taki =
        rules("taki", json!({ "players": 2, "mode": "tournament", "stages": 4, "first_player": "seat0" }));
    let pile = |turned: &str, pile: &str| json!({ "hands": ["R1 R3 R4 R5", "B1 B3 B4 B5"], "turned": turned, "pile": pile });
    for (deal, expected) in [
        (json!({ "hands": ["R1 R3 R4", null] }), "`hands[0]`: 3 cards, expected 4"),
        (
            json!({ "hands": ["R1 R3 R4 R1", "R1 B1 B3 B4"] }),
            "`hands[1]`: more cards R1 than the 2 of the deck, with the cards named before",
        ),
        (
            json!({ "hands": ["king king R1 R1", null], "turned": "king R3" }),
            "`hands` and `turned` have more cards king than the deck",
        ),
        (json!({ "turned": "king" }), "king cannot start the discard pile"),
        (json!({ "begins": 1 }), "seat 1 starts, but by these rules seat 0 does"),
        (json!({ "pile": "R1" }), "there is a `pile` and no `turned`: expected both, or neither"),
        (pile("G1", "R6"), "`pile`: 1 cards, expected 107"),
    ] {
        assert_eq!(refusal(&taki, &deal), expected);
    }
    let mut whole = taki.table(3).describe_deal().expect("dealt");
    let cards: Vec<&str> = whole["pile"].as_str().expect("a text").split(' ').collect();
    let doubled = [&cards[..106], &[cards[0]]].concat().join(" ");
    whole["pile"] = json!(doubled);
    let message = refusal(&taki, &whole);
    assert!(
        message.starts_with("`pile`: more cards ") || message.starts_with("`pile` ends with"),
        "{message}"
    );
    let decree = rules("tahimi", json!({ "players": 4, "decree": [{}, { "deck": "special" }] }));
    let message = |given| {
        format!("`decree` is {given}, expected an entry of the menu, 0 to 1: what is dealt depends on it")
    };
    assert_eq!(refusal(&decree, &json!({})), message("missing"));
    assert_eq!(refusal(&decree, &json!({ "decree": 2 })), message("2"));
    let tahimi = rules("tahimi", json!({ "players": 4 }));
    for (deal, expected) in [
        (json!({ "decree": 0 }), "`decree` is 0, but by these rules it is null"),
        (json!({ "left": [2] }), "`left[0]` is 2, but by these rules it is missing"),
        (
            json!({ "variant": { "deck": "special" } }),
            "`variant.deck` is \"special\", but by these rules it is \"standard\"",
        ),
        (json!({ "order": [0, 0, 1, 2] }), "`order` names 0, expected each of seats 0, 1, 2, 3 once"),
        (
            json!({ "hands": ["2 2 2 2 2 3 3 3 3 4 4 4 4", null, null, null] }),
            "`hands` hold 5 x 2, but the deck has 4 x 2",
        ),
    ] {
        assert_eq!(refusal(&tahimi, &deal), expected);
    }
    let kuhn = rules("kuhn", json!({}));
    for (deal, expected) in [
        (json!({ "hands": ["Js", "Js"] }), "`hands[1]`: Js is not in the deck, or occurs twice"),
        (json!({ "hands": ["Jh", null] }), "`hands[0]`: Jh is not in the deck, or occurs twice"),
        (json!({ "first": 1 }), "`first` is 1, but by these rules it is 0"),
        (json!({ "board": "Qs" }), "`board` is \"Qs\", but by these rules it is null"),
    ] {
        assert_eq!(refusal(&kuhn, &deal), expected);
    }
}

#[test]
fn damaged_deals_are_refused_or_dealt_as_they_are_told() {
    let mut draw = Draw::new(4, 0);
    let mut counted = [0, 0];
    for game in games::GAMES.iter() {
        for seed in 0..150 {
            let rules = game.random_rules(seed);
            let mut deal = dealt(rules.table(seed).as_mut());
            damage(&mut deal, &mut draw);
            match rules.table_of(seed, &deal) {
                Err(DealError::None { .. }) => panic!("{} lets cards be chosen", game.name()),
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    counted[0] += 1;
                }
                Ok(mut table) => {
                    play_on(table.as_mut(), true);
                    counted[1] += 1;
                }
            }
        }
    }
    assert!(counted[0] > 300 && counted[1] > 30, "{counted:?}");
}

/// Changes a deal at a random place.
fn damage(deal: &mut Value, draw: &mut Draw) {
    let fields: Vec<String> = deal.as_object().expect("an object").keys().cloned().collect();
    let field = &fields[draw.below(fields.len() as u32) as usize];
    let odd =
        [json!(null), json!(-1), json!("king 7 SA"), json!([]), json!({}), json!(1e300), json!([null, "R1"])];
    let place = match &mut deal[field.as_str()] {
        Value::Array(list) if !list.is_empty() && draw.below(4) > 0 => {
            let place = draw.below(list.len() as u32) as usize;
            &mut list[place]
        }
        whole => whole,
    };
    *place = match (&*place, draw.below(4)) {
        (Value::String(cards), 0) => json!(cards.split(' ').skip(1).collect::<Vec<_>>().join(" ")),
        (Value::String(cards), 1) => json!(format!("{cards} {cards}")),
        (Value::String(cards), 2) => {
            let mut words: Vec<&str> = cards.split(' ').collect();
            draw.shuffle(&mut words);
            let first = words[0];
            *words.last_mut().expect("a card") = first;
            json!(words.join(" "))
        }
        (Value::Number(number), 0) => json!(number.as_u64().unwrap_or_default() ^ 1),
        _ => odd[draw.below(odd.len() as u32) as usize].clone(),
    };
}
