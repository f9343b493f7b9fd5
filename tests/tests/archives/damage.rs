//! What is damaged, cut off or odd, and what is said of it.

use super::{notes, reason};
use omniread::Reason;
use omniread_tests::pack::{Claim, Forged, TAR_END, gzip, tar, tar_entry, zip};
use omniread_tests::{Workspace, numbered, text};
use tar::EntryType;

/// A damaged archive is shown as what it is, unless a member was asked for.
#[test]
fn damage_is_told() {
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

/// What is short of its map, or longer, is not given out as if it were whole.
#[test]
fn maps_of_holes_fit_what_is_stored() {
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
        let failure = session.read(&format!("{name}:holes")).unwrap_err();
        assert!(
            failure.message.contains("the map of its holes is damaged"),
            "{name}"
        );
    }
    // The rest is a hole.
    assert!(text(&session, "short.tar:holes:raw").starts_with("x\ny\n"));
}

/// What is cut off says so, wherever that is.
#[test]
fn cut_archives_are_told() {
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

/// Damage is told of members that are no text as well.
#[test]
fn damage_of_binary_members_is_told() {
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

/// All members are listed: what has one name with others, or none, is counted.
#[test]
fn no_member_is_lost() {
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
    assert!(listing.starts_with("a (6B)\n"), "{listing}");
    assert!(
        listing.contains("1 name belongs to several members"),
        "{listing}"
    );
    assert_eq!(text(&session, "dot.tar:a"), "first");
    let listing = text(&session, "both.tar");
    assert!(listing.starts_with("a/\na (5B)\n"), "{listing}");
    assert_eq!(text(&session, "both.tar:a"), "file");
    assert_eq!(text(&session, "both.tar:a/b"), "below");
    let listing = text(&session, "none.zip");
    assert!(listing.contains("1 member has no name"), "{listing}");
}

/// What is not there may be behind the damage.
#[test]
fn damage_is_told_with_what_is_missing() {
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
fn what_has_no_bytes_is_named() {
    let pipe = tar_entry(b"pipe", EntryType::Fifo, "", b"");
    let workspace = Workspace::new();
    workspace.file("x.tar", [pipe, TAR_END.to_vec()].concat());
    let session = workspace.session();
    assert!(text(&session, "x.tar").starts_with("pipe (special)\n"));
    assert!(matches!(reason(&session, "x.tar:pipe"), Reason::Special(_)));
}

/// What follows the end of an archive is not silently left out, and neither is
/// the size that does not count.
#[test]
fn oddities_of_tar_are_told() {
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
    assert!(text(&session, "joined.tar").contains("and something follows"));
    let listing = text(&session, "sizes.tar");
    assert!(
        listing.contains("`b.txt` has 4 bytes by its extended header"),
        "{listing}"
    );
}

/// What is to be said of the way to an archive is said with its listing.
#[test]
fn notes_of_the_way_stand_in_listings() {
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
