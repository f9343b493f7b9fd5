//! Decompresses streams within a limit.
//!
//! The library decompresses a stream whole, whatever its size. Here a limit ends it, and what is before
//! damage is kept.
//!
//! LZW is decoded here as well: `weezl` would add 27 kB to the component for 70 lines.

use flate2::{Decompress, FlushDecompress, Status};
use hayro_syntax::Filter;
use hayro_syntax::object::{Dict, Object, Stream};
use std::borrow::Cow;

/// The bytes of a stream that is not an image, at most `most`. `None` if its filters cannot be
/// applied. The second value is whether the limit cut it.
pub fn data<'a>(stream: &Stream<'a>, most: usize) -> Option<(Cow<'a, [u8]>, bool)> {
    let (bytes, cut, _) = measured(stream, most)?;
    Some((bytes, cut))
}

/// As [`data`]. The third value is the number of bytes that were read and written by all filters: a filter
/// may make little of much.
pub fn measured<'a>(stream: &Stream<'a>, most: usize) -> Option<(Cow<'a, [u8]>, bool, usize)> {
    // The content of another file is never loaded.
    if matches!(
        stream.dict().get::<Object<'_>>("F"),
        Some(Object::String(_) | Object::Dict(_))
    ) {
        return None;
    }
    let filters = stream.filters();
    let raw = stream.raw_data();
    if filters.is_empty() {
        let cut = raw.len() > most;
        let work = raw.len();
        return Some((raw, cut, work));
    }
    let mut work = raw.len();
    let predicted = has_predictor(stream.dict());
    let mut bytes = raw;
    let mut cut = false;
    for (index, filter) in filters.iter().enumerate() {
        let (next, more) = match filter {
            Filter::FlateDecode => inflate(&bytes, most),
            Filter::LzwDecode => lzw(&bytes, most, early_change(stream.dict())),
            Filter::RunLengthDecode => run_length(&bytes, most),
            Filter::AsciiHexDecode => (ascii_hex(&bytes), false),
            Filter::Ascii85Decode => (ascii_85(&bytes), false),
            Filter::Crypt if index == 0 => continue,
            _ => return None,
        };
        cut |= more;
        work = work.saturating_add(next.len());
        bytes = Cow::Owned(next);
    }
    if predicted {
        // Rows are predicted only in tables and images. Now that the size is known, the library
        // may decompress the stream.
        if cut {
            return None;
        }
        bytes = stream.decoded_data().ok()?;
    }
    Some((bytes, cut, work))
}

/// The number of bytes of a stream before filters for images are applied, or `most + 1` if there are more.
/// `None` if the content is in another file.
pub fn length(stream: &Stream<'_>, most: usize) -> Option<usize> {
    if matches!(
        stream.dict().get::<Object<'_>>("F"),
        Some(Object::String(_) | Object::Dict(_))
    ) {
        return None;
    }
    let filters = stream.filters();
    let mut bytes = stream.raw_data();
    for (index, filter) in filters.iter().enumerate() {
        let is_last = index.saturating_add(1) == filters.len();
        let (next, cut) = match filter {
            // The last layer is only counted, so that it needs no memory.
            Filter::FlateDecode if is_last => return Some(inflated_length(&bytes, most)),
            Filter::FlateDecode => inflate(&bytes, most),
            Filter::LzwDecode => lzw(&bytes, most, early_change(stream.dict())),
            Filter::RunLengthDecode => run_length(&bytes, most),
            Filter::AsciiHexDecode => (ascii_hex(&bytes), false),
            Filter::Ascii85Decode => (ascii_85(&bytes), false),
            Filter::Crypt => continue,
            Filter::CcittFaxDecode
            | Filter::Jbig2Decode
            | Filter::DctDecode
            | Filter::JpxDecode => break,
        };
        if cut {
            return Some(most.saturating_add(1));
        }
        bytes = Cow::Owned(next);
    }
    Some(bytes.len().min(most.saturating_add(1)))
}

