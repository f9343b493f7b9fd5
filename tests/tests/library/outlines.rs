//! Outlines: the reply to a read of a long file without a selector.

use omniread::{Dialect, Options, Reply, Session};
use omniread_tests::pack::zip;
use omniread_tests::{Cli, Workspace};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The time after which a test treats a read as hung. A busy machine does not need as long.
const HANG: Duration = Duration::from_mins(10);

/// Rust code: 22 lines of imports, then functions of nine lines each.
fn rust(functions: usize) -> String {
    let mut text = String::from("//! A module.\n\n");
    for number in 0..20 {
        let _ = writeln!(text, "use std::m{number};");
    }
    for number in 0..functions {
        let _ = write!(
            text,
            "\n/// Does {number}.\npub fn f{number}(a: u32) -> u32 {{\n    let mut b = a;\n    for n in 0..{number} {{\n        b += n;\n    }}\n    b\n}}\n"
        );
    }
    text
}

fn read(session: &Session, path: &str) -> Reply {
    let reply = session.read(path);
    reply.unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
}

fn is_outline(reply: &Reply) -> bool {
    reply
        .text()
        .contains(" elided; re-read needed ranges, e.g. ")
}

#[test]
fn long_file_outline_shows_every_declaration() {
    let workspace = Workspace::new();
    workspace.file("src/long.rs", rust(100));
    let session = workspace.session();
    let text = read(&session, "src/long.rs").text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("[src/long.rs#"), "{text}");
    for number in 0..100 {
        let line = 25 + number * 9;
        let head = format!("pub fn f{number}(a: u32) -> u32 {{");
        let folded = format!("{line}-{}:{head} … }}", line + 6);
        let shown = format!("{line}:{head}");
        assert!(
            lines.contains(&&*folded) || lines.contains(&&*shown),
            "{number}: {text}"
        );
    }
    assert!(
        lines.contains(&"3-22:use std::m0; … use std::m19;"),
        "{text}"
    );
    // The outline has at most a quarter of 922 lines; the header and the notices are four more.
    assert!(lines.len() <= 230 + 4, "{}", lines.len());
    assert!(
        text.ends_with("[:sym:NAME reads one by its name]"),
        "{text}"
    );
    // The example in the footer is a path that can be read.
    let (_, example) = text.rsplit_once("e.g. ").unwrap();
    let (example, _) = example.split_once(']').unwrap();
    let shown = read(&session, example).text();
    let (_, ranges) = example.rsplit_once(':').unwrap();
    let first = ranges.split(['-', ',']).next().unwrap();
    assert!(shown.contains(&format!("\n{first}:")), "{example}: {shown}");
}

#[test]
fn pages_after_an_outline_show_every_line_once() {
    let workspace = Workspace::new();
    let text = rust(100);
    workspace.file("long.rs", &text);
    let session = workspace.session();
    let mut path = read(&session, "long.rs").details.next.expect("the whole");
    assert_eq!(path, "long.rs:1");
    let mut all = Vec::new();
    loop {
        let reply = read(&session, &path);
        let page = reply.text();
        all.extend(page.lines().filter_map(|line| {
            let (number, text) = line.split_once(':')?;
            number.parse::<u32>().ok()?;
            Some(text.to_owned())
        }));
        match reply.details.next {
            Some(next) => path = next,
            None => break,
        }
    }
    assert_eq!(all.join("\n") + "\n", text);
}

#[test]
fn outline_requires_a_long_file_in_a_known_language() {
    let workspace = Workspace::new();
    let long = rust(100);
    let page: String = long
        .lines()
        .take(300)
        .fold(String::new(), |all, line| all + line + "\n");
    workspace
        .file("a.rs", &long)
        .file("page.rs", &page)
        .file("more.rs", format!("{page}fn last() {{}}\n"))
        .file("a.txt", &long)
        .file("a", &long)
        .file("lines.rs", "// x\n".repeat(20_001) + &long)
        .file("bytes.rs", format!("{long}// {}\n", "x".repeat(2 << 20)));
    let session = workspace.session();
    for (path, outlined) in [
        ("a.rs", true),
        ("more.rs", true),
        ("page.rs", false),
        ("a.rs:1", false),
        ("a.rs:1-400", false),
        ("a.rs:raw", false),
        ("a.txt", false),
        ("a", false),
        ("lines.rs", false),
        ("bytes.rs", false),
    ] {
        let reply = read(&session, path);
        assert_eq!(is_outline(&reply), outlined, "{path}: {}", reply.text());
    }
    let off = Options {
        outlines: false,
        ..Options::default()
    };
    let reply = session.read_as("a.rs", Dialect::Omp, &off).unwrap();
    assert!(!is_outline(&reply));
    for dialect in [
        Dialect::Gateway,
        Dialect::Comma,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let reply = session
            .read_as("a.rs", dialect, &Options::default())
            .unwrap();
        assert!(!is_outline(&reply), "{dialect:?}");
    }
    let lines = Options {
        limit: 2000,
        ..Options::default()
    };
    let reply = session.read_as("a.rs", Dialect::Omp, &lines).unwrap();
    assert!(!is_outline(&reply), "the page contains the whole file");
}

