//! Columns of numbers as one file of tensors, written and read without any loss.

use std::ops::Range;

use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensorError, SafeTensors};

/// Why columns were refused.
#[derive(Debug)]
pub(crate) enum ColumnError {
    /// The file is damaged.
    File(SafeTensorError),
    /// The content that was found, and the expected content.
    Foreign(String, String),
}

impl From<SafeTensorError> for ColumnError {
    fn from(error: SafeTensorError) -> Self {
        Self::File(error)
    }
}

/// A number of fixed width.
pub(crate) trait Number: Copy {
    /// The name of its type in a file.
    const DTYPE: Dtype;
    /// Appends the numbers' bytes, little-endian.
    fn write(numbers: &[Self], to: &mut Vec<u8>);
    /// Reads numbers from little-endian bytes.
    fn numbers(bytes: &[u8]) -> impl Iterator<Item = Self>;
}

impl Number for u8 {
    const DTYPE: Dtype = Dtype::U8;

    fn write(numbers: &[Self], to: &mut Vec<u8>) {
        to.extend_from_slice(numbers);
    }

    fn numbers(bytes: &[u8]) -> impl Iterator<Item = Self> {
        bytes.iter().copied()
    }
}

macro_rules! numbers {
    ($($type:ident: $dtype:ident),*) => {$(
        impl Number for $type {
            const DTYPE: Dtype = Dtype::$dtype;

            fn write(numbers: &[Self], to: &mut Vec<u8>) {
                to.reserve(size_of_val(numbers));
                numbers.iter().for_each(|number| to.extend_from_slice(&number.to_le_bytes()));
            }

            fn numbers(bytes: &[u8]) -> impl Iterator<Item = Self> {
                bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes))
            }
        }
    )*};
}

numbers!(u16: U16, u32: U32, u64: U64, f32: F32, f64: F64);

/// A column to write.
struct Column {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    /// The range of its bytes in [`Writer::bytes`].
    bytes: Range<usize>,
}

/// Collects columns to write them as one safetensors file.
#[derive(Default)]
pub(crate) struct Writer {
    columns: Vec<Column>,
    bytes: Vec<u8>,
}

impl Writer {
    /// Starts a file. It reuses the memory of `spare` and ignores its content.
    pub(crate) fn new(mut spare: Vec<u8>) -> Self {
        spare.clear();
        Self { columns: Vec::new(), bytes: spare }
    }

    /// Adds a column of this shape.
    pub(crate) fn add<N: Number>(&mut self, name: impl Into<String>, shape: &[usize], numbers: &[N]) {
        let start = self.bytes.len();
        N::write(numbers, &mut self.bytes);
        self.note::<N>(name.into(), shape.to_vec(), start..self.bytes.len());
    }

    /// Adds rows of `width` cells, most of which are 0: a bit for each cell, and the cells whose bit is set.
    pub(crate) fn add_sparse(&mut self, name: &str, width: usize, cells: &[u8]) {
        let (words, rows) = (width.div_ceil(64), cells.len().checked_div(width).unwrap_or(0));
        let start = self.bytes.len();
        let middle = start + 8 * rows * words;
        self.bytes.resize(middle, 0);
        let groups = cells.chunks_exact(width.max(1)).flat_map(|row| row.chunks(64));
        for (number, cells) in groups.enumerate() {
            let bits = gather(cells, &mut self.bytes);
            self.bytes[start + 8 * number..][..8].copy_from_slice(&bits.to_le_bytes());
        }
        let end = self.bytes.len();
        self.note::<u64>(format!("{name}.bits"), vec![rows, words], start..middle);
        self.note::<u8>(format!("{name}.set"), vec![end - middle], middle..end);
    }

    fn note<N: Number>(&mut self, name: String, shape: Vec<usize>, bytes: Range<usize>) {
        self.columns.push(Column { name, dtype: N::DTYPE, shape, bytes });
    }

    /// Returns the file; equal columns give equal bytes.
    pub(crate) fn file(&self) -> Result<Vec<u8>, SafeTensorError> {
        let views = self.columns.iter().map(|Column { name, dtype, shape, bytes }| {
            Ok((name.as_str(), TensorView::new(*dtype, shape.clone(), &self.bytes[bytes.clone()])?))
        });
        safetensors::serialize(views.collect::<Result<Vec<_>, SafeTensorError>>()?, None)
    }

    /// Returns the memory for reuse.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.bytes
    }
}

/// The columns of a file.
pub(crate) struct Columns<'a>(SafeTensors<'a>);

