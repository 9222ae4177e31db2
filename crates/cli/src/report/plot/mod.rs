//! Plots as SVG, with two units per pixel, texts as text, and colors that `style.css` knows.
//!
//! The page contains plots with colors for a light background. Its style sheet matches these colors by value, and
//! replaces them if the reader prefers a dark scheme.

pub(super) mod lines;
pub(super) mod places;
pub(super) mod points;
pub(super) mod whiskers;

use plotters::backend::SVGBackend;
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBAColor, RGBColor, TextStyle};

use super::error::ReportError;
use super::html::{Html, printable};

/// The area of a plot.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// An error of drawing.
type Problem = DrawingAreaErrorKind<std::io::Error>;

/// Color of texts and marks.
const INK: RGBColor = RGBColor(0x22, 0x26, 0x2B);
/// Color of axis labels.
const MUTED: RGBColor = RGBColor(0x5E, 0x66, 0x70);
/// Color of grid lines.
const GRID: RGBColor = RGBColor(0xE2, 0xE5, 0xE9);
/// Colors of the series, in order and repeated. People with any color vision can distinguish them: the palette of Okabe
/// and Ito without yellow.
const SERIES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0xE6, 0x9F, 0x00),
];
/// Number of series colors; `style.css` has a class `cN` for each.
pub(super) const COLOURS: usize = SERIES.len();

/// Height of texts, in units.
const TEXT: f64 = 26.0;

/// Returns a drawing of this size in units; screen readers call it `label`.
fn drawing(
    (width, height): (u32, u32),
    label: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<(), Problem>,
) -> Result<Html, ReportError> {
    let refuse = |problem: Problem| ReportError::Plot(problem.to_string());
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
    draw(&area).map_err(refuse)?;
    area.present().map_err(refuse)?;
    drop(area);
    // The page sets the size. A fixed size would not shrink on a phone.
    let size = format!("<svg width=\"{width}\" height=\"{height}\"");
    let Some(rest) = svg.strip_prefix(&size) else {
        return Err(ReportError::Plot(format!("a drawing does not begin with `{size}`")));
    };
    let mut html = Html::default();
    html.raw("<svg role=\"img\" aria-label=\"").text(label).raw("\"");
    html.add(&Html::drawing(rest.to_owned()));
    Ok(html)
}

/// Draws the lines and texts of the axes; `x` labels the horizontal one.
fn ruled(mesh: &mut MeshStyle<'_, '_, RangedCoordf64, RangedCoordf64, SVGBackend<'_>>, x: &str) {
    mesh.bold_line_style(GRID.stroke_width(2))
        .light_line_style(RGBAColor(0, 0, 0, 0.0))
        .axis_style(GRID.stroke_width(2))
        .label_style(style(MUTED, TEXT, HPos::Center))
        .x_desc(x)
        .axis_desc_style(style(MUTED, TEXT, HPos::Center));
}

/// Returns the style of a text.
fn style(colour: RGBColor, size: f64, horizontal: HPos) -> TextStyle<'static> {
    // The backend divides the size by this factor.
    let font = ("sans-serif", size * 1.24).into_font();
    TextStyle { font, color: colour.to_backend_color(), pos: Pos::new(horizontal, VPos::Center) }
}

/// Shortens a text to `most` characters, in the middle, because paths differ at their ends.
fn shortened(text: &str, most: usize) -> String {
    let chars: Vec<char> = text.chars().map(printable).collect();
    if chars.len() <= most {
        return chars.into_iter().collect();
    }
    let tail = most * 2 / 3;
    let (head, tail) = (&chars[..most - 1 - tail], &chars[chars.len() - tail..]);
    head.iter().chain(['…'].iter()).chain(tail).collect()
}

/// Returns the ends of an axis around values, with a margin.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return (-1.0, 1.0);
    }
    // A flat line needs some height, too.
    let room = ((high - low) * 0.06).max(high.abs() * 1e-3).max(1e-3);
    (low - room, high + room)
}

/// Returns the label of a value on an axis of this length.
fn tick(value: f64, length: f64) -> String {
    let (scale, unit) = match value.abs().max(length) {
        most if most >= 2e9 => (1e9, " bn"),
        most if most >= 2e6 => (1e6, " M"),
        most if most >= 2e4 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let digits = match length / scale {
        length if length < 0.05 => 3,
        length if length < 0.5 => 2,
        length if length < 5.0 => 1,
        _ => 0,
    };
    let text = format!("{:.digits$}", value / scale);
    match text.trim_start_matches(['-', '0', '.']) {
        "" => "0".to_owned(),
        _ => text.replace('-', "−") + unit,
    }
}
