//! Whole files, built in code.

mod heads;
mod limits;
mod order;
mod tagged_tables;
mod tags;
mod unknown;
mod visible;

use crate::content::{Show, content};
use crate::file::File;
use crate::open;
use crate::page::{Direction, PageContent, Text};
use crate::testing::{Builder, pages};
use omniread_document::Error;

fn unit(bytes: Vec<u8>, index: usize) -> String {
    open(bytes, None).unwrap().unit(index).text
}

fn page(bytes: Vec<u8>) -> PageContent {
    content(&File::open(bytes, None).unwrap(), 0, Show::Visible)
}

fn shown(page: &PageContent) -> String {
    let mut out = String::new();
    for glyph in &page.glyphs {
        glyph.text.push_to(&mut out);
    }
    out
}

#[test]
fn glyphs_have_places_and_fonts() {
    let page = page(pages(
        &["BT /F2 20 Tf 100 700 Td (Hi) Tj /F3 10 Tf 0 -20 Td [(a) -1000 (b)] TJ ET"],
        "",
        "",
        &[],
    ));
    assert_eq!(shown(&page), "Hiab");
    let first = &page.glyphs[0];
    assert!(
        (first.x0 - 100.0).abs() < 0.1
            && (first.y - 92.0).abs() < 0.1
            && (first.size - 20.0).abs() < 0.1
    );
    assert!(page.font(first).bold && !page.font(first).mono);
    let (a, b) = (&page.glyphs[2], &page.glyphs[3]);
    assert!(page.font(a).mono);
    // A letter of Courier is 6 wide at size 10, and the gap is 10.
    assert!((b.x0 - a.x0 - 16.0).abs() < 0.1, "{}", b.x0 - a.x0);
}

#[test]
fn rotated_pages_and_text() {
    let bytes = pages(
        &["BT /F1 10 Tf 100 700 Td (a) Tj ET"],
        "/Rotate 90",
        "",
        &[],
    );
    let turned = page(bytes);
    assert!((turned.width - 792.0).abs() < 0.1 && (turned.height - 612.0).abs() < 0.1);
    assert_eq!(turned.glyphs[0].direction, Direction::Down);
    assert!((turned.glyphs[0].x0 - 700.0).abs() < 0.1 && (turned.glyphs[0].y - 100.0).abs() < 0.1);
    let up = page(pages(
        &["BT /F1 10 Tf 0 1 -1 0 100 100 Tm (a) Tj ET"],
        "",
        "",
        &[],
    ));
    assert_eq!(up.glyphs[0].direction, Direction::Up);
}

#[test]
fn lines_and_rectangles() {
    let page = page(pages(
        &[
            "1 0 0 rg 100 100 200 50 re f 0 0 1 RG 2 w 10 10 m 10 60 l S 0 0 0 rg 10 200 100 0.5 re f",
        ],
        "",
        "",
        &[],
    ));
    assert_eq!(page.fills.len(), 1);
    assert_eq!(page.fills[0].colour.0, [255, 0, 0]);
    assert!((page.fills[0].rect.y0 - 642.0).abs() < 0.1);
    assert_eq!(page.rules.len(), 2);
    assert!(!page.rules[0].horizontal && (page.rules[0].thickness - 2.0).abs() < 0.01);
}

#[test]
fn hidden_text_is_counted() {
    let text = "BT /F1 10 Tf 100 700 Td (seen) Tj ET \
        1 1 1 rg BT /F1 10 Tf 100 600 Td (white) Tj ET 0 g \
        BT /F1 0.5 Tf 100 500 Td (tiny) Tj ET \
        BT /F1 10 Tf 900 500 Td (outside) Tj ET \
        BT /F1 10 Tf 3 Tr 100 400 Td (inkless) Tj ET \
        BT 0 Tr /F1 10 Tf 100 300 Td (covered) Tj ET 0 0 0 rg 90 290 100 30 re f \
        0 0 1 rg 90 190 100 30 re f 1 g BT /F1 10 Tf 100 200 Td (light) Tj ET";
    let bytes = pages(&[text], "", "", &[]);
    let page = page(bytes.clone());
    assert_eq!(shown(&page), "seenlight");
    assert_eq!(page.missing.hidden, "whitetinyoutsideinklesscovered".len());
    let all = content(&File::open(bytes.clone(), None).unwrap(), 0, Show::All);
    assert!(shown(&all).contains("inkless"));
    let whole = open(bytes.clone(), None).unwrap().whole_unit(0);
    assert!(
        whole.text.contains("inkless") && whole.notes.is_empty(),
        "{whole:?}"
    );
    let unit = open(bytes, None).unwrap().unit(0);
    assert!(
        unit.notes.iter().any(|note| note.contains("30 characters")),
        "{:?}",
        unit.notes
    );
}

