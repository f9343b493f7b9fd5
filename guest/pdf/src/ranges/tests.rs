//! Files that are read by ranges.

use super::*;
use crate::testing::{Builder, pages};
use crate::{DRAWN, open, open_ranges, open_source};
use omniread_document::{Document, Error};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Bytes in memory, which count what is read of them.
#[derive(Clone, Default)]
struct Counted {
    bytes: Rc<RefCell<Vec<u8>>>,
    read: Rc<Cell<u64>>,
    /// The offset from which bytes cannot be read.
    broken_from: Rc<Cell<u64>>,
    is_remote: bool,
}

impl Counted {
    fn new(bytes: Vec<u8>) -> Self {
        let counted = Self::default();
        *counted.bytes.borrow_mut() = bytes;
        counted.broken_from.set(u64::MAX);
        counted
    }

    fn open(&self) -> Box<dyn Document> {
        open_ranges(Box::new(self.clone()), None, DRAWN).unwrap()
    }
}

impl Source for Counted {
    fn size(&self) -> u64 {
        self.bytes.borrow().len() as u64
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        if offset.saturating_add(length) > self.broken_from.get() {
            return Err("the disk is broken".to_owned());
        }
        let bytes = self.bytes.borrow();
        let start = usize::try_from(offset).unwrap().min(bytes.len());
        let end = (start + usize::try_from(length).unwrap()).min(bytes.len());
        self.read.set(self.read.get() + (end - start) as u64);
        Ok(bytes[start..end].to_vec())
    }

    fn is_local(&self) -> bool {
        !self.is_remote
    }
}

/// The content of a page with some words and much white space, so that it is large.
fn content(words: &str) -> String {
    format!(
        "BT /F1 12 Tf 50 700 Td ({words}) Tj ET{}",
        " ".repeat(100_000)
    )
}

fn book(count: usize) -> Vec<u8> {
    let contents: Vec<String> = (0..count)
        .map(|page| content(&format!("Words of page {page}.")))
        .collect();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    pages(&contents, "", "", &[])
}

#[test]
fn a_page_costs_its_objects() {
    let source = Counted::new(book(40));
    let mut document = source.open();
    assert_eq!(document.facts().list.len(), 40);
    assert!(source.read.get() < 100_000, "{}", source.read.get());
    assert!(document.unit(30).text.contains("page 30."));
    // The page, its neighbours, and the sample of eight.
    assert!(source.read.get() < 12 * 101_000, "{}", source.read.get());
}

#[test]
fn a_page_with_a_kept_layout_costs_itself_and_its_neighbours() {
    let bytes = book(40);
    let mut first = Counted::new(bytes.clone()).open();
    assert_eq!(first.layout(), None);
    let page = first.unit(30);
    let layout = first.layout().unwrap();

    let source = Counted::new(bytes.clone());
    let mut document = source.open();
    assert!(document.set_layout(&layout));
    assert_eq!(document.unit(30), page);
    assert!(source.read.get() < 4 * 101_000, "{}", source.read.get());
    // It was not derived from pages of this document, so that nobody keeps it again.
    assert_eq!(document.layout(), None);

    // Damaged bytes are ignored.
    let source = Counted::new(bytes);
    let mut document = source.open();
    assert!(!document.set_layout(&layout[..layout.len() - 1]));
    assert_eq!(document.unit(30), page);
    assert!(source.read.get() > 8 * 100_000, "{}", source.read.get());
    assert!(!document.set_layout(&layout));
    assert_eq!(document.layout(), Some(layout));
    // It is returned once.
    assert_eq!(document.layout(), None);
}

#[test]
fn a_page_with_any_layout_is_converted() {
    let bytes = book(9);
    let mut first = open(bytes.clone(), None).unwrap();
    first.unit(4);
    let layout = first.layout().unwrap();
    for place in 0..layout.len() {
        let mut damaged = layout.clone();
        damaged[place] ^= 0xff;
        let mut document = open(bytes.clone(), None).unwrap();
        document.set_layout(&damaged);
        let text = document.unit(4).text;
        assert!(text.contains("page 4."), "{place}: {text}");
    }
}

#[test]
fn a_layout_without_the_sample_is_not_kept() {
    let source = Counted::new(book(40));
    let mut document = source.open();
    document.set_alone(true);
    document.unit(30);
    assert_eq!(document.layout(), None);
    document.set_alone(false);
    source.broken_from.set(3_000_000);
    let unit = document.unit(3);
    assert!(unit.text.contains("page 3."), "{}", unit.text);
    assert_eq!(document.layout(), None);
}

