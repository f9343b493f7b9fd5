//! Tests of the conversion with small presentations.

mod columns;
mod hostile;
mod whole;

use crate::testing::{NAMESPACES, package, relationships};
use crate::{Document, Format, Unit, open};

/// A slide: the attributes and the shapes, the relationships without `r9` for the layout.
type Slide<'s> = (&'s str, &'s str, &'s [(&'s str, &'s str, &'s str)]);

/// Builds a presentation. Other parts replace those that are built.
fn presentation(slides: &[Slide], others: &[(&str, &str)]) -> Vec<u8> {
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut list = String::new();
    let mut related = vec![("a1".to_owned(), "commentAuthors", "authors.xml".to_owned())];
    for (index, (attributes, shapes, own)) in slides.iter().enumerate() {
        list.push_str(&format!("<p:sldId id=\"{index}\" r:id=\"s{index}\"/>"));
        related.push((
            format!("s{index}"),
            "slide",
            format!("slides/slide{index}.xml"),
        ));
        let mut own = own.to_vec();
        own.push(("r9", "slideLayout", "../layouts/layout.xml"));
        let rels = format!("ppt/slides/_rels/slide{index}.xml.rels");
        parts.push((rels, relationships(&own)));
        let text = format!(
            "<p:sld {NAMESPACES} {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        );
        parts.push((format!("ppt/slides/slide{index}.xml"), text));
    }
    let borrowed: Vec<(&str, &str, &str)> = related
        .iter()
        .map(|(id, kind, target)| (id.as_str(), *kind, target.as_str()))
        .collect();
    let layout = format!(
        "<p:sldLayout {NAMESPACES}><p:cSld><p:spTree>{}{}</p:spTree></p:cSld></p:sldLayout>",
        placeholder(
            "type=\"subTitle\" idx=\"2\"",
            "<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>"
        ),
        placeholder("type=\"body\" idx=\"1\"", "<a:lstStyle/>"),
    );
    let master = format!(
        "<p:sldMaster {NAMESPACES}><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char=\"•\"/>\
         </a:lvl1pPr><a:lvl2pPr><a:buAutoNum type=\"alphaLcParenR\"/></a:lvl2pPr></p:bodyStyle>\
         </p:txStyles></p:sldMaster>"
    );
    for (name, text) in [
        (
            "_rels/.rels",
            relationships(&[("r1", "officeDocument", "ppt/presentation.xml")]),
        ),
        ("ppt/_rels/presentation.xml.rels", relationships(&borrowed)),
        (
            "ppt/presentation.xml",
            format!(
                "<p:presentation {NAMESPACES}><p:sldIdLst>{list}</p:sldIdLst></p:presentation>"
            ),
        ),
        ("ppt/layouts/layout.xml", layout),
        (
            "ppt/layouts/_rels/layout.xml.rels",
            relationships(&[("m1", "slideMaster", "../masters/master.xml")]),
        ),
        ("ppt/masters/master.xml", master),
    ] {
        parts.push((name.to_owned(), text));
    }
    parts.retain(|(name, _)| others.iter().all(|(other, _)| other != name));
    let mut all: Vec<(&str, &[u8])> = Vec::new();
    all.extend(
        parts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_bytes())),
    );
    all.extend(others.iter().map(|(name, text)| (*name, text.as_bytes())));
    package(&all)
}

fn opened(slides: &[Slide], others: &[(&str, &str)]) -> Box<dyn Document> {
    open(presentation(slides, others), Format::Pptx, None).unwrap()
}

/// Converts a presentation with one slide.
fn unit(shapes: &str, related: &[(&str, &str, &str)], others: &[(&str, &str)]) -> Unit {
    opened(&[("", shapes, related)], others).unit(0)
}

fn text(shapes: &str) -> String {
    unit(shapes, &[], &[]).text
}

/// A placeholder with the content of its text body.
fn placeholder(attributes: &str, body: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvSpPr/><p:nvPr><p:ph {attributes}/>\
         </p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>{body}</p:txBody></p:sp>"
    )
}

fn title(content: &str) -> String {
    placeholder("type=\"title\"", &p("", content))
}

/// A paragraph with the content of its properties.
fn p(properties: &str, content: &str) -> String {
    format!("<a:p>{properties}<a:r><a:t>{content}</a:t></a:r></a:p>")
}

