//! Figures with their intervals, in rows.

use cardsharp_bot::arena::Interval;
use plotters::chart::ChartBuilder;
use plotters::element::{Circle, PathElement, Text};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::super::error::ReportError;
use super::super::figures::{range, signed};
use super::super::html::Html;
use super::{INK, MUTED, SERIES, TEXT, drawing, ruled, shortened, span, style, tick};

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
