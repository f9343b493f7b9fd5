//! Checks the scan data of a JPEG without making pixels: each code of each block is valid, and the data ends where
//! the last block does.
//!
//! Only the usual files are checked: one scan, which is not progressive. Others are decoded (`strict`).

use super::chunks::{Jpeg, SCAN, Segment};
use std::rc::Rc;

/// The number of bits that are looked up at once. Longer codes are rare.
const LOOKUP: u32 = 12;

/// The largest classes of values in 8 bits (ITU T.81, tables F.1 and F.2).
const DC_CLASS: u8 = 11;
const AC_CLASS: u8 = 10;

/// The number of values of a block.
const BLOCK: u32 = 64;

/// The number of bytes after the end of the data that are read in advance, which are zeros.
const ZEROS: usize = 8;

/// The number of bits of which several codes are looked up at once, and the bytes of scan data from which making the
/// tables for it takes less time than it saves.
const LOOKUP_SEVERAL: u32 = 10;
const SEVERAL_BYTES: usize = 8 << 10;

/// A step through the bits: how many a code and its value have, and how many values of the block follow. No bits are
/// an invalid code.
#[derive(Clone, Copy, Default)]
struct Step {
    bits: u8,
    values: u8,
    /// The number of bits of the code alone.
    code: u8,
}

/// Several steps of a block, in one number that is read at once: their bits in the lowest byte, their values in the next
/// one, and whether the last step ends the block. They have no bits if the first code is long or invalid.
#[derive(Clone, Copy, Default)]
struct Steps(u32);

impl Steps {
    fn new(bits: u8, values: u8, ends: bool) -> Self {
        Self(u32::from(bits) | u32::from(values) << 8 | u32::from(ends) << 16)
    }

    #[inline]
    fn bits(self) -> u32 {
        self.0 & 255
    }

    #[inline]
    fn values(self) -> u32 {
        self.0 >> 8 & 255
    }

    /// 1 if the last step ends the block, and 0 otherwise.
    #[inline]
    fn ends(self) -> u32 {
        self.0 >> 16
    }
}

/// The steps for the next bits.
type Several = [Steps; 1 << LOOKUP_SEVERAL];

/// A table of codes.
struct Codes {
    /// The steps for the next bits, if they start with a code that is not longer.
    short: Box<[Step; 1 << LOOKUP]>,
    /// The longer codes: from which value of the next 16 bits on, and the step.
    long: Vec<(u32, u32, Step)>,
}

impl Codes {
    /// Makes the table of the lengths of the codes and their symbols (ITU T.81, annex C).
    fn new(counts: &[u8; 16], symbols: &[u8], is_dc: bool) -> Option<Self> {
        let mut table = Self {
            short: Box::new([Step::default(); 1 << LOOKUP]),
            long: Vec::new(),
        };
        let mut symbols = symbols.iter();
        let mut code = 0_u32;
        for (length, count) in (1_u8..).zip(counts) {
            for symbol in symbols.by_ref().take(usize::from(*count)) {
                if code >> length != 0 {
                    return None;
                }
                let step = step(length, *symbol, is_dc);
                if let Some(spare) = LOOKUP.checked_sub(length.into()) {
                    let first = (code << spare) as usize;
                    let same = table.short.get_mut(first..first + (1 << spare));
                    same.into_iter().flatten().for_each(|it| *it = step);
                } else {
                    let spare = 16 - length;
                    table.long.push((code << spare, (code + 1) << spare, step));
                }
                code += 1;
            }
            code <<= 1;
        }
        Some(table)
    }

    /// The step for the next bits, of which the first one is the highest.
    #[inline]
    fn step(&self, bits: u64) -> Step {
        let short = self.short.get((bits >> (64 - LOOKUP)) as usize);
        match short {
            Some(step) if step.bits != 0 => *step,
            _ => self.long(bits),
        }
    }

