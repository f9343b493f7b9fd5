//! Formats that are detected but not read, and the programs that read them.

use super::marks::{FORMATS, Marked};
use super::shapes::{SHAPED, is_ebcdic};
use super::unread::{Other, other};

use crate::encoding::{has_controls, is_control};
use crate::escapes::any_byte;
use crate::path::ends_in;

/// Formats without any mark, by extension.
static NAMED: &[(&[&str], Other)] = &[
    (&["br"], other("brotli data", "brotli -dc")),
    (&["onnx"], other("ONNX model", "onnx.load")),
    (&["pb"], other("protocol buffer", "protoc --decode_raw <")),
    (&["dbf"], other("dBASE table", "ogrinfo -al")),
    (
        &["pkl", "pickle"],
        other("Python pickle", "python3 -m pickletools"),
    ),
    (&["joblib"], other("Python objects (joblib)", "joblib.load")),
    (&["pst", "ost"], other("Outlook mailbox (PST)", "readpst")),
    (&["gpg", "pgp"], other("OpenPGP data", "gpg --list-packets")),
    (
        &["der", "p7b", "p7s", "p12", "pfx"],
        other(
            "DER data, such as a certificate",
            "openssl asn1parse -inform DER -in",
        ),
    ),
    (&["parquet"], other("Parquet file", "duckdb")),
    (&["bson"], other("BSON documents", "bsondump")),
    (&["cbor"], other("CBOR data", "python3 -m cbor2.tool")),
    (
        &["msgpack", "mpk"],
        other("MessagePack data", "msgpack.unpackb"),
    ),
    (
        &["tfrecord", "tfevents"],
        other("TensorFlow records", "tf.data.TFRecordDataset"),
    ),
    (
        &["ldb", "sst"],
        other("table of LevelDB or RocksDB", "ldb dump"),
    ),
    (&["dta"], other("Stata data file", "pandas.read_stata")),
    (&["xpt"], other("SAS transport file", "pandas.read_sas")),
    (&["ibd"], other("InnoDB table", "ibd2sdi")),
    (&["myd"], other("MyISAM table", "")),
    (&["stl"], other("STL model", "assimp info")),
    (&["dmg"], other("disk image of macOS", "7z x")),
    (&["lib", "obj", "o"], other("object file", "objdump -d")),
    (&["asar"], other("archive of Electron", "npx asar list")),
    (&["sz", "snappy"], other("snappy data", "snzip -dc")),
];

impl Other {
    /// Detects the format from the first bytes of a file that is not text.
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        let marked = marked(head).map(|marked| &marked.format);
        marked.or_else(|| shaped(head))
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

/// Whether bytes that could be a text in an encoding other than UTF-8 are data in a known format. Magic
/// bytes that are letters in some encoding also start texts, so a control character confirms them.
pub fn is_certain(head: &[u8]) -> bool {
    let is_long = |magic: &[u8]| {
        let printable = magic.iter().all(|byte| matches!(byte, b' '..=b'~'));
        magic.len() >= if printable { 6 } else { 4 }
    };
    let is_confirmed = || any_byte(unterminated(head), is_control);
    match marked(head) {
        Some(marked) => is_long(marked.magic) && is_confirmed(),
        // The letters of EBCDIC were counted.
        None => is_ebcdic(head) || (shaped(head).is_some() && is_confirmed()),
    }
}

/// Whether bytes that could be decoded as text are data in a known format, or in the one of the name. They
/// have more control characters than texts.
pub fn is_data(head: &[u8], name: &str) -> bool {
    has_controls(unterminated(head))
        && (Other::of(head).is_some() || Other::of_name(name).is_some())
}

/// The bytes without the control character at the end of texts of DOS.
fn unterminated(head: &[u8]) -> &[u8] {
    head.strip_suffix(b"\x1a").unwrap_or(head)
}

/// The format whose magic bytes a file has.
fn marked(head: &[u8]) -> Option<&'static Marked> {
    FORMATS.iter().find(|format| {
        let rest = head.get(format.at..);
        rest.is_some_and(|rest| rest.starts_with(format.magic))
    })
}

/// The format whose fields a file has at its start.
fn shaped(head: &[u8]) -> Option<&'static Other> {
    let shaped = SHAPED.iter().find(|(is_shaped, _)| is_shaped(head));
    shaped.map(|(_, format)| format)
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
            (b"\x08\x08\x12\x04name:\x02", "ONNX model"),
            (b"\x78\x9c\x4b\xca", "zlib data, such as an object of Git"),
            (b"\x03\xf3\r\n\x12\x34\x56\x67c", "compiled Python code"),
            (b"\xff\xff\xff\xff\x70\0\0\0\x10\0\0\0", "Arrow stream"),
            (b"ITOLITLS\x01\0\0\0", "Microsoft Reader book (LIT)"),
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
    }

    #[test]
    fn small_files_of_known_formats_are_data() {
        for (head, name) in [
            (&b"PAR1\x15\x04\x15\x10PAR1"[..], "x"),
            (b"\x08\x08\x12\x04name\x3a\x02\x0a\x01", "x"),
            (b"\x0a\x03abc\x12\x05words", "model.pb"),
            (b"!BDN\x05\x06SM", "x"),
        ] {
            assert!(is_data(head, name), "{head:?}");
        }
        for (head, name) in [
            (&b"PAR1 is the mark of Parquet"[..], "a.parquet"),
            (b"\x0a\x03abc\x12\x05words", "a.txt"),
            (b"MZ\n", "x"),
        ] {
            assert!(!is_data(head, name), "{head:?}");
        }
    }

    #[test]
    fn magic_bytes_of_letters_do_not_exclude_text() {
        for text in [
            &b"MZ\xe9, un nom"[..],
            b"ID3 est un caf\xe9",
            b"PAR1 \xe0 PAR2",
            b"ORC\xa9",
            b"StuffIt est un logiciel cr\xe9\xe9 pour le Macintosh",
            b"BLENDER f\xfcr alle",
            b"gimp xcf est d\xe9crit ici\x1a",
            b"x^2 + y^2 = r^2 \n f\xfcr alle Punkte",
            b"x\xda\xe9",
            b"F\xf3\r\nlos coches",
            b"\n\r\r\n\xc4pfel",
            // Words in GBK.
            b"\xca\xfe\xba\xbe\xd6\xd0\xb9\xfa",
            b"\xa1\xb2\xc3\xd4\xa1\xb3",
        ] {
            assert!(!is_certain(text), "{text:?}");
        }
        for data in [
            &b"ARROW1\xe9\x04"[..],
            b"\x1aE\xdf\xa3",
            b"d8:announce35:\xff\x02",
            b"\xca\xfe\xba\xbe\x02\xe9",
            b"x^2\xe9\x02\xb7",
            b"\x89HDF\r\n\x1a\n",
        ] {
            assert!(is_certain(data), "{data:?}");
        }
    }
}
