//! Tests of bundles: they are written atomically, read back, and refused if anything in them is wrong.

#[path = "bundle/cost.rs"]
mod cost;
#[path = "bundle/levels.rs"]
mod levels;
#[path = "bundle/places.rs"]
mod places;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use cardsharp_bot::arena::Report;
use cardsharp_bot::bundle::card::CardContest;
use cardsharp_bot::bundle::vectors::{self, VECTORS, Vector};
use cardsharp_bot::bundle::{
    ExportError, Extras, FILES, MANIFEST, MODEL, Manifest, complete, export, verify,
};
use cardsharp_bot::file::{Header, Outputs};
use cardsharp_bot::net::{Dense, Net, Weights};
use cardsharp_env::blocks::{scales, width};
use cardsharp_env::{AnyGame, Draw, Games, game, games};
use serde_json::{Value, json};

fn dalmuti() -> &'static dyn AnyGame {
    game("dalmuti").expect("it is in the list")
}

fn dense(inputs: usize, outputs: usize, draw: &mut Draw) -> Dense {
    let mut numbers = |n: usize| (0..n).map(|_| draw.unit() - 0.5).collect();
    Dense { inputs, outputs, weight: numbers(inputs * outputs), bias: numbers(outputs) }
}

/// Creates a random network for four or six players.
fn sample() -> (Header, Net) {
    let rules =
        [json!({"players": 4, "hands": 3}), json!({"players": 6, "merchant_exchange": "blind_choice"})];
    random(dalmuti(), &rules)
}

/// Creates a random network for these rules.
fn random(game: &dyn AnyGame, rules: &[Value]) -> (Header, Net) {
    let (cells, actions) = (width(game.observation()), width(game.actions()));
    let draw = &mut Draw::new(11, 0);
    let net = Net::new(Weights {
        scale: scales(game.observation()),
        trunk: vec![dense(cells, 12, draw), dense(12, 8, draw)],
        policy: dense(8, actions, draw),
        value: dense(8, 1, draw),
    });
    let header = Header {
        format: 1,
        game: game.name().to_owned(),
        encoding: game.encoding(),
        rules: rules.iter().map(|r| game.rules(r).expect("rules").json().clone()).collect(),
        random_rules: 0.0,
        layers: vec![cells, 12, 8, actions],
        outputs: Outputs::Logits,
        activation: Default::default(),
        training: json!({"decisions": 123456, "config": "a | b"}),
    };
    (header, net.expect("shapes fit"))
}

fn contest() -> CardContest {
    let interval = |mean: f64| json!({"mean": mean, "low": mean - 0.02, "high": mean + 0.02});
    let bot = |name: &str, place: f64| {
        json!({
            "name": name, "place_score": interval(place), "first_rate": interval(0.25),
            "points": interval(2.5), "places": [0.25, 0.25, 0.25, 0.25], "ms_per_move": {"p50": 0.01, "p99": 0.02},
        })
    };
    let report = json!({
        "game": "dalmuti", "players": 4, "rules": {}, "deals": 100, "rounds": 20, "seed": 5,
        "bots": [bot("mine", 0.123), bot("scripted", -0.041)],
    });
    let report: Report = serde_json::from_value(report).expect("the arena's contract");
    let command = "cardsharp arena dalmuti --bots mine,scripted --deals 100".to_owned();
    CardContest { table: Some("four | hands".to_owned()), command, report }
}

fn bundle(to: &Path) {
    let (header, net) = sample();
    let extras = Extras { contests: vec![contest()], seed: 3, ..Extras::default() };
    export(&Games::shipped(), &header, &net, &extras, to).expect("it can be written");
}

/// Returns the lines of a bundle's test vectors.
fn lines(bundle: &Path) -> Vec<String> {
    let packed = fs::read(bundle.join(vectors::FILE)).expect("bytes");
    vectors::lines(&packed).collect::<Result<_, _>>().expect("text")
}

fn read_vectors(bundle: &Path) -> Vec<Vector> {
    lines(bundle).iter().map(|line| serde_json::from_str(line).expect("a vector")).collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Checks that two folders hold byte-identical files.
fn assert_same(one: &Path, other: &Path) {
    assert_eq!(names(one), names(other));
    for file in names(one) {
        assert_eq!(fs::read(one.join(&file)).ok(), fs::read(other.join(&file)).ok(), "{file}");
    }
}

#[test]
fn a_bundle_is_whole_repeatable_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    bundle(&first);
    bundle(&second);
    // Replaces an older bundle.
    bundle(&second);
    assert_eq!(names(folder.path()), BTreeSet::from(["first".to_owned(), "second".to_owned()]));
    assert_eq!(names(&first), FILES.map(str::to_owned).into());
    assert_same(&first, &second);
    let report = verify(&Games::shipped(), &first).expect("in order");
    assert_eq!((report.game.as_str(), report.vectors, report.difference), ("dalmuti", VECTORS, 0.0));
    assert_eq!(report.layers[1..3], [12, 8]);
}

