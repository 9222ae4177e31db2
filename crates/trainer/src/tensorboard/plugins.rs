//! Data for the pages of TensorBoard's plugins: hyperparameters, and scalars that are drawn together.

use std::collections::HashMap;

use cardsharp_bot::run_record::metric::{self, Metric};
use protobuf::well_known_types::Value as Given;
use protobuf::{Message, RepeatedField};
use serde_json::Value;
use tensorboard_proto::api::{DataType, Experiment, HParamInfo, MetricInfo, MetricName};
use tensorboard_proto::layout::{Category, Chart, Layout, MarginChartContent, MarginChartContent_Series};
use tensorboard_proto::plugin_hparams::{HParamsPluginData, SessionStartInfo};
use tensorboard_proto::summary::Summary;

use super::plugin;

/// The metrics that compare runs.
const COMPARED: [Metric; 4] =
    [metric::PLACE_SCORE, metric::FIRST_RATE, metric::EXPLAINED_VARIANCE, metric::CRITIC_EXPLAINED_VARIANCE];

/// Returns two summaries: the experiment, which is the same for all runs with these fields, and the session of this
/// run.
pub(super) fn hyperparameters(settings: &Value, metrics: &[String], run: &str) -> Vec<Summary> {
    let mut all = Vec::new();
    cardsharp_document::leaves("", settings, &mut all);
    let (mut infos, mut session) = (Vec::new(), HashMap::new());
    for (path, text) in all {
        let (kind, given) = hyperparameter(&text);
        let mut info = HParamInfo::new();
        info.set_name(path.clone());
        info.set_field_type(kind);
        infos.push(info);
        session.insert(path, given);
    }
    let compared = metrics.iter().filter(|name| COMPARED.iter().any(|metric| metric.is_column(name)));
    let metric = |tag: &String| {
        let mut name = MetricName::new();
        name.set_tag(tag.clone());
        let mut info = MetricInfo::new();
        info.set_name(name);
        info
    };
    let mut experiment = Experiment::new();
    experiment.set_hparam_infos(RepeatedField::from_vec(infos));
    experiment.set_metric_infos(compared.map(metric).collect());
    let mut start = SessionStartInfo::new();
    start.set_hparams(session);
    start.set_group_name(run.to_owned());
    let mut one = HParamsPluginData::new();
    one.set_experiment(experiment);
    let mut two = HParamsPluginData::new();
    two.set_session_start_info(start);
    let parts = [("_hparams_/experiment", one), ("_hparams_/session_start_info", two)];
    // Complete messages can always be written.
    let summary = |(tag, data): (&str, HParamsPluginData)| {
        Some(plugin("hparams", tag, data.write_to_bytes().ok()?, None))
    };
    parts.into_iter().filter_map(summary).collect()
}

/// Converts a setting from JSON. Anything but a number or a boolean becomes a text.
fn hyperparameter(json: &str) -> (DataType, Given) {
    let mut value = Given::new();
    let kind = match serde_json::from_str::<Value>(json) {
        Ok(Value::Number(number)) => {
            value.set_number_value(number.as_f64().unwrap_or(f64::NAN));
            DataType::DATA_TYPE_FLOAT64
        }
        Ok(Value::Bool(on)) => {
            value.set_bool_value(on);
            DataType::DATA_TYPE_BOOL
        }
        Ok(Value::String(text)) => {
            value.set_string_value(text);
            DataType::DATA_TYPE_STRING
        }
        _ => {
            value.set_string_value(json.to_owned());
            DataType::DATA_TYPE_STRING
        }
    };
    (kind, value)
}

/// Returns the layout for these metrics, with a chart for each metric that has an interval; none without any.
pub(super) fn layout(metrics: &[String]) -> Option<Vec<u8>> {
    let chart = |mean: &String| {
        let opponent = metric::PLACE_SCORE.opponent_in(mean)?;
        let [low, high] =
            [metric::PLACE_SCORE_LOW, metric::PLACE_SCORE_HIGH].map(|end| end.against(opponent));
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
