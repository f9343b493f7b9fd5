//! Pages with tags.

use super::{content_of, unit};
use crate::file::File;
use crate::structure;
use crate::testing::{Builder, FONTS, pages};

/// A page with tags. Marked content 2 is before 1 on the page, but after it in the tree.
pub fn tagged(parent_tree: bool) -> Vec<u8> {
    let content = "/Artifact BMC BT /F1 8 Tf 50 770 Td (Running head) Tj ET EMC \
        /P << /MCID 2 >> BDC BT /F1 10 Tf 50 600 Td (Second para-) Tj 0 -12 Td (graph.) Tj ET EMC \
        /H1 << /MCID 0 >> BDC BT /F2 20 Tf 50 700 Td (Title) Tj ET EMC \
        /P << /MCID 1 >> BDC BT /F1 10 Tf 50 650 Td (First) Tj ET EMC \
        /Lbl << /MCID 3 >> BDC BT /F1 10 Tf 50 500 Td (1.) Tj ET EMC \
        /LBody << /MCID 4 >> BDC BT /F1 10 Tf 70 500 Td (Item) Tj ET EMC \
        /TD << /MCID 5 >> BDC BT /F1 10 Tf 50 400 Td (a) Tj ET EMC \
        /TD << /MCID 6 >> BDC BT /F1 10 Tf 90 400 Td (b) Tj ET EMC \
        /TD << /MCID 7 >> BDC BT /F1 10 Tf 90 380 Td (c) Tj ET EMC \
        /Span << /MCID 8 /ActualText (replaced) >> BDC BT /F1 10 Tf 50 300 Td (xyz) Tj ET EMC";
    let tree = if parent_tree {
        "/ParentTree 20 0 R"
    } else {
        ""
    };
    let root = format!("<< /Type /StructTreeRoot /K 6 0 R {tree} /RoleMap << /Kopf /H1 >> >>");
    let element = |kind: &str, parent: usize, kids: &str| {
        format!("<< /Type /StructElem /S /{kind} /P {parent} 0 R /Pg 3 0 R /K {kids} >>")
    };
    let objects = [
        root,
        element("Document", 5, "[7 0 R 8 0 R 9 0 R 10 0 R 13 0 R 19 0 R]"),
        element("Kopf", 6, "0"),
        element("P", 6, "[1]"),
        element("P", 6, "<< /Type /MCR /Pg 3 0 R /MCID 2 >>"),
        element("L", 6, "[11 0 R]"),
        element(
            "LI",
            10,
            "[12 0 R << /S /LBody /P 11 0 R /Pg 3 0 R /K 4 >>]",
        ),
        element("Lbl", 11, "3"),
        element("Table", 6, "[14 0 R 15 0 R]"),
        element("TR", 13, "[16 0 R 17 0 R]"),
        element("TR", 13, "[<< /S /TD /P 15 0 R >> 18 0 R]"),
        element("TD", 14, "5"),
        element("TD", 14, "6"),
        element("TD", 15, "7"),
        element("P", 6, "8"),
        "<< /Nums [0 [7 0 R 8 0 R 9 0 R 12 0 R 11 0 R 16 0 R 17 0 R 18 0 R 19 0 R]] >>".to_owned(),
    ];
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    pages(
        &[content],
        "/StructParents 0",
        "/StructTreeRoot 5 0 R",
        &objects,
    )
}

#[test]
fn tags_give_the_order_and_the_blocks() {
    let expected = "# Title\n\nRunning head\n\nFirst\n\nSecond paragraph.\n\n1. Item\n\n|a|b|\n|-|-|\n||c|\n\nreplaced";
    assert_eq!(unit(tagged(true), 0), expected);
    // Without the list of the elements of each page.
    assert_eq!(unit(tagged(false), 0), expected);
}

#[test]
fn formulas_are_one_line() {
    let content = "/P << /MCID 0 >> BDC BT /F1 10 Tf 50 700 Td (Where) Tj ET EMC \
        /mi << /MCID 1 >> BDC BT /F1 10 Tf 90 700 Td (x) Tj ET EMC \
        /mo << /MCID 2 >> BDC BT /F1 10 Tf 99 700 Td (=) Tj ET EMC";
    let bytes = pages(
        &[content],
        "/StructParents 0",
        "/StructTreeRoot 5 0 R",
        &[
            "<< /Type /StructTreeRoot /K 6 0 R >>",
            "<< /S /P /P 5 0 R /Pg 3 0 R /K [0 7 0 R] >>",
            "<< /S /Formula /P 6 0 R /Pg 3 0 R /K << /S /math /P 7 0 R /K [<< /S /mi /K 1 >> << /S /mo /K 2 >>] >> >>",
        ],
    );
    assert_eq!(unit(bytes, 0), "Where x =");
}

#[test]
fn tags_for_few_glyphs_are_ignored() {
    let content = "/H1 << /MCID 0 >> BDC BT /F1 10 Tf 50 100 Td (x) Tj ET EMC BT /F1 10 Tf 50 700 Td (Most of the text has no tags.) Tj ET";
    let bytes = pages(
        &[content],
        "/StructParents 0",
        "/StructTreeRoot 5 0 R",
        &[
            "<< /Type /StructTreeRoot /K 6 0 R >>",
            "<< /S /H1 /P 5 0 R /Pg 3 0 R /K 0 >>",
        ],
    );
    let file = File::open(bytes, None).unwrap();
    let page = content_of(&file);
    assert!(structure::has_marks(&page));
    for source in [structure::Source::List, structure::Source::Elements] {
        assert!(structure::elements(&file, 0, &page, source).is_none());
    }
}

