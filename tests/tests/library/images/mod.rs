//! Images: formats, limits, orientation, passthrough, metadata and hostile files.
//!
//! Ids such as IM-1 number the classes of hostile input. Their tests:
//!
//! ```text
//! IM-1  too many pixels, or only in the header   hostile::pixel_limit_is_checked_before_decoding
//! IM-2  a hundred thousand frames                hostile::frames_are_counted_up_to_a_limit
//! IM-3  chunks that decompress to 256 MiB        hostile::bombs_in_ancillary_chunks_are_skipped
//! IM-4  wrong file names                         hostile::image_is_detected_by_content
//! IM-5  loops, and SVG that does not end         hostile::looping_tiff_directories_are_damage
//!                                                hostile::hostile_svg_ends
//!                                                hostile::svg_links_are_not_loaded
//! IM-6  every format, truncated                  formats::truncated_images_are_no_internal_error
//! IM-7  images of a reply are within the limits  omniread_tests::image::shown, in all tests
//! ```

mod bounds;
mod budget;
mod formats;
mod hostile;
mod passthrough;
mod strict;
mod views;

use image::ImageFormat;
use omniread::{Dialect, Failure, ImageOptions, Options, Reason, Reply, Session};
use omniread_tests::image::{Shown, decoded, drawing, encoded, shown};
use omniread_tests::{Workspace, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Reads a path in a dialect, and returns the reply and its decoded images.
fn seen(session: &Session, dialect: Dialect, path: &str) -> Result<(Reply, Vec<Shown>), Failure> {
    let options = Options::default();
    let reply = session.read_as(path, dialect, &options)?;
    let shown = match dialect {
        // gateway passes files through unchanged, with limits of its own.
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

/// The image in the JSON of a reply in the dialect `gemini`. `None` if there is no image, or if it
/// is a BMP, which the tests do not decode.
fn inline(reply: &Reply) -> Option<Shown> {
    let object: Value = serde_json::from_str(&reply.text()).expect("a JSON object");
    let data = object["llmContent"].get("inlineData")?;
    let field = |name: &str| data[name].as_str().expect("a text").to_owned();
    let mime = field("mimeType");
    // gemini accepts BMP, which the other dialects do not.
    (mime != "image/bmp").then(|| decoded(&mime, &field("data")))
}

/// Reads a path in the dialect `omp`. The reply must show exactly one image.
fn read_image(session: &Session, path: &str) -> (Reply, Shown) {
    let (reply, mut shown) = match seen(session, Dialect::Omp, path) {
        Ok(seen) => seen,
        Err(failure) => panic!("{path}: {}", failure.message),
    };
    assert_eq!(shown.len(), 1, "{path}: {}", reply.text());
    (reply, shown.remove(0))
}

/// Reads a path in the dialect `omp`, and returns the text of the reply or failure. The reply must
/// not show an image.
fn read_text(session: &Session, path: &str) -> String {
    match seen(session, Dialect::Omp, path) {
        Ok((reply, shown)) => {
            assert!(shown.is_empty(), "{path}: {}", reply.text());
            reply.text()
        }
        Err(failure) => failure.text,
    }
}

/// Whether the image in a reply is the unchanged file.
fn is_passed_through(reply: &Reply) -> bool {
    let media = reply.details.image().expect("an image");
    media.payload.as_ref().expect("a block").passthrough
}

/// The dialects that show images.
const IMAGES: [Dialect; 4] = [
    Dialect::Omp,
    Dialect::Claude,
    Dialect::Gateway,
    Dialect::Gemini,
];

/// A workspace with the file `plain.txt`, which [`survived`] reads after each hostile file.
fn hostile() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    workspace
}

/// Reads a hostile file in every dialect that shows images, and checks that each read ends, reports
/// no internal error, and does not affect the next read.
///
/// Returns the texts of the replies in `omp`, `claude`, `gateway` and `gemini`.
fn survived(session: &Session, path: &str) -> [String; 4] {
    IMAGES.map(|dialect| {
        // A guard against a hang, not a measurement.
        let begun = Instant::now();
        let seen = seen(session, dialect, path);
        let took = begun.elapsed();
        assert!(
            took < Duration::from_mins(10),
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

/// A small PNG that is passed through unchanged.
fn plain_png() -> Vec<u8> {
    encoded(drawing(60, 40), ImageFormat::Png)
}

/// Reads a path, and returns the field `details.image` of the JSON that the command line prints.
fn details(session: &Session, path: &str) -> Value {
    let reply = session.read(path);
    let reply = reply.unwrap_or_else(|failure| panic!("{path}: {failure}"));
    json!(reply)["details"]["image"].take()
}
