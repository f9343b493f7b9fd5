//! The dialects `opencode` and `codex`: their replies in the form of the original tools, and pages that rebuild a
//! file.

use super::*;
use serde_json::{Value, json};

fn call(world: &mut MemoryWorld, dialect: Dialect, arguments: &Value) -> Result<String, String> {
    let options = Options::default();
    match dialect.call(&arguments.to_string(), &options, world) {
        Ok(reply) => Ok(texts(&reply)),
        Err(refused) => Err(refused.text),
    }
}

fn texts(reply: &Reply) -> String {
    let texts = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => text.as_str(),
        Block::Image(_) => "<image>",
        Block::Attachment(_) => "<attachment>",
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn opencode(world: &mut MemoryWorld, arguments: &Value) -> Result<String, String> {
    call(world, Dialect::OpenCode, arguments)
}

fn codex(world: &mut MemoryWorld, arguments: &Value) -> Result<String, String> {
    call(world, Dialect::Codex, arguments)
}

fn lines(count: usize) -> String {
    (1..=count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn opencode_frames_text_and_states_its_end() {
    let mut world = world(b"one\ntwo\nthree\n");
    let whole = "<path>/ws/f</path>\n<type>file</type>\n<content>\n1: one\n2: two\n3: three\n\n\
        (End of file - total 3 lines)\n</content>";
    assert_eq!(
        opencode(&mut world, &json!({"filePath": "/ws/f"})).unwrap(),
        whole
    );
    assert_eq!(
        opencode(&mut world, &json!({"filePath": "f"})).unwrap(),
        whole
    );
    let part = opencode(
        &mut world,
        &json!({"filePath": "/ws/f", "offset": 2, "limit": 1}),
    );
    assert_eq!(
        part.unwrap(),
        "<path>/ws/f</path>\n<type>file</type>\n<content>\n2: two\n\n\
        (Showing lines 2-2 of 3. Use offset=3 to continue.)\n</content>"
    );
    let past = opencode(&mut world, &json!({"filePath": "/ws/f", "offset": 9}));
    assert_eq!(
        past.unwrap_err(),
        "Offset 9 is out of range for this file (3 lines)"
    );
}

#[test]
fn opencode_shows_an_empty_file() {
    let mut world = world(b"");
    assert_eq!(
        opencode(&mut world, &json!({"filePath": "/ws/f"})).unwrap(),
        "<path>/ws/f</path>\n<type>file</type>\n<content>\n\n\n(End of file - total 0 lines)\n</content>"
    );
}

#[test]
fn opencode_cuts_lines_and_caps_pages() {
    let mut world = MemoryWorld::new("/ws");
    world.file("wide", format!("{}\nend\n", "x".repeat(2500)));
    world.file("large", format!("{}\n", "y".repeat(99)).repeat(1000));
    world.file("long", lines(2001));
    let wide = opencode(&mut world, &json!({"filePath": "/ws/wide"})).unwrap();
    assert!(wide.contains(&format!(
        "1: {}... (line truncated to 2000 chars)\n2: end",
        "x".repeat(2000)
    )));
    assert!(wide.contains("(End of file - total 2 lines)"), "{wide}");
    assert!(wide.contains("wide:1@2001"), "{wide}");
    let large = opencode(&mut world, &json!({"filePath": "/ws/large"})).unwrap();
    assert!(
        large.contains("(Output capped at 50 KB. Showing lines 1-"),
        "{large}"
    );
    let long = opencode(&mut world, &json!({"filePath": "/ws/long"})).unwrap();
    assert!(
        long.ends_with("(Showing lines 1-2000 of 2001. Use offset=2001 to continue.)\n</content>")
    );
}

#[test]
fn opencode_lists_the_names_of_a_directory() {
    let mut world = MemoryWorld::new("/ws");
    world
        .file("d/b.txt", "b")
        .file("d/a/x.txt", "x")
        .file("d/c.txt", "c");
    assert_eq!(
        opencode(&mut world, &json!({"filePath": "/ws/d"})).unwrap(),
        "<path>/ws/d</path>\n<type>directory</type>\n<entries>\na/\nb.txt\nc.txt\n\n(3 entries)\n</entries>"
    );
    assert_eq!(
        opencode(&mut world, &json!({"filePath": "/ws/d", "limit": 2})).unwrap(),
        "<path>/ws/d</path>\n<type>directory</type>\n<entries>\na/\nb.txt\n\n\
        (Showing 2 of 3 entries. Use 'offset' parameter to read beyond entry 3)\n</entries>"
    );
    assert_eq!(
        opencode(&mut world, &json!({"filePath": "/ws/d", "offset": 3})).unwrap(),
        "<path>/ws/d</path>\n<type>directory</type>\n<entries>\nc.txt\n\n(3 entries)\n</entries>"
    );
}

#[test]
fn opencode_names_similar_files_and_refuses_binary_ones() {
    let mut world = MemoryWorld::new("/ws");
    world.file("main.rs", "x").file(
        "data.bin",
        b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe\xfd\x80\x90\0",
    );
    let missing = opencode(&mut world, &json!({"filePath": "/ws/mian.rs"})).unwrap_err();
    assert_eq!(
        missing,
        "File not found: /ws/mian.rs\n\nDid you mean one of these?\n/ws/main.rs"
    );
    let binary = opencode(&mut world, &json!({"filePath": "/ws/data.bin"})).unwrap_err();
    assert!(
        binary.starts_with("Cannot read binary file: /ws/data.bin"),
        "{binary}"
    );
}

#[test]
fn codex_numbers_lines() {
    let mut world = world(b"alpha\nbeta\r\ngamma\n");
    assert_eq!(
        codex(&mut world, &json!({"file_path": "/ws/f", "offset": 2})).unwrap(),
        "L2: beta\nL3: gamma\n\n[mixed LF and CRLF line endings]"
    );
    let first = codex(&mut world, &json!({"file_path": "/ws/f", "limit": 1})).unwrap();
    assert!(first.starts_with("L1: alpha\n\n"), "{first}");
    assert!(
        first.ends_with("[Showing lines 1-1 of 3. Use offset=2 to continue]"),
        "{first}"
    );
    let past = codex(&mut world, &json!({"file_path": "/ws/f", "offset": 4})).unwrap_err();
    assert_eq!(past, "offset exceeds file length");
}

#[test]
fn codex_cuts_lines_with_a_notice() {
    let mut world = world(format!("{}\n", "x".repeat(550)).as_bytes());
    let text = codex(&mut world, &json!({"file_path": "/ws/f"})).unwrap();
    let (line, notice) = text.split_once("\n\n").unwrap();
    assert_eq!(line, format!("L1: {}", "x".repeat(500)));
    assert!(notice.contains("f:1@501"), "{notice}");
}

#[test]
fn codex_shows_the_block_around_a_line() {
    let mut world =
        world(b"mod a {\n    fn b() {\n        if c {\n            d();\n        }\n    }\n}\n");
    let block = |world: &mut MemoryWorld, levels: u64| {
        let arguments = json!({
            "file_path": "/ws/f", "mode": "indentation",
            "indentation": {"anchor_line": 4, "max_levels": levels},
        });
        codex(world, &arguments).unwrap()
    };
    assert_eq!(
        block(&mut world, 1),
        "L3:         if c {\nL4:             d();\nL5:         }\n\n[Showing lines 3-5 of 7]"
    );
    assert!(block(&mut world, 2).starts_with("L2:     fn b() {\n"));
    assert!(block(&mut world, 3).starts_with("L1: mod a {\n"));
    let past =
        json!({"file_path": "/ws/f", "mode": "indentation", "indentation": {"anchor_line": 8}});
    let past = codex(&mut world, &past).unwrap_err();
    assert_eq!(past, "`/ws/f` has 7 lines, so line 8 does not exist");
}

#[test]
fn codex_names_wrong_arguments() {
    let mut world = world(b"x\n");
    for (arguments, name) in [
        (json!({"file_path": "f"}), "file_path"),
        (json!({"file_path": "/ws/f", "mode": "whole"}), "mode"),
        (json!({"file_path": "/ws/f", "mode": 1}), "mode"),
        (
            json!({"file_path": "/ws/f", "indentation": {}}),
            "indentation",
        ),
        (
            json!({"file_path": "/ws/f", "mode": "indentation", "indentation": 5}),
            "indentation",
        ),
        (
            json!({"file_path": "/ws/f", "mode": "indentation", "indentation": {"anchor_line": 0}}),
            "anchor_line",
        ),
        (
            json!({"file_path": "/ws/f", "mode": "indentation", "indentation": {"depth": 1}}),
            "depth",
        ),
        (
            json!({"file_path": "/ws/f:2", "mode": "indentation"}),
            "mode",
        ),
    ] {
        let refused = Dialect::Codex.call(&arguments.to_string(), &Options::default(), &mut world);
        let refused = refused.expect_err(name);
        assert!(
            matches!(&refused.failure.reason, Reason::InvalidArgument(argument) if argument == name),
            "{arguments}: {:?}",
            refused.failure
        );
    }
    let nothing = json!({"file_path": "/ws/f", "mode": null, "indentation": null, "offset": null});
    assert_eq!(codex(&mut world, &nothing).unwrap(), "L1: x");
}

#[test]
fn codex_refuses_directories_and_other_files_that_are_not_text() {
    let mut world = MemoryWorld::new("/ws");
    world.file("d/x", "x").file(
        "data.bin",
        b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe\xfd\x80\x90\0",
    );
    let directory = codex(&mut world, &json!({"file_path": "/ws/d"})).unwrap_err();
    assert!(
        directory.starts_with("failed to read file: Is a directory"),
        "{directory}"
    );
    let missing = codex(&mut world, &json!({"file_path": "/ws/none"})).unwrap_err();
    assert!(
        missing.starts_with("failed to read file: No such file or directory (os error 2)"),
        "{missing}"
    );
    let binary = codex(&mut world, &json!({"file_path": "/ws/data.bin"})).unwrap_err();
    assert!(
        binary.starts_with("failed to read file: /ws/data.bin is not text"),
        "{binary}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn pages_of_both_dialects_rebuild_a_file(content in super::tokens::lines(), limit in 1u64..12) {
        let mut world = world(&content);
        for (dialect, argument) in [(Dialect::OpenCode, "filePath"), (Dialect::Codex, "file_path")] {
            let mut pages = Vec::new();
            let mut arguments = json!({argument: "/ws/f", "limit": limit});
            loop {
                let page = dialect.call(&arguments.to_string(), &Options::default(), &mut world);
                let page = match page {
                    Ok(page) => page,
                    // Such content may be binary.
                    Err(refused) => {
                        prop_assert!(matches!(refused.failure.reason, Reason::Binary(_)), "{:?}", refused);
                        break;
                    }
                };
                let next = page.answer.next();
                pages.push(page);
                prop_assert!(pages.len() < 500);
                let Some(next) = next else { break };
                arguments = json!({argument: next, "limit": null});
            }
            if pages.iter().all(|page| matches!(page.answer.body, Body::Text(_))) && !pages.is_empty() {
                let Total::Exact(total) = pages[0].answer.page().unwrap().total else { panic!("not counted") };
                let whole: Vec<i64> = (1..=i64::try_from(total).unwrap()).collect();
                prop_assert_eq!(shown_once(&pages), whole);
            }
        }
    }
}
