//! The number of frames or pages of an image.

use super::{chunks, limits};
use omniread_image_types::{Format, Frames};
use std::io::Cursor;

const ONE: Frames = Frames {
    count: 1,
    more: false,
};

/// Counts the frames or pages of an image file. The result is 1 if the number is unknown.
pub fn count(data: &[u8], format: Format) -> Frames {
    let counted = match format {
        Format::Gif => of_gif(data),
        Format::Png => of_png(data),
        Format::Webp => of_webp(data),
        Format::Tiff => of_tiff(data),
        Format::Ico => of_icon(data),
        _ => None,
    };
    counted.unwrap_or(ONE)
}

fn of_gif(data: &[u8]) -> Option<Frames> {
    let mut options = gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options.read_info(data).ok()?;
    let mut count = 0;
    let more = loop {
        match decoder.next_frame_info() {
            Ok(Some(_)) if count == limits::FRAMES => break true,
            Ok(Some(_)) => count += 1,
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    Some(Frames { count, more }).filter(|frames| frames.count > 0)
}

/// Whether a part of a GIF is transparent when its first frame is shown: the frame has a
/// transparent colour, or is smaller than the image. Also true if the file cannot be read.
pub fn has_transparency(data: &[u8]) -> bool {
    let mut options = gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    let Ok(mut decoder) = options.read_info(data) else {
        return true;
    };
    let screen = (decoder.width(), decoder.height());
    match decoder.next_frame_info() {
        Ok(Some(frame)) => frame.transparent.is_some() || (frame.width, frame.height) != screen,
        _ => true,
    }
}

fn of_png(data: &[u8]) -> Option<Frames> {
    let (chunks, _) = chunks::of_png(data);
    let control = chunks.iter().find(|chunk| &chunk.kind == b"acTL")?;
    let count = u32::from_be_bytes(*control.body.first_chunk()?);
    Some(Frames {
        count: count.max(1),
        more: false,
    })
}

fn of_webp(data: &[u8]) -> Option<Frames> {
    let decoder = image_webp::WebPDecoder::new(Cursor::new(data)).ok()?;
    let count = decoder.num_frames();
    (count > 1).then_some(Frames { count, more: false })
}

fn of_tiff(data: &[u8]) -> Option<Frames> {
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(data)).ok()?;
    let mut count = 1;
    while decoder.more_images() {
        if count == limits::FRAMES || decoder.next_image().is_err() {
            return Some(Frames { count, more: true });
        }
        count += 1;
    }
    Some(Frames { count, more: false })
}

/// The number of images in an icon file, which is the third 16-bit number of its header, but at
/// least 1. `None` if the header is incomplete.
fn of_icon(data: &[u8]) -> Option<Frames> {
    let count = u16::from_le_bytes(*data.get(4..)?.first_chunk()?);
    Some(Frames {
        count: u32::from(count).max(1),
        more: false,
    })
}