    /// The steps that start with a code of `first` and go on with codes of this table, as far as the next bits show
    /// their codes.
    fn several(&self, first: &Self) -> Box<Several> {
        let mut table = Box::new([Steps::default(); 1 << LOOKUP_SEVERAL]);
        for (next, steps) in (0_u64..).zip(table.iter_mut()) {
            let mut codes = first;
            let mut rest = next << (64 - LOOKUP_SEVERAL);
            let (mut bits, mut values, mut ends) = (0, 0, false);
            while u32::from(bits) < LOOKUP_SEVERAL && !ends {
                let step = codes.short.get((rest >> (64 - LOOKUP)) as usize);
                let step = step.copied().unwrap_or_default();
                let shown = u32::from(bits) + u32::from(step.code) <= LOOKUP_SEVERAL;
                if step.bits == 0 || !shown {
                    break;
                }
                bits += step.bits;
                rest <<= step.bits;
                if step.values == 64 {
                    ends = true;
                } else {
                    values += step.values;
                }
                codes = self;
            }
            *steps = Steps::new(bits, values, ends);
        }
        table
    }

    #[cold]
    fn long(&self, bits: u64) -> Step {
        let next = (bits >> 48) as u32;
        let found = self.long.iter().find(|it| (it.0..it.1).contains(&next));
        found.map(|it| it.2).unwrap_or_default()
    }
}

/// The step of a symbol whose code has so many bits. A symbol that 8 bits do not need is invalid.
fn step(length: u8, symbol: u8, is_dc: bool) -> Step {
    let (run, class) = (symbol >> 4, symbol & 15);
    let values = match (is_dc, run, class) {
        (true, 0, 0..=DC_CLASS) => 1,
        // The other values of the block are zeros.
        (false, 0, 0) => 64,
        (false, 15, 0) => 16,
        (false, _, 1..=AC_CLASS) => run + 1,
        _ => return Step::default(),
    };
    Step {
        bits: length + class,
        values,
        code: length,
    }
}

/// The bits of scan data.
struct Bits<'d> {
    data: &'d [u8],
    /// The place of the next bytes.
    at: usize,
    /// The next bits, of which the first one is the highest.
    next: u64,
    /// The number of the next bits that are known.
    known: u32,
}

impl<'d> Bits<'d> {
    fn new(data: &'d [u8]) -> Self {
        Self {
            data,
            at: 0,
            next: 0,
            known: 0,
        }
    }

    /// Makes at least the next 32 bits known. `None` after the end of the data.
    #[inline]
    fn fill(&mut self) -> Option<()> {
        if self.known < 32 {
            let bytes = self.data.get(self.at..)?.first_chunk::<4>()?;
            self.next |= u64::from(u32::from_be_bytes(*bytes)) << (32 - self.known);
            self.known = self.known.wrapping_add(32);
            self.at = self.at.wrapping_add(4);
        }
        Some(())
    }

    /// Goes on by some bits, which are known.
    #[inline]
    fn skip(&mut self, bits: u32) {
        self.next = self.next.wrapping_shl(bits);
        self.known = self.known.wrapping_sub(bits);
    }

    /// Takes a step.
    #[inline]
    fn step(&mut self, codes: &Codes) -> Option<Step> {
        self.fill()?;
        let step = codes.step(self.next);
        if step.bits == 0 {
            return None;
        }
        self.skip(step.bits.into());
        Some(step)
    }

