//! How images are made to fit, and which do not.

use super::{inline, look, plain_png, untouched, words};
use image::ImageFormat;
use omniread::{Block, Dialect, ImageOptions, Options, Reason, Session};
use omniread_tests::image::{
    CORNERS, clear_drawing, corners, drawing, encoded, flat_png, photograph, png_of, png_start,
    shown, with_chunk,
};
use omniread_tests::{Cli, Workspace, sha256};
use std::fs::File;

const MIB: usize = 1 << 20;

/// A side of 4000 pixels is made to fit, and by what coordinates are to be
/// multiplied is said.
#[test]
fn large_images_are_made_smaller() {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(drawing(4000, 3000), ImageFormat::Png));
    let session = workspace.session();
    let (reply, shown) = look(&session, "a.png");
    assert_eq!((shown.image.width(), shown.image.height()), (1568, 1176));
    assert_eq!(corners(&shown.image), CORNERS);
    let said = reply.text();
    assert!(
        said.starts_with("[Image 'a.png': PNG image, 4000x3000, "),
        "{said}"
    );
    assert!(said.contains("[shown at 1568x1176 as "), "{said}");
    assert!(
        said.ends_with(": multiply coordinates by 2.551 for the original]"),
        "{said}"
    );
    let media = reply.details.image().unwrap();
    let size = media.dimensions.unwrap();
    assert_eq!((size.width, size.height), (4000, 3000));

    let claude = session
        .read_as("a.png", Dialect::Claude, &Options::default())
        .unwrap();
    assert!(matches!(claude.blocks[0], Block::Image(_)));
    let said = claude.text();
    assert!(
        said.contains("Dimensions: 4000 x 3000\nType: PNG\n[shown at 1568x1176 as "),
        "{said}"
    );
}

/// What has few colours loses none; what a camera saw is JPEG.
#[test]
fn what_an_image_is_of_decides_how_it_is_encoded() {
    let workspace = Workspace::new();
    workspace
        .file(
            "drawing.bmp",
            encoded(drawing(2000, 1000), ImageFormat::Bmp),
        )
        .file(
            "clear.png",
            encoded(clear_drawing(2000, 1000), ImageFormat::Png),
        )
        .file(
            "photograph.png",
            encoded(photograph(1200, 900), ImageFormat::Png),
        )
        .file("small.bmp", encoded(photograph(300, 200), ImageFormat::Bmp));
    let session = workspace.session();
    for name in ["drawing.bmp", "clear.png"] {
        let (reply, shown) = look(&session, name);
        assert_ne!(shown.mime, "image/jpeg", "{name}: {}", reply.text());
        assert_eq!((shown.image.width(), shown.image.height()), (1568, 784));
    }
    let (_, clear) = look(&session, "clear.png");
    let clear = clear.image.to_rgba8();
    assert_eq!(clear.get_pixel(784, 392)[3], 0);
    assert_eq!(clear.get_pixel(5, 5)[3], 255);
    for name in ["photograph.png", "small.bmp"] {
        let (reply, shown) = look(&session, name);
        assert_eq!(shown.mime, "image/jpeg", "{name}");
        assert!(
            reply.text().contains("[shown as JPEG, "),
            "{}",
            reply.text()
        );
    }
}

/// Alpha that does not fit makes room, and that is said.
#[test]
fn what_shows_through_is_white_if_it_does_not_fit() {
    let workspace = Workspace::new();
    let mut noise = image::DynamicImage::from(photograph(1200, 900)).to_rgba8();
    for (x, _, pixel) in noise.enumerate_pixels_mut() {
        pixel[3] = if x < 600 { 255 } else { 0 };
    }
    workspace.file("a.png", encoded(noise, ImageFormat::Png));
    let (reply, shown) = look(&workspace.session(), "a.png");
    assert_eq!(shown.mime, "image/jpeg");
    assert!(
        reply.text().contains("[what shows through is white: "),
        "{}",
        reply.text()
    );
    // The clear half is, up to what JPEG makes of the edge.
    let shown = shown.image.to_rgb8();
    let clear = (shown.width() / 2 + 16..shown.width()).step_by(7);
    for x in clear {
        let pixel = shown.get_pixel(x, shown.height() / 2);
        assert!(pixel.0.iter().all(|value| *value > 240), "{x}: {pixel:?}");
    }
}

