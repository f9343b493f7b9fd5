//! The text of a page is the same whichever path reaches it, over the files of the directory
//! `OMNIREAD_TEST_CORPUS`. Without the variable, nothing is tested.

use omniread::{Block, Reason, Session};
use std::path::{Path, PathBuf};

/// Every tenth file is read.
const STEP: usize = 10;

/// The maximum number of files.
const FILES: usize = 60;

/// The maximum number of pages of a file that are read.
const PAGES: usize = 12;

/// All PDF files below a directory, in the order of their paths.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "pdf") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The exact text of a path, over all pages of the reply. `None` for a page after the last one.
fn raw(session: &Session, path: &str) -> Option<String> {
    let mut out = String::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let reply = match session.read(&path) {
            Ok(reply) => reply,
            Err(failure) if matches!(failure.reason, Reason::InvalidSelector(_)) => return None,
            Err(failure) => panic!("{path}: {}", failure.message),
        };
        for block in &reply.blocks {
            if let Block::Text(text) = block {
                out.push_str(text);
            }
        }
        next = reply.details.next;
    }
    Some(out)
}

/// The text of the first pages, one after the other, each read alone.
fn alone(
    session: &Session,
    path: &str,
    pages: impl Iterator<Item = usize>,
) -> Vec<(usize, String)> {
    let read = |page| Some((page, raw(session, &format!("{path}:page:{page}:raw"))?));
    pages.filter_map(read).collect()
}

#[test]
fn text_of_each_page_of_the_corpus_is_the_same_on_every_path() {
    let Some(corpus) = std::env::var_os("OMNIREAD_TEST_CORPUS") else {
        return;
    };
    let corpus = PathBuf::from(corpus).canonicalize().unwrap();
    let reader = omniread_tests::builder().root(&corpus).build().unwrap();
    let selected: Vec<PathBuf> = files(&corpus)
        .into_iter()
        .step_by(STEP)
        .take(FILES)
        .collect();
    assert!(!selected.is_empty(), "there are no files");
    for file in selected {
        let path = file.to_str().unwrap();
        let (session, other) = (reader.session(), reader.session());
        let pages = alone(&session, path, 1..=PAGES);
        let Some(&(last, _)) = pages.last() else {
            continue;
        };
        let mut reversed = alone(&other, path, (1..=last).rev());
        reversed.reverse();
        assert!(pages == reversed, "{path}: in reversed order");
        let joined: String = pages.iter().map(|(_, text)| text.as_str()).collect();
        let range = raw(&other, &format!("{path}:page:1-{last}:raw")).unwrap();
        assert!(range == joined, "{path}:page:1-{last}");
        // Lines over the whole document, of which these pages are the first ones.
        let lines = joined.lines().count();
        let whole = raw(&session, &format!("{path}::1-{lines}:raw")).unwrap();
        assert!(whole.trim_end() == joined.trim_end(), "{path}::1-{lines}");
        if last < PAGES {
            let whole = raw(&other, &format!("{path}::raw")).unwrap();
            assert!(whole == joined, "{path}:");
        }
    }
}
