//! Special files, wrong sizes, sparse files, changing files, unusual names, large directories.

use super::{CANARY, HANG, failed, text};
use omniread::details::Total;
use omniread::errors::SpecialFile;
use omniread::{Dialect, Kind, Options, Reason};
use omniread_tests::{Cli, Workspace};
use rustix::fs::{CWD, Mode};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Hostile input FS-7: named pipes, sockets and devices.
#[test]
fn special_files_are_refused_without_blocking() {
    let workspace = Workspace::new();
    let root = workspace.path();
    rustix::fs::mkfifoat(CWD, root.join("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    assert!(matches!(
        failed(&workspace, "pipe"),
        Reason::SpecialFile(SpecialFile::Pipe)
    ));
    assert!(matches!(
        failed(&workspace, "pipe:-5"),
        Reason::SpecialFile(SpecialFile::Pipe)
    ));
    assert!(matches!(
        failed(&workspace, "socket"),
        Reason::SpecialFile(SpecialFile::Socket)
    ));
    let devices = omniread_tests::builder()
        .root("/dev")
        .build()
        .unwrap()
        .session();
    for device in ["/dev/zero", "/dev/random", "/dev/null"] {
        assert!(
            matches!(
                devices.read(device).unwrap_err().reason,
                Reason::SpecialFile(SpecialFile::Device)
            ),
            "{device}"
        );
    }
    // Special files are listed.
    let listing = text(&workspace, ".");
    assert!(
        listing.contains("pipe") && listing.contains("socket"),
        "{listing}"
    );
}

/// Hostile input FS-8: files that report a wrong size, such as those in `/proc`.
#[test]
#[cfg(target_os = "linux")]
fn reported_file_size_is_not_trusted() {
    let session = omniread_tests::builder()
        .root("/proc")
        .root("/sys")
        .build()
        .unwrap()
        .session();
    let version = fs::read_to_string("/proc/version").unwrap();
    assert!(
        session
            .read("/proc/version:raw")
            .unwrap()
            .text()
            .contains(version.trim_end())
    );
    let lines = fs::read_to_string("/proc/cpuinfo").unwrap().lines().count() as u64;
    let window = session
        .read("/proc/cpuinfo:-1")
        .unwrap()
        .details
        .window
        .unwrap();
    assert!(
        matches!(window.total, Total::Exact(total) if total == lines),
        "{:?}",
        window.total
    );
    let page = "/sys/kernel/mm/transparent_hugepage/enabled";
    if let Ok(content) = fs::read_to_string(page) {
        assert!(
            session
                .read(page)
                .unwrap()
                .text()
                .contains(content.trim_end())
        );
    }
    let started = Instant::now();
    let _ = session.read("/proc/kmsg");
    assert!(started.elapsed() < HANG);
}

/// Hostile input FS-9: sparse files of a terabyte.
#[test]
fn sparse_file_is_not_read_as_a_whole() {
    let workspace = Workspace::new();
    let file = fs::File::create(workspace.path().join("sparse.bin")).unwrap();
    file.set_len(1 << 40).unwrap();
    let reply = workspace.session().read("sparse.bin").unwrap();
    assert_eq!(reply.details.kind.name(), "binary");
    assert!(reply.text().contains("1.0TB"), "{}", reply.text());
    workspace.file("text", "line\n".repeat(4000));
    let file = fs::File::options()
        .write(true)
        .open(workspace.path().join("text"))
        .unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(text(&workspace, "text:1-1:raw"), "line\n");
}

/// Hostile input FS-10: files that change while they are read.
#[test]
fn file_modified_during_a_read_is_noted() {
    let workspace = Workspace::new();
    workspace.file("log", "x\n".repeat(2_000_000));
    let path = workspace.path().join("log");
    let session = workspace.session();
    let stop = AtomicBool::new(false);
    let noted = std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::Write as _;
            let mut file = fs::File::options().append(true).open(&path).unwrap();
            while !stop.load(Ordering::Relaxed) {
                file.write_all(b"more\n").unwrap();
            }
        });
        let noted = (0..500).any(|_| {
            let reply = session
                .read_as("log", Dialect::Claude, &Options::default())
                .unwrap();
            reply
                .details
                .notes
                .iter()
                .any(|note| note.contains("while it was read"))
        });
        stop.store(true, Ordering::Relaxed);
        noted
    });
    assert!(noted);
    fs::write(&path, "short\n").unwrap();
    assert_eq!(text(&workspace, "log"), "short");
}

