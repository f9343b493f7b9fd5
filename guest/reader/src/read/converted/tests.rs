use crate::answer::{Body, Text};
use crate::dialects::{Block, Dialect, Refused, Reply};
use crate::limits;
use crate::world::memory::MemoryWorld;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use omniread_options::{ImageOptions, Options};
use serde_json::{Value, json};
use std::io::Write as _;

fn world(path: &str, content: impl Into<Vec<u8>>) -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file(path, content).images = Some(0);
    world
}

fn call(
    dialect: Dialect,
    world: &mut MemoryWorld,
    path: &str,
    options: &Options,
) -> Result<Reply, Refused> {
    dialect.read(path, options, world)
}

fn read(dialect: Dialect, world: &mut MemoryWorld, path: &str) -> Reply {
    call(dialect, world, path, &Options::default())
        .unwrap_or_else(|refused| panic!("{path}: {}", refused.text))
}

fn texts(reply: &Reply) -> Vec<&str> {
    let text = |block: &'_ Block| match block {
        Block::Text(_) | Block::Notice(_) => true,
        Block::Image(_) | Block::Attachment(_) => false,
    };
    let blocks = reply.blocks.iter().filter(|block| text(block));
    blocks
        .map(|block| match block {
            Block::Text(text) | Block::Notice(text) => text.as_str(),
            Block::Image(_) | Block::Attachment(_) => "",
        })
        .collect()
}

fn shown(reply: &Reply) -> String {
    texts(reply).join("\n")
}

fn images(reply: &Reply) -> usize {
    let image = |block: &&Block| matches!(block, Block::Image(_));
    reply.blocks.iter().filter(image).count()
}

fn text(reply: &Reply) -> &Text {
    match &reply.answer.body {
        Body::Text(text) => text,
        _ => panic!("no text"),
    }
}

/// A grey image, row by row without compression.
fn bitmap(width: u32, height: u32) -> Vec<u8> {
    let row = (width * 3).div_ceil(4) * 4;
    let size = row * height;
    let mut bytes = b"BM".to_vec();
    for number in [size + 54, 0, 54, 40, width, height] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([1, 0, 24, 0]);
    for number in [0, size, 2835, 2835, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(std::iter::repeat_n(0x80, size as usize));
    bytes
}

fn image(bytes: &[u8]) -> Value {
    json!({"output_type": "display_data", "data": {"image/bmp": STANDARD.encode(bytes)}})
}

fn code(source: &str, outputs: &[Value]) -> Value {
    json!({"cell_type": "code", "source": source, "outputs": outputs})
}

fn notebook(cells: &[Value]) -> String {
    json!({"cells": cells}).to_string()
}

#[test]
fn every_image_has_a_line_that_reaches_it() {
    let one = image(&bitmap(2, 2));
    let mut world = world("a.ipynb", notebook(&[code("x", &vec![one; 25])]));
    let omp = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&omp), limits::DOCUMENT_IMAGES);
    let lines = shown(&omp);
    assert_eq!(lines.matches("[Image output: image/bmp, 70B]").count(), 25);
    let note = "10 of the 25 images on this page are shown; ask for the line of another, such as :cell:0:17";
    assert_eq!(omp.answer.notes, [note]);
    let next = read(Dialect::Omp, &mut world, "a.ipynb:cell:0:17");
    assert_eq!(images(&next), limits::DOCUMENT_IMAGES);
    assert!(next.answer.notes[0].ends_with(":cell:0:27"));
    let last = read(Dialect::Omp, &mut world, "a.ipynb:cell:0:-1");
    assert_eq!((images(&last), last.answer.notes.len()), (1, 0));
    let claude = read(Dialect::Claude, &mut world, "a.ipynb");
    assert!(claude.answer.notes[0].ends_with("such as :20"));
    // Who takes one text gets them behind it.
    let gateway = read(Dialect::Gateway, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&gateway), limits::DOCUMENT_IMAGES);
    assert!(
        matches!(&*gateway.blocks, [Block::Text(frame), Block::Image(_), ..]
        if frame.contains("[Image output: image/bmp, 70B]\n") && frame.contains("</file>"))
    );
}

#[test]
fn images_take_so_much_time() {
    let one = image(&bitmap(2, 2));
    let mut world = world("a.ipynb", notebook(&[code("x", &vec![one; 9])]));
    world.images = Some(limits::DOCUMENT_IMAGE_MILLIS / 2);
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&reply), 3);
    assert!(reply.answer.notes[0].starts_with("3 of the 9 images"));
}

