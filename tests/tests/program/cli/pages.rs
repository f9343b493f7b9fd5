//! The flags `--all`, which reads every page, and `--lines`, which selects lines.

use super::cli;
use omniread_tests::{Workspace, numbered};
use serde_json::Value;

/// The file is larger than 8 MiB, the maximum size of a page.
#[test]
fn all_flag_reads_every_page_of_a_file() {
    let workspace = Workspace::new();
    let text: String = (1..=500_000)
        .map(|n| format!("line {n:08} of it\n"))
        .collect();
    assert!(text.len() > 8 << 20);
    workspace.file("large", &text).file("small", "1\n2\n");
    let cli = cli(&workspace);
    let run = cli.run(&["--all", "large:raw"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout == text);
    // The notice of the first page is not mixed with the text.
    assert!(run.stderr.contains("Use "), "{}", run.stderr);
    let run = cli.run(&["--all", "large:499990-:raw"]);
    assert_eq!(run.stdout.lines().count(), 11);
    // With line numbers, each line is printed once.
    let run = cli.run(&["--all", "large"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let numbered = lines.iter().filter(|line| line.contains(":line 0"));
    assert_eq!(numbered.count(), 500_000);
    assert!(lines.contains(&"500000:line 00500000 of it"));
    // Each dialect continues after the end of its page.
    for dialect in ["gateway", "claude", "gemini"] {
        let run = cli.run(&["--all", "--json", "--dialect", dialect, "large"]);
        assert!(run.stdout.lines().count() > 1, "{dialect}");
        let numbers = run.stdout.split("line ").skip(1);
        let numbers = numbers.filter_map(|line| line.split_once(" of it")?.0.parse::<u32>().ok());
        assert!(numbers.eq(1..=500_000), "{dialect}");
    }
    // A page of `comma` may end in the middle of a line.
    let run = cli.run(&["--all", "--json", "--dialect", "comma", "large"]);
    let contents = run.stdout.lines().map(|page| {
        let page: Value = serde_json::from_str(page).unwrap();
        let reply: Value =
            serde_json::from_str(page["blocks"][0]["text"].as_str().unwrap()).unwrap();
        reply["data"]["content"].as_str().unwrap().to_owned()
    });
    let contents: Vec<String> = contents.collect();
    assert!(contents.len() > 1);
    assert!(contents.concat() == text);
    let run = cli.run_with(&["--all", "-:raw"], &text.as_bytes()[..1 << 20]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout == text[..1 << 20]);
    let run = cli.run_with(&["--all", "-:raw"], text.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.len() > 7 << 20 && text.starts_with(&run.stdout));
    assert!(
        run.stderr.contains("can be read only once"),
        "{}",
        run.stderr
    );
    // A long line is not cut, and its place is unchanged.
    let long = format!("first\n{}\nlast\n", "x".repeat(100_000));
    workspace.file("long", &long);
    let run = cli.run(&["--all", "long"]);
    let numbered = format!("1:first\n2:{}\n3:last\n", "x".repeat(100_000));
    assert!(run.stdout.ends_with(&numbered), "{}", run.stdout.len());
    let line = format!("{{\"a\":\"{}\"}}", "y".repeat(20 << 20));
    workspace.file("line.json", &line);
    assert!(cli.run(&["--all", "line.json:raw"]).stdout == line);
    // The flags are not for `call`, whose arguments select a page.
    for wrong in ["--all", "-n5"] {
        let run = cli.run(&[wrong, "call", "omp", "{}"]);
        assert_eq!(run.code, Some(2), "{wrong}");
        assert!(run.stderr.contains("are for a PATH"), "{}", run.stderr);
    }
    // A failure is printed once.
    let run = cli.run(&["--all", "small", "nope"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr.matches("not found").count(), 1);
}

#[test]
fn all_flag_lists_every_entry_of_a_directory() {
    let workspace = Workspace::new();
    for n in 0..1000 {
        workspace.file(&format!("d/f{n}"), "");
    }
    let cli = cli(&workspace);
    assert!(cli.run(&["d"]).stdout.contains("[700 more entries"));
    let run = cli.run(&["--all", "d"]);
    assert_eq!(
        run.stdout
            .lines()
            .filter(|line| line.contains("- f"))
            .count(),
        1000
    );
}

#[test]
fn lines_flag_selects_lines() {
    let workspace = Workspace::new();
    workspace.file("n", numbered(50));
    let cli = cli(&workspace);
    for (lines, path) in [
        ("5-9", "n:5-9"),
        ("40", "n:40"),
        ("-3", "n:-3"),
        ("1,4-5", "n:1,4-5"),
    ] {
        let expected = cli.run(&[path]).stdout;
        assert_eq!(cli.run(&["-n", lines, "n"]).stdout, expected, "{lines}");
        assert_eq!(
            cli.run(&["n", &format!("--lines={lines}")]).stdout,
            expected,
            "{lines}"
        );
    }
    let raw = cli.run(&["-n", "2-3", "n:raw"]);
    assert_eq!(raw.stdout, "line 2\nline 3\n");
    let stdin = cli.run_with(&["-n", "2-3", "-:raw"], b"a\nb\nc\n");
    assert_eq!(stdin.stdout, "b\nc\n");
    for wrong in ["raw", "", "a-b", "5 9", "1.5", "--5", "cell:2", "0", "9-5"] {
        let run = cli.run(&["-n", wrong, "n"]);
        assert_eq!(run.code, Some(2), "{wrong}");
        assert!(
            run.stderr.contains("write 50-80"),
            "{wrong}: {}",
            run.stderr
        );
    }
    // The value is always a line, not a column, a row or a part of a file name.
    workspace.file("n:40", "its own\n");
    let run = cli.run(&["-n", "40", "n"]);
    assert!(run.stdout.contains("\n40:line 40\n"), "{}", run.stdout);
    let run = cli.run(&["-n", "40", "n:10"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("`n:10` has a selector, and the option `lines` selects lines too"),
        "{}",
        run.stderr
    );
}
