//! Splits a command into a program and its arguments, by the rules of each platform.

/// Splits a command as this platform does: as a POSIX shell, or on Windows as its programs do. Returns `None` if a
/// quote is not closed.
pub fn words(command: &str) -> Option<Vec<String>> {
    if cfg!(windows) { windows(command) } else { posix(command) }
}

/// Splits a command as a POSIX shell does, with quotes and backslash escapes.
pub fn posix(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

/// Splits a command as programs on Windows do (`CommandLineToArgvW`). Blanks separate words, and double quotes group
/// them. A backslash is literal unless a double quote follows. In the first word, the path of the program, it is always
/// literal.
pub fn windows(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut rest = command.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' if !quoted => words.extend(word.take()),
            '\\' if !words.is_empty() => {
                let mut slashes = 1;
                while rest.next_if_eq(&'\\').is_some() {
                    slashes += 1;
                }
                let escapes = rest.peek() == Some(&'"');
                let count = if escapes { slashes / 2 } else { slashes };
                let word = word.get_or_insert_default();
                word.extend(std::iter::repeat_n('\\', count));
                if escapes && slashes % 2 == 1 {
                    word.extend(rest.next());
                }
            }
            // Within quotes, two double quotes are a literal one.
            '"' if quoted && !words.is_empty() && rest.next_if_eq(&'"').is_some() => {
                word.get_or_insert_default().push('"');
            }
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits by the rules of Windows.
    fn split(command: &str) -> Vec<String> {
        windows(command).unwrap()
    }

    #[test]
    fn windows_keeps_backslashes_of_paths() {
        assert_eq!(split(r"C:\bots\b.exe"), [r"C:\bots\b.exe"]);
        assert_eq!(
            split(r#""C:\Program Files\b.exe" --net C:\nets\1"#),
            [r"C:\Program Files\b.exe", "--net", r"C:\nets\1"]
        );
        assert_eq!(split(r"\\server\share\b.exe \\server\x"), [r"\\server\share\b.exe", r"\\server\x"]);
        // A program's path may end with a backslash before its quote, because no path contains a quote.
        assert_eq!(split(r#""C:\bots\" x"#), [r"C:\bots\", "x"]);
    }

    /// The examples of Microsoft's page about parsing arguments, and blanks.
    #[test]
    fn windows_reads_backslashes_before_quotes_as_its_programs_do() {
        for (typed, word) in [
            (r#""a b c""#, "a b c"),
            (r#""ab\"c""#, r#"ab"c"#),
            (r#""\\""#, r"\"),
            (r#"a\\\b"#, r"a\\\b"),
            (r#"d"e f"g"#, "de fg"),
            (r#"a\\\"b"#, r#"a\"b"#),
            (r#"a\\\\"b c""#, r"a\\b c"),
            (r#""a""b""#, r#"a"b"#),
            (r#""""#, ""),
            ("'a'", "'a'"),
            ("a,b;c", "a,b;c"),
        ] {
            assert_eq!(split(&format!("x {typed} y")), ["x", word, "y"], "{typed}");
        }
        assert_eq!(split(" \t x \t y  "), ["x", "y"]);
        assert_eq!(split(""), Vec::<String>::new());
        assert_eq!(windows(r#"x "a b"#), None);
        assert_eq!(windows(r#"x "a\""#), None);
    }

    #[test]
    fn posix_splits_as_shells_do() {
        assert_eq!(
            posix(r#"python3 'my bot.py' a\ b "c d""#).unwrap(),
            ["python3", "my bot.py", "a b", "c d"]
        );
        assert_eq!(posix("x 'a"), None);
        let path = if cfg!(windows) { r"C:\bots\b.exe" } else { "C:botsb.exe" };
        assert_eq!(words(r"C:\bots\b.exe").unwrap(), [path]);
    }
}
