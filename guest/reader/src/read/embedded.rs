//! The images on a page of converted text, up to the limits of a reply: images in the outputs of
//! notebooks, and images of documents to which the text refers.

use super::image;
use super::image_budget::Left;
use crate::answer::{AnnotationContent, Dimensions, Media, NotShown, OverBudget};
use crate::converted::{EmbeddedImage, ImageData};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::{Lines, Part, Range, Selector};
use crate::request::{ImageMode, ImageSize, Style};
use crate::sniff::ImageFormat;
use crate::world::{DecoderFormat, ReadTime, World};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::borrow::Cow;

/// The state while the images on one page are read. They are embedded in the document, such as the
/// outputs of notebook cells.
pub struct Embedded<'w> {
    /// The mode in which images are shown, or the reason for which they are not.
    images: Result<ImageMode, &'static str>,
    /// The size in which images are shown.
    size: ImageSize,
    /// What is left of the budget of the session.
    left: Left,
    /// The number of images that are over the budget, and the first of them.
    over: Option<(u64, OverBudget)>,
    /// The number of images on the page so far, including those that are not read.
    count: usize,
    /// The number of images that were read, shown or not.
    tried: usize,
    /// The number of images that are shown.
    shown: usize,
    /// The total size in bytes of the base64 text of the shown images.
    bytes: usize,
    /// The total size at which no further images are shown.
    most_bytes: usize,
    /// The number of pixels that were decoded for the images that were read.
    pixels: u64,
    /// The number of pixels at which no further image is read.
    most_pixels: u64,
    /// The number of the line that precedes the first image that was not read because of a limit.
    next: Option<u64>,
    world: &'w mut dyn World,
    notes: &'w mut Vec<String>,
}

/// The number of pixels at which no further image is read.
fn most_pixels(time: ReadTime) -> u64 {
    let share = time.limit.map(|limit| limit / limits::DOCUMENT_IMAGE_SHARE);
    let most = limits::DOCUMENT_IMAGE_MILLIS;
    share
        .map_or(most, |share| share.min(most))
        .saturating_mul(limits::DOCUMENT_IMAGE_PIXELS)
}

/// The number of pixels as which an image of `bytes` counts: those of the image, and more for formats that
/// take longer.
fn counted_pixels(bytes: usize, kind: &ImageFormat, media: Option<&Media>) -> u64 {
    let pixels = media.and_then(Media::size).map_or(0, |size| {
        u64::from(size.width).saturating_mul(u64::from(size.height))
    });
    let slow = kind.decoder == Some(DecoderFormat::Webp);
    let times = if slow { limits::WEBP_PIXELS } else { 1 };
    pixels
        .saturating_mul(times)
        .saturating_add((bytes as u64).saturating_mul(limits::IMAGE_BYTE_PIXELS))
}

impl<'w> Embedded<'w> {
    /// Creates the state for a page, before its first image. Notes on images are added to `notes`.
    pub fn new(style: &Style, world: &'w mut dyn World, notes: &'w mut Vec<String>) -> Self {
        let passing = style.media.filter(|passing| passing.inline);
        Self {
            images: match passing.map(|passing| passing.images) {
                None => Err("images in documents are not shown in this form of reply"),
                Some(ImageMode::Describe) => Err("images are not shown: image-metadata is on"),
                // Only files are returned unchanged; embedded images are always resized.
                Some(ImageMode::Passthrough { others, .. }) => Ok(ImageMode::Resize(others)),
                Some(images @ ImageMode::Resize(_)) => Ok(images),
            },
            size: style.image_size,
            left: Left::of(style, world),
            over: None,
            count: 0,
            tried: 0,
            shown: 0,
            bytes: 0,
            most_bytes: limits::DOCUMENT_IMAGE_BYTES
                .min(usize::try_from(style.reply_images).unwrap_or(usize::MAX)),
            pixels: 0,
            most_pixels: most_pixels(world.read_time()),
            next: None,
            world,
            notes,
        }
    }