/// The length of decompressed zlib data, or `most + 1` if it is longer. Data without a header are treated
/// as data that are too long only if they are.
fn inflated_length(bytes: &[u8], most: usize) -> usize {
    let count = |header: bool, bytes: &[u8]| {
        let mut inflater = Decompress::new(header);
        let mut block = vec![0_u8; 1 << 16];
        let mut rest = bytes;
        loop {
            let before = (inflater.total_in(), inflater.total_out());
            let status = inflater.decompress(rest, &mut block, FlushDecompress::None);
            let taken = inflater.total_in().saturating_sub(before.0);
            let total = usize::try_from(inflater.total_out()).unwrap_or(usize::MAX);
            rest = rest
                .get(usize::try_from(taken).unwrap_or(usize::MAX)..)
                .unwrap_or_default();
            let stuck = taken == 0 && inflater.total_out() == before.1;
            match status {
                Ok(Status::Ok | Status::BufError) if !stuck && total <= most => {}
                _ => return total.min(most.saturating_add(1)),
            }
        }
    };
    let with_header = count(true, bytes);
    if with_header == 0 {
        return count(false, bytes).max(count(false, bytes.get(2..).unwrap_or_default()));
    }
    with_header
}

/// Whether a filter predicts values by those before.
fn has_predictor(dict: &Dict<'_>) -> bool {
    let one = |dict: Dict<'_>| dict.get::<i32>("Predictor").is_some_and(|it| it > 1);
    parameters(dict).into_iter().any(one)
}

fn early_change(dict: &Dict<'_>) -> bool {
    let late = |dict: Dict<'_>| dict.get::<i32>("EarlyChange") == Some(0);
    !parameters(dict).into_iter().any(late)
}

fn parameters<'a>(dict: &Dict<'a>) -> Vec<Dict<'a>> {
    let value = dict
        .get::<Object<'_>>("DP")
        .or_else(|| dict.get("DecodeParms"));
    match value {
        Some(Object::Dict(dict)) => vec![dict],
        Some(Object::Array(array)) => array
            .iter::<Object<'_>>()
            .filter_map(Object::into_dict)
            .take(32)
            .collect(),
        _ => Vec::new(),
    }
}

/// Decompresses zlib data, or data without its header. Returns what is before damage.
pub fn inflate(bytes: &[u8], most: usize) -> (Vec<u8>, bool) {
    let (out, cut) = inflate_as(bytes, most, true);
    if out.is_empty() && !bytes.is_empty() {
        // Some programs write a wrong header.
        let raw = inflate_as(bytes, most, false);
        if !raw.0.is_empty() {
            return raw;
        }
        return inflate_as(bytes.get(2..).unwrap_or_default(), most, false);
    }
    (out, cut)
}

fn inflate_as(bytes: &[u8], most: usize, header: bool) -> (Vec<u8>, bool) {
    let mut inflater = Decompress::new(header);
    let mut out = Vec::with_capacity(bytes.len().saturating_mul(4).clamp(256, 1 << 20).min(most));
    let mut rest = bytes;
    loop {
        if out.len() >= most {
            return (out, true);
        }
        if out.len() == out.capacity() {
            let room = most.saturating_sub(out.len());
            // Exactly, because memory beyond the limit may not be there.
            out.reserve_exact(out.capacity().max(1024).min(room).max(1));
        }
        let before = (inflater.total_in(), out.len());
        let status = inflater.decompress_vec(rest, &mut out, FlushDecompress::None);
        let taken = inflater.total_in().saturating_sub(before.0);
        rest = rest
            .get(usize::try_from(taken).unwrap_or(usize::MAX)..)
            .unwrap_or_default();
        match status {
            Ok(Status::StreamEnd) | Err(_) => break,
            Ok(_) if taken == 0 && out.len() == before.1 && out.len() < out.capacity() => break,
            Ok(_) => {}
        }
    }
    let cut = out.len() > most;
    out.truncate(most);
    (out, cut)
}