#[test]
fn a_layout_of_a_file_that_is_lost_in_part_is_not_kept() {
    let mut bytes = book(40);
    let text = String::from_utf8(bytes.clone()).unwrap();
    let table = text.rfind("xref\n0 ").unwrap();
    let first = table + text[table..].find("0000000000 65535").unwrap();
    // The content of the page 20 is elsewhere, so that the file is read whole, which fails.
    let entry = first + 20 * (4 + 2 * 20);
    bytes[entry..entry + 10].copy_from_slice(b"0000000003");
    let source = Counted::new(bytes);
    let mut document = source.open();
    source.broken_from.set(2_000_000);
    assert!(document.page_image(20, 100, u64::MAX).is_err());
    source.broken_from.set(u64::MAX);
    // The objects are lost for all units, and each says so.
    let unit = document.unit(3);
    let notes = unit.notes.join("\n");
    assert!(notes.contains("the disk is broken"), "{unit:?}");
    assert_eq!(document.layout(), None);
}

#[test]
fn the_text_is_that_of_the_whole_file() {
    let bytes = book(12);
    let mut whole = open(bytes.clone(), None).unwrap();
    let mut ranges = Counted::new(bytes).open();
    for page in [11, 0, 5, 5] {
        assert_eq!(whole.unit(page), ranges.unit(page));
        assert_eq!(whole.whole_unit(page), ranges.whole_unit(page));
    }
    let image = |document: &mut dyn Document| document.page_image(3, 100, u64::MAX).unwrap();
    assert_eq!(image(&mut *whole), image(&mut *ranges));
}

#[test]
fn small_files_are_read_whole() {
    let bytes = book(1);
    let source = Counted::new(bytes.clone());
    let mut document = open_source(Box::new(source.clone()), None, DRAWN).unwrap();
    assert_eq!(source.read.get(), bytes.len() as u64);
    assert!(document.unit(0).text.contains("page 0."));
    let large = Counted {
        is_remote: true,
        ..Counted::new(book(20))
    };
    let document = open_source(Box::new(large.clone()), None, DRAWN).unwrap();
    assert!(large.read.get() < 100_000);
    assert!(
        document
            .notes()
            .iter()
            .any(|note| note.contains("not listed"))
    );
}

#[test]
fn images_are_read_when_they_are_needed() {
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>");
    builder.stream("", b"100 0 0 100 0 0 cm /I Do");
    let side = 600;
    let entries = format!(
        "/Type /XObject /Subtype /Image /Width {side} /Height {side} /BitsPerComponent 8 /ColorSpace /DeviceGray"
    );
    builder.stream(&entries, &vec![77; side * side]);
    let bytes = builder.file(1);
    let source = Counted::new(bytes.clone());
    let mut document = source.open();
    let text = document.unit(0).text;
    assert!(text.contains("page:1:img"), "{text}");
    assert!(source.read.get() < 50_000, "{}", source.read.get());
    let mut whole = open(bytes, None).unwrap();
    assert_eq!(document.image(1), whole.image(1));
    assert!(document.image(1).is_some());
    assert!(source.read.get() > 360_000);
}

#[test]
fn attachments_of_pages_are_found_and_read() {
    let comment = "/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 6 0 R >>]";
    let data = format!(
        "<< /Length 40000 >> stream\n{}\nendstream",
        "a".repeat(40_000)
    );
    let bytes = pages(
        &[&content("Words.")],
        comment,
        "",
        &[
            "<< /Unused true >>",
            "<< /Type /Filespec /F (data.csv) /EF << /F 7 0 R >> >>",
            &data,
        ],
    );
    let mut document = Counted::new(bytes.clone()).open();
    let whole = open(bytes, None).unwrap();
    assert_eq!(document.attachments(), whole.attachments());
    assert_eq!(document.attachments()[0].size, 40_000);
    assert_eq!(document.attachment(0).unwrap().len(), 40_000);
}

