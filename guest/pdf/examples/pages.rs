//! Measures how long it takes to open a PDF file, and to read pages of it.
//!
//! Without pages, it compares the text of each page that is read alone with the text of the same page in
//! a document whose pages are read in order, and prints the numbers of pages that differ.
//!
//! ```text
//! pages FILE PAGE...
//! ```

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let bytes = std::fs::read(path).unwrap_or_default();
    let pages: Vec<usize> = arguments.filter_map(|page| page.parse().ok()).collect();
    if pages.is_empty() {
        compare(&bytes);
    }
    for page in pages {
        let mut best = (f64::INFINITY, f64::INFINITY);
        let mut length = 0;
        for _ in 0..10 {
            let bytes = bytes.clone();
            let start = Instant::now();
            let Ok(mut document) = omniread_pdf::open(bytes, None) else {
                return;
            };
            let opened = start.elapsed().as_secs_f64() * 1000.0;
            let unit = document.unit(page.saturating_sub(1));
            length = unit.text.len();
            let read = start.elapsed().as_secs_f64() * 1000.0;
            best = (best.0.min(opened), best.1.min(read));
        }
        println!(
            "page {page}: open {:.2} ms, with the page {:.2} ms, {length} bytes",
            best.0, best.1
        );
    }
}

fn compare(bytes: &[u8]) {
    let Ok(mut whole) = omniread_pdf::open(bytes.to_vec(), None) else {
        return;
    };
    for index in 0..whole.facts().list.len() {
        let in_order = whole.unit(index).text;
        let alone = omniread_pdf::open(bytes.to_vec(), None).map(|mut it| it.unit(index).text);
        if alone.as_ref() != Ok(&in_order) {
            println!("page {} differs", index + 1);
        }
    }
}
