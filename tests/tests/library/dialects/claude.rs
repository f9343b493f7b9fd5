//! The dialect `claude`: the limits of images.

use super::{MIB, call, png};
use omniread::{Block, Dialect, Reason};
use omniread_tests::Workspace;
use serde_json::json;
use std::fs::File;

/// The dialect `claude` only describes an image file of more than 20 MiB in text, and refuses one
/// of more than 50 MiB.
#[test]
fn claude_describes_large_images_and_refuses_huge_ones() {
    let workspace = Workspace::new();
    workspace
        .file("fits.png", png(20 * MIB))
        .file("more.png", png(20 * MIB + 1))
        .file("huge.png", png(100));
    let huge = File::options()
        .write(true)
        .open(workspace.path().join("huge.png"))
        .unwrap();
    huge.set_len(50 << 20).unwrap();
    let session = workspace.session();
    let read = |name: &str| call(&session, Dialect::Claude, &json!({"file_path": name}));
    let reply = read("fits.png").unwrap();
    assert!(matches!(
        reply.blocks.as_slice(),
        [Block::Image(_), Block::Text(_)]
    ));
    let expected =
        "Image: fits.png\nSize: 20 MB\nDimensions: 1200 x 800\nType: PNG\n[converted to ";
    assert!(reply.text().starts_with(expected), "{}", reply.text());
    for name in ["more.png", "huge.png"] {
        let reply = read(name).unwrap();
        assert!(
            matches!(reply.blocks.as_slice(), [Block::Text(_)]),
            "{name}"
        );
        assert!(
            reply.text().ends_with("[not shown: larger than 20.0MB]"),
            "{}",
            reply.text()
        );
        assert!(reply.details.image().unwrap().payload.is_none());
    }
    huge.set_len((50 << 20) + 1).unwrap();
    let failure = read("huge.png").unwrap_err();
    assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
}
