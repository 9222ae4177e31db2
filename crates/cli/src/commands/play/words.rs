//! Text for a terminal.

/// `1st`, `2nd`, `3rd`, `4th`.
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

/// A numbered list in as many columns as fit 78 characters.
pub(super) fn columns(labels: &[String]) -> String {
    let cells: Vec<String> = labels.iter().enumerate().map(|(i, l)| format!("#{} {l}", i + 1)).collect();
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 3;
    let across = (76 / width).max(1);
    let line = |row: &[String]| {
        let cells: String = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        format!("  {}\n", cells.trim_end())
    };
    cells.chunks(across).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{columns, ordinal};

    #[test]
    fn columns_fill_lines_and_number_from_one() {
        let labels: Vec<String> = ["7", "7x2+J", "pass"].map(str::to_owned).into();
        assert_eq!(columns(&labels), "  #1 7       #2 7x2+J   #3 pass\n");
        let long = vec!["exchange with position 4".to_owned(); 3];
        assert_eq!(columns(&long).lines().count(), 2);
    }

    #[test]
    fn places_in_words() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21].map(ordinal),
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"]
        );
    }
}
