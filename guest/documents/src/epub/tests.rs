//! Tests with books that are built in code.

use super::open;
use crate::testing::package;
use crate::{Document, Error};

const CONTAINER: &str = "<container><rootfiles><rootfile full-path=\"OPS/book.opf\" \
    media-type=\"application/oebps-package+xml\"/></rootfiles></container>";

/// Returns a package document of chapters `a.xhtml`, `b.xhtml` and so on.
fn opf(metadata: &str, manifest: &str, spine: &str) -> String {
    format!(
        "<package xmlns:dc=\"http://purl.org/dc/elements/1.1/\" version=\"3.0\">\
         <metadata>{metadata}</metadata><manifest>{manifest}</manifest>\
         <spine>{spine}</spine></package>"
    )
}

fn item(id: &str, href: &str) -> String {
    format!("<item id=\"{id}\" href=\"{href}\" media-type=\"application/xhtml+xml\"/>")
}

fn page(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\" \
         xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title/></head><body>{body}</body></html>"
    )
}

/// Builds a book from a package document and parts in `OPS`.
fn book(opf: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let mut all: Vec<(String, Vec<u8>)> = vec![
        ("META-INF/container.xml".to_owned(), CONTAINER.into()),
        ("OPS/book.opf".to_owned(), opf.into()),
    ];
    for (name, content) in parts {
        all.push((format!("OPS/{name}"), (*content).into()));
    }
    let all: Vec<(&str, &[u8])> = all.iter().map(|(name, it)| (&name[..], &it[..])).collect();
    package(&all)
}

fn opened(bytes: Vec<u8>) -> Box<dyn Document> {
    open(bytes).unwrap()
}

/// Opens a book of one chapter, and returns its Markdown.
fn converted(body: &str) -> String {
    let opf = opf("", &item("a", "a.xhtml"), "<itemref idref=\"a\"/>");
    opened(book(&opf, &[("a.xhtml", &page(body))])).unit(0).text
}

fn names(book: &dyn Document) -> Vec<&str> {
    book.facts()
        .list
        .iter()
        .map(|unit| &unit.name[..])
        .collect()
}

#[test]
fn chapters_are_in_the_order_of_the_spine() {
    let manifest = [item("a", "a.xhtml"), item("b", "text/b%20b.xhtml")].concat();
    let spine = "<itemref idref=\"b\" linear=\"no\"/><itemref idref=\"a\"/>";
    let parts = [
        ("a.xhtml", &page("<h1>One</h1><p>first</p>")[..]),
        ("text/b b.xhtml", &page("<p>second</p>")[..]),
    ];
    let mut book = opened(book(&opf("", &manifest, spine), &parts));
    assert_eq!(names(&*book), ["", "One"]);
    let hidden: Vec<bool> = book.facts().list.iter().map(|it| it.hidden).collect();
    assert_eq!(hidden, [true, false]);
    assert_eq!(book.unit(0).text, "second");
    assert_eq!(book.unit(1).text, "# One\n\nfirst");
    assert_eq!(book.unit(2).text, "");
    assert!(book.notes().is_empty());
}

#[test]
fn metadata_is_that_of_dublin_core() {
    let metadata = "<dc:title>The  Book</dc:title><dc:title id=\"s\">A Story</dc:title>\
        <meta refines=\"#s\" property=\"title-type\">subtitle</meta>\
        <dc:creator id=\"x\">Ann A</dc:creator><dc:creator id=\"y\">Tom T</dc:creator>\
        <dc:creator>Bob B</dc:creator><meta refines=\"#y\" property=\"role\">trl</meta>\
        <dc:date>2001</dc:date><meta property=\"dcterms:modified\">2002-01-01</meta>\
        <dc:language>de</dc:language><dc:description>&lt;p&gt;A &lt;b&gt;tale&lt;/b&gt;.&lt;/p&gt;\
        </dc:description><dc:publisher>House</dc:publisher>";
    let opf = opf(metadata, &item("a", "a.xhtml"), "<itemref idref=\"a\"/>");
    let book = opened(book(&opf, &[("a.xhtml", &page("x"))]));
    let facts: Vec<String> = book
        .facts()
        .metadata
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(
        facts,
        [
            "title=The Book: A Story",
            "author=Ann A, Bob B",
            "created=2001",
            "modified=2002-01-01",
            "language=de",
            "description=A **tale**.",
            "publisher=House",
        ]
    );
}

