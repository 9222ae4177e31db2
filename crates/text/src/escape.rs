//! Escapes foreign text, so that it cannot move the cursor, name a window or reverse letters.
//!
//! Files, names and typed text may contain any character. The command passes everything that it writes through this
//! module.

use std::borrow::Cow;

use cardsharp_env::trace::is_hidden;

/// Maximum length of a quoted text, in characters.
const QUOTE: usize = 200;
/// Maximum length of a line in a message, in characters. No message of this program is longer.
const LINE: usize = 1000;

/// Like [`is_hidden`], for a page of text, which may have lines and tabs.
fn is_hidden_in_page(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\t')
}

/// Whether a message needs no escaping or shortening.
pub fn is_plain(text: &str) -> bool {
    !text.contains(is_hidden_in_page) && !has_long_lines(text)
}

/// Whether a message has a line that would fill the screen.
pub fn has_long_lines(text: &str) -> bool {
    text.lines().any(|line| line.chars().nth(LINE).is_some())
}

/// Escapes hidden characters in a page, like `\u{1b}`. Lines and tabs stay, and `\r\n` ends a line, too.
pub fn page(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden_in_page) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    Cow::Owned(escaped(&text, is_hidden_in_page, |c| c.escape_unicode().to_string()))
}

/// Escapes hidden characters in JSON without changing its values.
pub fn json(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden_in_page) {
        return Cow::Borrowed(text);
    }
    // Only strings can contain such characters, and each fits into one 16-bit escape.
    Cow::Owned(escaped(text, is_hidden_in_page, |c| format!("\\u{:04x}", u32::from(c))))
}

/// Escapes a message like a page, and shortens lines that would fill the screen.
pub fn message(text: &str) -> String {
    let page = page(text);
    page.split('\n').map(|line| shortened(line, LINE)).collect::<Vec<_>>().join("\n")
}

/// Escapes a text to quote it within a line.
pub fn quoted(text: &str) -> String {
    // Shorten first, so that little of a long text is escaped.
    let short = shortened(text, QUOTE);
    shortened(&escaped(&short, is_hidden, |c| c.escape_default().to_string()), QUOTE).into_owned()
}

fn escaped(text: &str, is_hidden: fn(char) -> bool, escape: fn(char) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            shown.push_str(&escape(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Shortens a text to `most` characters: its beginning and its end.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    // A text has at least as many bytes as characters.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (most - 1 - most / 4, most / 4);
    let at = |found: Option<(usize, char)>| found.map_or(text.len(), |(at, _)| at);
    let end = at(text.char_indices().nth(head));
    let begin = at(text.char_indices().nth_back(tail - 1));
    Cow::Owned(format!("{}…{}", &text[..end], &text[begin..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(page("a\tb\nc"), "a\tb\nc");
        assert_eq!(page("\x1b]0;title\x07"), "\\u{1b}]0;title\\u{7}");
        assert_eq!(page("\u{9b}31m \u{202e}drow\u{2069} \x7f"), "\\u{9b}31m \\u{202e}drow\\u{2069} \\u{7f}");
        assert_eq!(page("one\r\ntwo\rthree"), "one\ntwo\\u{d}three");
        assert_eq!(page("é 7♠ 日本 −1 …"), "é 7♠ 日本 −1 …");
        assert!(is_plain("a\tb\nc") && !is_plain("\x1b[1m") && !is_plain("\r"));
    }

    #[test]
    fn json_keeps_its_values() {
        let text = serde_json::to_string("\u{1b}[0m \u{9b} \u{7f} \u{202e} é \n").expect("JSON");
        let shown = json(&text);
        assert_eq!(shown, "\"\\u001b[0m \\u009b \\u007f \\u202e é \\n\"");
        assert_eq!(
            serde_json::from_str::<String>(&shown).expect("JSON"),
            serde_json::from_str::<String>(&text).expect("JSON")
        );
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quoted("7x3+J"), "7x3+J");
        assert_eq!(quoted("a\nb\tc\x1b"), "a\\nb\\tc\\u{1b}");
        for text in ["é".repeat(100_000), "\x1b".repeat(100_000), "日本語".repeat(70)] {
            let quote = quoted(&text);
            assert_eq!(quote.chars().count(), QUOTE, "{quote}");
            assert!(quote.contains('…') && !quote.contains('\x1b'), "{quote}");
        }
        assert_eq!(quoted(&"é".repeat(QUOTE)), "é".repeat(QUOTE));
    }

    #[test]
    fn long_lines_of_messages_keep_both_ends() {
        let long = format!("there is no option `{}`; did you mean `players`?", "x".repeat(100_000));
        let shown = message(&format!("first\n{long}\n"));
        assert!(shown.starts_with("first\nthere is no option `xxx"), "{shown}");
        assert!(shown.ends_with("xxx`; did you mean `players`?\n"), "{shown}");
        assert!(shown.chars().count() < LINE + 10 && is_plain(&shown) && !is_plain(&long));
    }
}
