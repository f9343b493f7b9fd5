//! Prints the cells of a workbook, one per line: sheet, row, column, kind, value, displayed value
//! and formula, with tabs between them. With a number of runs, the best time in milliseconds for all
//! cells is on the standard error.
//!
//! ```text
//! cells FILE [RUNS]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "it is a program"
)]

use omniread_documents::workbook::{Cell, LAST_COLUMN, LAST_ROW, Range, Value, Window};
use omniread_documents::{Format, open};
use std::io::Write;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: cells FILE [RUNS]");
        std::process::exit(2);
    };
    let runs = arguments.next().and_then(|runs| runs.parse::<u32>().ok());
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("@err {path}: {error}");
            std::process::exit(1);
        }
    };
    let lower = path.to_ascii_lowercase();
    let format = match lower
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension)
    {
        "xlsb" => Format::Xlsb,
        "xls" | "xlt" | "xlw" | "xla" => Format::Xls,
        "ods" | "ots" | "fods" => Format::Ods,
        _ => Format::Xlsx,
    };
    let mut best = f64::INFINITY;
    for run in 0..runs.unwrap_or(1).max(1) {
        let bytes = bytes.clone();
        let start = Instant::now();
        read(bytes, format, run == 0, runs.is_none());
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    eprintln!("@ms {best:.3}");
}

fn read(bytes: Vec<u8>, format: Format, print: bool, formulas: bool) {
    let password = std::env::var("PASSWORD").ok();
    let mut document = match open(bytes, format, password.as_deref()) {
        Ok(document) => document,
        Err(error) => {
            eprintln!("@err {error:?}");
            std::process::exit(1);
        }
    };
    if print {
        for note in document.notes() {
            eprintln!("note: {note}");
        }
        for (name, value) in &document.facts().metadata {
            eprintln!("{name}: {value}");
        }
    }
    let Some(workbook) = document.workbook() else {
        return;
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut count = 0_usize;
    for index in 0..workbook.sheets().len() {
        if print {
            let facts = workbook.sheet(index);
            let name = &workbook.sheets()[index];
            eprintln!("{name:?} {facts:?}");
        }
        let mut first_row = 1;
        loop {
            let window = Window {
                range: Range {
                    first_row,
                    first_column: 1,
                    last_row: LAST_ROW,
                    last_column: LAST_COLUMN,
                },
                formulas,
                cells: 10_000,
            };
            let rows = workbook.rows(index, &window);
            for row in &rows.rows {
                for cell in &row.cells {
                    count = count.wrapping_add(1);
                    if print && formulas {
                        let _ = writeln!(out, "{index}\t{}\t{}", row.number, line(cell));
                    }
                }
                first_row = row.number.saturating_add(1);
            }
            if print {
                for note in &rows.notes {
                    eprintln!("note: {note}");
                }
            }
            if !rows.more {
                break;
            }
        }
    }
    if print {
        eprintln!("{count} cells");
    }
}

fn line(cell: &Cell) -> String {
    let kind = match &cell.value {
        Value::Text(_) => "text",
        Value::Number(_) => "number",
        Value::Date(_) => "date",
        Value::Bool(_) => "bool",
        Value::Error(_) => "error",
    };
    let escape = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('\t', "\\t")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
    };
    let value = escape(&cell.value.plain());
    let shown = escape(cell.shown.as_deref().unwrap_or_default());
    let formula = escape(cell.formula.as_deref().unwrap_or_default());
    format!("{}\t{kind}\t{value}\t{shown}\t{formula}", cell.column)
}
