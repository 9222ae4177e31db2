//! Words as people type them in a shell.

use std::path::Path;

/// Quotes a word for a shell, if the shell would split or expand it.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:".contains(c) || cfg!(windows) && c == '\\';
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Quotes a path for a shell, as [`word`] does.
pub fn path(path: &Path) -> String {
    word(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(word("hands=5"), "hands=5");
        assert_eq!(word("strip=\"recommended\""), "'strip=\"recommended\"'");
        assert_eq!(word("it's"), "'it'\\''s'");
        assert_eq!(word("~/a b"), "'~/a b'");
        assert_eq!(word("$HOME"), "'$HOME'");
        assert_eq!(word(""), "''");
        assert_eq!(path(Path::new("my runs/é-1")), "'my runs/é-1'");
    }
}
