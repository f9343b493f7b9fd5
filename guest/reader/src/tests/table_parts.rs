//! Tests of tables within a budget of tokens: the pages of the `next` paths have every value, also of rows that do not
//! fit on a page.

use super::*;
use crate::answer::Database;
use crate::window::Limit;
use omniread_tokens::estimate;

/// A value that is shown as it is.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z][a-z0-9 äß.]{0,20}[a-z]",
        1 => Just(String::new()),
        2 => "[a-z][a-z0-9 äß.]{90,190}[a-z]",
        1 => (300usize..900).prop_map(|words| format!("a{}", " word".repeat(words / 5))),
    ]
}

/// The rows of a table with some columns. Values are at most `most` characters long.
fn rows(most: usize) -> impl Strategy<Value = Vec<Vec<String>>> {
    (1usize..70).prop_flat_map(move |columns| {
        let value = value().prop_map(move |value| {
            let start: String = value.chars().take(most).collect();
            start.trim_end().to_owned()
        });
        prop::collection::vec(prop::collection::vec(value, columns), 1..12)
    })
}

fn csv(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let mut text = "id".to_owned();
    for column in 0..columns {
        text += &format!(",c{column}");
    }
    for (number, row) in rows.iter().enumerate() {
        text += &format!("\n{},{}", number + 1, row.join(","));
    }
    text + "\n"
}

fn json_lines(rows: &[Vec<String>]) -> String {
    let lines = rows.iter().enumerate().map(|(number, row)| {
        let values = row.iter().enumerate();
        let values = values.map(|(column, value)| format!(",\"c{column}\":\"{value}\""));
        format!("{{\"id\":{}{}}}\n", number + 1, values.collect::<String>())
    });
    lines.collect()
}

fn database(answer: &crate::answer::Answer) -> &Database {
    match &answer.body {
        Body::Database(database) => database,
        other => panic!("{other:?}"),
    }
}

/// Adds the values of a page to those of the rows with these numbers.
fn collect(page: &str, rest: bool, values: &mut BTreeMap<(u64, String), String>) {
    let mut heads: Vec<&str> = Vec::new();
    let mut block = 0;
    let count = page.lines().count();
    for (at, line) in page.lines().enumerate() {
        if let Some(row) = line.strip_prefix("── Row ") {
            let digits: String = row.chars().take_while(char::is_ascii_digit).collect();
            block = digits.parse().unwrap();
        } else if block > 0 {
            let Some((name, value)) = line.split_once(": ") else {
                assert_eq!(line, "(no more values)");
                continue;
            };
            let value = match value.strip_suffix('…') {
                Some(start) if rest && at + 1 == count => start,
                _ => value,
            };
            *values.entry((block, name.to_owned())).or_default() += value;
        } else {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let cells: Vec<&str> = line
                .strip_prefix('|')
                .and_then(|line| line.strip_suffix('|'))
                .map_or(cells, |line| line.split('|').collect());
            if heads.is_empty() {
                heads = cells;
            } else if cells.iter().any(|cell| *cell != "-") {
                let id = heads.iter().position(|head| *head == "id").unwrap();
                let number = cells[id].parse().unwrap();
                for (name, value) in heads.iter().zip(cells) {
                    if *name != "#" && !value.is_empty() {
                        let key = (number, (*name).to_owned());
                        assert!(values.insert(key, value.to_owned()).is_none());
                    }
                }
            }
        }
    }
}

fn check(
    path: &str,
    text: String,
    rows: &[Vec<String>],
    options: &Options,
) -> Result<(), TestCaseError> {
    let mut world = MemoryWorld::new("/ws");
    let file = path.split_once(':').unwrap().0;
    world.file(file, text);
    let mut values = BTreeMap::new();
    for reply in chain(&mut world, path, options) {
        let table = database(&reply.answer);
        let text = table.page.plain();
        if options.tokens >= 150 {
            let used = estimate(&text);
            prop_assert!(used <= u64::from(options.tokens) + 3, "{}: {}", used, text);
        }
        let goes_on = table
            .next
            .as_deref()
            .is_some_and(|next| next.contains("at="));
        prop_assert!(!goes_on || matches!(table.limit, Some(Limit::Tokens(_) | Limit::Bytes(_))));
        let notes = reply.answer.notes.join("\n");
        prop_assert!(
            !notes.contains("NAME") && !notes.contains("left out"),
            "{}",
            notes
        );
        collect(&text, goes_on, &mut values);
    }
    let mut expected = BTreeMap::new();
    for (number, row) in (1u64..).zip(rows) {
        expected.insert((number, "id".to_owned()), number.to_string());
        for (column, value) in row
            .iter()
            .enumerate()
            .filter(|(_, value)| !value.is_empty())
        {
            expected.insert((number, format!("c{column}")), value.clone());
        }
    }
    prop_assert_eq!(values, expected, "{}", path);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn pages_of_a_table_have_every_value(rows in rows(200), tokens in prop_oneof![Just(0u32), 100u32..160, 100u32..2000]) {
        let options = Options { tokens, ..exact() };
        check("a.csv:", csv(&rows), &rows, &options)?;
        check("a.jsonl:", json_lines(&rows), &rows, &options)?;
        check("a.csv:?order=id", csv(&rows), &rows, &options)?;
        check("a.csv:?where=id>0", csv(&rows), &rows, &options)?;
    }

    #[test]
    fn pages_of_whole_values_have_every_value(rows in rows(900), tokens in prop_oneof![Just(0u32), 100u32..160, 100u32..2000], bytes in prop_oneof![Just(4096u32), Just(8u32 << 20)]) {
        let options = Options { tokens, reply_bytes: bytes, ..exact() };
        check("a.csv:full", csv(&rows), &rows, &options)?;
        check("a.jsonl:full", json_lines(&rows), &rows, &options)?;
        check("a.csv:full?order=id:asc", csv(&rows), &rows, &options)?;
        check("a.csv:full?where=id>0", csv(&rows), &rows, &options)?;
    }
}

#[test]
fn long_value_is_read_on_from_a_bare_table() {
    let words = |row: usize| {
        (0..3000)
            .map(|word| format!("w{row}_{word}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let text: String = (0..4)
        .map(|row| format!("{row},{}\n", words(row)))
        .collect();
    for tokens in [100, 130] {
        let mut world = MemoryWorld::new("/ws");
        world.file("big.csv", format!("id,text\n{text}"));
        let options = Options { tokens, ..exact() };
        let mut values = BTreeMap::new();
        for reply in chain(&mut world, "big.csv:", &options) {
            let table = database(&reply.answer);
            let goes_on = table
                .next
                .as_deref()
                .is_some_and(|next| next.contains("at="));
            let limit = Some(Limit::Tokens(tokens.into()));
            assert_eq!(table.limit, limit.filter(|_| table.next.is_some()));
            collect(&table.page.plain(), goes_on, &mut values);
        }
        for row in 0..4 {
            let text = &values[&(row as u64 + 1, "text".to_owned())];
            assert_eq!(*text, words(row), "{tokens}");
        }
    }
}
