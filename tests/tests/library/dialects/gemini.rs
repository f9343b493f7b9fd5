//! The dialect `gemini`: previews, ignore files and windows.

use super::{MIB, call, content, numbered, path_of};
use omniread::{Block, Dialect, Reason};
use omniread_tests::Workspace;
use serde_json::{Value, json};

/// Only the first 2000 lines of a long file are shown. With `prefer_full_read`, the whole file is
/// shown, up to 8 MiB.
#[test]
fn gemini_previews_2000_lines_of_a_long_file() {
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
            "[there is more; continue with the path {}:1@2001 and no other arguments]\n{}... [truncated]",
            path("wide").display(),
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

/// A read fails if an ignore file cannot be read.
#[test]
fn unreadable_ignore_file_is_an_error() {
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
    #[cfg(unix)]
    for target in ["nowhere", "/etc/passwd"] {
        let link = workspace.path().join(".geminiignore");
        std::fs::remove_file(&link).unwrap();
        workspace.link(".geminiignore", target);
        let failure = call(&session, Dialect::Gemini, &json!({argument: path})).unwrap_err();
        assert!(
            failure
                .message
                .starts_with("cannot read the ignore file `.geminiignore`"),
            "{}",
            failure.message
        );
    }
}

/// If a page of exact text (`:raw`) does not reach the end of the file, the notice with the path
/// that continues it is in a block of its own after the text.
#[test]
fn raw_text_is_continued_by_a_notice_block() {
    let workspace = Workspace::new();
    workspace.file("more", numbered(2001));
    let session = workspace.session();
    let path = workspace.path().join("more").display().to_string();
    let arguments = json!({"absolute_path": format!("{path}:raw")});
    let reply = call(&session, Dialect::Gemini, &arguments).unwrap();
    let [Block::Text(object), Block::Notice(notice)] = reply.blocks.as_slice() else {
        panic!("{:?}", reply.blocks.len());
    };
    let object: Value = serde_json::from_str(object).unwrap();
    assert_eq!(object["llmContent"], numbered(2000));
    assert_eq!(
        *notice,
        format!(
            "[Showing lines 1-2000 of 2001 total lines. Use the path {path}:2001:raw without other arguments to continue.]"
        )
    );
}

/// The ignore files of every root apply, even to files in a root that is inside another root.
#[test]
fn ignore_files_of_all_roots_apply() {
    let workspace = Workspace::new();
    workspace
        .file(".geminiignore", "*.key\n/nest/other\n")
        .file("nest/n.key", "x\n")
        .file("nest/other", "x\n")
        .file("nest/free", "x\n")
        .file("a:b.key", "x\n");
    let nest = workspace.path().join("nest");
    let reader = workspace.builder().root(&nest).build().unwrap();
    let session = reader.session();
    let read = |path: String| call(&session, Dialect::Gemini, &json!({"absolute_path": path}));
    for name in ["n.key", "other"] {
        let failure = read(nest.join(name).display().to_string()).unwrap_err();
        assert!(matches!(failure.reason, Reason::Ignored(_)), "{name}");
    }
    assert!(read(nest.join("free").display().to_string()).is_ok());
    let escaped = workspace.path().join("a\\:b.key").display().to_string();
    assert!(matches!(
        read(escaped).unwrap_err().reason,
        Reason::Ignored(_)
    ));
}

/// An ignore file may be in UTF-16, because some shells write files in that encoding.
#[test]
fn ignore_file_in_utf16_is_read() {
    let workspace = Workspace::new();
    let text: Vec<u8> = "\u{feff}*.key\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    workspace.file(".siiignore", text).file("a.key", "x\n");
    let session = workspace.session();
    let (argument, path) = path_of(Dialect::Gemini, &workspace, "a.key");
    let failure = call(&session, Dialect::Gemini, &json!({argument: path})).unwrap_err();
    assert!(matches!(failure.reason, Reason::Ignored(_)));
}

/// If the requested offset or line is after the end of the file, the reply states the number of
/// lines of the file.
#[test]
fn window_past_the_end_states_the_length() {
    let workspace = Workspace::new();
    workspace
        .file("f", numbered(20))
        .file("one", "x\n")
        .file("empty", "");
    let session = workspace.session();
    let path = |name: &str| workspace.path().join(name).display().to_string();
    for (name, offset, expected) in [
        (
            "f",
            50,
            "[offset 50 is past the end: the file has 20 lines]",
        ),
        (
            "f",
            20,
            "[offset 20 is past the end: the file has 20 lines]",
        ),
        ("one", 1, "[offset 1 is past the end: the file has 1 line]"),
        ("empty", 3, "[offset 3 is past the end: the file is empty]"),
        ("empty", 0, ""),
    ] {
        let arguments = json!({"absolute_path": path(name), "offset": offset, "limit": 5});
        assert_eq!(content(&session, &arguments), expected, "{name} {offset}");
    }
    let selected = json!({"absolute_path": path("f:50-60")});
    assert_eq!(
        content(&session, &selected),
        "[line 50 is past the end: the file has 20 lines]"
    );
    let last = json!({"absolute_path": path("f"), "offset": 19, "limit": 5});
    assert!(content(&session, &last).ends_with("]\nline 20\n"));
}

/// `file_path` with `start_line` and `end_line`, counted from 1 and inclusive, reads the same lines as
/// `absolute_path` with `offset` and `limit`. A part has the frame of today's tool.
#[test]
fn gemini_takes_the_arguments_of_today() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", numbered(20))
        .file("long.txt", numbered(2500));
    let session = workspace.session();
    let whole = content(&session, &json!({"file_path": "a.txt"}));
    assert_eq!(whole, numbered(20));
    let absolute = json!({"file_path": workspace.path().join("a.txt")});
    assert_eq!(content(&session, &absolute), whole);

    let frame = |arguments: &Value| {
        let content = content(&session, arguments);
        let lines: Vec<String> = content.lines().map(str::to_owned).collect();
        let (head, lines) = lines.split_at(3);
        (head.join("\n"), lines.join("\n"))
    };
    let (head, lines) = frame(&json!({"file_path": "a.txt", "start_line": 3, "end_line": 4}));
    assert_eq!(
        head,
        "PART OF THE FILE: the content is cut.\nLines: 3-4 of 20\nNext: call with start_line: 5"
    );
    assert_eq!(lines, "line 3\nline 4");
    let (head, lines) = frame(&json!({"file_path": "a.txt", "end_line": 2}));
    assert!(
        head.ends_with("\nLines: 1-2 of 20\nNext: call with start_line: 3"),
        "{head}"
    );
    assert_eq!(lines, "line 1\nline 2");
    let (head, lines) = frame(&json!({"file_path": "a.txt", "start_line": 19, "end_line": 99}));
    assert!(
        head.ends_with("\nLines: 19-20 of 20\nNext: these lines reach the end of the file."),
        "{head}"
    );
    assert_eq!(lines, "line 19\nline 20");

    // Following the frame reads every line once.
    let mut start = 1;
    let mut all = Vec::new();
    loop {
        let (head, lines) = frame(&json!({"file_path": "long.txt", "start_line": start}));
        all.extend(lines.lines().map(str::to_owned));
        match head.split_once("start_line: ") {
            Some((_, next)) => start = next.parse().unwrap(),
            None => break,
        }
    }
    assert_eq!(all.join("\n") + "\n", numbered(2500));

    let past = content(&session, &json!({"file_path": "a.txt", "start_line": 21}));
    assert_eq!(past, "[line 21 is past the end: the file has 20 lines]");
}

