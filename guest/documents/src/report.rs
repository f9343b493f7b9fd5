//! Facts about what a conversion leaves out or cannot read, and the notes on it.

use crate::budget::LinksCut;
use crate::limits;
use crate::note::quoted_name;
use crate::objects::Embedded;
use crate::package::is_limit;

/// Facts about a conversion for the notes of the reply.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact that one note states"
)]
pub struct Report {
    /// Notes of their own, such as on damage.
    pub notes: Vec<String>,
    /// Whether there are tracked changes.
    pub changes: bool,
    /// Whether a table of contents is left out.
    pub contents: bool,
    /// Whether there are drawings in it.
    pub contents_drawings: bool,
    /// The number of characters of hidden text.
    hidden: usize,
    /// Whether deep structure is shown as text.
    pub flattened: bool,
    /// The embedded objects that are not shown.
    pub embedded: Embedded,
    /// The number of images above the limit.
    images: usize,
    /// The number of images that the file does not contain.
    missing: usize,
    /// The number of fields that are equations and are not shown.
    equations: usize,
    /// The links whose addresses are left out.
    pub links: LinksCut,
}

impl Report {
    /// Counts characters of hidden text.
    pub fn hide(&mut self, characters: usize) {
        self.hidden = self.hidden.saturating_add(characters);
    }

    /// Counts images above the limit.
    pub fn omit_images(&mut self, count: usize) {
        self.images = self.images.saturating_add(count);
    }

    /// Counts an equation of a field.
    pub fn omit_equation(&mut self) {
        self.equations = self.equations.saturating_add(1);
    }

    /// Counts an image that the file does not contain.
    pub fn miss_image(&mut self) {
        self.missing = self.missing.saturating_add(1);
    }

    /// Notes the damage of a part and of its XML.
    pub fn check(&mut self, name: &str, part: Option<&str>, xml: Option<&str>) {
        self.notes.extend(part_notes(name, part, xml));
    }

    /// Writes the notes.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        limit(&mut notes);
        if self.changes {
            notes.push("Tracked changes are shown as accepted.".to_owned());
        }
        if self.contents {
            let drawings = if self.contents_drawings {
                " The images of its drawings are members of the file."
            } else {
                ""
            };
            notes.push(format!(
                "The table of contents is left out. It repeats the headings.{drawings}"
            ));
        }
        if self.hidden > 0 {
            notes.push(format!(
                "{} characters of hidden text are left out.",
                self.hidden
            ));
        }
        if self.flattened {
            notes.push("Deeply nested content is shown as text without structure.".to_owned());
        }
        notes.extend(match self.equations {
            0 => None,
            1 => Some("An equation in a field is not shown.".to_owned()),
            count => Some(format!("{count} equations in fields are not shown.")),
        });
        notes.extend(self.embedded.notes());
        if self.images > 0 {
            notes.push(format!("{} more images are not shown.", self.images));
        }
        notes.extend(missing_images("", self.missing));
        notes.extend(self.links.notes());
        notes
    }
}

/// Removes notes that repeat the one before, and those above the limit. A last note counts these.
pub fn limit(notes: &mut Vec<String>) {
    notes.dedup();
    if notes.len() > limits::NOTES {
        let more = notes.len().saturating_sub(limits::NOTES);
        notes.truncate(limits::NOTES);
        notes.push(format!("{more} more notes are left out."));
    }
}

/// The note on something that is not read to its end: it is damaged, or a limit applies.
pub fn incomplete(what: &str, why: &str) -> String {
    format!("{what} is {}: {why}.", state(why))
}

/// The state of something that is not read to its end, for this reason.
pub fn state(why: &str) -> &'static str {
    if is_limit(why) {
        "not read in full"
    } else {
        "damaged"
    }
}

/// The notes on the damage of a part and of its XML. The XML of a part that is cut has no end.
pub fn part_notes(
    name: &str,
    part: Option<&str>,
    xml: Option<&str>,
) -> impl Iterator<Item = String> {
    let xml = xml.filter(|why| is_limit(why) || !part.is_some_and(is_limit));
    let part = part.map(|damage| damaged_part(name, damage));
    part.into_iter()
        .chain(xml.map(|damage| damaged_xml(name, damage)))
}

/// The note on a part of a package that cannot be read to its end.
pub fn damaged_part(name: &str, damage: &str) -> String {
    incomplete(&format!("The part {}", quoted_name(name)), damage)
}

/// The note on a part of a package whose XML is damaged.
pub fn damaged_xml(name: &str, damage: &str) -> String {
    incomplete(
        &format!("The XML of the part {}", quoted_name(name)),
        damage,
    )
}

/// The note on a part that a package does not contain.
pub fn missing_part(name: &str) -> String {
    format!("The part {} is missing.", quoted_name(name))
}

/// The note on a stream of a compound file that cannot be read to its end.
pub fn damaged_stream(name: &str, damage: &str) -> String {
    incomplete(&format!("The stream `{name}`"), damage)
}

/// The note on images that the file does not contain. `of` is empty, or names where they are shown, such
/// as ` of the sheet`.
pub fn missing_images(of: &str, count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("An image{of} is missing in the file.")),
        count => Some(format!("{count} images{of} are missing in the file.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::LEFT_OUT;

    #[test]
    fn counts_are_in_notes_in_one_order() {
        let mut report = Report {
            changes: true,
            contents: true,
            flattened: true,
            links: LinksCut {
                long: true,
                many: false,
            },
            ..Report::default()
        };
        report.hide(3);
        report.hide(usize::MAX);
        report.omit_equation();
        report.omit_equation();
        report.embedded.add();
        report.omit_images(2);
        report.miss_image();
        report.check("a`b", Some("it is cut"), Some("a tag has no end"));
        let notes = report.notes();
        let starts = [
            "The part",
            "The XML of the part",
            "Tracked changes",
            "The table of contents",
            "18446744073709551615 characters",
            "Deeply nested",
            "2 equations",
            "An embedded document",
            "2 more images",
            "An image is missing in the file.",
            "Addresses",
        ];
        assert_eq!(notes.len(), starts.len(), "{notes:?}");
        for (note, start) in notes.iter().zip(starts) {
            assert!(note.starts_with(start), "{note}");
        }
        assert_eq!(Report::default().notes(), [""; 0]);
    }

    #[test]
    fn limits_are_not_called_damage() {
        let cut = format!("it has more than 32 MB, and {LEFT_OUT}");
        let notes: Vec<String> = part_notes("a", Some(&cut), Some("a tag has no end")).collect();
        assert_eq!(
            notes,
            ["The part `a` is not read in full: it has more than 32 MB, and the rest is left out."]
        );
        let many = format!("it has too many elements, and {LEFT_OUT}");
        let notes: Vec<String> = part_notes("a", Some(&cut), Some(&many)).collect();
        assert_eq!(notes.len(), 2);
        assert!(
            notes.iter().all(|note| !note.contains("damaged")),
            "{notes:?}"
        );
    }

    #[test]
    fn notes_above_the_limit_are_counted() {
        let mut notes: Vec<String> = (0..limits::NOTES + 2).map(|at| at.to_string()).collect();
        notes.insert(0, "0".to_owned());
        limit(&mut notes);
        assert_eq!(notes.len(), limits::NOTES + 1);
        assert_eq!(notes.last().unwrap(), "2 more notes are left out.");
    }
}