    /// Takes the steps of a block.
    #[inline]
    fn block(&mut self, channel: &Channel<'_>) -> Option<()> {
        let mut values = 0;
        if let Some((first, others)) = channel.several.as_deref() {
            let mut several = first;
            loop {
                self.fill()?;
                let steps = several.get((self.next >> (64 - LOOKUP_SEVERAL)) as usize);
                let steps = steps.copied().unwrap_or_default();
                let after = steps.values().wrapping_add(values);
                // Nothing follows the last value of a block. What is unusual is checked step by step.
                if steps.bits() == 0 || after.wrapping_add(steps.ends()) > BLOCK {
                    break;
                }
                self.skip(steps.bits());
                values = after;
                if steps.ends() != 0 || values == BLOCK {
                    return Some(());
                }
                several = others;
            }
        }
        if values == 0 {
            self.step(channel.dc)?;
            values = 1;
        }
        while values < BLOCK {
            let step = self.step(channel.ac)?;
            if step.values == 64 {
                return Some(());
            }
            values += u32::from(step.values);
        }
        (values == BLOCK).then_some(())
    }

    /// The number of bits that were taken.
    fn taken(&self) -> usize {
        (self.at * 8).saturating_sub(self.known as usize)
    }
}

/// The frame of a JPEG: its units, which have the blocks of all channels.
struct Frame {
    units: usize,
    /// For each channel, its number, and its blocks in a unit.
    channels: Vec<(u8, usize)>,
}

impl Frame {
    /// Reads the header of a frame. `None` if its channels have unusual sizes.
    fn new(body: &[u8]) -> Option<Self> {
        let [8, h0, h1, w0, w1, count, channels @ ..] = body else {
            return None;
        };
        let side = |high: u8, low: u8| usize::from(u16::from_be_bytes([high, low]));
        let (height, width) = (side(*h0, *h1), side(*w0, *w1));
        let (channels, rest) = channels.as_chunks::<3>();
        if channels.len() != usize::from(*count) || !rest.is_empty() || width == 0 || height == 0 {
            return None;
        }
        // Of colours, grey may have more blocks than the others. A single channel has no such units.
        let (across, down) = match channels {
            [_] => (1, 1),
            [[_, sizes, _], [_, 0x11, _], [_, 0x11, _]] => (sizes >> 4, sizes & 15),
            _ => return None,
        };
        if !(1..=2).contains(&across) || !(1..=2).contains(&down) {
            return None;
        }
        let (across, down) = (usize::from(across), usize::from(down));
        let first = across * down;
        let blocks = [first, 1, 1];
        Some(Self {
            units: width.div_ceil(8 * across) * height.div_ceil(8 * down),
            channels: channels
                .iter()
                .zip(blocks)
                .map(|(channel, blocks)| (channel[0], blocks))
                .collect(),
        })
    }
}

/// The tables of codes of a JPEG, by their numbers.
#[derive(Default)]
struct Tables {
    dc: [Option<Codes>; 4],
    ac: [Option<Codes>; 4],
}

impl Tables {
    /// Reads the tables of a segment.
    fn add(&mut self, body: &[u8]) -> Option<()> {
        let mut rest = body;
        while let Some((head, after)) = rest.split_first() {
            let (counts, after) = after.split_first_chunk::<16>()?;
            let count = counts.iter().map(|it| usize::from(*it)).sum();
            let (symbols, after) = after.split_at_checked(count)?;
            let is_dc = head >> 4 == 0;
            let tables = match head >> 4 {
                0 => &mut self.dc,
                1 => &mut self.ac,
                _ => return None,
            };
            let codes = Codes::new(counts, symbols, is_dc)?;
            *tables.get_mut(usize::from(head & 15))? = Some(codes);
            rest = after;
        }
        Some(())
    }
}

/// The blocks of a channel in a unit, and its tables.
struct Channel<'t> {
    blocks: usize,
    dc: &'t Codes,
    ac: &'t Codes,
    /// Several steps at the start of a block, and inside of it.
    several: Option<Rc<(Box<Several>, Box<Several>)>>,
}

/// Whether a JPEG has one scan with valid data for all its pixels. If it is false, the file may be valid.
pub fn is_sound(jpeg: &Jpeg<'_>) -> bool {
    checked(jpeg, SEVERAL_BYTES).is_some()
}

