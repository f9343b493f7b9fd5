//! Formats that are detected but not read, and the programs that read them.

use crate::path::ends_in;

/// A format that the reader does not read.
#[derive(Debug, PartialEq, Eq)]
pub struct Other {
    /// The name of the format.
    pub name: &'static str,
    /// A command that reads the file. Empty if there is no common one.
    pub tool: &'static str,
}

const fn other(name: &'static str, tool: &'static str) -> Other {
    Other { name, tool }
}

/// A format with magic bytes.
struct Marked {
    /// The offset of the magic bytes.
    at: usize,
    magic: &'static [u8],
    format: Other,
}

const fn format(at: usize, magic: &'static [u8], name: &'static str, tool: &'static str) -> Marked {
    let format = other(name, tool);
    Marked { at, magic, format }
}

/// Common formats. The magic bytes are from the database of the `file` command and from the
/// specifications. The first match is used.
static FORMATS: &[Marked] = &[
    // Video and sound.
    format(8, b"WAVE", "WAVE audio", "ffprobe"),
    format(8, b"AVI ", "AVI video", "ffprobe"),
    format(4, b"ftypM4A", "MPEG-4 audio", "ffprobe"),
    format(4, b"ftyp", "MPEG-4 video", "ffprobe"),
    format(0, b"\x1aE\xdf\xa3", "Matroska video", "ffprobe"),
    format(0, b"ID3", "MP3 audio", "ffprobe"),
    format(0, b"\xff\xfb", "MP3 audio", "ffprobe"),
    format(0, b"fLaC", "FLAC audio", "ffprobe"),
    format(0, b"OggS", "Ogg audio or video", "ffprobe"),
    format(0, b"FLV\x01", "Flash video", "ffprobe"),
    format(0, b"0&\xb2u\x8ef\xcf\x11", "Windows Media file", "ffprobe"),
    format(8, b"AIFF", "AIFF audio", "ffprobe"),
    format(0, b"MThd\0\0\0\x06", "MIDI file", "timidity"),
    format(0, b"\0\0\x01\xba", "MPEG video", "ffprobe"),
    format(0, b"caff\0\x01", "Core Audio file", "ffprobe"),
    format(0, b"#!AMR", "AMR audio", "ffprobe"),
    // Images and drawings.
    format(0, b"\0\0\x01\0", "icon", ""),
    format(0, b"gimp xcf", "GIMP image", "magick identify"),
    format(0, b"icns", "Apple icon image", "icns2png -l"),
    format(
        0,
        b"\xd7\xcd\xc6\x9a",
        "Windows metafile",
        "magick identify",
    ),
    format(40, b" EMF", "enhanced metafile", "magick identify"),
    format(0, b"AT&TFORM", "DjVu document", "djvutxt"),
    format(0, b"\n\x05\x01\x08", "PCX image", "magick identify"),
    format(0, b"glTF\x01", "glTF model", ""),
    format(0, b"glTF\x02", "glTF model", ""),
    format(0, b"BLENDER", "Blender file", "blender"),
    format(128, b"DICM", "DICOM image", "dcmdump"),
    // Documents and books.
    format(0, b"%PDF-", "PDF document", "pdftotext"),
    format(
        0,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "OLE document (old Office format)",
        "",
    ),
    format(60, b"BOOKMOBI", "Mobipocket book", "ebook-convert"),
    format(60, b"TEXtREAd", "Palm book", "ebook-convert"),
    format(0, b"ITSF\x03\0\0\0", "Windows help file (CHM)", "7z x"),
    format(0, b"!BDN", "Outlook mailbox (PST)", "readpst"),
    format(0, b"L\0\0\0\x01\x14\x02\0", "Windows shortcut", "lnkinfo"),
    format(0, b"bplist0", "binary property list", "plutil -p"),
    format(
        0,
        b"\0\0\0\x01Bud1",
        "folder settings of the Finder (.DS_Store)",
        "",
    ),
    format(0, b"\0\x05\x16\x07", "AppleDouble file", ""),
    // Programs.
    format(0, b"\x7fELF", "ELF executable", "readelf -a"),
    format(
        0,
        b"\0asm\x01\0\0\0",
        "WebAssembly module",
        "wasm-tools print",
    ),
    format(0, b"\0asm", "WebAssembly component", "wasm-tools print"),
    format(0, b"\xcf\xfa\xed\xfe", "Mach-O executable", "otool -L"),
    format(0, b"\xce\xfa\xed\xfe", "Mach-O executable", "otool -L"),
    format(
        0,
        b"\xca\xfe\xba\xbe",
        "Java class or universal Mach-O executable",
        "javap -c",
    ),
    format(0, b"MZ", "Windows executable", "objdump -p"),
    format(0, b"dex\n0", "Android program", "dexdump"),
    format(0, b"\x1bLua", "compiled Lua code", "luac -l"),
    format(0, b"\x1bLJ", "compiled LuaJIT code", "luajit -bl"),
    format(0, b"BC\xc0\xde", "LLVM bitcode", "llvm-dis"),
    format(
        0,
        b"\xde\x12\x04\x95",
        "compiled translations (gettext)",
        "msgunfmt",
    ),
    format(
        0,
        b"\x95\x04\x12\xde",
        "compiled translations (gettext)",
        "msgunfmt",
    ),
    format(
        0,
        b"Microsoft C/C++ MSF 7.00",
        "Windows debug data (PDB)",
        "llvm-pdbutil dump",
    ),
    format(0, b"MDMP", "Windows minidump", "minidump-stackwalk"),
    format(0, b"'\x05\x19V", "U-Boot image", "dumpimage -l"),
    format(0, b"Cr24", "Chrome extension", "unzip"),
    format(0, b"CWS", "Flash program", ""),
    format(0, b"FWS", "Flash program", ""),
    // Fonts.
    format(0, b"wOFF", "WOFF font", "fc-scan"),
    format(0, b"wOF2", "WOFF2 font", "fc-scan"),
    format(0, b"OTTO", "OpenType font", "fc-scan"),
    format(0, b"\0\x01\0\0\0", "TrueType font", "fc-scan"),
    format(0, b"ttcf", "collection of fonts", "fc-scan"),
    format(0, b"\x80\x01", "PostScript font", "fc-scan"),
    // Data.
    format(0, b"PAR1", "Parquet file", "duckdb"),
    format(0, b"PARE", "encrypted Parquet file", ""),
    format(0, b"ARROW1", "Arrow or Feather file", "duckdb"),
    format(0, b"FEA1", "Feather file", "pyarrow.feather"),
    format(0, b"ORC", "ORC file", "orc-contents"),
    format(0, b"Obj\x01", "Avro file", "avro-tools tojson"),
    format(0, b"\x93NUMPY", "NumPy array", "numpy.load"),
    format(0, b"\x89HDF\r\n\x1a\n", "HDF5 file", "h5dump"),
    format(0, b"CDF\x01", "NetCDF file", "ncdump"),
    format(0, b"CDF\x02", "NetCDF file", "ncdump"),
    format(0, b"CDF\x05", "NetCDF file", "ncdump"),
    format(0, b"GGUF", "GGUF model", "gguf-dump"),
    format(0, b"GRIB", "GRIB file", "grib_dump"),
    format(0, b"SIMPLE  = ", "FITS file", "fitsheader"),
    format(0, b"\0\0'\n", "shapefile", "ogrinfo -al"),
    format(
        0,
        b"\0\x01\0\0Standard Jet DB",
        "Access database",
        "mdb-tables",
    ),
    format(
        0,
        b"\0\x01\0\0Standard ACE DB",
        "Access database",
        "mdb-tables",
    ),
    format(0, b"REDIS0", "Redis dump", "redis-check-rdb"),
    format(0, b"7\x7f\x06\x82", "log of a SQLite database", ""),
    format(0, b"7\x7f\x06\x83", "log of a SQLite database", ""),
    format(
        0,
        b"\xd9\xd5\x05\xf9 \xa1c\xd7",
        "rollback journal of a SQLite database",
        "",
    ),
    format(0, b"PACK\0\0\0", "Git pack", "git verify-pack -v"),
    format(0, b"\xfftOc", "index of a Git pack", "git show-index"),
    format(0, b"DIRC\0\0\0", "Git index", "git ls-files --stage"),
    format(0, b"ElfFile\0", "Windows event log", "evtx_dump"),
    format(0, b"regf", "Windows registry hive", "hivexregedit --export"),
    format(
        0,
        b"\xd4\xc3\xb2\xa1",
        "network capture (pcap)",
        "tcpdump -nr",
    ),
    format(
        0,
        b"\xa1\xb2\xc3\xd4",
        "network capture (pcap)",
        "tcpdump -nr",
    ),
    format(0, b"M<\xb2\xa1", "network capture (pcap)", "tcpdump -nr"),
    format(0, b"\n\r\r\n", "network capture (pcapng)", "tshark -r"),
    format(0, b"LPKSHHRH", "systemd journal", "journalctl --file"),
    format(0, b"d8:announce", "BitTorrent file", "transmission-show"),
    format(0, b"TZif", "time zone data", "zdump -v"),
    // Keys and disks.
    format(
        0,
        b"\xfe\xed\xfe\xed",
        "Java keystore",
        "keytool -list -keystore",
    ),
    format(0, b"age-encryption.org/", "age encrypted data", "age -d"),
    format(
        0,
        b"LUKS\xba\xbe",
        "encrypted disk (LUKS)",
        "cryptsetup luksDump",
    ),
    format(0, b"QFI\xfb", "disk image (qcow2)", "qemu-img info"),
    format(0, b"KDMV", "disk image (VMDK)", "qemu-img info"),
    format(0, b"vhdxfile", "disk image (VHDX)", "qemu-img info"),
    format(64, b"\x7f\x10\xda\xbe", "disk image (VDI)", "qemu-img info"),
    format(512, b"EFI PART", "disk image (GPT)", "fdisk -l"),
    format(1080, b"S\xef", "file system (ext)", "debugfs"),
];

