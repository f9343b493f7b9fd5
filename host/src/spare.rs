//! A fresh instance that waits for the next read, which then need not create it.

use crate::safepoints::Safepoints;
use crate::system::HasSystem;
use crate::upkeep::{Prepare, Upkeep, try_lock};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use wasmtime::component::Instance;
use wasmtime::{ResourceLimiter as _, Result, Store};

/// Creates an instance in a store whose state belongs to no read.
type Create<T> = Box<dyn Fn() -> Result<(Store<T>, Instance)> + Send + Sync>;

/// An instance of a component, if one is prepared. Each is used once.
pub(crate) struct Spare<T: HasSystem> {
    state: Mutex<State<T>>,
    create: Create<T>,
}

enum State<T: 'static> {
    None,
    /// It is to be prepared.
    Wanted,
    /// A thread prepares it.
    Begun,
    Ready(Ready<T>),
    /// Instances cannot be prepared.
    Never,
}

/// A prepared instance.
pub(crate) struct Ready<T: 'static> {
    pub(crate) store: Store<T>,
    pub(crate) instance: Started,
}

/// An instance whose memory was not counted yet.
#[derive(Clone, Copy)]
pub(crate) struct Started {
    instance: Instance,
    safepoints: Option<Safepoints>,
    /// The size in bytes of its largest memory.
    pub(crate) bytes: usize,
}

impl Started {
    /// Counts the memory of the instance, as if a store with this state had created it.
    ///
    /// # Errors
    /// Fails if the memory exceeds its limit, or the read was stopped.
    pub(crate) fn counted(self, state: &mut impl HasSystem) -> Result<Instance> {
        let system = state.system();
        system.safepoints = self.safepoints;
        system.memory_growing(0, self.bytes, None)?;
        Ok(self.instance)
    }
}

impl<T: HasSystem> Spare<T> {
    /// No instance yet. `create` creates one with a state from [`Grant::none`](crate::system::Grant::none).
    pub(crate) fn new(
        upkeep: &Upkeep,
        create: impl Fn() -> Result<(Store<T>, Instance)> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let spare = Arc::new(Self {
            state: Mutex::new(State::None),
            create: Box::new(create),
        });
        let weak: Weak<Self> = Arc::downgrade(&spare);
        upkeep.add(weak);
        spare
    }

    /// Takes the prepared instance, if there is one, and has the next one prepared.
    pub(crate) fn take(self: &Arc<Self>, upkeep: &Arc<Upkeep>) -> Option<Ready<T>> {
        let is_apart = upkeep.is_apart();
        let mut state = try_lock(&self.state)?;
        let ready = match &*state {
            State::None => None,
            State::Ready(_) => match std::mem::replace(&mut *state, State::None) {
                State::Ready(ready) => Some(ready),
                _ => None,
            },
            State::Wanted | State::Begun | State::Never => return None,
        };
        if is_apart {
            *state = State::Wanted;
        }
        drop(state);
        let spare = Arc::clone(self);
        if is_apart && !upkeep.want(spare) {
            self.unwanted();
        }
        ready
    }

    /// Whether an instance is prepared.
    #[cfg(test)]
    pub(crate) fn is_ready(&self) -> bool {
        matches!(*self.locked(), State::Ready(_))
    }

    /// Calls a function while no instance can be taken.
    #[cfg(test)]
    pub(crate) fn while_locked(&self, call: impl FnOnce()) {
        let _locked = self.locked();
        call();
    }

    fn unwanted(&self) {
        let mut state = self.locked();
        if matches!(*state, State::Wanted) {
            *state = State::None;
        }
    }

    fn locked(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn created(&self) -> State<T> {
        let Ok((mut store, instance)) = (self.create)() else {
            return State::None;
        };
        let system = store.data_mut().system();
        // A read gets a state of its own, so the instance must not have anything in this one.
        if !system.table.is_empty() {
            return State::Never;
        }
        let instance = Started {
            instance,
            safepoints: system.safepoints,
            bytes: system.limits.bytes,
        };
        State::Ready(Ready { store, instance })
    }
}

impl<T: HasSystem> Prepare for Spare<T> {
    fn prepare(&self) {
        let mut state = self.locked();
        if !matches!(*state, State::Wanted) {
            return;
        }
        *state = State::Begun;
        drop(state);
        let created = self.created();
        *self.locked() = created;
    }

    fn release(&self) {
        let mut state = self.locked();
        let released = match &*state {
            State::Ready(_) => std::mem::replace(&mut *state, State::None),
            _ => return,
        };
        drop(state);
        drop(released);
    }
}
