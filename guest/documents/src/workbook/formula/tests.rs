use super::{Book, Links, Table, Version, master, text};
use crate::codepage::{self, CodePage};

fn links(version: Version) -> Links {
    let mut links = Links::new(version);
    links.sheets = vec!["Data".to_owned(), "My 'own' sheet".to_owned()];
    links.names = vec!["Rate".to_owned(), "_xlfn.XLOOKUP".to_owned()];
    links.add(&Book::Own, 0, 0, 0);
    links.add(&Book::Own, 0, 1, 1);
    links.add(&Book::Own, 0, -1, -1);
    let other = Book::Other {
        file: "b.xls".to_owned(),
        sheets: vec!["S".to_owned()],
    };
    links.add(&other, 1, 0, 0);
    let columns = vec!["Item".to_owned(), "Price [EUR]".to_owned()];
    let name = "Orders".to_owned();
    links.tables.insert(7, Table { name, columns });
    links
}

fn new(tokens: &[u8]) -> Option<String> {
    text(&links(Version::Biff12), tokens, &[], (4, 2))
}

fn old(tokens: &[u8]) -> Option<String> {
    text(&links(Version::Biff8), tokens, &[], (4, 2))
}

/// A reference of BIFF12 with relative row and column.
fn cell(row: u32, column: u16) -> Vec<u8> {
    let mut out = vec![0x44];
    out.extend(row.to_le_bytes());
    out.extend((column | 0xc000).to_le_bytes());
    out
}

#[test]
fn operators_are_between_operands() {
    let mut tokens = cell(0, 0);
    tokens.extend(cell(1, 27));
    tokens.extend([0x03, 0x15, 0x1e, 2, 0, 0x05, 0x13, 0x14]);
    assert_eq!(new(&tokens).unwrap(), "-(A1+AB2)*2%");
}

#[test]
fn functions_take_fixed_or_counted_arguments() {
    // SUM(A1,1.5), ROUND(1,2) and the sum of one argument.
    let mut tokens = cell(0, 0);
    tokens.push(0x1f);
    tokens.extend(1.5_f64.to_le_bytes());
    tokens.extend([0x42, 2, 4, 0]);
    assert_eq!(new(&tokens).unwrap(), "SUM(A1,1.5)");
    assert_eq!(
        new(&[0x1e, 1, 0, 0x1e, 2, 0, 0x41, 27, 0]).unwrap(),
        "ROUND(1,2)"
    );
    assert_eq!(
        new(&[0x16, 0x19, 0x10, 0, 0, 0x42, 1, 1, 0]).unwrap(),
        "IF(SUM())"
    );
    // Too few arguments, and a function that does not exist.
    assert_eq!(new(&[0x1e, 1, 0, 0x41, 27, 0]), None);
    assert_eq!(new(&[0x41, 0xff, 0x7f]), None);
}

#[test]
fn later_functions_lose_their_prefix() {
    let tokens = [0x23, 2, 0, 0, 0, 0x1e, 3, 0, 0x42, 2, 255, 0];
    assert_eq!(new(&tokens).unwrap(), "XLOOKUP(3)");
}

#[test]
fn texts_have_doubled_quotes() {
    assert_eq!(new(b"\x17\x02\0a\0\"\0").unwrap(), "\"a\"\"\"");
    assert_eq!(old(b"\x17\x02\x00a\"").unwrap(), "\"a\"\"\"");
    assert_eq!(old(b"\x17\x01\x01\xac\x20").unwrap(), "\"€\"");
    let version = Version::Biff5(CodePage::or_default(1251));
    let links = Links::new(version);
    assert_eq!(text(&links, b"\x17\x01\xc4", &[], (0, 0)).unwrap(), "\"Д\"");
}

#[test]
fn references_show_what_is_absolute() {
    assert_eq!(old(&[0x44, 9, 0, 1, 0x40]).unwrap(), "B$10");
    assert_eq!(old(&[0x44, 9, 0, 1, 0x80]).unwrap(), "$B10");
    let columns = [0x25, 0, 0, 0xff, 0xff, 0, 0xc0, 1, 0xc0];
    assert_eq!(old(&columns).unwrap(), "A:B");
    let rows = [0x25, 2, 0, 2, 0, 0, 0xc0, 0xff, 0xc0];
    assert_eq!(old(&rows).unwrap(), "3:3");
    // The flags of older versions are in the row.
    let links = Links::new(Version::Biff5(codepage::DEFAULT));
    assert_eq!(
        text(&links, &[0x44, 9, 0xc0, 1], &[], (0, 0)).unwrap(),
        "B10"
    );
}

