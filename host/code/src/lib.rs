//! The machine code of the reader and the engines, for the target of the build.
//!
//! In a clone of omniread, the build script compiles the guests to components, and those ahead of time. The published
//! crate of this name has the same items. It contains what the build script compiled, so that an installation needs
//! neither the compiler of wasmtime nor a target for WebAssembly. The code belongs to one version of wasmtime.

/// Bytes that are aligned to the largest page size on Linux, where code runs where it is in the binary. Files of other
/// systems cannot have this alignment, and there the code is copied.
#[cfg_attr(target_os = "linux", repr(C, align(65536)))]
#[cfg_attr(not(target_os = "linux"), repr(C, align(16)))]
struct Aligned<T>(T);

/// The machine code of a component, as wasmtime writes it, in two forms with the same functions.
pub struct Code {
    /// Aligned to the largest page size on Linux.
    forms: &'static [u8],
    mapped: usize,
}

impl Code {
    /// The form by which instances copy the initial content of their memory. Only on Linux it differs from the other one.
    pub fn copied(&self) -> &'static [u8] {
        self.forms
    }

    /// The form by which instances map a file in memory, which wasmtime writes when it creates the first one.
    pub fn mapped(&self) -> &'static [u8] {
        self.forms.get(self.mapped..).unwrap_or_default()
    }
}

include!(concat!(env!("OUT_DIR"), "/items.rs"));

/// The compressed code (raw DEFLATE) of the reader for processes with a limited address space, in which no addresses
/// are reserved for the memory of instances.
pub static READER_UNRESERVED: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/reader-unreserved.cwasm.deflate"));

#[cfg(test)]
mod tests {
    /// The build warns about a component whose linker gives it another structure (`build/direct.rs`).
    #[test]
    fn components_call_the_host_directly() {
        let engines = crate::ENGINES.iter().map(|(name, _)| *name);
        let names: Vec<&str> = std::iter::once("reader").chain(engines).collect();
        assert_eq!(crate::DIRECT, names);
    }
}
