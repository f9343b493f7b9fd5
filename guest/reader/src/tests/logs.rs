//! Tests of views of logs.

use super::*;
use crate::answer::{Log, Searched};
use crate::window::Page;
use omniread_tokens::estimate;
use std::fmt::Write as _;

/// A log of Python: an error in each 200th line, and an exception with a stack trace in line 1001.
fn python(lines: usize) -> String {
    let mut log = String::new();
    for n in 1..=lines {
        let time = format!("2024-01-02 03:{:02}:{:02},123", n / 60 % 60, n % 60);
        let _ = match n {
            1001 => writeln!(
                log,
                "{time} ERROR worker job failed\nTraceback (most recent call last):\n  File \"a.py\", line 3, in run\n    1 / 0\nZeroDivisionError: division by zero"
            ),
            n if n % 200 == 0 => writeln!(log, "{time} ERROR db timeout after {n} ms"),
            n if n % 150 == 0 => writeln!(log, "{time} WARNING db slow"),
            n => writeln!(log, "{time} INFO db request {n} done, 0 errors"),
        };
    }
    log
}

fn text(reply: &Reply) -> String {
    let blocks = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => text.as_str(),
        _ => "",
    });
    blocks.collect::<Vec<_>>().join("\n--\n")
}

fn view(reply: &Reply) -> Option<&Log> {
    match &reply.answer.body {
        Body::Text(text) => text.log.as_ref(),
        _ => None,
    }
}

fn page(reply: &Reply) -> &Page {
    reply.answer.page().unwrap()
}

fn world_of(name: &str, content: impl Into<Vec<u8>>) -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file(name, content);
    world
}

/// Asserts that every line of a page has its number and its text.
fn check_lines(reply: &Reply, content: &str) {
    let lines: Vec<&str> = content.lines().collect();
    let page = page(reply);
    let mut before = None;
    for (index, line) in page.lines.iter().enumerate() {
        let at = match usize::try_from(line.number) {
            Ok(number) => number - 1,
            Err(_) => lines.len() - usize::try_from(line.number.unsigned_abs()).unwrap(),
        };
        assert!(
            before.is_none_or(|before| before < at),
            "line {}",
            line.number
        );
        before = Some(at);
        let shown = page.line(index);
        match line.cut {
            None => assert_eq!(shown, lines[at], "line {}", line.number),
            Some(_) => assert!(lines[at].starts_with(shown), "line {}", line.number),
        }
    }
}

/// Asserts that the next path of a view leads to the first line that is not shown, and the chain to all others.
fn check_chain(world: &mut MemoryWorld, path: &str, total: usize, options: &Options) {
    let first = reply(world, path, options);
    let shown = view(&first).expect("a view").first;
    let next = first.answer.next().unwrap();
    let mut columns = BTreeMap::new();
    let head: Vec<_> = page(&first).lines[..usize::try_from(shown).unwrap()].to_vec();
    let pages = chain(world, &next, options);
    let lines = pages
        .iter()
        .flat_map(|page| page.answer.page().unwrap().lines.clone());
    for line in head.into_iter().chain(lines) {
        let column = columns.insert(line.number, line.cut).unwrap_or(Some(1));
        assert_eq!(column, Some(line.column), "line {}", line.number);
    }
    assert!(columns.values().all(Option::is_none));
    assert_eq!(columns.len(), total);
    assert_eq!(
        columns.keys().next_back().copied(),
        Some(i64::try_from(total).unwrap())
    );
}

#[test]
fn long_log_shows_start_end_and_errors() {
    let content = python(2000);
    let mut world = world_of("app.log", content.clone());
    let reply = reply(&mut world, "app.log", &exact());
    check_lines(&reply, &content);
    let shown = text(&reply);
    for part in [
        "\n30:2024-01-02 03:00:30,123 INFO db request 30 done, 0 errors\n… 169 lines (:31-199)\n\
         200:2024-01-02 03:03:20,123 ERROR db timeout after 200 ms\n[10 such lines, the last is 2004]\n\
         … 800 lines (:201-1000)\n1001:2024-01-02 03:16:41,123 ERROR worker job failed\n[4 lines follow it: :1002-1005]\n\
         … 3 lines (:1002-1004)\n1005:ZeroDivisionError: division by zero\n… 939 lines (:1006-1944)\n1945:",
        "\n2004:2024-01-02 03:33:20,123 ERROR db timeout after 2000 ms\n\n\
         [Log: showing the first 30 lines and the last 60 lines of 2,004, and lines that report errors. Use :31 to continue]\n\
         [11 lines report errors, 10 a warning]",
    ] {
        assert!(shown.contains(part), "{part}\n\n{shown}");
    }
    let total = page(&reply).total;
    assert_eq!(total, Total::Exact(2004));
    assert_eq!(reply.answer.next().as_deref(), Some("app.log:31"));
    let spans: Vec<_> = page(&reply).spans();
    assert_eq!(
        spans,
        [
            (1, 30),
            (200, 200),
            (1001, 1001),
            (1005, 1005),
            (1945, 2004)
        ]
    );
    check_chain(&mut world, "app.log", 2004, &exact());
}

