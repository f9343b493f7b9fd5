//! The limits, arguments and replies of each dialect, as its document promises them.
//!
//! These tests would be too long for a file in `tests/cases`.

mod claude;
mod comma;
mod cuts;
mod gateway;
mod gemini;
mod hints;
mod kinds;
mod paths;
mod spellings;

use omniread::{Block, Dialect, Failure, Options, Reason, Reply, Session};
use omniread_tests::image::flat_png;
use omniread_tests::{DIALECTS, Workspace, numbered, sha256};
use serde_json::{Value, json};
use std::fs::File;
use std::time::Duration;

const MIB: usize = 1 << 20;

fn call(session: &Session, dialect: Dialect, arguments: &Value) -> Result<Reply, Failure> {
    session.call(dialect, &arguments.to_string(), &Options::default())
}

/// Calls the tool of a dialect, which must succeed, and returns the text of the reply.
fn text(session: &Session, dialect: Dialect, arguments: &Value) -> String {
    match call(session, dialect, arguments) {
        Ok(reply) => reply.text(),
        Err(failure) => panic!("{arguments}: {}", failure.text),
    }
}

/// Calls the tool of a dialect, and returns the JSON object that is the text of the reply.
fn object(session: &Session, dialect: Dialect, arguments: &Value) -> Value {
    serde_json::from_str(&text(session, dialect, arguments)).expect("a JSON object")
}

fn data(session: &Session, arguments: &Value) -> Value {
    let outcome = object(session, Dialect::Comma, arguments);
    assert_eq!(outcome["ok"], true);
    outcome["data"].clone()
}

fn content(session: &Session, arguments: &Value) -> String {
    let outcome = object(session, Dialect::Gemini, arguments);
    outcome["llmContent"].as_str().expect("text").to_owned()
}

/// The name of the argument with which a dialect takes a path, and the path of the file `name` in
/// the form (relative or absolute) that the dialect accepts.
fn path_of(dialect: Dialect, workspace: &Workspace, name: &str) -> (&'static str, String) {
    let absolute = workspace.path().join(name).display().to_string();
    match dialect {
        Dialect::Omp | Dialect::Comma => ("path", name.to_owned()),
        Dialect::Gateway | Dialect::OpenCode => ("filePath", absolute),
        Dialect::Gemini => ("absolute_path", absolute),
        Dialect::Claude | Dialect::Codex => ("file_path", absolute),
        other => panic!("{other:?} has no test"),
    }
}

/// A PNG of at least `bytes` bytes. Zeros after its end make it that long.
fn png(bytes: usize) -> Vec<u8> {
    let mut png = flat_png(1200, 800, 8, 2, 3600);
    png.resize(bytes.max(png.len()), 0);
    png
}

/// The failure names the wrong argument in the reply format of the dialect, and the next call
/// works.
#[test]
fn wrong_argument_is_named_in_every_dialect() {
    let workspace = Workspace::new();
    workspace.file("f", "x\n");
    let session = workspace.session();
    let definitions = workspace.builder().build().unwrap().definitions().unwrap();
    for definition in definitions {
        let dialect = definition.dialect;
        let schema: Value = serde_json::from_str(&definition.schema).unwrap();
        let (path_name, path) = path_of(dialect, &workspace, "f");
        let fine = json!({ path_name: path });
        let mut wrong: Vec<(String, String)> = Vec::new();
        let whole = |json: &str| (json.to_owned(), "arguments".to_owned());
        wrong.extend(["", "null", "[]", "5", "\"x\"", "{", "{} {}", "{\"a\":}"].map(whole));
        wrong.push(whole(&"[".repeat(100_000)));
        wrong.push(whole(&format!(
            "{{\"{path_name}\": \"{}\"}}",
            "x".repeat(10 * MIB)
        )));
        wrong.push(("{}".to_owned(), path_name.to_owned()));
        let mut with = |name: &str, value: Value| {
            let mut arguments = fine.clone();
            arguments[name] = value;
            wrong.push((arguments.to_string(), name.to_owned()));
        };
        with("no_such_argument", json!(1));
        for value in [
            json!(5),
            json!(null),
            json!(["f"]),
            json!({}),
            json!(""),
            json!("a\0b"),
        ] {
            with(path_name, value);
        }
        for (name, property) in schema["properties"].as_object().unwrap() {
            let values = match property["type"].as_str().unwrap() {
                "integer" => {
                    let least = property["minimum"].as_i64().unwrap();
                    vec![
                        json!(least - 1),
                        json!(-1e30),
                        json!(1.5),
                        json!("1"),
                        json!(true),
                        json!([1]),
                    ]
                }
                "boolean" => vec![json!(1), json!("true")],
                _ => Vec::new(),
            };
            for value in values {
                with(name, value);
            }
        }
        wrong.push((
            format!("{{\"{path_name}\": \"a\", \"{path_name}\": \"b\"}}"),
            path_name.to_owned(),
        ));
        for (arguments, name) in wrong {
            let shown: String = arguments.chars().take(100).collect();
            let failure = session
                .call(dialect, &arguments, &Options::default())
                .expect_err(&shown);
            match &failure.reason {
                Reason::InvalidArgument(argument) => assert_eq!(*argument, name, "{shown}"),
                reason => panic!("{shown}: {reason:?}"),
            }
            assert!(
                failure.message.contains(&name),
                "{shown}: {}",
                failure.message
            );
            assert!(!failure.text.is_empty());
            if matches!(dialect, Dialect::Comma | Dialect::Gemini) {
                let object: Value = serde_json::from_str(&failure.text).expect("a JSON object");
                let named = match dialect {
                    Dialect::Comma => &object["error"]["kind"],
                    _ => &object["llmContent"],
                };
                assert!(named.is_string(), "{object}");
            }
            assert!(call(&session, dialect, &fine).is_ok(), "after {shown}");
        }
    }
}

