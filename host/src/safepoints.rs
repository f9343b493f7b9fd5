//! The safepoints of an instance: flags that its code looks at in each cycle.
//!
//! The build adds them to the code and says why (`code/build/safepoints.rs`). The clock sets the flags from its thread.

mod flags;

pub(crate) use flags::EXPORT;

use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// The flags, as the code of an instance reads them.
#[repr(C)]
struct Flags {
    /// If they are not zero, the instance asks the host at its next safepoint.
    asks: [AtomicU32; flags::COUNT],
    /// If they are not zero, the instance ends at its next safepoint in a loop without calls.
    ends: [AtomicU32; flags::COUNT],
}

const _: () = assert!(size_of::<Flags>() == flags::BYTES);

/// The safepoints of an instance. They may be used while its store exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Safepoints(NonNull<Flags>);

#[expect(
    unsafe_code,
    reason = "the clock writes to the memory of instances from its thread"
)]
// SAFETY: the flags are atomic, so that any thread may use them.
unsafe impl Send for Safepoints {}

#[expect(unsafe_code, reason = "as above")]
// SAFETY: as above.
unsafe impl Sync for Safepoints {}

impl Safepoints {
    /// The safepoints whose flags are these bytes of the memory of an instance.
    ///
    /// # Safety
    /// The bytes must be the memory that the build adds for the flags, and stay in place while the safepoints are used.
    #[expect(
        unsafe_code,
        reason = "wasmtime gives no other access to the memory of a component"
    )]
    pub(crate) unsafe fn of(bytes: &[u8]) -> Option<Self> {
        // They are not borrowed, because the clock uses them while the instance runs.
        let address = ptr::with_exposed_provenance_mut(bytes.as_ptr().expose_provenance());
        let flags = NonNull::<Flags>::new(address).filter(|flags| flags.is_aligned())?;
        (bytes.len() == size_of::<Flags>()).then_some(Self(flags))
    }

    /// Makes the instance ask the host at its next safepoint.
    pub(crate) fn ask(self) {
        set(&self.flags().asks, 1);
    }

    /// Notes that the instance has asked.
    pub(crate) fn answer(self) {
        set(&self.flags().asks, 0);
    }

    /// Makes the instance end at its next safepoint in a loop without calls, which cannot ask.
    pub(crate) fn end(self) {
        set(&self.flags().ends, 1);
    }

    /// Makes the instance continue at each safepoint.
    pub(crate) fn clear(self) {
        set(&self.flags().asks, 0);
        set(&self.flags().ends, 0);
    }

    #[expect(
        unsafe_code,
        reason = "wasmtime gives no other access to the memory of a component"
    )]
    fn flags(&self) -> &Flags {
        // SAFETY: `of` has got the address from wasmtime, and the memory stays where it is until the store is
        // dropped. Who keeps the safepoints drops them before. The memory contains nothing but the flags, and no code has
        // an instruction that writes to them.
        unsafe { self.0.as_ref() }
    }
}

fn set(flags: &[AtomicU32], value: u32) {
    for flag in flags {
        flag.store(value, Ordering::Relaxed);
    }
}
