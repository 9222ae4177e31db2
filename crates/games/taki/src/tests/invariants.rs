//! The invariants of the rules, in random games with all options. Each check compares the states before and
//! after an action.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Play, Turn};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{ActionId, Seat};

use super::super::actions::Move;
use super::super::deck::{Cards, DECK, Symbol, bit, parts};
use super::super::rules::{LastCard, Mode, Plus3VsPlus3, PlusLast, Rules};
use super::super::state::{GameEnd, SEATS, Stage};
use super::super::{Round, deck};
use super::situation::{label, random_move};

/// Plays random games and calls `look` at each step with the state before, the seat, the action, and the
/// state after.
fn steps(games: u64, mut look: impl FnMut(&Round, Seat, ActionId, &Round)) {
    let mut draw = Draw::new(31, 0);
    for seed in 0..games {
        let rules = Rules { games: 1, ..Rules::random(&mut draw) };
        let mut session = Session::<Round>::new(rules, seed);
        for _ in 0..600 {
            let Turn::Decide(seat) = session.round().turn() else { break };
            let before = *session.round();
            let legal = Round::legal(before.view(seat));
            let action = legal.random(&mut draw).unwrap();
            session.round_mut().play(action);
            look(&before, seat, action, session.round());
        }
    }
}

fn all_cards(round: &Round) -> Cards {
    let pile: Cards = round.pile[..usize::from(round.table.pile)].iter().copied().collect();
    round.own.iter().fold(pile.with(&round.table.discards), |sum, own| sum.with(&own.hand))
}

#[test]
fn no_card_is_lost_and_none_comes_from_nowhere() {
    steps(120, |_, _, action, after| {
        let held: u32 = after.own.iter().map(|own| own.hand.total()).sum();
        let count = held + u32::from(after.table.pile) + after.table.discards.total();
        assert_eq!((all_cards(after), count), (Cards::ALL, DECK as u32), "{}", label(action));
    });
}

#[test]
fn debts_are_even_and_only_on_a_plus_two() {
    steps(120, |_, _, _, after| {
        let table = &after.table;
        assert_eq!(table.debt % 2, 0);
        assert!(table.debt == 0 || table.symbol == Some(Symbol::Plus2));
        let plain = table.rules.mode == Mode::Single && table.rules.last_card == LastCard::Auto;
        assert!(!plain || table.debt <= 16);
        if table.debt > 0
            && let Turn::Decide(seat) = after.turn()
            && table.stage == Stage::Turn
        {
            let legal = Round::legal(after.view(seat));
            for action in mask::actions(legal.words()) {
                let name = label(action);
                assert!(name.ends_with("+2") || name == "king" || name == "draw", "{name}");
            }
            assert!(legal.contains(Move::Draw.id()));
        }
    });
}

#[test]
fn there_is_always_a_move_and_never_only_a_breaker() {
    steps(120, |_, _, _, after| {
        let Turn::Decide(seat) = after.turn() else { return };
        let legal = Round::legal(after.view(seat));
        assert!(legal.count() > 0);
        assert!(legal.count() > 1 || !legal.contains(Move::Breaker.id()));
        assert!(legal.count() <= 64);
    });
}

#[test]
fn only_the_last_card_of_a_run_acts() {
    steps(150, |before, _, action, after| {
        let stays = before.table.stage == Stage::Run && after.table.stage == Stage::Run;
        if stays {
            assert_eq!(before.table.turn, after.table.turn, "{}", label(action));
            assert_eq!(before.table.direction, after.table.direction);
            assert_eq!(before.table.debt, after.table.debt);
            assert_eq!(before.table.color, after.table.color);
        }
    });
}

#[test]
fn an_open_taki_has_its_color_on_top_or_no_debt() {
    steps(120, |_, _, _, after| {
        let table = &after.table;
        let over = matches!(table.stage, Stage::Over(_));
        if table.open && !over {
            let top = parts(table.top).map(|(color, _)| color);
            assert!(table.debt == 0 || top == Some(table.color));
            assert!(table.symbol.is_some());
        }
    });
}

#[test]
fn drawn_cards_are_not_played_in_the_same_turn() {
    // A player who draws in their own turn gets no further decision until the turn has passed on.
    steps(150, |before, seat, action, after| {
        let in_turn = matches!(before.table.stage, Stage::Turn | Stage::Owe);
        if in_turn && action == Move::Draw.id() {
            assert!(after.table.stage == Stage::Turn || matches!(after.table.stage, Stage::Over(_)));
            assert!(after.table.turn != seat || matches!(after.table.stage, Stage::Over(_)));
        }
    });
}

