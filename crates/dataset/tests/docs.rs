//! Compares `docs/dataset.md` with the code.

use std::sync::atomic::AtomicBool;

use cardsharp_bot::Player;
use cardsharp_dataset::{Amount, DatasetSettings, FORMAT, Folder, KEY, SHARD_DEFAULT, markdown};
use cardsharp_env::game;

mod reading;

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/dataset.md");
    std::fs::read_to_string(path).expect("docs/dataset.md")
}

#[test]
fn the_columns_on_the_page_are_those_of_the_code() {
    let expected = markdown();
    assert!(page().contains(&expected), "docs/dataset.md should hold this table:\n{expected}");
}

#[test]
fn the_fields_on_the_page_are_those_of_a_shard() {
    let folder = tempfile::tempdir().unwrap();
    let rules = vec![game("kuhn").unwrap().default_rules()];
    let settings = DatasetSettings {
        amount: Amount::Sessions(1),
        ..DatasetSettings::new(rules, vec![Player::random()])
    };
    settings.write(Folder::new(folder.path()).unwrap(), &mut |_| (), &AtomicBool::new(false)).unwrap();
    let about = reading::read(folder.path()).about;
    let page = page();
    let table = page.split("| field | what it says |\n|---|---|\n").nth(1).expect("the table of fields");
    let listed: Vec<&str> =
        table.lines().map_while(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let mut fields: Vec<&str> = about.as_object().unwrap().keys().map(String::as_str).collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    fields.sort_unstable();
    assert_eq!(sorted, fields);
    assert!(page.contains(&format!("under the key `{KEY}`")));
    assert!(page.contains(&format!("| `format` | {FORMAT},")));
    assert_eq!(SHARD_DEFAULT, 100_000);
    assert!(page.contains("`--shard` decisions (100,000 if nothing is said)"));
}
