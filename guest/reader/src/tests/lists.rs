//! Lists of paths: `a.rs:10-20; b.rs`.

use super::*;
use crate::dialects::ListReply;
use crate::path::list::join;
use std::fmt::Write as _;

fn text(reply: &Reply) -> String {
    let texts = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => text.as_str(),
        Block::Image(_) | Block::Attachment(_) => "<image>",
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn list(reply: &Reply) -> &ListReply {
    reply.list.as_ref().expect("not a list")
}

fn numbered(lines: usize) -> Vec<u8> {
    let mut text = String::new();
    for line in 1..=lines {
        writeln!(text, "line {line}").unwrap();
    }
    text.into_bytes()
}

fn files() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", b"fn a() {}\nfn b() {}\n");
    world.file("b.txt", b"one\ntwo\nthree\n");
    world.file("long.txt", numbered(1000));
    world.file("x;y.txt", b"semicolon\n");
    world.file("sub/deep.txt", b"deep\n");
    world
}

#[test]
fn list_is_one_reply_with_a_header_for_each_path() {
    let mut world = files();
    let reply = reply(&mut world, "a.rs;b.txt:2:raw; sub", &exact());
    let (a, rest) = text(&reply)
        .split_once("\n\n")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    assert!(a.starts_with("[a.rs#"), "{a}");
    assert!(a.ends_with("]\n1:fn a() {}\n2:fn b() {}"), "{a}");
    assert!(rest.starts_with("[b.txt:2:raw]\ntwo\nthree\n"), "{rest}");
    assert!(rest.contains("[sub]\n.\n  - deep.txt"), "{rest}");
    assert_eq!(list(&reply).parts.len(), 3);
    assert_eq!(reply.next(), None);
    let data: serde_json::Value = serde_json::from_str(&reply.structured).unwrap();
    assert_eq!(data["parts"][1]["path"], "b.txt:2:raw");
    assert_eq!(data["parts"][2]["details"]["isDirectory"], true);
}

#[test]
fn part_that_fails_keeps_its_place() {
    let mut world = files();
    let reply = reply(&mut world, "a.rs:1-1;none.txt;b.txt:0;b.txt:3", &exact());
    let text = text(&reply);
    assert!(text.contains("\n\n[none.txt]\n"), "{text}");
    assert!(text.contains("none.txt' not found"), "{text}");
    assert!(
        text.contains("[b.txt:0]\nLine selector 0 is invalid"),
        "{text}"
    );
    assert!(text.contains("3:three"), "{text}");
    let failed: Vec<bool> = list(&reply)
        .parts
        .iter()
        .map(|part| part.outcome.is_err())
        .collect();
    assert_eq!(failed, [false, true, true, false]);
    let data: serde_json::Value = serde_json::from_str(&reply.structured).unwrap();
    assert!(
        data["parts"][1]["error"]
            .as_str()
            .unwrap()
            .contains("not found")
    );
}

#[test]
fn small_budget_has_room_for_several_short_files() {
    let mut world = files();
    let options = Options {
        tokens: 100,
        ..exact()
    };
    let short = reply(&mut world, "b.txt:1-1;b.txt:2-2;b.txt:3-3", &options);
    assert_eq!(list(&short).parts.len(), 3, "{}", text(&short));
    // Neither failures nor the rest of a long list exceed the budget by much.
    let failing = vec!["none.txt"; 200].join(";") + ";b.txt";
    let mut next = Some(format!("b.txt:1-1;{failing}"));
    let mut last = String::new();
    while let Some(path) = next {
        let Ok(reply) = Dialect::Omp.read(&path, &options, &mut world) else {
            panic!("{path}")
        };
        let shown = text(&reply);
        assert!(omniread_tokens::estimate(&shown) < 400, "{shown}");
        last = shown;
        next = reply.next();
        if next
            .as_ref()
            .is_some_and(|next| next.starts_with("none.txt"))
        {
            break;
        }
    }
    assert!(
        last.contains("Use the paths from none.txt on to continue"),
        "{last}"
    );
}

#[test]
fn list_fails_only_if_all_paths_fail() {
    let mut world = files();
    let refused = Dialect::Omp
        .read("none;nil", &exact(), &mut world)
        .unwrap_err();
    assert!(matches!(refused.failure.reason, Reason::NotFound(_)));
    assert!(refused.text.starts_with("[none]\n"), "{}", refused.text);
    assert!(refused.text.contains("\n\n[nil]\n"), "{}", refused.text);
}

#[test]
fn name_with_a_semicolon_is_one_path() {
    let mut world = files();
    for path in ["x;y.txt", "x\\;y.txt", "x;y.txt:1"] {
        let reply = reply(&mut world, path, &exact());
        assert_eq!(reply.list, None, "{path}");
        assert!(text(&reply).contains("1:semicolon"), "{path}");
    }
    for path in ["a.rs;x;y.txt", "x;y.txt;a.rs", "x\\;y.txt; a.rs:1"] {
        let reply = reply(&mut world, path, &exact());
        assert_eq!(list(&reply).parts.len(), 2, "{path}");
        assert!(text(&reply).contains("1:semicolon"), "{path}");
        assert!(text(&reply).contains("1:fn a"), "{path}");
    }
}

#[test]
fn list_of_one_path_is_that_path() {
    let mut world = files();
    let alone = reply(&mut world, "b.txt", &exact());
    for path in ["b.txt;", ";b.txt", " ; b.txt; ;"] {
        assert_eq!(reply(&mut world, path, &exact()), alone, "{path}");
    }
}

#[test]
fn other_dialects_take_one_path() {
    let mut world = files();
    for dialect in Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::Omp)
    {
        let path = "/ws/a.rs;/ws/b.txt";
        assert!(
            dialect.read(path, &exact(), &mut world).is_err(),
            "{dialect:?}"
        );
    }
}

