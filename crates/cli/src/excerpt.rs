//! Errors in configurations, with the lines around the mistake.

use cardsharp_document::ConfigError;
use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::shown;

/// Formats an error with the lines of the file around its place.
///
/// On a terminal of `columns` columns, the message is broken between words. Otherwise its lines stay whole, so that
/// file, line and column can be searched for. If lines are too long to show, only the message is returned.
pub(crate) fn excerpt(error: &ConfigError, colour: bool, columns: Option<usize>) -> String {
    let render = |theme| {
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme).with_break_words(false);
        let handler = match columns {
            Some(columns) => handler.with_width(columns),
            None => handler.with_wrap_lines(false),
        };
        handler.render_report(&mut text, error).map(|()| format!("error:\n{text}"))
    };
    match render(GraphicalTheme::unicode_nocolor()) {
        // Colors are control characters, too. They can be used only if the text has no others.
        Ok(text) if colour && shown::is_plain(&text) => render(GraphicalTheme::unicode()).unwrap_or(text),
        Ok(text) if !shown::has_long_lines(&text) => shown::page(&text).into_owned(),
        _ => shown::message(&format!("error: {error}\n")),
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_document::parse_rules;
    use cardsharp_env::{Size, game};

    use super::excerpt;

    fn refused(text: &str) -> String {
        let game = game("dalmuti").expect("one of the games");
        let error = parse_rules(game, "house.toml", text, &[], Size::AS_GIVEN).expect_err("refused");
        excerpt(&error, true, None)
    }

    #[test]
    fn only_the_program_colours_what_a_terminal_shows() {
        let plain = refused("players = 5\nhnads = 1\n");
        let told = "house.toml:2:1: there is no rules option `hnads`";
        assert!(plain.contains(told) && plain.contains("\x1b["), "{plain}");
        let evil = refused("players = 5 # \u{9b}31m \u{202e}\nhnads = 1\n");
        assert!(evil.contains("# \\u{9b}31m \\u{202e}\n") && !evil.contains(['\x1b', '\u{9b}']), "{evil}");
    }

    #[test]
    fn lines_that_fill_the_screen_are_not_shown() {
        let long = refused(&format!("players = 5 # {}\nhnads = 1\n", "x".repeat(5000)));
        assert!(long.starts_with("error: house.toml:2:1: ") && long.lines().count() == 1, "{long}");
    }

    #[test]
    fn a_terminal_gets_the_message_broken_between_words() {
        let game = game("dalmuti").expect("one of the games");
        let error = parse_rules(game, "house.toml", "hnads = 1\n", &[], Size::AS_GIVEN).expect_err("refused");
        let text = excerpt(&error, false, Some(60));
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| c.is_whitespace() || "│·╭╰─".contains(c))
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(words(&text), words(&excerpt(&error, false, None)));
    }
}