#[test]
fn log_that_fits_on_a_page_is_shown_whole() {
    let content = python(290);
    let mut world = world_of("app.log", content.clone());
    let shown = reply(&mut world, "app.log", &exact());
    assert!(view(&shown).is_none());
    assert_eq!(page(&shown).lines.len(), 290);
    // Few lines may be too long for a page.
    let content = format!("{}\n", "x".repeat(4000)).repeat(200);
    let mut world = world_of("app.log", content);
    let shown = reply(&mut world, "app.log", &exact());
    assert!(view(&shown).is_some());
    check_chain(&mut world, "app.log", 200, &exact());
}

#[test]
fn selectors_other_dialects_and_the_option_show_the_text_itself() {
    let mut world = world_of("app.log", python(2000));
    for path in [
        "app.log:1",
        "app.log:1-2000",
        "app.log:raw",
        "app.log:-20",
        "app.log:5-9,40-60",
    ] {
        assert!(view(&reply(&mut world, path, &exact())).is_none(), "{path}");
    }
    let off = Options {
        outlines: false,
        ..exact()
    };
    assert!(view(&reply(&mut world, "app.log", &off)).is_none());
    let all = Options {
        all: true,
        ..exact()
    };
    assert!(view(&reply(&mut world, "app.log", &all)).is_none());
    for dialect in [
        Dialect::Gateway,
        Dialect::Comma,
        Dialect::Gemini,
        Dialect::Claude,
    ] {
        let reply = dialect.read("app.log", &exact(), &mut world).unwrap();
        assert!(view(&reply).is_none(), "{dialect:?}");
    }
}

#[test]
fn log_is_recognised_by_its_content() {
    for name in ["server", "syslog", "a.txt", "a.out"] {
        let mut world = world_of(name, python(2000));
        assert!(view(&reply(&mut world, name, &exact())).is_some(), "{name}");
    }
    for name in ["a.csv", "a.rs", "a.md"] {
        let mut world = world_of(name, python(2000));
        assert!(view(&reply(&mut world, name, &exact())).is_none(), "{name}");
    }
    let prose = "An error is a word: Error. It happened on 2024-01-02 03:04:05.\n".repeat(1000);
    let mut world = world_of("a.txt", prose);
    assert!(view(&reply(&mut world, "a.txt", &exact())).is_none());
}

/// A log of more than 4 MiB with an error in each of these lines.
fn large(errors: &[usize], lines: usize) -> String {
    let mut log = String::new();
    for n in 1..=lines {
        let level = if errors.contains(&n) { "ERROR" } else { "INFO" };
        let word = if n % 2 == 0 { "even" } else { "odd" };
        let _ = writeln!(
            log,
            "2024-01-02 03:04:05,123 {level} worker message {n} of a service ({word})"
        );
    }
    log
}

