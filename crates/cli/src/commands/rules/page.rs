//! Converts a Markdown page into lines for a terminal.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::tables;
use crate::terminal::wrapped;

/// A line of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageLine {
    pub heading: bool,
    /// The text, at most as wide as the page.
    pub text: String,
}

/// Returns the lines of a page of `width` characters. Lists that contain only links within the page are left out.
pub(super) fn lines(markdown: &str, width: usize) -> Vec<PageLine> {
    let mut page = Page { width, ..Page::default() };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.take(event);
    }
    page.lines
}

#[derive(Default)]
struct Page {
    width: usize,
    lines: Vec<PageLine>,
    /// The current paragraph, item or cell.
    text: String,
    /// The number of the next item in each open list; `None` for lists without numbers.
    lists: Vec<Option<u64>>,
    /// The mark before the first line of the next item.
    marker: String,
    /// Depth of nested quotes.
    quotes: usize,
    /// Whether a link within the page is open, whether the item has such links, and whether it has other words.
    in_link: bool,
    has_links: bool,
    has_words: bool,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    cells: Vec<String>,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) => {
                self.has_words |= !self.in_link && text.chars().any(char::is_alphabetic);
                self.text.push_str(&text);
            }
            Event::Code(text) => {
                self.has_words = true;
                self.text.extend(["`", &text, "`"]);
            }
            Event::SoftBreak | Event::HardBreak => self.text.push(' '),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.block();
                self.lists.push(first);
            }
            Tag::Item => {
                (self.has_links, self.has_words) = (false, false);
                self.marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
            }
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::Link { dest_url, .. } if dest_url.starts_with('#') => {
                (self.in_link, self.has_links) = (true, true)
            }
            Tag::Heading { .. } => self.blank(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let text = std::mem::take(&mut self.text);
                self.lines.push(PageLine { heading: true, text });
            }
            TagEnd::Paragraph => {
                self.block();
                if self.lists.is_empty() {
                    self.blank();
                }
            }
            TagEnd::Item => self.block(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blank();
                }
            }
            TagEnd::BlockQuote(_) => self.quotes -= 1,
            TagEnd::Link => self.in_link = false,
            TagEnd::TableCell => self.cells.push(std::mem::take(&mut self.text)),
            TagEnd::TableHead => self.header = std::mem::take(&mut self.cells),
            TagEnd::TableRow => self.rows.push(std::mem::take(&mut self.cells)),
            TagEnd::Table => self.table(),
            _ => {}
        }
    }

    /// Ends a paragraph or an item.
    fn block(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        let marker = std::mem::take(&mut self.marker);
        if self.has_links && !self.has_words && !self.lists.is_empty() {
            return;
        }
        let deep = 2 * self.lists.len().saturating_sub(1) + 4 * self.quotes;
        let hang = if self.lists.is_empty() { deep } else { deep + marker.len().max(2) };
        let mut rows = wrapped(&text, self.width, &" ".repeat(hang));
        if let Some(first) = rows.first_mut() {
            first.replace_range(hang - marker.len()..hang, &marker);
        }
        self.lines.extend(rows.into_iter().map(|text| PageLine { heading: false, text }));
    }

    fn table(&mut self) {
        let header = std::mem::take(&mut self.header);
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let mut table = tables::table(&header, &[], std::mem::take(&mut self.rows));
        tables::fit(&mut table, self.width);
        let rows = table.to_string();
        self.lines.extend(rows.lines().map(|row| PageLine { heading: false, text: row.to_owned() }));
        self.blank();
    }

    /// Adds an empty line, unless the last line is empty.
    fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.text.is_empty()) {
            self.lines.push(PageLine { heading: false, text: String::new() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_page_fits_and_leaves_out_what_only_leads_into_it() {
        let page = "# Game\n\n- [One](#one): [a](#a), [b](#b)\n- [Two](#two)\n\n## One\n\nA **long** line that\ncontinues.\n\n1. first item `x`\n2. second, [see](#one) there\n   - inner\n\n> a quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let text: Vec<String> = lines(page, 20).into_iter().map(|line| line.text).collect();
        assert_eq!(
            text,
            [
                "Game",
                "",
                "One",
                "A long line that",
                "continues.",
                "",
                "1. first item `x`",
                "2. second, see there",
                "  - inner",
                "",
                "    a quote",
                "",
                "┌───┬───┐",
                "│ a ┆ b │",
                "╞═══╪═══╡",
                "│ 1 ┆ 2 │",
                "└───┴───┘",
                "",
            ]
        );
        assert!(lines(page, 20)[0].heading);
    }
}
