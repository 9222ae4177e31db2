//! Schemas describe what views contain, field by field.

use cardsharp_env::game::Lines;
use cardsharp_env::games::{dalmuti, kuhn, leduc, tachtigen, tahimi, taki};
use cardsharp_env::testing::play_until;
use cardsharp_env::{Draw, GAMES, Rules, SCHEMAS, Session};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Returns every field in a schema, with the name of its part.
fn fields(schema: &Value) -> Vec<(String, String, Value)> {
    let empty = serde_json::Map::new();
    let parts = schema["$defs"].as_object().unwrap_or(&empty);
    let all = parts.iter().map(|(name, part)| (name.as_str(), part)).chain([("view", schema)]);
    let mut found = Vec::new();
    for (part, schema) in all {
        for (field, value) in schema["properties"].as_object().unwrap_or(&empty) {
            found.push((part.to_owned(), field.clone(), value.clone()));
        }
    }
    found
}

#[test]
fn every_field_of_every_view_says_what_it_means() {
    assert!(GAMES.iter().map(|game| game.name()).eq(SCHEMAS.iter().map(|schemas| schemas.game)));
    for schemas in SCHEMAS.iter() {
        let schema = (schemas.view)();
        let fields = fields(&schema);
        assert!(fields.len() > 10, "{}: {} fields", schemas.game, fields.len());
        for (part, field, value) in fields {
            let meaning = value["description"].as_str().unwrap_or_default();
            let name = format!("{} {part}.{field}", schemas.game);
            assert!(meaning.len() > 5, "{name} means {meaning:?}");
            assert!(!meaning.contains("[`"), "{name} has a link that only Rust's pages know: {meaning}");
        }
    }
}

#[test]
fn views_have_the_fields_of_their_schema() {
    for (game, schemas) in GAMES.iter().zip(SCHEMAS.iter()) {
        let schema = (schemas.view)();
        let table = game.default_rules().table(3);
        let view = table.asked().expect("a session begins with a decision").json();
        for (part, value) in [("Table", &view["table"]), ("Own", &view["own"])] {
            let names = |value: &Value| -> Vec<String> {
                value.as_object().expect("an object").keys().cloned().collect()
            };
            assert_eq!(names(&schema["$defs"][part]["properties"]), names(value), "{} {part}", game.name());
            let mut required: Vec<String> =
                serde_json::from_value(schema["$defs"][part]["required"].clone()).expect("names");
            required.sort_unstable();
            assert_eq!(required, names(value), "{} {part}", game.name());
        }
    }
}

/// Asserts that a value can be read as `T`, and is then written unchanged.
fn reads_as<T: Serialize + DeserializeOwned>(given: &Value) {
    let read: T = serde_json::from_value(given.clone()).unwrap_or_else(|error| panic!("{error}: {given}"));
    assert_eq!(json!(read), *given);
}

/// Asserts that all deals and events of random sessions by random rules have the types that schemas are made from.
fn lines_are_what_they_are_called<G: Lines + cardsharp_env::Game>() {
    let mut events = 0;
    for seed in 0..60 {
        let mut draw = Draw::new(seed, 4);
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        let (mut before, mut is_described): (Option<G>, bool) = (None, false);
        play_until(&mut session, &mut draw, |round| {
            // Describe a deal when it is dealt, before cards move.
            if !is_described && let Some(deal) = round.describe_deal() {
                reads_as::<G::Deal>(&deal);
                is_described = true;
            }
            for event in G::events(before.as_ref(), round) {
                reads_as::<G::Event>(&event);
                events += 1;
            }
            before = Some(*round);
            false
        });
    }
    assert!(events > 20, "{}: {events} events", G::NAME);
}

#[test]
fn what_is_told_has_the_types_that_schemas_describe() {
    lines_are_what_they_are_called::<dalmuti::Round>();
    lines_are_what_they_are_called::<tahimi::Round>();
    lines_are_what_they_are_called::<taki::Round>();
    lines_are_what_they_are_called::<tachtigen::Round>();
    lines_are_what_they_are_called::<kuhn::Round>();
    lines_are_what_they_are_called::<leduc::Round>();
}
