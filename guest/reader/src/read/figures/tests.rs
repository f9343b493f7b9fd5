use crate::answer::{AnnotationContent, Body, Text};
use crate::dialects::Dialect;
use crate::world::Clock as _;
use crate::world::bitmap::bitmap;
use crate::world::memory::{MemoryDocument, MemoryWorld};
use omniread_document as document;
use omniread_options::Options;

/// A world with a document of one unit for each text, and one image for each size in pixels.
fn world(texts: &[&str], sizes: &[(u32, u32)]) -> MemoryWorld {
    let unit = |text: &&str| {
        Ok(document::Unit {
            text: (*text).to_owned(),
            notes: Vec::new(),
            edges: [0, 0],
        })
    };
    let mut world = MemoryWorld::new("/ws");
    world.images = Some(0);
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            units: (texts.len() > 1).then_some(document::UnitKind::Slide),
            list: vec![document::UnitFacts::default(); texts.len()],
            ..document::Facts::default()
        },
        units: texts.iter().map(unit).collect(),
        images: sizes
            .iter()
            .map(|(width, height)| bitmap(*width, *height))
            .collect(),
        ..MemoryDocument::default()
    }));
    for name in ["a.docx", "a.pptx"] {
        world.file(name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec());
    }
    world
}

/// The index of the line and the selector of each figure of a page, and the notes.
fn figures(world: &mut MemoryWorld, path: &str, options: &Options) -> (Vec<String>, Vec<String>) {
    figures_in(Dialect::Omp, world, path, options)
}

fn figures_in(
    dialect: Dialect,
    world: &mut MemoryWorld,
    path: &str,
    options: &Options,
) -> (Vec<String>, Vec<String>) {
    let answer = match dialect.read(path, options, world) {
        Ok(reply) => reply.answer,
        Err(failure) => panic!("{path}: {}", failure.text),
    };
    let Body::Text(Text { annotations, .. }) = answer.body else {
        panic!("{path}: no text");
    };
    let shown = annotations
        .iter()
        .map(|annotation| match &annotation.content {
            AnnotationContent::Figure(name, media) => {
                assert!(media.payload.is_ok());
                format!("{} {name}", annotation.index)
            }
            other => panic!("{other:?}"),
        });
    (shown.collect(), answer.notes)
}

#[test]
fn each_image_is_shown_once_in_the_order_of_references() {
    let text = "![](image:3)\n\n|![a](image:1)|![b](image:2)|\n\n![](image:1)\n![](image:9)";
    let mut world = world(&[text], &[(40, 40), (50, 50), (60, 60)]);
    let (shown, notes) = figures(&mut world, "a.docx", &Options::default());
    assert_eq!(shown, ["0 image:3", "2 image:1", "2 image:2"]);
    assert_eq!(notes, ["`image:9` is not shown: it cannot be read"]);
}

#[test]
fn images_of_pages_have_a_limit_of_their_own() {
    let text: String = (1..=5).map(|n| format!("![](page:{n}:img)\n")).collect();
    let mut world = world(&[&text, "![](image:1)"], &[(40, 40)]);
    let Some(Ok(document)) = &mut world.document else {
        panic!()
    };
    document.pages = vec![bitmap(40, 40); 5];
    let (shown, notes) = figures(&mut world, "a.pptx", &Options::default());
    let expected = ["2 page:1:img", "3 page:2:img", "4 page:3:img", "11 image:1"];
    assert_eq!(shown, expected);
    let note = "4 of the 6 images in this reply are shown; their paths read the others, such as \
                `a.pptx:page:4:img`";
    assert_eq!(notes, [note]);
    // The dialect `claude` shows only images of pages.
    let options = Options::default();
    let (shown, notes) = figures_in(Dialect::Claude, &mut world, "a.pptx", &options);
    assert_eq!(shown, expected[..3]);
    let note = "3 of the 5 images in this reply are shown; their paths read the others, such as \
                `a.pptx:page:4:img`";
    assert_eq!(notes, [note]);
    let (shown, _) = figures_in(Dialect::Gemini, &mut world, "a.pptx", &options);
    assert!(shown.is_empty(), "{shown:?}");
}

