//! ar, the archive format of linkers and of Debian packages. Headers are decimal digits
//! in text, with the long names of System V or BSD.

use super::format::{Format, damaged};
use super::forward::{Entry, Headers};
use super::index::{Member, MemberKind};
use super::names;
use super::tape::Tape;
use crate::limits;
use crate::world::{FileError, Time};

/// The first bytes of an ar archive.
pub const MAGIC: &[u8] = b"!<arch>\n";

/// Size in bytes of the header of a member.
const HEADER: usize = 60;

/// A parser for the headers of an ar archive.
#[derive(Default)]
pub struct Ar {
    /// The table of names that are too long for a header.
    long_names: Vec<u8>,
}

impl Headers for Ar {
    // Linkers use the first one.
    const LAST_WINS: bool = false;

    fn next(&mut self, tape: &mut Tape, _: &mut Vec<String>) -> Result<Option<Entry>, FileError> {
        if tape.at == 0 {
            tape.skip(MAGIC.len() as u64)?;
        }
        loop {
            let header = tape.take(HEADER)?;
            if header.is_empty() {
                return Ok(None);
            }
            let size = names::number(header.get(48..58), 10)
                .filter(|_| header.get(58..60) == Some(b"`\n"))
                .ok_or_else(|| {
                    damaged(
                        Format::Ar,
                        format!("the header that ends at byte {}", tape.at),
                    )
                })?;
            let field = header.get(..16).unwrap_or_default().trim_ascii_end();
            let padding = size % 2;
            match field {
                b"//" => {
                    let wanted = usize::try_from(size).unwrap_or(usize::MAX);
                    self.long_names = tape.take(wanted.min(limits::EXTENDED_HEADER_BYTES))?;
                    let left = size.saturating_sub(self.long_names.len() as u64);
                    tape.skip(left.saturating_add(padding))?;
                }
                // The symbol table is not a member.
                b"/" | b"/SYM64/" => tape.skip(size.saturating_add(padding))?,
                field => {
                    let (name, taken) = self.name(field, tape)?;
                    let (name, raw) = names::text(&name);
                    let seconds = names::number(header.get(16..28), 10);
                    let member = Member {
                        name,
                        raw,
                        kind: MemberKind::File,
                        size: size.saturating_sub(taken),
                        modified: seconds.map(|seconds| Time { seconds, nanos: 0 }),
                    };
                    return Ok(Some(Entry::plain(member, padding)));
                }
            }
        }
    }
}

impl Ar {
    /// The name of a member whose header has the name field `field`. Also returns the number of
    /// bytes of the name that follow the header and were read from `tape`.
    fn name(&self, field: &[u8], tape: &mut Tape) -> Result<(Vec<u8>, u64), FileError> {
        let digits = |digits: Option<&[u8]>| names::number(Some(digits?), 10);
        if let Some(length) = digits(field.strip_prefix(b"#1/")) {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let name = tape.take(length.min(limits::PATH_BYTES))?;
            return Ok((names::field(&name).to_vec(), name.len() as u64));
        }
        let at = digits(field.strip_prefix(b"/")).and_then(|at| usize::try_from(at).ok());
        let name = match at {
            Some(at) => {
                let name = self.long_names.get(at..).unwrap_or_default();
                let end = name.iter().position(|byte| matches!(byte, b'\n' | 0));
                name.get(..end.unwrap_or(name.len())).unwrap_or_default()
            }
            None => field,
        };
        Ok((name.strip_suffix(b"/").unwrap_or(name).to_vec(), 0))
    }
}
