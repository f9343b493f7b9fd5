//! Files that are read by ranges.

use super::{Client, one};
use omniread_tests::pdf::Pdf;
use omniread_tests::web::{Body, Page, Ranges, Server, Site};
use omniread_tests::{Workspace, pack};
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const GIB: u64 = 1 << 30;

/// The number of bytes of the bodies of all responses.
fn sent(server: &Server) -> u64 {
    server.requests().iter().map(|request| request.sent).sum()
}

/// Writes a zip archive of 1 GiB with 1000 stored members. The members are holes in the file, apart from
/// `member-500.txt`, which contains `text`. Returns the size of its directory.
fn sparse_zip(path: &Path, text: &str) -> u64 {
    const MEMBER: usize = 1 << 20;
    let mut file = File::create(path).unwrap();
    let mut directory = Vec::new();
    let mut offset: u64 = 0;
    let checksum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    };
    let empty = checksum(&vec![0; MEMBER]);
    for n in 0..1000 {
        let name = format!("member-{n}.txt");
        let (crc, size) = if n == 500 {
            (checksum(text.as_bytes()), text.len())
        } else {
            (empty, MEMBER)
        };
        let size = u32::try_from(size).unwrap().to_le_bytes();
        // Version 2.0, no flags, stored, no time.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x58];
        common.extend(crc.to_le_bytes());
        common.extend(size);
        common.extend(size);
        common.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend([0, 0]);
        file.seek(SeekFrom::Start(offset)).unwrap();
        file.write_all(b"PK\x03\x04").unwrap();
        file.write_all(&common).unwrap();
        file.write_all(name.as_bytes()).unwrap();
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        // No comment, disk 0, no attributes.
        directory.extend([0; 10]);
        directory.extend(u32::try_from(offset).unwrap().to_le_bytes());
        directory.extend(name.as_bytes());
        if n == 500 {
            file.write_all(text.as_bytes()).unwrap();
        }
        offset += 30 + name.len() as u64 + u64::from(u32::from_le_bytes(size));
    }
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.write_all(&directory).unwrap();
    let size = directory.len() as u64;
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend(1000_u16.to_le_bytes());
    end.extend(1000_u16.to_le_bytes());
    end.extend(u32::try_from(size).unwrap().to_le_bytes());
    end.extend(u32::try_from(offset).unwrap().to_le_bytes());
    end.extend([0, 0]);
    file.write_all(&end).unwrap();
    size
}

#[test]
fn member_of_a_large_zip_needs_few_requests() {
    let workspace = Workspace::new();
    let path = workspace.path().join("x.zip");
    let text = "The text of the member.\n".repeat(1000);
    let directory = sparse_zip(&path, &text);
    let page = Page::file("application/zip", &path)
        .etag("\"v1\"")
        .ranges(Ranges::Correct);
    let server = one("/x.zip", page);
    let reply = Client::of(&server).read(&server.url("/x.zip:member-500.txt"));
    assert!(reply.body.contains("The text of the member."), "{reply:?}");
    let requests = server.requests();
    assert!(requests.len() <= 4, "{requests:?}");
    let limit = text.len() as u64 + directory + 512 * 1024;
    assert!(
        sent(&server) <= limit,
        "{} > {limit}: {requests:?}",
        sent(&server)
    );
    assert!(
        requests.iter().all(|request| request.status == 206),
        "{requests:?}"
    );
}

/// A log of 1 GiB. Each line has 64 bytes with its number.
fn log() -> Body {
    Body::computed(GIB, |offset, buffer| {
        let mut at = offset;
        let mut rest = buffer;
        while !rest.is_empty() {
            let number = at / 64 + 1;
            let line = format!("{:<63}\n", format!("{number:>12} GET /index.html 200"));
            let start = usize::try_from(at % 64).unwrap();
            let part = &line.as_bytes()[start..];
            let count = part.len().min(rest.len());
            rest[..count].copy_from_slice(&part[..count]);
            rest = &mut rest[count..];
            at += count as u64;
        }
    })
}

#[test]
fn end_of_a_large_log_needs_two_requests() {
    let page = Page::text("")
        .body(log())
        .etag("\"v1\"")
        .ranges(Ranges::Correct);
    let server = one("/app.log", page);
    let reply = Client::of(&server).read(&server.url("/app.log:-50"));
    assert!(reply.body.contains(" 16777216 GET"), "{reply:?}");
    assert!(reply.body.contains(" 16777167 GET"), "{reply:?}");
    assert!(server.requests().len() <= 2, "{:?}", server.requests());
    assert!(sent(&server) < 1 << 20, "{}", sent(&server));
}

/// Writes a database with 100 000 rows, in a file of 1 GiB whose other pages are unused.
fn large_database(path: &Path) {
    let app = rusqlite::Connection::open(path).unwrap();
    app.execute_batch(
        "create table users(id integer primary key, name text, note text);
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
         insert into users select i, 'user ' || i, hex(zeroblob(40)) from n;",
    )
    .unwrap();
    drop(app);
    let mut file = File::options().write(true).open(path).unwrap();
    file.set_len(GIB).unwrap();
    // The number of pages in the header.
    file.seek(SeekFrom::Start(28)).unwrap();
    file.write_all(&u32::try_from(GIB / 4096).unwrap().to_be_bytes())
        .unwrap();
}