#[test]
fn image_of_several_units_is_shown_once() {
    let mut world = world(&["![](image:1)", "![](image:1)"], &[(40, 40)]);
    let (shown, _) = figures(&mut world, "a.pptx", &Options::default());
    assert_eq!(shown.len(), 1);
    let (shown, _) = figures(&mut world, "a.pptx:slide:2", &Options::default());
    assert_eq!(shown, ["2 image:1"]);
}

#[test]
fn text_that_is_no_reference_is_ignored() {
    let text = "](image:1 ](image:x) ](a.docx:image:1 ](a.docx:image:x) image:1";
    let mut world = world(&[text], &[(40, 40)]);
    let (shown, notes) = figures(&mut world, "a.docx", &Options::default());
    assert!(shown.is_empty() && notes.is_empty(), "{shown:?} {notes:?}");
}

#[test]
fn document_without_references_loads_no_image() {
    // Each use of the image decoder takes a tick.
    let mut world = world(&["text"], &[(40, 40)]);
    world.images = Some(1);
    let before = world.read_time().used;
    let (shown, _) = figures(&mut world, "a.docx", &Options::default());
    assert!(shown.is_empty());
    assert_eq!(world.read_time().used, before);
}

#[test]
fn images_without_a_decoder_do_not_hide_others() {
    let text: String = (1..=16).map(|n| format!("![](image:{n})\n")).collect();
    let mut world = world(&[&text], &[(60, 60); 16]);
    let Some(Ok(document)) = &mut world.document else {
        panic!()
    };
    for image in &mut document.images[..15] {
        image[..4].copy_from_slice(b"\xd7\xcd\xc6\x9a");
    }
    let (shown, notes) = figures(&mut world, "a.docx", &Options::default());
    assert_eq!(shown, ["15 image:16"]);
    let note =
        "15 images are not shown, such as `image:1`: there is no decoder for Windows metafiles";
    assert_eq!(notes, [note]);
}

#[test]
fn time_of_images_does_not_change_which_are_shown() {
    let mut world = world(&["![](image:1) ![](image:2) ![](image:3)"], &[(40, 40); 3]);
    world.images = Some(crate::limits::DOCUMENT_IMAGE_MILLIS + 1);
    let (shown, notes) = figures(&mut world, "a.docx", &Options::default());
    assert_eq!(shown, ["0 image:1", "0 image:2", "0 image:3"]);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn images_end_at_the_limit_on_pixels() {
    let mut world = world(&["![](image:1) ![](image:2) ![](image:3)"], &[(80, 80); 3]);
    // Images may take a millisecond, which is enough for one of them.
    world.time(crate::limits::DOCUMENT_IMAGE_SHARE, 0);
    let (shown, notes) = figures(&mut world, "a.docx", &Options::default());
    assert_eq!(shown, ["0 image:1"]);
    let note = "1 of the 3 images in this reply is shown; their paths read the others, such as \
                `a.docx:image:2`";
    assert_eq!(notes, [note]);
}

#[test]
fn size_of_images_is_limited_apart_from_that_of_text() {
    let text = "![](image:1) ![](image:2)";
    let size = |options: Options| {
        let mut world = world(&[text], &[(300, 300); 2]);
        let reply = Dialect::Omp.read("a.docx", &options, &mut world);
        let Ok(reply) = reply else { panic!() };
        let bytes = |block: &crate::dialects::Block| match block {
            crate::dialects::Block::Image(media) => media.data.len(),
            _ => 0,
        };
        reply.blocks.iter().map(bytes).sum::<usize>()
    };
    let limited = size(Options {
        reply_images: 8 * 1024,
        ..Options::default()
    });
    assert!(limited <= 8 * 1024, "{limited}");
    let small_text = Options {
        reply_bytes: 8 * 1024,
        ..Options::default()
    };
    assert_eq!(size(small_text), size(Options::default()));
}

#[test]
fn images_in_a_table_are_shown_after_it() {
    let text = "|![](image:1)|b|\n|-|-|\n|c|![](image:2)|\n\nend";
    let mut world = world(&[text], &[(40, 40), (50, 50)]);
    let (shown, _) = figures(&mut world, "a.docx", &Options::default());
    assert_eq!(shown, ["2 image:1", "2 image:2"]);
}
