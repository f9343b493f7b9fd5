//! Cut lines: notices name them, and `next` continues them without loss.

use super::*;
use omniread_tests::chain;

/// The lines that a sequence of pages shows. A line that is cut, and continued on later pages, is
/// joined from its parts.
///
/// Panics if a part is missing or shown twice.
fn assembled(replies: &[Reply]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for reply in replies {
        for (number, column, text) in plain(reply) {
            if lines.len() < number {
                lines.resize(number, String::new());
            }
            let known = &mut lines[number - 1];
            assert_eq!(
                known.chars().count() + 1,
                column.max(1),
                "line {number} from column {column}"
            );
            known.push_str(&text);
        }
    }
    lines
}

/// The lines, or parts of lines, that a reply shows: line number, first column and text.
fn plain(reply: &Reply) -> Vec<(usize, usize, String)> {
    let text = reply.text();
    let numbered = |line: &str| {
        let (label, text) = line.split_once(':')?;
        let (number, column) = label.split_once('@').unwrap_or((label, "1"));
        let (number, column) = (number.parse().ok()?, column.parse().ok()?);
        let text = text.split("…[cut; use ").next()?;
        Some((number, column, text.to_owned()))
    };
    text.lines().filter_map(numbered).collect()
}

/// Lines that contain their own number. `long` has the number and the length of each line that is a
/// long sequence of letters instead.
fn with_long_lines(lines: usize, long: &[(usize, usize)]) -> Vec<String> {
    (1..=lines)
        .map(
            |number| match long.iter().find(|(line, _)| *line == number) {
                Some((_, length)) => (0..*length)
                    .map(|n| char::from(b'a' + u8::try_from((n / 7 + number) % 26).unwrap()))
                    .collect(),
                None => format!("line {number}"),
            },
        )
        .collect()
}

#[test]
fn cut_lines_are_continued_by_next_to_the_last_byte() {
    type Case<'c> = (usize, &'c [(usize, usize)], &'c str);
    let cases: &[Case<'_>] = &[
        (2, &[(2, 87_000)], "f"),
        (3, &[(2, 5000)], "f"),
        (5, &[(1, 2001), (3, 9000), (4, 2500)], "f"),
        (
            700,
            &[(2, 5000), (300, 2100), (301, 4000), (700, 3000)],
            "f",
        ),
        (40, &[(5, 5000), (9, 5000)], "f:5-9"),
        (40, &[(5, 5000), (9, 5000), (20, 3000)], "f:5-9,20-30"),
        (40, &[(5, 5000), (40, 5000)], "f:5"),
    ];
    for (count, long, path) in cases {
        let lines = with_long_lines(*count, long);
        let workspace = Workspace::new();
        workspace.file("f", lines.join("\n") + "\n");
        let session = workspace.session();
        let first = session.read(path).unwrap();
        assert!(first.details.next.is_some(), "{count} {long:?} {path}");
        let own: Value = serde_json::from_str(&first.structured).unwrap();
        assert_eq!(own["truncation"]["truncated"], true, "{path}");
        assert!(own["meta"]["truncation"].is_object(), "{path}");
        let replies = chain(&session, path);
        let shown = assembled(&replies);
        for (number, line) in shown.iter().enumerate() {
            let context = number + 1 < 5 || line.is_empty();
            assert!(
                context || *line == lines[number],
                "{path}: line {} of {count}: {} of {}",
                number + 1,
                line.len(),
                lines[number].len()
            );
        }
        for (number, _) in *long {
            let requested = match *path {
                "f" => true,
                "f:5" => *number >= 5,
                "f:5-9" => (5..=9).contains(number),
                _ => (5..=9).contains(number) || (20..=30).contains(number),
            };
            assert_eq!(
                shown
                    .get(number - 1)
                    .is_some_and(|line| *line == lines[number - 1]),
                requested,
                "{path}: line {number}"
            );
        }
    }
}

