//! The dialects at their limits: what each of their documents promises, where
//! a case file would be too long to read.

#![allow(missing_docs, reason = "a test")]

use omniread::{Block, Dialect, Failure, Kind, Options, Reason, Reply, Session};
use omniread_tests::Workspace;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::time::Duration;

const ALL: [Dialect; 5] = [
    Dialect::Omp,
    Dialect::Gateway,
    Dialect::Comma,
    Dialect::Gemini,
    Dialect::Claude,
];

const MIB: usize = 1 << 20;

fn call(session: &Session, dialect: Dialect, arguments: &Value) -> Result<Reply, Failure> {
    session.call(dialect, &arguments.to_string(), &Options::default())
}

/// The text of a reply that must succeed.
fn text(session: &Session, dialect: Dialect, arguments: &Value) -> String {
    match call(session, dialect, arguments) {
        Ok(reply) => reply.text(),
        Err(failure) => panic!("{arguments}: {}", failure.text),
    }
}

/// The JSON object that the text of a reply is.
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

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}

/// The name of the argument that takes the path, and a path that it takes.
fn path_of(dialect: Dialect, workspace: &Workspace, name: &str) -> (&'static str, String) {
    let absolute = workspace.path().join(name).display().to_string();
    match dialect {
        Dialect::Omp | Dialect::Comma => ("path", name.to_owned()),
        Dialect::Gateway => ("filePath", absolute),
        Dialect::Gemini => ("absolute_path", absolute),
        Dialect::Claude => ("file_path", absolute),
    }
}

fn numbered(lines: usize) -> String {
    (1..=lines).fold(String::new(), |mut out, n| {
        let _ = writeln!(out, "line {n}");
        out
    })
}

/// A PNG of so many bytes, of which the header is sound.
fn png(bytes: usize) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x04\xb0\0\0\x03\x20\x08\x02\0\0\0".to_vec();
    png.resize(bytes, 0);
    png
}

/// Whatever a model gives, the wrong argument is named, the failure has the
/// form of the dialect, and the next call works.
#[test]
fn every_wrong_argument_is_named() {
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
                        json!(null),
                        json!([1]),
                    ]
                }
                "boolean" => vec![json!(1), json!("true"), json!(null)],
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
                Reason::Argument(argument) => assert_eq!(*argument, name, "{shown}"),
                reason => panic!("{shown}: {reason:?}"),
            }
            assert!(
                failure.message.contains(&name),
                "{shown}: {}",
                failure.message
            );
            assert!(!failure.text.is_empty());
            if matches!(dialect, Dialect::Comma | Dialect::Gemini) {
                let form: Value = serde_json::from_str(&failure.text).expect("a JSON object");
                let named = match dialect {
                    Dialect::Comma => &form["error"]["kind"],
                    _ => &form["llmContent"],
                };
                assert!(named.is_string(), "{form}");
            }
            assert!(call(&session, dialect, &fine).is_ok(), "after {shown}");
        }
    }
}

/// Seed of `gateway`: "Text files: 50KB of output (after formatting with line
/// numbers)".
#[test]
fn gateway_ends_before_a_line_that_does_not_fit() {
    let workspace = Workspace::new();
    // A number of four columns, three more, the text and a line end: 100 bytes.
    let line = format!("{}\n", "x".repeat(92));
    workspace
        .file("fits", line.repeat(512))
        .file("more", line.repeat(513));
    let session = workspace.session();
    let read = |name: &str, offset: u64| {
        let path = workspace.path().join(name);
        text(
            &session,
            Dialect::Gateway,
            &json!({"filePath": path, "offset": offset}),
        )
    };
    let fits = read("fits", 0);
    assert!(fits.contains("lines=\"1-512\" total=\"512\""));
    assert!(fits.ends_with("</file>"), "all of it is there");
    let more = read("more", 0);
    assert!(more.contains("lines=\"1-512\" total=\"513\""));
    assert!(more.ends_with("</file>\n[Output truncated at 50KB. Use offset/limit to read more.]"));
    assert_eq!(
        more.lines().filter(|line| line.contains(" | ")).count(),
        512
    );
    assert!(read("more", 512).contains("\n 513 | x"));
}