#[test]
fn navigation_names_chapters() {
    let navigation = page(
        "<nav epub:type=\"landmarks\"><ol><li><a href=\"b.xhtml\">Wrong</a></li></ol></nav>\
         <nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">Part <i>One</i></a><ol>\
         <li><a href=\"a.xhtml#x\">Deeper</a></li></ol></li>\
         <li><a href=\"b.xhtml#1\">Two</a></li><li><a href=\"b.xhtml#2\">Three</a></li></ol></nav>",
    );
    let manifest = [
        item("a", "a.xhtml"),
        item("b", "b.xhtml"),
        "<item id=\"n\" href=\"n.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>"
            .to_owned(),
    ]
    .concat();
    let spine = "<itemref idref=\"a\"/><itemref idref=\"b\"/>";
    let text = page("<h1>Own</h1>");
    let parts = [
        ("a.xhtml", &text[..]),
        ("b.xhtml", &text),
        ("n.xhtml", &navigation),
    ];
    let book = opened(book(&opf("", &manifest, spine), &parts));
    assert_eq!(names(&*book), ["Part One", "Two … Three"]);
}

#[test]
fn entries_of_the_contents_are_headings() {
    let navigation = page(
        "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">The Start</a><ol>\
         <li><a href=\"a.xhtml#x\">A part</a></li></ol></li></ol></nav>",
    );
    let manifest = [
        item("a", "a.xhtml"),
        "<item id=\"n\" href=\"n.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>"
            .to_owned(),
    ]
    .concat();
    let opf = opf("", &manifest, "<itemref idref=\"a\"/>");
    let text = |body: &str| {
        let page = page(body);
        let parts = [("a.xhtml", &page[..]), ("n.xhtml", &navigation)];
        opened(book(&opf, &parts)).unit(0).text
    };
    assert_eq!(
        text("<p><b>The start</b></p><p>Words of a part<br/>A part</p><p>A part</p><p>A part</p>"),
        "# The start\n\nWords of a part  \nA part\n\n## A part\n\nA part"
    );
    assert_eq!(text("<h3>Own</h3><p>The start</p>"), "### Own\n\nThe start");
}

#[test]
fn tables_of_one_column_are_tables() {
    let rows = "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>";
    assert_eq!(converted(rows), "|a|\n|-|\n|b|");
    assert_eq!(
        converted("<table><tr><td><p>a</p><p>b</p></td></tr></table>"),
        "a\n\nb"
    );
}

#[test]
fn ncx_names_chapters() {
    let ncx = "<ncx><navMap><navPoint><navLabel><text>First</text></navLabel>\
        <content src=\"a.xhtml\"/><navPoint><navLabel><text>Inner</text></navLabel>\
        <content src=\"b.xhtml#q\"/></navPoint></navPoint></navMap>\
        <pageList><pageTarget><navLabel><text>7</text></navLabel><content src=\"b.xhtml\"/>\
        </pageTarget></pageList></ncx>";
    let manifest = [
        item("a", "a.xhtml"),
        item("b", "b.xhtml"),
        "<item id=\"n\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>".to_owned(),
    ]
    .concat();
    let spine = "<itemref idref=\"a\"/><itemref idref=\"b\"/>";
    let parts = [("a.xhtml", "x"), ("b.xhtml", "y"), ("toc.ncx", ncx)];
    let book = opened(book(&opf("", &manifest, spine), &parts));
    assert_eq!(names(&*book), ["First", "Inner"]);
}

