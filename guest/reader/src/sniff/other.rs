//! Formats that are detected but not read.

/// Common formats, each with the offset of its magic bytes, the magic bytes and its name. The magic
/// bytes are from the database of the `file` command and from the specifications. The first match
/// is used.
const FORMATS: &[(usize, &[u8], &str)] = &[
    (8, b"WAVE", "WAVE audio"),
    (8, b"AVI ", "AVI video"),
    (0, b"\0\0\x01\0", "icon"),
    (4, b"ftypM4A", "MPEG-4 audio"),
    (4, b"ftyp", "MPEG-4 video"),
    (0, b"\x1aE\xdf\xa3", "Matroska video"),
    (0, b"ID3", "MP3 audio"),
    (0, b"\xff\xfb", "MP3 audio"),
    (0, b"fLaC", "FLAC audio"),
    (0, b"OggS", "Ogg audio or video"),
    (0, b"%PDF-", "PDF document"),
    (
        0,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "OLE document (old Office format)",
    ),
    (0, b"\x7fELF", "ELF executable"),
    (0, b"\0asm\x01\0\0\0", "WebAssembly module"),
    (0, b"\0asm", "WebAssembly component"),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O executable"),
    (0, b"\xce\xfa\xed\xfe", "Mach-O executable"),
    (
        0,
        b"\xca\xfe\xba\xbe",
        "Java class or universal Mach-O executable",
    ),
    (0, b"MZ", "Windows executable"),
    (0, b"wOFF", "WOFF font"),
    (0, b"wOF2", "WOFF2 font"),
    (0, b"OTTO", "OpenType font"),
    (0, b"\0\x01\0\0\0", "TrueType font"),
    (0, b"PAR1", "Parquet file"),
    (0, b"\x93NUMPY", "NumPy array"),
];

/// The name of a format, detected by its first bytes.
pub fn name(head: &[u8]) -> Option<&'static str> {
    let known = FORMATS.iter().find(|(offset, magic, _)| {
        let head = head.get(*offset..);
        head.is_some_and(|bytes| bytes.starts_with(magic))
    });
    known.map(|(_, _, name)| *name)
}
