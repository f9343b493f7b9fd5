//! Instances of a component, whose safepoints the host knows.

#[cfg(test)]
mod tests;

use crate::link::{Function, Signature};
use crate::safepoints::{EXPORT, Safepoints};
use crate::system::HasSystem;
use std::sync::Arc;
use wasmtime::component::{Component, Instance, InstancePre, WasmList};
use wasmtime::{Result, Store};

/// The function that returns the flags of an instance.
struct Exported;

impl Signature for Exported {
    type Parameters<'p> = ();
    type Result = WasmList<u8>;
}

/// Creates instances of a component.
pub(crate) struct Instances<T: 'static> {
    instances: InstancePre<T>,
    /// `None` if the code has no safepoints. Then its functions cannot be called.
    safepoints: Option<Arc<Function<Exported>>>,
}

impl<T> Clone for Instances<T> {
    fn clone(&self) -> Self {
        Self {
            instances: self.instances.clone(),
            safepoints: self.safepoints.clone(),
        }
    }
}

impl<T: HasSystem> Instances<T> {
    /// Instances of a component, whose imports are linked.
    pub(crate) fn new(component: &Component, instances: InstancePre<T>) -> Self {
        let safepoints = component.get_export_index(None, EXPORT);
        Self {
            instances,
            safepoints: safepoints.map(|index| Arc::new(Function::new(index))),
        }
    }

    /// Creates an instance, and notes its safepoints in the state of the store.
    ///
    /// # Errors
    /// Fails if the memory exceeds its limit, or the read was stopped.
    pub(crate) fn create(&self, store: &mut Store<T>) -> Result<Instance> {
        let instance = self.instances.instantiate(&mut *store)?;
        if let Some(safepoints) = &self.safepoints {
            let list = safepoints.call(store, instance, ())?;
            #[expect(unsafe_code, reason = "the compiled code is that of the build")]
            // SAFETY: the build has added the function, which returns the memory of the flags. It stays in place.
            let safepoints = unsafe { Safepoints::of(list.as_le_slice(&*store)) };
            let safepoints =
                safepoints.ok_or_else(|| wasmtime::format_err!("its safepoints are not known"))?;
            store.data_mut().system().safepoints = Some(safepoints);
        }
        Ok(instance)
    }
}
