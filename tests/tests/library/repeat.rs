//! The option `repeat`: a reply that was shown before is one line, and a changed file is shown with a note.

use image::ImageFormat;
use omniread::files::{Staleness, Tagged};
use omniread::sessions::{Handle, StoreLimits};
use omniread::{Dialect, Options, Reply, Session};
use omniread_tests::image::{drawing, encoded};
use omniread_tests::{DIALECTS, Workspace, numbered};
use std::collections::HashMap;
use std::fs;

fn options() -> Options {
    Options {
        repeat: true,
        ..Options::default()
    }
}

fn read_as(session: &Session, dialect: Dialect, path: &str) -> Reply {
    session
        .read_as(path, dialect, &options())
        .unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
}

fn read(session: &Session, path: &str) -> Reply {
    read_as(session, Dialect::Omp, path)
}

/// The note on changes in a reply.
fn changes(reply: &Reply) -> Option<&str> {
    const CHANGED: &str = "the file has changed since you have seen it";
    let mut notes = reply.details.notes.iter();
    notes.find_map(|note| note.strip_prefix(CHANGED))
}

#[test]
fn reply_that_was_shown_is_one_line() {
    for dialect in DIALECTS {
        let workspace = Workspace::new();
        workspace.file("a.txt", numbered(50));
        let session = workspace.session();
        let first = read_as(&session, dialect, "a.txt");
        assert_eq!(first.details.repeats, None);
        let second = read_as(&session, dialect, "a.txt");
        assert_eq!(second.details.repeats.as_deref(), Some("a.txt"));
        let line = second.text();
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(
            line.contains("`a.txt`") && line.contains("`a.txt:fresh`"),
            "{line}"
        );
        let again = read_as(&session, dialect, "a.txt:fresh");
        assert_eq!(again.text(), first.text(), "{dialect:?}");
        assert_eq!(again.details.repeats, None);
        // Without the option, every reply is whole.
        let whole = session.read_as("a.txt", dialect, &Options::default());
        assert_eq!(whole.unwrap().text(), first.text());
    }
}

#[test]
fn other_replies_are_whole() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", numbered(50))
        .file("b.txt", numbered(50));
    let session = workspace.session();
    for path in ["a.txt", "b.txt", "a.txt:1-5", "a.txt:raw", "a.txt:1-5:raw"] {
        assert_eq!(read(&session, path).details.repeats, None, "{path}");
    }
    let claude = read_as(&session, Dialect::Claude, "a.txt");
    assert_eq!(claude.details.repeats, None);
    let raw = read(&session, "a.txt:raw");
    assert_eq!(raw.details.repeats.as_deref(), Some("a.txt:raw"));
    // The same lines by another path.
    let lines = read(&session, "a.txt:1-50");
    assert_eq!(lines.details.repeats, None, "{}", lines.text());
}

#[test]
fn images_listings_and_tables_repeat_too() {
    let workspace = Workspace::new();
    workspace
        .file("a.png", encoded(drawing(40, 30), ImageFormat::Png))
        .file("t.csv", "a,b\n1,2\n")
        .file("d/x.txt", "x\n");
    let session = workspace.session();
    for path in ["a.png", "t.csv:", "d"] {
        assert_eq!(read(&session, path).details.repeats, None, "{path}");
        let second = read(&session, path);
        assert_eq!(second.details.repeats.as_deref(), Some(path));
        assert_eq!(second.blocks.len(), 1);
        assert_eq!(
            read(&session, &format!("{path}:fresh")).details.repeats,
            None
        );
    }
}

#[test]
fn file_and_member_named_fresh_have_precedence() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt:fresh", "other\n")
        .file("a.txt", "one\n");
    let session = workspace.session();
    assert!(read(&session, "a.txt:fresh").text().contains("other"));
    assert!(read(&session, "a.txt").text().contains("one"));
    let second = read(&session, "a.txt:fresh");
    assert_eq!(second.details.repeats.as_deref(), Some("a.txt:fresh"));
    let missing = session.read_as("b.txt:fresh", Dialect::Omp, &options());
    assert!(missing.unwrap_err().message.contains("b.txt"));
    // The word is understood without the option too.
    workspace.file("b.txt", "two\n");
    let reply = session.read("b.txt:1-1:fresh").unwrap();
    assert!(reply.text().contains("1:two"), "{}", reply.text());
}

#[test]
fn new_generation_shows_replies_again() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let session = workspace.session();
    read(&session, "a.txt");
    assert!(read(&session, "a.txt").details.repeats.is_some());
    let before = session.generation();
    assert_eq!(session.start_generation(), Ok(before + 1));
    assert_eq!(read(&session, "a.txt").details.repeats, None);
    assert!(read(&session, "a.txt").details.repeats.is_some());
}

