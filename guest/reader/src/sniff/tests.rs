use super::*;
use crate::encoding::detect;
use crate::pages::Input;
use crate::world::Bytes;
use omniread_document as document;

/// Magic bytes of various formats, to which the tests append other bytes.
const HEADS: [&[u8]; 24] = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"GIF87a",
    b"GIF89a",
    b"RIFF\x24\x41\x42\x43WEBPVP8 ",
    b"RIFF\x24\x41\x42\x43WEBPVP8L",
    b"RIFF\x24\x41\x42\x43WAVEfmt ",
    b"II*\0",
    b"MM\0*",
    b"8BPS\0\x01",
    b"qoif",
    b"farbfeld",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"7z\xbc\xaf\x27\x1c",
    b"\x1f\x8b\x08\x08",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"Rar!\x1a\x07",
    b"%PDF-1.7",
    b"SQLite format 3\0",
    b"\x7fELF\x02\x01",
    b"OggS",
    b"wOF2",
];

/// A file that starts with magic bytes is never detected as text, even if UTF-16 text follows them.
#[test]
fn magic_bytes_take_precedence_over_utf16() {
    let texts = [
        "我能吞下玻璃而不伤身体。\n下一行 ok\n",
        "plain words and more of them\n",
        "これは日本語の文章です。\n",
        "Съешь же ещё этих мягких булок\n",
    ];
    let mut wide = 0;
    for text in texts {
        for count in 1..20 {
            let units = text.repeat(count);
            for big in [false, true] {
                let bytes = |unit: u16| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                };
                let text: Vec<u8> = units.encode_utf16().flat_map(bytes).collect();
                for head in HEADS {
                    let mut file = head.to_vec();
                    file.resize(head.len().next_multiple_of(2), b' ');
                    file.extend(&text);
                    let mut source = Bytes::new(file);
                    let mut input = Input::new(&mut source, None).unwrap();
                    wide += u32::from(detect(&mut input, None, |_| false).is_some());
                    assert_eq!(detect(&mut input, None, is_known), None, "{head:?} {units}");
                }
            }
        }
    }
    // Without the magic bytes, many of these files would be UTF-16.
    assert!(wide > 1000, "{wide}");
}

#[test]
fn text_has_no_known_format() {
    for text in ["plain", "P6 is a format", "GIF and PNG", "<svg/>", "{}", ""] {
        assert!(!is_known(text.as_bytes()), "{text}");
    }
}

fn kind_of(bytes: &[u8], hints: Hints<'_>) -> Kind {
    let mut source = Bytes::new(bytes.to_vec());
    let mut input = Input::new(&mut source, None).unwrap();
    sniff(&mut input, None, Container::of(bytes), hints).kind
}

#[test]
fn content_decides_before_the_name() {
    let named = |name| Hints {
        name,
        ..Hints::default()
    };
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    assert!(matches!(kind_of(png, named("a.ipynb")), Kind::Image(_)));
    assert_eq!(
        kind_of(b"%PDF-1.4\n", named("a.txt")),
        Kind::Document(Document::Engine(document::Format::Pdf))
    );
    assert_eq!(
        kind_of(b"{}", named("dir/A.IPYNB")),
        Kind::Document(Document::Notebook)
    );
    assert_eq!(kind_of(b"{}", named("a.json")), Kind::Text);
    assert!(matches!(
        kind_of(b"<svg/>", named("a.txt")),
        Kind::Drawing(_)
    ));
    assert_eq!(kind_of(b"\x01\x02\0", named("a.txt")), Kind::Other);
    assert!(matches!(
        kind_of(b"<svg/>", named("a.ipynb")),
        Kind::Drawing(_)
    ));
    let zip = Kind::Container(Container::Archive(Format::Zip));
    assert_eq!(kind_of(b"PK\x03\x04", named("a.docx")), zip);
    // A worksheet of Excel 2 with one number.
    let sheet = b"\x09\0\x04\0\x02\0\x10\0\x02\0\x09\0\0\0\0\0\0\0\0\x07\0\x0a\0\0\0";
    let workbook = Document::Engine(omniread_document::Format::Xls);
    assert_eq!(kind_of(sheet, named("a.txt")), Kind::Document(workbook));
    assert_eq!(kind_of(&sheet[..8], named("a.xls")), Kind::Other);
}