#[test]
fn images_have_numbers_in_the_order_of_the_book() {
    let manifest = [
        item("a", "t/a.xhtml"),
        item("b", "t/b.xhtml"),
        "<item id=\"u\" href=\"i/unused.png\" media-type=\"image/png\"/>".to_owned(),
    ]
    .concat();
    let spine = "<itemref idref=\"a\"/><itemref idref=\"b\"/>";
    let cover = page("<svg:svg><svg:image xlink:href=\"../i/z%20z.png\"/></svg:svg>");
    let cover = cover.replace("svg:", "");
    let text = page(
        "<p><img src=\"../i/a.png\" alt=\"An A\"/> <img src=\"../i/z%20z.png\" alt=\"Z\"/>\
         <img src=\"../i/missing.png\" alt=\"gone\"/> <img src=\"https://x.org/q.png\" alt=\"q\"/></p>",
    );
    let parts = [
        ("t/a.xhtml", &cover[..]),
        ("t/b.xhtml", &text),
        ("i/a.png", "A"),
        ("i/z z.png", "Z"),
        ("i/unused.png", "U"),
    ];
    let mut book = opened(book(&opf("", &manifest, spine), &parts));
    // The second chapter first: numbers do not depend on what is shown.
    assert_eq!(
        book.unit(1).text,
        "![An A](image:2) ![Z](image:1)![gone]() ![q](https://x.org/q.png)"
    );
    assert_eq!(book.unit(0).text, "![](image:1)");
    let image = |book: &mut dyn Document, number| book.image(number);
    assert_eq!(image(&mut *book, 1).as_deref(), Some(&b"Z"[..]));
    assert_eq!(image(&mut *book, 2).as_deref(), Some(&b"A"[..]));
    assert_eq!(image(&mut *book, 3).as_deref(), Some(&b"U"[..]));
    assert_eq!(image(&mut *book, 0), None);
    assert_eq!(image(&mut *book, 4), None);
}

#[test]
fn links_inside_the_book_are_text() {
    let text = converted(
        "<p><a href=\"b.xhtml#x\">there</a> <a href=\"#y\">here</a> \
         <a href=\"https://x.org/(1)\">out</a> <a href=\"javascript:x\">no</a></p>",
    );
    assert_eq!(text, "there here [out](https://x.org/%281%29) no");
}

#[test]
fn footnotes_are_those_of_markdown() {
    let text = converted(
        "<p>Text<a epub:type=\"noteref\" href=\"a.xhtml#n1\">1</a> more\
         <a epub:type=\"noteref\" href=\"notes.xhtml#n9\">9</a>.</p>\
         <aside epub:type=\"footnote\" id=\"n1\"><p>The note. \
         <a epub:type=\"backlink\" href=\"#r\">back</a></p></aside>",
    );
    assert_eq!(text, "Text[^1] more[^9].\n\n[^1]: The note.");
}

#[test]
fn empty_elements_of_xhtml_end_at_once() {
    let text = converted(
        "<script src=\"x.js\"/><p><a id=\"p1\"/>one<span epub:type=\"pagebreak\">12</span> \
         <b/>two<![CDATA[ <3]]></p><div/><p>three</p>",
    );
    assert_eq!(text, "one two <3\n\nthree");
}

#[test]
fn declared_charset_is_used() {
    let opf = opf("", &item("a", "a.xhtml"), "<itemref idref=\"a\"/>");
    let mut page: Vec<u8> = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><p>".to_vec();
    page.extend(b"\xcf\xf0\xe8\xe2\xe5\xf2</p>");
    let parts: [(&str, &[u8]); 3] = [
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("OPS/book.opf", opf.as_bytes()),
        ("OPS/a.xhtml", &page),
    ];
    assert_eq!(opened(package(&parts)).unit(0).text, "Привет");
}

#[test]
fn missing_documents_leave_the_pages() {
    let pages: [(&str, &[u8]); 3] = [
        ("x/c10.html", b"<h1>Ten</h1>"),
        ("x/c9.html", b"<p>nine</p>"),
        ("x/c.css", b"p {}"),
    ];
    let mut book = opened(package(&pages));
    assert_eq!(names(&*book), ["", "Ten"]);
    assert_eq!(book.unit(0).text, "nine");
    assert_eq!(book.notes().len(), 2, "{:?}", book.notes());
    // A spine that names nothing that exists.
    let opf = opf("", &item("a", "gone.xhtml"), "<itemref idref=\"a\"/>");
    let mut book = opened(super::tests::book(&opf, &[("b.xhtml", "<p>b</p>")]));
    assert_eq!(book.unit(0).text, "b");
    assert!(book.notes().iter().any(|it| it.contains("no chapter")));
    assert!(open(package(&[("a.txt", b"x")])).is_err());
    assert!(open(b"PK no zip".to_vec()).is_err());
}