#[test]
fn tags_are_read_for_the_page() {
    let tagged = |mark: usize| {
        content(&format!(
            ") Tj ET /H1 << /MCID {mark} >> BDC BT /F1 12 Tf 50 600 Td (Title {mark}) Tj ET EMC BT ("
        ))
    };
    let bytes = pages(
        &[&tagged(0), &tagged(0)],
        "/StructParents 0",
        "/StructTreeRoot 7 0 R",
        &[
            "<< /Type /StructTreeRoot /K [8 0 R] /ParentTree 9 0 R >>",
            "<< /S /H1 /P 7 0 R /Pg 3 0 R /K 0 >>",
            "<< /Nums [0 [8 0 R]] >>",
        ],
    );
    let mut document = Counted::new(bytes.clone()).open();
    let mut whole = open(bytes, None).unwrap();
    for page in 0..2 {
        assert_eq!(document.unit(page), whole.unit(page));
    }
    assert!(document.unit(0).text.starts_with("# Title 0"));
}

#[test]
fn damaged_and_encrypted_files_are_read_whole() {
    let good = book(3);
    // An entry of the table that leads nowhere.
    let text = String::from_utf8(good.clone()).unwrap();
    let table = text.rfind("xref\n0").unwrap();
    let entry = table + "xref\n0 9\n0000000000 65535 f \n".len();
    for (at, with) in [(entry + 20, "0000000003"), (table, "xxxx")] {
        let mut bytes = good.clone();
        bytes[at..at + with.len()].copy_from_slice(with.as_bytes());
        let mut document = Counted::new(bytes).open();
        assert!(document.unit(2).text.contains("page 2."), "{with}");
    }
    for length in (0..good.len()).step_by(9973) {
        let cut = good[..length].to_vec();
        let mut whole = open(cut.clone(), None);
        let mut ranges = open_ranges(Box::new(Counted::new(cut)), None, DRAWN);
        match (&mut whole, &mut ranges) {
            (Ok(whole), Ok(ranges)) => assert_eq!(whole.unit(0), ranges.unit(0)),
            (Err(whole), Err(ranges)) => assert_eq!(whole, ranges),
            _ => panic!("{length}"),
        }
    }
}

#[test]
fn a_page_that_cannot_be_read_has_a_note() {
    let source = Counted::new(book(40));
    let mut document = source.open();
    source.broken_from.set(2_000_000);
    let unit = document.unit(39);
    assert!(
        unit.notes
            .iter()
            .any(|note| note.contains("the disk is broken"))
    );
    source.broken_from.set(u64::MAX);
    let unit = document.unit(39);
    assert!(
        unit.text.contains("page 39.") && unit.notes.is_empty(),
        "{unit:?}"
    );
    source.broken_from.set(0);
    let error = open_ranges(Box::new(source), None, DRAWN).err();
    assert_eq!(error, Some(Error::Io("the disk is broken".to_owned())));
}

#[test]
fn loops_end() {
    for table in [
        // A table before itself.
        "xref\n0 1\n0000000000 65535 f \ntrailer << /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF",
        // Too many entries for the file.
        "xref\n0 4000000000\n0000000000 65535 f \ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF",
        "xref\n0 0\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF",
        "1 0 obj << /W [1 8 8] /Index [0 4294967295] /Root 1 0 R /Length 0 >> stream\n\nendstream\nstartxref\n9\n%%EOF",
    ] {
        let source = Counted::new(format!("%PDF-1.7\n{table}").into_bytes());
        assert!(Ranges::open(Box::new(source)).is_err(), "{table}");
    }
    // A page tree with a loop.
    let bytes = pages(&["", ""], "", "", &[]);
    let text = String::from_utf8(bytes).unwrap();
    let text = text.replace(
        "/Count 2 /Kids [3 0 R 5 0 R]",
        "/Count 9 /Kids [2 0 R 5 0 R]",
    );
    assert_eq!(Counted::new(text.into_bytes()).open().facts().list.len(), 1);
}

#[test]
fn objects_are_forgotten_when_they_are_many() {
    let word = "x".repeat(5_000_000);
    let content = format!("BT /F1 12 Tf 50 700 Td (Words of a page.) Tj ET % {word}");
    let contents = vec![content.as_str(); 10];
    let bytes = pages(&contents, "", "", &[]);
    let source = Counted::new(bytes);
    let mut ranges = Ranges::open(Box::new(source)).ok().unwrap();
    for page in 0..10 {
        ranges.make_space().unwrap();
        ranges.pages(&[page], Need::Text).unwrap();
        assert!(ranges.held.len() <= limits::RANGE_BYTES + 6_000_000);
        assert!(ranges.file().is_some());
    }
}
