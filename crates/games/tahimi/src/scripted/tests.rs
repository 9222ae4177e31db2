use cardsharp_climbing::Trick;
use cardsharp_climbing::scripted::{Count, Hand, Tempo, can_play};
use cardsharp_engine::List;
use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::Scripted;
use cardsharp_engine::game::{Actions, Label, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::testing::{against_random, assert_scripted_answers, place_score};

use super::super::actions::Move;
use super::super::deck::{self, Cards};
use super::super::rules::{Decree, Rules, Seating};
use super::super::state::{Ask, Stage};
use super::super::variant::{Bundle, Deck, JokerTax, Jokers, TaxSchedule};
use super::super::{Round, View};
use super::lone;

fn cards(text: &str) -> Cards {
    deck::from_text(text).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// A round of five players at the start of the play. Position 0 holds `mine`, the others hold `rivals` cards each.
fn table(rules: Rules, mine: &str, rivals: [u8; 4]) -> Round {
    let rules = Rules { players: 5, seating: Seating::Fixed, rank_privilege: true, ..rules };
    let mut round = *Session::<Round>::new(rules, 1).round();
    round.table.stage = Stage::Play;
    round.own[0].hand = cards(mine);
    round.table.cards[0] = round.own[0].hand.total() as u8;
    round.table.cards[1..5].copy_from_slice(&rivals);
    round
}

fn plain(mine: &str) -> Round {
    table(Rules::default(), mine, [10; 4])
}

fn with(jokers: Jokers, mine: &str) -> Round {
    table(Rules { jokers, ..Rules::default() }, mine, [10; 4])
}

/// The round with all cards played except position 0's and the `unseen` ones.
fn left(mut round: Round, unseen: &str) -> Round {
    let mut gone = round.table.deck;
    gone.remove(&round.own[0].hand);
    gone.remove(&cards(unseen));
    round.table.memory.gone = gone;
    round
}

/// The round after `last` played `size` cards of rank `name`, on position 0's turn.
fn topping(mut round: Round, last: u8, size: u8, name: &str) -> Round {
    let rank = cards(name).0.iter().position(|&n| n == 1).unwrap_or_default();
    round.table.trick =
        Trick { turn: 0, size, strength: (deck::JOKER - rank) as u8, last, ..round.table.trick };
    round
}

fn choice_of(round: &Round, seat: u8) -> String {
    let view: View<'_> = round.view(Seat(seat));
    let action = Round::scripted(view);
    assert!(Round::is_legal(view, action), "{}", Label::<Round>::of(action));
    Label::<Round>::of(action).to_string()
}

fn choice(round: &Round) -> String {
    choice_of(round, 0)
}

#[test]
fn goes_out_when_one_set_does_it() {
    assert_eq!(choice(&plain("9 9 9")), "9x3");
    assert_eq!(choice(&topping(plain("K"), 4, 1, "7")), "K");
    assert_eq!(choice(&with(Jokers::Low, "9 9 9 *")), "9x3+*");
    assert_eq!(choice(&with(Jokers::Low, "* *")), "**");
    assert_eq!(choice(&topping(with(Jokers::Low, "J J *"), 4, 3, "7")), "Jx2+*");
}

#[test]
fn jokers_alone_are_aces_where_they_are_wild() {
    assert_eq!(choice(&with(Jokers::Wild, "* *")), "** as A");
    assert_eq!(choice(&topping(with(Jokers::Wild, "*"), 4, 1, "K")), "* as A");
    assert_eq!(choice(&topping(with(Jokers::Wild, "* *"), 4, 2, "K")), "** as A");
    assert_eq!(choice(&topping(with(Jokers::Wild, "* *"), 4, 2, "A")), "pass");
    assert_eq!(choice(&topping(with(Jokers::Wild, "* 3 3"), 4, 2, "5")), "pass");
    assert_eq!(choice(&topping(with(Jokers::Low, "*"), 4, 1, "2")), "pass");
}

#[test]
fn wins_the_lead_with_a_lone_joker_at_the_end() {
    let unseen = "K K Q Q J J 10 10 9 9 7 7 7 7 6 6 5 5 4 4";
    let round = left(with(Jokers::Wild, "* 3 3 3"), unseen);
    assert_eq!(choice(&topping(round, 3, 1, "K")), "* as A");
}

#[test]
fn runs_out_behind_its_control_cards() {
    // No other player can top the ace and the four 7s: they come first, the 3 last.
    let unseen = "K K Q J J 10 9 9 10 10 6 6 5 5 4 2";
    let round = left(table(Rules::default(), "A 7 7 7 7 3", [4; 4]), unseen);
    assert!(["A", "7x4"].contains(&choice(&round).as_str()), "{}", choice(&round));
    let round = left(table(Rules::default(), "A 3", [4; 4]), unseen);
    assert_eq!(choice(&round), "A");
}

#[test]
fn spends_low_cards_first() {
    let lead = choice(&plain("A K K 9 9 9 6 5 3 3"));
    assert!(["3x2", "5", "6"].contains(&lead.as_str()), "{lead}");
}

#[test]
fn keeps_sets_together() {
    assert_eq!(choice(&topping(plain("A Q J J J J 3 3 3 3"), 4, 2, "10")), "pass");
}

#[test]
fn does_not_waste_jokers_or_control_on_a_cheap_trick() {
    for jokers in [Jokers::Low, Jokers::Wild] {
        let round = with(jokers, "A 7 7 6 6 5 5 3 3 *");
        assert_eq!(choice(&topping(round, 4, 1, "9")), "pass");
        assert_eq!(choice(&topping(round, 4, 2, "9")), "pass");
    }
}

#[test]
fn dumps_an_odd_card_when_it_can() {
    assert_eq!(choice(&topping(plain("A A 9 9 9 5 4 4 4 4"), 4, 1, "3")), "5");
}

#[test]
fn passes_where_the_lead_falls_to_it_anyway() {
    // Position 2 went out with a 9, and all others have passed. Without rank privilege position 3 leads.
    for (mine, without_privilege) in [("A 6 6", "A"), ("K 3 3", "pass"), ("A Q 4", "Q"), ("A 3 3 3", "A")] {
        let mut round = topping(plain(mine), 2, 1, "9");
        round.table.trick.still_in = Positions::first(5).without(2);
        round.table.trick.passed = Positions(0b11010);
        (round.table.trick.out[0], round.table.trick.out_count) = (2, 1);
        round.table.cards[2] = 0;
        assert_eq!(choice(&round), "pass", "{mine}");
        round.table.variant.rank_privilege = false;
        assert_eq!(choice(&round), without_privilege, "{mine}");
    }
}

/// A round with taxes in which `position` holds `mine` and has the decision `ask`.
fn asked(rules: Rules, mine: &str, position: u8, ask: Ask) -> Round {
    let rules = Rules { seating: Seating::Fixed, first_round_tax: true, ..rules };
    let mut round = *Session::<Round>::new(rules, 1).round();
    round.own.iter_mut().for_each(|own| own.ask = Ask::Nothing);
    round.own[usize::from(position)].hand = cards(mine);
    round.ask(position, ask);
    round
}

/// All cards that position 0 gives back.
fn given(mut round: Round) -> Cards {
    while round.own[0].ask == Ask::Return {
        let action = Round::scripted(round.view(Seat(0)));
        assert!(Round::is_legal(round.view(Seat(0)), action));
        round.play(action);
    }
    round.own[0].given
}

#[test]
fn gives_odd_low_cards_back() {
    let round =
        asked(Rules { players: 4, ..Rules::default() }, "A A K J J 9 9 9 6 5 4 4 4 2 2", 0, Ask::Return);
    assert_eq!(deck::to_text(&given(round)), "6 5");
    let eight = Rules { players: 8, deck: Deck::Special, ..Rules::default() };
    let round = asked(eight, "A A K K J J 14 14 10 10 10 10 7 6 5 3", 0, Ask::Return);
    assert_eq!(given(round).total(), 3);
    assert!(cards("7 6 5 3").contains(&given(round)), "{}", deck::to_text(&given(round)));
}

#[test]
fn what_is_given_leaves_the_best_of_all_hands() {
    let eight = Rules { players: 8, deck: Deck::Special, jokers: Jokers::Wild, ..Rules::default() };
    for seed in 0..20 {
        let rules = Rules { first_round_tax: true, seating: Seating::Fixed, ..eight };
        let round = *Session::<Round>::new(rules, seed).round();
        let view = round.view(Seat(0));
        let places = super::places(&round.table.deck);
        let situation = super::situation(view, &places);
        let mut count = Count::new(&situation);
        let mut value = |given: &Cards| {
            let mut rest = view.own.hand;
            rest.remove(given);
            let hand = Hand::of(&situation, &mut count, &rest);
            hand.value(situation.weights, Tempo { lead: 1.0 }, count.least)
        };
        let list: Vec<usize> = view.own.hand.cards().collect();
        let mut best = f32::MIN;
        for a in 0..list.len() {
            for b in a + 1..list.len() {
                for c in b + 1..list.len() {
                    let mut three = Cards::NONE;
                    [a, b, c].into_iter().for_each(|i| three.0[list[i]] += 1);
                    best = best.max(value(&three));
                }
            }
        }
        assert_eq!(value(&given(round)), best);
    }
}

#[test]
fn keeps_its_jokers_rather_than_its_kings() {
    let rules = Rules { players: 4, jokers: Jokers::Wild, joker_tax: JokerTax::Holder, ..Rules::default() };
    assert_eq!(choice_of(&asked(rules, "A K 9 9 7 6 5 5 4 4 3 2 *", 3, Ask::TaxJokers), 3), "pay 0 jokers");
}

#[test]
fn decrees_taxes_then_privilege_then_no_jokers() {
    let bundle = Bundle::default();
    let progressive = Bundle { tax_schedule: Some(TaxSchedule::Progressive), ..bundle };
    let privilege = Bundle { rank_privilege: Some(true), ..bundle };
    let low = Bundle { jokers: Some(Jokers::Low), joker_tax: Some(JokerTax::Low), ..bundle };
    let holder = Bundle { joker_tax: Some(JokerTax::Holder), ..low };
    for (menu, first_round_tax, expected) in [
        (vec![bundle, privilege, progressive], true, "decree 2"),
        (vec![bundle, privilege, progressive], false, "decree 1"),
        (vec![progressive, bundle, bundle], false, "decree 0"),
        (vec![low, holder, bundle, bundle], true, "decree 2"),
        (vec![low, holder, low], true, "decree 1"),
    ] {
        let mut list = List::default();
        menu.into_iter().for_each(|bundle| assert!(list.push(bundle)));
        let rules = Rules {
            players: 6,
            rank_privilege: false,
            first_round_tax,
            decree: Decree::Menu(list),
            ..Rules::default()
        };
        let session = Session::<Round>::new(rules, 1);
        let seat = session.round().table.order[0].0;
        assert_eq!(choice_of(session.round(), seat), expected);
    }
}

#[test]
fn beats_random_players_by_a_wide_margin() {
    for players in 3..=8 {
        for jokers in [Jokers::None, Jokers::Low, Jokers::Wild] {
            let rules = Rules { players, jokers, rounds: 1, ..Rules::default() };
            let score = against_random::<Round>(rules, 40, place_score);
            assert!(score > 0.5, "{players} players, {jokers:?} jokers: {score}");
        }
    }
}

#[test]
fn a_hand_that_nobody_can_stop_goes_out_next() {
    let mut draw = Draw::new(5, 0);
    let (mut promises, mut kept) = (0, 0);
    for seed in 0..150 {
        let rules = Rules { rounds: 1, decree: Decree::Off, ..Rules::random(&mut draw) };
        let mut session = Session::<Round>::new(rules, seed);
        // The position whose hand certainly goes out, and the number of players out before.
        let mut promised = None;
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            let (trick, position) = (view.table.trick, view.table.position_of(seat));
            if let Some((next, out)) = promised
                && trick.out_count > out
            {
                assert_eq!(trick.out[usize::from(out)], next);
                (promised, kept) = (None, kept + 1);
            }
            if view.table.stage == Stage::Play && trick.size == 0 && promised.is_none() {
                let places = super::places(&view.table.deck);
                let situation = super::situation(view, &places);
                let mut count = Count::new(&situation);
                let hand = Hand::of(&situation, &mut count, &view.own.hand);
                if hand.value(situation.weights, Tempo { lead: 1.0 }, count.least) > 1e30 {
                    promised = Some((position, trick.out_count));
                    promises += 1;
                }
            }
            let random = Round::legal(view).random(&mut draw);
            let keeps = promised.is_some_and(|(next, _)| next == position);
            let action = if keeps { Round::scripted(view) } else { random.unwrap_or_default() };
            session.round_mut().play(action);
        }
        let trick = session.round().table.trick;
        if let Some((next, out)) = promised {
            assert_eq!(trick.out[usize::from(out)], next);
            kept += 1;
        }
    }
    assert!(promises > 100 && kept == promises, "{promises} promises, {kept} kept");
}

#[test]
fn answers_every_question_under_all_rules_with_legal_moves() {
    assert_scripted_answers::<Round>(|view| {
        if view.table.stage == Stage::Play {
            let sets = cardsharp_engine::mask::actions(&Round::legal(view).0)
                .filter(|&action| matches!(Move::of(action), Some(Move::Play(_))))
                .count();
            let found = can_play(
                &view.own.hand,
                &view.table.trick,
                lone(&view.table.variant),
                view.table.trick_rules(),
            );
            assert_eq!(found, sets != 0);
        }
    });
}