/// A format whose first bytes are numbers.
type Shaped = (fn(&[u8]) -> bool, Other);

/// Formats without magic bytes, each with a test of the fields at its start.
static SHAPED: &[Shaped] = &[
    (is_pyc, other("compiled Python code", "")),
    (is_pickle, other("Python pickle", "python3 -m pickletools")),
    (
        is_safetensors,
        other("safetensors model", "safetensors.safe_open"),
    ),
    (
        is_der,
        other(
            "DER data, such as a certificate",
            "openssl asn1parse -inform DER -in",
        ),
    ),
    (is_pgp, other("OpenPGP data", "gpg --list-packets")),
    (is_ebcdic, other("EBCDIC text", "iconv -f IBM1047 -t UTF-8")),
];

/// Formats without any mark, by extension.
static NAMED: &[(&[&str], Other)] = &[
    (&["br"], other("brotli data", "brotli -dc")),
    (&["onnx"], other("ONNX model", "onnx.load")),
    (&["pb"], other("protocol buffer", "protoc --decode_raw <")),
    (&["dbf"], other("dBASE table", "ogrinfo -al")),
];

impl Other {
    /// Detects the format from the first bytes of a file that is not text.
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        let shaped = || SHAPED.iter().find(|(is_shaped, _)| is_shaped(head));
        let marked = marked(head).map(|marked| &marked.format);
        marked.or_else(|| shaped().map(|(_, format)| format))
    }

    /// The format that the extension indicates. It applies to a file that is not text, and whose
    /// content has no known format.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        let named = NAMED
            .iter()
            .find(|(extensions, _)| ends_in(name, extensions));
        named.map(|(_, format)| format)
    }
}

