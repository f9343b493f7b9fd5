//! The dialect `comma`: exact content, hashes and encodings.

use super::{MIB, call, data, numbered, path_of, sha256};
use omniread::{Dialect, Reason, Session};
use omniread_tests::Workspace;
use serde_json::{Value, json};
use std::fs::File;

/// The specification of the dialect `comma` requires that the content is cut to `maxBytes` bytes,
/// and that the hash is that of the whole file.
#[test]
fn comma_content_is_cut_between_characters() {
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
            // A byte order mark is not shown alone, and a CRLF is not split.
            if expected == "\u{feff}" && whole.len() > expected.len() {
                expected = "";
            }
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
fn comma_cut_content_names_what_reads_on() {
    let workspace = Workspace::new();
    let lines: String = (1..=50).map(|n| format!("line {n}\n")).collect();
    workspace.file("f", &lines).file("long", "x".repeat(250));
    let session = workspace.session();
    let mut read = String::new();
    let mut start = 1;
    loop {
        let arguments = json!({"path": "f", "startLine": start, "maxBytes": 100});
        let page = data(&session, &arguments);
        let content = page["content"].as_str().unwrap();
        let Some(next) = page["nextStartLine"].as_u64() else {
            read.push_str(content);
            break;
        };
        let count = usize::try_from(next - start).unwrap();
        assert!(count > 0, "{page}");
        read.extend(content.split_inclusive('\n').take(count));
        start = next;
    }
    assert_eq!(read, lines);
    let mut read = String::new();
    let mut path = "long".to_owned();
    loop {
        let page = data(&session, &json!({"path": path, "maxBytes": 100}));
        read.push_str(page["content"].as_str().unwrap());
        assert_eq!(page["nextStartLine"], Value::Null);
        let Some(next) = page["nextPath"].as_str() else {
            break;
        };
        path = next.to_owned();
    }
    assert_eq!(read, "x".repeat(250));
}

#[test]
fn comma_line_range_is_exact() {
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
    // A page has at most 8 MiB, whatever `maxBytes` is.
    let page = data(&session, &json!({"path": "f", "maxBytes": 1e12}));
    assert_eq!(page["content"], &whole[..8 * MIB]);
    assert_eq!(page["truncated"], true);
}

/// The specification of the dialect `comma` requires that a file is binary if its first 8 KiB
/// contain a NUL byte.
#[test]
fn nul_in_first_8_kib_is_binary() {
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

/// A request for separate ranges of lines is refused. The content would not contain the lines
/// between them, and an edit tool that replaces the whole part would delete these lines.
#[test]
fn comma_refuses_separate_ranges() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(20)).file("b", "a\0b");
    let session = workspace.session();
    let failure = call(&session, Dialect::Comma, &json!({"path": "f:2-3,10-12"})).unwrap_err();
    assert!(matches!(failure.reason, Reason::InvalidSelector(_)));
    let joined = data(&session, &json!({"path": "f:2-3,4-5"}));
    assert_eq!(
        (&joined["startLine"], &joined["endLine"]),
        (&json!(2), &json!(5))
    );
    let lines = json!({"path": "b", "allowBinary": true, "startLine": 2});
    let failure = call(&session, Dialect::Comma, &lines).unwrap_err();
    assert!(matches!(failure.reason, Reason::InvalidArgument(name) if name == "startLine"));
}

/// A session with a timeout of 30 seconds. Huge files are read without a hash, because hashing them
/// would take too long.
fn session_with_short_timeout(workspace: &Workspace) -> Session {
    let builder = workspace.builder();
    let reader = builder.timeout(std::time::Duration::from_secs(10)).build();
    reader.unwrap().session()
}

/// The reply for a file that changes during the read contains no hash. The hash of bytes other than
/// the shown ones would allow a wrong edit.
#[test]
fn file_that_changes_has_no_hash() {
    let workspace = Workspace::new();
    workspace.file("log", numbered(1_000_000));
    let path = workspace.path().join("log");
    let session = session_with_short_timeout(&workspace);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::Write as _;
            let mut log = File::options().append(true).open(&path).unwrap();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                log.write_all(b"more\n").unwrap();
            }
        });
        for _ in 0..5 {
            let data = data(&session, &json!({"path": "log", "endLine": 1}));
            assert_eq!(data["content"], "line 1\n");
            assert_eq!(data["sha256"], json!(null));
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let data = data(&session, &json!({"path": "log", "endLine": 1}));
    assert_eq!(data["sha256"], sha256(&std::fs::read(&path).unwrap()));
}

