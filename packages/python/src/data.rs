//! Facts as Python objects.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

/// Converts facts to the objects that `json.loads` would return for their JSON.
///
/// # Errors
/// Fails only if Python has no memory.
pub(crate) fn python<'py>(py: Python<'py>, facts: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(facts)
        .map_err(|error| PyRuntimeError::new_err(format!("the facts are not JSON: {error}")))?;
    object(py, value)
}

/// Converts a JSON value. The nesting of facts is that of their types, so that recursion is bounded.
pub(crate) fn object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                number.into_pyobject(py)?.into_any()
            }
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(object(py, value)?)?;
            }
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
