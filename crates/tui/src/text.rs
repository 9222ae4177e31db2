//! Styled text: colors, ANSI codes, and line breaks.

use cardsharp_env::{Teacher, Tint, teacher};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// The colors of a game's words, if colors are enabled.
pub(crate) struct Theme {
    /// Knows which words have a color.
    teacher: Option<Box<dyn Teacher>>,
    color: bool,
}

impl Theme {
    /// Creates the colors for the game of this name.
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

    /// Returns the color of a word, if it names a card or a color.
    fn tint(&self, word: &str) -> Option<Color> {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '+');
        let teacher = self.teacher.as_deref().filter(|_| self.color)?;
        teacher.tint(word).map(|tint| match tint {
            Tint::Red => Color::LightRed,
            // The dark blue of many terminals is unreadable on black.
            Tint::Blue => Color::LightBlue,
            Tint::Green => Color::LightGreen,
            Tint::Yellow => Color::LightYellow,
        })
    }

    /// Returns the words of a text in this style, with colored cards.
    pub(crate) fn words(&self, text: &str, style: Style) -> Vec<Span<'static>> {
        let word = |word: &str| {
            let style = self.tint(word).map_or(style, |color| style.fg(color));
            Span::styled(word.to_owned(), style)
        };
        text.split_inclusive(' ').map(word).collect()
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
    for span in &line.spans {
        for word in span.content.split_inclusive(' ') {
            let mut word = Span::styled(word.to_owned(), span.style);
            let bare = Span::raw(word.content.trim_end()).width();
            let is_first = used <= if lines.len() == 1 { 0 } else { indent.len() };
            if used + bare > width && !is_first {
                lines.push(Line::from(indent));
                used = indent.len();
                word.content = word.content.trim_start().to_owned().into();
            }
            used += word.width();
            if let Some(last) = lines.last_mut() {
                last.push_span(word);
            }
        }
    }
    lines
}
