//! The imports of the reader besides those that engines have too: one file for each interface.
//! `opened` has what two of them share.

mod documents;
#[cfg(feature = "net")]
pub(crate) mod http;
mod images;
pub(crate) mod inputs;
mod opened;
mod pdf;
mod process;
mod resources;
mod sandbox;
mod session;
mod sqlite;
mod stdin;

use crate::bindings::omniread::parts as bindings;
use crate::link;
use crate::state::State;
use wasmtime::Result;
use wasmtime::component::{Component, HasSelf, Linker};

/// Returns a linker for all imports of the reader, and nothing else. The imports that engines must
/// not have use [`State`], the state of a read, which no engine has. Without the feature `net`, the reader calls no
/// function of `wasi:http`, because `get-capabilities` says that there is no network. Such a call would end it.
///
/// # Errors
/// Fails if two imports have the same name, which would be a defect.
pub(crate) fn linker(reader: &Component) -> Result<Linker<State>> {
    let mut linker = link::system(reader.engine())?;
    let l = &mut linker;
    bindings::session::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::sandbox::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::resources::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::sqlite::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::images::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::documents::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::pdf::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    #[cfg(feature = "net")]
    http::add_to_linker(l)?;
    #[cfg(not(feature = "net"))]
    l.define_unknown_imports_as_traps(reader)?;
    Ok(linker)
}
