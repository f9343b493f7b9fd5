//! PDF documents: labels of pages, attachments, notes.

use super::{read, text};
use crate::dialects::{Block, Dialect, RenderedFailure};
use crate::failure::Reason;
use crate::world::memory::{MemoryDocument, MemoryWorld};
use omniread_document as document;
use omniread_options::Options;

/// A world with a document of a page for each label. The pages have no text but their numbers, and
/// the note `note`.
fn pages(labels: &[&str], note: &str, attachments: &[&str]) -> MemoryWorld {
    let unit = |number: usize| {
        Ok(document::Unit {
            text: format!("text {number}"),
            notes: (!note.is_empty())
                .then(|| note.to_owned())
                .into_iter()
                .collect(),
            edges: [0, 0],
        })
    };
    let heading = |unit: usize| document::Outline {
        level: 1,
        title: format!("Part {unit}"),
        unit: Some(unit),
    };
    let mut world = MemoryWorld::new("/ws");
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            format: "PDF document".to_owned(),
            units: Some(document::UnitKind::Page),
            list: labels
                .iter()
                .map(|label| document::UnitFacts {
                    name: (*label).to_owned(),
                    hidden: false,
                })
                .collect(),
            ..document::Facts::default()
        },
        outline: (0..labels.len()).map(heading).collect(),
        units: (1..=labels.len()).map(unit).collect(),
        attachments: attachments
            .iter()
            .map(|name| ((*name).to_owned(), format!("in {name}").into_bytes()))
            .collect(),
        ..MemoryDocument::default()
    }));
    world.file("x.pdf", b"%PDF-1.7\n".to_vec());
    world
}

fn failure(world: &mut MemoryWorld, path: &str) -> RenderedFailure {
    match Dialect::Omp.read(path, &Options::default(), world) {
        Ok(reply) => panic!("{path}: {:?}", reply.blocks),
        Err(failure) => failure,
    }
}

#[test]
fn labels_are_shown_and_select_pages() {
    let forged = "a --> [b]";
    let mut world = pages(&["i", "ii", "3", "1", forged, "2", "2"], "", &[]);
    let all = text(&read(&mut world, "x.pdf"));
    for line in [
        "<!-- page 1 (i) -->",
        "<!-- page 2 (ii) -->",
        "<!-- page 3 -->",
        "<!-- page 4 (1) -->",
        "<!-- page 5 -->",
    ] {
        assert!(all.lines().any(|it| it == line), "{line}: {all}");
    }
    for (path, shown) in [
        ("x.pdf:page:ii", "text 2"),
        ("x.pdf:page:ii:3", "text 2"),
        // A number is never a label.
        ("x.pdf:page:1", "text 1"),
    ] {
        let found = text(&read(&mut world, path));
        assert!(found.trim_end().ends_with(shown), "{path}: {found}");
    }
}

