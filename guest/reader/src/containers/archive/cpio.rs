//! cpio: each member has a header of digits or of binary numbers, then its name, then its
//! bytes. The formats are those of cpio(5).

use super::format::{Format, damaged};
use super::forward::{Entry, Headers};
use super::index::{Member, MemberKind};
use super::names;
use super::tape::Tape;
use crate::limits;
use crate::world::{FileError, Time};
use std::collections::BTreeMap;

/// The name of the entry that marks the end of an archive.
const TRAILER: &[u8] = b"TRAILER!!!";

/// The format of the headers of a cpio archive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Numbers are hexadecimal digits. Names and contents are padded to a multiple of four bytes.
    Newer,
    /// Numbers are octal digits. Names and contents are not padded.
    Octal,
    /// Numbers are binary, in units of two bytes. Names and contents are padded to a multiple of
    /// two bytes.
    Old {
        /// Whether the numbers are big-endian.
        big: bool,
    },
}

impl Form {
    /// Detects the format from the first bytes of a header.
    fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [b'0', b'7', b'0', b'7', b'0', b'1' | b'2', ..] => Self::Newer,
            [b'0', b'7', b'0', b'7', b'0', b'7', ..] => Self::Octal,
            [0xc7, 0x71, ..] => Self::Old { big: false },
            [0x71, 0xc7, ..] => Self::Old { big: true },
            _ => return None,
        })
    }

    /// Size in bytes of a header, without the name that follows it.
    fn length(self) -> usize {
        match self {
            Self::Newer => 110,
            Self::Octal => 76,
            Self::Old { .. } => 26,
        }
    }

    /// The number of padding bytes after a part of the archive that has `length` bytes.
    fn padding(self, length: u64) -> u64 {
        let unit: u64 = match self {
            Self::Newer => 4,
            Self::Octal => 1,
            Self::Old { .. } => 2,
        };
        length.next_multiple_of(unit).saturating_sub(length)
    }

    /// Reads the mode, the time of the last change, the length of the name and the size of the
    /// content from a header. `None` if a number is invalid.
    fn fields(self, header: &[u8]) -> Option<[u64; 4]> {
        let number = |radix| move |at, end| names::number(header.get(at..end), radix);
        let [mode, time, length, size] = match self {
            Self::Newer => {
                let number = number(16);
                [
                    number(14, 22),
                    number(46, 54),
                    number(94, 102),
                    number(54, 62),
                ]
            }
            Self::Octal => {
                let number = number(8);
                [
                    number(18, 24),
                    number(48, 59),
                    number(59, 65),
                    number(65, 76),
                ]
            }
            Self::Old { big } => {
                let short = |at: usize| {
                    let bytes = [*header.get(at)?, *header.get(at.checked_add(1)?)?];
                    Some(u64::from(if big {
                        u16::from_be_bytes(bytes)
                    } else {
                        u16::from_le_bytes(bytes)
                    }))
                };
                // The more significant half comes first in both byte orders.
                let long = |at: usize| Some((short(at)? << 16) | short(at.checked_add(2)?)?);
                [short(6), long(16), short(20), long(22)]
            }
        };
        Some([mode?, time?, length?, size?])
    }
}

/// Whether `head` starts with the header of a cpio archive.
pub fn is_header(head: &[u8]) -> bool {
    match Form::of(head) {
        None => false,
        Some(form @ Form::Old { .. }) => {
            // Two magic bytes are weak evidence, so the name must end in NUL and the mode
            // must be valid.
            let Some([mode, _, length, _]) = form.fields(head) else {
                return false;
            };
            let end = usize::try_from(length.max(2).saturating_add(25)).ok();
            let end = end.and_then(|end| head.get(end));
            end == Some(&0) && (mode >> 12).count_ones() <= 3 && mode >> 12 != 0
        }
        // A text may start with the six digits, such as a date. The header has only digits.
        Some(_) => head
            .get(6..76)
            .is_some_and(|fields| fields.iter().all(u8::is_ascii_hexdigit)),
    }
}

