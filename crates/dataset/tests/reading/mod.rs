//! Shards, read back with the `parquet` crate.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{RecordBatch, StringArray};
use arrow_schema::DataType;
use cardsharp_dataset::KEY;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub session: u64,
    pub session_seed: u64,
    pub rules: u16,
    pub round: u32,
    pub step: u32,
    pub seat: u8,
    pub bot: String,
    pub observation: Vec<u8>,
    pub legal: Vec<u8>,
    pub action: u16,
    pub reward: f32,
    pub return_to_go: f32,
    pub round_reward: f32,
    pub place: u8,
    pub points: i32,
    pub last_of_round: bool,
    pub last_of_session: bool,
}

pub struct Read {
    pub rows: Vec<Row>,
    /// The metadata of the last shard.
    pub about: Value,
    /// Names and types of the columns.
    pub columns: Vec<(String, DataType)>,
}

/// The shards of a folder, in their order.
pub fn shards(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The dataset in a folder.
pub fn read(folder: &Path) -> Read {
    let mut read = Read { rows: Vec::new(), about: Value::Null, columns: Vec::new() };
    for (number, path) in shards(folder).iter().enumerate() {
        let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        let footer = builder.metadata().file_metadata().key_value_metadata().expect("metadata");
        let about = footer.iter().find(|entry| entry.key == KEY).and_then(|entry| entry.value.as_ref());
        read.about = serde_json::from_str(about.expect("the metadata of a dataset")).unwrap();
        assert_eq!(read.about["shard"], number);
        read.columns =
            builder.schema().fields().iter().map(|f| (f.name().clone(), f.data_type().clone())).collect();
        for batch in builder.build().unwrap() {
            add(&batch.unwrap(), &mut read.rows);
        }
    }
    read
}

fn add(batch: &RecordBatch, rows: &mut Vec<Row>) {
    let column = |name: &str| batch.column_by_name(name).unwrap_or_else(|| panic!("no column `{name}`"));
    let bots = column("bot").as_dictionary::<UInt32Type>().downcast_dict::<StringArray>().unwrap();
    for row in 0..batch.num_rows() {
        let wide = |name| column(name).as_fixed_size_binary().value(row).to_vec();
        let u32s = |name| column(name).as_primitive::<UInt32Type>().value(row);
        let f32s = |name| column(name).as_primitive::<Float32Type>().value(row);
        rows.push(Row {
            session: column("session").as_primitive::<UInt64Type>().value(row),
            session_seed: column("session_seed").as_primitive::<UInt64Type>().value(row),
            rules: column("rules").as_primitive::<UInt16Type>().value(row),
            round: u32s("round"),
            step: u32s("step"),
            seat: column("seat").as_primitive::<UInt8Type>().value(row),
            bot: arrow_array::ArrayAccessor::value(&bots, row).to_owned(),
            observation: wide("observation"),
            legal: wide("legal"),
            action: column("action").as_primitive::<UInt16Type>().value(row),
            reward: f32s("reward"),
            return_to_go: f32s("return_to_go"),
            round_reward: f32s("round_reward"),
            place: column("place").as_primitive::<UInt8Type>().value(row),
            points: column("points").as_primitive::<Int32Type>().value(row),
            last_of_round: column("last_of_round").as_boolean().value(row),
            last_of_session: column("last_of_session").as_boolean().value(row),
        });
    }
}