#[test]
fn contents_have_the_labels() {
    let labels: Vec<String> = (0..200).map(|number| format!("A-{number}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut world = pages(&labels, "", &[]);
    let reply = Dialect::Omp.read("x.pdf", &Options::default(), &mut world);
    let Ok(reply) = reply else { panic!() };
    let Some(Block::Text(text)) = reply.blocks.first() else {
        panic!()
    };
    assert!(text.contains(":page:4 Part 3 (page A-3)\n"), "{text}");
}

#[test]
fn message_states_what_is_wrong_and_a_path_that_works() {
    let mut world = pages(&["i", "x", "x"], "", &[]);
    for (path, message, hint) in [
        (
            "x.pdf:page:iv",
            "`x.pdf` has no page `iv`",
            "it has 3 pages; `x.pdf:page:1` is the first one",
        ),
        (
            "x.pdf:page:x",
            "`x.pdf` has 2 pages with the label `x`",
            "it has 3 pages; `x.pdf:page:1` is the first one",
        ),
        (
            "x.pdf:page:1,3",
            "`x.pdf:page:1,3` is not a range of pages",
            "write one page as `x.pdf:page:1`, and several as `x.pdf:page:1-3`",
        ),
        (
            "x.pdf:page:2-3:img",
            "`x.pdf:page:2-3:img` selects an image of several pages",
            "an image shows one page, such as `x.pdf:page:2:img`",
        ),
    ] {
        let failure = failure(&mut world, path);
        assert_eq!(failure.text, format!("{message}\nhint: {hint}"), "{path}");
        assert!(matches!(failure.failure.reason, Reason::InvalidSelector(_)));
    }
    let none = failure(&mut world, "x.pdf:data.csv").text;
    let hint = "hint: `x.pdf` has no attachments; `x.pdf:page:1` reads a page, and `x.pdf:5-9` reads lines";
    assert!(none.ends_with(hint), "{none}");
    let mut world = pages(&["", ""], "", &["data.csv", "other.csv"]);
    let near = failure(&mut world, "x.pdf:dato.csv").text;
    assert!(near.contains("x.pdf:data.csv"), "{near}");
    let far = failure(&mut world, "x.pdf:zzzzzzzzzzzz").text;
    let hint = "hint: `x.pdf` has 2 attachments, such as `x.pdf:data.csv`, and none has this name; \
                `x.pdf:page:1` reads a page, and `x.pdf:5-9` reads lines";
    assert!(far.ends_with(hint), "{far}");
}

#[test]
fn note_names_attachments_by_paths_that_work() {
    let names = ["page:1", ":raw", "raw", "1-5", "y.txt", "a:b", "ü (2).txt"];
    let mut world = pages(&[""], "", &names);
    let notes = read(&mut world, "x.pdf").notes;
    let note = notes.iter().find(|note| note.contains("attachments"));
    let note = note.expect("a note");
    let paths: Vec<&str> = note.split('`').skip(1).step_by(2).collect();
    assert_eq!(paths.len(), names.len(), "{note}");
    for (path, name) in paths.iter().zip(names) {
        assert_eq!(
            text(&read(&mut world, path)),
            format!("in {name}"),
            "{path}"
        );
    }
    // A selector is not the name of an attachment.
    assert!(text(&read(&mut world, "x.pdf:page:1")).contains("text 1"));
    let mut world = pages(&[""], "", &["a.txt"]);
    assert_eq!(
        read(&mut world, "x.pdf").notes.last().map(String::as_str),
        Some("The file has an attachment: `x.pdf:a.txt` reads it.")
    );
}

#[test]
fn notes_of_engines_have_no_brackets_and_name_their_pages() {
    let mut world = pages(&["", ""], "The font is `a.] [b`.", &[]);
    let notes = read(&mut world, "x.pdf").notes;
    assert_eq!(notes, ["On pages 1-2, the font is `a.) (b`."]);
    let notes = read(&mut world, "x.pdf:page:2").notes;
    assert_eq!(notes, ["On page 2, the font is `a.) (b`."]);
}

#[test]
fn comma_shows_notes() {
    let mut world = pages(&["", ""], "There is no text.", &[]);
    let reply = Dialect::Comma.read("x.pdf:", &Options::default(), &mut world);
    let Ok(reply) = reply else { panic!() };
    let [Block::Text(json)] = reply.blocks.as_slice() else {
        panic!()
    };
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let expected = serde_json::json!(["On pages 1-2, there is no text."]);
    assert_eq!(json["data"]["notes"], expected);
}

#[test]
fn gateway_states_how_to_read_lines() {
    let mut world = pages(&["", ""], "", &[]);
    let arguments = r#"{"filePath": "/ws/x.pdf", "offset": 2}"#;
    let reply = Dialect::Gateway.call(arguments, &Options::default(), &mut world);
    let Ok(reply) = reply else { panic!() };
    let note = "`:3` was ignored, because the whole file is passed on; `/ws/x.pdf::3` reads these \
                lines of its text";
    assert_eq!(&*reply.notes[0], note);
    let lines = Dialect::Gateway.read("/ws/x.pdf::3", &Options::default(), &mut world);
    let Ok(lines) = lines else { panic!() };
    let Some(Block::Text(text)) = lines.blocks.first() else {
        panic!()
    };
    assert!(text.contains("text 1"), "{text}");
}