#[test]
fn large_log_is_searched_at_its_ends() {
    let lines = 100_000;
    let content = large(&[40, 301, 50_000, 99_000, 99_990], lines);
    assert!(content.len() as u64 > limits::WHOLE_BYTES);
    let mut world = world_of("app.log", content.clone());
    let shown = reply(&mut world, "app.log", &exact());
    check_lines(&shown, &content);
    let log = view(&shown).unwrap();
    assert_eq!((log.first, log.last, log.errors), (30, 60, 4));
    let Searched::Ends {
        first,
        last,
        between,
    } = log.searched
    else {
        panic!()
    };
    assert!(first > 5_000 && last > 5_000 && between > 1_000_000);
    assert_eq!(page(&shown).total, Total::AtLeast(first + last));
    let spans = page(&shown).spans();
    assert_eq!(
        spans,
        [(1, 30), (40, 40), (301, 301), (-1001, -1001), (-60, -1)]
    );
    let shown = text(&shown);
    let gap = format!(
        "\n… (:302; {} from :{} on are not searched)\n",
        crate::units::bytes(between),
        first + 1
    );
    assert!(shown.contains(&gap), "{shown}");
    assert!(shown.contains("\n… 940 lines (:-1000)\n"), "{shown}");
    assert!(
        shown.contains("are numbered from the end: -1 is the last"),
        "{shown}"
    );
    check_chain(
        &mut world,
        "app.log",
        lines,
        &Options {
            limit: 3000,
            ..exact()
        },
    );
}

#[test]
fn compressed_log_is_searched_at_its_start() {
    let content = large(&[40, 99_990], 100_000);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, content.as_bytes()).unwrap();
    let mut world = world_of("app.log.gz", packed.finish().unwrap());
    let shown = reply(&mut world, "app.log.gz", &exact());
    check_lines(&shown, &content);
    let log = view(&shown).unwrap();
    assert_eq!((log.first, log.last, log.errors), (30, 0, 1));
    let Searched::Start { lines } = log.searched else {
        panic!()
    };
    assert!(lines > 40_000);
    assert!(text(&shown).contains("lines are searched; :-50 reads the end"));
    assert_eq!(shown.answer.next().as_deref(), Some("app.log.gz:31"));
    // A member that is in memory is searched whole.
    let content = python(2000);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, content.as_bytes()).unwrap();
    let mut world = world_of("app.log.gz", packed.finish().unwrap());
    let shown = reply(&mut world, "app.log.gz", &exact());
    check_lines(&shown, &content);
    assert_eq!(view(&shown).unwrap().searched, Searched::All);
}

#[test]
fn bad_input_is_shown_as_other_text() {
    let long = format!("2024-01-02 03:04:05 INFO {}\n", "x".repeat(1 << 20));
    let error = format!("2024-01-02 03:04:05 ERROR {}\n", "y".repeat(1 << 20));
    let odd =
        "\u{1b}[31m2024-01-02 03:04:05 ERROR a\u{1b}[0m\n\u{202e}2024-01-02 03:04:05 INFO b\n\0\n";
    let contents: Vec<Vec<u8>> = vec![
        format!("{}{long}{}{error}{}", python(200), python(200), python(200)).into_bytes(),
        [long.as_bytes(), python(2000).as_bytes(), error.as_bytes()].concat(),
        [
            python(500).as_bytes(),
            &[0xff, 0xfe, 0, 1, 2, b'\n'],
            python(500).as_bytes(),
        ]
        .concat(),
        odd.repeat(400).into_bytes(),
        python(1000).replace('\n', "\r\n").into_bytes(),
        python(1000).trim_end().as_bytes().to_vec(),
        utf16(&python(1000)),
        utf16(&large(&[40, 39_000], 40_000)),
        "2024-01-02 03:04:05 ERROR x\n"
            .repeat(1_000_000)
            .into_bytes(),
        "\n".repeat(1 << 20).into_bytes(),
        vec![b'x'; 5 << 20],
        [&vec![b'x'; 5 << 20][..], b"\n"].concat(),
        format!("{}\n", "x".repeat(3 << 20)).repeat(3).into_bytes(),
    ];
    for (n, content) in contents.into_iter().enumerate() {
        let mut world = world_of("app.log", content.clone());
        let shown = reply(&mut world, "app.log", &exact());
        let page = page(&shown);
        assert!(page.text.len() < 160 * 1024, "{n}");
        let log = view(&shown);
        if let Some(log) = log {
            assert!(page.lines.len() < 400, "{n}");
            assert!(log.first > 0);
        }
        assert_eq!(log.is_some(), n < 9, "{n}");
        let Body::Text(body) = &shown.answer.body else {
            panic!("{n}")
        };
        if n < 8 && log.is_some_and(|log| log.searched == Searched::All) {
            let decoded = decoded(
                &content[usize::try_from(body.encoding.bom_len).unwrap()..],
                &shown,
            );
            let total = decoded.lines().count();
            assert_eq!(page.total, Total::Exact(total as u64), "{n}");
            check_chain(&mut world, "app.log", total, &exact());
        }
    }
}

