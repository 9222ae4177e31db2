//! Plots as SVG, with two units per pixel, texts as text, and colors that `style.css` knows.
//!
//! The page contains plots with colors for a light background. Its style sheet matches these colors by value, and
//! replaces them if the reader prefers a dark scheme.

use cardsharp_bot::arena::Interval;
use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, MeshStyle};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBAColor, RGBColor, TextStyle};

use crate::error::ReportError;
use crate::html::{Html, printable, range, signed};

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
pub(crate) const COLOURS: usize = SERIES.len();

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

pub(crate) struct Curve {
    /// The points, by ascending `x`.
    pub(crate) points: Vec<(f64, f64)>,
    /// The interval around each point as `x`, low and high. Empty without intervals.
    pub(crate) band: Vec<(f64, f64, f64)>,
}

#[derive(Copy, Clone)]
pub(crate) enum PlotSize {
    /// One plot in a line.
    Whole,
    /// Two plots side by side, with texts of the same size.
    Half,
}

/// Curves with at most this many points show each point.
const DOTTED: usize = 60;

/// Draws curves over `x`, each with the color of its index. 0 is always visible.
pub(crate) fn lines(size: PlotSize, label: &str, x: &str, curves: &[Curve]) -> Result<Html, ReportError> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let ends = points().map(|&(_, y)| y);
    let bands = curves.iter().flat_map(|curve| &curve.band).flat_map(|&(_, low, high)| [low, high]);
    let (low, high) = span(ends.chain(bands).chain([0.0]));
    let last = points().map(|&(x, _)| x).fold(1.0, f64::max);
    let size = match size {
        PlotSize::Whole => (1080, 560),
        PlotSize::Half => (880, 500),
    };
    drawing(size, label, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(20)
            .margin_right(44)
            .x_label_area_size(80)
            .y_label_area_size(88)
            .build_cartesian_2d(0.0..last, low..high)?;
        let mut mesh = chart.configure_mesh();
        ruled(&mut mesh, x);
        mesh.disable_x_mesh()
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|&x| tick(x, last))
            .y_label_formatter(&|&y| tick(y, high - low))
            .draw()?;
        if low < 0.0 && high > 0.0 {
            chart.draw_series([PathElement::new(vec![(0.0, 0.0), (last, 0.0)], MUTED.stroke_width(2))])?;
        }
        for (curve, colour) in curves.iter().zip(SERIES.iter().cycle()) {
            let there = curve.band.iter().map(|&(x, low, _)| (x, low));
            let back = curve.band.iter().rev().map(|&(x, _, high)| (x, high));
            let around: Vec<_> = there.chain(back).collect();
            if !around.is_empty() {
                chart.draw_series([Polygon::new(around, colour.mix(0.2))])?;
            }
        }
        for (curve, colour) in curves.iter().zip(SERIES.iter().cycle()) {
            chart.draw_series([PathElement::new(curve.points.clone(), colour.stroke_width(4))])?;
            if curve.points.len() <= DOTTED {
                let dot = |&point: &(f64, f64)| Circle::new(point, 6, colour.filled());
                chart.draw_series(curve.points.iter().map(dot))?;
            }
        }
        Ok(())
    })
}

/// Height of a row, in units.
const ROW: u32 = 84;

