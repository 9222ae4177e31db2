//! Tests of networks for an earlier version of a game's encoding, like the shipped bots. They read the first cells of a
//! row.

use std::path::{Path, PathBuf};

use cardsharp_bot::bots::{Trained, greedy};
use cardsharp_bot::bundle::vectors::{self, VECTORS, Vector};
use cardsharp_bot::bundle::{Extras, complete, export, verify};
use cardsharp_bot::file::{Header, from_bytes};
use cardsharp_bot::net::{Dense, Weights};
use cardsharp_bot::{Net, Scratch};
use cardsharp_env::blocks::{scales, width};
use cardsharp_env::{AnyGame, Draw, GAMES, Games, game};
use serde_json::{Value, json};

/// Returns the games with an earlier version of their encoding.
fn games() -> impl Iterator<Item = &'static dyn AnyGame> {
    GAMES.iter().copied().filter(|game| !game.prefixes().is_empty())
}

fn shipped(game: &dyn AnyGame) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints").join(game.name()).join("bot")
}

fn bot(game: &dyn AnyGame) -> (Header, Net) {
    from_bytes(&std::fs::read(shipped(game).join("bot.safetensors")).expect("a bot file")).expect("a bot")
}

/// Creates a random network for the earlier version, and its header.
fn random(game: &dyn AnyGame) -> (Header, Net) {
    let before = game.prefixes()[0];
    let draw = &mut Draw::new(5, 0);
    let mut dense = |inputs: usize, outputs: usize| {
        let mut numbers = |n: usize| (0..n).map(|_| draw.unit() - 0.5).collect();
        Dense { inputs, outputs, weight: numbers(inputs * outputs), bias: numbers(outputs) }
    };
    let net = Net::new(Weights {
        scale: scales(game.observation())[..before.cells].to_vec(),
        trunk: vec![dense(before.cells, 12), dense(12, 8)],
        policy: dense(8, width(game.actions())),
        value: dense(8, 1),
    })
    .expect("shapes fit");
    let header = Header {
        encoding: before.encoding,
        layers: net.layers(),
        rules: vec![game.default_rules().json().clone()],
        training: Value::Null,
        ..bot(game).0
    };
    (header, net)
}

#[test]
fn shipped_bots_say_of_whole_rows_what_their_vectors_say() {
    assert_eq!(games().map(|game| game.name()).collect::<Vec<_>>(), ["tahimi", "dalmuti", "taki"]);
    for game in games() {
        let (header, net) = bot(game);
        let before = game.prefixes()[0];
        assert_eq!((header.encoding, net.scale.len()), (before.encoding, before.cells), "{}", game.name());
        let (mut scratch, mut logits) = (Scratch::default(), vec![0.0; net.policy.outputs]);
        let packed = std::fs::read(shipped(game).join(vectors::FILE)).expect("vectors");
        let mut count = 0;
        for line in vectors::lines(&packed) {
            let vector: Vector = serde_json::from_str(&line.expect("a line")).expect("a vector");
            let read = game.view(&vector.view.to_string()).expect("a view of before");
            let view = read.view();
            let mut row = vec![1; view.cells()];
            view.row(&mut row);
            let (seen, later) = row.split_at(before.cells);
            assert_eq!(vector.dense_row(before.cells).as_deref(), Some(seen), "{}", game.name());
            assert!(later.iter().all(|&cell| cell == 0), "{}: rules of before", game.name());
            let legal = view.legal_words();
            let value = net.forward(&row, &legal, &mut scratch, &mut logits);
            let close = |found: f32, now: f32| (found - now).abs() <= 1e-6 * now.abs().max(1.0);
            assert!(close(vector.value, value));
            assert!(
                vector.legal.iter().zip(&vector.logits).all(|(a, &l)| close(l, logits[usize::from(a.0)]))
            );
            assert_eq!(view.label(greedy(&legal, &logits)), vector.best);
            count += 1;
        }
        assert_eq!(count, VECTORS);
    }
}

#[test]
fn shipped_bundles_verify() {
    for game in games() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in std::fs::read_dir(shipped(game)).expect("a bundle") {
            let file = file.expect("a file");
            std::fs::copy(file.path(), folder.path().join(file.file_name())).expect("copied");
        }
        complete(folder.path()).expect("a model that follows from the network");
        let report = verify(&Games::shipped(), folder.path()).expect("a bundle in order");
        assert_eq!(report.encoding, game.prefixes()[0].encoding);
        assert!(!report.never.iter().any(|block| block.contains("house_rules")), "{:?}", report.never);
    }
}