/// `null` for an optional argument means that it is absent, because strict tool calling sends
/// every argument. `null` for a required argument is an error.
#[test]
fn null_arguments_are_left_out_in_every_dialect() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(5));
    let session = workspace.session();
    let definitions = workspace.builder().build().unwrap().definitions().unwrap();
    assert_eq!(definitions.len(), DIALECTS.len());
    for definition in definitions {
        let dialect = definition.dialect;
        let schema: Value = serde_json::from_str(&definition.schema).unwrap();
        let (path_name, path) = path_of(dialect, &workspace, "f");
        let bare = json!({ path_name: path });
        let mut nulls = bare.clone();
        for name in schema["properties"].as_object().unwrap().keys() {
            if name != path_name {
                nulls[name] = Value::Null;
            }
        }
        assert_eq!(
            text(&session, dialect, &nulls),
            text(&session, dialect, &bare),
            "{dialect:?}"
        );
        nulls[path_name] = Value::Null;
        let failure = call(&session, dialect, &nulls).unwrap_err();
        assert!(
            matches!(&failure.reason, Reason::InvalidArgument(name) if name == path_name),
            "{dialect:?}: {:?}",
            failure.reason
        );
        assert!(failure.message.contains(path_name), "{}", failure.message);
    }
}

/// The failure of a call that the host stopped is in the reply format of the dialect, with the
/// requested path.
#[test]
fn timeout_is_reported_in_the_format_of_the_dialect() {
    let workspace = Workspace::new();
    workspace.file("holes", "x\n".repeat(5000));
    let holes = workspace.path().join("holes");
    File::options()
        .write(true)
        .open(&holes)
        .unwrap()
        .set_len(1 << 42)
        .unwrap();
    let reader = workspace
        .builder()
        .timeout(Duration::from_millis(50))
        .build()
        .unwrap();
    let session = reader.session();
    for dialect in DIALECTS {
        let (argument, path) = path_of(dialect, &workspace, "holes:900000000");
        let failure = call(&session, dialect, &json!({argument: path})).unwrap_err();
        assert!(
            matches!(&failure.reason, Reason::Limit(limit) if limit.name == "time" && limit.value == 50),
            "{:?}",
            failure.reason
        );
        let rendered = match dialect {
            Dialect::Comma => {
                let object: Value = serde_json::from_str(&failure.text).unwrap();
                assert_eq!(object["error"]["kind"], "read_failed");
                object["error"]["message"].as_str().unwrap().to_owned()
            }
            Dialect::Gemini => {
                let object: Value = serde_json::from_str(&failure.text).unwrap();
                object["llmContent"].as_str().unwrap().to_owned()
            }
            _ => failure.text,
        };
        assert!(
            rendered.contains(&format!("`{path}` exceeded the timeout of 50 ms")),
            "{rendered}"
        );
    }
}

