//! Tests of texts and presentations with small files.

mod hostile;
mod passwords;
mod slides;

use crate::testing::package;
use crate::{Error, Format, Unit, open};

/// The declarations of namespaces for the outermost element of a part.
pub const NAMESPACES: &str = concat!(
    "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" ",
    "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" ",
    "xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" ",
    "xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" ",
    "xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" ",
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\""
);

/// Builds the part with the content: automatic styles and a body.
pub fn content(styles: &str, body: &str) -> String {
    format!(
        "<office:document-content {NAMESPACES}><office:automatic-styles>{styles}\
         </office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
}

/// Builds the part with the common styles and the page styles.
fn styles(common: &str, pages: &str) -> String {
    format!(
        "<office:document-styles {NAMESPACES}><office:styles>{common}</office:styles>\
         <office:master-styles>{pages}</office:master-styles></office:document-styles>"
    )
}

/// Builds a package of parts.
pub fn file(parts: &[(&str, &str)]) -> Vec<u8> {
    let list: Vec<(&str, &[u8])> = parts
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    package(&list)
}

fn convert(styles: &str, body: &str, parts: &[(&str, &str)]) -> Unit {
    let main = content(styles, &format!("<office:text>{body}</office:text>"));
    let mut all = vec![("content.xml", main.as_str())];
    all.extend_from_slice(parts);
    open(file(&all), Format::Odt, None).unwrap().unit(0)
}

fn text(body: &str) -> String {
    convert("", body, &[]).text
}

const STYLES: &str = "<style:style style:name=\"B\" style:family=\"text\"><style:text-properties \
    fo:font-weight=\"bold\"/></style:style><style:style style:name=\"N\" style:family=\"text\" \
    style:parent-style-name=\"B\"><style:text-properties fo:font-weight=\"normal\" \
    fo:font-style=\"italic\"/></style:style><style:style style:name=\"U\" style:family=\"text\">\
    <style:text-properties style:text-position=\"super 58%\"/></style:style><style:style \
    style:name=\"L\" style:family=\"text\"><style:text-properties style:text-position=\"-33% \
    58%\"/></style:style><style:style style:name=\"H\" style:family=\"text\">\
    <style:text-properties text:display=\"none\"/></style:style><style:style style:name=\"P1\" \
    style:family=\"paragraph\" style:parent-style-name=\"Title\"/><style:style style:name=\"P2\" \
    style:family=\"paragraph\" style:parent-style-name=\"Preformatted_20_Text\"/>";

#[test]
fn text_has_formats_spaces_and_links() {
    let body = "<text:p>a\n   b<text:s text:c=\"2\"/><text:span text:style-name=\"B\">bold\
        <text:span text:style-name=\"N\"> slanted</text:span></text:span> x<text:span \
        text:style-name=\"U\">2</text:span> H<text:span text:style-name=\"L\">2</text:span>O \
        <text:a xlink:href=\"https://e.org/\">site</text:a> <text:a \
        xlink:href=\"#mark\">mark</text:a><text:line-break/>end &amp; more</text:p>";
    assert_eq!(
        convert(STYLES, body, &[]).text,
        "a b **bold** *slanted* x^2 H_2O [site](https://e.org/) mark  \n\
         end & more"
    );
}

#[test]
fn bold_styles_of_paragraphs_are_shown() {
    let style = |name: &str, base: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:family=\"paragraph\" {base}>\
             <style:text-properties fo:font-weight=\"bold\" fo:font-style=\"italic\"/></style:style>"
        )
    };
    let common = style("Base", "") + &style("Part", "style:parent-style-name=\"Base\"");
    let body =
        "<text:p text:style-name=\"Part\">a</text:p><text:p text:style-name=\"Base\">b</text:p>";
    let common = styles(&common, "");
    let unit = convert("", body, &[("styles.xml", &common)]);
    assert_eq!(unit.text, "**a**\n\nb");
}

#[test]
fn hidden_text_is_counted() {
    let body = "<text:p>shown<text:span text:style-name=\"H\">secret</text:span></text:p>\
        <text:section text:display=\"none\"><text:p>four</text:p></text:section>\
        <text:section><text:p>more</text:p></text:section>";
    let unit = convert(STYLES, body, &[]);
    assert_eq!(unit.text, "shown\n\nmore");
    assert_eq!(unit.notes, ["10 characters of hidden text are left out."]);
}

