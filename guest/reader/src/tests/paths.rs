//! Tests of paths: fragments, sections, other spellings, and the hints of failures.

use super::*;
use crate::dialects::{CallInput, RenderedFailure};
use crate::world::DocumentError;
use crate::world::memory::MemoryDocument;
use omniread_document as document;

/// The text of the reply, with its notices.
fn shown(world: &mut MemoryWorld, dialect: Dialect, path: &str) -> String {
    match dialect.read(path, &exact(), world) {
        Ok(reply) => {
            let blocks = reply.blocks.iter().filter_map(|block| match block {
                Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
                Block::Image(_) | Block::Attachment(_) => None,
            });
            blocks.collect::<Vec<_>>().join("\n")
        }
        Err(refused) => panic!("{path}: {}", refused.text),
    }
}

fn omp(world: &mut MemoryWorld, path: &str) -> String {
    shown(world, Dialect::Omp, path)
}

fn refused(world: &mut MemoryWorld, dialect: Dialect, path: &str) -> RenderedFailure {
    match dialect.read(path, &exact(), world) {
        Ok(reply) => panic!("{path}: {:?}", reply.blocks),
        Err(refused) => refused,
    }
}

/// The hint of the failure of a path.
fn hint(world: &mut MemoryWorld, dialect: Dialect, path: &str) -> String {
    let hint = refused(world, dialect, path).failure.hint;
    hint.map_or(String::new(), String::from)
}

/// A text with a section of the lines 3 to 6.
fn markdown() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    let text = "# Use\n\n## Install\n\na\nb\n## Next\nc\n";
    for name in ["r.md", "c:1.md", "d/r.md", "n.zip.md"] {
        world.file(name, text);
    }
    world
}

#[test]
fn lines_after_a_section_are_reported() {
    let mut world = markdown();
    let text = omp(&mut world, "r.md#install:500");
    assert_eq!(
        text,
        "[Line 500 is beyond end of section `#install` (4 lines total). Use :#install:1 to read from the start, or :#install:4 to read the last line.]"
    );
    let text = omp(&mut world, "r.md#install:3,500,600-700");
    assert!(text.contains("\n5:a\n") && !text.contains("6:b"), "{text}");
    for range in ["500-500", "600-700"] {
        let note =
            format!("[Range {range} is beyond end of section `#install` (4 lines total); skipped]");
        assert!(text.contains(&note), "{text}");
    }
    // The paths of the notice read.
    assert!(omp(&mut world, "r.md:#install:4").contains("6:b"));
    for dialect in Dialect::ALL {
        let path = "/ws/r.md:#install:500";
        let (dialect, reply) = (dialect, dialect.read(path, &exact(), &mut world));
        let reply = reply.unwrap_or_else(|refused| panic!("{dialect:?}: {}", refused.text));
        assert_eq!(reply.answer.page().unwrap().lines.len(), 0, "{dialect:?}");
    }
}

#[test]
fn section_of_a_long_text_is_not_denied() {
    let mut world = MemoryWorld::new("/ws");
    world.file("long.md", format!("## Install\n{}", "a\n".repeat(20_001)));
    let refused = refused(&mut world, Dialect::Omp, "long.md#install");
    let message = &*refused.failure.message;
    assert_eq!(
        message,
        "`long.md` is too long to find the section `#install`: headings are searched for in at most 2.0MB and 20000 lines"
    );
}

#[test]
fn fragment_names_a_declaration_or_key() {
    let mut world = MemoryWorld::new("/ws");
    world.file("code.py", "import os\n\ndef hello():\n    pass\n");
    world.file("d.json", "{\n\"users\": [\n1\n]\n}\n");
    for (fragment, selector) in [
        ("code.py#hello", "code.py:hello"),
        ("d.json#users", "d.json:users"),
    ] {
        let by_fragment = hint(&mut world, Dialect::Omp, fragment);
        let by_selector = hint(&mut world, Dialect::Omp, selector);
        assert!(by_fragment.starts_with("read `"), "{by_fragment}");
        assert_eq!(by_fragment, by_selector, "{fragment}");
    }
}

