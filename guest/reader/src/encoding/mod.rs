//! Detection of the encoding of a text, and of binary data.
//!
//! The order is: byte order mark, binary by the magic bytes of a known format, UTF-16 and
//! UTF-32 by their zeros, UTF-8 with a few NULs, binary by a NUL at the start, strict UTF-8,
//! UTF-8 with damage, binary by control characters, a statistical guess. Known formats are
//! checked only for a file with a NUL.
//!
//! The encoding is detected once per file, from the same bytes for every requested range
//! of lines.

mod common;
mod content;
mod detected;
mod guess;
mod letters;
mod nul;
mod sample;
mod wide;

pub use detected::Encoding;
pub use guess::{has_controls, is_control};

use crate::limits;
use crate::pages::{Charset, Input};
use sample::ESCAPE;

/// Detects the encoding of a text. Returns `None` for binary data. `known` returns whether the
/// first bytes of a file are those of a known binary format. Such a file is binary even if its
/// bytes could be UTF-16 or UTF-32.
pub fn detect(
    input: &mut Input<'_>,
    size: Option<u64>,
    known: impl FnOnce(&[u8]) -> bool,
) -> Option<Encoding> {
    if let Some(encoding) = by_mark(input.head()) {
        return Some(encoding);
    }
    let head = head(input);
    if memchr::memchr(0, head).is_some() {
        let complete = input.complete() && head.len() == input.head().len();
        if known(input.head()) {
            return None;
        }
        let wide = wide::by_zeros(head, complete);
        let (bytes, whole) = examined(input);
        return wide.or_else(|| nul::text(bytes, whole));
    }
    let far = far_samples(input, size);
    let mut samples = vec![examined(input)];
    samples.extend(far.iter().map(|sample| (sample.as_slice(), false)));
    content::by_content(&samples)
}

/// The part of the first bytes that is examined, and whether it is the whole text. It does not depend
/// on how much of a stream has arrived.
fn examined<'a>(input: &'a Input<'_>) -> (&'a [u8], bool) {
    match input.head().get(..WHOLE) {
        Some(bytes) => (bytes, input.complete() && bytes.len() == input.head().len()),
        None => (input.head(), input.complete()),
    }
}

/// The encoding that a server names with a label of the WHATWG standard. Returns `None` if the file
/// starts with a byte order mark, if the label is not known or is that of UTF-8, or if the file is
/// not text. `head` contains the first bytes of the file.
pub fn of_label(label: &str, head: &[u8]) -> Option<Encoding> {
    let named = by_label(label).filter(|_| by_mark(head).is_none())?;
    let text = is_wide(named) || memchr::memchr(0, head).is_none();
    text.then_some(named)
}

/// The encoding with a label of the WHATWG standard. `None` if the label is not known, or if it is
/// that of UTF-8, which the bytes confirm or refute.
fn by_label(label: &str) -> Option<Encoding> {
    let named = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes());
    let named = named.filter(|named| *named != encoding_rs::UTF_8)?;
    Some(Encoding {
        charset: Charset::Web(named),
        ..Encoding::UTF8
    })
}

/// The encoding of markup with NULs among its first bytes, which browsers ignore. [`detect`] reports
/// such a file as binary. `server` is the label of the server, and `known` is that of [`detect`].
/// Returns `None` if the file is not markup: it is in a known binary format, its first bytes have no
/// `<`, or they have other control characters that text does not contain.
pub fn of_markup_with_nul(
    input: &Input<'_>,
    server: Option<&str>,
    known: impl FnOnce(&[u8]) -> bool,
) -> Option<Encoding> {
    let first = head(input);
    // "Binary data bytes" of https://mimesniff.spec.whatwg.org/#binary-data-byte without NUL.
    let is_binary = |byte: &u8| matches!(byte, 1..=8 | 0xb | 0xe..=0x1a | 0x1c..=0x1f);
    if memchr::memchr(b'<', first).is_none() || first.iter().any(is_binary) || known(input.head()) {
        return None;
    }
    let named = server.and_then(by_label).filter(|named| !is_wide(*named));
    let by_content = || {
        let (bytes, complete) = examined(input);
        let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        content::by_content(&[(&text, complete)])
    };
    named.or_else(by_content)
}

