//! Tests of documents in one XML file.

use crate::{Document, Format, Unit, open};

/// A document in the XML of Word 2003.
fn word2003(parts: &str, body: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\"?><?mso-application progid=\"Word.Document\"?><w:wordDocument \
         xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\" \
         xmlns:wx=\"http://schemas.microsoft.com/office/word/2003/auxHint\" \
         xmlns:aml=\"http://schemas.microsoft.com/aml/2001/core\" \
         xmlns:v=\"urn:schemas-microsoft-com:vml\">{parts}<w:body><wx:sect>{body}</wx:sect></w:body>\
         </w:wordDocument>"
    )
    .into_bytes()
}

fn opened(bytes: Vec<u8>) -> Box<dyn Document> {
    open(bytes, Format::Docx, None).unwrap()
}

fn convert(parts: &str, body: &str) -> Unit {
    opened(word2003(parts, body)).unit(0)
}

fn p(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn document_of_word_2003_has_headings_lists_and_tables() {
    let parts = "<o:DocumentProperties><o:Title>A &amp; B</o:Title><o:Author>Ann</o:Author>\
        <o:Pages>3</o:Pages></o:DocumentProperties><w:fonts><w:font w:name=\"x\"/></w:fonts><w:lists>\
        <w:listDef w:listDefId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:nfc w:val=\"4\"/>\
        <w:lvlText w:val=\"%1)\"/></w:lvl></w:listDef><w:listDef w:listDefId=\"1\"><w:lvl \
        w:ilvl=\"0\"><w:start w:val=\"1\"/><w:nfc w:val=\"23\"/><w:lvlText w:val=\"·\"/></w:lvl>\
        </w:listDef><w:list w:ilfo=\"1\"><w:ilst w:val=\"0\"/></w:list><w:list w:ilfo=\"2\"><w:ilst \
        w:val=\"1\"/></w:list></w:lists><w:styles><w:style w:type=\"paragraph\" w:styleId=\"H1\">\
        <w:name w:val=\"heading 1\"/></w:style></w:styles>";
    let item = |list: u32, text: &str| {
        let list = format!("<w:ilvl w:val=\"0\"/><w:ilfo w:val=\"{list}\"/><wx:t wx:val=\"x\"/>");
        p(&format!("<w:listPr>{list}</w:listPr>"), text)
    };
    let cell =
        |merge: &str, text: &str| format!("<w:tc><w:tcPr>{merge}</w:tcPr>{}</w:tc>", p("", text));
    let rows = [
        cell("<w:vmerge w:val=\"restart\"/>", "a") + &cell("", "b"),
        cell("<w:vmerge/>", "") + &cell("", "c &lt; d"),
    ];
    let rows: String = rows
        .iter()
        .map(|row| format!("<w:tr>{row}</w:tr>"))
        .collect();
    let body = [
        format!(
            "<wx:sub-section>{}</wx:sub-section>",
            p("<w:pStyle w:val=\"H1\"/>", "Head")
        ),
        item(1, "one"),
        item(1, "two"),
        item(2, "dot"),
        format!("<w:tbl>{rows}</w:tbl>"),
    ];
    let mut document = opened(word2003(parts, &body.concat()));
    let metadata = &document.facts().metadata;
    assert_eq!(
        metadata,
        &[
            ("title".to_owned(), "A & B".to_owned()),
            ("author".to_owned(), "Ann".to_owned())
        ]
    );
    let unit = document.unit(0);
    assert_eq!(
        unit.text,
        "# Head\n\na) one\nb) two\n- dot\n\n|a|b|\n|-|-|\n|a|c < d|"
    );
    assert_eq!(unit.notes, [""; 0]);
}

#[test]
fn document_of_word_2003_has_links_notes_images_and_changes() {
    let body = "<w:p><w:hlink w:dest=\"https://e.org/?a=1&amp;b=2\"><w:r><w:t>link</w:t></w:r></w:hlink>\
        <w:r><w:footnote><w:p><w:r><w:t>below</w:t></w:r></w:p></w:footnote></w:r><aml:annotation \
        w:type=\"Word.Insertion\"><aml:content><w:r><w:t> new</w:t></w:r></aml:content></aml:annotation>\
        <aml:annotation w:type=\"Word.Deletion\"><aml:content><w:r><w:delText>old</w:delText></w:r>\
        </aml:content></aml:annotation><aml:annotation w:type=\"Word.Bookmark.Start\"/></w:p><w:p><w:r>\
        <w:pict><w:binData w:name=\"wordml://01.png\">UE5H</w:binData><v:shape><v:imagedata \
        src=\"wordml://01.png\" o:title=\"duck\"/></v:shape></w:pict></w:r><aml:annotation \
        w:type=\"Word.Comment\"><aml:content><w:p><w:r><w:t>remark</w:t></w:r></w:p></aml:content>\
        </aml:annotation></w:p><w:sectPr><w:hdr w:type=\"odd\"><w:p><w:r><w:t>head</w:t></w:r></w:p>\
        </w:hdr></w:sectPr>";
    let mut document = opened(word2003("", body));
    let unit = document.unit(0);
    assert_eq!(
        unit.text,
        "[link](https://e.org/?a=1&b=2)[^1] new\n\n![duck](image:1)\n\n[^1]: below"
    );
    assert_eq!(document.image(1).as_deref(), Some(&b"PNG"[..]));
    assert_eq!(unit.notes, ["Tracked changes are shown as accepted."]);
    let notes = document.notes();
    assert_eq!(
        notes,
        [
            "A comment is not shown.",
            "A header or footer is not shown."
        ]
    );
}

#[test]
fn package_in_one_xml_file_is_read() {
    let main = super::p(&super::r("flat"));
    let part = |name: &str, kind: &str, content: &str| {
        format!("<pkg:part pkg:name=\"/{name}\" pkg:contentType=\"{kind}\">{content}</pkg:part>")
    };
    let rels = crate::testing::relationships(&[("r1", "officeDocument", "word/document.xml")]);
    let images = crate::testing::relationships(&[("i", "image", "media/a.png")]);
    let picture = "<w:p><w:r><w:pict><v:imagedata r:id=\"i\"/></w:pict></w:r></w:p>";
    let parts = [
        part(
            "_rels/.rels",
            "x",
            &format!("<pkg:xmlData>{rels}</pkg:xmlData>"),
        ),
        part(
            "word/_rels/document.xml.rels",
            "x",
            &format!("<pkg:xmlData>{images}</pkg:xmlData>"),
        ),
        part(
            "word/document.xml",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
            &format!(
                "<pkg:xmlData><w:document><w:body>{main}{picture}</w:body></w:document></pkg:xmlData>"
            ),
        ),
        part(
            "word/media/a.png",
            "image/png",
            "<pkg:binaryData>UE5\nH</pkg:binaryData>",
        ),
    ];
    let text = format!(
        "<?xml version=\"1.0\"?>\n<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/\
         xmlPackage\">{}</pkg:package>",
        parts.concat()
    );
    let mut document = opened(text.clone().into_bytes());
    assert_eq!(document.unit(0).text, "flat\n\n![](image:1)");
    assert_eq!(document.image(1).as_deref(), Some(&b"PNG"[..]));
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        if let Ok(mut document) = open(text.as_bytes()[..end].to_vec(), Format::Docx, None) {
            document.unit(0);
        }
    }
}

