use super::*;
use crate::path::UnitKind;
use crate::request::Style;
use crate::window::{Capacity, Numbering};
use crate::world::memory::MemoryWorld;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A document of `count` units. `made` records the indexes of the units that are converted.
struct Fake {
    count: u64,
    made: Rc<RefCell<BTreeSet<u64>>>,
}

impl Units for Fake {
    fn kind(&self) -> UnitKind {
        UnitKind::Page
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn key(&self) -> Option<String> {
        Some("fake".to_owned())
    }

    /// Returns a unit of 1 to 9 lines.
    fn unit(&mut self, place: u64) -> Unit {
        self.made.borrow_mut().insert(place);
        let lines: Vec<String> = (1..=place % 9 + 1)
            .map(|line| format!("page {} line {line}", place + 1))
            .collect();
        Unit {
            text: lines.join("\n"),
            notes: vec![format!("page {}", place + 1)],
            ..Unit::default()
        }
    }
}

/// All lines of a [`Fake`] document of `count` units.
fn all(count: u64) -> Vec<String> {
    let made = Rc::default();
    let mut fake = Fake { count, made };
    let texts = (0..count).map(|place| fake.unit(place).text);
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

struct Reading {
    world: MemoryWorld,
    count: u64,
    exact: bool,
    /// The maximum size of a page in bytes. `None` for the default size.
    bytes: Option<u64>,
    /// The notes of the page that was read most recently.
    notes: Vec<String>,
}

impl Reading {
    fn new(count: u64) -> Self {
        Self {
            world: MemoryWorld::new("/ws"),
            count,
            exact: false,
            bytes: None,
            notes: Vec::new(),
        }
    }

    /// The lines of a page, the selector for the rest, and the indexes of the units that were
    /// converted.
    fn read(&mut self, selector: &str) -> (Vec<String>, Option<String>, Vec<u64>) {
        let (page, made) = self.page(selector).unwrap();
        let lines = (0..page.lines.len()).map(|at| page.line(at).to_owned());
        let left = page.remaining.as_ref().map(ToString::to_string);
        (lines.collect(), left, made)
    }

    fn page(&mut self, selector: &str) -> Option<(Page, Vec<u64>)> {
        let made: Rc<RefCell<BTreeSet<u64>>> = Rc::default();
        let mut fake = Fake {
            count: self.count,
            made: Rc::clone(&made),
        };
        let selector = match selector {
            "" => Selector::NONE,
            selector => Selector::parse(selector).unwrap().unwrap(),
        };
        let style = Style {
            exact_total: self.exact,
            ..Style::PAGED
        };
        let mut window = style.window(selector, Numbering::None);
        window.open_lines = 300;
        window.context = false;
        if let Some(bytes) = self.bytes {
            window.capacity = Capacity::Bytes(bytes);
        }
        let paged = page(&mut fake, &window, &mut self.world)?;
        self.notes = paged.notes.into_iter().map(|(_, note)| note).collect();
        let made = made.borrow().iter().copied().collect();
        Some((paged.page, made))
    }
}

const MANY: u64 = 10_000;

/// The indexes of the units that contain these lines.
fn shown(lines: &[String]) -> Vec<u64> {
    let place = |line: &String| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap() - 1;
    let places: BTreeSet<u64> = lines.iter().map(place).collect();
    places.into_iter().collect()
}

#[test]
fn first_page_converts_only_its_units() {
    let (lines, left, made) = Reading::new(MANY).read("");
    assert_eq!(lines, all(100)[..300]);
    assert_eq!(made, shown(&lines));
    assert_eq!(left.as_deref(), Some("page:62-:3"));
}

#[test]
fn unit_in_the_middle_converts_no_other() {
    let (lines, left, made) = Reading::new(MANY).read("page:9000");
    assert_eq!((made, left), (vec![8999], None));
    assert_eq!(shown(&lines), [8999]);
    let (lines, left, made) = Reading::new(MANY).read("page:9000-:2-");
    assert_eq!(lines.len(), 300);
    assert_eq!(lines[0], "page 9000 line 2");
    assert_eq!(made, shown(&lines));
    assert!(left.unwrap().starts_with("page:90"));
}

#[test]
fn next_page_converts_only_its_units() {
    let mut reading = Reading::new(MANY);
    let mut selector = String::new();
    let mut read = Vec::new();
    for _ in 0..50 {
        let (lines, left, made) = reading.read(&selector);
        assert_eq!(made, shown(&lines), "{selector}");
        read.extend(lines);
        selector = left.unwrap();
    }
    assert_eq!(read, all(MANY)[..read.len()]);
}

#[test]
fn following_next_returns_every_line_once() {
    for first in [
        "",
        "page:2-",
        "page:3-250",
        "page:5-:7-900",
        "40-1500",
        "page:1-200:3,9,400-",
    ] {
        let mut reading = Reading::new(400);
        let (all_lines, mut left, _) = reading.read(first);
        let mut read = all_lines;
        while let Some(selector) = left {
            let (lines, next, _) = reading.read(&selector);
            read.extend(lines);
            left = next;
        }
        let all = all(400);
        let of = |first: u64, last: u64| {
            let place = |line: &&String| (first - 1..last).contains(&shown(&[(*line).clone()])[0]);
            all.iter().filter(place).cloned().collect::<Vec<_>>()
        };
        let expected = match first {
            "" => all.clone(),
            "page:2-" => of(2, 400),
            "page:3-250" => of(3, 250),
            "page:5-:7-900" => of(5, 400)[6..900].to_vec(),
            "40-1500" => all[39..1500].to_vec(),
            _ => {
                let units = of(1, 200);
                let mut lines = vec![units[2].clone(), units[8].clone()];
                lines.extend_from_slice(&units[399..]);
                lines
            }
        };
        assert_eq!(read, expected, "{first}");
    }
}

#[test]
fn line_in_the_whole_text_is_found_with_cached_counts() {
    let mut reading = Reading::new(MANY);
    let (lines, left, made) = reading.read("20001-20010");
    assert_eq!(lines, all(MANY)[20_000..20_010]);
    assert_eq!(made.len(), 4004);
    assert_eq!(left, None);
    // The preceding units were counted by the first read.
    let (again, _, made) = reading.read("20001-20010");
    assert_eq!(again, lines);
    assert_eq!(made, shown(&lines));
    let (lines, left, made) = reading.read("19990-");
    assert_eq!(lines, all(MANY)[19_989..20_289]);
    assert_eq!(made, shown(&lines));
    assert_eq!(left.as_deref(), Some("page:4059-:4"));
}

#[test]
fn tail_converts_only_the_last_units() {
    let (lines, left, made) = Reading::new(MANY).read("-12");
    let all = all(MANY);
    assert_eq!(lines, all[all.len() - 12..]);
    assert_eq!(made, shown(&lines));
    assert_eq!(left, None);
}

#[test]
fn exact_totals_are_counted_once() {
    let mut reading = Reading::new(1000);
    reading.exact = true;
    let (page, made) = reading.page("").unwrap();
    let total = Total::Exact(all(1000).len() as u64);
    assert_eq!((page.total, made.len()), (total, 1000));
    let (page, made) = reading.page("page:900-").unwrap();
    let of_last = all(1000).len() - all(899).len();
    assert_eq!(page.total, Total::Exact(of_last as u64));
    assert!(made.len() < 70, "{}", made.len());
}

#[test]
fn missing_units_have_no_page() {
    let mut reading = Reading::new(3);
    assert!(reading.page("page:4").is_none());
    assert_eq!(shown(&reading.read("page:2-9").0), [1, 2]);
    assert!(
        Reading::new(0)
            .page("")
            .is_some_and(|(page, _)| page.lines.is_empty())
    );
}

#[test]
fn notes_are_those_of_units_on_the_page() {
    let mut reading = Reading::new(MANY);
    for exact in [false, true] {
        reading.exact = exact;
        reading.world.cache.clear();
        let (lines, ..) = reading.read("20001-20010");
        let pages = shown(&lines).into_iter();
        let expected: Vec<String> = pages.map(|place| format!("page {}", place + 1)).collect();
        assert_eq!(reading.notes, expected);
    }
}

#[test]
fn cut_line_continues_at_its_column() {
    let mut reading = Reading::new(40);
    reading.bytes = Some(10);
    let mut selector = "page:4-".to_owned();
    let mut text = String::new();
    for _ in 0..200 {
        let (page, _) = reading.page(&selector).unwrap();
        text.push_str(&page.plain());
        assert_eq!(page.cuts().count(), 0, "{selector}");
        let Some(left) = page.remaining else { break };
        if left.lines == Lines::All || !left.to_string().contains('@') {
            text.push('\n');
        }
        selector = left.to_string();
    }
    assert!(text.starts_with("page 4 line 1\npage 4 line 2\n"), "{text}");
    assert!(text.contains("\npage 5 line 1\n"), "{text}");
}
