//! Compresses code, as `src/compressed.rs` decompresses it.

use crate::format::{DICTIONARY, PART, filtered};
use crate::replace;
use lzma_rust2::{Lzma2Options, Lzma2Writer};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

/// The compression level: the highest one.
const LEVEL: u32 = 9;

/// The Rust expression of the code of an engine without code.
pub const NONE: &str = "Code { forms: Forms::new(&[], 0, None), mapped: 0 }";

/// Writes compiled code. Its first form begins at `mapped`. Returns its Rust expression.
///
/// # Errors
/// Fails if a file cannot be written, or there is not enough memory.
pub fn code(out: &Path, name: &str, code: &[u8], mapped: usize) -> Result<String, Box<dyn Error>> {
    let forms = forms(out, name, code)?;
    Ok(format!("Code {{ forms: {forms}, mapped: {mapped} }}"))
}

/// Writes the code of the reader for processes with a limited address space, which have no room for other code. Returns
/// its item.
///
/// # Errors
/// As [`code`].
pub fn unreserved(out: &Path, code: &[u8]) -> Result<String, Box<dyn Error>> {
    let forms = forms(out, "reader-unreserved", code)?;
    Ok(format!("static READER_UNRESERVED: Rare = {forms};\n"))
}

/// Writes the parts of compressed code. The engines have much of the code of the reader, so they refer to it.
fn forms(out: &Path, name: &str, code: &[u8]) -> Result<String, Box<dyn Error>> {
    let reader = out.join("reader.cwasm");
    let (before, expression) = match name {
        "reader" => {
            replace(&reader, code)?;
            (None, "None")
        }
        "reader-unreserved" => (None, "None"),
        _ => (Some(std::fs::read(reader)?), "Some(&READER.forms)"),
    };
    let mut parts = String::new();
    for (number, part) in compressed(code, before.as_deref())?.iter().enumerate() {
        let file = format!("{name}.{number}.lzma2");
        replace(&out.join(&file), part)?;
        write!(
            parts,
            "include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\")), "
        )?;
    }
    let size = code.len();
    Ok(format!("Forms::new(&[{parts}], {size}, {expression})"))
}

/// The parts of the code, each as a stream of LZMA2 that refers to the code before it.
fn compressed(code: &[u8], before: Option<&[u8]>) -> io::Result<Vec<Vec<u8>>> {
    let mut options = Lzma2Options::with_preset(LEVEL);
    options.lzma_options.dict_size = DICTIONARY;
    options.lzma_options.preset_dict = before.map(filtered).transpose()?;
    let code = filtered(code)?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = code
            .chunks(PART)
            .map(|part| {
                let options = options.clone();
                scope.spawn(move || {
                    let mut writer = Lzma2Writer::new(Vec::new(), options);
                    writer.write_all(part)?;
                    writer.finish()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                let part = thread.join();
                part.unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
            })
            .collect()
    })
}
