//! Finds the merge conflicts of a text, or those on a page of it.

use crate::encoding::Encoding;
use crate::pages::{Charset, Decoder, Input, Piece};
use crate::window::Page;
use omniread_conflicts::{Block, End, Scanner};
use std::cell::Cell;
use std::ops::{ControlFlow, Range as Numbers};

/// The number of signs of the shortest marker.
const SIGNS: usize = 7;

/// The number of merge conflicts on a page of text. Only the starts of its lines are compared unless one looks like a
/// marker of Git. A page that does not show the start of the text may be inside of a conflict: the text before it is
/// scanned if it is in memory.
pub fn on_page(page: &Page, input: &mut Input<'_>, encoding: Encoding) -> u64 {
    let mut markers = page.lines.iter().filter_map(|line| {
        let rest = page.text.as_bytes().get(line.start..)?;
        let (sign, size) = marker(rest)?;
        Some((sign, size))
    });
    let Some(first) = markers.next() else {
        return 0;
    };
    let numbers: Option<Vec<u64>> = page
        .lines
        .iter()
        .map(|line| u64::try_from(line.number).ok())
        .collect();
    let numbers = numbers.unwrap_or_default();
    let starts = numbers.first().is_some_and(|number| *number <= 1);
    let count = numbers.len() as u64;
    let is_one_range = numbers.last().is_some_and(|last| *last == count);
    match numbers.last() {
        Some(last) if input.complete() && !(starts && is_one_range) => {
            in_text(&numbers, *last, input, encoding)
        }
        _ => in_lines(page, starts, first),
    }
}

/// The sign and the length of the run of seven or more signs at the start of a line.
fn marker(line: &[u8]) -> Option<(u8, usize)> {
    let sign = line
        .first()
        .copied()
        .filter(|sign| b"<|=>".contains(sign))?;
    let size = line.iter().take_while(|byte| **byte == sign).count();
    (size >= SIGNS).then_some((sign, size))
}

/// The number of the conflicts of a text that have lines with these numbers, of which `last` is the last.
fn in_text(numbers: &[u64], last: u64, input: &mut Input<'_>, encoding: Encoding) -> u64 {
    let mut count = 0u64;
    scan(input, encoding, 0..0, &mut |block| {
        let lines = block.lines;
        let next = numbers.partition_point(|number| *number < lines.first);
        if numbers.get(next).is_some_and(|next| *next <= lines.last) {
            count = count.saturating_add(1);
        }
        if lines.last < last {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    count
}

/// The number of the conflicts in the lines of a page. If the page does not start with the text, its first marker may
/// be one of a conflict that begins before it.
fn in_lines(page: &Page, starts: bool, first: (u8, usize)) -> u64 {
    let mut count = 0u64;
    let (sign, size) = first;
    let begun = (!starts && sign != b'<').then(|| "<".repeat(size));
    let mut is_first = begun.is_some();
    let mut found = |block: &Block| {
        // Only a last marker with a label says that there is one.
        if !std::mem::take(&mut is_first) || block.end != End::Missing {
            count = count.saturating_add(1);
        }
    };
    let mut scanner = Scanner::labelling(0..0);
    if let Some(begun) = &begun {
        scanner.push(begun.as_bytes(), &mut found);
        scanner.push(b" a\n", &mut found);
    }
    for index in 0..page.lines.len() {
        scanner.push(page.line(index).as_bytes(), &mut found);
        scanner.push(b"\n", &mut found);
    }
    scanner.finish(&mut found);
    count
}

/// Passes the conflicts of a text to `found`, until it breaks. Those with the numbers `labelled` have their labels.
pub fn scan(
    input: &mut Input<'_>,
    encoding: Encoding,
    labelled: Numbers<u64>,
    found: &mut dyn FnMut(&Block) -> ControlFlow<()>,
) {
    let over = Cell::new(false);
    let mut pass = |block: &Block| {
        if !over.get() && found(block).is_break() {
            over.set(true);
        }
    };
    let mut scanner = Scanner::labelling(labelled);
    each_chunk(input, encoding, &mut |chunk| {
        scanner.push(chunk, &mut pass);
        if over.get() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    scanner.finish(&mut pass);
}

/// The text, in UTF-8, at offsets in the chunks of [`each_chunk`].
pub fn part(input: &mut Input<'_>, encoding: Encoding, bytes: &Numbers<u64>) -> Vec<u8> {
    let mut at = 0u64;
    let mut part = Vec::new();
    each_chunk(input, encoding, &mut |chunk| {
        let place = |offset: u64| {
            let inside = usize::try_from(offset.saturating_sub(at)).unwrap_or(usize::MAX);
            inside.min(chunk.len())
        };
        let wanted = chunk.get(place(bytes.start)..place(bytes.end));
        part.extend_from_slice(wanted.unwrap_or_default());
        at = at.saturating_add(chunk.len() as u64);
        if at < bytes.end {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if !is_scanned_as_bytes(encoding) || encoding.charset == Charset::Utf8 {
        return part;
    }
    let mut text = Vec::with_capacity(part.len());
    let _ = Decoder::new(encoding.charset).decode(&part, true, &mut |piece| {
        text.extend_from_slice(in_utf8(piece));
        ControlFlow::Continue(())
    });
    text
}

/// Passes a text without its byte order mark to `sink` in chunks, until it breaks. The chunks are in the
/// encoding of the text, in which markers are ASCII, or in UTF-8 if it has wider code units.
fn each_chunk(
    input: &mut Input<'_>,
    encoding: Encoding,
    sink: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) {
    let mut decoder = Decoder::new(encoding.charset);
    let mut offset = encoding.bom_len;
    loop {
        let chunk = input.chunk(offset);
        let is_last = chunk.is_empty();
        let flow = if is_scanned_as_bytes(encoding) {
            sink(chunk)
        } else {
            decoder.decode(chunk, is_last, &mut |piece| sink(in_utf8(piece)))
        };
        if is_last || flow.is_break() {
            return;
        }
        offset = offset.saturating_add(chunk.len() as u64);
    }
}

fn is_scanned_as_bytes(encoding: Encoding) -> bool {
    encoding.charset.unit().width() == 1
}

fn in_utf8(piece: Piece<'_>) -> &[u8] {
    match piece {
        Piece::Text(text) => text.as_bytes(),
        Piece::Invalid(_) => "\u{fffd}".as_bytes(),
    }
}