/// A position and a size, in hundredths of an inch.
fn frame((x, y, width, height): (u32, u32, u32, u32)) -> String {
    let [x, y, width, height] = [x, y, width, height].map(|size| size * 9144);
    format!("<a:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>")
}

/// A text box at a position.
fn text_box(area: (u32, u32, u32, u32), content: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"1\" name=\"\"/><p:nvPr/></p:nvSpPr><p:spPr>{}</p:spPr>\
         <p:txBody>{}</p:txBody></p:sp>",
        frame(area),
        p("", content)
    )
}

fn picture(id: &str, alt: &str) -> String {
    format!(
        "<p:pic><p:nvPicPr><p:cNvPr id=\"1\" name=\"\" descr=\"{alt}\"/><p:nvPr/></p:nvPicPr>\
         <p:blipFill><a:blip r:embed=\"{id}\"/></p:blipFill><p:spPr/></p:pic>"
    )
}

fn graphic(content: &str) -> String {
    format!(
        "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"1\" name=\"\"/><p:nvPr/>\
         </p:nvGraphicFramePr><a:graphic><a:graphicData>{content}</a:graphicData></a:graphic>\
         </p:graphicFrame>"
    )
}

#[test]
fn titles_and_hidden_slides_are_facts() {
    let first = title("One &amp; only");
    let second = title("Two");
    let slides: [Slide; 3] = [
        ("", &first, &[]),
        ("show=\"0\"", &second, &[]),
        ("", "", &[]),
    ];
    let mut document = opened(&slides, &[]);
    let names: Vec<_> = document
        .facts()
        .list
        .iter()
        .map(|it| (it.name.clone(), it.hidden))
        .collect();
    assert_eq!(
        names,
        [
            ("One & only".to_owned(), false),
            ("Two".to_owned(), true),
            (String::new(), false)
        ]
    );
    assert_eq!(document.unit(1).text, "## Two\n\n*Hidden slide*");
    assert_eq!(document.unit(2).text, "");
    assert_eq!(document.unit(3), Unit::default());
}

#[test]
fn bullets_are_inherited_by_level() {
    let body = [
        p("", "one"),
        p("<a:pPr lvl=\"1\"/>", "sub"),
        p("<a:pPr lvl=\"1\"/>", "sub"),
        p("<a:pPr><a:buNone/></a:pPr>", "plain"),
        p(
            "<a:pPr><a:buAutoNum type=\"romanUcPeriod\" startAt=\"4\"/></a:pPr>",
            "four",
        ),
        p(
            "<a:pPr><a:buAutoNum type=\"romanUcPeriod\" startAt=\"4\"/></a:pPr>",
            "five",
        ),
    ];
    let shapes = placeholder("idx=\"1\"", &body.concat())
        + &placeholder("type=\"subTitle\" idx=\"2\"", &p("", "subtitle"));
    assert_eq!(
        text(&shapes),
        "- one\n  a) sub\n  b) sub\n\nplain\n\nIV. four\nV. five\n\nsubtitle"
    );
}

#[test]
fn columns_are_read_one_after_the_other() {
    let shapes = [
        text_box((500, 110, 400, 300), "right"),
        text_box((0, 300, 400, 100), "left 2"),
        text_box((0, 100, 400, 180), "left 1"),
        text_box((0, 500, 900, 100), "below"),
        text_box((0, 0, 900, 90), "above"),
    ];
    assert_eq!(
        text(&shapes.concat()),
        "above\n\nleft 1\n\nleft 2\n\nright\n\nbelow"
    );
}

#[test]
fn groups_are_kept_together() {
    let group = format!(
        "<p:grpSp><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/></p:nvGrpSpPr><p:grpSpPr>{}</p:grpSpPr>\
         {}{}</p:grpSp>",
        frame((0, 0, 100, 1000)),
        text_box((7, 900, 10, 10), "second"),
        text_box((7, 100, 10, 10), "first"),
    );
    let shapes = group + &text_box((500, 0, 100, 100), "other");
    assert_eq!(text(&shapes), "first\n\nsecond\n\nother");
}

#[test]
fn shapes_above_a_placeholder_are_before_it() {
    let body = placeholder("type=\"body\" idx=\"1\"", &p("", "footnote")).replace(
        "<p:spPr/>",
        &format!("<p:spPr>{}</p:spPr>", frame((0, 800, 900, 100))),
    );
    let shapes = body + &text_box((0, 100, 900, 600), "picture");
    assert_eq!(text(&shapes), "picture\n\n- footnote");
}

