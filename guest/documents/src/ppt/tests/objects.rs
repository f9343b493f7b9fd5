//! Embedded charts, encryption, and names of slides.

use super::*;
use crate::ole::rc4::Key;
use crate::testing::package;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// A chart of OpenDocument in a compound file.
fn chart() -> Vec<u8> {
    let content = "<office:document-content xmlns:office=\"o\" xmlns:chart=\"c\" \
        xmlns:table=\"t\" xmlns:text=\"x\"><office:body><office:chart><chart:chart \
        chart:class=\"chart:bar\"><chart:title><text:p>Ducks</text:p></chart:title>\
        <chart:plot-area><chart:axis chart:dimension=\"x\"><chart:categories \
        table:cell-range-address=\"local-table.A2:.A2\"/></chart:axis><chart:series \
        chart:values-cell-range-address=\"local-table.B2:.B2\" \
        chart:label-cell-address=\"local-table.B1\"/></chart:plot-area><table:table \
        table:name=\"local-table\"><table:table-rows><table:table-row><table:table-cell/>\
        <table:table-cell><text:p>Wild</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell><text:p>2019</text:p></table:table-cell>\
        <table:table-cell office:value-type=\"float\" office:value=\"120\"><text:p>120</text:p>\
        </table:table-cell></table:table-row></table:table-rows></table:table></chart:chart>\
        </office:chart></office:body></office:document-content>";
    let package = package(&[("content.xml", content.as_bytes())]);
    compound(&[("package_stream", &package)])
}

/// A presentation with a shape that is an object. `compressed` says how the object is stored.
fn embedded(object: &[u8], compressed: bool) -> Unit {
    let content = if compressed {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(object).unwrap();
        let size = u32::try_from(object.len()).unwrap().to_le_bytes();
        [&size[..], &encoder.finish().unwrap()].concat()
    } else {
        object.to_vec()
    };
    let data = record(0, 0xbc1, &longs(&[9]));
    let atom = record(0, 0xfc3, &longs(&[1, 0, 9, 0, 3, 0]));
    let name = record(2, 0xfba, &utf16("Some.Chart.1"));
    let file = Builder {
        slides: vec![
            slide(&[shape(200, 0, &[], &data)], &[]),
            record(u16::from(compressed), 0x1011, &content),
        ],
        document: record(0, 0x409, &record(0, 0xfcc, &[atom, name].concat())),
        ..Builder::default()
    };
    file.unit()
}

#[test]
fn embedded_charts_are_tables() {
    for compressed in [true, false] {
        let unit = embedded(&chart(), compressed);
        let expected = "**Ducks** (bar chart)\n\n||Wild|\n|-|-|\n|2019|120|";
        assert!(unit.text.contains(expected), "{}", unit.text);
    }
    let other = compound(&[("package_stream", b"PK other")]);
    for object in [&b"other"[..], b"", &other, &compound(&[("Workbook", b"x")])] {
        assert_eq!(embedded(object, true).text, "Embedded object (Some)");
    }
    let whole = chart();
    for end in (0..whole.len()).step_by(97) {
        embedded(&whole[..end], end % 2 == 0);
    }
}

/// The header of RC4 of the `CryptoAPI` with 40 bits, for the password `secret1`, by another program.
const HEADER: &str = concat!(
    "04000200040000007600000004000000000000000168000004800000280000000100000000000000",
    "000000004d006900630072006f0073006f0066007400200042006100730065002000430072007900",
    "700074006f0067007200610070006800690063002000500072006f00760069006400650072002000",
    "760031002e003000000010000000000102030405060708090a0b0c0d0e0f4a5665fe394b27a8e57a",
    "28307a104ef5140000000a4c1c6ee040151961473cfc3ba495c90628a5a5",
);

fn hex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Encrypts the fields of an image, one by one.
fn encrypt_image(key: &Key, image: &mut [u8], fields: &[usize]) {
    let mut at = 0;
    for size in fields {
        key.apply(0, &mut image[at..at + size]);
        at += size;
    }
    key.apply(0, &mut image[at..]);
}

