use super::*;
use crate::CancelToken;
use crate::sandbox::kept;
use crate::sandbox::{Filesystem, Policy, ReadTime};
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;
use wasmtime::component::ResourceTable;

/// A directory that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("omniread-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn search(&self, wanted: Wanted) -> Search {
        let top = Arc::new(File::open(&self.0).unwrap());
        Search { top, wanted }
    }

    fn file(&self, path: &str) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn wanted(end: &str) -> Wanted {
    Wanted {
        end: end.to_owned(),
        pruned: vec!["target".to_owned()],
        depth: 64,
        most: 5,
        until: u64::MAX,
    }
}

fn found(folder: &Folder, wanted: Wanted, helpers: usize) -> Option<Vec<String>> {
    match search(folder.search(wanted), &Stop::default(), helpers) {
        Outcome::Paths(paths) => Some(paths),
        Outcome::Late => None,
        Outcome::Large => panic!("a small search"),
    }
}

/// The paths that a walk finds which lists directories depth first.
fn walked(folder: &Folder, wanted: &Wanted) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(folder.0.join(&here)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = PathBuf::from(&here).join(&name);
            let path = path.to_str().unwrap().to_owned();
            let before = path.strip_suffix(&wanted.end);
            if before.is_some_and(|before| before.is_empty() || before.ends_with('/')) {
                found.push(path.clone());
                if found.len() == wanted.most {
                    return found;
                }
            }
            if entry.file_type().unwrap().is_dir() && !wanted.pruned.contains(&name) {
                folders.push(path);
            }
        }
    }
    found
}

#[test]
fn paths_are_found_in_the_order_of_a_walk() {
    let folder = Folder::new("search");
    for name in 0..40 {
        folder.file(&format!("a{name}/src/mod.rs"));
        folder.file(&format!("a{name}/target/only.rs"));
    }
    folder.file("deep/er/than/others/only.rs").file("only.rs");
    folder.file("deep/xonly.rs").file("b/src/only.rs/x");
    for end in [
        "only.rs",
        "others/only.rs",
        "than/others/only.rs",
        "mod.rs",
        "src/mod.rs",
        "a7/src/mod.rs",
        "target",
        "src",
        "none.rs",
        "",
    ] {
        let wanted = wanted(end);
        let walked = walked(&folder, &wanted);
        for helpers in [0, 2] {
            let found = found(&folder, wanted.clone(), helpers);
            assert_eq!(found.as_ref(), Some(&walked), "{end}");
        }
    }
    let shallow = Wanted {
        depth: 1,
        ..wanted("only.rs")
    };
    assert_eq!(found(&folder, shallow, 0), Some(vec!["only.rs".to_owned()]));
}

#[test]
fn large_tree_is_searched_by_several_threads_with_the_same_result() {
    let folder = Folder::new("search-large");
    for number in 0..60 {
        for file in 0..80 {
            folder.file(&format!("d{number}/sub/file{file}.txt"));
        }
    }
    for (end, helpers) in [
        ("d33/sub/file7.txt", 3),
        ("file7.txt", 3),
        ("none", 3),
        ("none", 1),
    ] {
        let wanted = wanted(end);
        let mut walked = walked(&folder, &wanted);
        let mut found = found(&folder, wanted, helpers).unwrap();
        if walked.len() < 5 {
            walked.sort();
            found.sort();
        }
        assert_eq!(found, walked, "{end}");
    }
}

#[test]
fn symlinks_are_found_and_not_followed() {
    let folder = Folder::new("search-links");
    folder.file("real/file.txt");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("real", folder.0.join("link")).unwrap();
        std::os::unix::fs::symlink("/", folder.0.join("away")).unwrap();
        std::os::unix::fs::symlink(".", folder.0.join("real/loop")).unwrap();
        assert_eq!(
            found(&folder, wanted("link"), 0),
            Some(vec!["link".to_owned()])
        );
        assert_eq!(found(&folder, wanted("etc"), 0), Some(Vec::new()));
    }
    let file = Some(vec!["real/file.txt".to_owned()]);
    assert_eq!(found(&folder, wanted("file.txt"), 0), file);
}

/// The names in a directory are kept, and a change of the directory is seen.
#[test]
#[cfg(target_os = "linux")]
fn changed_directories_are_listed_again() {
    let folder = Folder::new("search-kept");
    folder.file("a/b/one.txt").file("a/c/two.txt");
    let paths = |end: &str| found(&folder, wanted(end), 0).unwrap();
    let kept = |path: &str| {
        let top = File::open(&folder.0).unwrap();
        kept::find(&look::state(&top, path).unwrap()).is_some()
    };
    assert_eq!(paths("one.txt"), ["a/b/one.txt"]);
    // A directory that changed a moment ago may change again at the same time.
    assert!(!kept("a/b"));
    std::thread::sleep(super::super::platform::SETTLED + Duration::from_millis(1100));
    for _ in 0..2 {
        assert_eq!(paths("one.txt"), ["a/b/one.txt"]);
        assert_eq!(paths("b/one.txt"), ["a/b/one.txt"]);
        assert!(paths("x/one.txt").is_empty() && paths("three.txt").is_empty());
    }
    let top = File::open(&folder.0).unwrap();
    let top = rustix::fs::fstatfs(&top).unwrap();
    // Other file systems are listed each time.
    if u64::try_from(top.f_type).is_ok_and(|kind| look::LOCAL.contains(&kind)) {
        assert!(kept("a/b") && kept("") && kept("a"));
    }
    folder.file("a/b/three.txt").file("a/d/e/four.txt");
    assert!(!kept("a/b") && !kept("a"));
    assert_eq!(paths("three.txt"), ["a/b/three.txt"]);
    assert_eq!(paths("four.txt"), ["a/d/e/four.txt"]);
    fs::rename(folder.0.join("a/c/two.txt"), folder.0.join("a/c/2.txt")).unwrap();
    assert!(paths("two.txt").is_empty());
    fs::rename(folder.0.join("a/c"), folder.0.join("c")).unwrap();
    assert_eq!(paths("2.txt"), ["c/2.txt"]);
    fs::remove_dir_all(folder.0.join("c")).unwrap();
    std::os::unix::fs::symlink("a/b", folder.0.join("c")).unwrap();
    assert!(paths("2.txt").is_empty());
    assert_eq!(paths("one.txt"), ["a/b/one.txt"]);
}