/// Checks a JPEG. Several codes are looked up at once if the scan has at least so many bytes.
fn checked(jpeg: &Jpeg<'_>, several_bytes: usize) -> Option<()> {
    let (scan, headers) = jpeg.segments.split_last()?;
    jpeg.rest?;
    let mut frame = None;
    let mut tables = Tables::default();
    let mut restart = 0_usize;
    for Segment { marker, body, .. } in headers {
        match marker {
            0xc0 | 0xc1 if frame.is_none() => frame = Some(Frame::new(body)?),
            0xc4 => tables.add(body)?,
            0xdd => {
                let [high, low] = **body else {
                    return None;
                };
                restart = usize::from(u16::from_be_bytes([high, low]));
            }
            // Tables of quantities, and what is no part of the image.
            0xdb | 0xe0..=0xef | 0xfe => {}
            _ => return None,
        }
    }
    let frame = frame?;
    let [count, parameters @ ..] = scan.body else {
        return None;
    };
    let (chosen, all) = parameters.split_at_checked(2 * frame.channels.len())?;
    if scan.marker != SCAN || usize::from(*count) != frame.channels.len() || all != [0, 63, 0] {
        return None;
    }
    let is_large = scan.data.len() >= several_bytes;
    let mut channels: Vec<Channel<'_>> = Vec::new();
    for ((number, blocks), [chosen, numbers]) in
        frame.channels.iter().zip(chosen.as_chunks::<2>().0)
    {
        if number != chosen {
            return None;
        }
        let dc = tables.dc.get(usize::from(numbers >> 4))?.as_ref()?;
        let ac = tables.ac.get(usize::from(numbers & 15))?.as_ref()?;
        // Both channels of colour have the same tables.
        let known = channels
            .iter()
            .find(|it| std::ptr::eq(it.dc, dc) && std::ptr::eq(it.ac, ac));
        let several = match known {
            Some(known) => known.several.clone(),
            None => is_large.then(|| Rc::new((ac.several(dc), ac.several(ac)))),
        };
        let blocks = *blocks;
        channels.push(Channel {
            blocks,
            dc,
            ac,
            several,
        });
    }
    scan_data(scan.data, &channels, frame.units, restart)
}

/// Checks scan data with so many units, and a marker after each `restart` units.
fn scan_data(
    data: &[u8],
    channels: &[Channel<'_>],
    mut units: usize,
    restart: usize,
) -> Option<()> {
    // The data up to the next marker, without the zeros after bytes that look like markers.
    let mut part: Vec<u8> = Vec::with_capacity(data.len() + ZEROS);
    let mut number = 0;
    let mut rest = data;
    loop {
        let at = memchr::memchr(0xff, rest).unwrap_or(rest.len());
        let (plain, after) = rest.split_at_checked(at)?;
        part.extend_from_slice(plain);
        match after {
            [0xff, 0, after @ ..] => {
                part.push(0xff);
                rest = after;
            }
            [0xff, marker, after @ ..]
                if *marker == 0xd0 + number && 0 < restart && restart < units =>
            {
                units_of(&mut part, channels, restart)?;
                units -= restart;
                number = (number + 1) % 8;
                part.clear();
                rest = after;
            }
            [] if restart == 0 || units <= restart => return units_of(&mut part, channels, units),
            _ => return None,
        }
    }
}

/// Checks data with so many units. Gets zeros after the data.
fn units_of(data: &mut Vec<u8>, channels: &[Channel<'_>], units: usize) -> Option<()> {
    let length = data.len();
    data.resize(length + ZEROS, 0);
    let mut bits = Bits::new(data);
    for _ in 0..units {
        for channel in channels {
            for _ in 0..channel.blocks {
                bits.block(channel)?;
            }
        }
    }
    // The bits that were taken are all but those that fill the last byte.
    (bits.taken().div_ceil(8) == length).then_some(())
}

#[cfg(test)]
mod tests;