#[test]
fn headings_are_below_the_title() {
    let body = "<text:p text:style-name=\"P1\">Report</text:p><text:h \
        text:outline-level=\"2\">Part</text:h><text:p text:style-name=\"P2\">let<text:s \
        text:c=\"3\"/>x;</text:p><text:p text:style-name=\"P2\">y<text:tab/>z</text:p>";
    assert_eq!(
        convert(STYLES, body, &[]).text,
        "# Report\n\n### Part\n\n```\nlet   x;\ny\tz\n```"
    );
    assert_eq!(
        text("<text:h text:outline-level=\"2\">Part</text:h>"),
        "## Part"
    );
}

#[test]
fn headings_have_the_numbers_of_the_outline() {
    let outline = "<text:outline-style><text:outline-level-style text:level=\"1\" \
        style:num-format=\"I\" style:num-suffix=\".\"/><text:outline-level-style \
        text:level=\"2\" style:num-format=\"1\" text:display-levels=\"2\"/></text:outline-style>";
    let body = "<text:h text:outline-level=\"1\">A</text:h><text:h \
        text:outline-level=\"2\">B</text:h><text:h text:outline-level=\"2\" \
        text:is-list-header=\"true\">C</text:h><text:h text:outline-level=\"1\">D</text:h>";
    let styles = styles(outline, "");
    assert_eq!(
        convert("", body, &[("styles.xml", &styles)]).text,
        "# I. A\n\n## I.1 B\n\n## C\n\n# II. D"
    );
}

const LISTS: &str = "<text:list-style style:name=\"L1\"><text:list-level-style-number \
    text:level=\"1\" style:num-format=\"1\" style:num-suffix=\".\"/><text:list-level-style-number \
    text:level=\"2\" style:num-format=\"a\" style:num-suffix=\")\"/><text:list-level-style-number \
    text:level=\"3\" style:num-format=\"i\" loext:num-list-format=\"%1%-%2%-%3%\"/>\
    </text:list-style><text:list-style style:name=\"L2\"><text:list-level-style-bullet \
    text:level=\"1\" text:bullet-char=\"•\"/></text:list-style>";

#[test]
fn lists_have_their_own_numbers() {
    let item = |content: &str| format!("<text:list-item>{content}</text:list-item>");
    let p = |content: &str| format!("<text:p>{content}</text:p>");
    let nested = |content: &str| format!("<text:list>{content}</text:list>");
    let first = item(&(p("one") + &nested(&(item(&p("sub")) + &item(&nested(&item(&p("deep"))))))))
        + &item(&(p("two") + &p("more of two")));
    let body = format!(
        "<text:list xml:id=\"a\" text:style-name=\"L1\">{first}</text:list><text:list \
         text:style-name=\"L2\">{}</text:list><text:p>break</text:p><text:list \
         text:continue-list=\"a\" text:style-name=\"L1\">{}<text:list-header>{}\
         </text:list-header><text:list-item text:start-value=\"9\">{}</text:list-item></text:list>\
         <text:list text:style-name=\"L1\">{}</text:list>",
        item(&p("dot")),
        item(&p("three")),
        p("no number"),
        p("nine"),
        item(&p("fresh")),
    );
    assert_eq!(
        convert(LISTS, &body, &[]).text,
        "1. one\n   a) sub\n      1-a-i deep\n2. two\n\n   more of two\n- dot\n\nbreak\n\n3. three\n\n\
         no number\n\n9. nine\n1. fresh"
    );
}

#[test]
fn tables_have_merged_and_repeated_cells() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let covered = "<table:covered-table-cell/>";
    let body = format!(
        "<table:table><table:table-column table:number-columns-repeated=\"3\"/>\
         <table:table-header-rows><table:table-row>{}{covered}{}</table:table-row>\
         </table:table-header-rows><table:table-row>{}{}{}</table:table-row><table:table-row \
         table:number-rows-repeated=\"2\">{covered}{}</table:table-row></table:table>",
        cell("table:number-columns-spanned=\"2\"", "wide"),
        cell("", "c"),
        cell("table:number-rows-spanned=\"2\"", "tall"),
        cell("", "e"),
        cell("", "f"),
        cell("table:number-columns-repeated=\"2\"", "r"),
    );
    assert_eq!(
        text(&body),
        "|wide|wide|c|\n|-|-|-|\n|tall|e|f|\n|tall|r|r|\n|r|r||"
    );
    let frame = format!(
        "<table:table><table:table-row>{}</table:table-row></table:table>",
        cell("", "x")
    );
    assert_eq!(text(&frame), "x");
}

