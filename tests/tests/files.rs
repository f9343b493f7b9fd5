//! Files and paths that mean harm, or are just odd. The numbers are those of
//! the project's catalogue of threats: each test says what it holds.

#![cfg(unix)]
#![allow(missing_docs, reason = "a test")]

use omniread::{Dialect, Kind, Options, Reason, Special, Total};
use omniread_tests::{Cli, Workspace};
use rustix::fs::{CWD, Mode, RenameFlags};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CANARY: &str = "the canary sings";

/// Ten times what a read may take; a guard against hangs, no measurement.
const HANG: Duration = Duration::from_secs(100);

fn failed(workspace: &Workspace, path: &str) -> Reason {
    let started = Instant::now();
    let failure = workspace.session().read(path).expect_err(path);
    assert!(
        !failure.text.contains(CANARY),
        "{path} showed what is outside"
    );
    assert!(started.elapsed() < HANG, "{path} hung");
    failure.reason
}

fn text(workspace: &Workspace, path: &str) -> String {
    let options = Options {
        hashlines: false,
        ..Options::default()
    };
    let reply = workspace.session().read_as(path, Dialect::Omp, &options);
    reply
        .unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
        .text()
}

/// FS-1: paths that leave the roots, and paths that are none.
#[test]
fn no_path_leaves_the_roots() {
    let outer = Workspace::new();
    outer
        .file("r/inside.txt", "inside\n")
        .file("r-evil/x", CANARY);
    let root = outer.path().join("r");
    let session = omniread::Reader::builder()
        .root(&root)
        .build()
        .unwrap()
        .session();
    let evil = outer.path().join("r-evil/x").display().to_string();
    let climbing = format!("{}/../r-evil/x", root.display());
    let deep = "a/".repeat(300);
    for path in [
        evil.as_str(),
        climbing.as_str(),
        "../r-evil/x",
        "//../etc/passwd",
        "/etc/passwd",
        "%2e%2e/r-evil/x",
        "../r-evil/x ",
        "../r-evil/x.",
        "file:///etc/passwd",
        "file://%2fetc%2fpasswd",
        deep.as_str(),
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(!failure.text.contains(CANARY), "{path}");
        assert!(
            matches!(
                failure.reason,
                Reason::OutsideRoots(_) | Reason::NotFound(_) | Reason::Path(_)
            ),
            "{path}: {:?}",
            failure.reason
        );
    }
    for path in ["", "a\0b", &"x".repeat(5000)] {
        assert!(matches!(
            session.read(path).unwrap_err().reason,
            Reason::Path(_)
        ));
    }
    assert!(session.read("inside.txt").is_ok());
}

/// FS-2: links that leave, that loop, that lead nowhere; and honest ones.
#[test]
fn links_are_followed_inside_only() {
    let outside = Workspace::new();
    outside.file("secret", CANARY).file("folder/secret", CANARY);
    let workspace = Workspace::new();
    workspace
        .file("dir/real.txt", "real\n")
        .link("relative", "dir/real.txt")
        .link("absolute", workspace.path().join("dir/real.txt"))
        .link("folder", workspace.path().join("dir"))
        .link("dir/back", "../relative")
        .link("out", outside.path().join("secret"))
        .link("out-folder", outside.path().join("folder"))
        .link("up", "../../..")
        .link("self", workspace.path())
        .link("dangling", "nowhere");
    let mut name = "dir/real.txt".to_owned();
    for n in 0..41 {
        workspace.link(&format!("chain{n}"), &name);
        name = format!("chain{n}");
    }
    for path in [
        "relative",
        "absolute",
        "folder/real.txt",
        "dir/back",
        "folder/back",
        "self/dir/real.txt",
        "self/self/relative",
        "chain30",
    ] {
        assert_eq!(text(&workspace, path), "real", "{path}");
    }
    for (path, target) in [
        ("out", "secret"),
        ("out-folder/secret", "folder"),
        ("up/etc/passwd", "../../.."),
    ] {
        match failed(&workspace, path) {
            Reason::LinkOutsideRoots(escape) => {
                assert!(escape.target.ends_with(target), "{path}: {escape:?}");
            }
            reason => panic!("{path}: {reason:?}"),
        }
    }
    assert!(matches!(failed(&workspace, "chain40"), Reason::Links(_)));
    assert!(matches!(
        failed(&workspace, "dangling"),
        Reason::NotFound(_)
    ));
    let failure = workspace.session().read("out").unwrap_err();
    let allow = format!(
        "`--root {} --root {}` would allow it",
        workspace.path().display(),
        outside.path().display()
    );
    assert_eq!(failure.hint.as_deref(), Some(allow.as_str()));
    // A second root makes the link an honest one.
    let both = workspace
        .builder()
        .root(outside.path())
        .build()
        .unwrap()
        .session();
    assert!(both.read("out").unwrap().text().contains(CANARY));
}

