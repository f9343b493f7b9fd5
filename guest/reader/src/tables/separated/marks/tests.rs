//! Tests of the places at which records are divided.

use super::*;
use crate::tables::separated::scan::values;

/// The records of a text with `|` between their values, as far as marks divide it.
fn records(text: &[u8], style: Style) -> (Vec<String>, bool) {
    let mut marks = Marks::default();
    marks.update(text, 0, 1, style);
    let mut used = 0;
    let mut records = Vec::new();
    let mut spans = Vec::new();
    while used < text.len() {
        let Some(record) = marks.next(text, used, style, &mut spans) else {
            // Other code reads the record.
            let rest = &text[used..];
            let length = rest.iter().position(|byte| *byte == b'\n');
            used += length.unwrap_or(rest.len()) + 1;
            continue;
        };
        used = record.after();
        let found: Vec<Span> = if record.is_listed() {
            spans.clone()
        } else {
            let all = 0..=record.count();
            let all = all.filter_map(|index| marks.span(text, record, index, style.quote));
            all.collect()
        };
        let line = found.iter().map(|span| span.text(text, style).into_owned());
        let line: Vec<Vec<u8>> = line.collect();
        assert_eq!(line.len(), record.count());
        if !record.is_listed() {
            let bytes: usize = line.iter().map(Vec::len).sum();
            assert_eq!(bytes, record.value_bytes());
        }
        let mut divided = Vec::new();
        values(record.text(text), style, |value, _| {
            divided.push(value.into_owned());
        });
        assert_eq!(line, divided);
        let line: Vec<_> = line.iter().map(|it| String::from_utf8_lossy(it)).collect();
        records.push(line.join("|"));
    }
    (records, marks.is_divided)
}

#[test]
fn records_are_divided_at_marks() {
    let style = Style::of(b',');
    let text = b"a,b,\r\n\n,long value without marks that is longer than a block of bytes for sure,\n\
        \"q\",1\nx,\"a,\"\"b\"\"\",,\"\"\n\"two\nlines\",x\n5\" y,z\n\"a\"b,c\n\"a\" ,b\nlast,\"x\"\r\nopen,";
    let long = "|long value without marks that is longer than a block of bytes for sure|";
    let expected = ["a|b|", long, "q|1", "x|a,\"b\"||", "last|x"];
    assert_eq!(
        records(text, style),
        (expected.map(str::to_owned).to_vec(), false)
    );
}

#[test]
fn text_is_divided_if_its_quotes_allow_it() {
    let style = Style::of(b',');
    let head = "\"a\",\"\",\"\"\"\",\"b,\"\"c\"\"\"\r\n\n\n,\n";
    // All places of the text in a block.
    for before in 0..70 {
        let text = format!("{}\n{head}x,\"y\"\n\"", "v".repeat(before));
        let (found, is_divided) = records(text.as_bytes(), style);
        assert!(is_divided, "{text}");
        let expected = ["a||\"|b,\"c\"", "|", "x|y"];
        assert!(found.ends_with(&expected.map(str::to_owned)), "{found:?}");
        for bad in [
            "5\" y\n",
            "\"a\nb\"\n",
            "\"a\" ,b\n",
            " \"a\"\n",
            "\"a\"\"\n",
            "a\"\"\n",
        ] {
            let text = format!("{}{head}{bad}", "v,".repeat(before));
            assert!(!records(text.as_bytes(), style).1, "{text}");
        }
        let escaped = Style {
            backslash: true,
            ..style
        };
        let text = format!("{}{head}", "v".repeat(before));
        assert!(!records(text.as_bytes(), escaped).1, "{text}");
        assert!(records(b"a,b\n", escaped).1);
        let literal = records(b"a,\"b\n5\",c\n", style.literal());
        assert_eq!(
            literal,
            (vec!["a|\"b".to_owned(), "5\"|c".to_owned()], true)
        );
    }
}
