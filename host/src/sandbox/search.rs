//! The search for the paths below a directory that end with another path, as for a missing one.
//!
//! It lists directories as an instance would, without a call of the instance for their entries. With deny rules, the
//! instance lists them itself, so that each entry is checked.

use super::kept::{self, Names, State};
use super::stop::TURN;
use super::view::View;
use super::{Stop, helpers, listing};
use crate::bindings::wasi::filesystem::types::{DescriptorType, ErrorCode};
use crate::handles::Descriptor;
use cap_fs_ext::{OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_primitives::fs::{self as cap, FollowSymlinks, OpenOptions};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use wasmtime::component::Resource;

/// The number of entries after which a search has help, which costs about a tenth of a millisecond.
const ALONE: usize = 2000;

/// What is searched for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The end of the paths: names with slashes between them.
    pub end: String,
    /// The names of the directories that are not searched.
    pub pruned: Vec<String>,
    /// The maximum depth of the directories that are searched.
    pub depth: u32,
    /// The maximum number of paths.
    pub most: usize,
    /// The time of the read in milliseconds at which the search ends.
    pub until: u64,
}

/// A directory that is searched.
#[derive(Clone, Debug)]
struct Place {
    /// The path, relative to the directory in which the search began.
    path: String,
    depth: u32,
}

/// What was found in a directory.
#[derive(Debug, Default)]
struct Looked {
    /// The path that was searched for.
    found: Option<String>,
    /// The directories below, in order.
    below: Vec<Place>,
    /// The number of entries that the system returned.
    listed: usize,
}

/// A search, which several threads can run.
struct Search {
    top: Arc<File>,
    wanted: Wanted,
}

impl Search {
    /// The last name of the wanted path, and the path before it.
    fn name(&self) -> (&str, Option<&str>) {
        let end = &self.wanted.end;
        match end.rsplit_once('/') {
            Some((folders, name)) => (name, Some(folders)),
            None => (end, None),
        }
    }

    /// Looks at a directory. A directory that cannot be listed has no entries.
    fn look(&self, place: &Place, go_on: impl FnMut() -> bool) -> Looked {
        let (name, folders) = self.name();
        // The wanted name is looked for only where its path would end as it should.
        let name = folders
            .is_none_or(|folders| {
                let before = place.path.strip_suffix(folders);
                before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
            })
            .then_some(name);
        let state = state(&self.top, &place.path);
        if let Some(names) = state.as_ref().and_then(kept::find) {
            let found = name.filter(|name| names.may_have(name));
            let found = found.map(|name| place.join(name));
            return Looked {
                // Another name may have the same hash.
                found: found.filter(|path| exists(&self.top, path)),
                below: self.below(place, names.folders.iter().map(AsRef::as_ref)),
                listed: 0,
            };
        }
        let mut looked = Looked::default();
        let Ok(directory) = open(&self.top, &place.path) else {
            return looked;
        };
        let state = state.filter(|state| is_settled(state, &directory));
        let (mut folders, mut hashes) = (Vec::<Box<str>>::new(), Vec::new());
        let mut goes_on = true;
        let mut go_on = go_on;
        let go_on = || {
            goes_on = go_on();
            goes_on
        };
        let listed = listing::each(&directory, go_on, |bytes, type_| {
            looked.listed += 1;
            if state.is_some() {
                hashes.push(kept::hash(bytes));
            }
            if let Some(name) = name.filter(|name| name.as_bytes() == bytes) {
                looked.found = Some(place.join(name));
            }
            if type_ == DescriptorType::Directory
                && let Ok(folder) = std::str::from_utf8(bytes)
            {
                folders.push(folder.into());
            }
        });
        looked.below = self.below(place, folders.iter().map(AsRef::as_ref));
        if let Some(state) = state
            && listed.is_ok()
            && goes_on
        {
            kept::keep(Names::new(state, hashes, folders));
        }
        looked
    }

    /// The directories below a place that are searched.
    fn below<'n>(&self, place: &Place, folders: impl Iterator<Item = &'n str>) -> Vec<Place> {
        if place.depth >= self.wanted.depth {
            return Vec::new();
        }
        let folders = folders.filter(|folder| !self.wanted.pruned.iter().any(|no| no == folder));
        folders
            .map(|folder| Place {
                path: place.join(folder),
                depth: place.depth + 1,
            })
            .collect()
    }
}

