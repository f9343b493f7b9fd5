use crate::answer::{Answer, Body, Database};
use crate::dialects::Dialect;
use crate::window::Limit;
use crate::world::memory::{MemoryDocument, MemoryWorld};
use omniread_document as document;
use omniread_document::workbook;
use omniread_options::Options;
use std::fmt::Write as _;

fn world(name: &str, content: impl Into<Vec<u8>>) -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file(name, content);
    world
}

fn read(world: &mut MemoryWorld, path: &str) -> Answer {
    read_with(&Options::default(), world, path)
}

fn read_with(options: &Options, world: &mut MemoryWorld, path: &str) -> Answer {
    match Dialect::Omp.read(path, options, world) {
        Ok(reply) => reply.answer,
        Err(failure) => panic!("{path}: {}", failure.text),
    }
}

fn table(answer: &Answer) -> (&Database, String) {
    match &answer.body {
        Body::Database(database) => (database, database.page.plain()),
        body => panic!("{body:?}"),
    }
}

/// The text and the notes.
fn shown(world: &mut MemoryWorld, path: &str) -> String {
    let answer = read(world, path);
    let (_, text) = table(&answer);
    format!("{text}\n{}", answer.notes.join("\n"))
}

/// The pages of a path and its continuations.
fn pages(world: &mut MemoryWorld, path: &str) -> Vec<String> {
    let mut pages = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let answer = read(world, &path);
        let (database, text) = table(&answer);
        assert!(database.page.limit.is_none(), "{path} is cut by lines");
        assert!(text.len() <= 300 * 512, "{path}: {} bytes", text.len());
        assert_ne!(database.next.as_ref(), Some(&path));
        next = database.next.clone();
        pages.push(text);
        assert!(pages.len() <= 200, "{path}");
    }
    pages
}

/// The numbers in the lines `── Row N ──` of pages.
fn blocks(pages: &[String]) -> Vec<u64> {
    let lines = pages.iter().flat_map(|page| page.lines());
    let numbers = lines.filter_map(|line| line.strip_prefix("── Row "));
    numbers
        .filter_map(|line| line.split(' ').next()?.parse().ok())
        .collect()
}

fn csv(head: &str, columns: usize, rows: usize, value: &str) -> String {
    let mut text = String::new();
    for column in 0..columns {
        let _ = write!(text, "{}{head}{column}", if column > 0 { "," } else { "" });
    }
    for _ in 0..rows {
        text.push('\n');
        text.push_str(&vec![value; columns].join(","));
    }
    text
}

#[test]
fn names_of_columns_count_for_the_size_of_a_page() {
    // Each row is a block that repeats the names.
    let mut wide = world("a.csv", csv(&"n".repeat(195), 400, 30, "1"));
    let found = pages(&mut wide, "a.csv:");
    assert_eq!(blocks(&found), (1..=30).collect::<Vec<u64>>());
    assert!(found.len() > 10, "{}", found.len());
}

#[test]
fn padding_of_aligned_columns_counts_for_the_size_of_a_page() {
    let mut sparse = world(
        "a.csv",
        format!("a,b\n{0},{0}\n{1}", "x".repeat(39), "1,\n".repeat(20_000)),
    );
    let aligned = Options {
        table_width: 120,
        ..Options::default()
    };
    let answer = read_with(&aligned, &mut sparse, "a.csv::1-3000");
    let (database, text) = table(&answer);
    assert!(text.len() <= 300 * 512 && database.page.limit.is_none());
    assert!(text.len() > 300 * 512 - 200, "{}", text.len());
    assert_eq!(text.lines().count() as u64, database.rows + 2);
}

#[test]
fn row_that_is_larger_than_a_page_is_alone_and_goes_on() {
    for (columns, value) in [(40, 16_000), (200, 2000), (3, 60_000)] {
        let text = csv("c", columns, 3, &"x".repeat(value));
        let mut world = world("a.csv", format!("{text}\n{}\n", "y,".repeat(columns)));
        let found = pages(&mut world, "a.csv:full");
        let all = found.concat();
        assert_eq!(all.matches('y').count(), columns, "{columns}");
        assert_eq!(all.matches('x').count(), 3 * columns * value, "{columns}");
        let answer = read(&mut world, "a.csv:full");
        let notes = answer.notes.join("\n");
        assert!(notes.contains("row 1 goes on at "), "{notes}");
        let (database, _) = table(&answer);
        assert!(matches!(database.limit, Some(Limit::Bytes(_))));
    }
}