#[test]
fn bundles_of_every_game_are_sound_whatever_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in games::played() {
        // Tables of all sizes, with roster changes if the game has them.
        let rules: Vec<Value> = (0..12).map(|seed| game.random_rules(seed).json().clone()).collect();
        let (header, net) = random(game, &rules);
        let to = folder.path().join(game.name());
        export(&Games::shipped(), &header, &net, &Extras { seed: 2, ..Extras::default() }, &to)
            .expect("it can be written");
        let report = verify(&Games::shipped(), &to).expect("in order");
        assert_eq!((report.game.as_str(), report.vectors, report.difference), (game.name(), VECTORS, 0.0));
        // For all rules, the vectors cover every block of the encoding, though not every set of a large deck.
        assert_eq!(report.never, Vec::<String>::new(), "{}", game.name());
        let of = |shown: usize, blocks| shown as f64 / width(blocks) as f64;
        let shares = (of(report.actions, game.actions()), of(report.cells, game.observation()));
        assert!(shares.0 > 0.5 && shares.1 > 0.85, "{}: {shares:?}", game.name());
        let vectors = read_vectors(&to);
        for rules in &rules {
            let with = vectors.iter().filter(|v| v.view["table"]["rules"] == *rules).count();
            assert!(with > VECTORS / 60, "{with} of {rules}");
        }
        let first = |vector: &Vector| usize::from(vector.legal[0].0);
        let blocks = game.actions().iter();
        let blocks: Vec<_> =
            blocks.filter(|b| vectors.iter().any(|v| (b.offset..b.end()).contains(&first(v)))).collect();
        assert!(blocks.len() >= 3, "kinds of decisions: {blocks:?}");
    }
}

#[test]
fn vectors_come_from_all_rules_and_phases() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let vectors = read_vectors(&to);
    let share = |count: usize| count as f64 / vectors.len() as f64;
    let with =
        |players: u8| vectors.iter().filter(|v| v.view["table"]["rules"]["players"] == players).count();
    assert!(share(with(4)) > 0.2 && share(with(6)) > 0.2, "{} and {}", with(4), with(6));
    // Every fourth lane plays by rules that the network was not trained on.
    let trained = [json!(4), json!(6)];
    let others = vectors.iter().filter(|v| !trained.contains(&v.view["table"]["rules"]["players"])).count();
    assert!((0.1..0.4).contains(&share(others)), "{others}");
    let moves: BTreeSet<_> =
        vectors.iter().map(|v| v.best.split([' ', '+', 'x']).next().unwrap_or_default()).collect();
    let phases = ["pass", "give", "7", "no"];
    assert!(phases.iter().all(|m| moves.contains(m)), "{moves:?}");
    let plays = vectors.iter().filter(|v| v.view["table"]["stage"] == "play").count();
    assert!((0.4..0.95).contains(&share(plays)), "{plays}");
    assert!(vectors.iter().all(|v| v.legal.len() > 1 && v.legal.len() == v.logits.len()));
}

#[test]
fn the_card_states_figures_with_intervals_and_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let card = fs::read_to_string(to.join("card.md")).expect("text");
    for text in [
        "# A bot for The Great Dalmuti",
        "| 1 | four \\| hands | scripted | 4 | 20 | 100 | +0.123 (+0.103 … +0.143) |",
        "cardsharp arena dalmuti --bots mine,scripted --deals 100  # 1",
        "\"players\":4",
        "| decisions | `123456` |",
        "a \\| b",
    ] {
        assert!(card.contains(text), "no `{text}` in\n{card}");
    }
}

/// Returns the error of `verify` for the bundle in `to`, without its path.
fn refusal(to: &Path) -> String {
    let refusal = verify(&Games::shipped(), to).expect_err("refused").to_string();
    refusal.strip_prefix(&format!("{}/", to.display())).unwrap_or(&refusal).to_owned()
}

/// Writes a bundle with a changed file and a matching manifest, and returns the error of `verify`.
fn refusal_of(file: &str, change: impl FnOnce(&str) -> String) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let text = fs::read_to_string(to.join(file)).expect("text");
    let changed = change(&text);
    assert_ne!(text, changed, "nothing was changed in {file}");
    Manifest::add(&to, file, changed.as_bytes()).expect("written");
    refusal(&to)
}

