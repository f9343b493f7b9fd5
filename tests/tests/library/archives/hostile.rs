//! Hostile archives.
//!
//! Ids such as AR-3 number the classes of hostile input.

use super::{notes, reason};
use omniread::Reason;
use omniread_tests::pack::{Claim, Forged, TAR_END, deflate, gzip, sevenz, tar, tar_entry, zip};
use omniread_tests::{Workspace, numbered, text};
use std::io::Write as _;
use tar::EntryType;

/// Hostile input AR-3: archives that are nested more deeply than the limit.
#[test]
fn archive_nesting_depth_is_limited() {
    let mut archive = zip(&[("end.txt", b"end\n")]);
    for _ in 0..6 {
        archive = zip(&[("n.zip", &archive)]);
    }
    let workspace = Workspace::new();
    workspace.file("n.zip", archive);
    let session = workspace.session();
    assert!(text(&session, "n.zip:n.zip:n.zip:n.zip").starts_with("n.zip ("));
    let failure = reason(&session, "n.zip:n.zip:n.zip:n.zip:n.zip");
    assert!(
        matches!(failure, Reason::Limit(limit) if limit.name == "archive-depth" && limit.value == 4)
    );
}

/// Hostile input AR-5: a member whose name contains `..` is listed but cannot be read. A slash at
/// the start of a name is removed.
#[test]
fn member_names_with_parent_directories_are_refused() {
    let members: &[(&str, &[u8])] = &[
        ("../../etc/passwd", b"evil"),
        ("/etc/shadow", b"evil"),
        ("fine", b"x"),
    ];
    let mut archive = Vec::new();
    for (name, content) in members {
        let mut header = tar::Header::new_old();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mtime(0);
        header.set_cksum();
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    let workspace = Workspace::new();
    workspace.file("slip.tar", archive);
    let session = workspace.session();
    let listing = text(&session, "slip.tar");
    assert!(
        listing.contains("../../etc/passwd (4B)") && listing.starts_with("etc/\n"),
        "{listing}"
    );
    assert!(matches!(
        reason(&session, "slip.tar:../../etc/passwd"),
        Reason::InvalidPath(_)
    ));
    assert!(matches!(
        reason(&session, "slip.tar:/etc/passwd"),
        Reason::NotFound(_)
    ));
    for path in ["slip.tar:/etc/shadow", "slip.tar:etc/shadow"] {
        assert!(text(&session, path).starts_with("evil"), "{path}");
    }
    assert_eq!(
        text(&session, "slip.tar:fine"),
        "x\n\n[no newline at end of file]"
    );
}

/// Hostile input AR-7: several members have the same name. A read shows the last of them, as programs do
/// that extract all members, and the listing has a note on them.
#[test]
fn duplicate_member_names_last_one_is_read() {
    let members: &[(&str, &[u8])] = &[("a", b"first\n"), ("b", b"x\n"), ("a", b"last\n")];
    let workspace = Workspace::new();
    workspace
        .file("x.zip", zip(members))
        .file("x.tar", tar(members));
    let session = workspace.session();
    assert_eq!(text(&session, "x.zip:a"), "last");
    assert_eq!(text(&session, "x.tar:a"), "last");
    for name in ["x.zip", "x.tar"] {
        assert!(
            text(&session, name).contains("1 name belongs to several members"),
            "{name}"
        );
    }
}

/// Hostile input AR-8: the size in a pax header takes precedence over the size in the header of the
/// member, so that the content of the member cannot be parsed as further members.
#[test]
fn pax_size_overrides_header_size() {
    let smuggled = tar(&[("smuggled.txt", b"evil\n")]);
    let mut archive = Vec::new();
    let mut pax = tar::Header::new_ustar();
    // A record states its own length, which has two digits here.
    let fields = format!(" size={}\n", smuggled.len());
    let record = format!("{}{fields}", fields.len() + 2);
    assert_eq!(record.len().to_string(), record[..2]);
    pax.set_entry_type(tar::EntryType::XHeader);
    pax.set_size(record.len() as u64);
    pax.set_path("pax").unwrap();
    pax.set_cksum();
    archive.extend_from_slice(pax.as_bytes());
    archive.extend_from_slice(record.as_bytes());
    archive.resize(archive.len().next_multiple_of(512), 0);
    let mut header = tar::Header::new_ustar();
    header.set_path("inner.tar").unwrap();
    header.set_size(0);
    header.set_cksum();
    archive.extend_from_slice(header.as_bytes());
    archive.extend_from_slice(&smuggled);
    archive.resize(archive.len().next_multiple_of(512), 0);
    archive.extend_from_slice(&tar(&[("last.txt", b"last\n")]));
    let workspace = Workspace::new();
    workspace.file("x.tar", archive);
    let session = workspace.session();
    let listing = text(&session, "x.tar");
    assert!(
        listing.starts_with("inner.tar (") && listing.contains("last.txt (5B)"),
        "{listing}"
    );
    assert!(!listing.contains("smuggled"), "{listing}");
}

/// Hostile input AR-9: symlinks that form a loop or lead out of the archive are listed but cannot
/// be read.
#[test]
fn archive_links_out_or_in_loops_are_not_followed() {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, target) in [("loop", "loop"), ("out", "/etc/passwd"), ("up", "../../x")] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        archive.append_link(&mut header, name, target).unwrap();
    }
    let workspace = Workspace::new();
    workspace.file("x.tar", archive.into_inner().unwrap());
    let session = workspace.session();
    let listing = text(&session, "x.tar");
    assert!(
        listing.starts_with("loop -> loop\nout -> /etc/passwd\nup -> ../../x\n"),
        "{listing}"
    );
    for name in ["loop", "out", "up"] {
        assert!(session.read(format!("x.tar:{name}")).is_err(), "{name}");
    }
}

