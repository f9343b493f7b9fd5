//! Files that are too large to be in the memory of the engine.

use omniread::Block;
use omniread_tests::pdf::objects::Objects;
use omniread_tests::{Workspace, text};

/// The width and the height of an image. Its data have 8 MB.
const SIDE: usize = 2900;

/// A file of 84 MB: ten pages with a line and an image.
fn large() -> Vec<u8> {
    let pages: Vec<usize> = (0..10).map(|index| 4 + 3 * index).collect();
    let names = "/Names << /EmbeddedFiles << /Names [(data.csv) << /Type /Filespec /F (data.csv) /EF << /F 3 0 R >> >>] >> >>";
    let mut file = Objects::new(names, &pages);
    file.stream("/Type /EmbeddedFile", "city,people\nBern,134794\n");
    for page in 1..=10 {
        file.page_with_image(page, SIDE);
    }
    file.build()
}

#[test]
fn pages_images_and_attachments_are_read() {
    let workspace = Workspace::new();
    workspace.file("large.pdf", large());
    let session = workspace.session();
    for page in [9, 1, 10] {
        let rendered = text(&session, &format!("large.pdf:page:{page}"));
        assert!(
            rendered.contains(&format!("page-mark-{page} ")),
            "{rendered}"
        );
    }
    let rendered = text(&session, "large.pdf:data.csv:raw");
    assert!(rendered.contains("Bern,134794"), "{rendered}");
    for path in ["large.pdf:page:2:img", "large.pdf:image:4001"] {
        let reply = session.read(path).expect("a reply");
        let is_image = |block: &Block| matches!(block, Block::Image(_));
        assert!(reply.blocks.iter().any(is_image), "{path}");
    }
}

#[test]
fn damaged_tables_of_a_large_file() {
    let workspace = Workspace::new();
    let bytes = large();
    workspace.file("cut.pdf", &bytes[..bytes.len() - 300]);
    let rendered = text(&workspace.session(), "cut.pdf");
    assert!(
        rendered.contains("[Cannot read .pdf file: ") && rendered.contains("64 MB"),
        "{rendered}"
    );
}