/// Decompresses LZW data with codes of 9 to 12 bits (ISO 32000-2, 7.4.4).
fn lzw(bytes: &[u8], most: usize, early: bool) -> (Vec<u8>, bool) {
    const CLEAR: usize = 256;
    const END: usize = 257;
    // Each entry is a range of the output: its text was written when it was made.
    let mut table: Vec<(usize, usize)> = Vec::with_capacity(4096);
    let mut out: Vec<u8> = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    let (mut bits, mut held) = (0_u32, 0_u32);
    let mut width = 9_u32;
    for &byte in bytes {
        bits = (bits << 8) | u32::from(byte);
        held = held.saturating_add(8);
        if held < width {
            continue;
        }
        held = held.saturating_sub(width);
        let mask = |width: u32| u32::MAX >> 32_u32.saturating_sub(width).min(31);
        let code = ((bits >> held) & mask(width)) as usize;
        bits = if held == 0 { 0 } else { bits & mask(held) };
        if code == END {
            break;
        }
        if code == CLEAR {
            table.clear();
            last = None;
            width = 9;
            continue;
        }
        let start = out.len();
        if let Ok(literal) = u8::try_from(code) {
            out.push(literal);
        } else {
            let entry = code.saturating_sub(258);
            if let Some(&(from, length)) = table.get(entry) {
                out.extend_from_within(from..from.saturating_add(length));
            } else if let (Some((from, length)), true) = (last, entry == table.len()) {
                out.extend_from_within(from..from.saturating_add(length));
                if let Some(&first) = out.get(from) {
                    out.push(first);
                }
            } else {
                break;
            }
        }
        if let Some((from, length)) = last
            && table.len() < 4096 - 258
        {
            // The last text and the first byte of this one are neighbours in the output.
            table.push((from, length.saturating_add(1)));
        }
        last = Some((start, out.len().saturating_sub(start)));
        let next = table
            .len()
            .saturating_add(258)
            .saturating_add(usize::from(early));
        width = match next {
            0..=511 => 9,
            512..=1023 => 10,
            1024..=2047 => 11,
            _ => 12,
        };
        if out.len() >= most {
            out.truncate(most);
            return (out, true);
        }
    }
    (out, false)
}

fn run_length(bytes: &[u8], most: usize) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some((&length, tail)) = rest.split_first() {
        if length == 128 {
            break;
        }
        if length < 128 {
            let count = usize::from(length).saturating_add(1).min(tail.len());
            let (copied, tail) = tail.split_at(count);
            out.extend_from_slice(copied);
            rest = tail;
        } else if let Some((&byte, tail)) = tail.split_first() {
            let count = 257_usize.saturating_sub(usize::from(length));
            out.extend(std::iter::repeat_n(byte, count));
            rest = tail;
        } else {
            break;
        }
        if out.len() >= most {
            out.truncate(most);
            return (out, true);
        }
    }
    (out, false)
}

fn ascii_hex(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    let mut high: Option<u8> = None;
    for &byte in bytes {
        let digit = match byte {
            b'0'..=b'9' => byte.wrapping_sub(b'0'),
            b'a'..=b'f' => byte.wrapping_sub(b'a').wrapping_add(10),
            b'A'..=b'F' => byte.wrapping_sub(b'A').wrapping_add(10),
            b'>' => break,
            _ => continue,
        };
        match high.take() {
            Some(high) => out.push((high << 4) | digit),
            None => high = Some(digit),
        }
    }
    if let Some(high) = high {
        out.push(high << 4);
    }
    out
}

