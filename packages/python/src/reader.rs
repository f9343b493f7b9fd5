//! Readers: what reads may access, and their limits.

use crate::batch::{self, Rows};
use crate::data::object;
use crate::failure::{config_error, read_error};
use crate::options::{self, path, paths, texts};
use crate::running::{self, Owner, check_process, number, release};
use omniread::Network;
use omniread::network::{Grant, Proxy};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping};
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The directories that reads may access, and the limits of a read. Reads by a :class:`Session`.
///
/// By default, a read can access nothing: no directory, no host, no environment variable.
///
/// ``roots``
///     A directory that reads may access with everything below it, or several. Relative paths belong to the first.
/// ``deny``
///     A deny rule, or several: patterns as in ``.gitignore``, relative to each root.
/// ``mounts``
///     Directories that internal URLs read, by scheme: ``{"docs": "handbook"}`` for ``docs://plan.md``.
/// ``timeout``
///     The processor time of a read in seconds, 10 by default. A read ends after twenty times as much real time in
///     any case. ``None`` removes the limit.
/// ``memory``
///     The memory of a read in bytes, 512 MiB by default, at least 2.5 MiB.
/// ``engine_memory``
///     The memory of the engines of all reads of the process in bytes, 1 GiB by default. The last reader decides.
/// ``max_file_size``
///     The size in bytes above which files are refused. There is no limit by default.
/// ``home``
///     The directory that ``~`` means at the start of a path.
/// ``password``
///     The password of encrypted documents.
/// ``allow_net``
///     A host that reads may connect to, or several: ``example.com``, ``example.com:8080``, ``*.example.com``,
///     an address, or ``public`` for all public hosts.
/// ``net_headers``
///     Headers by host, without a port: ``{"example.com": {"Authorization": "Bearer …"}}``. No other host gets them.
/// ``net_timeout``
///     The time of all requests of a read in seconds, 45 by default. It does not count towards ``timeout``.
/// ``net_max_bytes``
///     The size of the largest response in bytes, 50 MiB by default.
/// ``net_proxy``, ``net_user_agent``, ``net_authorities``
///     The address of a proxy, the value of ``User-Agent``, and PEM files of certificate authorities that are
///     accepted besides those of the platform.
///
/// Raises :class:`ConfigError` if a root cannot be opened or a value is wrong, ``TypeError`` for an unknown
/// argument, and :class:`ForkError` in a child of ``fork``.
#[pyclass(frozen, subclass, module = "omniread._native")]
pub(crate) struct Reader {
    /// `None` after the reader was closed.
    inner: Mutex<Option<omniread::Reader>>,
    pub(crate) number: u64,
}

impl Drop for Reader {
    fn drop(&mut self) {
        let reader = self.inner.get_mut();
        release(reader.unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Reader {
    /// The reader.
    ///
    /// # Errors
    /// Fails with a `ValueError` if it was closed.
    pub(crate) fn open(&self) -> PyResult<omniread::Reader> {
        let reader = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = reader.as_ref().cloned();
        reader.ok_or_else(|| PyValueError::new_err("the reader is closed"))
    }

    /// The owner of batches.
    fn owner(&self) -> Owner {
        Owner {
            reader: self.number,
            session: None,
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_none()
    }
}

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (roots=None, **settings))]
    fn new(
        py: Python<'_>,
        roots: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        check_process(py)?;
        let mut builder = omniread::Reader::builder();
        if let Some(roots) = roots.filter(|roots| !roots.is_none()) {
            for root in paths(roots)? {
                builder = builder.root(root);
            }
        }
        let mut network = Network::default();
        for (name, value) in settings.into_iter().flatten() {
            let name: String = name.extract()?;
            if value.is_none() && name != "timeout" {
                continue;
            }
            match name.strip_prefix("net_").filter(|_| name != "allow_net") {
                Some(setting) => network = network_with(py, network, setting, &value)?,
                None if name == "allow_net" => {
                    for grant in texts(&value)? {
                        let grant: Result<Grant, _> = grant.parse();
                        network = network.allow(grant.map_err(|error| wrong(py, &error))?);
                    }
                }
                None => builder = builder_with(builder, &name, &value)?,
            }
        }
        let built = py.detach(move || builder.network(network).build());
        Ok(Self {
            inner: Mutex::new(Some(built.map_err(|error| wrong(py, &error))?)),
            number: number(),
        })
    }

    /// The absolute paths of the roots. A root has two paths if one of them leads through a symlink.
    #[getter]
    fn roots(&self) -> PyResult<Vec<String>> {
        Ok(self.open()?.roots().map(str::to_owned).collect())
    }

    /// Whether the reader was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.is_closed()
    }