impl<'a> Columns<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, SafeTensorError> {
        Ok(Self(SafeTensors::deserialize(bytes)?))
    }

    /// Returns the number of entries of a column.
    pub(crate) fn len(&self, name: &str) -> Result<usize, SafeTensorError> {
        Ok(self.0.tensor(name)?.shape().first().copied().unwrap_or_default())
    }

    /// Returns the numbers of a column, which must have this type and shape.
    pub(crate) fn get<N: Number>(&self, name: &str, shape: &[usize]) -> Result<Vec<N>, ColumnError> {
        Ok(N::numbers(self.bytes::<N>(name, shape)?).collect())
    }

    /// As [`Columns::get`], appended to `to`.
    pub(crate) fn append<N: Number>(
        &self,
        name: &str,
        shape: &[usize],
        to: &mut Vec<N>,
    ) -> Result<(), ColumnError> {
        to.extend(N::numbers(self.bytes::<N>(name, shape)?));
        Ok(())
    }

    /// Returns the bytes of a column, which must have this type and shape.
    fn bytes<N: Number>(&self, name: &str, shape: &[usize]) -> Result<&'a [u8], ColumnError> {
        let view = self.0.tensor(name)?;
        if view.dtype() != N::DTYPE || view.shape() != shape {
            let described = |dtype: Dtype, shape: &[usize]| format!("`{name}` of {dtype:?} {shape:?}");
            return Err(ColumnError::Foreign(
                described(view.dtype(), view.shape()),
                described(N::DTYPE, shape),
            ));
        }
        Ok(view.data())
    }

    /// Appends the cells of `rows` rows of `width` cells from [`Writer::add_sparse`].
    pub(crate) fn append_sparse(
        &self,
        name: &str,
        rows: usize,
        width: usize,
        to: &mut Vec<u8>,
    ) -> Result<(), ColumnError> {
        let (bits, set, words) = (format!("{name}.bits"), format!("{name}.set"), width.div_ceil(64));
        let bytes = self.bytes::<u64>(&bits, &[rows, words])?;
        let count = u64::numbers(bytes).map(|bits| bits.count_ones() as usize).sum();
        let mut set = self.bytes::<u8>(&set, &[count])?.iter();
        let start = to.len();
        to.resize(start + rows * width, 0);
        let words = to[start..].chunks_exact_mut(width.max(1)).flat_map(|row| row.chunks_mut(64));
        for (cells, mut left) in words.zip(u64::numbers(bytes)) {
            while left != 0 {
                let Some(cell) = cells.get_mut(left.trailing_zeros() as usize) else {
                    let expected = format!("{width} cells a row");
                    return Err(ColumnError::Foreign(format!("`{bits}` of more cells"), expected));
                };
                // The length of `set` was checked: it has a cell for each bit.
                *cell = set.next().copied().unwrap_or_default();
                left &= left - 1;
            }
        }
        Ok(())
    }
}

/// Returns which of at most 64 cells are not 0, as bits from the lowest; appends those cells to `set`.
fn gather(cells: &[u8], set: &mut Vec<u8>) -> u64 {
    let (eights, rest) = cells.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut bits = u64::from(nonzero(last)).unbounded_shl(8 * eights.len() as u32);
    for (number, &eight) in eights.iter().enumerate() {
        bits |= u64::from(nonzero(eight)) << (8 * number);
    }
    let mut left = bits;
    while left != 0 {
        set.push(cells[left.trailing_zeros() as usize]);
        left &= left - 1;
    }
    bits
}

/// Returns which of eight cells are not 0, as bits from the lowest.
fn nonzero(cells: [u8; 8]) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let cells = u64::from_le_bytes(cells);
    // Sets the highest bit of each nonzero byte, from the byte's own bit or by a carry from its lower bits.
    let high = (((cells & LOW) + LOW) | cells) & !LOW;
    // Collects these bits in the highest byte: bit 8k + 7 times 2^(49 - 7k) is bit 56 + k, and no two products overlap.
    (high.wrapping_mul(0x0002_0408_1020_4081) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_as_bits_and_set_cells_and_others_are_refused() {
        for width in [0, 1, 7, 8, 63, 64, 65, 130] {
            let rows = 5;
            let cells: Vec<u8> =
                (0..rows * width).map(|at| if at % 3 == 0 || at % 64 == 63 { at as u8 } else { 0 }).collect();
            let mut writer = Writer::default();
            writer.add_sparse("rows", width, &cells);
            let file = writer.file().expect("a file");
            let columns = Columns::read(&file).expect("the file");
            let rows = if width == 0 { 0 } else { rows };
            let mut read = vec![9];
            columns.append_sparse("rows", rows, width, &mut read).expect("the rows");
            assert_eq!(read, [&[9], &cells[..]].concat(), "width {width}");
            assert!(
                columns.append_sparse("rows", rows + 1, width.max(1), &mut read).is_err(),
                "width {width}"
            );
        }
        let (bits, set) = (vec![1u64 << 10], vec![1u8]);
        let mut writer = Writer::default();
        writer.add("rows.bits", &[1, 1], &bits);
        writer.add("rows.set", &[1], &set);
        let file = writer.file().expect("a file");
        let refused = Columns::read(&file).expect("the file").append_sparse("rows", 1, 10, &mut Vec::new());
        assert!(matches!(refused, Err(ColumnError::Foreign(..))), "a bit beyond the row");
    }
}
