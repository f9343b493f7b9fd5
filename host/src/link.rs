//! The link between instances and the host: the part of WASI that the reader and the engines
//! may import, and typed calls of their exports. Sockets and writing to files are not linked.

use crate::bindings::omniread::parts::inputs;
use crate::bindings::wasi::filesystem::{preopens, types as filesystem};
use crate::sandbox::{Filesystem, View};
use crate::system::{HasSystem, System};
use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, Func, HasData, HasSelf, Instance, Lift,
    Linker, Lower, ResourceTable, TypedFunc,
};
use wasmtime::{Engine, Result, Store};
use wasmtime_wasi::cli::{WasiCli, WasiCliCtxView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksCtxView};
use wasmtime_wasi::p2::bindings::sync::{cli, clocks, io};

/// The version of the interfaces in `wit/`.
const VERSION: &str = "0.1.0";

/// Looks up an exported interface of a component: `omniread:read/tools`.
///
/// # Errors
/// Fails if the component does not export the interface.
pub(crate) fn interface(component: &Component, name: &str) -> Result<ComponentExportIndex> {
    let name = format!("{name}@{VERSION}");
    let index = component.get_export_index(None, &name);
    index.ok_or_else(|| wasmtime::format_err!("it has no `{name}`"))
}

/// Calls an exported function of an instance. Only this function is looked up. If the whole
/// interface were looked up, wasmtime would check the types of all its functions.
///
/// # Errors
/// Fails if the function has another type, or if the call was stopped or trapped.
pub(crate) fn call<T, P, R>(
    store: &mut Store<T>,
    instance: Instance,
    function: &ComponentExportIndex,
    parameters: P,
) -> Result<R>
where
    T: 'static,
    P: ComponentNamedList + Lower + Send + Sync,
    R: Lift + Send + Sync + 'static,
{
    let function = instance.get_typed_func::<P, (R,)>(&mut *store, function)?;
    Ok(function.call(store, parameters)?.0)
}

/// The types of an exported function. None of them is a resource, whose type may differ between instances.
pub(crate) trait Signature {
    /// The parameters, which may be borrowed.
    type Parameters<'p>: ComponentNamedList + Lower + Send + Sync;
    /// The result.
    type Result: Lift + Send + Sync + 'static;
}

/// An exported function of one component. Its first call checks the types, and the later ones do not. The check takes
/// as long as a fifth of the work of wasmtime for a small read.
pub(crate) struct Function<S> {
    index: ComponentExportIndex,
    is_checked: AtomicBool,
    signature: PhantomData<fn() -> S>,
}

impl<S: Signature> Function<S> {
    /// The function with this index.
    pub(crate) fn new(index: ComponentExportIndex) -> Self {
        Self {
            index,
            is_checked: AtomicBool::new(false),
            signature: PhantomData,
        }
    }

    /// Calls the function of an instance.
    ///
    /// # Errors
    /// Fails if the function has other types, or if the call was stopped or trapped.
    pub(crate) fn call<T: 'static>(
        &self,
        store: &mut Store<T>,
        instance: Instance,
        parameters: S::Parameters<'_>,
    ) -> Result<S::Result> {
        let function = if self.is_checked.load(Ordering::Acquire) {
            let function = instance.get_func(&mut *store, self.index);
            let function = function.ok_or_else(|| wasmtime::format_err!("it has no function"))?;
            unchecked::<S::Parameters<'_>, S::Result>(function)
        } else {
            let function = instance.get_typed_func(&mut *store, self.index)?;
            self.is_checked.store(true, Ordering::Release);
            function
        };
        Ok(function.call(store, parameters)?.0)
    }
}

/// The function as one with these types, which were checked.
#[expect(
    unsafe_code,
    reason = "wasmtime has no check of types that lasts longer than an instance"
)]
fn unchecked<P, R>(function: Func) -> TypedFunc<P, (R,)>
where
    P: ComponentNamedList + Lower,
    R: Lift + 'static,
{
    // SAFETY: the callers have checked the function with this index for these types, of which only lifetimes differ
    // between calls. An index finds functions only in instances of the component that it belongs to, and all of them have
    // the same types, except for resources. A `ResourceAny` fits each of these, and wasmtime compares its type in the call.
    unsafe { TypedFunc::new_unchecked(function) }
}

/// The methods of the resources of one component. As for [`Function`], only the first call of each checks the types.
#[derive(Default)]
pub(crate) struct Methods(Mutex<Vec<Method>>);

/// A method whose types were checked.
struct Method {
    name: &'static str,
    types: TypeId,
    index: ComponentExportIndex,
}

impl Methods {
    /// Calls a method of an instance. All resources in the types must be a `ResourceAny`: other types of resources
    /// may differ between instances.
    ///
    /// # Errors
    /// Fails if the instance has no such method, or if the call was stopped or trapped.
    pub(crate) fn call<T, P, R>(
        &self,
        store: &mut Store<T>,
        (instance, interface): (Instance, &ComponentExportIndex),
        name: &'static str,
        parameters: P,
    ) -> Result<R>
    where
        T: 'static,
        P: ComponentNamedList + Lower + Send + Sync + 'static,
        R: Lift + Send + Sync + 'static,
    {
        let types = TypeId::of::<(P, R)>();
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = known()
            .iter()
            .find(|method| method.types == types && method.name == name)
            .map(|method| method.index);
        let function = if let Some(index) = index {
            let function = instance.get_func(&mut *store, index);
            let function = function.ok_or_else(|| wasmtime::format_err!("it has no `{name}`"))?;
            unchecked::<P, R>(function)
        } else {
            let index = instance.get_export_index(&mut *store, Some(interface), name);
            let index = index.ok_or_else(|| wasmtime::format_err!("it has no `{name}`"))?;
            let function = instance.get_typed_func::<P, (R,)>(&mut *store, index)?;
            known().push(Method { name, types, index });
            function
        };
        Ok(function.call(store, parameters)?.0)
    }
}

/// Gives the stream interfaces of WASI access to the table of handles, which contains the streams.
struct Io;

impl HasData for Io {
    type Data<'a> = &'a mut ResourceTable;
}

/// Links the imports that every instance of the reader or of an engine gets.
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
    clocks::wall_clock::add_to_linker::<T, HasSelf<System>>(l, T::system)?;
    clocks::monotonic_clock::add_to_linker::<T, WasiClocks>(l, clocks)?;
    cli::environment::add_to_linker::<T, HasSelf<System>>(l, T::system)?;
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
