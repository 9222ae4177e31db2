//! TensorBoard events. No error in writing them stops a run.
//!
//! Only the record format and the messages come from `tensorboard-rs`. Its writer runs a thread that ends on the first
//! error and makes the next caller panic. It also gives two writers of one process in the same second the same file
//! name. Here a file is written directly, its name counts up, and the first error ends the events and is reported once.

mod plugins;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use protobuf::{Message, RepeatedField};
use serde_json::Value;
use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_proto::summary::{Summary, Summary_Value, SummaryMetadata, SummaryMetadata_PluginData};
use tensorboard_proto::tensor::TensorProto;
use tensorboard_proto::tensor_shape::{TensorShapeProto, TensorShapeProto_Dim};
use tensorboard_proto::types::DataType;
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary::{histogram_raw, scalar};

/// Names of event files: TensorBoard reads every file with `.tfevents.` in its name, in the order of
/// the names.
const PREFIX: &str = "events.out.tfevents.";

/// Buckets of a histogram.
const BUCKETS: usize = 30;

/// The event file of one process.
pub(crate) struct Events {
    path: PathBuf,
    /// None after an error.
    out: Option<RecordWriter<Box<dyn Write + Send>>>,
    trouble: Option<String>,
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("path", &self.path).field("trouble", &self.trouble).finish()
    }
}

impl Events {
    /// Starts a new event file in `folder`. TensorBoard forgets what older files say about step `from`
    /// and later ones.
    pub(crate) fn open(folder: &Path, from: u64) -> Self {
        match create_next(folder) {
            Ok((path, file)) => Self::start(path, Box::new(BufWriter::new(file)), from),
            Err(error) => {
                let mut events = Self { path: folder.to_owned(), out: None, trouble: None };
                events.fail(&error);
                events
            }
        }
    }

    fn start(path: PathBuf, out: Box<dyn Write + Send>, from: u64) -> Self {
        let mut events = Self { path, out: Some(RecordWriter::new(out)), trouble: None };
        let mut version = Event::new();
        version.set_file_version("brain.Event:2".to_owned());
        events.write(version, 0);
        let mut log = SessionLog::new();
        log.set_status(SessionLog_SessionStatus::START);
        let mut start = Event::new();
        start.set_session_log(log);
        events.write(start, from);
        events.flush();
        events
    }

    /// Writes a number at a step.
    pub(crate) fn scalar(&mut self, name: &str, value: f64, step: u64) {
        self.summary(scalar(name, value as f32), step);
    }

    /// Writes the distribution of the finite ones of `values` at a step; nothing if there are none.
    pub(crate) fn histogram(&mut self, name: &str, values: &[f32], step: u64) {
        let values: Vec<f64> = values.iter().filter(|v| v.is_finite()).map(|&v| f64::from(v)).collect();
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.is_empty() {
            return;
        }
        let width = (max - min) / BUCKETS as f64;
        let mut counts = [0.0; BUCKETS];
        for value in &values {
            // Equal values have width 0: their quotient is NaN, which becomes bucket 0.
            counts[(((value - min) / width) as usize).min(BUCKETS - 1)] += 1.0;
        }
        let mut limits: [f64; BUCKETS] = std::array::from_fn(|i| min + width * (i + 1) as f64);
        limits[BUCKETS - 1] = max;
        let (sum, squares) = values.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
        let summary = histogram_raw(name, min, max, values.len() as f64, sum, squares, &limits, &counts);
        self.summary(summary, step);
    }

    /// Writes a Markdown text at a step.
    pub(crate) fn text(&mut self, name: &str, text: &str, step: u64) {
        self.summary(plugin("text", name, Vec::new(), Some(text.as_bytes().to_vec())), step);
    }

    /// Writes the settings of the run by their paths in the configuration, and which of `metrics` compare runs.
    pub(crate) fn settings(&mut self, settings: &Value, metrics: &[String], run: &str) {
        for summary in plugins::hyperparameters(settings, metrics, run) {
            self.summary(summary, 0);
        }
    }

    /// Writes which of `metrics` are drawn together: a mean with its interval.
    pub(crate) fn layout(&mut self, metrics: &[String]) {
        if let Some(layout) = plugins::layout(metrics) {
            self.summary(plugin("custom_scalars", "custom_scalars__config__", Vec::new(), Some(layout)), 0);
        }
    }

    /// Hands all written events to the system.
    pub(crate) fn flush(&mut self) {
        if let Some(Err(error)) = self.out.as_mut().map(RecordWriter::flush) {
            self.fail(&error);
        }
    }

    /// Returns why there are no more events, once.
    pub(crate) fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    fn summary(&mut self, summary: Summary, step: u64) {
        let mut event = Event::new();
        event.set_summary(summary);
        self.write(event, step);
    }

    fn write(&mut self, mut event: Event, step: u64) {
        let Some(out) = &mut self.out else { return };
        // The clock only labels the event.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        event.set_wall_time(now.map_or(0.0, |since| since.as_secs_f64()));
        event.set_step(i64::try_from(step).unwrap_or(i64::MAX));
        let written = event.write_to_bytes().map_err(io::Error::other).and_then(|bytes| out.write(&bytes));
        if let Err(error) = written {
            self.fail(&error);
        }
    }

    fn fail(&mut self, error: &io::Error) {
        self.out = None;
        self.trouble = Some(format!(
            "{}: no further TensorBoard events are written: {error}; the CSV files are complete",
            self.path.display()
        ));
    }
}

/// Removes the event files in a folder, as far as possible.
pub(crate) fn remove(folder: &Path) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for file in files.filter(|file| file.file_name().to_string_lossy().starts_with(PREFIX)) {
        // If a file stays, TensorBoard shows a run without points.
        let _ = std::fs::remove_file(file.path());
    }
}

/// Returns a value for a plugin of TensorBoard, with the plugin's data and an optional text.
fn plugin(plugin: &str, tag: &str, content: Vec<u8>, text: Option<Vec<u8>>) -> Summary {
    let mut data = SummaryMetadata_PluginData::new();
    data.set_plugin_name(plugin.to_owned());
    data.set_content(content);
    let mut metadata = SummaryMetadata::new();
    metadata.set_plugin_data(data);
    let mut one = TensorShapeProto_Dim::new();
    one.set_size(1);
    let mut shape = TensorShapeProto::new();
    shape.set_dim(RepeatedField::from_vec(vec![one]));
    let mut tensor = TensorProto::new();
    tensor.set_tensor_shape(shape);
    match text {
        Some(text) => {
            tensor.set_dtype(DataType::DT_STRING);
            tensor.set_string_val(RepeatedField::from_vec(vec![text]));
        }
        // Later versions of TensorBoard skip a value without a tensor.
        None => {
            tensor.set_dtype(DataType::DT_FLOAT);
            tensor.set_float_val(vec![0.0]);
        }
    }
    let mut value = Summary_Value::new();
    value.set_tag(tag.to_owned());
    value.set_metadata(metadata);
    value.set_tensor(tensor);
    let mut summary = Summary::new();
    summary.set_value(RepeatedField::from_vec(vec![value]));
    summary
}

/// Creates a file whose name comes after every event file in the folder.
fn create_next(folder: &Path) -> io::Result<(PathBuf, File)> {
    let mut last = 0;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('.').next()?.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    let path = folder.join(format!("{PREFIX}{:010}.cardsharp", last + 1_u64));
    let file = File::create_new(&path)?;
    Ok((path, file))
}

#[cfg(test)]
mod tests;