#[test]
fn merged_cells_repeat_their_text() {
    let cell = |attributes: &str, content: &str| {
        format!(
            "<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>",
            p("", content)
        )
    };
    let table = format!(
        "<a:tbl><a:tr>{}{}{}</a:tr><a:tr>{}{}{}</a:tr></a:tbl>",
        cell("rowSpan=\"2\"", "a"),
        cell("gridSpan=\"2\"", "b"),
        cell("hMerge=\"1\"", ""),
        cell("vMerge=\"1\"", ""),
        cell("", "c"),
        cell("", "d"),
    );
    assert_eq!(text(&graphic(&table)), "|a|b|b|\n|-|-|-|\n|a|c|d|");
}

#[test]
fn image_numbers_do_not_depend_on_the_order_of_conversion() {
    let first = picture("r2", "B") + &picture("r1", "A") + &picture("r8", "lost");
    let linked = picture("r7", "D AI-generated content may be incorrect.");
    let second = linked + &picture("r5", "C") + &picture("r4", "A");
    let slides: [Slide; 2] = [
        (
            "",
            &first,
            &[
                ("r1", "image", "../media/a.png"),
                ("r2", "image", "../media/b.png"),
            ],
        ),
        (
            "",
            &second,
            &[
                ("r4", "image", "../media/a.png"),
                ("r5", "image", "../media/c.png"),
                ("r7", "image", "https://a.example/d.png"),
            ],
        ),
    ];
    let media = [
        ("ppt/media/a.png", "A"),
        ("ppt/media/b.png", "B"),
        ("ppt/media/c.png", "C"),
    ];
    let mut document = opened(&slides, &media);
    assert_eq!(
        document.unit(1).text,
        "![D](https://a.example/d.png)\n\n![C](image:3)\n\n![A](image:2)"
    );
    let unit = document.unit(0);
    assert_eq!(unit.text, "![B](image:1)\n\n![A](image:2)");
    assert_eq!(
        unit.notes,
        ["An image of the slide is missing in the file."]
    );
    assert_eq!(document.image(3), Some(b"C".to_vec()));
    assert_eq!(document.image(0), None);
    assert_eq!(document.image(4), None);
}

#[test]
fn formats_links_and_code_are_kept() {
    let body = "<a:p><a:r><a:rPr b=\"1\"/><a:t>bold</a:t></a:r><a:r><a:t> x</a:t></a:r><a:r><a:rPr \
                baseline=\"30000\"/><a:t>2</a:t></a:r><a:r><a:t> </a:t></a:r><a:r><a:rPr>\
                <a:hlinkClick r:id=\"r1\"/></a:rPr><a:t>site</a:t></a:r></a:p>";
    let mono = "<a:rPr><a:latin typeface=\"Consolas\"/></a:rPr>";
    let code = format!(
        "<a:p><a:r>{mono}<a:t>if x:</a:t></a:r></a:p><a:p><a:r>{mono}<a:t>    y()</a:t></a:r></a:p>"
    );
    let shapes = placeholder("type=\"subTitle\" idx=\"2\"", body)
        + &placeholder("type=\"subTitle\" idx=\"2\"", &code);
    let unit = unit(&shapes, &[("r1", "hyperlink", "https://a.example/")], &[]);
    assert_eq!(
        unit.text,
        "**bold** x^2 [site](https://a.example/)\n\n```\nif x:\n    y()\n```"
    );
}

#[test]
fn notes_and_comments_are_quotations() {
    let notes = format!(
        "<p:notes {NAMESPACES}><p:cSld><p:spTree>{}{}</p:spTree></p:cSld></p:notes>",
        placeholder("type=\"sldNum\"", &p("", "7")),
        placeholder("type=\"body\" idx=\"1\"", &p("", "Speak up.")),
    );
    let comments = "<p:cmLst><p:cm authorId=\"0\" dt=\"2026-01-02T03:04:05\"><p:text>Why?</p:text>\
                    </p:cm></p:cmLst>";
    let authors = "<p:cmAuthorLst><p:cmAuthor id=\"0\" name=\"Ann\"/></p:cmAuthorLst>";
    let unit = unit(
        &title("T"),
        &[
            ("r1", "notesSlide", "../notes.xml"),
            ("r2", "comments", "../comments.xml"),
        ],
        &[
            ("ppt/notes.xml", &notes),
            ("ppt/comments.xml", comments),
            ("ppt/authors.xml", authors),
        ],
    );
    assert_eq!(
        unit.text,
        "## T\n\n> Notes:\n>\n> Speak up.\n\n> Comment by Ann, 2026-01-02: Why?"
    );
}