#[test]
fn server_mime_type_and_charset_are_hints() {
    let json = Hints {
        name: "download?id=7",
        mime: Some("application/x-ipynb+json"),
        charset: None,
    };
    assert_eq!(kind_of(b"{}", json), Kind::Document(Document::Notebook));
    let mut source = Bytes::new(b"na\xefve".to_vec());
    let mut input = Input::new(&mut source, None).unwrap();
    let hints = Hints {
        charset: Some("iso-8859-2"),
        ..Hints::default()
    };
    let encoding = sniff(&mut input, None, None, hints).encoding.unwrap();
    assert_eq!(
        (encoding.charset.name(), encoding.guessed),
        ("iso-8859-2".to_owned(), false)
    );
}

/// The name of the format of a file, or `text`.
fn format_of(bytes: &[u8], name: &str) -> String {
    let hints = Hints {
        name,
        ..Hints::default()
    };
    match kind_of(bytes, hints) {
        Kind::Text => "text".to_owned(),
        Kind::Container(container) => container.name(),
        Kind::Document(document) => document.name().to_owned(),
        Kind::Image(format) | Kind::Drawing(format) => format.media.long_name.to_owned(),
        Kind::Other => {
            let format = Other::of(bytes).or_else(|| Other::of_name(name));
            format.map_or("unknown", |format| format.name).to_owned()
        }
    }
}

/// Bytes at an offset, after and before zeros.
fn sparse(marks: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    for (at, mark) in marks {
        bytes[*at..*at + mark.len()].copy_from_slice(mark);
    }
    bytes
}

