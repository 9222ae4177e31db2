//! Explanations for people who learn a game: whole sentences, at every decision and for every step.

use cardsharp_env::log::Line;
use cardsharp_env::{
    ActionId, Audience, Draw, GAMES, Piece, Seat, SeatView, StepViews, Teacher, Tint, blocks, game, teacher,
};
use serde_json::{Value, json};

/// Asserts that a text is complete and has no unfilled placeholders.
fn check(text: &str) {
    let ends = text.ends_with(['.', '!', '?']) || text.ends_with(char::is_alphanumeric);
    let is_name = !text.contains(' ');
    assert!(ends && !is_name && !text.contains(['{', '}']), "{text:?}");
}

fn named(seat: Seat) -> String {
    format!("P{}", seat.0)
}

/// Plays random sessions by random rules, and calls `said` with every explanation.
fn sessions(name: &str, mut said: impl FnMut(&str)) {
    let (game, teacher) = (game(name).expect("a game"), teacher(name).expect("a teacher"));
    let mut draw = Draw::new(5, 0);
    for seed in 0..60 {
        let mut table = game.random_rules(seed).table(seed);
        let mut decisions = 0;
        while decisions < 300 {
            let Some(view) = table.asked() else {
                if !table.deal_next() {
                    break;
                }
                continue;
            };
            decisions += 1;
            let (seat, legal) = (view.seat(), table.legal());
            let phase = teacher.phase(table.phase()).unwrap_or_else(|| panic!("{name}: {}", table.phase()));
            let means = legal.iter().filter_map(|&action| teacher.means(view, action));
            [phase].into_iter().chain(means).for_each(|name| said(&teacher.words().say(name, &[])));
            assert!(legal.iter().any(|&action| teacher.is_likely(view, action)), "{name} {seed}");
            for action in
                (0..blocks::width(game.actions()) as u16).map(ActionId).filter(|a| !legal.contains(a))
            {
                teacher.why_not(view, action).iter().for_each(|text| said(&teacher.words().text(text)));
            }
            // Scripted play and random play reach different situations.
            let action =
                if seed % 2 == 0 { view.scripted() } else { legal[draw.below(legal.len() as u32) as usize] };
            let before = view.kept();
            table.try_play(action).expect("legal");
            let lines = table.lines(table.steps(), Audience::Seat(seat));
            let events: Vec<Value> = lines
                .into_iter()
                .filter_map(|line| if let Line::Event { event, .. } = line { Some(event) } else { None })
                .collect();
            let after = table.view(seat).expect("who played plays the round");
            let step = StepViews {
                before: Some(before.view()),
                chosen: Some((seat, action)),
                after,
                events: &events,
                who: &named,
            };
            teacher.consequences(step).iter().for_each(|text| said(text));
        }
    }
}

#[test]
fn every_game_that_people_play_is_explained() {
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let teacher = teacher(game.name()).expect("a teacher");
        assert!(teacher.rules().starts_with("# "), "{}", game.name());
        check(&teacher.lesson());
        let mut texts = 0u64;
        sessions(game.name(), |text| {
            check(text);
            texts += 1;
        });
        assert!(texts > 1000, "{}: {texts}", game.name());
    }
    assert!(teacher("kuhn").is_none() && teacher("whist").is_none());
}

