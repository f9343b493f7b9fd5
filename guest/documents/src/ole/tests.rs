use super::testing::{compound, property_set};
use super::{Compound, Kind, codepage, properties};
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
    // The numbers of the table's sectors point behind the end.
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

#[test]
fn code_pages() {
    assert_eq!(codepage::decode(b"\x93a\x94", 1252), "“a”");
    assert_eq!(codepage::decode(b"\xcf\xf0", 1251), "Пр");
    assert_eq!(codepage::decode(b"\x83e", 932), "テ");
    assert_eq!(codepage::decode(b"a\0\xe9\0", 1200), "aé");
    assert_eq!(codepage::of_charset(204), Some(1251));
    assert_eq!(codepage::of_language(0x0419), 1251);
}
