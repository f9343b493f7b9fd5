//! Documents and tables of a given size.

use omniread_tests::docx::Docx;
use omniread_tests::pptx::Pptx;
use omniread_tests::xlsx::{Value, Xlsx};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

pub const SENTENCE: &str =
    "The quick brown fox, which nobody had seen before, jumps over the lazy dog. ";

/// A document. A page has a heading and six paragraphs of 450 characters.
pub fn letter(pages: usize) -> Vec<u8> {
    let mut document = Docx::default();
    for page in 1..=pages {
        document = document.heading(&format!("Section {page}"));
        for _ in 0..6 {
            document = document.paragraph(&SENTENCE.repeat(6));
        }
    }
    document.build()
}

/// A presentation. A slide has a title and seven lines.
pub fn deck(slides: usize) -> Vec<u8> {
    let mut deck = Pptx::default();
    for slide in 1..=slides {
        deck = deck.slide(&format!("Slide {slide}"), &[SENTENCE; 7]);
    }
    deck.build()
}

/// A workbook with a sheet of ten columns: texts and numbers.
pub fn workbook(rows: usize) -> Vec<u8> {
    let names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];
    let mut workbook = Xlsx::default().sheet("Rows").row(&names.map(Value::Text));
    for row in 0..rows {
        let name = format!("name {row}");
        let mut values = [Value::Text(&name); 10];
        for (column, value) in values.iter_mut().enumerate().skip(2) {
            let number = u32::try_from(row + column).expect("a small number");
            *value = Value::Number(f64::from(number));
        }
        workbook = workbook.row(&values);
    }
    workbook.build()
}

/// Writes a CSV file of this many bytes.
pub fn csv(path: &Path, bytes: usize) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    let head = "id,name,value,text\n";
    file.write_all(head.as_bytes()).expect("room on the disk");
    let mut written = head.len();
    let mut id = 0;
    while written < bytes {
        id += 1;
        let line = format!("{id},name {id},{}.5,\"{SENTENCE}\"\n", id % 1000);
        written += line.len();
        file.write_all(line.as_bytes()).expect("room on the disk");
    }
    file.flush().expect("room on the disk");
}