#[test]
fn options_set_the_bounds() {
    let workspace = Workspace::new();
    workspace
        .file("a.png", plain_png())
        .file("b.png", encoded(photograph(1500, 1000), ImageFormat::Png));
    let session = workspace.session();
    for (side, bytes) in [
        (64, 512_000),
        (1568, 16 * 1024),
        (8000, 3_932_160),
        (300, 30_000),
    ] {
        let options = Options {
            image: ImageOptions {
                side,
                bytes,
                ..ImageOptions::default()
            },
            ..Options::default()
        };
        for dialect in [Dialect::Omp, Dialect::Claude] {
            let reply = session.read_as("b.png", dialect, &options).unwrap();
            let shown = shown(&reply, &options);
            assert_eq!(shown.len(), 1, "{side} {bytes}: {}", reply.text());
            let width = shown[0].image.width();
            match bytes {
                512_000 | 3_932_160 => assert_eq!(width, side.min(1500)),
                _ => assert!(width <= side),
            }
        }
    }
    let options = Options {
        image: ImageOptions {
            bytes: 3_932_160,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    let reply = session.read_as("b.png", Dialect::Omp, &options).unwrap();
    assert!(untouched(&reply), "it fits as it is: {}", reply.text());
    for (side, bytes, argument) in [
        (63, 512_000, "image-side"),
        (8001, 512_000, "image-side"),
        (1568, 16 * 1024 - 1, "image-bytes"),
        (1568, 3_932_161, "image-bytes"),
    ] {
        let options = Options {
            image: ImageOptions {
                side,
                bytes,
                ..ImageOptions::default()
            },
            ..Options::default()
        };
        let failure = session
            .read_as("a.png", Dialect::Omp, &options)
            .unwrap_err();
        assert!(
            matches!(&failure.reason, Reason::Argument(name) if name == argument),
            "{failure:?}"
        );
    }
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = cli.run(&["--set", "image-side=9000", "a.png"]);
    assert_ne!(run.code, Some(0));
    assert!(
        run.stderr
            .contains("option `image-side` is a number from 64 to 8000"),
        "{}",
        run.stderr
    );
}

/// Pixels are decoded up to forty million; of more, how many there are is said.
#[test]
fn pixels_are_decoded_up_to_a_limit() {
    let workspace = Workspace::new();
    workspace
        .file("most.png", flat_png(8000, 5000, 1, 0, 1000))
        .file("more.png", flat_png(8000, 5001, 1, 0, 1000))
        // Eight bytes for each of them.
        .file("deep.png", flat_png(5000, 5000, 16, 6, 40_000));
    let session = workspace.session();
    let (_, shown) = look(&session, "most.png");
    assert_eq!((shown.image.width(), shown.image.height()), (1568, 980));
    let said = words(&session, "more.png");
    assert!(said.contains("PNG image, 8000x5001, "), "{said}");
    assert!(
        said.contains("it has 40008000 pixels, more than are decoded"),
        "{said}"
    );
    let said = words(&session, "deep.png");
    assert!(said.contains("it takes more memory than it may"), "{said}");
    for dialect in [Dialect::Gateway, Dialect::Gemini] {
        let reply = session
            .read_as("most.png", dialect, &Options::default())
            .unwrap();
        assert!(
            reply.details.image().unwrap().given.is_some(),
            "{dialect:?}"
        );
        let reply = session
            .read_as("more.png", dialect, &Options::default())
            .unwrap();
        assert!(
            reply.details.image().unwrap().given.is_none(),
            "{dialect:?}"
        );
        assert!(
            reply.text().contains("it has 40008000 pixels"),
            "{dialect:?}"
        );
    }
}

/// An image of more than 20 MiB is not read; what its header tells is said.
#[test]
fn files_are_decoded_up_to_a_limit() {
    let workspace = Workspace::new();
    let image = |bytes: usize| {
        let mut png = plain_png();
        png.resize(bytes, 0);
        png
    };
    workspace
        .file("fits.png", image(20 * MIB))
        .file("more.png", image(20 * MIB + 1))
        .file("large.png", image(21 * MIB))
        .file("holes.png", image(100));
    File::options()
        .write(true)
        .open(workspace.path().join("holes.png"))
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    let session = workspace.session();
    look(&session, "fits.png");
    for (name, size) in [
        ("more.png", "20.0MB"),
        ("large.png", "21.0MB"),
        ("holes.png", "20.0GB"),
    ] {
        let said = words(&session, name);
        assert_eq!(
            said,
            format!("[Image '{name}': PNG image, 60x40, {size}; not shown: larger than 20.0MB]")
        );
        let failure = session
            .read_as(name, Dialect::Gemini, &Options::default())
            .unwrap_err();
        assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
    }
    let read = |name| session.read_as(name, Dialect::Claude, &Options::default());
    assert!(
        read("large.png")
            .unwrap()
            .text()
            .contains("[not shown: larger than 20.0MB]")
    );
    let failure = read("holes.png").unwrap_err();
    assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
}

/// The text and the image of an agent that takes files as they are.
fn handed(session: &Session, dialect: Dialect, path: &str) -> (String, Option<Vec<u8>>) {
    let reply = session.read_as(path, dialect, &Options::default()).unwrap();
    let image = match dialect {
        Dialect::Gemini => inline(&reply).map(|shown| shown.bytes),
        _ => {
            let options = Options {
                image: ImageOptions {
                    side: 8000,
                    bytes: 5 << 20,
                    ..ImageOptions::default()
                },
                ..Options::default()
            };
            shown(&reply, &options).pop().map(|shown| shown.bytes)
        }
    };
    (reply.text(), image)
}

/// `gateway` and `gemini` hand out a file bit by bit, and only if all of it
/// decodes.
#[test]
fn files_are_handed_out_as_they_are() {
    let workspace = Workspace::new();
    let noted = with_chunk(&plain_png(), b"tEXt", b"Comment\0kept");
    let files = [
        ("a.png", noted),
        ("a.jpg", encoded(photograph(700, 500), ImageFormat::Jpeg)),
        ("a.gif", encoded(drawing(64, 48), ImageFormat::Gif)),
        ("a.webp", encoded(drawing(64, 48), ImageFormat::WebP)),
        ("large.png", encoded(drawing(4000, 3000), ImageFormat::Png)),
    ];
    for (name, bytes) in &files {
        workspace.file(name, bytes);
    }
    let session = workspace.session();
    for dialect in [Dialect::Gateway, Dialect::Gemini] {
        for (name, bytes) in &files {
            workspace.file(name, bytes);
            let (said, image) = handed(&session, dialect, name);
            assert!(image.as_ref() == Some(bytes), "{dialect:?} {name}: {said}");
            workspace.file(name, &bytes[..bytes.len() * 2 / 3]);
            let (said, image) = handed(&session, dialect, name);
            assert_eq!(image, None, "{dialect:?} {name}: {said}");
            assert!(
                said.contains("not shown: it is damaged: "),
                "{dialect:?} {name}: {said}"
            );
        }
        // One that is taken by neither, or only by `gemini`.
        workspace.file("a.qoi", encoded(drawing(8, 8), ImageFormat::Qoi));
        let failure = session
            .read_as("a.qoi", dialect, &Options::default())
            .unwrap_err();
        assert!(matches!(failure.reason, Reason::Binary(_)), "{failure:?}");
    }
    workspace.file("a.bmp", encoded(drawing(8, 8), ImageFormat::Bmp));
    let reply = session
        .read_as("a.bmp", Dialect::Gemini, &Options::default())
        .unwrap();
    assert!(reply.text().contains("\"mimeType\":\"image/bmp\""));
    let hash = sha256(&files[1].1);
    workspace.file("a.jpg", &files[1].1);
    let reply = session
        .read_as("a.jpg", Dialect::Gateway, &Options::default())
        .unwrap();
    assert_eq!(reply.details.sha256, Some(hash));
}

/// `gateway` hands out no image that model APIs would refuse.
#[test]
fn what_models_refuse_is_not_handed_out() {
    let workspace = Workspace::new();
    let rows = |width: usize| vec![0; (width + 1) * 2];
    workspace
        .file(
            "fits.png",
            png_of(png_start(8000, 2, 8, 0, false), &[], &rows(8000)),
        )
        .file(
            "wide.png",
            png_of(png_start(8001, 2, 8, 0, false), &[], &rows(8001)),
        );
    let session = workspace.session();
    assert!(handed(&session, Dialect::Gateway, "fits.png").1.is_some());
    let (said, image) = handed(&session, Dialect::Gateway, "wide.png");
    assert_eq!(image, None);
    assert!(
        said.contains("not shown: more than 8000 pixels on a side"),
        "{said}"
    );
    assert!(handed(&session, Dialect::Gemini, "wide.png").1.is_some());
}

/// A drawing that was JPEG is smaller without loss, and says so.
#[test]
fn drawings_that_were_jpeg_are_tried_without_loss() {
    let workspace = Workspace::new();
    workspace.file("a.jpg", encoded(drawing(3000, 2000), ImageFormat::Jpeg));
    let (reply, _) = look(&workspace.session(), "a.jpg");
    assert!(!reply.text().contains("as JPEG"), "{}", reply.text());
}

/// What goes out as it is has no more pixels than what is decoded.
#[test]
fn pixels_of_what_goes_out_are_limited() {
    let workspace = Workspace::new();
    workspace.file("a.png", flat_png(7000, 7000, 8, 0, 7000));
    let options = Options {
        image: ImageOptions {
            side: 8000,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    let reply = workspace
        .session()
        .read_as("a.png", Dialect::Omp, &options)
        .unwrap();
    let text = reply.text();
    assert!(
        text.contains("49000000 pixels, more than are decoded"),
        "{text}"
    );
}

/// Agents that take files as they are are told what others were made to fit, and
/// options hold for these as well.
#[test]
fn what_was_made_to_fit_is_told_in_all_dialects() {
    let workspace = Workspace::new();
    workspace.file("a.bmp", encoded(drawing(400, 100), ImageFormat::Bmp));
    workspace.file("a.tif", encoded(drawing(400, 100), ImageFormat::Tiff));
    let session = workspace.session();
    let options = Options {
        image: ImageOptions {
            side: 100,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    for (dialect, path) in [
        (Dialect::Gateway, "a.bmp:img"),
        (Dialect::Gemini, "a.tif:img"),
    ] {
        let reply = session.read_as(path, dialect, &options).unwrap();
        let text = reply.text();
        assert!(text.contains("shown at 100x25 as"), "{text}");
        assert!(text.contains("multiply coordinates by 4"), "{text}");
    }
}
