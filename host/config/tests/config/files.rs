//! The places of files, and files that are not what they should be.

use omniread_config::{Why, read_user, read_workspace, user_file};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// A directory that is removed at the end of a test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("omniread-config-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The reason why the workspace file in a directory is ignored.
fn why(directory: &Directory) -> Why {
    let layer = read_workspace(&directory.0).unwrap();
    assert!(layer.is_empty());
    assert_eq!(layer.ignored().len(), 1);
    assert!(layer.ignored()[0].why.is_reported());
    layer.ignored()[0].why.clone()
}

#[test]
fn workspace_file_is_read() {
    let directory = Directory::new("read");
    assert!(read_workspace(&directory.0).unwrap().is_empty());
    fs::write(directory.0.join("omniread.toml"), "deny = ['a']").unwrap();
    let layer = read_workspace(&directory.0).unwrap();
    assert!(layer.get("deny").is_some());
    // A root may be a file.
    assert!(
        read_workspace(&directory.0.join("omniread.toml"))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn directory_or_large_file_is_ignored() {
    let directory = Directory::new("large");
    let path = directory.0.join("omniread.toml");
    fs::create_dir(&path).unwrap();
    assert_eq!(why(&directory), Why::NotAFile);
    fs::remove_dir(&path).unwrap();
    fs::write(&path, "#".repeat(65_537)).unwrap();
    assert_eq!(why(&directory), Why::TooLarge(65_536));
}

#[cfg(unix)]
#[test]
fn symlink_or_pipe_is_ignored() {
    let directory = Directory::new("pipe");
    let path = directory.0.join("omniread.toml");
    for target in ["/etc/hostname", "other.toml", "/dev/zero", "missing"] {
        std::os::unix::fs::symlink(target, &path).unwrap();
        assert_eq!(why(&directory), Why::Symlink, "{target}");
        fs::remove_file(&path).unwrap();
    }
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(why(&directory), Why::NotAFile);
    }
}

#[test]
fn user_file_is_read() {
    let directory = Directory::new("user");
    let path = directory.0.join("config.toml");
    assert_eq!(read_user(&path, None), Ok(None));
    fs::write(&path, "roots = ['a']").unwrap();
    let layer = read_user(&path, None).unwrap().unwrap();
    assert!(layer.get("roots").is_some());
    let error = read_user(&directory.0, None).unwrap_err();
    assert!(error.to_string().starts_with("cannot read `"), "{error}");
}

#[cfg(not(any(windows, target_os = "macos")))]
#[test]
fn user_file_has_its_usual_place() {
    let place = |xdg: Option<&str>, home: Option<&str>| {
        user_file(&|name: &str| match name {
            "XDG_CONFIG_HOME" => xdg.map(OsString::from),
            "HOME" => home.map(OsString::from),
            _ => None,
        })
    };
    let usual = Some(PathBuf::from("/home/u/.config/omniread/config.toml"));
    assert_eq!(
        place(Some("/x"), Some("/home/u")),
        Some("/x/omniread/config.toml".into())
    );
    assert_eq!(place(None, Some("/home/u")), usual);
    assert_eq!(place(Some(""), Some("/home/u")), usual);
    assert_eq!(place(Some("relative"), Some("/home/u")), usual);
    assert_eq!(place(None, Some("relative")), None);
    assert_eq!(place(None, None), None);
}
