//! Tests of the selectors of merge conflicts, and of the note on them.

mod doubts;
mod urls;

use super::*;

/// Two conflicts, of which the first has a base.
const TEXT: &str = "one\n<<<<<<< HEAD\ntwo main\n||||||| 4a5eef3\ntwo\n=======\ntwo feature\n>>>>>>> feature\nthree\n\
                    <<<<<<< HEAD\n=======\nnew\n>>>>>>> feature\nfour\n";

/// A conflict of Jujutsu with three sides.
const THREE: &str = "<<<<<<< conflict 1 of 1\n%%%%%%% diff from: base\n\\\\\\\\\\\\\\        to: one\n-b\n+one\n\
                     +++++++ two\ntwo\n+++++++ three (no terminating newline)\nthree\n>>>>>>> conflict 1 of 1 ends";

fn text(world: &mut MemoryWorld, path: &str) -> String {
    let reply = reply(world, path, &exact());
    let blocks = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => text.as_str(),
        _ => "",
    });
    blocks.collect::<Vec<_>>().join("\n--\n")
}

fn refused(world: &mut MemoryWorld, path: &str) -> String {
    let refused = Dialect::Omp.read(path, &exact(), world).unwrap_err();
    assert!(matches!(
        refused.failure.reason,
        Reason::InvalidSelector(_) | Reason::Limit { .. }
    ));
    refused.text
}

#[test]
fn selector_of_conflicts_is_normalized() {
    for (text, meaning) in [
        ("conflicts", Some("conflicts")),
        ("Conflicts:5-9", Some("conflicts:5-9")),
        ("conflict:2", Some("conflict:2")),
        ("conflict://2", Some("conflict:2")),
        ("CONFLICT:2:RAW", Some("conflict:2:raw")),
        ("conflict:2/Ours", Some("conflict:2/ours")),
        ("conflict://2/theirs:5-9", Some("conflict:2/theirs:5-9")),
        ("conflict:2/base:raw", Some("conflict:2/base:raw")),
        ("conflict:2/side/3", Some("conflict:2/side/3")),
        ("conflict:2/Base/2", Some("conflict:2/base/2")),
        ("conflict", None),
        ("conflict:", None),
        ("conflict:x", None),
        ("conflict://", None),
        ("conflict:1:5", None),
        ("conflict:1:img", None),
        ("conflictsx", None),
        ("conflicts:x", None),
        ("conflicts/1", None),
    ] {
        let selector = Selector::parse(text).unwrap();
        let printed = selector.map(|selector| selector.to_string());
        assert_eq!(printed.as_deref(), meaning, "{text}");
    }
    for (text, message) in [
        (
            "conflict:0",
            "Conflict selector 0 is invalid; conflicts are 1-indexed.",
        ),
        (
            "conflict:1/x",
            "Conflict selector 1/x is invalid; a conflict has /ours, /theirs and /base.",
        ),
    ] {
        assert_eq!(&*Selector::parse(text).unwrap_err().message, message);
    }
}

#[test]
fn conflicts_of_a_text_are_listed() {
    let mut world = world(TEXT.as_bytes());
    let list = "2 unresolved merge conflicts (append one to `f`):\n\
                :conflict:1 lines 2-8: /ours `HEAD`, /base `4a5eef3`, /theirs `feature`\n\
                :conflict:2 lines 10-13: /ours `HEAD`, /theirs `feature`";
    for path in ["f:conflicts", "f:CONFLICTS"] {
        assert_eq!(text(&mut world, path), list);
    }
    assert_eq!(
        text(&mut world, "f:conflicts:3"),
        list.lines().next_back().unwrap()
    );
    assert_eq!(raw(&mut world, "f:conflicts:raw"), format!("{list}\n"));
    world.file("g", THREE);
    assert_eq!(
        text(&mut world, "g:conflicts"),
        "1 unresolved merge conflict (append one to `g`):\n\
         :conflict:1 lines 1-10 `conflict 1 of 1`: /side/1 `one`, /side/2 `two`, \
         /side/3 `three (no terminating newline)`, /base `base`"
    );
    world.file("none", "x\n").file("empty", "");
    for name in ["none", "empty"] {
        assert_eq!(
            text(&mut world, &format!("{name}:conflicts")),
            format!("[No unresolved merge conflicts in {name}]")
        );
    }
    let nested =
        "<<<<<<< a\nx\n||||||| b\n<<<<<<<<< c\n=========\n>>>>>>>>> d\n=======\n>>>>>>> e\n";
    world.file(
        "h",
        format!("{nested}<<<<<<< a\nx\n=======\n<<<<<<< b\n>>>>>>> c\n"),
    );
    assert_eq!(
        text(&mut world, "h:conflicts"),
        "3 unresolved merge conflicts (append one to `h`):\n\
         :conflict:1 lines 1-8: /ours `a`, /base `b`, /theirs `e`; 1 nested in its base\n\
         :conflict:2 lines 9-11: /ours `a`, /theirs; its last marker is missing\n\
         :conflict:3 lines 12-13: /ours `b`; no line divides its sides"
    );
}