/// A text in UTF-16 with a byte order mark.
fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn view_is_within_a_budget_of_tokens() {
    let mut content = python(3000);
    for n in 0..300 {
        let word: String = (0..6)
            .map(|k| char::from(b'g' + u8::try_from((n >> k) % 7 + k).unwrap()))
            .collect();
        let _ = writeln!(
            content,
            "2024-01-02 03:04:05,123 ERROR {word}{} failed",
            "z".repeat(n)
        );
    }
    content.push_str(&python(1000));
    for (repeated, step) in [(1, 100), (30, 900)] {
        let content = content.repeat(repeated);
        let mut world = world_of("app.log", content.clone());
        let mut views = 0;
        for tokens in (100..4000).step_by(step) {
            let options = Options { tokens, ..exact() };
            let reply = reply(&mut world, "app.log", &options);
            check_lines(&reply, &content);
            let shown = text(&reply);
            let (_, shown) = shown.split_once(']').unwrap();
            let body = shown.rsplit_once("\n\n[").map_or(shown, |(body, _)| body);
            assert!(
                estimate(body) <= u64::from(tokens) + 3,
                "{tokens}: {}\n{body}",
                estimate(body)
            );
            views += usize::from(view(&reply).is_some());
        }
        assert!(views > 2);
    }
    let mut world = world_of("app.log", content.clone());
    for bytes in [4096, 5000, 8192, 20_000] {
        let options = Options {
            reply_bytes: bytes,
            ..exact()
        };
        let reply = reply(&mut world, "app.log", &options);
        check_lines(&reply, &content);
        assert!(
            page(&reply).text.len() as u64 <= u64::from(bytes),
            "{bytes}"
        );
        let shown = text(&reply);
        assert!(
            shown.len() < usize::try_from(bytes).unwrap() * 3 / 2 + 1000,
            "{bytes}: {}",
            shown.len()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn lines_of_a_view_are_those_of_the_log(
        lines in prop::collection::vec((0usize..12, 0usize..900), 301..700),
        ends in any::<bool>(),
        limit in 20u32..300,
    ) {
        let mut content = String::new();
        for (n, (kind, length)) in lines.iter().enumerate() {
            let _ = match kind {
                0 => writeln!(content, "2024-01-02 03:04:05 ERROR {} {n}", &"abcdefghij".repeat(2)[..length % 20]),
                1 => writeln!(content, "  at com.x.Y({n})"),
                2 => writeln!(content, "{}", "é".repeat(*length)),
                3 => writeln!(content),
                _ => writeln!(content, "2024-01-02 03:04:05 INFO {n}"),
            };
        }
        if !ends {
            content.pop();
        }
        let total = content.lines().count();
        let mut world = world_of("a.log", content.clone());
        let options = Options { limit, ..exact() };
        let shown = reply(&mut world, "a.log", &options);
        if view(&shown).is_some() {
            check_lines(&shown, &content);
            prop_assert_eq!(page(&shown).total, Total::Exact(total as u64));
            check_chain(&mut world, "a.log", total, &options);
        }
    }
}

#[test]
fn small_page_has_all_parts_of_a_view() {
    let mut content = String::new();
    for n in 1..=400 {
        let level = if n % 150 == 0 { "ERROR" } else { "INFO" };
        let _ = writeln!(content, "2024-01-02 03:04:05 {level} db: request {n}");
    }
    let mut world = world_of("app.log", content);
    let options = Options {
        limit: 20,
        ..exact()
    };
    let shown = text(&reply(&mut world, "app.log", &options));
    let (_, shown) = shown.split_once('\n').unwrap();
    let expected = "1:2024-01-02 03:04:05 INFO db: request 1
2:2024-01-02 03:04:05 INFO db: request 2
… 147 lines (:3-149)
150:2024-01-02 03:04:05 ERROR db: request 150
[2 such lines, the last is 300]
… 246 lines (:151-396)
397:2024-01-02 03:04:05 INFO db: request 397
398:2024-01-02 03:04:05 INFO db: request 398
399:2024-01-02 03:04:05 INFO db: request 399
400:2024-01-02 03:04:05 INFO db: request 400

[Log: showing the first 2 lines and the last 4 lines of 400, and lines that report errors. Use :3 to continue]
[2 lines report errors]";
    assert_eq!(shown, expected);
}
