//! A look at one directory of a search.

use crate::sandbox::kept::{self, Names, State};
use crate::sandbox::listing::{self, EntryType};
use cap_fs_ext::{OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_primitives::fs::{self as cap, FollowSymlinks, OpenOptions};
use std::cell::Cell;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The maximum memory in bytes of the directories of a search that wait. They are about half a million. The memory of
/// the host is not that of the read, so a search of more is left to the instance.
pub const WAITING_BYTES: usize = 64 << 20;

/// The number of bytes of a directory that waits, besides its name.
const PLACE_BYTES: usize = 96;

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

/// A directory that is searched: its name in another one.
#[derive(Debug)]
pub struct Place {
    /// `None` for the directory in which the search began.
    pub above: Option<Arc<Place>>,
    pub name: Box<str>,
    pub depth: u32,
}

/// What was found in a directory.
#[derive(Debug, Default)]
pub struct Looked {
    /// The path that was searched for.
    pub found: Option<String>,
    /// The directories below, in order.
    pub below: Vec<Arc<Place>>,
    /// The number of entries that the system returned.
    pub listed: usize,
    /// Whether the directories below take more memory than a search may have.
    pub is_large: bool,
}

/// A search, which several threads can run.
pub struct Search {
    pub top: Arc<File>,
    pub wanted: Wanted,
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
    pub fn look(&self, place: &Arc<Place>, go_on: impl FnMut() -> bool) -> Looked {
        let (name, folders) = self.name();
        let path = place.path();
        let join = |name: &str| {
            if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}/{name}")
            }
        };
        // The wanted name is looked for only where its path would end as it should.
        let name = folders
            .is_none_or(|folders| {
                let before = path.strip_suffix(folders);
                before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
            })
            .then_some(name);
        let state = state(&self.top, &path);
        if let Some(names) = state.as_ref().and_then(kept::find) {
            let found = name.filter(|name| names.may_have(name));
            let found = found.map(join);
            return Looked {
                // Another name may have the same hash.
                found: found.filter(|path| exists(&self.top, path)),
                below: self.below(place, names.folders.iter().map(AsRef::as_ref)),
                ..Looked::default()
            };
        }
        let mut looked = Looked::default();
        let Ok(directory) = open(&self.top, &path) else {
            return looked;
        };
        // Another directory may have come to this path meanwhile.
        let state = state.filter(|before| state_of(&directory).as_ref() == Some(before));
        let mut state = state.filter(|state| is_settled(state, &directory));
        let (mut folders, mut hashes) = (Vec::<Box<str>>::new(), Vec::new());
        let mut goes_on = true;
        let mut go_on = go_on;
        let taken = Cell::new(0);
        let go_on = || {
            goes_on = go_on();
            goes_on && taken.get() <= WAITING_BYTES
        };
        let listed = listing::each(&directory, go_on, |bytes, type_| {
            looked.listed += 1;
            if hashes.len() >= kept::HASHES {
                (state, hashes) = (None, Vec::new());
            }
            if state.is_some() {
                hashes.push(kept::hash(bytes));
            }
            if let Some(name) = name.filter(|name| name.as_bytes() == bytes) {
                looked.found = Some(join(name));
            }
            if type_ == EntryType::Directory
                && let Ok(folder) = std::str::from_utf8(bytes)
            {
                taken.set(taken.get() + PLACE_BYTES + folder.len());
                folders.push(folder.into());
            }
        });
        looked.is_large = taken.get() > WAITING_BYTES;
        looked.below = self.below(place, folders.iter().map(AsRef::as_ref));
        if let Some(state) = state
            && listed.is_ok()
            && goes_on
            && !looked.is_large
        {
            kept::keep(Names::new(state, hashes, folders));
        }
        looked
    }

    /// The directories below a place that are searched.
    fn below<'n>(
        &self,
        place: &Arc<Place>,
        folders: impl Iterator<Item = &'n str>,
    ) -> Vec<Arc<Place>> {
        if place.depth >= self.wanted.depth {
            return Vec::new();
        }
        let folders = folders.filter(|folder| !self.wanted.pruned.iter().any(|no| no == folder));
        folders
            .map(|folder| {
                Arc::new(Place {
                    above: Some(Arc::clone(place)),
                    name: folder.into(),
                    depth: place.depth + 1,
                })
            })
            .collect()
    }
}