#[test]
fn failures_are_tried_and_told() {
    let outputs = |data: &str| json!({"output_type": "display_data", "data": {"image/png": data}});
    let mut all = vec![outputs("!!!"), outputs("AAAA")];
    all.resize(20, outputs("AAAA"));
    all.push(image(&bitmap(2, 2)));
    let mut world = world("a.ipynb", notebook(&[code("x", &all)]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    let words = shown(&reply);
    assert!(words.contains(
        "[Image output: image/png, 2B]\n[not shown: it is no base64]\n[Image output: image/png, 3B]\n[not shown: it is not an image]\n"
    ));
    let tried = words.matches("[not shown: ").count();
    assert_eq!(tried, limits::DOCUMENT_IMAGES);
    assert!(reply.answer.notes[0].starts_with("0 of the 21 images"));
}

#[test]
fn what_was_made_smaller_is_told() {
    let cell = code("x", &[image(&bitmap(4000, 8)), image(&bitmap(2, 2))]);
    let mut world = world("a.ipynb", notebook(&[cell]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    let words = shown(&reply);
    assert_eq!(images(&reply), 2);
    assert!(
        words.contains("[Image output: image/bmp, 93.8KB]\n[BMP image, 4000x8, 93.8KB; shown at "),
        "{words}"
    );
    assert!(words.contains("multiply coordinates by "));
    // One that only became another format needs no words.
    assert_eq!(words.matches("shown ").count(), 1, "{words}");
}

#[test]
fn images_that_are_too_large_are_not_decoded() {
    let mut large = bitmap(2, 2);
    large.resize(usize::try_from(limits::IMAGE_BYTES).unwrap() + 1, 0);
    let mut world = world("a.ipynb", notebook(&[code("x", &[image(&large)])]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&reply), 0);
    assert!(shown(&reply).contains("20.0MB]\n[not shown: larger than 20.0MB]"));
}

#[test]
fn who_takes_no_images_is_told() {
    let cell = code("x", &[image(&bitmap(2, 2))]);
    let mut world = world("a.ipynb", notebook(&[cell]));
    let gemini = read(Dialect::Gemini, &mut world, "/ws/a.ipynb:cell:0");
    let note = "images in documents are not shown in this form of reply";
    assert_eq!(
        (images(&gemini), &*gemini.answer.notes),
        (0, &[note.to_owned()][..])
    );
    let options = Options {
        image: ImageOptions {
            metadata: true,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    let described = call(Dialect::Omp, &mut world, "a.ipynb:cell:0", &options).unwrap();
    let note = "images are not shown: they were only to be described";
    assert_eq!(
        (images(&described), &*described.answer.notes),
        (0, &[note.to_owned()][..])
    );
    assert!(
        read(Dialect::Comma, &mut world, "a.ipynb:cell:0")
            .answer
            .notes[0]
            .starts_with("exact text")
    );
}

#[test]
fn what_stands_behind_a_line_stands_where_it_starts() {
    let long = "é".repeat(200_000);
    let cells = [
        code(&format!("a\n{long}"), &[json!({})]),
        code("b\n", &[json!({})]),
    ];
    let mut world = world("a.ipynb", notebook(&cells));
    let mut path = Some("a.ipynb".to_owned());
    let mut seen = String::new();
    while let Some(next) = path {
        let page = read(Dialect::Omp, &mut world, &next);
        assert!(
            text(&page)
                .asides
                .iter()
                .all(|aside| text(&page).page.lines[aside.index].column == 1)
        );
        seen.push_str(&shown(&page));
        path = page.answer.next();
    }
    assert_eq!(
        seen.matches("[1 output; read :cell:0 to see it]").count(),
        1
    );
    assert_eq!(
        seen.matches("[1 output; read :cell:1 to see it]").count(),
        1
    );
    // From the end as well, where an empty last line is none.
    let tail = read(Dialect::Omp, &mut world, "a.ipynb:-1");
    assert!(
        shown(&tail).ends_with("]\n5:b\n[1 output; read :cell:1 to see it]"),
        "{}",
        shown(&tail)
    );
}

#[test]
fn what_is_packed_is_not_edited() {
    let json = notebook(&[code("x\ny\nz\n1\n2\n3", &[])]);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(json.as_bytes()).unwrap();
    let mut world = world("a.ipynb.GZ", packed.finish().unwrap());
    let reply = read(Dialect::Omp, &mut world, "a.ipynb.GZ:2-2");
    assert_eq!(text(&reply).tag, None);
    assert!(shown(&reply).starts_with("x\n\n"), "{}", shown(&reply));
    world.file("b.ipynb", json);
    let reply = read(Dialect::Omp, &mut world, "b.ipynb:2-2");
    assert!(
        shown(&reply).contains("]\n1:# %% [code] cell:0\n2:x\n3:y\n"),
        "{}",
        shown(&reply)
    );
}

#[test]
fn what_is_none_is_shown_as_what_it_is() {
    let mut world = world("a.ipynb", bitmap(2, 2));
    world.file("b.ipynb", "text");
    world.file("c.py", "text");
    world.file("d.ipynb", notebook(&[]));
    let image = read(Dialect::Omp, &mut world, "a.ipynb");
    assert_eq!(
        image.answer.notes,
        ["the file is named like a notebook, but is not one"]
    );
    assert_eq!(images(&image), 1);
    let words = read(Dialect::Omp, &mut world, "b.ipynb")
        .answer
        .notes
        .remove(0);
    assert!(words.ends_with("; it is shown as the text that it is"));
    let empty = read(Dialect::Omp, &mut world, "d.ipynb");
    assert!(shown(&empty).ends_with("[notebook without cells]"));
    for (path, hint) in [
        ("c.py:cell:0", "leave out `:cell:0` to read it as it is"),
        ("a.ipynb:cell:0", "leave out `:cell:0` to read it as it is"),
        ("d.ipynb:cell:0", "cells are counted from 0"),
    ] {
        let refused = call(Dialect::Omp, &mut world, path, &Options::default());
        assert_eq!(
            refused.unwrap_err().failure.hint.as_deref(),
            Some(hint),
            "{path}"
        );
    }
}

/// A damaged stream is noted with a notebook as it is with a text.
#[test]
fn damage_is_noted() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(notebook(&[code("x", &[])]).as_bytes())
        .unwrap();
    let mut bytes = gzip.finish().unwrap();
    let sum = bytes.len() - 8;
    bytes[sum] ^= 1;
    let mut world = world("a.ipynb.gz", bytes.clone());
    let reply = read(Dialect::Omp, &mut world, "a.ipynb.gz");
    assert!(shown(&reply).contains("# %% [code] cell:0"));
    let notes = reply.answer.notes.join("; ");
    assert!(notes.contains("corrupt gzip stream"), "{notes}");
    // Of one that ends too early there is no cell, and the failure says why.
    bytes.truncate(30);
    world.file("b.ipynb.gz", bytes);
    let refused = call(
        Dialect::Omp,
        &mut world,
        "b.ipynb.gz:cell:0",
        &Options::default(),
    );
    let message = refused.unwrap_err().failure.message;
    assert!(
        message.contains("not JSON") && message.contains("gzip"),
        "{message}"
    );
}

/// A session compares the tag that was shown with that of the file as it is now, and
/// gets no lines of a text that is not edited.
#[test]
fn tag_is_that_of_the_text_that_is_edited() {
    let mut world = world("a.ipynb", notebook(&[code("x", &[]), code("y", &[])]));
    let shown_tag = text(&read(Dialect::Omp, &mut world, "a.ipynb")).tag.clone();
    let state = crate::current("a.ipynb", true, &mut world).unwrap();
    assert!(shown_tag.is_some());
    assert_eq!(state.stamp.unwrap().tag, shown_tag);
    assert!(!world.snapshots.pop().unwrap().shown.is_empty());
    for other in ["a.ipynb:cell:0", "a.ipynb:raw"] {
        read(Dialect::Omp, &mut world, other);
        let snapshot = world.snapshots.pop().unwrap();
        assert_eq!(
            (snapshot.tag, snapshot.shown),
            (None, Vec::new()),
            "{other}"
        );
    }
    // Without a tag, the lines are the same, and so are those of the JSON where that is
    // what a dialect shows.
    let plain = Options {
        hashlines: false,
        ..Options::default()
    };
    call(Dialect::Omp, &mut world, "a.ipynb", &plain).unwrap();
    assert!(!world.snapshots.pop().unwrap().shown.is_empty());
    read(Dialect::Gemini, &mut world, "/ws/a.ipynb");
    assert!(!world.snapshots.pop().unwrap().shown.is_empty());
}

#[test]
fn lines_after_the_end_are_those_of_the_units() {
    let mut world = world("a.ipynb", notebook(&[code("x", &[]), code("y", &[])]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:1:50");
    let notice = "[Line 50 is beyond end of cell:1 (4 lines total). Use :cell:1:1 to read from the start, or :cell:1:4 to read the last line.]";
    assert_eq!(shown(&reply), notice);
    let claude = read(Dialect::Claude, &mut world, "/ws/a.ipynb:cell:1:50");
    assert!(shown(&claude).contains(":cell:1:4 to read the last line"));
    let gemini = read(Dialect::Gemini, &mut world, "/ws/a.ipynb:cell:1:50");
    assert!(shown(&gemini).contains("[line 50 is past the end: cell:1 has 4 lines]"));
    for (dialect, path) in [
        (Dialect::Omp, "a.ipynb:cell:1:2,50-60"),
        (Dialect::Gateway, "/ws/a.ipynb:cell:1:2,50-60"),
    ] {
        let reply = read(dialect, &mut world, path);
        let skipped = "[Range 50-60 is beyond end of cell:1 (4 lines total); skipped]";
        assert!(shown(&reply).contains(skipped), "{}", shown(&reply));
    }
}

#[test]
fn other_formats_named_like_a_notebook_are_noted() {
    for content in ["<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.4\n"] {
        let mut world = world("a.ipynb", content);
        let reply = read(Dialect::Omp, &mut world, "a.ipynb");
        let notes = &reply.answer.notes;
        assert!(
            notes.contains(&"the file is named like a notebook, but is not one".to_owned()),
            "{content}: {notes:?}"
        );
    }
}
