//! Records: a type and a size of 7 bits a byte, and data ([MS-XLSB] 2.1.4).

/// The type of the record with which a row starts.
pub const ROW: u16 = 0;

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The type.
    pub kind: u16,
    /// The data.
    pub data: &'a [u8],
    /// The position of the record in the stream.
    pub at: usize,
}

/// The records of a stream. They end at the first one that is longer than the stream.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    damaged: bool,
}

impl<'a> Records<'a> {
    /// Returns the records from a position.
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            at,
            damaged: false,
        }
    }

    /// Returns whether the stream ended inside of a record.
    pub fn damaged(&self) -> bool {
        self.damaged
    }

    /// Returns the position of the next record.
    pub fn position(&self) -> usize {
        self.at
    }

    fn read(&self) -> Option<Record<'a>> {
        let rest = self.bytes.get(self.at..)?;
        let (first, mut rest) = rest.split_first()?;
        let mut kind = u16::from(*first);
        if *first & 0x80 != 0 {
            let (second, tail) = rest.split_first()?;
            kind = u16::from(*first & 0x7f) | u16::from(*second & 0x7f) << 7;
            rest = tail;
        }
        let mut size = 0_usize;
        for shift in [0, 7, 14, 21] {
            let (byte, tail) = rest.split_first()?;
            rest = tail;
            size |= usize::from(*byte & 0x7f) << shift;
            if *byte & 0x80 == 0 {
                break;
            }
        }
        let data = rest.get(..size)?;
        Some(Record {
            kind,
            data,
            at: self.at,
        })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let Some(record) = self.read() else {
            self.damaged = true;
            self.at = self.bytes.len();
            return None;
        };
        let end = record.data.as_ptr().addr().wrapping_add(record.data.len());
        self.at = end.wrapping_sub(self.bytes.as_ptr().addr());
        Some(record)
    }
}
