use super::Instances;
use crate::config::Memory;
use crate::runtime::Runtime;
use crate::sandbox::{CancelToken, ProcessorLimit, ReadTime, Stop, Stopped, processor_time};
use crate::system::{Grant, HasSystem, System};
use omniread_hostile::{ENDLESS, ENDLESS_UNRESERVED, ENDS, FUNCTIONS};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;
use wasmtime::component::{Component, Instance, Linker};
use wasmtime::{Result, Store};

struct State(System);

impl HasSystem for State {
    fn system(&mut self) -> &mut System {
        &mut self.0
    }

    fn end(&mut self) {}
}

/// The component that never ends, in an engine as that of the library.
struct Endless {
    runtime: Runtime,
    component: Component,
    instances: Instances<State>,
}

impl Endless {
    fn new(pooled: bool) -> Self {
        Self::of(Runtime::new(pooled).unwrap(), ENDLESS)
    }

    /// With the code of a process with a limited address space.
    fn unreserved() -> Self {
        let runtime = Runtime::with(Memory::Unreserved, false).unwrap();
        Self::of(runtime, ENDLESS_UNRESERVED)
    }

    fn of(runtime: Runtime, code: &[u8]) -> Self {
        #[expect(unsafe_code, reason = "wasmtime trusts code")]
        // SAFETY: the build script of the test component compiled it.
        let component = unsafe { Component::deserialize(runtime.engine(), code) }.unwrap();
        let linker = Linker::new(runtime.engine());
        let instances = Instances::new(&component, linker.instantiate_pre(&component).unwrap());
        Self {
            runtime,
            component,
            instances,
        }
    }

    fn store(&self, stop: Stop) -> Store<State> {
        let grant = Grant {
            stop,
            ..Grant::none()
        };
        self.runtime.store(State(System::new(grant)))
    }

    /// Calls a function in an instance of its own.
    fn call(&self, function: &str, stop: Stop) -> Result<()> {
        let mut store = self.store(stop);
        let instance = self.instances.create(&mut store)?;
        self.call_again(function, instance, &mut store)
    }

    /// Calls a function, which must be stopped for this reason.
    fn assert_stopped(&self, function: &str, stop: Stop, why: Stopped) {
        assert_eq!(stopped(self.call(function, stop)), why, "{function}");
    }

    /// Calls a function of an instance.
    fn call_again(
        &self,
        function: &str,
        instance: Instance,
        store: &mut Store<State>,
    ) -> Result<()> {
        let function = self.component.get_export_index(None, function).unwrap();
        self.runtime.run(store, |store| {
            let function = instance.get_typed_func::<(), ()>(&mut *store, function)?;
            function.call(store, ())
        })
    }
}

fn stopped(result: Result<()>) -> Stopped {
    *result.unwrap_err().downcast_ref().unwrap()
}

/// A time limit that is soon reached.
fn short() -> Stop {
    Stop {
        time: Arc::new(ReadTime::new(Some(Duration::from_millis(30)))),
        ..Stop::default()
    }
}

#[test]
fn each_cycle_ends_in_time() {
    for endless in [
        Endless::new(false),
        Endless::new(true),
        Endless::unreserved(),
    ] {
        for function in FUNCTIONS {
            endless.assert_stopped(function, short(), Stopped::Time);
        }
    }
}

#[test]
fn each_cycle_is_cancelled() {
    let endless = Endless::new(true);
    for function in FUNCTIONS {
        let token = CancelToken::new();
        let stop = Stop {
            token: Some(token.clone()),
            ..Stop::default()
        };
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                token.cancel();
            });
            endless.assert_stopped(function, stop, Stopped::Cancelled);
        });
    }
}

#[test]
fn each_cycle_ends_at_its_limit_of_processor_time() {
    let endless = Endless::new(true);
    for function in FUNCTIONS {
        let stop = Stop {
            processor: Some(Arc::new(ProcessorLimit::new(
                Duration::from_millis(30),
                processor_time(),
            ))),
            ..Stop::default()
        };
        endless.assert_stopped(function, stop, Stopped::Processor);
    }
}

/// A check looks for signals, which only the thread of the read can do.
#[test]
fn check_of_a_token_runs_on_the_thread_of_the_read() {
    let endless = Endless::new(true);
    let (calls, this) = (Arc::new(AtomicUsize::new(0)), thread::current().id());
    let counted = Arc::clone(&calls);
    let is_here = move || -> bool {
        let thread: ThreadId = thread::current().id();
        assert_eq!(thread, this);
        counted.fetch_add(1, Ordering::Relaxed) == 4
    };
    let stop = Stop {
        token: Some(CancelToken::with_check(is_here)),
        ..Stop::default()
    };
    assert_eq!(
        stopped(endless.call("loop-with-calls", stop)),
        Stopped::Cancelled
    );
    assert_eq!(calls.load(Ordering::Relaxed), 5);
}

#[test]
fn instance_that_was_stopped_does_not_stop_others() {
    for endless in [Endless::new(true), Endless::unreserved()] {
        for function in ["loop", "loop-with-calls"] {
            endless.call(function, short()).unwrap_err();
            // The memory is used again.
            endless.call(ENDS, Stop::default()).unwrap();
        }
    }
}

/// The host blocks in a call of a read that was cancelled, and the instance gets to no safepoint meanwhile.
#[test]
fn instance_that_ended_before_it_stopped_is_called_again() {
    let endless = Endless::new(true);
    let token = CancelToken::new();
    token.cancel();
    let mut store = endless.store(Stop {
        token: Some(token),
        ..Stop::default()
    });
    let instance = endless.instances.create(&mut store).unwrap();
    let blocked = endless.runtime.run(&mut store, |_| {
        thread::sleep(Duration::from_millis(60));
        Ok(())
    });
    blocked.unwrap();
    store.data_mut().0.set_stop(Stop::default());
    endless.call_again(ENDS, instance, &mut store).unwrap();
}

#[test]
fn instances_run_side_by_side() {
    let endless = Endless::new(true);
    thread::scope(|scope| {
        for function in FUNCTIONS {
            let endless = &endless;
            scope.spawn(move || {
                for _ in 0..50 {
                    endless.call(ENDS, Stop::default()).unwrap();
                }
                endless.assert_stopped(function, short(), Stopped::Time);
            });
        }
    });
}