#[test]
fn damaged_and_hostile_files_do_no_harm() {
    let whole = word2003("<w:styles/>", &p("", "text"));
    for end in 0..whole.len() {
        if let Ok(mut document) = open(whole[..end].to_vec(), Format::Docx, None) {
            document.unit(0);
        }
    }
    let unit = convert("", &format!("<w:p><w:r><w:t>{}", "a"));
    assert_eq!(unit.text, "a");
    let deep = "<w:footnote>".repeat(10_000) + &"<wx:sect>".repeat(10_000) + &p("", "deep");
    convert("", &deep);
    let error = |bytes: &[u8]| open(bytes.to_vec(), Format::Docx, None).err();
    assert!(error(b"<a/>").is_some() && error(b"<?xml version='1.0'?><a/>").is_some());
}

#[test]
fn text_in_elements_of_other_schemas_is_kept() {
    let body = format!(
        "{}<wx:pBdrGroup>{}</wx:pBdrGroup><w:cfChunk>{}</w:cfChunk><ns0:invoice>{}</ns0:invoice>\
         <w:p><ns0:name><w:r><w:t>five </w:t></w:r></ns0:name><st1:City w:st=\"on\"><w:r><w:t>six</w:t>\
         </w:r></st1:City></w:p>",
        p("", "one"),
        p("", "two"),
        p("", "three"),
        p("", "four")
    );
    let text = convert("", &body).text;
    assert_eq!(text.trim(), "one\n\ntwo\n\nthree\n\nfour\n\nfive six");
}