#[test]
fn row_of_a_large_database_needs_few_requests() {
    let workspace = Workspace::new();
    let path = workspace.path().join("app.db");
    large_database(&path);
    let page = Page::file("application/vnd.sqlite3", &path)
        .etag("\"v1\"")
        .ranges(Ranges::Correct);
    let server = one("/app.db", page);
    let reply = Client::of(&server).read(&server.url("/app.db:users:77777"));
    assert!(reply.body.contains("user 77777"), "{reply:?}");
    let requests = server.requests();
    assert!(requests.len() <= 8, "{requests:?}");
    assert!(sent(&server) < 4 << 20, "{}", sent(&server));
}

#[test]
fn page_of_a_pdf_is_read_by_ranges() {
    let line = "A line of text that fills the page of this document with words.";
    let lines = [line; 45];
    let pdf = (1..=1500).fold(Pdf::default(), |pdf, n| {
        pdf.page(&format!("Page number {n}"), &lines)
    });
    let pdf = pdf.build();
    let size = pdf.len() as u64;
    let page = Page::new("application/pdf", pdf)
        .etag("\"v1\"")
        .ranges(Ranges::Correct);
    let server = one("/report.pdf", page);
    let reply = Client::of(&server).read(&server.url("/report.pdf:page:2"));
    assert!(reply.body.contains("Page number 2"), "{reply:?}");
    assert!(
        sent(&server) < size / 2,
        "{} of {size}: {:?}",
        sent(&server),
        server.requests()
    );
}

/// An archive of 3 MB with stored members that are all different.
fn archive(word: &str) -> Vec<u8> {
    // A pattern would be compressed by one encoder and not by another.
    let mut state = 2_463_534_242_u32;
    let filler: Vec<u8> = (0..1_500_000)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[0]
        })
        .collect();
    let text = format!("{word} {word}\n").repeat(2000);
    pack::zip(&[
        ("before.bin", filler.as_slice()),
        ("a.txt", text.as_bytes()),
        ("after.bin", filler.as_slice()),
    ])
}

#[test]
fn wrong_ranges_are_not_used() {
    let zip = archive("right");
    let page = Page::new("application/zip", &zip).etag("\"v1\"");
    for ranges in [
        Ranges::Ignored,
        Ranges::WrongStart,
        Ranges::NoContentRange,
        Ranges::Refused,
    ] {
        let server = one("/x.zip", page.clone().ranges(ranges));
        let client = Client::of(&server);
        let run = client.run(&server.url("/x.zip:a.txt"));
        assert!(
            run.code == Some(0) && run.stdout.contains("right right\nright right\n"),
            "{ranges:?}: {run:?}"
        );
    }
}

#[test]
fn range_without_a_validator_is_not_mixed() {
    // Without a validator, nothing says that two ranges are of the same version.
    let page = Page::new("application/zip", archive("right")).ranges(Ranges::Correct);
    let server = one("/x.zip", page);
    let reply = Client::of(&server).read(&server.url("/x.zip:a.txt"));
    assert!(reply.body.contains("right right\n"), "{reply:?}");
    let whole = server
        .requests()
        .iter()
        .any(|request| request.status == 200);
    assert!(whole, "{:?}", server.requests());
}

#[test]
fn file_that_changes_in_between_is_reported_and_never_mixed() {
    for by_date in [false, true] {
        let page = move |word: &str, version: usize| {
            let page = Page::new("application/zip", archive(word)).ranges(Ranges::Correct);
            if by_date {
                // A date is only a validator if the response was sent later.
                page.last_modified(&format!("Wed, 0{version} Jan 2025 00:00:00 GMT"))
                    .header("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
            } else {
                page.etag(&format!("\"v{version}\""))
            }
        };
        let (old, new) = (page("olden", 1), page("newer", 2));
        let count = AtomicUsize::new(0);
        let server = Site::new()
            .answer("/x.zip", move |_| {
                let first = count.fetch_add(1, Ordering::SeqCst) == 0;
                if first { old.clone() } else { new.clone() }
            })
            .serve();
        let run = Client::of(&server).run(&server.url("/x.zip:a.txt"));
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("changed"), "{by_date}: {run:?}");
        assert!(
            !(said.contains("olden olden") && said.contains("newer newer")),
            "{run:?}"
        );
        // Each request for a range says for which version it is.
        for request in server.requests().iter().skip(1) {
            let is_range = request.header("range").is_some();
            assert_eq!(
                is_range,
                request.header("if-range").is_some(),
                "{request:?}"
            );
        }
    }
}

#[test]
fn small_files_need_one_request() {
    let zip = pack::zip(&[("a.txt", b"one\ntwo\n")]);
    let page = Page::new("application/zip", zip)
        .etag("\"v1\"")
        .ranges(Ranges::Correct);
    let server = one("/x.zip", page);
    let reply = Client::of(&server).read(&server.url("/x.zip:a.txt"));
    assert!(reply.body.contains("two"), "{reply:?}");
    assert_eq!(server.requests().len(), 1, "{:?}", server.requests());
}

#[test]
fn empty_and_missing_files_are_answers() {
    let server = Site::new()
        .page(
            "/empty.zip",
            Page::new("application/zip", "")
                .etag("\"v1\"")
                .ranges(Ranges::Correct),
        )
        .page(
            "/error.zip",
            Page::text("busy").status(503).retry_after("7"),
        )
        .serve();
    let client = Client::of(&server);
    for address in ["/empty.zip", "/missing.zip", "/error.zip"] {
        let reply = client.read(&server.url(address));
        assert_eq!(reply.method(), "failed", "{address}: {reply:?}");
    }
}
