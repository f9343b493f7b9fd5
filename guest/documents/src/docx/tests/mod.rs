//! Tests of the conversion with small documents.

mod flat;
mod hostile;
mod parts;

use crate::testing::{NAMESPACES, package, relationships};
use crate::{Format, Unit, open};

/// Builds a document from the content of its body and of other parts.
fn document(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let main = format!("<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>");
    let root = relationships(&[("r1", "officeDocument", "word/document.xml")]);
    let mut list: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", root.as_bytes()),
        ("word/document.xml", main.as_bytes()),
    ];
    list.extend(parts.iter().map(|(name, text)| (*name, text.as_bytes())));
    package(&list)
}

fn convert(body: &str, parts: &[(&str, &str)]) -> Unit {
    open(document(body, parts), Format::Docx, None)
        .unwrap()
        .unit(0)
}

fn text(body: &str) -> String {
    convert(body, &[]).text
}

fn p(content: &str) -> String {
    format!("<w:p>{content}</w:p>")
}

fn r(content: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{content}</w:t></w:r>")
}

fn item(list: u32, level: u32, content: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>\
         </w:pPr>{}</w:p>",
        r(content)
    )
}

fn styled(style: &str, content: &str) -> String {
    format!(
        "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{}</w:p>",
        r(content)
    )
}

fn level(at: u32, format: &str, text: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>\
         <w:lvlText w:val=\"{text}\"/></w:lvl>"
    )
}

fn numbering(levels: &str, lists: &str) -> String {
    format!(
        "<w:numbering><w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum>{lists}\
         </w:numbering>"
    )
}

const LIST: &str = "<w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";

#[test]
fn formats_of_runs_become_marks() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let line = [
        run("<w:b/>", "bold "),
        run("<w:b/><w:i/>", "both"),
        r(" H"),
        run("<w:vertAlign w:val=\"subscript\"/>", "2"),
        r("O "),
        run("<w:strike/>", "old"),
        run("<w:b w:val=\"0\"/>", " plain"),
    ];
    assert_eq!(
        text(&p(&line.concat())),
        "**bold *both*** H_2O ~~old~~ plain"
    );
}

#[test]
fn split_words_are_joined_without_spaces() {
    let bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>M</w:t></w:r>";
    assert_eq!(text(&p(&(bold.to_owned() + &r("aybe")))), "**M**aybe");
    assert_eq!(
        text(&p(&(r("a &amp; b &#65;&unknown;") + &r("&lt;")))),
        "a & b A<"
    );
}

#[test]
fn outline_levels_of_styles_make_headings() {
    let styles = "<w:styles>\
        <w:style w:type=\"paragraph\" w:styleId=\"X\"><w:name w:val=\"Überschrift\"/>\
        <w:basedOn w:val=\"Y\"/></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"Y\"><w:name w:val=\"base\"/>\
        <w:basedOn w:val=\"X\"/><w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style>\
        </w:styles>";
    let body = styled("X", "Loop") + &styled("Heading1", "Undefined") + &styled("Z", "Text");
    let unit = convert(&body, &[("word/styles.xml", styles)]);
    assert_eq!(unit.text, "## Loop\n\n# Undefined\n\nText");
}

#[test]
fn moved_text_is_raised() {
    let run = |amount: &str| {
        format!("<w:r><w:rPr><w:position w:val=\"{amount}\"/></w:rPr><w:t>2</w:t></w:r>")
    };
    let body = p(&(r("a") + &run("6") + &r("b") + &run("-6") + &r("c") + &run("2")));
    assert_eq!(text(&body), "a^2b_2c2");
}