#[test]
fn fragment_follows_a_name_in_escape_form() {
    let mut world = markdown();
    for (path, first, last) in [
        ("c\\:1.md#install", "3:## Install", "6:b"),
        ("c\\:1.md#install:3-3", "5:a", "5:a"),
        ("c\\:1.md#L5-L6", "5:a", "6:b"),
        ("c:1.md#L5-L6", "5:a", "6:b"),
    ] {
        let text = omp(&mut world, path);
        let lines: Vec<&str> = text
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty())
            .collect();
        let lines: Vec<&&str> = lines.iter().filter(|line| !line.starts_with('[')).collect();
        assert_eq!(lines.first(), Some(&&first), "{path}: {text}");
        assert_eq!(lines.last(), Some(&&last), "{path}: {text}");
    }
    // A file with this name takes precedence.
    world.file("c:1.md#install", "other\n");
    assert!(omp(&mut world, "c\\:1.md#install").contains("1:other"));
}

#[test]
fn fragment_after_a_directory_is_not_removed() {
    let mut world = markdown();
    for path in ["d/#L1", "d#L1", "./#L1"] {
        let refused = refused(&mut world, Dialect::Omp, path);
        assert!(
            matches!(refused.failure.reason, Reason::NotFound(_)),
            "{path}"
        );
    }
}

/// A world with an archive in a directory whose name is in the decomposed form of Unicode.
fn decomposed() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file(
        "nf/e\u{301}t\u{e9}.zip",
        web::zip(&[("one.log", b"1\n2\n")]),
    );
    world.file("nf/e\u{301}t\u{e9}.txt", "a\nb\n");
    world
}

#[test]
fn name_in_another_unicode_form_may_have_a_fragment_or_members() {
    let mut world = decomposed();
    for (path, expected) in [
        ("nf/\u{e9}t\u{e9}.txt#L2", "nf/e\u{301}t\u{e9}.txt#L2"),
        ("nf/\u{e9}t\u{e9}.txt:2", "nf/e\u{301}t\u{e9}.txt:2"),
        (
            "nf/\u{e9}t\u{e9}.zip/one.log",
            "nf/e\u{301}t\u{e9}.zip:one.log",
        ),
        (
            "nf/\u{e9}t\u{e9}.zip/one.log:2",
            "nf/e\u{301}t\u{e9}.zip:one.log:2",
        ),
    ] {
        let hint = hint(&mut world, Dialect::Claude, path);
        assert_eq!(hint, format!("use `{expected}`"), "{path}");
        let text = omp(&mut world, path);
        assert!(text.contains('b') || text.contains('2'), "{path}: {text}");
    }
}

#[test]
fn slash_after_a_container_keeps_the_hint_of_the_colon() {
    let mut world = MemoryWorld::new("/ws");
    let members: &[(&str, &[u8])] = &[("one.log", b"1\n"), ("two.log", b"2\n")];
    world.file("a.zip", web::zip(members));
    for (dialect, slash, colon) in [
        (Dialect::Omp, "a.zip/one.lgo", "a.zip:one.lgo"),
        (Dialect::Omp, "a.zip/*.log", "a.zip:*.log"),
        (Dialect::Claude, "/ws/a.zip/one.lgo", "/ws/a.zip:one.lgo"),
        (Dialect::Comma, "a.zip/*.log", "a.zip:*.log"),
    ] {
        let by_slash = refused(&mut world, dialect, slash).failure;
        let by_colon = refused(&mut world, dialect, colon).failure;
        assert!(by_colon.hint.is_some(), "{colon}");
        assert_eq!(by_slash.hint, by_colon.hint, "{slash}");
        assert_eq!(by_slash.reason, by_colon.reason, "{slash}");
        assert!(by_slash.message.contains(slash), "{}", by_slash.message);
    }
}

#[test]
fn similar_members_are_paths_without_escape_sequences() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.zip", web::zip(&[("\u{202e}x.log", b"1\n")]));
    let failure = refused(&mut world, Dialect::Omp, "a.zip:*.log").failure;
    let path = "a.zip:\u{202e}x.log";
    assert_eq!(failure.reason, Reason::NotFound(vec![path.to_owned()]));
    assert!(
        failure
            .hint
            .unwrap()
            .contains("\u{27e8}U+202E\u{27e9}x.log")
    );
    assert!(omp(&mut world, path).contains('1'));
}