#[test]
fn gateway_cuts_long_lines_and_pages() {
    let workspace = Workspace::new();
    workspace
        .file(
            "long",
            format!("{}\n{}\n", "é".repeat(2000), "é".repeat(2001)),
        )
        .file("lines", numbered(2500));
    let session = workspace.session();
    let path = workspace.path().join("long");
    let long = text(&session, Dialect::Gateway, &json!({"filePath": path}));
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[1], format!("   1 | {}", "é".repeat(2000)));
    assert_eq!(lines[2], format!("   2 | {} [truncated]", "é".repeat(2000)));
    assert_eq!(
        lines[4],
        "[line 2 is cut; append :2@2001 to the path to read on there]"
    );
    let rest = format!("{}:2@2001", path.display());
    let rest = text(&session, Dialect::Gateway, &json!({"filePath": rest}));
    assert!(rest.contains("   2 | é\n"), "{rest}");

    let path = workspace.path().join("lines");
    let mut offset = 0;
    let mut seen = String::new();
    let mut pages = Vec::new();
    loop {
        let page = text(
            &session,
            Dialect::Gateway,
            &json!({"filePath": path, "offset": offset}),
        );
        for line in page.lines().filter_map(|line| line.split_once(" | ")) {
            let _ = writeln!(seen, "{}", line.1);
            offset = line.0.trim().parse::<u64>().unwrap();
        }
        let more = page.contains("to read more");
        pages.push(page);
        if !more {
            break;
        }
    }
    assert_eq!(seen, numbered(2500));
    assert_eq!(pages.len(), 2);
    assert!(pages[0].ends_with("</file>\n[Lines 1-2000 of 2500. Use offset=2000 to read more.]"));
}

/// Seed of `gateway`: "Images and PDFs: 5MB maximum file size".
#[test]
fn gateway_hands_out_media_up_to_5_mib() {
    let workspace = Workspace::new();
    let pdf = |bytes: usize| {
        let mut pdf = b"%PDF-1.7\n".to_vec();
        pdf.resize(bytes, b'\n');
        pdf
    };
    workspace
        .file("fits.png", png(5 * MIB))
        .file("more.png", png(5 * MIB + 1))
        .file("fits.pdf", pdf(5 * MIB))
        .file("more.pdf", pdf(5 * MIB + 1));
    let huge = workspace.path().join("huge.png");
    workspace.file("huge.png", png(100));
    File::options()
        .write(true)
        .open(&huge)
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    let session = workspace.session();
    let read = |name: &str| {
        let path = workspace.path().join(name);
        (
            call(&session, Dialect::Gateway, &json!({"filePath": path})),
            path.display().to_string(),
        )
    };
    let (reply, path) = read("fits.png");
    let reply = reply.unwrap();
    assert_eq!(reply.details.kind, Kind::Image);
    let [Block::Text(words), Block::Image(image)] = reply.blocks.as_slice() else {
        panic!("{:?}", reply.details);
    };
    assert_eq!(*words, format!("Read image: {path}"));
    assert_eq!(
        (image.mime.as_str(), image.data.len()),
        ("image/png", (5 * MIB).div_ceil(3) * 4)
    );
    let (reply, path) = read("fits.pdf");
    let reply = reply.unwrap();
    assert_eq!(reply.details.kind, Kind::Document);
    assert!(
        matches!(reply.blocks.as_slice(), [Block::Text(words), Block::Document(_)]
        if *words == format!("Read PDF: {path}"))
    );
    for (name, what) in [
        ("more.png", "Image"),
        ("more.pdf", "PDF"),
        ("huge.png", "Image"),
    ] {
        let (outcome, path) = read(name);
        let failure = outcome.unwrap_err();
        assert_eq!(
            failure.text,
            format!("{what} file exceeds 5MB limit: {path}")
        );
        assert!(matches!(failure.reason, Reason::Limit(limit) if limit.value == 5 * MIB as u64));
    }
}

/// Seed of `comma`: content is cut at `maxBytes`, and the hash is that of all
/// bytes on disk whatever is shown.
#[test]
fn comma_cuts_on_character_boundaries() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for whole in [
        "a€b\r\nüü\n\n😀 end\n",
        "\u{feff}€\r\n€\r\n",
        "no line end",
        "\n\n\n",
        "",
    ] {
        workspace.file("f", whole);
        for bytes in 1..whole.len() + 3 {
            let data = data(&session, &json!({"path": "f", "maxBytes": bytes}));
            let longest = (0..=bytes.min(whole.len()))
                .rev()
                .find(|end| whole.is_char_boundary(*end))
                .unwrap();
            let mut expected = &whole[..longest];
            // A line ending is not torn.
            if expected.ends_with('\r') && whole[longest..].starts_with('\n') {
                expected = &expected[..longest - 1];
            }
            assert_eq!(data["content"], expected, "{whole:?} {bytes}");
            assert_eq!(
                data["truncated"],
                expected.len() < whole.len(),
                "{whole:?} {bytes}"
            );
            assert_eq!(data["sha256"], sha256(whole.as_bytes()));
            assert_eq!(data["sizeBytes"], whole.len());
            assert_eq!(data["lineCount"], whole.lines().count());
        }
    }
}

