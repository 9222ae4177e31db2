//! Figures over the value of a setting.

use cardsharp_bot::arena::Interval;
use plotters::chart::ChartBuilder;
use plotters::element::{Circle, PathElement, Text};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::super::error::ReportError;
use super::super::html::Html;
use super::{MUTED, SERIES, TEXT, drawing, ruled, shortened, span, style, tick};

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
pub(crate) struct Point {
    /// The value of the setting.
    pub(crate) x: f64,
    /// Number of earlier figures with the same `x`.
    pub(crate) beside: usize,
    pub(crate) y: f64,
    /// The interval of the figure.
    pub(crate) range: Option<Interval>,
    /// Whether the figure has the first color, rather than the second.
    pub(crate) whole: bool,
}

/// Maximum number of marks on the horizontal axis.
const MARKS: usize = 8;

/// Draws a dot for each figure, and a whisker for its interval.
pub(crate) fn points(label: &str, x: &str, axis: &Axis, all: &[Point]) -> Result<Html, ReportError> {
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
            let at = place(point.x) + 0.014 * width * point.beside.min(8) as f64;
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
