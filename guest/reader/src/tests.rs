//! Tests of the invariant of every text: the pages of the `next` paths show the whole text,
//! each part once.

mod agents;
mod archives;
mod conflicts;
mod ends;
mod hints;
mod images;
mod line_marks;
mod lists;
mod logs;
mod mounts;
mod names;
mod onward;
mod paths;
mod remote;
mod rest;
mod symbols;
mod table_parts;
mod tables;
mod tokens;
mod urls;
mod web;

use crate::answer::Body;
use crate::dialects::{Block, Dialect, Reply};
use crate::failure::Reason;
use crate::limits;
use crate::path::{Lines, Selector, escape};
use crate::window::Total;
use crate::world::memory::MemoryWorld;
use encoding_rs::Encoding;
use omniread_options::Options;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn exact() -> Options {
    Options {
        margin: false,
        ..Options::default()
    }
}

fn world(content: &[u8]) -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file("f", content);
    world
}

fn reply(world: &mut MemoryWorld, path: &str, options: &Options) -> Reply {
    Dialect::Omp
        .read(path, options, world)
        .unwrap_or_else(|refused| panic!("{path}: {}", refused.text))
}

/// Reads the page of a path and all pages that continue it.
fn chain(world: &mut MemoryWorld, path: &str, options: &Options) -> Vec<Reply> {
    let mut pages = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let page = reply(world, &path, options);
        next = page.answer.next();
        assert_ne!(
            next.as_deref(),
            Some(path.as_str()),
            "a page leads to itself"
        );
        pages.push(page);
        assert!(pages.len() < 5000, "the chain does not end");
    }
    pages
}

fn raw(world: &mut MemoryWorld, path: &str) -> String {
    let pages = chain(world, path, &exact());
    pages
        .iter()
        .map(|page| page.answer.page().unwrap().text.as_str())
        .collect()
}

/// Decodes the content of a file in one call of a library, in the encoding that the reply reports.
fn decoded(content: &[u8], reply: &Reply) -> String {
    let Body::Text(text) = &reply.answer.body else {
        panic!("not text")
    };
    match text.encoding.charset.name().as_str() {
        "utf-8" => String::from_utf8_lossy(content).into_owned(),
        name @ ("utf-32le" | "utf-32be") => content
            .chunks(4)
            .map(|unit| {
                let unit: [u8; 4] = match unit.try_into() {
                    Ok(unit) => unit,
                    Err(_) => return '\u{fffd}',
                };
                let code = if name.ends_with("be") {
                    u32::from_be_bytes(unit)
                } else {
                    u32::from_le_bytes(unit)
                };
                char::from_u32(code).unwrap_or('\u{fffd}')
            })
            .collect(),
        "cp437" => content
            .iter()
            .map(|byte| crate::cp437::decode(*byte))
            .collect(),
        name => {
            let encoding = Encoding::for_label(name.as_bytes()).unwrap();
            encoding.decode_without_bom_handling(content).0.into_owned()
        }
    }
}

/// The numbers of the lines that these pages show. Asserts that the pages together show each of the
/// lines completely, and no part of it twice.
fn shown_once(pages: &[Reply]) -> Vec<i64> {
    let mut next = BTreeMap::new();
    for page in pages {
        for line in &page.answer.page().unwrap().lines {
            let column = next.insert(line.number, line.cut);
            let column = column.unwrap_or(Some(1));
            assert_eq!(column, Some(line.column), "line {}", line.number);
        }
    }
    for (line, column) in &next {
        assert_eq!(*column, None, "line {line} is not shown to its end");
    }
    next.into_keys().collect()
}

