//! Text for a terminal.

/// Formats a place as `1st`, `2nd`, `3rd`, `4th`.
pub(super) fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// Shortens a text to `most` characters, with a mark at the end.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.chars().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Arranges numbered labels in as many columns as fit a line of `width` characters.
pub(super) fn columns<'l>(labels: impl IntoIterator<Item = (usize, &'l String)>, width: usize) -> String {
    let cells: Vec<String> = labels.into_iter().map(|(number, label)| format!("#{number} {label}")).collect();
    let cell = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 3;
    // The last label of a line needs no gap after it.
    let across = ((width + 1) / cell).max(1);
    let line = |row: &[String]| {
        let cells: String = row.iter().map(|text| format!("{text:<cell$}")).collect();
        format!("  {}\n", cells.trim_end())
    };
    cells.chunks(across).map(line).collect()
}

/// Lists moves, one line for each first word: `bid  80, 90, misere`.
pub(super) fn grouped(labels: &[String], width: usize) -> String {
    let first = |label: &String| label.split(' ').next().unwrap_or_default().to_owned();
    let mut text = String::new();
    for group in labels.chunk_by(|one, other| one.contains(' ') && first(one) == first(other)) {
        let word = first(&group[0]);
        let line = match group {
            [only] => format!("  {only}"),
            many => {
                let rest: Vec<&str> =
                    many.iter().filter_map(|label| Some(label.split_once(' ')?.1)).collect();
                format!("  {word}  {}", rest.join(", "))
            }
        };
        let hang = " ".repeat(4 + word.chars().count());
        let options = textwrap::Options::new(width).subsequent_indent(&hang).break_words(false);
        text.extend(textwrap::wrap(&line, options).iter().flat_map(|line| [line.as_ref(), "\n"]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{columns, grouped, ordinal};

    #[test]
    fn columns_fill_lines_and_number_from_one() {
        let labels: Vec<String> = ["7", "7x2+J", "pass"].map(str::to_owned).into();
        assert_eq!(columns((1..).zip(&labels), 80), "  #1 7       #2 7x2+J   #3 pass\n");
        assert_eq!(columns([(3, &labels[2]), (12, &labels[0])], 80), "  #3 pass   #12 7\n");
        let long = vec!["exchange with position 4".to_owned(); 3];
        assert_eq!([80, 120].map(|width| columns((1..).zip(&long), width).lines().count()), [2, 1]);
    }

    #[test]
    fn moves_of_one_kind_stand_together() {
        let labels: Vec<String> =
            ["hold", "bid 80", "bid 90", "bid prive uit de hand", "pass"].map(str::to_owned).into();
        assert_eq!(grouped(&labels, 80), "  hold\n  bid  80, 90, prive uit de hand\n  pass\n");
        assert_eq!(grouped(&labels, 20), "  hold\n  bid  80, 90, prive\n       uit de hand\n  pass\n");
    }

    #[test]
    fn places_in_words() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21].map(ordinal),
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"]
        );
    }
}