#[test]
fn path_of_whole_values_selects_the_rows_that_are_shown() {
    let rows: String = (1..=60).fold(String::new(), |mut rows, n| {
        let _ = writeln!(rows, "{n},{}", "x".repeat(300));
        rows
    });
    let mut world = world("a.csv", format!("id,txt\n{rows}"));
    let tail = shown(&mut world, "a.csv::-2");
    assert!(
        tail.contains("use a.csv::") || tail.contains("a.csv::full:59-60 shows whole values"),
        "{tail}"
    );
    assert!(
        tail.contains("a.csv::full:59-60 shows whole values"),
        "{tail}"
    );
    let whole = shown(&mut world, "a.csv::full:59-60");
    assert!(whole.contains(&format!("|59|59|{}|", "x".repeat(300))));
}

#[test]
fn content_with_the_name_of_a_table_is_read_as_what_it_is() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0".to_vec();
    let mut world = world("img.csv", png);
    for path in ["img.csv:", "img.csv:table", "img.csv:full"] {
        let answer = read(&mut world, path);
        assert!(!matches!(answer.body, Body::Database(_)), "{path}");
    }
    let failure = Dialect::Omp.read("img.csv:?where=a=1", &Options::default(), &mut world);
    let text = failure.err().unwrap().text;
    assert!(text.contains("is a PNG image"), "{text}");
    // A text with a NUL is a table.
    world.file("nul.csv", b"a,b\n1\0,2\n".to_vec());
    assert!(shown(&mut world, "nul.csv:").contains("2 columns"));
    world.file(
        "elf.csv",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0".to_vec(),
    );
    let answer = read(&mut world, "elf.csv:");
    assert!(!matches!(answer.body, Body::Database(_)));
}

#[test]
fn large_records_are_bounded_and_do_not_hide_the_next_ones() {
    let value = "x".repeat(900_000);
    let row = vec![value.as_str(); 20].join(",");
    let mut world = world("a.csv", format!("{}\n{row}\n3,4\n", csv("c", 20, 1, "1")));
    let text = shown(&mut world, "a.csv:");
    assert!(
        text.contains("row 2 has 17.2MB, of which the first 8.0MB are read"),
        "{}",
        text.get(text.len() - 500..).unwrap()
    );
    assert!(text.contains("\n|3|4|"));
    let long = format!(
        "{{\"a\":1}}\n{{\"a\":\"{}\"}}\n{{\"a\":3}}\n",
        "x".repeat(9_000_000)
    );
    world.file("a.jsonl", long);
    let text = shown(&mut world, "a.jsonl:");
    assert!(
        text.contains("row 2 has 8.6MB, which is more than 8.0MB"),
        "{text}"
    );
    assert!(text.contains("\n|3||\n"), "{text}");
    assert!(!text.contains("not JSON"), "{text}");
    // Keys without a column are in a note.
    let keys = "{\"a\":1}\n".repeat(300) + &format!("{{\"{}\":2}}\n", "k".repeat(5_000_000));
    world.file("k.jsonl", keys);
    let notes = read(&mut world, "k.jsonl::-1").notes.join("\n");
    assert!(
        notes.contains("left out: `kkk") && notes.len() < 1000,
        "{}",
        notes.len()
    );
}

#[test]
fn value_that_is_not_an_object_is_in_the_column_value() {
    let records = "{\"a\":1,\"b\":2}\n".repeat(250) + "[1,2]\nnot json\n{\"a\":3,\"b\":4}\n";
    let mut world = world("a.jsonl", records);
    let text = shown(&mut world, "a.jsonl::250");
    assert!(text.contains("|#|a|b|value|"), "{text}");
    assert!(text.contains("|251|||[1,2]|"), "{text}");
    assert!(
        text.contains("row 252 is not JSON; it is shown as text in the column `value`"),
        "{text}"
    );
    // The first line is longer than the sample.
    let long = format!(
        "{{\"text\":\"{}\",\"n\":1}}\n{{\"text\":\"y\",\"n\":2}}\n",
        "x".repeat(200_000)
    );
    world.file("long.jsonl", long);
    let text = shown(&mut world, "long.jsonl:");
    assert!(
        text.contains("|text|n|") && text.contains("|y|2|"),
        "{text}"
    );
}

/// A world with a workbook of one sheet with two rows.
fn workbook() -> MemoryWorld {
    let cell = |column, value| workbook::Cell {
        column,
        value,
        shown: None,
        formula: None,
    };
    let row = |number, first: workbook::Value| workbook::Row {
        number,
        hidden: false,
        cells: vec![cell(1, first), cell(2, workbook::Value::Text("b".into()))],
    };
    let rows = vec![
        row(1, workbook::Value::Text("a".into())),
        row(2, workbook::Value::Number(5.0)),
    ];
    workbook_of(rows)
}