#[test]
fn members_and_other_encodings_have_numbered_outlines() {
    let workspace = Workspace::new();
    let long = rust(100);
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(long.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    workspace
        .file("a.zip", zip(&[("src/a.rs", long.as_bytes())]))
        .file("wide.rs", wide)
        .file("crlf.rs", long.replace('\n', "\r\n"));
    let session = workspace.session();
    for path in ["a.zip:src/a.rs", "wide.rs", "crlf.rs"] {
        let reply = read(&session, path);
        assert!(is_outline(&reply), "{path}: {}", reply.text());
        let text = reply.text();
        assert!(
            text.contains("3-22:use std::m0; … use std::m19;\n"),
            "{path}: {text}"
        );
        assert!(
            text.contains(":pub fn f99(a: u32) -> u32 {"),
            "{path}: {text}"
        );
    }
    let text = read(&session, "a.zip:src/a.rs").text();
    assert!(text.contains("e.g. a.zip:src/a.rs:"), "{text}");
}

#[test]
fn declarations_after_a_syntax_error_are_shown() {
    let workspace = Workspace::new();
    let long = rust(100);
    workspace
        .file("brace.rs", long.replacen("    }\n", "", 1))
        .file("half.rs", &long[..long.len() / 2])
        .file(
            "quote.rs",
            long.replacen("let mut b = a;", "let b = \"a;", 1),
        );
    let session = workspace.session();
    for (path, functions) in [("brace.rs", 100), ("half.rs", 49), ("quote.rs", 100)] {
        let text = read(&session, path).text();
        let found = text.matches(":pub fn f").count();
        assert!(found >= functions, "{path}: {found}: {text}");
    }
}

#[test]
fn range_with_context_shows_enclosing_declarations() {
    let workspace = Workspace::new();
    let text = "class A:\n    def one(self):\n        x = 1\n        y = 2\n\n    def two(self):\n        z = 3\n        return z\n";
    workspace.file("a.py", text);
    let session = workspace.session();
    let options = Options {
        context: true,
        margin: false,
        hashlines: false,
        numbers: true,
        ..Options::default()
    };
    let read = |path: &str| {
        let reply = session.read_as(path, Dialect::Omp, &options).unwrap();
        let text = reply.text();
        text.split("\n\n").next().unwrap().to_owned()
    };
    assert_eq!(
        read("a.py:8-8"),
        "1|class A:\n…\n6|    def two(self):\n…\n8|        return z"
    );
    assert_eq!(
        read("a.py:3,7"),
        "1|class A:\n2|    def one(self):\n3|        x = 1\n…\n6|    def two(self):\n7|        z = 3"
    );
    assert_eq!(read("a.py:1-1"), "1|class A:");
    assert_eq!(read("a.py:8:raw"), "        return z\n");
}

#[test]
fn json_summary_counts_elided_lines() {
    let workspace = Workspace::new();
    workspace.file("a.rs", rust(100));
    let out = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path())
        .run(&["--json", "a.rs"]);
    let reply: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let text = reply["blocks"][0]["text"].as_str().unwrap();
    let summary = &reply["structured"]["summary"];
    assert_eq!(summary["lines"], 922, "{text}");
    let elided = summary["elidedLines"].as_u64().unwrap();
    assert!(text.contains(&format!("[{elided} lines elided;")), "{text}");
    assert!(reply["structured"]["truncation"].is_null());
}

