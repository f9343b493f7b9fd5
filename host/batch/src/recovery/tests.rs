//! A manifest is continued after its process was killed at any byte.

use crate::manifest::{Facts, ManifestError};
use crate::recorded::{Opened, Recorded, Target};
use crate::row::{Finished, Outcome, OwnError, Rows as _};
use std::fs;
use std::path::{Path, PathBuf};

/// A directory that is removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let name = format!("omniread-batch-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a directory");
        Self(path)
    }

    fn output(&self) -> PathBuf {
        self.0.join("rows.jsonl")
    }

    fn manifest(&self) -> PathBuf {
        self.0.join("done.jsonl")
    }

    fn open(&self, run: &Facts) -> Result<Opened, ManifestError> {
        let target = Target::File(self.output());
        Recorded::open(target, Some(&self.manifest()), run.clone())
    }

    /// Opens the files as they were at some time.
    fn open_as(&self, output: &[u8], manifest: &[u8]) -> Result<Opened, ManifestError> {
        fs::write(self.output(), output).expect("a file");
        fs::write(self.manifest(), manifest).expect("a file");
        self.open(&facts("1"))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn facts(version: &str) -> Facts {
    Facts::default().with("version", version)
}

fn finished(path: &str) -> Finished {
    let outcome = Outcome::Error(OwnError {
        kind: "io",
        message: format!("about {path}"),
        hint: None,
    });
    Finished::new(Path::new(path).into(), &outcome, !path.is_empty())
}

/// The files of a run that wrote the rows of these paths in parts.
fn written(directory: &Directory, parts: &[&[&str]]) -> (Vec<u8>, Vec<u8>) {
    let mut opened = directory.open(&facts("1")).expect("a new manifest");
    for paths in parts {
        for path in *paths {
            opened.rows.row(&finished(path)).expect("a row");
        }
        opened.rows.flush().expect("written");
    }
    let read = |path| fs::read(path).expect("a file");
    (read(directory.output()), read(directory.manifest()))
}

/// The number of whole lines.
fn lines_of(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count() - 1
}

const PARTS: &[&[&str]] = &[&["a", "b \"c\""], &["d\nd"], &["é", "f"]];

/// The rows come first, so a process that was killed leaves the start of the output, and a manifest that states no
/// more than what is in it.
#[test]
fn process_that_was_killed_at_any_byte_is_continued() {
    let directory = Directory::new("any-byte");
    let (output, manifest) = written(&directory, PARTS);
    let paths: Vec<&str> = PARTS.concat();
    let ends: Vec<usize> = paths
        .iter()
        .scan(0, |end, path| {
            *end += finished(path).line.len();
            Some(*end)
        })
        .collect();
    assert_eq!(ends.last(), Some(&output.len()));
    for manifest_size in 0..=manifest.len() {
        let start = &manifest[..manifest_size];
        let lines = lines_of(start);
        let stated = lines.saturating_sub(1);
        let end = if stated == 0 { 0 } else { ends[stated - 1] };
        // Without a first line, there are no rows.
        let sizes = if lines == 0 {
            0..=0
        } else {
            end..=output.len()
        };
        // Every manifest is combined with a part of all sizes of the output, and the last ones with each.
        let step = if output.len() - end > 150 { 13 } else { 1 };
        for output_size in sizes.step_by(step) {
            let opened = directory.open_as(&output[..output_size], start);
            let mut opened = opened.expect("it is continued");
            assert_eq!(opened.done.len(), stated);
            for path in &paths {
                if !opened.done.contains(Path::new(path)) {
                    opened.rows.row(&finished(path)).expect("a row");
                }
            }
            opened.rows.flush().expect("written");
            drop(opened);
            let same = fs::read(directory.output()).expect("a file") == output
                && fs::read(directory.manifest()).expect("a file") == manifest;
            assert!(same, "{manifest_size} {output_size}");
        }
    }
}

/// After a loss of power, the output may have less than the manifest states.
#[test]
fn rows_that_the_output_has_lost_are_written_again() {
    let directory = Directory::new("lost");
    let (output, manifest) = written(&directory, PARTS);
    for size in 0..output.len() {
        let opened = directory
            .open_as(&output[..size], &manifest)
            .expect("it is continued");
        let rows = lines_of(&output[..size]);
        assert_eq!(opened.done.len(), rows, "{size}");
    }
}

#[test]
fn manifest_of_another_run_is_refused() {
    let directory = Directory::new("other-run");
    written(&directory, PARTS);
    let error = directory.open(&facts("2")).err().expect("refused");
    assert!(matches!(error, ManifestError::OtherRun { .. }) && error.is_usage());
    assert!(
        error
            .to_string()
            .contains("`version` was \"1\", and is now \"2\""),
        "{error}"
    );
    let more = facts("1").with("deny", [".env"]);
    let error = directory.open(&more).err().expect("refused");
    assert!(error.to_string().contains("`deny` was null"), "{error}");
    assert_eq!(
        directory
            .open(&facts("1"))
            .expect("the same run")
            .done
            .len(),
        5
    );
}

/// Whether an error is the expected one.
type Is = fn(&ManifestError) -> bool;

#[test]
fn files_of_others_are_not_changed() {
    let directory = Directory::new("others");
    let (output, manifest) = written(&directory, PARTS);
    let text = b"a text of someone\n";
    let not_manifest: Is = |error| matches!(error, ManifestError::NotManifest(_));
    let exists: Is = |error| matches!(error, ManifestError::Exists(_));
    let other: Is = |error| matches!(error, ManifestError::OtherOutput { .. });
    let damaged: Is = |error| matches!(error, ManifestError::Damaged(_, 3));
    let mut bad = manifest.clone();
    let third = bad
        .split_inclusive(|byte| *byte == b'\n')
        .take(2)
        .map(<[u8]>::len)
        .sum::<usize>();
    bad[third] = b'x';
    let head = manifest.split_inclusive(|byte| *byte == b'\n');
    let head = head.take(1).collect::<Vec<_>>().concat();
    let mut reversed = output.clone();
    reversed.reverse();
    for (output, manifest, is) in [
        (&b""[..], &text[..], not_manifest),
        (b"", b"no line feed", not_manifest),
        (text, b"", exists),
        (&reversed, &manifest, other),
        (text, &head, other),
        (b"{\"path\":\"a\"}\n", &head, other),
        (&output, &bad, damaged),
    ] {
        let error = directory.open_as(output, manifest).err().expect("refused");
        assert!(is(&error), "{error}");
        assert_eq!(fs::read(directory.output()).expect("a file"), output);
        assert_eq!(fs::read(directory.manifest()).expect("a file"), manifest);
    }
}

#[test]
fn output_without_a_manifest_is_not_overwritten() {
    let directory = Directory::new("overwritten");
    let open = || Recorded::open(Target::File(directory.output()), None, facts("1"));
    let mut opened = open().expect("a new output");
    opened.rows.row(&finished("a")).expect("a row");
    opened.rows.flush().expect("written");
    drop(opened);
    let error = open().err().expect("refused");
    assert!(matches!(error, ManifestError::Exists(_)), "{error}");
}

/// Two runs with other manifests, or without any, would mix their rows.
#[test]
fn two_processes_do_not_use_an_output() {
    let directory = Directory::new("output-locked");
    let target = || Target::File(directory.output());
    let first = Recorded::open(target(), None, facts("1")).expect("a new output");
    let other = directory.0.join("other.jsonl");
    for manifest in [None, Some(other.as_path())] {
        let error = Recorded::open(target(), manifest, facts("1")).err();
        assert!(matches!(error, Some(ManifestError::Busy(_))), "{error:?}");
    }
    drop(first);
    assert!(Recorded::open(target(), Some(&other), facts("1")).is_ok());
}

#[test]
fn manifest_that_is_refused_leaves_no_output() {
    let directory = Directory::new("no-output");
    written(&directory, PARTS);
    fs::remove_file(directory.output()).expect("a file");
    assert!(directory.open(&facts("2")).is_err());
    assert!(!directory.output().exists());
    // All rows are written again.
    let opened = directory.open(&facts("1")).expect("the same run");
    assert!(opened.done.is_empty() && directory.output().exists());
}

/// A row without a path of its own has no record, and does not hide whose the output is.
#[test]
fn rows_without_a_path_have_no_record() {
    let directory = Directory::new("no-path");
    let (output, _) = written(&directory, &[&["a", "", "", "b"], &[""]]);
    let opened = directory.open(&facts("1")).expect("the same run");
    assert_eq!(opened.done.len(), 2);
    // The last one is written again.
    let size = fs::metadata(directory.output()).expect("a file").len();
    let last = finished("").line.len();
    assert_eq!(usize::try_from(size).expect("a size") + last, output.len());
}

#[test]
fn two_processes_do_not_use_a_manifest() {
    let directory = Directory::new("locked");
    let first = directory.open(&facts("1")).expect("a new manifest");
    let error = directory.open(&facts("1")).err().expect("refused");
    assert!(matches!(error, ManifestError::Busy(_)), "{error}");
    drop(first);
    assert!(directory.open(&facts("1")).is_ok());
    let target = Target::File(directory.manifest());
    let error = Recorded::open(target, Some(&directory.manifest()), facts("1")).err();
    assert!(matches!(error, Some(ManifestError::Same(_))));
}