#[test]
fn addresses_after_the_limit_of_relationships_have_a_note() {
    let link =
        |address: &str| format!("<w:hlink w:dest=\"{address}\"><w:r><w:t>t</w:t></w:r></w:hlink>");
    let image = |name: &str| {
        format!(
            "<w:r><w:pict><w:binData w:name=\"{name}\">UE5H</w:binData><v:shape><v:imagedata \
             src=\"{name}\"/></v:shape></w:pict></w:r>"
        )
    };
    let links = |count: usize| format!("<w:p>{}</w:p>", link("u:a").repeat(count));
    // The notes have relationships of their own.
    let note = format!(
        "<w:p><w:r><w:footnote><w:p>{}{}</w:p></w:footnote></w:r></w:p>",
        link("u:n"),
        image("m")
    );
    let last = format!("<w:p>{}{}{}</w:p>", link("u:b"), link("u:c"), image("l"));
    let body = links(crate::limits::RELATIONSHIPS - 1) + &note + &last;
    let mut document = opened(word2003("", &body));
    let notes = document.notes().to_vec();
    assert_eq!(
        notes,
        [
            "The address of a link is left out: there are more than 65536 links and images, or their addresses are too long.",
            "An image is left out: there are more than 65536 links and images, or their addresses are too long."
        ]
    );
    let unit = document.unit(0);
    assert!(
        unit.text
            .ends_with("[t](u:b)t\n\n[^1]: [t](u:n)![](image:1)"),
        "{}",
        &unit.text[unit.text.len() - 200..]
    );
    // The bytes of the addresses are limited as well.
    let long = link(&format!("u:{}", "x".repeat(8000)));
    let count = crate::limits::LIST_BYTES / 8000;
    let document = opened(word2003(
        "",
        &format!("<w:p>{}</w:p>", long.repeat(count + 9)),
    ));
    let notes = document.notes();
    assert!(
        notes.len() == 1 && notes[0].contains(" links are shown without their addresses: "),
        "{notes:?}"
    );
}

#[test]
fn element_in_the_data_of_an_image_is_left_out() {
    let body = "<w:p><w:r><w:t>before</w:t></w:r><w:r><w:pict><w:binData w:name=\"a\">UE<w:x><w:y>AAAA\
        </w:y></w:x><w:z/>5H</w:binData><v:shape><v:imagedata src=\"a\"/></v:shape></w:pict></w:r><w:r>\
        <w:t>after</w:t></w:r></w:p>";
    let mut document = opened(word2003("", &(body.to_owned() + &p("", "last"))));
    assert_eq!(document.unit(0).text, "before![](image:1)after\n\nlast");
    assert_eq!(document.image(1).as_deref(), Some(&b"PNG"[..]));
}