/// Generates files with lines of every relevant length and with every line ending. The bytes need
/// not be valid text.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => prop::collection::vec(0x20u8..0x7f, 0..60),
        2 => prop::collection::vec(prop_oneof![Just(0xc3u8), Just(0xa9), Just(0xe4), Just(0xff), 0x20u8..0x7f, any::<u8>()], 0..40),
        1 => (1990usize..2010).prop_map(|n| vec![b'x'; n]),
        1 => (1usize..8).prop_map(|n| "añ😀\u{202e}".repeat(n * 2000).into_bytes()),
    ];
    let ending = prop_oneof![6 => Just(&b"\n"[..]), 1 => Just(&b"\r\n"[..]), 1 => Just(&b"\r"[..]), 1 => Just(&b"\r\r\n"[..])];
    (
        prop::collection::vec((line, ending), 0..40),
        any::<bool>(),
        0usize..4,
    )
        .prop_map(|(lines, ends, repeat)| {
            let mut content = Vec::new();
            for _ in 0..=repeat {
                for (line, ending) in &lines {
                    content.extend_from_slice(line);
                    content.extend_from_slice(ending);
                }
            }
            if !ends {
                content.pop();
            }
            content
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn raw_chain_shows_every_character_once(content in content()) {
        let mut world = world(&content);
        let first = reply(&mut world, "f:raw", &exact());
        prop_assert_eq!(raw(&mut world, "f:raw"), decoded(&content, &first));
    }

    #[test]
    fn random_bytes_are_returned_by_the_raw_chain(content in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut world = world(&content);
        let first = reply(&mut world, "f:raw", &exact());
        prop_assert_eq!(raw(&mut world, "f:raw"), decoded(&content, &first));
    }

    #[test]
    fn default_chain_shows_every_line_once(content in content(), limit in 1u32..50) {
        let mut world = world(&content);
        let options = Options { limit, ..exact() };
        let pages = chain(&mut world, "f", &options);
        if pages.iter().all(|page| matches!(page.answer.body, Body::Text(_))) {
            let Total::Exact(total) = pages[0].answer.page().unwrap().total else { panic!("not counted") };
            let whole: Vec<i64> = (1..=i64::try_from(total).unwrap()).collect();
            prop_assert_eq!(shown_once(&pages), whole);
        }
    }

    #[test]
    fn tail_selector_shows_the_end_of_the_text(content in content(), count in 1usize..60) {
        let mut world = world(&content);
        let first = reply(&mut world, "f:raw", &exact());
        let text = decoded(&content, &first);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let tail: String = lines[lines.len().saturating_sub(count)..].concat();
        prop_assert_eq!(raw(&mut world, &format!("f:-{count}:raw")), tail);
    }

    #[test]
    fn range_selector_shows_exactly_that_range(content in content(), first in 1usize..60, more in 0usize..60) {
        let mut world = world(&content);
        let start = reply(&mut world, "f:raw", &exact());
        let text = decoded(&content, &start);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let range: String = lines.iter().skip(first - 1).take(more + 1).copied().collect();
        prop_assert_eq!(raw(&mut world, &format!("f:{first}-{}:raw", first + more)), range);
    }
}

proptest! {
    // Each case follows three chains of pages.
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn range_chain_shows_every_line_once(content in content(), first in 1u64..60, count in 0u64..60, gap in 2u64..9) {
        let mut world = world(&content);
        let last = first + count;
        for path in [
            format!("f:{first}-{last}"),
            format!("f:{first}-{last},{}-{}", last + gap, last + gap + count),
            format!("f:{first}-{last},{}-", last + gap),
        ] {
            let pages = chain(&mut world, &path, &exact());
            if !pages.iter().all(|page| matches!(page.answer.body, Body::Text(_))) {
                continue;
            }
            let total = pages.iter().find_map(|page| match page.answer.page().unwrap().total {
                Total::Exact(total) => Some(total),
                Total::AtLeast(_) => None,
            });
            let requested = |line: &u64| {
                let second = match path.split(',').nth(1) {
                    Some(range) if range.ends_with('-') => *line >= last + gap,
                    Some(_) => (last + gap..=last + gap + count).contains(line),
                    None => false,
                };
                (first..=last).contains(line) || second
            };
            let shown = shown_once(&pages);
            if let Some(total) = total {
                let whole: Vec<i64> = (1..=total).filter(requested).map(|line| i64::try_from(line).unwrap()).collect();
                prop_assert_eq!(shown, whole, "{}", path);
            }
        }
    }
}

#[test]
fn one_line_of_three_megabytes_is_read_to_its_end() {
    let content: String = (0..3_000_000)
        .map(|n| char::from(b'a' + u8::try_from(n % 26).unwrap()))
        .collect();
    let mut world = world(content.as_bytes());
    assert_eq!(raw(&mut world, "f:raw"), content);
    // The default chain shows the start of a long line, and continues by column.
    let pages = chain(&mut world, "f", &exact());
    assert_eq!(pages[0].answer.next().unwrap(), "f:1@2001");
    let shown: String = pages
        .iter()
        .map(|page| page.answer.page().unwrap().text.as_str())
        .collect();
    assert_eq!(shown, content);
}

/// The requested range `9-` starts after the end of the text. The path that continues in the cut
/// line 2 must therefore not lead to line 3.
#[test]
fn cut_line_at_the_end_of_a_range_is_not_followed_by_others() {
    let long = "x".repeat(5000);
    let mut world = world(format!("one\n{long}\nthree\n").as_bytes());
    let pages = chain(&mut world, "f:1-2,9-", &exact());
    assert_eq!(pages[0].answer.next().unwrap(), "f:2@2001-2");
    assert_eq!(shown_once(&pages), [1, 2]);
}

#[test]
fn continuation_keeps_the_rest_of_the_request() {
    let lines: String = (1..=9000).map(|n| format!("line {n}\n")).collect();
    let mut world = world(lines.as_bytes());
    for (path, next) in [
        ("f", Some("f:301")),
        ("f:301", Some("f:601")),
        ("f:1-5000", Some("f:3001@1-5000")),
        ("f:1-5000:raw", Some("f:3001-5000:raw")),
        ("f:2-4000,6000-6010", Some("f:3002-4000,6000-6010")),
        ("f:2-5,3000-7000", Some("f:5996@1-7000")),
        ("f:2-5,7000-", Some("f:7300")),
        ("f:-5000", Some("f:-2000")),
        ("f:10-20", None),
        ("f:8900", None),
        ("f:12@3", Some("f:13")),
        ("f:12@3-40", None),
    ] {
        assert_eq!(
            reply(&mut world, path, &Options::default())
                .answer
                .next()
                .as_deref(),
            next,
            "{path}"
        );
    }
}

#[test]
fn lines_are_cut_and_continued_by_column() {
    let long = "x".repeat(5000);
    let mut world = world(format!("one\n{long}\nthree\n").as_bytes());
    let page = reply(&mut world, "f", &exact());
    let Block::Text(text) = &page.blocks[0] else {
        panic!()
    };
    assert!(
        text.contains("x…[cut; use :2@2001 for the rest]\n3:three"),
        "{text}"
    );
    assert_eq!(page.answer.next().as_deref(), Some("f:2@2001-2"));
    let rest = reply(&mut world, "f:2@2001", &exact());
    assert_eq!(rest.answer.page().unwrap().text, long[2000..]);
    assert_eq!(rest.answer.next().as_deref(), Some("f:3"));
}

#[test]
fn names_with_colons_are_read_and_continued() {
    let lines = "x\n".repeat(1000);
    for name in ["a:1-2", ":raw", "a:b:3", "c\\:d", "-", "~"] {
        let mut world = MemoryWorld::new("/ws");
        world.file(name, lines.as_bytes());
        let page = reply(&mut world, &escape(name), &exact());
        let next = page.answer.next().unwrap();
        let Some(Lines::One(range)) = page
            .answer
            .page()
            .unwrap()
            .following
            .as_ref()
            .map(|rest| rest.lines.clone())
        else {
            panic!("{name}")
        };
        assert_eq!(range.start.line, 301);
        assert_eq!(
            reply(&mut world, &next, &exact())
                .answer
                .page()
                .unwrap()
                .lines[0]
                .number,
            301,
            "{next}"
        );
    }
}

#[test]
fn existing_file_name_wins_over_a_selector() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a", "1\n2\n3\n").file("a:2", "literal\n");
    assert_eq!(
        reply(&mut world, "a:2", &exact())
            .answer
            .page()
            .unwrap()
            .text,
        "literal"
    );
    assert_eq!(
        reply(&mut world, "a:3", &exact())
            .answer
            .page()
            .unwrap()
            .text,
        "3"
    );
    assert_eq!(
        reply(&mut world, "a:2:1", &exact())
            .answer
            .page()
            .unwrap()
            .text,
        "literal"
    );
}

