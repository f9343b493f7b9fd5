//! The names of members: separators, encodings, duplicates and suggestions.

use super::reason;
use omniread::{Dialect, Options, Reason};
use omniread_tests::pack::{Claim, Forged, TAR_END, gzip, tar, tar_entry, zip, zip_of};
use omniread_tests::{DIALECTS, Workspace, text};
use tar::EntryType;

/// A zip archive with members of these names. `system` is the operating system on which they were
/// written: 0 is DOS, 3 is Unix.
fn zip_by(system: u8, names: &[&str]) -> Vec<u8> {
    let contents: Vec<String> = names.iter().map(|name| format!("in {name}\n")).collect();
    let mut archive = Forged::default();
    for (name, content) in names.iter().zip(&contents) {
        archive.add(&Claim {
            system,
            ..Claim::stored(name.as_bytes(), content.as_bytes())
        });
    }
    archive.finish()
}

/// Reads a path in every dialect, and checks that the reply contains `content`.
fn assert_reply_contains(workspace: &Workspace, path: &str, content: &str) {
    let session = workspace.session();
    for dialect in DIALECTS {
        let reply = session.read_as(path, dialect, &Options::default());
        let text = reply
            .unwrap_or_else(|failure| panic!("{dialect:?} {path}: {}", failure.message))
            .text();
        let content = match dialect {
            Dialect::Comma | Dialect::Gemini => content.replace('\\', "\\\\"),
            _ => content.to_owned(),
        };
        assert!(text.contains(&content), "{dialect:?} {path}: {text}");
    }
}

#[test]
fn leading_slash_is_removed_from_member_names() {
    let tape = [
        tar_entry(
            b"/etc/app.conf",
            EntryType::Regular,
            "",
            b"in /etc/app.conf\n",
        ),
        tar_entry(b"/etc/again", EntryType::Link, "/etc/app.conf", b""),
        TAR_END.to_vec(),
    ];
    let workspace = Workspace::new();
    workspace
        .file("x.tar", tape.concat())
        .file("x.zip", zip_by(3, &["/etc/app.conf", "//deep//a"]));
    let session = workspace.session();
    for name in ["x.tar", "x.zip"] {
        let listing = text(&session, name);
        assert!(listing.contains("etc/\n"), "{listing}");
        assert!(
            listing.contains("start with a slash, which is left out here"),
            "{listing}"
        );
        assert!(text(&session, &format!("{name}:/etc/")).contains("app.conf (17B)"));
        for path in [
            "/etc/app.conf",
            "etc/app.conf",
            "./etc/app.conf",
            "//etc/app.conf:1",
        ] {
            assert_reply_contains(&workspace, &format!("{name}:{path}"), "in /etc/app.conf");
        }
        assert!(matches!(
            reason(&session, &format!("{name}:/../etc/app.conf")),
            Reason::InvalidPath(_)
        ));
    }
    assert_reply_contains(&workspace, "x.tar:etc/again", "in /etc/app.conf");
    assert_reply_contains(&workspace, "x.zip:deep/a", "in //deep//a");
}

#[test]
fn zip_backslashes_from_windows_are_separators() {
    let workspace = Workspace::new();
    workspace
        .file(
            "dos.zip",
            zip_by(
                0,
                &["src\\main.rs", "src\\sub\\", "\\top.txt", "C:\\data\\d.txt"],
            ),
        )
        .file("unix.zip", zip_by(3, &["src\\main.rs", "plain"]));
    let session = workspace.session();
    let listing = text(&session, "dos.zip");
    assert!(listing.starts_with("C:/\nsrc/\ntop.txt ("), "{listing}");
    assert!(text(&session, "dos.zip:src").contains("sub/\nmain.rs ("));
    assert!(text(&session, "dos.zip:src\\").contains("main.rs ("));
    // On Unix a backslash is a character of a name, for unzip and in the listing.
    assert!(text(&session, "unix.zip").contains("src\\main.rs ("));
    for name in ["dos.zip", "unix.zip"] {
        for path in [
            "src\\main.rs",
            "src/main.rs",
            ".\\src\\main.rs",
            "src\\main.rs:1",
        ] {
            assert_reply_contains(&workspace, &format!("{name}:{path}"), "in src\\main.rs");
        }
        for path in ["..\\main.rs", "src\\..\\..\\main.rs"] {
            assert!(
                matches!(
                    reason(&session, &format!("{name}:{path}")),
                    Reason::InvalidPath(_)
                ),
                "{name}:{path}"
            );
        }
    }
    for path in ["\\top.txt", "/top.txt", "top.txt"] {
        assert_reply_contains(&workspace, &format!("dos.zip:{path}"), "in \\top.txt");
    }
    for path in ["C:\\data\\d.txt", "C:/data/d.txt", "C:/data/d.txt:1"] {
        assert_reply_contains(&workspace, &format!("dos.zip:{path}"), "in C:\\data\\d.txt");
    }
}

