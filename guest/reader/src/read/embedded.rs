//! The images on a page of converted text, as many as one reply shows.

use super::image;
use crate::answer::{Beside, Media};
use crate::converted::{EmbeddedImage, ImageData};
use crate::encoding::Encoding;
use crate::limits;
use crate::path::{Lines, Part, Range, Selector};
use crate::request::{Images, Passing};
use crate::sniff::ImageFormat;
use crate::visible::visible;
use crate::world::World;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// The images of one page.
pub struct Embedded<'w> {
    /// How they are shown, or why they are not.
    images: Result<Images, &'static str>,
    /// How many there are.
    count: usize,
    /// How many of them were tried.
    tried: usize,
    /// How many are shown.
    shown: usize,
    /// What they take in base64.
    bytes: usize,
    /// When no other is begun.
    end: u64,
    /// The line of the first one that was not tried.
    next: Option<u64>,
    world: &'w mut dyn World,
    notes: &'w mut Vec<String>,
}

impl<'w> Embedded<'w> {
    /// None so far; what is said of them goes to `notes`.
    pub fn new(
        passing: Option<Passing>,
        world: &'w mut dyn World,
        notes: &'w mut Vec<String>,
    ) -> Self {
        let passing = passing.filter(|passing| passing.inline);
        Self {
            images: match passing.map(|passing| passing.images) {
                None => Err("images in documents are not shown in this form of reply"),
                Some(Images::Described) => {
                    Err("images are not shown: they were only to be described")
                }
                // What is handed out untouched are files.
                Some(Images::Untouched { others, .. }) => Ok(Images::Fitted(others)),
                Some(images @ Images::Fitted(_)) => Ok(images),
            },
            count: 0,
            tried: 0,
            shown: 0,
            bytes: 0,
            end: world.ticks().saturating_add(limits::DOCUMENT_IMAGE_MILLIS),
            next: None,
            world,
            notes,
        }
    }

    /// An image and its line, if there is anything to say or show behind that.
    pub fn image(&mut self, image: &EmbeddedImage, line: u64) -> Option<Beside> {
        self.count = self.count.saturating_add(1);
        let images = self.images.ok()?;
        if self.next.is_some()
            || self.tried >= limits::DOCUMENT_IMAGES
            || self.bytes >= limits::DOCUMENT_IMAGE_BYTES
            || self.world.ticks() > self.end
        {
            self.next.get_or_insert(line);
            return None;
        }
        self.tried = self.tried.saturating_add(1);
        Some(match self.read(image, images) {
            Ok(media) => {
                if let Ok(given) = &media.given {
                    self.shown = self.shown.saturating_add(1);
                    self.bytes = self.bytes.saturating_add(given.data.len());
                }
                Beside::Image(Box::new(media))
            }
            Err(why) => Beside::Words(format!("[not shown: {}]", visible(&why))),
        })
    }

    /// An image of a unit, read in the same way as one that is a file.
    fn read(&mut self, image: &EmbeddedImage, images: Images) -> Result<Media, String> {
        let (mut bytes, kind) = match &image.data {
            ImageData::Bytes(bytes) => {
                let kind = ImageFormat::of(bytes, true, "");
                (bytes.clone(), kind)
            }
            ImageData::Svg(source) => {
                let bytes = source.as_bytes().to_vec();
                let kind = ImageFormat::of_text(&bytes, Encoding::SOUND);
                (bytes, kind)
            }
            ImageData::Base64(base64) => {
                let bytes = decoded(base64).ok_or("it is no base64")?;
                let kind = ImageFormat::of(&bytes, true, "");
                (bytes, kind)
            }
        };
        let kind = kind.ok_or("it is not an image")?;
        let size = bytes.len() as u64;
        let too_large = size > limits::IMAGE_BYTES;
        if too_large {
            // Only its header is looked at.
            bytes.truncate(usize::try_from(limits::HEADER_BYTES).unwrap_or(usize::MAX));
        }
        let exceeded = too_large.then_some(limits::IMAGE_BYTES);
        let mut notes = Vec::new();
        let read = image::of_bytes(&bytes, kind, images, exceeded, self.world, &mut notes);
        let (word, unit) = (image.kind.word(), image.unit);
        let told = notes
            .into_iter()
            .map(|note| format!("image of {word}:{unit}: {note}"));
        self.notes.extend(told);
        read.map(|media| Media {
            bytes: Some(size),
            ..media
        })
    }

    /// Says which images of the page are not shown; `part` is what its lines are
    /// counted in.
    pub fn end(self, part: Part) {
        if self.count == 0 {
            return;
        }
        if let Err(why) = self.images {
            self.notes.push(why.to_owned());
        }
        if let Some(line) = self.next {
            let next = Selector {
                part,
                lines: Lines::One(Range::lines(line, None)),
                raw: false,
            };
            self.notes.push(format!(
                "{} of the {} images on this page are shown; ask for the line of another, such as :{next}",
                self.shown, self.count
            ));
        }
    }
}

/// The bytes of base64 with or without padding and line breaks.
fn decoded(base64: &str) -> Option<Vec<u8>> {
    let bare: Vec<u8> = base64
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let end = bare.iter().rposition(|byte| *byte != b'=')?;
    STANDARD_NO_PAD.decode(bare.get(..=end)?).ok()
}
