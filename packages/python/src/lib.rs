//! The module `omniread._native` of the Python package: readers, sessions and replies of the library.
//!
//! `python/omniread` has the part that is written in Python: the classes of errors, reads of coroutines, and the reader
//! of the function `read`.
//!
//! * `reader` and `session` are the classes with these names. `options` are their keyword arguments.
//! * `batch` iterates over the rows of many paths, and `row` is one of them.
//! * `reply` has the classes of replies. `failure` raises failures as exceptions, and `data` converts facts.
//! * `running` runs a read without the lock of the interpreter, and ends it if a signal arrives, if its token is
//!   cancelled or its session closed, or if the interpreter ends.

mod batch;
mod data;
mod failure;
mod options;
mod reader;
mod reply;
mod row;
mod running;
mod session;

/// The part of the package `omniread` that is written in Rust. Use `omniread`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::batch::Rows;
    #[pymodule_export]
    use crate::failure::install;
    #[pymodule_export]
    use crate::reader::Reader;
    #[pymodule_export]
    use crate::reply::{Media, Reply, Text};
    #[pymodule_export]
    use crate::row::Row;
    #[pymodule_export]
    use crate::running::{CancelToken, shut_down};
    #[pymodule_export]
    use crate::session::Session;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("version", env!("CARGO_PKG_VERSION"))?;
        crate::options::add_names(module)
    }
}
