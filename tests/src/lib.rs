//! Helpers of the tests: temporary workspaces, and runs of the command line.

pub mod docx;
pub mod image;
pub mod pack;
pub mod pdf;
pub mod pptx;
pub mod process;
pub mod web;
pub mod xlsx;

use omniread::{Builder, Dialect, Reader, Session};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// All dialects.
pub const DIALECTS: [Dialect; 7] = [
    Dialect::Omp,
    Dialect::Gateway,
    Dialect::Comma,
    Dialect::Gemini,
    Dialect::Claude,
    Dialect::OpenCode,
    Dialect::Codex,
];

/// A temporary directory for the files of a test. It is deleted when the value is dropped.
#[derive(Debug)]
pub struct Workspace(TempDir);

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// Creates an empty workspace.
    pub fn new() -> Self {
        Self(TempDir::with_prefix("omniread-").expect("a temporary directory"))
    }

    /// The absolute path of the workspace, with all symlinks resolved.
    pub fn path(&self) -> PathBuf {
        self.0.path().canonicalize().expect("its real path")
    }

    /// Writes a file, and creates its parent directories.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its directories");
        fs::write(path, content).expect("a file");
        self
    }

    /// Creates a directory and its parents.
    pub fn directory(&self, name: &str) -> &Self {
        fs::create_dir_all(self.0.path().join(name)).expect("a directory");
        self
    }

    /// Creates a symlink to `target`.
    #[cfg(unix)]
    pub fn link(&self, name: &str, target: impl AsRef<Path>) -> &Self {
        std::os::unix::fs::symlink(target, self.0.path().join(name)).expect("a link");
        self
    }

    /// A builder of a reader with this directory as its root.
    pub fn builder(&self) -> Builder {
        builder().root(self.path())
    }

    /// A session of a reader with this directory as its root.
    pub fn session(&self) -> Session {
        self.builder().build().expect("a reader").session()
    }
}

/// The timeout of reads in tests: a guard against hangs. It counts processor time, so that a busy
/// machine does not change the outcome. Honest reads of tests take less than a tenth of it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A builder of a reader with the timeout of tests.
pub fn builder() -> Builder {
    Reader::builder().timeout(PATIENCE)
}

/// A runner of the command-line program in a directory, with environment variables of its own.
#[derive(Debug)]
pub struct Cli {
    program: PathBuf,
    directory: PathBuf,
}

/// The result of a run of the command-line program.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit status. `None` if a signal ended the program.
    pub code: Option<i32>,
}

impl Cli {
    /// Creates a runner of `program`, the path of the program that cargo built for a test:
    /// `env!("CARGO_BIN_EXE_omniread-under-test")`.
    pub fn new(program: &str, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            directory: directory.into(),
        }
    }

    /// The command without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.directory)
            .env_clear()
            .env("HOME", &self.directory)
            .env("OMNIREAD_TIMEOUT", PATIENCE.as_secs().to_string());
        command
    }

    /// Runs the command with arguments and an empty standard input.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }

    /// Runs the command with arguments and these bytes as standard input.
    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        let mut child = self
            .command()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command line");
        let mut pipe = child.stdin.take().expect("its input");
        let stdin = stdin.to_vec();
        let writer = std::thread::spawn(move || {
            // A program that ends early closes its input.
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().expect("its output");
        writer.join().expect("the writer");
        Run::from(output)
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
            code: output.status.code(),
        }
    }
}

/// The root directory of the project.
pub fn project() -> PathBuf {
    package().parent().expect("a parent").to_owned()
}

/// The directory of this package. Cargo does not compile a test again for a clone at another path that has the same
/// target directory, so that the path of the compilation may be that of another clone.
pub fn package() -> PathBuf {
    let present = std::env::var_os("CARGO_MANIFEST_DIR");
    present.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// The path of a portable component, such as `omniread.wasm`, which the build script writes to `target/dist`. `program`
/// is the path of a program in `target`.
pub fn portable(program: &str, name: &str) -> PathBuf {
    Path::new(program)
        .ancestors()
        .map(|directory| directory.join("dist").join(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("no target/dist/{name}"))
}

/// Reads a path, and then the path in `next` of each reply until the last page. Returns all
/// replies.
pub fn chain(session: &Session, path: &str) -> Vec<omniread::Reply> {
    let mut replies = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let reply = session
            .read(&path)
            .unwrap_or_else(|failure| panic!("{path}: {}", failure.message));
        replies.push(reply);
        next = replies.last().and_then(|reply| reply.details.next.clone());
        assert!(replies.len() < 10_000, "the chain does not end");
    }
    replies
}

/// The exact text of all pages of a path that ends in `:raw`.
pub fn raw_chain(session: &Session, path: &str) -> String {
    let blocks = chain(session, path)
        .into_iter()
        .flat_map(|reply| reply.blocks);
    blocks
        .filter_map(|block| match block {
            omniread::Block::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}

/// A text of numbered lines: `line 1`, `line 2`, ….
pub fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

/// Reads a path, and returns the text of the reply. The read must succeed.
pub fn text(session: &Session, path: &str) -> String {
    match session.read(path) {
        Ok(reply) => reply.text(),
        Err(failure) => panic!("{path}: {}", failure.message),
    }
}

/// A SHA-256 in hex digits. The reader computes its hashes with another crate.
pub fn sha256(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A section of a case (the file that describes one test): the text after `=== `, and the lines
/// below that line.
#[derive(Debug)]
pub struct CasePart<'c> {
    /// The text after `=== `, such as `run a.txt`.
    pub heading: &'c str,
    /// The lines below the heading.
    pub body: String,
}

/// Splits a case into the text before its first section, and its sections.
pub fn case_parts(case: &str) -> (String, Vec<CasePart<'_>>) {
    let mut preface = String::new();
    let mut parts: Vec<CasePart<'_>> = Vec::new();
    for line in case.split_inclusive('\n') {
        match (line.strip_prefix("=== "), parts.last_mut()) {
            (Some(heading), _) => parts.push(CasePart {
                heading: heading.trim_end_matches('\n'),
                body: String::new(),
            }),
            (None, Some(part)) => part.body.push_str(line),
            (None, None) => preface.push_str(line),
        }
    }
    (preface, parts)
}

/// Compares a generated text with the file `name` of the project. With `BLESS=1` in the
/// environment, writes the file instead.
///
/// # Panics
/// Panics if the file differs.
pub fn assert_generated(name: &str, text: &str) {
    let path = project().join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, text).expect("a file of the project");
        return;
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(written == text, "{name} is out of date; run `just bless`");
}
