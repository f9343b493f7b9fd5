//! The compiled code of the reader and the engines. The build script compiles it, and it is
//! part of the binary.
//!
//! On Linux the code runs in place: its pages are loaded from the binary on demand, so that a
//! process that reads one file does not load the parsers of all formats. On other systems the
//! code is copied.

use wasmtime::component::Component;
use wasmtime::{Config, Engine, Result};

/// The compiled code of a component, in two forms with the same machine code: the whole bytes, and those from
/// `mapped` on.
pub struct Code {
    forms: &'static Aligned<[u8]>,
    mapped: usize,
}

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

impl Code {
    /// The bytes of a form.
    fn form(&self, content: Content) -> &'static [u8] {
        let start = match content {
            Content::Mapped => self.mapped,
            Content::Copied => 0,
        };
        self.forms.0.get(start..).unwrap_or_default()
    }
}

/// Bytes that are aligned to the largest page size.
#[repr(C, align(65536))]
struct Aligned<T: ?Sized>(T);

/// The code of the reader.
pub static READER: Code = include!(concat!(env!("OUT_DIR"), "/reader.rs"));

/// The code of the engines, in the order of their table.
pub static ENGINES: [Code; crate::engines::table::ENGINES.len()] =
    include!(concat!(env!("OUT_DIR"), "/engines.rs"));

/// The compressed code of the reader for processes with a limited address space, in which no
/// addresses are reserved for the memory of instances.
static READER_UNRESERVED: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/reader-unreserved.cwasm.deflate"));

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
    let code = miniz_oxide::inflate::decompress_to_vec(READER_UNRESERVED)
        .map_err(|error| wasmtime::format_err!("the code is damaged: {error}"))?;
    // SAFETY: the build script of this very crate compiled the code, with the
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
    let code = code.form(content);
    #[cfg(target_os = "linux")]
    // SAFETY: the build script of this very crate compiled the code, with the
    // same version and configuration of wasmtime, and it is part of the binary:
    // nobody can have changed it, and it stays for as long as the process.
    return unsafe { Component::deserialize_raw(engine, std::ptr::NonNull::from(code)) };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: the build script of this crate compiled the code, and it is part of the binary.
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
            // alignment. They were read-only, and are never written to.
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
    /// The build warns about a component whose linker gives it another structure (`build/direct.rs`).
    #[test]
    fn components_call_the_host_directly() {
        let changed = include_str!(concat!(env!("OUT_DIR"), "/direct.txt"));
        let engines = crate::engines::table::ENGINES.iter();
        let names = engines.map(|engine| engine.name);
        let names: Vec<&str> = std::iter::once("reader").chain(names).collect();
        assert_eq!(changed.split(' ').collect::<Vec<_>>(), names);
    }
}
