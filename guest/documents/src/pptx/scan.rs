//! Facts about a slide that the presentation needs before the slide is shown.

use crate::limits;
use crate::slides::name::Names;
use crate::slides::text::{normal, replaced_tabs};
use crate::xml::{Event, Events, Start};
use memchr::memmem::Finder;
use std::collections::BTreeSet;

/// Facts about a slide.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The text of the title. Without one, the name of the slide.
    pub title: String,
    /// Whether the slide is hidden.
    pub hidden: bool,
    /// The texts of footers, without repetitions.
    pub footers: BTreeSet<String>,
    /// The relationships of images, in the order of the slide, without repetitions.
    pub images: Vec<String>,
}

/// The placeholder whose text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Other,
    Title,
    Footer,
}

/// A text without the placeholder of a title, until its end.
#[derive(Default)]
struct Other {
    /// The position of its upper side.
    top: Option<i64>,
    /// The largest size of its letters that is given.
    size: u32,
    /// Whether it is a placeholder.
    is_placeholder: bool,
    /// Its first paragraph with text.
    line: String,
    /// Whether that paragraph has ended.
    is_complete: bool,
}

/// The size of text that states none, in hundredths of a point: of a text box, and of a placeholder.
const SIZES: [u32; 2] = [1800, 3200];

impl Other {
    fn start(&mut self, start: &Start) {
        let number = |name| start.attr(name).and_then(|it| it.parse::<i64>().ok());
        match start.name {
            "off" if self.top.is_none() => self.top = number("y"),
            "rPr" => {
                let size = number("sz").and_then(|size| u32::try_from(size).ok());
                self.size = self.size.max(size.unwrap_or(0));
            }
            "ph" => self.is_placeholder = true,
            "p" | "br" => self.is_complete |= !self.line.trim().is_empty(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if !self.is_complete && self.line.len() < limits::METADATA_BYTES {
            self.line.push_str(&replaced_tabs(text, " "));
        }
    }

    fn end(self, names: &mut Names) {
        let [own, inherited] = SIZES;
        let size = match self.size {
            0 if self.is_placeholder => inherited,
            0 => own,
            size => size,
        };
        names.add(size, self.top, &self.line);
    }
}

/// The types of placeholders for footers, dates and headers.
const FOOTERS: [&str; 3] = ["ftr", "dt", "hdr"];

/// Reads the slides of a presentation.
pub struct Scanner {
    images: Finder<'static>,
    footers: [Finder<'static>; 3],
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            images: Finder::new("blip"),
            footers: FOOTERS.map(Finder::new),
        }
    }
}

impl Scanner {
    /// Reads a slide up to its title, or all of it if it has images or footers.
    pub fn read(&self, text: &str) -> Scan {
        let bytes = text.as_bytes();
        let is_quote =
            |at: Option<usize>| matches!(bytes.get(at?), Some(b'"' | b'\'')).then_some(());
        let has = |footer: &Finder| {
            let length = footer.needle().len();
            let mut found = footer.find_iter(bytes);
            found.any(|at| {
                let quotes = || {
                    is_quote(at.checked_sub(1))?;
                    is_quote(at.checked_add(length))
                };
                quotes().is_some()
            })
        };
        read(
            text,
            self.images.find(bytes).is_some() || self.footers.iter().any(has),
        )
    }
}

fn read(text: &str, all: bool) -> Scan {
    let mut found = Scan::default();
    let mut seen = BTreeSet::new();
    let mut reading = Reading::Other;
    let mut words = String::new();
    let mut names = Names::default();
    let mut other: Option<Other> = None;
    // Whether the text belongs to a run, and whether the run is a field.
    let (mut in_text, mut in_field) = (false, false);
    let mut skipped = 0_usize;
    for event in Events::new(text) {
        match event {
            Event::Start(start) => {
                if let Some(other) = &mut other {
                    other.start(&start);
                }
                match start.name {
                    "sld" => {
                        let show = start.attr("show");
                        found.hidden = matches!(show.as_deref(), Some("0" | "false"));
                    }
                    "sp" | "pic" | "graphicFrame" => {
                        reading = Reading::Other;
                        words.clear();
                        let is_wanted = start.name == "sp" && found.title.is_empty();
                        other = is_wanted.then(Other::default);
                    }
                    "ph" => {
                        reading = match start.attr("type").as_deref() {
                            Some("title" | "ctrTitle") if found.title.is_empty() => Reading::Title,
                            Some("ftr" | "dt" | "hdr" | "sldNum") => Reading::Footer,
                            _ => Reading::Other,
                        };
                    }
                    "t" => in_text = true,
                    "fld" => in_field = true,
                    "p" | "br" => words.push(' '),
                    "bg" | "buBlip" => skipped = skipped.saturating_add(1),
                    "blip" if skipped == 0 => {
                        if let Some(id) = start.attr("r:embed")
                            && found.images.len() < limits::IMAGES
                            && seen.insert(id.to_string())
                        {
                            found.images.push(id.into_owned());
                        }
                    }
                    _ => {}
                }
            }
            Event::End(name) => match name {
                "t" => in_text = false,
                "fld" => in_field = false,
                "bg" | "buBlip" => skipped = skipped.saturating_sub(1),
                "sp" => {
                    let text = normal(&words);
                    match reading {
                        Reading::Title => found.title = text,
                        Reading::Footer
                            if !text.is_empty() && found.footers.len() < limits::FOOTERS =>
                        {
                            found.footers.insert(text);
                        }
                        Reading::Footer => {}
                        Reading::Other => {
                            if let Some(other) = other.take() {
                                other.end(&mut names);
                            }
                        }
                    }
                    other = None;
                    reading = Reading::Other;
                    words.clear();
                    if !all && !found.title.is_empty() {
                        break;
                    }
                }
                _ => {}
            },
            Event::Text(piece) => {
                let wanted = match reading {
                    Reading::Title => true,
                    Reading::Footer => !in_field,
                    Reading::Other => false,
                };
                if in_text
                    && reading == Reading::Other
                    && let Some(other) = &mut other
                {
                    other.text(&piece);
                }
                if in_text && wanted && words.len() < limits::METADATA_BYTES {
                    words.push_str(&replaced_tabs(&piece, " "));
                }
            }
        }
    }
    if found.title.is_empty() {
        found.title = names.take();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footers_after_the_title_are_read_in_either_quotes() {
        let shape = |kind: &str, text: &str| {
            format!(
                "<p:sp><p:nvSpPr><p:nvPr><p:ph type={kind}/></p:nvPr></p:nvSpPr><a:t>{text}</a:t></p:sp>"
            )
        };
        let title = shape("\"title\"", "width of the ftr and hdr");
        for kind in ["\"ftr\"", "'ftr'", "\"dt\"", "'dt'", "\"hdr\"", "'hdr'"] {
            let slide = format!("<p:sld>{title}{}</p:sld>", shape(kind, "a footer"));
            let found = Scanner::default().read(&slide);
            assert_eq!(found.title, "width of the ftr and hdr");
            assert_eq!(found.footers.len(), 1, "{kind}");
        }
        let slide = format!("<p:sld>{title}{}</p:sld>", shape("\"body\"", "text"));
        assert!(Scanner::default().read(&slide).footers.is_empty());
    }
}
