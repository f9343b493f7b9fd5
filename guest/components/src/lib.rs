//! The guests as WebAssembly components. The build script compiles them.

mod engines;
mod memory;
mod target;

pub use engines::ENGINES;
pub use memory::READER_MEMORY;
pub use target::target_directory;

use std::path::{Path, PathBuf};

/// The path of the compiled WebAssembly component `name`, which is `reader`, the name of an
/// engine in [`ENGINES`], or that of a part of the portable components: `standalone`,
/// `standalone-text`, `offline`, `pdf-text`, `facade` or `http`.
///
/// # Panics
/// Panics if there is no component with this name.
pub fn component(name: &str) -> PathBuf {
    let file = Path::new(env!("OUT_DIR")).join(format!("{name}.wasm"));
    assert!(file.is_file(), "no guest is called `{name}`");
    file
}
