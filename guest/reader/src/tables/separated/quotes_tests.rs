use super::*;
use csv_core::{ReadRecordResult, Reader};
use proptest::prelude::*;

fn records(text: &str, delimiter: u8) -> Vec<Vec<String>> {
    let quotes = detect(text.as_bytes(), delimiter, true);
    let mut rest = text.as_bytes();
    let mut records = Vec::new();
    while let Some(found) = find(rest, delimiter, quotes, true) {
        let mut record = Vec::new();
        let bytes = &rest[found.start..found.end];
        split(bytes, delimiter, quotes, found.kind, |value| {
            record.push(String::from_utf8(value.into_owned()).unwrap());
        });
        records.push(record);
        rest = &rest[found.end..];
    }
    records
}

#[test]
fn record_ends_at_a_line_end_outside_of_quotes() {
    let of = |text: &str| {
        let found = find(text.as_bytes(), b',', Quotes::STANDARD, false);
        found.map(|found| (found.start, found.end, found.kind))
    };
    assert_eq!(of("a,b\nc"), Some((0, 3, Kind::Plain)));
    assert_eq!(of("\r\n\na\r\n"), Some((3, 4, Kind::Plain)));
    assert_eq!(of("\"a\n\"\"\n\",b\n"), Some((0, 9, Kind::Enclosing)));
    assert_eq!(of("5\" x\na"), Some((0, 4, Kind::Plain)));
    assert_eq!(of("1,\"5\n2,x\"y\n"), Some((0, 4, Kind::Literal(6))));
    for text in ["", "\n", "a", "\"a\n"] {
        assert_eq!(of(text), None, "{text}");
    }
}

#[test]
fn quotes_are_characters_unless_they_enclose_a_value() {
    let inches = "id,height\n1,5'11\"\n2,6'0\"\n3,\"5\n4,x\"y\n";
    assert_eq!(
        records(inches, b','),
        [
            ["id", "height"],
            ["1", "5'11\""],
            ["2", "6'0\""],
            ["3", "\"5"],
            ["4", "x\"y"]
        ]
    );
    // Each line has as many values as the others only if quotes are characters.
    let titles = "id\ttitle\ty\n1\t\"The End\t2001\n2\tHer \"\t2002\n3\tIn it\t2003\n";
    assert_eq!(records(titles, b'\t').len(), 4);
    assert_eq!(records(titles, b'\t')[1], ["1", "\"The End", "2001"]);
    // One bad record of a file whose values are enclosed.
    let mixed = "a,b\n\"x,1\",y\n\"5\" pipe,z\n\"p,q\",r\n";
    assert_eq!(
        records(mixed, b','),
        [["a", "b"], ["x,1", "y"], ["\"5\" pipe", "z"], ["p,q", "r"]]
    );
    // Values that are enclosed without a need.
    assert_eq!(records("\"a\",\"b\"\n\"1\",\"2\"\n", b',')[1], ["1", "2"]);
}

#[test]
fn other_uses_of_quotes_are_detected() {
    assert_eq!(
        records(
            "id,text\n1,\"She said \\\"hi, there\\\" twice\"\n2,\"back\\\\slash\"\n3,\\N\n",
            b','
        ),
        [
            ["id", "text"],
            ["1", "She said \"hi, there\" twice"],
            ["2", "back\\slash"],
            ["3", "\\N"]
        ]
    );
    // A path that ends in a backslash is not an escape.
    assert_eq!(
        records("a,b\n\"C:\\dir\\\",1\n\"C:\\\",2\n", b',')[1],
        ["C:\\dir\\", "1"]
    );
    assert_eq!(
        records("a, b, c\n0, \"a, b\", x\n1, \"c\" , y\n", b',')[1..],
        [["0", "a, b", " x"], ["1", "c", " y"]]
    );
    assert_eq!(
        records("'id';'name'\n'1';'O''Neil; x'\n", b';')[1],
        ["1", "O'Neil; x"]
    );
    assert_eq!(records("it's,b\n'x,y\n", b',')[1], ["'x", "y"]);
}

proptest! {
    /// `csv-core` reads texts that follow RFC 4180 alike.
    #[test]
    fn records_are_those_of_a_parser(rows in prop::collection::vec(prop::collection::vec("[ab,\"\n\r ]{0,6}", 1..4), 0..6)) {
        let mut text = String::new();
        for row in &rows {
            let cells: Vec<String> = row.iter().map(|cell| {
                if cell.contains([',', '"', '\n', '\r']) || cell.is_empty() {
                    format!("\"{}\"", cell.replace('"', "\"\""))
                } else {
                    cell.clone()
                }
            }).collect();
            text += &(cells.join(",") + "\n");
        }
        let mut reader = Reader::new();
        let (mut input, mut parsed) = (text.as_bytes(), Vec::new());
        loop {
            let (mut out, mut ends) = ([0; 1000], [0; 20]);
            let (result, read, _, count) = reader.read_record(input, &mut out, &mut ends);
            if !matches!(result, ReadRecordResult::Record) {
                break;
            }
            input = &input[read..];
            let mut from = 0;
            parsed.push(ends[..count].iter().map(|end| {
                let value = String::from_utf8(out[from..*end].to_vec()).unwrap();
                from = *end;
                value
            }).collect::<Vec<_>>());
        }
        let mut rest = text.as_bytes();
        let mut found_all = Vec::new();
        while let Some(found) = find(rest, b',', Quotes::STANDARD, true) {
            let mut record = Vec::new();
            split(&rest[found.start..found.end], b',', Quotes::STANDARD, found.kind, |value| {
                record.push(String::from_utf8(value.into_owned()).unwrap());
            });
            found_all.push(record);
            rest = &rest[found.end..];
        }
        prop_assert_eq!(found_all, parsed);
    }

    #[test]
    fn any_text_is_read_to_its_end(text in "[ab,\"\\\\\n\r' ]{0,40}") {
        let lines = text.split(['\n', '\r']).filter(|line| !line.is_empty()).count();
        prop_assert!(records(&text, b',').len() <= lines);
    }
}
