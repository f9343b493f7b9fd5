//! Tests of formulas.

use super::*;

#[test]
fn formulas_are_read_if_requested() {
    let rows = "<row r=\"1\"><c r=\"A1\"><f>SUM(B1:C1)&amp;\"x\"</f><v>1</v></c>\
                <c r=\"B1\"><f t=\"shared\" ref=\"B1:B3\" si=\"0\">A1+$A$1+Sheet2!A1+LOG10(A:A)&amp;\
                \"A1\"</f><v>1</v></c></row>\
                <row r=\"3\"><c r=\"C3\"><f t=\"shared\" si=\"0\"/><v>2</v></c></row>";
    let found = cells(rows, &[]);
    let formulas: Vec<_> = found
        .iter()
        .map(|it| it.1.formula.clone().unwrap())
        .collect();
    assert_eq!(
        formulas,
        [
            "SUM(B1:C1)&\"x\"",
            "A1+$A$1+Sheet2!A1+LOG10(A:A)&\"A1\"",
            "B3+$A$1+Sheet2!B3+LOG10(B:B)&\"A1\"",
        ]
    );
    let mut document = opened(&sheet(rows), &[]);
    let mut plain = window(1, 9, usize::MAX);
    plain.formulas = false;
    let found = document.workbook().unwrap().rows(0, &plain);
    assert!(found.rows[0].cells.iter().all(|it| it.formula.is_none()));
}

#[test]
fn formulas_without_a_value_are_kept() {
    // The empty text of E1 is a value.
    let rows = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"B1\"><f>A1*2</f><v/></c>\
                <c r=\"C1\"><f t=\"shared\" ref=\"C1:C2\" si=\"0\">A1&lt;2</f><v></v></c>\
                <c r=\"E1\" t=\"str\"><f>\"\"</f><v></v></c><c r=\"F1\"><f/></c></row>\
                <row r=\"2\"><c r=\"C2\" t=\"b\"><f t=\"shared\" si=\"0\"/></c></row>";
    let expected = [
        (1, 1, "1", None),
        (1, 2, "=A1*2", Some("A1*2")),
        (1, 3, "=A1<2", Some("A1<2")),
        (2, 3, "=A2<2", Some("A2<2")),
    ];
    let mut document = opened(&sheet(rows), &[]);
    let workbook = document.workbook().unwrap();
    let facts = workbook.sheet(0);
    assert_eq!(facts.used, Range::parse("A1:C2"));
    assert_eq!(facts.rows, 2);
    for formulas in [false, true] {
        let mut all = window(1, 9, usize::MAX);
        all.formulas = formulas;
        let found = workbook.rows(0, &all);
        let mut list = Vec::new();
        for row in &found.rows {
            for cell in &row.cells {
                let (text, formula) = (cell.value.plain(), cell.formula.clone());
                list.push((row.number, cell.column, text, formula));
            }
        }
        let expected = expected.map(|(row, column, text, formula)| {
            let text = if formulas && formula.is_some() {
                ""
            } else {
                text
            };
            let formula = formula.filter(|_| formulas).map(str::to_owned);
            (row, column, text.to_owned(), formula)
        });
        assert_eq!(list, expected);
        assert_eq!(found.notes, ["3 formulas have no stored value."]);
    }
}

#[test]
fn moved_references_outside_of_the_sheet_are_errors() {
    let rows = "<row r=\"5\"><c r=\"B5\"><f t=\"shared\" si=\"0\">A1</f><v>1</v></c></row>\
                <row r=\"6\"><c r=\"A6\"><f t=\"shared\" si=\"0\"/><v>1</v></c></row>";
    assert_eq!(cells(rows, &[])[1].1.formula.as_deref(), Some("#REF!"));
}

#[test]
fn formulas_that_are_links_have_addresses() {
    let rows = "<row r=\"2\"><c r=\"B2\" t=\"str\"><f>HYPERLINK(&quot;https://e.org/?a=1&amp;b&quot;,\
                &quot;x&quot;)</f><v>x</v></c><c t=\"str\"><f>HYPERLINK(A1)</f><v>y</v></c></row>";
    let mut document = opened(&sheet(rows), &[]);
    let links = &document.workbook().unwrap().sheet(0).links;
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].range, Range::parse("B2").unwrap());
    assert_eq!(links[0].url, "https://e.org/?a=1&b");
    let text = document.unit(0).text;
    assert!(text.contains("[x](https://e.org/?a=1&b)"), "{text}");
}

#[test]
fn deep_formulas_are_text() {
    let formula = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let rows = format!("<row><c><f>{formula}</f><v>1</v></c></row>");
    let found = cells(&rows, &[]);
    let formula = found[0].1.formula.as_ref().unwrap();
    assert!(formula.len() <= limits::FORMULA_BYTES + 3);
    assert!(formula.ends_with('…'));
}