#[test]
fn bold_styles_of_paragraphs_are_shown() {
    let style = |id: &str, more: &str| {
        format!(
            "<w:style w:type=\"paragraph\" {more} w:styleId=\"{id}\"><w:name w:val=\"{id}\"/>\
             <w:rPr><w:b/></w:rPr></w:style>"
        )
    };
    let plain = "<w:r><w:rPr><w:b w:val=\"0\"/></w:rPr><w:t> b</w:t></w:r>";
    let body = styled("Part", "a")
        + &p(&format!(
            "<w:pPr><w:pStyle w:val=\"Part\"/></w:pPr>{}{plain}",
            r("a")
        ));
    let styles = format!("<w:styles>{}</w:styles>", style("Part", ""));
    let unit = convert(&body, &[("word/styles.xml", &styles)]);
    assert_eq!(unit.text, "**a**\n\n**a** b");
    // If all text is bold, it is no emphasis.
    let normal = style("Normal", "w:default=\"1\"");
    let styles = format!("<w:styles>{normal}{}</w:styles>", style("Part", ""));
    let unit = convert(&body, &[("word/styles.xml", &styles)]);
    assert_eq!(unit.text, "a\n\na b");
}

#[test]
fn title_moves_headings_down() {
    let body =
        styled("Title", "Report") + &styled("Heading1", "Part") + &styled("Heading2", "Section");
    assert_eq!(text(&body), "# Report\n\n## Part\n\n### Section");
}

#[test]
fn lists_keep_their_own_numbers() {
    let levels = level(0, "decimal", "%1.")
        + &level(1, "lowerLetter", "%2)")
        + &level(2, "lowerRoman", "%3.");
    let lists = format!(
        "{LIST}<w:num w:numId=\"2\"><w:abstractNumId w:val=\"0\"/><w:lvlOverride w:ilvl=\"0\">\
         <w:startOverride w:val=\"7\"/></w:lvlOverride></w:num>"
    );
    let body = [
        item(1, 0, "one"),
        item(1, 1, "inner"),
        item(1, 2, "deep"),
        item(1, 1, "inner"),
        p(&r("between")),
        item(1, 0, "resumed"),
        item(1, 1, "restarted"),
        item(2, 0, "own start"),
    ];
    let unit = convert(
        &body.concat(),
        &[("word/numbering.xml", &numbering(&levels, &lists))],
    );
    assert_eq!(
        unit.text,
        "1. one\n   a) inner\n      i. deep\n   b) inner\n\nbetween\n\n2. resumed\n   a) restarted\n\
         7. own start"
    );
}

#[test]
fn bullets_and_numbers_of_several_levels_are_shown() {
    let levels = level(0, "upperRoman", "%1")
        + &level(1, "decimal", "%1.%2")
        + &level(2, "bullet", "\u{f0b7}");
    let legal = levels.replacen(
        "<w:lvlText w:val=\"%1.%2\"/>",
        "<w:isLgl/><w:lvlText w:val=\"%1.%2\"/>",
        1,
    );
    let body = item(1, 0, "a") + &item(1, 1, "b") + &item(1, 2, "c");
    let unit = convert(&body, &[("word/numbering.xml", &numbering(&legal, LIST))]);
    assert_eq!(unit.text, "I a\n   1.1 b\n      - c");
}

#[test]
fn merged_cells_repeat_their_text() {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p(&r(text)))
    };
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let rows = [
        row(&[cell("", "A"), cell("", "B"), cell("", "C")]),
        row(&[
            cell("<w:vMerge w:val=\"restart\"/>", "tall"),
            cell("<w:gridSpan w:val=\"2\"/>", "wi|de"),
        ]),
        row(&[cell("<w:vMerge/>", ""), cell("", "x"), cell("", "y")]),
    ];
    assert_eq!(
        text(&format!("<w:tbl>{}</w:tbl>", rows.concat())),
        "|A|B|C|\n|-|-|-|\n|tall|wi\\|de|wi\\|de|\n|tall|x|y|"
    );
}