#[test]
fn search_ends_with_its_time_or_its_read() {
    let folder = Folder::new("search-ends");
    for number in 0..50 {
        folder.file(&format!("{number}/x"));
    }
    let over = Wanted {
        until: 0,
        ..wanted("none")
    };
    assert_eq!(found(&folder, over, 0), None);
    let token = CancelToken::new();
    token.cancel();
    let stops = [
        Stop {
            token: Some(token),
            ..Stop::default()
        },
        Stop {
            time: Arc::new(ReadTime::new(Some(Duration::ZERO))),
            ..Stop::default()
        },
    ];
    for stop in stops {
        let search = search(folder.search(wanted("none")), &stop, 2);
        assert_eq!(search, Outcome::Late);
        let policy = Policy::new(std::slice::from_ref(&folder.0), &[], &[], None).unwrap();
        let mut table = ResourceTable::new();
        let root = Arc::clone(&policy.roots()[0].handle);
        let root = table.push(Descriptor::Directory(root)).unwrap();
        let mut view = View {
            table: &mut table,
            filesystem: &mut Filesystem::new(Arc::new(policy), stop),
        };
        assert!(view.find_ends(&root, super::tests::wanted("none")).is_err());
        assert!(view.list_folders(&root, vec!["1".to_owned()], 9).is_err());
    }
}

#[test]
fn rules_are_left_to_the_walk_of_the_instance() {
    let folder = Folder::new("search-rules");
    folder.file("a/secret.pem").file("a/free.txt");
    let rules = ["*.pem".to_owned()];
    for (rules, found) in [(&rules[..], false), (&[], true)] {
        let policy = Policy::new(std::slice::from_ref(&folder.0), &[], rules, None).unwrap();
        let mut table = ResourceTable::new();
        let root = Arc::clone(&policy.roots()[0].handle);
        let root = table.push(Descriptor::Directory(root)).unwrap();
        let mut view = View {
            table: &mut table,
            filesystem: &mut Filesystem::new(Arc::new(policy), Stop::default()),
        };
        let paths = view.find_ends(&root, wanted("secret.pem")).unwrap();
        let names = ["a", "..", "a/..", "none", "a/free.txt", ""].map(str::to_owned);
        let folders = view.list_folders(&root, names.into(), 9).unwrap();
        if found {
            assert_eq!(paths.unwrap(), Some(vec!["a/secret.pem".to_owned()]));
            let folders = folders.unwrap();
            let listed: Vec<bool> = folders.iter().map(Option::is_some).collect();
            assert_eq!(listed, [true, false, false, false, false, false]);
            assert_eq!(folders[0].as_ref().unwrap().entries.len(), 2);
            let few = view.list_folders(&root, vec!["a".to_owned()], 1).unwrap();
            assert!(few.unwrap()[0].is_none());
        } else {
            assert_eq!(paths.unwrap_err(), ErrorCode::Unsupported);
            assert_eq!(folders.unwrap_err(), ErrorCode::Unsupported);
        }
    }
}

#[test]
fn memory_of_a_search_is_limited() {
    let folder = Folder::new("search-memory");
    folder.file("a/b/x").file("a/c/y");
    let search_of = |wanted| super::search(folder.search(wanted), &Stop::default(), 2);
    assert_eq!(
        search_of(wanted("y")),
        Outcome::Paths(vec!["a/c/y".to_owned()])
    );
    // The places that wait, and those that threads add.
    let full = || Ordered {
        places: vec![Place::top()],
        bytes: WAITING_BYTES,
        found: Vec::new(),
        listed: 0,
    };
    let ended = full().run(&folder.search(wanted("y")), || true, usize::MAX);
    assert!(matches!(ended, Ended::Large));
    let crew = Crew {
        search: folder.search(wanted("y")),
        stop: Stop::default(),
        has_ended: AtomicBool::new(false),
        work: Mutex::new(Work {
            places: vec![Place::top()],
            bytes: WAITING_BYTES + 200,
            ..Work::default()
        }),
        changed: Condvar::new(),
    };
    assert!(crew.work(|| true));
    assert!(crew.lock().is_large);
}

#[test]
fn path_of_a_place_has_the_names_above_it() {
    let above = Place::top();
    let folder = |above: &Arc<Place>, name: &str| {
        Arc::new(Place {
            above: Some(Arc::clone(above)),
            name: name.into(),
            depth: above.depth + 1,
        })
    };
    let below = folder(&folder(&above, "a"), "b");
    assert_eq!(
        (above.path(), below.path()),
        (String::new(), "a/b".to_owned())
    );
}
