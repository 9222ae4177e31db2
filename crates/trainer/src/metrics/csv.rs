//! A CSV file of numbered rows that can be continued after any row.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cardsharp_bot::disk::{self, is_at};

use super::MetricsError;

/// Maximum length of a row, in bytes: a file without line breaks is not from a run.
const MAX_ROW: u64 = 1 << 20;

/// Whether a file has more than `rows` complete lines below its header. Reads only as much as needed.
pub(super) fn has_more(path: &Path, rows: u64) -> io::Result<bool> {
    let mut lines = 0;
    let mut file = BufReader::new(File::open(path)?);
    loop {
        let piece = file.fill_buf()?;
        let length = piece.len();
        lines += piece.iter().filter(|&&byte| byte == b'\n').count() as u64;
        if length == 0 || lines > rows + 1 {
            return Ok(lines > rows + 1);
        }
        file.consume(length);
    }
}

/// A CSV file whose rows start with the iteration: 1, 2, 3, ….
#[derive(Debug)]
pub(super) struct Csv {
    path: PathBuf,
    file: File,
    /// The second cell of the last row.
    second: String,
    /// Hash of the whole file.
    hash: blake3::Hasher,
}

impl Csv {
    /// Opens the file with exactly the rows of iterations `1..=rows`; removes later rows, and a last row that is
    /// incomplete. `hash` is the expected hash of these rows, if known.
    pub(super) fn open(
        path: PathBuf,
        header: &str,
        rows: u64,
        hash: Option<&str>,
    ) -> Result<Self, MetricsError> {
        if rows == 0 {
            return Self::create(path, header);
        }
        let opened = File::options().read(true).write(true).open(&path);
        let file = opened.map_err(|source| MetricsError::Io { path: path.clone(), source })?;
        let mut csv = Self { path, file, second: String::new(), hash: blake3::Hasher::new() };
        let length = csv.length_of(header, rows)?;
        let given = csv.hash();
        if let Some(expected) = hash.filter(|expected| *expected != given) {
            let (path, expected) = (csv.path, expected.to_owned());
            return Err(MetricsError::Changed { path, rows, given, expected });
        }
        let cut = csv.file.set_len(length).and_then(|()| csv.file.seek(SeekFrom::Start(length)));
        cut.map_err(|source| csv.io(source))?;
        Ok(csv)
    }