#[test]
fn a_table_over_two_pages_has_its_head_on_both() {
    let cell = |id: usize, x: usize, text: &str| {
        format!("/TD << /MCID {id} >> BDC BT /F1 10 Tf {x} 700 Td ({text}) Tj ET EMC ")
    };
    let first = [
        cell(0, 50, "Name"),
        cell(1, 150, "Size"),
        cell(2, 50, "a"),
        cell(3, 150, "1"),
    ]
    .concat();
    let second = [cell(0, 50, "b"), cell(1, 150, "2")].concat();
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R >>");
    builder.add("<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] >>");
    for (number, content) in [(4, &first), (6, &second)] {
        let (fonts, parents) = (FONTS, (number - 4) / 2);
        builder.add(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /StructParents {parents} /Contents {number} 0 R /Resources << {fonts} >> >>"
        ));
        builder.stream("", content.as_bytes());
    }
    let row = |parent: usize, page: usize, kind: &str, ids: [usize; 2]| {
        let cell = |id: usize| format!("<< /S /{kind} /Pg {page} 0 R /K {id} >>");
        format!(
            "<< /S /TR /P {parent} 0 R /K [{} {}] >>",
            cell(ids[0]),
            cell(ids[1])
        )
    };
    builder.add("<< /Type /StructTreeRoot /K 8 0 R /ParentTree << /Nums [0 [10 0 R 11 0 R] 1 [12 0 R]] >> >>");
    builder.add("<< /S /Table /P 7 0 R /K [9 0 R 11 0 R 12 0 R] >>");
    builder.add("<< /S /THead /P 8 0 R /K [10 0 R] >>");
    builder.add(row(9, 3, "TH", [0, 1]));
    builder.add(row(8, 3, "TD", [2, 3]));
    builder.add(row(8, 5, "TD", [0, 1]));
    let bytes = builder.file(1);
    assert_eq!(unit(bytes.clone(), 1), "|Name|Size|\n|-|-|\n|b|2|");
    let mut document = crate::open(bytes, None).unwrap();
    let mut out = crate::Joined::default();
    for index in 0..2 {
        out.add(&document.unit(index));
    }
    assert_eq!(out.text(), "|Name|Size|\n|-|-|\n|a|1|\n|b|2|");
}

#[test]
fn figures_links_and_notes_of_tags() {
    let content = "/P << /MCID 0 >> BDC BT /F1 10 Tf 50 700 Td (See ) Tj ET EMC \
        /Link << /MCID 1 >> BDC BT /F1 10 Tf 90 700 Td (the page) Tj ET EMC \
        /Figure << /MCID 2 >> BDC q 100 0 0 100 50 500 cm /Im Do Q EMC \
        /Note << /MCID 3 >> BDC BT /F1 8 Tf 50 100 Td (1 A note) Tj ET EMC \
        /Code << /MCID 4 >> BDC BT /F3 10 Tf 50 400 Td (if x:) Tj 24 -12 Td (go\\(\\)) Tj ET EMC";
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    let fonts = FONTS;
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /StructParents 0 /Annots [7 0 R] /Contents 4 0 R /Resources << {fonts} /XObject << /Im 5 0 R >> >> >>"
    ));
    builder.stream("", content.as_bytes());
    builder.stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"x");
    builder.add("<< /Type /StructTreeRoot /K 8 0 R >>");
    builder.add("<< /Type /Annot /Subtype /Link /Rect [88 690 140 710] /A << /S /URI /URI (https://example.org/a) >> >>");
    builder.add("<< /S /Document /P 6 0 R /K [9 0 R 10 0 R << /S /Code /Pg 3 0 R /K 4 >>] >>");
    builder.add(
        "<< /S /P /P 8 0 R /Pg 3 0 R /K [0 << /S /Link /Pg 3 0 R /K [1 << /Type /OBJR /Obj 7 0 R >>] >> \
        << /S /Note /Pg 3 0 R /K 3 >>] >>",
    );
    builder.add("<< /S /Figure /P 8 0 R /Pg 3 0 R /Alt (A duck) /K 2 >>");
    let text = unit(builder.file(1), 0);
    let expected = "See [the page](https://example.org/a)\n\n1 A note\n\n![A duck](image:1)\n\n```\nif x:\n    go()\n```";
    assert_eq!(text, expected);
}

#[test]
fn inline_code_at_the_start_of_a_line_of_an_item_is_no_block() {
    let content = "/LBody << /MCID 0 >> BDC BT /F1 10 Tf 50 700 Td (Features, with all in the) Tj ET EMC \
        /Code << /MCID 1 >> BDC BT /F3 10 Tf 50 688 Td (alloc) Tj ET EMC \
        /LBody << /MCID 2 >> BDC BT /F1 10 Tf 84 688 Td (feature.) Tj ET EMC \
        /P << /MCID 3 >> BDC BT /F1 10 Tf 50 670 Td (Enabling it helps.) Tj ET EMC";
    let bytes = pages(
        &[content],
        "/StructParents 0",
        "/StructTreeRoot 5 0 R",
        &[
            "<< /Type /StructTreeRoot /K 6 0 R >>",
            "<< /S /L /P 5 0 R /Pg 3 0 R /K << /S /LI /P 6 0 R /K << /S /Div /P 6 0 R /K [0 << /S /Code /K 1 >> 2 << /S /P /K 3 >>] >> >> >>",
        ],
    );
    assert_eq!(
        unit(bytes, 0),
        "- Features, with all in the `alloc` feature.\n\n  Enabling it helps."
    );
}