/// Hostile input AR-10: the size that a header states does not decide how much memory is allocated.
#[test]
fn member_size_in_header_is_not_trusted() {
    let mut header = tar::Header::new_gnu();
    header.set_path("huge").unwrap();
    header.set_size(8 << 60);
    header.set_cksum();
    let mut long = tar::Header::new_gnu();
    long.set_path("././@LongLink").unwrap();
    long.set_entry_type(tar::EntryType::GNULongName);
    long.set_size(1 << 30);
    long.set_cksum();
    let workspace = Workspace::new();
    workspace
        .file(
            "huge.tar",
            [header.as_bytes().as_slice(), b"only this"].concat(),
        )
        .file(
            "long.tar",
            [long.as_bytes().as_slice(), &[b'x'; 4096]].concat(),
        );
    let session = workspace.session();
    assert!(text(&session, "huge.tar").starts_with("huge ("));
    let member = session.read("huge.tar:huge").unwrap();
    assert!(member.text().starts_with("only this"), "{}", member.text());
    assert!(
        member
            .details
            .notes
            .iter()
            .any(|note| note.contains("before this member does")),
        "{:?}",
        member.details.notes
    );
    assert!(session.read("long.tar").is_ok());
}

/// Hostile input AR-11: the error message for an unreadable member states the reason, and the other
/// members can be read.
#[test]
fn unreadable_members_have_a_reason() {
    let mut archive = zip(&[("secret.txt", b"x\n"), ("open.txt", b"y\n")]);
    // Sets the encryption flag of the first entry in the central directory.
    let directory = archive
        .windows(4)
        .position(|bytes| bytes == b"PK\x01\x02")
        .unwrap();
    archive[directory + 8] |= 1;
    let workspace = Workspace::new();
    workspace.file("x.zip", &archive);
    let session = workspace.session();
    let failure = session.read("x.zip:secret.txt").unwrap_err();
    assert!(
        failure.message.contains("it is encrypted"),
        "{}",
        failure.message
    );
    assert_eq!(text(&session, "x.zip:open.txt"), "y");
    archive[directory + 8] &= !1;
    archive[directory + 10] = 97;
    workspace.file("y.zip", &archive);
    let failure = session.read("y.zip:secret.txt").unwrap_err();
    assert!(failure.message.contains("method 97"), "{}", failure.message);
    assert!(text(&session, "y.zip").contains("open.txt (2B)"));
}

