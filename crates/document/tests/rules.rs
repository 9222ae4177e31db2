//! Errors in rules from files have their position.

use cardsharp_env::Size;

#[test]
fn a_rules_file_is_refused_with_its_place() {
    let game = cardsharp_env::games::game("dalmuti").unwrap();
    for (text, expected) in [
        ("hands = 2\nplayrs = 5", ":2:1: there is no rules option `playrs`; did you mean `players`?"),
        (
            "players = 3",
            ":1:11: rules option `players` cannot be 3: expected a whole number, 4 to 12 (default 5)",
        ),
        ("players = ", ":1:11: not valid TOML: string values must be quoted, expected literal string"),
    ] {
        let read = cardsharp_document::parse_rules(game, "rules.toml", text, &[], Size::AS_GIVEN);
        assert_eq!(read.unwrap_err().to_string().strip_prefix("rules.toml").unwrap(), expected);
    }
}
