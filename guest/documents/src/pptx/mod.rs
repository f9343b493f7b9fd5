//! PresentationML: pptx, pptm, potx, ppsx.
//!
//! ```text
//! mod.rs      the presentation: facts, slides, images
//! scan        facts about each slide, from its events
//! slide       a slide → Markdown
//! heading     the heading of a slide without a title
//! layout      bullets and positions that placeholders inherit
//! bullets     bullets and numbers of paragraphs
//! text        paragraphs
//! table       tables
//! notes       speaker notes and comments
//! ```

mod bullets;
mod heading;
mod layout;
mod notes;
mod scan;
mod slide;
mod table;
#[cfg(test)]
mod tests;
mod text;

use crate::budget::{Budget, start};
use crate::model::Block;
use crate::package::{Package, Relationships, is_limit};
use crate::report::incomplete;
use crate::slides::page;
use crate::slides::text::normal;
use crate::xml::{Element, Tree, decode};
use crate::{Document, Error, Facts, Unit, UnitFacts, UnitKind, limits, markdown};
use bullets::Levels;
use layout::Layouts;
use notes::Authors;
use std::collections::BTreeMap;

/// An open presentation.
struct Pptx {
    package: Package,
    facts: Facts,
    notes: Vec<String>,
    /// The parts of the slides, in their order. `None` if the part is missing.
    slides: Vec<Option<String>>,
    layouts: Layouts,
    /// The number of bytes of slides that may still be converted.
    rest: usize,
    authors: Authors,
    /// The parts of the images, and their numbers.
    images: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// The texts of footers, and on how many slides each is.
    footers: BTreeMap<String, usize>,
    /// The bullets of text without a placeholder.
    defaults: Levels,
    /// The names of sections by the places of their first slides.
    sections: BTreeMap<usize, String>,
}

/// What the part with the list of slides contains.
#[derive(Default)]
struct Presentation {
    slides: Vec<Option<String>>,
    defaults: Levels,
    sections: BTreeMap<usize, String>,
}

/// Opens a presentation.
///
/// # Errors
/// Fails if the package is encrypted or damaged, or is not a presentation.
pub fn open(bytes: Vec<u8>) -> Result<Box<dyn Document>, Error> {
    let mut package = Package::open(bytes)?;
    let main = main_part(&mut package)?;
    let related = package.relationships(&main);
    let mut notes = package.notes().to_vec();
    let Presentation {
        slides,
        defaults,
        sections,
    } = presentation(&mut package, &main, &related, &mut notes);
    let kind = package.content_type(&main).unwrap_or_default();
    let format = if kind.contains(".template") {
        "PowerPoint template"
    } else if kind.contains(".slideshow") {
        "PowerPoint slide show"
    } else {
        "PowerPoint presentation"
    };
    let mut presentation = Pptx {
        facts: Facts {
            format: format.to_owned(),
            metadata: metadata(&mut package),
            units: Some(UnitKind::Slide),
            list: Vec::new(),
        },
        authors: notes::authors(&mut package, &related),
        package,
        notes,
        slides,
        layouts: Layouts::default(),
        rest: limits::UNITS_BYTES,
        images: Vec::new(),
        numbers: BTreeMap::new(),
        footers: BTreeMap::new(),
        defaults,
        sections,
    };
    presentation.scan();
    Ok(Box::new(presentation))
}

/// Reads the metadata, except the title that PowerPoint writes by default.
fn metadata(package: &mut Package) -> Vec<(String, String)> {
    let mut found = crate::package::metadata::read(package);
    found.retain(|(name, value)| name != "title" || value != "PowerPoint Presentation");
    found
}