/// Hostile input AR-1: many entries of a zip archive refer to the same compressed bytes.
#[test]
fn overlapping_zip_entries_are_noted() {
    let whole = numbered(5000);
    let stored = deflate(whole.as_bytes(), flate2::Compression::default());
    let claim = |name| Claim {
        stored: &stored,
        method: 8,
        ..Claim::stored(name, whole.as_bytes())
    };
    let mut archive = Forged::default();
    archive.add(&claim(b"first"));
    // A thousand entries point to the bytes of the first.
    let names: Vec<String> = (0..1000).map(|n| format!("n{n:05}")).collect();
    for name in &names {
        archive.add(&Claim {
            stored: b"",
            header: Some(0),
            ..claim(name.as_bytes())
        });
    }
    // The entries have the compressed size of the first as well.
    let mut bytes = archive.finish();
    let directory = bytes
        .windows(4)
        .position(|mark| mark == b"PK\x01\x02")
        .unwrap();
    let length = u32::try_from(stored.len()).unwrap().to_le_bytes();
    for entry in 0..1000 {
        let at = directory + 46 + 5 + entry * (46 + 6);
        bytes[at + 20..at + 24].copy_from_slice(&length);
    }
    let workspace = Workspace::new();
    workspace.file("x.zip", bytes);
    let session = workspace.session();
    let listing = text(&session, "x.zip");
    assert!(
        listing.contains("[entries overlap, as in a decompression bomb]"),
        "{listing}"
    );
    let member = session.read("x.zip:n00999:5000").unwrap();
    assert!(member.text().starts_with("line 5000"), "{}", member.text());
    assert!(notes(&session, "x.zip:n00999").contains("calls it `first`"));
}

/// Hostile input AR-4: of a file that was compressed twice, only the outer layer is decompressed.
#[test]
fn only_one_compression_layer_is_decompressed() {
    let workspace = Workspace::new();
    workspace.file("x.gz.gz", gzip(&gzip(b"deep\n")));
    let reply = workspace.session().read("x.gz.gz").unwrap();
    assert_eq!(reply.details.kind.name(), "binary");
    assert!(reply.text().contains("gzip data"), "{}", reply.text());
}

/// Hostile input AR-6: zip members whose stated size, checksum or name is wrong.
#[test]
fn wrong_sizes_and_checksums_of_members_are_noted() {
    let whole = numbered(2000);
    let stored = deflate(whole.as_bytes(), flate2::Compression::default());
    let honest = Claim {
        stored: &stored,
        method: 8,
        ..Claim::stored(b"a", whole.as_bytes())
    };
    let archive = Forged::default()
        .add(&Claim {
            name: b"less",
            own_name: b"less",
            size: 14,
            ..honest
        })
        .add(&Claim {
            name: b"more",
            own_name: b"more",
            size: honest.size + 1,
            ..honest
        })
        .add(&Claim {
            name: b"sum",
            own_name: b"sum",
            sum: 1,
            ..honest
        })
        .add(&Claim {
            name: b"stored",
            own_name: b"stored",
            sum: 1,
            ..Claim::stored(b"", b"x\n")
        })
        .add(&Claim {
            name: b"torn",
            own_name: b"torn",
            stored: &stored[..stored.len() / 2],
            ..honest
        })
        .add(&Claim {
            own_name: b"other",
            ..honest
        })
        .finish();
    let workspace = Workspace::new();
    workspace.file("x.zip", archive);
    let session = workspace.session();
    let less = session.read("x.zip:less").unwrap();
    assert!(
        less.text().starts_with("line 1\nline 2\n"),
        "{}",
        less.text()
    );
    assert!(!less.text().contains("line 3"), "{}", less.text());
    for (path, expected) in [
        (
            "x.zip:less",
            "the archive states 14B; bytes after these are left out",
        ),
        ("x.zip:more:-1", "but its data ends here"),
        ("x.zip:sum:-1", "the checksum does not match the archive"),
        ("x.zip:stored", "the checksum does not match the archive"),
        ("x.zip:torn:-1", "the deflate data is damaged"),
        ("x.zip:a", "the header before the member calls it `other`"),
    ] {
        let notes = notes(&session, path);
        assert!(notes.contains(expected), "{path}: {notes}");
    }
    // The content before the mismatch is readable.
    assert!(text(&session, "x.zip:sum:2000").starts_with("line 2000\n"));
    assert!(notes(&session, "x.zip").is_empty() || !notes(&session, "x.zip").contains("damaged"));
}

/// Hostile input AR-7: a zip archive whose end record states a wrong number of members, and one
/// whose comment contains another archive.
#[test]
fn wrong_zip_end_records_are_noted() {
    let mut inner = Forged::default();
    inner.add(&Claim::stored(b"inner.txt", b"inner\n"));
    let mut outer = Forged::default();
    outer.add(&Claim::stored(b"outer.txt", b"outer\n"));
    let workspace = Workspace::new();
    workspace
        .file("count.zip", outer.end(7, 0, b""))
        .file("comment.zip", outer.end(1, 0, &inner.finish()));
    let session = workspace.session();
    let listing = text(&session, "count.zip");
    assert!(listing.starts_with("outer.txt (6B)\n"), "{listing}");
    let note = "the directory contains 1 entry, but its header states 7";
    assert!(listing.contains(note), "{listing}");
    // The last end record applies, as in Python and unzip.
    let listing = text(&session, "comment.zip");
    assert!(listing.starts_with("inner.txt (6B)\n"), "{listing}");
    assert!(
        listing.contains("[the archive starts at byte "),
        "{listing}"
    );
    assert_eq!(text(&session, "comment.zip:inner.txt"), "inner");
}