#[test]
fn missing_chapter_keeps_its_place() {
    let manifest = [item("a", "gone.xhtml"), item("b", "b.xhtml")].concat();
    let spine = "<itemref idref=\"a\"/><itemref idref=\"none\"/><itemref idref=\"b\"/>";
    let mut book = opened(book(&opf("", &manifest, spine), &[("b.xhtml", "<p>b</p>")]));
    assert_eq!(
        book.notes(),
        [
            "The chapter `OPS/gone.xhtml` is missing.",
            "The manifest does not list one of the chapters.",
        ]
    );
    assert_eq!(book.unit(0).notes.len(), 1);
    assert_eq!(book.unit(1).text, "b");
}

/// Builds a book whose parts are listed as encrypted with an algorithm.
fn encrypted(algorithm: &str, addresses: &[&str]) -> Vec<u8> {
    let manifest = [item("a", "a.xhtml"), item("b", "b.xhtml")].concat();
    let spine = "<itemref idref=\"a\"/><itemref idref=\"b\"/>";
    let opf = opf("", &manifest, spine);
    let list: String = addresses
        .iter()
        .map(|address| {
            format!(
                "<enc:EncryptedData><enc:EncryptionMethod Algorithm=\"{algorithm}\"/>\
                 <enc:CipherData><enc:CipherReference URI=\"{address}\"/></enc:CipherData>\
                 </enc:EncryptedData>"
            )
        })
        .collect();
    let list = format!("<encryption>{list}</encryption>");
    package(&[
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("META-INF/encryption.xml", list.as_bytes()),
        ("OPS/book.opf", opf.as_bytes()),
        ("OPS/a.xhtml", b"<h1>a</h1>"),
        ("OPS/b.xhtml", b"<h1>b</h1>"),
    ])
}

#[test]
fn encrypted_chapters_are_not_shown() {
    const AES: &str = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";
    let all = encrypted(AES, &["OPS/a.xhtml", "OPS/b.xhtml"]);
    assert_eq!(open(all).err(), Some(Error::Encrypted));
    let mut book = opened(encrypted(AES, &["OPS/a.xhtml"]));
    assert_eq!(names(&*book), ["", "b"]);
    assert_eq!(book.unit(0).text, "");
    assert_eq!(
        book.unit(0).notes,
        ["The chapter is encrypted and is not shown."]
    );
    let fonts = "http://www.idpf.org/2008/embedding";
    let mut book = opened(encrypted(fonts, &["OPS/a.xhtml"]));
    assert_eq!(book.unit(0).text, "# a");
}

#[test]
fn cut_books_are_read_up_to_the_cut() {
    let manifest = [item("a", "a.xhtml"), item("b", "b.xhtml")].concat();
    let spine = "<itemref idref=\"a\"/><itemref idref=\"b\"/>";
    let text = page("<p>some text</p>");
    let opf = opf("<dc:title>T</dc:title>", &manifest, spine);
    let bytes = book(&opf, &[("a.xhtml", &text), ("b.xhtml", &text)]);
    let mut shown = 0;
    for length in 0..bytes.len() {
        if let Ok(mut book) = open(bytes[..length].to_vec()) {
            let count = book.facts().list.len();
            let texts = (0..count).map(|index| book.unit(index).text);
            shown += usize::from(texts.collect::<String>().contains("some text"));
        }
    }
    assert!(shown > 300, "{shown}");
}

#[test]
fn repeated_items_of_the_spine_are_one_chapter() {
    let spine = "<itemref idref=\"a\"/>".repeat(1000);
    let opf = opf("", &item("a", "a.xhtml"), &spine);
    let book = opened(book(&opf, &[("a.xhtml", "<p>x</p>")]));
    assert_eq!(book.facts().list.len(), 1);
}

