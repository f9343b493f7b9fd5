//! Writes code of which the reader and SQLite run where they are in the binary, and compresses the rest, as
//! `src/divided.rs` decompresses it.

use crate::format::part;
use crate::{calls, in_place, replace};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use zstd_safe::{CCtx, CParameter};

/// The components whose code is not compressed. Each process uses the reader, and a row of a database is read in less time
/// than the code of SQLite is decompressed in.
const IN_PLACE: [&str; 2] = ["reader", "sqlite"];

/// The compression level: the highest one. The window determines the memory for decompression.
const LEVEL: i32 = 22;

/// The logarithm of the number of bytes that a part can refer to: the code of the reader, and the part.
const WINDOW: u32 = 25;

/// The Rust expression of the code of an engine without code.
pub const NONE: &str = "Code { forms: Forms::Plain(plain::Forms(&[])), mapped: 0 }";

/// Writes compiled code. Its first form begins at `mapped`. Returns its Rust expression.
///
/// # Errors
/// Fails if a file cannot be written, or there is not enough memory.
pub fn code(out: &Path, name: &str, code: &[u8], mapped: usize) -> Result<String, Box<dyn Error>> {
    let forms = if IN_PLACE.contains(&name) {
        format!("Forms::Plain({})", in_place::forms(out, name, code)?)
    } else {
        let mut parts = String::new();
        for (number, part) in compressed(out, code, part(code.len()))?.iter().enumerate() {
            write!(parts, "{}, ", file(out, &format!("{name}.{number}"), part)?)?;
        }
        let size = literal(code.len());
        format!("Forms::Compressed(divided::Compressed::new(&READER.forms, &[{parts}], {size}))")
    };
    let mapped = mapped >> 12;
    Ok(format!("Code {{ forms: {forms}, mapped: {mapped} << 12 }}"))
}

/// Writes the code of the reader for processes with a limited address space, in which one thread decompresses it. The
/// filter makes it 3 % smaller. The engines have none, because it would take a tenth of the time of decompression. Returns
/// its item.
///
/// # Errors
/// As [`code`].
pub fn unreserved(out: &Path, code: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut filtered = code.to_vec();
    calls::filter(&mut filtered);
    let frames = compressed(out, &filtered, code.len())?;
    let frame = file(out, "reader-unreserved", &frames.concat())?;
    let size = literal(code.len());
    Ok(format!(
        "static READER_UNRESERVED: Rare = Rare {{\n    reader: &READER.forms,\n    frame: {frame},\n    size: {size},\n}};\n"
    ))
}

/// A number as Rust has it, with separators.
fn literal(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join("_")
}

/// Writes a frame. Returns the Rust expression of its bytes.
fn file(out: &Path, name: &str, frame: &[u8]) -> Result<String, Box<dyn Error>> {
    replace(&out.join(format!("{name}.zst")), frame)?;
    Ok(format!(
        "include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.zst\"))"
    ))
}

/// The frames of the parts of code, each of which refers to the code of the reader.
fn compressed(out: &Path, code: &[u8], part: usize) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let reader = &std::fs::read(out.join("reader.cwasm"))?;
    let frame = |part: &[u8]| {
        let mut context = CCtx::try_create().ok_or("there is not enough memory")?;
        let mut frame = vec![0; zstd_safe::compress_bound(part.len())];
        let length = context
            .set_parameter(CParameter::CompressionLevel(LEVEL))
            .and_then(|_| context.set_parameter(CParameter::WindowLog(WINDOW)))
            .and_then(|_| context.set_parameter(CParameter::EnableLongDistanceMatching(true)))
            .and_then(|_| context.ref_prefix(reader))
            .and_then(|_| context.compress2(frame.as_mut_slice(), part))
            .map_err(zstd_safe::get_error_name)?;
        frame.truncate(length);
        Ok(frame)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = code
            .chunks(part)
            .map(|part| scope.spawn(move || frame(part)))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                let frame: Result<_, &str> = thread.join().unwrap_or(Err("a thread panicked"));
                Ok(frame?)
            })
            .collect()
    })
}