#[test]
fn rows_of_covered_cells_stay() {
    let cell =
        |merge: &str, text: &str| format!("<w:tc><w:tcPr>{merge}</w:tcPr>{}</w:tc>", p(&r(text)));
    let first = "<w:vMerge w:val=\"restart\"/>";
    let rows = [
        format!("<w:tr>{}{}</w:tr>", cell(first, "a"), cell(first, "b")),
        format!(
            "<w:tr>{}{}</w:tr>",
            cell("<w:vMerge/>", ""),
            cell("<w:vMerge/>", "")
        ),
        format!("<w:tr>{}{}</w:tr>", cell("", "c"), cell("", "d")),
    ];
    assert_eq!(
        text(&format!("<w:tbl>{}</w:tbl>", rows.concat())),
        "|a|b|\n|-|-|\n|a|b|\n|c|d|"
    );
}

#[test]
fn nested_tables_and_lines_stay_in_their_cell() {
    let inner = format!(
        "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>",
        p(&r("x")),
        p(&r("y"))
    );
    let body = format!(
        "<w:tbl><w:tr><w:tc>{}{}</w:tc><w:tc>{inner}</w:tc></w:tr></w:tbl>",
        p(&r("1")),
        p(&r("2"))
    );
    assert_eq!(text(&body), "|1<br>2|x; y|\n|-|-|");
}

#[test]
fn links_have_their_targets() {
    let relations = relationships(&[("r9", "hyperlink", "https://example.org/a(b)")]);
    let field = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let body = p(&[
        format!(
            "<w:hyperlink r:id=\"r9\">{}{}</w:hyperlink>",
            r("two "),
            r("runs")
        ),
        r(" and "),
        field("begin"),
        "<w:r><w:instrText>HYPERLINK \"https://example.org\" \\l \"top\"</w:instrText></w:r>"
            .to_owned(),
        field("separate"),
        r("field"),
        field("end"),
        format!("<w:hyperlink w:anchor=\"b\">{}</w:hyperlink>", r(" inside")),
    ]
    .concat());
    let unit = convert(&body, &[("word/_rels/document.xml.rels", &relations)]);
    assert_eq!(
        unit.text,
        "[two runs](https://example.org/a%28b%29) and [field](https://example.org#top) inside"
    );
}

#[test]
fn fields_without_a_result_are_shown_once() {
    let field = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let instruction = |text: &str| format!("<w:r><w:instrText>{text}</w:instrText></w:r>");
    let hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>*</w:t></w:r>";
    let symbol = "SYMBOL 183 \\f \"Symbol\" \\s 12";
    let complex = |text: &str, result: Option<&str>| {
        let result = result.map(|result| field("separate") + result);
        [
            field("begin"),
            instruction(text),
            result.unwrap_or_default(),
            field("end"),
        ]
        .concat()
    };
    let simple = |text: &str, result: &str| {
        let text = text.replace('"', "&quot;");
        format!("<w:fldSimple w:instr=\"{text}\">{result}</w:fldSimple>")
    };
    let ruby = "EQ \\* jc2 \\o\\ad(\\s\\up 11(reading),word)";
    for (content, expected) in [
        (complex(symbol, None), "a•b"),
        (complex(symbol, Some("")), "a•b"),
        (complex(symbol, Some(&r(" "))), "a •b"),
        (complex(symbol, Some(&r("x"))), "axb"),
        (complex(symbol, Some(hidden)), "ab"),
        (complex("SYMBOL 0xFE \\h \\f Wingdings", None), "a☑b"),
        (complex("SYMBOL 130 \\a", None), "a‚b"),
        (complex(ruby, None), "aword(reading)b"),
        (complex("eq \\o\\ac(○,印)", None), "a(印)b"),
        (complex("MACROBUTTON NoMacro [Name]", None), "a[Name]b"),
        (complex("PAGE", None), "ab"),
        (simple(symbol, ""), "a•b"),
        (simple(symbol, &r("x")), "axb"),
        (simple(ruby, "<w:r/>"), "aword(reading)b"),
        (simple("PAGE", ""), "ab"),
        // A field in the result of another is a part of that result.
        (simple(symbol, &complex("SYMBOL 65", None)), "aAb"),
        (
            complex("HYPERLINK \"u:x\"", Some(&complex("SYMBOL 65", None))),
            "a[A](u:x)b",
        ),
        (complex("HYPERLINK \"#x\"", Some(&r("c"))), "acb"),
    ] {
        assert_eq!(
            text(&p(&(r("a") + &content + &r("b")))),
            expected,
            "{content}"
        );
    }
    let bold = |content: &str| format!("<w:r><w:rPr><w:b/></w:rPr>{content}</w:r>");
    let content = [
        bold("<w:fldChar w:fldCharType=\"begin\"/><w:instrText>SYMBOL 65</w:instrText>"),
        bold("<w:fldChar w:fldCharType=\"end\"/>"),
    ];
    assert_eq!(text(&p(&content.concat())), "**A**");
    let unit = convert(&p(&simple("EQ \\f(1,2)", "")), &[]);
    assert_eq!(unit.text, "");
    assert_eq!(unit.notes, ["An equation in a field is not shown."]);
    let content = content.concat().replace("<w:b/>", "<w:vanish/>");
    let unit = convert(&p(&(r("a") + &content)), &[]);
    assert_eq!(unit.text, "a");
    assert_eq!(unit.notes, ["1 characters of hidden text are left out."]);
}

