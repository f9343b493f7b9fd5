//! Images: decoded, turned upright and made to fit, or left as they are; and
//! what looks like one.
//!
//! The rows IM of the catalogue of hostile inputs:
//!
//! ```text
//! IM-1  pixels that are only claimed, or too many   hostile::pixels_are_counted_before_they_are_decoded
//! IM-2  a hundred thousand frames                   hostile::frames_are_counted_up_to_a_limit
//! IM-3  chunks that unpack to 256 MiB               hostile::bombs_beside_the_image_are_skipped
//! IM-4  names that lie                              hostile::bytes_tell_what_a_file_is
//! IM-5  loops, and SVG that never ends              hostile::{directories_that_loop_end, drawings_end, drawings_load_nothing}
//! IM-6  every format, cut off anywhere              formats::what_is_cut_off_is_no_defect
//! IM-7  what comes back keeps its bounds            omniread_tests::image::shown, in all of these tests
//! ```

#![allow(missing_docs, reason = "a test")]

mod bounds;
mod formats;
mod given;
mod hostile;
mod strict;
mod views;

use image::ImageFormat;
use omniread::{Dialect, Failure, ImageOptions, Options, Reason, Reply, Session};
use omniread_tests::image::{Shown, decoded, drawing, encoded, shown};
use omniread_tests::{Workspace, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What a dialect makes of a path, and the images in it.
fn seen(session: &Session, dialect: Dialect, path: &str) -> Result<(Reply, Vec<Shown>), Failure> {
    let options = Options::default();
    let reply = session.read_as(path, dialect, &options)?;
    let shown = match dialect {
        // What is handed out as it is has bounds of its own.
        Dialect::Gateway => {
            let options = Options {
                image: ImageOptions {
                    side: 8000,
                    bytes: 5 << 20,
                    ..ImageOptions::default()
                },
                ..options
            };
            shown(&reply, &options)
        }
        Dialect::Gemini => inline(&reply).into_iter().collect(),
        _ => shown(&reply, &options),
    };
    Ok((reply, shown))
}

/// The image that a reply of `gemini` holds.
fn inline(reply: &Reply) -> Option<Shown> {
    let object: Value = serde_json::from_str(&reply.text()).expect("a JSON object");
    let data = object["llmContent"].get("inlineData")?;
    let field = |name: &str| data[name].as_str().expect("a text").to_owned();
    let mime = field("mimeType");
    // It takes one more format than others do.
    (mime != "image/bmp").then(|| decoded(&mime, &field("data")))
}

/// The image that a path shows in the dialect `omp`, and what is said of it.
fn look(session: &Session, path: &str) -> (Reply, Shown) {
    let (reply, mut shown) = match seen(session, Dialect::Omp, path) {
        Ok(seen) => seen,
        Err(failure) => panic!("{path}: {}", failure.message),
    };
    assert_eq!(shown.len(), 1, "{path}: {}", reply.text());
    (reply, shown.remove(0))
}

/// What is said of a path that shows no image in the dialect `omp`.
fn words(session: &Session, path: &str) -> String {
    match seen(session, Dialect::Omp, path) {
        Ok((reply, shown)) => {
            assert!(shown.is_empty(), "{path}: {}", reply.text());
            reply.text()
        }
        Err(failure) => failure.text,
    }
}

/// Whether the file went out as it is.
fn untouched(reply: &Reply) -> bool {
    let media = reply.details.image().expect("an image");
    media.given.as_ref().expect("a block").untouched
}

/// The dialects that hand out images.
const IMAGES: [Dialect; 4] = [
    Dialect::Omp,
    Dialect::Claude,
    Dialect::Gateway,
    Dialect::Gemini,
];

/// A workspace with a plain text in it, which is read after every hostile file.
fn hostile() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    workspace
}

/// Reads something hostile in every dialect that hands out images: that ends,
/// is no defect, and leaves the session as it was. The words of `omp`, `claude`,
/// `gateway` and `gemini`.
fn survived(session: &Session, path: &str) -> [String; 4] {
    IMAGES.map(|dialect| {
        // A guard against a hang, not a measurement.
        let begun = Instant::now();
        let seen = seen(session, dialect, path);
        let took = begun.elapsed();
        assert!(
            took < Duration::from_secs(100),
            "{path} in {dialect:?}: {took:?}"
        );
        assert!(text(session, "plain.txt").ends_with("1:plain"));
        match seen {
            Ok((reply, _)) => reply.text(),
            Err(failure) => {
                let defect = matches!(failure.reason, Reason::Internal(_) | Reason::Io(_));
                assert!(!defect, "{path} in {dialect:?}: {failure:?}");
                let limit = matches!(&failure.reason, Reason::Limit(limit) if limit.name == "time" || limit.name == "memory");
                assert!(!limit, "{path} in {dialect:?}: {failure:?}");
                failure.text
            }
        }
    })
}

/// A small PNG that can go out as it is.
fn plain_png() -> Vec<u8> {
    encoded(drawing(60, 40), ImageFormat::Png)
}

/// The structured facts of an image, as the command line prints them.
fn details(session: &Session, path: &str) -> Value {
    let outcome = session.read(path);
    let facts = omniread::outcome_to_json(&outcome);
    assert!(facts["error"].is_null(), "{path}: {facts}");
    json!(facts["details"]["image"])
}
