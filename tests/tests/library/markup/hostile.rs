//! Hostile and damaged markup: each reply comes, is short, and states what was left out.

use omniread::{Reply, Session};
use omniread_tests::{DIALECTS, Workspace, text};
use std::fmt::Write as _;

/// The maximum number of bytes of the text of one reply. A page has 300 lines.
const REPLY_BYTES: usize = 256 * 1024;

/// The largest file that is converted.
const CONVERTED_BYTES: usize = 32 << 20;

/// The first page of the converted form. Its length is checked.
fn read(session: &Session, path: &str) -> Reply {
    match session.read(path) {
        Ok(reply) => {
            let length = reply.text().len();
            assert!(length <= REPLY_BYTES, "{path}: {length}");
            reply
        }
        Err(failure) => panic!("{path}: {}", failure.message),
    }
}

/// Reads the converted form of a file with this content. The reply must contain `shown` and, unless
/// `note` is empty, a note that contains `note`.
#[track_caller]
fn check(name: &str, content: impl AsRef<[u8]>, shown: &str, note: &str) {
    let workspace = Workspace::new();
    workspace.file(name, content);
    let session = workspace.session();
    let mut paths = vec![format!("{name}:")];
    if name == "page.html" {
        paths.push(format!("{name}:full"));
    }
    for path in paths {
        let reply = read(&session, &path);
        let start: String = reply.text().chars().take(500).collect();
        assert!(reply.text().contains(shown), "{path}: {start}");
        let notes = &reply.details.notes;
        let has_note = note.is_empty() || notes.iter().any(|one| one.contains(note));
        assert!(has_note, "{path}: {notes:?}");
    }
}

#[test]
fn nested_elements_beyond_the_limit_are_noted() {
    let note = "elements are nested more than 256 deep; deeper ones follow each other";
    for element in [
        "<div>",
        "<b>",
        "<ul><li>",
        "<table><tr><td>",
        "<svg>",
        "<font>",
    ] {
        let html = format!("<!DOCTYPE html>{}the text", element.repeat(100_000));
        check("page.html", html, "the text", note);
    }
}

#[test]
fn tag_with_a_million_attributes_is_read() {
    let mut html = "<p ".to_owned();
    for n in 0..500_000 {
        let _ = write!(html, "a{n}=1 class=x ");
    }
    html.push_str(">the text");
    check("page.html", &html, "the text", "");
    // A tag without an end is not text.
    html.truncate(html.len() - ">the text".len());
    check("page.html", format!("<p>before</p>{html}"), "before", "");
}

#[test]
fn unclosed_elements_are_closed() {
    let tags = "<div><p><b><i><a href=x><table><tr><td><ul><li><h1><dl><dt><select><option>";
    let html = format!("<p>the text</p>{}", tags.repeat(5000));
    check("page.html", html, "the text", "");
}

#[test]
fn content_without_end_is_noted() {
    let page = |rest: &str| format!("<!DOCTYPE html><p>the text</p>{rest}");
    let cut = "a comment has no end; the rest of the page is left out";
    check("page.html", page("<!-- <p>rest"), "the text", cut);
    check("page.html", page("<![CDATA[ rest"), "the text", cut);
    check(
        "page.html",
        page("<plaintext><p>rest</p>"),
        "<p>rest</p>",
        "",
    );
    for name in ["script", "style", "title", "textarea"] {
        let note = format!("`<{name}>` has no end; the rest of the page is its content");
        check(
            "page.html",
            page(&format!("<{name}>rest<p>")),
            "the text",
            &note,
        );
    }
    for rest in ["<![CDATA[ rest", "<!-- rest", "<b x='rest", "<b>"] {
        let xml = format!("<?xml version='1.0'?><a>the text{rest}");
        check("x.xml", xml, "the text", "damaged XML: ");
    }
}

#[test]
fn cells_that_span_too_much_are_shown_once() {
    let row = "<tr><td colspan=65534 rowspan=65534>the text<td>b</tr>";
    let html = format!("<table><tr><th>a<th>b</tr>{}</table>", row.repeat(2000));
    check(
        "page.html",
        html,
        "the text",
        "some cells that span several columns or rows are shown once",
    );
}

#[test]
fn entities_are_not_expanded_without_limit() {
    let html = format!("<p>the text {}", "&amp;&bogus;&#x110000;& ".repeat(200_000));
    check("page.html", html, "the text", "");
    let mut xml = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e0 'lol'>\n".to_owned();
    for n in 1..20 {
        let _ = writeln!(
            xml,
            "<!ENTITY e{n} '{}'>",
            format!("&e{};", n - 1).repeat(10)
        );
    }
    xml.push_str("]><a><b>the text</b><c>&e19;</c></a>");
    let note = "is left out; its entities are not expanded";
    check("x.xml", &xml, "<c>&e19;</c>", note);
    let feed = xml.replace("<a><b>", "<rss version='2.0'><channel><title>");
    let feed = feed.replace("</b><c>&e19;</c></a>", " &e19;</title></channel></rss>");
    check("feed.xml", feed, "the text", "");
}

