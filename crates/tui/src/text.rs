//! Styled text: colors, ANSI codes, and line breaks.

use cardsharp_env::{Piece, Teacher, Tint, teacher};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// How the screen shows text: a game's words for cards, and colors if they are enabled.
pub(crate) struct Theme {
    /// Names cards, and knows which of them have a color.
    teacher: Option<Box<dyn Teacher>>,
    color: bool,
}

impl Theme {
    /// Creates the theme for the game of this name.
    pub(crate) fn new(game: &str, color: bool) -> Self {
        Self { teacher: teacher(game), color }
    }

    /// The style of important text: bold, and colored if colors are enabled.
    pub(crate) fn strong(&self) -> Style {
        let style = Style::new().bold();
        if self.color { style.fg(Color::Cyan) } else { style }
    }

    /// The style of frames and details.
    pub(crate) fn faint(&self) -> Style {
        Style::new().dim()
    }

    /// Returns a piece of text in this style, in its own color.
    pub(crate) fn piece(&self, piece: &Piece, style: Style) -> Span<'static> {
        let color = piece.tint.filter(|_| self.color).map(|tint| match tint {
            Tint::Red => Color::LightRed,
            // The dark blue of many terminals is unreadable on black.
            Tint::Blue => Color::LightBlue,
            Tint::Green => Color::LightGreen,
            Tint::Yellow => Color::LightYellow,
        });
        Span::styled(piece.text.clone(), color.map_or(style, |color| style.fg(color)))
    }

    /// Returns a text in this style, with its cards in players' words.
    pub(crate) fn words(&self, text: &str, style: Style) -> Vec<Span<'static>> {
        match &self.teacher {
            Some(teacher) => teacher.pieces(text).iter().map(|piece| self.piece(piece, style)).collect(),
            None => vec![Span::styled(text.to_owned(), style)],
        }
    }

    /// Returns a group of cards in players' words.
    pub(crate) fn group(&self, cards: &[String], style: Style) -> Vec<Span<'static>> {
        match &self.teacher {
            Some(teacher) => {
                teacher.hand_pieces(cards).iter().map(|piece| self.piece(piece, style)).collect()
            }
            None => vec![Span::styled(cards.join(" "), style)],
        }
    }

    /// Returns how to read and type cards and moves.
    pub(crate) fn legend(&self) -> Vec<Line<'static>> {
        let lines = self.teacher.as_deref().map_or(&[][..], Teacher::legend);
        lines.iter().map(|line| Line::styled(*line, self.faint())).collect()
    }
}

/// Converts a line with ANSI codes (bold, faint, colors) into styled text.
pub(crate) fn from_ansi(text: &str) -> Line<'static> {
    let mut parts = text.split("\x1b[");
    let mut spans = vec![Span::raw(parts.next().unwrap_or_default().to_owned())];
    let mut style = Style::new();
    for part in parts {
        let (codes, rest) = part.split_once('m').unwrap_or(("", part));
        style = codes.split(';').fold(style, with_code);
        spans.push(Span::styled(rest.to_owned(), style));
    }
    Line::from(spans)
}

/// Applies an ANSI code to a style.
fn with_code(style: Style, code: &str) -> Style {
    const COLORS: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    match code.parse() {
        Err(_) | Ok(0) => Style::new(),
        Ok(1) => style.bold(),
        Ok(2) => style.dim(),
        Ok(4) => style.underlined(),
        Ok(code @ 30..=37) => style.fg(COLORS[code - 30]),
        Ok(code @ 90..=97) => style.fg(COLORS[8 + code - 90]),
        Ok(_) => style,
    }
}

/// The style of the selection. It needs no color.
pub(crate) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Breaks a line into lines of at most `width` columns. All but the first start with `indent`.
pub(crate) fn wrapped(line: &Line<'static>, width: usize, indent: &'static str) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let mut used = 0;
    for word in words(line) {
        let wide: usize = word.iter().map(Span::width).sum();
        let gap = word.last().map_or(0, |last| last.width() - Span::raw(last.content.trim_end()).width());
        let is_first = used <= if lines.len() == 1 { 0 } else { indent.len() };
        let breaks = used + wide - gap > width && !is_first;
        if breaks {
            lines.push(Line::from(indent));
            used = indent.len();
        }
        // A line that was broken does not start with spaces.
        if breaks && wide == gap {
            continue;
        }
        used += wide;
        if let Some(last) = lines.last_mut() {
            word.into_iter().for_each(|span| last.push_span(span));
        }
    }
    lines
}

/// Splits a line after each space. A word may have several spans.
fn words(line: &Line<'static>) -> Vec<Vec<Span<'static>>> {
    let mut words: Vec<Vec<Span<'static>>> = Vec::new();
    let mut is_open = false;
    for span in &line.spans {
        for part in span.content.split_inclusive(' ') {
            let part_ends = part.ends_with(' ');
            let part = Span::styled(part.to_owned(), span.style);
            match words.last_mut().filter(|_| is_open) {
                Some(word) => word.push(part),
                None => words.push(vec![part]),
            }
            is_open = !part_ends;
        }
    }
    words
}

/// Returns an ASCII character for one that a terminal may be unable to show. The letter of a suit is the one that
/// people type.
pub fn ascii(c: char) -> char {
    match c {
        _ if c.is_ascii() => c,
        '♠' => 'S',
        '♥' => 'H',
        '♦' => 'D',
        '♣' => 'C',
        '│' | '▏' | '║' => '|',
        '─' | '–' | '—' | '−' | '═' => '-',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => '+',
        '▶' | '→' => '>',
        '←' => '<',
        '↑' => '^',
        '↓' => 'v',
        '…' => '.',
        '×' => 'x',
        '“' | '”' => '"',
        '‘' | '’' => '\'',
        'é' | 'è' | 'ë' | 'ê' => 'e',
        '\u{a0}' | '\u{202f}' => ' ',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_several_colors_stay_in_one_line() {
        let line =
            Line::from(vec![Span::raw("On top: "), Span::styled("red 5", SELECTED), Span::raw(". Next")]);
        let text =
            |width| -> Vec<String> { wrapped(&line, width, "  ").iter().map(Line::to_string).collect() };
        assert_eq!(text(13), ["On top: red ", "  5. Next"]);
        assert_eq!(text(40), ["On top: red 5. Next"]);
    }
}
