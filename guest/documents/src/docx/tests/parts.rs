//! Tests of notes, drawings, other parts of the package, damage and limits.

use super::{convert, document, p, r, styled, text};
use crate::testing::{NAMESPACES, package, relationships};
use crate::{Error, Format, open};

#[test]
fn page_in_a_mail_is_shown_as_text() {
    let rels = crate::testing::relationships(&[
        ("a", "aFChunk", "/word/afchunk.mht"),
        ("b", "aFChunk", "/word/plain.mht"),
    ]);
    let mail = "MIME-Version: 1.0\r\nContent-Type: multipart/related; type=\"text/html\"; \
        boundary=\"----=b\"\r\n\r\n------=b\r\nContent-Type: text/html; charset=\"utf-8\"\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><h1>Travel</h1><p>1=2C200 EUR \
        by the caf=C3=A9.<img src=3D'cid:x'></p></body></html>\r\n------=b--";
    let unit = convert(
        "<w:altChunk r:id=\"a\"/><w:altChunk r:id=\"b\"/>",
        &[
            ("word/_rels/document.xml.rels", &rels),
            ("word/afchunk.mht", mail),
            ("word/plain.mht", "MIME-Version: 1.0\n\ntext"),
        ],
    );
    assert_eq!(unit.text, "# Travel\n\n1,200 EUR by the café.");
    assert_eq!(
        unit.notes,
        [
            "An image of an embedded HTML page is not shown.",
            "The embedded document `word/plain.mht` is not shown.",
        ]
    );
}

#[test]
fn comment_without_text_is_the_name_of_its_author() {
    let body = p(&(r("a") + "<w:r><w:commentReference w:id=\"7\"/></w:r>"));
    let comments =
        "<w:comments><w:comment w:id=\"7\" w:author=\"Ann\"><w:p/></w:comment></w:comments>";
    let unit = convert(&body, &[("word/comments.xml", comments)]);
    assert_eq!(unit.text, "a[^c1]\n\n[^c1]: Ann:");
}

#[test]
fn notes_and_comments_follow_the_text() {
    let body = p(&(r("a")
        + "<w:r><w:footnoteReference w:id=\"5\"/></w:r><w:r><w:endnoteReference w:id=\"2\"/></w:r>\
           <w:r><w:commentReference w:id=\"0\"/></w:r>"));
    let note = |name: &str, id: u32, more: &str, content: &str| {
        format!(
            "<w:{name}s><w:{name} w:id=\"{id}\" {more}>{}</w:{name}></w:{name}s>",
            p(&r(content))
        )
    };
    let unit = convert(
        &body,
        &[
            ("word/footnotes.xml", &note("footnote", 5, "", "foot")),
            ("word/endnotes.xml", &note("endnote", 2, "", "end")),
            (
                "word/comments.xml",
                &note("comment", 0, "w:author=\"Ann\"", "why?"),
            ),
        ],
    );
    assert_eq!(
        unit.text,
        "a[^1][^e1][^c1]\n\n[^1]: foot\n\n[^e1]: end\n\n[^c1]: Ann: why?"
    );
}

#[test]
fn headers_and_footers_are_shown_once() {
    let relations = relationships(&[
        ("h1", "header", "header1.xml"),
        ("h2", "header", "header2.xml"),
        ("f1", "footer", "footer1.xml"),
    ]);
    let section = "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"h1\"/>\
        <w:headerReference w:type=\"first\" r:id=\"h2\"/>\
        <w:footerReference w:type=\"default\" r:id=\"f1\"/></w:sectPr>";
    let body = format!("<w:p><w:pPr>{section}</w:pPr>{}</w:p>{section}", r("text"));
    let header = format!("<w:hdr>{}</w:hdr>", p(&r("Company")));
    let page = format!(
        "<w:ftr>{}</w:ftr>",
        p(&(r("Page ") + "<w:fldSimple w:instr=\"PAGE\"><w:r><w:t>1</w:t></w:r></w:fldSimple>"))
    );
    let unit = convert(
        &body,
        &[
            ("word/_rels/document.xml.rels", &relations),
            ("word/header1.xml", &header),
            ("word/header2.xml", &header.replace("Company", "First")),
            ("word/footer1.xml", &page),
        ],
    );
    assert_eq!(unit.text, "<!-- header: Company -->\n\ntext");
}

