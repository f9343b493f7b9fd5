//! Files on disk below a directory, and repositories in temporary directories.

use crate::files::{File, FileError, Files, Kind, Name};
use crate::repository::Repository;
use std::cell::RefCell;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Files below a directory, to which paths are relative.
pub struct Disk {
    root: PathBuf,
    /// The paths that were opened.
    pub opened: Vec<String>,
    /// The number of bytes that were read.
    pub bytes: Rc<RefCell<u64>>,
}

impl Disk {
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.canonicalize().unwrap(),
            opened: Vec::new(),
            bytes: Rc::default(),
        }
    }

    fn path(&self, path: &str) -> Result<PathBuf, FileError> {
        let mut real = PathBuf::new();
        for part in self.root.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    real.pop();
                }
                part => real.push(part),
            }
        }
        let target = real.canonicalize().unwrap_or_else(|_| real.clone());
        if !real.starts_with(&self.root) || !target.starts_with(&self.root) {
            return Err(FileError::Outside);
        }
        Ok(real)
    }
}

impl Files for Disk {
    fn kind(&mut self, path: &str) -> Result<Option<Kind>, FileError> {
        let metadata = fs::metadata(self.path(path)?).ok();
        Ok(metadata.map(|it| {
            if it.is_dir() {
                Kind::Directory
            } else {
                Kind::File
            }
        }))
    }

    fn open(&mut self, path: &str) -> Result<Option<Box<dyn File>>, FileError> {
        let real = self.path(path)?;
        if !real.is_file() {
            return Ok(None);
        }
        self.opened.push(path.to_owned());
        let file = fs::File::open(real).map_err(|error| FileError::Other(error.to_string()))?;
        Ok(Some(Box::new(DiskFile(file, Rc::clone(&self.bytes)))))
    }

    fn names(&mut self, path: &str, most: usize) -> Result<Vec<Name>, FileError> {
        let Ok(entries) = fs::read_dir(self.path(path)?) else {
            return Ok(Vec::new());
        };
        let names = entries.map(|entry| {
            let entry = entry.unwrap();
            Name {
                name: entry.file_name().to_string_lossy().into_owned(),
                is_directory: entry.path().is_dir(),
            }
        });
        Ok(names.take(most).collect())
    }
}

struct DiskFile(fs::File, Rc<RefCell<u64>>);

impl File for DiskFile {
    fn size(&mut self) -> u64 {
        self.0.metadata().unwrap().len()
    }

    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        self.0.seek(SeekFrom::Start(offset)).unwrap();
        let read = (&mut self.0).take(len as u64).read_to_end(out).unwrap();
        *self.1.borrow_mut() += read as u64;
        Ok(())
    }
}

/// A directory that is removed at the end, with a repository in it.
pub struct Temporary {
    directory: PathBuf,
}

impl Temporary {
    /// An empty directory.
    pub fn empty() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("omniread-git-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        Self { directory }
    }

    /// An empty repository.
    pub fn new() -> Self {
        let repository = Self::empty();
        repository.git(&["init", "-q", "-b", "main", "."]);
        repository
    }

    /// A repository with one commit of these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let repository = Self::new();
        repository.commit(files, "first");
        repository
    }

    pub fn path(&self) -> &Path {
        &self.directory
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.directory.join(name)).unwrap()
    }

    /// Writes files, and makes a commit with all files.
    pub fn commit(&self, files: &[(&str, &str)], message: &str) -> String {
        for (name, content) in files {
            self.write(name, content);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.line(&["rev-parse", "HEAD"])
    }

    /// Runs git, and returns its output.
    pub fn git(&self, arguments: &[&str]) -> Vec<u8> {
        self.git_with(arguments, b"")
    }

    /// Runs git with an input, and returns its output.
    pub fn git_with(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        run(&self.directory, arguments, input)
    }

    /// The first line of the output of git.
    pub fn line(&self, arguments: &[&str]) -> String {
        let output = String::from_utf8(self.git(arguments)).unwrap();
        output.lines().next().unwrap_or_default().to_owned()
    }

    pub fn disk(&self) -> Disk {
        Disk::new(&self.directory)
    }

    /// Calls a function with the repository.
    pub fn open<T>(&self, call: impl FnOnce(&mut Repository<'_>) -> T) -> T {
        let mut disk = self.disk();
        let mut repository = Repository::open(&mut disk, "").unwrap();
        call(&mut repository)
    }

    /// The bytes of a file at a revision.
    pub fn at(&self, revision: &str, path: &str) -> Result<Vec<u8>, crate::Error> {
        self.open(|repository| file_at(repository, revision, path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Runs git in a directory, without the settings of the user.
pub fn run(directory: &Path, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut git = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "Ann")
        .env("GIT_AUTHOR_EMAIL", "ann@example.com")
        .env("GIT_AUTHOR_DATE", "1700000000 +0100")
        .env("GIT_COMMITTER_NAME", "Ann")
        .env("GIT_COMMITTER_EMAIL", "ann@example.com")
        .env("GIT_COMMITTER_DATE", "1700000000 +0100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = git.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = git.wait_with_output().unwrap();
    writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {errors}");
    output.stdout
}

/// The bytes of a file at a revision of a repository.
pub fn file_at(
    repository: &mut Repository<'_>,
    revision: &str,
    path: &str,
) -> Result<Vec<u8>, crate::Error> {
    let id = repository.revision(revision)?;
    let (_, tree) = repository.tree(&id)?;
    match repository.find(&tree, path)?.item {
        crate::Item::File(id) => Ok(repository.object(&id)?.content),
        other => panic!("{other:?}"),
    }
}
