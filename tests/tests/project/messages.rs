//! The messages of the command line, in one file: `tests/messages.txt`.
//!
//! The file has one entry for each command: its arguments, the notices and errors that it
//! prints, and no text of files. With `BLESS=1` in the environment it is written instead of
//! compared. Read it from top to bottom when you change a message.

use omniread_tests::{Cli, Workspace, assert_generated, case_parts, pack, project};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The arguments of each command, by subject.
const COMMANDS: &[(&str, &[&[&str]])] = &[
    (
        "paths",
        &[
            &["missing.txt"],
            &["n20.tx"],
            &["run-2024-01-01T10:20:31.log"],
            &["../outside.txt"],
            &["/etc/hostname"],
            &[":5"],
            &[""],
            &["*.txt"],
            &["file://elsewhere/n20.txt"],
            &["skill://name"],
            &["https://example.com/"],
            &["secret.txt", "--deny", "secret.*"],
            &[".", "--deny", "secret.*"],
            &["n20.txt", "--max-file-size", "4"],
            &["n20.txt", "--set", "limit=0"],
            &["n20.txt", "--set", "colour=on"],
        ],
    ),
    (
        "selectors",
        &[
            &["n20.txt:0"],
            &["n20.txt:9-3"],
            &["n20.txt:5+0"],
            &["n20.txt:-0"],
            &["n20.txt:50"],
            &["n20.txt:3-4,50-60"],
            &["n20.txt:1@99"],
            &["n20.txt:1@0"],
            &["n20.txt:5-6"],
            &["n20.txt:10:5"],
            &["n20.txt:abc"],
            &["n20.txt:cell:1"],
            &["n20.txt:img"],
            &["n20.txt:page:0"],
            &["n20.txt:?limit=5"],
            &["n20.txt:5", "-n", "7"],
            &["-n", "x", "n20.txt"],
            &["empty.txt"],
        ],
    ),
    (
        "pages",
        &[
            &["long.txt:raw"],
            &["wide.txt"],
            &["wide.txt:1@2001"],
            &["several-wide.txt:1-3"],
            &["large.log"],
            &["large.log:-5000"],
            &["large.log:-20"],
            &["large.log:raw"],
            &["latin1.txt"],
            &["hidden.txt"],
            &["crlf.txt"],
            &["no-newline.txt"],
            &["binary.bin"],
            &["small.bin"],
        ],
    ),
    (
        "directories and archives",
        &[
            &["folder"],
            &["folder:99"],
            &["x.zip"],
            &["x.zip:missing.txt"],
            &["x.zip:src"],
            &["x.zip:a.txt:50"],
            &["x.zip:../a.txt"],
            &["x.zip:data.bin"],
            &["cut.zip"],
            &["cut.tar"],
            &["damaged.zip:a.txt"],
            &["damaged.gz"],
            &["fake.rar"],
        ],
    ),
    (
        "databases",
        &[
            &["app.db"],
            &["app.db:missing"],
            &["app.db:users:99"],
            &["app.db:users:user3"],
            &["app.db:users:"],
            &["app.db:users:1?limit=5"],
            &["app.db:users?limit=0"],
            &["app.db:users?limit=9999"],
            &["app.db:users?limit=2"],
            &["app.db:users?colour=red"],
            &["app.db:users?order=age desc"],
            &["app.db:users?order=colour"],
            &["app.db:users?where=age > "],
            &["app.db:users?where=age > 3;"],
            &["app.db:adults:1"],
            &["app.db?q="],
            &["app.db?q=delete from users"],
            &["app.db?q=select 1; select 2"],
            &["app.db?q=selec 1"],
            &["app.db?q=select load_extension('x')"],
            &["app.db?limit=5"],
            &["app.db:50-60"],
            &["not-a.db"],
        ],
    ),
    (
        "images and notebooks",
        &[
            &["chart.svg:img"],
            &["damaged.png"],
            &["ages.ipynb"],
            &["ages.ipynb:cell:9"],
            &["ages.ipynb:cell:x"],
            &["not-a.ipynb"],
            &["not-a.ipynb:cell:1"],
        ],
    ),
    (
        "web pages and feeds",
        &[
            &["manual.html:"],
            &["manual.html::99"],
            &["manual.html:#use:99"],
            &["manual.html:#nope"],
            &["manual.html::0"],
            &["news.xml:full"],
            &["n20.txt:"],
            &["n20.txt::5"],
            &["n20.txt:#use"],
            &["folder:"],
        ],
    ),
    (
        "gateway",
        &[
            &["--dialect", "gateway", "missing.txt"],
            &["--dialect", "gateway", "binary.bin"],
            &["--dialect", "gateway", "wide.txt"],
            &["call", "gateway", r#"{"filePath": "n20.txt"}"#],
            &["call", "gateway", r#"{"filePath": 5}"#],
            &["call", "gateway", r"{}"],
        ],
    ),
    (
        "comma",
        &[
            &["--dialect", "comma", "missing.txt"],
            &["--dialect", "comma", "folder"],
            &["--dialect", "comma", "binary.bin"],
            &["--dialect", "comma", "x.zip"],
            &[
                "call",
                "comma",
                r#"{"path": "n20.txt", "startLine": 9, "endLine": 3}"#,
            ],
            &["call", "comma", r#"{"path": "/n20.txt"}"#],
            &["call", "comma", r#"{"path": "n20.txt", "colour": 1}"#],
        ],
    ),
    (
        "gemini",
        &[
            &["--dialect", "gemini", "folder"],
            &["--dialect", "gemini", "x.zip"],
            &["--dialect", "gemini", "n20.txt:50"],
            &["call", "gemini", r#"{"absolute_path": "n20.txt"}"#],
            &[
                "call",
                "gemini",
                r#"{"absolute_path": "/n20.txt", "offset": 5}"#,
            ],
        ],
    ),
    (
        "claude",
        &[
            &["--dialect", "claude", "missing.txt"],
            &["--dialect", "claude", "binary.bin"],
            &["--dialect", "claude", "n20.txt:50"],
            &["--dialect", "claude", "ages.ipynb"],
            &["call", "claude", r#"{"file_path": "n20.txt", "offset": 0}"#],
            &[
                "call",
                "claude",
                r#"{"file_path": "n20.txt", "offset": 5, "limit": 2}"#,
            ],
            &["call", "claude", "not JSON"],
        ],
    ),
    (
        "command line",
        &[
            &["--dialect", "none", "n20.txt"],
            &["--timeout", "soon", "n20.txt"],
            &["--deny", "/elsewhere/x", "n20.txt"],
            &["--deny", "~/x", "n20.txt"],
            &["--root", "nowhere", "n20.txt"],
            &["--images", "all", "n20.txt"],
            &["--all", "call", "omp", "{}"],
            &[],
        ],
    ),
];

/// Compressed data with one wrong byte, as hexadecimal digits. What a compressor writes depends on the
/// features with which it was compiled.
const DAMAGED_GZIP: &str = "\
    1f8b08000000000002ffedcbb90dc0301004b17caad19cfefe1b93db30b03141293a83c99d73b8d8502cec38\
    70e2c28d072ff5694a4a4a4a4a4a4a4acadfca039e0c509ef6090000";
const DAMAGED_ZIP: &str = "\
    504b0304140000000800000021009e0c509e36000000f609000005000000612e747874edcbb90dc0301004b1\
    7caad19cfefe1b93db30b03141293a83366273b8d8502cec3870e2c28d072ff5694a4a4a4a4a4a4a4acadfca\
    03504b01021400140000000800000021009e0c509e36000000f6090000050000000000000000000000800100\
    000000612e747874504b0506000000000100010033000000590000000000";

/// The bytes of hexadecimal digits.
fn bytes(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect()
}

fn workspace() -> Workspace {
    let lines = |count: u32| (1..=count).fold(String::new(), |text, n| format!("{text}{n}\n"));
    let workspace = Workspace::new();
    let twenty = lines(20);
    let wide = "x".repeat(9000);
    let zip = pack::zip(&[
        ("a.txt", b"one\ntwo\n".as_slice()),
        ("src/main.rs", b"fn main() {}\n"),
        ("data.bin", b"\0\x01\x02"),
    ]);
    let tar = pack::tar(&[("a.txt", twenty.as_bytes()), ("b.txt", twenty.as_bytes())]);
    let line = format!("{}\n", "a line of a log ".repeat(6));
    workspace
        .file("n20.txt", &twenty)
        .file("secret.txt", "a secret\n")
        .file("empty.txt", "")
        .file("long.txt", lines(5000))
        .file("wide.txt", &wide)
        .file("several-wide.txt", format!("{wide}\n{wide}\nshort\n"))
        .file("large.log", line.repeat(60_000))
        .file("latin1.txt", b"caf\xe9, d\xe9j\xe0 vu\n")
        .file("hidden.txt", "a\u{200b}\u{200b}b\u{202e}c\u{1b}[31m\n")
        .file("crlf.txt", "one\r\ntwo\r\n")
        .file("no-newline.txt", "one")
        .file(
            "binary.bin",
            (0..=255u8).cycle().take(1000).collect::<Vec<_>>(),
        )
        .file("small.bin", b"\0\x01\x02\x03")
        .file("folder/a.txt", "a\n")
        .file("x.zip", &zip)
        .file("cut.zip", &zip[..zip.len() - 30])
        .file("cut.tar", &tar[..1400])
        .file("damaged.zip", bytes(DAMAGED_ZIP))
        .file("damaged.gz", bytes(DAMAGED_GZIP))
        .file("fake.rar", b"Rar!\x1a\x07\x01\0 and more")
        .file("not-a.db", "text\n")
        .file("not-a.ipynb", "text\n")
        .file("damaged.png", b"\x89PNG\r\n\x1a\n and more");
    for name in [
        "app.db",
        "ages.ipynb",
        "chart.svg",
        "manual.html",
        "news.xml",
    ] {
        let example = fs::read(project().join("examples").join(name)).unwrap();
        workspace.file(name, example);
    }
    workspace
}

/// Whether a line of output belongs to a message and not to the text of a file.
fn is_message(line: &str) -> bool {
    let tag = line.rsplit_once('#').is_some_and(|(_, tag)| tag.len() == 5);
    (line.starts_with('[') && !(tag && line.ends_with(']')))
        || line.starts_with('(')
        || line.starts_with("hint:")
        || line.starts_with("Reading lines")
        || line.starts_with("<file")
}

/// The messages in the standard output of a command: failures in JSON, and the notices in the text,
/// which `gemini` returns in JSON.
fn messages(stdout: &str) -> Vec<String> {
    let notices = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| is_message(line));
        lines.map(str::to_owned).collect()
    };
    match serde_json::from_str::<Value>(stdout) {
        Ok(object) if object["error"].is_object() => vec![stdout.trim_end().to_owned()],
        Ok(object) => notices(object["llmContent"].as_str().unwrap_or_default()),
        Err(_) => notices(stdout),
    }
}

/// The commands of a case and their messages.
fn messages_of_case(case: &str) -> Vec<(&str, Vec<String>)> {
    let (_, parts) = case_parts(case);
    let mut runs = Vec::new();
    let mut parts = parts.into_iter().peekable();
    while let Some(run) = parts.next() {
        let Some(arguments) = run.heading.strip_prefix("run") else {
            continue;
        };
        let stderr = parts.next_if(|part| part.heading == "stderr");
        let mut lines = messages(&run.body);
        lines.extend(
            stderr
                .iter()
                .flat_map(|part| part.body.lines())
                .map(str::to_owned),
        );
        runs.push((arguments.trim_start(), lines));
    }
    runs
}

#[test]
fn messages_file_is_up_to_date() {
    let workspace = workspace();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let mut all = String::from(
        "The messages of the command line, by subject, then those of `tests/cases`. `just bless`\nwrites this file. The text of files is left out, and so are commands without a message.\n",
    );
    for (subject, commands) in COMMANDS {
        let _ = write!(all, "\n=== {subject}\n");
        for arguments in *commands {
            let run = cli.run(arguments);
            let mut lines = messages(&run.stdout);
            lines.extend(run.stderr.lines().map(str::to_owned));
            add(&arguments.join(" "), &lines, &mut all);
        }
    }
    let directory = workspace.path().display().to_string();
    all = all.replace(&directory, "/workspace");
    let parent = workspace.path().parent().unwrap().display().to_string();
    all = all.replace(&format!("--root {parent}`"), "--root /parent`");
    let mut cases: Vec<PathBuf> = fs::read_dir(project().join("tests/cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    cases.sort();
    let mut known: HashSet<String> = all.lines().map(str::to_owned).collect();
    for case in cases {
        let text = fs::read(&case).unwrap();
        let name = case.file_name().unwrap().to_string_lossy();
        let _ = write!(all, "\n=== tests/cases/{name}\n");
        let text = String::from_utf8_lossy(&text);
        for (arguments, lines) in messages_of_case(&text) {
            if lines.iter().any(|line| !known.contains(line)) {
                add(arguments, &lines, &mut all);
                known.extend(lines);
            }
        }
    }
    assert_generated("tests/messages.txt", &all);
}

/// Adds a command and its messages, unless it has none.
fn add(arguments: &str, lines: &[String], all: &mut String) {
    if !lines.is_empty() {
        let _ = writeln!(all, "\n$ omniread {arguments}\n{}", lines.join("\n"));
    }
}
