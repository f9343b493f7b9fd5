//! Archives and compressed files for which there is no reader, and what reads
//! them.

/// A format that is known by name alone.
#[derive(Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Its name.
    pub name: &'static str,
    /// A command that gives its contents.
    pub tool: &'static str,
    /// Where its mark stands, and what that is.
    mark: (usize, &'static [u8]),
}

/// From the `file` database and the formats' own specifications. For RAR there
/// is no reader with a permissive licence.
const ALL: &[Foreign] = &[
    foreign("RAR archive", "unrar x", 0, b"Rar!\x1a\x07"),
    foreign("cabinet archive", "cabextract", 0, b"MSCF\0\0\0\0"),
    foreign("LHA archive", "lha x", 2, b"-lh"),
    foreign("ARJ archive", "arj x", 0, b"\x60\xea"),
    foreign("xar archive", "xar -xf", 0, b"xar!"),
    foreign("ISO 9660 image", "bsdtar -xf", 32769, b"CD001"),
    foreign("SquashFS image", "unsquashfs", 0, b"hsqs"),
    foreign("RPM package", "rpm2cpio", 0, b"\xed\xab\xee\xdb"),
    foreign("lz4 data", "lz4 -d", 0, b"\x04\x22\x4d\x18"),
    foreign("lzip data", "lzip -d", 0, b"LZIP\x01"),
    foreign("lzop data", "lzop -d", 0, b"\x89LZO\0\r\n\x1a\n"),
    foreign("compress data", "uncompress", 0, b"\x1f\x9d"),
];

const fn foreign(
    name: &'static str,
    tool: &'static str,
    at: usize,
    mark: &'static [u8],
) -> Foreign {
    Foreign {
        name,
        tool,
        mark: (at, mark),
    }
}

impl Foreign {
    /// The format that first bytes tell.
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        ALL.iter().find(|format| {
            let (at, mark) = format.mark;
            head.get(at..).is_some_and(|head| head.starts_with(mark))
        })
    }
}