    /// As [`Csv::open`], for a file that no iteration depends on. If rows are missing or damaged, it keeps the others
    /// and returns the problem.
    pub(super) fn mend(
        path: PathBuf,
        header: &str,
        rows: u64,
    ) -> Result<(Self, Option<MetricsError>), MetricsError> {
        let problem = match Self::open(path.clone(), header, rows, None) {
            Ok(csv) => return Ok((csv, None)),
            // A file that cannot be read now may be undamaged.
            Err(MetricsError::Io { path, source }) if source.kind() != io::ErrorKind::NotFound => {
                return Err(MetricsError::Io { path, source });
            }
            Err(problem) => problem,
        };
        let rows_read = match File::open(&path).and_then(|file| sound(file, header, rows)) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => Vec::new(),
            rows_read => rows_read.map_err(|source| MetricsError::Io { path: path.clone(), source })?,
        };
        Ok((Self::replace(path, header, &rows_read)?, Some(problem)))
    }

    /// Replaces the file by one with these rows, atomically.
    fn replace(path: PathBuf, header: &str, rows: &[String]) -> Result<Self, MetricsError> {
        let lines = std::iter::once(header).chain(rows.iter().map(String::as_str));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let replaced =
            disk::replace(&path, text.as_bytes()).and_then(|()| File::options().append(true).open(&path));
        let file = replaced.map_err(|source| MetricsError::Io { path: path.clone(), source })?;
        let mut hash = blake3::Hasher::new();
        hash.update(text.as_bytes());
        Ok(Self { path, file, second: String::new(), hash })
    }

    fn create(path: PathBuf, header: &str) -> Result<Self, MetricsError> {
        let created = File::create(&path);
        let file = created.map_err(|source| MetricsError::Io { path: path.clone(), source })?;
        let mut csv = Self { path, file, second: String::new(), hash: blake3::Hasher::new() };
        csv.append(header)?;
        Ok(csv)
    }

    /// Checks the rows and returns the length up to the end of row `rows`, in bytes.
    fn length_of(&mut self, header: &str, rows: u64) -> Result<u64, MetricsError> {
        let mut lines = Lines(BufReader::new(&self.file));
        let mut length = 0;
        let columns = header.split(',').count();
        for row in 0..=rows {
            let foreign = |problem: String| {
                Err(MetricsError::Foreign { path: self.path.clone(), line: row + 1, problem })
            };
            let read = lines.next().map_err(|source| MetricsError::Io { path: self.path.clone(), source })?;
            let line = match &read {
                Line::Whole(line) => line,
                Line::None => return foreign(format!("the file ends before the row of iteration {rows}")),
                Line::TooLong => return foreign(format!("expected a row of at most {MAX_ROW} bytes")),
                Line::NotText => return foreign("the row is not UTF-8".to_owned()),
            };
            if row == 0 && line != header {
                return foreign(format!("the columns are `{line}`, expected `{header}`"));
            }
            if row > 0 && line.split(',').next() != Some(&row.to_string()) {
                return foreign(format!("expected the row of iteration {row}, found `{line}`"));
            }
            if row > 0
                && let Some(problem) = unlike(line, columns)
            {
                return foreign(problem);
            }
            self.second = line.split(',').nth(1).unwrap_or_default().to_owned();
            self.hash.update(line.as_bytes()).update(b"\n");
            length += line.len() as u64 + 1;
        }
        Ok(length)
    }

    /// Returns the count in the second cell of the last row, row `rows`; 0 without rows.
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

    /// Returns the BLAKE3 hash of the whole file, in hexadecimal.
    pub(super) fn hash(&self) -> String {
        self.hash.finalize().to_string()
    }

    /// Checks that the file is still at its path.
    pub(super) fn check(&self) -> Result<(), MetricsError> {
        match is_at(&self.file, &self.path) {
            Ok(true) => Ok(()),
            Ok(false) => Err(MetricsError::Replaced { path: self.path.clone() }),
            Err(source) => Err(self.io(source)),
        }
    }

    /// Appends a row in one write, so that other programs never see half of it.
    pub(super) fn append(&mut self, row: &str) -> Result<(), MetricsError> {
        let line = format!("{row}\n");
        self.file.write_all(line.as_bytes()).map_err(|source| self.io(source))?;
        self.hash.update(line.as_bytes());
        Ok(())
    }

    /// Waits until the rows are on the disk.
    pub(super) fn sync(&self) -> Result<(), MetricsError> {
        self.file.sync_data().map_err(|source| self.io(source))
    }

    fn io(&self, source: io::Error) -> MetricsError {
        MetricsError::Io { path: self.path.clone(), source }
    }
}

/// Returns what is wrong with a row of `columns` columns; none if it is valid. A number has only one valid form.
fn unlike(line: &str, columns: usize) -> Option<String> {
    let cells = line.split(',').count();
    if cells != columns {
        return Some(format!("the row has {cells} cells, expected {columns}"));
    }
    let figure = |cell: &str| cell.parse::<f64>().is_ok_and(|value| value.to_string() == cell);
    let wrong = line.split(',').enumerate().find(|(_, cell)| !cell.is_empty() && !figure(cell));
    wrong.map(|(number, cell)| format!("cell {} is `{cell}`, expected a number", number + 1))
}

/// Returns the valid rows among the first `rows` iterations, at most one per iteration; none if the columns differ.
fn sound(file: File, header: &str, rows: u64) -> io::Result<Vec<String>> {
    let mut lines = Lines(BufReader::new(file));
    let mut rows_read: Vec<String> = Vec::new();
    if !matches!(lines.next()?, Line::Whole(line) if line == header) {
        return Ok(rows_read);
    }
    let (columns, mut last) = (header.split(',').count(), 0);
    loop {
        match lines.next()? {
            Line::Whole(line) => {
                let iteration = line.split(',').next().and_then(|cell| cell.parse().ok()).unwrap_or(0);
                if (last + 1..=rows).contains(&iteration) && unlike(&line, columns).is_none() {
                    last = iteration;
                    rows_read.push(line);
                }
            }
            Line::NotText => {}
            Line::None | Line::TooLong => return Ok(rows_read),
        }
    }
}

/// Reads the lines of a file that may have any content.
struct Lines<R>(BufReader<R>);

enum Line {
    /// A complete line, without its line break.
    Whole(String),
    NotText,
    TooLong,
    /// There is no further complete line.
    None,
}

impl<R: Read> Lines<R> {
    fn next(&mut self) -> io::Result<Line> {
        let mut bytes = Vec::new();
        self.0.by_ref().take(MAX_ROW).read_until(b'\n', &mut bytes)?;
        if bytes.pop_if(|last| *last == b'\n').is_none() {
            return Ok(if (bytes.len() as u64) < MAX_ROW { Line::None } else { Line::TooLong });
        }
        Ok(String::from_utf8(bytes).map_or(Line::NotText, Line::Whole))
    }
}