#[test]
fn images_are_numbered_in_order() {
    let relations = relationships(&[
        ("i1", "image", "media/b.png"),
        ("i2", "image", "media/a.png"),
    ]);
    let image = |id: &str, alt: &str| {
        p(&format!(
            "<w:r><w:drawing><wp:inline><wp:docPr name=\"Picture 1\" descr=\"{alt}\"/><a:blip \
             r:embed=\"{id}\"/></wp:inline></w:drawing></w:r>"
        ))
    };
    let body = image("i1", "a [chart]") + &image("i2", "") + &image("i1", "again");
    let parts = [
        ("word/_rels/document.xml.rels", relations.as_str()),
        ("word/media/a.png", "A"),
        ("word/media/b.png", "B"),
    ];
    let mut document = open(document(&body, &parts), Format::Docx, None).unwrap();
    assert_eq!(document.image(2), Some(b"A".to_vec()));
    assert_eq!(
        document.unit(0).text,
        "![a \\[chart\\]](image:1)\n\n![](image:2)\n\n![again](image:1)"
    );
    assert_eq!(document.image(1), Some(b"B".to_vec()));
    assert_eq!(document.image(3), None);
    assert_eq!(document.image(0), None);
}

#[test]
fn text_boxes_are_shown_once_at_their_anchor() {
    let content = |text: &str| format!("<w:txbxContent>{}</w:txbxContent>", p(&r(text)));
    let body = p(&format!(
        "{}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{}</wps:txbx></w:drawing>\
         </mc:Choice><mc:Fallback><w:pict>{}</w:pict></mc:Fallback></mc:AlternateContent></w:r>{}",
        r("before "),
        content("box"),
        content("box"),
        r("after")
    )) + &p(&r("next"));
    assert_eq!(text(&body), "before after\n\nbox\n\nnext");
    let heading = "<w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>";
    let boxed = format!("<w:r><w:drawing>{}</w:drawing></w:r>", content("box"));
    let body = p(&format!("{heading}{boxed}{}", r("Part")));
    assert_eq!(text(&body), "box\n\n# Part");
}

#[test]
fn charts_become_tables() {
    let relations = relationships(&[("c1", "chart", "charts/chart1.xml")]);
    let points = |name: &str, values: &[&str]| {
        let list = values
            .iter()
            .enumerate()
            .map(|(place, value)| format!("<c:pt idx=\"{place}\"><c:v>{value}</c:v></c:pt>"));
        format!(
            "<c:{name}><c:strRef><c:strCache>{}</c:strCache></c:strRef></c:{name}>",
            list.collect::<String>()
        )
    };
    let series = |name: &str, values: &[&str]| {
        format!(
            "<c:ser>{}{}{}</c:ser>",
            points("tx", &[name]),
            points("cat", &["Q1", "Q2"]),
            points("val", values)
        )
    };
    let chart = format!(
        "<c:chartSpace {NAMESPACES}><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title>\
         <c:plotArea><c:barChart>{}{}</c:barChart></c:plotArea></c:chart></c:chartSpace>",
        series("East", &["1", "2.5000000000000004"]),
        series("West", &["3"])
    );
    let body = p("<w:r><w:drawing><c:chart r:id=\"c1\"/></w:drawing></w:r>");
    let unit = convert(
        &body,
        &[
            ("word/_rels/document.xml.rels", &relations),
            ("word/charts/chart1.xml", &chart),
        ],
    );
    let table = "||East|West|\n|-|-|-|\n|Q1|1|3|\n|Q2|2.5||";
    assert!(unit.text.ends_with(table), "{}", unit.text);
    assert!(unit.text.contains("Sales"), "{}", unit.text);
}

#[test]
fn diagrams_become_lists() {
    let relations = relationships(&[("d1", "diagramData", "diagrams/data1.xml")]);
    let point = |id: &str, kind: &str, text: &str| {
        format!(
            "<dgm:pt modelId=\"{id}\" {kind}><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>"
        )
    };
    let data = format!(
        "<dgm:dataModel><dgm:ptLst>{}{}{}{}</dgm:ptLst><dgm:cxnLst>\
         <dgm:cxn srcId=\"0\" destId=\"2\" srcOrd=\"1\"/><dgm:cxn srcId=\"0\" destId=\"1\" srcOrd=\"0\"/>\
         <dgm:cxn srcId=\"1\" destId=\"3\" srcOrd=\"0\"/><dgm:cxn srcId=\"3\" destId=\"1\" srcOrd=\"0\"/>\
         </dgm:cxnLst></dgm:dataModel>",
        point("0", "type=\"doc\"", ""),
        point("1", "", "first"),
        point("2", "", "second"),
        point("3", "", "below")
    );
    let body = p("<w:r><w:drawing><dgm:relIds r:dm=\"d1\"/></w:drawing></w:r>");
    let unit = convert(
        &body,
        &[
            ("word/_rels/document.xml.rels", &relations),
            ("word/diagrams/data1.xml", &data),
        ],
    );
    assert_eq!(unit.text, "- first\n  - below\n- second");
}