/// Every reason for which a hand grows, and every way in which a contract ends, must occur.
#[test]
fn steps_are_told_with_their_reasons() {
    for (name, parts) in [
        (
            "taki",
            &[
                ", owed for +2 cards.",
                ", for the +3.",
                ", because the +3 was broken.",
                "a +3 Breaker costs in one's own turn.",
                ", for not saying “last card”.",
                ", or answer with a +2.",
            ][..],
        ),
        (
            "tachtigen",
            &[
                "were needed and ",
                " too few.",
                "The bidder had to take no trick, and took none.",
                "The bidder had to take no trick, and took trick ",
                "The bidder had to take all eight tricks, and did not take trick ",
                " alone, which counts double: ",
            ][..],
        ),
    ] {
        let mut met = vec![false; parts.len()];
        sessions(name, |text| parts.iter().zip(&mut met).for_each(|(part, met)| *met |= text.contains(part)));
        let missing: Vec<_> =
            parts.iter().zip(&met).filter(|(_, met)| !**met).map(|(part, _)| part).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

#[test]
fn moves_and_cards_have_names_in_players_words() {
    for (name, label, expected) in [
        ("taki", "Rdir", "Red Reverse"),
        ("taki", "super G", "Super TAKI: green"),
        ("taki", "last card", "Say “last card”"),
        ("dalmuti", "12", "Peasant (12)"),
        ("dalmuti", "4x2+J", "2 × Baroness (4) with a Jester"),
        ("dalmuti", "JJ", "2 × Jester"),
        ("dalmuti", "exchange with position 3", "Exchange with the player at place 4"),
        ("tahimi", "J", "Jack"),
        ("tahimi", "7x3+**", "3 × 7 with two jokers"),
        ("tahimi", "* as 9", "Joker, as 9"),
        ("tahimi", "give K", "Give king"),
        ("tachtigen", "ST", "♠10"),
        ("tachtigen", "ask CA", "Ask for the ♣A"),
        ("tachtigen", "trump H", "Trump: ♥ hearts"),
        ("tachtigen", "bid prive uit de hand", "Bid privé uit de hand"),
    ] {
        let action = game(name).expect("a game").parse(label);
        assert!(action.is_some(), "{name}: no move {label}");
        assert_eq!(teacher(name).expect("a teacher").move_piece(label).text, expected);
    }
    // No move of any deck has a name with a gap, or the name of a missing text.
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let teacher = teacher(game.name()).expect("a teacher");
        for action in (0..blocks::width(game.actions()) as u16).map(ActionId) {
            let named = teacher.move_piece(&game.label(action)).text;
            assert!(!named.is_empty() && !named.contains(['{', '}', '.']), "{}: {named}", game.label(action));
        }
    }
}

#[test]
fn texts_and_hands_have_cards_in_players_words_and_in_their_colors() {
    let text = |pieces: Vec<Piece>| -> String { pieces.into_iter().map(|piece| piece.text).collect() };
    let taki = teacher("taki").expect("a teacher");
    let pieces = taki.pieces("On top: R5. To match: red or 5.");
    assert!(pieces.contains(&Piece { text: "red 5".to_owned(), tint: Some(Tint::Red) }), "{pieces:?}");
    assert_eq!(text(pieces), "On top: red 5. To match: red or 5.");
    let hand = |cards: &[&str]| cards.iter().map(|&card| card.to_owned()).collect::<Vec<_>>();
    assert_eq!(text(taki.hand_pieces(&hand(&["B1", "B4", "Bdir"]))), "Blue 1, 4, Reverse");
    assert_eq!(text(taki.hand_pieces(&hand(&["super", "king"]))), "Super TAKI, King");
    let tachtigen = teacher("tachtigen").expect("a teacher");
    let hearts = tachtigen.hand_pieces(&hand(&["HA", "HT"]));
    assert!(hearts.iter().all(|piece| piece.text == " " || piece.tint == Some(Tint::Red)), "{hearts:?}");
    assert_eq!(text(hearts), "♥A ♥10");
    assert_eq!(text(tachtigen.pieces("trump S, asked for DA")), "trump ♠, asked for ♦A");
}

/// The action with this label.
fn action(table: &dyn cardsharp_env::AnyTable, label: &str) -> ActionId {
    table.parse(label).unwrap_or_else(|| panic!("{label}"))
}

#[test]
fn a_refused_move_has_its_reason() {
    // A pair was led, so neither one card nor a worse pair may follow.
    let dalmuti = game("dalmuti").expect("a game");
    let rules = dalmuti
        .rules(&json!({ "players": 4, "revolution": false }))
        .unwrap_or_else(|_| dalmuti.default_rules());
    let mut table = rules.table(3);
    let teacher_of = |name: &str| teacher(name).expect("a teacher");
    let teacher = teacher_of("dalmuti");
    while table.phase() != "play" {
        let legal = table.legal();
        table.try_play(legal[0]).expect("legal");
    }
    let why = |table: &dyn cardsharp_env::AnyTable, teacher: &dyn Teacher, label: &str| {
        let view: SeatView<'_> = table.asked().expect("a turn");
        let reason = teacher.why_not(view, action(table, label));
        reason.map(|reason| teacher.words().text(&reason)).unwrap_or_default()
    };
    assert!(
        why(table.as_ref(), teacher.as_ref(), "pass").contains("You lead"),
        "{}",
        why(table.as_ref(), teacher.as_ref(), "pass")
    );
    let pair = table.legal().into_iter().find(|&a| table.label(a).ends_with("x2") && table.label(a) != "1x2");
    let pair = pair.expect("some hand leads a pair");
    table.try_play(pair).expect("legal");
    assert_eq!(why(table.as_ref(), teacher.as_ref(), "12"), "Play as many cards as the set on the table: 2.");
    assert_eq!(why(table.as_ref(), teacher.as_ref(), "12x2"), "This set does not beat the one on the table.");

    let teacher = teacher_of("tachtigen");
    let hands = json!({ "hands": ["SJ S9 SA ST SK SQ S8 S7", null, null, null], "dealer": 3 });
    let mut table = game("tachtigen").expect("a game").default_rules().table_of(7, &hands).expect("a deal");
    let first = table.turn().expect("a turn");
    assert!(why(table.as_ref(), teacher.as_ref(), "pass").contains("hold, or bid"));
    table.try_play(action(table.as_ref(), "bid 120")).expect("legal");
    assert_eq!(
        why(table.as_ref(), teacher.as_ref(), "bid 90"),
        "A bid must be higher than 120, the highest so far."
    );
    // Eight trumps from the jack down win every contract, and the list is short: it does not have all 71 bids.
    assert_eq!(first, Seat(0));
    let listed = |table: &dyn cardsharp_env::AnyTable| {
        let view = table.asked().expect("a turn");
        table
            .legal()
            .into_iter()
            .filter(|&a| teacher.is_likely(view, a))
            .map(|a| table.label(a))
            .collect::<Vec<_>>()
    };
    assert!(
        listed(table.as_ref()).len() < 20 && listed(table.as_ref()).contains(&"pass".to_owned()),
        "{:?}",
        listed(table.as_ref())
    );
    table.undo();
    assert!(listed(table.as_ref()).contains(&"bid prive".to_owned()), "{:?}", listed(table.as_ref()));
}

#[test]
fn cards_have_the_colors_they_are_printed_in() {
    let taki = teacher("taki").expect("a teacher");
    let tints = ["R5", "Bstop", "G+2", "Y", "yellow"].map(|word| taki.tint(word));
    assert_eq!(
        tints,
        [Some(Tint::Red), Some(Tint::Blue), Some(Tint::Green), Some(Tint::Yellow), Some(Tint::Yellow)]
    );
    assert_eq!(["king", "+3", "turn", "TAKI", "red5"].map(|word| taki.tint(word)), [None; 5]);
}
