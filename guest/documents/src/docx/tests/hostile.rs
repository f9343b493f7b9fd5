//! Documents that try to use too much memory or time.

use super::{LIST, convert, document, item, level, numbering, p, r, styled};
use crate::testing::relationships;
use crate::{Format, limits, open};

/// A comment of XML, which is read fast.
fn padding(bytes: usize) -> String {
    format!("<!--{}-->", " ".repeat(bytes))
}

#[test]
fn long_parts_are_cut_with_a_note() {
    let unit = convert(&(p(&r("kept")) + &padding(limits::PART_BYTES)), &[]);
    assert_eq!(unit.text, "kept");
    let expected = "The part `word/document.xml` is not read in full: it has more than 32 MB, and the rest \
                    is left out.";
    assert_eq!(unit.notes, [expected]);
}

#[test]
fn all_text_of_a_document_is_limited() {
    let body = p("<w:r><w:footnoteReference w:id=\"1\"/><w:endnoteReference w:id=\"1\"/></w:r>");
    let notes =
        "<w:footnotes><w:footnote w:id=\"1\"><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:footnote>";
    let notes = notes.to_owned() + &padding(limits::CONVERTED_BYTES - limits::PART_BYTES);
    let endnotes = "<w:endnotes><w:endnote w:id=\"1\"><w:p><w:r><w:t>lost</w:t></w:r></w:p>\
                    </w:endnote></w:endnotes>";
    let parts = [
        ("word/footnotes.xml", notes.as_str()),
        ("word/endnotes.xml", endnotes),
    ];
    let unit = convert(&(body + &padding(limits::PART_BYTES)), &parts);
    assert_eq!(unit.text, "[^1][^e1]\n\n[^1]: kept");
    let note = "The text has more than 40 MB of XML. The rest is left out.";
    assert!(unit.notes.iter().any(|it| it == note), "{:?}", unit.notes);
}

#[test]
fn long_addresses_and_repeated_texts_are_limited() {
    let long = format!("http://{}", "y".repeat(limits::URL_BYTES));
    let rels = relationships(&[("M", "hyperlink", &long), ("I", "image", "media/a.png")]);
    let link = format!("<w:hyperlink r:id=\"M\">{}</w:hyperlink>", r("long"));
    let alt = "z".repeat(100_000);
    let images = format!(
        "<w:r><w:drawing><wp:inline><wp:docPr descr=\"{alt}\"/>{}</wp:inline></w:drawing></w:r>",
        "<a:blip r:embed=\"I\"/>".repeat(20)
    );
    let parts = [
        ("word/_rels/document.xml.rels", rels.as_str()),
        ("word/media/a.png", "x"),
    ];
    let unit = convert(&(p(&link) + &p(&images)), &parts);
    assert!(unit.text.starts_with("long\n\n![zzz"));
    assert_eq!(
        unit.notes,
        ["Addresses of links that are too long are left out."]
    );
    assert_eq!(unit.text.matches("(image:1)").count(), 20);
    assert!(unit.text.len() < 21 * limits::ALT_BYTES);
}

#[test]
fn markers_of_items_are_short() {
    let levels = level(0, "decimal", &format!("{}%1", "x".repeat(1000)));
    let parts = numbering(&levels, LIST);
    let unit = convert(&item(1, 0, "text"), &[("word/numbering.xml", &parts)]);
    assert!(unit.text.ends_with("xxx text"), "{}", unit.text);
    assert!(unit.text.len() < 2 * limits::MARKER_BYTES);
}

#[test]
fn charts_that_are_shown_many_times_are_limited() {
    let point = |at| format!("<c:pt idx=\"{at}\"><c:v>7</c:v></c:pt>");
    let points: String = (0..1000).map(point).collect();
    let series = format!("<c:ser><c:val>{points}</c:val></c:ser>").repeat(20);
    let chart = format!(
        "<c:chartSpace><c:chart><c:plotArea><c:barChart>{series}</c:barChart></c:plotArea>\
         </c:chart></c:chartSpace>"
    );
    let rels = relationships(&[("C", "chart", "charts/c.xml")]);
    let body = p("<w:r><w:drawing><c:chart r:id=\"C\"/></w:drawing></w:r>").repeat(500);
    let parts = [
        ("word/_rels/document.xml.rels", rels.as_str()),
        ("word/charts/c.xml", chart.as_str()),
    ];
    let unit = convert(&body, &parts);
    let shown = unit.text.matches("Bar chart").count();
    assert!((2..20).contains(&shown), "{shown}");
    let note = "There are too many charts and diagrams. The rest is left out.";
    assert_eq!(unit.notes, [note]);
}