#[test]
fn call_reads_the_list_as_the_command_line_does() {
    let mut world = files();
    let read = reply(&mut world, "a.rs;b.txt:2", &exact());
    let called = Dialect::Omp.call(r#"{"path":"a.rs;b.txt:2"}"#, &exact(), &mut world);
    assert_eq!(called.unwrap().blocks, read.blocks);
}

#[test]
fn full_page_names_the_list_that_continues() {
    let mut world = files();
    let first = reply(&mut world, "b.txt;long.txt;a.rs;b.txt:1-2", &exact());
    let next = first.next().unwrap();
    assert_eq!(next, "long.txt:298; a.rs; b.txt:1-2");
    let shown = text(&first);
    let notice =
        "[2 of 4 paths not read: the page is full. Use long.txt:298; a.rs; b.txt:1-2 to continue]";
    assert!(shown.ends_with(notice), "{shown}");
    assert!(shown.contains("Use :298 to continue]"), "{shown}");
}

#[test]
fn list_over_the_limit_names_the_rest() {
    let mut world = files();
    let paths = vec!["b.txt:1"; limits::LIST_PATHS + 3];
    let reply = reply(&mut world, &paths.join(";"), &exact());
    assert_eq!(list(&reply).parts.len(), limits::LIST_PATHS);
    assert_eq!(reply.next().unwrap(), "b.txt:1; b.txt:1; b.txt:1");
    assert!(text(&reply).contains("[3 of 23 paths not read: one reply reads 20 paths."));
}

#[test]
fn call_follows_a_list_that_is_longer_than_a_path() {
    let mut world = MemoryWorld::new("/ws");
    let names: Vec<String> = (0..50)
        .map(|number| format!("{}{number}", "n".repeat(150)))
        .collect();
    for name in &names {
        world.file(name, "x\n");
    }
    let mut next = Some(join(&names));
    let mut read = 0;
    while let Some(path) = next {
        let arguments = serde_json::json!({ "path": path }).to_string();
        let reply = Dialect::Omp.call(&arguments, &exact(), &mut world).unwrap();
        read += list(&reply).parts.len();
        next = reply.next();
    }
    assert_eq!(read, names.len());
    let long = serde_json::json!({ "path": "x".repeat(5000) }).to_string();
    assert!(Dialect::Omp.call(&long, &exact(), &mut world).is_err());
}

#[test]
fn query_with_a_semicolon_is_one_path() {
    let mut world = files();
    let refused = Dialect::Omp.read(
        "a.rs?q=SELECT 1; DELETE FROM a; b.txt",
        &exact(),
        &mut world,
    );
    let refused = refused.unwrap_err();
    assert!(!refused.text.contains("[b.txt]"), "{}", refused.text);
}

#[test]
fn repeat_option_applies_to_each_path() {
    let mut world = files();
    let options = Options {
        repeat: true,
        ..exact()
    };
    let first = reply(&mut world, "a.rs;b.txt", &options);
    assert!(
        list(&first)
            .parts
            .iter()
            .all(|part| part.outcome.as_ref().unwrap().repeats.is_none())
    );
}

/// The lines of each file that the replies of a chain show, without headers and notices.
fn shown_lines(pages: &[Reply]) -> BTreeMap<String, Vec<Reply>> {
    let mut files: BTreeMap<String, Vec<Reply>> = BTreeMap::new();
    for page in pages {
        let parts = match &page.list {
            Some(list) => list
                .parts
                .iter()
                .map(|part| part.outcome.clone().unwrap())
                .collect(),
            None => vec![page.clone()],
        };
        for part in parts {
            files
                .entry(part.answer.subject.name())
                .or_default()
                .push(part);
        }
    }
    files
}

fn list_chain(world: &mut MemoryWorld, path: &str, options: &Options) -> Vec<Reply> {
    let mut pages: Vec<Reply> = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let page = reply(world, &path, options);
        next = page.next();
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

/// Reads the files of these contents as a list, follows its pages, and checks that they show every line once.
fn assert_shown(contents: &[Vec<u8>], options: &Options) {
    let mut world = MemoryWorld::new("/ws");
    let names = ["f", "g;h", "i j", "k#1", "l"];
    let names = names.get(..contents.len()).unwrap();
    for (name, content) in names.iter().zip(contents) {
        world.file(name, content.as_slice());
    }
    let pages = list_chain(&mut world, &join(names), options);
    let files = shown_lines(&pages);
    assert_eq!(files.len(), names.len());
    for (name, parts) in &files {
        let is_text = |part: &Reply| matches!(part.answer.body, Body::Text(_));
        if !parts.iter().all(is_text) {
            continue;
        }
        let total = parts
            .iter()
            .find_map(|part| match part.answer.page().unwrap().total {
                Total::Exact(total) => Some(i64::try_from(total).unwrap()),
                Total::AtLeast(_) => None,
            });
        let whole: Vec<i64> = (1..=total.unwrap()).collect();
        assert_eq!(shown_once(parts), whole, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn chain_of_a_list_shows_every_line_once(
        contents in prop::collection::vec(super::tokens::lines(), 1..6),
        limit in 1u32..60,
        reply_bytes in prop_oneof![Just(8u32 << 20), 4096u32..8000],
    ) {
        assert_shown(&contents, &Options { limit, reply_bytes, outlines: false, ..exact() });
    }

    #[test]
    fn chain_of_a_list_within_a_budget_shows_every_line_once(
        contents in prop::collection::vec(super::tokens::lines(), 1..6),
        tokens in 400u32..1500,
    ) {
        assert_shown(&contents, &Options { tokens, outlines: false, ..exact() });
    }
}
