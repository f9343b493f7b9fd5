//! Archives and compressed files for which there is no reader, and what reads
//! them.

/// A format that is known by name alone.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its name.
    pub name: &'static str,
    /// A command that gives its contents.
    pub tool: &'static str,
    /// Where its mark stands, and what that is.
    mark: (usize, &'static [u8]),
}

/// From the `file` database and the formats' own specifications. For RAR there
/// is no reader with a permissive licence.
const ALL: &[Unreadable] = &[
    format("RAR archive", "unrar x", 0, b"Rar!\x1a\x07"),
    format("cabinet archive", "cabextract", 0, b"MSCF\0\0\0\0"),
    format("LHA archive", "lha x", 2, b"-lh"),
    format("ARJ archive", "arj x", 0, b"\x60\xea"),
    format("xar archive", "xar -xf", 0, b"xar!"),
    format("ISO 9660 image", "bsdtar -xf", 32769, b"CD001"),
    format("SquashFS image", "unsquashfs", 0, b"hsqs"),
    format("RPM package", "rpm2cpio", 0, b"\xed\xab\xee\xdb"),
    format("lz4 data", "lz4 -d", 0, b"\x04\x22\x4d\x18"),
    format("lzip data", "lzip -d", 0, b"LZIP\x01"),
    format("lzop data", "lzop -d", 0, b"\x89LZO\0\r\n\x1a\n"),
    format("compress data", "uncompress", 0, b"\x1f\x9d"),
];

const fn format(
    name: &'static str,
    tool: &'static str,
    at: usize,
    mark: &'static [u8],
) -> Unreadable {
    Unreadable {
        name,
        tool,
        mark: (at, mark),
    }
}

impl Unreadable {
    /// The format that first bytes tell.
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        let found = ALL.iter().find(|format| {
            let (at, mark) = format.mark;
            head.get(at..).is_some_and(|head| head.starts_with(mark))
        });
        found.filter(|format| match format.mark.1 {
            // These are characters as well.
            b"-lh" => is_lha(head),
            b"\x60\xea" => is_arj(head),
            _ => true,
        })
    }
}

/// Whether the header is one of LHA: its second byte is the sum of those behind
/// it, as many as its first tells, and the method ends in a dash.
fn is_lha(head: &[u8]) -> bool {
    let Some([length, sum, ..]) = head.get(..2) else {
        return false;
    };
    // From level 2 on there is no sum, and the level stands there.
    let levelled = matches!(head.get(20), Some(2 | 3));
    let bytes = head.get(2..usize::from(*length).saturating_add(2));
    let actual = bytes.map(|bytes| bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)));
    head.get(6) == Some(&b'-') && (levelled || actual == Some(*sum))
}

/// Whether the header is one of ARJ: of at most 2600 bytes, the first of which
/// tells how many are fixed, and of the type of the archive itself.
fn is_arj(head: &[u8]) -> bool {
    match head {
        [_, _, low, high, fixed, _, _, _, _, _, 2, ..] => {
            (30..=2600).contains(&u16::from_le_bytes([*low, *high])) && (30..=100).contains(fixed)
        }
        _ => false,
    }
}
