//! Files that are too large to be in the memory of the engine.

use omniread::Block;
use omniread_tests::pdf::objects::{Objects, line};
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
        let (content, image) = (file.next() + 1, file.next() + 2);
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R /Resources << /Font << /F1 << /Type /Font \
             /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /I {image} 0 R >> >> >>"
        ));
        let words = line(&format!(
            "page-mark-{page} beside a picture of number {page}"
        ));
        file.stream("", format!("q 300 0 0 300 72 200 cm /I Do Q {words}"));
        let entries = format!(
            "/Type /XObject /Subtype /Image /Width {SIDE} /Height {SIDE} /BitsPerComponent 8 /ColorSpace /DeviceGray"
        );
        file.stream(&entries, vec![25 * page; SIDE * SIDE]);
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
