//! Pages whose content is too much.

use super::{page, shown};
use crate::limits;
use crate::testing::{Builder, pages};

#[test]
fn content_of_which_filters_make_little_ends() {
    use std::io::Write;
    let mut spaces = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    spaces.write_all(&vec![b' '; 1 << 19]).unwrap();
    let spaces = spaces.finish().unwrap();
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    let parts = "5 0 R ".repeat(10_000);
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R {parts}] /Resources << {} >> >>",
        crate::testing::FONTS
    ));
    builder.stream("", b"BT /F1 10 Tf 50 600 Td (text) Tj ET");
    builder.stream("/Filter [/FlateDecode /ASCIIHexDecode]", &spaces);
    let page = page(builder.file(1));
    assert_eq!(shown(&page), "text");
    assert!(page.missing.cut);
}

#[test]
fn content_ends_at_the_limits() {
    let text = "BT /F1 1 Tf ".to_owned()
        + &"(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) Tj ".repeat(limits::GLYPHS / 40 + 10);
    let page = page(pages(&[&text], "", "", &[]));
    assert!(page.glyphs.len() <= limits::GLYPHS);
    assert!(page.missing.cut);
}

/// Content that the library would search for years for the end of an inline image, and the text of its page.
fn searches() -> Vec<(String, &'static str)> {
    let text = |text: &str, y: u32| format!("BT /F1 12 Tf 50 {y} Td ({text}) Tj ET ");
    let between = |part: &str| text("before", 600) + &part.repeat(10_000) + &text("after", 500);
    vec![
        (between("BI /W 1 /H 1 ID "), "beforeafter"),
        (
            between("q BI /W 1 /H 1 /BPC 8 /CS /G ID a EI b EI Q "),
            "beforeafter",
        ),
        (
            between("BI /W 1 /H 1 ID \x01\nEI BI /W 2 ID "),
            "beforeafter",
        ),
    ]
}

#[test]
fn search_for_inline_images_costs_no_other_page() {
    let plain = "BT /F1 12 Tf 50 600 Td (Another page) Tj ET";
    for (content, expected) in searches() {
        assert_eq!(shown(&page(pages(&[&content], "", "", &[]))), expected);
        for at in 0..3 {
            let mut contents = [plain; 3];
            contents[at] = &content;
            let mut document = crate::open(pages(&contents, "", "", &[]), None).unwrap();
            for index in 0..3 {
                let text = document.unit(index).text;
                let expected = if index == at {
                    "before"
                } else {
                    "Another page"
                };
                assert!(text.contains(expected), "{at} {index}: {text}");
            }
        }
    }
}

#[test]
fn inline_images_without_an_end_are_counted() {
    let (content, _) = &searches()[0];
    let mut document = crate::open(pages(&[content], "", "", &[]), None).unwrap();
    let notes = document.unit(0).notes;
    assert_eq!(
        notes,
        ["10000 images in the content have no end, and are left out."]
    );
}

#[test]
fn search_for_inline_images_of_a_form_ends() {
    for (content, expected) in searches() {
        let mut builder = Builder::default();
        builder.add("<< /Type /Catalog /Pages 2 0 R >>");
        builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
        builder.add(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << {} /XObject << /X 5 0 R >> >> >>",
            crate::testing::FONTS
        ));
        builder.stream("", b"/X Do");
        builder.stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792]",
            content.as_bytes(),
        );
        assert_eq!(shown(&page(builder.file(1))), expected);
    }
}

#[test]
fn page_alone_does_not_depend_on_others() {
    let page = |text: &str| {
        format!(
            "BT /F2 18 Tf 50 700 Td (Head) Tj /F1 11 Tf 0 -40 Td ({text} is a line of text) Tj ET"
        )
    };
    let running = "BT /F1 9 Tf 50 760 Td (Running head) Tj ET ";
    let last = running.to_owned() + &page("Last");
    let alone = |first: &str| {
        let contents = [first, first, last.as_str()];
        let mut document = crate::open(pages(&contents, "", "", &[]), None).unwrap();
        let together = document.unit(2);
        document.set_alone(true);
        let alone = document.unit(2);
        document.set_alone(false);
        assert_eq!(document.unit(2), together);
        alone
    };
    let first = running.to_owned() + &page("First");
    let expected = alone(&first);
    assert!(
        expected.text.contains("Last is a line of text"),
        "{expected:?}"
    );
    assert_eq!(alone("BT /F1 30 Tf 50 500 Td (Other) Tj ET"), expected);
}
