//! Arguments of reads: options, dialects, APIs, and paths.

use omniread::options::SETTINGS;
use omniread::{Api, Dialect, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString, PyTuple};
use std::path::PathBuf;

/// Adds the names of dialects and APIs, and the help of each option by its name.
///
/// # Errors
/// Fails only if Python has no memory.
pub(crate) fn add_names(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add(
        "DIALECTS",
        PyTuple::new(py, Dialect::ALL.map(Dialect::name))?,
    )?;
    module.add("APIS", PyTuple::new(py, Api::ALL.map(Api::name))?)?;
    let options = PyDict::new(py);
    for setting in SETTINGS {
        options.set_item(setting.key.replace('-', "_"), setting.help)?;
    }
    module.add("OPTIONS", options)
}

/// The dialect with a name.
///
/// # Errors
/// Fails with a `ValueError` if there is no such dialect.
pub(crate) fn dialect(name: &str) -> PyResult<Dialect> {
    Dialect::named(name).ok_or_else(|| {
        let names = Dialect::ALL.map(Dialect::name).join(", ");
        PyValueError::new_err(format!(
            "there is no dialect `{name}`: the dialects are {names}"
        ))
    })
}

/// The API with a name.
///
/// # Errors
/// Fails with a `ValueError` if there is no such API.
pub(crate) fn api(name: &str) -> PyResult<Api> {
    Api::named(name).ok_or_else(|| {
        let names = Api::ALL.map(Api::name).join(", ");
        PyValueError::new_err(format!("there is no API `{name}`: the APIs are {names}"))
    })
}

/// The options of a read, from its keyword arguments.
///
/// # Errors
/// Fails with a `TypeError` if there is no such option or the type of its value is wrong, and with a `ValueError`
/// if the value is.
pub(crate) fn options(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::default();
    let Some(arguments) = arguments else {
        return Ok(options);
    };
    for (key, value) in arguments {
        let key = key.cast::<PyString>()?.to_str()?;
        // `None` is the default, so that an argument can be passed on.
        if value.is_none() {
            continue;
        }
        match key {
            "lines" => options.lines = Some(value.extract()?),
            "stdin" => options.stdin = value.extract()?,
            _ => {
                let named = key.replace('_', "-");
                if key.contains('-') || SETTINGS.iter().all(|setting| setting.key != named) {
                    let all = SETTINGS.iter().map(|setting| setting.key.replace('-', "_"));
                    let all: Vec<String> = all
                        .chain(["lines".to_owned(), "stdin".to_owned()])
                        .collect();
                    let all = all.join(", ");
                    return Err(PyTypeError::new_err(format!(
                        "there is no option `{key}`: the options are {all}"
                    )));
                }
                let text = text_of(key, &value)?;
                options
                    .set(key, &text)
                    .map_err(|error| PyValueError::new_err(format!("{error:#}")))?;
            }
        }
    }
    Ok(options)
}

/// The value of an option as the table of options parses it.
fn text_of(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(switch) = value.cast::<PyBool>() {
        return Ok(if switch.is_true() { "on" } else { "off" }.to_owned());
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>() {
        return Ok(value.str()?.to_str()?.to_owned());
    }
    let names: PyResult<Vec<String>> = value.extract();
    match names {
        Ok(names) => Ok(names.join(",")),
        Err(_) => {
            let kind = value.get_type();
            let kind = kind.qualname()?;
            Err(PyTypeError::new_err(format!(
                "option `{key}` is a bool, an int, a str or a list of str, not `{kind}`"
            )))
        }
    }
}

/// A path that is a `str`, `bytes`, or an `os.PathLike` of these. A `str` with surrogates of undecodable bytes, as
/// `os.listdir` returns it, has these bytes.
///
/// # Errors
/// Fails with a `TypeError` if it is not a path, and with a `ValueError` if it is bytes that are no path of this system.
pub(crate) fn path(value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    if let Ok(text) = value.cast::<PyString>()
        && let Ok(text) = text.to_str()
    {
        return Ok(PathBuf::from(text));
    }
    let plain = value.py().import("os")?.call_method1("fspath", (value,))?;
    match plain.cast::<PyBytes>() {
        Ok(bytes) => of_bytes(bytes.as_bytes()),
        Err(_) => plain.extract().or_else(|_| {
            // Surrogates of no byte. The library reports that such a path is not text.
            let bytes = plain.call_method1("encode", ("utf-8", "surrogatepass"))?;
            of_bytes(bytes.cast::<PyBytes>()?.as_bytes())
        }),
    }
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "other platforms have no such paths"
)]
fn of_bytes(bytes: &[u8]) -> PyResult<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn of_bytes(bytes: &[u8]) -> PyResult<PathBuf> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PathBuf::from(text)),
        Err(_) => Err(PyValueError::new_err(format!(
            "cannot read `{}`: the bytes of a path are UTF-8 on this system; pass the path as `str`",
            bytes.escape_ascii()
        ))),
    }
}

/// Paths that are one path, or a sequence of paths.
///
/// # Errors
/// Fails with a `TypeError` if they are neither.
pub(crate) fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    let is_one = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    if is_one || value.hasattr("__fspath__")? {
        return Ok(vec![path(value)?]);
    }
    value.try_iter()?.map(|each| path(&each?)).collect()
}

/// Texts that are one `str`, or a sequence of them.
///
/// # Errors
/// Fails with a `TypeError` if they are neither.
pub(crate) fn texts(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![value.extract()?]);
    }
    value.try_iter()?.map(|each| each?.extract()).collect()
}