#[test]
fn tracked_changes_are_shown_as_accepted() {
    let body = p(&[
        r("a"),
        format!("<w:ins>{}</w:ins>", r("b")),
        "<w:del><w:r><w:delText>c</w:delText></w:r></w:del>".to_owned(),
        format!(
            "<w:moveFrom>{}</w:moveFrom><w:moveTo>{}</w:moveTo>",
            r("d"),
            r("e")
        ),
    ]
    .concat())
        + "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>f</w:t></w:r></w:p>"
        + &p(&r("g"));
    let unit = convert(&body, &[]);
    assert_eq!(unit.text, "abe\n\nfg");
    assert_eq!(unit.notes, ["Tracked changes are shown as accepted."]);
}

#[test]
fn check_boxes_and_special_characters_are_shown() {
    let check = |state: u32| {
        format!(
            "<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val=\"{state}\"/></w14:checkbox></w:sdtPr>\
             <w:sdtContent>{}</w:sdtContent></w:sdt>",
            r("☒")
        )
    };
    let body = p(&(check(1) + &r(" done")))
        + &p(&(check(0) + &r(" open")))
        + &p(
            "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/>\
              <w:t>d</w:t><w:sym w:font=\"Symbol\" w:char=\"F061\"/><w:br/><w:t>e</w:t></w:r>",
        );
    assert_eq!(text(&body), "- [x] done\n- [ ] open\n\na b-cdα  \ne");
}

#[test]
fn initial_letter_belongs_to_its_word() {
    let initial =
        "<w:p><w:pPr><w:framePr w:dropCap=\"drop\"/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>";
    assert_eq!(text(&(initial.to_owned() + &p(&r("nce")))), "Once");
}

#[test]
fn code_and_quotations_are_blocks() {
    let body = styled("SourceCode", "fn a() {")
        + &styled("SourceCode", "    `x`")
        + &styled("Quote", "said")
        + &styled("Quote", "more");
    assert_eq!(
        text(&body),
        "```\nfn a() {\n    `x`\n```\n\n> said\n>\n> more"
    );
}

#[test]
fn markup_in_text_is_escaped_where_needed() {
    let body = p(&r(
        "2 * 3 *x* a_b _c_ [1] [a](b) &lt;b&gt; a &lt; b 1. 5! &amp;amp; C:\\dir",
    )) + &p(&r("# no heading"));
    assert_eq!(
        text(&body),
        "2 * 3 \\*x\\* a_b \\_c_ [1] [a\\](b) \\<b> a < b 1. 5! \\&amp; C:\\dir\n\n\\# no heading"
    );
}
