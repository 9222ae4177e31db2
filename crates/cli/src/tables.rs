use cardsharp_text::escape;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width};
use textwrap::core::display_width;

use crate::terminal::{OutputStream, READABLE};

/// Returns a table with a header. The columns in `right` are aligned to the right.
pub(crate) fn table(header: &[&str], right: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    // Break long cells to the width of a terminal. Other output has a readable width, too.
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(OutputStream::Out.columns().unwrap_or(READABLE) as u16);
    table.set_header(header.iter().map(|text| Cell::new(escape::page(text))));
    add(&mut table, rows);
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Adds rows. Hidden characters are escaped first, because they change the width.
pub(crate) fn add(table: &mut Table, rows: impl IntoIterator<Item = Vec<String>>) {
    for row in rows {
        table.add_row(row.iter().map(|text| escape::page(text).into_owned()).collect::<Vec<_>>());
    }
    keep_words(table);
}

/// Makes every column as wide as its longest word, if there is room for all columns.
fn keep_words(table: &mut Table) {
    let longest = |text: &str| text.split_whitespace().map(display_width).max().unwrap_or(0);
    let mut widths = vec![0; table.column_count()];
    for row in table.header().into_iter().chain(table.row_iter()) {
        for (width, cell) in widths.iter_mut().zip(row.cell_iter()) {
            *width = longest(&cell.content()).max(*width);
        }
    }
    // Each cell has a margin on both sides, and a line before it. Another line follows the last cell.
    let all = widths.iter().map(|width| width + 3).sum::<usize>() + 1;
    let has_room = table.width().is_some_and(|width| all <= usize::from(width));
    for (column, width) in table.column_iter_mut().zip(widths) {
        match has_room {
            // The constraint includes the margins.
            true => column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width as u16 + 2))),
            false => column.remove_constraint(),
        };
    }
}

/// Fits a table into `width` columns of text.
pub(crate) fn fit(table: &mut Table, width: usize) {
    table.set_width(width as u16);
    keep_words(table);
}

/// Returns the columns of the terminal, or 80 for other output.
pub(crate) fn width() -> usize {
    OutputStream::Out.columns().unwrap_or(80)
}

/// Breaks the name of a bot, which may be a long path, into lines of about `most` characters. It breaks only after
/// separators like `/`.
pub(crate) fn broken(name: &str, most: usize) -> String {
    let mut text = String::new();
    let mut length = 0;
    for part in name.split_inclusive(['/', '+', ':', ',', '-']) {
        let more = part.chars().count();
        if length > 0 && length + more > most {
            text.push('\n');
            length = 0;
        }
        text += part;
        length += more;
    }
    text
}

/// Formats a table as Markdown.
pub(crate) fn markdown(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header: Vec<String> = header.iter().map(|&h| h.to_owned()).collect();
    let rule = vec!["---".to_owned(); header.len()];
    let body = rows.into_iter().map(|row| {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        line(&cells)
    });
    [line(&header), line(&rule)].into_iter().chain(body).collect()
}

/// Draws a bar for a share from 0 to 1. It has up to `width` characters, in steps of an eighth.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::{bar, broken, table};

    #[test]
    fn cells_are_broken_between_words_within_the_width() {
        let header = ["strategy", "exploitability in all of the game", "what it says about that"];
        let row = |text: &str| vec![text.to_owned(), "word ".repeat(40), "other ".repeat(40)];
        let text = table(&header, &[], [row("scripted")]).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let count = |word: &str| words.iter().filter(|&&found| found == word).count();
        let found = ["scripted", "exploitability", "word", "other"].map(count);
        assert_eq!(found, [1, 1, 40, 40], "{text}");
    }

    #[test]
    fn names_break_after_their_signs() {
        assert_eq!(broken("search:200+checkpoints/taki/bot", 12), "search:200+\ncheckpoints/\ntaki/bot");
        assert_eq!(broken("scripted", 4), "scripted");
    }

    #[test]
    fn bars_grow_by_eighths() {
        assert_eq!([0.0, 0.5, 0.5625, 1.0, 7.0].map(|s| bar(s, 4)), ["", "██", "██▎", "████", "████"]);
    }
}
