//! Tests of the tokens of images, and of the sizes in which they are shown.

use super::*;
use crate::answer::{Dimensions, ImageTokens};
use crate::world::bitmap::bitmap;
use crate::world::memory::MemoryDocument;
use omniread_document as document;

fn images() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.images = Some(0);
    for (name, width, height) in [
        ("a.bmp", 1200, 800),
        ("b.bmp", 1200, 800),
        ("small.bmp", 28, 28),
    ] {
        world.file(name, bitmap(width, height));
    }
    world.file(
        "a.svg",
        *b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><path d=\"M0 0h9v9z\"/></svg>",
    );
    world.file("half", *b"a text\n");
    world
}

fn text(reply: &Reply) -> String {
    let texts = reply.blocks.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
        Block::Image(_) | Block::Attachment(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn count(reply: &Reply) -> usize {
    let is_image = |block: &&Block| matches!(block, Block::Image(_));
    reply.blocks.iter().filter(is_image).count()
}

/// The width and height of the image of a reply.
fn size(reply: &Reply) -> (u32, u32) {
    let Body::Media(media) = &reply.answer.body else {
        panic!("no image")
    };
    let Dimensions { width, height } = media.payload.as_ref().unwrap().size.unwrap();
    (width, height)
}

fn read(dialect: Dialect, world: &mut MemoryWorld, path: &str) -> Reply {
    let reply = dialect.read(path, &Options::default(), world);
    reply.unwrap_or_else(|failed| panic!("{path}: {}", failed.text))
}

#[test]
fn reply_with_an_image_states_its_tokens() {
    let mut world = images();
    let whole = read(Dialect::Omp, &mut world, "a.bmp");
    assert!(
        text(&whole).starts_with(
            "[Image 'a.bmp': BMP image, 1200x800, 2.7MB; about 1247 tokens, `:half` about 330]\n[converted to "
        ),
        "{}",
        text(&whole)
    );
    let Body::Media(media) = &whole.answer.body else {
        panic!("no image")
    };
    let tokens = ImageTokens {
        whole: 1247,
        half: 330,
    };
    assert_eq!(media.tokens(), Some(tokens));
    let small = read(Dialect::Omp, &mut world, "small.bmp");
    assert!(
        text(&small).contains("; about 1 token]"),
        "{}",
        text(&small)
    );
    // In these dialects, only the note on the conversion is not fixed.
    let claude = read(Dialect::Claude, &mut world, "a.bmp");
    assert!(
        text(&claude).ends_with("; about 1247 tokens, `:half` about 330]"),
        "{}",
        text(&claude)
    );
}

#[test]
fn half_shows_an_image_at_half_the_size() {
    let mut world = images();
    for path in ["a.bmp:half", "a.bmp:img:HALF", "a.bmp:half:fresh"] {
        let half = read(Dialect::Omp, &mut world, path);
        assert_eq!(size(&half), (600, 400), "{path}");
        assert!(
            text(&half).contains("; about 330 tokens]\n"),
            "{}",
            text(&half)
        );
        assert!(text(&half).contains("multiply coordinates by 2 for the original"));
    }
    assert_eq!(
        size(&read(Dialect::Omp, &mut world, "a.bmp:full")),
        (1200, 800)
    );
    assert_eq!(
        size(&read(Dialect::Claude, &mut world, "a.bmp:half")),
        (600, 400)
    );
    // The bytes of an image are not returned unchanged then.
    let gateway = read(Dialect::Gateway, &mut world, "/ws/a.bmp:half");
    assert_eq!(size(&gateway), (600, 400));
    // The image is drawn with 512 pixels.
    assert_eq!(
        size(&read(Dialect::Omp, &mut world, "a.svg:img")),
        (512, 256)
    );
    assert_eq!(
        size(&read(Dialect::Omp, &mut world, "a.svg:img:half")),
        (256, 128)
    );
}

#[test]
fn half_is_a_name_where_it_can_be_read() {
    let mut world = images();
    assert_eq!(
        text(&read(Dialect::Omp, &mut world, "half:raw")),
        "a text\n"
    );
    world.file("x:half", *b"another\n");
    assert!(text(&read(Dialect::Omp, &mut world, "x:half")).contains("another"));
    world.file("a.txt", *b"text\n");
    for path in ["a.txt:half", "none.bmp:half", "a.svg:half"] {
        let failed = Dialect::Omp.read(path, &Options::default(), &mut world);
        assert!(failed.is_err(), "{path}");
    }
}

#[test]
fn images_of_documents_have_a_half_size() {
    let mut world = images();
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            list: vec![document::UnitFacts::default()],
            ..document::Facts::default()
        },
        units: vec![Ok(document::Unit {
            text: "![](image:1)\n\n![](image:2)".to_owned(),
            notes: Vec::new(),
            edges: [0, 0],
        })],
        images: vec![bitmap(1200, 800), bitmap(800, 400)],
        ..MemoryDocument::default()
    }));
    world.file("a.docx", *b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0");
    assert_eq!(
        size(&read(Dialect::Omp, &mut world, "a.docx:image:1")),
        (1200, 800)
    );
    assert_eq!(
        size(&read(Dialect::Omp, &mut world, "a.docx:image:1:half")),
        (600, 400)
    );
    let page = read(Dialect::Omp, &mut world, "a.docx");
    assert_eq!(count(&page), 2, "{}", text(&page));
    let page = read(Dialect::Omp, &mut world, "a.docx:half");
    assert_eq!(count(&page), 2);
    assert!(
        text(&page).contains("converted to 400x200"),
        "{}",
        text(&page)
    );
}

