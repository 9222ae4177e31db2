use std::sync::atomic::AtomicBool;

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, Draw, GAMES, mask};
use serde_json::{Value, json};

use super::*;
use crate::bot::DecisionBatch;
use crate::file::{FORMAT, Header};
use crate::net::{Dense, Weights};

fn dense(draw: &mut Draw, inputs: usize, outputs: usize) -> Dense {
    let weight = (0..inputs * outputs).map(|_| draw.unit() - 0.5).collect();
    Dense { inputs, outputs, weight, bias: vec![0.0; outputs] }
}

/// Returns a random network for `game`.
pub(super) fn net(game: &dyn AnyGame, seed: u64) -> Net {
    let draw = &mut Draw::new(seed, 0);
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let trunk = vec![dense(draw, cells, 24), dense(draw, 24, 16)];
    let (policy, value) = (dense(draw, 16, actions), dense(draw, 16, 1));
    Net::new(Weights { scale: vec![1.0; cells], trunk, policy, value }).unwrap()
}

/// Returns the header of a file with that network.
pub(super) fn header(game: &dyn AnyGame, net: &Net) -> Header {
    let (game, encoding) = (game.name().to_owned(), game.encoding());
    Header {
        format: FORMAT,
        game,
        encoding,
        rules: vec![json!({})],
        random_rules: 0.0,
        layers: net.layers(),
        outputs: Outputs::Logits,
        activation: Default::default(),
        training: Value::Null,
    }
}

/// Plays sessions of every game with one bot in all seats, and checks that every move is legal. Returns the moves. They
/// must be the same whether the batch has rows or the bot computes them.
fn picks(make: &dyn Fn(&dyn AnyGame) -> Box<dyn Bot>) -> Vec<ActionId> {
    let [with, without] = [true, false].map(|rows| picks_with(make, rows));
    assert_eq!(with, without);
    with
}

fn picks_with(make: &dyn Fn(&dyn AnyGame) -> Box<dyn Bot>, rows: bool) -> Vec<ActionId> {
    let mut all = Vec::new();
    for game in GAMES.iter() {
        let mut bot = make(*game);
        let options = BatchOptions { lanes: 6, skip_forced: true, rows, reveal: false };
        let mut env = game.default_rules().batch(options);
        let mut batch = env.batch();
        (0..6).for_each(|lane| env.start(lane, 0, lane as u64, &mut batch));
        for _ in 0..300 {
            let lanes: Vec<usize> = (0..6).filter(|&lane| batch.state[lane] == LaneState::Decide).collect();
            let mut picks = [ActionId(u16::MAX); 6];
            bot.choose(
                DecisionBatch {
                    env: env.as_ref(),
                    batch: &batch,
                    lanes: &lanes,
                    stop: &AtomicBool::new(false),
                },
                &mut picks,
            );
            for (lane, &pick) in picks.iter().enumerate() {
                if lanes.contains(&lane) {
                    assert!(
                        mask::contains(batch.legal.row(lane).as_slice().unwrap(), pick),
                        "{}",
                        bot.name()
                    );
                    all.push(pick);
                } else {
                    assert_eq!(pick, ActionId(u16::MAX), "lanes that were not asked are left alone");
                }
            }
            env.step(&picks, &mut batch);
        }
    }
    all
}

#[test]
fn bots_play_legal_moves_and_the_same_seed_plays_the_same() {
    let player = |temperature| {
        move |seed| {
            move |game: &dyn AnyGame| Player::policy("net", Arc::new(net(game, 3)), temperature).bot(seed)
        }
    };
    let greedy = picks(&player(0.0)(1));
    assert_eq!(greedy, picks(&player(0.0)(2)), "a greedy bot draws nothing");
    let drawn = picks(&player(1.0)(1));
    assert_eq!(drawn, picks(&player(1.0)(1)));
    assert_ne!(drawn, picks(&player(1.0)(2)));
    let random = |seed| move |_: &dyn AnyGame| Player::random().bot(seed);
    assert_eq!(picks(&random(1)), picks(&random(1)));
    assert_ne!(picks(&random(1)), picks(&random(2)));
    let scripted = |_: &dyn AnyGame| Player::scripted().bot(0);
    let plain = picks(&scripted);
    assert_eq!(plain, picks(&scripted));
    let [cautious, aggressive] =
        Character::ALL.map(|character| picks(&|_: &dyn AnyGame| Player::character(character).bot(0)));
    assert!(cautious != plain && aggressive != plain && cautious != aggressive);
}

#[test]
fn a_network_of_action_values_plays_its_best_move_whatever_the_temperature() {
    let values = |temperature| {
        move |game: &dyn AnyGame| {
            Player::network("net", Arc::new(net(game, 3)), Outputs::ActionValues, temperature).bot(1)
        }
    };
    let greedy = picks(&|game: &dyn AnyGame| Player::policy("net", Arc::new(net(game, 3)), 0.0).bot(0));
    assert_eq!(picks(&values(0.0)), greedy);
    assert_eq!(picks(&values(1.0)), greedy);
}