/// FS-3: a hard link cannot be told from a file. This is documented.
#[test]
fn hard_links_are_files() {
    let workspace = Workspace::new();
    workspace.file("a", "shared\n");
    fs::hard_link(workspace.path().join("a"), workspace.path().join("b")).unwrap();
    assert_eq!(text(&workspace, "b"), "shared");
}

/// FS-4: links into a process.
#[test]
#[cfg(target_os = "linux")]
fn magic_links_are_not_followed() {
    let session = omniread::Reader::builder()
        .root("/")
        .build()
        .unwrap()
        .session();
    for path in [
        "/proc/self/root/etc/passwd",
        "/proc/self/fd/0",
        "/dev/stdin",
        "/proc/self/cwd",
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(
            matches!(
                failure.reason,
                Reason::Links(_) | Reason::NotFound(_) | Reason::Special(_) | Reason::Permission(_)
            ),
            "{path}: {:?}",
            failure.reason
        );
    }
}

/// Swaps two names for as long as `work` takes.
fn while_swapping(a: &Path, b: &Path, work: impl FnOnce()) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = rustix::fs::renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE);
            }
        });
        work();
        stop.store(true, Ordering::Relaxed);
    });
}

/// FS-5: a file, and a directory on the way, that become links while they are
/// read.
#[test]
#[cfg(target_os = "linux")]
fn a_race_is_not_won() {
    let outside = Workspace::new();
    outside.file("f", CANARY);
    let workspace = Workspace::new();
    workspace
        .file("f", "inside\n")
        .link("link", outside.path().join("f"))
        .file("dir/f", "inside\n")
        .link("out", outside.path());
    let session = workspace.session();
    let root = workspace.path();
    let mut read = 0;
    for (a, b, path) in [("f", "link", "f"), ("dir", "out", "dir/f")] {
        while_swapping(&root.join(a), &root.join(b), || {
            for _ in 0..5000 {
                match session.read(path) {
                    Ok(reply) => {
                        read += 1;
                        assert!(!reply.text().contains(CANARY));
                    }
                    Err(failure) => assert!(!failure.text.contains(CANARY)),
                }
            }
        });
    }
    assert!(read > 0, "nothing was read at all");
}

/// FS-6: a file that becomes a pipe while it is read.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_in_the_place_of_a_file_hangs_nothing() {
    let workspace = Workspace::new();
    workspace.file("f", "inside\n");
    let root = workspace.path();
    rustix::fs::mkfifoat(CWD, root.join("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let session = workspace.session();
    while_swapping(&root.join("f"), &root.join("pipe"), || {
        for _ in 0..5000 {
            let started = Instant::now();
            let _ = session.read("f");
            assert!(started.elapsed() < HANG);
        }
    });
    assert!(session.read("f").is_ok() || session.read("pipe").is_ok());
}

/// FS-7: pipes, sockets and devices.
#[test]
fn special_files_are_refused_at_once() {
    let workspace = Workspace::new();
    let root = workspace.path();
    rustix::fs::mkfifoat(CWD, root.join("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    assert!(matches!(
        failed(&workspace, "pipe"),
        Reason::Special(Special::Pipe)
    ));
    assert!(matches!(
        failed(&workspace, "pipe:-5"),
        Reason::Special(Special::Pipe)
    ));
    assert!(matches!(
        failed(&workspace, "socket"),
        Reason::Special(Special::Socket)
    ));
    let devices = omniread::Reader::builder()
        .root("/dev")
        .build()
        .unwrap()
        .session();
    for device in ["/dev/zero", "/dev/random", "/dev/null"] {
        assert!(
            matches!(
                devices.read(device).unwrap_err().reason,
                Reason::Special(Special::Device)
            ),
            "{device}"
        );
    }
    // They are listed all the same.
    let listing = text(&workspace, ".");
    assert!(
        listing.contains("pipe") && listing.contains("socket"),
        "{listing}"
    );
}

/// FS-8: files whose size is a lie.
#[test]
#[cfg(target_os = "linux")]
fn sizes_are_not_believed() {
    let session = omniread::Reader::builder()
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

/// FS-9: files that are mostly holes.
#[test]
fn holes_cost_nothing() {
    let workspace = Workspace::new();
    let file = fs::File::create(workspace.path().join("sparse.bin")).unwrap();
    file.set_len(1 << 40).unwrap();
    let reply = workspace.session().read("sparse.bin").unwrap();
    assert_eq!(reply.details.kind, Kind::Binary);
    assert!(reply.text().contains("1.0TB"), "{}", reply.text());
    workspace.file("text", "line\n".repeat(4000));
    let file = fs::File::options()
        .write(true)
        .open(workspace.path().join("text"))
        .unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(text(&workspace, "text:1-1:raw"), "line\n");
}

/// FS-10: files that change while they are read.
#[test]
fn change_is_told() {
    let workspace = Workspace::new();
    workspace.file("log", "x\n".repeat(2_000_000));
    let path = workspace.path().join("log");
    let session = workspace.session();
    let stop = AtomicBool::new(false);
    let told = std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::Write as _;
            let mut file = fs::File::options().append(true).open(&path).unwrap();
            while !stop.load(Ordering::Relaxed) {
                file.write_all(b"more\n").unwrap();
            }
        });
        let told = (0..500).any(|_| {
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
        told
    });
    assert!(told);
    fs::write(&path, "short\n").unwrap();
    assert_eq!(text(&workspace, "log"), "short");
}

