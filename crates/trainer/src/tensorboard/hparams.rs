//! Data for TensorBoard's page of hyperparameters: the settings of a run, and the metrics that compare runs.

use std::collections::HashMap;

use protobuf::well_known_types::Value as Given;
use protobuf::{Message, RepeatedField};
use serde_json::Value;
use tensorboard_proto::api::{DataType, Experiment, HParamInfo, MetricInfo, MetricName};
use tensorboard_proto::plugin_hparams::{HParamsPluginData, SessionStartInfo};
use tensorboard_proto::summary::Summary;

use super::plugin;

/// Suffixes of the metrics that compare runs.
const COMPARED: [&str; 3] = ["/place_score", "/first_rate", "/explained_variance"];

/// Returns two summaries: the experiment, which is the same for all runs with these fields, and the session of this
/// run.
pub(super) fn summaries(settings: &Value, metrics: &[String], run: &str) -> Vec<Summary> {
    let mut all = Vec::new();
    cardsharp_document::leaves("", settings, &mut all);
    let (mut infos, mut session) = (Vec::new(), HashMap::new());
    for (path, text) in all {
        let (kind, given) = given(&text);
        let mut info = HParamInfo::new();
        info.set_name(path.clone());
        info.set_field_type(kind);
        infos.push(info);
        session.insert(path, given);
    }
    let compared = metrics.iter().filter(|name| COMPARED.iter().any(|end| name.ends_with(end)));
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
    let told = |(tag, data): (&str, HParamsPluginData)| {
        Some(plugin("hparams", tag, data.write_to_bytes().ok()?, None))
    };
    parts.into_iter().filter_map(told).collect()
}

/// Converts a setting from JSON. Anything but a number or a boolean becomes a text.
fn given(json: &str) -> (DataType, Given) {
    let mut given = Given::new();
    let kind = match serde_json::from_str::<Value>(json) {
        Ok(Value::Number(number)) => {
            given.set_number_value(number.as_f64().unwrap_or(f64::NAN));
            DataType::DATA_TYPE_FLOAT64
        }
        Ok(Value::Bool(on)) => {
            given.set_bool_value(on);
            DataType::DATA_TYPE_BOOL
        }
        Ok(Value::String(text)) => {
            given.set_string_value(text);
            DataType::DATA_TYPE_STRING
        }
        _ => {
            given.set_string_value(json.to_owned());
            DataType::DATA_TYPE_STRING
        }
    };
    (kind, given)
}
