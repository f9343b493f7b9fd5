//! The dialect `comma`.

use super::{MIB, call, data, numbered, path_of, sha256};
use omniread::{Dialect, Reason};
use omniread_tests::Workspace;
use serde_json::{Value, json};
use std::fs::File;

/// Seed of `comma`: content is cut at `maxBytes`, and the hash is that of all
/// bytes on disk whatever is shown.
#[test]
fn cuts_on_character_boundaries() {
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
            // A mark stands with the first character, and a line ending is not
            // torn.
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
fn slices_by_lines() {
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
fn hashes_and_counts_large_files() {
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
fn calls_binary_what_has_an_early_nul() {
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

/// An edit tool would take what lies between for deleted.
#[test]
fn gives_one_range() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(20)).file("b", "a\0b");
    let session = workspace.session();
    let failure = call(&session, Dialect::Comma, &json!({"path": "f:2-3,10-12"})).unwrap_err();
    assert!(matches!(failure.reason, Reason::Selector(_)));
    let joined = data(&session, &json!({"path": "f:2-3,4-5"}));
    assert_eq!(
        (&joined["startLine"], &joined["endLine"]),
        (&json!(2), &json!(5))
    );
    let lines = json!({"path": "b", "allowBinary": true, "startLine": 2});
    let failure = call(&session, Dialect::Comma, &lines).unwrap_err();
    assert!(matches!(failure.reason, Reason::Argument(name) if name == "startLine"));
}

/// A hash of other bytes than those that are shown would let a write through.
#[test]
fn gives_no_hash_of_a_file_that_changes() {
    let workspace = Workspace::new();
    workspace.file("log", numbered(1_000_000));
    let path = workspace.path().join("log");
    let session = workspace.session();
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