#[test]
fn modern_comments_have_replies() {
    let comments = "<p188:cmLst><p188:cm authorId=\"{A}\" created=\"2026-01-02T03:04:05\">\
                    <p188:replyLst><p188:reply authorId=\"{A}\"><p188:txBody><a:p><a:r><a:t>No.\
                    </a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p>\
                    <a:r><a:t>Yes?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>";
    let unit = unit(
        "",
        &[("r2", "comments", "../comments.xml")],
        &[
            ("ppt/comments.xml", comments),
            (
                "ppt/authors.xml",
                "<a><author id=\"{A}\" name=\"Ann\"/></a>",
            ),
        ],
    );
    assert_eq!(
        unit.text,
        "> Comment by Ann, 2026-01-02: Yes?\n\n> Reply by Ann: No."
    );
}

#[test]
fn footers_are_shown_if_no_other_slide_has_them() {
    let footer = |text: &str| placeholder("type=\"ftr\"", &p("", text));
    let number = placeholder(
        "type=\"sldNum\"",
        "<a:p><a:fld type=\"slidenum\"><a:t>7</a:t></a:fld></a:p>",
    );
    let first = footer("Acme") + &number;
    let second = footer("Acme");
    let third = footer("Source: 2026 census");
    let slides: [Slide; 3] = [("", &first, &[]), ("", &second, &[]), ("", &third, &[])];
    let mut document = opened(&slides, &[]);
    assert_eq!(document.unit(0).text, "");
    assert_eq!(document.unit(1).text, "");
    assert_eq!(document.unit(2).text, "Source: 2026 census");
}

#[test]
fn charts_and_diagrams_are_shown() {
    let chart = "<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p>\
                 </c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>\
                 <c:pt idx=\"0\"><c:v>2025</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef>\
                 <c:strCache><c:pt idx=\"0\"><c:v>Q1</c:v></c:pt><c:pt idx=\"1\"><c:v>Q2</c:v></c:pt>\
                 </c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0%\
                 </c:formatCode><c:pt idx=\"0\"><c:v>0.29999999999999999</c:v></c:pt></c:numCache>\
                 </c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>";
    let data = "<dgm:dataModel><dgm:ptLst><dgm:pt modelId=\"1\" type=\"doc\"/><dgm:pt modelId=\"2\">\
                <dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>\
                <dgm:cxnLst><dgm:cxn srcId=\"1\" destId=\"2\" srcOrd=\"0\"/></dgm:cxnLst></dgm:dataModel>";
    let shapes = graphic("<c:chart r:id=\"r1\"/>") + &graphic("<dgm:relIds r:dm=\"r2\"/>");
    let unit = unit(
        &shapes,
        &[
            ("r1", "chart", "../chart.xml"),
            ("r2", "diagramData", "../data.xml"),
        ],
        &[("ppt/chart.xml", chart), ("ppt/data.xml", data)],
    );
    assert_eq!(
        unit.text,
        "**Sales** (bar chart)\n\n||2025|\n|-|-|\n|Q1|30%|\n|Q2||\n\n- Plan"
    );
}

#[test]
fn alternatives_are_shown_once() {
    let shapes = format!(
        "<mc:AlternateContent><mc:Choice Requires=\"p14\"><p:contentPart/></mc:Choice><mc:Fallback>{}\
         </mc:Fallback></mc:AlternateContent><mc:AlternateContent><mc:Choice Requires=\"a14\">{}\
         </mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>",
        text_box((0, 0, 10, 10), "ink"),
        text_box((0, 20, 10, 10), "formula"),
        text_box((0, 20, 10, 10), "image"),
    );
    assert_eq!(text(&shapes), "ink\n\nformula");
}

#[test]
fn formulas_are_latex() {
    let shape = text_box((0, 0, 9, 9), "x").replace(
        "<a:r><a:t>x</a:t></a:r>",
        "<a:r><a:t>So </a:t></a:r><a14:m><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></a14:m>",
    );
    assert_eq!(text(&shape), "So $x$");
}
