//! Writes code that runs where it is in the binary.

use crate::{in_place, replace};
use std::error::Error;
use std::path::Path;

/// The compression level of the compiled code for processes with a limited address space. Higher
/// levels take longer and save little. LZMA would save a third of the size, and take four times as long to decompress in
/// each such process.
const DEFLATE_LEVEL: u8 = 6;

/// The Rust expression of the code of an engine without code.
pub const NONE: &str = "Code { forms: plain::Forms(&[]), mapped: 0 }";

/// Writes compiled code. Its first form begins at `mapped`, a multiple of the size of pages. Returns its Rust expression.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn code(out: &Path, name: &str, code: &[u8], mapped: usize) -> Result<String, Box<dyn Error>> {
    let forms = in_place::forms(out, name, code)?;
    let mapped = mapped >> 12;
    Ok(format!("Code {{ forms: {forms}, mapped: {mapped} << 12 }}"))
}

/// Writes the code of the reader for processes with a limited address space. It is rarely needed, so it is compressed.
/// Returns its item.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn unreserved(out: &Path, code: &[u8]) -> Result<String, Box<dyn Error>> {
    let name = "reader-unreserved.cwasm.deflate";
    let code = miniz_oxide::deflate::compress_to_vec(code, DEFLATE_LEVEL);
    replace(&out.join(name), &code)?;
    Ok(format!(
        "static READER_UNRESERVED: Rare =\n    Rare(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")));\n"
    ))
}