impl Place {
    /// The directory in which a search begins.
    pub fn top() -> Arc<Self> {
        Arc::new(Self {
            above: None,
            name: Box::default(),
            depth: 0,
        })
    }

    /// The path, relative to the directory in which the search began.
    pub fn path(&self) -> String {
        let mut names = Vec::new();
        let mut place = self;
        while let Some(above) = &place.above {
            names.push(&*place.name);
            place = above;
        }
        names.reverse();
        names.join("/")
    }

    /// The memory that it takes while it waits.
    pub fn bytes(&self) -> usize {
        PLACE_BYTES + self.name.len()
    }
}

/// The memory that places take while they wait.
pub fn bytes(places: &[Arc<Place>]) -> usize {
    places.iter().map(|place| place.bytes()).sum()
}

/// The path as the system takes it.
fn at(path: &str) -> &Path {
    Path::new(if path.is_empty() { "." } else { path })
}

/// Opens a directory, without blocking.
pub fn open(top: &File, path: &str) -> std::io::Result<File> {
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

/// The state of the directory with a path. `None` if it is no directory, or if the system does not say.
#[cfg(target_os = "linux")]
pub fn state(top: &File, path: &str) -> Option<State> {
    state_at(top, at(path), rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
}

/// The state of an open directory.
#[cfg(target_os = "linux")]
fn state_of(directory: &File) -> Option<State> {
    state_at(directory, Path::new(""), rustix::fs::AtFlags::EMPTY_PATH)
}

#[cfg(target_os = "linux")]
fn state_at(top: &File, path: &Path, flags: rustix::fs::AtFlags) -> Option<State> {
    use rustix::fs::{FileType, StatxFlags};
    let wanted = StatxFlags::TYPE | StatxFlags::INO | StatxFlags::CTIME | StatxFlags::MTIME;
    let found = rustix::fs::statx(top, path, flags, wanted).ok()?;
    let type_ = FileType::from_raw_mode(found.stx_mode.into());
    let is_known = StatxFlags::from_bits_retain(found.stx_mask).contains(wanted);
    (is_known && type_ == FileType::Directory).then_some(State {
        device: (found.stx_dev_major, found.stx_dev_minor),
        inode: found.stx_ino,
        status: (found.stx_ctime.tv_sec, found.stx_ctime.tv_nsec),
        content: (found.stx_mtime.tv_sec, found.stx_mtime.tv_nsec),
    })
}

#[cfg(not(target_os = "linux"))]
pub fn state(_: &File, _: &str) -> Option<State> {
    None
}

#[cfg(not(target_os = "linux"))]
fn state_of(_: &File) -> Option<State> {
    None
}

/// The numbers of file systems, as in `linux/magic.h`: ext4, XFS, Btrfs, F2FS, tmpfs, and overlays of these.
#[cfg(target_os = "linux")]
pub const LOCAL: [u64; 6] = [
    0xef53,
    0x5846_5342,
    0x9123_683e,
    0xf2f5_2010,
    0x0102_1994,
    0x794c_7630,
];

/// Whether a later change of the names in a directory changes its state: it is on a file system of this machine that
/// notes each change, and its last change is so long ago that a further one has another time.
#[cfg(target_os = "linux")]
fn is_settled(state: &State, directory: &File) -> bool {
    use crate::sandbox::platform::SETTLED;
    use std::time::{SystemTime, UNIX_EPOCH};
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