#[test]
fn zip_backslashes_from_dos_are_listed_as_slashes() {
    let dos = Claim {
        system: 0,
        mode: 0,
        ..Claim::stored(b"dir\\a.txt", b"x\n")
    };
    let workspace = Workspace::new();
    workspace.file("x.zip", Forged::default().add(&dos).finish());
    let session = workspace.session();
    assert!(text(&session, "x.zip").starts_with("dir/\n"));
    assert_eq!(text(&session, "x.zip:dir/a.txt"), "x");
}

#[test]
fn exact_member_name_takes_precedence() {
    let workspace = Workspace::new();
    workspace
        .file("slash.zip", zip_by(3, &["/a.txt", "a.txt", "./a.txt"]))
        .file("back.zip", zip_by(3, &["src/main.rs", "src\\main.rs"]));
    let session = workspace.session();
    for path in ["/a.txt", "a.txt", "./a.txt"] {
        let shown = text(&session, &format!("slash.zip:{path}"));
        assert_eq!(shown, format!("in {path}"));
    }
    for path in ["src/main.rs", "src\\main.rs"] {
        assert_eq!(
            text(&session, &format!("back.zip:{path}")),
            format!("in {path}")
        );
    }
    let listing = text(&session, "slash.zip");
    assert!(
        listing.contains("1 name belongs to several members"),
        "{listing}"
    );
}

#[test]
fn member_without_a_name_is_listed_and_noted() {
    let workspace = Workspace::new();
    let nameless = Claim {
        // The member is encrypted.
        flags: 1,
        ..Claim::stored(b"", b"x\n")
    };
    workspace.file("none.zip", Forged::default().add(&nameless).finish());
    let session = workspace.session();
    for path in ["none.zip", "none.zip:", "none.zip:/"] {
        let listing = text(&session, path);
        assert!(listing.starts_with("(no name) (2B)\n"), "{path}: {listing}");
        assert!(
            listing.contains("1 member has no name and cannot be read"),
            "{path}: {listing}"
        );
    }
    let differs = Claim {
        own_name: b"",
        ..Claim::stored(b"a", b"y\n")
    };
    workspace.file("differs.zip", Forged::default().add(&differs).finish());
    let shown = text(&session, "differs.zip:a");
    assert!(
        shown.contains("the header before the member gives it no name"),
        "{shown}"
    );
}

#[test]
fn missing_member_suggests_similar_members() {
    let members: &[(&str, &[u8])] = &[
        ("src/readme-first.md", b"x"),
        ("README.md", b"x"),
        ("docs/Readme.markdown", b"x"),
        ("docs/readme.md", b"x"),
    ];
    let workspace = Workspace::new();
    workspace
        .file("x.zip", zip(members))
        .file("x.tar", tar(members));
    let session = workspace.session();
    for name in ["x.zip", "x.tar"] {
        let failure = session.read(format!("{name}:ReadMe.md")).unwrap_err();
        let hint = failure.hint.unwrap();
        assert!(
            hint.starts_with(&format!(
                "in `{name}:` similar names: `README.md`, `docs/readme.md`, "
            )),
            "{hint}"
        );
        let Reason::NotFound(near) = failure.reason else {
            panic!("{hint}")
        };
        // The paths in the reason can be read.
        assert_eq!(near[0], format!("{name}:README.md"));
        assert!(session.read(&near[1]).is_ok());
        let failure = session.read(format!("{name}:READM.md")).unwrap_err();
        let hint = failure.hint.unwrap();
        assert!(hint.contains("`README.md`"), "{hint}");
    }
}