impl Place {
    fn join(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.path)
        }
    }
}

/// The path as the system takes it.
fn at(path: &str) -> &Path {
    Path::new(if path.is_empty() { "." } else { path })
}

/// Opens a directory, without blocking.
pub(super) fn open(top: &File, path: &str) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    #[cfg(windows)]
    {
        use cap_fs_ext::OpenOptionsMaybeDirExt as _;
        options.maybe_dir(true);
    }
    #[cfg(unix)]
    {
        use cap_primitives::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::DIRECTORY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    cap::open(top, at(path), &options)
}

/// Whether a path names something, which is not followed.
fn exists(top: &File, path: &str) -> bool {
    cap::stat(top, at(path), FollowSymlinks::No).is_ok()
}

/// The state of a directory. `None` if it is no directory, or if the system does not say.
#[cfg(target_os = "linux")]
fn state(top: &File, path: &str) -> Option<State> {
    use rustix::fs::{AtFlags, FileType, StatxFlags};
    let wanted = StatxFlags::TYPE | StatxFlags::INO | StatxFlags::CTIME | StatxFlags::MTIME;
    let found = rustix::fs::statx(top, at(path), AtFlags::SYMLINK_NOFOLLOW, wanted).ok()?;
    let type_ = FileType::from_raw_mode(found.stx_mode.into());
    let is_known = StatxFlags::from_bits_retain(found.stx_mask).contains(wanted);
    (is_known && type_ == FileType::Directory).then(|| State {
        device: (found.stx_dev_major, found.stx_dev_minor),
        inode: found.stx_ino,
        status: (found.stx_ctime.tv_sec, found.stx_ctime.tv_nsec),
        content: (found.stx_mtime.tv_sec, found.stx_mtime.tv_nsec),
    })
}

#[cfg(not(target_os = "linux"))]
fn state(_: &File, _: &str) -> Option<State> {
    None
}

/// Whether a later change of the names in a directory changes its state: it is on a file system of this machine that
/// notes each change, and its last change is so long ago that a further one has another time.
#[cfg(target_os = "linux")]
fn is_settled(state: &State, directory: &File) -> bool {
    use super::platform::SETTLED;
    use std::time::{SystemTime, UNIX_EPOCH};
    /// The numbers of file systems, as in `linux/magic.h`: ext4, XFS, Btrfs, F2FS, tmpfs, and overlays of these.
    const LOCAL: [u64; 6] = [
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0xf2f5_2010,
        0x0102_1994,
        0x794c_7630,
    ];
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let settled = now.and_then(|now| i64::try_from(now.checked_sub(SETTLED)?.as_secs()).ok());
    let is_old = settled.is_some_and(|end| state.status.0 < end && state.content.0 < end);
    is_old
        && rustix::fs::fstatfs(directory)
            .is_ok_and(|found| u64::try_from(found.f_type).is_ok_and(|kind| LOCAL.contains(&kind)))
}

#[cfg(not(target_os = "linux"))]
fn is_settled(_: &State, _: &File) -> bool {
    false
}

/// What threads that search together share.
struct Crew {
    search: Search,
    stop: Stop,
    has_ended: AtomicBool,
    work: Mutex<Work>,
    changed: Condvar,
}

#[derive(Default)]
struct Work {
    places: Vec<Place>,
    /// The number of places that threads look at.
    busy: usize,
    found: Vec<String>,
}

impl Crew {
    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search for all threads.
    fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Searches until no place is left, until enough is found, or until `go_on` returns false. Returns whether it did
    /// not.
    fn work(&self, mut go_on: impl FnMut() -> bool) -> bool {
        let mut work = self.lock();
        loop {
            if self.has_ended.load(Ordering::Relaxed) {
                return true;
            }
            let Some(place) = work.places.pop() else {
                if work.busy == 0 {
                    self.end();
                    return true;
                }
                let waited = self.changed.wait_timeout(work, TURN);
                work = waited.unwrap_or_else(PoisonError::into_inner).0;
                if !go_on() {
                    self.end();
                    return false;
                }
                continue;
            };
            work.busy += 1;
            drop(work);
            let busy = Busy(self);
            let mut goes_on = go_on();
            let looked = self.search.look(&place, || {
                goes_on = goes_on && go_on();
                goes_on && !self.has_ended.load(Ordering::Relaxed)
            });
            if !goes_on {
                self.end();
                return false;
            }
            work = self.lock();
            work.found.extend(looked.found);
            work.places.extend(looked.below);
            if work.found.len() >= self.search.wanted.most {
                self.end();
            }
            if work.places.len() > 1 {
                self.changed.notify_all();
            }
            drop(work);
            drop(busy);
            work = self.lock();
        }
    }

