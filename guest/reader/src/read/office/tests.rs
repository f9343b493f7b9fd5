//! Documents in memory.

mod pdf;

use crate::answer::{Answer, Body};
use crate::dialects::Dialect;
use crate::path::UnitKind;
use crate::world::DocumentError;
use crate::world::memory::{MemoryDocument, MemoryWorld};
use omniread_document as document;
use omniread_options::Options;

/// A world with a document of slides. The second slide cannot be converted.
fn slides() -> MemoryWorld {
    let slide = |text: &str| {
        Ok(document::Unit {
            text: text.to_owned(),
            notes: Vec::new(),
            edges: [0, 0],
        })
    };
    let crashed = DocumentError::Failed("it crashed".to_owned());
    let document = MemoryDocument {
        facts: document::Facts {
            format: "Slides".to_owned(),
            metadata: vec![
                ("title".to_owned(), "The deck".to_owned()),
                ("secret".to_owned(), "x".to_owned()),
            ],
            units: Some(document::UnitKind::Slide),
            list: vec![document::UnitFacts::default(); 3],
        },
        notes: vec!["a note".to_owned()],
        units: vec![slide("one\n\n![a](image:1)"), Err(crashed), slide("three")],
        images: Vec::new(),
        ..MemoryDocument::default()
    };
    let mut world = MemoryWorld::new("/ws");
    world.document = Some(Ok(document));
    // The first bytes and the name of an encrypted document are those of a document.
    world.file(
        "deck.docx",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec(),
    );
    world
}

fn read(world: &mut MemoryWorld, path: &str) -> Answer {
    match Dialect::Omp.read(path, &Options::default(), world) {
        Ok(reply) => reply.answer,
        Err(failure) => panic!("{path}: {}", failure.text),
    }
}

fn text(answer: &Answer) -> String {
    match &answer.body {
        Body::Text(text) => text.page.plain(),
        body => panic!("{body:?}"),
    }
}

#[test]
fn units_are_converted_one_by_one() {
    let mut world = slides();
    let all = read(&mut world, "deck.docx");
    let shown = "<!-- slide 1 -->\n\none\n\n![a](deck.docx:image:1)\n\n<!-- slide 2 -->\n\n\
                 [Cannot read slide:2: the document engine failed: it crashed]\n\n\
                 <!-- slide 3 -->\n\nthree";
    assert_eq!(text(&all).trim_end(), shown);
    let missing = "`image:1` is not shown: it cannot be read";
    assert_eq!(all.notes, ["a note", missing]);
    let Body::Text(page) = &all.body else {
        panic!("text")
    };
    let facts = page.facts.as_ref().unwrap();
    assert_eq!(facts.units, Some((UnitKind::Slide, 3)));
    assert_eq!(facts.metadata, [("title", "The deck".to_owned())]);
    assert_eq!(facts.format, "Slides");
}

#[test]
fn document_that_cannot_be_read_has_the_reason() {
    for (error, reason) in [
        (
            Some(DocumentError::Encrypted),
            "it is encrypted, and the password, which `--password-file` sets, is missing or wrong",
        ),
        (
            Some(DocumentError::Unsupported("Word 6".to_owned())),
            "it uses Word 6, which is not supported",
        ),
        (
            Some(DocumentError::Exhausted("time".to_owned())),
            "it exceeds the limit `time`, which `--timeout` raises",
        ),
        (None, "the document engine failed: no engine"),
    ] {
        let mut world = slides();
        world.document = error.map(Err);
        for path in [
            "deck.docx",
            "deck.docx:7-9",
            "deck.docx:",
            "deck.docx:image:1",
        ] {
            let answer = read(&mut world, path);
            let expected = format!("[Cannot read .docx file: {reason}]\nWord document, 10B");
            assert_eq!(text(&answer).trim_end(), expected, "{path}");
        }
    }
}

#[test]
fn pictures_of_a_document_whose_bare_path_is_text_are_read() {
    let flat = "<?xml version='1.0'?><office:document office:mimetype=\"application/vnd.oasis.opendocument.presentation\"/>";
    let word = "<?xml version='1.0'?><w:wordDocument xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\"/>";
    for (name, content) in [
        ("m.eml", "From: a\nTo: b\nSubject: c\n\ntext"),
        ("a.fodp", flat),
        ("a.xml", word),
    ] {
        let mut world = slides();
        world.file(name, content);
        let path = format!("{name}:image:1");
        let failure = Dialect::Omp.read(&path, &Options::default(), &mut world);
        let text = failure.err().unwrap().text;
        assert!(text.contains("without `image:1`"), "{text}");
        if let Some(Ok(document)) = &mut world.document {
            document.images = vec![b"\0\x01\x02 bytes".to_vec()];
        }
        let answer = read(&mut world, &path);
        assert!(matches!(answer.body, Body::Binary(_)), "{path}");
    }
    let mut world = slides();
    world.file("a.txt", "text");
    let failure = Dialect::Omp.read("a.txt:image:1", &Options::default(), &mut world);
    assert!(failure.err().unwrap().text.contains("has no images"));
}