fn ascii_85(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let (mut group, mut count) = (0_u32, 0_usize);
    for &byte in bytes {
        match byte {
            b'z' if count == 0 => out.extend_from_slice(&[0; 4]),
            b'!'..=b'u' => {
                let digit = u32::from(byte.wrapping_sub(b'!'));
                group = group.wrapping_mul(85).wrapping_add(digit);
                count = count.saturating_add(1);
                if count == 5 {
                    out.extend_from_slice(&group.to_be_bytes());
                    (group, count) = (0, 0);
                }
            }
            b'~' => break,
            _ => {}
        }
    }
    if count > 1 {
        for _ in count..5 {
            group = group.wrapping_mul(85).wrapping_add(84);
        }
        let bytes = group.to_be_bytes();
        out.extend_from_slice(bytes.get(..count.saturating_sub(1)).unwrap_or_default());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn the_limit_ends_decompression() {
        let bomb = deflated(&vec![b'x'; 10_000_000]);
        let (out, cut) = inflate(&bomb, 1000);
        assert_eq!((out.len(), cut), (1000, true));
        let (out, cut) = inflate(&deflated(b"short"), 1000);
        assert_eq!((out.as_slice(), cut), (&b"short"[..], false));
        let (out, cut) = run_length(&[129, b'a', 129, b'b'], 200);
        assert_eq!((out.len(), cut), (200, true));
    }

    #[test]
    fn what_is_before_damage_is_kept() {
        let text: Vec<u8> = (0..50_000_u32).flat_map(u32::to_be_bytes).collect();
        let mut damaged = deflated(&text);
        damaged.truncate(damaged.len() / 2);
        let (out, _) = inflate(&damaged, 1 << 20);
        assert!(out.len() > 1000);
        assert!(text.starts_with(&out));
        // Without the header.
        let (out, _) = inflate(&deflated(b"no header")[2..], 1 << 20);
        assert_eq!(out, b"no header");
        assert!(inflate(b"", 10).0.is_empty());
        assert!(inflate(b"garbage, not deflate", 100).0.len() <= 100);
    }

    #[test]
    fn text_filters() {
        assert_eq!(ascii_hex(b"48 65 6C 6c 6F7>"), b"Hellop");
        assert_eq!(ascii_85(b"87cURD]j7BEbo80~>"), b"Hello world!");
        assert_eq!(
            run_length(&[2, b'a', b'b', b'c', 254, b'd', 128, 9], 100).0,
            b"abcddd"
        );
        // The example of ISO 32000-2, 7.4.4.2.
        let codes = [0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01];
        assert_eq!(
            lzw(&codes, 100, true).0,
            [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]
        );
    }

    #[test]
    fn long_lzw_data() {
        // Written with the early change, as programs do.
        let text: Vec<u8> = (0..60_000_u32)
            .map(|it| u8::try_from((it.wrapping_mul(it) >> 7) & 15).unwrap())
            .collect();
        let packed = pack(&text);
        let (out, cut) = lzw(&packed, 1 << 20, true);
        assert!(!cut);
        assert_eq!(out.len(), text.len());
        assert_eq!(out, text);
    }

    /// Compresses with LZW.
    fn pack(text: &[u8]) -> Vec<u8> {
        let (mut out, mut bits, mut held) = (Vec::new(), 0_u64, 0_u32);
        let mut table = std::collections::BTreeMap::new();
        let mut width = 9;
        let mut put = |code: u64, width: u32| {
            bits = (bits << width) | code;
            held += width;
            while held >= 8 {
                held -= 8;
                out.push(u8::try_from((bits >> held) & 255).unwrap());
                bits &= (1 << held) - 1;
            }
        };
        put(256, 9);
        let mut word: Vec<u8> = Vec::new();
        let mut next = 258;
        let code_of = |table: &std::collections::BTreeMap<Vec<u8>, u64>, word: &[u8]| {
            if word.len() == 1 {
                u64::from(word[0])
            } else {
                table[word]
            }
        };
        for &byte in text {
            let mut longer = word.clone();
            longer.push(byte);
            if longer.len() == 1 || table.contains_key(&longer) {
                word = longer;
                continue;
            }
            put(code_of(&table, &word), width);
            table.insert(longer, next);
            next += 1;
            if next + 1 > (1 << width) - 1 + 1 {
                width += 1;
            }
            if next >= 4094 {
                put(256, width.min(12));
                table.clear();
                next = 258;
                width = 9;
            }
            word = vec![byte];
        }
        put(code_of(&table, &word), width);
        put(257, width);
        put(0, 7);
        out
    }
}
