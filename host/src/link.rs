//! What WASI has for the reader and for engines, and nothing else: no sockets, no
//! writing.

use crate::bindings::omniread::read::inputs;
use crate::bindings::wasi::filesystem::{preopens, types as filesystem};
use crate::sandbox::{Filesystem, View};
use crate::system::{HasSystem, System};
use wasmtime::component::{HasData, HasSelf, Linker, ResourceTable};
use wasmtime::{Engine, Result};
use wasmtime_wasi::cli::{WasiCli, WasiCliCtxView, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksCtxView, WasiClocksView as _};
use wasmtime_wasi::p2::bindings::sync::{cli, clocks, io};

/// Streams live in the table of handles.
struct Io;

impl HasData for Io {
    type Data<'a> = &'a mut ResourceTable;
}

/// What every instance may import.
pub(crate) fn system<T: HasSystem>(engine: &Engine) -> Result<Linker<T>> {
    fn view<T: HasSystem>(state: &mut T) -> View<'_> {
        let system = state.system();
        View {
            table: &mut system.table,
            filesystem: &mut system.filesystem,
        }
    }
    fn table<T: HasSystem>(state: &mut T) -> &mut ResourceTable {
        &mut state.system().table
    }
    fn clocks<T: HasSystem>(state: &mut T) -> WasiClocksCtxView<'_> {
        state.system().clocks()
    }
    fn cli<T: HasSystem>(state: &mut T) -> WasiCliCtxView<'_> {
        state.system().cli()
    }
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    filesystem::add_to_linker::<T, Filesystem>(l, view)?;
    preopens::add_to_linker::<T, Filesystem>(l, view)?;
    io::error::add_to_linker::<T, Io>(l, table)?;
    io::poll::add_to_linker::<T, Io>(l, table)?;
    io::streams::add_to_linker::<T, Io>(l, table)?;
    clocks::wall_clock::add_to_linker::<T, WasiClocks>(l, clocks)?;
    clocks::monotonic_clock::add_to_linker::<T, WasiClocks>(l, clocks)?;
    cli::environment::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::exit::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::stdin::add_to_linker::<T, HasSelf<System>>(l, T::system)?;
    cli::stdout::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::stderr::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::terminal_input::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::terminal_output::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::terminal_stdin::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::terminal_stdout::add_to_linker::<T, WasiCli>(l, cli)?;
    cli::terminal_stderr::add_to_linker::<T, WasiCli>(l, cli)?;
    inputs::add_to_linker::<T, HasSelf<System>>(l, T::system)?;
    Ok(linker)
}