/// The encoding of markup, such as an HTML page, which may declare its encoding itself. The order is
/// that of the WHATWG standard: a byte order mark, the label of the server, the declaration, the
/// bytes. `detected` is the encoding that [`of_label`] and [`detect`] return, and `server` and
/// `declared` are the two labels. Bytes that are valid UTF-8 and not only ASCII decide against the
/// declaration; the result then has a note.
pub fn of_markup(
    bytes: &[u8],
    detected: Encoding,
    server: Option<&str>,
    declared: Option<&str>,
) -> (Encoding, Option<String>) {
    let labelled = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes()).is_some();
    if detected.bom_len > 0 || is_wide(detected) || server.is_some_and(labelled) {
        return (detected, None);
    }
    let Some(encoding) = declared.and_then(by_label) else {
        return (detected, None);
    };
    // A declaration of UTF-16 would itself be in UTF-16.
    if is_wide(encoding) {
        return (detected, None);
    }
    let only_ascii = bytes.is_ascii() && memchr::memchr(ESCAPE, bytes).is_none();
    if only_ascii {
        return (Encoding::VALID_UTF8, None);
    }
    if !bytes.is_ascii() && str::from_utf8(bytes).is_ok() {
        let name = encoding.charset.name();
        let note = format!("the declared encoding {name} is wrong: the text is UTF-8");
        return (Encoding::VALID_UTF8, Some(note));
    }
    (encoding, None)
}

/// Whether the code units of an encoding have more than one byte.
fn is_wide(encoding: Encoding) -> bool {
    encoding.charset.unit().width() > 1
}

/// The first bytes of a text in UTF-8 without its byte order mark.
pub fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head)
}

/// Whether there is a NUL among the first bytes of a file, which decide whether it is binary.
pub fn has_nul(input: &Input<'_>) -> bool {
    memchr::memchr(0, head(input)).is_some()
}

/// The first bytes of a file, which decide whether it is binary.
fn head<'a>(input: &'a Input<'_>) -> &'a [u8] {
    let head = input.head();
    head.get(..limits::SNIFF_BYTES).unwrap_or(head)
}

fn by_mark(head: &[u8]) -> Option<Encoding> {
    Some(match head {
        [0xef, 0xbb, 0xbf, ..] => Encoding::marked(Charset::Utf8, 3),
        // Before UTF-16, whose byte order mark is a prefix of this one.
        [0xff, 0xfe, 0, 0, ..]
            if head.len().is_multiple_of(4) || head.len() > limits::SNIFF_BYTES =>
        {
            Encoding::marked(Charset::Utf32(false), 4)
        }
        [0, 0, 0xfe, 0xff, ..] => Encoding::marked(Charset::Utf32(true), 4),
        [0xff, 0xfe, ..] => Encoding::marked(Charset::Web(encoding_rs::UTF_16LE), 2),
        [0xfe, 0xff, ..] => Encoding::marked(Charset::Web(encoding_rs::UTF_16BE), 2),
        _ => return None,
    })
}

/// Reads samples of a large file from offsets after its first bytes. They prevent a wrong encoding
/// for a text whose first non-ASCII character is far from the start. A source over a network is not
/// sampled: four requests would take longer than the rest of the read.
fn far_samples(input: &mut Input<'_>, size: Option<u64>) -> Vec<Vec<u8>> {
    let is_far = !input.complete() && input.seekable() && !input.remote();
    let Some(size) = size.filter(|_| is_far) else {
        return Vec::new();
    };
    let sample = limits::SAMPLE_BYTES as u64;
    let head = input.head().len() as u64;
    [
        size / 4,
        size / 2,
        (size / 4).saturating_mul(3),
        size.saturating_sub(sample),
    ]
    .into_iter()
    .filter(|offset| *offset > head)
    .map(|offset| {
        let mut bytes = input.chunk(offset).to_vec();
        bytes.truncate(limits::SAMPLE_BYTES);
        // A sample starts at a line, or at least at a character.
        let start = memchr::memchr(b'\n', &bytes).map_or_else(
            || {
                bytes
                    .iter()
                    .take(3)
                    .take_while(|b| (0x80..0xc0).contains(*b))
                    .count()
            },
            |end| end.saturating_add(1),
        );
        bytes.split_off(start)
    })
    .collect()
}

/// The maximum number of first bytes of a source that are examined to detect its encoding.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is far below what an index holds"
)]
const WHOLE: usize = limits::WHOLE_BYTES as usize;

#[cfg(test)]
mod tests;