/// [`refusal_of`] for the vectors with other lines.
fn refusal_of_vectors(change: impl FnOnce(&mut Vec<String>)) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let mut lines = lines(&to);
    change(&mut lines);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all((lines.join("\n") + "\n").as_bytes()).expect("packed");
    Manifest::add(&to, vectors::FILE, &packed.finish().expect("packed")).expect("written");
    refusal(&to)
}

/// [`refusal_of`] for a changed vector in line `line`.
fn refusal_of_vector(line: usize, change: impl FnOnce(&mut Value)) -> String {
    refusal_of_vectors(|lines| {
        let mut value: Value = serde_json::from_str(&lines[line - 1]).expect("a vector");
        change(&mut value);
        lines[line - 1] = value.to_string();
    })
}

#[test]
fn every_wrong_number_is_refused_with_file_and_line() {
    let add = |value: &mut Value, step: f64| *value = json!(value.as_f64().expect("a number") + step);
    let said = refusal_of_vector(7, |v| add(&mut v["value"], 0.001));
    assert!(said.starts_with("vectors.jsonl.gz:7: the value is"), "{said}");
    let said = refusal_of_vector(1000, |v| add(&mut v["logits"][1], -0.001));
    assert!(said.starts_with("vectors.jsonl.gz:1000: the logit of `"), "{said}");
    let said = refusal_of_vector(2, |v| v["move"] = json!("12x12+JJ"));
    assert!(said.starts_with("vectors.jsonl.gz:2: the move is `12x12+JJ`, but"), "{said}");
    let said = refusal_of_vector(3, |v| drop(v["row"].as_array_mut().map(Vec::pop)));
    assert!(
        said.starts_with("vectors.jsonl.gz:3: cell ") && said.contains(") is 0, but the view encodes to"),
        "{said}"
    );
    let said = refusal_of_vector(4, |v| v["legal"][0] = json!(261));
    assert!(said.starts_with("vectors.jsonl.gz:4: the legal actions are"), "{said}");
    let said = refusal_of_vector(5, |v| v["view"]["table"]["hand"] = json!("x"));
    assert!(said.starts_with("vectors.jsonl.gz:5: not a dalmuti view"), "{said}");
    let said = refusal_of_vectors(|lines| drop(lines.pop()));
    assert_eq!(said, "vectors.jsonl.gz: it holds 999 vectors; a bundle has 1000");
    let said = refusal_of_vectors(|lines| lines[0] = lines[0].replacen('{', "[", 1));
    assert!(said.starts_with("vectors.jsonl.gz:1: not what a bundle holds here"), "{said}");
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    Manifest::add(&to, vectors::FILE, b"[]").expect("written");
    assert!(refusal(&to).starts_with("vectors.jsonl.gz:1: it is not UTF-8 text compressed with gzip"));
}

#[test]
fn tables_and_cards_are_compared_with_the_game() {
    let said =
        refusal_of("actions.json", |t| t.replace("\"pass\",\n    \"give 1\"", "\"past\",\n    \"give 1\""));
    let (differs, remedy) = said.split_once("; ").expect("a remedy");
    assert_eq!(differs, "actions.json: /labels/236 is \"past\", but the game says \"pass\"");
    assert!(remedy.starts_with("`cardsharp export ") && remedy.ends_with("` writes it again"), "{remedy}");
    let said = refusal_of("encoding.json", |t| t.replacen("\"encoding\": ", "\"encoding\": 9", 1));
    assert!(said.starts_with("encoding.json: /encoding is 9"), "{said}");
    let said = refusal_of("arena.json", |t| t.replacen("\"deals\"", "\"dealt\"", 1));
    assert!(said.starts_with("arena.json: not what a bundle holds here"), "{said}");
    assert_eq!(refusal_of("card.md", |_| "\n".to_owned()), "card.md: it is empty");
}

#[test]
fn another_model_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let mut bytes = fs::read(to.join(MODEL)).expect("bytes");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    Manifest::add(&to, MODEL, &bytes).expect("written");
    assert!(refusal(&to).contains("not the network of bot.safetensors"), "{}", refusal(&to));
}

