//! Tests of tables of rows, without conditions, orders and statements, which need an engine.

use super::*;
use crate::answer::Database;

/// Reads a table. Returns it with the lines of its rows, and the notes.
fn table(world: &mut MemoryWorld, path: &str) -> (Database, Vec<String>) {
    let reply = reply(world, path, &exact());
    let text = lines(&reply);
    match reply.answer.body {
        Body::Database(mut table) => {
            table.page.text = text;
            (table, reply.answer.notes)
        }
        other => panic!("{path}: {other:?}"),
    }
}

/// The lines of a reply before its notices.
fn lines(reply: &Reply) -> String {
    let Some(Block::Text(text)) = reply.blocks.first() else {
        panic!("no text");
    };
    let lines = text.lines().take_while(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

fn csv(content: impl Into<Vec<u8>>) -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.csv", content);
    world
}

fn text(content: impl Into<Vec<u8>>, path: &str) -> String {
    table(&mut csv(content), path).0.page.text
}

fn notes(content: impl Into<Vec<u8>>, path: &str) -> String {
    table(&mut csv(content), path).1.join("\n")
}

#[test]
fn csv_is_a_table_only_with_a_colon() {
    let content = "id,name\n1,ann\n2,\"b|c\nd\"\n";
    let mut world = csv(content);
    assert!(raw(&mut world, "a.csv:raw") == content);
    let expected = "|id|name|\n|-|-|\n|1|ann|\n|2|b\\|c\\nd|\n";
    for path in ["a.csv:", "a.csv:table", "a.csv:full"] {
        assert_eq!(text(content, path), expected, "{path}");
    }
    let lines = reply(&mut world, "a.csv:2-2:raw", &exact());
    assert_eq!(lines.answer.page().unwrap().text, "1,ann\n");
    let notes = notes(content, "a.csv:");
    let expected = "CSV: 2 columns, named by the first record; numbers: id; the others are texts";
    assert_eq!(notes, expected);
}

#[test]
fn rows_are_selected_by_their_numbers() {
    let content: String = "n\n".to_owned() + &(1..=9).map(|n| format!("{n}\n")).collect::<String>();
    let numbers = |path: &str| -> Vec<String> {
        let text = text(content.clone(), path);
        let rows = text.lines().skip(2);
        rows.map(|row| row.split('|').nth(1).unwrap().trim().to_owned())
            .collect()
    };
    for (path, expected) in [
        ("a.csv:table:3-4", vec!["3", "4"]),
        ("a.csv::8", vec!["8", "9"]),
        ("a.csv::2,5-6", vec!["2", "5", "6"]),
        ("a.csv::-2", vec!["8", "9"]),
        ("a.csv:?limit=2&offset=3", vec!["4", "5"]),
        ("a.csv::3-8?limit=2&offset=1", vec!["4", "5"]),
        ("a.csv::1-2", vec!["1", "2"]),
    ] {
        assert_eq!(numbers(path), expected, "{path}");
    }
    for path in ["a.csv::12", "a.csv:?offset=20", "a.csv::12-20"] {
        assert!(text(content.clone(), path).contains("(no rows)"), "{path}");
    }
    // Rows that are not the first ones have their numbers in a column.
    assert_eq!(text(content, "a.csv::8-8"), "|#|n|\n|-|-|\n|8|8|\n");
}

#[test]
fn pages_of_a_table_show_every_row_once() {
    let content: String = "n;text\n".to_owned()
        + &(1..=1234)
            .map(|n| format!("{n};\"text; of\n{}\"\n", "x".repeat(n % 300)))
            .collect::<String>();
    for path in [
        "a.csv:",
        "a.csv:?limit=7",
        "a.csv:full",
        "a.csv::20-900",
        "a.csv::3,5-600,700-",
    ] {
        let mut world = csv(content.clone());
        let pages = chain(&mut world, path, &exact());
        let mut seen = Vec::new();
        for page in &pages {
            let text = lines(page);
            let numbered = text.starts_with("|#");
            let cell = if numbered { 2 } else { 1 };
            for row in text.lines().skip(2) {
                seen.push(
                    row.split('|')
                        .nth(cell)
                        .unwrap()
                        .trim()
                        .parse::<u64>()
                        .unwrap(),
                );
            }
        }
        let expected: Vec<u64> = match path {
            "a.csv::20-900" => (20..=900).collect(),
            "a.csv::3,5-600,700-" => std::iter::once(3)
                .chain(5..=600)
                .chain(700..=1234)
                .collect(),
            _ => (1..=1234).collect(),
        };
        assert_eq!(seen, expected, "{path}");
    }
}

#[test]
fn total_is_exact_for_a_small_table() {
    let content: String = "n\n".to_owned() + &"1\n".repeat(5000);
    let mut world = csv(content);
    let (page, notes) = table(&mut world, "a.csv:");
    assert_eq!((page.rows, page.total), (300, Total::Exact(5000)));
    assert_eq!(page.next.as_deref(), Some("a.csv::301"));
    assert!(
        notes
            .join("\n")
            .contains("4700 more rows; use a.csv::301 to continue")
    );
    let mut large = csv("n,m\n".to_owned() + &"12345678,87654321\n".repeat(600_000));
    let (page, _) = table(&mut large, "a.csv:");
    let Total::AtLeast(rows) = page.total else {
        panic!("counted to the end");
    };
    assert!((200_000..400_000).contains(&rows), "{rows}");
}

#[test]
fn ragged_rows_are_shown_and_noted() {
    let content = "a,b\n1\n1,2,3\n1,2\n";
    assert_eq!(
        text(content, "a.csv:"),
        "|a|b|C|\n|-|-|-|\n|1|||\n|1|2|3|\n|1|2||\n"
    );
    let notes = notes(content, "a.csv:");
    assert!(
        notes.contains("row 1 has fewer values than columns"),
        "{notes}"
    );
    assert!(
        notes.contains("row 2 has more values than columns"),
        "{notes}"
    );
}

#[test]
fn table_in_another_encoding_is_decoded() {
    let shift_jis = encoding_rs::SHIFT_JIS
        .encode("名前,値\n東京,1\n大阪,2\n日本語の文章です,3\n")
        .0
        .into_owned();
    let shown = text(shift_jis, "a.csv:");
    assert!(shown.contains("|東京|1|\n"), "{shown}");
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("a,b\n1,é\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert!(text(utf16, "a.csv:").ends_with("|1|é|\n"));
    let marked = "\u{feff}a,b\n1,2\n";
    assert!(text(marked, "a.csv:").starts_with("|a|b|\n"));
    assert!(text(b"a,b\n1\0,2\xff\n", "a.csv:").contains("\u{fffd}"));
}

#[test]
fn unclosed_quote_does_not_hide_the_rest() {
    let content = "a,b\n1,2\n\"3,4\n5,6\n";
    let shown = text(content, "a.csv:");
    assert!(shown.ends_with("|\"3|4|\n|5|6|\n"), "{shown}");
    let noted = notes(content, "a.csv:");
    assert!(
        noted.contains("row 2 has a quote that is not closed"),
        "{noted}"
    );
    // Another quote further down would close it, in a very long record.
    let long = format!("a,b\n\"1,2\n{}", "3,4\n".repeat(3_000_000));
    let shown = text(long, "a.csv::1-3");
    assert!(shown.ends_with("|\"1|2|\n|3|4|\n|3|4|\n"), "{shown}");
    // At some point, quotes have no meaning any more.
    let many = "a,b\n".to_owned() + &"\"1,2\n\"".repeat(101);
    assert!(!text(many, "a.csv:").is_empty());
}

#[test]
fn quote_that_is_only_a_character_does_not_join_rows() {
    // A quote that is closed by nothing, and one in the middle of a value.
    let content = "id,size\n1,5'11\"\n2,\"7\n3,y\"z\n4,\"a, \"\"b\"\"\"\n";
    let shown = text(content, "a.csv:");
    assert!(
        shown.ends_with("|1|5'11\"|\n|2|\"7|\n|3|y\"z|\n|4|a, \"b\"|\n"),
        "{shown}"
    );
    assert!(notes(content, "a.csv:").contains("row 2 has a quote that is not closed"));
    // Rows are counted alike if they are skipped.
    let shown = text(content, "a.csv::4-4");
    assert!(shown.contains("|4|a, \"b\"|"), "{shown}");
    // A quote that is not doubled, in a value with a delimiter.
    let content = "id,said,at\n1,\"so \"now, then\" it is\",x\n2,\"5\" wide,y\n";
    let shown = text(content, "a.csv:");
    assert!(shown.contains("|1|so \"now, then\" it is|x|"), "{shown}");
    assert!(shown.contains("|2|\"5\" wide|"), "{shown}");
    assert!(notes(content, "a.csv:").contains("2 rows have a quote that is not closed"));
}

#[test]
fn value_of_lines_that_could_be_rows_has_a_note() {
    let content = "id,size\n1,\"7\n2,8\"\n";
    assert!(text(content, "a.csv:").contains("|1|7\\n2,8|"));
    let noted = notes(content, "a.csv:");
    assert!(
        noted
            .contains("row 1 has a value in quotes of several lines, each of which could be a row"),
        "{noted}"
    );
    // The value has too few delimiters for a row.
    let content = "id,size,at\n1,\"7,x\n2,8,y\",z\n";
    assert!(!notes(content, "a.csv:").contains("each of which"));
    // The lines have the width of the rows, and the record has not.
    let content = "id,size,at\n0,1,x\n1,7,\"x\n2,8,y\"\n2,3,\"p\nq,1,\",2\n";
    let shown = text(content, "a.csv:");
    assert!(shown.contains("|1|7|x\\n2,8,y|"), "{shown}");
}

#[test]
fn quotes_of_a_file_with_tabs_are_characters_if_its_lines_are_even() {
    let content = "id\tname\tyear\n1\t\"The Hill\t1999\n2\tA 7\" pipe\t2000\n3\t\"Gone\"\t2001\n";
    let shown = text(content, "a.csv:");
    assert!(
        shown.contains("|1|\"The Hill|1999|\n|2|A 7\" pipe|2000|"),
        "{shown}"
    );
    let noted = notes(content, "a.csv:");
    assert!(noted.contains("its quotes are characters"), "{noted}");
}

#[test]
fn backslash_escapes_a_quote_where_the_file_uses_it() {
    let content = "id,said\n1,\"He said \\\"well, yes\\\" to it\"\n2,\"a\\\\b\"\n3,\\N\n";
    let shown = text(content, "a.csv:");
    assert!(shown.contains("|1|He said \"well, yes\" to it|"), "{shown}");
    assert!(shown.contains("|2|a\\b|"), "{shown}");
    // The first records do not use it, but a later one does.
    let long = format!(
        "id,said\n{}x,\"say \\\"well, yes\\\"\"\ny,z\n",
        "1,\"a\"\n".repeat(20_000)
    );
    let shown = text(long, "a.csv::20001-");
    assert!(shown.contains("say \"well, yes\""), "{shown}");
}

#[test]
fn record_larger_than_the_limit_is_read_in_part() {
    let large = "x".repeat(20_000_000);
    for quote in ["", "\""] {
        let content = format!("a,b,c\n1,{quote}{large}{quote},2\n3,4,5\n");
        let (page, notes) = table(&mut csv(content.clone()), "a.csv:");
        let notes = notes.join("\n");
        assert!(
            notes.contains("row 1 has 19.1MB, of which the first 8.0MB are read"),
            "{notes}"
        );
        assert!(page.page.text.contains("|3|4|5|"), "{}", page.page.text);
        assert!(text(content, "a.csv::2-2").contains("|2|3|4|5|"));
    }
}

#[test]
fn lines_before_the_names_are_notes() {
    for content in [
        "Stock of May\n\nname,qty\nlamp,1\nbulb,2\n",
        "# Stock of May\n\nname,qty\nlamp,1\nbulb,2\n",
    ] {
        let shown = text(content, "a.csv:");
        assert!(shown.starts_with("|name|qty|"), "{shown}");
        assert!(shown.ends_with("|lamp|1|\n|bulb|2|\n"), "{shown}");
        let noted = notes(content, "a.csv:");
        assert!(noted.contains("Stock of May`"), "{noted}");
        assert!(text(content, "a.csv::2-2").contains("|2|bulb|2|"));
    }
    let many = "title\n".repeat(30) + &"a,b\n1,2\n".repeat(40);
    let noted = notes(many, "a.csv:");
    assert!(
        noted.contains("they are the lines 1-30 of the text"),
        "{noted}"
    );
}

#[test]
fn many_columns_are_counted() {
    let content = format!("a\n{}\n", "1,".repeat(1_000_000));
    let (page, notes) = table(&mut csv(content), "a.csv:");
    let notes = notes.join("\n");
    assert!(
        notes.contains("a row has 1000001 values, of which the first 16384 are read"),
        "{notes}"
    );
    assert!(page.page.text.len() < 100_000);
}

#[test]
fn long_value_is_cut_with_a_note() {
    let content = format!("a,b\n1,{}\n", "x".repeat(1000));
    let mut world = csv(content);
    let (page, notes) = table(&mut world, "a.csv:");
    assert!(page.page.text.contains('…'));
    let notes = notes.join("\n");
    assert!(
        notes.contains("1 value is cut; a.csv::full shows whole values"),
        "{notes}"
    );
    let (page, notes) = table(&mut world, "a.csv::full");
    assert!(page.page.text.contains(&"x".repeat(1000)));
    assert_eq!(notes.len(), 1);
}

#[test]
fn json_lines_are_a_table() {
    let mut world = MemoryWorld::new("/ws");
    let content = "{\"id\":1,\"tags\":[\"a\"]}\n\n{\"id\":2,\"on\":true,\"x\":null}\n5\n{broken\n{\"id\":\"\\u00e9\"}";
    world.file("a.jsonl", content);
    let (page, notes) = table(&mut world, "a.jsonl:");
    let rows: Vec<String> = page
        .page
        .text
        .lines()
        .map(|row| row.replace(' ', ""))
        .collect();
    assert_eq!(
        rows,
        [
            "|id|tags|on|x|value|",
            "|-|-|-|-|-|",
            "|1|[\"a\"]||||",
            "|2||true|null||",
            "|||||5|",
            "|||||{broken|",
            "|é|||||",
        ]
    );
    let notes = notes.join("\n");
    assert!(notes.contains("row 4 is not JSON"), "{notes}");
    let (page, _) = table(&mut world, "a.jsonl::3-3");
    assert_eq!(page.rows, 1);
}

#[test]
fn request_that_does_not_fit_fails() {
    let mut world = csv("a,b\n1,2\n");
    world.file("a.txt", "a,b\n");
    for path in [
        "a.csv:?limit=0",
        "a.csv::0",
        "a.csv:?colour=1",
        "a.txt:table",
        "a.csv:?where=a=1;",
    ] {
        assert!(
            Dialect::Omp.read(path, &exact(), &mut world).is_err(),
            "{path}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_a_table(content in "[a,\"\n;|\t\r0 ]{0,60}") {
        for path in ["a.csv:", "a.csv::2", "a.csv::-1", "a.csv:full"] {
            table(&mut csv(content.clone()), path);
        }
    }
}
