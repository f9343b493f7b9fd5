//! Tests of presentations.

use super::{content, file};
use crate::{Document, Format, UnitKind, open};

fn deck(body: &str) -> Box<dyn Document> {
    let styles = "<style:style style:name=\"dp2\" style:family=\"drawing-page\">\
        <style:drawing-page-properties presentation:visibility=\"hidden\"/></style:style>\
        <text:list-style style:name=\"L1\"><text:list-level-style-bullet text:level=\"1\" \
        text:bullet-char=\"●\"/></text:list-style><style:style style:name=\"T1\" \
        style:family=\"text\"><style:text-properties style:font-name=\"Courier New\"/>\
        </style:style>";
    let body = format!("<office:presentation>{body}</office:presentation>");
    open(
        file(&[("content.xml", &content(styles, &body))]),
        Format::Odp,
        None,
    )
    .unwrap()
}

fn frame(attributes: &str, content: &str) -> String {
    format!("<draw:frame {attributes}><draw:text-box>{content}</draw:text-box></draw:frame>")
}

#[test]
fn slides_have_titles_lists_notes_and_comments() {
    let notes = format!(
        "<presentation:notes>{}{}</presentation:notes>",
        frame("presentation:class=\"notes\"", "<text:p>Speak up.</text:p>"),
        frame(
            "presentation:class=\"notes\" presentation:placeholder=\"true\"",
            "<text:p>x</text:p>"
        ),
    );
    let body = format!(
        "<draw:page>{}{}{notes}<office:annotation><dc:creator>Ann</dc:creator>\
         <dc:date>2026-01-02T03:04:05</dc:date><text:p>Why?</text:p></office:annotation>\
         </draw:page><draw:page draw:style-name=\"dp2\">{}</draw:page>",
        frame(
            "presentation:class=\"title\"",
            "<text:p>The</text:p><text:p>title</text:p>"
        ),
        frame(
            "presentation:class=\"outline\"",
            "<text:list text:style-name=\"L1\"><text:list-item><text:p>point</text:p>\
             </text:list-item></text:list>"
        ),
        frame("presentation:class=\"title\"", "<text:p>Second</text:p>"),
    );
    let mut deck = deck(&body);
    let facts = deck.facts().clone();
    assert_eq!(facts.units, Some(UnitKind::Slide));
    let names: Vec<(&str, bool)> = facts
        .list
        .iter()
        .map(|it| (it.name.as_str(), it.hidden))
        .collect();
    assert_eq!(names, [("The title", false), ("Second", true)]);
    assert_eq!(
        deck.unit(0).text,
        "## The title\n\n- point\n\n> Notes:\n>\n> Speak up.\n\n> Comment by Ann, 2026-01-02: Why?"
    );
    assert_eq!(deck.unit(1).text, "## Second\n\n*Hidden slide*");
}

#[test]
fn shapes_are_in_their_reading_order() {
    let at = |x: u32, y: u32, text: &str| {
        format!(
            "<draw:custom-shape svg:x=\"{x}cm\" svg:y=\"{y}cm\" svg:width=\"4cm\" \
             svg:height=\"2cm\"><text:p>{text}</text:p></draw:custom-shape>"
        )
    };
    let body = format!(
        "<draw:page>{}<draw:g>{}{}</draw:g>{}</draw:page>",
        at(10, 10, "last"),
        at(10, 5, "right"),
        at(1, 5, "left"),
        at(1, 1, "first"),
    );
    assert_eq!(deck(&body).unit(0).text, "first\n\nleft\n\nright\n\nlast");
}

#[test]
fn footers_that_repeat_are_left_out() {
    let footer = |text: &str| {
        frame(
            "presentation:class=\"footer\"",
            &format!("<text:p>{text}</text:p>"),
        )
    };
    let body = format!(
        "<draw:page>{}</draw:page><draw:page>{}</draw:page><draw:page>{}</draw:page>",
        footer("Acme"),
        footer("Acme"),
        footer("once")
    );
    let mut deck = deck(&body);
    assert_eq!(deck.unit(0).text, "");
    assert_eq!(deck.unit(2).text, "once");
}

#[test]
fn lines_in_the_font_of_code_are_code() {
    let line = |text: &str| {
        format!("<text:p><text:span text:style-name=\"T1\">{text}</text:span></text:p>")
    };
    let body = format!(
        "<draw:page>{}</draw:page>",
        frame("", &(line("if x:") + &line("<text:s text:c=\"2\"/>y")))
    );
    assert_eq!(deck(&body).unit(0).text, "```\nif x:\n  y\n```");
    let lines = [
        "<text:p/>",
        &line("a"),
        "<text:p/><text:p><text:span text:style-name=\"T1\"/></text:p>",
        &line("b"),
        "<text:p/><text:p>text</text:p><text:p/><text:p>more</text:p>",
    ];
    let body = format!("<draw:page>{}</draw:page>", frame("", &lines.concat()));
    let expected = "```\na\n\n\nb\n```\n\ntext\n\nmore";
    assert_eq!(deck(&body).unit(0).text, expected);
    let cell = format!(
        "<draw:page><draw:frame><table:table><table:table-row><table:table-cell>{}<text:p/>\
         </table:table-cell><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>\
         </table:table></draw:frame></draw:page>",
        line("a")
    );
    assert_eq!(deck(&cell).unit(0).text, "|`a`|x|\n|-|-|");
}

#[test]
fn slides_without_a_title_are_named_by_their_text() {
    let place = |y: &str, text: &str| {
        let area = format!("svg:x=\"1cm\" svg:y=\"{y}\" svg:width=\"9cm\" svg:height=\"1cm\"");
        frame(
            &area,
            &format!("<text:p/><text:p>{text}</text:p><text:p>more</text:p>"),
        )
    };
    let table = "<draw:frame><table:table><table:table-row><table:table-cell><text:p>cell</text:p>\
        </table:table-cell></table:table-row></table:table></draw:frame>";
    let body = format!(
        "<draw:page>{}{}</draw:page><draw:page>{table}</draw:page>",
        place("9cm", "low"),
        place("2cm", "at <text:span>the</text:span> top"),
    );
    let deck = deck(&body);
    let names: Vec<&str> = deck
        .facts()
        .list
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["at the top", ""]);
}
