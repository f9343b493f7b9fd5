//! Every format, of every kind of pixels.

use super::{hostile, look, survived, untouched, words};
use image::{DynamicImage, ImageFormat, Rgba};
use omniread::{Dialect, Options};
use omniread_tests::Workspace;
use omniread_tests::image::{
    CORNERS, chunk, clear_drawing, corners, drawing, encoded, png_of, png_start,
};
use std::io::Cursor;

/// A texture of two colours in blocks of four by four, which share their pixels:
/// red above, black below.
fn dds(width: u32, height: u32) -> Vec<u8> {
    let mut header = [0u32; 31];
    header[0] = 124;
    header[1] = 0x1007;
    header[2] = height;
    header[3] = width;
    header[18] = 32;
    header[19] = 4;
    header[20] = u32::from_le_bytes(*b"DXT1");
    header[26] = 0x1000;
    let mut out = b"DDS ".to_vec();
    out.extend(header.iter().flat_map(|number| number.to_le_bytes()));
    for row in 0..height / 4 {
        for _ in 0..width / 4 {
            let colour: u16 = if row * 8 < height { 0xf800 } else { 0 };
            out.extend(colour.to_le_bytes());
            out.extend([0; 6]);
        }
    }
    out
}

/// A drawing in every format that is decoded, by the name of a file.
fn every_format(width: u32, height: u32) -> Vec<(&'static str, Vec<u8>)> {
    let rgb = drawing(width, height);
    let of = |format| encoded(rgb.clone(), format);
    let deep = DynamicImage::from(rgb.clone());
    vec![
        ("a.png", of(ImageFormat::Png)),
        ("a.jpg", of(ImageFormat::Jpeg)),
        ("a.gif", of(ImageFormat::Gif)),
        ("a.webp", of(ImageFormat::WebP)),
        ("a.bmp", of(ImageFormat::Bmp)),
        ("a.tiff", of(ImageFormat::Tiff)),
        ("a.ico", encoded(deep.to_rgba8(), ImageFormat::Ico)),
        ("a.ppm", of(ImageFormat::Pnm)),
        ("a.qoi", of(ImageFormat::Qoi)),
        ("a.tga", of(ImageFormat::Tga)),
        ("a.ff", encoded(deep.to_rgba16(), ImageFormat::Farbfeld)),
        ("a.hdr", encoded(deep.to_rgb32f(), ImageFormat::Hdr)),
        ("a.exr", encoded(deep.to_rgb32f(), ImageFormat::OpenExr)),
        ("a.dds", dds(width, height)),
    ]
}

#[test]
fn every_format_is_shown() {
    let workspace = Workspace::new();
    let files = every_format(64, 48);
    for (name, bytes) in &files {
        workspace.file(name, bytes);
    }
    let session = workspace.session();
    for (name, bytes) in files {
        let (reply, shown) = look(&session, name);
        assert_eq!(
            (shown.image.width(), shown.image.height()),
            (64, 48),
            "{name}"
        );
        if name == "a.dds" {
            assert_eq!(corners(&shown.image), ["red", "red", "black", "black"]);
        } else {
            assert_eq!(corners(&shown.image), CORNERS, "{name}");
        }
        let plain = ["a.png", "a.jpg", "a.webp"].contains(&name);
        assert_eq!(untouched(&reply), plain, "{name}");
        assert_eq!(shown.bytes == bytes, plain, "{name}");
        assert_eq!(
            reply.text().contains("[shown as "),
            !plain,
            "{}",
            reply.text()
        );
        assert!(reply.text().starts_with(&format!("[Image '{name}': ")));
        assert!(reply.text().contains(", 64x48, "), "{}", reply.text());
    }
}

/// IM-6: what is cut off is an image of what is there, or text that says so.
#[test]
fn what_is_cut_off_is_no_defect() {
    let workspace = hostile();
    let session = workspace.session();
    for (name, bytes) in every_format(16, 16) {
        for end in (0..bytes.len()).step_by(37) {
            workspace.file(name, &bytes[..end]);
            survived(&session, name);
        }
    }
}

