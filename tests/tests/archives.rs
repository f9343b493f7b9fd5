//! Archives: listed, read by member, one in another; the rows AR of the
//! catalogue of hostile inputs.

#![allow(missing_docs, reason = "a test")]

use omniread::{Dialect, Kind, Options, Reason, Session};
use omniread_tests::{Workspace, chain, raw_chain};
use std::io::Write as _;

/// A zip archive of these members, deflated.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let members: Vec<_> = members
        .iter()
        .map(|(name, content)| (name.as_bytes(), *content))
        .collect();
    zip_of(&members)
}

fn zip_of(members: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, content) in members {
        let builder = archive
            .new_file(rawzip::path::EntryPath::verbatim(*name))
            .compression_method(rawzip::CompressionMethod::DEFLATE);
        let (mut entry, config) = builder.start().expect("a member");
        let encoder =
            flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(content).expect("memory");
        let (encoder, descriptor) = writer.finish().expect("memory");
        encoder.finish().expect("memory");
        entry.finish(descriptor).expect("memory");
    }
    archive.finish().expect("memory")
}

/// A tar archive of these members.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mtime(1_700_000_000);
        header.set_mode(0o644);
        archive
            .append_data(&mut header, name, *content)
            .expect("memory");
    }
    archive.into_inner().expect("memory")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

fn text(session: &Session, path: &str) -> String {
    match session.read(path) {
        Ok(reply) => reply.text(),
        Err(failure) => panic!("{path}: {}", failure.message),
    }
}

fn reason(session: &Session, path: &str) -> Reason {
    match session.read(path) {
        Ok(reply) => panic!("{path}: {}", reply.text()),
        Err(failure) => failure.reason,
    }
}

#[test]
fn a_member_is_a_file() {
    let whole = numbered(5000);
    let members: &[(&str, &[u8])] = &[
        ("src/main.rs", b"fn main() {}\n"),
        ("logs/app.log", whole.as_bytes()),
        ("empty.txt", b""),
        ("wide.txt", b"\xff\xfea\0\n\0"),
        ("a:5-9", b"colon\n"),
    ];
    for (name, archive) in [
        ("x.zip", zip(members)),
        ("x.tar", tar(members)),
        ("x.tar.gz", gzip(&tar(members))),
    ] {
        let workspace = Workspace::new();
        workspace.file(name, archive);
        let session = workspace.session();
        let listing = session.read(name).unwrap();
        assert_eq!(listing.details.kind, Kind::Archive);
        let lines: Vec<String> = listing.text().lines().take(5).map(str::to_owned).collect();
        assert_eq!(
            lines,
            ["logs/", "src/", "a:5-9 (6B)", "empty.txt", "wide.txt (6B)"],
            "{name}"
        );
        assert_eq!(
            text(&session, &format!("{name}:src/main.rs")),
            "fn main() {}"
        );
        assert_eq!(
            text(&session, &format!("{name}:./src//main.rs")),
            "fn main() {}"
        );
        assert_eq!(text(&session, &format!("{name}:empty.txt")), "[empty file]");
        assert!(text(&session, &format!("{name}:wide.txt")).contains("encoding utf-16le"));
        assert!(text(&session, &format!("{name}:src")).starts_with("main.rs (13B)\n"));
        assert!(text(&session, &format!("{name}:src/:1")).starts_with("main.rs (13B)\n"));
        let log = format!("{name}:logs/app.log");
        assert!(
            text(&session, &format!("{log}:-1")).starts_with("line 5000"),
            "{name}"
        );
        assert_eq!(raw_chain(&session, &format!("{log}:raw")), whole, "{name}");
        let pages = chain(&session, &log);
        assert_eq!(pages.len(), 17, "{name}");
        assert_eq!(
            pages[0].details.next.as_deref(),
            Some(format!("{log}:301").as_str())
        );
        // A member wins over a selector, and what it is called by is escaped.
        let odd = session.read(&format!("{name}:a:5-9")).unwrap();
        assert_eq!(odd.text(), "colon");
        assert_eq!(odd.details.path, format!("{name}:a\\:5-9"));
        assert_eq!(text(&session, &odd.details.path), "colon");
        assert_eq!(text(&session, &format!("{}:1", odd.details.path)), "colon");
    }
}