/// Hostile input AR-10: sparse tar members with an invalid map of their holes.
#[test]
fn invalid_sparse_maps_are_refused() {
    let sparse = |map: &str| {
        let records = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n";
        let mut stored = map.as_bytes().to_vec();
        stored.resize(stored.len().next_multiple_of(512), 0);
        [
            tar_entry(b"pax", EntryType::XHeader, "", records.as_bytes()),
            tar_entry(b"holes", EntryType::Regular, "", &stored),
            tar_entry(b"after", EntryType::Regular, "", b"y\n"),
            TAR_END.to_vec(),
        ]
        .concat()
    };
    let workspace = Workspace::new();
    for map in [
        "10000000\n0\n1\n",
        "2\n5\n5\n0\n5\n",
        "1\n18446744073709551615\n9\n",
        "x\n",
        "1\n0",
    ] {
        workspace.file("x.tar", sparse(map));
        let session = workspace.session();
        let failure = session.read("x.tar:holes").unwrap_err();
        assert!(
            failure.message.contains("the map of its holes is damaged"),
            "{}",
            failure.message
        );
        assert_eq!(text(&session, "x.tar:after"), "y");
    }
}

/// Hostile input AR-11: a file that is only one part of a split archive.
#[test]
fn split_archive_part_is_named() {
    let mut archive = Forged::default();
    archive.add(&Claim::stored(b"a", b"x\n"));
    let last = archive.end(1, 3, b"");
    let first = [b"PK\x07\x08".as_slice(), &last[..20]].concat();
    let workspace = Workspace::new();
    workspace.file("x.z01", first).file("x.zip", last);
    let session = workspace.session();
    for path in ["x.z01", "x.zip"] {
        assert!(
            text(&session, path).contains("one part of a split archive"),
            "{path}"
        );
    }
}

/// The volumes of a split archive are not damaged files.
#[test]
fn volumes_are_named() {
    let content: Vec<u8> = (0..5000u32)
        .flat_map(|n| n.wrapping_mul(n).to_le_bytes())
        .collect();
    let archive = sevenz(&[("a.bin", &content)]);
    let (first, second) = archive.split_at(archive.len() / 2);
    // The end of a zip archive, of which the start is in other files.
    let mut whole = Forged::default();
    whole.add(&Claim::stored(b"a", b"x\n"));
    let last = whole.end(1, 2, b"");
    let last = &last[10..];
    let workspace = Workspace::new();
    workspace
        .file("a.7z.001", first)
        .file("a.7z.002", second)
        .file("b.zip", last);
    let session = workspace.session();
    for (path, expected) in [
        (
            "a.7z.001",
            "one of several volumes, or incomplete; join all volumes first",
        ),
        ("a.7z.001:a.bin", "join all volumes first"),
        ("a.7z.002", "as `cat a.7z.[0-9][0-9][0-9] > joined.7z` does"),
        ("b.zip", "one part of a split archive"),
    ] {
        let shown = match session.read(path) {
            Ok(reply) => reply.text(),
            Err(failure) => failure.message.clone(),
        };
        assert!(shown.contains(expected), "{path}: {shown}");
        assert!(!shown.contains("damaged"), "{path}: {shown}");
    }
}

/// Hostile input AR-12: an archive with more than a million members. The listing leaves out those
/// after the first million.
#[test]
fn listing_of_a_million_members_is_bounded() {
    let level = flate2::Compression::fast();
    let mut archive = flate2::write::GzEncoder::new(Vec::new(), level);
    for n in 0..1_000_005 {
        let name = format!("d/{n}");
        let entry = tar_entry(name.as_bytes(), EntryType::Regular, "", b"");
        archive.write_all(&entry).expect("memory");
    }
    let workspace = Workspace::new();
    workspace.file("x.tgz", archive.finish().expect("memory"));
    // There is no timeout, because a busy machine may need long.
    let reader = workspace.builder().timeout(None).build().unwrap();
    let listing = reader.session().read("x.tgz:d/").unwrap();
    assert_eq!(listing.details.next.as_deref(), Some("x.tgz:d/:501"));
    let shown = listing.text();
    assert!(
        shown.contains("more than 1000000 members; the rest is left out"),
        "{shown}"
    );
}
