//! Detection of workbooks that are a stream of records without a compound file: those before Excel 5.0,
//! and those that other programs write ([MS-XLS], 2.1.4).
//!
//! Their magic number has only two bytes, so that the records after it are checked as well.

/// The number of records that are checked.
const RECORDS: usize = 8;

/// The maximum number of bytes of a record ([MS-XLS], 2.1.4).
const RECORD: usize = 8224;

/// Returns whether a file that starts with the bytes `head` is such a workbook.
pub fn is_stream(head: &[u8]) -> bool {
    begins(head).is_some_and(|size| continues(head, size))
}

/// Returns the size of the first record. `None` if it is not the beginning of a workbook or a sheet
/// ([MS-XLS], 2.4.21).
fn begins(head: &[u8]) -> Option<usize> {
    let (first, version, content) = (word(head, 0)?, word(head, 4)?, word(head, 6)?);
    // The type of the record, its size, and the versions that programs write.
    let sizes: &[usize] = match (first, version) {
        (0x0009, 0 | 2 | 7) => &[4],
        (0x0209, 0 | 3 | 0x300) | (0x0409, 0 | 4 | 0x400) => &[6],
        (0x0809, 0x500) => &[8],
        (0x0809, 0x600) => &[8, 16],
        _ => return None,
    };
    let size = usize::from(word(head, 2)?);
    // Globals, a sheet, a chart, macros, and a workbook of Excel 4.0.
    let is_known = matches!(content, 0x05 | 0x10 | 0x20 | 0x40 | 0x100);
    (is_known && sizes.contains(&size)).then_some(size)
}

/// Returns whether records follow the first one, whose size is given. They may be longer than `head`.
fn continues(head: &[u8], first: usize) -> bool {
    let mut at = first.saturating_add(4);
    for _ in 0..RECORDS {
        let (Some(kind), Some(size)) = (word(head, at), word(head, at.saturating_add(2))) else {
            // At least one record follows.
            return at > first.saturating_add(4);
        };
        let is_record =
            matches!(kind, 0x01..=0x1ff | 0x200..=0x2ff | 0x400..=0x4ff | 0x800..=0x8ff);
        if !is_record || usize::from(size) > RECORD {
            return false;
        }
        // The end of a sheet, after which there may be anything.
        if kind == 0x0a {
            return size == 0;
        }
        at = at.saturating_add(4).saturating_add(usize::from(size));
    }
    true
}

/// Reads two bytes at a position.
fn word(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u16::from_le_bytes(*field))
}

#[cfg(test)]
mod tests {
    use super::is_stream;

    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        let size = u16::try_from(data.len()).unwrap();
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), data].concat()
    }

    /// A sheet with a number, an end, and other bytes.
    fn sheet(kind: u16, data: &[u8]) -> Vec<u8> {
        let cell = record(0x03, &[0; 15]);
        [record(kind, data), cell, record(0x0a, &[]), vec![0xff; 9]].concat()
    }

    #[test]
    fn streams_of_all_versions_are_workbooks() {
        assert!(is_stream(&sheet(0x009, &[2, 0, 0x10, 0])));
        assert!(is_stream(&sheet(0x209, &[0, 0, 0x10, 0, 0, 0])));
        assert!(is_stream(&sheet(0x409, &[0, 0, 0, 1, 0, 0])));
        assert!(is_stream(&sheet(0x809, &[0, 5, 5, 0, 0, 0, 0, 0])));
        let mut last = [0; 16];
        (last[1], last[2]) = (6, 5);
        assert!(is_stream(&sheet(0x809, &last)));
    }

    #[test]
    fn other_bytes_are_no_workbooks() {
        let whole = sheet(0x209, &[0, 0, 0x10, 0, 0, 0]);
        // Without a record after the first one.
        assert!(!is_stream(&whole[..10]) && !is_stream(&whole[..13]));
        // Another size, version, content or second record.
        for at in [2, 4, 6, 11] {
            let mut changed = whole.clone();
            changed[at] = 0x77;
            assert!(!is_stream(&changed), "{at}");
        }
        assert!(!is_stream(b"\t\0t\0e\0x\0t\0 \0t\0e\0x\0t\0"));
        assert!(!is_stream(b"") && !is_stream(&[0; 64]));
        let mut long = sheet(0x209, &[0, 0, 0x10, 0, 0, 0]);
        long[13] = 0xff;
        assert!(!is_stream(&long));
    }
}