/// Finds the part with the list of slides.
fn main_part(package: &mut Package) -> Result<String, Error> {
    let root = package.relationships("");
    let is_main = |package: &Package, name: &str| {
        let kind = package.content_type(name).unwrap_or_default();
        kind.contains("presentationml") || kind.contains("ms-powerpoint")
    };
    if let Some(found) = root.first("officeDocument")
        && package.has(&found.target)
        && (is_main(package, &found.target) || found.target.starts_with("ppt/"))
    {
        return Ok(found.target.clone());
    }
    let is_typed = |name: &&str| is_main(package, name) && name.ends_with("presentation.xml");
    if let Some(name) = package.names().find(is_typed) {
        return Ok(name.to_owned());
    }
    let has = |folder: &str| package.names().any(|name| name.starts_with(folder));
    if has("ppt/") {
        return Ok("ppt/presentation.xml".to_owned());
    }
    let what = if has("word/") {
        "a Word document"
    } else if has("xl/") {
        "an Excel workbook"
    } else if has("content.xml") {
        "an OpenDocument file"
    } else {
        "a zip archive without `ppt/presentation.xml`"
    };
    Err(Error::Damaged(format!("the file is {what}")))
}

/// Reads the list of slides and what concerns all of them. If the list of the presentation is damaged, the slides are those
/// of the package, by the numbers in their names.
fn presentation(
    package: &mut Package,
    main: &str,
    related: &Relationships,
    notes: &mut Vec<String>,
) -> Presentation {
    let part = package.part(main).unwrap_or_default();
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let mut found = Vec::new();
    let mut places = BTreeMap::new();
    let list = tree.root().child("sldIdLst");
    for entry in list.iter().flat_map(Element::children) {
        if let Some(id) = entry.attr("r:id")
            && found.len() < limits::SLIDES
        {
            if let Some(own) = entry.attr("id") {
                places.insert(own, found.len());
            }
            let name = related.part(id).filter(|name| package.has(name));
            found.push(name.map(str::to_owned));
        }
    }
    let defaults = Levels::read(tree.root().child("defaultTextStyle"));
    let sections = sections(tree.root(), &places);
    let whole = |slides| Presentation {
        slides,
        defaults,
        sections,
    };
    let damage = part.damage.as_deref().or_else(|| tree.damage());
    let lost = found.iter().all(Option::is_none);
    let damaged = damage.is_some() || tree.root().name() != "presentation" || !found.is_empty();
    if !lost || !damaged {
        if let Some(damage) = damage {
            notes.push(incomplete("The list of slides", damage));
        }
        return whole(found);
    }
    let mut numbered = Vec::new();
    for name in package.names() {
        let number = name.strip_prefix("ppt/slides/slide");
        let number = number.and_then(|it| it.strip_suffix(".xml"));
        if let Some(number) = number.and_then(|it| it.parse::<u64>().ok()) {
            numbered.push((number, name.to_owned()));
        }
    }
    numbered.sort();
    if numbered.is_empty() {
        return whole(found);
    }
    let cut = damage.filter(|why| is_limit(why));
    let state = cut.map_or_else(
        || "The list of slides is damaged.".to_owned(),
        |why| incomplete("The list of slides", why),
    );
    notes.push(format!("{state} They are in the order of their names."));
    whole(numbered.into_iter().map(|(_, name)| Some(name)).collect())
}

/// Reads the names of sections (\[MS-PPTX] 2.6.16) by the places of their first slides.
fn sections(root: Element, places: &BTreeMap<&str, usize>) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    let list = root.child("extLst").and_then(|it| it.find("sectionLst"));
    for section in list.iter().flat_map(Element::children) {
        let first = section
            .descendants()
            .find_map(|it| places.get(it.attr("id").filter(|_| it.name() == "sldId")?));
        let name = normal(section.attr("name").unwrap_or_default());
        if let Some(first) = first
            && !name.is_empty()
        {
            let name = start(&name, limits::METADATA_BYTES).to_owned();
            found.entry(*first).or_insert(name);
        }
    }
    found
}