/// Draws a dot for each figure and a whisker for its interval, from top to bottom. Names are above their whiskers, so
/// that long ones have room. `digits` is the number of decimal places.
pub(crate) fn whiskers(
    label: &str,
    x: &str,
    digits: usize,
    rows: &[(String, Interval)],
) -> Result<Html, ReportError> {
    let ends = rows.iter().flat_map(|(_, of)| [of.low, of.mean, of.high]);
    let (low, high) = span(ends.chain([0.0]));
    let height = 92 + ROW * rows.len() as u32;
    drawing((1040, height), label, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(4)
            .margin_left(36)
            .margin_right(36)
            .x_label_area_size(80)
            .build_cartesian_2d(low..high, 0.0..rows.len() as f64)?;
        let mut mesh = chart.configure_mesh();
        ruled(&mut mesh, x);
        mesh.disable_y_axis()
            .disable_y_mesh()
            .x_labels(7)
            .x_label_formatter(&|&x| tick(x, high - low))
            .draw()?;
        // The zero line is drawn first, so that texts stay on top.
        let zero = vec![(0.0, 0.0), (0.0, rows.len() as f64)];
        chart.draw_series([PathElement::new(zero, MUTED.stroke_width(2))])?;
        for (i, (name, of)) in rows.iter().enumerate() {
            let top = (rows.len() - i) as f64;
            let (text, line) = (top - 0.28, top - 0.68);
            let figure = format!("{} ({})", signed(of.mean, digits), range(*of, digits));
            // Texts are at the sides, wherever the whisker is.
            let name = Text::new(shortened(name, 40), (low, text), style(INK, TEXT, HPos::Left));
            let figure = Text::new(figure, (high, text), style(MUTED, TEXT, HPos::Right));
            chart.draw_series([name])?;
            chart.draw_series([figure])?;
            let end =
                |x: f64| PathElement::new(vec![(x, line - 0.1), (x, line + 0.1)], SERIES[0].stroke_width(4));
            let whisker = PathElement::new(vec![(of.low, line), (of.high, line)], SERIES[0].stroke_width(4));
            chart.draw_series([whisker, end(of.low), end(of.high)])?;
            chart.draw_series([Circle::new((of.mean, line), 10, SERIES[0].filled())])?;
        }
        Ok(())
    })
}

/// The size of a histogram.
const WIDTH: i32 = 520;
const HEIGHT: i32 = 300;
/// The position of the bars, and of the top of the tallest bar.
const FLOOR: i32 = 240;
const ROOF: i32 = 44;

/// Draws a bar for the share of each place, in percent, the best place first. `most` is the share that fills the
/// height, so that plots with the same `most` are comparable. A line marks equal shares.
pub(crate) fn places(label: &str, shares: &[f64], most: f64) -> Result<Html, ReportError> {
    let players = shares.len() as i32;
    let y = |share: f64| FLOOR - (f64::from(FLOOR - ROOF) * share / most).round() as i32;
    let size = if players <= 6 { TEXT } else { TEXT * 0.8 };
    drawing((WIDTH as u32, HEIGHT as u32), label, |area| {
        let equal = y(1.0 / f64::from(players));
        area.draw(&PathElement::new(vec![(0, equal), (WIDTH, equal)], MUTED.stroke_width(2)))?;
        for (place, &share) in shares.iter().enumerate() {
            let left = WIDTH * place as i32 / players;
            let right = WIDTH * (place as i32 + 1) / players;
            let (gap, middle) = ((right - left) / 8, (left + right) / 2);
            let bar = [(left + gap, y(share)), (right - gap, FLOOR)];
            area.draw(&Rectangle::new(bar, SERIES[0].filled()))?;
            let number = (place + 1).to_string();
            area.draw(&Text::new(number, (middle, FLOOR + 30), style(MUTED, size, HPos::Center)))?;
            let figure = format!("{:.0}", 100.0 * share);
            area.draw(&Text::new(figure, (middle, y(share) - 20), style(INK, size, HPos::Center)))?;
        }
        area.draw(&PathElement::new(vec![(0, FLOOR), (WIDTH, FLOOR)], GRID.stroke_width(2)))
    })
}

/// The kind of horizontal axis.
pub(crate) enum Axis {
    /// Numbers on a linear scale.
    Numbers,
    /// Numbers on a logarithmic scale.
    Ratios,
    /// Names in sequence; `x` is the index in the list.
    Names(Vec<String>),
}