/// A world with a workbook of one sheet with these rows.
fn workbook_of(rows: Vec<workbook::Row>) -> MemoryWorld {
    let columns = rows.iter().filter_map(|row| row.cells.last());
    let facts = workbook::SheetFacts {
        used: Some(workbook::Range {
            first_row: 1,
            first_column: 1,
            last_row: rows.last().map_or(1, |row| row.number),
            last_column: columns.map(|cell| cell.column).max().unwrap_or(1),
        }),
        rows: u32::try_from(rows.len()).unwrap(),
        ..workbook::SheetFacts::default()
    };
    let text = document::Unit {
        text: "one\n\ntwo".to_owned(),
        notes: Vec::new(),
        edges: [0, 0],
    };
    let mut world = MemoryWorld::new("/ws");
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            format: "Workbook".to_owned(),
            metadata: Vec::new(),
            units: Some(document::UnitKind::Sheet),
            list: vec![document::UnitFacts {
                name: "Sales".to_owned(),
                hidden: false,
            }],
        },
        units: vec![Ok(text)],
        sheets: vec![(facts, rows)],
        ..MemoryDocument::default()
    }));
    world.file("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec());
    world
}

#[test]
fn row_of_a_sheet_over_the_budget_goes_on() {
    let text = |row: u32, column: u32| match row {
        1 => format!("name{column}"),
        _ => (0..column * 3).fold(String::new(), |mut text, word| {
            let _ = write!(text, "w{row}_{column}_{word} ");
            text
        }),
    };
    let rows = (1..5).map(|number| workbook::Row {
        number,
        hidden: false,
        cells: (1..20)
            .map(|column| workbook::Cell {
                column,
                value: workbook::Value::Text(text(number, column).into()),
                shown: None,
                formula: None,
            })
            .collect(),
    });
    let mut world = workbook_of(rows.collect());
    for (tokens, path) in [
        (120, "a.xlsx:Sales:full"),
        (500, "a.xlsx:Sales"),
        (120, "a.xlsx:Sales?range=A1:S4"),
    ] {
        let options = Options {
            tokens,
            ..Options::default()
        };
        let mut values = std::collections::BTreeMap::<(String, String), String>::new();
        let mut next = Some(path.to_owned());
        let mut count = 0;
        while let Some(path) = next {
            let answer = read_with(&options, &mut world, &path);
            let (database, text) = table(&answer);
            next = database.next.clone();
            assert_eq!(database.limit.is_some(), next.is_some(), "{path}");
            let mut row = String::new();
            for line in text.lines() {
                if let Some(number) = line.strip_prefix("── Row ") {
                    row = number.chars().take_while(char::is_ascii_digit).collect();
                } else if let Some((name, value)) = line.split_once(": ") {
                    let value = value.strip_suffix('…').unwrap_or(value);
                    *values.entry((row.clone(), name.to_owned())).or_default() += value;
                }
            }
            count += 1;
            assert!(count < 500, "{path}");
        }
        for row in 2..5 {
            for column in 1..20 {
                let key = (row.to_string(), format!("name{column}"));
                assert_eq!(values.get(&key), Some(&text(row, column)), "{path}");
            }
        }
    }
}

#[test]
fn workbook_in_one_xml_file_has_sheets() {
    let office = "<?xml version=\"1.0\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:\
                  spreadsheet\">\n<Worksheet/>\n</Workbook>";
    let flat = "<?xml version=\"1.0\"?>\n<office:document office:mimetype=\"application/vnd.oasis.\
                opendocument.spreadsheet\">\n<a/>\n</office:document>";
    for (name, content) in [("a.xls", office), ("a.xml", office), ("a.fods", flat)] {
        let mut world = workbook();
        world.file(name, content);
        for rest in ["Sales", "Sales:2-2", "?limit=5", "B2"] {
            let colon = if rest.starts_with('?') { "" } else { ":" };
            let path = format!("{name}{colon}{rest}");
            let answer = read(&mut world, &path);
            assert!(matches!(answer.body, Body::Database(_)), "{path}");
        }
        for rest in ["", ":2-3", ":raw"] {
            let answer = read(&mut world, &format!("{name}{rest}"));
            let Body::Text(text) = &answer.body else {
                panic!("{name}{rest}");
            };
            assert!(
                text.page.plain().contains("xml") || rest == ":2-3",
                "{name}{rest}"
            );
            let notes = answer.notes.join("\n");
            assert!(!notes.contains("is not one"), "{notes}");
        }
        for rest in [":", ":sheet:1"] {
            let answer = read(&mut world, &format!("{name}{rest}"));
            let Body::Text(text) = &answer.body else {
                panic!("{name}{rest}");
            };
            assert!(text.page.plain().contains("one\n\ntwo"), "{name}{rest}");
        }
        let options = Options::default();
        let failure = Dialect::Omp.read(&format!("{name}:Other"), &options, &mut world);
        assert!(failure.err().unwrap().text.contains("the sheets are"));
    }
    // Other XML has no sheets.
    let mut world = workbook();
    world.file("b.xml", "<a>\n<b/></a>");
    let failure = Dialect::Omp.read("b.xml:Sales", &Options::default(), &mut world);
    assert!(!failure.err().unwrap().text.contains("sheets"));
}