#[test]
fn comma_slices_by_lines() {
    let workspace = Workspace::new();
    let lines = ["a\n", "b\r\n", "\n", "d"];
    workspace.file("f", lines.concat());
    let session = workspace.session();
    for first in 1..7 {
        for last in first..8 {
            let data = data(
                &session,
                &json!({"path": "f", "startLine": first, "endLine": last}),
            );
            let end = last.min(lines.len());
            let expected = lines.get(first - 1..end).unwrap_or_default().concat();
            assert_eq!(data["content"], expected, "{first}-{last}");
            assert_eq!(
                (&data["startLine"], &data["endLine"]),
                (&json!(first), &json!(end))
            );
            assert_eq!(data["truncated"], false);
            assert_eq!(data["sha256"], sha256(lines.concat().as_bytes()));
        }
    }
}

#[test]
fn comma_hashes_and_counts_large_files() {
    let workspace = Workspace::new();
    let whole = numbered(1_200_000);
    assert!(whole.len() > 9 * MIB);
    workspace.file("f", &whole);
    let session = workspace.session();
    let hash = sha256(whole.as_bytes());
    let page = data(&session, &json!({"path": "f"}));
    assert_eq!(page["content"], &whole[..256 * 1024]);
    assert_eq!(
        (&page["truncated"], &page["lineCount"]),
        (&json!(true), &json!(1_200_000))
    );
    assert_eq!(page["sha256"], hash);
    let page = data(&session, &json!({"path": "f", "startLine": 1_199_999}));
    assert_eq!(page["content"], "line 1199999\nline 1200000\n");
    assert_eq!(
        (&page["truncated"], &page["sha256"]),
        (&json!(false), &json!(hash))
    );
    // Also what is asked for ends somewhere.
    let page = data(&session, &json!({"path": "f", "maxBytes": 1e12}));
    assert_eq!(page["content"], &whole[..8 * MIB]);
    assert_eq!(page["truncated"], true);
}

/// Seed of `comma`: a NUL in the first 8 KiB, and no byte later.
#[test]
fn comma_calls_binary_what_has_an_early_nul() {
    let workspace = Workspace::new();
    let with_nul = |at: usize| {
        let mut bytes = vec![b'x'; 20_000];
        bytes[at] = 0;
        bytes
    };
    workspace
        .file("early", with_nul(8191))
        .file("late", with_nul(8192));
    let session = workspace.session();
    let failure = call(&session, Dialect::Comma, &json!({"path": "early"})).unwrap_err();
    let error: Value = serde_json::from_str(&failure.text).unwrap();
    assert_eq!(error["ok"], false);
    assert_eq!(error["error"]["kind"], "binary_file");
    assert_eq!(error["error"]["sizeBytes"], 20_000);
    assert_eq!(error["error"]["sha256"], sha256(&with_nul(8191)));
    let page = data(
        &session,
        &json!({"path": "early", "allowBinary": true, "maxBytes": 3000}),
    );
    assert_eq!(
        (&page["encoding"], &page["truncated"]),
        (&json!("base64"), &json!(true))
    );
    assert_eq!(page["contentBase64"].as_str().unwrap().len(), 4000);
    assert!(page.get("content").is_none());
    let page = data(&session, &json!({"path": "late", "allowBinary": true}));
    assert_eq!(page["content"].as_str().unwrap().as_bytes(), with_nul(8192));
    let read = |name: &str| {
        let (argument, path) = path_of(Dialect::Gateway, &workspace, name);
        call(&session, Dialect::Gateway, &json!({argument: path}))
    };
    let failure = read("early").unwrap_err();
    assert!(matches!(failure.reason, Reason::Binary(_)));
    assert!(read("late").is_ok());
}

/// A preview of 2000 lines, and a flag that lifts it.
#[test]
fn gemini_previews_long_files() {
    let workspace = Workspace::new();
    workspace
        .file("fits", numbered(2000))
        .file("more", numbered(2001))
        .file("wide", "x".repeat(2001))
        .file("huge", numbered(1_200_000));
    let session = workspace.session();
    let path = |name: &str| workspace.path().join(name);
    assert_eq!(
        content(&session, &json!({"absolute_path": path("fits")})),
        numbered(2000)
    );
    let preview = content(&session, &json!({"absolute_path": path("more")}));
    let (head, shown) = preview.split_once('\n').unwrap();
    assert_eq!(
        head,
        "[File content truncated: showing lines 1-2000 of 2001 total lines. Use offset/limit parameters to view more.]"
    );
    assert_eq!(shown, numbered(2000).trim_end());
    let full = json!({"absolute_path": path("more"), "prefer_full_read": true});
    assert_eq!(content(&session, &full), numbered(2001));
    let rest = json!({"absolute_path": path("more"), "offset": 2000, "limit": 2000});
    assert!(content(&session, &rest).ends_with("\nline 2001\n"));
    // Offset 10 is line 11.
    let part = json!({"absolute_path": path("more"), "offset": 10, "limit": 2});
    assert!(content(&session, &part).ends_with("]\nline 11\nline 12"));

    let cut = content(&session, &json!({"absolute_path": path("wide")}));
    assert_eq!(
        cut,
        format!(
            "[line 1 is cut; append :1@2001 to the path to read on there]\n{}... [truncated]",
            "x".repeat(2000)
        )
    );
    let full = json!({"absolute_path": path("wide"), "prefer_full_read": true});
    assert_eq!(content(&session, &full), "x".repeat(2001));

    let full = json!({"absolute_path": path("huge"), "prefer_full_read": true});
    let full = content(&session, &full);
    assert!(full.len() > 8 * MIB - 100 && full.len() <= 8 * MIB + 200);
    assert!(full.starts_with("[File content truncated: showing lines 1-"));
}

