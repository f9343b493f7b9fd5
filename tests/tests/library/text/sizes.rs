//! Very long and very short texts, and the memory that reads of them need.

use omniread::details::Total;
use omniread::{Dialect, Options};
use omniread_tests::{Workspace, chain, raw_chain};
use std::io::{BufWriter, Read as _, Write as _};
use std::time::{Duration, Instant};

/// The time after which a test treats a read as hung. A busy machine does not need as long.
const HANG: Duration = Duration::from_mins(10);

fn plain(workspace: &Workspace, path: &str) -> String {
    let options = Options {
        hashlines: false,
        margin: false,
        ..Options::default()
    };
    let reply = workspace
        .session()
        .read_as(path, Dialect::Omp, &options)
        .unwrap();
    reply.text()
}

/// Hostile input TX-1: a file with a single line of more than three megabytes.
#[test]
fn line_of_megabytes_is_read_to_its_end() {
    let workspace = Workspace::new();
    let mut line: String = (0..300_000).map(|n| format!("{{\"n\":{n:06}}}")).collect();
    line.push_str("TAIL");
    workspace.file("one.json", &line);
    let session = workspace.session();
    assert_eq!(raw_chain(&session, "one.json:raw"), line);
    let pages = chain(&session, "one.json");
    assert_eq!(pages[0].details.next.as_deref(), Some("one.json:1@2001"));
    assert!(pages.last().unwrap().text().contains("TAIL"));
}

/// Hostile input TX-2: a file of a gigabyte, which is read in the middle and at the end.
#[test]
fn gigabyte_file_is_read_in_the_middle_and_at_the_end() {
    const LINE: &[u8] = b"0123456789 0123456789 0123456789 0123456789 0123456789 0123456\n";
    const LINES: u64 = (1 << 30) / 63;
    let workspace = Workspace::new();
    let mut file = BufWriter::with_capacity(
        1 << 20,
        std::fs::File::create(workspace.path().join("big")).unwrap(),
    );
    for _ in 0..LINES - 1 {
        file.write_all(LINE).unwrap();
    }
    file.write_all(b"the very last line\n").unwrap();
    file.into_inner().unwrap();
    let session = workspace.session();
    let started = Instant::now();
    let middle = session.read("big:10000000-10000002:raw").unwrap();
    assert_eq!(
        middle
            .text()
            .lines()
            .filter(|line| line.as_bytes() == &LINE[..62])
            .count(),
        3
    );
    let window = middle.details.window.unwrap();
    assert!(
        matches!(window.total, Total::AtLeast(n) if n < LINES),
        "{:?}",
        window.total
    );
    let tail = session.read("big:-2").unwrap();
    assert!(
        tail.text()
            .contains("\n-1:the very last line\n\n[Lines are numbered from the end"),
        "{}",
        tail.text()
    );
    let exact = session
        .read_as("big:-1", Dialect::Claude, &Options::default())
        .unwrap();
    assert!(matches!(
        exact.details.window.unwrap().total,
        Total::Exact(LINES)
    ));
    assert!(started.elapsed() < HANG, "it took {:?}", started.elapsed());
}

/// The end of a file is read even if its byte offset does not fit into 32 bits, the size of a
/// pointer in the WebAssembly component.
#[test]
fn tail_of_a_file_beyond_4_gib_is_read() {
    use std::io::{Seek as _, SeekFrom};
    let workspace = Workspace::new();
    workspace.file("huge", "line\n".repeat(4000));
    let path = workspace.path().join("huge");
    let mut file = std::fs::File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(5 << 30)).unwrap();
    file.write_all(b"\nlast but one\nlast\n").unwrap();
    let reply = workspace.session().read("huge:-2").unwrap();
    assert!(
        reply
            .text()
            .contains("-2:last but one\n-1:last\n\n[Lines are numbered from the end"),
        "{}",
        reply.text()
    );
    assert!(matches!(
        reply.details.window.unwrap().total,
        Total::AtLeast(2)
    ));
}

/// Hostile input TX-11: texts of at most one character.
#[test]
fn tiny_texts_have_exact_notes_and_line_counts() {
    let workspace = Workspace::new();
    workspace
        .file("empty", "")
        .file("newline", "\n")
        .file("unended", "a")
        .file("mark", "\u{feff}");
    assert!(plain(&workspace, "empty").ends_with("[empty file]"));
    assert_eq!(plain(&workspace, "newline"), "");
    assert!(plain(&workspace, "unended").contains("no newline at end of file"));
    assert!(plain(&workspace, "mark").contains("byte order mark"));
    let session = workspace.session();
    for (path, total) in [("empty", 0), ("newline", 1), ("unended", 1), ("mark", 0)] {
        let window = session.read(path).unwrap().details.window.unwrap();
        assert!(
            matches!(window.total, Total::Exact(n) if n == total),
            "{path}: {:?}",
            window.total
        );
    }
    assert_eq!(raw_chain(&session, "mark:raw"), "\u{feff}");
}

/// The memory that a read needs does not depend on the size of the file.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_file_size() {
    let workspace = Workspace::new();
    workspace.file("small", "x".repeat(99).repeat(10_000) + "\n");
    let file = std::fs::File::create(workspace.path().join("large")).unwrap();
    let mut writer = BufWriter::new(file);
    let line = "x".repeat(99) + "\n";
    for _ in 0..2_000_000 {
        writer.write_all(line.as_bytes()).unwrap();
    }
    writer.into_inner().unwrap();
    let peak = |path: &str| -> i64 {
        // The process waits for the end of its input, so its memory can be examined.
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_omniread-under-test"))
            .current_dir(workspace.path())
            .args([path, "-"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 1];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut first)
            .unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        child.wait_with_output().unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.unwrap()
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap()
    };
    let (small, large) = (peak("small"), peak("large:1999990"));
    assert!(
        large < small + 8 * 1024,
        "{small} KiB for a small file, {large} KiB for a large one"
    );
}

/// Standard input is read in order even if it is longer than the part of it that is kept in memory.
#[test]
fn long_standard_input_is_read_in_order() {
    let workspace = Workspace::new();
    let cli = omniread_tests::Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let lines: String = (1..=1_000_000).map(|n| format!("{n}\n")).collect();
    let run = |path: &str, input: &[u8]| cli.run_with(&[path], input).stdout;
    assert_eq!(
        run("-:900000-900003:raw", lines.as_bytes()),
        "900000\n900001\n900002\n900003\n"
    );
    assert_eq!(
        run("-:3,500000,999999-:raw", lines.as_bytes()),
        "3\n500000\n999999\n1000000\n"
    );
    assert_eq!(run("-:-2:raw", lines.as_bytes()), "999999\n1000000\n");
    let wide: Vec<u8> = lines.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(run("-:900000-900001:raw", &wide), "900000\n900001\n");
    // A line longer than the part that is kept in memory is left out as a whole, with a notice.
    let mut long = vec![b'a'; 20_000_000];
    long.extend_from_slice(b"\nend\n");
    let tail = run("-:-2", &long);
    assert!(
        tail.starts_with("end") && tail.contains(":1-1 is not available"),
        "{tail}"
    );
}