#[test]
fn page_with_nul_characters_is_converted() {
    let html = "<!DOCTYPE html>\0<title>T</title><p>the te\0xt <a href='a\0b'>link</a>\0";
    check(
        "page.html",
        html,
        "the text",
        "4 NUL characters are left out",
    );
    // The content decides without an extension.
    check("page", html, "the text", "4 NUL characters are left out");
    let late = format!("<p>the text</p>{}<p>a\0b", "<p>words</p>\n".repeat(2000));
    check("page.html", late, "the text", "1 NUL character is left out");
    let latin: &[u8] = b"<meta charset=iso-8859-2><p>\xb3\xf3\0d\xbc";
    check("page.html", latin, "łódź", "1 NUL character is left out");
    let xml = "<?xml version='1.0'?><a>the te\0xt</a>";
    check("x.xml", xml, "the text", "1 NUL character is left out");
    let feed = "<rss version='2.0'><channel><title>the te\0xt</title></channel></rss>";
    check("feed.xml", feed, "the text", "1 NUL character is left out");

    let workspace = Workspace::new();
    workspace
        .file("page.html", html)
        .file("other.html", b"<p>\0\x01\x02\x03".as_slice())
        .file("zeros.html", [0; 100])
        .file("notes.txt", "a\0b");
    let session = workspace.session();
    // The bare path shows a few NULs as escape sequences.
    assert_eq!(
        session.read("page.html").unwrap().details.kind.name(),
        "text"
    );
    for name in ["other.html", "zeros.html", "notes.txt"] {
        let failure = session.read(format!("{name}:")).unwrap_err();
        assert!(failure.message.contains("has no converted form"), "{name}");
    }
}

#[test]
fn mixed_encodings_are_read() {
    let mut bytes =
        b"<!DOCTYPE html><p>the text gr\xc3\xbc\xc3\x9fe na\xefve \x93\xfa</p>".to_vec();
    bytes.extend("<p>wide</p>".encode_utf16().flat_map(u16::to_le_bytes));
    // Bytes that are not UTF-8 decide for the encoding of the web, windows-1252.
    check("page.html", &bytes, "na\u{ef}ve", "");
    let utf8 = "<!DOCTYPE html><meta charset=shift_jis><p>gr\u{fc}\u{df}e";
    let note = "the declared encoding shift_jis is wrong: the text is UTF-8";
    check("page.html", utf8, "gr\u{fc}\u{df}e", note);
    for declared in [
        "utf-16",
        "shift_jis",
        "iso-2022-jp",
        "utf-7",
        "x-user-defined",
        "\0",
    ] {
        let head = format!("<meta charset='{declared}'>");
        check(
            "page.html",
            [head.as_bytes(), &bytes].concat(),
            "the text",
            "",
        );
        let head = format!("<?xml version='1.0' encoding='{declared}'?>");
        let xml = [head.as_bytes(), b"<a>the text \xff\xfe \x1b$B</a>"].concat();
        check("x.xml", xml, "the text", "");
    }
    // The second half of a code unit is missing.
    let mut wide = b"\xff\xfe".to_vec();
    wide.extend("<p>the text".encode_utf16().flat_map(u16::to_le_bytes));
    wide.push(b'x');
    check("page.html", wide, "the text", "");
}

#[test]
fn large_metadata_takes_linear_time() {
    // Quadratic work on these takes minutes.
    let names = "headline ".repeat(100_000);
    let words = "a_".repeat(500_000);
    let headings = format!("<h2>{}</h2>", "a ".repeat(2_000)).repeat(32);
    for head in [
        format!("<meta property=og:title content='{}'>", "&".repeat(1 << 20)),
        format!(
            "<div itemprop='{names}'>{}</div>",
            "<b></b>".repeat(100_000)
        ),
        format!("<title>{words}</title><h1>x</h1>{headings}"),
        format!(
            "<script type=application/ld+json>{{\"@type\":\"Article\",\"headline\":\"{words}\"}}</script>{headings}"
        ),
        format!(
            "<h1>x</h1><div class=byline>{}</div>",
            "<b>2012 a b c</b>".repeat(60_000)
        ),
        format!(
            "<style>{}</style>{}{}",
            (0..128)
                .map(|n| format!(".x{n} .a{{display:none}}"))
                .collect::<String>(),
            "<div>".repeat(250),
            "<p class=a>".repeat(100_000)
        ),
    ] {
        let html = format!("<!DOCTYPE html><p>the text</p>{head}");
        // A reply that takes longer than the time limit is an error.
        check("page.html", html, "", "");
    }
    let body = "word ".repeat(120_000);
    let item = format!("<content:encoded>{body}</content:encoded>").repeat(20);
    let feed = format!(
        "<rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel>\
         <title>the text</title><item><description>{body}</description>{item}</item></channel></rss>"
    );
    check("feed.xml", feed, "the text", "");
}

