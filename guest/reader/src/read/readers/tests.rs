use super::*;
use crate::dialects::Dialect;
use crate::encoding;
use crate::pages::Input;
use crate::sniff::{self, Hints};
use crate::world::Bytes;
use omniread_options::Options;

/// The names of the readers that a dialect tries for these bytes, in order.
fn tried(dialect: Dialect, name: &str, bytes: &[u8], selector: &str) -> String {
    let selector = match selector {
        "" => Selector::NONE,
        selector => Selector::parse(selector).unwrap().unwrap(),
    };
    let mut source = Bytes::new(bytes.to_vec());
    let mut input = Input::new(&mut source, None).unwrap();
    let hints = Hints {
        name,
        ..Hints::default()
    };
    let detected = sniff::sniff(&mut input, None, None, hints);
    let style = dialect.style(&Options::default());
    let nul = || encoding::has_nul(&input);
    let names = readers(&detected, nul, &selector, &style).into_iter();
    let names = names.map(|reader| match reader {
        Reader::Document(document) => document.word(),
        Reader::Attachment(_) => "attachment",
        Reader::Image(_, None) => "image",
        Reader::Image(_, Some(_)) => "drawing",
        Reader::Binary => "binary",
        Reader::Text => "text",
    });
    names.collect::<Vec<_>>().join(", ")
}

#[test]
fn kind_selector_and_dialect_decide_the_readers() {
    let png: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let (pdf, svg, json): (&[u8], &[u8], &[u8]) = (b"%PDF-1.7\n", b"<svg/>", b"{}");
    let utf16: &[u8] = b"\xff\xfea\0b\0";
    let word_binary = "Word document, binary";
    let compound: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0";
    for (name, bytes, selector, omp, gateway, comma, gemini, claude) in [
        (
            "a.txt",
            &b"text"[..],
            "",
            "text",
            "text",
            "text",
            "text",
            "text",
        ),
        (
            "a.png",
            png,
            "",
            "image, binary",
            "image, binary",
            "binary",
            "image, binary",
            "image, binary",
        ),
        (
            "a.png", png, "raw", "text", "text", "binary", "text", "text",
        ),
        (
            "a.pdf",
            pdf,
            "",
            "PDF document, binary",
            "attachment, binary",
            "binary",
            "PDF document, binary",
            "PDF document, binary",
        ),
        (
            "a.pdf",
            pdf,
            "raw",
            "PDF document, text",
            "text",
            "binary",
            "PDF document, text",
            "PDF document, text",
        ),
        (
            "a.svg",
            svg,
            "",
            "text",
            "text",
            "text",
            "text",
            "drawing, text",
        ),
        (
            "a.svg",
            svg,
            "img",
            "drawing, text",
            "drawing, text",
            "text",
            "drawing, text",
            "drawing, text",
        ),
        ("a.svg", svg, "1-2", "text", "text", "text", "text", "text"),
        (
            "a.ipynb",
            json,
            "",
            "notebook, text",
            "text",
            "text",
            "text",
            "notebook, text",
        ),
        (
            "a.ipynb", json, "raw", "text", "text", "text", "text", "text",
        ),
        (
            "a.json",
            json,
            "cell:0",
            "notebook, text",
            "notebook, text",
            "notebook, text",
            "notebook, text",
            "notebook, text",
        ),
        (
            "a.txt", utf16, "", "text", "binary", "binary", "text", "text",
        ),
        (
            "a.docx",
            compound,
            "",
            word_binary,
            "binary",
            "binary",
            word_binary,
            word_binary,
        ),
        (
            "a.docx",
            compound,
            "image:2",
            word_binary,
            word_binary,
            word_binary,
            word_binary,
            word_binary,
        ),
        (
            "a.bin",
            b"\x01\x02\0",
            "",
            "binary",
            "binary",
            "binary",
            "binary",
            "binary",
        ),
    ] {
        // `opencode` passes on the same files as `gateway`.
        for (dialect, expected) in [
            (Dialect::Omp, omp),
            (Dialect::Gateway, gateway),
            (Dialect::Comma, comma),
            (Dialect::Gemini, gemini),
            (Dialect::Claude, claude),
            (Dialect::OpenCode, gateway),
        ] {
            let found = tried(dialect, name, bytes, selector);
            assert_eq!(found, expected, "{dialect:?}: {name}:{selector}");
        }
    }
}
