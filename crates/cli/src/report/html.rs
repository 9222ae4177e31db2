//! HTML that cannot be broken by what it shows: only words of this program go in as they are.

use std::fmt::Display;

/// A piece of a page. Well-formed XML as long as every element that is opened is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Html(String);

impl Html {
    /// Markup of this program.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Any text, as content or within a quoted attribute.
    pub(super) fn text(&mut self, text: impl Display) -> &mut Self {
        for c in text.to_string().chars() {
            match c {
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '&' => self.0.push_str("&amp;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c => self.0.push(printable(c)),
            }
        }
        self
    }

    /// A name, which may be a long path: it breaks after slashes, commas and the like.
    pub(super) fn name(&mut self, name: &str) -> &mut Self {
        self.breaking(name, &['/', '+', ':', ','])
    }

    /// A setting by its path, which breaks after its dots.
    pub(super) fn setting(&mut self, path: &str) -> &mut Self {
        self.breaking(path, &['.'])
    }

    fn breaking(&mut self, text: &str, after: &[char]) -> &mut Self {
        for part in text.split_inclusive(after) {
            self.text(part);
            if part.len() < text.len() {
                self.raw("<wbr/>");
            }
        }
        self
    }

    /// A command, which breaks between its words, and as names do within those that are too long for a line.
    pub(super) fn command(&mut self, command: &str) -> &mut Self {
        self.raw("<pre class=\"command\"><code>");
        for (i, word) in command.split(' ').enumerate() {
            self.raw(if i == 0 { "<span>" } else { " <span>" }).name(word).raw("</span>");
        }
        self.raw("</code></pre>\n")
    }

    /// Another piece.
    pub(super) fn add(&mut self, piece: &Self) -> &mut Self {
        self.0.push_str(&piece.0);
        self
    }

    /// An element without attributes around a text, which breaks as names do.
    pub(super) fn element(&mut self, name: &'static str, text: impl Display) -> &mut Self {
        self.raw("<").raw(name).raw(">").name(&text.to_string()).raw("</").raw(name).raw(">\n")
    }

    /// A drawing that [`super::plot`] made.
    pub(super) fn drawing(svg: String) -> Self {
        Self(svg)
    }

    /// The text of the page.
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

/// `c`, or a mark in its place where XML has no such character.
pub(super) fn printable(c: char) -> char {
    match c {
        '\t' | '\n' => c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c => c,
    }
}

/// Column heads with more characters than this may be broken.
const LONG: usize = 16;

/// A table under construction.
pub(super) struct Table {
    html: Html,
}

impl Table {
    /// A table with these column heads; the first column names the rows, all others are figures.
    pub(super) fn new(caption: &str, heads: &[&str]) -> Self {
        let mut html = Html::default();
        // Not the table's own caption: that would scroll away with it.
        html.raw("<p class=\"caption\">").text(caption).raw("</p>\n");
        html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
            .text(caption)
            .raw("\">\n");
        html.raw("<table>\n<thead><tr>");
        for head in heads {
            html.raw(match *head {
                "bot" => "<th scope=\"col\" class=\"name\">",
                // Words stay on a line; names of bots are too long for that.
                head if head.chars().count() > LONG => "<th scope=\"col\" class=\"long\">",
                _ => "<th scope=\"col\">",
            });
            html.name(head).raw("</th>");
        }
        html.raw("</tr></thead>\n<tbody>\n");
        Self { html }
    }

    /// A row: its name and its cells.
    pub(super) fn row(&mut self, name: &str, cells: &[Html]) -> &mut Self {
        let mut head = Html::default();
        head.name(name);
        self.row_under(&head, cells)
    }

    /// A row whose name brings its own markup.
    pub(super) fn row_under(&mut self, head: &Html, cells: &[Html]) -> &mut Self {
        self.html.raw("<tr><th scope=\"row\">").add(head).raw("</th>");
        for cell in cells {
            self.html.raw("<td>").add(cell).raw("</td>");
        }
        self.html.raw("</tr>\n");
        self
    }

    /// A row whose cells bring their own elements.
    pub(super) fn row_of(&mut self, name: &str, cells: &Html) -> &mut Self {
        self.html.raw("<tr><th scope=\"row\">").name(name).raw("</th>").add(cells).raw("</tr>\n");
        self
    }

    /// The table.
    pub(super) fn finish(mut self) -> Html {
        self.html.raw("</tbody>\n</table>\n</div>\n");
        self.html
    }
}

/// A text alone.
pub(super) fn text(text: impl Display) -> Html {
    let mut html = Html::default();
    html.text(text);
    html
}