#[test]
fn workbook_is_opened_once() {
    for path in [
        "a.xlsx",
        "a.xlsx:",
        "a.xlsx:1-3",
        "a.xlsx:Sales",
        "a.xlsx:sheet:1",
    ] {
        let mut world = workbook();
        read(&mut world, path);
        assert_eq!(world.opened, 1, "{path}");
    }
}

#[test]
fn unclosed_quote_does_not_hide_the_rest_of_a_text_that_is_decoded() {
    let text = "id,name\n1,\"a\nb\"\n2,\"open\n3,c\n";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut world = world("a.csv", [&[0xfe, 0xff], utf16.as_slice()].concat());
    let text = shown(&mut world, "a.csv:");
    assert!(text.contains("|2|\"open|\n|3|c|"), "{text}");
    assert!(
        text.contains("row 2 has a quote that is not closed"),
        "{text}"
    );
}

#[test]
fn lines_with_a_hash_before_the_names_are_left_out() {
    let mut world = world("a.csv", "# made by x\n# on, the, day\nid,name\n1,a\n");
    let text = shown(&mut world, "a.csv:");
    assert!(text.contains("|id|name|\n|-|-|\n|1|a|"), "{text}");
    assert!(
        text.contains("the first 2 lines, which start with `#`, are left out"),
        "{text}"
    );
    world.file("vcf.tsv", "##fileformat=VCF\n#CHROM\tPOS\nchr1\t5\n");
    let text = shown(&mut world, "vcf.tsv:");
    assert!(
        text.contains("|#CHROM|POS|") && text.contains("|chr1|5|"),
        "{text}"
    );
    assert!(
        text.contains("the first line, which starts with `#`, is left out"),
        "{text}"
    );
    world.file("plain.csv", "#\n5\n");
    assert!(!shown(&mut world, "plain.csv:").contains("left out"));
    world.file("empty.csv", "");
    assert!(shown(&mut world, "empty.csv:").contains("CSV: no records"));
}

#[test]
fn line_that_is_not_json_is_not_cut() {
    let mut world = world("a.jsonl", "{\"a\":1}\n  broken{ \n\n{\"a\":2}\n");
    let text = shown(&mut world, "a.jsonl:");
    assert!(
        text.contains("|broken{|") && !text.contains("cut"),
        "{text}"
    );
}

#[test]
fn standard_input_with_records_is_a_table() {
    let of = |content: &[u8], path: &str| {
        let mut world = MemoryWorld::new("/ws");
        world.stdin = content.to_vec();
        let options = Options {
            stdin: true,
            ..Options::default()
        };
        Dialect::Omp.read(path, &options, &mut world)
    };
    let expected = "|a|b|\n|-|-|\n|1|2|";
    let utf16: Vec<u8> = "\u{feff}a;b\r\n1;2\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for content in [b"a,b\n1,2\n".as_slice(), b"a\tb\n1\t2", &utf16] {
        for path in ["-:", "-:table", "-:full"] {
            let text = of(content, path).map(|reply| table(&reply.answer).1);
            assert_eq!(text.ok().as_deref(), Some(expected), "{path}");
        }
    }
    let lines = of(b"{\"a\":1}\n{\"a\":2}\n", "-:").map(|reply| table(&reply.answer).1);
    assert_eq!(lines.ok().as_deref(), Some("|a|\n|-|\n|1|\n|2|"));
    // More than is examined.
    let long = "id,text\n".to_owned() + &"1,some value\n".repeat(5000);
    let reply = of(long.as_bytes(), "-::4990-4991").map(|reply| table(&reply.answer).1);
    let reply = reply.ok().unwrap();
    assert!(reply.ends_with("|4991|1|some value|"), "{reply}");
    // One value in each line, and other formats, are no tables.
    assert!(of(b"one\ntwo\n", "-:").is_err());
    let lines = of(b"a,b\n1,2\n", "-").map(|reply| reply.answer.body);
    assert!(matches!(lines, Ok(Body::Text(_))));
    let page = of(b"<!doctype html><title>a, b</title>\n<p>c, d</p>", "-:");
    assert!(matches!(
        page.map(|reply| reply.answer.body),
        Ok(Body::Text(_))
    ));
}