/// Texts with the first letters of a binary format are texts in all encodings.
#[test]
fn texts_that_start_with_magic_bytes_are_texts() {
    let samples: [(&str, &str); 5] = [
        ("utf-8", "plain words and more of them, on a line\n"),
        ("utf-8", "ein Text für alle, über mehrere Zeilen\n"),
        (
            "windows-1252",
            " f\u{fc}r alle Punkte auf dem Kreis, \u{e0} la carte\n",
        ),
        ("windows-1251", " и ещё несколько слов на русском языке\n"),
        ("shift_jis", " これは日本語の文章です。次の行も同じです。\n"),
    ];
    let mut count = 0;
    let shaped: [(usize, &[u8]); 6] = [
        (0, b"x^2"),
        (0, b"x^"),
        (0, b"0 0"),
        (0, b"G"),
        (0, b"BM"),
        (0, b"PK"),
    ];
    let marked = marks::FORMATS
        .iter()
        .map(|format| (format.at, format.magic));
    for (at, magic) in marked.chain(shaped) {
        let is_text = magic
            .iter()
            .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r'));
        if !is_text || at > 512 {
            continue;
        }
        for (label, text) in samples {
            let coding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            for repeat in [1, 8] {
                let mut file = b"plain text ".repeat(60);
                file.truncate(at);
                file.extend(magic);
                file.extend(coding.encode(&text.repeat(repeat)).0.iter());
                for end in [&b""[..], b"\x1a"] {
                    let file = [&file, end].concat();
                    let format = format_of(&file, "notes.txt");
                    assert_eq!(format, "text", "{} {label} {repeat}", magic.escape_ascii());
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn everyday_texts_are_texts() {
    for (name, text) in [
        (
            "a.tar.gz.asc",
            &b"-----BEGIN PGP SIGNATURE-----\n\niQIzBAAB\n"[..],
        ),
        (
            "a.asc",
            b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\ncaf\xe9\n",
        ),
        ("a.age", b"-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n"),
        (
            "a.minisig",
            b"untrusted comment: signature from minisign\nRUQ\n",
        ),
        (
            "SHA256SUMS",
            b"e3b0c44298fc1c149afbf4c8996fb924  a.tar.gz\n",
        ),
        ("a.iso.md5", b"d41d8cd98f00b204e9800998ecf8427e *a.iso\n"),
        ("a.sfv", b"; Generated by cfv\na.r00 1234ABCD\n"),
        (
            "id_ed25519",
            b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n",
        ),
        ("id_rsa.pub", b"ssh-rsa AAAAB3NzaC1yc2E user@host\n"),
        ("a.der", b"-----BEGIN CERTIFICATE-----\nMIIB\n"),
        ("a.p7b", b"-----BEGIN PKCS7-----\nMIIB\n"),
        (
            "a.srt",
            b"1\r\n00:00:01,000 --> 00:00:02,000\r\nO\xf9 est-il\xa0?\r\n",
        ),
        ("a.sub", b"{1}{100}O\xf9 est-il ?\n"),
        ("a.ass", b"[Script Info]\nTitle: caf\xe9\n"),
        ("a.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nwords\n"),
        ("a.idx", b"# VobSub index file, v7\nsize: 720x576\n"),
        ("a.vmdk", b"# Disk DescriptorFile\nversion=1\n"),
        ("a.cue", b"FILE \"a.wav\" WAVE\n  TRACK 01 AUDIO\n"),
        ("a.m3u", b"#EXTM3U\n#EXTINF:1,\xc9toile\na.mp3\n"),
        ("a.ts", b"G: number = 1;\nexport const x = G;\n"),
        ("a.obj", b"o Cube\nv 1.0 1.0 -1.0\n"),
        ("a.stl", b"solid cube\n facet normal 0 0 1\n"),
        ("a.pb", b"MZ; a list in Purebasic \xe9\n"),
        ("a.o", b"no object file, but a note\n"),
        ("a.br", b"<br> und \xc4pfel\n"),
        (
            "a.url",
            b"[InternetShortcut]\r\nURL=https://example.org/\r\n",
        ),
        ("a.log", b"\x1b[31mERROR\x1b[0m caf\xe9\n"),
        ("a.log", b"MAC address changed \x96 link up\n"),
        (
            "a.log",
            b"070701 12:00:00 InnoDB: Started; log sequence number 0 43655 and more words of it\n",
        ),
        ("a.log", b"BZh91 is not a compressed file\n"),
        ("a.log", b"xar! hsqs Rar! MSCF\n"),
        ("a.csv", b"ID3;Name\r\n1;J\xfcrgen\r\n"),
        ("a.uu", b"begin 644 a.gz\nM'XL(\n"),
        ("a.reg", b"REGEDIT4\r\n\r\n[HKEY_CURRENT_USER\\caf\xe9]\r\n"),
        ("a.ldif", b"dn: cn=a\ncn:: Y2Fm\n"),
        ("a.gpx", b"P1 and P2 are points \xb0\n"),
    ] {
        assert_eq!(
            format_of(text, name),
            "text",
            "{name} {}",
            text.escape_ascii()
        );
    }
}

#[test]
fn everyday_files_have_their_names() {
    let boot: (usize, &[u8]) = (510, b"U\xaa");
    for (name, bytes, format) in [
        (
            "a.sig",
            b"\x88\x75\x04\0\x16\x0a\0\x1d\x16".to_vec(),
            "OpenPGP data",
        ),
        (
            "a.tar.gz.sig",
            b"\x89\x02\x33\x04\0\x01\x0a\0".to_vec(),
            "OpenPGP data",
        ),
        (
            "a.tar.gz.gpg",
            b"\x8c\x0d\x04\x09\x03\x02\0\x81".to_vec(),
            "OpenPGP data",
        ),
        (
            "a.tar.gz.age",
            b"age-encryption.org/v1\n-> X25519 \x80\0\x01".to_vec(),
            "age encrypted data",
        ),
        (
            "a.tar.gz.enc",
            b"Salted__\x91\x02\x83\xfe\0\x11".to_vec(),
            "OpenSSL encrypted data",
        ),
        (
            "a.zip.aes",
            b"AES\x02\0\0\x1bCREATED_BY\0".to_vec(),
            "AES Crypt encrypted data",
        ),
        (
            "a.p12",
            b"\x30\x82\x09\x61\x02\x01\x03\x30\x82".to_vec(),
            "DER data, such as a certificate",
        ),
        (
            "a.jks",
            b"\xfe\xed\xfe\xed\0\0\0\x02".to_vec(),
            "Java keystore",
        ),
        (
            "a.jceks",
            b"\xce\xce\xce\xce\0\0\0\x02".to_vec(),
            "Java keystore",
        ),
        (
            "a.kdbx",
            b"\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5".to_vec(),
            "KeePass database",
        ),
        (
            "a.vol00+1.par2",
            b"PAR2\0PKT\x84\0\0\0".to_vec(),
            "recovery data (PAR2)",
        ),
        ("a.part2.rar", b"Rar!\x1a\x07\x01\0".to_vec(), "RAR archive"),
        ("a.r00", b"Rar!\x1a\x07\0\xcf".to_vec(), "RAR archive"),
        ("a.z01", b"PK\x07\x08PK\x03\x04".to_vec(), "zip archive"),
        (
            "a.7z.001",
            b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(),
            "7z archive",
        ),
        (
            "a.7z.002",
            b"\x11\0\x9b\xfe\x04\xc2\x17".to_vec(),
            "unknown",
        ),
        ("a.aab", b"PK\x03\x04\x14\0".to_vec(), "zip archive"),
        ("a.img", sparse(&[boot]), "disk image (MBR)"),
        (
            "a.img",
            sparse(&[boot, (512, b"EFI PART")]),
            "disk image (GPT)",
        ),
        (
            "a.img",
            sparse(&[boot, (3, b"NTFS    ")]),
            "file system (NTFS)",
        ),
        (
            "a.img",
            sparse(&[boot, (3, b"EXFAT   ")]),
            "file system (exFAT)",
        ),
        (
            "a.img",
            sparse(&[boot, (3, b"mkfs.fat"), (54, b"FAT16   ")]),
            "file system (FAT)",
        ),
        (
            "a.img",
            sparse(&[boot, (3, b"MSWIN4.1"), (82, b"FAT32   ")]),
            "file system (FAT)",
        ),
        ("a.img", sparse(&[(1080, b"S\xef")]), "file system (ext)"),
        (
            "a.img",
            sparse(&[(0, b"XFSB\0\0\x10\0")]),
            "file system (XFS)",
        ),
        ("a.vhd", sparse(&[(0, b"conectix")]), "disk image (VHD)"),
        (
            "a.qcow2",
            b"QFI\xfb\0\0\0\x03".to_vec(),
            "disk image (qcow2)",
        ),
        ("a.vmdk", b"KDMV\x01\0\0\0".to_vec(), "disk image (VMDK)"),
        (
            "a.snap",
            sparse(&[(0, b"hsqs"), (28, b"\x04\0\0\0")]),
            "SquashFS image",
        ),
        ("a.pkg", b"xar!\0\x1c\0\x01\0\0".to_vec(), "xar archive"),
        (
            "a.iso",
            {
                let mut iso = vec![0; 32768];
                iso.extend(b"\x01CD001\x01\0");
                iso
            },
            "ISO 9660 image",
        ),
        (
            "a.lz4",
            b"\x02\x21\x4c\x18\x40\x1f\0\0".to_vec(),
            "lz4 data",
        ),
        (
            "winmail.dat",
            b"x\x9f>\"\x1c\0\x01\x06".to_vec(),
            "attachments of Outlook (TNEF)",
        ),
        ("a.sub", b"\0\0\x01\xba\x44\0\x04".to_vec(), "MPEG video"),
        (
            "a.ts",
            sparse(&[(0, b"G@\0"), (188, b"G@\0"), (376, b"G@\0")]),
            "MPEG transport stream",
        ),
        (
            "a.torrent",
            b"d8:announce35:http://a.example/\xff\0\x02".to_vec(),
            "BitTorrent file",
        ),
        (
            "a.class",
            b"\xca\xfe\xba\xbe\0\0\0\x3d".to_vec(),
            "Java class or universal Mach-O executable",
        ),
        (
            "a.exe",
            b"MZ\x90\0\x03\0\0\0".to_vec(),
            "Windows executable",
        ),
        ("a.mp3", b"ID3\x04\0\0\0\0".to_vec(), "MP3 audio"),
        ("a.m4a", b"\0\0\0\x20ftypM4A \0".to_vec(), "MPEG-4 audio"),
        ("a.deb", b"!<arch>\ndebian-binary   ".to_vec(), "ar archive"),
        (
            "a.cpio",
            format!("070701{}\0", "00000aF0".repeat(13)).into_bytes(),
            "cpio archive",
        ),
        ("a.enc", b"\x11\0\x9b\xfe\x04\xc2\x17".to_vec(), "unknown"),
    ] {
        assert_eq!(format_of(&bytes, name), format, "{name}");
    }
}