/// If the content, written back in UTF-8, would differ from the bytes of the file, the reply states
/// the encoding of the file and whether bytes could not be decoded.
#[test]
fn converted_content_states_encoding_and_loss() {
    let workspace = Workspace::new();
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let bytes = |unit: u16| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        };
        text.encode_utf16().flat_map(bytes).collect()
    };
    // The letters are Chinese, because a NUL byte would make the file binary.
    let han = "\u{feff}我能吞下玻璃而不伤身体。";
    let mut odd = utf16(han, false);
    odd.push(b'x');
    workspace
        .file("latin", b"na\xefve\n")
        .file("big", utf16(han, true))
        .file("odd", odd)
        .file("damaged", b"gr\xc3\xbc\xc3\x9fe \xff\xfe end\n")
        .file("cut", "caf€".as_bytes().split_last().unwrap().1)
        .file("later", b"one\ntwo gr\xc3\xbc\xc3\x9fe \xff\nthree\n");
    let session = workspace.session();
    let origin = |arguments: Value| {
        let data = data(&session, &arguments);
        let fields = ["sourceEncoding", "guessed", "lossy", "undecodableBytes"];
        let fields = fields.map(|name| data.get(name).cloned().unwrap_or_default());
        (data["content"].as_str().unwrap().to_owned(), fields)
    };
    let none = Value::Null;
    let decoded = |name: &str, guessed: bool| {
        let guessed = guessed.then_some(true);
        [json!(name), json!(guessed), none.clone(), none.clone()]
    };
    let lossy = |name: &str, bytes: u64| [json!(name), none.clone(), json!(true), json!(bytes)];
    for (arguments, content, fields) in [
        (
            json!({"path": "latin"}),
            "naïve\n",
            decoded("windows-1252", true),
        ),
        (json!({"path": "big"}), han, decoded("utf-16be", false)),
        (
            json!({"path": "odd"}),
            "\u{feff}我能吞下玻璃而不伤身体。\u{fffd}",
            lossy("utf-16le", 1),
        ),
        (
            json!({"path": "damaged"}),
            "grüße \u{fffd}\u{fffd} end\n",
            lossy("utf-8", 2),
        ),
        // The file ends in the middle of a character.
        (json!({"path": "cut"}), "caf\u{fffd}", lossy("utf-8", 2)),
        (
            json!({"path": "later"}),
            "one\ntwo grüße \u{fffd}\nthree\n",
            lossy("utf-8", 1),
        ),
        (
            json!({"path": "later", "startLine": 2, "endLine": 2}),
            "two grüße \u{fffd}\n",
            lossy("utf-8", 1),
        ),
    ] {
        assert_eq!(
            origin(arguments.clone()),
            (content.to_owned(), fields),
            "{arguments}"
        );
    }
}

/// The reply has no encoding fields if the content is exactly the bytes of the file.
#[test]
fn exact_content_has_no_encoding_fields() {
    let workspace = Workspace::new();
    workspace
        .file("plain", "grüße\r\n")
        .file("marked", "\u{feff}grüße\n")
        .file("replaced", "a \u{fffd} of its own\n")
        .file("later", b"one\ntwo gr\xc3\xbc\xc3\x9fe \xff\nthree\n")
        .file("binary", b"a\0\xff");
    let session = workspace.session();
    for arguments in [
        json!({"path": "plain"}),
        // The content does not end in the middle of a character.
        json!({"path": "plain", "maxBytes": 3}),
        json!({"path": "marked"}),
        json!({"path": "replaced"}),
        // The invalid byte is in another line, or after the end of the content.
        json!({"path": "later", "startLine": 3}),
        json!({"path": "later", "maxBytes": 10}),
        json!({"path": "binary", "allowBinary": true}),
    ] {
        let data = data(&session, &arguments);
        for name in ["sourceEncoding", "guessed", "lossy", "undecodableBytes"] {
            assert!(data.get(name).is_none(), "{arguments}: {data}");
        }
    }
}

/// A read succeeds without a hash if the file is too large to be hashed within the timeout. No
/// machine hashes these 4 TiB in time.
#[test]
fn file_too_large_to_hash_is_read_without_a_hash() {
    let workspace = Workspace::new();
    let holes = |name: &str, bytes: u64| {
        let path = workspace.path().join(name);
        let file = File::options().write(true).open(path).unwrap();
        file.set_len(bytes).unwrap();
    };
    workspace.file("huge", b"a\0b");
    holes("huge", 1 << 42);
    let session = session_with_short_timeout(&workspace);
    let page = data(
        &session,
        &json!({"path": "huge", "allowBinary": true, "maxBytes": 3}),
    );
    assert_eq!(page["contentBase64"], "YQBi");
    assert_eq!(page["sha256"], Value::Null);
    assert_eq!(
        page["note"],
        "no SHA-256: hashing 4.0TB would take most of the time that is left"
    );
    assert_eq!(
        (&page["sizeBytes"], &page["truncated"]),
        (&json!(1u64 << 42), &json!(true))
    );
    let failure = call(&session, Dialect::Comma, &json!({"path": "huge"})).unwrap_err();
    let error: Value = serde_json::from_str(&failure.text).unwrap();
    assert_eq!(error["error"]["kind"], "binary_file");
    assert_eq!(error["error"]["sizeBytes"], 1u64 << 42);
    assert!(error["error"].get("sha256").is_none(), "{error}");

    // A read of one line states the number of all lines.
    workspace.file("text", numbered(5000));
    holes("text", 1 << 28);
    let session = workspace.session();
    let page = data(&session, &json!({"path": "text", "endLine": 1}));
    assert_eq!(page["content"], "line 1\n");
    // The hole is the last line, without a line ending.
    assert_eq!(page["lineCount"], 5001);
    assert_eq!(page["sizeBytes"], 1u64 << 28);
    match page["sha256"].as_str() {
        None => assert!(page["note"].as_str().unwrap().starts_with("no SHA-256")),
        Some(hash) => assert_eq!(hash.len(), 64),
    }
    // A small file is always hashed.
    workspace.file("small", "x\n");
    let page = data(&session, &json!({"path": "small"}));
    assert_eq!(page["sha256"], sha256(b"x\n"));
    assert!(page.get("note").is_none());
}
