//! Mails and mailboxes: their converted form, and attachments, which are read like members of an
//! archive.

use super::read;
use omniread::{Dialect, Reason};
use omniread_tests::pack::zip;
use omniread_tests::{Cli, DIALECTS, Workspace, text};

const MAIL: &[u8] = include_bytes!("../../../../examples/mail.eml");

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let envelope = b"From ada@example.com Fri May  1 10:00:00 2026\n".as_slice();
    workspace
        .file("mail.eml", MAIL)
        .file("mails.zip", zip(&[("in/mail.eml", MAIL)]))
        .file("box.mbox", [envelope, MAIL, b"\n", envelope, MAIL].concat());
    workspace
}

#[test]
fn bare_path_of_a_mail_is_its_text() {
    let workspace = workspace();
    let session = workspace.session();
    for dialect in DIALECTS {
        let bare = read(&session, dialect, "mail.eml").text();
        assert!(bare.contains("boundary="), "{dialect:?}: {bare}");
        let converted = read(&session, dialect, "mail.eml:");
        let rendered = converted.text();
        assert!(
            rendered.contains("# Sales of the lamp"),
            "{dialect:?}: {rendered}"
        );
        assert!(!rendered.contains("boundary="), "{dialect:?}: {rendered}");
        assert_eq!(converted.details.kind.name(), "document", "{dialect:?}");
    }
    let lines = text(&session, "mail.eml:1-1");
    assert!(lines.contains("1:From: Ada Example"), "{lines}");
}

#[test]
fn attachment_is_read_like_a_member() {
    let workspace = workspace();
    let session = workspace.session();
    for mail in ["mail.eml", "mails.zip:in/mail.eml", "box.mbox:2"] {
        let slash = if mail.starts_with("box") { "/" } else { ":" };
        let path = format!("{mail}{slash}letter.docx");
        let rendered = text(&session, &path);
        assert!(
            rendered.contains("The lamp sold **better**"),
            "{path}: {rendered}"
        );
        assert!(
            rendered.contains(&format!("]({path}:image:1)")),
            "{path}: {rendered}"
        );
        let lines = text(&session, &format!("{path}:1-1:raw"));
        assert_eq!(lines.trim_end(), "# Sales of the lamp", "{path}");
        let image = read(&session, Dialect::Omp, &format!("{path}:image:1"));
        assert_eq!(image.details.kind.name(), "image", "{path}");
        let part = text(&session, &format!("{path}:word/document.xml"));
        assert!(part.contains("<w:document"), "{path}: {part}");
    }
}

#[test]
fn missing_attachment_is_not_found() {
    let workspace = workspace();
    let session = workspace.session();
    let missing = session.read("mail.eml:leter.docx").unwrap_err();
    let Reason::NotFound(similar) = &missing.reason else {
        panic!("{missing:?}");
    };
    assert_eq!(similar, &["mail.eml:letter.docx"]);
    let missing = session.read("mail.eml:nothing/at/all").unwrap_err();
    assert!(matches!(missing.reason, Reason::NotFound(_)));
}

#[test]
fn denied_attachment_is_not_read() {
    let workspace = workspace();
    let session = workspace
        .builder()
        .deny("*.docx")
        .build()
        .unwrap()
        .session();
    for path in ["mail.eml:letter.docx", "mails.zip:in/mail.eml:letter.docx"] {
        let denied = session.read(path).unwrap_err();
        assert!(matches!(denied.reason, Reason::Denied(..)), "{denied:?}");
    }
    assert!(text(&session, "mail.eml:").contains("# Sales of the lamp"));
}

/// A mail with attachments of these names, each of which has its number as text.
fn mail_with(names: &[&str]) -> String {
    let start = "From: a@b.c\nSubject: files\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=xx\n\n--xx\n\
        Content-Type: text/plain\n\nsee below\n";
    let part = |(number, name): (usize, &&str)| {
        let name = name.replace('\\', "\\\\");
        format!(
            "--xx\nContent-Type: application/octet-stream\n\
             Content-Disposition: attachment; filename=\"{name}\"\n\nfile {number}\n"
        )
    };
    let parts: String = names.iter().enumerate().map(part).collect();
    format!("{start}{parts}--xx--\n")
}

