use super::testing::{compound, property_set};
use super::{Compound, Kind, art, properties};
use crate::Error;

/// A file with small and large streams and a storage in a storage.
fn fixture() -> Vec<u8> {
    let large: Vec<u8> = (0..20_000_u32).map(|it| it.to_le_bytes()[0]).collect();
    compound(&[
        ("WordDocument", &large),
        ("1Table", b"small"),
        ("ObjectPool/_1/\u{1}Ole", b"inside"),
        ("ObjectPool/CONTENTS", &[7; 130]),
    ])
}

#[test]
fn streams_by_path() {
    let mut file = Compound::open(fixture()).unwrap();
    let word = file.stream("worddocument").unwrap();
    assert_eq!((word.bytes.len(), word.damage), (20_000, None));
    assert_eq!(word.bytes[19_999], 0x1f);
    assert_eq!(file.stream("1Table").unwrap().bytes, b"small");
    assert_eq!(
        file.stream("ObjectPool/_1/\u{1}ole").unwrap().bytes,
        b"inside"
    );
    assert_eq!(file.stream("objectpool/contents").unwrap().bytes, [7; 130]);
    assert_eq!(file.stream("ObjectPool"), None);
    assert_eq!(file.stream("missing"), None);
    assert!(file.notes().is_empty());
}

#[test]
fn storages() {
    let file = Compound::open(fixture()).unwrap();
    let names = |storage: &str| -> Vec<String> {
        file.children(storage).map(|it| it.path.clone()).collect()
    };
    assert_eq!(names(""), ["1Table", "ObjectPool", "WordDocument"]);
    assert_eq!(
        names("objectpool"),
        ["ObjectPool/_1", "ObjectPool/CONTENTS"]
    );
    let storage = file.find("OBJECTPOOL/_1").unwrap();
    assert_eq!((storage.kind, storage.name()), (Kind::Storage, "_1"));
    assert_eq!(file.entries().len(), 6);
}

#[test]
fn cut_files_give_what_is_there() {
    let bytes = fixture();
    let mut largest = 0;
    for end in (0..bytes.len()).step_by(97) {
        let Ok(mut file) = Compound::open(bytes[..end].to_vec()) else {
            continue;
        };
        if let Some(word) = file.stream("WordDocument") {
            assert_eq!(word.damage.is_none(), word.bytes.len() == 20_000);
            largest = largest.max(word.bytes.len());
        }
    }
    assert!(largest > 19_000, "{largest}");
}

#[test]
fn without_the_allocation_table() {
    // The numbers of the table's sectors point past the end.
    let mut bytes = fixture();
    bytes[76..80].copy_from_slice(&9999_u32.to_le_bytes());
    let mut file = Compound::open(bytes).unwrap();
    assert!(file.notes()[0].contains("allocation table"));
    let word = file.stream("WordDocument").unwrap();
    assert_eq!((word.bytes.len(), word.damage), (20_000, None));
}

