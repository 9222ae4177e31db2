//! The last line of a run's configuration, by which a change of the others shows.

/// Begins the line; the hash follows.
const LINE: &str = "# A run does not go on if the lines above were changed: BLAKE3 ";

/// `text` with the line.
pub(crate) fn sealed(text: &str) -> String {
    format!("{text}{LINE}{}\n", blake3::hash(text.as_bytes()))
}

/// How the lines of a sealed text are not those that were sealed; none if they are.
pub(crate) fn broken(text: &str) -> Option<String> {
    let Some((above, hash)) = text.rsplit_once(LINE) else {
        return Some(
            "its last line, the hash of the others, is missing, as in a file that was cut short".to_owned(),
        );
    };
    let (given, expected) = (blake3::hash(above.as_bytes()).to_string(), hash.trim_end_matches(['\r', '\n']));
    (given != expected)
        .then(|| format!("the hash of its lines is {given}, and its last line says {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_sealed_text_shows() {
        let text = sealed("seed = 1\niterations = 30\n");
        assert_eq!(broken(&text), None);
        for length in 0..text.trim_end().len() {
            assert!(broken(&text[..length]).is_some(), "cut after {length} bytes");
        }
        for at in 0..text.trim_end().len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(broken(&String::from_utf8(bytes).unwrap()).is_some(), "byte {at}");
        }
        for more in ["seed = 2\n", "#"] {
            assert!(broken(&(text.clone() + more)).is_some(), "{more}");
        }
    }
}