#[test]
fn denied_attachment_is_not_read_by_another_name() {
    let workspace = Workspace::new();
    let names = [
        ".env",
        "dir/.env",
        "a\\b\\.env",
        ".env",
        "dir/ .env",
        "my.env",
    ];
    let mail = mail_with(&names);
    let envelope = "From a@b.c Fri May  1 10:00:00 2026\n";
    workspace
        .file("mail.eml", &mail)
        .file("box.mbox", format!("{envelope}{mail}"));
    let session = workspace.builder().deny(".env").build().unwrap();
    let session = session.session();
    for name in [
        ".env",
        "dir_.env",
        "a_b_.env",
        ".env-2",
        "dir_ .env",
        ".ENV",
        "no/.env",
    ] {
        for path in [format!("mail.eml:{name}"), format!("box.mbox:1/{name}")] {
            let denied = session.read(&path).unwrap_err();
            assert!(
                matches!(denied.reason, Reason::Denied(..)),
                "{path}: {denied:?}"
            );
        }
    }
    assert_eq!(text(&session, "mail.eml:my.env:raw"), "file 5");
    let missing = session.read("mail.eml:dir_.en").unwrap_err();
    assert!(matches!(&missing.reason, Reason::NotFound(near) if near.is_empty()));
    // Without the rule, each of them is read.
    let session = workspace.session();
    for (number, name) in [".env", "dir_.env", "a_b_.env", ".env-2"]
        .iter()
        .enumerate()
    {
        let shown = text(&session, &format!("mail.eml:{name}:raw"));
        assert_eq!(shown, format!("file {number}"), "{name}");
    }
}

#[test]
fn attachment_named_like_a_selector_is_read() {
    let workspace = Workspace::new();
    let mail = mail_with(&["1-2", "raw", "full", "image:1", "3"]);
    workspace
        .file("mail.eml", &mail)
        .file("mail.txt", &mail)
        .file("mails.zip", zip(&[("mail.eml", mail.as_bytes())]));
    let session = workspace.session();
    for mail in ["mail.eml", "mails.zip:mail.eml"] {
        for (name, number) in [
            ("1-2", 0),
            ("raw", 1),
            ("full", 2),
            ("image:1", 3),
            ("3", 4),
        ] {
            let shown = text(&session, &format!("{mail}:{name}:raw"));
            assert_eq!(shown, format!("file {number}"), "{mail}:{name}");
            let reply = read(&session, Dialect::Omp, &format!("{mail}:{name}"));
            assert!(
                reply.text().contains(&format!("file {number}")),
                "{mail}:{name}"
            );
        }
        // Other selectors select lines, and those after a colon lines of the converted form.
        let lines = text(&session, &format!("{mail}:1-1"));
        assert!(lines.contains("From: a@b.c"), "{lines}");
        let lines = text(&session, &format!("{mail}::1-2"));
        assert!(lines.starts_with("# files"), "{lines}");
    }
    let lines = text(&session, "mail.txt:1-2:raw");
    assert!(lines.starts_with("From: a@b.c"), "{lines}");
}

#[test]
fn mail_in_a_mail_is_entered() {
    let workspace = Workspace::new();
    let outer = |inner: &[u8]| {
        let start = b"From: a@b.c\nTo: b@b.c\nSubject: outer\nMIME-Version: 1.0\n\
            Content-Type: multipart/mixed; boundary=outer\n\n--outer\n\
            Content-Type: text/plain\n\nsee below\n--outer\n\
            Content-Type: message/rfc822\n\n";
        [start.as_slice(), inner, b"\n--outer--\n"].concat()
    };
    workspace.file("outer.eml", outer(MAIL));
    let session = workspace.session();
    let listed = text(&session, "outer.eml:");
    assert!(listed.contains("Sales of the lamp.eml"), "{listed}");
    let inner = text(
        &session,
        "outer.eml:Sales of the lamp.eml:letter.docx:1-1:raw",
    );
    assert_eq!(inner.trim_end(), "# Sales of the lamp");
}

#[test]
fn mail_on_standard_input_is_converted() {
    let workspace = workspace();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = cli.run_with(&["-:"], MAIL);
    assert!(run.stdout.contains("# Sales of the lamp"), "{}", run.stdout);
    let run = cli.run_with(&["-:letter.docx"], MAIL);
    assert!(
        run.stdout.contains("The lamp sold **better**"),
        "{}",
        run.stdout
    );
}