#[test]
fn every_kind_of_pixels_is_shown() {
    let workspace = Workspace::new();
    let rgb = DynamicImage::from(drawing(64, 48));
    let rgba = DynamicImage::from(clear_drawing(64, 48));
    for (name, image, channels, alpha, depth) in [
        ("l8.png", DynamicImage::from(rgb.to_luma8()), 1, false, 8),
        ("la8.png", rgba.to_luma_alpha8().into(), 2, true, 8),
        ("rgb8.png", rgb.clone(), 3, false, 8),
        ("rgba8.png", rgba.clone(), 4, true, 8),
        ("l16.png", rgb.to_luma16().into(), 1, false, 16),
        ("la16.png", rgba.to_luma_alpha16().into(), 2, true, 16),
        ("rgb16.png", rgb.to_rgb16().into(), 3, false, 16),
        ("rgba16.png", rgba.to_rgba16().into(), 4, true, 16),
        ("rgb16.tiff", rgb.to_rgb16().into(), 3, false, 16),
        ("rgba8.tiff", rgba.clone(), 4, true, 8),
        ("rgb32.tiff", rgb.to_rgb32f().into(), 3, false, 32),
    ] {
        let format = if name.ends_with("png") {
            ImageFormat::Png
        } else {
            ImageFormat::Tiff
        };
        workspace.file(name, encoded(image.clone(), format));
        let session = workspace.session();
        let (reply, shown) = look(&session, name);
        let header = reply
            .details
            .image()
            .as_ref()
            .unwrap()
            .header
            .as_ref()
            .unwrap();
        assert_eq!(
            (header.channels, header.alpha, header.depth),
            (channels, alpha, depth),
            "{name}"
        );
        let plain = depth == 8 && name.ends_with("png") && name != "la8.png";
        assert_eq!(untouched(&reply), plain, "{name}");
        // Nothing of it is lost.
        assert_eq!(shown.image.color().has_alpha(), alpha, "{name}");
        assert_eq!(shown.image.to_rgba8(), image.to_rgba8(), "{name}");
    }
}

/// A palette of red and black, the latter of which is clear.
#[test]
fn palettes_are_shown() {
    let workspace = Workspace::new();
    let colours = chunk(b"PLTE", &[230, 20, 20, 0, 0, 0]);
    let clear = chunk(b"tRNS", &[255, 0]);
    let rows: Vec<u8> = (0..40).flat_map(|_| [0, 0, 0, 0xff, 0xff]).collect();
    for (name, chunks, alpha) in [
        ("opaque.png", vec![colours.clone()], 255),
        ("clear.png", vec![colours, clear], 0),
    ] {
        workspace.file(name, png_of(png_start(32, 40, 1, 3, false), &chunks, &rows));
        let (reply, shown) = look(&workspace.session(), name);
        assert!(!untouched(&reply), "{name}");
        let image = shown.image.to_rgba8();
        assert_eq!(*image.get_pixel(0, 0), Rgba([230, 20, 20, 255]), "{name}");
        assert_eq!(image.get_pixel(31, 39)[3], alpha, "{name}");
        let header = reply.details.image().unwrap().header.as_ref().unwrap();
        assert_eq!(header.depth, 1, "{name}");
    }
}

/// Adam7: seven images of ever more pixels, one after the other.
#[test]
fn interlaced_images_are_shown() {
    let image = DynamicImage::from(drawing(61, 43)).to_luma8();
    let mut rows = Vec::new();
    for (left, top, right, down) in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ] {
        for y in (top..43).step_by(down) {
            rows.push(0);
            rows.extend((left..61).step_by(right).map(|x| image.get_pixel(x, y)[0]));
        }
    }
    let workspace = Workspace::new();
    workspace.file("a.png", png_of(png_start(61, 43, 8, 0, true), &[], &rows));
    let (_, shown) = look(&workspace.session(), "a.png");
    assert_eq!(shown.image.to_luma8(), image);
}

