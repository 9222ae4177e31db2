//! Histograms of places.

use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::super::error::ReportError;
use super::super::html::Html;
use super::{GRID, INK, MUTED, SERIES, TEXT, drawing, style};

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
