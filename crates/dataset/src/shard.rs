//! Encodes a shard: groups of rows, which can be encoded in parallel, and a footer.

use std::sync::Arc;

use arrow_schema::SchemaRef;
use cardsharp_env::AnyGame;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, TypePtr};

use crate::columns::{COLUMNS, ColumnType, KEY, schema};
use crate::error::DatasetError;
use crate::metadata::ShardMetadata;
use crate::rows::DecisionColumns;

/// The schema and the Parquet options of a game's shards.
pub(crate) struct Encoding {
    game: &'static dyn AnyGame,
    schema: SchemaRef,
    /// The same schema for Parquet.
    root: TypePtr,
    properties: WriterProperties,
}

/// An encoded group of rows.
pub(crate) struct RowGroup {
    columns: Vec<ArrowColumnChunk>,
    pub(crate) rows: usize,
}

/// An unfinished shard in memory.
pub(crate) struct Shard {
    file: SerializedFileWriter<Vec<u8>>,
    pub(crate) rows: u64,
}

impl Encoding {
    /// Returns the encoding for a game.
    pub(crate) fn new(game: &'static dyn AnyGame) -> Result<Self, ParquetError> {
        let schema = Arc::new(schema(game));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_offset_index_disabled(true);
        for column in COLUMNS {
            // Statistics and dictionaries do not help for rows and masks: readers do not filter by their order, and
            // they rarely repeat.
            let is_wide = matches!(column.kind, ColumnType::Cells | ColumnType::Mask);
            let kept = if is_wide { EnabledStatistics::None } else { EnabledStatistics::Chunk };
            let path = ColumnPath::from(column.name);
            properties = properties
                .set_column_statistics_enabled(path.clone(), kept)
                .set_column_dictionary_enabled(path, !is_wide);
        }
        let mut properties = properties.build();
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let root = ArrowSchemaConverter::new().convert(&schema)?.root_schema_ptr();
        Ok(Self { game, schema, root, properties })
    }

    /// Encodes rows. The bytes depend only on `rows` and `bots`.
    pub(crate) fn group(&self, rows: &DecisionColumns, bots: &[String]) -> Result<RowGroup, DatasetError> {
        let factory = ArrowRowGroupWriterFactory::new(&self.file()?, Arc::clone(&self.schema));
        let writers = factory.create_column_writers(0)?;
        let arrays = rows.arrays(self.game, bots)?;
        let mut columns = Vec::with_capacity(writers.len());
        for ((mut writer, field), array) in writers.into_iter().zip(self.schema.fields()).zip(arrays) {
            for leaf in compute_leaves(field, &array)? {
                writer.write(&leaf)?;
            }
            columns.push(writer.close()?);
        }
        Ok(RowGroup { columns, rows: rows.len() })
    }

    /// Returns a shard without rows.
    pub(crate) fn shard(&self) -> Result<Shard, ParquetError> {
        Ok(Shard { file: self.file()?, rows: 0 })
    }

    fn file(&self) -> Result<SerializedFileWriter<Vec<u8>>, ParquetError> {
        SerializedFileWriter::new(Vec::new(), Arc::clone(&self.root), Arc::new(self.properties.clone()))
    }
}

impl Shard {
    /// Appends a group of rows.
    pub(crate) fn append(&mut self, group: RowGroup) -> Result<(), ParquetError> {
        let mut to = self.file.next_row_group()?;
        for column in group.columns {
            column.append_to_row_group(&mut to)?;
        }
        to.close()?;
        self.rows += group.rows as u64;
        Ok(())
    }

    /// Adds the footer, and returns the bytes of the shard.
    pub(crate) fn finish(mut self, about: &ShardMetadata) -> Result<Vec<u8>, ParquetError> {
        let json = serde_json::to_string(about).map_err(|error| ParquetError::External(Box::new(error)))?;
        self.file.append_key_value_metadata(KeyValue::new(KEY.to_owned(), json));
        self.file.into_inner()
    }
}