/// The options of a session with a budget of images, and one of their tokens.
fn budget(images: u32, tokens: u32) -> Options {
    let mut options = Options::default();
    options.image.budget = images;
    options.image.tokens = tokens;
    options
}

#[test]
fn images_over_the_budget_are_described() {
    let mut world = images();
    let options = budget(1, 0);
    let first = super::reply(&mut world, "a.bmp", &options);
    assert_eq!(count(&first), 1);
    assert_eq!(
        (world.shown_images.count, world.shown_images.tokens),
        (1, 1247)
    );
    let second = super::reply(&mut world, "b.bmp", &options);
    assert_eq!(count(&second), 0);
    assert_eq!(
        text(&second),
        "[Image 'b.bmp': BMP image, 1200x800, 2.7MB; about 1247 tokens; not shown, because the session has a budget of 1 image: read `b.bmp:full` to see it, or `b.bmp:half` for about 330]"
    );
    assert_eq!(world.shown_images.count, 1);
    for path in ["b.bmp:full", "b.bmp:half"] {
        assert_eq!(
            count(&super::reply(&mut world, path, &options)),
            1,
            "{path}"
        );
    }
    assert_eq!(world.shown_images.count, 3);
    // Images that are shown in spite of the budget count too.
    assert_eq!(world.shown_images.tokens, 1247 + 1247 + 330);
}

#[test]
fn budget_of_tokens_has_room_for_small_images() {
    let mut world = images();
    let options = budget(0, 1300);
    assert_eq!(count(&super::reply(&mut world, "a.bmp", &options)), 1);
    let over = super::reply(&mut world, "b.bmp", &options);
    assert_eq!(count(&over), 0);
    assert!(
        text(&over).contains("a budget of 1300 tokens of images"),
        "{}",
        text(&over)
    );
    assert_eq!(count(&super::reply(&mut world, "small.bmp", &options)), 1);
    // The drawing is shown with 512 pixels, which cost more than those of the file.
    assert_eq!(count(&super::reply(&mut world, "a.svg:img", &options)), 0);
}

#[test]
fn every_dialect_keeps_the_budget() {
    for dialect in Dialect::ALL {
        let mut world = images();
        world.shown_images.count = 5;
        let path = if *dialect == Dialect::Comma {
            "a.bmp"
        } else {
            "/ws/a.bmp:img"
        };
        let Ok(reply) = dialect.read(path, &budget(5, 0), &mut world) else {
            // These dialects refuse images.
            assert!(matches!(dialect, Dialect::Comma | Dialect::Codex));
            continue;
        };
        assert_eq!(count(&reply), 0, "{}", dialect.name());
        let shown = format!("{:?}", reply.blocks);
        assert!(!shown.contains("image/"), "{shown}");
        if *dialect != Dialect::Comma {
            assert!(shown.contains("/ws/a.bmp:img:full"), "{shown}");
        }
    }
}

/// The dialect `claude` shows drawings as images. One that is over the budget does not become text.
#[test]
fn drawing_over_the_budget_is_described() {
    let mut world = images();
    world.shown_images.count = 1;
    let over = Dialect::Claude.read("a.svg", &budget(1, 0), &mut world);
    let over = text(&over.unwrap_or_else(|failed| panic!("{}", failed.text)));
    assert!(over.starts_with("Image: a.svg\n"), "{over}");
    assert!(over.contains("read `a.svg:full` to see it"), "{over}");
    let full = Dialect::Claude.read("a.svg:full", &budget(1, 0), &mut world);
    assert_eq!(full.map(|full| count(&full)), Ok(1));
}

