use std::path::Path;
use std::sync::Arc;

use cardsharp_env::{AnyGame, game};
use serde_json::json;

use super::find::{Finder, select, usual_rules};
use super::*;
use crate::bots::Trained;
use crate::bots::search::{Budget, Search, SearchSettings};
use crate::workers;

const GAMES: [&str; 4] = ["dalmuti", "tahimi", "taki", "tachtigen"];

fn file(game: &str, name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints").join(game);
    std::fs::read(folder.join(name)).unwrap()
}

fn shipped(name: &str) -> (&'static dyn AnyGame, PuzzleSet) {
    let game = game(name).unwrap();
    let text = String::from_utf8(file(name, "puzzles.json")).unwrap();
    // Reading replays every puzzle and compares its moves with the legal ones.
    (game, PuzzleSet::from_text(game, &text).unwrap())
}

#[test]
fn every_shipped_puzzle_fits_the_rules_and_no_two_are_of_one_round() {
    for name in GAMES {
        let (game, set) = shipped(name);
        let mut rounds = Vec::new();
        assert!(set.puzzles.len() >= 30, "{name}: a month has {} puzzles", set.puzzles.len());
        for puzzle in &set.puzzles {
            let table = puzzle.table(game).unwrap();
            assert_eq!((table.turn(), table.phase()), (Some(puzzle.seat), puzzle.phase.as_str()));
            assert!(
                puzzle.moves.len() >= 3 && puzzle.best.len() <= (puzzle.moves.len() / 3).max(1),
                "{name}"
            );
            assert!(puzzle.value(&puzzle.tempting).unwrap().cost.unwrap().low > 0.0, "{name}");
            let round = (&puzzle.rules, puzzle.seed, puzzle.round);
            assert!(!rounds.contains(&round), "{name}: puzzle {}", puzzle.number);
            rounds.push(round);
        }
    }
}

/// Judges a shipped puzzle again in other deals, but not in more than the search for puzzles.
fn judge_again(game: &dyn AnyGame, puzzle: &Puzzle, deals: u32) {
    let trained = Trained::from_bytes(game, &file(game.name(), "bot/bot.safetensors")).unwrap();
    let settings = SearchSettings::new(Budget::Simulations(1), Some(Arc::clone(trained.net())));
    let table = puzzle.table(game).unwrap();
    let mut search = Search::new("again", settings, 77);
    let verdict =
        judged(puzzle, table.as_ref(), &mut search, &trained.player("again", 1.0), deals.min(puzzle.deals));
    let (name, number) = (game.name(), puzzle.number);
    let verdict = verdict.unwrap_or_else(|| panic!("{name} {number} is not judged"));
    let action = |label: &str| table.parse(label).unwrap();
    assert!(verdict.best.contains(&action(&puzzle.best[0])), "{name} {number}: {verdict:?}");
    assert!(!verdict.best.contains(&action(&puzzle.tempting)), "{name} {number}: {verdict:?}");
    assert_eq!(verdict.unit, puzzle.unit, "{name} {number}");
}

#[test]
fn a_sample_of_the_shipped_puzzles_is_judged_the_same_in_other_deals() {
    for name in GAMES {
        let (game, set) = shipped(name);
        for puzzle in set.puzzles.iter().step_by(set.puzzles.len().div_ceil(2)) {
            judge_again(game, puzzle, 100);
        }
    }
}

#[test]
#[ignore = "judges all shipped puzzles: minutes, for the nightly check"]
fn every_shipped_puzzle_is_judged_the_same_in_other_deals() {
    for name in GAMES {
        let (game, set) = shipped(name);
        workers::in_order(4, set.puzzles.len(), |at| judge_again(game, &set.puzzles[at], 400));
    }
}

#[test]
fn each_day_has_a_puzzle_and_all_puzzles_have_their_day() {
    let (_, set) = shipped("taki");
    let count = set.puzzles.len() as u64;
    let numbers: Vec<usize> = (20_000..20_000 + count).map(|day| set.of_day(day).unwrap().number).collect();
    assert_eq!(set.of_day(0).unwrap().number, 1);
    assert_eq!(set.of_day(count + 1).unwrap().number, 2);
    assert!((1..=set.puzzles.len()).all(|number| numbers.contains(&number)));
}

