//! Reads PDF files whole and by ranges, and compares the results.
//!
//! ```text
//! ranges PATH...
//! ```
//!
//! A path is a file or a directory. For each file, the share of its bytes that was read for the facts, for
//! the first page, and for the first twelve pages is printed, with the number of reads. A difference between
//! the texts or the images is an error.

#![allow(clippy::print_stdout, clippy::exit, reason = "it is a program")]

use omniread_document::Document;
use omniread_pdf::ranges::Source;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The number of pages of a file that are compared.
const PAGES: usize = 12;

/// Bytes in memory. The number of bytes and of reads are counted.
struct Counted {
    bytes: Rc<Vec<u8>>,
    read: Rc<Cell<(u64, u64)>>,
}

impl Source for Counted {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        let start = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let end = start.saturating_add(length).min(self.bytes.len());
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        let (sum, count) = self.read.get();
        self.read.set((sum + bytes.len() as u64, count + 1));
        Ok(bytes.to_vec())
    }

    fn is_local(&self) -> bool {
        true
    }
}

fn main() {
    let mut files = Vec::new();
    for path in std::env::args().skip(1) {
        collect(Path::new(&path), &mut files);
    }
    files.sort();
    let (mut compared, mut different) = (0, 0);
    for path in &files {
        let Ok(bytes) = std::fs::read(path) else {
            continue;
        };
        match compare(bytes) {
            Ok(Some(line)) => {
                compared += 1;
                println!("{line} {}", path.display());
            }
            Ok(None) => {}
            Err(message) => {
                different += 1;
                println!("DIFFERENT {message} {}", path.display());
            }
        }
    }
    println!(
        "{} files, {compared} read by ranges, {different} different",
        files.len()
    );
    if different > 0 {
        std::process::exit(1);
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|it| it == "pdf") {
        files.push(path.to_owned());
    }
}

/// Compares a file. `None` if it cannot be opened, or if it is read whole.
fn compare(bytes: Vec<u8>) -> Result<Option<String>, String> {
    let Ok(mut whole) = omniread_pdf::open(bytes.clone(), None) else {
        return Ok(None);
    };
    let size = bytes.len() as u64;
    let read = Rc::new(Cell::new((0, 0)));
    let source = Counted {
        bytes: Rc::new(bytes),
        read: Rc::clone(&read),
    };
    let opened = omniread_pdf::open_ranges(Box::new(source), None, omniread_pdf::DRAWN);
    let mut ranges = opened.map_err(|error| format!("{error:?}"))?;
    let facts = read.get();
    if facts.0 >= size {
        return Ok(None);
    }
    if whole.facts() != ranges.facts() || whole.notes() != ranges.notes() {
        return Err(format!("facts {:?} {:?}", whole.notes(), ranges.notes()));
    }
    if whole.outline() != ranges.outline() || whole.attachments() != ranges.attachments() {
        return Err("outline or attachments".to_owned());
    }
    for index in 0..whole.attachments().len().min(3) {
        if whole.attachment(index) != ranges.attachment(index) {
            return Err(format!("attachment {index}"));
        }
    }
    let count = whole.facts().list.len();
    let mut first = (0, 0);
    for index in 0..count.min(PAGES) {
        let (a, b) = (whole.unit(index), ranges.unit(index));
        if a != b {
            return Err(format!("page {}: {:?} {:?}", index + 1, a.notes, b.notes));
        }
        if index == 0 {
            first = read.get();
        }
    }
    let pages = read.get();
    images(&mut *whole, &mut *ranges, count)?;
    let percent = |sum: (u64, u64)| sum.0 * 100 / size.max(1);
    Ok(Some(format!(
        "{:>9} bytes, facts {:>3} % in {:>3}, page 1 {:>3} % in {:>3}, {:>2} pages {:>3} % in {:>4} reads",
        size,
        percent(facts),
        facts.1,
        percent(first),
        first.1,
        count.min(PAGES),
        percent(pages),
        pages.1
    )))
}

/// Compares the first image of the first pages, and the image of a page.
fn images(whole: &mut dyn Document, ranges: &mut dyn Document, count: usize) -> Result<(), String> {
    for index in 0..count.min(3) {
        let number = index * 1000 + 1;
        if whole.image(number) != ranges.image(number) {
            return Err(format!("image {number}"));
        }
    }
    if whole.page_image(0, 400, u64::MAX) != ranges.page_image(0, 400, u64::MAX) {
        return Err("image of page 1".to_owned());
    }
    Ok(())
}
