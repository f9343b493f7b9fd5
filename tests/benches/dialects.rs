//! Benchmark of dialects: the overhead of a call over a typed read, and the cost of the hash.
//!
//! `cargo bench -p omniread-tests --bench dialects`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread::{Dialect, Options, Session};
use serde_json::{Value, json};
use shared::{paired, row};
use std::time::Duration;

const MB: usize = 1_000_000;

fn main() {
    let workspace = shared::workspace();
    let line = shared::LINE;
    workspace
        .file("4KB.log", line.repeat(4096 / line.len()))
        .file("1MB.log", line.repeat(MB / line.len()))
        .file("50MB.log", line.repeat(50 * MB / line.len()));
    let session = workspace.session();
    let lines = MB / line.len();
    let path = |name: &str| workspace.path().join(name).display().to_string();

    println!("a call against the typed read in the same dialect, medians");
    for (dialect, name) in DIALECTS {
        for file in ["12B.txt", "4KB.log"] {
            let path = path(file);
            let (argument, path) = match dialect {
                Dialect::Omp | Dialect::Comma => ("path", file),
                Dialect::Gateway | Dialect::OpenCode => ("filePath", path.as_str()),
                Dialect::Gemini => ("absolute_path", path.as_str()),
                Dialect::Claude | Dialect::Codex => ("file_path", path.as_str()),
                other => panic!("{other:?} has no benchmark"),
            };
            let arguments = json!({ argument: path });
            let (call, typed) = paired(
                2000,
                || run(&session, dialect, &arguments),
                || read(&session, dialect, path),
            );
            row(&format!("{name} {file}"), call, typed, &more(call, typed));
        }
    }

    println!("\na call in each dialect against the typed read in omp, medians");
    for file in ["12B.txt", "4KB.log"] {
        for (dialect, name) in DIALECTS {
            let path = path(file);
            let arguments = match dialect {
                Dialect::Omp | Dialect::Comma => json!({"path": file}),
                Dialect::Gateway | Dialect::OpenCode => json!({"filePath": path}),
                Dialect::Gemini => json!({"absolute_path": path}),
                Dialect::Claude | Dialect::Codex => json!({"file_path": path}),
                other => panic!("{other:?} has no benchmark"),
            };
            let (call, typed) = paired(
                2000,
                || run(&session, dialect, &arguments),
                || read(&session, Dialect::Omp, file),
            );
            row(&format!("{name} {file}"), call, typed, &more(call, typed));
        }
    }

    println!("\na call that returns 1 MB against the typed read of the same lines, medians");
    let exact = format!("1MB.log:1-{lines}:raw");
    for (name, dialect, arguments) in [
        (
            "comma",
            Dialect::Comma,
            json!({"path": "1MB.log", "maxBytes": 2 * MB}),
        ),
        (
            "gemini",
            Dialect::Gemini,
            json!({"absolute_path": path("1MB.log"), "prefer_full_read": true}),
        ),
        (
            "claude",
            Dialect::Claude,
            json!({"file_path": "1MB.log", "limit": lines}),
        ),
    ] {
        let (call, typed) = paired(
            200,
            || run(&session, dialect, &arguments),
            || read(&session, Dialect::Claude, &exact),
        );
        row(name, call, typed, &more(call, typed));
    }

    println!("\nthe hash: one line of 50 MB with it and without, medians");
    let hashed = json!({"path": "50MB.log", "endLine": 1});
    let plain = json!({"absolute_path": path("50MB.log"), "limit": 1});
    let (with, without) = paired(
        15,
        || run(&session, Dialect::Comma, &hashed),
        || run(&session, Dialect::Gemini, &plain),
    );
    row("comma, gemini", with, without, &more(with, without));
}

const DIALECTS: [(Dialect, &str); 7] = [
    (Dialect::Omp, "omp"),
    (Dialect::Gateway, "gateway"),
    (Dialect::Comma, "comma"),
    (Dialect::Gemini, "gemini"),
    (Dialect::Claude, "claude"),
    (Dialect::OpenCode, "opencode"),
    (Dialect::Codex, "codex"),
];

fn run(session: &Session, dialect: Dialect, arguments: &Value) {
    let reply = session.call(dialect, &arguments.to_string(), &Options::default());
    drop(reply.expect("a reply"));
}

fn read(session: &Session, dialect: Dialect, path: &str) {
    drop(
        session
            .read_as(path, dialect, &Options::default())
            .expect("a reply"),
    );
}

fn more(a: Duration, b: Duration) -> String {
    let difference = a.as_secs_f64() - b.as_secs_f64();
    format!("the other, {:+.1} µs", difference * 1e6)
}