#[test]
fn in_a_window_only_holders_are_asked_once_and_in_order() {
    let mut asked: Vec<Seat> = Vec::new();
    let mut windows = 0;
    steps(250, |before, _, _, after| {
        if before.table.stage != Stage::Window || before.table.turn != after.table.turn {
            asked.clear();
        }
        let Turn::Decide(seat) = after.turn() else { return };
        if after.table.stage == Stage::Window {
            let hand = &after.own[seat.index()].hand;
            let back = after.table.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer;
            let next = after.table.after(after.table.turn, 1) == seat
                && (hand.has(deck::KING) || back && hand.has(deck::PLUS3));
            assert!(hand.has(deck::BREAKER) || next);
            let later = |other: &Seat| {
                after.table.steps(after.table.turn, seat) > after.table.steps(after.table.turn, *other)
            };
            assert!(asked.iter().all(later) && seat != after.table.turn);
            asked.push(seat);
            windows += 1;
        }
    });
    assert!(windows > 200, "{windows}");
}

#[test]
fn breakers_and_kings_do_what_they_say() {
    let (mut broken, mut in_turn, mut cancelled) = (0, 0, 0);
    steps(400, |before, seat, action, after| {
        let (old, new) = (&before.table, &after.table);
        let supply = u32::from(old.pile) + old.discards.total();
        let name = label(action);
        let tournament = old.rules.mode == Mode::Tournament;
        if name == "breaker" && old.stage == Stage::Window && !tournament {
            let p = old.turn.index();
            let drew = u32::from(new.sizes[p] - old.sizes[p]);
            assert_eq!(drew, supply.min(3));
            for other in (0..SEATS).filter(|&other| other != p && other != seat.index()) {
                assert_eq!(new.sizes[other], old.sizes[other]);
            }
            assert_eq!(new.sizes[seat.index()] + 1, old.sizes[seat.index()]);
            broken += 1;
        }
        if name == "breaker" && old.stage != Stage::Window {
            let got = new.sizes[seat.index()] + 1 - old.sizes[seat.index()];
            assert_eq!(u32::from(got), supply.min(3));
            assert!(!matches!(new.stage, Stage::Over(GameEnd::Won(_))));
            in_turn += 1;
        }
        if name == "king" && old.debt > 0 && !tournament {
            assert_eq!(new.debt, 0);
            assert_eq!(
                new.sizes.iter().map(|&n| u32::from(n)).sum::<u32>() + 1,
                old.sizes.iter().map(|&n| u32::from(n)).sum::<u32>()
            );
            cancelled += 1;
        }
    });
    assert!(broken > 20 && in_turn > 20 && cancelled > 5, "{broken} {in_turn} {cancelled}");
}

#[test]
fn a_plus_never_ends_a_game_that_demands_a_card_for_it() {
    steps(300, |before, _, action, after| {
        if let Stage::Over(GameEnd::Won(_)) = after.table.stage
            && before.table.rules.plus_last == PlusLast::MustDraw
        {
            let top = parts(after.table.top);
            assert!(top.is_none_or(|(_, symbol)| symbol != Symbol::Plus), "{}", label(action));
        }
    });
}

#[test]
fn stages_only_go_down_one_at_a_time() {
    steps(150, |before, _, action, after| {
        let down: Vec<u8> = (0..SEATS).map(|s| before.table.stages[s] - after.table.stages[s]).collect();
        assert!(down.iter().all(|&d| d < 2), "{}", label(action));
    });
}

#[test]
fn recycling_keeps_the_table_as_it_is() {
    let mut recycled = 0;
    steps(150, |before, _, _, after| {
        if before.table.recycles != after.table.recycles {
            recycled += 1;
            // All discards except the top card were shuffled.
            assert_eq!(after.table.first, after.table.top);
            let hidden = after.table.stock.without(&before.table.discards);
            assert!(hidden.total() <= 1, "but for the card just laid, the discards were shuffled");
        }
    });
    assert!(recycled > 30, "{recycled}");
}

#[test]
fn every_game_ends() {
    let mut draw = Draw::new(77, 0);
    let mut ends = [0; 3];
    for seed in 0..250 {
        let rules = Rules::random(&mut draw);
        let mut round = *Session::<Round>::new(rules, seed).round();
        while random_move(&mut round, &mut draw) {}
        let Stage::Over(end) = round.table.stage else { panic!("not over") };
        match end {
            GameEnd::Won(_) => ends[0] += 1,
            GameEnd::Stalemate => ends[1] += 1,
            GameEnd::CutOff => ends[2] += 1,
        }
    }
    assert!(ends[0] > 50 && ends[2] > 20, "{ends:?}");
}

#[test]
fn a_proof_never_lies() {
    let mut proofs = 0;
    steps(200, |_, _, _, after| {
        for seat in 0..usize::from(after.table.players()) {
            for proof in after.table.proofs[seat].iter() {
                assert!(after.own[seat].hand.among(proof.faces) <= u32::from(proof.at_most));
                assert!(proof.faces & bit(deck::BREAKER) == 0 || after.table.recycles > 0);
                proofs += 1;
            }
        }
    });
    assert!(proofs > 10_000, "{proofs}");
}