#[test]
fn a_changed_a_missing_and_an_additional_file_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    for file in FILES {
        bundle(&to);
        let path = to.join(file);
        let whole = fs::read(&path).expect("bytes");
        // Flips one bit and keeps the length: a digit of a result, a word of the card, or a field of the weights'
        // header.
        let mut bytes = whole.clone();
        bytes[whole.len() / 3] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let said = refusal(&to);
        assert!(said.starts_with(&format!("{file}: ")), "{said}");
        assert!(
            file == MANIFEST || said.contains("it was changed after it was written: its hash is "),
            "{said}"
        );

        fs::write(&path, &whole[..whole.len() - 1]).expect("written");
        let said = refusal(&to);
        assert!(said.starts_with(&format!("{file}: ")), "{said}");
        let length = format!("it has {} bytes and was written with {}", whole.len() - 1, whole.len());
        assert!(file == MANIFEST || said.contains(&length), "{said}");

        fs::remove_file(&path).expect("removed");
        let said = refusal(&to);
        let missing = if file == MANIFEST { "there is none, so nothing says" } else { "it is missing" };
        assert!(said.starts_with(&format!("{file}: {missing}")), "{said}");
    }
    bundle(&to);
    fs::write(to.join("notes.txt"), "mine").expect("written");
    let extra = "notes.txt: it is not in the manifest: it came later or from somewhere else; move it out of the folder";
    assert_eq!(refusal(&to), extra);
    fs::remove_file(to.join("notes.txt")).expect("removed");
    verify(&Games::shipped(), &to).expect("as before");
}

#[test]
fn the_header_of_the_weights_is_the_one_that_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let path = to.join("bot.safetensors");
    let mut bytes = fs::read(&path).expect("bytes");
    let place = bytes.windows(6).position(|window| window == b"123456").expect("the decisions in the header");
    bytes[place] = b'9';
    fs::write(&path, bytes).expect("written");
    // The tensors are undamaged, but the file is not the one that was written.
    let said = cardsharp_bot::file::read(&path).expect_err("refused").to_string();
    assert!(said.starts_with("it was changed after it was written: its hash is "), "{said}");
    assert!(refusal(&to).starts_with("bot.safetensors: it was changed after it was written"));
}

#[test]
fn a_manifest_lists_what_bundles_hold_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    Manifest::add(&to, "notes.txt", b"mine").expect("written");
    assert_eq!(refusal(&to), "notes.txt: the manifest lists it, but no bundle holds such a file");
    bundle(&folder.path().join("other"));
    fs::remove_dir_all(&to).expect("removed");
    fs::create_dir(&to).expect("a folder");
    fs::write(to.join("card.md"), "x").expect("written");
    let manifest = Manifest::of([("card.md", &b"x"[..])]).to_bytes().expect("JSON");
    fs::write(to.join(MANIFEST), &manifest).expect("written");
    assert_eq!(refusal(&to), "actions.json: the manifest does not list it, but every bundle holds it");
    let text = String::from_utf8(manifest).expect("text");
    for (changed, said) in [
        (text.replacen("\"bytes\": 1", "\"bytes\": 2", 1), "it was changed after it was written"),
        (
            text.replacen("\"format\": 1", "\"format\": 2", 1),
            "its format is 2, which a newer version of cardsharp writes, expected 1",
        ),
        (
            text.replacen("\"format\"", "\"iteration\": 3, \"format\"", 1),
            "it is the manifest of a checkpoint",
        ),
        (text.replacen('{', "", 1), "not the manifest of a bundle"),
    ] {
        fs::write(to.join(MANIFEST), changed).expect("written");
        assert!(refusal(&to).starts_with(&format!("manifest.json: {said}")), "{}", refusal(&to));
    }
}

#[test]
fn a_bundle_without_its_model_is_completed_to_the_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let model = fs::read(to.join(MODEL)).expect("bytes");
    assert!(!complete(&to).expect("whole"), "nothing is missing");
    fs::remove_file(to.join(MODEL)).expect("removed");
    assert!(refusal(&to).starts_with("model.onnx: it is missing; `cardsharp export /"), "{}", refusal(&to));
    assert!(complete(&to).expect("it can be written"));
    assert_eq!(fs::read(to.join(MODEL)).expect("bytes"), model);
    verify(&Games::shipped(), &to).expect("whole again");

    // Refuses a model of another network, or with another manifest.
    fs::remove_file(to.join(MODEL)).expect("removed");
    let weights = fs::read(to.join("bot.safetensors")).expect("bytes");
    fs::write(to.join("bot.safetensors"), &weights[..weights.len() - 1]).expect("written");
    let said = complete(&to).expect_err("refused").to_string();
    assert!(said.contains("bot.safetensors: it was changed after it was written"), "{said}");
    fs::write(to.join("bot.safetensors"), &weights).expect("written");
    Manifest::add(&to, MODEL, b"other").expect("written");
    fs::remove_file(to.join(MODEL)).expect("removed");
    let said = complete(&to).expect_err("refused").to_string();
    assert!(said.contains("this program writes another model.onnx"), "{said}");
    assert!(!to.join(MODEL).exists());
}