#[test]
fn fallbacks_may_be_a_circle() {
    let manifest = "<item id=\"a\" href=\"a.bin\" media-type=\"x/y\" fallback=\"b\"/>\
        <item id=\"b\" href=\"b.bin\" media-type=\"x/y\" fallback=\"a\"/>";
    let opf = opf("", manifest, "<itemref idref=\"a\"/>");
    let mut book = opened(book(&opf, &[("a.bin", "x"), ("b.bin", "y")]));
    let unit = book.unit(0);
    assert_eq!(unit.text, "");
    assert_eq!(
        unit.notes,
        ["The chapter has the format `x/y`, which is not supported."]
    );
}

#[test]
fn deep_markup_is_shown() {
    let depth = 100_000;
    let body = format!("{}deep{}", "<div>".repeat(depth), "</div>".repeat(depth));
    assert!(converted(&body).contains("deep"));
}

#[test]
fn chapters_end_at_a_limit_on_their_bytes() {
    let manifest: String = (0..8)
        .map(|n| item(&format!("c{n}"), &format!("c{n}.xhtml")))
        .collect();
    let spine: String = (0..8)
        .map(|n| format!("<itemref idref=\"c{n}\"/>"))
        .collect();
    // A comment is quick to convert.
    let long = page(&format!("<p>text</p><!--{}-->", " ".repeat(1 << 20)));
    let names: Vec<String> = (0..8).map(|n| format!("c{n}.xhtml")).collect();
    let parts: Vec<(&str, &str)> = names
        .iter()
        .map(|it| (it.as_str(), long.as_str()))
        .collect();
    let mut book = opened(book(&opf("", &manifest, &spine), &parts));
    for index in 0..4 {
        assert_eq!(book.unit(index).text, "text", "{index}");
    }
    let unit = book.unit(4);
    assert_eq!(unit.text, "");
    assert_eq!(
        unit.notes,
        ["The chapters before this one have more than 4 MB. It is shown if it is read alone."]
    );
}

#[test]
fn table_of_contents_among_the_chapters_is_left_out_with_a_note() {
    let list = "<nav epub:type=\"toc\"><h1>Contents</h1><ol><li><a href=\"a.xhtml\">1 One</a></li>\
        <li><a href=\"b.xhtml\">Two</a></li></ol></nav>";
    let manifest = [
        "<item id=\"n\" href=\"n.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>",
        &item("a", "a.xhtml"),
        &item("b", "b.xhtml"),
    ]
    .concat();
    let spine = "<itemref idref=\"n\"/><itemref idref=\"a\"/><itemref idref=\"b\"/>";
    let unit = |list: &str| {
        let parts = [
            ("n.xhtml", &page(list)[..]),
            ("a.xhtml", &page("<h1>1 One</h1><p>x</p>")),
            ("b.xhtml", &page("<h1>Two</h1><p>y</p>")),
        ];
        opened(book(&opf("", &manifest, spine), &parts)).unit(0)
    };
    let left_out = unit(list);
    assert_eq!(left_out.text, "");
    assert_eq!(
        left_out.notes,
        [
            "The table of contents is left out. It repeats the names of the chapters, and the member \
          `OPS/n.xhtml` has its text."
        ]
    );
    let more = format!("{list}<p>About this book.</p><p>Its author.</p>");
    assert!(unit(&more).text.starts_with("# Contents"));
}

#[test]
fn headings_of_books_without_them_are_known_by_the_sizes_of_style_sheets() {
    let manifest = [
        "<item id=\"s\" href=\"s.css\" media-type=\"text/css\"/>",
        &item("a", "a.xhtml"),
    ]
    .concat();
    let text = "The text of the chapter, of which there is more than of its headings.";
    let chapter = page(&format!(
        "<p><span class=\"h\">Part</span></p><p class=\"t\">{text}</p><p><span class=\"k\">Same</span></p>\
         <p>{text}</p><p><span class=\"k\">Same</span></p><p>{text}</p>"
    ));
    let parts = [
        (
            "s.css",
            ".h { font-size: 18pt } .t { font-size: 12pt } .k { font-size: 14pt }",
        ),
        ("a.xhtml", &chapter[..]),
    ];
    let spine = "<itemref idref=\"a\"/>";
    assert_eq!(
        opened(book(&opf("", &manifest, spine), &parts))
            .unit(0)
            .text,
        format!("# Part\n\n{text}\n\n## Same\n\n{text}\n\n## Same\n\n{text}")
    );
}