/// A parser for the headers of a cpio archive.
#[derive(Default)]
pub struct Cpio {
    /// The number of members that were read so far.
    count: usize,
    /// The members that are hard links to one file, by inode and device. Each is an index in the
    /// list of members. The newer format stores the content of the file with only one of them.
    shared: BTreeMap<Vec<u8>, Vec<usize>>,
}

impl Cpio {
    /// Records the current member if it is one of several hard links to a file. Returns true if the
    /// content of the file is stored with another of these members.
    fn share(&mut self, form: Form, header: &[u8], size: u64) -> bool {
        let place = self.count;
        let (number, links) = (header.get(6..14), names::number(header.get(38..46), 16));
        let device = header.get(62..78);
        match (form, number, device, links) {
            (Form::Newer, Some(number), Some(device), Some(2..)) => {
                let file = [number, device].concat();
                self.shared.entry(file).or_default().push(place);
                size == 0
            }
            _ => false,
        }
    }
}

impl Headers for Cpio {
    fn next(&mut self, tape: &mut Tape, _: &mut Vec<String>) -> Result<Option<Entry>, FileError> {
        let mut header = tape.take(Form::Old { big: false }.length())?;
        if header.is_empty() {
            return Ok(None);
        }
        let bad = |at| damaged(Format::Cpio, format!("the header that ends at byte {at}"));
        let form = Form::of(&header).ok_or_else(|| bad(tape.at))?;
        header.extend(tape.take(form.length().saturating_sub(header.len()))?);
        let [mode, seconds, length, size] = form.fields(&header).ok_or_else(|| bad(tape.at))?;
        let wanted = usize::try_from(length).unwrap_or(usize::MAX);
        if wanted > limits::PATH_BYTES {
            return Err(bad(tape.at));
        }
        let name = tape.take(wanted)?;
        tape.skip(form.padding(length.saturating_add(form.length() as u64)))?;
        let name = names::field(&name);
        if name == TRAILER {
            return Ok(None);
        }
        let (name, raw) = names::text(name);
        let mut member = Member {
            name,
            raw,
            kind: match mode & 0o170_000 {
                0o040_000 => MemberKind::Directory,
                // The name of the other link is not known yet.
                0o100_000 if self.share(form, &header, size) => MemberKind::HardLink(String::new()),
                0o100_000 => MemberKind::File,
                0o120_000 => MemberKind::Symlink(None),
                _ => MemberKind::Other,
            },
            size,
            modified: Some(Time { seconds, nanos: 0 }),
        };
        let padding = form.padding(size);
        if let MemberKind::Symlink(target) = &mut member.kind {
            let wanted = usize::try_from(size).unwrap_or(usize::MAX);
            let bytes = tape.take(wanted.min(limits::PATH_BYTES))?;
            member.size = size.saturating_sub(bytes.len() as u64);
            *target = Some(names::text(&bytes).0);
        }
        self.count = self.count.saturating_add(1);
        Ok(Some(Entry::plain(member, padding)))
    }

    fn finish(&mut self, members: &mut [Member]) {
        for places in self.shared.values() {
            let mut whole = places.iter().filter_map(|at| members.get(*at));
            let whole = whole.find(|member| member.size > 0);
            let kind = match whole {
                Some(member) => MemberKind::HardLink(member.name.clone()),
                None => MemberKind::File,
            };
            for place in places {
                match members.get_mut(*place) {
                    Some(member) if matches!(member.kind, MemberKind::HardLink(_)) => {
                        member.kind = kind.clone();
                    }
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_starts_with_the_digits_is_not_an_archive() {
        let text = "070701;0815;a table whose first column has dates, with a row for each day\n";
        assert!(!is_header(text.repeat(3).as_bytes()));
        assert!(is_header(
            format!("070701{}", "00000aF0".repeat(13)).as_bytes()
        ));
        assert!(is_header(format!("070707{}", "0".repeat(70)).as_bytes()));
    }
}