#[test]
fn a_bundle_that_is_exported_again_keeps_what_was_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let (to, again) = (folder.path().join("bundle"), folder.path().join("again"));
    bundle(&to);
    Manifest::add(&to, "levels.json", &levels::sound()).expect("written");
    let (header, net) = sample();
    let renewed = Extras { seed: 3, ..Extras::of(&to).expect("read") };
    export(&Games::shipped(), &header, &net, &renewed, &again).expect("it can be written");
    assert_same(&to, &again);
    // A bundle without `manifest.json` is read unchecked, but a changed bundle is refused.
    let strength = fs::read_to_string(to.join("arena.json")).expect("text");
    fs::write(to.join("arena.json"), strength.replace("0.123", "0.923")).expect("written");
    let refused = |to: &Path| Extras::of(to).expect_err("refused").to_string();
    let said = refused(&to);
    assert!(said.contains("arena.json: it was changed after it was written"), "{said}");
    // Measurements of another network, or from a changed file, are refused too.
    let damaged = |name: &str, content: &[u8]| {
        let kept = fs::read(again.join(name)).ok();
        fs::write(again.join(name), content).expect("written");
        let said = refused(&again);
        kept.map_or_else(|| fs::remove_file(again.join(name)), |kept| fs::write(again.join(name), kept))
            .expect("restored");
        said
    };
    let said = damaged("bot.safetensors", b"other");
    assert!(said.contains("bot.safetensors: it was changed after it was written"), "{said}");
    fs::remove_file(again.join("arena.json")).expect("removed");
    let said = refused(&again);
    assert!(said.contains("arena.json: the manifest lists it, and it is not there"), "{said}");
    let plain = folder.path().join("plain");
    bundle(&plain);
    fs::write(plain.join("levels.json"), b"{}").expect("written");
    let said = refused(&plain);
    assert!(said.contains("levels.json: the manifest does not list it"), "{said}");
    fs::remove_file(to.join(MANIFEST)).expect("removed");
    assert_eq!(Extras::of(&to).expect("read").contests.len(), 1);
    assert!(Extras::of(&to.join("bot.safetensors")).expect("no bundle").contests.is_empty());
}

#[test]
fn a_bundle_does_not_depend_on_the_clock() {
    let folder = tempfile::tempdir().expect("a folder");
    let (to, slower) = (folder.path().join("bundle"), folder.path().join("slower"));
    bundle(&to);
    let (header, net) = sample();
    let mut late = contest();
    late.report.bots[0].ms_per_move = late.report.bots[0].ms_per_move.map(|mut times| {
        times.p50 *= 2.0;
        times
    });
    assert_ne!(late, contest());
    let extras = Extras { contests: vec![late], seed: 3, ..Extras::default() };
    export(&Games::shipped(), &header, &net, &extras, &slower).expect("it can be written");
    assert_same(&to, &slower);
    assert!(!fs::read_to_string(to.join("arena.json")).expect("text").contains("ms_per_move"));
}

#[test]
fn nothing_is_exported_that_does_not_fit_or_over_anything_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (header, net) = sample();
    let refused =
        |header: &Header, to: &Path| match export(&Games::shipped(), header, &net, &Extras::default(), to) {
            Err(error) => error.to_string(),
            Ok(()) => panic!("{} was written", to.display()),
        };
    let to = folder.path().join("bundle");
    let mut other = header.clone();
    other.game = "whist".to_owned();
    assert_eq!(
        refused(&other, &to),
        "there is no game `whist`; the games are tahimi, dalmuti, taki, tachtigen"
    );
    let mut other = header.clone();
    other.encoding += 1;
    assert!(refused(&other, &to).contains("version 3 of the dalmuti encodings"));
    let mut other = header.clone();
    other.layers[0] -= 1;
    assert!(refused(&other, &to).contains("cells and actions"));
    let mut other = header.clone();
    other.rules.clear();
    assert!(refused(&other, &to).contains("no rules"));
    other.rules.push(json!({"players": 99}));
    assert!(refused(&other, &to).contains("`players` cannot be 99"));
    assert!(!to.exists());

    fs::create_dir(&to).expect("a folder");
    fs::write(to.join("thesis.txt"), "years of work").expect("written");
    let error = export(&Games::shipped(), &header, &net, &Extras::default(), &to).expect_err("refused");
    assert!(matches!(&error, ExportError::Occupied { found, .. } if found == "thesis.txt"), "{error}");
    assert_eq!(names(&to), BTreeSet::from(["thesis.txt".to_owned()]));
}