#[test]
fn hint_outside_the_roots_grants_the_smallest_directory() {
    let mut world = MemoryWorld::new("/ws");
    let root = |directory: &str| format!("use `--root /ws --root {directory}` to allow it");
    let or = |path: &str, file: &str| format!("{}, or {file} if it is a file", root(path));
    let of_file = |parent: &str| format!("`--root /ws --root {parent}`");
    let stdin =
        |path: &str| format!("a file in `/` is read from standard input: `omniread - < {path}`");
    for (path, how) in [
        ("/tmp/no", or("/tmp/no", &of_file("/tmp"))),
        ("/tmp/no/", root("/tmp/no")),
        ("/tmp/no/..", root("/tmp")),
        ("/tmp/no/a.txt", root("/tmp/no")),
        ("/tmp/no/a.txt:5-9", root("/tmp/no")),
        ("/tmp/no/x.zip", root("/tmp/no")),
        ("/tmp/no/x.zip/d/two.log", root("/tmp/no")),
        ("/tmp/no/x.zip:d/two.log", root("/tmp/no")),
        ("/tmp/no/p.html#a/b", root("/tmp/no")),
        ("/tmp/no/p.html#a", root("/tmp/no")),
        ("/tmp/a.b/c.txt", root("/tmp/a.b")),
        ("/tmp/C#/c.cs", root("'/tmp/C#'")),
        ("/x.txt", stdin("/x.txt")),
        (
            "/.dockerenv",
            or("/.dockerenv", "`omniread - < /.dockerenv`"),
        ),
        ("/etc", or("/etc", "`omniread - < /etc`")),
        ("/", root("/")),
        ("../x.md", stdin("/x.md")),
    ] {
        let hint = hint(&mut world, Dialect::Claude, path);
        assert_eq!(hint, format!("on the command line, {how}"), "{path}");
    }
}

#[test]
fn options_are_not_named_to_a_model() {
    let options = Options::default();
    let time = || Reason::limit("time", 1000);
    let arguments = CallInput::Arguments("{\"path\":\"x\"}");
    for (input, is_named) in [(CallInput::Path("x"), true), (arguments, false)] {
        for dialect in [Dialect::Omp, Dialect::Comma] {
            let failure = dialect.describe_failure(input, time(), &options).failure;
            let hint = String::from(failure.hint.unwrap());
            assert_eq!(hint.contains("`--timeout`"), is_named, "{hint}");
        }
    }
    let mut world = MemoryWorld::new("/ws");
    world.file("x.pdf", b"%PDF-1.7\n".to_vec());
    for (error, option) in [
        (DocumentError::Encrypted, "`--password-file`"),
        (DocumentError::Exhausted("time".to_owned()), "`--timeout`"),
    ] {
        world.document = Some(Err(error));
        let call = "{\"path\":\"x.pdf\"}";
        let called = Dialect::Omp.call(call, &options, &mut world).unwrap();
        assert!(!format!("{:?}", called.blocks).contains("--"), "{called:?}");
        assert!(omp(&mut world, "x.pdf").contains(option));
    }
}

#[test]
fn comma_has_the_hint_of_a_wrong_selector() {
    let mut world = markdown();
    for (path, hint) in [
        (
            "r.md:#nope",
            "it has the sections `#use`, `#install`, `#next`",
        ),
        ("r.md:page:2", "read lines with `r.md:1-50`"),
        (":5", "write `.:5` for the directory"),
    ] {
        let arguments = format!("{{\"path\":\"{path}\"}}");
        let refused = Dialect::Comma.call(&arguments, &exact(), &mut world);
        let text = refused.unwrap_err().text;
        let action = "correct the arguments and call again: ";
        assert!(text.contains(&format!("{action}{hint}")), "{text}");
    }
}

/// A document of slides, which every file contains for the document engine. Each slide has three lines.
pub(super) fn slides() -> MemoryDocument {
    let unit = |number: usize| document::UnitFacts {
        name: format!("Slide {number}"),
        hidden: false,
    };
    let text = |number: usize| {
        Ok(document::Unit {
            text: format!("# {number}\n\ntext"),
            ..document::Unit::default()
        })
    };
    MemoryDocument {
        facts: document::Facts {
            format: "PowerPoint presentation".to_owned(),
            units: Some(document::UnitKind::Slide),
            list: (1..=3).map(unit).collect(),
            ..document::Facts::default()
        },
        units: (1..=3).map(text).collect(),
        ..MemoryDocument::default()
    }
}

fn deck() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.document = Some(Ok(slides()));
    world.file("deck.pptx", DECK);
    world.file("r.md", "# a\n");
    world
}

/// The first bytes of an encrypted document.
pub(super) const DECK: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0\0\0\0\0";

