//! Tests of how the dialects say to read on: what they say is what `next` reads, and whoever follows it to the end reads
//! every line once.

use super::tokens::lines as content;
use super::*;
use serde_json::{Value, json};

/// The dialects whose replies state in words how to read on.
const DIALECTS: [Dialect; 5] = [
    Dialect::Claude,
    Dialect::OpenCode,
    Dialect::Codex,
    Dialect::Gateway,
    Dialect::Gemini,
];

/// A request to read on, as words state it.
#[derive(Clone, Debug, PartialEq)]
enum Onward {
    /// The line of the argument for the first line, counted from 1.
    Line(u64),
    /// A path without other arguments.
    Path(String),
}

fn within(tokens: u32) -> Options {
    Options {
        tokens,
        ..Options::default()
    }
}

fn texts(reply: &Reply) -> String {
    let texts = reply.blocks.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
        Block::Image(_) | Block::Attachment(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The text after the last `start`, up to `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, after) = text.rsplit_once(start)?;
    Some(after.split_once(end)?.0)
}

fn number(text: &str) -> Option<u64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// What the reply says on how to read on.
fn words(dialect: Dialect, reply: &Reply) -> Option<Onward> {
    let text = texts(reply);
    let path = match dialect {
        Dialect::OpenCode => between(&text, "Use filePath=", " without other arguments"),
        Dialect::Codex => between(&text, "Use file_path=", " without other arguments"),
        Dialect::Gemini => between(&text, "continue with the path ", " and no other arguments")
            .or_else(|| between(&text, "Use the path ", " without other arguments")),
        _ => between(&text, "Use the path ", " without other arguments"),
    };
    if let Some(path) = path {
        return Some(Onward::Path(path.to_owned()));
    }
    let line = match dialect {
        Dialect::Gemini => None,
        Dialect::Gateway => text
            .rsplit_once("Use offset=")
            .and_then(|(_, after)| Some(number(after)? + 1)),
        _ => text
            .rsplit_once("Use offset=")
            .and_then(|(_, after)| number(after)),
    };
    line.map(Onward::Line)
}

/// The call of a tool that reads a path from a line on.
fn arguments(dialect: Dialect, path: &str, line: Option<u64>) -> Value {
    let name = match dialect {
        Dialect::Claude | Dialect::Codex => "file_path",
        Dialect::OpenCode | Dialect::Gateway => "filePath",
        _ => "absolute_path",
    };
    let mut call = json!({ name: path });
    if let Some(line) = line {
        let zero = matches!(dialect, Dialect::Gateway | Dialect::Gemini);
        call["offset"] = json!(line - u64::from(zero));
        if dialect == Dialect::Gemini {
            call["limit"] = json!(100_000);
        }
    }
    call
}

/// The text of the lines of a page, each with its number and its first column.
fn shown(reply: &Reply) -> Vec<(i64, u64, String)> {
    let page = reply.answer.page().unwrap();
    let lines = page.lines.iter().enumerate();
    lines
        .map(|(index, line)| (line.number, line.column, page.line(index).to_owned()))
        .collect()
}

/// Follows what the replies say, and checks that `next` says the same. Returns the lines, joined where they were cut.
fn follow(
    dialect: Dialect,
    world: &mut MemoryWorld,
    path: &str,
    options: &Options,
) -> Vec<(i64, String)> {
    let mut lines: Vec<(i64, String)> = Vec::new();
    let mut onward = Onward::Path(path.to_owned());
    for _ in 0..2000 {
        let call = match &onward {
            Onward::Line(line) => arguments(dialect, path, Some(*line)),
            Onward::Path(path) => arguments(dialect, path, None),
        };
        let reply = match dialect.call(&call.to_string(), options, world) {
            Ok(reply) => reply,
            Err(refused) => panic!("{}: {call}: {}", dialect.name(), refused.text),
        };
        for (number, column, text) in shown(&reply) {
            match lines.last_mut() {
                Some((last, line)) if *last == number && column > 1 => line.push_str(&text),
                _ => {
                    assert_eq!(column, 1, "{}: {call}", dialect.name());
                    lines.push((number, text));
                }
            }
        }
        let said = words(dialect, &reply);
        let page = reply.answer.page().unwrap();
        let next = reply.answer.next();
        match (&said, &page.following) {
            // Arguments for lines may read on after the request, which is complete.
            (None | Some(Onward::Line(_)), None) => return lines,
            (Some(Onward::Path(said)), None) => panic!("{call}: nothing is left for {said}"),
            (Some(Onward::Path(said)), Some(_)) => assert_eq!(Some(said), next.as_ref()),
            (Some(Onward::Line(line)), Some(rest)) => {
                let start = format!("{line}");
                let rest = rest.lines.to_string();
                let first = rest.split(['-', ',', ':']).next().unwrap();
                assert_eq!(start, first, "{}: {call}", dialect.name());
            }
            (None, Some(rest)) => match (dialect, &rest.lines) {
                // It states the shown lines and names the arguments.
                (Dialect::Gemini, crate::path::Lines::One(range)) => {
                    assert_eq!(range.start.column, 1);
                    onward = Onward::Line(range.start.line);
                    continue;
                }
                _ => panic!("{}: {call}: nothing is said", dialect.name()),
            },
        }
        onward = said.unwrap();
    }
    panic!("{}: the pages do not end", dialect.name());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn words_of_every_dialect_read_every_line_once(
        content in content(),
        tokens in prop_oneof![100u32..140, 100u32..900],
        ranges in prop::collection::vec((1u64..20, 0u64..6), 0..4),
    ) {
        // Cut lines of 2000 characters have notices of their own, and carriage returns are no ends of lines.
        let text = String::from_utf8_lossy(&content).replace('\r', "");
        let text: String = text.lines().map(|line| line.chars().take(400).collect::<String>() + "\n").collect();
        prop_assume!(!text.is_empty() && !text.contains('\0'));
        let mut world = world(text.as_bytes());
        let mut path = "/ws/f".to_owned();
        if !ranges.is_empty() {
            let ranges = ranges.iter().map(|(first, count)| format!("{first}-{}", first + count));
            path = format!("{path}:{}", ranges.collect::<Vec<_>>().join(","));
        }
        for dialect in DIALECTS {
            let whole = {
                let call = arguments(dialect, &path, None).to_string();
                let Ok(reply) = dialect.call(&call, &Options::default(), &mut world) else { continue };
                if !matches!(reply.answer.body, Body::Text(_)) { continue }
                shown(&reply)
            };
            let whole: Vec<(i64, String)> = whole.into_iter().map(|(number, _, text)| (number, text)).collect();
            let parts = follow(dialect, &mut world, &path, &within(tokens));
            prop_assert_eq!(parts, whole, "{} {}", dialect.name(), path);
        }
    }

    #[test]
    fn lines_and_paths_of_comma_read_every_character(content in content(), tokens in 100u32..600, bytes in 60u32..4000) {
        let text = String::from_utf8_lossy(&content).replace('\0', "");
        let mut world = MemoryWorld::new("/ws");
        world.file("f", text.clone());
        let mut read = String::new();
        let mut call = json!({"path": "f", "maxBytes": bytes});
        for _ in 0..2000 {
            let reply = Dialect::Comma.call(&call.to_string(), &within(tokens), &mut world);
            let reply = reply.map_err(|refused| TestCaseError::fail(refused.text))?;
            let data: Value = serde_json::from_str(&texts(&reply)).unwrap();
            let data = &data["data"];
            read.push_str(data["content"].as_str().unwrap());
            let (next, path) = (&data["nextStartLine"], &data["nextPath"]);
            prop_assert_eq!(data["truncated"].as_bool(), Some(!next.is_null() || !path.is_null()));
            if let Some(path) = path.as_str() {
                prop_assert_eq!(reply.answer.next(), Some(path.to_owned()));
                call = json!({"path": path, "maxBytes": bytes});
            } else if let Some(line) = next.as_u64() {
                prop_assert!(line == data["endLine"].as_u64().unwrap() + 1);
                call = json!({"path": "f", "startLine": line, "maxBytes": bytes});
            } else {
                break;
            }
        }
        prop_assert_eq!(read, text);
    }
}

#[test]
fn rest_of_a_line_goes_on_in_comma_at_the_line_after_it() {
    let mut world = world(b"one two\n\nthree\n");
    let mut data = |path: &str| -> Value {
        let call = json!({ "path": path }).to_string();
        let reply = Dialect::Comma.call(&call, &Options::default(), &mut world);
        let reply = reply.unwrap_or_else(|refused| panic!("{}", refused.text));
        let mut data: Value = serde_json::from_str(&texts(&reply)).unwrap();
        data["data"].take()
    };
    let rest = data("f:1@5");
    assert_eq!(rest["content"], "two\n");
    assert_eq!(
        (&rest["truncated"], &rest["nextPath"]),
        (&json!(true), &json!("f:2:raw"))
    );
    assert!(data("f:2")["nextPath"].is_null());
    // Lines before and after a range were not requested.
    assert_eq!(data("f:1-1")["truncated"], false);
    assert_eq!(data("f:3@2")["truncated"], false);
}

#[test]
fn mark_of_a_cut_line_states_the_number_of_shown_characters() {
    let mut world = world("a word, ".repeat(900).as_bytes());
    for (tokens, chars) in [(0, Some(2000)), (300, None)] {
        let call = arguments(Dialect::OpenCode, "/ws/f", None).to_string();
        let reply = Dialect::OpenCode.call(&call, &within(tokens), &mut world);
        let reply = reply.unwrap_or_else(|refused| panic!("{}", refused.text));
        let text = texts(&reply);
        let stated = between(&text, "(line truncated to ", " chars)").unwrap();
        let shown = reply.answer.page().unwrap().line(0).chars().count();
        assert_eq!(stated, shown.to_string());
        assert_eq!(chars.unwrap_or(shown), shown);
    }
}

/// A file with two declarations of one name.
fn two() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    let text = "mod a {\n    pub fn run() {}\n}\nmod b {\n    pub fn run() {}\n}\n".to_owned()
        + &"// x\n".repeat(50);
    world.file("a.rs", text);
    world
}

#[test]
fn list_of_declarations_is_not_the_file_in_any_dialect() {
    let mut world = two();
    let path = "/ws/a.rs:sym:run";
    for dialect in DIALECTS {
        let call = arguments(dialect, path, None).to_string();
        let reply = dialect.call(&call, &Options::default(), &mut world);
        let reply = reply.unwrap_or_else(|refused| panic!("{}", refused.text));
        let text = texts(&reply);
        let mark = match dialect {
            Dialect::OpenCode => "(End of list - total 3 lines)",
            Dialect::Gateway => "<list path=",
            _ => "[a list of matches, not the text of the file]",
        };
        assert!(text.contains(mark), "{}: {text}", dialect.name());
        assert!(!text.contains("of file"), "{}: {text}", dialect.name());
    }
    let call = json!({"path": "a.rs:sym:run"}).to_string();
    let reply = Dialect::Comma.call(&call, &Options::default(), &mut world);
    let reply = reply.unwrap_or_else(|refused| panic!("{}", refused.text));
    let data: Value = serde_json::from_str(&texts(&reply)).unwrap();
    let data = &data["data"];
    assert_eq!(data["convertedFrom"], "list of matches");
    assert!(data["sha256"].is_null() && data["note"].is_string());
    // One declaration is a range of lines of the file.
    let call = json!({"path": "a.rs:sym:a.run"}).to_string();
    let reply = Dialect::Comma.call(&call, &Options::default(), &mut world);
    let data: Value = serde_json::from_str(&texts(
        &reply.unwrap_or_else(|refused| panic!("{}", refused.text)),
    ))
    .unwrap();
    assert!(data["data"]["sha256"].is_string());
}

#[test]
fn list_of_what_is_not_shown_is_in_every_dialect_with_words() {
    let mut world = MemoryWorld::new("/ws");
    let text: String = (0..400)
        .map(|n| format!("pub fn number_{n}() -> u32 {{\n    {n}\n}}\n\n"))
        .collect();
    world.file("a.rs", text);
    let options = Options {
        rest: Some(60),
        ..Options::default()
    };
    for dialect in DIALECTS {
        let call = arguments(dialect, "/ws/a.rs:1-100", None).to_string();
        let reply = dialect.call(&call, &options, &mut world);
        let text = texts(&reply.unwrap_or_else(|refused| panic!("{}", refused.text)));
        assert!(
            text.contains("Not shown (append one to"),
            "{}",
            dialect.name()
        );
    }
}