    /// The list ``tools`` of a request to the API of a model, with the tool of a dialect.
    ///
    /// With ``current``, the tool has the arguments that the tool of the agent has today, if they differ from those
    /// of the dialect. :meth:`Session.call` takes the arguments of either.
    #[pyo3(signature = (api, dialect="omp", *, current=false))]
    fn tools<'py>(
        &self,
        py: Python<'py>,
        api: &str,
        dialect: &str,
        current: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        check_process(py)?;
        let reader = self.open()?;
        let (api, dialect) = (options::api(api)?, options::dialect(dialect)?);
        let definitions = py.detach(|| {
            if current {
                reader.current_definitions()
            } else {
                reader.definitions()
            }
        });
        let definitions = definitions.map_err(|failure| read_error(py, &failure))?;
        let chosen = definitions
            .iter()
            .filter(|definition| definition.dialect == dialect);
        chosen
            .map(|definition| object(py, api.tool(definition)))
            .collect()
    }

    /// Paths that start with ``path``, at most ``most``. The paths of directories end in ``/``.
    #[pyo3(signature = (path, most=100))]
    fn complete(&self, py: Python<'_>, path: &str, most: usize) -> PyResult<Vec<String>> {
        check_process(py)?;
        let reader = self.open()?;
        Ok(py.detach(|| reader.complete(path, most)))
    }

    /// Read many paths on all cores. Iterate over the result for the rows, as ``omniread batch`` writes them.
    ///
    /// ``paths``
    ///     The paths, in any iterable. They are taken when they are needed, up to some hundred before their rows.
    /// ``members``
    ///     Each member of an archive has a row, in place of the archive.
    /// ``recursive``
    ///     Each file in a directory and below it has a row, in place of the directory.
    /// ``pages``
    ///     Each further page of a path has a row too, up to 10,000.
    /// ``ordered``
    ///     Rows are in the order of the paths. Otherwise they come as the reads end.
    /// ``jobs``
    ///     The number of reads at once: one for each core by default.
    /// ``done``
    ///     Paths that have a row already, in any iterable. They have no other one. It excludes ``pages``.
    ///
    /// The other arguments are options of the reads. A path that cannot be read has a row with its error, and a path
    /// that is in the list several times has one row. A row does not depend on the others.
    #[pyo3(
        signature = (paths, dialect="omp", **options),
        text_signature = "($self, paths, dialect='omp', *, members=False, recursive=False, pages=False, ordered=True, \
            jobs=None, done=None, **options)"
    )]
    fn batch(
        &self,
        py: Python<'_>,
        paths: &Bound<'_, PyAny>,
        dialect: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rows> {
        let settings = batch::settings(self.open()?, dialect, options)?;
        Rows::start(py, paths, settings, self.owner())
    }

    /// Find the files in directories, without reading them.
    ///
    /// Each path that is not a directory has a row without a reply, and so does each file in a directory and below it,
    /// without hidden ones. A directory that cannot be listed as a whole has a row with an error. A path to which
    /// several entries lead has one row, and one that is in ``done`` has none. The files in a
    /// directory that is in ``done`` have.
    #[pyo3(signature = (paths, *, recursive=true, done=None))]
    fn expand(
        &self,
        py: Python<'_>,
        paths: &Bound<'_, PyAny>,
        recursive: bool,
        done: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Rows> {
        let settings = (
            batch::only_paths(self.open()?, recursive),
            batch::paths_of(done)?,
        );
        Rows::start(py, paths, settings, self.owner())
    }

    /// Cancel the reads of the sessions of this reader, and refuse others. ``with`` calls this at its end.
    fn close(&self, py: Python<'_>) {
        running::cancel(self.number, None);
        let reader = self
            .inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        py.detach(move || release(reader));
    }

    #[expect(clippy::unused_self, reason = "Python calls it on the object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "cannot pickle a Reader: create one in each process, with the same arguments",
        ))
    }
}

/// Sets an argument of a reader that is not about the network.
fn builder_with(
    builder: omniread::Builder,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<omniread::Builder> {
    Ok(match name {
        "deny" => texts(value)?
            .into_iter()
            .fold(builder, omniread::Builder::deny),
        "mounts" => {
            let mut builder = builder;
            for item in value.cast::<PyMapping>()?.items()?.iter() {
                let (scheme, directories): (String, Bound<'_, PyAny>) = item.extract()?;
                for directory in paths(&directories)? {
                    builder = builder.mount(scheme.clone(), directory);
                }
            }
            builder
        }
        "timeout" if value.is_none() => builder.timeout(None),
        "timeout" => builder.timeout(seconds(name, value)?),
        "memory" => builder.memory(value.extract()?),
        "engine_memory" => builder.engine_memory(value.extract()?),
        "max_file_size" => builder.max_file_size(value.extract()?),
        "home" => builder.home(path(value)?),
        "password" => builder.password(value.extract::<String>()?),
        _ => {
            return Err(PyTypeError::new_err(format!(
                "Reader() got an unexpected keyword argument '{name}'"
            )));
        }
    })
}

/// Sets an argument of a reader that is about the network.
fn network_with(
    py: Python<'_>,
    network: Network,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<Network> {
    Ok(match name {
        "headers" => {
            let mut network = network;
            for item in value.cast::<PyMapping>()?.items()?.iter() {
                let (host, headers): (String, Bound<'_, PyAny>) = item.extract()?;
                for header in headers.cast::<PyMapping>()?.items()?.iter() {
                    let (name, value): (String, String) = header.extract()?;
                    network = network.header(host.clone(), name, value);
                }
            }
            network
        }
        "timeout" => network.timeout(seconds("net_timeout", value)?),
        "max_bytes" => network.max_bytes(value.extract()?),
        "user_agent" => network.user_agent(value.extract::<String>()?),
        "authorities" => paths(value)?.into_iter().fold(network, Network::authority),
        "proxy" => {
            let proxy: Result<Proxy, _> = value.extract::<String>()?.parse();
            network.proxy(proxy.map_err(|error| wrong(py, &error))?)
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "Reader() got an unexpected keyword argument 'net_{name}'"
            )));
        }
    })
}

/// A time in seconds, which is an `int`, a `float` or a `datetime.timedelta`.
fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!(
            "`{name}` is a number of seconds, not a bool"
        )));
    }
    let seconds: f64 = if value.hasattr("total_seconds")? {
        value.call_method0("total_seconds")?.extract()?
    } else {
        value.extract()?
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        PyValueError::new_err(format!("`{name}` is a number of seconds, not {seconds}"))
    })
}

/// The exception about arguments of a reader.
fn wrong(py: Python<'_>, error: &impl Display) -> PyErr {
    config_error(py, error.to_string())
}