#[test]
fn formulas_become_latex() {
    let t = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let fraction = format!(
        "<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>",
        t("a"),
        t("b")
    );
    let power = format!(
        "<m:sSup><m:e>{fraction}</m:e><m:sup>{}</m:sup></m:sSup>",
        t("2")
    );
    let sine = format!(
        "<m:func><m:fName>{}</m:fName><m:e>{}</m:e></m:func>",
        t("sin"),
        t("πr")
    );
    let inline = p(&format!(
        "{}<m:oMath>{power}{}</m:oMath>{}",
        r("For "),
        t("≤") + &sine,
        r(", x")
    ));
    let display = p(&format!(
        "<m:oMathPara><m:oMath>{}</m:oMath></m:oMathPara>",
        t("x=1")
    ));
    assert_eq!(
        text(&(inline + &display)),
        "For ${\\frac{a}{b}}^{2}\\leq\\sin\\pi r$, x\n\n$$x=1$$"
    );
}

#[test]
fn hidden_text_and_contents_are_noted() {
    let hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>";
    let field = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let contents = p(&[
        field("begin"),
        "<w:r><w:instrText>TOC \\o \"1-3\"</w:instrText></w:r>".to_owned(),
        field("separate"),
        r("Part 1"),
    ]
    .concat())
        + &p(&(r("Section 2") + &field("end")));
    let unit = convert(
        &(p(&r("Front"))
            + &styled("Heading1", "CONTENTS:")
            + &contents
            + &styled("Heading1", "Part")
            + &p(&(r("seen") + hidden))),
        &[],
    );
    assert_eq!(unit.text, "Front\n\n# Part\n\nseen");
    assert_eq!(
        unit.notes,
        [
            "The table of contents is left out. It repeats the headings.",
            "6 characters of hidden text are left out.",
        ]
    );
}

#[test]
fn drawings_in_a_table_of_contents_are_noted() {
    let gallery = "<w:docPartObj><w:docPartGallery w:val=\"Table of Contents\"/></w:docPartObj>";
    let contents = |inner: &str| {
        format!(
            "<w:sdt><w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
            p(inner)
        )
    };
    let note = |inner: &str| {
        let unit = convert(&(contents(inner) + &styled("Heading1", "Part")), &[]);
        assert_eq!(unit.text, "# Part");
        unit.notes.concat()
    };
    let text = "The table of contents is left out. It repeats the headings.";
    assert_eq!(note(&r("Part")), text);
    assert_eq!(
        note("<w:r><w:drawing/></w:r>"),
        format!("{text} The images of its drawings are members of the file.")
    );
}

#[test]
fn metadata_is_in_the_facts() {
    let core = "<cp:coreProperties><dc:creator> Ann </dc:creator><dc:title>T</dc:title>\
        <dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dc:subject></dc:subject></cp:coreProperties>";
    let document = open(
        document("", &[("docProps/core.xml", core)]),
        Format::Docx,
        None,
    )
    .unwrap();
    let facts = document.facts();
    let expected = [
        ("title", "T"),
        ("author", "Ann"),
        ("created", "2020-01-02T03:04:05Z"),
    ];
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    assert_eq!(facts.metadata, expected);
    assert_eq!(facts.list.len(), 1);
}

#[test]
fn truncated_package_is_read_by_its_headers() {
    let mut bytes = document(&p(&r("kept")), &[]);
    bytes.truncate(bytes.len() - 60);
    let mut document = open(bytes, Format::Docx, None).unwrap();
    assert_eq!(document.unit(0).text, "kept");
    assert_eq!(document.notes().len(), 1);
}