/// Hostile input FS-11: files that the user has no permission to read. The superuser may read them,
/// so the test checks first whether the system enforces permissions.
#[test]
fn permission_error_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = Workspace::new();
    workspace
        .file("locked", CANARY)
        .file("closed/inside", CANARY)
        .file("open", "x\n");
    let chmod = |name: &str, mode| {
        fs::set_permissions(
            workspace.path().join(name),
            fs::Permissions::from_mode(mode),
        )
        .unwrap();
    };
    chmod("locked", 0);
    chmod("closed", 0);
    let enforced = fs::read(workspace.path().join("locked")).is_err();
    if enforced {
        assert!(matches!(
            failed(&workspace, "locked"),
            Reason::Permission(_)
        ));
        assert!(matches!(
            failed(&workspace, "closed/inside"),
            Reason::Permission(_)
        ));
        assert!(text(&workspace, ".").contains("cannot list `closed`: permission denied"));
    } else {
        assert!(text(&workspace, "locked").contains(CANARY));
    }
    chmod("closed", 0o755);
}

/// Hostile input FS-12: file names that look like selectors or options, contain invisible
/// characters, or are not UTF-8.
#[test]
fn unusual_names_are_readable_or_escaped() {
    let workspace = Workspace::new();
    let long = "n".repeat(255);
    let names = [
        "a:1-2",
        ":raw",
        "x.zip:y",
        "-",
        "new\nline",
        "esc\u{1b}[31m",
        "rlo\u{202e}txt",
        "caf\u{e9}",
        "cafe\u{301}",
        "trailing ",
        long.as_str(),
    ];
    for name in names {
        workspace.file(name, format!("{}\n", name.len()));
    }
    for name in names {
        assert_eq!(text(&workspace, name), name.len().to_string(), "{name:?}");
    }
    // `~` is the home directory, so the path of a file of that name is `./~`.
    workspace.file("~", "tilde\n");
    assert_eq!(text(&workspace, "./~"), "tilde");
    let bad = std::ffi::OsStr::from_bytes(b"bad\xff");
    fs::write(workspace.path().join(bad), CANARY).unwrap();
    let listing = text(&workspace, ".");
    for shown in [
        "new⟨U+000A⟩line",
        "esc⟨U+001B⟩[31m",
        "rlo⟨U+202E⟩txt",
        "bad\\xFF",
    ] {
        assert!(listing.contains(shown), "{shown}: {listing}");
    }
    assert!(listing.contains("1 name is not UTF-8"), "{listing}");
    assert!(matches!(
        failed(&workspace, "bad\\xFF"),
        Reason::NotFound(_)
    ));
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let output = cli.command().arg(bad).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not UTF-8"));
}

/// A file name in a message cannot start a new line, and its invisible characters are escaped.
#[test]
fn names_in_messages_are_escaped() {
    let workspace = Workspace::new();
    let name = "h\nx ]#\u{202e}.txt";
    workspace
        .file(&format!("dir/{name}"), "content\n")
        .link("dangling", "no\u{1b}[31m\nwhere")
        .link("out", "/out\nside");
    let session = workspace.session();
    let mut texts = vec![
        session.read(format!("dir/{name}")).unwrap().text(),
        session.read(name).unwrap().text(),
        session
            .read_as(
                format!("dir/{name}:1-1"),
                Dialect::Claude,
                &Options::default(),
            )
            .unwrap()
            .text(),
    ];
    for path in ["dir/x.txt", "dangling", "out", "dir/h\nx"] {
        texts.push(session.read(path).unwrap_err().text);
    }
    for text in texts {
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
        assert!(
            !text.contains("h\nx") && !text.contains("no\nwhere") && !text.contains("out\nside"),
            "{text}"
        );
    }
}

/// Hostile input FS-13: a directory with many entries, and 500 directories that are nested in each
/// other.
#[test]
fn large_directory_listing_is_bounded() {
    const ENTRIES: u64 = 100_000;
    let workspace = Workspace::new();
    workspace.directory("many");
    for n in 0..ENTRIES {
        fs::File::create(workspace.path().join(format!("many/{n}"))).unwrap();
    }
    let started = Instant::now();
    let details = workspace.session().read("many").unwrap().details;
    assert!(started.elapsed() < HANG);
    let Kind::Directory(directory) = &details.kind else {
        panic!("{:?}", details.kind);
    };
    assert!(
        matches!(directory.entries, Total::Exact(ENTRIES)),
        "{directory:?}"
    );
    assert_eq!(directory.listed, 20_000);
    assert!(
        details.notes[0].contains("the rest is only counted"),
        "{:?}",
        details.notes
    );
    assert!(details.next.is_some());
    assert!(text(&workspace, ".").contains("- … 99988 more"));
    let deep: String = (0..500).map(|_| "d/").collect();
    fs::create_dir_all(workspace.path().join(&deep)).unwrap();
    assert!(text(&workspace, &deep).contains("(empty directory)"));
}
