//! Tests of pages with a budget of tokens: they end within it, and their `next` paths rebuild every text.

use super::*;
use crate::window::{Limit, Page};
use omniread_tokens::estimate;

/// Estimates are rounded, and a mark that ends with a bracket and a line that starts with a sign are one piece.
const ROUNDING: u64 = 3;

fn within(tokens: u32) -> Options {
    Options {
        tokens,
        outlines: false,
        ..exact()
    }
}

/// Generates files whose lines are over and under small budgets. They are short, because a page of 100 tokens may
/// show ten columns.
pub fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        6 => "[a-z0-9 (){};.,=_]{0,60}".prop_map(String::into_bytes),
        2 => prop::collection::vec(prop_oneof![Just(0xc3u8), Just(0xa9), Just(0xff), 0x20u8..0x7f, any::<u8>()], 0..40),
        2 => (1usize..30).prop_map(|n| "añ😀\u{202e}".repeat(n).into_bytes()),
        2 => (1usize..90).prop_map(|n| "let value = 12; ".repeat(n).into_bytes()),
        1 => (395usize..405).prop_map(|n| "word ".repeat(n).into_bytes()),
    ];
    let ending = prop_oneof![6 => Just(&b"\n"[..]), 1 => Just(&b"\r\n"[..]), 1 => Just(&b"\r"[..])];
    (prop::collection::vec((line, ending), 0..20), any::<bool>()).prop_map(|(lines, ends)| {
        let mut content = Vec::new();
        for (line, ending) in &lines {
            content.extend_from_slice(line);
            content.extend_from_slice(ending);
        }
        if !ends {
            content.pop();
        }
        content
    })
}

/// The text block of a reply, without the header and the notices.
fn body(reply: &Reply) -> &str {
    let Block::Text(text) = &reply.blocks[0] else {
        panic!("no text")
    };
    let text = text.as_str();
    let Body::Text(body) = &reply.answer.body else {
        panic!("not text")
    };
    let text = match (body.tag.is_some(), text.split_once('\n')) {
        (true, Some((_, text))) => text,
        _ => text,
    };
    match text.rsplit_once("\n\n[") {
        Some((text, _)) if !body.window.selector.raw => text,
        _ => text,
    }
}

fn page(reply: &Reply) -> &Page {
    reply.answer.page().unwrap()
}

/// Whether a page shows one column: it makes progress even if this is more than the budget.
fn is_least(page: &Page) -> bool {
    matches!(page.lines.as_slice(), [line] if line.cut == Some(line.column + 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn chain_within_a_budget_shows_every_line_once(content in lines(), tokens in prop_oneof![Just(100u32), 100u32..140, 100u32..1500]) {
        let mut world = world(&content);
        let pages = chain(&mut world, "f", &within(tokens));
        if pages.iter().all(|page| matches!(page.answer.body, Body::Text(_))) {
            let total = pages.iter().find_map(|reply| match page(reply).total {
                Total::Exact(total) => Some(i64::try_from(total).unwrap()),
                Total::AtLeast(_) => None,
            });
            let whole: Vec<i64> = (1..=total.unwrap()).collect();
            prop_assert_eq!(shown_once(&pages), whole);
            for reply in &pages {
                let used = estimate(body(reply));
                prop_assert!(used <= u64::from(tokens) + ROUNDING || is_least(page(reply)), "{}: {}", used, body(reply));
            }
        }
    }

    #[test]
    fn raw_chain_within_a_budget_shows_every_character_once(content in lines(), tokens in prop_oneof![Just(100u32), 100u32..1500]) {
        let mut world = world(&content);
        let first = reply(&mut world, "f:raw", &exact());
        let pages = chain(&mut world, "f:raw", &within(tokens));
        let text: String = pages.iter().map(|reply| page(reply).text.as_str()).collect();
        prop_assert_eq!(text, decoded(&content, &first));
        for reply in &pages {
            let used = estimate(&page(reply).text);
            prop_assert!(used <= u64::from(tokens) + ROUNDING || is_least(page(reply)), "{}", used);
        }
    }

    #[test]
    fn ranges_and_tails_within_a_budget_show_every_line_once(content in lines(), first in 1u64..60, count in 0u64..60, tokens in 100u32..400) {
        let mut world = world(&content);
        let start = reply(&mut world, "f:raw", &exact());
        if matches!(start.answer.body, Body::Text(_)) {
            let text = decoded(&content, &start);
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for (path, expected) in [
                (format!("f:{first}-{}:raw", first + count), lines.iter().skip(usize::try_from(first).unwrap() - 1).take(usize::try_from(count).unwrap() + 1).copied().collect::<String>()),
                (format!("f:-{first}:raw"), lines[lines.len().saturating_sub(usize::try_from(first).unwrap())..].concat()),
            ] {
                let pages = chain(&mut world, &path, &within(tokens));
                let shown: String = pages.iter().map(|reply| page(reply).text.as_str()).collect();
                prop_assert_eq!(shown, expected, "{}", path);
            }
        }
    }
}

/// Generates the lines of a text that is shown without escapes: over and under the budgets, the limit of a line and
/// the smallest limits of a reply in bytes.
fn plain_lines() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        6 => "[a-z0-9(){};.,=_]{0,60}".prop_map(|line| line),
        2 => (1usize..90).prop_map(|n| "let value = 12; ".repeat(n)),
        2 => (1usize..60).prop_map(|n| "añ😀 ж漢".repeat(n)),
        1 => (1990usize..2010).prop_map(|n| "x".repeat(n)),
        1 => (1usize..4).prop_map(|n| "a word, ".repeat(n * 260)),
    ];
    prop::collection::vec(line, 1..30)
}