#[test]
fn cut_lines_are_named_in_notice_and_truncation() {
    let lines = with_long_lines(10, &[(2, 5000), (7, 3000)]);
    let workspace = Workspace::new();
    workspace.file("f", lines.join("\n") + "\n");
    let session = workspace.session();
    let reply = session.read("f").unwrap();
    assert!(
        reply
            .text()
            .contains("\n[Lines 2, 7 are cut. Use :2@2001 for the rest of the first one]"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.details.next.as_deref(), Some("f:2@2001-2,7@2001-7"));
    let own: Value = serde_json::from_str(&reply.structured).unwrap();
    assert_eq!(own["truncation"]["truncatedBy"], "columns");
    assert_eq!(own["truncation"]["cutLines"], 2);
    assert_eq!(own["truncation"]["firstCut"], "f:2@2001");
    assert_eq!(own["truncation"]["lastLinePartial"], false);
    // If the cut line is the last, `next` is the rest of that line.
    let lines = with_long_lines(2, &[(2, 87_000)]);
    workspace.file("g", lines.join("\n"));
    let reply = session.read("g").unwrap();
    assert_eq!(reply.details.next.as_deref(), Some("g:2@2001"));
    assert!(
        reply
            .text()
            .contains("\n[Line 2 is cut. Use :2@2001 for the rest of it]"),
        "{}",
        reply.text()
    );
}

#[test]
fn next_is_set_in_every_dialect_unless_all_is_shown() {
    let lines = with_long_lines(10, &[(2, 5000), (7, 3000)]);
    let workspace = Workspace::new();
    workspace
        .file("f", lines.join("\n") + "\n")
        .file("short", numbered(10));
    let session = workspace.session();
    for dialect in DIALECTS {
        let read = |name: &str| {
            let (argument, path) = path_of(dialect, &workspace, name);
            call(&session, dialect, &json!({ argument: path })).unwrap()
        };
        let next = read("f").details.next;
        // comma does not cut lines.
        assert_eq!(next.is_some(), dialect != Dialect::Comma, "{dialect:?}");
        if let Some(next) = next {
            let shown = if dialect == Dialect::Codex { 500 } else { 2000 };
            let column = shown + 1;
            let rest = format!("f:2@{column}-2,7@{column}-7");
            assert!(next.ends_with(&rest), "{dialect:?}: {next}");
            let (argument, _) = path_of(dialect, &workspace, "f");
            let rest = call(&session, dialect, &json!({ argument: next })).unwrap();
            assert_eq!(rest.details.next, None, "{dialect:?}");
            let window = rest.details.window.as_ref().unwrap();
            assert!(window.cuts.is_empty(), "{dialect:?}");
            assert!(rest.text().contains(&lines[1][shown..]), "{dialect:?}");
            assert!(rest.text().contains(&lines[6][shown..]), "{dialect:?}");
            let shown: Vec<_> = window
                .shown
                .iter()
                .map(|span| (span.first, span.last))
                .collect();
            assert_eq!(shown, [(2, 2), (7, 7)], "{dialect:?}");
        }
        assert_eq!(read("short").details.next, None, "{dialect:?}");
    }
}

#[test]
fn page_of_only_long_lines_has_a_valid_next() {
    let line = "Ж".repeat(2100);
    let workspace = Workspace::new();
    workspace.file("f", format!("{line}\n").repeat(900));
    let session = workspace.session();
    for dialect in [
        Dialect::Omp,
        Dialect::Claude,
        Dialect::Gemini,
        Dialect::Gateway,
    ] {
        let (_, path) = path_of(dialect, &workspace, "f");
        let mut next = Some(path);
        let mut shown = 0;
        while let Some(path) = next {
            let reply = session.read_as(&path, dialect, &Options::default());
            let reply = reply.unwrap_or_else(|failure| panic!("{}", failure.message));
            shown += reply.text().matches('Ж').count();
            next = reply.details.next;
        }
        assert_eq!(shown, 900 * 2100, "{dialect:?}");
    }
}

#[test]
fn cut_trees_and_table_lists_report_their_limit() {
    let workspace = Workspace::new();
    for number in 0..30 {
        workspace.file(&format!("wide/{number}"), "x");
    }
    let session = workspace.session();
    let limits = |path: &str| {
        let reply = session.read(path).unwrap();
        let own: Value = serde_json::from_str(&reply.structured).unwrap();
        own["meta"]["limits"].clone()
    };
    assert_eq!(limits("."), json!({"resultLimit": 12}));
    assert_eq!(limits("wide"), Value::Null);
    assert_eq!(limits("wide:1-5"), Value::Null);
}

#[test]
fn list_of_ranges_states_the_total() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(100));
    let session = workspace.session();
    let reply = session.read("f:5-9,40-60").unwrap();
    assert!(
        reply
            .text()
            .ends_with("\n\n[Showing lines 5-9, 40-60 of 100]"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.details.next, None);
    let raw = session.read("f:5-9,40-60:raw").unwrap();
    assert_eq!(raw.blocks.len(), 1);
}

#[test]
fn line_number_beyond_64_bits_is_an_error() {
    let workspace = Workspace::new();
    workspace.file("f", numbered(20));
    let session = workspace.session();
    for dialect in DIALECTS {
        let read = |path: &str| session.read_as(path, dialect, &Options::default());
        for path in ["f:99999999999999999999", "f:1-2,99999999999999999999"] {
            let failure = read(path).unwrap_err();
            assert_eq!(
                failure.message,
                "Line selector 99999999999999999999 is invalid; no text has that many lines.",
                "{dialect:?}"
            );
        }
        let all = read("f:19-99999999999999999999").unwrap();
        assert!(all.text().contains("line 20"), "{dialect:?}");
        assert!(!all.text().contains("18446744073709551615"), "{dialect:?}");
    }
}
