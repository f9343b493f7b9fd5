//! Pages after <https://github.com/rust-lang/docs.rs/tree/main/templates/crate> (`source.html`), and pages of
//! rustdoc (<https://doc.rust-lang.org/rustdoc/>).

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::service::Fault;

const SOURCE: &str = "https://docs.rs/crate/tiny/1.2.0/source/src/lib.rs";

pub fn cases() -> Vec<Case> {
    vec![
        Case {
            url: SOURCE,
            json: vec![],
            html: vec![(
                SOURCE,
                "<ul><li>Cargo.toml</li></ul><pre id=\"line-numbers\">1\n2\n3</pre>\
                 <pre><code>fn a() -&gt; u8 {\n    b\"&amp;lt;\"[0]\n}\n</code></pre>",
            )],
        },
        Case {
            url: "https://docs.rs/tiny/latest/src/tiny/lib.rs.html#2-3",
            json: vec![],
            html: vec![(
                "https://docs.rs/tiny/latest/src/tiny/lib.rs.html",
                "<pre class=\"rust\"><code><a href=#1 id=1 data-nosnippet>1</a><span class=\"kw\">fn </span>a() {\n\
                 <a href=#2 id=2 data-nosnippet>2</a>    <a href=\"../b.html\">b</a>()\n\
                 <a href=#3 id=3 data-nosnippet>3</a>}\n</code></pre>",
            )],
        },
    ]
}

#[test]
fn source_has_no_line_numbers() {
    let (page, _) = cases()[0].page();
    let expected =
        "# tiny 1.2.0: src/lib.rs\n\n```rust\nfn a() -> u8 {\n    b\"&lt;\"[0]\n}\n```\n";
    assert_eq!(page.markdown, expected);
    assert!(page.notes.is_empty());
}

#[test]
fn lines_of_the_fragment_are_shown() {
    let (page, _) = cases()[1].page();
    assert_eq!(
        page.markdown,
        "# tiny latest: tiny/lib.rs\n\n```rust\n    b()\n}\n```\n"
    );
    let note = "Only the lines 2 to 3 are shown. The URL without them is the file.";
    assert_eq!(page.notes, [note]);
}

#[test]
fn lines_after_the_end_whole_file_is_shown() {
    let page = page(&format!("{SOURCE}#L9-L12"), &mut cases()[0].service());
    assert!(page.markdown.contains("fn a()"), "{}", page.markdown);
    assert_eq!(page.notes, ["There is no line 9: the whole file is shown."]);
}

#[test]
fn page_without_a_file_or_a_fault_is_wrong() {
    for html in ["", "<pre>", "<pre>1\n2</pre>", "no file"] {
        let mut service = Canned::default().body(SOURCE, "text/html", html.as_bytes());
        let wrong = Fault::Wrong("a page without a file".to_owned());
        assert_eq!(found(SOURCE, &mut service), Some(Err(wrong)), "{html}");
    }
    let missing = Fault::Missing(SOURCE.to_owned());
    assert_eq!(found(SOURCE, &mut Canned::default()), Some(Err(missing)));
}

#[test]
fn other_pages_are_not_handled() {
    unknown(&[
        "https://docs.rs/",
        "https://docs.rs/tiny",
        "https://docs.rs/tiny/latest/tiny/struct.Tiny.html",
        "https://docs.rs/crate/tiny/latest",
        "https://docs.rs/crate/tiny/latest/source/",
        "https://docs.rs/crate/tiny/latest/source/src/",
        "https://docs.rs/tiny/latest/src/tiny/lib.rs",
    ]);
}