#[test]
fn units_of_another_kind_keep_the_range_and_the_lines() {
    let mut world = deck();
    for (typed, path) in [
        ("deck.pptx:page:1", "deck.pptx:slide:1"),
        ("deck.pptx:page:1-2", "deck.pptx:slide:1-2"),
        ("deck.pptx:page:2-99", "deck.pptx:slide:2-3"),
        ("deck.pptx:page:1:2-3", "deck.pptx:slide:1:2-3"),
        ("deck.pptx:page:2-:raw", "deck.pptx:slide:2-:raw"),
    ] {
        let hint = hint(&mut world, Dialect::Omp, typed);
        assert_eq!(hint, format!("use `{path}`"), "{typed}");
        omp(&mut world, path);
    }
}

#[test]
fn note_on_lines_of_a_document_quotes_the_request() {
    let mut world = deck();
    let options = |lines: Option<&str>| Options {
        lines: lines.map(str::to_owned),
        ..exact()
    };
    let is = "`deck.pptx:slide:2` is slide 2";
    for (path, lines, note) in [
        ("deck.pptx:2", None, format!("`:2` selects lines; {is}")),
        ("deck.pptx::2", None, format!("`::2` selects lines; {is}")),
        ("deck.pptx::L2", None, format!("`::2` selects lines; {is}")),
        (
            "deck.pptx",
            Some("2"),
            format!("the option `lines` selects lines; {is}"),
        ),
    ] {
        let reply = Dialect::Omp
            .read(path, &options(lines), &mut world)
            .unwrap();
        assert_eq!(
            reply.notes.first().map(|note| &**note),
            Some(&*note),
            "{path}"
        );
    }
    let call = "{\"file_path\":\"/ws/deck.pptx\",\"offset\":2}";
    let reply = Dialect::Claude.call(call, &exact(), &mut world).unwrap();
    assert_eq!(reply.notes, []);
}

/// The content of a page of more bytes than are converted.
fn large_page() -> Vec<u8> {
    let mut page = b"<!DOCTYPE html>\n<title>t</title>\n".to_vec();
    let most = usize::try_from(limits::CONVERTED_MARKUP_BYTES).unwrap();
    page.resize(most + 1, b'\n');
    page
}

#[test]
fn notice_of_the_converted_form_does_not_lead_back() {
    let mut world = MemoryWorld::new("/ws");
    let feed = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"t\", \"items\": [";
    let mail = "From: a@example.org\nSubject: x\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\ntext\n";
    let mut large_mail = mail.as_bytes().to_vec();
    large_mail.resize((64 << 20) + 1, b'\n');
    world.file(
        "small.html",
        "<!DOCTYPE html>\n<title>t</title>\n<p>text</p>\n",
    );
    world.file("big.html", large_page());
    world.file("cut.json", feed);
    world.file("feed.json", format!("{feed}]}}\n"));
    world.file("m.eml", mail);
    world.file("big.eml", large_mail);
    for (name, form) in [
        ("small.html", Some("the page as Markdown")),
        ("big.html", None),
        ("feed.json", Some("the feed as Markdown")),
        ("cut.json", None),
        ("m.eml", Some("the mail as text")),
        ("big.eml", None),
    ] {
        let other = |reply: &Reply| match &reply.answer.body {
            Body::Text(text) => text.other_form,
            _ => None,
        };
        assert_eq!(other(&reply(&mut world, name, &exact())), form, "{name}");
        if form != Some("the mail as text") && name != "big.eml" {
            let hint = hint(&mut world, Dialect::Omp, &format!("{name}:nope"));
            assert_eq!(
                hint.contains(&format!("`{name}:`")),
                form.is_some(),
                "{hint}"
            );
            let with_colon = reply(&mut world, &format!("{name}:"), &exact());
            assert_eq!(other(&with_colon), None, "{name}");
        }
    }
}

#[test]
fn backslashes_are_separators_where_the_slashes_exist() {
    let mut world = markdown();
    world.file("d/a.zip", web::zip(&[("one.log", b"1\n")]));
    for (typed, path) in [
        ("d\\r.md", "d/r.md"),
        ("d\\r.md:5-6", "d/r.md:5-6"),
        ("d\\a.zip\\one.log", "d/a.zip:one.log"),
    ] {
        let hint = hint(&mut world, Dialect::Claude, typed);
        assert_eq!(hint, format!("use `{path}`"), "{typed}");
        let text = omp(&mut world, typed);
        assert!(text.contains(path.split(':').next().unwrap()), "{text}");
    }
    world.file("d\\r.md", "backslash\n");
    assert!(omp(&mut world, "d\\r.md").contains("backslash"));
}