/// A call has the arguments of one form.
#[test]
fn gemini_refuses_arguments_of_two_forms() {
    let workspace = Workspace::new();
    workspace.file("a.txt", numbered(20));
    let session = workspace.session();
    for (arguments, argument, message) in [
        (
            json!({"file_path": "a.txt", "offset": 1, "limit": 2}),
            "offset",
            "argument `offset` cannot be used with `file_path`",
        ),
        (
            json!({"file_path": "a.txt", "absolute_path": "/a.txt"}),
            "absolute_path",
            "argument `absolute_path` cannot be used with `file_path`",
        ),
        (
            json!({"absolute_path": "/a.txt", "start_line": 1}),
            "start_line",
            "argument `start_line` cannot be used with `absolute_path`",
        ),
        (
            json!({"file_path": "a.txt", "start_line": 9, "end_line": 8}),
            "end_line",
            "argument `end_line` must be at least `start_line`, which is 9, not 8",
        ),
        (
            json!({"start_line": 9}),
            "file_path",
            "argument `file_path` is missing",
        ),
        (
            json!({}),
            "absolute_path",
            "argument `absolute_path` is missing",
        ),
    ] {
        let failure = call(&session, Dialect::Gemini, &arguments).unwrap_err();
        assert_eq!(failure.message.to_string(), message, "{arguments}");
        assert_eq!(failure.reason, Reason::InvalidArgument(argument.to_owned()));
    }
    // The model passes `null` for the arguments of the other form if the call is strict.
    let strict = json!({"file_path": "a.txt", "start_line": null, "end_line": 1, "offset": null});
    assert!(content(&session, &strict).ends_with("line 1"));
}