#[test]
fn home_and_workspace_have_short_names() {
    let mut world = MemoryWorld::new("/ws");
    world.file("home/notes", "mine\n").file("a", "x\n");
    let text = |world: &mut MemoryWorld, path: &str| {
        reply(world, path, &exact())
            .answer
            .page()
            .unwrap()
            .text
            .clone()
    };
    assert_eq!(text(&mut world, "~/notes"), "mine");
    assert_eq!(text(&mut world, "file:///ws/home/notes"), "mine");
    assert_eq!(text(&mut world, "file:/ws/home/notes"), "mine");
    assert_eq!(text(&mut world, "FILE:/ws/home/notes:1"), "mine");
    let listing = text(&mut world, ".");
    assert_eq!(text(&mut world, "/"), listing);
    assert_eq!(text(&mut world, "/ws"), listing);
    assert_eq!(text(&mut world, "/:1"), listing);
    // The other dialects do not repair paths.
    let refused = Dialect::Claude.read("/", &exact(), &mut world).unwrap_err();
    assert_eq!(refused.failure.reason, Reason::OutsideRoots("/".to_owned()));
    let refused = Dialect::Claude
        .read("~/notes", &exact(), &mut world)
        .unwrap_err();
    assert!(matches!(refused.failure.reason, Reason::NotFound(_)));
}

