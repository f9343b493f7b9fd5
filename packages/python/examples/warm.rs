//! The time of a warm read in Rust, for `benches/warm.py`: prints the minimum and the median of some reads in
//! nanoseconds after each line of standard input.

use std::io::{self, BufRead as _, Write as _};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("the first argument is a root")?;
    let path = arguments.next().ok_or("the second argument is a path")?;
    let reads: usize = arguments
        .next()
        .ok_or("the third argument is the number of reads")?
        .parse()?;
    let session = omniread::Reader::builder().root(root).build()?.session();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        line?;
        let mut times = Vec::with_capacity(reads);
        for _ in 0..reads {
            let start = Instant::now();
            let reply = session.read(&path)?;
            times.push(start.elapsed().as_nanos());
            drop(reply);
        }
        times.sort_unstable();
        let median = times.get(reads / 2).copied().unwrap_or_default();
        writeln!(
            out,
            "{} {median}",
            times.first().copied().unwrap_or_default()
        )?;
        out.flush()?;
    }
    Ok(())
}
