//! Columns of numbers as one file of tensors, and back to the bit.

use std::borrow::Cow;

use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensorError, SafeTensors};

/// Why columns are not those that were expected.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The file is none.
    File(SafeTensorError),
    /// What it has, and what was expected.
    Foreign(String, String),
}

impl From<SafeTensorError> for Refused {
    fn from(error: SafeTensorError) -> Self {
        Self::File(error)
    }
}

/// A number of fixed width.
pub(crate) trait Number: Copy {
    /// What a file calls its type.
    const DTYPE: Dtype;
    /// The numbers' bytes, the lowest of each first.
    fn bytes(numbers: &[Self]) -> Cow<'_, [u8]>;
    /// The numbers of such bytes.
    fn numbers(bytes: &[u8]) -> Vec<Self>;
}

impl Number for u8 {
    const DTYPE: Dtype = Dtype::U8;

    fn bytes(numbers: &[Self]) -> Cow<'_, [u8]> {
        Cow::Borrowed(numbers)
    }

    fn numbers(bytes: &[u8]) -> Vec<Self> {
        bytes.to_vec()
    }
}

macro_rules! numbers {
    ($($type:ident: $dtype:ident),*) => {$(
        impl Number for $type {
            const DTYPE: Dtype = Dtype::$dtype;

            fn bytes(numbers: &[Self]) -> Cow<'_, [u8]> {
                let mut bytes = Vec::with_capacity(size_of_val(numbers));
                numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
                Cow::Owned(bytes)
            }

            fn numbers(bytes: &[u8]) -> Vec<Self> {
                bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes)).collect()
            }
        }
    )*};
}

numbers!(u16: U16, u32: U32, u64: U64, f32: F32, f64: F64);

/// A column on its way into a file.
struct Column<'a> {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Cow<'a, [u8]>,
}

/// Columns on their way into a file.
#[derive(Default)]
pub(crate) struct Writer<'a>(Vec<Column<'a>>);

impl<'a> Writer<'a> {
    /// Adds a column. Its numbers are as many as `shape` says.
    pub(crate) fn add<N: Number>(&mut self, name: impl Into<String>, shape: &[usize], numbers: &'a [N]) {
        let (name, shape) = (name.into(), shape.to_vec());
        self.0.push(Column { name, dtype: N::DTYPE, shape, bytes: N::bytes(numbers) });
    }

    /// Adds rows of `width` cells, most of which are 0, as a bit for each cell and the cells whose bit is set.
    pub(crate) fn add_sparse(&mut self, name: &str, width: usize, cells: &[u8]) {
        let (mut bits, mut set) = (Vec::new(), Vec::new());
        for row in cells.chunks_exact(width.max(1)) {
            for cells in row.chunks(64) {
                bits.push(gather(cells, &mut set));
            }
        }
        let words = width.div_ceil(64);
        let shape = vec![bits.len() / words.max(1), words];
        let bits = Cow::Owned(u64::bytes(&bits).into_owned());
        self.0.push(Column { name: format!("{name}.bits"), dtype: u64::DTYPE, shape, bytes: bits });
        let shape = vec![set.len()];
        self.0.push(Column { name: format!("{name}.set"), dtype: u8::DTYPE, shape, bytes: Cow::Owned(set) });
    }

    /// The file; the same columns give the same bytes.
    pub(crate) fn file(&self) -> Result<Vec<u8>, SafeTensorError> {
        let views = self.0.iter().map(|Column { name, dtype, shape, bytes }| {
            Ok((name.as_str(), TensorView::new(*dtype, shape.clone(), bytes)?))
        });
        safetensors::serialize(views.collect::<Result<Vec<_>, SafeTensorError>>()?, None)
    }
}

/// Columns of a file.
pub(crate) struct Columns<'a>(SafeTensors<'a>);

impl<'a> Columns<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, SafeTensorError> {
        Ok(Self(SafeTensors::deserialize(bytes)?))
    }

    /// How many entries a column has.
    pub(crate) fn len(&self, name: &str) -> Result<usize, SafeTensorError> {
        Ok(self.0.tensor(name)?.shape().first().copied().unwrap_or_default())
    }

    /// The numbers of a column, which must be of this type and shape.
    pub(crate) fn get<N: Number>(&self, name: &str, shape: &[usize]) -> Result<Vec<N>, Refused> {
        let view = self.0.tensor(name)?;
        if view.dtype() != N::DTYPE || view.shape() != shape {
            let told = |dtype: Dtype, shape: &[usize]| format!("`{name}` of {dtype:?} {shape:?}");
            return Err(Refused::Foreign(told(view.dtype(), view.shape()), told(N::DTYPE, shape)));
        }
        Ok(N::numbers(view.data()))
    }

    /// The cells of so many rows of `width` that were written as bits and set cells.
    pub(crate) fn get_sparse(&self, name: &str, rows: usize, width: usize) -> Result<Vec<u8>, Refused> {
        let (words, set) = (format!("{name}.bits"), format!("{name}.set"));
        let bits: Vec<u64> = self.get(&words, &[rows, width.div_ceil(64)])?;
        let count = bits.iter().map(|bits| bits.count_ones() as usize).sum();
        let set: Vec<u8> = self.get(&set, &[count])?;
        let mut cells = vec![0; rows * width];
        let mut set = set.iter();
        for (row, bits) in
            cells.chunks_exact_mut(width.max(1)).zip(bits.chunks_exact(width.div_ceil(64).max(1)))
        {
            for (cells, &bits) in row.chunks_mut(64).zip(bits) {
                let mut bits = bits;
                while bits != 0 {
                    let at = bits.trailing_zeros() as usize;
                    let Some(cell) = cells.get_mut(at) else {
                        return Err(Refused::Foreign(
                            format!("`{words}` of more cells"),
                            format!("{width} cells a row"),
                        ));
                    };
                    // There is one for each bit.
                    *cell = set.next().copied().unwrap_or_default();
                    bits &= bits - 1;
                }
            }
        }
        Ok(cells)
    }
}

/// Which of at most 64 cells are set, as bits from the lowest; the set ones go to the end of `set`.
fn gather(cells: &[u8], set: &mut Vec<u8>) -> u64 {
    let mut bits = 0;
    let (eights, rest) = cells.as_chunks::<8>();
    let mut note = |at: usize, cells: &[u8]| {
        for (number, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
            bits |= 1 << (at + number);
            set.push(cell);
        }
    };
    for (number, eight) in eights.iter().enumerate() {
        // Most are empty.
        if *eight != [0; 8] {
            note(8 * number, eight);
        }
    }
    note(8 * eights.len(), rest);
    bits
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
            assert_eq!(columns.get_sparse("rows", rows, width).expect("the rows"), cells, "width {width}");
            assert!(columns.get_sparse("rows", rows + 1, width.max(1)).is_err(), "width {width}");
        }
        let (bits, set) = (vec![1u64 << 10], vec![1u8]);
        let mut writer = Writer::default();
        writer.add("rows.bits", &[1, 1], &bits);
        writer.add("rows.set", &[1], &set);
        let file = writer.file().expect("a file");
        let refused = Columns::read(&file).expect("the file").get_sparse("rows", 1, 10);
        assert!(matches!(refused, Err(Refused::Foreign(..))), "a bit beyond the row");
    }
}
