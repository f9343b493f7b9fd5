//! Tests of the list of the declarations that a page does not show.

use super::{chain, exact, raw, reply, shown_once};
use crate::answer::{Body, Text, Unshown};
use crate::dialects::{Block, Dialect, Reply};
use crate::world::memory::{MemoryDocument, MemoryWorld};
use omniread_document as document;
use omniread_options::Options;
use omniread_outline::symbol::Place;
use omniread_outline::symbols;
use proptest::prelude::*;
use std::fmt::Write as _;

fn world(name: &str, content: &str) -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file(name, content.as_bytes());
    world
}

/// A source of types with functions of ten lines.
fn source(types: usize, functions: usize) -> String {
    let mut source = String::new();
    for t in 0..types {
        let _ = writeln!(
            source,
            "/// The type {t}.\npub struct T{t};\n\nimpl T{t} {{"
        );
        for f in 0..functions {
            let _ = writeln!(
                source,
                "    /// Adds {f}.\n    pub fn f{f}(&self, x: u64) -> u64 {{"
            );
            for n in 0..7 {
                let _ = writeln!(
                    source,
                    "        let x = x.wrapping_add({n}); // a line of code"
                );
            }
            let _ = writeln!(source, "        x\n    }}\n");
        }
        let _ = writeln!(source, "}}\n");
    }
    source
}

fn body(reply: &Reply) -> &Text {
    let Body::Text(text) = &reply.answer.body else {
        panic!("not text")
    };
    text
}

fn unshown(reply: &Reply) -> Option<&Unshown> {
    body(reply).unshown.as_deref()
}

