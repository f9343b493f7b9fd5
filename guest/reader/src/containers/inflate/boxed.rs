//! Boxed readers with only the methods that are called. `Box<dyn Read>` has the same
//! effect, but [`Read`] and [`BufRead`] have so many methods that each codec would add 3
//! KB to the component.

use std::io::{self, BufRead, Read};

/// A boxed [`Read`], which reads bytes in order.
pub struct Output(Box<dyn Pull>);

impl Output {
    pub fn new(reader: impl Read + 'static) -> Self {
        Self(Box::new(reader))
    }
}

impl Read for Output {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.pull(out)
    }
}

trait Pull {
    /// Reads as [`Read::read`] does.
    fn pull(&mut self, out: &mut [u8]) -> io::Result<usize>;
}

impl<R: Read> Pull for R {
    fn pull(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.read(out)
    }
}

/// A boxed [`BufRead`], whose next bytes can be examined before they are consumed.
pub struct Input(Box<dyn Buffered>);

impl Input {
    pub fn new(reader: impl BufRead + 'static) -> Self {
        Self(Box::new(reader))
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.pull(out)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill()
    }

    fn consume(&mut self, count: usize) {
        self.0.used(count);
    }
}

trait Buffered: Pull {
    /// Returns the buffered bytes as [`BufRead::fill_buf`] does.
    fn fill(&mut self) -> io::Result<&[u8]>;

    /// Consumes bytes as [`BufRead::consume`] does.
    fn used(&mut self, count: usize);
}

impl<R: BufRead> Buffered for R {
    fn fill(&mut self) -> io::Result<&[u8]> {
        self.fill_buf()
    }

    fn used(&mut self, count: usize) {
        self.consume(count);
    }
}