/// The name without the number of a volume: `a.7z` for `a.7z.002`. `None` if the name does not end in
/// such a number.
pub fn volume(name: &str) -> Option<&str> {
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let (whole, number) = name.rsplit_once('.')?;
    let is_number = number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !whole.is_empty() && number != "000").then_some(whole)
}

/// Whether no text in an encoding other than UTF-8 starts with these bytes. Magic bytes of a few
/// letters also start texts.
pub fn is_certain(head: &[u8]) -> bool {
    let is_long = |magic: &[u8]| {
        let printable = magic.iter().all(|byte| matches!(byte, b' '..=b'~'));
        magic.len() >= if printable { 6 } else { 4 }
    };
    match marked(head) {
        Some(marked) => is_long(marked.magic),
        None => SHAPED.iter().any(|(is_shaped, _)| is_shaped(head)),
    }
}

/// The format whose magic bytes a file has.
fn marked(head: &[u8]) -> Option<&'static Marked> {
    FORMATS.iter().find(|format| {
        let rest = head.get(format.at..);
        rest.is_some_and(|rest| rest.starts_with(format.magic))
    })
}

/// Python 3.7 and later write a number of two bytes, a line end, and flags of four bytes (PEP 552).
fn is_pyc(head: &[u8]) -> bool {
    matches!(head, [_, 0x0d..=0x0f, b'\r', b'\n', 0..=3, 0, 0, 0, ..])
}

/// Protocols from 2 on: an opcode and the version. Those from 4 on have frames.
fn is_pickle(head: &[u8]) -> bool {
    matches!(
        head,
        [
            0x80,
            2 | 3,
            b'(' | b'X' | b'c' | b'}' | b']' | b'K' | b'J' | b'G' | b'N',
            ..
        ] | [0x80, 4 | 5, 0x95, ..]
    )
}

