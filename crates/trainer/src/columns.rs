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
                Cow::Owned(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
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
}