impl Pptx {
    /// Reads the titles, images and footers of all slides.
    fn scan(&mut self) {
        let mut rest = limits::SCANNED_BYTES;
        let scanner = scan::Scanner::default();
        for name in &self.slides {
            let Some(name) = name.as_ref().filter(|_| rest > 0) else {
                self.facts.list.push(UnitFacts::default());
                continue;
            };
            let most = limits::PART_BYTES.min(rest);
            let part = self.package.part_within(name, most);
            let bytes = part.as_ref().map_or(&[][..], |part| &part.bytes);
            rest = rest.saturating_sub(bytes.len());
            let found = scanner.read(&decode(bytes));
            if let Some(part) = part {
                self.package.keep(name, part);
            }
            self.facts.list.push(UnitFacts {
                name: found.title,
                hidden: found.hidden,
            });
            for footer in found.footers {
                let count = self.footers.entry(footer).or_default();
                *count = count.saturating_add(1);
            }
            if found.images.is_empty() {
                continue;
            }
            let related = self.package.relationships(name);
            for id in found.images {
                let target = related.part(&id).filter(|it| self.package.has(it));
                if let Some(target) = target
                    && self.images.len() < limits::IMAGES
                    && !self.numbers.contains_key(target)
                {
                    self.images.push(target.to_owned());
                    self.numbers.insert(target.to_owned(), self.images.len());
                }
            }
        }
        if rest == 0 {
            self.notes.push(format!(
                "The slides have more than {} MB of XML. The titles and images of the last ones are \
                 not listed.",
                limits::SCANNED_BYTES >> 20
            ));
        }
    }
}

impl Document for Pptx {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        let number = index.saturating_add(1);
        let Some(name) = self.slides.get(index) else {
            return Unit::default();
        };
        if self.rest == 0 {
            let note = format!(
                "The slides before this one have more than {} MB. It is shown if it is read alone.",
                limits::UNITS_BYTES >> 20
            );
            return Unit {
                text: String::new(),
                notes: vec![note],
                edges: [0, 0],
            };
        }
        let mut budget = Budget::default();
        let package = &mut self.package;
        let part = name.as_ref().and_then(|it| budget.part(package, it));
        let (Some(name), Some(part)) = (name, part) else {
            return Unit {
                text: String::new(),
                notes: vec![page::missing(number)],
                edges: [0, 0],
            };
        };
        self.rest = self.rest.saturating_sub(part.bytes.len());
        let mut related = self.package.relationships(name);
        if related.first("slide").is_some() {
            let parts = self.slides.iter().zip(1_usize..);
            let numbers: BTreeMap<_, _> = parts
                .filter_map(|(name, number)| Some((name.as_deref()?, number)))
                .collect();
            related.address("slide", |part| {
                Some(format!("#slide-{}", numbers.get(part)?))
            });
        }
        let layout = related.first("slideLayout").map(|it| it.target.clone());
        let layout = layout.unwrap_or_default();
        let layout = self.layouts.get(&mut self.package, &layout);
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        let mut shared = slide::Shared {
            package: &mut self.package,
            images: &self.numbers,
            authors: &self.authors,
            footers: &self.footers,
            defaults: self.defaults,
        };
        let mut converter = slide::Slide::new(&mut shared, &layout, related, budget);
        let mut text = converter.convert(tree.root());
        let mut notes = converter.notes;
        notes.truncate(limits::NOTES);
        if let Some(section) = self.sections.get(&index) {
            let mark = Block::Comment(format!("section: {section}"));
            text = format!("{}\n\n{text}", markdown::render(&[mark]));
        }
        if let Some(damage) = part.damage.as_deref().or_else(|| tree.damage()) {
            notes.push(incomplete(&format!("Slide {number}"), damage));
        }
        Unit::new(text, notes)
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        let name = self.images.get(number.checked_sub(1)?)?;
        let part = self.package.part(name)?;
        (!part.bytes.is_empty()).then_some(part.bytes)
    }
}