/// FS-11: what the operating system forbids. Root may read anything, so this
/// is looked at only where it forbids something.
#[test]
fn what_the_system_forbids_is_told() {
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

/// FS-12: names that look like something else, or are no text at all.
#[test]
fn odd_names_are_reached_or_escaped() {
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
    // `~` is the home directory; a file of that name is `./~`.
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
    assert!(String::from_utf8_lossy(&output.stdout).contains("is not UTF-8"));
}

/// Names reach a model inside our own sentences; they cannot end these.
#[test]
fn names_are_visible_wherever_they_are_said() {
    let workspace = Workspace::new();
    let name = "h\nx ]#\u{202e}.txt";
    workspace
        .file(&format!("dir/{name}"), "content\n")
        .link("dangling", "no\u{1b}[31m\nwhere")
        .link("out", "/out\nside");
    let session = workspace.session();
    let mut texts = vec![
        session.read(&format!("dir/{name}")).unwrap().text(),
        session.read(name).unwrap().text(),
        session
            .read_as(
                &format!("dir/{name}:1-1"),
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

/// FS-13: directories with many entries, and deep ones.
#[test]
fn large_directories_are_bounded() {
    const ENTRIES: u64 = 100_000;
    let workspace = Workspace::new();
    workspace.directory("many");
    for n in 0..ENTRIES {
        fs::File::create(workspace.path().join(format!("many/{n}"))).unwrap();
    }
    let started = Instant::now();
    let details = workspace.session().read("many").unwrap().details;
    assert!(started.elapsed() < HANG);
    let directory = details.directory.unwrap();
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
    assert!(
        text(&workspace, ".").contains(&format!("… {} more", 20_000 - 1 - 12))
            || text(&workspace, ".").contains("more")
    );
    let deep: String = (0..500).map(|_| "d/").collect();
    fs::create_dir_all(workspace.path().join(&deep)).unwrap();
    assert!(text(&workspace, &deep).contains("(empty directory)"));
}

/// Deny rules hold for the real path, whatever leads to it.
#[test]
fn deny_rules_hold_on_every_route() {
    let workspace = Workspace::new();
    workspace
        .file(".env", CANARY)
        .file("keys/id", CANARY)
        .file("sub/.env", CANARY)
        .file("open.txt", "open\n")
        .link("innocent", ".env")
        .link("folder", "keys");
    let absolute = workspace.path().join(".env").display().to_string();
    let url = format!("file://{absolute}");
    let session = workspace
        .builder()
        .deny(".env")
        .deny("/keys/")
        .build()
        .unwrap()
        .session();
    for path in [
        ".env",
        "./.env",
        "sub/../.env",
        "innocent",
        "keys/id",
        "folder/id",
        "sub/.env",
        ".env:raw",
        "\\:/../.env",
        &absolute,
        &url,
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(!failure.text.contains(CANARY), "{path}");
        assert!(
            matches!(failure.reason, Reason::Denied(_) | Reason::NotFound(_)),
            "{path}: {:?}",
            failure.reason
        );
    }
    assert!(
        matches!(session.read(".env").unwrap_err().reason, Reason::Denied(rule) if rule == ".env")
    );
    assert!(
        matches!(session.read("keys/id").unwrap_err().reason, Reason::Denied(rule) if rule == "/keys/")
    );
    let reply = session.read(".").unwrap();
    assert!(
        !reply.text().contains(".env\n") && !reply.text().contains("keys/"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.details.directory.unwrap().withheld, 3);
    assert!(session.read("open.txt").is_ok());
}

/// Roots that are reached through links are known by both names.
#[test]
fn a_root_behind_a_link_is_one() {
    let outer = Workspace::new();
    outer.file("real/a.txt", "a\n").link("alias", "real");
    let alias = outer.path().join("alias");
    fs::write(outer.path().join("real/b"), "").unwrap();
    outer.link("real/absolute", outer.path().join("real/a.txt"));
    let session = omniread::Reader::builder()
        .root(&alias)
        .build()
        .unwrap()
        .session();
    for path in [
        "a.txt".to_owned(),
        "absolute".to_owned(),
        alias.join("a.txt").display().to_string(),
        outer.path().join("real/a.txt").display().to_string(),
    ] {
        assert!(session.read(&path).is_ok(), "{path}");
    }
    // It is one directory: what is in it is found once, and shown by one name.
    outer.file("real/deep/only.rs", "x\n");
    let reply = session.read("only.rs").unwrap();
    assert_eq!(reply.details.path, "deep/only.rs");
    let real = outer.path().join("real/a.txt").display().to_string();
    assert_eq!(session.read(&real).unwrap().details.path, "a.txt");
}