#[test]
fn cycles_end() {
    let mut bytes = fixture();
    // Every sector is followed by the sector 9, which is followed by itself.
    for entry in 1..128 {
        bytes[512 + entry * 4..][..4].copy_from_slice(&9_u32.to_le_bytes());
    }
    let mut file = Compound::open(bytes).unwrap();
    let size = file.stream("WordDocument").map_or(0, |it| it.bytes.len());
    assert!(size <= 20_000);
    // A directory whose records are their own children and neighbours.
    let mut bytes = fixture();
    for record in 0..8 {
        for field in [68, 72, 76] {
            let at = 1024 + record * 128 + field;
            bytes[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
        }
    }
    let mut file = Compound::open(bytes).unwrap();
    assert_eq!(file.stream("1Table").unwrap().bytes, b"small");
    assert_eq!(file.entries().len(), 6);
}

#[test]
fn a_lost_directory_is_found() {
    let mut bytes = fixture();
    bytes[48..52].copy_from_slice(&77_777_u32.to_le_bytes());
    let mut file = Compound::open(bytes).unwrap();
    assert!(file.notes()[0].contains("directory"));
    assert_eq!(file.stream("1Table").unwrap().bytes, b"small");
}

#[test]
fn one_damaged_stream_leaves_the_others() {
    let mut bytes = fixture();
    // The second sector of the large stream is the last of its chain.
    let large = usize::try_from(super::u32_at(&bytes, 1024 + 128 + 116).unwrap()).unwrap();
    bytes[512 + large * 4 + 4..][..4].copy_from_slice(&[0xfe, 0xff, 0xff, 0xff]);
    let mut file = Compound::open(bytes).unwrap();
    let word = file.stream("WordDocument").unwrap();
    assert_eq!(word.bytes.len(), 1024);
    assert_eq!(
        word.damage.as_deref(),
        Some("only 1024 of its 20000 bytes are in the file")
    );
    assert_eq!(file.stream("1Table").unwrap().damage, None);
}

#[test]
fn a_limit_is_not_damage() {
    let mut file = Compound::open(fixture()).unwrap();
    let word = file.stream_within("WordDocument", 1000).unwrap();
    assert_eq!(word.bytes.len(), 1000);
    assert_eq!(
        crate::report::damaged_stream("WordDocument", &word.damage.unwrap()),
        "The stream `WordDocument` is not read in full: it has more than 1000 bytes, and the rest is left out."
    );
}

#[test]
fn other_bytes_are_an_error() {
    let damaged = |bytes: &[u8]| matches!(Compound::open(bytes.to_vec()), Err(Error::Damaged(_)));
    assert!(damaged(b""));
    assert!(damaged(b"PK\x03\x04"));
    let mut header = super::MAGIC.to_vec();
    header.resize(2000, 0xff);
    assert!(damaged(&header));
}

#[test]
fn metadata() {
    let summary = property_set(
        &[(2, b"Caf\xe9\0"), (4, b"Ann\0\0"), (6, b"\0")],
        &[(12, 130_323_141_000_000_000), (13, 0)],
    );
    let more = property_set(&[(15, b"Company\0")], &[]);
    let mut file = Compound::open(compound(&[
        ("\u{5}SummaryInformation", &summary),
        ("\u{5}DocumentSummaryInformation", &more),
    ]))
    .unwrap();
    let expected = [
        ("title", "Café"),
        ("author", "Ann"),
        ("created", "2013-12-23T23:15:00Z"),
    ];
    let expected: Vec<(String, String)> = expected
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    assert_eq!(properties::read(&mut file), expected);
}

#[test]
fn damaged_property_sets() {
    let set = property_set(&[(2, b"A title\0"), (3, b"A subject\0")], &[]);
    for end in 0..set.len() {
        properties::set(&set[..end]);
    }
    let mut huge = set.clone();
    huge[52..56].copy_from_slice(&[0xff; 4]);
    assert_eq!(properties::set(&huge)[0], (2, "A title".to_owned()));
}

#[test]
fn dates() {
    let at = |days: u64| properties::date(days * 864_000_000_000);
    assert_eq!(at(134_774).as_deref(), Some("1970-01-01T00:00:00Z"));
    assert_eq!(
        at(134_774 + 11_016).as_deref(),
        Some("2000-02-29T00:00:00Z")
    );
    assert_eq!(
        at(134_774 + 11_017).as_deref(),
        Some("2000-03-01T00:00:00Z")
    );
    assert_eq!(
        at(134_774 + 20_453).as_deref(),
        Some("2025-12-31T00:00:00Z")
    );
    assert_eq!(at(0), None);
    assert_eq!(properties::date(u64::MAX), None);
}

/// Builds a record of a drawing.
fn record(instance: u16, kind: u16, content: &[u8]) -> Vec<u8> {
    let mut out = (instance << 4).to_le_bytes().to_vec();
    out.extend(kind.to_le_bytes());
    out.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    out.extend(content);
    out
}

#[test]
fn images_with_one_or_two_identifiers() {
    let one = record(0x6e0, 0xf01e, &[&[7; 17], &b"\x89PNG"[..]].concat());
    assert_eq!(art::image(&one, 0).unwrap(), b"\x89PNG");
    let two = record(0x46b, 0xf01d, &[&[7; 33], &b"\xff\xd8"[..]].concat());
    assert_eq!(art::image(&two, 0).unwrap(), b"\xff\xd8");
    // In an entry of the list of images, after its name.
    let mut entry = vec![0; 36];
    entry[33] = 4;
    entry.extend([0; 4]);
    entry.extend(&one);
    let entry = record(0, art::BSE, &entry);
    assert_eq!(art::image(&entry, 0).unwrap(), b"\x89PNG");
    assert_eq!(art::image(&entry[..40], 0), None);
    assert_eq!(art::image(&one[..20], 0), None);
}

#[test]
fn metafiles_are_decompressed() {
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"the records").unwrap();
    let compressed = encoder.finish().unwrap();
    let blip = |instance: u16, kind: u16| {
        let mut content = vec![0; 16];
        // The bounds, and a size of two inches.
        for field in [11_u32, 0, 0, 200, 100, 1_828_800, 914_400, 0] {
            content.extend(field.to_le_bytes());
        }
        content.extend([0, 0xfe]);
        content.extend(&compressed);
        record(instance, kind, &content)
    };
    let emf = blip(0x3d4, 0xf01a);
    assert_eq!(art::image(&emf, 0).unwrap(), b"the records");
    let wmf = art::image(&blip(0x216, 0xf01b), 0).unwrap();
    assert!(wmf.starts_with(b"\xd7\xcd\xc6\x9a"));
    assert_eq!(wmf[6..16], [0, 0, 0, 0, 200, 0, 100, 0, 100, 0]);
    assert!(wmf.ends_with(b"the records"));
    let mut sum = 0;
    for at in (0..20).step_by(2) {
        sum ^= super::u16_at(&wmf, at).unwrap();
    }
    assert_eq!(super::u16_at(&wmf, 20), Some(sum));
    // What is before the damage is kept.
    let mut cut = emf.clone();
    cut.truncate(emf.len() - 6);
    assert!(b"the records".starts_with(&art::image(&cut, 0).unwrap_or_default()));
}