#[test]
fn conflict_is_read_as_its_lines() {
    let mut world = world(TEXT.as_bytes());
    for options in [exact(), Options::default()] {
        for (path, lines) in [
            ("f:conflict:1", "f:2-8"),
            ("f:conflict:2:raw", "f:10-13:raw"),
        ] {
            let of_lines = reply(&mut world, lines, &options);
            let of_conflict = reply(&mut world, path, &options);
            assert_eq!(of_lines.answer.page(), of_conflict.answer.page(), "{path}");
        }
    }
    let shown = text(&mut world, "f:conflict:1");
    assert!(
        shown.starts_with("[f#") && shown.contains("\n2:<<<<<<< HEAD\n"),
        "{shown}"
    );
    assert!(!shown.contains("unresolved"), "{shown}");
}

#[test]
fn side_of_a_conflict_is_text() {
    let mut world = world(TEXT.as_bytes());
    world.file("g", THREE);
    for (path, shown) in [
        (
            "f:conflict:1/ours",
            "two main\n\n[ours of conflict 1, `HEAD`: line 3 of f]",
        ),
        (
            "f:conflict:1/base",
            "two\n\n[base of conflict 1, `4a5eef3`: line 5 of f]",
        ),
        (
            "f:conflict:1/theirs",
            "two feature\n\n[theirs of conflict 1, `feature`: line 7 of f]",
        ),
        (
            "f:conflict:2/ours",
            "[ours of conflict 2, `HEAD`: no lines of f]\n[the side is empty]",
        ),
        (
            "g:conflict:1/ours",
            "one\n\n[ours of conflict 1, `one`: from the difference in lines 4-5 of g]",
        ),
        (
            "g:conflict:1/base",
            "b\n\n[base of conflict 1, `base`: from the difference in lines 4-5 of g]",
        ),
        (
            "g:conflict:1/side/2",
            "two\n\n[side 2 of conflict 1, `two`: line 7 of g]",
        ),
        (
            "g:conflict:1/theirs",
            "three\n\n[theirs of conflict 1, `three (no terminating newline)`: line 9 of g]\n[no newline at end of file]",
        ),
    ] {
        assert_eq!(text(&mut world, path), shown, "{path}");
    }
    assert_eq!(raw(&mut world, "f:conflict:1/theirs:raw"), "two feature\n");
    assert_eq!(raw(&mut world, "g:conflict:1/theirs:raw"), "three");
    // The session does not learn that lines of the file were shown.
    reply(&mut world, "f:conflict:1/ours", &exact());
    assert!(world.snapshots.pop().unwrap().shown.is_empty());
}

#[test]
fn missing_conflict_or_side_is_named() {
    let mut world = world(TEXT.as_bytes());
    world
        .file("none", "x\n")
        .file("x.bin", b"\0\x01\x02\x03\xff\xfe".repeat(20));
    for (path, message) in [
        (
            "f:conflict:3",
            "`f` has 2 unresolved merge conflicts, so `:conflict:3` does not exist\nhint: list them with `f:conflicts`",
        ),
        (
            "none:conflict:1/ours",
            "`none` has no unresolved merge conflicts, so `:conflict:1/ours` does not exist\n\
             hint: leave out `:conflict:1/ours` to read the file itself",
        ),
        (
            "f:conflict:2/base",
            "conflict 2 of `f` has no base\nhint: read it with `f:conflict:2`",
        ),
        (
            "f:conflict:1/side/3",
            "conflict 1 of `f` has no such side\nhint: read it with `f:conflict:1`",
        ),
        (
            "x.bin:conflicts",
            "`x.bin` is not text; `:conflicts` does not apply to it\n\
             hint: leave out `:conflicts` to read the file itself",
        ),
    ] {
        assert!(
            refused(&mut world, path).ends_with(message),
            "{}",
            refused(&mut world, path)
        );
    }
    assert!(refused(&mut world, "f:conflict:1/x").contains("a conflict has /ours"));
    refused(&mut world, ".:conflicts");
}

#[test]
fn address_of_a_conflict_is_repaired() {
    let mut world = world(TEXT.as_bytes());
    let shown = text(&mut world, "f:conflict://1/ours");
    assert!(
        shown.ends_with("[`:conflict://1/ours` is read as `:conflict:1/ours`]"),
        "{shown}"
    );
    let of_block = reply(&mut world, "f:conflict://2", &exact());
    assert_eq!(of_block.notes.len(), 1);
    assert_eq!(of_block.answer.page().unwrap().lines.len(), 4);
}