/// The page limits also apply to empty and very short lines.
#[test]
fn pages_of_empty_lines_are_bounded() {
    let workspace = Workspace::new();
    workspace
        .file("empty", "\n".repeat(3_000_000))
        .file("short", "a\n".repeat(3_000_000));
    let session = workspace.session();
    for name in ["empty", "short"] {
        for dialect in DIALECTS {
            let (argument, path) = path_of(dialect, &workspace, name);
            let mut arguments = json!({ argument: path });
            match dialect {
                Dialect::Omp => arguments[argument] = json!(format!("{path}:1-3000000")),
                Dialect::Comma => arguments["maxBytes"] = json!(1e9),
                Dialect::Gemini => arguments["prefer_full_read"] = json!(true),
                _ => arguments["limit"] = json!(1e9),
            }
            let reply = call(&session, dialect, &arguments).expect("a page");
            let most = match dialect {
                Dialect::Gateway => 52 * 1024,
                Dialect::Comma | Dialect::Gemini => 9 * MIB,
                _ => 2 * MIB,
            };
            let text = reply.text();
            assert!(text.len() <= most, "{dialect:?} {name}: {}", text.len());
            assert!(reply.details.next.is_some(), "{dialect:?} {name}");
            if dialect == Dialect::Comma {
                let own: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(own["data"]["truncated"], true);
            }
        }
    }
}

/// A long line is cut, and a notice contains a path that continues it. Such paths lead to the end
/// of the line.
#[test]
fn long_line_is_continued_by_paths_in_notices() {
    let workspace = Workspace::new();
    let line: String = ('a'..='z').cycle().take(200_000).collect();
    workspace.file("long", format!("{line}\nend\n"));
    let session = workspace.session();
    for dialect in [Dialect::Gateway, Dialect::Gemini, Dialect::Claude] {
        let (argument, mut path) = path_of(dialect, &workspace, "long");
        let mut seen = String::new();
        for _ in 0..100 {
            let reply = call(&session, dialect, &json!({ argument: path })).expect("a page");
            let text = match dialect {
                Dialect::Gemini => {
                    let object: Value = serde_json::from_str(&reply.text()).unwrap();
                    object["llmContent"].as_str().unwrap().to_owned()
                }
                _ => reply.text(),
            };
            let letters = |line: &str| {
                let line = line.rsplit(['\t', '|']).next().unwrap_or(line);
                let line = line.trim_start().split([' ', '.']).next().unwrap_or("");
                line.chars()
                    .all(|c| c.is_ascii_lowercase())
                    .then(|| line.to_owned())
            };
            let shown: Vec<String> = text
                .lines()
                .filter_map(letters)
                .filter(|l| l.len() > 100)
                .collect();
            seen.extend(shown);
            let Some((_, after)) = text.split_once("the path ").or(text.split_once("such as "))
            else {
                break;
            };
            path = after.split([' ', ']']).next().unwrap().to_owned();
        }
        assert_eq!(seen.len(), line.len(), "{dialect:?}");
        assert!(seen == line, "{dialect:?}");
    }
}

/// A notice names a requested range or column that does not exist.
#[test]
fn range_past_the_end_is_noted() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(5));
    let session = workspace.session();
    for dialect in [
        Dialect::Omp,
        Dialect::Gateway,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let (argument, path) = path_of(dialect, &workspace, "f");
        let skipped = call(
            &session,
            dialect,
            &json!({argument: format!("{path}:1-2,50-60")}),
        );
        let text = skipped.unwrap().text();
        assert!(
            text.contains("[Range 50-60 is beyond end of file (5 lines total); skipped]"),
            "{dialect:?}: {text}"
        );
        let column = call(
            &session,
            dialect,
            &json!({argument: format!("{path}:2@99")}),
        );
        let text = column.unwrap().text();
        assert!(
            text.contains("[Column 99 is beyond the end of line 2, which has "),
            "{dialect:?}: {text}"
        );
    }
}

/// A notice reports that a line selector does not apply to an image.
#[test]
fn line_selector_on_an_image_is_noted() {
    let workspace = Workspace::new();
    workspace.file("p.png", png(100));
    let session = workspace.session();
    for dialect in [
        Dialect::Omp,
        Dialect::Gateway,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let (argument, path) = path_of(dialect, &workspace, "p.png");
        let reply = call(&session, dialect, &json!({argument: format!("{path}:5")})).unwrap();
        assert_eq!(reply.details.kind.name(), "image");
        assert!(reply.text().contains("`:5` was ignored"), "{dialect:?}");
        let blocks = call(&session, dialect, &json!({argument: path}))
            .unwrap()
            .blocks;
        let images = blocks
            .iter()
            .filter(|block| matches!(block, Block::Image(_)));
        assert_eq!(images.count(), usize::from(dialect != Dialect::Gemini));
    }
}