    /// Reads an image of the page. The image follows the line with the number `line`. Returns the
    /// image, or a note that states why it is not shown. Returns `None` if no images are shown at
    /// all, or if a limit is reached; [`Self::end`] then adds a note.
    pub fn image(&mut self, image: &EmbeddedImage, line: u64) -> Option<AnnotationContent> {
        self.count = self.count.saturating_add(1);
        let images = self.images.ok()?;
        let allowed = self.next.is_none() && self.tried < limits::DOCUMENT_IMAGES;
        let Some(images) = allowed.then(|| self.fitting(images)).flatten() else {
            self.next.get_or_insert(line);
            return None;
        };
        self.tried = self.tried.saturating_add(1);
        Some(match self.read(image, images) {
            Ok(media) => {
                self.charge(&media);
                AnnotationContent::Image(Box::new(media))
            }
            Err(why) => AnnotationContent::Note(format!("[not shown: {}]", escape_invisible(&why))),
        })
    }

    /// The reason for which no images are shown, if so.
    pub fn refused(&self) -> Option<&'static str> {
        self.images.err()
    }

    /// Reads an image of a document from its bytes. `name` is the selector that reads it.
    pub fn figure(&mut self, bytes: &[u8], name: &str) -> Figure {
        let images = self
            .images
            .ok()
            .filter(|_| self.shown < limits::DOCUMENT_IMAGES);
        let Some(images) = images.and_then(|images| self.fitting(images)) else {
            return Figure::Limited;
        };
        let Some(kind) = format(bytes) else {
            let why = match bytes {
                [] => "it cannot be read",
                _ if is_metafile(bytes) => "there is no decoder for Windows metafiles",
                _ => "there is no decoder for its format",
            };
            return Figure::Undecoded(why.to_owned());
        };
        match self.of_bytes(bytes, kind, images, name) {
            Ok(media) if media.size().is_some_and(is_decoration) => Figure::Decoration,
            Ok(media) => match &media.payload {
                Ok(_) => {
                    self.charge(&media);
                    Figure::Shown(Box::new(media))
                }
                Err(NotShown::Budget(over)) => Figure::OverBudget(over.clone(), Box::new(media)),
                Err(NotShown::Undecoded(why)) => Figure::Undecoded(why.clone()),
                Err(_) => Figure::Limited,
            },
            Err(why) => Figure::Undecoded(why),
        }
    }

    /// The mode with the bounds for the next image. `None` if a limit on all images is reached.
    fn fitting(&self, mut images: ImageMode) -> Option<ImageMode> {
        if self.bytes >= self.most_bytes || self.pixels > self.most_pixels {
            return None;
        }
        // The option `reply-images` is exact. Otherwise the last image may exceed the limit.
        if self.most_bytes < limits::DOCUMENT_IMAGE_BYTES
            && let ImageMode::Resize(fit) = &mut images
        {
            // Three bytes take four characters in base64.
            let left = (self.most_bytes.saturating_sub(self.bytes) / 4).saturating_mul(3);
            let left = u32::try_from(left).unwrap_or(u32::MAX);
            if left < *omniread_options::IMAGE_SIZES.start() {
                return None;
            }
            fit.bytes = fit.bytes.min(left);
        }
        Some(images)
    }

    /// Adds an image to the totals: those of the images that are shown, or that are over the budget.
    fn charge(&mut self, media: &Media) {
        match &media.payload {
            Ok(payload) => {
                self.shown = self.shown.saturating_add(1);
                self.bytes = self.bytes.saturating_add(payload.data.len());
                if let Some(tokens) = media.tokens() {
                    self.left.add(tokens);
                }
            }
            Err(NotShown::Budget(over)) => {
                let (count, _) = self.over.get_or_insert_with(|| (0, over.clone()));
                *count = count.saturating_add(1);
            }
            Err(_) => {}
        }
    }

    /// Reads an embedded image in the same way as an image file.
    fn read(&mut self, image: &EmbeddedImage, images: ImageMode) -> Result<Media, String> {
        let (bytes, kind) = match &image.data {
            ImageData::Bytes(bytes) => {
                let kind = ImageFormat::of(bytes, true, "");
                (Cow::Borrowed(bytes.as_slice()), kind)
            }
            ImageData::Svg(source) => {
                let bytes = source.as_bytes();
                let kind = ImageFormat::of_text(bytes, Encoding::VALID_UTF8);
                (Cow::Borrowed(bytes), kind)
            }
            ImageData::Base64(base64) => {
                let bytes = decoded(base64).ok_or("it is not base64")?;
                let kind = ImageFormat::of(&bytes, true, "");
                (Cow::Owned(bytes), kind)
            }
        };
        let kind = kind.ok_or("it is not an image")?;
        let name = format!("image of {}:{}", image.kind.word(), image.unit);
        self.of_bytes(&bytes, kind, images, &name)
    }

    /// Reads an image from its bytes. `name` precedes the notes on it.
    fn of_bytes(
        &mut self,
        bytes: &[u8],
        kind: &'static ImageFormat,
        images: ImageMode,
        name: &str,
    ) -> Result<Media, String> {
        let size = bytes.len() as u64;
        let exceeded = (size > limits::IMAGE_BYTES).then_some(limits::IMAGE_BYTES);
        // Only the header of an image that is too large is examined.
        let head = exceeded.and_then(|_| bytes.get(..usize::try_from(limits::HEADER_BYTES).ok()?));
        let bytes = head.unwrap_or(bytes);
        let mut notes = Vec::new();
        let wanted = image::Wanted {
            kind,
            text: None,
            images,
            size: self.size,
            left: self.left,
        };
        let read = image::of_bytes(bytes, wanted, exceeded, self.world, &mut notes);
        let notes = notes.into_iter().map(|note| format!("{name}: {note}"));
        self.notes.extend(notes);
        let counted = counted_pixels(bytes.len(), kind, read.as_ref().ok());
        self.pixels = self.pixels.saturating_add(counted);
        read.map(|media| Media {
            bytes: Some(size),
            ..media
        })
    }

    /// Adds a note if images of the page are left out. `part` is the part of the document, such as
    /// a range of cells, in which the lines of the page are counted, and `path` is that of the page.
    pub fn end(self, part: Part, path: &str) {
        if self.count == 0 {
            return;
        }
        if let Err(why) = self.images {
            self.notes.push(why.to_owned());
        }
        if let Some((count, over)) = &self.over {
            self.notes.push(over.note(*count, path));
        }
        if let Some(line) = self.next {
            let next = Selector {
                part,
                lines: Lines::One(Range::lines(line, None)),
                raw: false,
            };
            self.notes.push(format!(
                "{} of the {} images in this reply are shown; read the line of another one, such as :{next}",
                self.shown, self.count
            ));
        }
    }
}

