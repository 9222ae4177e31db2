//! Lessons as a file.

use cardsharp_env::ActionId;
use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensorError, SafeTensors};

use crate::rollout::{Decisions, Lessons, NONE};

/// What every lesson has: its cells, words of legal actions, hidden cells and actions.
pub(super) type Widths = [usize; 4];

/// Why a file has no lessons of a run.
pub(super) enum Refused {
    File(SafeTensorError),
    /// What it has, and what the run needs.
    Foreign(String, String),
}

impl From<SafeTensorError> for Refused {
    fn from(error: SafeTensorError) -> Self {
        Self::File(error)
    }
}

/// Lessons that stand alone, as a file.
pub(super) fn to_bytes(
    lessons: &Lessons,
    [cells, words, hidden, actions]: Widths,
) -> Result<Vec<u8>, SafeTensorError> {
    let (len, of) = (lessons.len(), &lessons.decisions);
    let legal: Vec<u8> = of.legal.iter().flat_map(|word| word.to_le_bytes()).collect();
    let played: Vec<u8> = of.actions.iter().flat_map(|action| action.0.to_le_bytes()).collect();
    let [returns, targets] = [&of.rewards, &lessons.targets]
        .map(|list| list.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
    let views = [
        ("actions", TensorView::new(Dtype::U16, vec![len], &played)?),
        ("hidden", TensorView::new(Dtype::U8, vec![len, hidden], &of.hidden)?),
        ("legal", TensorView::new(Dtype::U64, vec![len, words], &legal)?),
        ("returns", TensorView::new(Dtype::F32, vec![len], &returns)?),
        ("rows", TensorView::new(Dtype::U8, vec![len, cells], &of.rows)?),
        ("targets", TensorView::new(Dtype::F32, vec![len, actions], &targets)?),
    ];
    safetensors::serialize(views, None)
}

/// The lessons that were written so, exactly.
pub(super) fn from_bytes(bytes: &[u8], [cells, words, hidden, actions]: Widths) -> Result<Lessons, Refused> {
    let tensors = SafeTensors::deserialize(bytes)?;
    let len = tensors.tensor("actions")?.shape().first().copied().unwrap_or_default();
    let read = |name: &str, dtype: Dtype, shape: &[usize]| {
        let view = tensors.tensor(name)?;
        if view.dtype() != dtype || view.shape() != shape {
            let told = |dtype: Dtype, shape: &[usize]| format!("`{name}` of {dtype:?} {shape:?}");
            let (given, expected) = (told(view.dtype(), view.shape()), told(dtype, shape));
            return Err(Refused::Foreign(given, expected));
        }
        Ok(view.data())
    };
    let floats = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (rows, hidden) =
        (read("rows", Dtype::U8, &[len, cells])?, read("hidden", Dtype::U8, &[len, hidden])?);
    let legal: Vec<u64> = read("legal", Dtype::U64, &[len, words])?
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect();
    let played = read("actions", Dtype::U16, &[len])?.as_chunks().0;
    let played = played.iter().map(|bytes| ActionId(u16::from_le_bytes(*bytes))).collect();
    let returns = floats(read("returns", Dtype::F32, &[len])?);
    let targets = floats(read("targets", Dtype::F32, &[len, actions])?);
    let decisions = Decisions {
        rows: rows.to_vec(),
        legal,
        hidden: hidden.to_vec(),
        actions: played,
        log_probability: vec![0.0; len],
        values: vec![0.0; len],
        rewards: returns,
        next: vec![NONE; len],
        discounts: vec![0.0; len],
    };
    Ok(Lessons { decisions, targets })
}