#[test]
fn damaged_parts_are_noted() {
    let styles = "<w:styles><w:style w:styleId=\"A\"";
    let unit = convert(
        &(p(&r("one")) + "<w:p><w:r><w:t>two"),
        &[("word/styles.xml", styles)],
    );
    assert_eq!(unit.text, "one\n\ntwo");
    assert!(
        unit.notes
            .iter()
            .any(|note| note.contains("word/styles.xml")),
        "{:?}",
        unit.notes
    );
}

#[test]
fn other_formats_are_named() {
    let utf16 = |name: &str| {
        name.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let compound = |name: &str| {
        let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        bytes.resize(1024, 0);
        bytes.extend(utf16(name));
        bytes.resize(1536, 0);
        bytes
    };
    let error = |bytes: Vec<u8>| open(bytes, Format::Docx, None).err().unwrap();
    let damaged = |text: &str| Error::Damaged(text.to_owned());
    assert_eq!(
        error(compound("WordDocument")),
        damaged("the file is a Word 97-2003 document (.doc), not a zip package")
    );
    assert_eq!(
        error(b"{\\rtf1".to_vec()),
        damaged("the file is an RTF document, not a zip package")
    );
    assert_eq!(
        error(package(&[("xl/workbook.xml", b"<workbook/>")])),
        damaged("the file is an Excel workbook")
    );
}

#[test]
fn deep_content_is_flattened() {
    let depth = 30_000;
    let body = "<w:tbl><w:tr><w:tc>".repeat(depth)
        + &p(&r("deep"))
        + &"</w:tc></w:tr></w:tbl>".repeat(depth);
    let unit = convert(&body, &[]);
    assert_eq!(unit.text, "deep");
    assert_eq!(
        unit.notes,
        ["Deeply nested content is shown as text without structure."]
    );
    let inline = "<w:smartTag>".repeat(depth) + &r("deep") + &"</w:smartTag>".repeat(depth);
    assert_eq!(text(&p(&inline)), "deep");
    let math =
        "<m:rad><m:e>".repeat(depth) + "<m:r><m:t>x</m:t></m:r>" + &"</m:e></m:rad>".repeat(depth);
    assert!(text(&p(&format!("<m:oMath>{math}</m:oMath>"))).starts_with("$\\sqrt{"));
}

#[test]
fn huge_spans_are_limited() {
    let wide = "<w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"999999999\"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>";
    let unit = convert(&format!("<w:tbl>{}</w:tbl>", wide.repeat(100)), &[]);
    assert!(unit.text.len() < 10_000_000);
}

#[test]
fn embedded_text_is_shown_and_objects_are_named() {
    let rels = relationships(&[
        ("a", "aFChunk", "a.html"),
        ("b", "aFChunk", "b.txt"),
        ("c", "aFChunk", "c.rtf"),
        ("o", "oleObject", "embeddings/o.bin"),
        ("e", "oleObject", "embeddings/e.bin"),
        ("i", "image", "media/i.wmf"),
    ]);
    let chunk = |id: &str| format!("<w:altChunk r:id=\"{id}\"/>");
    let object = |program: &str, id: &str| {
        p(&format!(
            "<w:r><w:object><v:shape><v:imagedata r:id=\"i\"/></v:shape>\
             <o:OLEObject Type=\"Embed\" ProgID=\"{program}\" r:id=\"{id}\"/></w:object></w:r>"
        ))
    };
    let body = [
        chunk("a"),
        chunk("b"),
        chunk("c"),
        object("Excel.Sheet.12", "o"),
        object("Equation.3", "e"),
    ];
    let html = "<html><head><title>T</title><style>p {}</style></head><body><h2>Head</h2>\
        <P>one&nbsp;two<br>three<ul><li>item</ul><script>x</script></body></html>";
    let unit = convert(
        &body.concat(),
        &[
            ("word/_rels/document.xml.rels", &rels),
            ("word/a.html", html),
            ("word/b.txt", "first\n\nsecond"),
            ("word/c.rtf", "{\\rtf1}"),
            ("word/media/i.wmf", "x"),
        ],
    );
    assert_eq!(
        unit.text,
        "## Head\n\none two  \nthree\n\n- item\n\nfirst\n\nsecond\n\n\
         ![Embedded object (Excel)](image:1)\n\n![Equation](image:1)"
    );
    assert_eq!(
        unit.notes,
        [
            "The embedded document `word/c.rtf` is not shown.",
            "The embedded object `word/embeddings/o.bin` (`Excel.Sheet.12`) is not shown as text.",
        ]
    );
}