#[test]
fn text_over_a_scan_is_shown() {
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add(format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << {} /XObject << /Im 5 0 R >> >> >>", crate::testing::FONTS));
    builder.stream(
        "",
        b"q 600 0 0 800 0 0 cm /Im Do Q BT 3 Tr /F1 10 Tf 100 700 Td (scanned) Tj ET",
    );
    builder.stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"x");
    let bytes = builder.file(1);
    let page = page(bytes.clone());
    assert_eq!(shown(&page), "scanned");
    assert!(page.glyphs[0].invisible);
    assert_eq!(page.images[0].number, 1);
    let mut document = open(bytes, None).unwrap();
    assert!(
        document
            .unit(0)
            .notes
            .iter()
            .any(|note| note.contains("recognised"))
    );
    assert!(document.image(1).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(document.image(2), None);
    assert_eq!(document.image(1001), None);
    assert_eq!(document.image(0), None);
}

#[test]
fn the_only_text_of_pages_is_shown() {
    // The line is at the same place on all pages, as a running head is.
    let contents: Vec<String> = (1..=10)
        .map(|page| {
            format!("BT /F1 10 Tf 50 700 Td (Drawing {page}) Tj ET q 300 0 0 300 50 100 cm /I Do Q")
        })
        .collect();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let image = "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 1 >> stream\na\nendstream";
    let number = 3 + 2 * contents.len();
    let bytes = pages(&contents, "", "", &[image]);
    let page = String::from_utf8_lossy(&bytes).replace(
        "/Resources << ",
        &format!("/Resources << /XObject << /I {number} 0 R >> "),
    );
    let text = unit(page.into_bytes(), 4);
    assert!(
        text.contains("Drawing 5") && text.contains("image:4001"),
        "{text}"
    );
}

fn content_of(file: &File) -> PageContent {
    content(file, 0, Show::Visible)
}

#[test]
fn facts_of_the_file() {
    let mut builder = Builder::default();
    builder.add(
        "<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /P (A-) >>] >> \
        /Outlines 7 0 R /Names << /EmbeddedFiles << /Names [(data) 10 0 R] >> >> /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>",
    );
    builder.add("<< /Type /Pages /Count 99999999 /Kids [3 0 R 5 0 R 3 0 R] >>");
    for number in [4, 6] {
        builder.add(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number} 0 R >>"
        ));
        builder.stream("", b"");
    }
    builder.add("<< /First 8 0 R >>");
    builder.add("<< /Title (One) /Dest [3 0 R /Fit] /First 9 0 R /Next 8 0 R >>");
    builder.add("<< /Title <FEFF00540077006F> /A << /S /GoTo /D [5 0 R] >> /Next 8 0 R >>");
    builder.add("<< /Type /Filespec /F (../up/data.csv) /EF << /F 11 0 R >> >>");
    builder.stream("/Subtype /text#2Fcsv", b"a,b");
    builder.add("<< /Title (T) /Author (A) /CreationDate (D:20240102030405+01'00') >>");
    builder.trailer("/Info 12 0 R");
    let mut document = open(builder.file(1), None).unwrap();
    let facts = document.facts().clone();
    assert_eq!(
        facts
            .list
            .iter()
            .map(|unit| unit.name.as_str())
            .collect::<Vec<_>>(),
        ["i", "A-1"]
    );
    let value = |name: &str| {
        facts
            .metadata
            .iter()
            .find(|it| it.0 == name)
            .map(|it| it.1.as_str())
    };
    assert_eq!(value("title"), Some("T"));
    assert_eq!(value("language"), Some("en-GB"));
    assert_eq!(value("created"), Some("2024-01-02T03:04:05+01:00"));
    let outline: Vec<_> = document
        .outline()
        .iter()
        .map(|it| (it.level, it.title.as_str(), it.unit))
        .collect();
    assert_eq!(outline, [(1, "One", Some(0)), (2, "Two", Some(1))]);
    assert_eq!(document.attachments()[0].name, "data.csv");
    assert_eq!(document.attachments()[0].mime, "text/csv");
    assert_eq!(document.attachment(0).unwrap(), b"a,b");
    assert_eq!(document.attachment(1), None);
    assert!(
        document.notes()[0].contains("app.alert(1)"),
        "{:?}",
        document.notes()
    );
}