/// The size of a JSON object in eight bytes, and the object.
fn is_safetensors(head: &[u8]) -> bool {
    matches!(head, [_, _, _, 0..=5, 0, 0, 0, 0, b'{', b'"', ..])
}

/// A sequence with a length of two bytes, which starts with a sequence or a number.
fn is_der(head: &[u8]) -> bool {
    matches!(
        head,
        [0x30, 0x82, 1..=0x7f, _, 0x30, 0x80..=0x82, ..]
            | [0x30, 0x82, 1..=0x7f, _, 2, 1, 0..=3, ..]
    )
}

/// A packet of RFC 9580 whose version follows its length: an encrypted session key, a signature or a
/// key.
fn is_pgp(head: &[u8]) -> bool {
    matches!(
        head,
        [0x84 | 0x88 | 0x8c | 0x94 | 0x98, _, 3..=6, ..]
            | [0x85 | 0x89 | 0x95 | 0x99, 0..=0x20, _, 3..=6, ..]
            | [0xc1..=0xc3 | 0xc5 | 0xc6, 0..=191, 3..=6, ..]
            | [0xc1..=0xc3 | 0xc5 | 0xc6, 192..=223, _, 3..=6, ..]
    )
}

/// Letters and spaces of IBM mainframes: most bytes are above the ASCII range, and the rest are
/// spaces, line ends and signs.
fn is_ebcdic(head: &[u8]) -> bool {
    let first = head.get(..512).unwrap_or(head);
    let count = |test: fn(u8) -> bool| first.iter().filter(|byte| test(**byte)).count();
    let letters = count(
        |byte| matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xa2..=0xa9 | 0xc1..=0xc9 | 0xd1..=0xd9 | 0xe2..=0xe9 | 0xf0..=0xf9),
    );
    let others = count(
        |byte| matches!(byte, 0x40 | 0x15 | 0x25 | 0x0d | 0x4b..=0x50 | 0x5a..=0x61 | 0x6b..=0x6f | 0x7a..=0x7f),
    );
    let spaces = count(|byte| byte == 0x40);
    // Nine tenths are letters, digits and spaces, and none is a space or a line end of ASCII.
    first.len() >= 16
        && spaces.saturating_mul(20) >= first.len()
        && letters.saturating_mul(2) >= first.len()
        && letters.saturating_add(others) == first.len()
        && !first.iter().any(|byte| matches!(byte, b' ' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_named_with_a_program() {
        for (head, name) in [
            (&b"PAR1\x15\x04"[..], "Parquet file"),
            (b"\x89HDF\r\n\x1a\n\0", "HDF5 file"),
            (b"\xf3\x0d\r\n\0\0\0\0", "compiled Python code"),
            (b"\x80\x04\x95\x10\0\0", "Python pickle"),
            (
                b"\x30\x82\x03\x05\x30\x82\x01",
                "DER data, such as a certificate",
            ),
            (b"\x85\x01\x0c\x03abcdefgh", "OpenPGP data"),
            (b"\x40\0\0\0\0\0\0\0{\"a\":", "safetensors model"),
            (
                b"\xc8\x85\x93\x93\x96\x40\xa6\x96\x99\x93\x84\x4b\x40\xd6\x95\x85\x25",
                "EBCDIC text",
            ),
        ] {
            assert_eq!(
                Other::of(head).map(|format| format.name),
                Some(name),
                "{head:?}"
            );
        }
        assert_eq!(
            Other::of_name("data/a.js.br").map(|format| format.tool),
            Some("brotli -dc")
        );
        assert_eq!(Other::of(b"plain words"), None);
        assert_eq!(volume("b/a.7z.002"), Some("a.7z"));
        assert_eq!(volume("a.7z"), None);
    }

    #[test]
    fn magic_bytes_of_letters_do_not_exclude_text() {
        for text in [
            &b"MZ\xe9, un nom"[..],
            b"ID3 est un caf\xe9",
            b"PAR1 \xe0 PAR2",
            b"ORC\xa9",
        ] {
            assert!(!is_certain(text), "{text:?}");
        }
        for data in [
            &b"ARROW1\xe9"[..],
            b"\x1aE\xdf\xa3",
            b"d8:announce35:\xff",
            b"\x89HDF\r\n\x1a\n",
        ] {
            assert!(is_certain(data), "{data:?}");
        }
    }
}