/// The facts in the JSON object of a reply (`structured`) agree with its text.
#[test]
fn structured_facts_agree_with_the_text() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(5000));
    let session = workspace.session();
    for dialect in DIALECTS {
        let (argument, path) = path_of(dialect, &workspace, "f");
        let reply = call(&session, dialect, &json!({argument: path})).unwrap();
        let own: Value = serde_json::from_str(&reply.structured).unwrap();
        let window = reply.details.window.as_ref().unwrap();
        let last = window.shown.last().unwrap().last;
        match dialect {
            Dialect::Omp => {
                let display = numbered(300);
                assert_eq!(
                    own["displayContent"],
                    json!({"text": display.trim_end(), "startLine": 1})
                );
                assert_eq!(own["meta"]["truncation"]["shownRange"]["end"], last);
                assert_eq!(own["meta"]["truncation"]["totalLines"], 5000);
                assert_eq!(own["meta"]["truncation"]["nextOffset"], last + 1);
                assert_eq!(own["truncation"]["truncatedBy"], "lines");
                assert_eq!(reply.details.next.as_deref(), Some("f:301"));
            }
            Dialect::Gateway => {
                assert_eq!(own["lines"], json!({"start": 1, "end": last}));
                assert_eq!(
                    (&own["total"], &own["truncated"]),
                    (&json!(5000), &json!(true))
                );
                assert_eq!(own["sha256"], sha256(numbered(5000).as_bytes()));
            }
            Dialect::Comma => {
                assert_eq!(own["data"]["endLine"], last);
                assert_eq!(own["data"]["lineCount"], 5000);
                assert!(own["data"].get("content").is_none());
            }
            Dialect::Gemini => {
                assert_eq!(own["returnDisplay"], "Read lines 1-2000 of 5000 from f");
            }
            Dialect::Claude => {
                assert_eq!(
                    (&own["lineCount"], &own["truncated"]),
                    (&json!(2000), &json!(true))
                );
                assert_eq!(own["contentType"], "text");
                assert_eq!(own["metadata"]["size"], numbered(5000).len());
            }
            Dialect::OpenCode => {
                assert_eq!(own["title"], "f");
                let metadata = json!({"truncated": true, "total": 5000});
                assert_eq!(own["metadata"], metadata);
            }
            Dialect::Codex => {
                assert_eq!(own["lines"], json!([1, last]));
                assert_eq!(
                    (&own["total"], &own["truncated"]),
                    (&json!(5000), &json!(true))
                );
            }
            other => panic!("{other:?} has no test"),
        }
    }
}

/// In the dialect `omp`, the field `displayContent` of the JSON object of a reply is the shown text
/// without line numbers and tags.
#[test]
fn omp_display_content_has_no_line_prefixes() {
    let workspace = Workspace::new();
    workspace.file("f", "one\n\"two\"\n\tthree\nfour\n");
    let session = workspace.session();
    let structured = |path: &str, options: &Options| -> Value {
        let reply = session.read_as(path, Dialect::Omp, options).unwrap();
        let display = reply.details.text().and_then(|text| text.display.clone());
        let own: Value = serde_json::from_str(&reply.structured).unwrap();
        match &display {
            Some(display) => assert_eq!(
                own["displayContent"],
                json!({"text": display.text, "startLine": display.start})
            ),
            None => assert!(own.get("displayContent").is_none(), "{own}"),
        }
        own["displayContent"].clone()
    };
    let options = Options::default();
    assert_eq!(
        structured("f:3-3", &options),
        json!({"text": "\"two\"\n\tthree\nfour", "startLine": 2})
    );
    let bars = Options {
        hashlines: false,
        numbers: true,
        ..Options::default()
    };
    assert_eq!(
        structured("f:4", &bars),
        json!({"text": "four", "startLine": 4})
    );
    // These replies have no prefixes before their lines.
    let plain = Options {
        hashlines: false,
        ..Options::default()
    };
    assert_eq!(structured("f", &plain), Value::Null);
    assert_eq!(structured("f:raw", &options), Value::Null);
    assert_eq!(structured(".", &options), Value::Null);
}
