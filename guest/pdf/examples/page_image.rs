//! Draws a page of a PDF file as a PNG file. The password of an encrypted file is in the environment
//! variable `PASSWORD`. With a number of runs, the best time in milliseconds is on the standard error.
//!
//! ```text
//! page_image FILE PAGE OUT [RUNS] [LONGEST]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "it is a program"
)]

use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, page, out, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: page_image FILE PAGE OUT [RUNS] [LONGEST]");
        std::process::exit(2);
    };
    let number = |place: usize| rest.get(place).and_then(|it| it.parse::<u32>().ok());
    if let Err(error) = run(
        path,
        page,
        out,
        number(0).unwrap_or(1),
        number(1).unwrap_or(1568),
    ) {
        eprintln!("@err {error}");
        std::process::exit(1);
    }
}

fn run(path: &str, page: &str, out: &str, runs: u32, longest: u32) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let index = page
        .parse::<usize>()
        .ok()
        .and_then(|page| page.checked_sub(1))
        .ok_or("PAGE is a number from 1")?;
    let password = std::env::var("PASSWORD").ok();
    let mut document =
        omniread_pdf::open(bytes, password.as_deref()).map_err(|error| format!("{error:?}"))?;
    let mut best = f64::INFINITY;
    let mut image = None;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        image = document
            .page_image(index, longest, 2_500_000)
            .map_err(|error| format!("{error:?}"))?;
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    let image = image.ok_or("there is no such page")?;
    eprintln!("@ms {best:.3} @bytes {}", image.len());
    std::fs::write(out, image).map_err(|error| error.to_string())
}