/// Images for printing.
#[test]
fn four_inks_are_shown() {
    let inks: Vec<u8> = drawing(64, 48)
        .pixels()
        .flat_map(|pixel| [255 - pixel[0], 255 - pixel[1], 255 - pixel[2], 0])
        .collect();
    let mut jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut jpeg, 90)
        .encode(&inks, 64, 48, jpeg_encoder::ColorType::Cmyk)
        .unwrap();
    let mut tiff = Cursor::new(Vec::new());
    tiff::encoder::TiffEncoder::new(&mut tiff)
        .unwrap()
        .write_image::<tiff::encoder::colortype::CMYK8>(64, 48, &inks)
        .unwrap();
    let workspace = Workspace::new();
    workspace
        .file("a.jpg", jpeg)
        .file("a.tiff", tiff.into_inner());
    let session = workspace.session();
    for name in ["a.jpg", "a.tiff"] {
        let (reply, shown) = look(&session, name);
        assert!(!untouched(&reply), "{name}");
        assert_eq!(corners(&shown.image), CORNERS, "{name}");
    }
}

/// A portable map is one whatever encoding its bytes could be.
#[test]
fn maps_without_zeros_are_images() {
    let workspace = Workspace::new();
    let mut map = b"P6\n# colours\n64 48\n255\n".to_vec();
    map.extend((0..64 * 48 * 3).map(|n| 0x80 | u8::try_from(n % 120).unwrap()));
    workspace
        .file("a.ppm", map)
        .file("b.txt", "P6 is a format of images\n")
        .file("c.txt", "P5 2\nno image at all\n");
    let session = workspace.session();
    let (reply, shown) = look(&session, "a.ppm");
    assert!(
        reply.text().contains("PNM image, 64x48"),
        "{}",
        reply.text()
    );
    assert_eq!((shown.image.width(), shown.image.height()), (64, 48));
    look(&session, "a.ppm:img");
    let text = words(&session, "b.txt");
    assert!(text.ends_with("1:P6 is a format of images"), "{text}");
    let text = words(&session, "c.txt");
    assert!(text.contains("2:no image at all"), "{text}");
}

/// Formats without a decoder are named, and none of their bytes are shown.
#[test]
fn formats_without_a_decoder_are_named() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for (name, start, long_name) in [
        (
            "a.heic",
            b"\0\0\0\x18ftypheic\0\0\0\0".as_slice(),
            "HEIC image",
        ),
        ("a.avif", b"\0\0\0\x18ftypavif\0\0\0\0", "AVIF image"),
        ("a.jxl", b"\xff\x0a\xfa\0\x10\0", "JPEG XL image"),
        ("b.jxl", b"\0\0\0\x0cJXL \r\n\x87\n\0\0", "JPEG XL image"),
        ("a.jp2", b"\0\0\0\x0cjP  \r\n\x87\n\0\0", "JPEG 2000 image"),
        ("a.psd", b"8BPS\0\x01\0\0\0\0\0\0", "Photoshop document"),
    ] {
        workspace.file(name, start);
        let said = words(&session, name);
        let size = start.len();
        assert_eq!(
            said,
            format!(
                "[Image '{name}': {long_name}, {size}B; not shown: there is no decoder for it here]"
            )
        );
        let options = Options::default();
        let reply = session.read_as(name, Dialect::Claude, &options).unwrap();
        let text = reply.text();
        assert!(text.contains("there is no decoder for it"), "{text}");
        assert!(!text.contains("ftyp"), "{text}");
        // To these, images are what they take themselves.
        for dialect in [Dialect::Gateway, Dialect::Gemini] {
            let failure = session.read_as(name, dialect, &options).unwrap_err();
            let text = failure.text;
            assert!(text.contains("Cannot read binary file"), "{text}");
            assert!(text.contains(long_name) && !text.contains("ftyp"), "{text}");
        }
    }
}