/// A figure in the plot.
pub(crate) struct PlotPoint {
    pub(crate) x: f64,
    /// Number of earlier figures with the same `x`.
    pub(crate) earlier: usize,
    pub(crate) y: f64,
    pub(crate) range: Option<Interval>,
    /// Whether the figure has the first color, rather than the second.
    pub(crate) whole: bool,
}

/// Maximum number of marks on the horizontal axis.
const MARKS: usize = 8;

/// Draws a dot for each figure, and a whisker for its interval.
pub(crate) fn points(label: &str, x: &str, axis: &Axis, all: &[PlotPoint]) -> Result<Html, ReportError> {
    let place = |x: f64| if matches!(axis, Axis::Ratios) { x.log10() } else { x };
    let ends = all.iter().flat_map(|point| {
        let range = point.range.map(|of| [of.low, of.high]);
        [point.y].into_iter().chain(range.into_iter().flatten())
    });
    let (low, high) = span(ends);
    let (first, last) = all
        .iter()
        .map(|point| place(point.x))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    let width = (last - first).max(1e-9);
    let (left, right) = (first - 0.12 * width, last + 0.16 * width);
    // Each value is labeled once.
    let mut marks: Vec<(f64, String)> = Vec::new();
    for point in all {
        let name = match axis {
            Axis::Names(names) => {
                names.get(point.x as usize).map_or_else(String::new, |name| shortened(name, 16))
            }
            Axis::Numbers | Axis::Ratios => number(point.x),
        };
        if !marks.iter().any(|(_, other)| *other == name) {
            marks.push((place(point.x), name));
        }
    }
    marks.sort_by(|one, other| one.0.total_cmp(&other.0));
    let every = marks.len().div_ceil(MARKS);
    drawing((1080, 480), label, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(20)
            .margin_right(44)
            .x_label_area_size(96)
            .y_label_area_size(96)
            .build_cartesian_2d(left..right, low..high)?;
        let mut mesh = chart.configure_mesh();
        ruled(&mut mesh, x);
        mesh.disable_x_mesh().x_labels(0).y_labels(6).y_label_formatter(&|&y| tick(y, high - low)).draw()?;
        for (at, name) in marks.iter().step_by(every) {
            let (x, y) = chart.backend_coord(&(*at, low));
            area.draw(&Text::new(name.clone(), (x, y + 24), style(MUTED, TEXT, HPos::Center)))?;
        }
        for point in all {
            let colour = SERIES[usize::from(!point.whole)];
            let at = place(point.x) + 0.014 * width * point.earlier.min(8) as f64;
            if let Some(range) = point.range {
                let whisker = vec![(at, range.low), (at, range.high)];
                chart.draw_series([PathElement::new(whisker, colour.mix(0.5).stroke_width(3))])?;
            }
            chart.draw_series([Circle::new((at, point.y), 8, colour.filled())])?;
        }
        Ok(())
    })
}

/// Formats a number with as few digits as it needs.
fn number(value: f64) -> String {
    let plain = value.to_string();
    let short = if plain.len() > 7 { format!("{value:e}") } else { plain };
    short.replace('-', "−")
}

/// Adds a drawing with its caption.
pub(crate) fn figure(html: &mut Html, caption: &str, drawing: &Html) {
    html.raw("<figure>\n<figcaption>").name(caption).raw("</figcaption>\n").add(drawing).raw("</figure>\n");
}

/// Adds a drawing of curves, with a key of their colors above.
pub(crate) fn with_key(html: &mut Html, caption: &str, names: &[String], drawing: &Html) {
    html.raw("<figure class=\"wide\">\n<figcaption>").text(caption).raw(" <span class=\"key\">");
    for (i, name) in names.iter().enumerate() {
        html.raw("<span><i class=\"c").text(i % COLOURS).raw("\"></i> ").text(name).raw("</span> ");
    }
    html.raw("</span></figcaption>\n").add(drawing).raw("</figure>\n");
}