#[test]
fn draws_follow_the_probabilities() {
    let legal = [1u64 << 3 | 1 << 20, 1 << 1];
    let mut logits = vec![f32::NEG_INFINITY; 70];
    // Probabilities 1/10, 3/10, 6/10 at temperature 1.
    (logits[3], logits[20], logits[65]) = (0.0, 3.0f32.ln(), 6.0f32.ln());
    assert_eq!(greedy(&legal, &logits), ActionId(65));
    let expected = [(ActionId(3), 0.1), (ActionId(20), 0.3), (ActionId(65), 0.6)];
    for ((action, probability), (right, close)) in probabilities(&legal, &logits, 1.0).zip(expected) {
        assert!(action == right && (probability - close).abs() < 1e-7, "{action:?} {probability}");
    }
    let draw = &mut Draw::new(9, 0);
    let mut seen = [0; 70];
    (0..20_000).for_each(|_| seen[usize::from(sample(&legal, &logits, 1.0, draw).0)] += 1);
    for (action, close) in expected {
        assert!((f64::from(seen[usize::from(action.0)]) / 20_000.0 - close).abs() < 0.01, "{seen:?}");
    }
    // At temperature 1/2 the odds are squared: 1, 9, 36 of 46.
    let cold: Vec<f64> = probabilities(&legal, &logits, 0.5).map(|(_, p)| p).collect();
    assert!(cold.iter().zip([1.0, 9.0, 36.0]).all(|(p, odds)| (p - odds / 46.0).abs() < 1e-6), "{cold:?}");
    assert_eq!(sample(&legal, &logits, 0.0, draw), ActionId(65));
    (logits[3], logits[20], logits[65]) = (1.0, 1.0, 1.0);
    assert_eq!(greedy(&legal, &logits), ActionId(3), "the first of equals");
}

#[test]
fn advice_ranks_every_legal_move_and_agrees_with_play() {
    for game in GAMES.iter() {
        let table = game.default_rules().table(5);
        let legal = table.legal();
        let net = Arc::new(net(*game, 4));
        let characters = Character::ALL.map(Player::character);
        let values = Player::network("values", net.clone(), Outputs::ActionValues, 1.0);
        let others = [Player::random(), Player::scripted(), Player::policy("net", net, 0.0), values];
        for player in others.into_iter().chain(characters) {
            let mut bot = player.bot(1);
            {
                let view = table.asked().unwrap();
                let advice = bot.advise(view);
                let mut moves: Vec<ActionId> = advice.moves.iter().map(|m| m.action).collect();
                assert!(advice.moves.is_sorted_by(|a, b| a.probability >= b.probability));
                assert!((advice.moves.iter().map(|m| m.probability).sum::<f64>() - 1.0).abs() < 1e-9);
                assert_eq!(advice.value.is_some(), ["net", "values"].contains(&bot.name()));
                if bot.name() == "values" {
                    assert!(advice.moves[0].probability == 1.0);
                    assert!(advice.moves.is_sorted_by(|a, b| a.value >= b.value));
                }
                assert!(advice.moves.iter().all(|m| m.value.is_some() == (bot.name() == "values")));
                if bot.name() == "scripted" {
                    assert_eq!(moves[0], view.scripted());
                }
                if let Some(character) = Character::ALL.into_iter().find(|c| c.name() == bot.name()) {
                    assert_eq!(moves[0], view.character(character));
                }
                moves.sort();
                assert_eq!(moves, legal, "{}", bot.name());
            }
        }
    }
}

#[test]
fn bots_are_opened_by_name_or_path() {
    let game = GAMES[0];
    let refused = |spec: &str| load(spec, game, 0.0).expect_err("must be refused").to_string();
    for name in BUILT_IN {
        assert_eq!(load(name, game, 0.0).unwrap().name(), name);
    }
    assert_eq!(open("scripted", game, 0.0, 1).unwrap().name(), "scripted");
    assert!(refused("scriptd").ends_with("did you mean `scripted`?"), "{}", refused("scriptd"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert!(refused(path).ends_with("it has no `bot.safetensors`"), "{}", refused(path));
    let net = net(game, 1);
    let file = folder.path().join(FILE);
    std::fs::write(&file, file::to_bytes(&header(game, &net), &net).unwrap()).unwrap();
    assert_eq!(load(path, game, 0.0).unwrap().name(), path);
    assert!(load(file.to_str().unwrap(), game, 1.0).is_ok());
    // The header's outputs determine the kind of bot.
    let valued = Header { outputs: Outputs::ActionValues, ..header(game, &net) };
    std::fs::write(&file, file::to_bytes(&valued, &net).unwrap()).unwrap();
    let mut bot = open(path, game, 1.0, 0).unwrap();
    let table = game.default_rules().table(5);
    assert_eq!(bot.distribution(table.asked().unwrap())[0].probability, 1.0);
    let foreign = Header { game: "bridge".to_owned(), ..header(game, &net) };
    std::fs::write(&file, file::to_bytes(&foreign, &net).unwrap()).unwrap();
    assert!(refused(path).contains("the bot plays `bridge`, not"), "{}", refused(path));
}

#[test]
fn a_name_without_folders_is_the_same_wherever_the_bot_is() {
    let game = GAMES[0];
    let net = net(game, 3);
    let bytes = file::to_bytes(&header(game, &net), &net).unwrap();
    let sum = &blake3::hash(&bytes).to_hex().to_string()[..16];
    let folder = tempfile::tempdir().unwrap();
    for place in ["here", "some/where else"] {
        let bot = folder.path().join(place);
        std::fs::create_dir_all(&bot).unwrap();
        std::fs::write(bot.join(FILE), &bytes).unwrap();
        let bot = bot.display().to_string();
        let named = |spec: String| without_folders(&spec).unwrap();
        assert_eq!(named(bot.clone()), format!("blake3:{sum}"));
        assert_eq!(named(format!("{bot}/{FILE}")), format!("blake3:{sum}"));
        assert_eq!(named(format!("{bot}@4")), format!("blake3:{sum}@4"));
        assert_eq!(named(format!("search:40:beliefs+{bot}")), format!("search:40:beliefs+blake3:{sum}"));
    }
    for plain in ["scripted", "search:400", "random"] {
        assert_eq!(without_folders(plain).unwrap(), plain);
    }
    let command = "exec:python3 ../my/bot.py --depth 3";
    assert_eq!(without_folders(command).unwrap(), "exec:python3 bot.py --depth 3");
}
