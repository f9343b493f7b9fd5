//! Listings of directories and archives: their length, their summary and their continuation.

use omniread::{Dialect, Options, Reply, Session};
use omniread_tests::pack::zip;
use omniread_tests::{Workspace, chain};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The names of the entries of a directory on a page of its listing, without those in
/// subdirectories.
fn names(reply: &Reply) -> Vec<String> {
    let text = reply.text();
    let entries = text.lines().filter_map(|line| line.strip_prefix("  - "));
    entries
        .filter_map(|entry| entry.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// A workspace with the directory `many`, which has 5001 entries.
fn many() -> Workspace {
    let workspace = Workspace::new();
    workspace.directory("many/folder");
    for n in 0..5000 {
        let name = match n {
            0..3000 => format!("{n}.rs"),
            3000..4000 => format!("{n}.PNG"),
            4000..4500 => format!("{n}"),
            4500..4800 => format!("{n}.md"),
            4800..4990 => format!("{n}.toml"),
            _ => format!("{n}.x{n}"),
        };
        workspace.file(&format!("many/{name}"), "x");
    }
    workspace
}

fn structured(reply: &Reply) -> Value {
    serde_json::from_str(&reply.structured).expect("a JSON object")
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, found)| found == extension)
}

#[test]
fn long_directory_shows_300_entries_and_counts_the_rest_by_kind() {
    let workspace = many();
    let session = workspace.session();
    let pages = chain(&session, "many");
    let first = &pages[0];
    assert_eq!(names(first).len(), 300);
    assert!(first.text().len() < 20_000, "{}", first.text().len());
    assert_eq!(first.details.next.as_deref(), Some("many:302"));
    // The summary counts the entries of each kind that are not on the page.
    let shown = names(first);
    let left = |total: u64, of: fn(&str) -> bool| {
        total - shown.iter().filter(|name| of(name)).count() as u64
    };
    let expected = [
        (left(3000, |name| has_extension(name, "rs")), ".rs"),
        (left(1000, |name| has_extension(name, "PNG")), ".png"),
        (
            left(500, |name| !name.contains(['.', '/'])),
            "without extension",
        ),
        (left(300, |name| has_extension(name, "md")), ".md"),
        (left(190, |name| has_extension(name, "toml")), ".toml"),
    ];
    let note = first
        .details
        .notes
        .iter()
        .find(|note| note.contains("more entries"))
        .expect("a summary");
    assert!(note.starts_with("4701 more entries: "), "{note}");
    for (count, kind) in expected {
        let part = format!("{count} {kind}");
        // The page may show all entries of a kind: the order of files with equal times is unknown.
        assert_eq!(note.contains(&part), count > 0, "{part}: {note}");
    }
    assert!(
        first.text().contains(&format!("[{note}]")),
        "{}",
        first.text()
    );
    assert!(
        first
            .text()
            .contains("[Showing lines 1-301 of 5002. Use :302 to continue]"),
        "{}",
        first.text()
    );
    let meta = &structured(first)["meta"];
    assert_eq!(meta["limits"]["resultLimit"], 300);
    assert_eq!(
        meta["truncation"]["shownRange"],
        json!({"start": 1, "end": 301})
    );
    assert_eq!(meta["truncation"]["totalLines"], 5002);
    assert_eq!(structured(first)["truncation"]["truncatedBy"], "lines");
    // Every entry is on exactly one page.
    let all: Vec<String> = pages.iter().flat_map(names).collect();
    assert_eq!(all.len(), 5001);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 5001);
    let last = pages.last().unwrap();
    assert!(
        last.details.notes.iter().all(|note| !note.contains("more")),
        "{:?}",
        last.details.notes
    );
}

/// In the dialects `gateway` and `claude`, the first page of a listing shows 300 entries, and the
/// argument `offset` continues the listing.
#[test]
fn long_directory_is_paged_in_gateway_and_claude() {
    let workspace = many();
    let session = workspace.session();
    let path = workspace.path().join("many");
    let call = |dialect, arguments: Value| {
        let reply = session.call(dialect, &arguments.to_string(), &Options::default());
        reply.unwrap_or_else(|failure| panic!("{}", failure.text))
    };
    for (dialect, argument, continue_notice, offset) in [
        (
            Dialect::Gateway,
            "filePath",
            "[Lines 1-301 of 5002. Use offset=301 to read more.]",
            301,
        ),
        (
            Dialect::Claude,
            "file_path",
            "(Showing 301 of 5,002 total lines) Use offset=302 to continue.",
            302,
        ),
    ] {
        let first = call(dialect, json!({argument: path}));
        assert_eq!(names(&first).len(), 300, "{dialect:?}");
        assert!(
            first.text().contains(continue_notice),
            "{dialect:?}: {}",
            first.text()
        );
        assert!(
            first.text().contains("[4701 more entries: "),
            "{dialect:?}: {}",
            first.text()
        );
        let mut all = names(&first);
        let mut offset = offset;
        while all.len() < 5001 {
            let page = call(
                dialect,
                json!({argument: path, "offset": offset, "limit": 1000}),
            );
            let page = names(&page);
            assert!(!page.is_empty(), "{dialect:?}");
            offset += page.len();
            all.extend(page);
        }
        assert_eq!(
            all.iter().collect::<BTreeSet<_>>().len(),
            5001,
            "{dialect:?}"
        );
    }
}

