//! Damaged, truncated and unusual archives, and the notes on them.

use super::{notes, reason};
use omniread::Reason;
use omniread_tests::pack::{Claim, Forged, TAR_END, gzip, tar, tar_entry, zip};
use omniread_tests::{Workspace, numbered, text};
use tar::EntryType;

/// A zip archive without its end is shown as a binary file with a note, and a read of its members
/// fails.
#[test]
fn damaged_zip_is_shown_as_binary_with_a_note() {
    let archive = zip(&[("a", b"x\n")]);
    let workspace = Workspace::new();
    workspace.file("x.zip", &archive[..archive.len() - 10]);
    let session = workspace.session();
    let reply = session.read("x.zip").unwrap();
    assert_eq!(reply.details.kind.name(), "binary");
    assert!(
        reply.text().contains("the zip archive is damaged"),
        "{}",
        reply.text()
    );
    assert!(matches!(reason(&session, "x.zip:a"), Reason::Io(_)));
}

/// A read of a sparse tar member fails if the map of its holes does not match the stored bytes.
#[test]
fn sparse_map_that_does_not_match_stored_bytes_is_refused() {
    let records = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n30 GNU.sparse.realsize=3000\n";
    let sparse = |map: &str, stored: &[u8]| {
        let mut bytes = map.as_bytes().to_vec();
        bytes.resize(512, 0);
        bytes.extend_from_slice(stored);
        [
            tar_entry(b"pax", EntryType::XHeader, "", records.as_bytes()),
            tar_entry(b"holes", EntryType::Regular, "", &bytes),
            TAR_END.to_vec(),
        ]
        .concat()
    };
    let workspace = Workspace::new();
    workspace
        .file("more.tar", sparse("1\n0\n3000\n", b"x\n"))
        .file("less.tar", sparse("1\n0\n2\n", b"x\nmore that is stored"))
        .file("short.tar", sparse("1\n0\n4\n", b"x\ny\n"));
    let session = workspace.session();
    for name in ["more.tar", "less.tar"] {
        let failure = session.read(format!("{name}:holes")).unwrap_err();
        assert!(
            failure.message.contains("the map of its holes is damaged"),
            "{name}"
        );
    }
    // The map leaves out the end of the file, which is a hole.
    assert!(text(&session, "short.tar:holes:raw").starts_with("x\ny\n"));
}

/// A truncated tar archive is listed with a note, and its complete members can be read.
#[test]
fn truncated_tar_is_listed_with_a_note() {
    let whole = numbered(3000);
    let archive = tar(&[("a.txt", b"one\n"), ("b.txt", whole.as_bytes())]);
    let cut = &archive[..archive.len() - 10_000];
    let workspace = Workspace::new();
    workspace.file("x.tar", cut).file("x.tar.gz", gzip(cut));
    let session = workspace.session();
    for name in ["x.tar", "x.tar.gz"] {
        let listing = text(&session, name);
        assert!(listing.starts_with("a.txt (4B)\nb.txt ("), "{listing}");
        assert!(listing.contains("cut off in its last member"), "{listing}");
        assert_eq!(text(&session, &format!("{name}:a.txt")), "one");
    }
}

/// The reply for a damaged member contains a note on the damage, even if the member is binary.
#[test]
fn damaged_binary_member_is_noted() {
    let bytes = b"\x7fELF\0\x01\x02\x03 not much of a program".as_slice();
    let wrong = Claim {
        sum: 1,
        ..Claim::stored(b"program", bytes)
    };
    let packed = gzip(&bytes.repeat(4000));
    let workspace = Workspace::new();
    workspace
        .file("x.zip", Forged::default().add(&wrong).finish())
        .file("cut.gz", &packed[..packed.len() - 20]);
    let session = workspace.session();
    for path in ["x.zip:program", "cut.gz"] {
        let reply = session.read(path).unwrap();
        assert_eq!(reply.details.kind.name(), "binary", "{path}");
        assert!(
            notes(&session, path).contains("reading stopped at byte"),
            "{path}"
        );
    }
}