#[test]
fn unsupported_path_is_named_in_the_failure() {
    let mut world = world(b"x\n");
    let refused = Dialect::Omp
        .read("skill://x", &exact(), &mut world)
        .unwrap_err();
    assert_eq!(
        refused.failure.reason,
        Reason::Unsupported("`skill://` URLs".to_owned())
    );
}

#[test]
fn shown_lines_are_reported_to_the_session() {
    let mut world = world(b"hello\nworld\n");
    reply(&mut world, "f:2", &exact());
    let snapshot = world.snapshots.pop().unwrap();
    assert_eq!(
        (snapshot.path.as_str(), snapshot.tag.as_deref()),
        ("/ws/f", Some("3030"))
    );
    let shown = &snapshot.shown[0];
    assert_eq!((snapshot.shown.len(), shown.first, shown.last), (1, 2, 2));
}

#[test]
fn selector_with_line_arguments_is_refused() {
    let mut world = world(b"x\ny\n");
    let call = r#"{"file_path": "f:1-2", "offset": 2}"#;
    let refused = Dialect::Claude
        .call(call, &exact(), &mut world)
        .unwrap_err();
    assert_eq!(
        refused.failure.reason,
        Reason::InvalidArgument("offset".to_owned())
    );
}

#[test]
fn huge_range_is_cut_to_one_page() {
    assert!(Selector::parse("1-99999999").unwrap().is_some());
    let mut world = world("x\n".repeat(10_000).as_bytes());
    let page = reply(&mut world, "f:1-99999999", &exact());
    assert_eq!(
        page.answer.page().unwrap().lines.len() as u64,
        limits::MAX_LINES
    );
}

#[test]
fn world_without_roots_is_named_in_the_failure() {
    let mut world = MemoryWorld::new("/ws");
    world.file("f", "text").without_roots();
    for path in ["f", "/ws/f", "a\\:b", ".", "f:1-2"] {
        let refused = Dialect::Omp.read(path, &exact(), &mut world).unwrap_err();
        assert!(
            matches!(refused.failure.reason, Reason::OutsideRoots(_)),
            "{path}"
        );
        let message = "no directory was granted to this component";
        assert!(refused.text.contains(message), "{}", refused.text);
    }
}
