//! A file of numbered rows that can be gone on with after any of them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::MetricsError;

/// A CSV file whose rows start with the iteration: 1, 2, 3, ….
#[derive(Debug)]
pub(super) struct Csv {
    path: PathBuf,
    file: File,
    /// The second cell of the last row.
    second: String,
}

impl Csv {
    /// Opens the file with exactly the rows of iterations `1..=rows`: later ones, and a row that was
    /// cut short, are removed.
    pub(super) fn open(path: PathBuf, header: &str, rows: u64) -> Result<Self, MetricsError> {
        let opened =
            if rows == 0 { File::create(&path) } else { File::options().read(true).write(true).open(&path) };
        let file = opened.map_err(|source| MetricsError::Io { path: path.clone(), source })?;
        let mut csv = Self { path, file, second: String::new() };
        if rows == 0 {
            csv.append(header)?;
            return Ok(csv);
        }
        let length = csv.length_of(header, rows)?;
        let cut = csv.file.set_len(length).and_then(|()| csv.file.seek(SeekFrom::Start(length)));
        cut.map_err(|source| csv.io(source))?;
        Ok(csv)
    }

    /// The bytes up to the end of row `rows`.
    fn length_of(&mut self, header: &str, rows: u64) -> Result<u64, MetricsError> {
        let mut reader = BufReader::new(&self.file);
        let (mut length, mut text) = (0, String::new());
        for row in 0..=rows {
            text.clear();
            let foreign = |problem: String| {
                Err(MetricsError::Foreign { path: self.path.clone(), line: row + 1, problem })
            };
            // A limit, because a file without line breaks is not ours.
            let read = reader.by_ref().take(1 << 20).read_line(&mut text);
            length += read.map_err(|source| MetricsError::Io { path: self.path.clone(), source })? as u64;
            let Some(line) = text.strip_suffix('\n') else {
                return foreign(format!("the file ends before the row of iteration {rows}"));
            };
            if row == 0 && line != header {
                return foreign(format!("the columns are `{line}`, expected `{header}`"));
            }
            let mut cells = line.split(',');
            if row > 0 && cells.next() != Some(&row.to_string()) {
                return foreign(format!("expected the row of iteration {row}, found `{line}`"));
            }
            self.second = cells.next().unwrap_or_default().to_owned();
        }
        Ok(length)
    }

    /// The count in the second cell of the last row, row `rows`; 0 without rows.
    pub(super) fn decisions(&self, rows: u64) -> Result<u64, MetricsError> {
        if rows == 0 {
            return Ok(0);
        }
        self.second.parse().map_err(|_| MetricsError::Foreign {
            path: self.path.clone(),
            line: rows + 1,
            problem: format!("expected a count of decisions, found `{}`", self.second),
        })
    }

    /// Adds a row in one write, so that other programs never see half of it.
    pub(super) fn append(&mut self, row: &str) -> Result<(), MetricsError> {
        let written = self.file.write_all(format!("{row}\n").as_bytes());
        written.map_err(|source| self.io(source))
    }

    /// Waits until the rows are on the disk.
    pub(super) fn sync(&self) -> Result<(), MetricsError> {
        self.file.sync_data().map_err(|source| self.io(source))
    }

    fn io(&self, source: std::io::Error) -> MetricsError {
        MetricsError::Io { path: self.path.clone(), source }
    }
}
