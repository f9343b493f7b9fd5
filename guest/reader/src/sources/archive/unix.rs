//! The archives of Unix linkers and packages: ar (also Debian packages) and
//! cpio. Both are headers of digits, each before the bytes of its member.

use super::tape::Tape;
use super::{Catalogue, Format, Looked, Member, MemberKind, asked, damaged};
use crate::limits;
use crate::world::{FileError, Source, Time};

/// What ar archives begin with.
pub const AR: &[u8] = b"!<arch>\n";

/// Bytes of the header of a member of an ar archive.
const AR_HEADER: usize = 60;

/// What headers of cpio archives begin with: without and with a checksum, and
/// the older form in octal digits.
pub const CPIO: [&[u8; 6]; 3] = [b"070701", b"070702", b"070707"];

/// The name behind which a cpio archive ends.
const TRAILER: &str = "TRAILER!!!";

/// A header: the member it stands before, and bytes between the end of that
/// and the next header.
struct Next {
    member: Member,
    padding: u64,
}

/// Looks for the first member that has one of these names.
///
/// # Errors
/// If not even the first header can be read.
pub fn look(
    format: Format,
    source: Box<dyn Source>,
    names: &[String],
) -> Result<Looked, FileError> {
    let mut tape = Tape::new(source);
    let mut long_names = Vec::new();
    if format == Format::Ar {
        tape.skip(AR.len() as u64)?;
    }
    let mut catalogue = Catalogue::default();
    while (catalogue.members.len() as u64) < limits::ARCHIVE_MEMBERS {
        let next = match format {
            Format::Ar => ar(&mut tape, &mut long_names),
            _ => cpio(&mut tape),
        };
        let Next { member, padding } = match next {
            Ok(Some(next)) => next,
            Ok(None) => break,
            Err(error) if catalogue.members.is_empty() => return Err(error),
            Err(error) => {
                catalogue.notes.push(error.to_string());
                break;
            }
        };
        if let Some(name) = asked(&member, names) {
            return Ok(Looked::Found(tape.open(member, name)));
        }
        let skipped = tape.skip(member.size.saturating_add(padding));
        catalogue.members.push(member);
        if let Err(error) = skipped {
            catalogue.notes.push(error.to_string());
            break;
        }
    }
    Ok(Looked::Missing(catalogue))
}

/// A field of digits, blanks around them.
fn number(field: Option<&[u8]>, radix: u32) -> Option<u64> {
    let text = std::str::from_utf8(field?).ok()?.trim();
    if text.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(text, radix).ok()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The next header of an ar archive, in the forms of System V and of BSD.
fn ar(tape: &mut Tape, long_names: &mut Vec<u8>) -> Result<Option<Next>, FileError> {
    loop {
        let header = tape.take(AR_HEADER)?;
        if header.is_empty() {
            return Ok(None);
        }
        let bad = || damaged(Format::Ar, format!("the header before byte {}", tape.at));
        let size = number(header.get(48..58), 10)
            .filter(|_| header.get(58..60) == Some(b"`\n"))
            .ok_or_else(bad)?;
        let field = text(header.get(..16).unwrap_or_default());
        let field = field.trim_end();
        let padding = size % 2;
        if field == "//" {
            let wanted = usize::try_from(size).unwrap_or(usize::MAX);
            *long_names = tape.take(wanted.min(limits::EXTENDED_HEADER_BYTES))?;
            let left = size.saturating_sub(long_names.len() as u64);
            tape.skip(left.saturating_add(padding))?;
            continue;
        }
        // The table of symbols is no member.
        if matches!(field, "/" | "/SYM64/") {
            tape.skip(size.saturating_add(padding))?;
            continue;
        }
        let mut member = Member {
            name: field.strip_suffix('/').unwrap_or(field).to_owned(),
            kind: MemberKind::File,
            size,
            modified: number(header.get(16..28), 10).map(|seconds| Time { seconds, nanos: 0 }),
        };
        if let Some(length) = field
            .strip_prefix("#1/")
            .and_then(|length| length.parse().ok())
        {
            let name = tape.take(usize::min(length, limits::PATH_BYTES))?;
            text(&name)
                .trim_end_matches('\0')
                .clone_into(&mut member.name);
            member.size = size.saturating_sub(name.len() as u64);
        } else if let Some(at) = field
            .strip_prefix('/')
            .and_then(|at| at.parse::<usize>().ok())
        {
            let name = long_names.get(at..).unwrap_or_default();
            let end = name.iter().position(|byte| *byte == b'\n');
            let name = text(name.get(..end.unwrap_or(name.len())).unwrap_or_default());
            name.trim_end_matches('/').clone_into(&mut member.name);
        }
        return Ok(Some(Next { member, padding }));
    }
}

/// The next header of a cpio archive.
fn cpio(tape: &mut Tape) -> Result<Option<Next>, FileError> {
    let bad = |at: u64| damaged(Format::Cpio, format!("the header before byte {at}"));
    let magic = tape.take(6)?;
    if magic.is_empty() {
        return Ok(None);
    }
    let octal = magic == CPIO[2];
    if !CPIO.iter().any(|known| magic == known.as_slice()) {
        return Err(bad(tape.at));
    }
    let header = tape.take(if octal { 70 } else { 104 })?;
    // Where mode, time, length of the name and size stand.
    let (radix, fields) = if octal {
        (8, [(12, 18), (42, 53), (53, 59), (59, 70)])
    } else {
        (16, [(8, 16), (40, 48), (88, 96), (48, 56)])
    };
    let field = |(start, end): (usize, usize)| number(header.get(start..end), radix);
    let [mode, seconds, length, size] = fields.map(field);
    let (Some(mode), Some(length), Some(size)) = (mode, length, size) else {
        return Err(bad(tape.at));
    };
    let wanted = usize::try_from(length).unwrap_or(usize::MAX);
    if wanted > limits::PATH_BYTES {
        return Err(bad(tape.at));
    }
    let name = text(&tape.take(wanted)?);
    let name = name.trim_end_matches('\0').to_owned();
    // The newer form fills up to four bytes, name and bytes alike.
    let fill = |length: u64| {
        let over = length % 4;
        if octal || over == 0 {
            0
        } else {
            4u64.saturating_sub(over)
        }
    };
    tape.skip(fill(length.saturating_add(110)))?;
    if name == TRAILER {
        return Ok(None);
    }
    let kind = match mode & 0o170_000 {
        0o040_000 => MemberKind::Directory,
        0o100_000 => MemberKind::File,
        0o120_000 => {
            let wanted = usize::try_from(size).unwrap_or(usize::MAX);
            let target = tape.take(wanted.min(limits::PATH_BYTES))?;
            let left = size.saturating_sub(target.len() as u64);
            tape.skip(left.saturating_add(fill(size)))?;
            let member = Member {
                name,
                kind: MemberKind::Link(text(&target)),
                size: 0,
                modified: None,
            };
            return Ok(Some(Next { member, padding: 0 }));
        }
        _ => MemberKind::Other,
    };
    let member = Member {
        name,
        kind,
        size,
        modified: seconds.map(|seconds| Time { seconds, nanos: 0 }),
    };
    let padding = fill(size);
    Ok(Some(Next { member, padding }))
}