#[test]
fn a_bundle_for_an_earlier_version_is_written_and_verified() {
    let game = game("dalmuti").expect("a game");
    let (header, net) = random(game);
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    export(&Games::shipped(), &header, &net, &Extras::default(), &to).expect("it can be written");
    verify(&Games::shipped(), &to).expect("in order");
    let written: Value =
        serde_json::from_slice(&std::fs::read(to.join("encoding.json")).expect("a file")).expect("JSON");
    assert_eq!((&written["encoding"], &written["cells"]), (&json!(1), &json!(game.prefixes()[0].cells)));
    let blocks = written["blocks"].as_array().expect("a list");
    assert_eq!(blocks[blocks.len() - 1]["name"], "passed_on");
}

#[test]
fn only_whole_widths_of_a_version_fit() {
    for game in games() {
        let (header, _) = random(game);
        assert!(header.fits(game).is_ok());
        let whole = header.fits_whole(game).expect_err("the row has more cells").to_string();
        assert!(whole.contains("this program has version 2"), "{whole}");
        let mut wide = header.clone();
        wide.layers[0] = width(game.observation());
        assert!(wide.fits(game).is_err(), "version 1 has fewer cells");
        let never = Header { encoding: 0, ..header.clone() };
        assert!(never.fits(game).is_err());
        let now = Header { encoding: game.encoding(), ..header };
        assert!(now.fits(game).is_err(), "version 2 has more cells");
    }
}

#[test]
fn a_widened_network_says_the_same() {
    for game in games() {
        let (_, net) = random(game);
        let wide = net.widened(&scales(game.observation())).expect("more cells");
        assert_eq!(wide.layers()[0], width(game.observation()));
        let table = game.default_rules().table(3);
        let view = table.asked().expect("a decision");
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        *row.last_mut().expect("a cell") = 1;
        let legal = view.legal_words();
        let say = |net: &Net| {
            let mut logits = vec![0.0; net.policy.outputs];
            let value = net.forward(&row, &legal, &mut Scratch::default(), &mut logits);
            (value, logits)
        };
        assert_eq!(say(&net), say(&wide));
    }
}

#[test]
fn shipped_bots_play_by_house_rules() {
    let house = [
        ("tahimi", json!({"pass_is_final": true, "equal_rank": "skips", "rounds": 1})),
        ("dalmuti", json!({"equal_rank": "burns", "hands": 1})),
        ("taki", json!({"plus3_vs_plus3": "next_player"})),
    ];
    for (name, rules) in house {
        let game = game(name).expect("a game");
        let (header, net) = bot(game);
        let player = Trained::new(game, header, net).expect("a bot for the game").player("bot", 0.0);
        let mut bot = player.bot(1);
        let mut table = game.rules(&rules).expect("rules").table(8);
        let mut decisions = 0;
        while let Some(view) = table.asked() {
            let action = bot.pick(view);
            table.try_play(action).expect("a legal move");
            decisions += 1;
        }
        assert!(decisions > 20, "{name}");
    }
}

#[test]
fn rules_that_rows_do_not_show_are_strange_to_every_network_of_before() {
    let game = game("dalmuti").expect("a game");
    let (header, _) = random(game);
    let strange = |header: &Header, rules: Value| -> Vec<String> {
        let rules = game.rules(&rules).expect("rules");
        header.strange(&rules).iter().map(ToString::to_string).collect()
    };
    let general = Header { random_rules: 0.5, ..header.clone() };
    let burns = "equal_rank = \"burns\" (trained: \"forbidden\")";
    assert_eq!(strange(&general, json!({"equal_rank": "burns", "players": 9})), [burns]);
    assert_eq!(strange(&general, json!({"players": 9})), [""; 0]);
    assert_eq!(strange(&header, json!({"equal_rank": "burns"})), [burns]);
    let now = Header { encoding: game.encoding(), ..general };
    assert_eq!(strange(&now, json!({"equal_rank": "burns"})), [""; 0], "it met rules drawn at random");
}
