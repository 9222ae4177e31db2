//! Names in the headers of traces.

use crate::shown::{is_hidden, quoted};

/// Characters in the name of a bot, at most: as many as in a path.
const MOST_OF_NAME: usize = 4096;

/// What is wrong with the names of the bots in a header, for this many seats.
pub(crate) fn problem_of_bots(bots: &[String], seats: usize) -> Option<String> {
    if bots.len() != seats {
        let given = bots.len();
        return Some(format!("`bots` has {given} names, expected {seats}, one for each seat"));
    }
    let problem = |(seat, name): (usize, &String)| {
        let (length, name) = (name.chars().count(), quoted(name));
        let problem = match length {
            0 => "is empty".to_owned(),
            length if length > MOST_OF_NAME => format!("has {length} characters"),
            _ if bots[seat].contains(is_hidden) => format!("is `{name}`, which cannot be shown as it is"),
            _ => return None,
        };
        let expected = format!("expected a name or path of 1 to {MOST_OF_NAME} characters that can be shown");
        Some(format!("`bots[{seat}]` {problem}, {expected}"))
    };
    bots.iter().enumerate().find_map(problem)
}

#[cfg(test)]
mod tests {
    use super::problem_of_bots;

    #[test]
    fn every_seat_has_a_bot_whose_name_can_be_shown() {
        let problem = |names: &[&str], seats| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            problem_of_bots(&names, seats)
        };
        assert_eq!(problem(&["scripted", "search:200+checkpoints/dalmuti/bot", "Übung 1"], 3), None);
        let few = problem(&["scripted"], 5).expect("a problem");
        assert_eq!(few, "`bots` has 1 names, expected 5, one for each seat");
        for (name, wrong) in [
            ("", "`bots[1]` is empty, expected a name or path of 1 to 4096 characters"),
            ("a\x1b]0;b\x07", "`bots[1]` is `a\\u{1b}]0;b\\u{7}`, which cannot be shown as it is"),
            (&"x".repeat(5000), "`bots[1]` has 5000 characters, expected"),
        ] {
            let found = problem(&["scripted", name], 2).expect("a problem");
            assert!(found.starts_with(wrong), "{found}");
        }
    }
}
