use super::Streams;
use crate::containers::inflate::boxed::Input;
use lzma_rust2::XzReader;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};

/// Three streams with the checks CRC-64, CRC-32 and SHA-256. The first has no filter but LZMA2, the second a filter for
/// differences, and the third one for jumps. Zeros are after the first.
const FILE: &[u8] = b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\xe0\
    \x00\xf5\x00\x24\x5d\x00\x30\x88\x09\x86\xd4\x1f\x45\xb8\x23\x8f\xf4\xd2\x38\xfd\x2f\xb7\x00\xba\xf1\
    \xf7\x01\x97\xf1\xb3\xd2\x3d\xe1\xbd\xb4\xd8\xa4\xd7\x70\xf1\x0e\x00\x00\x08\x45\x30\x7c\x38\x4b\x76\
    \x2c\x00\x01\x40\xf6\x01\x00\x00\x00\x29\x1c\xc5\xb3\xb1\xc4\x67\xfb\x02\x00\x00\x00\x00\x04\x59\x5a\
    \x00\x00\x00\x00\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x01\x03\x01\x01\x21\x01\x0c\x66\
    \xbe\x1a\xab\x01\x00\x18\x74\x65\x04\x0f\xa8\x03\x49\xfd\xff\xac\xf9\x4e\x0e\x06\xf9\xf1\x0a\xbb\xf4\
    \x49\x06\x0b\xf9\xfe\xa5\x00\x00\x00\x00\x5b\xbf\xd3\x08\x00\x01\x2d\x19\x04\x47\xc7\x64\x90\x42\x99\
    \x0d\x01\x00\x00\x00\x00\x01\x59\x5a\xfd\x37\x7a\x58\x5a\x00\x00\x0a\xe1\xfb\x0c\xa1\x02\x01\x04\x00\
    \x21\x01\x0c\x00\xd6\x7c\x18\xaf\x01\x00\x04\x6a\x75\x6d\x70\x73\x00\x00\x00\x00\xef\x30\x94\x0a\x2d\
    \x1b\x94\x3c\x80\x07\xb8\xa1\x5e\x45\x93\x5d\xc0\x19\x02\xb7\xc0\x53\x4d\xc7\xe2\x7f\xda\x30\xa9\xb8\
    \x1a\xef\x00\x01\x35\x05\x12\x83\xdd\xf2\x18\x9b\x4b\x9a\x01\x00\x00\x00\x00\x0a\x59\x5a";

/// The maximum number of KiB.
const MOST: u32 = 100_000;

/// The content, and the error that ends it.
fn read(mut reader: impl Read) -> (Vec<u8>, Option<(ErrorKind, String)>) {
    let mut content = Vec::new();
    let outcome = reader.read_to_end(&mut content);
    let error = outcome.err();
    (content, error.map(|it| (it.kind(), it.to_string())))
}

fn own(file: &[u8], part: usize) -> (Vec<u8>, Option<(ErrorKind, String)>) {
    let bytes = Parts(Cursor::new(file.to_vec()), part);
    let input = Input::new(BufReader::with_capacity(part, bytes));
    read(Streams::new(input, MOST))
}

/// Bytes that are read in small parts.
struct Parts(Cursor<Vec<u8>>, usize);

impl Read for Parts {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = out.len().min(self.1);
        self.0.read(&mut out[..length])
    }
}

#[test]
fn streams_with_all_checks_are_read() {
    let (content, error) = own(FILE, 5);
    assert_eq!(error, None);
    let text = String::from_utf8(content).unwrap();
    assert!(text.starts_with("a line of text, and again"));
    assert!(text.ends_with("text with another filter\njumps"));
}

#[test]
fn damaged_streams_are_read_as_by_the_library() {
    let library = |file: &[u8]| read(XzReader::new_mem_limit(file, true, MOST));
    for place in 0..FILE.len() {
        let cut = &FILE[..place];
        assert_eq!(own(cut, 64), library(cut), "{place}");
        for bit in 0..8 {
            let mut file = FILE.to_vec();
            file[place] ^= 1 << bit;
            assert_eq!(own(&file, 64), library(&file), "{place} {bit}");
        }
    }
    for after in [&b"\0"[..], b"\0\0\0\0", b"x", b"\0x", b"\xfd7", FILE] {
        let file = [FILE, after].concat();
        assert_eq!(own(&file, 64), library(&file), "{after:?}");
    }
}

/// Headers of blocks with a right checksum: fields of all kinds, and filters with and without parameters.
#[test]
fn headers_of_blocks_are_read_as_by_the_library() {
    let starts = [
        &b"\x02\x00\x21\x01\x16"[..],
        b"\x02\x01\x03\x01\x01\x21",
        b"\x02\x01\x04\x00\x21",
    ];
    let starts = starts.map(|start| {
        let found = FILE.windows(start.len()).position(|bytes| bytes == start);
        found.expect("a header of a block")
    });
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    let interesting = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x21, 0x40, 0x80, 0xC0, 0xC1,
    ];
    let mut outcomes = std::collections::BTreeSet::new();
    for round in 0..30_000 {
        let mut file = FILE.to_vec();
        let start = starts[round % starts.len()];
        // A longer header has room for sizes and start offsets.
        let words = 2 + random() % 4;
        let mut header = file[start..start + 8].to_vec();
        header.resize(words * 4, 0);
        header[0] = u8::try_from(words).expect("a small number");
        for _ in 0..random() % 4 {
            let place = 1 + random() % (header.len() - 1);
            header[place] = match random() % 3 {
                0 => u8::try_from(random() % 256).expect("a byte"),
                _ => interesting[random() % interesting.len()],
            };
        }
        let sum = super::bytes::crc32(&header).to_le_bytes();
        header.extend_from_slice(&sum);
        file.splice(start..start + 12, header);
        let (content, error) = own(&file, 64);
        let (expected, library) = read(XzReader::new_mem_limit(&*file, true, MOST));
        // Where a field reaches the checksum, the message of the library is that of another field.
        let kind = |it: &Option<(ErrorKind, String)>| {
            let kind = it.as_ref().map(|it| it.0);
            kind.map(|kind| kind == ErrorKind::OutOfMemory)
        };
        assert_eq!(
            (&content, kind(&error)),
            (&expected, kind(&library)),
            "{round}"
        );
        let message = |it: &Option<(ErrorKind, String)>| it.as_ref().map(|it| it.1.clone());
        outcomes.insert(message(&error));
    }
    assert!(outcomes.len() > 12, "{outcomes:?}");
}

#[test]
fn memory_is_limited() {
    let input = Input::new(Cursor::new(FILE.to_vec()));
    let error = read(Streams::new(input, 100)).1;
    assert_eq!(error.map(|it| it.0), Some(ErrorKind::OutOfMemory));
}
