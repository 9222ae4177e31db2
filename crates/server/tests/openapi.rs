//! The OpenAPI description in the documentation is that of the server.

use crate::common::{Running, options};
use serde_json::Value;

/// The description as `cardsharp serve --openapi` prints it.
fn page() -> String {
    serde_json::to_string_pretty(&cardsharp_server::openapi()).unwrap() + "\n"
}

#[test]
fn the_page_is_what_the_code_says() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(kept == page(), "write it again: cargo run --release -- serve --openapi > docs/openapi.json");
}

#[test]
fn a_server_describes_itself_and_every_reference_leads_somewhere() {
    let server = Running::start(options());
    let described = server.get("/v1/openapi.json", "").body;
    assert_eq!(described, cardsharp_server::openapi());
    let mut references = Vec::new();
    collect(&described, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(described.pointer(pointer).is_some(), "{reference}");
    }
    // The server knows every path and method in the description.
    for (path, methods) in described["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let asked = server.ask(&method.to_uppercase(), &path.replace("{id}", "0"), "none", Value::Null);
            assert!(!["no_path", "method"].contains(&asked.code()), "{method} {path}: {}", asked.text);
        }
    }
}

#[test]
fn all_codes_of_errors_are_documented() {
    let described = cardsharp_server::openapi();
    let codes = &described["components"]["schemas"]["Reason"]["properties"]["code"]["enum"];
    let mut codes: Vec<&str> = codes.as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/server-operations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("## Error codes").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| status"));
    let mut documented: Vec<&str> = rows
        .filter_map(|row| row.split('|').nth(2))
        .flat_map(|codes| codes.split('`').skip(1).step_by(2))
        .collect();
    for list in [&mut codes, &mut documented] {
        list.sort_unstable();
        list.dedup();
    }
    assert_eq!(codes, documented);
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
