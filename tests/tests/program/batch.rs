//! `omniread batch`: a row of JSON for each of many files.

mod expansion;

use omniread_tests::{Cli, Run, Workspace};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

fn cli(workspace: &Workspace) -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path())
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn paths(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .map(|row| row["path"].as_str().unwrap())
        .collect()
}

/// Runs `omniread batch` with a list.
fn batch(workspace: &Workspace, arguments: &[&str], list: impl AsRef<[u8]>) -> Run {
    cli(workspace).run_with(&[&["batch"], arguments].concat(), list.as_ref())
}

/// A workspace with this number of small files, and their list.
fn many(files: usize) -> (Workspace, Vec<String>) {
    let workspace = Workspace::new();
    let names: Vec<String> = (0..files)
        .map(|n| format!("d{}/f{n}.txt", n % 10))
        .collect();
    for (number, name) in names.iter().enumerate() {
        workspace.file(name, format!("file {number}\n").repeat(number % 50 + 1));
    }
    (workspace, names)
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("{name}\n")).collect()
}

#[test]
fn row_has_the_blocks_the_details_and_the_error_of_the_command_line() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "one\ntwo\n")
        .file("b.zip", include_bytes!("../../../examples/app.db"))
        .directory("d");
    for dialect in ["omp", "claude", "gateway"] {
        let names = ["a.txt:2", "b.zip", "d", "missing"];
        let run = batch(&workspace, &["--dialect", dialect], names.join("\n"));
        assert_eq!(run.code, Some(1), "{run:?}");
        let rows = rows(&run.stdout);
        assert_eq!(paths(&rows), names);
        for (row, name) in rows.iter().zip(names) {
            let printed = cli(&workspace).run(&["--json", "--dialect", dialect, name]);
            let mut printed: Value = serde_json::from_str(&printed.stdout).unwrap();
            // It is the text of the blocks once more.
            if let Some(details) = printed["details"].as_object_mut() {
                details.remove("display_content");
            }
            let expected = json!({
                "path": name,
                "ok": printed.get("error").is_none(),
                "blocks": printed.get("blocks"),
                "details": printed.get("details"),
                "error": printed.get("error"),
            });
            assert_eq!(*row, expected, "{dialect} {name}");
        }
    }
}

#[test]
fn exit_status_says_whether_every_path_was_read() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    for (arguments, list, code, message) in [
        (&[][..], "a.txt\n", 0, ""),
        (&["a.txt"], "ignored", 0, ""),
        (&["-"], "a.txt", 0, ""),
        (&[], "", 0, ""),
        (
            &[],
            "a.txt\nmissing\n",
            1,
            "omniread: 2 rows; not read: 1\n",
        ),
        (&["--quiet"], "a.txt\nmissing\n", 1, ""),
        (&["--jobs", "0"], "", 2, "a number from 1 to 64"),
        (&["--all"], "a.txt", 2, "--all"),
        (
            &["-o", "a.txt"],
            "a.txt",
            2,
            "cannot write `a.txt`: it exists\nhint: ",
        ),
        (
            &["--resume", "a.txt"],
            "a.txt",
            2,
            "`a.txt`: it is not the manifest of a batch\nhint: ",
        ),
        (&["-o", "x", "--resume", "x"], "a.txt", 2, "name two files"),
        (&["-o", "no/x"], "a.txt", 1, "cannot use `no/x`: "),
    ] {
        let run = batch(&workspace, arguments, list);
        assert_eq!(run.code, Some(code), "{arguments:?}: {run:?}");
        let is_same = message.is_empty() && run.stderr.is_empty();
        let has = !message.is_empty() && run.stderr.contains(message);
        assert!(is_same || has, "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(fs::read(workspace.path().join("a.txt")).unwrap(), b"one\n");
}

#[test]
fn odd_lists_have_one_row_for_each_path() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n").file("b c;.txt", "two\n");
    let list = b"a.txt\n\n./a.txt\r\na.txt\nb c;.txt\n\xff.txt\nmissing\n\xff.txt\n\n";
    let mut list = list.to_vec();
    list.extend(vec![b'x'; (1 << 20) + 1]);
    list.extend(b"\na.txt:1");
    list.extend([b"\n".to_vec(), vec![b'y'; (1 << 20) + 1]].concat());
    let run = batch(&workspace, &RECORDED, &list);
    // A line that is too long has no path, so that each has a row, and no record.
    let records = fs::read_to_string(workspace.path().join("done.jsonl")).unwrap();
    assert!(!records.contains("\"path\":\"\""), "{records}");
    let written = fs::read_to_string(workspace.path().join("rows.jsonl")).unwrap();
    for line in ["line 10 of the list", "line 12 of the list"] {
        assert!(written.contains(line), "{written}");
    }
    let rows = rows(&written);
    let expected = [
        "a.txt",
        "./a.txt",
        "b c;.txt",
        "\u{fffd}.txt",
        "missing",
        "",
        "a.txt:1",
        "",
    ];
    assert_eq!(paths(&rows), expected);
    let kinds: Vec<_> = rows
        .iter()
        .map(|row| row["error"]["kind"].as_str())
        .collect();
    let invalid = Some("invalid_path");
    assert_eq!(
        kinds,
        [
            None,
            None,
            None,
            invalid,
            Some("not_found"),
            invalid,
            None,
            invalid
        ]
    );
    assert!(
        run.stderr.contains("repeated paths without another row: 2"),
        "{}",
        run.stderr
    );
    assert_eq!(run.code, Some(1));
}

