//! Tests of what concerns several slides, and of limits.

use super::{Slide, graphic, opened, p, text, text_box, title, unit};
use crate::limits;

#[test]
fn sections_are_marks_before_their_first_slide() {
    let list = "<p:presentation xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
        <p:sldIdLst><p:sldId id=\"256\" r:id=\"s0\"/><p:sldId id=\"257\" r:id=\"s1\"/></p:sldIdLst>\
        <p:extLst><p:ext><p14:sectionLst><p14:section name=\"Empty\"><p14:sldIdLst/></p14:section>\
        <p14:section name=\" The  end \"><p14:sldIdLst><p14:sldId id=\"257\"/></p14:sldIdLst>\
        </p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>";
    let (first, second) = (title("One"), title("Two"));
    let slides = [
        ("", first.as_str(), &[][..]),
        ("", second.as_str(), &[][..]),
    ];
    let mut document = opened(&slides, &[("ppt/presentation.xml", list)]);
    assert_eq!(document.unit(0).text, "## One");
    assert_eq!(document.unit(1).text, "<!-- section: The end -->\n\n## Two");
}

#[test]
fn links_to_slides_have_their_number() {
    let link = "<a:p><a:r><a:rPr><a:hlinkClick r:id=\"r1\" action=\"ppaction://hlinksldjump\"/>\
        </a:rPr><a:t>next</a:t></a:r></a:p>";
    let shape = format!("<p:sp><p:nvSpPr/><p:spPr/><p:txBody>{link}</p:txBody></p:sp>");
    let target: &[(&str, &str, &str)] = &[("r1", "slide", "slide1.xml")];
    let slides = [("", shape.as_str(), target), ("", "", &[][..])];
    assert_eq!(opened(&slides, &[]).unit(0).text, "[next](#slide-2)");
}

#[test]
fn bullets_of_the_presentation_apply_to_text_boxes() {
    let list = "<p:presentation xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
        <p:sldIdLst><p:sldId id=\"256\" r:id=\"s0\"/></p:sldIdLst><p:defaultTextStyle>\
        <a:lvl1pPr><a:buAutoNum type=\"hebrew2Minus\"/></a:lvl1pPr></p:defaultTextStyle>\
        </p:presentation>";
    let shape = text_box((0, 0, 100, 100), "text");
    let slides = [("", shape.as_str(), &[][..])];
    let mut document = opened(&slides, &[("ppt/presentation.xml", list)]);
    assert_eq!(document.unit(0).text, "א- text");
}

#[test]
fn text_that_stands_out_is_the_heading() {
    let sized =
        |shape: &str, size: u32| shape.replace("<a:r>", &format!("<a:r><a:rPr sz=\"{size}\"/>"));
    let below = text_box((0, 100, 100, 100), "body");
    let top = text_box((0, 0, 100, 50), "Top");
    assert_eq!(
        text(&(below.clone() + &sized(&top, 2400))),
        "## Top\n\nbody"
    );
    // It is not larger, or not at the top, or there is a title.
    assert_eq!(text(&(below.clone() + &sized(&top, 2000))), "Top\n\nbody");
    assert_eq!(text(&(top.clone() + &sized(&below, 4000))), "Top\n\nbody");
    let shapes = title("Title") + &sized(&top, 9000);
    assert_eq!(text(&shapes), "## Title\n\nTop");
    let long = sized(&text_box((0, 0, 100, 50), &"long ".repeat(50)), 4000);
    assert!(!text(&(long + &below)).contains('#'));
}

#[test]
fn objects_are_named_with_their_part() {
    let object = "<p:oleObj r:id=\"o\" progId=\"Excel.Sheet.12\"/>";
    let found = unit(
        &graphic(object),
        &[("o", "package", "../embeddings/a.xlsx")],
        &[],
    );
    assert_eq!(found.text, "Embedded object (Excel)");
    let note =
        "The embedded object `ppt/embeddings/a.xlsx` (`Excel.Sheet.12`) is not shown as text.";
    assert_eq!(found.notes, [note]);
}

#[test]
fn long_slides_are_cut_with_a_note() {
    let shape = text_box((0, 0, 1, 1), "kept");
    let padding = format!("<!--{}-->", " ".repeat(limits::PART_BYTES));
    let found = unit(&(shape + &padding), &[], &[]);
    assert_eq!(found.text, "kept");
    let note = "Slide 1 is not read in full: it has more than 32 MB, and the rest is left out.";
    assert_eq!(found.notes, [note]);
}

#[test]
fn comments_repeat_short_names_of_authors() {
    let name = "n".repeat(10_000);
    let authors = format!("<p:l><p:a id=\"1\" name=\"{name}\"/></p:l>");
    let comment = "<p:cm authorId=\"1\"><p:text>a</p:text></p:cm>";
    let comments = format!(
        "<p:cmLst>{}</p:cmLst>",
        comment.repeat(limits::COMMENTS + 50)
    );
    let shape = p("", "x");
    let found = unit(
        &shape,
        &[("c", "comments", "../c.xml")],
        &[("ppt/c.xml", &comments), ("ppt/authors.xml", &authors)],
    );
    assert_eq!(
        found.text.matches("> Comment by n").count(),
        limits::COMMENTS
    );
    assert!(found.text.len() < limits::COMMENTS * 200);
}

#[test]
fn slides_end_at_a_limit_on_their_bytes() {
    let long = format!("{}<!--{}-->", title("Title"), " ".repeat(1 << 20));
    let slides: Vec<Slide> = (0..8).map(|_| ("", long.as_str(), [].as_slice())).collect();
    let mut deck = opened(&slides, &[]);
    let names: Vec<&str> = deck
        .facts()
        .list
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names[..4], ["Title"; 4]);
    assert_eq!(names[4..], [""; 4]);
    assert_eq!(
        deck.notes(),
        [
            "The slides have more than 4 MB of XML. The titles and images of the last ones are not \
          listed."
        ]
    );
    assert!(deck.unit(7).text.contains("Title"));
    let texts = (0..8).filter(|index| deck.unit(*index).text.contains("Title"));
    assert_eq!(texts.count(), 3);
}

#[test]
fn slides_without_a_title_are_named_by_their_text() {
    let sized =
        |shape: &str, size: u32| shape.replace("<a:r>", &format!("<a:r><a:rPr sz=\"{size}\"/>"));
    let name = |shapes: &str| {
        opened(&[("", shapes, &[])], &[]).facts().list[0]
            .name
            .clone()
    };
    let low = text_box((0, 100, 100, 100), "low");
    let top = text_box((0, 0, 100, 50), "top");
    assert_eq!(name(&(low.clone() + &top)), "top");
    assert_eq!(name(&(top.clone() + &sized(&low, 4000))), "low");
    // Numbers and footers are no names, and a title is one if it comes last.
    let number = sized(&text_box((0, 0, 100, 50), "42 %"), 9000);
    let footer = super::placeholder("type=\"ftr\"", &p("", "Footer"));
    assert_eq!(name(&(number.clone() + &footer + &low)), "low");
    assert_eq!(name(&(top + &title("Title"))), "Title");
    assert_eq!(name(&(number + &graphic("<a:t>in a frame</a:t>"))), "");
    let two = low.replace("</p:txBody>", &format!("{}</p:txBody>", p("", "second")));
    assert_eq!(name(&two), "low");
}