#[test]
fn name_precedes_a_selector_of_conflicts() {
    let mut world = world(TEXT.as_bytes());
    world.file("f:conflicts", "a file\n");
    assert!(text(&mut world, "f:conflicts").contains("a file"));
    let zip = web::zip(&[("conflicts", b"a member\n"), ("d/a.rs", TEXT.as_bytes())]);
    world.file("a.zip", zip);
    assert!(text(&mut world, "a.zip:conflicts").contains("a member"));
    assert!(text(&mut world, "a.zip:d/a.rs:conflicts").contains(":conflict:2 lines 10-13"));
    assert!(text(&mut world, "a.zip:d/a.rs:conflict:1/ours").starts_with("two main\n"));
    assert!(text(&mut world, "a.zip:d/a.rs:conflict:2").contains("new"));
}

#[test]
fn text_of_any_kind_has_conflicts() {
    let mut world = world(b"");
    let wide = TEXT.replace("main", "m\u{e4}in");
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(wide.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let legacy = encoding_rs::SHIFT_JIS
        .encode(&TEXT.replace("main", "日本語の表"))
        .0
        .into_owned();
    let crlf = TEXT.replace('\n', "\r\n");
    for (name, bytes) in [
        ("wide.txt", wide),
        ("legacy.txt", legacy),
        ("crlf.txt", crlf.into_bytes()),
        ("bom.txt", [b"\xef\xbb\xbf", TEXT.as_bytes()].concat()),
        ("a.csv", TEXT.as_bytes().to_vec()),
        ("a.jsonl", TEXT.as_bytes().to_vec()),
        ("a.html", TEXT.as_bytes().to_vec()),
        ("a.svg", TEXT.as_bytes().to_vec()),
        ("a.ipynb", TEXT.as_bytes().to_vec()),
        ("a.eml", TEXT.as_bytes().to_vec()),
        ("a.md", TEXT.as_bytes().to_vec()),
    ] {
        world.file(name, bytes);
        let list = text(&mut world, &format!("{name}:conflicts"));
        assert!(
            list.contains(":conflict:2 lines 10-13: /ours `HEAD`"),
            "{name}: {list}"
        );
        let ours = text(&mut world, &format!("{name}:conflict:1/ours"));
        let shown = match name {
            "wide.txt" => "two m\u{e4}in\n",
            "legacy.txt" => "two 日本語の表\n",
            _ => "two main\n",
        };
        assert!(ours.starts_with(shown), "{name}: {ours}");
        let block = text(&mut world, &format!("{name}:conflict:2"));
        assert!(block.contains("\n13:>>>>>>> feature"), "{name}: {block}");
    }
    let image = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        "R0lGODlhAQABAAAAACw=",
    );
    world.file("a.gif", image.unwrap());
    assert!(
        refused(&mut world, "a.gif:conflicts")
            .contains("is a GIF image; `:conflicts` does not apply")
    );
}

#[test]
fn large_text_is_streamed() {
    let line = "x".repeat(99) + "\n";
    let content = format!("{}{TEXT}{}", line.repeat(60_000), line.repeat(2000));
    let mut world = world(content.as_bytes());
    assert!(text(&mut world, "f:conflicts").contains(":conflict:2 lines 60010-60013"));
    assert!(text(&mut world, "f:conflict:1/theirs").starts_with("two feature\n"));
    assert!(text(&mut world, "f:conflict:2").contains("\n60012:new\n"));
    let zip = web::zip(&[("big.txt", content.as_bytes())]);
    world.file("a.zip", zip);
    assert!(text(&mut world, "a.zip:big.txt:conflict:1/theirs").starts_with("two feature\n"));
    assert!(text(&mut world, "a.zip:big.txt:conflict:2").contains("new"));
    let side = line.repeat(100_000);
    world.file("g", format!("<<<<<<< a\n{side}=======\n>>>>>>> b\n"));
    let failure = refused(&mut world, "g:conflict:1/ours");
    assert!(
        failure.contains("read its lines with `g:2-100001`"),
        "{failure}"
    );
    let many = "<<<<<<< a\n=======\n>>>>>>> b\n".repeat(10_050);
    world.file("h", many);
    let list = text(&mut world, "h:conflicts");
    assert!(
        list.starts_with("10,050 unresolved merge conflicts"),
        "{list}"
    );
    let next = "[only the first 10,000 of them are listed; `h:conflict:10001` reads the next one]";
    assert!(list.contains(next), "{list}");
    chain(&mut world, "h:conflicts", &exact());
    assert!(text(&mut world, "h:conflict:10050").contains("30148:<<<<<<< a"));
}

