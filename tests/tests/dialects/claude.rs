//! The dialect `claude`.

use super::{MIB, call, png};
use omniread::{Block, Dialect, Reason};
use omniread_tests::Workspace;
use serde_json::json;
use std::fs::File;

/// Images that do not fit are described; past 50 MB they are refused.
#[test]
fn shows_images_that_models_take() {
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
    let said = "Image: fits.png\nSize: 20 MB\nDimensions: 1200 x 800\nType: PNG\n[shown as ";
    assert!(reply.text().starts_with(said), "{}", reply.text());
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
        assert!(reply.details.image().unwrap().given.is_none());
    }
    huge.set_len((50 << 20) + 1).unwrap();
    let failure = read("huge.png").unwrap_err();
    assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
}
