//! The tokens of images, and the budget of a session for them.

use image::ImageFormat;
use omniread::sessions::StoreLimits;
use omniread::{Dialect, Options, Reply, Session};
use omniread_tests::Workspace;
use omniread_tests::image::{drawing, encoded};

/// A workspace with three images of 1200 × 800 pixels.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for name in ["a.png", "b.png", "c.png"] {
        workspace.file(name, encoded(drawing(1200, 800), ImageFormat::Png));
    }
    workspace
}

fn budget(images: u32, tokens: u32) -> Options {
    let mut options = Options::default();
    options.image.budget = images;
    options.image.tokens = tokens;
    options
}

fn read(session: &Session, path: &str, options: &Options) -> Reply {
    let reply = session.read_as(path, Dialect::Omp, options);
    reply.unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
}

fn is_shown(reply: &Reply) -> bool {
    reply.images().count() == 1
}

#[test]
fn details_have_the_tokens_of_an_image() {
    let workspace = workspace();
    let session = workspace.session();
    let whole = read(&session, "a.png", &Options::default());
    let image = whole.details.image().unwrap();
    assert_eq!(
        (image.tokens, image.tokens_at_half),
        (Some(1247), Some(330))
    );
    assert_eq!(whole.tokens().images, 1247);
    assert!(
        whole
            .text()
            .contains("; about 1247 tokens, `:half` about 330]")
    );
    let half = read(&session, "a.png:half", &Options::default());
    assert_eq!(half.tokens().images, 330);
    let json = serde_json::to_value(&half).unwrap();
    assert_eq!(json["details"]["image"]["tokens"], 330);
    assert_eq!(json["details"]["image"]["tokens_at_half"], 88);
    assert_eq!(json["details"]["tokens"]["images"], 330);
    // The size of a described image is not shown.
    let mut described = Options::default();
    described.image.metadata = true;
    let described = read(&session, "a.png", &described);
    assert_eq!(described.details.image().unwrap().tokens, None);
    assert_eq!(described.tokens().images, 0);
}

#[test]
fn images_of_a_session_are_within_its_budget() {
    let workspace = workspace();
    let session = workspace.session();
    let options = budget(2, 0);
    assert!(is_shown(&read(&session, "a.png", &options)));
    assert!(is_shown(&read(&session, "b.png", &options)));
    let over = read(&session, "c.png", &options);
    assert!(!is_shown(&over), "{}", over.text());
    assert!(over.text().contains("about 1247 tokens; not shown, because the session has a budget of 2 images: read `c.png:full` to see it, or `c.png:half` for about 330]"), "{}", over.text());
    let image = over.details.image().unwrap();
    assert_eq!((image.tokens, image.payload.is_none()), (Some(1247), true));
    assert!(is_shown(&read(&session, "c.png:full", &options)));
    // Other sessions of the reader have a budget of their own, and no budget shows each image.
    assert!(is_shown(&read(&workspace.session(), "c.png", &options)));
    assert!(is_shown(&read(&session, "c.png", &Options::default())));
    // The model of a new generation does not see earlier images.
    session.start_generation().unwrap();
    assert!(is_shown(&read(&session, "c.png", &options)));
    session.clear().unwrap();
    assert!(is_shown(&read(&session, "a.png", &budget(1, 0))));
    assert!(!is_shown(&read(&session, "a.png", &budget(1, 0))));
}

#[test]
fn images_of_a_session_in_a_directory_are_counted_together() {
    let workspace = workspace();
    let directory = Workspace::new();
    let reader = workspace.builder().build().unwrap();
    let open = || {
        let opened = Session::open(&reader, directory.path().join("session"), StoreLimits::DISK);
        opened.unwrap().session
    };
    let options = budget(0, 2500);
    assert!(is_shown(&read(&open(), "a.png", &options)));
    assert!(is_shown(&read(&open(), "b.png", &options)));
    let over = read(&open(), "c.png", &options);
    assert!(!is_shown(&over));
    assert!(
        over.text().contains("a budget of 2500 tokens of images"),
        "{}",
        over.text()
    );
}
