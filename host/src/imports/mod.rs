//! What the reader imports beside WASI, a file for each interface.

mod images;
mod inputs;
mod resources;
mod sandbox;
mod session;
mod sqlite;
mod stdin;

use crate::bindings::omniread::read as bindings;
use crate::link;
use crate::state::State;
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Engine, Result};

/// Everything the reader imports, and nothing else. What only the reader may have
/// is added to the state of a read, which no engine has.
///
/// # Errors
/// If two imports have one name, which would be a defect.
pub(crate) fn linker(engine: &Engine) -> Result<Linker<State>> {
    let mut linker = link::system(engine)?;
    let l = &mut linker;
    bindings::session::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::sandbox::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::resources::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::sqlite::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    bindings::images::add_to_linker::<State, HasSelf<State>>(l, |state| state)?;
    Ok(linker)
}
