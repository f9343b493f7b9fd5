//! The compiled code of the reader and the engines, which is part of the binary: the crate `omniread-code`.
//!
//! On Linux the code runs in place: its pages are loaded from the binary on demand, so that a
//! process that reads one file does not load the parsers of all formats. On other systems the
//! code is copied.

use omniread_code::Code;
use wasmtime::component::Component;
use wasmtime::{Config, Engine, Result};

pub use omniread_code::{READER, READER_MEMORY};

/// The way in which instances get the initial content of their memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// They map a file in memory, which wasmtime writes when it creates the first one.
    Mapped,
    /// They copy it.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux loads code in place")
    )]
    Copied,
}

/// The code of an engine.
///
/// # Errors
/// Fails if no code was compiled for an engine with this name.
pub fn of_engine(name: &str) -> Result<&'static Code> {
    let mut engines = omniread_code::ENGINES.iter();
    match engines.find(|(engine, _)| *engine == name) {
        Some((_, code)) => Ok(code),
        None => Err(wasmtime::format_err!(
            "there is no code for the engine `{name}`"
        )),
    }
}

/// Loads the code of the reader for processes with a limited address space, in which no addresses
/// are reserved for the memory of instances.
///
/// # Errors
/// Fails if the code does not fit this processor, or there is not enough memory.
#[expect(
    unsafe_code,
    reason = "loading compiled code cannot be checked by the compiler"
)]
pub fn reader_unreserved(engine: &Engine) -> Result<Component> {
    let code = omniread_code::reader_unreserved()?;
    // SAFETY: the build script of `omniread-code` compiled the code, with the
    // same version and configuration of wasmtime, and it is part of the binary.
    unsafe { Component::deserialize(engine, code) }
}

/// Configures wasmtime for [`component`]. On Linux, compiled code then runs where it is in the
/// binary, and is not copied.
pub fn configure(config: &mut Config) {
    #[cfg(target_os = "linux")]
    config.with_custom_code_memory(Some(std::sync::Arc::new(in_place::InPlace)));
    #[cfg(not(target_os = "linux"))]
    let _ = config;
}

/// Loads a component from compiled code. On Linux, the same code must not be loaded again before
/// the component is dropped, because it stops being executable then.
///
/// # Errors
/// Fails if the code does not fit this processor.
#[expect(
    unsafe_code,
    reason = "loading compiled code cannot be checked by the compiler"
)]
pub fn component(engine: &Engine, code: &Code, content: Content) -> Result<Component> {
    let code = match content {
        Content::Copied => code.copied()?,
        Content::Mapped => code.mapped()?,
    };
    #[cfg(target_os = "linux")]
    // SAFETY: the build script of `omniread-code` compiled the code, with the
    // same version and configuration of wasmtime, and it is part of the binary, or
    // was decompressed from it: nobody can have changed it, and it stays for as
    // long as the process.
    return unsafe { Component::deserialize_raw(engine, std::ptr::NonNull::from(code)) };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: the build script of `omniread-code` compiled the code, and it is part of the binary.
    return unsafe { Component::deserialize(engine, code) };
}

#[cfg(target_os = "linux")]
mod in_place {
    use rustix::mm::{MprotectFlags, mprotect};
    use wasmtime::{CustomCodeMemory, Result};

    /// Makes compiled code executable where it is in the binary, without a copy.
    pub struct InPlace;

    impl CustomCodeMemory for InPlace {
        fn required_alignment(&self) -> usize {
            rustix::param::page_size()
        }

        #[expect(unsafe_code, reason = "what is executed cannot be checked")]
        fn publish_executable(&self, code: *const u8, length: usize) -> Result<()> {
            let flags = MprotectFlags::READ | MprotectFlags::EXEC;
            // SAFETY: these are whole pages of a [`Code`](super::Code), because of the required
            // alignment. They were read-only, or this process decompressed them, and they are never written to.
            unsafe { mprotect(code.cast_mut().cast(), length, flags) }?;
            Ok(())
        }

        #[expect(unsafe_code, reason = "as above")]
        fn unpublish_executable(&self, code: *const u8, length: usize) -> Result<()> {
            // SAFETY: these are the pages of `publish_executable`. No code of this engine runs
            // any more.
            unsafe { mprotect(code.cast_mut().cast(), length, MprotectFlags::READ) }?;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_engine_has_code() {
        for engine in &crate::engines::table::ENGINES {
            assert!(super::of_engine(engine.name).is_ok(), "{}", engine.name);
        }
        assert!(super::of_engine("nothing").is_err());
    }
}