/// All budgets that a page may have at once.
fn budgets() -> impl Strategy<Value = Options> {
    let tokens = prop_oneof![1 => Just(0u32), 2 => Just(100u32), 4 => 100u32..3000];
    let bytes = prop_oneof![2 => 4096u32..5000, 1 => 4096u32..60_000, 1 => Just(8u32 << 20)];
    let limit = prop_oneof![3 => 1u32..12, 1 => Just(300u32)];
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    (tokens, bytes, limit, switches).prop_map(
        |(tokens, reply_bytes, limit, (hashlines, numbers, all))| Options {
            reply_bytes,
            limit,
            hashlines,
            numbers,
            all,
            ..within(tokens)
        },
    )
}

/// Reads a path in a dialect and all pages that continue it.
fn chain_in(
    dialect: Dialect,
    world: &mut MemoryWorld,
    path: &str,
    options: &Options,
) -> Vec<Reply> {
    let mut pages = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let reply = dialect.read(&path, options, world);
        let reply = reply.unwrap_or_else(|failed| panic!("{path}: {}", failed.text));
        next = reply.answer.next();
        pages.push(reply);
        assert!(pages.len() < 20_000, "the chain does not end");
    }
    pages
}

proptest! {
    // Each case follows a chain in each dialect, and two more of exact text.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn chain_within_all_budgets_rebuilds_the_file(lines in plain_lines(), ends in any::<bool>(), options in budgets()) {
        let mut content = lines.join("\n");
        if ends || lines.last().is_some_and(String::is_empty) {
            content.push('\n');
        }
        let mut world = world(content.as_bytes());
        for dialect in Dialect::ALL {
            let pages = chain_in(*dialect, &mut world, "f", &options);
            // The rest of a cut line may follow after other lines.
            let mut rebuilt: BTreeMap<i64, (Option<u64>, String)> = BTreeMap::new();
            for reply in &pages {
                let page = page(reply);
                for (index, line) in page.lines.iter().enumerate() {
                    let (next, text) = rebuilt.entry(line.number).or_insert((Some(1), String::new()));
                    prop_assert_eq!(*next, Some(line.column), "{}: line {}", dialect.name(), line.number);
                    text.push_str(page.line(index).trim_end_matches('\n'));
                    *next = line.cut;
                }
                let used = estimate(&page.plain());
                let budget = u64::from(options.tokens);
                prop_assert!(budget == 0 || used <= budget + ROUNDING || is_least(page), "{}: {}", dialect.name(), used);
            }
            let numbers: Vec<i64> = rebuilt.keys().copied().collect();
            prop_assert_eq!(numbers, (1..=i64::try_from(lines.len()).unwrap()).collect::<Vec<_>>());
            prop_assert!(rebuilt.values().all(|(next, _)| next.is_none()), "{}", dialect.name());
            let rebuilt: Vec<String> = rebuilt.into_values().map(|(_, text)| text).collect();
            prop_assert_eq!(&rebuilt, &lines, "{}", dialect.name());
        }
        for dialect in [Dialect::Omp, Dialect::Gateway] {
            let pages = chain_in(dialect, &mut world, "f:raw", &options);
            let text: String = pages.iter().map(|reply| page(reply).text.as_str()).collect();
            prop_assert_eq!(&text, &content, "{}", dialect.name());
        }
    }

    #[test]
    fn rows_within_all_budgets_are_shown_once(
        rows in prop::collection::vec(prop::collection::vec("[a-z0-9 .,]{0,50}", 24), 1..50),
        columns in prop_oneof![3 => 1usize..6, 1 => 6usize..24],
        width in prop_oneof![2 => Just(0u32), 1 => Just(120u32)],
        options in budgets(),
    ) {
        let head: Vec<String> = (0..columns).map(|n| format!("column{n}")).collect();
        let mut content = format!("id,{}\n", head.join(","));
        for (number, values) in rows.iter().enumerate() {
            let values: Vec<String> = values[..columns].iter().map(|value| format!("\"{value}\"")).collect();
            content.push_str(&format!("row {number},{}\n", values.join(",")));
        }
        let mut world = MemoryWorld::new("/ws");
        world.file("a.csv", content.as_bytes());
        let options = Options { table_width: width, ..options };
        let mut shown = Vec::new();
        for reply in chain_in(Dialect::Omp, &mut world, "a.csv:", &options) {
            let Block::Text(text) = &reply.blocks[0] else {
                panic!("no text")
            };
            shown.extend(text.match_indices("row ").filter_map(|(at, _)| {
                let digits: String = text[at + 4..].chars().take_while(char::is_ascii_digit).collect();
                let before = text[..at].chars().next_back()?;
                let after = text[at + 4 + digits.len()..].chars().next()?;
                let is_cell = matches!(before, ' ' | '|') && matches!(after, ' ' | '|' | '\n');
                digits.parse::<usize>().ok().filter(|_| is_cell)
            }));
        }
        // A random value does not contain `row 7`.
        prop_assert_eq!(shown, (0..rows.len()).collect::<Vec<_>>());
    }
}