#[test]
fn notes_and_comments_follow_the_text() {
    let comment = "<office:annotation office:name=\"n1\"><dc:creator>Ann</dc:creator>\
        <text:p>Really?</text:p></office:annotation>";
    let note = |class: &str, text: &str| {
        format!(
            "<text:note text:note-class=\"{class}\"><text:note-citation>7</text:note-citation>\
             <text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
        )
    };
    let body = format!(
        "<text:p>{comment}claim<office:annotation-end office:name=\"n1\"/> a{} b{} c{}\
         <office:annotation><text:p>open</text:p></office:annotation></text:p>",
        note("footnote", "foot"),
        note("endnote", "end"),
        note("footnote", "second"),
    );
    assert_eq!(
        text(&body),
        "claim[^c1] a[^1] b[^e1] c[^2][^c2]\n\n[^1]: foot\n\n[^2]: second\n\n[^e1]: end\n\n\
         [^c1]: Ann: Really?\n\n[^c2]: open"
    );
}

#[test]
fn comment_without_text_is_the_name_of_its_author() {
    let comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p/></office:annotation>";
    let body = format!("<text:p>claim{comment}</text:p>");
    assert_eq!(text(&body), "claim[^c1]\n\n[^c1]: Ann:");
}

#[test]
fn changes_are_accepted_and_contents_left_out() {
    let body = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p>\
        </text:deletion></text:changed-region></text:tracked-changes><text:table-of-content>\
        <text:table-of-content-source/><text:index-body><text:p>Part 1</text:p></text:index-body>\
        </text:table-of-content>";
    let unit = convert(
        "",
        &format!(
            "<text:p>Sommaire</text:p>{body}<text:h>Part</text:h><text:p>a<text:change/>b</text:p>"
        ),
        &[],
    );
    assert_eq!(unit.text, "# Part\n\nab");
    assert_eq!(
        unit.notes,
        [
            "Tracked changes are shown as accepted.",
            "The table of contents is left out. It repeats the headings."
        ]
    );
    assert_eq!(text(body), "Part 1");
}

const CHART: &str = "<office:document-content><office:body><office:chart><chart:chart \
    chart:class=\"chart:bar\"><chart:title><text:p>Ducks</text:p></chart:title><chart:plot-area>\
    <chart:axis chart:dimension=\"x\"><chart:categories \
    table:cell-range-address=\"local-table.$A$2:.$A$3\"/></chart:axis><chart:series \
    chart:values-cell-range-address=\"local-table.$B$2:.$B$3\" \
    chart:label-cell-address=\"local-table.$B$1\"/></chart:plot-area><table:table \
    table:name=\"local-table\"><table:table-header-rows><table:table-row><table:table-cell/>\
    <table:table-cell><text:p>Wild</text:p></table:table-cell></table:table-row>\
    </table:table-header-rows><table:table-rows><table:table-row><table:table-cell>\
    <text:p>2019</text:p></table:table-cell><table:table-cell office:value=\"120\"/>\
    </table:table-row><table:table-row><table:table-cell><text:p>2020</text:p></table:table-cell>\
    <table:table-cell office:value=\"NaN\"/></table:table-row></table:table-rows></table:table>\
    </chart:chart></office:chart></office:body></office:document-content>";

const MATH: &str = "<math><semantics><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow>\
    <annotation>x+1</annotation></semantics></math>";

fn object(number: usize) -> String {
    format!("<draw:frame><draw:object xlink:href=\"./Object {number}\"/></draw:frame>")
}

#[test]
fn objects_are_formulas_and_charts() {
    let body = format!(
        "<text:p>Let {0} be.</text:p><text:p>{0}</text:p><text:p>{1}</text:p><text:p>{2}</text:p>",
        object(1),
        object(2),
        object(3)
    );
    let parts = [
        ("Object 1/content.xml", MATH),
        ("Object 2/content.xml", CHART),
        ("Object 3/content.xml", "<office:document-content/>"),
    ];
    let unit = convert("", &body, &parts);
    assert_eq!(
        unit.text,
        "Let $x+1$ be.\n\n$$x+1$$\n\n**Ducks** (bar chart)\n\n||Wild|\n|-|-|\n\
         |2019|120|\n|2020||"
    );
    assert_eq!(unit.notes, ["An embedded document is not shown."]);
}