#[test]
fn page_with_conflicts_has_a_note() {
    let mut world = world(TEXT.as_bytes());
    let note = "[2 unresolved merge conflicts in these lines. Use f:conflicts to list all]";
    let one = "[1 unresolved merge conflict in these lines. Use f:conflicts to list all]";
    for (path, shown) in [
        ("f", Some(note)),
        ("f:1-4", Some(one)),
        ("f:9-", Some(one)),
        // These pages start or end inside of a conflict.
        ("f:3-6", Some(one)),
        ("f:7-8", Some(one)),
        ("f:8-10", Some(note)),
        ("f:4,12-13", Some(note)),
        ("f:1,9", None),
        ("f:raw", None),
    ] {
        let text = text(&mut world, path);
        assert_eq!(
            text.contains("unresolved"),
            shown.is_some(),
            "{path}: {text}"
        );
        assert!(
            shown.is_none_or(|shown| text.contains(shown)),
            "{path}: {text}"
        );
    }
    let whole = reply(&mut world, "f", &exact());
    assert!(
        whole.structured.contains(r#""conflictCount":2"#),
        "{}",
        whole.structured
    );
    for dialect in Dialect::ALL {
        // Its data has no place for notes on a text.
        if *dialect == Dialect::Comma {
            continue;
        }
        let reply = dialect.read("/ws/f", &exact(), &mut world).unwrap();
        let notes = reply
            .notes
            .iter()
            .filter(|note| note.contains("unresolved"));
        assert_eq!(notes.count(), 1, "{}", dialect.name());
        let shown = format!("{:?}", reply.blocks);
        assert!(
            shown.contains("2 unresolved merge conflicts"),
            "{}: {shown}",
            dialect.name()
        );
    }
    world.file("a.zip", web::zip(&[("a.rs", TEXT.as_bytes())]));
    let member =
        "[2 unresolved merge conflicts in these lines. Use a.zip:a.rs:conflicts to list all]";
    assert!(text(&mut world, "a.zip:a.rs").contains(member));
    world.stdin = TEXT.as_bytes().to_vec();
    let stdin = Options {
        stdin: true,
        ..exact()
    };
    let shown = format!("{:?}", reply(&mut world, "-", &stdin).blocks);
    assert!(shown.contains("Use -:conflicts to list all"), "{shown}");
    // A text that is not in memory as a whole.
    let line = "x".repeat(99) + "\n";
    let large = format!("{}{TEXT}{}", line.repeat(60_000), "=======\n".repeat(50));
    world.file("large", large);
    let one = "1 unresolved merge conflict in these lines";
    for (lines, count) in [
        ("60003-60005", 0),
        ("60005-60009", 1),
        ("60008-60010", 2),
        ("60014-60020", 0),
    ] {
        let shown = text(&mut world, &format!("large:{lines}"));
        assert_eq!(shown.contains(one), count == 1, "{lines} {shown}");
        assert_eq!(shown.contains("unresolved"), count > 0, "{lines} {shown}");
    }
    world.file("g", "a <<<<<<< b\n =======\n");
    assert!(!text(&mut world, "g").contains("unresolved"));
}

#[test]
fn arguments_select_lines_of_a_conflict() {
    let mut world = world(TEXT.as_bytes());
    for (arguments, lines) in [
        (r#"{"file_path": "/ws/f:conflict:1", "offset": 4}"#, (4, 8)),
        (
            r#"{"file_path": "/ws/f:conflict:1", "offset": 4, "limit": 2}"#,
            (4, 5),
        ),
        (r#"{"file_path": "/ws/f:conflict:2"}"#, (10, 13)),
    ] {
        let page = Dialect::Claude
            .call(arguments, &exact(), &mut world)
            .unwrap();
        let lines_shown = page.answer.page().unwrap().spans();
        assert_eq!(lines_shown, [lines], "{arguments}");
    }
}

#[test]
fn wrong_form_of_a_selector_of_conflicts_has_a_hint() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", TEXT);
    for wrong in [
        "conflict",
        "Conflict:",
        "conflict:x",
        "conflicts/1",
        "conflict#2",
    ] {
        let failed = Dialect::Omp.read(&format!("a.rs:{wrong}"), &exact(), &mut world);
        let hint = failed.unwrap_err().failure.hint.unwrap();
        let expected = "list the merge conflicts with `a.rs:conflicts`, or read the first one with `a.rs:conflict:1`";
        assert_eq!(&*hint.to_string(), expected, "{wrong}");
    }
}