#[test]
fn images_of_a_page_are_within_the_budget() {
    let mut world = images();
    let references: Vec<String> = (1..=4).map(|n| format!("![](image:{n})\n\ntext")).collect();
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            list: vec![document::UnitFacts::default()],
            ..document::Facts::default()
        },
        units: vec![Ok(document::Unit {
            text: references.join("\n\n"),
            notes: Vec::new(),
            edges: [0, 0],
        })],
        images: vec![bitmap(300, 200); 4],
        ..MemoryDocument::default()
    }));
    world.file("a.docx", *b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0");
    let options = budget(3, 0);
    world.shown_images.count = 1;
    let page = super::reply(&mut world, "a.docx", &options);
    assert_eq!(count(&page), 2);
    let shown = text(&page);
    assert!(shown.contains("[image:2]"), "{shown}");
    assert!(
        shown.contains("[image:3: BMP image, 300x200, 175.8KB; about 88 tokens; not shown]"),
        "{shown}"
    );
    assert!(
        shown.contains(
            "[2 images are not shown, because the session has a budget of 3 images; `a.docx:image:3:full` shows images in any case, and `a.docx:image:3:half` at half the size]"
        ),
        "{shown}"
    );
    assert_eq!(world.shown_images.count, 3);
    let one = super::reply(&mut world, "a.docx:image:3:full", &options);
    assert_eq!(count(&one), 1);
    assert_eq!(count(&super::reply(&mut world, "a.docx:full", &options)), 4);
    assert_eq!(world.shown_images.count, 8);
}

#[test]
fn images_of_a_notebook_are_within_the_budget() {
    use base64::Engine as _;
    let mut world = images();
    let image = base64::engine::general_purpose::STANDARD.encode(bitmap(300, 200));
    let output = format!(
        r#"{{"output_type": "display_data", "metadata": {{}}, "data": {{"image/bmp": "{image}"}}}}"#
    );
    world.file(
        "a.ipynb",
        format!(
            r#"{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{{"cell_type": "code", "id": "a", "metadata": {{}}, "execution_count": 1, "source": "x", "outputs": [{output}, {output}]}}]}}"#
        )
        .into_bytes(),
    );
    let page = super::reply(&mut world, "a.ipynb:cell:0", &budget(1, 0));
    assert_eq!(count(&page), 1);
    let shown = text(&page);
    assert!(
        shown.contains("BMP image, 300x200, 175.8KB; about 88 tokens; not shown]"),
        "{shown}"
    );
    assert!(shown.contains("[1 image is not shown, because the session has a budget of 1 image; `a.ipynb:cell:0:full` shows"), "{shown}");
    let all = super::reply(&mut world, "a.ipynb:cell:0:full", &budget(1, 0));
    assert_eq!(count(&all), 2);
}

#[test]
fn path_that_reads_an_image_over_the_budget_shows_it() {
    let mut world = images();
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            list: vec![document::UnitFacts::default()],
            units: Some(document::UnitKind::Page),
            ..document::Facts::default()
        },
        units: vec![Ok(document::Unit::default())],
        images: vec![bitmap(300, 200)],
        pages: vec![bitmap(300, 200)],
        ..MemoryDocument::default()
    }));
    world.file("a.pdf", *b"%PDF-1.7\n");
    world.file("x:y.bmp", bitmap(300, 200));
    world.shown_images.count = 9;
    for path in [
        "a.bmp",
        "a.bmp:img",
        "a.pdf:page:1:img",
        "a.pdf:image:1",
        "x\\:y.bmp",
        "./a.bmp:fresh",
    ] {
        let over = super::reply(&mut world, path, &budget(9, 0));
        assert_eq!(count(&over), 0, "{path}");
        let named = text(&over);
        let full = named
            .split('`')
            .find(|part| part.ends_with(":full"))
            .unwrap()
            .to_owned();
        assert_eq!(
            count(&super::reply(&mut world, &full, &budget(9, 0))),
            1,
            "{full}"
        );
    }
}

#[test]
fn images_of_the_web_have_a_half_size() {
    use crate::world::memory::{MemoryHttp, MemoryResponse};
    use std::rc::Rc;
    let mut world = images();
    let http = Rc::new(MemoryHttp::default());
    for url in ["https://x.org/a.bmp", "https://x.org/avatar"] {
        let image = MemoryResponse::new(200, bitmap(600, 400));
        http.page(url, image.header("Content-Type", "image/bmp"));
    }
    world.web = Some(http);
    let options = budget(1, 0);
    world.shown_images.count = 1;
    assert_eq!(
        count(&super::reply(&mut world, "https://x.org/a.bmp", &options)),
        0
    );
    for (path, width) in [
        ("https://x.org/a.bmp:half", 300),
        ("https://x.org/a.bmp:half:fresh", 300),
        ("https://x.org/a.bmp:full", 600),
        ("https://x.org/avatar:full", 600),
        ("https://x.org/avatar:img:half", 300),
    ] {
        let shown = super::reply(&mut world, path, &options);
        assert_eq!(count(&shown), 1, "{path}: {}", text(&shown));
        assert_eq!(size(&shown).0, width, "{path}");
    }
}
