//! Tests of archives: several members with one name, volumes, and archives in other files.

use super::*;
use crate::world::memory::MemoryDocument;
use omniread_document as document;

/// A tar archive with these members.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, name, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn last_of_several_members_with_one_name_is_read() {
    use std::io::Write as _;
    let members: &[(&str, &[u8])] = &[("a", b"first"), ("b", b"x"), ("a", b"last"), ("c", b"y")];
    let archive = tar(members);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&archive).unwrap();
    let mut world = MemoryWorld::new("/ws");
    world.file("x.tar.gz", encoder.finish().unwrap());
    world.file("cut.tar", &archive[..archive.len() - 1200]);
    world.file("x.tar", archive);
    for name in ["x.tar", "x.tar.gz", "cut.tar"] {
        for (member, content) in [("a", "last"), ("b", "x")] {
            assert_eq!(raw(&mut world, &format!("{name}:{member}:raw")), content);
        }
    }
}

#[test]
fn zip_in_a_workbook_does_not_make_it_an_archive() {
    let mut workbook =
        b"\x09\0\x04\0\x02\0\x10\0\x02\0\x09\0\0\0\0\0\0\0\0\x07\0\x0a\0\0\0".to_vec();
    workbook.extend(super::web::zip(&[("theme/theme1.xml", b"<a/>")]));
    let sheet = document::UnitFacts {
        name: "Data".to_owned(),
        hidden: false,
    };
    let mut world = MemoryWorld::new("/ws");
    world.file("a.xls", workbook.clone());
    world.file("a.bin", [b"\x7fELF\0\0".to_vec(), workbook].concat());
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            units: Some(document::UnitKind::Sheet),
            list: vec![sheet],
            ..document::Facts::default()
        },
        ..MemoryDocument::default()
    }));
    // The sheet has no cells, as the document of the test has none.
    let refused = Dialect::Omp.read("a.xls:Other", &exact(), &mut world);
    let text = refused.map_or_else(|refused| refused.text, |_| String::new());
    assert!(text.contains("the sheets are"), "{text}");
    // A zip archive after a program is one.
    let member = raw(&mut world, "a.bin:theme/theme1.xml:raw");
    assert_eq!(member, "<a/>");
}

#[test]
fn volume_of_an_archive_is_named() {
    let archive = super::web::zip(&[("a", &[b'x'; 3000])]);
    let tape = tar(&[("a", &[b'x'; 3000])]);
    let mut world = MemoryWorld::new("/ws");
    world.file("x.zip.001", &archive[..1500]);
    world.file("x.zip.07", archive.clone());
    world.file("x.tar.aa", &tape[..1500]);
    world.file("x.part2.rar", b"Rar!\x1a\x07\x01\0\x33\x92\xb5\xe5");
    world.file("x.zip.ab", b"\x11\0\x9b\xfe\x04\xc2\x17\x80\0\x33");
    // Files beside an archive, of which some names look like that of a volume.
    world.file(
        "x.tar.gz.asc",
        b"-----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n",
    );
    world.file(
        "x.tar.gz.age",
        b"age-encryption.org/v1\n-> X25519 \x80\0\x01",
    );
    world.file(
        "x.tar.gz.ab",
        b"age-encryption.org/v1\n-> X25519 \x80\0\x01",
    );
    world.file("x.7z.2024", b"notes of a year\n");
    world.file("x.7z.001", b"plain words\n");
    let join = "join all volumes first, as `cat x.zip.[0-9][0-9][0-9] > joined.zip` does";
    let mut text = |path: &str| match Dialect::Omp.read(path, &exact(), &mut world) {
        Ok(reply) => reply.answer.notes.join("\n"),
        Err(refused) => refused.text,
    };
    for path in ["x.zip.001", "x.zip.001:a"] {
        assert!(text(path).contains(join), "{}", text(path));
    }
    for (path, join) in [
        ("x.tar.aa", "`cat x.tar.?? > joined.tar`"),
        ("x.zip.ab", "`cat x.zip.?? > joined.zip`"),
        ("x.part2.rar", "`unrar x x.part1.rar`"),
    ] {
        assert_eq!(
            text(path).matches(join).count(),
            1,
            "{path}: {}",
            text(path)
        );
    }
    for path in [
        "x.zip.07",
        "x.tar.gz.asc",
        "x.tar.gz.age",
        "x.tar.gz.ab",
        "x.7z.2024",
        "x.7z.001",
    ] {
        assert!(!text(path).contains("volume"), "{path}: {}", text(path));
    }
}
