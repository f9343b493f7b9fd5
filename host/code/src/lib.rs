//! The machine code of the reader and the engines, for the target of the build.
//!
//! In a clone of omniread, the build script compiles the guests to components, and those ahead of time. The published
//! crate of this name has the same items. It contains what the build script compiled, so that an installation needs
//! neither the compiler of wasmtime nor a target for WebAssembly. The code belongs to one version of wasmtime.

#[cfg(feature = "compressed")]
mod compressed;
#[cfg(all(feature = "compressed-engines", not(feature = "compressed")))]
mod divided;
#[cfg(not(feature = "compressed"))]
mod plain;

#[cfg(feature = "compressed")]
use compressed::{Forms, Rare};
#[cfg(all(feature = "compressed-engines", not(feature = "compressed")))]
use divided::{Forms, Rare};
#[cfg(not(any(feature = "compressed", feature = "compressed-engines")))]
use plain::{Forms, Rare};

/// The machine code of a component, as wasmtime writes it, in two forms with the same functions.
pub struct Code {
    /// Aligned to the largest page size on Linux.
    forms: Forms,
    mapped: usize,
}

impl Code {
    /// The form by which instances copy the initial content of their memory. Only on Linux it differs from the other one.
    ///
    /// # Errors
    /// Fails if the code is compressed and cannot be decompressed: the binary is damaged, or there are no more threads.
    pub fn copied(&self) -> std::io::Result<&'static [u8]> {
        self.forms.bytes()
    }

    /// The form by which instances map a file in memory, which wasmtime writes when it creates the first one.
    ///
    /// # Errors
    /// As [`copied`](Self::copied).
    pub fn mapped(&self) -> std::io::Result<&'static [u8]> {
        Ok(self.copied()?.get(self.mapped..).unwrap_or_default())
    }
}

include!(concat!(env!("OUT_DIR"), "/items.rs"));

/// The code of the reader for processes with a limited address space, in which no addresses are reserved for the memory
/// of instances.
///
/// # Errors
/// As [`Code::copied`].
pub fn reader_unreserved() -> std::io::Result<std::borrow::Cow<'static, [u8]>> {
    Ok(READER_UNRESERVED.bytes()?.into())
}

#[cfg(test)]
mod tests {
    /// The build warns about a component whose linker gives it another structure (`build/direct.rs`).
    #[test]
    fn components_call_the_host_directly() {
        let engines = crate::ENGINES.iter().map(|(name, _)| *name);
        let names: Vec<&str> = std::iter::once("reader").chain(engines).collect();
        assert_eq!(crate::DIRECT, names);
    }

    #[test]
    fn all_code_is_whole() {
        let engines = crate::ENGINES.iter().map(|(name, code)| (*name, code));
        for (name, code) in engines.chain([("reader", &crate::READER)]) {
            let copied = code.copied().unwrap();
            assert!(copied.starts_with(b"\x7fELF"), "{name}");
            assert!(code.mapped().unwrap().starts_with(b"\x7fELF"), "{name}");
            if cfg!(target_os = "linux") {
                assert_eq!(copied.as_ptr().addr() % 65536, 0, "{name}");
            }
        }
        assert!(crate::reader_unreserved().unwrap().starts_with(b"\x7fELF"));
    }
}
