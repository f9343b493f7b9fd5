//! The archive formats: zip, tar, 7z, ar and cpio, and formats that are only named.

use super::reason;
use flate2::Compression;
use omniread::{Dialect, Options, Reason};
use omniread_tests::pack::{
    Claim, Forged, TAR_END, ar, bzip2, cpio, deflate, gzip, sevenz, tar, tar_entry, xz, zip, zstd,
};
use omniread_tests::{Workspace, numbered, raw_chain, sha256, text};
use std::io::Write as _;
use tar::EntryType;

#[test]
fn ar_and_cpio_packages_are_read() {
    let data = gzip(&tar(&[("./usr/share/doc/x/copyright", b"free\n")]));
    let members: &[(&str, &[u8])] = &[
        ("debian-binary", b"2.0\n"),
        ("a-name-that-is-too-long-for-its-field.txt", b"odd"),
        ("data.tar.gz", &data),
    ];
    let workspace = Workspace::new();
    workspace
        .file("x.deb", ar(members))
        .file("x.cpio", cpio(members));
    let session = workspace.session();
    for name in ["x.deb", "x.cpio"] {
        let listing = text(&session, name);
        assert!(
            listing.starts_with("a-name-that-is-too-long-for-its-field.txt (3B)\ndata.tar.gz ("),
            "{listing}"
        );
        assert_eq!(text(&session, &format!("{name}:debian-binary")), "2.0");
        assert_eq!(
            text(
                &session,
                &format!("{name}:data.tar.gz:usr/share/doc/x/copyright")
            ),
            "free",
            "{name}"
        );
    }
}

/// A zip archive is read even if a program precedes it in the file, as in a self-extracting
/// archive.
#[test]
fn zip_after_a_program_is_read() {
    let archive = [
        b"#!/bin/sh\nexec unzip \"$0\"\n".as_slice(),
        &zip(&[("a.txt", b"x\n")]),
    ]
    .concat();
    let workspace = Workspace::new();
    workspace.file("install.sh", archive);
    let session = workspace.session();
    assert_eq!(text(&session, "install.sh:a.txt"), "x");
}

#[test]
fn members_of_7z_are_read() {
    let whole = numbered(5000);
    let archive = sevenz(&[("logs/app.log", whole.as_bytes()), ("b.txt", b"x\n")]);
    let workspace = Workspace::new();
    workspace
        .file("x.7z", &archive)
        .file("in.zip", zip(&[("x.7z", &archive)]))
        .file("cut.7z", &archive[..archive.len() - 20]);
    let session = workspace.session();
    assert!(text(&session, "x.7z").starts_with("logs/\nb.txt (2B)\n"));
    assert_eq!(raw_chain(&session, "x.7z:logs/app.log:raw"), whole);
    assert_eq!(text(&session, "x.7z:b.txt"), "x");
    assert_eq!(text(&session, "in.zip:x.7z:b.txt"), "x");
    assert!(text(&session, "cut.7z").contains("the directory of the archive is not in this file"));
    workspace.file("empty.7z", sevenz(&[]));
    assert!(text(&session, "empty.7z").starts_with("(empty)\n"));
    assert!(matches!(reason(&session, "cut.7z:b.txt"), Reason::Io(_)));
}