/// The result of reading an image of a document.
pub enum Figure {
    /// The image.
    Shown(Box<Media>),
    /// The image has only a few pixels: a bullet, a line or a spacer.
    Decoration,
    /// The image cannot be decoded, for this reason.
    Undecoded(String),
    /// The image is over the budget of the session.
    OverBudget(OverBudget, Box<Media>),
    /// A limit is reached. The image can be read by its path.
    Limited,
}

/// The format of an image of a document. `None` if it is not known.
fn format(bytes: &[u8]) -> Option<&'static ImageFormat> {
    ImageFormat::of(bytes, true, "").or_else(|| ImageFormat::of_text(bytes, Encoding::VALID_UTF8))
}

/// Whether an image of a document is probably shown: it has a decoder, and is not small.
pub fn is_promising(bytes: &[u8]) -> bool {
    bytes.len() >= limits::SMALL_FIGURE_BYTES
        && format(bytes).is_some_and(|format| format.decoder.is_some())
}

/// Whether an image is a drawing of Windows: WMF ([MS-WMF] 2.3.2) or EMF ([MS-EMF] 2.3.4.2).
fn is_metafile(bytes: &[u8]) -> bool {
    let is_emf = bytes.starts_with(&[1, 0, 0, 0]) && bytes.get(40..44) == Some(b" EMF");
    is_emf
        || matches!(
            bytes,
            [0xd7, 0xcd, 0xc6, 0x9a, ..] | [1 | 2, 0, 9, 0, 0, 1 | 3, ..]
        )
}

/// Whether an image is too small to show anything: a bullet, a line or a spacer.
fn is_decoration(size: Dimensions) -> bool {
    let (short, long) = (size.width.min(size.height), size.width.max(size.height));
    short <= 1 || long < limits::FIGURE_SIDE
}

/// Decodes base64 with or without padding and line breaks.
fn decoded(base64: &str) -> Option<Vec<u8>> {
    let bare: Vec<u8> = base64
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let end = bare.iter().rposition(|byte| *byte != b'=')?;
    STANDARD_NO_PAD.decode(bare.get(..=end)?).ok()
}
