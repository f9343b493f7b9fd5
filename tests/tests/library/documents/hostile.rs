//! Documents that cannot be read: each gets an answer with the reason, the format and the size, and
//! the next read works.

use super::{letter, read};
use omniread::{Dialect, Session};
use omniread_tests::docx::Docx;
use omniread_tests::pack::zip;
use omniread_tests::{Cli, DIALECTS, Workspace, text};

/// The first bytes of a compound file, in which an encrypted document is stored.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Reads a document that cannot be converted, in every dialect. Returns the text of the reply in
/// `omp`.
fn refused(session: &Session, name: &str) -> String {
    for dialect in DIALECTS {
        for path in [format!("{name}:"), format!("{name}::7-9")] {
            let reply = read(session, dialect, &path);
            let rendered = reply.text();
            assert!(
                rendered.contains("[Cannot read .docx file: "),
                "{dialect:?}: {rendered}"
            );
            assert!(
                rendered.contains("Word document, "),
                "{dialect:?}: {rendered}"
            );
            let document = reply.details.document().unwrap();
            assert_eq!(document.format, "Word document", "{dialect:?}");
        }
    }
    for path in [format!("{name}:5-9"), name.to_owned()] {
        let rendered = text(session, &path);
        assert!(
            rendered.starts_with("[Cannot read .docx file: "),
            "{path}: {rendered}"
        );
    }
    let next = text(session, "plain.docx");
    assert!(next.contains("plain-mark"), "{next}");
    text(session, name)
}

fn hostile() -> Workspace {
    let workspace = Workspace::new();
    let plain = Docx::default().paragraph("plain-mark");
    workspace.file("plain.docx", plain.build());
    workspace
}

#[test]
fn damaged_document_is_an_answer() {
    let workspace = hostile();
    workspace.file("cut.docx", &letter()[..300]);
    let session = workspace.session();
    let rendered = refused(&session, "cut.docx");
    assert!(rendered.contains("it is damaged: "), "{rendered}");
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = cli.run(&["cut.docx"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
}

/// The directory of the archive is at its end. The parts before the cut are found without it.
#[test]
fn readable_part_of_a_cut_document_is_shown() {
    let workspace = hostile();
    let letter = letter();
    workspace.file("half.docx", &letter[..letter.len() / 2]);
    let session = workspace.session();
    let reply = read(&session, Dialect::Omp, "half.docx");
    assert!(reply.text().contains("line-1-mark"), "{}", reply.text());
    let notes = reply.details.notes.join("\n");
    assert!(notes.contains("its data ends early"), "{notes}");
}

#[test]
fn encrypted_document_is_an_answer() {
    let workspace = hostile();
    workspace.file("secret.docx", encrypted());
    let session = workspace.session();
    let rendered = refused(&session, "secret.docx");
    assert!(rendered.contains("it is encrypted"), "{rendered}");
}

/// A compound file with the directory entry of an encrypted document ([MS-CFB], 2.2 and 2.6.1).
fn encrypted() -> Vec<u8> {
    let mut file = vec![0; 512 * 4];
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, COMPOUND_FILE);
    // Minor and major version, byte order, sector sizes.
    put(24, b"\x3e\0\x03\0\xfe\xff\x09\0\x06\0");
    // One sector of the allocation table, at sector 0. The directory is at sector 1.
    put(44, &1u32.to_le_bytes());
    put(48, &1u32.to_le_bytes());
    put(56, &4096u32.to_le_bytes());
    put(60, &[0xfe, 0xff, 0xff, 0xff]);
    put(68, &[0xfe, 0xff, 0xff, 0xff]);
    put(76, &[0; 4]);
    put(80, &[0xff; 432]);
    // The allocation table: itself, the directory, and a stream.
    put(512, &[0xff; 512]);
    put(
        512,
        &[
            0xfd, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff,
        ],
    );
    let mut entry = |index: usize, name: &str, kind: u8, child: u32| {
        let at = 1024 + 128 * index;
        let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        put(at, &units);
        let length = u16::try_from(units.len() + 2).unwrap();
        put(at + 64, &length.to_le_bytes());
        put(at + 66, &[kind, 1]);
        put(at + 68, &[0xff; 8]);
        put(at + 76, &child.to_le_bytes());
        put(at + 116, &[0xfe, 0xff, 0xff, 0xff]);
    };
    entry(0, "Root Entry", 5, 1);
    entry(1, "EncryptedPackage", 2, u32::MAX);
    entry(2, "EncryptionInfo", 2, u32::MAX);
    file
}

/// An image of a document that cannot be opened has the same answer.
#[test]
fn image_of_a_damaged_document_is_an_answer() {
    let workspace = hostile();
    workspace.file("cut.docx", &letter()[..300]);
    let session = workspace.session();
    for dialect in DIALECTS {
        let reply = read(&session, dialect, "cut.docx:image:1");
        let rendered = reply.text();
        assert!(
            rendered.contains("[Cannot read .docx file: "),
            "{dialect:?}: {rendered}"
        );
    }
}

/// The engine exceeds the memory limit of the read, and the reader still replies.
#[test]
fn exhausted_engine_is_an_answer() {
    let workspace = hostile();
    let bomb = (0..40_000).fold(Docx::default(), |docx, _| {
        docx.paragraph(&"word ".repeat(100))
    });
    workspace.file("bomb.docx", bomb.build());
    let reader = workspace.builder().memory(24 << 20).build().unwrap();
    let session = reader.session();
    let rendered = refused(&session, "bomb.docx");
    assert!(
        rendered.contains("exceeds the limit `memory`"),
        "{rendered}"
    );
}

/// An archive with the types of parts but no text is not a document.
#[test]
fn members_without_a_main_part_are_listed() {
    let workspace = hostile();
    workspace.file(
        "x.docx",
        zip(&[("[Content_Types].xml", b"<Types/>"), ("a/b.xml", b"")]),
    );
    let session = workspace.session();
    assert!(text(&session, "x.docx").starts_with("a/\n"));
    let reply = read(&session, Dialect::Claude, "x.docx");
    assert_eq!(reply.details.kind.name(), "archive");
}
