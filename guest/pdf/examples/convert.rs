//! Converts a PDF file, and prints the Markdown.

fn main() {}