/// Members are read with each compression method that zip, 7-Zip and other programs use in zip
/// archives.
#[test]
fn zip_compression_methods_are_decompressed() {
    let whole = numbered(400);
    let bytes = whole.as_bytes();
    let deflate = deflate(bytes, Compression::none());
    let (bzip2, xz, zstd) = (bzip2(bytes), xz(bytes), zstd(bytes));
    let lzma = {
        let options = lzma_rust2::LzmaOptions::with_preset(6);
        let properties = options.get_props();
        let dictionary = options.dict_size.to_le_bytes();
        let header = [&[16, 4, 5, 0, properties], dictionary.as_slice()].concat();
        let mut encoder = lzma_rust2::LzmaWriter::new_no_header(header, &options, true).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let ppmd = {
        let (order, memory) = (8u16, 16u16);
        let header = (order - 1) | ((memory - 1) << 4);
        let mut encoder = ppmd_rust::Ppmd8Encoder::new(
            header.to_le_bytes().to_vec(),
            u32::from(order),
            u32::from(memory) << 20,
            ppmd_rust::RestoreMethod::Restart,
        )
        .unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish(true).unwrap()
    };
    // Stored blocks are the same in deflate and deflate64.
    let workspace = Workspace::new();
    let methods_by_name: [(&str, u16, &[u8]); 8] = [
        ("stored", 0, bytes),
        ("deflate", 8, &deflate),
        ("deflate64", 9, &deflate),
        ("bzip2", 12, &bzip2),
        ("lzma", 14, &lzma),
        ("zstd", 93, &zstd),
        ("xz", 95, &xz),
        ("ppmd", 98, &ppmd),
    ];
    for (name, method, compressed) in methods_by_name {
        let flags = if method == 14 { 2 } else { 0 };
        let claim = Claim {
            stored: compressed,
            method,
            flags,
            ..Claim::stored(b"a.txt", bytes)
        };
        workspace.file(name, Forged::default().add(&claim).finish());
        let session = workspace.session();
        let member = format!("{name}:a.txt");
        assert_eq!(
            raw_chain(&session, &format!("{member}:raw")),
            whole,
            "{name}"
        );
        let tail = session.read(format!("{member}:-1")).unwrap();
        let end = "line 400\n\n[end of file (400 lines total)]";
        assert_eq!(tail.text(), end, "{name}");
        assert!(
            tail.details.notes.is_empty(),
            "{name}: {:?}",
            tail.details.notes
        );
    }
}

#[test]
fn links_in_archives_are_resolved_to_members() {
    let link = |name: &[u8], target: &str| tar_entry(name, EntryType::Symlink, target, b"");
    let archive = [
        link(b"current", "v1"),
        tar_entry(b"v1/a.txt", EntryType::Regular, "", b"here\n"),
        tar_entry(b"copy.txt", EntryType::Link, "v1/a.txt", b""),
        link(b"v1/up", "../current/./a.txt"),
        link(b"gone", "v1/b.txt"),
        TAR_END.to_vec(),
    ]
    .concat();
    let soft = |name: &'static [u8], target: &'static [u8]| Claim {
        mode: 0o120_777,
        ..Claim::stored(name, target)
    };
    let forged = Forged::default()
        .add(&soft(b"current", b"v1"))
        .add(&Claim::stored(b"v1/a.txt", b"here\n"))
        .add(&soft(b"copy.txt", b"v1/a.txt"))
        .add(&soft(b"v1/up", b"../current/./a.txt"))
        .add(&soft(b"gone", b"v1/b.txt"))
        .finish();
    let workspace = Workspace::new();
    workspace
        .file("x.tar", &archive)
        .file("x.tar.gz", gzip(&archive))
        .file("x.zip", &forged)
        .file("in.zip", zip(&[("x.tar", &archive)]));
    let session = workspace.session();
    for name in ["x.tar", "x.tar.gz", "x.zip", "in.zip:x.tar"] {
        let read = |path: &str| text(&session, &format!("{name}:{path}"));
        for path in ["copy.txt", "current/a.txt", "v1/up"] {
            let expected = "here\n\n[a link to `v1/a.txt`]";
            assert_eq!(read(path), expected, "{name}:{path}");
        }
        assert!(read("current/").starts_with("a.txt (5B)\nup -> "), "{name}");
        let listing = read("");
        assert!(listing.contains("current -> v1\n"), "{listing}");
        let failure = session.read(format!("{name}:gone")).unwrap_err();
        let hint = failure.hint.unwrap_or_default();
        assert!(
            hint.contains("to `v1/b.txt`, which is not in the archive"),
            "{hint}"
        );
    }
    assert!(text(&session, "x.tar").contains("copy.txt (link to v1/a.txt)\n"));
}

#[test]
fn holes_of_sparse_tar_members_are_zeros() {
    // The file has 3000 bytes of text, a hole of 100,000 bytes, and a line at the end.
    let head = "x".repeat(2999) + "\n";
    let map = "3\n0\n3000\n103000\n5\n103005\n0\n";
    let mut stored = map.as_bytes().to_vec();
    stored.resize(512, 0);
    stored.extend_from_slice(head.as_bytes());
    stored.extend_from_slice(b"last\n");
    let records: String = [
        ("GNU.sparse.major", "1"),
        ("GNU.sparse.minor", "0"),
        ("GNU.sparse.name", "holes.txt"),
        ("GNU.sparse.realsize", "103005"),
    ]
    .iter()
    .map(|(key, value)| {
        let length = key.len() + value.len() + 5;
        format!("{length} {key}={value}\n")
    })
    .collect();
    let archive = [
        tar_entry(b"pax", EntryType::XHeader, "", records.as_bytes()),
        tar_entry(
            b"GNUSparseFile.0/holes.txt",
            EntryType::Regular,
            "",
            &stored,
        ),
        tar_entry(b"after.txt", EntryType::Regular, "", b"y\n"),
        TAR_END.to_vec(),
    ]
    .concat();
    let workspace = Workspace::new();
    workspace
        .file("x.tar", &archive)
        .file("x.tar.gz", gzip(&archive));
    let session = workspace.session();
    let whole = head + &"\0".repeat(100_000) + "last\n";
    for name in ["x.tar", "x.tar.gz"] {
        let listing = text(&session, name);
        assert!(
            listing.starts_with("after.txt (2B)\nholes.txt (100.6KB)\n"),
            "{listing}"
        );
        let member = format!("{name}:holes.txt");
        let content = session
            .read_as(&member, Dialect::Comma, &Options::default())
            .unwrap_err();
        let expected = format!("\"sha256\":\"{}\"", sha256(whole.as_bytes()));
        assert!(content.text.contains(&expected), "{}", content.text);
    }
}

/// A member of a cpio archive in the old binary format: its header, its name and its content. `big`
/// selects big-endian numbers.
fn old_cpio(name: &str, mode: u16, content: &[u8], big: bool) -> Vec<u8> {
    let size = u32::try_from(content.len()).unwrap();
    let (high, low) = ((size >> 16) as u16, (size & 0xffff) as u16);
    let length = u16::try_from(name.len() + 1).unwrap();
    let fields = [0o070_707, 0, 1, mode, 0, 0, 1, 0, 0, 0, length, high, low];
    let mut bytes: Vec<u8> = fields
        .iter()
        .flat_map(|field: &u16| {
            if big {
                field.to_be_bytes()
            } else {
                field.to_le_bytes()
            }
        })
        .collect();
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes
}

#[test]
fn old_cpio_formats_are_read() {
    let octal = |name: &str, content: &str| {
        let (length, size) = (name.len() + 1, content.len());
        format!(
            "070707{:06o}{:06o}{:06o}{:06o}{:06o}{:06o}{:06o}{:011o}{length:06o}{size:011o}{name}\0{content}",
            0, 1, 0o100_644, 0, 0, 1, 0, 1_700_000_000
        )
    };
    let workspace = Workspace::new();
    workspace.file(
        "octal.cpio",
        octal("d/a.txt", "one\n") + &octal("TRAILER!!!", ""),
    );
    for (name, big) in [("little.cpio", false), ("big.cpio", true)] {
        let archive = [
            old_cpio("d", 0o040_755, b"", big),
            old_cpio("d/a.txt", 0o100_644, b"one\n", big),
            old_cpio("TRAILER!!!", 0, b"", big),
        ]
        .concat();
        workspace.file(name, archive);
    }
    let session = workspace.session();
    for name in ["octal.cpio", "little.cpio", "big.cpio"] {
        assert!(text(&session, name).starts_with("d/\n"), "{name}");
        assert_eq!(text(&session, &format!("{name}:d/a.txt")), "one", "{name}");
    }
}

/// In the `newc` format of cpio, only the last entry of a file with several hard links contains its
/// bytes. The other entries are listed as links to that entry.
#[test]
fn cpio_hard_links_are_listed_as_links() {
    let header = |name: &str, size: usize| {
        let length = name.len() + 1;
        let mut bytes = format!(
            "070701{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{size:08x}{:08x}{:08x}{:08x}{:08x}{length:08x}{:08x}{name}\0",
            7, 0o100_644, 0, 0, 2, 1_700_000_000, 1, 2, 0, 0, 0
        )
        .into_bytes();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let archive = [
        header("first.txt", 0),
        header("last.txt", 4),
        b"one\n".to_vec(),
        header("TRAILER!!!", 0),
    ]
    .concat();
    let workspace = Workspace::new();
    workspace.file("x.cpio", archive);
    let session = workspace.session();
    assert!(text(&session, "x.cpio").starts_with("first.txt (link to last.txt)\nlast.txt (4B)\n"));
    assert!(text(&session, "x.cpio:first.txt").starts_with("one\n"));
}

/// Members are read from 7z archives in which one compressed block contains all members. The
/// archives use each compression method that the tests can write.
#[test]
fn members_of_a_solid_7z_block_are_read() {
    use sevenz_rust2::encoder_options::{DeltaOptions, EncoderOptions};
    use sevenz_rust2::{
        ArchiveEntry, ArchiveWriter, EncoderConfiguration, EncoderMethod, SourceReader,
    };
    let whole = numbered(20_000);
    let plain = EncoderConfiguration::new;
    let delta = EncoderOptions::Delta(DeltaOptions::from_distance(4));
    let methods_by_name: [(&str, Vec<EncoderConfiguration>); 5] = [
        ("copy", vec![plain(EncoderMethod::COPY)]),
        ("lzma", vec![plain(EncoderMethod::LZMA)]),
        ("lzma2", vec![plain(EncoderMethod::LZMA2)]),
        (
            "x86",
            vec![
                plain(EncoderMethod::BCJ_X86_FILTER),
                plain(EncoderMethod::LZMA),
            ],
        ),
        (
            "delta",
            vec![
                plain(EncoderMethod::DELTA_FILTER).with_options(delta),
                plain(EncoderMethod::LZMA2),
            ],
        ),
    ];
    let workspace = Workspace::new();
    for (name, methods) in methods_by_name {
        let mut archive = ArchiveWriter::new(std::io::Cursor::new(Vec::new())).unwrap();
        archive.set_content_methods(methods);
        let entries = ["empty.txt", "a.txt", "b.txt"].map(ArchiveEntry::new_file);
        let contents = [b"".as_slice(), whole.as_bytes(), b"the last\n"];
        let contents = contents.map(SourceReader::new);
        archive
            .push_archive_entries(entries.into(), contents.into())
            .unwrap();
        workspace.file(name, archive.finish().unwrap().into_inner());
        let session = workspace.session();
        assert_eq!(
            text(&session, &format!("{name}:b.txt")),
            "the last",
            "{name}"
        );
        assert_eq!(
            raw_chain(&session, &format!("{name}:a.txt:raw")),
            whole,
            "{name}"
        );
        assert_eq!(
            text(&session, &format!("{name}:empty.txt")),
            "[empty file]",
            "{name}"
        );
    }
}

#[test]
fn unsupported_archive_format_is_named() {
    let workspace = Workspace::new();
    workspace
        .file("x.rar", b"Rar!\x1a\x07\x01\0\x33\x92\xb5\xe5\x0a\x01")
        .file("x.txt", "Rar! is what it says\n")
        .file("korean.md", "`가나다` 는 …\n")
        .file("flag.sh", "# -lh flag of this program\n");
    let session = workspace.session();
    let reply = session.read("x.rar").unwrap();
    let description = reply.text();
    assert!(
        description.contains("RAR archive") && description.contains("unpack it with `unrar x`"),
        "{description}"
    );
    let failure = session.read("x.rar:a.txt").unwrap_err();
    assert!(matches!(failure.reason, Reason::Unsupported(_)));
    assert!(
        failure.message.contains("RAR archive"),
        "{}",
        failure.message
    );
    for name in ["korean.md", "flag.sh"] {
        let reply = session.read(name).unwrap();
        assert!(
            reply.details.notes.is_empty(),
            "{name}: {:?}",
            reply.details.notes
        );
    }
    assert!(text(&session, "x.txt").ends_with("\n1:Rar! is what it says"));
}

/// A listing does not read the targets of symlinks in a 7z archive, and only a limited number of
/// those in a zip archive. A read of any of these symlinks follows it.
#[test]
fn unresolved_archive_links_are_resolved_on_read() {
    let names: Vec<String> = (0..1100).map(|n| format!("k{n:04}")).collect();
    let mut archive = Forged::default();
    archive.add(&Claim::stored(b"a.txt", b"here\n"));
    for name in &names {
        archive.add(&Claim {
            mode: 0o120_777,
            ..Claim::stored(name.as_bytes(), b"a.txt")
        });
    }
    let mut sevenz = sevenz_rust2::ArchiveWriter::new(std::io::Cursor::new(Vec::new())).unwrap();
    let link = sevenz_rust2::ArchiveEntry {
        has_windows_attributes: true,
        windows_attributes: 0o120_777 << 16 | 0x8000,
        ..sevenz_rust2::ArchiveEntry::new_file("link")
    };
    let file = sevenz_rust2::ArchiveEntry::new_file("a.txt");
    sevenz
        .push_archive_entry(file, Some(b"here\n".as_slice()))
        .unwrap();
    sevenz
        .push_archive_entry(link, Some(b"a.txt".as_slice()))
        .unwrap();
    let workspace = Workspace::new();
    workspace
        .file("x.zip", archive.finish())
        .file("x.7z", sevenz.finish().unwrap().into_inner());
    let session = workspace.session();
    let listing = text(&session, "x.zip");
    assert!(
        listing.contains("[the targets of 100 links were not read]"),
        "{listing}"
    );
    for path in ["x.zip:k0000", "x.zip:k1099", "x.7z:link"] {
        assert!(text(&session, path).starts_with("here\n"), "{path}");
    }
    assert!(text(&session, "x.7z").starts_with("a.txt (5B)\nlink (link)\n"));
}

/// Zeros after gzip streams are ignored. Tapes and disks fill the rest of a block with them.
#[test]
fn zeros_after_gzip_streams_are_ignored() {
    let workspace = Workspace::new();
    workspace.file(
        "x.gz",
        [gzip(b"one\n"), vec![0; 700], gzip(b"two\n"), vec![0; 99]].concat(),
    );
    let session = workspace.session();
    let reply = session.read("x.gz").unwrap();
    assert!(reply.text().starts_with("one\ntwo\n"), "{}", reply.text());
    assert!(!reply.text().contains("damaged"), "{}", reply.text());
}
