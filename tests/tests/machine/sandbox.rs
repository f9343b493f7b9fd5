//! Limits and cancellation: how a read is stopped, and that nothing remains of it.

use omniread::{CancelToken, Dialect, Options, Reason};
use omniread_tests::Workspace;
use std::time::{Duration, Instant};

/// Creates a sparse text file of a terabyte. The search for a line with a high number takes
/// minutes.
fn endless(workspace: &Workspace) {
    workspace.file("endless", "line\n".repeat(4000));
    let file = std::fs::File::options()
        .write(true)
        .open(workspace.path().join("endless"))
        .unwrap();
    file.set_len(1 << 40).unwrap();
}

#[test]
fn timeout_stops_a_read() {
    let workspace = Workspace::new();
    endless(&workspace);
    workspace.file("small", "x\n");
    let session = workspace
        .builder()
        .timeout(Duration::from_secs(1))
        .build()
        .unwrap()
        .session();
    let started = Instant::now();
    let failure = session.read("endless:99999999").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::Limit(limit) if limit.name == "time" && limit.value == 1000),
        "{failure:?}"
    );
    // A guard against a hang, not a measurement.
    assert!(started.elapsed() < Duration::from_mins(10));
    assert!(session.read("small").is_ok(), "the next read works");
}

#[test]
fn cancel_token_stops_a_read_in_progress() {
    let workspace = Workspace::new();
    endless(&workspace);
    workspace.file("small", "x\n");
    let session = workspace.session();
    let token = CancelToken::new();
    let cancellable = session.with_cancel(&token);
    let reading = std::thread::spawn(move || cancellable.read("endless:99999999"));
    std::thread::sleep(Duration::from_millis(50));
    token.cancel();
    let failure = reading.join().unwrap().unwrap_err();
    assert!(
        matches!(failure.reason, Reason::Cancelled(_)),
        "{failure:?}"
    );
    // The token stays cancelled; the session can be used without it.
    assert!(matches!(
        session
            .with_cancel(&token)
            .read("small")
            .unwrap_err()
            .reason,
        Reason::Cancelled(_)
    ));
    assert!(session.read("small").is_ok());
}

#[test]
#[cfg(target_os = "linux")]
fn stopped_reads_leak_no_file_descriptors() {
    let workspace = Workspace::new();
    endless(&workspace);
    let session = workspace
        .builder()
        .timeout(Duration::from_millis(5))
        .build()
        .unwrap()
        .session();
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let _ = session.read("endless:99999999");
    let before = open();
    for _ in 0..20 {
        assert!(session.read("endless:99999999").is_err());
    }
    // Other tests of this process open files as well.
    assert!(
        open() < before + 15,
        "{before} files were open, now {}",
        open()
    );
}

#[test]
fn read_beyond_memory_limit_fails() {
    let workspace = Workspace::new();
    workspace
        .file("four", "some text\n".repeat(400_000))
        .file("small", "x\n");
    let session = workspace
        .builder()
        .memory(4 << 20)
        .build()
        .unwrap()
        .session();
    let failure = session.read("four").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::Limit(limit) if limit.name == "memory"),
        "{failure:?}"
    );
    assert!(session.read("small").is_ok(), "the next read works");
}

#[test]
fn file_beyond_max_file_size_is_refused() {
    let workspace = Workspace::new();
    workspace
        .file("large", "x".repeat(101))
        .file("small", "x".repeat(100));
    let session = workspace
        .builder()
        .max_file_size(100)
        .build()
        .unwrap()
        .session();
    assert!(session.read("small").is_ok());
    let failure = session.read("large").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::Limit(limit) if limit.name == "max-file-size" && limit.value == 100),
        "{failure:?}"
    );
}

#[test]
fn slow_reads_do_not_block_others() {
    let workspace = Workspace::new();
    endless(&workspace);
    workspace.file("small", "hello\n");
    let session = workspace
        .builder()
        .timeout(Duration::from_millis(300))
        .build()
        .unwrap()
        .session();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert!(session.read("endless:99999999").is_err()));
        }
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert!(session.read("small").is_ok());
                }
            });
        }
    });
}

#[test]
fn reader_without_a_root_reads_nothing() {
    let session = omniread::Reader::builder().build().unwrap().session();
    for path in [".", "/etc/passwd", "x"] {
        assert!(session.read(path).is_err(), "{path}");
    }
}

#[test]
fn snapshot_lists_shown_lines() {
    let workspace = Workspace::new();
    workspace.file("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    let session = workspace.session();
    session.read("f:1,2").unwrap();
    session.read("f:8,9").unwrap();
    let path = workspace.path().join("f").display().to_string();
    let snapshot = session.snapshot(&path).unwrap();
    assert_eq!(snapshot.shown, [(1, 2), (8, 9)]);
    assert_eq!(snapshot.tag.map(|tag| tag.len()), Some(4));
    assert!(session.snapshot("/nowhere").is_none());
}

#[test]
fn default_options_of_host_and_reader_agree() {
    let workspace = Workspace::new();
    workspace.file("f", "x\n".repeat(1000));
    let session = workspace.session();
    let by_default = session.read("f").unwrap();
    let by_options = session
        .read_as("f", Dialect::Omp, &Options::default())
        .unwrap();
    assert_eq!(by_default.text(), by_options.text());
}

#[test]
fn every_dialect_has_a_tool_definition() {
    let reader = Workspace::new().builder().build().unwrap();
    let definitions = reader.definitions().unwrap();
    let names: Vec<&str> = definitions
        .iter()
        .map(|definition| definition.name.as_str())
        .collect();
    let expected = [
        "read",
        "read",
        "read_file",
        "read_file",
        "Read",
        "read",
        "read_file",
    ];
    assert_eq!(names, expected);
    for definition in definitions {
        assert!(
            definition.description.chars().count() <= 1000,
            "{}",
            definition.name
        );
        let schema: serde_json::Value = serde_json::from_str(&definition.schema).unwrap();
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["type"], "object");
    }
}

/// A call with invalid arguments is an error, and the next call works.
#[test]
fn invalid_arguments_do_not_break_the_next_call() {
    let workspace = Workspace::new();
    workspace.file("f", "x\n");
    let session = workspace.session();
    let huge = format!("{{\"path\": \"{}\"}}", "x".repeat(10 << 20));
    let deep = "[".repeat(100_000);
    for arguments in [
        "",
        "null",
        "{",
        "[]",
        "{\"path\": null}",
        "{\"path\": \"a\\u0000b\"}",
        "{\"path\": \"\"}",
        &huge,
        &deep,
    ] {
        let failure = session
            .call(Dialect::Omp, arguments, &Options::default())
            .unwrap_err();
        assert!(
            matches!(
                failure.reason,
                Reason::InvalidArgument(_) | Reason::InvalidPath(_)
            ),
            "{:?}",
            failure.reason
        );
        assert!(
            session
                .call(Dialect::Omp, "{\"path\": \"f\"}", &Options::default())
                .is_ok()
        );
    }
}
