//! The lines of a log that report errors.

use omniread_tests::{Workspace, text};

/// The component searches sixteen bytes at a time, and the native tests of the crate do not.
#[test]
fn every_kind_of_error_is_found_at_every_offset() {
    const ERRORS: [&str; 18] = [
        "2026-11-21T03:14:15Z ERROR a",
        "2026-11-21T03:14:15Z err: a",
        "2026-11-21T03:14:15Z a CRITICAL a",
        "2026-11-21T03:14:15Z it failed: a",
        "2026-11-21T03:14:15Z fatal: a",
        "2026-11-21T03:14:15Z thread a panicked at a",
        "2026-11-21T03:14:15Z out of memory",
        "2026-11-21T03:14:15Z core dumped",
        "2026-11-21T03:14:15Z Segmentation fault",
        "2026-11-21T03:14:15Z npm ERR! a",
        "2026-11-21T03:14:15Z unhandled exception: a",
        "2026-11-21T03:14:15Z \x1b[31mER\x1b[0mROR a",
        "{\"time\":1,\"level\":50,\"msg\":\"a\"}",
        "{\"time\":1,\"level\":\"E\",\"msg\":\"a\"}",
        "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 503 2326",
        "E0102 03:04:05.000000 1 a.go:1] a",
        "<3>Jan  2 03:04:05 host a: b",
        "01-02 03:04:05.678 12 34 E a: b",
    ];
    let workspace = Workspace::new();
    let session = workspace.session();
    for error in ERRORS {
        let mut log = String::new();
        let filled = |fill: usize, log: &mut String| {
            for line in 0..40 {
                log.push_str("2026-11-21T03:14:15Z INFO  request ");
                log.push_str(&".".repeat(if line == 0 { fill } else { 20 }));
                log.push_str(" handled\n");
            }
        };
        filled(20, &mut log);
        for shift in 0..16 {
            filled(shift, &mut log);
            log.push_str(error);
            log.push('\n');
        }
        filled(20, &mut log);
        workspace.file("a.log", &log);
        let reply = text(&session, "a.log");
        assert!(
            reply.contains("[16 lines report errors]"),
            "{error}: {}",
            reply.lines().last().unwrap_or_default()
        );
    }
}