#[test]
fn a_wrong_set_is_refused_with_its_line_or_the_number_of_the_puzzle() {
    let (game, set) = shipped("dalmuti");
    let refused = |change: &dyn Fn(&mut PuzzleSet)| {
        let mut set = PuzzleSet { puzzles: set.puzzles[..2].to_vec(), ..set.clone() };
        change(&mut set);
        PuzzleSet::from_text(game, &serde_json::to_string(&set).unwrap()).unwrap_err().to_string()
    };
    let second = |change: fn(&mut Puzzle)| refused(&|set| change(&mut set.puzzles[1]));
    assert!(PuzzleSet::from_text(game, "{\n\"format\": 1,\n}").unwrap_err().to_string().contains("line 3"));
    assert_eq!(refused(&|set| set.format = 2), "the format of the puzzles is 2: expected 1");
    assert_eq!(
        refused(&|set| set.game = "taki".to_owned()),
        "the puzzles are for the game `taki`: expected `dalmuti`"
    );
    assert_eq!(refused(&|set| set.puzzles.clear()), "the set is empty: expected at least one puzzle");
    assert_eq!(second(|puzzle| puzzle.number = 7), "puzzle 2: its `number` is 7: expected 2");
    let text = second(|puzzle| puzzle.choices[0] = "give 99".to_owned());
    assert_eq!(text, "puzzle 2: choice 1: there is no move `give 99`");
    let text = second(|puzzle| drop(puzzle.rules.insert("playrs".to_owned(), json!(5))));
    assert!(text.starts_with("puzzle 2: rules: ") && text.contains("playrs"), "{text}");
    let text = second(|puzzle| puzzle.round += 1);
    assert!(text.starts_with("puzzle 2: the position is round "), "{text}");
    let text = second(|puzzle| drop(puzzle.moves.pop()));
    assert!(text.starts_with("puzzle 2: `moves` must list the legal moves in order: "), "{text}");
    let text = second(|puzzle| puzzle.best.push("99".to_owned()));
    assert!(text.starts_with("puzzle 2: `99` is not a legal move: expected one of "), "{text}");
    let text = second(|puzzle| puzzle.tempting.clone_from(&puzzle.best[0]));
    assert!(text.starts_with("puzzle 2: `tempting` is the best move "), "{text}");
    assert_eq!(second(|puzzle| puzzle.best.clear()), "puzzle 2: `best` is empty");
    let text = second(|puzzle| puzzle.moves.iter_mut().for_each(|value| value.cost = None));
    assert!(text.starts_with("puzzle 2: the move ") && text.ends_with(" has no `cost`"), "{text}");
}

#[test]
fn the_same_seed_finds_the_same_puzzles_on_any_number_of_threads() {
    let game = game("tachtigen").unwrap();
    let finder = Finder::new(usual_rules(game), SearchSettings::new(Budget::Simulations(1), None), 60, 5);
    let find = |threads| {
        let found = workers::in_order(threads, 48, |number| finder.session(number));
        select(found.into_iter().flatten().collect(), 4)
    };
    let found = find(1);
    assert!(!found.is_empty());
    assert_eq!(found, find(3));
    let made = Made {
        version: "1.0.0".to_owned(),
        bot: "scripted".to_owned(),
        judge: "search:1".to_owned(),
        sessions: 48,
        seed: 5,
    };
    let set = PuzzleSet { format: FORMAT, game: "tachtigen".to_owned(), made, puzzles: found };
    let text = serde_json::to_string(&set).unwrap();
    assert_eq!(PuzzleSet::from_text(game, &text).unwrap(), set);
}

#[test]
fn sets_have_sessions_with_more_and_fewer_players_if_the_game_allows() {
    let players = |name| -> Vec<usize> {
        usual_rules(game(name).unwrap()).iter().map(cardsharp_env::GameRules::players).collect()
    };
    assert_eq!(players("dalmuti"), [5, 4, 5, 6]);
    assert_eq!(players("tachtigen"), [4, 4]);
}

#[test]
fn exact_puzzles_are_judged_by_the_solver() {
    let exact = GAMES.into_iter().flat_map(|name| shipped(name).1.puzzles);
    let exact: Vec<Puzzle> = exact.filter(|puzzle| puzzle.judge == Judge::Exact).collect();
    assert!(!exact.is_empty());
    for puzzle in exact {
        let known = |label: &String| puzzle.value(label).and_then(|value| value.exact);
        let best = known(&puzzle.best[0]).expect("the value of the best move is known");
        assert!(puzzle.best.iter().all(|label| known(label) == Some(best)));
        assert!(puzzle.moves.iter().filter_map(|value| value.exact).all(|value| value <= best));
    }
}
