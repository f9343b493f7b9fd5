//! Tests of headings of columns.

use super::{frame, p, picture, placeholder, text, text_box, title, unit};
use crate::testing::NAMESPACES;

/// A text box with several paragraphs.
fn lines(area: (u32, u32, u32, u32), lines: &[&str]) -> String {
    let paragraphs: String = lines.iter().map(|line| p("", line)).collect();
    text_box(area, "@").replace(&p("", "@"), &paragraphs)
}

/// A placeholder at a position.
fn placed(attributes: &str, area: (u32, u32, u32, u32), content: &str) -> String {
    let properties = format!("<p:spPr>{}</p:spPr>", frame(area));
    placeholder(attributes, &p("", content)).replace("<p:spPr/>", &properties)
}

#[test]
fn heading_of_a_column_is_before_its_body() {
    let shapes = [
        lines((500, 200, 300, 60), &["c", "d"]),
        text_box((500, 120, 300, 60), "Right"),
        lines((50, 200, 300, 60), &["a", "b"]),
        text_box((50, 120, 300, 60), "Left"),
        text_box((50, 20, 800, 60), "Above"),
        text_box((50, 400, 800, 60), "Below"),
    ];
    assert_eq!(
        text(&shapes.concat()),
        "Above\n\nLeft\n\na\n\nb\n\nRight\n\nc\n\nd\n\nBelow"
    );
    // Two rows of columns, in a group.
    let row = |top: u32, names: [&str; 3]| -> String {
        names
            .iter()
            .zip([0, 300, 600])
            .map(|(name, left)| {
                lines((left, top + 50, 250, 60), &[name, "x"])
                    + &text_box((left + 60, top, 100, 40), &name.to_uppercase())
            })
            .collect()
    };
    let rows = row(200, ["d", "e", "f"]) + &row(0, ["a", "b", "c"]);
    let expected =
        "A\n\na\n\nx\n\nB\n\nb\n\nx\n\nC\n\nc\n\nx\n\nD\n\nd\n\nx\n\nE\n\ne\n\nx\n\nF\n\nf\n\nx";
    assert_eq!(text(&rows), expected);
    let group = format!(
        "<p:grpSp><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/></p:nvGrpSpPr><p:grpSpPr>{}</p:grpSpPr>\
         {rows}</p:grpSp>",
        frame((0, 0, 900, 400)),
    );
    assert_eq!(text(&group), expected);
}

#[test]
fn comparison_layout_has_each_body_after_its_heading() {
    let layout = [
        placed("type=\"title\"", (50, 20, 800, 100), ""),
        placed("type=\"body\" idx=\"1\"", (50, 150, 380, 60), ""),
        placed("sz=\"half\" idx=\"2\"", (50, 220, 380, 300), ""),
        placed(
            "type=\"body\" sz=\"quarter\" idx=\"3\"",
            (450, 150, 380, 60),
            "",
        ),
        placed("sz=\"quarter\" idx=\"4\"", (450, 220, 380, 300), ""),
    ];
    let layout = format!(
        "<p:sldLayout {NAMESPACES} type=\"twoTxTwoObj\"><p:cSld><p:spTree><p:nvGrpSpPr/>{}</p:spTree></p:cSld>\
         </p:sldLayout>",
        layout.concat()
    );
    let plain = "<a:pPr><a:buNone/></a:pPr>";
    let shapes = [
        title("T"),
        placeholder("type=\"body\" sz=\"quarter\" idx=\"3\"", &p(plain, "Right")),
        placeholder("type=\"body\" idx=\"1\"", &p(plain, "Left")),
        placeholder("sz=\"quarter\" idx=\"4\"", &p("", "r")),
        placeholder("sz=\"half\" idx=\"2\"", &p("", "l")),
    ];
    let others = [("ppt/layouts/layout.xml", layout.as_str())];
    assert_eq!(
        unit(&shapes.concat(), &[], &others).text,
        "## T\n\nLeft\n\n- l\n\nRight\n\n- r"
    );
}

#[test]
fn text_box_above_a_placeholder_is_its_heading() {
    let shapes = [
        placed("idx=\"1\"", (50, 200, 300, 300), "l"),
        placed("idx=\"7\"", (450, 200, 300, 300), "r"),
        text_box((450, 140, 300, 50), "Right"),
        text_box((50, 140, 300, 50), "Left"),
    ];
    assert_eq!(text(&shapes.concat()), "Left\n\n- l\n\nRight\n\n- r");
}

#[test]
fn rows_of_text_that_are_no_columns_stay_rows() {
    // A table of text boxes.
    let cells = ["Phase", "Task", "1", "plan", "2", "do"];
    let boxes: String = cells
        .iter()
        .zip(0..)
        .map(|(cell, at)| text_box((300 * (at % 2), 100 * (at / 2), 250, 60), cell))
        .collect();
    assert_eq!(text(&boxes), cells.join("\n\n"));
    // Captions are nearer to the images above them.
    let image = |left: u32, top: u32, name: &str| {
        let properties = format!("<p:spPr>{}</p:spPr>", frame((left, top, 200, 100)));
        picture("i", name).replace("<p:spPr/>", &properties)
    };
    let row = |top: u32, names: [&str; 2]| {
        names
            .iter()
            .zip([0, 300])
            .map(|(name, left)| {
                image(left, top, name) + &text_box((left, top + 105, 200, 30), &name.to_uppercase())
            })
            .collect::<String>()
    };
    let shapes = row(0, ["a", "b"]) + &row(200, ["c", "d"]);
    let related = [("i", "image", "../media/i.png")];
    let shown = unit(&shapes, &related, &[("ppt/media/i.png", "x")]).text;
    assert_eq!(
        shown,
        "![a](image:1)\n\n![b](image:1)\n\nA\n\nB\n\n![c](image:1)\n\n![d](image:1)\n\nC\n\nD"
    );
    // One heading above two bodies.
    let shapes = [
        text_box((0, 0, 600, 50), "Head"),
        lines((0, 100, 250, 60), &["a", "b"]),
        lines((300, 100, 250, 60), &["c", "d"]),
    ];
    assert_eq!(text(&shapes.concat()), "Head\n\na\n\nb\n\nc\n\nd");
}

#[test]
fn thousands_of_shapes_keep_the_order_of_bands() {
    let shapes: String = (0..1100)
        .map(|at| text_box((300 * (at % 2), at / 2, 250, 60), "x"))
        .collect();
    assert_eq!(text(&shapes).matches('x').count(), 1100);
}