#[test]
#[cfg(unix)]
fn names_with_line_feeds_are_read_with_nuls() {
    let workspace = Workspace::new();
    workspace.file("a\nb.txt", "one\n").file("c\r", "two\n");
    let run = batch(&workspace, &["-0"], "a\nb.txt\0c\r\0");
    assert_eq!(paths(&rows(&run.stdout)), ["a\nb.txt", "c\r"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn hundred_thousand_paths_have_a_row_each_in_their_order() {
    let (workspace, names) = many(1000);
    let mut lines = String::new();
    // Selectors make them different, and those in between repeat a path.
    for number in 0..50_000 {
        let name = &names[number % 1000];
        let _ = writeln!(lines, "{name}:{}\n{}", number / 1000 + 1, names[number % 7]);
    }
    let mut seen = HashSet::new();
    let mut expected: Vec<&str> = lines.lines().filter(|line| seen.insert(*line)).collect();
    let run = batch(&workspace, &["--jobs", "7", "--quiet"], &lines);
    assert!(paths(&rows(&run.stdout)) == expected);
    let run = batch(&workspace, &["--unordered", "--quiet"], &lines);
    let rows = rows(&run.stdout);
    let mut found = paths(&rows);
    found.sort_unstable();
    expected.sort_unstable();
    assert!(found == expected);
}

#[test]
fn directories_and_patterns_lead_to_their_files() {
    let workspace = Workspace::new();
    workspace
        .file("src/a.rs", "a\n")
        .file("src/in/b.rs", "b\n")
        .file("src/in/c.txt", "c\n")
        .file("src/.hidden/d.rs", "d\n")
        .file("src/.e.rs", "e\n")
        .file("src/secret.rs", "s\n")
        .file("z*.rs", "z\n");
    let deny = ["--deny", "secret.rs"];
    let of = |arguments: &[&str]| {
        let arguments = [&deny[..], arguments].concat();
        let run = batch(&workspace, &arguments, "");
        let rows = rows(&run.stdout);
        paths(&rows).join(" ")
    };
    assert_eq!(of(&["src"]), "src");
    assert_eq!(of(&["-r", "..", "/"]), ".. /");
    assert_eq!(of(&["src/*.rs:1-2"]), "src/a.rs:1-2");
    let files = "src/a.rs src/in/b.rs src/in/c.txt";
    assert_eq!(of(&["-r", "src", "src/", "src/a.rs"]), files);
    assert_eq!(of(&["src/*.rs"]), "src/a.rs");
    assert_eq!(of(&["src/**/*.rs"]), "src/a.rs src/in/b.rs");
    assert_eq!(of(&["**/*.txt", "src/in/c.txt"]), "src/in/c.txt");
    assert_eq!(of(&["z*.rs"]), "z*.rs");
    assert_eq!(of(&["no/*.rs"]), "no/*.rs");
    assert_eq!(of(&["src/.*.rs"]), "src/.e.rs");
    // Lines of standard input are no patterns.
    let run = batch(&workspace, &[], "src/*.rs\nz*.rs\n");
    let rows = rows(&run.stdout);
    assert_eq!(
        (&rows[0]["ok"], &rows[1]["ok"]),
        (&json!(false), &json!(true))
    );
}

/// All rows of the files after the directory are larger than what may wait for a row in it.
#[test]
fn rows_of_a_directory_precede_those_of_the_files_after_it() {
    let workspace = Workspace::new();
    let text = format!("{}\n", "x".repeat(1000)).repeat(100);
    let mut expected = Vec::new();
    for number in 100..400 {
        let name = match number {
            100..150 => format!("d/a/b/{number}"),
            150..200 => format!("d/a/c/{number}"),
            _ => format!("d/f{number}"),
        };
        workspace.file(&name, &text);
        expected.push(name);
    }
    let run = batch(&workspace, &["--recursive", "--jobs", "3", "d"], "");
    assert!(run.stdout.len() > 24 << 20, "{}", run.stdout.len());
    assert!(paths(&rows(&run.stdout)) == expected);
}

/// The file is read before the threads that list the directories find it.
#[test]
fn row_of_a_path_of_several_entries_is_in_the_first_place() {
    let workspace = Workspace::new();
    let mut expected = Vec::new();
    for number in 100..200 {
        let name = format!("d/in/{number}");
        workspace.file(&name, "a\n");
        expected.push(name);
    }
    let entries = ["d/", "d/in/100", "d/in", "d/in/*", "d/in/100"];
    let arguments = [&["-r", "--jobs", "5"], &entries[..]].concat();
    for _ in 0..10 {
        let run = batch(&workspace, &arguments, "");
        assert_eq!(paths(&rows(&run.stdout)), expected);
    }
    let run = batch(&workspace, &[&["--unordered"], &arguments[..]].concat(), "");
    let unordered = rows(&run.stdout);
    let mut found = paths(&unordered);
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
#[cfg(unix)]
fn link_to_a_directory_around_it_is_not_followed() {
    let workspace = Workspace::new();
    workspace
        .file("d/a.txt", "a\n")
        .link("d/up", "..")
        .link("d/b", "a.txt");
    let run = batch(&workspace, &["-r", "d"], "");
    assert_eq!(paths(&rows(&run.stdout)), ["d/a.txt", "d/b", "d/up"]);
    assert_eq!(run.code, Some(0));
}

/// The archive in the archive has the names that a listing shows with escape sequences, or with a size.
fn nested() -> Vec<u8> {
    let mut inner = tar::Builder::new(Vec::new());
    let mut outer = tar::Builder::new(Vec::new());
    let add = |tar: &mut tar::Builder<Vec<u8>>, name: &str, content: &[u8]| {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        tar.append_data(&mut header, name, content).unwrap();
    };
    for name in ["new\nline", "x (6B)", "a:5", "in/deep.txt", "y -> z"] {
        add(&mut inner, name, format!("<{name}>").as_bytes());
    }
    add(&mut outer, "first.txt", b"1\n");
    add(&mut outer, "dir/inner.tar", &inner.into_inner().unwrap());
    add(&mut outer, "last.txt", b"2\n");
    outer.into_inner().unwrap()
}

#[test]
fn members_of_archives_have_a_row_each() {
    let workspace = Workspace::new();
    let archive = nested();
    workspace
        .file("a.tar", &archive)
        .file("cut.tar", &archive[..700])
        .file("bad.zip", b"PK\x03\x04 nothing")
        .file("z.txt", "z\n");
    for dialect in ["omp", "gateway", "comma"] {
        let arguments = ["--members", "--dialect", dialect, "a.tar", "z.txt"];
        let run = batch(&workspace, &arguments, "");
        let rows = rows(&run.stdout);
        let inner = "a.tar:dir/inner.tar:";
        let names = ["a\\:5", "new\nline", "x (6B)", "y -> z", "in/deep.txt"];
        let mut expected = vec!["a.tar:first.txt".to_owned(), "a.tar:last.txt".to_owned()];
        expected.extend(names.map(|name| format!("{inner}{name}")));
        expected.push("z.txt".to_owned());
        assert_eq!(paths(&rows), expected, "{dialect}: {run:?}");
        assert_eq!(run.code, Some(0), "{dialect}: {run:?}");
        let text = rows[4]["blocks"][0]["text"].as_str().unwrap();
        assert!(text.contains("<x (6B)>"), "{text}");
    }
    // A damaged archive has rows too, and does not end the batch.
    let run = batch(&workspace, &["--members"], "bad.zip\ncut.tar\nz.txt\n");
    let rows = rows(&run.stdout);
    assert!(rows.len() >= 3, "{run:?}");
    assert_eq!(rows.last().unwrap()["path"], "z.txt");
    // A file that is no archive is not expanded, and an archive is only on request.
    let run = batch(&workspace, &["a.tar"], "");
    assert_eq!(paths(&self::rows(&run.stdout)), ["a.tar"]);
}

/// A program that waits for the row of a path before it sends the next one gets it.
#[test]
fn rows_are_written_before_the_list_is_waited_for() {
    let (workspace, names) = many(20);
    let mut child = start(&workspace, &["--jobs", "3"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for name in &names {
        writeln!(input, "{name}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(paths(&rows(&line)), [name]);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

fn start(workspace: &Workspace, arguments: &[&str]) -> Child {
    let mut command = cli(workspace).command();
    command.arg("batch").args(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

const RECORDED: [&str; 4] = ["--output", "rows.jsonl", "--resume", "done.jsonl"];

/// The lines of a file, and whether the last one is whole.
fn lines(path: &Path) -> (usize, bool) {
    let bytes = fs::read(path).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n').count() - 1;
    (lines, bytes.last().is_none_or(|byte| *byte == b'\n'))
}

#[test]
fn batch_that_is_killed_again_and_again_has_each_row_once() {
    let (workspace, names) = many(3000);
    let list = list(&names);
    let output = workspace.path().join("rows.jsonl");
    let mut kills = 0;
    let mut former = 0;
    loop {
        let mut child = start(&workspace, &[&RECORDED[..], &["--jobs", "3"]].concat());
        let mut input = child.stdin.take().unwrap();
        let text = list.clone();
        let writer = thread::spawn(move || drop(input.write_all(text.as_bytes())));
        // The program has written something new, at a time that differs.
        let target = former + 150 + kills * 61;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if lines(&output).0 > target {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            thread::sleep(Duration::from_millis(1));
        };
        writer.join().unwrap();
        former = lines(&output).0;
        match status {
            None => kills += 1,
            Some(status) => {
                assert!(status.success());
                break;
            }
        }
    }
    assert!(kills >= 3, "{kills}");
    let text = fs::read_to_string(&output).unwrap();
    let rows = rows(&text);
    assert!(paths(&rows) == names);
    assert!(rows.iter().all(|row| row["ok"] == true));
    // Nothing is left to do, and the rows stay as they are.
    let run = batch(&workspace, &RECORDED, &list);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stderr
            .contains("paths with a row of an earlier run: 3000"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(&output).unwrap(), text);
    // The list may grow.
    workspace.file("new.txt", "new\n");
    let run = batch(&workspace, &RECORDED, format!("new.txt\n{list}"));
    assert_eq!(run.code, Some(0), "{run:?}");
    let text = fs::read_to_string(&output).unwrap();
    assert_eq!(paths(&self::rows(&text)).last(), Some(&"new.txt"));
}

#[test]
fn manifest_of_another_run_is_refused_and_not_changed() {
    let (workspace, names) = many(10);
    let list = list(&names);
    let run = batch(&workspace, &RECORDED, &list);
    assert_eq!(run.code, Some(0), "{run:?}");
    let read = |name: &str| fs::read(workspace.path().join(name)).unwrap();
    let before = (read("rows.jsonl"), read("done.jsonl"));
    let others: [(&[&str], &str); 6] = [
        (&["--set", "limit=5"], "`options` was "),
        (&["--root", "d1"], "`roots` was "),
        (&["--deny", "x"], "`deny` was [], and is now [\"x\"]"),
        (
            &["--dialect", "claude"],
            "`dialect` was \"omp\", and is now \"claude\"",
        ),
        (&["--members"], "`members` was false, and is now true"),
        (&["--recursive"], "`recursive` was false"),
    ];
    for (other, message) in others {
        let run = batch(&workspace, &[&RECORDED[..], other].concat(), &list);
        assert_eq!(run.code, Some(2), "{run:?}");
        let hint = "hint: repeat the command of that run, or name a new manifest and a new output";
        assert!(
            run.stderr.contains(message) && run.stderr.contains(hint),
            "{}",
            run.stderr
        );
        assert_eq!(before, (read("rows.jsonl"), read("done.jsonl")));
    }
    // That of another version.
    let other = String::from_utf8(before.1.clone()).unwrap();
    workspace.file(
        "done.jsonl",
        other.replacen("\"version\":\"", "\"version\":\"0.", 1),
    );
    let run = batch(&workspace, &RECORDED, &list);
    assert!(run.stderr.contains("`version` was \"0."), "{}", run.stderr);
    // The number of threads and the order are free.
    workspace.file("done.jsonl", &before.1);
    let run = batch(
        &workspace,
        &[&RECORDED[..], &["--jobs", "1", "--unordered"]].concat(),
        &list,
    );
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// A line that no read reaches before it is stopped.
#[cfg(unix)]
const ENDLESS: &str = "endless:4000000000";

/// Rows of reads that have ended are written, and the others are written by the next run.
#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_batch_with_whole_rows() {
    let (workspace, names) = many(400);
    // It is read until it is cancelled, and the rows of later paths wait for its row.
    workspace.file("endless", "line\n".repeat(4000));
    let file = fs::File::options()
        .write(true)
        .open(workspace.path().join("endless"));
    file.unwrap().set_len(1 << 40).unwrap();
    let slow = format!("{}{ENDLESS}\n{}", list(&names[..200]), list(&names[200..]));
    let mut child = start(
        &workspace,
        &[&RECORDED[..], &["--jobs", "2", "--timeout", "0"]].concat(),
    );
    let mut input = child.stdin.take().unwrap();
    input.write_all(slow.as_bytes()).unwrap();
    let output = workspace.path().join("rows.jsonl");
    // The list is open, so the process waits for it.
    while lines(&output).0 < 200 {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(300));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    drop(input);
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    assert!(
        errors.contains("omniread: stopped: ") && errors.contains("--resume"),
        "{errors}"
    );
    let (rows_now, is_whole) = lines(&output);
    assert!(is_whole && rows_now >= 200, "{rows_now}");
    // The timeout is free, so that the row can be written.
    let run = batch(
        &workspace,
        &[&RECORDED[..], &["--timeout", "1ms"]].concat(),
        &slow,
    );
    let text = fs::read_to_string(&output).unwrap();
    let rows = rows(&text);
    let mut found = paths(&rows);
    found.sort_unstable();
    let mut expected: Vec<&str> = slow.lines().collect();
    expected.sort_unstable();
    assert_eq!(found, expected, "{run:?}");
}

/// The members that have a row are skipped, as files are.
#[test]
fn archive_is_continued_in_its_middle() {
    let workspace = Workspace::new();
    workspace.file("a.tar", nested());
    let arguments = [&RECORDED[..], &["--members", "a.tar"]].concat();
    let whole = batch(&workspace, &arguments, "");
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let read = |name: &str| fs::read_to_string(workspace.path().join(name)).unwrap();
    let (all, manifest) = (read("rows.jsonl"), read("done.jsonl"));
    for records in 0..7 {
        let start: String = manifest.split_inclusive('\n').take(records + 1).collect();
        workspace.file("done.jsonl", start);
        let run = batch(&workspace, &arguments, "");
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(
            (read("rows.jsonl"), read("done.jsonl")),
            (all.clone(), manifest.clone())
        );
    }
}
