//! Curves over the course of a run.

use plotters::chart::ChartBuilder;
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::Color;

use super::super::error::ReportError;
use super::super::html::Html;
use super::{MUTED, SERIES, drawing, ruled, span, tick};

pub(crate) struct Curve {
    /// The points, by ascending `x`.
    pub(crate) points: Vec<(f64, f64)>,
    /// The interval around each point as `x`, low and high. Empty without intervals.
    pub(crate) band: Vec<(f64, f64, f64)>,
}

/// The size of a plot.
#[derive(Copy, Clone)]
pub(crate) enum Size {
    /// One plot in a line.
    Whole,
    /// Two plots side by side, with texts of the same size.
    Half,
}

/// Curves with at most this many points show each point.
const DOTTED: usize = 60;

/// Draws curves over `x`, each with the color of its index. 0 is always visible.
pub(crate) fn lines(size: Size, label: &str, x: &str, curves: &[Curve]) -> Result<Html, ReportError> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let ends = points().map(|&(_, y)| y);
    let bands = curves.iter().flat_map(|curve| &curve.band).flat_map(|&(_, low, high)| [low, high]);
    let (low, high) = span(ends.chain(bands).chain([0.0]));
    let last = points().map(|&(x, _)| x).fold(1.0, f64::max);
    let size = match size {
        Size::Whole => (1080, 560),
        Size::Half => (880, 500),
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