#[test]
fn archives_lie_in_archives() {
    let inner = zip(&[("letter.txt", b"one\ntwo\nthree\n")]);
    let middle = gzip(&tar(&[("deep/inner.zip", &inner)]));
    let outer = zip(&[
        ("data/middle.tar.gz", &middle),
        ("log.gz", &gzip(b"a\nb\n")),
    ]);
    let workspace = Workspace::new();
    workspace.file("report.zip", &outer);
    let session = workspace.session();
    let path = "report.zip:data/middle.tar.gz:deep/inner.zip:letter.txt";
    assert!(text(&session, &format!("{path}:2,3")).starts_with("two\nthree"));
    let listing = text(&session, "report.zip:data/middle.tar.gz:deep/inner.zip");
    assert!(listing.starts_with("letter.txt (14B)\n"), "{listing}");
    assert_eq!(raw_chain(&session, "report.zip:log.gz:raw"), "a\nb\n");
    // Every dialect reaches it, by the rules of its own path.
    for dialect in [
        Dialect::Gateway,
        Dialect::Comma,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let reply = session.read_as(path, dialect, &Options::default()).unwrap();
        assert!(reply.text().contains("three"), "{dialect:?}");
    }
    let bare = session.read_as("report.zip", Dialect::Gateway, &Options::default());
    assert!(matches!(bare.unwrap_err().reason, Reason::Binary(_)));
    let inside = session.read_as("report.zip:", Dialect::Gateway, &Options::default());
    assert!(inside.unwrap().text().contains("log.gz"));
    for dialect in [Dialect::Comma, Dialect::Gemini] {
        let listing = session.read_as("report.zip:data", dialect, &Options::default());
        assert!(matches!(listing.unwrap_err().reason, Reason::Directory(_)));
    }
}

/// AR-3: one in another, and no end.
#[test]
fn depth_is_limited() {
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

/// AR-5: names that lead out are shown, and open nothing.
#[test]
fn no_name_leads_out() {
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
        listing.contains("../../etc/passwd (4B)") && listing.contains("/etc/shadow (4B)"),
        "{listing}"
    );
    assert!(matches!(
        reason(&session, "slip.tar:../../etc/passwd"),
        Reason::Path(_)
    ));
    assert!(matches!(
        reason(&session, "slip.tar:/etc/shadow"),
        Reason::NotFound(_)
    ));
    assert!(matches!(
        reason(&session, "slip.tar:etc/shadow"),
        Reason::NotFound(_)
    ));
    assert_eq!(
        text(&session, "slip.tar:fine"),
        "x\n\n[no newline at end of file]"
    );
}

/// AR-7: one view, and it is said: in a zip the last of a name counts, in a tar
/// the first.
#[test]
fn one_of_several_counts() {
    let members: &[(&str, &[u8])] = &[("a", b"first\n"), ("b", b"x\n"), ("a", b"last\n")];
    let workspace = Workspace::new();
    workspace
        .file("x.zip", zip(members))
        .file("x.tar", tar(members));
    let session = workspace.session();
    assert_eq!(text(&session, "x.zip:a"), "last");
    assert_eq!(text(&session, "x.tar:a"), "first");
    for name in ["x.zip", "x.tar"] {
        assert!(
            text(&session, name).contains("1 name stands for several members"),
            "{name}"
        );
    }
}

/// AR-8: what a pax header says of the size counts, so that nothing is smuggled
/// in.
#[test]
fn pax_sizes_count() {
    let smuggled = tar(&[("smuggled.txt", b"evil\n")]);
    let mut archive = Vec::new();
    let mut pax = tar::Header::new_ustar();
    let record = format!(
        "{} size={}\n",
        11 + smuggled.len().to_string().len(),
        smuggled.len()
    );
    let record = format!("{} size={}\n", record.len(), smuggled.len());
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

/// AR-9: links are listed as links, and lead nowhere.
#[test]
fn links_in_archives_are_not_followed() {
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
        assert!(session.read(&format!("x.tar:{name}")).is_err(), "{name}");
    }
}

