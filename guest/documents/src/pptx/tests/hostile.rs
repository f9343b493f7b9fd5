//! Tests of damage and limits.

use super::{Slide, opened, text_box, title, unit};
use crate::testing::{NAMESPACES, package};
use crate::{Error, Format, open};

#[test]
fn damaged_slide_does_not_affect_others() {
    let (first, third) = (title("One"), title("Three"));
    let slides: [Slide; 4] = [
        ("", &first, &[]),
        ("", "", &[]),
        ("", &third, &[]),
        ("", "", &[]),
    ];
    let cut = format!(
        "<p:sld {NAMESPACES}><p:cSld><p:spTree>{}<p:sp",
        text_box((0, 0, 9, 9), "kept")
    );
    let mut document = opened(&slides, &[("ppt/slides/slide1.xml", &cut)]);
    assert_eq!(document.unit(0).text, "## One");
    let unit = document.unit(1);
    assert_eq!(unit.text, "kept");
    assert_eq!(unit.notes.len(), 1);
    assert!(
        unit.notes.concat().starts_with("Slide 2 is damaged: "),
        "{unit:?}"
    );
    assert_eq!(document.unit(2).text, "## Three");
}

#[test]
fn slides_without_a_list_are_ordered_by_name() {
    let (first, second) = (title("One"), title("Two"));
    let slides: [Slide; 2] = [("", &first, &[]), ("", &second, &[])];
    let document = opened(
        &slides,
        &[("ppt/presentation.xml", "<p:presentation><p:sldIdLst>")],
    );
    let names: Vec<_> = document
        .facts()
        .list
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["One", "Two"]);
    assert_eq!(document.notes().len(), 1);
}

#[test]
fn other_packages_are_errors() {
    let bytes = package(&[("word/document.xml", b"<w:document/>")]);
    let error = open(bytes, Format::Pptx, None).map(|_| ()).unwrap_err();
    assert_eq!(
        error,
        Error::Damaged("the file is a Word document".to_owned())
    );
}

#[test]
fn deep_groups_are_left_out_with_a_note() {
    let start = "<p:grpSp><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/></p:nvGrpSpPr>";
    let deep =
        start.repeat(20_000) + &text_box((0, 0, 1, 1), "deep") + &"</p:grpSp>".repeat(20_000);
    let unit = unit(&(text_box((0, 0, 1, 1), "top") + &deep), &[], &[]);
    assert_eq!(unit.text, "top");
    assert_eq!(
        unit.notes,
        ["Groups that are nested too deeply are left out."]
    );
}
