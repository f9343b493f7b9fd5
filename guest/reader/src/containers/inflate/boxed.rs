//! Readers of any type, with the methods that are called and no others. `Box<dyn Read>`
//! would do, but [`Read`] and [`BufRead`] have so many more methods that each codec
//! would add 3 KB to the component.

use std::io::{self, BufRead, Read};

/// What gives bytes in order.
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
    /// See [`Read::read`].
    fn pull(&mut self, out: &mut [u8]) -> io::Result<usize>;
}

impl<R: Read> Pull for R {
    fn pull(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.read(out)
    }
}

/// The same, of which what comes next can be looked at.
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
    /// See [`BufRead::fill_buf`].
    fn fill(&mut self) -> io::Result<&[u8]>;

    /// See [`BufRead::consume`].
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
