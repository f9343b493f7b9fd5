//! The lists of a document ([MS-DOC] 2.9.131, 2.9.147, 2.9.150).

use super::fib::{Fib, Table, number};
use crate::codepage;
use crate::limits;
use crate::ole::{u16_at, u32_at};
use crate::word::numbering::{Level, List, Numbering};
use std::collections::BTreeMap;

/// Reads the lists. Their identifiers are those to which paragraphs refer, in decimal.
pub fn read(fib: &Fib, stream: &[u8]) -> Numbering {
    let mut numbering = Numbering::default();
    definitions(fib, stream, &mut numbering);
    lists(fib, stream, &mut numbering);
    numbering
}

fn definitions(fib: &Fib, stream: &[u8], numbering: &mut Numbering) {
    let table = fib.table(stream, Table::Lists);
    let count = u16_at(table, 0).map_or(0, usize::from);
    // The levels of all definitions are after the table.
    let end = fib.start(Table::Lists).saturating_add(table.len());
    let mut levels = stream.get(end..).unwrap_or_default();
    for index in 0..count.min(limits::DOC_LISTS) {
        let at = index.saturating_mul(28).saturating_add(2);
        let (Some(id), Some(flags)) = (u32_at(table, at), table.get(at.saturating_add(26))) else {
            return;
        };
        let mut found = BTreeMap::new();
        for at in 0..if flags & 1 != 0 { 1 } else { 9 } {
            if let Some(level) = level(&mut levels) {
                found.insert(at, level);
            }
        }
        if flags & 1 != 0
            && let Some(level) = found.get(&0).cloned()
        {
            for at in 1..9 {
                found.insert(at, level.clone());
            }
        }
        numbering.add_definition(id.to_string(), found);
    }
}

fn lists(fib: &Fib, stream: &[u8], numbering: &mut Numbering) {
    let table = fib.table(stream, Table::ListOverrides);
    let count = u32_at(table, 0).map_or(0, number).min(limits::DOC_LISTS);
    let changes = count.saturating_mul(16).saturating_add(4);
    let mut rest = table.get(changes..).unwrap_or_default();
    for index in 0..count {
        let at = index.saturating_mul(16).saturating_add(4);
        let (Some(id), Some(changes)) = (u32_at(table, at), table.get(at.saturating_add(12)))
        else {
            return;
        };
        let mut list = List {
            definition: id.to_string(),
            ..List::default()
        };
        // Before the changes is a number that is not used.
        rest = rest.get(4..).unwrap_or_default();
        for _ in 0..*changes {
            let (Some(start), Some(flags)) = (u32_at(rest, 0), u32_at(rest, 4)) else {
                break;
            };
            rest = rest.get(8..).unwrap_or_default();
            let at = number(flags & 15);
            if flags & 0x10 != 0 {
                list.starts.insert(at, start);
            }
            if flags & 0x20 != 0 {
                let Some(level) = level(&mut rest) else { break };
                if flags & 0x10 != 0 {
                    list.starts.insert(at, level.start);
                }
                list.levels.insert(at, level);
            }
        }
        numbering.add_list(index.saturating_add(1).to_string(), list);
    }
}

/// Reads a level, and moves to the next.
fn level(bytes: &mut &[u8]) -> Option<Level> {
    let all = *bytes;
    let start = u32_at(all, 0)?;
    let format = *all.get(4)?;
    let flags = *all.get(5)?;
    let places = all.get(6..15)?;
    let characters = usize::from(*all.get(24)?);
    let paragraph = usize::from(*all.get(25)?);
    let restart = usize::from(*all.get(26)?);
    let at = characters.saturating_add(paragraph).saturating_add(28);
    let length = u16_at(all, at).map_or(0, usize::from);
    let from = at.saturating_add(2);
    let end = from.saturating_add(length.saturating_mul(2));
    let units = all.get(from..end.min(all.len())).unwrap_or_default();
    *bytes = all.get(end..).unwrap_or_default();
    let (units, _) = units.as_chunks::<2>();
    let mut text = String::new();
    let mut plain = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        // The places count from 1.
        let place = u8::try_from(index.saturating_add(1)).unwrap_or(0);
        let value = u16::from_le_bytes(*unit);
        if value < 9 && places.contains(&place) && place > 0 {
            text.push_str(&codepage::utf16(&plain));
            plain.clear();
            text.push_str(&format!("%{}", value.saturating_add(1)));
        } else {
            plain.extend(unit);
        }
    }
    text.push_str(&codepage::utf16(&plain));
    Some(Level {
        start,
        format: name(format).to_owned(),
        text,
        restart: (flags & 8 != 0).then_some(restart),
        legal: flags & 4 != 0,
        style: None,
    })
}

/// Returns the name that WordprocessingML has for a format of numbers ([MS-OSHARED] 2.2.1.3).
fn name(format: u8) -> &'static str {
    match format {
        1 => "upperRoman",
        2 => "lowerRoman",
        3 => "upperLetter",
        4 => "lowerLetter",
        5 => "ordinal",
        10 | 11 | 33..=35 | 37..=41 => "chineseCounting",
        18 | 19 => "decimalEnclosedCircle",
        22 => "decimalZero",
        23 => "bullet",
        57 => "numberInDash",
        58 => "russianLower",
        59 => "russianUpper",
        255 => "none",
        _ => "decimal",
    }
}
