//! The code of the reader and of engines, compiled by the build script and part
//! of the binary.
//!
//! On Linux it runs where it lies: pages are read from the binary as they are
//! needed, so that a process that reads one file does not pay for the parsers
//! of all others. Elsewhere it is copied.

use wasmtime::component::Component;
use wasmtime::{Config, Engine, Result};

/// A component's code.
pub struct Code(&'static Aligned<[u8]>);

/// Bytes that start where a page does, whatever size pages have.
#[repr(C, align(65536))]
struct Aligned<T: ?Sized>(T);

/// The reader.
pub static READER: Code = Code(&Aligned(*include_bytes!(concat!(
    env!("OUT_DIR"),
    "/reader.cwasm"
))));

/// The engines, in the order of their table.
pub static ENGINES: [Code; crate::engines::table::ENGINES.len()] =
    include!(concat!(env!("OUT_DIR"), "/engines.rs"));

/// The reader for instances without reserved addresses, compressed.
static READER_UNRESERVED: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/reader-unreserved.cwasm.deflate"));

/// The component of the reader for instances without reserved addresses.
///
/// # Errors
/// If the code does not fit this processor, or memory is short.
#[expect(
    unsafe_code,
    reason = "loading compiled code cannot be checked by the compiler"
)]
pub fn reader_unreserved(engine: &Engine) -> Result<Component> {
    let code = miniz_oxide::inflate::decompress_to_vec(READER_UNRESERVED)
        .map_err(|error| wasmtime::format_err!("the code is damaged: {error}"))?;
    // SAFETY: the build script of this very crate compiled the code, with the
    // same version and configuration of wasmtime, and it is part of the binary.
    unsafe { Component::deserialize(engine, code) }
}

/// Sets up an engine that runs the code where it is, for [`component`].
pub fn configure(config: &mut Config) {
    #[cfg(target_os = "linux")]
    config.with_custom_code_memory(Some(std::sync::Arc::new(in_place::InPlace)));
    without_compiler(config);
}

/// Sets up an engine for [`reader_unreserved`]. Data is never compiled.
pub fn without_compiler(config: &mut Config) {
    #[cfg(feature = "compiler")]
    config.enable_compiler(false);
    let _ = config;
}

/// The component of some code. On Linux there is one at a time: the code stops
/// being executable when it is dropped.
///
/// # Errors
/// If the code does not fit this processor.
#[expect(
    unsafe_code,
    reason = "loading compiled code cannot be checked by the compiler"
)]
pub fn component(engine: &Engine, code: &Code) -> Result<Component> {
    #[cfg(target_os = "linux")]
    // SAFETY: the build script of this very crate compiled the code, with the
    // same version and configuration of wasmtime, and it is part of the binary:
    // nobody can have changed it, and it stays for as long as the process.
    return unsafe { Component::deserialize_raw(engine, std::ptr::NonNull::from(&code.0.0)) };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: as above.
    return unsafe { Component::deserialize(engine, &code.0.0) };
}

#[cfg(target_os = "linux")]
mod in_place {
    use rustix::mm::{MprotectFlags, mprotect};
    use wasmtime::{CustomCodeMemory, Result};

    /// Makes code executable where it lies.
    pub struct InPlace;

    impl CustomCodeMemory for InPlace {
        fn required_alignment(&self) -> usize {
            rustix::param::page_size()
        }

        #[expect(unsafe_code, reason = "what is executed cannot be checked")]
        fn publish_executable(&self, code: *const u8, length: usize) -> Result<()> {
            let flags = MprotectFlags::READ | MprotectFlags::EXEC;
            // SAFETY: these are whole pages of a [`Code`](super::Code), as the alignment that is
            // required guarantees. They were readable only, and are never
            // written to.
            unsafe { mprotect(code.cast_mut().cast(), length, flags) }?;
            Ok(())
        }

        #[expect(unsafe_code, reason = "as above")]
        fn unpublish_executable(&self, code: *const u8, length: usize) -> Result<()> {
            // SAFETY: as above; no code of this engine runs any more.
            unsafe { mprotect(code.cast_mut().cast(), length, MprotectFlags::READ) }?;
            Ok(())
        }
    }
}