#[test]
fn images_have_numbers_and_bytes() {
    let image = |href: &str, alt: &str| {
        format!(
            "<draw:frame><draw:image xlink:href=\"{href}\"/><svg:desc>{alt}</svg:desc></draw:frame>"
        )
    };
    let body = format!(
        "<office:text><text:p>{}{}{} <draw:a xlink:href=\"https://e.org/\">{}</draw:a>{}</text:p>\
         <text:p><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>\
         around</text:p></office:text>",
        image("Pictures/b.png", "the b"),
        image("Pictures/a.png", ""),
        image("Pictures/b.png", "again"),
        image("Pictures/a.png", "linked"),
        image("Pictures/lost.png", ""),
    );
    let main = content("", &body);
    let parts = [
        ("content.xml", main.as_str()),
        ("Pictures/a.png", "bytes of a"),
        ("Pictures/b.png", "bytes of b"),
    ];
    let mut document = open(file(&parts), Format::Odt, None).unwrap();
    assert_eq!(document.image(2).unwrap(), b"bytes of a");
    assert_eq!(document.image(1).unwrap(), b"bytes of b");
    assert_eq!(document.image(3), None);
    let unit = document.unit(0);
    assert_eq!(
        unit.text,
        "![the b](image:1)![](image:2)![again](image:1) [![linked](image:2)](https://e.org/)\n\n\
         boxed\n\naround"
    );
    assert_eq!(unit.notes, ["An image is missing in the file."]);
}

#[test]
fn headers_are_shown_once() {
    let pages = "<style:master-page style:name=\"Standard\"><style:header><text:p>Acme</text:p>\
        </style:header><style:header-left><text:p>Acme</text:p></style:header-left><style:footer>\
        <text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>\
        </style:master-page><style:master-page style:name=\"Other\"><style:header><text:p>Unused\
        </text:p></style:header></style:master-page>";
    let styles = styles("", pages);
    assert_eq!(
        convert("", "<text:p>body</text:p>", &[("styles.xml", &styles)]).text,
        "<!-- header: Acme -->\n\nbody"
    );
}

#[test]
fn flat_files_are_read() {
    let flat = format!(
        "<?xml version=\"1.0\"?>\n<office:document {NAMESPACES} \
         office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:meta>\
         <dc:title>The  title</dc:title><meta:initial-creator>Ann</meta:initial-creator>\
         <dc:creator>Bob</dc:creator><meta:keyword>a</meta:keyword><meta:keyword>b</meta:keyword>\
         </office:meta><office:styles><style:style style:name=\"Q\" style:display-name=\"Quote\" \
         style:family=\"paragraph\"/></office:styles><office:body><office:text>\n <text:p \
         text:style-name=\"Q\">said\n  <draw:frame><draw:image><office:binary-data>aGVs\n bG8=\
         </office:binary-data></draw:image></draw:frame></text:p></office:text></office:body>\
         </office:document>"
    );
    let mut document = open(flat.into_bytes(), Format::Ods, None).unwrap();
    let facts = document.facts().clone();
    assert_eq!(facts.format, "OpenDocument text");
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        facts.metadata,
        [
            pair("title", "The title"),
            pair("author", "Ann"),
            pair("keywords", "a, b")
        ]
    );
    assert_eq!(document.unit(0).text, "> said ![](image:1)");
    assert_eq!(document.image(1).unwrap(), b"hello");
}

#[test]
fn encrypted_and_other_files_are_errors() {
    let manifest = "<manifest:manifest><manifest:file-entry manifest:full-path=\"content.xml\">\
        <manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let encrypted = file(&[
        ("META-INF/manifest.xml", manifest),
        ("content.xml", "noise"),
    ]);
    let error = |bytes: Vec<u8>| open(bytes, Format::Odt, None).err().unwrap();
    assert_eq!(error(encrypted), Error::Encrypted);
    assert_eq!(
        error(file(&[("word/document.xml", "")])),
        Error::Damaged("the file is a Word document".to_owned())
    );
    assert_eq!(
        error(b"<svg/>".to_vec()),
        Error::Damaged("the file is XML, but no OpenDocument file".to_owned())
    );
}