#[test]
fn dense_page_at_the_limit_is_converted() {
    let start = "<!DOCTYPE html><p>the text";
    let unit = "<i>x";
    let count = (CONVERTED_BYTES - start.len()) / unit.len();
    let mut html = format!("{start}{}", unit.repeat(count));
    html.push_str(&" ".repeat(CONVERTED_BYTES - html.len()));
    let workspace = Workspace::new();
    workspace.file("page.html", &html);
    let session = workspace.session();
    for path in ["page.html:", "page.html:full"] {
        let reply = read(&session, path);
        assert!(reply.text().contains("the text"));
        let note = "the page has too many elements; the rest is read as text";
        let notes = &reply.details.notes;
        assert!(notes.iter().any(|one| one.starts_with(note)), "{notes:?}");
    }
    html.push(' ');
    workspace.file("page.html", &html);
    let reply = read(&session, "page.html:full");
    let note = "an HTML page of more than 32.0MB is not converted; it is shown as plain text";
    assert!(reply.details.notes.iter().any(|one| *one == note));
}

#[test]
fn large_xml_is_indented_up_to_its_limits() {
    let deep = format!("<a>the text{}", "<a>".repeat(100_001));
    let note = "the elements are nested too deeply: from line 1 the document is not indented";
    check("x.xml", deep, "the text", note);
    let wide = |count: usize| format!("<a><b>the text</b>{}</a>", "<e/>".repeat(count));
    let workspace = Workspace::new();
    workspace.file("x.xml", wide(1_000_000));
    let reply = read(&workspace.session(), "x.xml::1-10");
    assert!(reply.text().contains("  <e/>\n  <e/>"), "{}", reply.text());
    assert!(reply.details.notes.is_empty(), "{:?}", reply.details.notes);
    let note = "from line 1 the document is not indented or checked";
    check("x.xml", wide(1 << 22), "the text", note);
}

#[test]
fn feed_shows_items_up_to_the_limit() {
    let items = |item: &str| vec![item; 1_000_000].join(",");
    let json = |items: &str| {
        let version = "https://jsonfeed.org/version/1.1";
        format!("{{\"version\":\"{version}\",\"title\":\"the text\",\"items\":[{items}]}}")
    };
    let note = "10000 of 1000000 items are shown";
    check("feed.json", json(&items("{}")), "the text", note);
    let value = |depth: usize| {
        let (start, end) = ("[".repeat(depth), "]".repeat(depth));
        json(&format!("{{\"title\":\"the item\",\"tags\":{start}{end}}}"))
    };
    check("feed.json", value(100_000), "the item", "");
    let note = "not a feed; it is shown as plain text";
    check("feed.json", json("{]"), "the text", note);
    let rss = |count: usize| {
        let items = "<item/>".repeat(count);
        format!("<rss version='2.0'><channel><title>the text</title>{items}</channel></rss>")
    };
    check(
        "feed.xml",
        rss(20_000),
        "the text",
        "10000 of 20000 items are shown",
    );
    check("feed.xml", rss(1 << 20), "the text", "elements");
}

#[test]
fn hidden_text_is_left_out_in_every_dialect() {
    let sentence = "A reader of the manual sees these words on the page. ".repeat(4);
    let visible = format!("<p>{sentence}</p>").repeat(5);
    let html = format!(
        "<!DOCTYPE html><style>.h {{display: none}}</style><article><h1>T</h1>{visible}\
         <p hidden>secret-1</p><p class=h>secret-2</p><p style='color:#fff'>secret-3</p>\
         <h2 id=more>More</h2>{visible}<p style='position:absolute;left:-9999px'>secret-4</p>\
         <div hidden><p id=inside>secret-5</p></div></article>"
    );
    let workspace = Workspace::new();
    workspace.file("page.html", html);
    let session = workspace.session();
    for dialect in DIALECTS {
        for (path, note) in [
            (
                "page.html:",
                "hidden text is left out: 5 elements, 40 characters",
            ),
            (
                "page.html:full",
                "hidden text is left out: 5 elements, 40 characters",
            ),
            (
                "page.html:#more",
                "hidden text is left out: 2 elements, 16 characters",
            ),
        ] {
            let reply = super::read(&session, dialect, path);
            assert!(!reply.text().contains("secret"), "{dialect:?}: {path}");
            assert!(reply.text().contains("A reader"), "{dialect:?}: {path}");
            let notes = &reply.details.notes;
            let has_note = notes.iter().any(|one| one.starts_with(note));
            assert!(has_note, "{dialect:?}: {path}: {notes:?}");
        }
        let reply = super::read(&session, dialect, "page.html:#inside");
        assert!(reply.text().contains("secret-5"), "{dialect:?}");
        let note = "this section is hidden on the page (attribute hidden)";
        assert!(reply.details.notes.iter().any(|one| *one == note));
    }
    // The note is a part of the reply.
    assert!(text(&session, "page.html:").contains("[hidden text is left out: 5 elements"));
}
