//! HTML with escaped content, tables, and formatted figures. Only markup of this program is unescaped.

use std::fmt::Display;

use cardsharp_bot::arena::Interval;

/// A piece of a page. It is well-formed XML if every opened element is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl Html {
    /// Adds markup of this program.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds any text, as content or within a quoted attribute.
    pub(crate) fn text(&mut self, text: impl Display) -> &mut Self {
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

    /// Adds a name, which may be a long path. It can break after slashes, commas and similar characters.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.breaking(name, &['/', '+', ':', ','])
    }

    /// Adds the path of a setting, which can break after dots.
    pub(crate) fn setting(&mut self, path: &str) -> &mut Self {
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

    /// Adds a command, which can break between words. Long words can break like names.
    pub(crate) fn command(&mut self, command: &str) -> &mut Self {
        self.raw("<pre class=\"command\"><code>");
        for (i, word) in command.split(' ').enumerate() {
            self.raw(if i == 0 { "<span>" } else { " <span>" }).name(word).raw("</span>");
        }
        self.raw("</code></pre>\n")
    }

    pub(crate) fn add(&mut self, piece: &Self) -> &mut Self {
        self.0.push_str(&piece.0);
        self
    }

    /// Adds an element without attributes around a text, which can break like a name.
    pub(crate) fn element(&mut self, name: &'static str, text: impl Display) -> &mut Self {
        self.raw("<").raw(name).raw(">").name(&text.to_string()).raw("</").raw(name).raw(">\n")
    }

    /// Wraps a drawing by [`crate::plot`].
    pub(crate) fn drawing(svg: String) -> Self {
        Self(svg)
    }

    /// Returns the text of the page.
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

/// Returns `c`, or a replacement if XML does not allow the character.
pub(crate) fn printable(c: char) -> char {
    match c {
        '\t' | '\n' => c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c => c,
    }
}

/// Column headings with more characters than this can break.
const LONG: usize = 16;

pub(crate) struct HtmlTable {
    html: Html,
}

impl HtmlTable {
    /// Starts a table with these headings. The first column names the rows, and the others contain figures.
    pub(crate) fn new(caption: &str, heads: &[&str]) -> Self {
        let mut html = Html::default();
        // Not a caption of the table, which would scroll with it.
        html.raw("<p class=\"caption\">").text(caption).raw("</p>\n");
        html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
            .text(caption)
            .raw("\">\n");
        html.raw("<table>\n<thead><tr>");
        for head in heads {
            html.raw(match *head {
                "bot" => "<th scope=\"col\" class=\"name\">",
                // Short headings stay on one line. Names of bots are too long for that.
                head if head.chars().count() > LONG => "<th scope=\"col\" class=\"long\">",
                _ => "<th scope=\"col\">",
            });
            html.name(head).raw("</th>");
        }
        html.raw("</tr></thead>\n<tbody>\n");
        Self { html }
    }

    /// Adds a row with a name and cells.
    pub(crate) fn row(&mut self, name: &str, cells: &[Html]) -> &mut Self {
        let mut head = Html::default();
        head.name(name);
        self.row_under(&head, cells)
    }

    /// Adds a row whose name has its own markup.
    pub(crate) fn row_under(&mut self, head: &Html, cells: &[Html]) -> &mut Self {
        self.html.raw("<tr><th scope=\"row\">").add(head).raw("</th>");
        for cell in cells {
            self.html.raw("<td>").add(cell).raw("</td>");
        }
        self.html.raw("</tr>\n");
        self
    }

    /// Adds a row whose cells have their own elements.
    pub(crate) fn row_of(&mut self, name: &str, cells: &Html) -> &mut Self {
        self.html.raw("<tr><th scope=\"row\">").name(name).raw("</th>").add(cells).raw("</tr>\n");
        self
    }

    pub(crate) fn finish(mut self) -> Html {
        self.html.raw("</tbody>\n</table>\n</div>\n");
        self.html
    }
}

/// Returns a piece with only this text.
pub(crate) fn text(text: impl Display) -> Html {
    let mut html = Html::default();
    html.text(text);
    html
}

/// Formats a number with its sign and a real minus.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    // A number that rounds to 0 has no sign.
    if text[1..].chars().all(|c| matches!(c, '0' | '.')) {
        return text[1..].to_owned();
    }
    text.replace('-', "−")
}

/// Formats the ends of an interval.
pub(crate) fn range(of: Interval, digits: usize) -> String {
    format!("{} … {}", signed(of.low, digits), signed(of.high, digits))
}

/// Returns a figure with its interval.
pub(crate) fn with_range(of: Interval, digits: usize) -> Html {
    cell(&signed(of.mean, digits), &range(of, digits))
}

/// Returns a share with its interval, in percent.
pub(crate) fn share_with_range(of: Interval) -> Html {
    let range = format!("{:.1} … {:.1}", 100.0 * of.low, 100.0 * of.high);
    cell(&percent(of.mean), &range)
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns a figure, followed by smaller details.
pub(crate) fn cell(figure: &str, details: &str) -> Html {
    let mut html = Html::default();
    html.raw("<b>").text(figure).raw("</b> <small>").text(details).raw("</small>");
    html
}

/// Formats a time with a suitable unit.
pub(crate) fn time(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 0.9995 => format!("{:.1} µs", 1e3 * ms),
        ms if ms < 999.5 => format!("{ms:.1} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    }
}

/// Formats a count with separators of thousands.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun.
pub(crate) fn counted(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}
