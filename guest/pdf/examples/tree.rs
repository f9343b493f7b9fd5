//! Prints the structure tree of each page of a PDF file.

#![allow(clippy::print_stdout, reason = "it is a program")]

use omniread_pdf::file::File;

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    let bytes = std::fs::read(path).unwrap_or_default();
    if let Ok(file) = File::open(bytes, std::env::var("PASSWORD").ok().as_deref()) {
        for index in 0..file.pdf().pages().len() {
            println!(
                "page {}\n{}",
                index + 1,
                omniread_pdf::structure::outline(&file, index)
            );
        }
    }
}
