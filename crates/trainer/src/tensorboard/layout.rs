//! Which metrics TensorBoard draws together on its page of custom scalars: a mean within its interval.

use protobuf::{Message, RepeatedField};
use tensorboard_proto::layout::{Category, Chart, Layout, MarginChartContent, MarginChartContent_Series};

/// Suffixes of the metrics that are the ends of a mean's interval.
const ENDS: [&str; 2] = ["_low", "_high"];

/// Returns the layout for these metrics, with a chart for each metric that has an interval; none without any.
pub(super) fn bytes(metrics: &[String]) -> Option<Vec<u8>> {
    let chart = |mean: &String| {
        let [low, high] = ENDS.map(|end| format!("{mean}{end}"));
        if !metrics.contains(&low) || !metrics.contains(&high) {
            return None;
        }
        let mut series = MarginChartContent_Series::new();
        series.set_value(mean.clone());
        series.set_lower(low);
        series.set_upper(high);
        let mut margin = MarginChartContent::new();
        margin.set_series(RepeatedField::from_vec(vec![series]));
        let mut chart = Chart::new();
        chart.set_title(mean.clone());
        chart.set_margin(margin);
        Some(chart)
    };
    let charts: Vec<Chart> = metrics.iter().filter_map(chart).collect();
    if charts.is_empty() {
        return None;
    }
    let mut category = Category::new();
    category.set_title("strength, with 95 % intervals".to_owned());
    category.set_chart(RepeatedField::from_vec(charts));
    let mut layout = Layout::new();
    layout.set_category(RepeatedField::from_vec(vec![category]));
    // A complete message can always be written.
    layout.write_to_bytes().ok()
}
