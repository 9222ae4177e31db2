//! `describe` prints the schemas and pages of every game, and refuses everything else.

use std::process::{Command, Output};

use cardsharp_env::GAMES;
use serde_json::{Value, json};

fn describe(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
    command.arg("describe").args(arguments).output().expect("it runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = describe(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn schema(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("JSON")
}

/// Whether every reference in a schema has a target.
fn leads_somewhere(schema: &Value, part: &Value) -> bool {
    let here =
        part["$ref"].as_str().is_none_or(|path| schema.pointer(path.trim_start_matches('#')).is_some());
    let inside = match part {
        Value::Object(fields) => fields.values().all(|field| leads_somewhere(schema, field)),
        Value::Array(list) => list.iter().all(|entry| leads_somewhere(schema, entry)),
        _ => true,
    };
    here && inside
}

#[test]
fn every_game_has_schemas_of_its_own_and_all_have_those_of_bundles() {
    for game in GAMES.iter().map(|game| game.name()) {
        for what in ["rules", "view", "trace", "record"] {
            let schema = schema(&[game, "--schema", what]);
            assert_eq!(schema["$schema"], json!("https://json-schema.org/draft/2020-12/schema"));
            assert!(leads_somewhere(&schema, &schema), "{game} {what}");
        }
        assert_eq!(schema(&[game, "--schema"]), schema(&[game, "--schema", "rules"]));
        let kinds = schema(&[game, "--schema", "trace"])["oneOf"].as_array().map_or(0, Vec::len);
        assert!(kinds > 5, "{game} has {kinds} kinds of lines");
    }
    let bundle = schema(&["--schema", "bundle"]);
    assert!(
        leads_somewhere(&bundle, &bundle) && bundle["properties"]["manifest.json"].is_object(),
        "{bundle}"
    );
}

#[test]
fn the_page_of_a_games_views_explains_every_field() {
    for game in GAMES.iter() {
        let page = printed(&[game.name(), "--fields"]);
        let view = schema(&[game.name(), "--schema", "view"]);
        for part in ["Table", "Own"] {
            assert!(page.contains(&format!("\n## {part}\n")), "{page}");
            for field in view["$defs"][part]["properties"].as_object().expect("fields").keys() {
                assert!(page.contains(&format!("\n| `{field}` | ")), "{field} is not on the page:\n{page}");
            }
        }
    }
}

#[test]
fn a_schema_that_is_not_there_is_refused_in_words() {
    for (arguments, reason) in [
        (
            vec!["--schema", "view"],
            "--schema cannot be view: expected a game, like `describe dalmuti --schema view`",
        ),
        (vec!["dalmuti", "--schema", "bundle"], "--schema cannot be bundle: expected no game"),
        (vec!["--markdown"], "<GAME>"),
        (vec!["dalmuti", "--schema", "score"], "invalid value 'score'"),
    ] {
        let output = describe(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(reason), "{arguments:?}: {said}");
    }
}