    /// The work of a helper, whose time counts as that of the read.
    fn help(&self) {
        let time = self.stop.time.helper();
        self.work(|| {
            time.count();
            true
        });
    }
}

/// A guard of a place that a thread looks at.
struct Busy<'c>(&'c Crew);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.lock().busy -= 1;
        self.0.changed.notify_all();
    }
}

impl View<'_> {
    /// The paths below a directory that end with another one: the first ones in the order in which an instance would
    /// find them that lists the directories depth first, the last one of a directory first. `None` if the time ended
    /// before the search.
    ///
    /// # Errors
    /// The outer result fails if the read was stopped, or if a handle is invalid. The inner one is `Unsupported` if
    /// there are deny rules, which the entries have to be checked against.
    pub fn find_ends(
        &mut self,
        directory: &Resource<Descriptor>,
        wanted: Wanted,
    ) -> wasmtime::Result<Result<Option<Vec<String>>, ErrorCode>> {
        let top = match self.begin(directory)? {
            Ok(top) => top,
            Err(code) => return Ok(Err(code)),
        };
        if self.filesystem.policy.has_rules() {
            return Ok(Err(ErrorCode::Unsupported));
        }
        let found = search(
            Search { top, wanted },
            &self.filesystem.stop,
            helpers::count(),
        );
        self.start()?;
        Ok(Ok(found))
    }
}

/// Runs a search on this thread, and on others if there are many entries.
fn search(search: Search, stop: &Stop, helpers: usize) -> Option<Vec<String>> {
    let until = search.wanted.until;
    let go_on = || stop.check_waiting().is_ok() && millis(stop) < until;
    let top = Place {
        path: String::new(),
        depth: 0,
    };
    let mut ordered = Ordered {
        places: vec![top],
        found: Vec::new(),
        listed: 0,
    };
    if !ordered.run(&search, go_on, if helpers > 0 { ALONE } else { usize::MAX }) {
        return None;
    }
    if ordered.places.is_empty() {
        return Some(ordered.found);
    }
    let crew = Arc::new(Crew {
        search,
        stop: stop.clone(),
        has_ended: AtomicBool::new(false),
        work: Mutex::new(Work {
            places: ordered.places.clone(),
            busy: 0,
            found: ordered.found.clone(),
        }),
        changed: Condvar::new(),
    });
    for _ in 0..helpers {
        let crew = Arc::clone(&crew);
        helpers::give(Box::new(move || crew.help()));
    }
    if !crew.work(go_on) {
        return None;
    }
    let found = std::mem::take(&mut crew.lock().found);
    if found.len() < crew.search.wanted.most {
        return Some(found);
    }
    // There are more than are wanted, and the threads may have found others than the first ones.
    ordered
        .run(&crew.search, go_on, usize::MAX)
        .then_some(ordered.found)
}

/// The time of a read, in milliseconds.
fn millis(stop: &Stop) -> u64 {
    u64::try_from(stop.time.used().as_millis()).unwrap_or(u64::MAX)
}

/// A search of the directories in their order.
struct Ordered {
    places: Vec<Place>,
    found: Vec<String>,
    /// The number of entries that the system returned.
    listed: usize,
}

impl Ordered {
    /// Searches until no place is left, until enough is found, or until the system has returned `alone` entries.
    /// Returns false if `go_on` did.
    fn run(&mut self, search: &Search, mut go_on: impl FnMut() -> bool, alone: usize) -> bool {
        while self.listed < alone
            && let Some(place) = self.places.pop()
        {
            let mut goes_on = go_on();
            let looked = search.look(&place, || {
                goes_on = goes_on && go_on();
                goes_on
            });
            if !goes_on {
                return false;
            }
            self.listed += looked.listed;
            self.found.extend(looked.found);
            if self.found.len() >= search.wanted.most {
                self.places.clear();
                break;
            }
            self.places.extend(looked.below);
        }
        true
    }
}

#[cfg(test)]
mod tests;
