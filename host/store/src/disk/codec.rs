//! The form in which the facts of a snapshot and its lines are written, and checksums of values.
//!
//! Numbers are in little-endian order. A text is its length in four bytes, and its bytes. An absent
//! value is the byte 0, and a present one the byte 1 and the value.

use super::fault::Fault;
use crate::snapshot::{Origin, Run, Snapshot, Stamp};

/// A checksum of a value. It finds pages that were not written or were zeroed, which SQLite does not
/// notice in long values. It does not resist intent.
pub(super) fn checksum(parts: &[&[u8]]) -> i64 {
    /// A prime of 64 bits, so that each bit of a word changes the higher half of the product.
    const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = PRIME;
    let mut add = |word: u64| sum = (sum.rotate_left(5) ^ word).wrapping_mul(PRIME);
    for part in parts {
        let (words, rest) = part.as_chunks::<8>();
        for word in words {
            add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        add(u64::from_le_bytes(last));
        add(part.len() as u64);
    }
    (sum ^ (sum >> 29)).cast_signed()
}

/// The facts of a snapshot, without its path, windows and lines.
pub(super) fn encode_facts(snapshot: &Snapshot) -> Vec<u8> {
    let mut out = Vec::with_capacity(160);
    match &snapshot.tag {
        Some(tag) => {
            out.push(1);
            push_text(&mut out, tag);
        }
        None => out.push(0),
    }
    match &snapshot.real {
        Some(real) => {
            out.push(1);
            push_text(&mut out, real);
        }
        None => out.push(0),
    }
    match &snapshot.hash {
        Some(hash) => {
            out.push(1);
            out.extend_from_slice(hash);
        }
        None => out.push(0),
    }
    for stamp in [snapshot.before, snapshot.after] {
        match stamp {
            Some(stamp) => {
                out.push(1);
                out.extend_from_slice(&stamp.size.to_le_bytes());
                out.extend_from_slice(&stamp.modified.to_le_bytes());
                out.extend_from_slice(&stamp.device.to_le_bytes());
                out.extend_from_slice(&stamp.inode.to_le_bytes());
            }
            None => out.push(0),
        }
    }
    match snapshot.total {
        Some(total) => {
            out.push(1);
            out.extend_from_slice(&total.to_le_bytes());
        }
        None => out.push(0),
    }
    out.extend_from_slice(&snapshot.read.to_le_bytes());
    out.push(u8::from(snapshot.origin == Origin::Written));
    out.push(u8::from(snapshot.text_left_out));
    out
}

/// The snapshot with these facts, without windows and lines.
pub(super) fn decode_facts(path: String, facts: &[u8]) -> Result<Snapshot, Fault> {
    let mut input = Input(facts);
    let tag = input.flag()?.then(|| input.text()).transpose()?;
    let real = input.flag()?.then(|| input.text()).transpose()?;
    let hash = input.flag()?.then(|| input.array()).transpose()?;
    let before = input.flag()?.then(|| input.stamp()).transpose()?;
    let after = input.flag()?.then(|| input.stamp()).transpose()?;
    let total = input.flag()?.then(|| input.array()).transpose()?;
    let total = total.map(u64::from_le_bytes);
    let read = i64::from_le_bytes(input.array()?);
    let origin = if input.flag()? {
        Origin::Written
    } else {
        Origin::Shown
    };
    let text_left_out = input.flag()?;
    Ok(Snapshot {
        path,
        real,
        tag,
        hash,
        windows: Vec::new(),
        runs: Vec::new(),
        total,
        before,
        after,
        read,
        origin,
        text_left_out,
    })
}

/// The lines of a run.
pub(super) fn encode_lines(run: &Run) -> Vec<u8> {
    let size: usize = run.lines.iter().map(|line| line.len() + 4).sum();
    let mut out = Vec::with_capacity(size);
    for line in &run.lines {
        push_text(&mut out, line);
    }
    out
}

/// The run with these lines.
pub(super) fn decode_lines(first: i64, text: &[u8]) -> Result<Run, Fault> {
    let mut input = Input(text);
    let mut lines = Vec::new();
    while !input.0.is_empty() {
        lines.push(input.text()?);
    }
    Ok(Run { first, lines })
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    // SQLite refuses values of 1 GB and more, so that the length of a stored text fits.
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// Bytes that are left to decode.
struct Input<'i>(&'i [u8]);

impl<'i> Input<'i> {
    fn take(&mut self, count: usize) -> Result<&'i [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Fault::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Fault::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn flag(&mut self) -> Result<bool, Fault> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(Fault::Damaged),
        }
    }

    fn text(&mut self) -> Result<String, Fault> {
        let length = u32::from_le_bytes(self.array()?);
        let length = usize::try_from(length).map_err(|_| Fault::Damaged)?;
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| Fault::Damaged)?;
        Ok(text.to_owned())
    }

    fn stamp(&mut self) -> Result<Stamp, Fault> {
        Ok(Stamp {
            size: u64::from_le_bytes(self.array()?),
            modified: i128::from_le_bytes(self.array()?),
            device: u64::from_le_bytes(self.array()?),
            inode: u64::from_le_bytes(self.array()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Snapshot {
        let stamp = Stamp {
            size: u64::MAX,
            modified: i128::MIN,
            device: 3,
            inode: u64::MAX,
        };
        Snapshot {
            tag: Some("a1é".to_owned()),
            real: Some("/real".to_owned()),
            hash: Some([7; 32]),
            total: Some(u64::MAX),
            before: Some(stamp),
            after: Some(Stamp { size: 1, ..stamp }),
            read: i64::MIN,
            origin: Origin::Written,
            text_left_out: true,
            ..Snapshot::new("/p")
        }
    }

    #[test]
    fn facts_are_the_same_after_encoding_and_decoding() {
        for snapshot in [full(), Snapshot::new("/p")] {
            let facts = encode_facts(&snapshot);
            assert_eq!(decode_facts("/p".to_owned(), &facts).unwrap(), snapshot);
            for cut in 0..facts.len() {
                assert!(decode_facts("/p".to_owned(), &facts[..cut]).is_err());
            }
        }
    }

    #[test]
    fn lines_with_line_ends_and_empty_lines_are_the_same_after_decoding() {
        let run = Run {
            first: -3,
            lines: ["", "a\nb", "c\r", "é", ""].map(str::to_owned).to_vec(),
        };
        let text = encode_lines(&run);
        assert_eq!(decode_lines(-3, &text).unwrap(), run);
        assert!(decode_lines(-3, &text[..text.len() - 1]).is_err());
        assert!(decode_lines(1, &[1, 0, 0, 0, 0xff]).is_err());
    }

    #[test]
    fn checksum_notices_zeroed_and_missing_bytes() {
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let sum = checksum(&[&bytes]);
        for start in (0..5000).step_by(97) {
            let mut zeroed = bytes.clone();
            zeroed[start..].fill(0);
            assert_ne!(checksum(&[&zeroed]), sum);
            assert_ne!(checksum(&[&bytes[..start]]), sum);
        }
        assert_ne!(checksum(&[b"ab", b"c"]), checksum(&[b"a", b"bc"]));
    }
}