/// AR-10: what a header claims is not what is allocated.
#[test]
fn sizes_are_not_believed() {
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

/// AR-11: what cannot be read is named, and the rest still is.
#[test]
fn closed_members_are_named() {
    let mut archive = zip(&[("secret.txt", b"x\n"), ("open.txt", b"y\n")]);
    // The flag of the first entry of the directory.
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
    archive[directory + 10] = 98;
    workspace.file("y.zip", &archive);
    let failure = session.read("y.zip:secret.txt").unwrap_err();
    assert!(failure.message.contains("method 98"), "{}", failure.message);
    assert!(text(&session, "y.zip").contains("open.txt (2B)"));
}

/// A damaged archive is shown as what it is, unless a member was asked for.
#[test]
fn damage_is_told() {
    let archive = zip(&[("a", b"x\n")]);
    let workspace = Workspace::new();
    workspace.file("x.zip", &archive[..archive.len() - 10]);
    let session = workspace.session();
    let reply = session.read("x.zip").unwrap();
    assert_eq!(reply.details.kind, Kind::Binary);
    assert!(
        reply.text().contains("the zip archive is damaged"),
        "{}",
        reply.text()
    );
    assert!(matches!(reason(&session, "x.zip:a"), Reason::Io(_)));
}

/// A missing archive is looked for as a file is.
#[test]
fn a_missing_archive_is_repaired() {
    let workspace = Workspace::new();
    workspace.file("deep/down/x.zip", zip(&[("a.txt", b"x\n")]));
    let reply = text(&workspace.session(), "down/x.zip:a.txt:1");
    assert!(
        reply.starts_with(
            "[Path 'down/x.zip' not found; resolved to 'deep/down/x.zip' via suffix match]\nx"
        ),
        "{reply}"
    );
}

/// An ar archive, with a name too long for its field.
fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    let header = |name: &str, size: usize| {
        format!(
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            1_700_000_000, 0, 0, 100_644
        )
    };
    let names: String = members
        .iter()
        .map(|(name, _)| format!("{name}/\n"))
        .collect();
    archive.extend_from_slice(header("//", names.len()).as_bytes());
    archive.extend_from_slice(names.as_bytes());
    if names.len() % 2 == 1 {
        archive.push(b'\n');
    }
    let mut at = 0;
    for (name, content) in members {
        archive.extend_from_slice(header(&format!("/{at}"), content.len()).as_bytes());
        at += name.len() + 2;
        archive.extend_from_slice(content);
        if content.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

/// A cpio archive in its newer form.
fn cpio(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    let trailer: (&str, &[u8]) = ("TRAILER!!!", b"");
    for (name, content) in members.iter().chain([&trailer]) {
        let fields = [
            0,
            0o100_644,
            0,
            0,
            1,
            1_700_000_000,
            content.len(),
            0,
            0,
            0,
            0,
            name.len() + 1,
            0,
        ];
        archive.extend_from_slice(b"070701");
        for field in fields {
            archive.extend_from_slice(format!("{field:08x}").as_bytes());
        }
        archive.extend_from_slice(name.as_bytes());
        archive.push(0);
        archive.resize(archive.len().next_multiple_of(4), 0);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(4), 0);
    }
    archive
}

#[test]
fn packages_are_archives() {
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

/// As in files that unpack themselves.
#[test]
fn programs_may_stand_before_a_zip() {
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

/// A 7z archive, its members in one block.
fn sevenz(members: &[(&str, &[u8])]) -> Vec<u8> {
    let memory = std::io::Cursor::new(Vec::new());
    let mut archive = sevenz_rust2::ArchiveWriter::new(memory).expect("memory");
    for (name, content) in members {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        archive
            .push_archive_entry(entry, Some(*content))
            .expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

#[test]
fn members_of_7z_are_files() {
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
    assert!(text(&session, "cut.7z").contains("the 7z archive is damaged"));
    assert!(matches!(reason(&session, "cut.7z:b.txt"), Reason::Io(_)));
}

/// Older programs write names in the encoding of their place.
#[test]
fn names_in_other_encodings_are_read() {
    let name = "日本語のファイル名/議事録.txt";
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(name);
    let archive = zip_of(&[(&bytes, b"x\n"), (b"plain.txt", b"y\n")]);
    let workspace = Workspace::new();
    workspace.file("x.zip", archive);
    let session = workspace.session();
    let listing = text(&session, "x.zip");
    assert!(
        listing.starts_with("日本語のファイル名/\nplain.txt (2B)\n"),
        "{listing}"
    );
    assert!(
        listing.contains("[names in shift_jis (guessed)]"),
        "{listing}"
    );
    assert_eq!(text(&session, &format!("x.zip:{name}")), "x");
}