#[test]
fn form_fields_and_comments() {
    let widget =
        "<< /Type /Annot /Subtype /Widget /Rect [100 690 200 710] /FT /Tx /T (name) /V (Ada) >>";
    let check =
        "<< /Type /Annot /Subtype /Widget /Rect [100 660 110 670] /FT /Btn /T (box) /AS /Yes >>";
    let comment =
        "<< /Type /Annot /Subtype /Text /Rect [0 0 10 10] /T (Bob) /Contents (Look here) >>";
    let launch =
        "<< /Type /Annot /Subtype /Link /Rect [0 0 10 10] /A << /S /Launch /F (calc.exe) >> >>";
    let link = "<< /Type /Annot /Subtype /Link /Rect [40 690 80 710] /A << /S /URI /URI (https://example.org/) >> >>";
    let bytes = pages(
        &["BT /F1 10 Tf 50 697 Td (Name) Tj ET"],
        "/Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R]",
        "",
        &[widget, check, comment, launch, link],
    );
    let page = page(bytes.clone());
    assert_eq!(page.links.len(), 1);
    let texts: Vec<&Text> = page.glyphs.iter().map(|glyph| &glyph.text).collect();
    assert!(
        texts.contains(&&Text::Many("Ada".into())) && texts.contains(&&Text::Many("[x]".into()))
    );
    let unit = open(bytes, None).unwrap().unit(0);
    assert!(
        unit.text.contains("**Comment by Bob:** Look here"),
        "{}",
        unit.text
    );
    assert!(
        unit.text.contains("https://example.org/") || unit.text.contains("Name"),
        "{}",
        unit.text
    );
    assert!(
        unit.notes.iter().any(|note| note.contains("calc.exe")),
        "{:?}",
        unit.notes
    );
}

#[test]
fn forms_that_draw_themselves_end() {
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /A 5 0 R >> >> >>");
    builder.stream("", b"/A Do");
    // Each form draws the next one ten times.
    for number in 5..=20 {
        let next = number + 1;
        builder.stream(
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << {} /XObject << /A {next} 0 R /Self {number} 0 R >> >>", crate::testing::FONTS),
            "/Self Do BT /F1 10 Tf 50 600 Td (x) Tj ET ".repeat(3).as_bytes().iter().chain("/A Do ".repeat(10).as_bytes()).copied().collect::<Vec<u8>>().as_slice(),
        );
    }
    let page = page(builder.file(1));
    assert!(!page.glyphs.is_empty());
    assert!(page.missing.cut);
}

#[test]
fn loops_in_trees_end() {
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /StructTreeRoot 6 0 R /Names << /EmbeddedFiles 8 0 R /Dests 8 0 R >> /PageLabels 8 0 R >>");
    builder.add("<< /Type /Pages /Count 2 /Kids [2 0 R 3 0 R] /Parent 2 0 R >>");
    builder.add("<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /StructParents 0 /Annots [9 0 R] >>");
    builder.stream(
        "",
        b"/P << /MCID 0 >> BDC BT /F1 10 Tf 50 600 Td (text) Tj ET EMC",
    );
    builder.add("<< /First 5 0 R /Next 5 0 R /Title (loop) >>");
    builder.add("<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>");
    builder.add("<< /S /P /P 7 0 R /K [7 0 R 0 << /S /P /K 7 0 R >>] /Pg 3 0 R >>");
    builder.add("<< /Kids [8 0 R 8 0 R] /Limits [(a) (z)] >>");
    builder.add("<< /Type /Annot /Subtype /Widget /FT /Tx /Parent 9 0 R /Rect [0 0 100 100] >>");
    let mut document = open(builder.file(1), None).unwrap();
    assert_eq!(document.facts().list.len(), 1);
    assert!(document.unit(0).text.contains("text"));
    assert!(document.attachments().is_empty());
}

#[test]
fn damaged_files_do_not_panic() {
    let bytes = tags::tagged(true);
    for end in (0..bytes.len()).step_by(97) {
        if let Ok(mut document) = open(bytes[..end].to_vec(), None) {
            document.unit(0);
        }
    }
    for at in (0..bytes.len()).step_by(53) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x15;
        if let Ok(mut document) = open(damaged, None) {
            document.unit(0);
            document.unit(1);
        }
    }
    assert!(matches!(open(Vec::new(), None), Err(Error::Damaged(_))));
    assert!(matches!(
        open(b"no pdf".to_vec(), None),
        Err(Error::Damaged(_))
    ));
}

#[test]
fn a_page_with_only_its_number_shows_it() {
    let contents: Vec<String> = (1..=9)
        .map(|page| format!("BT /F1 8 Tf 300 770 Td (Page {page}) Tj ET"))
        .collect();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    assert_eq!(unit(pages(&contents, "", "", &[]), 6), "Page 7");
}