#[test]
fn short_directory_and_ranges_have_no_summary() {
    let workspace = Workspace::new();
    for n in 0..300 {
        workspace.file(&format!("dir/{n}.rs"), "x");
    }
    let session = workspace.session();
    let reply = session.read("dir").unwrap();
    assert_eq!(names(&reply).len(), 300);
    assert_eq!(reply.details.notes, Vec::<String>::new());
    assert_eq!(reply.details.next, None);
    assert_eq!(structured(&reply)["meta"].get("limits"), None);
    let part = session.read("dir:1-10").unwrap();
    assert_eq!(names(&part).len(), 9);
    assert_eq!(part.details.notes, Vec::<String>::new());
}

/// The note on entries that are left out counts only those of the directory itself, not those in
/// its subdirectories.
#[test]
fn summary_counts_entries_of_the_directory_itself() {
    let workspace = Workspace::new();
    for folder in 0..40 {
        for file in 0..12 {
            workspace.file(&format!("tree/f{folder}/{file}.rs"), "x");
        }
    }
    let session = workspace.session();
    let first = session.read("tree").unwrap();
    // Each folder takes 13 lines, so that 301 lines show 23 folders and a part of the next.
    let note = "16 more entries: 16 directories".to_owned();
    assert_eq!(first.details.notes, [note]);
    let lines = |session: &Session| -> usize {
        let pages = chain(session, "tree");
        let rows = |reply: &Reply| reply.text().matches("- ").count();
        pages.iter().map(rows).sum()
    };
    assert_eq!(lines(&session), 40 * 13);
}

#[test]
fn long_archive_listing_has_a_summary() {
    let names: Vec<String> = (1000..1700).map(|n| format!("{n}.txt")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), &b"x\n"[..])).collect();
    let workspace = Workspace::new();
    workspace.file("num.zip", zip(&members));
    let session = workspace.session();
    let pages = chain(&session, "num.zip");
    assert_eq!(pages.len(), 2);
    let note = "200 more entries: 200 .txt".to_owned();
    assert!(
        pages[0].details.notes.contains(&note),
        "{:?}",
        pages[0].details.notes
    );
    assert!(
        !pages[1].text().contains("more entries"),
        "{}",
        pages[1].text()
    );
}

/// Files in `/proc` report a size of 0 although they have content, so no size is shown.
#[test]
#[cfg(target_os = "linux")]
fn kernel_files_are_listed_without_a_size() {
    let session = omniread_tests::builder()
        .root("/proc/sys/kernel")
        .root("/proc/self")
        .build()
        .unwrap()
        .session();
    let listing = session.read("/proc/sys/kernel").unwrap();
    assert!(listing.text().contains("- ostype"), "{}", listing.text());
    assert!(!listing.text().contains("0B"), "{}", listing.text());
    for dialect in [
        Dialect::Omp,
        Dialect::Gateway,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let reply = session.read_as("/proc/sys/kernel/ostype", dialect, &Options::default());
        let reply = reply.unwrap();
        assert!(reply.text().contains("Linux"), "{dialect:?}");
        assert_ne!(reply.details.size, Some(0), "{dialect:?}");
        assert!(
            !reply.text().contains("0B"),
            "{dialect:?}: {}",
            reply.text()
        );
        let own = structured(&reply);
        for size in [&own["size"], &own["metadata"]["size"], &own["summary"]] {
            assert!(
                *size != json!(0) && *size != json!("0B"),
                "{dialect:?}: {own}"
            );
        }
    }
    // An empty file has a size.
    let workspace = Workspace::new();
    workspace.file("empty", "");
    let session = workspace.session();
    assert!(session.read(".").unwrap().text().contains("0B"));
    assert_eq!(session.read("empty").unwrap().details.size, Some(0));
}