#[test]
fn page_ends_near_its_budget() {
    let lines: String = (1..=3000)
        .map(|n| format!("    let total_{n} = sum(values, {n});\n"))
        .collect();
    let mut world = world(lines.as_bytes());
    let options = Options {
        limit: 3000,
        ..within(2000)
    };
    let pages = chain(&mut world, "f", &options);
    assert_eq!(page(&pages[0]).limit, Some(Limit::Tokens(2000)));
    let (last, full) = pages.split_last().unwrap();
    for reply in full {
        let used = estimate(body(reply));
        assert!((1970..=2001).contains(&used), "{used}");
    }
    assert_eq!(page(last).limit, None);
    let Block::Text(text) = &pages[0].blocks[0] else {
        panic!("no text")
    };
    let shown = page(&pages[0]).lines.len();
    let next = shown + 1;
    assert!(
        text.ends_with(&format!(
            "[Showing lines 1-{shown} of 3000 (limit of 2000 tokens). Use :{next} to continue]"
        )),
        "{text}"
    );
}

/// The example of `docs/guide/paths-and-selectors.md`.
#[test]
fn lines_of_two_tokens_fill_the_budget() {
    let numbers: String = (1..=5000).map(|n| format!("{n}\n")).collect();
    let options = Options {
        hashlines: false,
        ..within(300)
    };
    let reply = reply(&mut world(numbers.as_bytes()), "f", &options);
    let Block::Text(text) = &reply.blocks[0] else {
        panic!("no text")
    };
    assert!(
        text.ends_with("[Showing lines 1-150 of 5000 (limit of 300 tokens). Use :151 to continue]"),
        "{text}"
    );
}

#[test]
fn line_over_the_budget_is_cut_by_column() {
    let long = "let value = numbers.first(); ".repeat(60);
    let mut world = world(format!("short\n{long}\nend\n").as_bytes());
    let pages = chain(&mut world, "f", &within(200));
    assert_eq!(page(&pages[0]).lines.len(), 1);
    assert_eq!(pages[0].answer.next().as_deref(), Some("f:2"));
    let cut = page(&pages[1]).lines[0].cut.unwrap();
    assert_eq!(pages[1].answer.next(), Some(format!("f:2@{cut}")));
    let used = estimate(body(&pages[1]));
    assert!((185..=200).contains(&used), "{used}");
    assert_eq!(shown_once(&pages), [1, 2, 3]);
}

