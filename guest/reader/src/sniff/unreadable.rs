//! Archives and compressed files that the reader cannot read, and the programs that can.

/// A format of archives or compressed files that the reader detects but cannot open.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The name of the format.
    pub name: &'static str,
    /// A command that extracts the contents, such as `unrar x`.
    pub tool: &'static str,
    /// The offset of the magic bytes, and the magic bytes.
    mark: (usize, &'static [u8]),
}

/// All unreadable formats. The magic bytes are from the database of the `file` command and from the
/// specifications. For RAR there is no library with a permissive licence.
const ALL: &[Unreadable] = &[
    format("RAR archive", "unrar x", 0, b"Rar!\x1a\x07"),
    format("cabinet archive", "cabextract", 0, b"MSCF\0\0\0\0"),
    format("LHA archive", "lha x", 2, b"-lh"),
    format("ARJ archive", "arj x", 0, b"\x60\xea"),
    format("xar archive", "xar -xf", 0, b"xar!\0\x1c"),
    format("ISO 9660 image", "bsdtar -xf", 32769, b"CD001\x01"),
    format("SquashFS image", "unsquashfs", 0, b"hsqs"),
    format("RPM package", "rpm2cpio", 0, b"\xed\xab\xee\xdb"),
    format("lz4 data", "lz4 -d", 0, b"\x04\x22\x4d\x18"),
    // The format before the frames, which kernels use.
    format("lz4 data", "lz4 -d", 0, b"\x02\x21\x4c\x18"),
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
    /// Detects the format from the first bytes.
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        let found = ALL.iter().find(|format| {
            let (at, mark) = format.mark;
            head.get(at..).is_some_and(|head| head.starts_with(mark))
        });
        found.filter(|format| match format.mark.1 {
            // These magic bytes are also characters, so the header is checked.
            b"-lh" => is_lha(head),
            b"\x60\xea" => is_arj(head),
            b"hsqs" => is_squashfs(head),
            _ => true,
        })
    }
}

/// Whether an LHA header is valid. Its first byte is the number of header bytes after the second
/// one, its second byte is their checksum, and the name of the compression method ends in a dash.
fn is_lha(head: &[u8]) -> bool {
    let Some([length, sum, ..]) = head.get(..2) else {
        return false;
    };
    // Headers of level 2 and above have no checksum. Byte 20 is the level.
    let levelled = matches!(head.get(20), Some(2 | 3));
    let bytes = head.get(2..usize::from(*length).saturating_add(2));
    let actual = bytes.map(|bytes| bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)));
    head.get(6) == Some(&b'-') && (levelled || actual == Some(*sum))
}

/// Whether an ARJ header is valid: it has at most 2600 bytes, the length of its fixed
/// part is plausible, and its type is that of the main header.
fn is_arj(head: &[u8]) -> bool {
    match head {
        [_, _, low, high, fixed, _, _, _, _, _, 2, ..] => {
            (30..=2600).contains(&u16::from_le_bytes([*low, *high])) && (30..=100).contains(fixed)
        }
        _ => false,
    }
}

/// Whether the superblock of `SquashFS` has a known version, which is a number of two bytes.
fn is_squashfs(head: &[u8]) -> bool {
    matches!(head.get(28..30), Some([1..=4, 0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_not_archives() {
        for text in [
            &b"xar! is the mark of an archive"[..],
            b"hsqs starts the superblock of SquashFS",
            b"Rar! said the lion",
            b"MSCF starts a cabinet",
            b"LZIP is a format",
            b"--lh5- is a method",
        ] {
            assert_eq!(Unreadable::of(text), None, "{text:?}");
        }
        let mut squash = b"hsqs".to_vec();
        squash.resize(28, 1);
        squash.extend([4, 0, 0, 0]);
        for (head, name) in [
            (&squash[..], "SquashFS image"),
            (b"xar!\0\x1c\0\x01", "xar archive"),
        ] {
            assert_eq!(Unreadable::of(head).map(|format| format.name), Some(name));
        }
    }
}
