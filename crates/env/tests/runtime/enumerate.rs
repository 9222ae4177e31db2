//! Small games, enumerated completely.

use std::collections::BTreeSet;

use cardsharp_env::enumerate::{AnyTree, EnumerateError, Explored};
use cardsharp_env::games::{kuhn, leduc};
use cardsharp_env::mask::{self, Mask};
use cardsharp_env::{GAMES, Game, Seat, Turn, game};
use serde_json::json;

/// Counts the positions that follow from `round` and collects the views of the seats that decide, without a tree.
fn walked<G: Game>(round: &G, positions: &mut u64, views: &mut BTreeSet<String>) {
    *positions += 1;
    if let Turn::Decide(seat) = round.turn() {
        views.insert(json!(round.view(seat).to_owned()).to_string());
        for action in mask::actions(G::legal(round.view(seat)).words()) {
            let mut next = *round;
            next.play(action);
            walked(&next, positions, views);
        }
    }
}

fn the_tree_is_what_can_be_played<G: Game>(positions: u64, decisions: usize, ends: usize) {
    let rules = G::Rules::default();
    let explored = Explored::<G>::new(rules, positions).unwrap();
    let (mut count, mut views) = (0, BTreeSet::new());
    let deals = G::deals(&rules).unwrap();
    deals.iter().for_each(|deal| walked(&deal.round, &mut count, &mut views));
    let tree = explored.tree();
    assert_eq!((tree.positions, tree.decisions.len(), tree.ends().count()), (positions, decisions, ends));
    assert_eq!((count, views.len()), (positions, decisions), "views remember all that a seat did");
    let own = explored.views().map(|view| json!(view.to_owned()).to_string());
    assert_eq!(own.collect::<BTreeSet<_>>(), views);
    assert!((deals.iter().map(|deal| deal.probability).sum::<f64>() - 1.0).abs() < 1e-12);

    // A decision's moves are the legal actions of its view, and follow a move of the same seat.
    let mut owner: Vec<Seat> = (0..tree.seats).map(|seat| Seat(seat as u8)).collect();
    for (number, decision) in tree.decisions.iter().enumerate() {
        assert_eq!(owner[decision.before as usize], decision.seat);
        assert_eq!(decision.moves().start, owner.len());
        let (view, mut words) = (explored.view(number), vec![0; G::Legal::WORDS]);
        assert_eq!((view.legal(&mut words), view.seat()), (decision.actions.len(), decision.seat));
        assert!(mask::actions(&words).eq(decision.actions.iter().copied()));
        owner.extend(decision.actions.iter().map(|_| decision.seat));
    }
    assert_eq!(owner.len(), tree.moves);
    for end in tree.ends() {
        assert!(end.last.iter().enumerate().all(|(seat, &last)| owner[last as usize].index() == seat));
        assert_eq!(end.reward.iter().sum::<f64>(), 0.0);
    }
}

#[test]
fn trees_are_what_can_be_played() {
    the_tree_is_what_can_be_played::<kuhn::Round>(54, 12, 30);
    the_tree_is_what_can_be_played::<leduc::Round>(10_200, 936, 5_880);
}

#[test]
fn what_is_too_large_is_refused_with_its_size() {
    let refused = |name: &str, most| match game(name).unwrap().default_rules().enumerate(most) {
        Ok(_) => panic!("{name} was written down"),
        Err(error) => error,
    };
    let error = refused("leduc", 10_199);
    assert!(matches!(error, EnumerateError::TooLarge { deals: Some(120), magnitude: 1, .. }), "{error}");
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        match refused(game.name(), 1_000) {
            EnumerateError::Unlisted { magnitude, .. } => {
                assert!((5..1000).contains(&magnitude), "{} 10^{magnitude}", game.name());
            }
            error => panic!("{error}"),
        }
    }
}
