//! Writes code that runs where it is in the binary.

use crate::replace;
use std::error::Error;
use std::path::Path;

/// Writes compiled code. Returns the Rust expression of its forms.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn forms(out: &Path, name: &str, code: &[u8]) -> Result<String, Box<dyn Error>> {
    replace(&out.join(format!("{name}.cwasm")), code)?;
    let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.cwasm\"))");
    Ok(format!("plain::Forms(&plain::Aligned(*{bytes}).0)"))
}
