use super::*;
use crate::bindings::wasi::filesystem::types::HostDescriptor as _;
use crate::sandbox::{Policy, Stop};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;
use wasmtime::component::ResourceTable;

/// A directory with this many files, a subdirectory and a symlink.
fn folder(name: &str, files: usize) -> PathBuf {
    let path = std::env::temp_dir().join(format!("omniread-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("below")).unwrap();
    for file in 0..files {
        fs::write(path.join(format!("file{file}")), "x".repeat(file)).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("below", path.join("link")).unwrap();
    path.canonicalize().unwrap()
}

type Listed = BTreeMap<String, (DescriptorType, Option<(u64, Option<(u64, u32)>)>)>;

/// All entries that batches have, and the number of denied ones.
fn listed(path: &PathBuf, rules: &[String], most: u32, metadata: bool) -> (Listed, u64) {
    let policy = Policy::new(std::slice::from_ref(path), &[], rules, None).unwrap();
    let root = Arc::clone(&policy.roots()[0].handle);
    let mut table = ResourceTable::new();
    let root = table.push(Descriptor::Directory(root)).unwrap();
    let mut view = View {
        table: &mut table,
        filesystem: &mut Filesystem::new(Arc::new(policy), Stop::default()),
    };
    let borrow = |handle: u32| Resource::new_borrow(handle);
    let stream = view.read_directory(borrow(root.rep())).unwrap().unwrap();
    let mut listed = BTreeMap::new();
    loop {
        let batch = view.next_entries(&root, &stream, most, metadata).unwrap();
        let batch = batch.unwrap();
        if batch.entries.is_empty() {
            return (listed, view.filesystem.denied_entries);
        }
        assert!(batch.entries.len() <= most as usize);
        let mut end = 0;
        for entry in batch.entries {
            let start = end;
            end += entry.name as usize;
            let found = entry.metadata.map(|found| (found.size, found.modified));
            let name = batch.names[start..end].to_owned();
            assert!(listed.insert(name, (entry.type_, found)).is_none());
        }
        assert_eq!(end, batch.names.len());
    }
}

/// What the standard library says about the entries.
fn expected(path: &PathBuf, metadata: bool, is_allowed: impl Fn(&str) -> bool) -> Listed {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
    let entries = entries.map(|entry| {
        let found = entry.metadata().unwrap();
        let type_ = match entry.file_type().unwrap() {
            type_ if type_.is_dir() => DescriptorType::Directory,
            type_ if type_.is_symlink() => DescriptorType::SymbolicLink,
            _ => DescriptorType::RegularFile,
        };
        let time = found.modified().unwrap().duration_since(UNIX_EPOCH);
        let time = time.map(|time| (time.as_secs(), time.subsec_nanos()));
        let is_measured = metadata && type_ != DescriptorType::SymbolicLink;
        let found = is_measured.then(|| (found.len(), time.ok()));
        (entry.file_name().into_string().unwrap(), (type_, found))
    });
    entries.filter(|(name, _)| is_allowed(name)).collect()
}

#[test]
fn batches_have_all_entries_with_their_metadata() {
    for files in [0, 3, 150, 2500] {
        let path = folder("entries", files);
        for (most, metadata) in [(1 << 20, true), (200, true), (7, true), (64, false)] {
            let (listed, denied) = listed(&path, &[], most, metadata);
            assert_eq!(
                listed,
                expected(&path, metadata, |_| true),
                "{files} {most}"
            );
            assert_eq!(denied, 0);
        }
        fs::remove_dir_all(path).unwrap();
    }
}

#[test]
fn entries_that_rules_deny_are_counted_and_not_listed() {
    let path = folder("entries-denied", 400);
    let rules = ["file1*".to_owned(), "below/".to_owned()];
    let is_allowed = |name: &str| !name.starts_with("file1") && name != "below";
    let (listed, denied) = listed(&path, &rules, 300, true);
    let expected = expected(&path, true, is_allowed);
    assert_eq!(listed, expected);
    // The numbers 1, 10 to 19 and 100 to 199, and the directory.
    assert_eq!(denied, 112);
    fs::remove_dir_all(path).unwrap();
}

/// The path of a name that is not UTF-8 cannot be spelled, so that its metadata are not known.
#[test]
#[cfg(target_os = "linux")]
fn name_that_is_not_utf_8_is_escaped() {
    use std::os::unix::ffi::OsStrExt as _;
    let path = folder("entries-raw", 1);
    fs::write(path.join(std::ffi::OsStr::from_bytes(b"a\xff")), "").unwrap();
    let (listed, _) = listed(&path, &[], 100, true);
    let raw = (DescriptorType::RegularFile, None);
    assert_eq!(listed.get("a\\xFF"), Some(&raw));
    fs::remove_dir_all(path).unwrap();
}
