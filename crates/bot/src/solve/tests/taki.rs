//! Endgames of TAKI by its real rules. Each result of the tree is compared with a direct evaluation of the rounds,
//! without a tree.

use std::collections::BTreeMap;

use cardsharp_env::enumerate::{AnyTree, Explored};
use cardsharp_env::game::{PossibleDeal, Scripted};
use cardsharp_env::games::taki::{self, Endgame, MaxDecisions, Round, Rules};
use cardsharp_env::mask::{self, Mask};
use cardsharp_env::{ActionId, Actions, Draw, Play as _, Seat, Turn, View};
use serde_json::json;

use super::super::{CfrPlus, Strategy, measure};
use super::close;
use crate::bots::Player;

/// Creates endgames with two cards each and a draw pile of four. After `cut_off` decisions, the player with fewer cards
/// wins.
fn endgame(unseen: &str, cut_off: u32) -> (Explored<Round>, Vec<PossibleDeal<Round>>) {
    let rules = Rules { players: 2, max_decisions: MaxDecisions::At(cut_off), ..Rules::default() };
    let (top, unseen) = (taki::card_from("R5").unwrap(), taki::from_text(unseen).unwrap());
    let deals = Endgame { top, unseen, hand: 2 }.deals(&rules).unwrap();
    (Explored::of(rules, &deals, 1_000_000).unwrap(), deals)
}

/// The probabilities of a player's moves.
type Play<'p> = &'p dyn Fn(View<'_, Round>) -> Vec<(ActionId, f64)>;

fn legal(view: View<'_, Round>) -> Vec<ActionId> {
    mask::actions(Round::legal(view).words()).collect()
}

fn uniform(view: View<'_, Round>) -> Vec<(ActionId, f64)> {
    let legal = legal(view);
    legal.iter().map(|&action| (action, 1.0 / legal.len() as f64)).collect()
}

fn scripted(view: View<'_, Round>) -> Vec<(ActionId, f64)> {
    vec![(Round::scripted(view), 1.0)]
}

fn reward(round: &Round, seat: Seat) -> f64 {
    let mut standing = Round::seating(&round.table().rules, &mut Draw::new(0, 0));
    f64::from(round.settle(&mut standing).reward[seat.index()])
}

fn after(round: &Round, action: ActionId) -> Round {
    let mut next = *round;
    next.play(action);
    next
}

/// Returns the expected reward of `seat` if both play like this.
fn worth(round: &Round, seat: Seat, play: Play<'_>) -> f64 {
    match round.turn() {
        Turn::RoundOver => reward(round, seat),
        Turn::Decide(turn) => {
            let moves = play(round.view(turn)).into_iter().filter(|&(_, p)| p > 0.0);
            moves.map(|(action, p)| p * worth(&after(round, action), seat, play)).sum()
        }
    }
}

/// Returns the best expected reward of `seat` over rounds that it cannot distinguish so far, each with its probability.
/// The other player plays like `other`. The seat knows which rounds are still possible, and how probable they are.
fn best(mut rounds: Vec<(f64, Round)>, seat: Seat, other: Play<'_>) -> f64 {
    let (mut total, mut alike) = (0.0, BTreeMap::<String, Vec<(f64, Round)>>::new());
    while let Some((p, round)) = rounds.pop() {
        match round.turn() {
            Turn::RoundOver => total += p * reward(&round, seat),
            Turn::Decide(turn) if turn == seat => {
                let view = json!(round.view(seat).to_owned()).to_string();
                alike.entry(view).or_default().push((p, round));
            }
            Turn::Decide(turn) => {
                let moves = other(round.view(turn)).into_iter().filter(|&(_, q)| q > 0.0);
                rounds.extend(moves.map(|(action, q)| (p * q, after(&round, action))));
            }
        }
    }
    for rounds in alike.into_values() {
        let gain = |action| {
            let next = rounds.iter().map(|(p, round)| (*p, after(round, action))).collect();
            best(next, seat, other)
        };
        total += legal(rounds[0].1.view(seat)).into_iter().map(gain).fold(f64::MIN, f64::max);
    }
    total
}

/// Compares the results of the tree with those of the rounds.
#[track_caller]
fn assert_measured(
    explored: &Explored<Round>,
    deals: &[PossibleDeal<Round>],
    strategy: &Strategy,
    play: Play<'_>,
) {
    let measured = measure(explored.tree(), strategy);
    for seat in [Seat(0), Seat(1)] {
        let value: f64 = deals.iter().map(|deal| deal.probability * worth(&deal.round, seat, play)).sum();
        let rounds = deals.iter().map(|deal| (deal.probability, deal.round)).collect();
        let response = best(rounds, seat, play);
        assert!(close(value, measured.value[seat.index()]), "{seat:?}: {value} by playing, {measured:?}");
        let there = measured.best_response[seat.index()];
        assert!(close(response, there), "{seat:?}: {response} by playing, {measured:?}");
    }
}

/// Evaluates the bots and an equilibrium for seat 0: their values and their exploitability.
#[test]
fn an_endgame_of_taki_is_solved() {
    let (explored, deals) = endgame("R1 R3 Rtaki Rstop B1 B1 B+2 color", 5);
    let tree = explored.tree();
    assert_eq!((tree.deals, tree.positions, tree.decisions.len()), (3422, 66_575, 1686));
    let known = |strategy: &Strategy, value: f64, exploitability: f64| {
        let measured = measure(tree, strategy);
        assert!(close(measured.value[0], value), "{measured:?}");
        assert!(close(measured.exploitability(), exploitability), "{measured:?}");
    };
    let random = Strategy::uniform(tree);
    known(&random, 0.149_337_301_6, 0.170_874_007_9);
    assert_measured(&explored, &deals, &random, &uniform);
    let rule_based = Strategy::of(Player::scripted().bot(0).as_mut(), &explored);
    known(&rule_based, 0.186_309_523_8, 0.121_428_571_4);
    assert_measured(&explored, &deals, &rule_based, &scripted);

    let mut solver = CfrPlus::new(tree).unwrap();
    for (iterations, most) in [(10, 0.004), (100, 0.000_05), (1000, 0.000_000_5)] {
        while solver.iterations() < iterations {
            solver.step();
        }
        let measured = measure(tree, &solver.average());
        assert!(measured.exploitability() < most, "{iterations}: {measured:?}");
    }
    // Views do not store the order of moves within a TAKI. A plan that merges all positions with equal views is also
    // unexploitable, and both evaluations give it the value 16/105.
    let mut plan = BTreeMap::new();
    let mut average = solver.average();
    for (view, decision) in explored.views().zip(&tree.decisions) {
        let view = json!(view.to_owned()).to_string();
        let own = &mut average.0[decision.moves()];
        let moves: &Vec<(ActionId, f64)> = plan
            .entry(view)
            .or_insert_with(|| decision.actions.iter().copied().zip(own.iter().copied()).collect());
        own.iter_mut().zip(moves).for_each(|(own, &(_, probability))| *own = probability);
    }
    known(&average, 16.0 / 105.0, 0.0);
    let planned = |view: View<'_, Round>| plan[&json!(view.to_owned()).to_string()].clone();
    assert_measured(&explored, &deals, &average, &planned);
}
