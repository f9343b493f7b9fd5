//! Rows whose values are found without parsing are those of the parser.

use super::JsonRows;
use crate::encoding::Encoding;
use crate::pages::Input;
use crate::tables::{Advanced, Rows};
use crate::world::Bytes;

/// Calls a function with the rows of a text.
fn with_rows<T>(text: &[u8], call: impl FnOnce(&mut JsonRows<'_, '_>) -> T) -> T {
    let mut bytes = Bytes::new(text.to_vec());
    let mut input = Input::new(&mut bytes, None).unwrap();
    call(&mut JsonRows::new(&mut input, Encoding::VALID_UTF8))
}

#[test]
fn rows_without_parsing_are_those_of_the_parser() {
    let lines: [&[u8]; 21] = [
        br#"{"id":1,"name":"a","ok":true,"score":1.50}"#,
        br#"{"id":2,"name":"","ok":false,"score":null}"#,
        br#" { "score" : -0.5e3 , "id" : 3 } "#,
        br#"{"id":"4","name":"12"}"#,
        br#"{"id":5,"id":6}"#,
        br#"{"id":7,"other":1,"name":"b"}"#,
        br#"{"id":8,"name":"a\nb"}"#,
        br#"{"id":9,"name":[1,{"a":2}]}"#,
        br#"{"id":10,"name":{"a":1}}"#,
        br#"{"id":11,"name":"unended"#,
        br#"{"id":12}{}"#,
        br#"{"n\u0061me":"c"}"#,
        b"not JSON",
        b"17",
        b"[1,2]",
        b"{}",
        b"{\"id\":13,\"name\":\"\xff\"}",
        "{\"id\":14,\"name\":\"\u{e9}\u{1f600}\"}\r".as_bytes(),
        b"{\"id\":15,\"name\":\"tab\there\"}",
        br#"{"id":0123}"#,
        br#"{"id":123456789012345678901234567890,"name":" 5 "}"#,
    ];
    let text = lines.join(&b'\n');
    let (expected, notes) = with_rows(&text, |rows| {
        let all: Vec<_> = std::iter::from_fn(|| rows.next()).collect();
        (all, rows.notes())
    });
    assert_eq!(expected.len(), lines.len());
    let plain = with_rows(&text, |rows| {
        let mut plain = 0;
        for expected in &expected {
            match rows.advance() {
                Advanced::Row(row) => assert_eq!(row, *expected),
                Advanced::Lazy { number, width } => {
                    plain += 1;
                    assert_eq!((number, width), (expected.number, expected.cells.len()));
                    let sizes = expected.cells.iter().map(|cell| cell.text.len());
                    assert_eq!(rows.bytes(), sizes.sum::<usize>(), "{expected:?}");
                    for (index, cell) in expected.cells.iter().enumerate() {
                        let text = rows.value(index).unwrap_or_default();
                        assert_eq!(text, cell.text.as_bytes());
                        let value = rows.typed(index);
                        assert_eq!(value.unwrap_or(crate::tables::SqlValue::Null), cell.value);
                    }
                    assert_eq!(rows.current(), *expected);
                }
                Advanced::End => panic!("a row is missing"),
            }
        }
        assert!(matches!(rows.advance(), Advanced::End));
        assert_eq!(rows.notes(), notes);
        plain
    });
    assert_eq!(plain, 8);
}
