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