#[test]
fn suggestions_that_differ_only_in_case_come_first() {
    let workspace = Workspace::new();
    for name in ["configs.toml", "CONFIG.TOML", "Config.toml", "config.tom"] {
        workspace.file(name, "x");
    }
    let failure = workspace.session().read("conFIG.toml").unwrap_err();
    let Reason::NotFound(near) = failure.reason else {
        panic!("{}", failure.message)
    };
    assert_eq!(
        near,
        ["CONFIG.TOML", "Config.toml", "configs.toml", "config.tom"]
    );
}

/// Names of zip members in Shift JIS are decoded. Older programs write names in the encoding of
/// their locale.
#[test]
fn zip_names_in_shift_jis_are_decoded() {
    let name = "日本語のファイル名/議事録.txt";
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(name);
    let archive = zip_of(&[(&bytes, b"x\n"), (b"plain.txt", b"y\n")]);
    let workspace = Workspace::new();
    workspace.file("x.zip", archive);
    let session = workspace.session();
    let listing = text(&session, "x.zip");
    assert!(
        listing.starts_with("日本語のファイル名/\nplain.txt (2B)\n"),
        "{listing}"
    );
    assert!(
        listing.contains("[names in shift_jis (guessed)]"),
        "{listing}"
    );
    assert_eq!(text(&session, &format!("x.zip:{name}")), "x");
}

/// Names of tar members may also be in the encoding of a locale, such as Windows-1251.
#[test]
fn tar_names_in_windows_1251_are_decoded() {
    let (name, ..) = encoding_rs::WINDOWS_1251.encode("Отчёт за сентябрь.txt");
    let archive = [
        tar_entry(b"a.txt", EntryType::Regular, "", b"x\n"),
        tar_entry(&name, EntryType::Regular, "", b"report\n"),
        TAR_END.to_vec(),
    ]
    .concat();
    let workspace = Workspace::new();
    workspace.file("x.tgz", gzip(&archive));
    let session = workspace.session();
    let listing = text(&session, "x.tgz");
    assert!(
        listing.contains("Отчёт за сентябрь.txt (7B)\n"),
        "{listing}"
    );
    assert!(
        listing.contains("[names in windows-1251 (guessed)]"),
        "{listing}"
    );
    assert_eq!(text(&session, "x.tgz:Отчёт за сентябрь.txt"), "report");
}

/// Names that DOS programs wrote into a zip archive are in code page 437. An extra field of a
/// member may contain its name in Unicode.
#[test]
fn zip_names_in_cp437_and_unicode_fields_are_decoded() {
    let dos = Claim {
        system: 0,
        mode: 0,
        ..Claim::stored(b"\x9abersicht.txt", b"x\n")
    };
    let unicode = |written: &[u8], name: &str| {
        [
            b"\x75\x70".as_slice(),
            &u16::try_from(5 + name.len()).unwrap().to_le_bytes(),
            &[1],
            &rawzip::crc32(written).to_le_bytes(),
            name.as_bytes(),
        ]
        .concat()
    };
    let field = unicode(b"\xff\xfe.txt", "日本.txt");
    let with_unicode = Claim {
        extra: &field,
        ..Claim::stored(b"\xff\xfe.txt", b"y\n")
    };
    // Programs write a question mark for each letter that their code page lacks.
    let (one, two) = (unicode(b"??.txt", "да.txt"), unicode(b"??.txt", "нет.txt"));
    let marked = [&one, &two].map(|extra| Claim {
        extra,
        ..Claim::stored(b"??.txt", &extra[9..11])
    });
    let other = Claim {
        extra: &one,
        ..Claim::stored(b"other.txt", b"z\n")
    };
    let mut marks = Forged::default();
    marks.add(&marked[0]).add(&marked[1]).add(&other);
    let workspace = Workspace::new();
    workspace
        .file("dos.zip", Forged::default().add(&dos).finish())
        .file("told.zip", Forged::default().add(&with_unicode).finish())
        .file("marks.zip", marks.finish());
    let session = workspace.session();
    assert!(text(&session, "dos.zip").contains("[names in cp437 (guessed)]"));
    assert_eq!(text(&session, "dos.zip:Übersicht.txt"), "x");
    assert!(text(&session, "told.zip").starts_with("日本.txt (2B)\n"));
    assert_eq!(text(&session, "told.zip:日本.txt"), "y");
    assert!(text(&session, "marks.zip:да.txt").starts_with("д\n"));
    assert!(text(&session, "marks.zip:нет.txt").starts_with("н\n"));
    // The field of another name is out of date.
    assert_eq!(text(&session, "marks.zip:other.txt"), "z");
}