#[test]
fn every_dialect_continues_within_its_budget() {
    let lines: String = (1..=500).map(|n| format!("line number {n}\n")).collect();
    for dialect in Dialect::ALL {
        let mut world = world(lines.as_bytes());
        let options = within(300);
        let mut next = Some("f".to_owned());
        let mut shown = Vec::new();
        while let Some(path) = next {
            let reply = dialect.read(&path, &options, &mut world).unwrap();
            let page = page(&reply);
            assert!(estimate(&page.plain()) <= 300);
            shown.extend(page.lines.iter().map(|line| line.number));
            next = reply.answer.next();
        }
        assert_eq!(shown, (1..=500).collect::<Vec<i64>>(), "{}", dialect.name());
    }
}

/// The numbers in the first column of the rows that the pages of a table show.
fn rows_of(world: &mut MemoryWorld, path: &str, options: &Options) -> Vec<u32> {
    let mut numbers = Vec::new();
    for reply in chain(world, path, options) {
        let Block::Text(text) = &reply.blocks[0] else {
            panic!("no text")
        };
        let table: String = (text.lines().take_while(|line| !line.is_empty()))
            .map(|line| format!("{line}\n"))
            .collect();
        let used = estimate(&table);
        assert!(
            used <= u64::from(options.tokens) + ROUNDING,
            "{used}: {table}"
        );
        let rows = table.lines().filter(|line| line.contains("row "));
        numbers.extend(rows.map(|row| {
            let digits = row.split("row ").nth(1).unwrap();
            let end = digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len());
            digits[..end].parse::<u32>().unwrap()
        }));
    }
    numbers
}

#[test]
fn rows_of_a_table_are_within_the_budget() {
    for (columns, width) in [(2, 0), (2, 120), (60, 0)] {
        let head: Vec<String> = (0..columns).map(|n| format!("column{n}")).collect();
        let mut content = format!("id,{}\n", head.join(","));
        for row in 1..=200 {
            let values: Vec<String> = (0..columns).map(|n| format!("{}", n * row)).collect();
            content.push_str(&format!("row {row},{}\n", values.join(",")));
        }
        let mut world = MemoryWorld::new("/ws");
        world.file("a.csv", content.as_bytes());
        let options = Options {
            table_width: width,
            ..within(1000)
        };
        let rows = rows_of(&mut world, "a.csv:", &options);
        assert_eq!(rows, (1..=200).collect::<Vec<u32>>(), "{columns} {width}");
    }
}

#[test]
fn listing_within_a_budget_names_every_file() {
    let mut world = MemoryWorld::new("/ws");
    for file in 0..200 {
        world.file(&format!("d/a file {file:03}.txt"), b"text");
    }
    let options = within(300);
    let pages = chain(&mut world, "d", &options);
    assert!(pages.len() > 3, "{}", pages.len());
    let mut named = Vec::new();
    for reply in &pages {
        let page = page(reply);
        assert!(estimate(&page.plain()) <= 300 + ROUNDING);
        named.extend((0..page.lines.len()).filter_map(|line| {
            let line = page.line(line);
            let at = line.find("a file ")?;
            Some(line[at..at + 14].to_owned())
        }));
    }
    let files: Vec<String> = (0..200)
        .map(|file| format!("a file {file:03}.txt"))
        .collect();
    assert_eq!(named, files);
}

#[test]
fn outline_is_within_the_budget() {
    let code: String = (0..400)
        .map(|n| {
            format!("/// Adds {n}.\npub fn add_{n}(value: u32) -> u32 {{\n    value + {n}\n}}\n\n")
        })
        .collect();
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", code.as_bytes());
    let options = Options {
        outlines: true,
        ..within(1000)
    };
    let reply = reply(&mut world, "a.rs", &options);
    let Body::Text(text) = &reply.answer.body else {
        panic!("not text")
    };
    assert!(text.outline.is_some());
    let used = estimate(body(&reply));
    assert!((300..=1100).contains(&used), "{used}");
}