fn shown(reply: &Reply) -> String {
    let texts = reply.blocks.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
        Block::Image(_) | Block::Attachment(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn with(rest: u32) -> Options {
    Options {
        rest: Some(rest),
        ..exact()
    }
}

/// The lines of the list in a reply, and the lines after it.
fn list(reply: &str) -> (Vec<&str>, Vec<&str>) {
    let lines: Vec<&str> = reply.lines().collect();
    let Some(start) = lines.iter().position(|line| line.starts_with("Not shown")) else {
        return (Vec::new(), Vec::new());
    };
    let is_entry = |line: &&&str| line.starts_with(':') || line.starts_with('…');
    let count = lines[start + 1..].iter().take_while(is_entry).count();
    let end = start + 1 + count;
    assert!(
        lines[start - 1].is_empty(),
        "a blank line is before the list"
    );
    (lines[start..end].to_vec(), lines[end..].to_vec())
}

#[test]
fn page_of_a_source_lists_what_it_does_not_show() {
    let mut world = world("a.rs", &source(4, 12));
    let reply = reply(&mut world, "a.rs:101-250", &with(8));
    let text = shown(&reply);
    let (list, after) = list(&text);
    assert_eq!(
        list,
        [
            "Not shown (append one to `a.rs`):",
            ":1-2 pub struct T0;",
            ":4-149 impl T0",
            ":65-75   pub fn f5(&self, x: u64) -> u64",
            ":77-87   pub fn f6(&self, x: u64) -> u64",
            ":89-99   pub fn f7(&self, x: u64) -> u64",
            ":251-261   pub fn f8(&self, x: u64) -> u64",
            ":263-273   pub fn f9(&self, x: u64) -> u64",
            ":275-285   pub fn f10(&self, x: u64) -> u64",
            ":301-302 pub struct T2;",
            ":304-449 impl T2",
            ":451-452 pub struct T3;",
            ":454-599 impl T3",
            "… and 30 more declarations; `a.rs` lists them",
        ],
        "{text}"
    );
    assert!(after.is_empty());
}

#[test]
fn list_is_before_the_notice_that_continues() {
    let mut world = world("a.rs", &source(4, 12));
    let reply = reply(&mut world, "a.rs:1", &Options::default());
    let text = shown(&reply);
    let (list, after) = list(&text);
    assert!(list.len() > 10, "{text}");
    assert_eq!(
        after,
        ["", "[Showing lines 1-300 of 600. Use :301 to continue]"]
    );
    let details: serde_json::Value = serde_json::from_str(&reply.structured).unwrap();
    let unshown = unshown(&reply).unwrap();
    assert_eq!(details["rest"]["listed"], unshown.entries.len());
    assert_eq!(details["rest"]["more"], unshown.more);
}

/// A reply without the list, and the list with the line endings before it.
fn split(reply: &str) -> (String, String) {
    let (list, _) = list(reply);
    let list = format!("\n\n{}", list.join("\n"));
    (reply.replacen(&list, "", 1), list)
}

#[test]
fn list_has_the_share_of_the_page_and_nothing_else_changes() {
    let mut world = world("a.rs", &source(9, 12));
    for path in [
        "a.rs:1",
        "a.rs:301",
        "a.rs:100-400",
        "a.rs:20-200,700-900",
        "a.rs:-250",
        "a.rs:50-60",
    ] {
        let without = shown(&reply(&mut world, path, &with(0)));
        assert!(!without.contains("Not shown"), "{path}");
        for rest in [1, 3, 10, 40, 100] {
            let reply = reply(&mut world, path, &with(rest));
            let text = shown(&reply);
            if unshown(&reply).is_none() {
                assert_eq!(text, without, "{path} {rest}");
                continue;
            }
            let (others, list) = split(&text);
            let page = others.rsplit_once("\n\n").unwrap_or((&others, "")).0;
            assert!(
                list.len() * 100 <= page.len() * rest as usize,
                "{path} {rest}: {list}"
            );
            assert_eq!(others, without, "{path} {rest}");
        }
    }
    // Half a kilobyte has no room.
    assert!(unshown(&reply(&mut world, "a.rs:50-60", &with(10))).is_none());
}

/// Python with nested classes and functions.
fn nested() -> impl Strategy<Value = String> {
    prop::collection::vec((0usize..4, 0usize..6, any::<bool>()), 40..160).prop_map(|parts| {
        let mut source = String::new();
        let mut depth = 0;
        for (n, (indent, lines, is_class)) in parts.into_iter().enumerate() {
            depth = indent.min(depth + 1);
            let space = "    ".repeat(depth);
            let word = if is_class { "class" } else { "def" };
            let _ = writeln!(source, "{space}{word} name{n}(x):");
            for line in 0..=lines {
                let _ = writeln!(source, "{space}    value = {line} + 10 * {n}");
            }
        }
        source
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn declarations_outside_a_page_are_listed_or_counted(
        source in nested(),
        first in 1usize..300,
        count in 1usize..200,
        rest in 1u32..100,
        form in 0usize..5,
    ) {
        let path = match form {
            0 => format!("a.py:{first}-{}", first + count),
            1 => format!("a.py:{first}"),
            2 => format!("a.py:-{count}"),
            3 => format!("a.py:{first}-{},{}-", first + count, first + count + 20),
            _ => format!("a.py:1-{count}"),
        };
        let mut world = world("a.py", &source);
        let reply = reply(&mut world, &path, &with(rest));
        let Some(unshown) = unshown(&reply) else { return Ok(()) };
        let lines: Vec<i64> = reply.answer.page().unwrap().lines.iter().map(|line| line.number).collect();
        let (places, word) = symbols::places(&source, "a.py").unwrap();
        prop_assert_eq!(word, "declaration");
        let range = |place: &Place| format!("{}-{}", place.first, place.last);
        let outside: Vec<&Place> = places
            .iter()
            .filter(|place| !lines.contains(&i64::from(place.sign)))
            .collect();
        let ranges: Vec<String> = outside.iter().map(|place| range(place)).collect();
        for entry in &unshown.entries {
            prop_assert!(ranges.contains(&entry.selector), "{}", entry.selector);
        }
        prop_assert_eq!(unshown.entries.len() as u64 + unshown.more, outside.len() as u64);
        // The outer ones come first.
        let rank = |place: &Place| (place.local, place.depth);
        let is_listed = |place: &&&Place| unshown.entries.iter().any(|one| one.selector == range(place));
        let deepest = outside.iter().filter(is_listed).map(|place| rank(place)).max();
        let is_complete = outside.iter().filter(|place| Some(rank(place)) < deepest).all(|place| is_listed(&place));
        prop_assert!(is_complete);
    }
}

#[test]
fn every_selector_in_the_list_reads_its_declaration() {
    let mut world = world("a.rs", &source(6, 12));
    let page = reply(&mut world, "a.rs:150-500", &with(60));
    let (text, unshown) = (shown(&page), unshown(&page).unwrap());
    assert!(unshown.entries.len() > 20, "{text}");
    for entry in &unshown.entries {
        let read = reply(&mut world, &format!("a.rs:{}", entry.selector), &exact());
        let text = shown(&read);
        assert!(text.contains(&entry.head), "{}: {text}", entry.selector);
    }
    let all = unshown.all.as_deref().unwrap();
    let outline = reply(&mut world, all, &Options::default());
    assert!(body(&outline).outline.is_some());
}

#[test]
fn following_next_still_shows_every_line_once() {
    let content = source(6, 12);
    let mut world = world("a.rs", &content);
    for (limit, tokens) in [(70, 0), (300, 0), (300, 700)] {
        let options = Options {
            limit,
            tokens,
            ..with(50)
        };
        let pages = chain(&mut world, "a.rs:1", &options);
        assert!(pages.iter().any(|page| unshown(page).is_some()), "{limit}");
        assert_eq!(shown_once(&pages).len(), content.lines().count());
    }
    assert_eq!(raw(&mut world, "a.rs:raw"), content);
}

#[test]
fn list_is_inside_the_budget_of_tokens() {
    let mut world = world("a.rs", &source(6, 12));
    for tokens in [100, 300, 1000, 3000, 10_000] {
        for path in ["a.rs:1", "a.rs:100-140", "a.rs:200-500"] {
            let options = Options {
                tokens,
                ..with(100)
            };
            let text = shown(&reply(&mut world, path, &options));
            let (list, _) = list(&text);
            let body: String = text
                .lines()
                .filter(|line| line.starts_with(char::is_numeric))
                .collect::<Vec<_>>()
                .join("\n");
            let cost =
                omniread_tokens::estimate(&body) + omniread_tokens::estimate(&list.join("\n"));
            assert!(cost <= u64::from(tokens), "{path} {tokens}: {cost}");
        }
    }
    let options = Options {
        tokens: 10_000,
        ..with(10)
    };
    assert!(unshown(&reply(&mut world, "a.rs:100-300", &options)).is_some());
}

#[test]
fn limits_of_the_reply_leave_no_room() {
    let mut world = world("a.rs", &source(40, 12));
    let options = Options {
        reply_bytes: 4096,
        ..with(50)
    };
    let page = reply(&mut world, "a.rs:1", &options);
    assert!(page.answer.page().unwrap().limit.is_some());
    assert!(unshown(&page).is_none());
    let short = reply(&mut world, "a.rs:1-60", &options);
    let text = shown(&short);
    assert!(
        unshown(&short).is_some() && text.len() < 4096 + 200,
        "{}",
        text.len()
    );
}

#[test]
fn texts_without_declarations_have_no_list() {
    let log: String = (0..900).fold(String::new(), |mut log, n| {
        let _ = writeln!(log, "2024-01-02 03:04:05 INFO request {n} took 7ms");
        log
    });
    let rows: String = (0..900).fold("a,b\n".to_owned(), |mut rows, n| {
        let _ = writeln!(rows, "{n},value {n}");
        rows
    });
    let minified = format!("{}\n", "function a(){return 1};".repeat(2000));
    for (name, content, path) in [
        ("a.log", log.as_str(), "a.log:301"),
        ("a.csv", &rows, "a.csv:301"),
        ("a.min.js", &minified, "a.min.js"),
        ("a.rs", &source(4, 12), "a.rs:raw"),
        ("a.rs", &source(4, 12), "a.rs:100-300:raw"),
        ("a.rs", &source(4, 12), "a.rs:sym:T1"),
        ("a.rs", &source(4, 12), "a.rs:170:block+1"),
        // The outline is the list.
        ("a.rs", &source(4, 12), "a.rs"),
    ] {
        let mut world = world(name, content);
        let reply = reply(&mut world, path, &with(100));
        assert!(unshown(&reply).is_none(), "{path}: {}", shown(&reply));
    }
}

#[test]
fn headings_and_keys_are_listed() {
    let mut prose = String::new();
    for n in 0..60 {
        let _ = writeln!(
            prose,
            "# Chapter {n}\n\n{}\n## Part\n\nmore\n",
            "A sentence of a text.\n".repeat(10)
        );
    }
    let mut world = world("a.md", &prose);
    let reply = super::reply(&mut world, "a.md:301", &exact());
    let text = shown(&reply);
    assert!(
        text.contains(" # Chapter 17\n"),
        "{}",
        list(&text).0.join("\n")
    );
    let keys: Vec<String> = (0..80).map(|n| format!("  \"key{n}\": {{\n    \"a\": [\n      {n}\n    ],\n    \"b\": \"a value of some length\"\n  }}")).collect();
    let json = format!("{{\n{}\n}}\n", keys.join(",\n"));
    let mut world = self::world("a.json", &json);
    let reply = super::reply(&mut world, "a.json:301", &exact());
    let text = shown(&reply);
    assert!(
        text.contains("more keys; `a.json` lists them") && text.contains("\"key"),
        "{text}"
    );
}

#[test]
fn other_dialects_list_it_by_option() {
    let mut world = world("a.rs", &source(4, 12));
    for (dialect, call) in [
        (Dialect::Claude, r#"{"file_path": "a.rs", "limit": 200}"#),
        (
            Dialect::Gateway,
            r#"{"filePath": "/ws/a.rs", "limit": 200}"#,
        ),
        (
            Dialect::Gemini,
            r#"{"absolute_path": "/ws/a.rs", "offset": 0, "limit": 200}"#,
        ),
        (
            Dialect::Comma,
            r#"{"path": "a.rs", "startLine": 1, "endLine": 200}"#,
        ),
    ] {
        let off = dialect
            .call(call, &Options::default(), &mut world)
            .ok()
            .unwrap();
        assert!(!shown(&off).contains("Not shown"));
        let on = dialect.call(call, &with(10), &mut world).ok().unwrap();
        // The text of this dialect is exact.
        let expected = dialect != Dialect::Comma;
        assert_eq!(
            shown(&on).contains("Not shown (append one to `a.rs`)")
                || shown(&on).contains("Not shown (append one to `/ws/a.rs`)"),
            expected,
            "{}",
            shown(&on)
        );
        if expected {
            assert!(
                shown(&on).contains("more declarations\n")
                    || shown(&on).contains("more declarations\\n"),
                "{}",
                shown(&on)
            );
        }
    }
}

/// A document of twenty units with names, and with an outline.
fn document(kind: document::UnitKind, file: &str, bytes: &[u8]) -> MemoryWorld {
    let unit = |number: usize| document::Unit {
        text: format!("{}end of {number}", "A sentence of a text.\n\n".repeat(20)),
        notes: Vec::new(),
        edges: [0, 0],
    };
    let named = |number: usize| document::UnitFacts {
        name: format!("Title {number}"),
        hidden: false,
    };
    let heading = |number: usize| document::Outline {
        level: if number % 4 == 1 { 1 } else { 2 },
        title: format!("Heading {number}"),
        unit: Some(number - 1),
    };
    let mut world = MemoryWorld::new("/ws");
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            format: "Document".to_owned(),
            units: Some(kind),
            list: (1..=20).map(named).collect(),
            ..document::Facts::default()
        },
        outline: (1..=20).map(heading).collect(),
        units: (1..=20).map(|number| Ok(unit(number))).collect(),
        ..MemoryDocument::default()
    }));
    world.file(file, bytes.to_vec());
    world
}

#[test]
fn units_of_documents_are_listed() {
    let ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0";
    let mut slides = document(document::UnitKind::Slide, "a.pptx", ole);
    let page = shown(&reply(&mut slides, "a.pptx:slide:9-14", &exact()));
    let (entries, _) = list(&page);
    assert_eq!(entries[0], "Not shown (append one to `a.pptx`):", "{page}");
    for entry in [":slide:8 Title 8", ":slide:15 Title 15"] {
        assert!(entries.contains(&entry), "{entry}: {entries:?}");
    }
    assert!(!page.contains(":slide:9 Title 9\n") && !page.contains(":slide:14 Title 14\n"));
    let named = entries.iter().filter(|line| line.starts_with(':')).count();
    let more = entries.last().unwrap();
    assert_eq!(
        *more,
        format!("… and {} more slides; `a.pptx` lists them", 14 - named),
        "{page}"
    );
    // The end of the document is that of its last unit.
    let last = shown(&reply(&mut slides, "a.pptx:slide:19-", &exact()));
    assert!(
        last.contains("\n[end of file: slide:20 is the last]"),
        "{last}"
    );

    let mut pages = document(document::UnitKind::Page, "a.pdf", b"%PDF-1.7\n");
    let page = shown(&reply(&mut pages, "a.pdf:page:9-14", &exact()));
    let (entries, _) = list(&page);
    // The outer headings come first.
    for entry in [
        ":page:1 Heading 1",
        ":page:5 Heading 5",
        ":page:17 Heading 17",
        ":page:8   Heading 8",
    ] {
        assert!(entries.contains(&entry), "{entry}: {entries:?}");
    }
    // The contents of the first page are the list.
    let first = reply(&mut pages, "a.pdf", &exact());
    assert!(unshown(&first).is_none() && body(&first).contents.is_some());
    let next = first.answer.next().unwrap();
    assert!(
        unshown(&reply(&mut pages, &next, &exact())).is_some(),
        "{next}"
    );
    let all = chain(&mut pages, "a.pdf", &with(100));
    let count: usize = all
        .iter()
        .map(|page| page.answer.page().unwrap().text.matches("end of ").count())
        .sum();
    assert_eq!(count, 20);
}

#[test]
fn headings_of_converted_pages_are_listed() {
    let mut html = "<html><body><main>".to_owned();
    for n in 0..80 {
        let _ = write!(html, "<h2>Chapter {n}</h2>");
        for _ in 0..4 {
            html.push_str("<p>A sentence of a text that is long enough.</p>");
        }
    }
    let mut world = world("a.html", &(html + "</main></body></html>"));
    let text = shown(&reply(&mut world, "a.html::301", &exact()));
    let (list, _) = list(&text);
    assert_eq!(list[0], "Not shown (append one to `a.html`):", "{text}");
    let entry = list[1];
    assert!(
        entry.starts_with("::") && entry.contains("Chapter"),
        "{entry}"
    );
    let selector = entry.split(' ').next().unwrap();
    let section = shown(&reply(&mut world, &format!("a.html{selector}"), &exact()));
    assert!(section.contains("## Chapter"), "{section}");
}
