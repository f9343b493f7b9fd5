//! Presentations of PowerPoint before 2007 ([MS-PPT]).
//!
//! ```text
//! mod.rs      the presentation: facts, slides, images
//! persist     saves, and where the objects are
//! deck        what the slides share: masters, links, fonts, images
//! slide       a slide → Markdown
//! text        the texts of shapes
//! paragraphs  texts → blocks
//! styles      the formats of paragraphs and characters
//! table       tables
//! embedded    charts of other programs
//! decrypt     encrypted presentations
//! ```
//!
//! What is shown, and how, is the same as for PresentationML.

mod deck;
mod decrypt;
mod embedded;
mod paragraphs;
mod persist;
mod slide;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod text;

use crate::ole::{Compound, art, properties};
use crate::report::damaged_stream;
use crate::{Document, Error, Facts, Unit, UnitKind};
use deck::{Deck, Image};
use persist::Objects;

/// An open presentation.
struct Ppt {
    /// The stream `PowerPoint Document`.
    stream: Vec<u8>,
    /// The stream with the images.
    pictures: Vec<u8>,
    facts: Facts,
    notes: Vec<String>,
    units: Vec<Unit>,
    images: Vec<Image>,
}

/// Opens a presentation.
///
/// # Errors
/// Fails if the password of an encrypted presentation is missing or wrong, or if there is no stream with
/// slides.
pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    let mut file = Compound::open(bytes)?;
    let mut notes = file.notes().to_vec();
    let mut read = |file: &mut Compound, name: &str| {
        let part = file.stream(name)?;
        if let Some(damage) = part.damage {
            notes.push(damaged_stream(name, &damage));
        }
        Some(part.bytes)
    };
    let Some(mut stream) = read(&mut file, "PowerPoint Document") else {
        if file.has("PP40") {
            let name = "PowerPoint 95 and older".to_owned();
            return Err(Error::Unsupported(name));
        }
        let what = if file.has("WordDocument") {
            "a Word document"
        } else if file.has("Workbook") || file.has("Book") {
            "an Excel workbook"
        } else {
            "a compound file without `PowerPoint Document`"
        };
        return Err(Error::Damaged(format!("the file is {what}")));
    };
    let current = read(&mut file, "Current User").unwrap_or_default();
    let mut pictures = read(&mut file, "Pictures").unwrap_or_default();
    let objects = Objects::read(&stream, &current);
    if objects.is_encrypted || file.has("EncryptedSummary") {
        decrypt::decrypt(&objects, &mut stream, &mut pictures, password)?;
    }
    let mut metadata = properties::read(&mut file);
    metadata.retain(|(name, value)| name != "title" || value != "PowerPoint Presentation");
    drop(file);
    let mut deck = Deck::read(&stream, &pictures, objects)?;
    let (mut list, mut units) = (Vec::new(), Vec::new());
    for index in 0..deck.slides.len() {
        let (facts, unit) = deck.slide(index);
        list.push(facts);
        units.push(unit);
    }
    notes.append(&mut deck.notes);
    notes.extend(deck.budget.notes());
    let images = std::mem::take(&mut deck.images);
    Ok(Box::new(Ppt {
        facts: Facts {
            format: "PowerPoint 97-2003 presentation".to_owned(),
            metadata,
            units: Some(UnitKind::Slide),
            list,
        },
        stream,
        pictures,
        notes,
        units,
        images,
    }))
}

impl Document for Ppt {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        self.units.get(index).cloned().unwrap_or_default()
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        match self.images.get(number.checked_sub(1)?)? {
            Image::Pictures(at) => art::image(&self.pictures, *at),
            Image::Document(at) => art::image(&self.stream, *at),
        }
    }
}