#[test]
fn bitmaps_get_the_header_of_a_file() {
    let mut bitmap = vec![40, 0, 0, 0];
    bitmap.resize(40, 0);
    bitmap[14] = 8;
    bitmap.resize(40 + 1024 + 4, 9);
    let blip = record(0x7a8, 0xf01f, &[&[0; 17], &bitmap[..]].concat());
    let found = art::image(&blip, 0).unwrap();
    assert_eq!(&found[..2], b"BM");
    assert_eq!(super::u32_at(&found, 2), Some(14 + 40 + 1024 + 4));
    assert_eq!(super::u32_at(&found, 10), Some(14 + 40 + 1024));
}

#[test]
fn properties_of_shapes() {
    let text: Vec<u8> = "A  duck\0x"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut options = vec![0x04, 0x41, 3, 0, 0, 0, 0x81, 0xc3];
    options.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
    options.extend(&text);
    let shape = record(0, art::SP_CONTAINER, &record(2, art::OPTIONS, &options));
    let shape = art::record_at(&shape, 0).unwrap();
    let properties = art::Properties::read(&shape);
    assert_eq!(properties.image(), Some(3));
    assert_eq!(properties.alt(), "A duck");
    // A count of properties that are not there.
    let cut = record(0, art::SP_CONTAINER, &record(0xfff, art::OPTIONS, &options));
    let cut = art::record_at(&cut, 0).unwrap();
    assert_eq!(art::Properties::read(&cut).image(), Some(3));
}