/// A listing states how many names occur more than once, and how many members have no name.
#[test]
fn members_with_shared_or_no_names_are_counted() {
    let workspace = Workspace::new();
    workspace
        .file(
            "dot.tar",
            tar(&[("./a", b"first\n"), ("a", b"second, longer\n")]),
        )
        .file("both.tar", tar(&[("a", b"file\n"), ("a/b", b"below\n")]))
        .file(
            "none.zip",
            Forged::default()
                .add(&Claim::stored(b"", b"x\n"))
                .add(&Claim::stored(b"a", b"y\n"))
                .finish(),
        );
    let session = workspace.session();
    let listing = text(&session, "dot.tar");
    assert!(listing.starts_with("a (15B)\n"), "{listing}");
    assert!(
        listing.contains("1 name belongs to several members"),
        "{listing}"
    );
    assert_eq!(text(&session, "dot.tar:a"), "second, longer");
    let listing = text(&session, "both.tar");
    assert!(listing.starts_with("a/\na (5B)\n"), "{listing}");
    assert_eq!(text(&session, "both.tar:a"), "file");
    assert_eq!(text(&session, "both.tar:a/b"), "below");
    let listing = text(&session, "none.zip");
    assert!(listing.contains("1 member has no name"), "{listing}");
}

/// The hint for a missing member mentions the damage of the archive, because the member may be
/// after it.
#[test]
fn missing_member_of_a_damaged_tar_mentions_the_damage() {
    let archive = tar(&[("a.txt", b"one\n"), ("b.txt", b"two\n")]);
    let mut torn = archive;
    torn[1024..1100].fill(b'?');
    let workspace = Workspace::new();
    workspace.file("x.tar", torn);
    let session = workspace.session();
    assert_eq!(text(&session, "x.tar:a.txt"), "one");
    let hint = session.read("x.tar:missing").unwrap_err().hint.unwrap();
    assert!(
        hint.contains("as far as it can be read; the tar archive is damaged"),
        "{hint}"
    );
}

#[test]
fn special_file_in_an_archive_is_refused() {
    let pipe = tar_entry(b"pipe", EntryType::Fifo, "", b"");
    let workspace = Workspace::new();
    workspace.file("x.tar", [pipe, TAR_END.to_vec()].concat());
    let session = workspace.session();
    assert!(text(&session, "x.tar").starts_with("pipe (special)\n"));
    assert!(matches!(
        reason(&session, "x.tar:pipe"),
        Reason::SpecialFile(_)
    ));
}

/// The listing of a tar archive notes data after the end of the archive, and a size that an
/// extended header overrides.
#[test]
fn tar_trailing_data_and_header_sizes_are_noted() {
    let one = tar(&[("a.txt", b"one\n")]);
    let records = "9 size=4\n";
    let two = [
        tar_entry(b"pax", EntryType::XHeader, "", records.as_bytes()),
        tar_entry(b"b.txt", EntryType::Regular, "", b"abcdefgh"),
        TAR_END.to_vec(),
    ]
    .concat();
    let workspace = Workspace::new();
    workspace
        .file("joined.tar", [one.as_slice(), &one].concat())
        .file("sizes.tar", two);
    let session = workspace.session();
    assert!(text(&session, "joined.tar").contains("but more bytes follow"));
    let listing = text(&session, "sizes.tar");
    assert!(
        listing.contains("`b.txt`: the size is 4 in its extended header"),
        "{listing}"
    );
}

/// A listing of a nested archive contains the notes on the outer archive.
#[test]
fn nested_archive_listing_contains_notes_on_the_outer_archive() {
    let inner = zip(&[("a.txt", b"x\n")]);
    let claim = Claim {
        own_name: b"other",
        ..Claim::stored(b"in.zip", &inner)
    };
    let workspace = Workspace::new();
    workspace.file("x.zip", Forged::default().add(&claim).finish());
    let listing = text(&workspace.session(), "x.zip:in.zip");
    assert!(listing.starts_with("a.txt (2B)\n"), "{listing}");
    assert!(listing.contains("calls it `other`"), "{listing}");
}
