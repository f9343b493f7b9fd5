use crate::answer::{Body, Text};
use crate::dialects::{Block, Dialect, RenderedFailure, Reply};
use crate::limits;
use crate::world::bitmap::bitmap;
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
) -> Result<Reply, RenderedFailure> {
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
fn images_beyond_the_limit_are_read_from_their_line() {
    let one = image(&bitmap(2, 2));
    let mut world = world("a.ipynb", notebook(&[code("x", &vec![one; 25])]));
    let omp = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&omp), limits::DOCUMENT_IMAGES);
    let lines = shown(&omp);
    assert_eq!(lines.matches("[Image output: image/bmp, 70B]").count(), 25);
    let note = "10 of the 25 images in this reply are shown; read the line of another one, such as :cell:0:17";
    assert_eq!(omp.answer.notes, [note]);
    let next = read(Dialect::Omp, &mut world, "a.ipynb:cell:0:17");
    assert_eq!(images(&next), limits::DOCUMENT_IMAGES);
    assert!(next.answer.notes[0].ends_with(":cell:0:27"));
    let last = read(Dialect::Omp, &mut world, "a.ipynb:cell:0:-1");
    assert_eq!((images(&last), last.answer.notes.len()), (1, 0));
    let claude = read(Dialect::Claude, &mut world, "a.ipynb");
    assert!(claude.answer.notes[0].ends_with("such as :20"));
    // A dialect whose reply is one text gets the images after that text.
    let gateway = read(Dialect::Gateway, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&gateway), limits::DOCUMENT_IMAGES);
    assert!(
        matches!(&*gateway.blocks, [Block::Text(frame), Block::Image(_), ..]
        if frame.contains("[Image output: image/bmp, 70B]\n") && frame.contains("</file>"))
    );
}

#[test]
fn images_beyond_the_limit_on_pixels_are_not_read() {
    let one = image(&bitmap(80, 80));
    let mut world = world("a.ipynb", notebook(&[code("x", &vec![one; 9])]));
    // Images may take three milliseconds, which are enough for two of them.
    world.time(3 * limits::DOCUMENT_IMAGE_SHARE, 0);
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&reply), 2);
    assert!(reply.answer.notes[0].starts_with("2 of the 9 images"));
}

#[test]
fn invalid_images_count_towards_the_limit() {
    let outputs = |data: &str| json!({"output_type": "display_data", "data": {"image/png": data}});
    let mut all = vec![outputs("!!!"), outputs("AAAA")];
    all.resize(20, outputs("AAAA"));
    all.push(image(&bitmap(2, 2)));
    let mut world = world("a.ipynb", notebook(&[code("x", &all)]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    let reply_text = shown(&reply);
    assert!(reply_text.contains(
        "[Image output: image/png, 2B]\n[not shown: it is not base64]\n[Image output: image/png, 3B]\n[not shown: it is not an image]\n"
    ));
    let tried = reply_text.matches("[not shown: ").count();
    assert_eq!(tried, limits::DOCUMENT_IMAGES);
    assert!(reply.answer.notes[0].starts_with("0 of the 21 images"));
}

#[test]
fn scaled_image_reports_its_original_size() {
    let cell = code("x", &[image(&bitmap(4000, 8)), image(&bitmap(2, 2))]);
    let mut world = world("a.ipynb", notebook(&[cell]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    let reply_text = shown(&reply);
    assert_eq!(images(&reply), 2);
    assert!(
        reply_text.contains(
            "[Image output: image/bmp, 93.8KB]\n[BMP image, 4000x8, 93.8KB; converted to "
        ),
        "{reply_text}"
    );
    assert!(reply_text.contains("multiply coordinates by "));
    // An image that was only converted to another format needs no note.
    assert_eq!(
        reply_text.matches("; converted ").count(),
        1,
        "{reply_text}"
    );
}

#[test]
fn image_over_the_size_limit_is_not_decoded() {
    let mut large = bitmap(2, 2);
    large.resize(usize::try_from(limits::IMAGE_BYTES).unwrap() + 1, 0);
    let mut world = world("a.ipynb", notebook(&[code("x", &[image(&large)])]));
    let reply = read(Dialect::Omp, &mut world, "a.ipynb:cell:0");
    assert_eq!(images(&reply), 0);
    assert!(shown(&reply).contains("20.0MB]\n[not shown: larger than 20.0MB]"));
}

#[test]
fn dialect_without_images_notes_that_they_are_not_shown() {
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
    let note = "images are not shown: image-metadata is on";
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
fn annotation_is_shown_once_after_the_start_of_its_line() {
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
                .annotations
                .iter()
                .all(|annotation| text(&page).page.lines[annotation.index].column == 1)
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
    // A tail has the annotations too. An empty last line is not a line.
    let tail = read(Dialect::Omp, &mut world, "a.ipynb:-1");
    assert!(
        shown(&tail).ends_with(
            "]\n5:b\n[1 output; read :cell:1 to see it]\n\n[end of file (5 lines total)]"
        ),
        "{}",
        shown(&tail)
    );
}

#[test]
fn compressed_notebook_has_no_tag_and_no_line_numbers() {
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
fn invalid_notebook_is_shown_as_its_real_format() {
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
    let reply_text = read(Dialect::Omp, &mut world, "b.ipynb")
        .answer
        .notes
        .remove(0);
    assert!(reply_text.ends_with("; it is shown as plain text"));
    let empty = read(Dialect::Omp, &mut world, "d.ipynb");
    assert!(shown(&empty).ends_with("[notebook without cells]"));
    for (path, hint) in [
        ("c.py:cell:0", "leave out `:cell:0` to read the file itself"),
        (
            "a.ipynb:cell:0",
            "leave out `:cell:0` to read the file itself",
        ),
        ("d.ipynb:cell:0", "count cells from 0"),
    ] {
        let refused = call(Dialect::Omp, &mut world, path, &Options::default());
        assert_eq!(
            refused.unwrap_err().failure.hint.as_deref(),
            Some(hint),
            "{path}"
        );
    }
}

#[test]
fn damaged_gzip_of_a_notebook_is_noted() {
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
    // A truncated stream has no valid cells, and the failure states the reason.
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

/// The tag in a reply (a hash for edit tools) equals the tag that `current` returns for the file.
/// The session does not record which lines were shown if the text is not editable.
#[test]
fn tag_is_that_of_the_editable_text() {
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
    // Lines are recorded without a tag too, and for the JSON in dialects that show JSON.
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
fn lines_after_the_end_are_reported_relative_to_the_unit() {
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
