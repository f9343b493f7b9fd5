//! Compressed streams: a compressed file is read as its decompressed content.

use omniread::details::Total;
use omniread_tests::pack::{bzip2, gzip, tar, xz, zstd};
use omniread_tests::{Workspace, numbered, raw_chain, text};
use std::io::Write as _;

/// An LZMA stream in the format that preceded xz (`.lzma`).
fn lzma(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(6);
    let mut encoder =
        lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).expect("options");
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A tar archive in an LZMA stream, as `tar --lzma` writes it, is read with any dictionary size and
/// properties of the stream. The header of the stream may or may not state a size.
#[test]
fn tar_in_lzma_is_an_archive_with_any_dictionary() {
    let tape = tar(&[("src/a.txt", b"inside\n")]);
    let workspace = Workspace::new();
    let cases: [(u32, (u32, u32, u32), bool); 7] = [
        (8 << 20, (3, 0, 2), false),
        (8 << 20, (3, 0, 2), true),
        (12 << 20, (3, 0, 2), false),
        (3 << 19, (3, 0, 2), true),
        (4096, (3, 0, 2), false),
        (8 << 20, (0, 2, 0), false),
        (64 << 20, (4, 0, 0), false),
    ];
    for (dictionary, (lc, lp, pb), sized) in cases {
        let options = lzma_rust2::LzmaOptions {
            dict_size: dictionary,
            lc,
            lp,
            pb,
            ..lzma_rust2::LzmaOptions::with_preset(0)
        };
        let size = sized.then_some(tape.len() as u64);
        let mut encoder =
            lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, size).expect("options");
        encoder.write_all(&tape).expect("memory");
        workspace.file("x.tlz", encoder.finish().expect("memory"));
        let session = workspace.session();
        let reply = session.read("x.tlz").unwrap();
        assert_eq!(
            reply.details.kind.name(),
            "archive",
            "{dictionary} {lc}{lp}{pb}"
        );
        assert!(reply.text().starts_with("src/\n"), "{}", reply.text());
        assert_eq!(text(&session, "x.tlz:src/a.txt"), "inside");
    }
}

type Compress = fn(&[u8]) -> Vec<u8>;

const ALL: [(&str, Compress); 4] = [("gzip", gzip), ("bzip2", bzip2), ("xz", xz), ("zstd", zstd)];

#[test]
fn compressed_stream_is_read_as_its_content() {
    let whole = numbered(60_000);
    for (name, compress) in ALL.into_iter().chain([("LZMA", lzma as Compress)]) {
        let workspace = Workspace::new();
        // The name has no extension, so that the format is detected from the content.
        workspace.file("data", compress(whole.as_bytes()));
        let session = workspace.session();
        let page = session.read("data").unwrap();
        assert_eq!(page.details.kind.name(), "text");
        assert_eq!(page.details.next.as_deref(), Some("data:301"));
        assert!(page.text().starts_with("line 1\nline 2\n"), "{name}");
        assert!(page.text().contains(&format!("[{name} data, ")), "{name}");
        assert!(page.details.text().unwrap().tag.is_none(), "{name}");
        assert!(text(&session, "data:59999").starts_with("line 59999\nline 60000\n"));
        assert!(
            text(&session, "data:-2").starts_with("line 59999\nline 60000\n"),
            "{name}"
        );
        assert_eq!(raw_chain(&session, "data:raw"), whole, "{name}");
    }
}

/// Several compressed streams in one file, as `cat a.gz b.gz` and log rotation write them, are read
/// as one text.
#[test]
fn concatenated_streams_are_read_as_one_file() {
    for (name, compress) in ALL {
        let workspace = Workspace::new();
        let joined = [compress(b"one\n"), compress(b"two\n")].concat();
        workspace.file("f", joined);
        assert_eq!(
            raw_chain(&workspace.session(), "f:raw"),
            "one\ntwo\n",
            "{name}"
        );
    }
}

/// Skippable frames of Zstandard are skipped. The program `pzstd` writes one before each frame with
/// data.
#[test]
fn skippable_zstd_frames_are_skipped() {
    let skipped = b"\x50\x2a\x4d\x18\x04\0\0\0size".as_slice();
    // The header of the frame is at each position relative to the end of a buffer.
    let noise: String = (0..20_000u64)
        .map(|n| format!("{:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    for cut in 0..16 {
        let first = zstd(&noise.as_bytes()[cut..]);
        let padding = (65536 - (first.len() + 8) % 65536) + 65536 - 4;
        let length = u32::try_from(padding).unwrap().to_le_bytes();
        let frame = [b"\x50\x2a\x4d\x18", length.as_slice(), &vec![0; padding]].concat();
        let workspace = Workspace::new();
        workspace.file(
            "f",
            [first.as_slice(), &frame, skipped, &zstd(b"end\n")].concat(),
        );
        let session = workspace.session();
        assert_eq!(raw_chain(&session, "f:-1:raw"), "end\n", "{cut}");
    }
    let (one, two) = (zstd(b"one\n"), zstd(b"two\n"));
    let workspace = Workspace::new();
    workspace.file("f", [skipped, &one, skipped, &two].concat());
    assert_eq!(raw_chain(&workspace.session(), "f:raw"), "one\ntwo\n");
}

/// The part of a damaged stream before the damage is shown, with a note.
#[test]
fn damaged_stream_is_shown_up_to_the_damage() {
    // Numbers that compress badly give several chunks: a decompressor returns whole chunks.
    let whole: String = (1..=200_000u64)
        .map(|n| format!("line {}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    for (name, compress) in ALL {
        let workspace = Workspace::new();
        let compressed = compress(whole.as_bytes());
        workspace.file("f", &compressed[..compressed.len() / 2]);
        let session = workspace.session();
        let reply = session.read("f:-1:raw").unwrap();
        assert!(
            reply
                .details
                .notes
                .iter()
                .any(|note| note.contains("the ") && note.contains("damaged")),
            "{name}: {:?}",
            reply.details.notes
        );
        assert!(
            text(&session, "f").starts_with("line 11400714819323198485\n"),
            "{name}"
        );
    }
}

/// A read of the first page decompresses only a small part of a stream. A read that would
/// decompress too much is stopped at a limit, with a note.
#[test]
fn decompression_bomb_is_stopped_with_a_note() {
    let workspace = Workspace::new();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let block = b"\n".repeat(1 << 20);
    for _ in 0..512 {
        encoder.write_all(&block).expect("memory");
    }
    workspace.file("bomb.gz", encoder.finish().expect("memory"));
    let session = workspace.session();
    let page = session.read("bomb.gz").unwrap();
    assert_eq!(page.details.next.as_deref(), Some("bomb.gz:301"));
    let end = session.read("bomb.gz:400000000").unwrap();
    assert!(
        end.details
            .notes
            .iter()
            .any(|note| note.contains("stopped after 64.")),
        "{:?}",
        end.details.notes
    );
    assert!(matches!(
        end.details.window.unwrap().total,
        Total::AtLeast(lines) if lines < 70_000_000
    ));
    // A long log is not a bomb.
    let log: String = (0..2_000_000)
        .map(|n| format!("INFO request {n} was handled without trouble\n"))
        .collect();
    workspace.file("log.gz", gzip(log.as_bytes()));
    assert!(text(&session, "log.gz:2000000").contains("INFO request 1999999 "));
}
