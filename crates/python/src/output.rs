//! What goes to Python, and what type checkers are told of it.

use cardsharp_env::ActionId;
use numpy::PyArray;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyModule, PyTuple};
use pyo3::{IntoPyObject, type_hint_identifier as name, type_hint_subscript as of, type_hint_union};
use serde::Serialize;

/// Declares what Python gets as what: `Rows => numpy.typing.NDArray[numpy.uint8]`.
macro_rules! outputs {
    ($($(#[$doc:meta])* $type:ident: $hint:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $type<'py>(pub(crate) Bound<'py, PyAny>);

        impl<'py> IntoPyObject<'py> for $type<'py> {
            type Target = PyAny;
            type Output = Bound<'py, PyAny>;
            type Error = PyErr;
            const OUTPUT_TYPE: PyStaticExpr = $hint;

            fn into_pyobject(self, _: Python<'py>) -> PyResult<Self::Output> {
                Ok(self.0)
            }
        }

        impl<'py, T, D> From<Bound<'py, PyArray<T, D>>> for $type<'py> {
            fn from(array: Bound<'py, PyArray<T, D>>) -> Self {
                Self(array.into_any())
            }
        }
    )*};
}

/// An array of numbers of this type.
macro_rules! array {
    ($type:literal) => {
        of!(name!("numpy.typing", "NDArray"), name!("numpy", $type))
    };
}

outputs! {
    /// Cells, or the bytes of a block.
    Bytes: array!("uint8");
    /// Actions.
    Actions: array!("uint16");
    /// Flags.
    Flags: array!("bool_");
    /// A seat and its action mask, or nothing.
    MaybeTurn: type_hint_union!(
        of!(name!("builtins", "tuple"), name!("builtins", "int"), array!("int8")),
        name!("builtins", "None")
    );
    /// Numbers of any type.
    Numbers: of!(name!("numpy.typing", "NDArray"), name!("typing", "Any"));
    /// Seeds.
    Seeds: array!("uint64");
    /// Rules with weights.
    Mixture: of!(
        name!("builtins", "list"),
        of!(
            name!("builtins", "tuple"),
            of!(name!("builtins", "dict"), name!("builtins", "str"), name!("typing", "Any")),
            name!("builtins", "float")
        )
    );
    /// A JSON object.
    Object: of!(name!("builtins", "dict"), name!("builtins", "str"), name!("typing", "Any"));
    /// A JSON object, or nothing.
    MaybeObject: type_hint_union!(
        of!(name!("builtins", "dict"), name!("builtins", "str"), name!("typing", "Any")),
        name!("builtins", "None")
    );
    /// JSON objects.
    Objects: of!(
        name!("builtins", "list"),
        of!(name!("builtins", "dict"), name!("builtins", "str"), name!("typing", "Any"))
    );
    /// Named runs.
    Blocks: of!(name!("builtins", "tuple"), name!("cardsharp_rl._types", "Block"), name!("builtins", "..."));
    /// Options of rules.
    Options: of!(name!("builtins", "tuple"), name!("cardsharp_rl._types", "Option"), name!("builtins", "..."));
    /// Names.
    Names: of!(name!("builtins", "tuple"), name!("builtins", "str"), name!("builtins", "..."));
    /// Moves.
    Moves: of!(name!("builtins", "list"), name!("cardsharp_rl._types", "Move"));
    /// What a round was worth.
    MaybePayoff: type_hint_union!(name!("cardsharp_rl._types", "Payoff"), name!("builtins", "None"));
    /// Deals with their probabilities.
    Dealt: of!(
        name!("builtins", "list"),
        of!(
            name!("builtins", "tuple"),
            name!("builtins", "float"),
            of!(name!("builtins", "dict"), name!("builtins", "str"), name!("typing", "Any"))
        )
    );
    /// What a bot thinks.
    Advice: name!("cardsharp_rl._types", "Advice");
    /// What a bot plays and expects at many decisions.
    Evaluation: name!("cardsharp_rl._types", "Evaluation");
    /// What came of a step.
    Step: name!("cardsharp_rl._types", "Step");
    /// Numbers of players.
    Range: name!("builtins", "range");
    /// What `pickle` asks for.
    Pickled: of!(name!("builtins", "tuple"), name!("typing", "Any"), name!("builtins", "..."));
}

/// A name of a module, looked up once.
pub(crate) fn imported<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    module: &str,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let found =
        cell.get_or_try_init(py, || PyModule::import(py, module)?.getattr(name).map(Bound::unbind))?;
    Ok(found.bind(py).clone())
}

/// A record of `cardsharp_rl._types`.
pub(crate) fn record<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
    fields: Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    imported(py, cell, "cardsharp_rl._types", name)?.call1(fields)
}

/// A value as Python has it that reads JSON.
pub(crate) fn json<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    imported(py, &LOADS, "json", "loads")?.call1((text(value)?,))
}

/// A value as JSON.
pub(crate) fn text(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))
}

/// Moves with their names.
pub(crate) fn moves<'py>(
    py: Python<'py>,
    actions: impl IntoIterator<Item = ActionId>,
    label: impl Fn(ActionId) -> String,
) -> PyResult<Moves<'py>> {
    static MOVE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let named = |action: ActionId| record(py, &MOVE, "Move", (action.0, label(action)).into_pyobject(py)?);
    let all = actions.into_iter().map(named).collect::<PyResult<Vec<_>>>()?;
    Ok(Moves(PyList::new(py, all)?.into_any()))
}