/// An encrypted presentation with a slide and an image: its streams.
fn encrypted() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let key = Key::derive(&hex(HEADER), Some("secret1")).ok().unwrap();
    let mut image = record(0x6e1, 0xf01e, &[&[7; 33], &b"\x89PNG"[..]].concat());
    encrypt_image(&key, &mut image, &[8, 16, 16, 1]);
    let mut metafile = record(0x3d4, 0xf01a, &[&[7; 16], &[1; 34][..], b"EMF"].concat());
    encrypt_image(&key, &mut metafile, &[8, 16, 34]);
    let mut entry = vec![0; 36];
    // The number of references. The size is missing.
    entry[24] = 1;
    let store = record(1, 0xf001, &record(0, 0xf007, &entry));
    let mut options = vec![4, 0x41];
    options.extend(1_u32.to_le_bytes());
    let mut picture = record(1, 0xf00b, &options);
    picture.extend(record(0, 0xf010, &[9, 0, 100, 0, 200, 0, 100, 0]));
    let mut slide = slide(
        &[
            shape(200, 0, &text(4, "Secret text", &[]), &[]),
            record(0, 0xf004, &picture),
        ],
        &[],
    );
    let mut document = record(0, 0x40b, &record(0, 0xf000, &store));
    document.extend(record(
        0,
        0xff0,
        &record(0, 0x3f3, &longs(&[2, 0, 0, 256, 0])),
    ));
    let mut document = record(0, 0x3e8, &document);
    key.apply(2, &mut slide);
    key.apply(1, &mut document);
    let mut session = record(0, 0x2f14, &hex(HEADER));
    session[0] = 15;
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
    let (second, third) = (size(&document), size(&document) + size(&slide));
    let directory = record(0, 0x1772, &longs(&[3 << 20 | 1, 0, second, third]));
    let mut stream = [document, slide, session].concat();
    let place = size(&stream);
    stream.extend(directory);
    let edit = size(&stream);
    stream.extend(record(0, 0xff5, &longs(&[0, 0, 0, place, 1, 4, 0, 3])));
    let current = record(0, 0xff6, &longs(&[20, 0xf3d1_c4df, edit, 0]));
    (stream, current, [image, metafile].concat())
}

fn opened(streams: &[&[u8]; 3], password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    let [stream, current, pictures] = *streams;
    super::super::open(
        compound(&[
            ("PowerPoint Document", stream),
            ("Current User", current),
            ("Pictures", pictures),
            ("EncryptedSummary", b"x"),
        ]),
        password,
    )
}

#[test]
fn the_password_decrypts_slides_and_images() {
    let (stream, current, pictures) = encrypted();
    let streams = [&stream[..], &current, &pictures];
    let mut document = opened(&streams, Some("secret1")).ok().unwrap();
    assert_eq!(document.unit(0).text, "![](image:1)\n\nSecret text");
    assert_eq!(document.image(1).as_deref(), Some(&b"\x89PNG"[..]));
    let error = |password| opened(&streams, password).err();
    assert_eq!(error(Some("secret2")), Some(Error::Encrypted));
    assert_eq!(error(None), Some(Error::Encrypted));
}

#[test]
fn cut_and_changed_encrypted_files_are_read() {
    let (stream, current, pictures) = encrypted();
    for at in 0..stream.len() {
        let cut = [&stream[..at], &current, &pictures];
        let _ = opened(&cut, Some("secret1"));
        let mut changed = stream.clone();
        changed[at] ^= 0x55;
        if let Ok(mut document) = opened(&[&changed, &current, &pictures], Some("secret1")) {
            document.unit(0);
        }
    }
    for at in 0..pictures.len() {
        let mut changed = pictures.clone();
        changed[at] ^= 0x55;
        for pictures in [&changed[..], &pictures[..at]] {
            let document = opened(&[&stream, &current, pictures], Some("secret1"));
            document.ok().unwrap().image(1);
        }
    }
}

#[test]
fn slides_without_a_title_are_named_by_their_text() {
    let file = Builder {
        slides: vec![
            slide(
                &[
                    shape(900, 0, &text(4, "low", &[]), &[]),
                    shape(100, 0, &text(4, "42", &[]), &[]),
                    shape(200, 0, &text(4, "at the\u{b}top\rsecond", &[]), &[]),
                ],
                &[],
            ),
            slide(
                &[
                    shape(100, 0, &text(4, "text", &[]), &[]),
                    shape(200, 13, &text(0, "Title", &[]), &[]),
                ],
                &[],
            ),
        ],
        ..Builder::default()
    };
    let document = file.open();
    let names: Vec<&str> = document
        .facts()
        .list
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["at the", "Title"]);
}