/// Ignore files that cannot be read are not taken for permission.
#[test]
fn gemini_does_not_guess_what_is_ignored() {
    let workspace = Workspace::new();
    workspace
        .file("f", "x\n")
        .file(".geminiignore", "#".repeat(MIB + 1));
    let session = workspace.session();
    let (argument, path) = path_of(Dialect::Gemini, &workspace, "f");
    let failure = call(&session, Dialect::Gemini, &json!({argument: path})).unwrap_err();
    assert!(
        failure.message.contains(".geminiignore"),
        "{}",
        failure.message
    );
    workspace.file(".geminiignore", "");
    assert!(call(&session, Dialect::Gemini, &json!({argument: path})).is_ok());
}

/// Pictures that do not fit are described; past 50 MB they are refused.
#[test]
fn claude_shows_pictures_that_models_take() {
    let workspace = Workspace::new();
    workspace
        .file("fits.png", png(5 * MIB))
        .file("more.png", png(5 * MIB + 1))
        .file("huge.png", png(100));
    let huge = File::options()
        .write(true)
        .open(workspace.path().join("huge.png"))
        .unwrap();
    huge.set_len(50 << 20).unwrap();
    let session = workspace.session();
    let read = |name: &str| call(&session, Dialect::Claude, &json!({"file_path": name}));
    let reply = read("fits.png").unwrap();
    assert!(matches!(
        reply.blocks.as_slice(),
        [Block::Image(_), Block::Text(_)]
    ));
    assert_eq!(
        reply.text(),
        "Image: fits.png\nSize: 5 MB\nDimensions: 1200 x 800\nType: PNG"
    );
    for name in ["more.png", "huge.png"] {
        let reply = read(name).unwrap();
        assert!(
            matches!(reply.blocks.as_slice(), [Block::Text(_)]),
            "{name}"
        );
        assert!(
            reply.text().ends_with("[not shown: larger than 5.0MB]"),
            "{}",
            reply.text()
        );
        assert!(!reply.details.media.unwrap().shown);
    }
    huge.set_len((50 << 20) + 1).unwrap();
    let failure = read("huge.png").unwrap_err();
    assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
}

/// A call that the host had to end is answered in the form of its dialect, and
/// names the path that was asked for.
#[test]
fn what_is_ended_is_said_in_the_form_of_the_dialect() {
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
        .deadline(Duration::from_millis(50))
        .build()
        .unwrap();
    let session = reader.session();
    for dialect in ALL {
        let (argument, path) = path_of(dialect, &workspace, "holes:900000000");
        let failure = call(&session, dialect, &json!({argument: path})).unwrap_err();
        assert!(
            matches!(&failure.reason, Reason::Limit(limit) if limit.name == "time" && limit.value == 50),
            "{:?}",
            failure.reason
        );
        let said = match dialect {
            Dialect::Comma => {
                let form: Value = serde_json::from_str(&failure.text).unwrap();
                assert_eq!(form["error"]["kind"], "read_failed");
                form["error"]["message"].as_str().unwrap().to_owned()
            }
            Dialect::Gemini => {
                let form: Value = serde_json::from_str(&failure.text).unwrap();
                form["llmContent"].as_str().unwrap().to_owned()
            }
            _ => failure.text,
        };
        assert!(
            said.contains(&format!("`{path}` took longer than the 50 ms it may")),
            "{said}"
        );
    }
}

/// No block is anything but text, unless it is a picture or document, and the
/// same facts are there as data.
#[test]
fn structured_facts_are_those_of_the_words() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(5000));
    let session = workspace.session();
    for dialect in ALL {
        let (argument, path) = path_of(dialect, &workspace, "f");
        let reply = call(&session, dialect, &json!({argument: path})).unwrap();
        let own: Value = serde_json::from_str(&reply.structured).unwrap();
        let window = reply.details.window.as_ref().unwrap();
        let last = window.shown.last().unwrap().last;
        match dialect {
            Dialect::Omp => {
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
        }
    }
}