#[test]
fn merged_cells_of_many_tables_are_limited() {
    let table = "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"16000\"/></w:tcPr><w:p/></w:tc>\
                 <w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>\
                 <w:tr><w:trPr><w:gridBefore w:val=\"63\"/></w:trPr></w:tr></w:tbl>";
    let unit = convert(&table.repeat(2000), &[]);
    // All the positions of 2000 tables would take more than 60 MB.
    assert!(unit.text.len() < 10_000_000, "{}", unit.text.len());
    assert_eq!(unit.text.matches("|b|").count(), 2000);
}

#[test]
fn references_to_notes_are_limited() {
    let count = limits::NOTE_REFERENCES + 10;
    let reference = |id| format!("<w:footnoteReference w:id=\"{id}\"/>");
    let references: String = (0..count).map(reference).collect();
    let body = p(&format!("<w:r>{references}</w:r>"));
    let unit = convert(&body, &[("word/footnotes.xml", "<w:footnotes/>")]);
    assert_eq!(unit.text.matches("[^").count(), limits::NOTE_REFERENCES);
}

#[test]
fn titles_inside_of_titles_end() {
    let title = "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr>";
    let unit = convert(&title.repeat(100_000), &[]);
    assert_eq!(unit.text, "");
}

#[test]
fn loops_end() {
    let styles = "<w:styles>\
        <w:style w:type=\"paragraph\" w:styleId=\"A\"><w:basedOn w:val=\"B\"/>\
        <w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"B\"><w:basedOn w:val=\"A\"/></w:style></w:styles>";
    let numbering = "<w:numbering>\
        <w:abstractNum w:abstractNumId=\"0\"><w:numStyleLink w:val=\"A\"/></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>";
    // The header of a header is itself, and a note refers to itself.
    let rels = relationships(&[("H", "header", "document.xml")]);
    let body = styled("A", "text")
        + &p("<w:r><w:footnoteReference w:id=\"1\"/></w:r>")
        + "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"H\"/></w:sectPr>";
    let notes = "<w:footnotes><w:footnote w:id=\"1\"><w:p><w:r><w:t>again</w:t>\
        <w:footnoteReference w:id=\"1\"/></w:r></w:p></w:footnote></w:footnotes>";
    let parts = [
        ("word/styles.xml", styles),
        ("word/numbering.xml", numbering),
        ("word/footnotes.xml", notes),
        ("word/_rels/document.xml.rels", &rels),
    ];
    let unit = convert(&body, &parts);
    assert!(
        unit.text.ends_with("text\n\n[^1]\n\n[^1]: again[^1]"),
        "{}",
        unit.text
    );
}

#[test]
fn entities_do_not_expand() {
    let body = p(&r("a&b;&amp;c"));
    let text = format!(
        "<!DOCTYPE x [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
         <w:document><w:body>{body}</w:body></w:document>"
    );
    let rels = relationships(&[("r1", "officeDocument", "word/document.xml")]);
    let parts: [(&str, &[u8]); 2] = [
        ("_rels/.rels", rels.as_bytes()),
        ("word/document.xml", text.as_bytes()),
    ];
    let bytes = crate::testing::package(&parts);
    let unit = open(bytes, Format::Docx, None).unwrap().unit(0);
    assert_eq!(unit.text, "a&c");
}

#[test]
fn truncated_documents_do_not_fail() {
    let styles = "<w:styles><w:style w:type=\"paragraph\" w:styleId=\"A\"/></w:styles>";
    let table = format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", p(&r("cell")));
    let body = styled("A", "text").repeat(20) + &table + &p(&r("end"));
    let whole = document(&body, &[("word/styles.xml", styles)]);
    let mut read = 0;
    for end in (0..whole.len()).step_by(97) {
        let bytes = whole[..end].to_vec();
        if let Ok(mut document) = open(bytes, Format::Docx, None) {
            let unit = document.unit(0);
            read += usize::from(unit.text.starts_with("text"));
        }
    }
    assert!(read > 5, "{read} were read");
    for end in 0..body.len() {
        let cut = body.get(..end).unwrap_or_default();
        let unit = convert(cut, &[]);
        assert!(!unit.text.contains('<'), "{}", unit.text);
    }
}