#[test]
fn shared_formulas_are_relative_to_their_cell() {
    // One row above and one column before C5, and a distance over the edge of the sheet.
    let above = [0x4c, 0xff, 0xff, 0xff, 0xc0];
    assert_eq!(old(&above).unwrap(), "B4");
    let links = links(Version::Biff8);
    assert_eq!(text(&links, &above, &[], (0, 0)).unwrap(), "IV65536");
    assert_eq!(master(Version::Biff8, &[1, 4, 0, 2, 0], &[]), Some((4, 2)));
    let (tokens, column) = ([1, 4, 0, 0, 0], [2, 0, 0, 0]);
    assert_eq!(master(Version::Biff12, &tokens, &column), Some((4, 2)));
    assert_eq!(master(Version::Biff8, &above, &[]), None);
}

#[test]
fn sheets_have_quotes_if_they_need_them() {
    let cell = |link: u8| old(&[0x5a, link, 0, 0, 0, 0, 0xc0]).unwrap();
    assert_eq!(cell(0), "Data!A1");
    assert_eq!(cell(1), "'My ''own'' sheet'!A1");
    assert_eq!(cell(2), "#REF!A1");
    assert_eq!(cell(3), "'[b.xls]S'!A1");
    assert_eq!(cell(99), "#REF!A1");
    let quoted = ["A1", "R1C1", "c", "1st", "a-b"];
    for name in quoted {
        let expected = format!("'{name}'");
        assert_eq!(super::reference::prefix("", name, None), expected);
    }
    assert_eq!(
        super::reference::prefix("", "Übersicht_1", None),
        "Übersicht_1"
    );
}

#[test]
fn arrays_are_after_the_tokens() {
    let mut extra = vec![1, 0, 0, 1];
    extra.extend(1.0_f64.to_le_bytes());
    extra.extend([2, 1, 0, 0, b'x']);
    let mut tokens = vec![0x60];
    tokens.extend([0; 7]);
    let links = links(Version::Biff8);
    assert_eq!(text(&links, &tokens, &extra, (0, 0)).unwrap(), "{1,\"x\"}");
    // A huge array without values.
    assert_eq!(text(&links, &tokens, &[255, 255, 255], (0, 0)), None);
}

#[test]
fn tables_are_named_by_their_columns() {
    let table = |flags: u8, first: u8, last: u8| {
        let tokens = [0x18, 0x19, 0, 0, flags, 0, 7, 0, 0, 0, first, 0, last, 0];
        new(&tokens).unwrap()
    };
    assert_eq!(table(0, 0, 0), "Orders[]");
    assert_eq!(table(1, 0, 0), "Orders[Item]");
    assert_eq!(table(2, 0, 1), "Orders[[Item]:[Price '[EUR']]]");
    assert_eq!(table(0x10 << 2 | 1, 0, 0), "Orders[[#This Row],[Item]]");
    assert_eq!(table(2 << 2, 0, 0), "Orders[#Headers]");
}

#[test]
fn deep_formulas_take_no_stack() {
    let mut tokens = vec![0x16];
    tokens.extend(vec![0x15; 20_000]);
    let shown = new(&tokens).unwrap();
    assert!(shown.starts_with("((((") && shown.len() > 20_000);
    tokens.extend(vec![0x15; 100_000]);
    assert_eq!(new(&tokens), None);
}

#[test]
fn cut_tokens_are_no_formula() {
    let mut tokens = cell(0, 0);
    tokens.extend(cell(1, 1));
    tokens.extend([0x42, 2, 4, 0]);
    for end in 0..tokens.len() {
        let complete = end == 7;
        assert_eq!(new(&tokens[..end]).is_some(), complete, "{end}");
    }
    for token in 0..=255 {
        new(&[token]);
        old(&[token, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
