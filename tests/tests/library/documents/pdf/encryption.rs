//! Encrypted PDF files.

use super::hostile::survived;
use super::read;
use omniread_tests::pdf::encryption::{Algorithm, encrypted};
use omniread_tests::pdf::objects::Objects;
use omniread_tests::{DIALECTS, Workspace, text};

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .file("plain.pdf", Objects::lines("", &["plain-mark"]).build())
        .file(
            "empty.pdf",
            encrypted("secret-mark on a page", "", Algorithm::Rc4),
        )
        .file(
            "locked.pdf",
            encrypted("secret-mark on a page", "open it", Algorithm::Rc4),
        );
    workspace
}

#[test]
fn empty_password_needs_no_other() {
    let workspace = workspace();
    assert!(survived(&workspace.session(), "empty.pdf:").contains("secret-mark"));
    let reader = workspace.builder().password("unused").build().unwrap();
    assert!(survived(&reader.session(), "empty.pdf:").contains("secret-mark"));
}

#[test]
fn password_is_required() {
    let workspace = workspace();
    let session = workspace.session();
    for dialect in DIALECTS {
        for path in ["locked.pdf:", "locked.pdf:page:1", "locked.pdf:image:1"] {
            let rendered = read(&session, dialect, path).text();
            let answer = "[Cannot read .pdf file: it is encrypted";
            assert!(rendered.contains(answer), "{dialect:?}: {path}: {rendered}");
            assert!(
                rendered.contains("PDF document, "),
                "{dialect:?}: {rendered}"
            );
            assert!(!rendered.contains("secret-mark"), "{dialect:?}: {rendered}");
        }
    }
    assert!(text(&session, "plain.pdf").contains("plain-mark"));
}

#[test]
fn password_opens_a_file_and_is_not_shown() {
    let workspace = workspace();
    let right = workspace.builder().password("open it").build().unwrap();
    let rendered = survived(&right.session(), "locked.pdf:");
    assert!(rendered.contains("secret-mark"), "{rendered}");
    assert!(!rendered.contains("open it"), "{rendered}");
    let wrong = workspace.builder().password("open  it").build().unwrap();
    let rendered = survived(&wrong.session(), "locked.pdf:");
    assert!(rendered.contains("it is encrypted"), "{rendered}");
    assert!(!rendered.contains("open  it"), "{rendered}");
}

#[test]
fn algorithms() {
    let workspace = workspace();
    for algorithm in [Algorithm::Rc4, Algorithm::Aes128, Algorithm::Aes256] {
        for (name, password) in [("empty", ""), ("locked", "open it")] {
            let bytes = encrypted("secret-mark on a page", password, algorithm);
            workspace.file(&format!("{name}-{algorithm:?}.pdf"), bytes);
        }
        let (empty, locked) = (
            format!("empty-{algorithm:?}.pdf"),
            format!("locked-{algorithm:?}.pdf"),
        );
        let session = workspace.session();
        assert!(survived(&session, &empty).contains("secret-mark"));
        assert!(survived(&session, &locked).contains("it is encrypted"));
        for (password, opens) in [("open it", true), ("open", false)] {
            let reader = workspace.builder().password(password).build().unwrap();
            let rendered = survived(&reader.session(), &locked);
            assert_eq!(
                rendered.contains("secret-mark"),
                opens,
                "{algorithm:?}: {rendered}"
            );
        }
    }
}

#[test]
fn other_encryption_is_named() {
    let workspace = workspace();
    for (name, entries) in [
        ("handler", "/Filter /Adobe.PubSec /V 4 /R 4"),
        (
            "version",
            "/Filter /Standard /V 77 /R 77 /O (a) /U (b) /P -4",
        ),
        ("nothing", "/Filter /Standard"),
        (
            "lengths",
            "/Filter /Standard /V 2 /R 3 /Length 2147483647 /O () /U () /P -4",
        ),
        (
            "negative",
            "/Filter /Standard /V 2 /R 3 /Length -8 /O () /U () /P -4",
        ),
        (
            "short",
            "/Filter /Standard /V 5 /R 6 /Length 256 /O (a) /U (b) /OE () /UE () /P -4",
        ),
    ] {
        let mut file = Objects::lines("", &["secret-mark"]);
        file.trailer(&format!("/Encrypt << {entries} >>"));
        let name = format!("{name}.pdf");
        workspace.file(&name, file.build());
        let rendered = survived(&workspace.session(), &name);
        assert!(
            rendered.contains("[Cannot read .pdf file: "),
            "{name}: {rendered}"
        );
    }
}