#[test]
fn handles_have_generations_of_their_own() {
    let workspace = Workspace::new();
    let directory = Workspace::new();
    workspace.file("a.txt", "one\n");
    let open = || {
        let reader = workspace.builder().build().unwrap();
        let place = directory.path().join("session");
        Session::open(&reader, place, StoreLimits::DISK)
            .unwrap()
            .session
    };
    let (first, second) = (Handle::new("one").unwrap(), Handle::new("two").unwrap());
    let session = open();
    read(&session.with_handle(&first), "a.txt");
    assert_eq!(
        read(&session.with_handle(&second), "a.txt").details.repeats,
        None
    );
    session.with_handle(&second).start_generation().unwrap();
    assert!(
        read(&session.with_handle(&first), "a.txt")
            .details
            .repeats
            .is_some()
    );
    assert_eq!(
        read(&session.with_handle(&second), "a.txt").details.repeats,
        None
    );
    drop(session);
    // Another process.
    let session = open();
    assert!(
        read(&session.with_handle(&first), "a.txt")
            .details
            .repeats
            .is_some()
    );
    assert_eq!(session.handles(), [first, second]);
}

#[test]
fn changed_file_is_shown_with_the_lines_that_differ() {
    let workspace = Workspace::new();
    let lines: Vec<String> = (1..=60).map(|n| format!("line {n}")).collect();
    let write = |lines: &[String]| workspace.file("a.txt", lines.join("\n") + "\n").path();
    write(&lines);
    let session = workspace.session();
    read(&session, "a.txt:raw");
    let mut now = lines.clone();
    now[2] = "LINE 3".to_owned();
    now.remove(9);
    now.insert(20, "added".to_owned());
    write(&now);
    let reply = read(&session, "a.txt:raw");
    let expected = ": line 3, 1 line removed before line 10, line 21 new";
    assert_eq!(changes(&reply), Some(expected));
    assert_eq!(reply.details.repeats, None);
    // The reply itself is remembered without the note.
    assert!(read(&session, "a.txt:raw").details.repeats.is_some());
    // Other lines than those that changed.
    now[50] = "LINE 51".to_owned();
    write(&now);
    let reply = read(&session, "a.txt:1-20:raw");
    assert_eq!(changes(&reply), Some(", but not in these lines"));
    assert_eq!(changes(&read(&session, "a.txt:1-20:raw:fresh")), None);
    // Those were not shown since.
    let reply = read(&session, "a.txt:40-60:raw");
    assert_eq!(changes(&reply), Some(": line 51"));
}

#[test]
fn lines_that_were_never_shown_are_not_changed() {
    let workspace = Workspace::new();
    workspace.file("a.txt", numbered(400));
    let session = workspace.session();
    read(&session, "a.txt:100-150:raw");
    let changed = numbered(400).replacen("line 120\n", "LINE 120\n", 1);
    assert_ne!(changed, numbered(400), "the text has this line");
    workspace.file("a.txt", changed);
    assert_eq!(
        changes(&read(&session, "a.txt:90-200:raw")),
        Some(": line 120")
    );
}

#[test]
fn touched_file_and_own_edits_have_not_changed() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\n");
    let session = workspace.session();
    read(&session, "a.txt");
    let path = workspace.path().join("a.txt");
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    let touched = read(&session, "a.txt:fresh");
    assert_eq!(changes(&touched), None);
    fs::write(&path, "one\nTWO\n").unwrap();
    session.record_write("a.txt", b"one\nTWO\n").unwrap();
    let edited = read(&session, "a.txt");
    assert_eq!(
        (edited.details.repeats.is_none(), changes(&edited)),
        (true, None)
    );
}

/// Two texts may have the same tag, which then does not say which one was shown.
#[test]
fn tag_of_two_texts_is_ambiguous() {
    let workspace = Workspace::new();
    let session = workspace.session();
    let path = workspace.path().join("f");
    let mut seen = HashMap::new();
    let (first, second) = (0..5000)
        .find_map(|number| {
            let text = format!("{number}\n");
            fs::write(&path, &text).unwrap();
            let stamp = session.current("f", true).unwrap().stamp.unwrap();
            let other = seen.insert(stamp.tag.unwrap(), text.clone())?;
            Some((other, text))
        })
        .expect("two of 5000 texts have the same tag of 16 bits");
    let resolved = session.current("f", false).unwrap().resolved_path;
    fs::write(&path, &first).unwrap();
    read(&session, "f");
    let tag = session.snapshot(&resolved).unwrap().tag.unwrap();
    assert!(
        matches!(session.tagged(&resolved, &tag), Tagged::One(one) if one.text == [first.trim_end()])
    );
    assert_eq!(session.tagged(&resolved, "no tag"), Tagged::None);
    fs::write(&path, &second).unwrap();
    assert_eq!(session.stale("f").unwrap(), Staleness::Changed);
    read(&session, "f");
    let Tagged::Ambiguous(all) = session.tagged(&resolved, &tag) else {
        panic!("{:?}", session.tagged(&resolved, &tag));
    };
    let texts: Vec<_> = all.iter().map(|one| one.text[0].clone()).collect();
    assert_eq!(texts, [second.trim_end(), first.trim_end()]);
}