/// Markdown, JSON, CSV and notebooks have outlines. Logs and JSON lines have none.
#[test]
fn prose_and_data_have_outlines() {
    let workspace = Workspace::new();
    let mut prose = String::new();
    let mut keys = String::from("{\n");
    let mut table = String::from("id,name,size\n");
    let mut log = String::new();
    for n in 0..400 {
        let _ = write!(prose, "## Section {n}\n\nwords\nwords\nwords\n\n");
        let _ = write!(
            keys,
            "  \"key{n}\": {{\n    \"a\": {n},\n    \"b\": {n}\n  }},\n"
        );
        let _ = writeln!(table, "{n},name{n},{}", n * 3);
        let level = if n == 200 { "ERROR" } else { "INFO" };
        let _ = writeln!(
            log,
            "2026-11-21T10:{:02}:{:02}Z {level} request {n} took {}ms",
            n / 60,
            n % 60,
            n * 7 % 97
        );
    }
    keys.push_str("  \"last\": 0\n}\n");
    let cells: Vec<_> = (0..60)
        .map(|n| {
            serde_json::json!({"cell_type": "code", "metadata": {}, "execution_count": n, "outputs": [],
                "source": format!("import os\ndef f{n}(a):\n    b = a\n    c = b\n    d = c\n    return d")})
        })
        .collect();
    let notebook = serde_json::json!({"cells": cells, "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"language_info": {"name": "python"}}});
    workspace
        .file("a.md", prose)
        .file("a.json", keys)
        .file("a.csv", table)
        .file("server", &log)
        .file("a.log", &log)
        .file("a.ipynb", notebook.to_string())
        .file("a.jsonl", "{\"a\": 1}\n".repeat(400));
    let session = workspace.session();
    for (path, parts) in [
        ("a.md", &["1:## Section 0\n", "-2399:## Section 399 …"][..]),
        (
            "a.json",
            &["2-5:  \"key0\": { … },", "… 2 entries (1598-1603)"],
        ),
        (
            "a.csv",
            &[
                "1:id,name,size\n",
                "401:399,name399,1197",
                "400 records, 3 columns: id, name, size",
            ],
        ),
        (
            "a.ipynb",
            &[
                "1:# %% [code] cell:0\n",
                "def f0(a): …",
                ":# %% [code] cell:59",
            ],
        ),
    ] {
        let text = read(&session, path).text();
        for part in parts {
            assert!(text.contains(part), "{path}: {part}: {text}");
        }
        assert!(text.contains(" lines elided"), "{path}: {text}");
    }
    for path in ["a.jsonl", "a.log:1", "server:1"] {
        let text = read(&session, path).text();
        assert!(
            text.contains("[Showing lines 1-300 of 400."),
            "{path}: {text}"
        );
    }
}

/// Release notes in Markdown, in which more than a quarter of the lines are headings.
fn releases(count: usize) -> String {
    let mut text = String::from("# Changes\n\nAll of them.\n\n");
    for number in (0..count).rev() {
        let _ = write!(
            text,
            "## 1.{number}\n\n### Added\n\n- One {number}.\n- Two.\n\n### Fixed\n- Three.\n\n"
        );
    }
    text
}

#[test]
fn prose_outlines_show_every_heading() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for count in [40, 100, 200] {
        let text = releases(count);
        workspace.file("CHANGES.md", &text);
        let outline = read(&session, "CHANGES.md").text();
        let shown: Vec<&str> = outline.lines().collect();
        for (number, line) in (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.starts_with('#'))
        {
            let alone = format!("{number}:{line}");
            let folded = format!("{number}-");
            let is_shown = |shown: &&str| {
                **shown == *alone || (shown.starts_with(&folded) && shown.contains(line))
            };
            assert!(shown.iter().any(is_shown), "{alone}: {outline}");
        }
        assert!(shown.len() < 1010, "{}", shown.len());
    }
    // Headings beyond the limit are counted.
    workspace.file("CHANGES.md", releases(1500));
    let reply = read(&session, "CHANGES.md");
    let outline = reply.text();
    assert!(outline.contains(" … 2 headings"), "{outline}");
    assert!(
        outline.lines().count() < 1010,
        "{}",
        outline.lines().count()
    );
}

#[test]
fn outline_of_hostile_text_does_not_hang() {
    let workspace = Workspace::new();
    let session = workspace.session();
    let fill = |part: &str| part.repeat((2 << 20) / part.len() - 1);
    for (name, text) in [
        ("a.rs", fill("(\n")),
        ("b.rs", fill("{ ") + &"\n".repeat(400)),
        ("c.rs", fill("fn a(){\n")),
        ("d.tsx", fill("<a{ ") + &"\n".repeat(400)),
        ("e.js", fill("`${ ") + &"\n".repeat(400)),
        ("f.sh", fill("<<A\n")),
        ("g.cpp", fill("a<") + &"\n".repeat(400)),
        ("h.rs", fill("r#\" ") + &"\n".repeat(400)),
        ("i.c", fill("#if\n{")),
        ("j.py", fill("\"\"\" ") + &"\n".repeat(400)),
        ("k.ts", fill("class A<B = ") + &"\n".repeat(400)),
        ("l.java", fill("@A(") + &"\n".repeat(400)),
    ] {
        let lines = text.lines().count();
        // Files of more than 20,000 lines have no outline.
        let text = if lines > 20_000 {
            text.lines()
                .take(19_000)
                .fold(String::new(), |all, line| all + line + "\n")
        } else {
            text
        };
        workspace.file(name, text);
        let started = Instant::now();
        let reply = read(&session, name);
        assert!(!reply.text().is_empty());
        assert!(started.elapsed() < HANG, "{name} hung");
    }
}
