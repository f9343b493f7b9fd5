//! Orientation, colour profiles, and which frame, page or size of a file is shown.

use super::{details, is_passed_through, plain_png, read_image};
use image::codecs::gif::GifEncoder;
use image::{Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use omniread_tests::Workspace;
use omniread_tests::image::{
    chunk, colour, corners, drawing, encoded, png_start, riff_chunk, turned, webp, webp_pixels,
    with_chunk, with_segment, zlib,
};
use serde_json::json;
use std::io::Cursor;

/// Of the images in an icon file, the largest one is shown, not the one with the most colours.
#[test]
fn largest_image_of_an_icon_is_shown() {
    // A bitmap in an icon has no file header. Its height is doubled, because a mask of one bit a
    // pixel follows.
    let bitmap = |side: u32, depth: u16| {
        let mut bytes = Vec::new();
        for number in [40, side, side * 2] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([1, 0]);
        bytes.extend(depth.to_le_bytes());
        bytes.resize(40, 0);
        bytes.resize(bytes.len() + if depth == 8 { 1024 } else { 0 }, 200);
        bytes.resize(
            bytes.len() + (side * side * u32::from(depth) / 8) as usize,
            7,
        );
        bytes.resize(bytes.len() + (side * side.div_ceil(32) * 4) as usize, 0);
        bytes
    };
    let images =
        [(48u8, 8u16), (16, 32)].map(|(side, depth)| (side, depth, bitmap(side.into(), depth)));
    let mut icon = vec![0, 0, 1, 0, 2, 0];
    let mut offset = 6 + 2 * 16u32;
    for (side, depth, bytes) in &images {
        icon.extend([*side, *side, 0, 0, 1, 0]);
        icon.extend(depth.to_le_bytes());
        let length = u32::try_from(bytes.len()).unwrap();
        icon.extend(length.to_le_bytes());
        icon.extend(offset.to_le_bytes());
        offset += length;
    }
    icon.extend(images.into_iter().flat_map(|(_, _, bytes)| bytes));
    let workspace = Workspace::new();
    workspace.file("a.ico", icon);
    let (reply, shown) = read_image(&workspace.session(), "a.ico");
    assert!(reply.text().contains("48x48"), "{}", reply.text());
    assert!(
        reply.text().contains("the largest of 2"),
        "{}",
        reply.text()
    );
    assert_eq!(shown.image.width(), 48);
}

/// Colours are converted from the colour profile in the image file to sRGB.
#[test]
fn colour_profiles_are_applied() {
    let profile = |profile: moxcms::ColorProfile| {
        let mut body = b"x\0\0".to_vec();
        body.extend(zlib(&profile.encode().unwrap()));
        body
    };
    let png = encoded(
        RgbImage::from_pixel(40, 40, Rgb([200, 60, 60])),
        ImageFormat::Png,
    );
    let wide = profile(moxcms::ColorProfile::new_display_p3());
    let same = profile(moxcms::ColorProfile::new_srgb());
    let grey = profile(moxcms::ColorProfile::new_gray_with_gamma(2.2));
    let workspace = Workspace::new();
    workspace
        .file("wide.png", with_chunk(&png, b"iCCP", &wide))
        .file("same.png", with_chunk(&png, b"iCCP", &same))
        .file("grey.png", with_chunk(&png, b"iCCP", &grey))
        .file("none.png", with_chunk(&png, b"iCCP", b"x\0\0no profile"));
    let session = workspace.session();
    let pixel = |name: &str| {
        let (reply, shown) = read_image(&session, name);
        let pixel = shown.image.to_rgb8().get_pixel(20, 20).0;
        (
            pixel,
            reply.text().contains("its colour profile is not applied"),
        )
    };
    // The expected values are computed with the matrices of both colour spaces.
    let (wide, noted) = pixel("wide.png");
    for (is, should) in wide.into_iter().zip([217u8, 44, 54]) {
        assert!(is.abs_diff(should) <= 2, "{wide:?}");
    }
    assert!(!noted);
    assert_eq!(pixel("same.png"), ([200, 60, 60], false));
    assert_eq!(pixel("grey.png"), ([200, 60, 60], true));
    assert_eq!(pixel("none.png"), ([200, 60, 60], false));
}

/// The colours of the corners of a drawing that is rotated for each EXIF orientation, from 1 to 8.
/// The upper corners come first, each pair from left to right.
const TURNED: [[&str; 4]; 8] = [
    ["red", "blue", "green", "black"],
    ["blue", "red", "black", "green"],
    ["black", "green", "blue", "red"],
    ["green", "black", "red", "blue"],
    ["red", "green", "blue", "black"],
    ["green", "red", "black", "blue"],
    ["black", "blue", "green", "red"],
    ["blue", "black", "red", "green"],
];

#[test]
fn exif_orientation_is_applied() {
    let workspace = Workspace::new();
    let png = plain_png();
    let jpeg = encoded(drawing(60, 40), ImageFormat::Jpeg);
    let pixels = encoded(drawing(60, 40), ImageFormat::WebP);
    let session = workspace.session();
    for (orientation, expected) in (1..).zip(TURNED) {
        let notes = turned(orientation);
        let size = if orientation < 5 { (60, 40) } else { (40, 60) };
        let segment = [b"Exif\0\0".as_slice(), &notes].concat();
        let mut canvas = vec![8, 0, 0, 0];
        canvas.extend([59, 0, 0, 39, 0, 0]);
        let of_webp = webp(&[
            (b"VP8X", &canvas),
            (b"VP8L", webp_pixels(&pixels)),
            (b"EXIF", &notes),
        ]);
        workspace
            .file("a.png", with_chunk(&png, b"eXIf", &notes))
            .file("a.jpg", with_segment(&jpeg, 0xe1, &segment))
            .file("a.webp", of_webp);
        for name in ["a.png", "a.jpg", "a.webp"] {
            let (reply, shown) = read_image(&session, name);
            let image = shown.image;
            assert_eq!(
                (image.width(), image.height()),
                size,
                "{name} {orientation}"
            );
            assert_eq!(corners(&image), expected, "{name} {orientation}");
            let stated = reply.details.image().unwrap().dimensions.unwrap();
            assert_eq!((stated.width, stated.height), size, "{name} {orientation}");
            assert!(
                !is_passed_through(&reply),
                "{name}: the file would keep its EXIF data"
            );
        }
    }
}

/// EXIF orientation also applies to an image that is scaled down.
#[test]
fn exif_orientation_is_applied_to_scaled_images() {
    let workspace = Workspace::new();
    let png = encoded(drawing(3000, 1000), ImageFormat::Png);
    workspace.file("a.png", with_chunk(&png, b"eXIf", &turned(6)));
    let (reply, shown) = read_image(&workspace.session(), "a.png");
    assert_eq!((shown.image.width(), shown.image.height()), (523, 1568));
    assert_eq!(corners(&shown.image), TURNED[5]);
    assert!(
        reply.text().contains("PNG image, 1000x3000, "),
        "{}",
        reply.text()
    );
}

fn plain_frame(red: u8) -> RgbaImage {
    RgbaImage::from_pixel(32, 24, Rgba([red, 0, 0, 255]))
}

/// If an image has several frames or pages, the first one is shown, and the reply states their
/// number.
#[test]
fn first_frame_or_page_is_shown_with_the_count() {
    let workspace = Workspace::new();
    let mut gif = Vec::new();
    GifEncoder::new(&mut gif)
        .encode_frames([230, 0, 0].map(|red| Frame::new(plain_frame(red))))
        .unwrap();
    let frames: Vec<Vec<u8>> = [230, 0]
        .map(|red| {
            let pixels = encoded(plain_frame(red), ImageFormat::WebP);
            let mut frame = vec![0, 0, 0, 0, 0, 0, 31, 0, 0, 23, 0, 0, 100, 0, 0, 0];
            frame.extend(riff_chunk(b"VP8L", webp_pixels(&pixels)));
            frame
        })
        .to_vec();
    let moving = webp(&[
        (b"VP8X", &[2, 0, 0, 0, 31, 0, 0, 23, 0, 0]),
        (b"ANIM", &[0; 6]),
        (b"ANMF", &frames[0]),
        (b"ANMF", &frames[1]),
    ]);
    let rows = |red: u8| {
        zlib(
            &(0..24)
                .flat_map(|_| [vec![0], [red, 0, 0].repeat(32)].concat())
                .collect::<Vec<u8>>(),
        )
    };
    let control = |number: u32| {
        let numbers = [number, 32, 24, 0, 0].map(u32::to_be_bytes).concat();
        chunk(b"fcTL", &[numbers, vec![0, 1, 0, 10, 0, 0]].concat())
    };
    let mut png = png_start(32, 24, 8, 2, false);
    png.extend(chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]));
    png.extend(control(0));
    png.extend(chunk(b"IDAT", &rows(230)));
    png.extend(control(1));
    png.extend(chunk(b"fdAT", &[vec![0, 0, 0, 2], rows(0)].concat()));
    png.extend(chunk(b"IEND", b""));
    let mut pages = Cursor::new(Vec::new());
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut pages).unwrap();
    for red in [230, 0] {
        let page = [red, 0, 0].repeat(32 * 24);
        encoder
            .write_image::<tiff::encoder::colortype::RGB8>(32, 24, &page)
            .unwrap();
    }
    workspace
        .file("a.tiff", pages.into_inner())
        .file("a.gif", gif)
        .file("a.webp", moving)
        .file("a.png", png);
    let session = workspace.session();
    for (name, count) in [("a.gif", 3), ("a.webp", 2), ("a.png", 2), ("a.tiff", 2)] {
        let (reply, shown) = read_image(&session, name);
        assert_eq!(colour(&shown.image, 5, 5), "red", "{name}");
        let notice = format!(", the first of {count}; ");
        assert!(reply.text().contains(&notice), "{}", reply.text());
        assert_eq!(
            reply
                .details
                .image()
                .as_ref()
                .unwrap()
                .header
                .as_ref()
                .unwrap()
                .frames,
            count
        );
        assert!(
            !is_passed_through(&reply),
            "{name}: a file of several frames is not passed through"
        );
        assert_eq!(details(&session, name)["header"]["frames"], json!(count));
    }
}
