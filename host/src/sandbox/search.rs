//! The search for the paths below a directory that end with another path, as for a missing one.
//!
//! It lists directories as an instance would, without a call of the instance for their entries. With deny rules, the
//! instance lists them itself, so that each entry is checked.

pub mod look;

use super::stop::TURN;
use super::view::View;
use super::{Stop, helpers};
use crate::bindings::wasi::filesystem::types::ErrorCode;
use crate::handles::Descriptor;
use look::{Place, Search, WAITING_BYTES, Wanted, bytes};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use wasmtime::component::Resource;

/// The maximum number of names of directories that are not searched, of paths that are found, and of levels of
/// directories. The reader needs less.
const PRUNED: usize = 64;
const PATHS: usize = 256;
const DEPTH: u32 = 256;

/// The number of entries after which a search has help, which costs about a tenth of a millisecond.
const ALONE: usize = 2000;

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Paths(Vec<String>),
    /// The time ended before the search.
    Late,
    /// It needs more memory than a search of the host may have.
    Large,
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
    places: Vec<Arc<Place>>,
    /// The memory of the places.
    bytes: usize,
    /// Whether that was too much.
    is_large: bool,
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
            work.bytes = work.bytes.saturating_sub(place.bytes());
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
            if self.has_ended.load(Ordering::Relaxed) {
                return true;
            }
            work.found.extend(looked.found);
            work.bytes += bytes(&looked.below);
            work.places.extend(looked.below);
            work.is_large |= looked.is_large || work.bytes > WAITING_BYTES;
            if work.found.len() >= self.search.wanted.most || work.is_large {
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
    /// there are deny rules, which the entries have to be checked against, or if the search needs too much memory.
    pub fn find_ends(
        &mut self,
        directory: &Resource<Descriptor>,
        wanted: Wanted,
    ) -> wasmtime::Result<Result<Option<Vec<String>>, ErrorCode>> {
        let top = match self.begin(directory)? {
            Ok(top) => top,
            Err(code) => return Ok(Err(code)),
        };
        let is_usual =
            wanted.pruned.len() <= PRUNED && wanted.most <= PATHS && wanted.depth <= DEPTH;
        if !is_usual || self.filesystem.policy.has_rules() {
            return Ok(Err(ErrorCode::Unsupported));
        }
        let found = search(
            Search { top, wanted },
            &self.filesystem.stop,
            helpers::count(),
        );
        self.start()?;
        Ok(match found {
            Outcome::Paths(paths) => Ok(Some(paths)),
            Outcome::Late => Ok(None),
            Outcome::Large => Err(ErrorCode::Unsupported),
        })
    }
}

/// Runs a search on this thread, and on others if there are many entries.
fn search(search: Search, stop: &Stop, helpers: usize) -> Outcome {
    let until = search.wanted.until;
    let go_on = |until: u64| move || stop.check_waiting().is_ok() && millis(stop) < until;
    let mut ordered = Ordered {
        places: vec![Place::top()],
        bytes: 0,
        found: Vec::new(),
        listed: 0,
    };
    let alone = if helpers > 0 { ALONE } else { usize::MAX };
    match ordered.run(&search, go_on(until), alone) {
        Ended::Late => return Outcome::Late,
        Ended::Large => return Outcome::Large,
        Ended::Searched if ordered.places.is_empty() => return Outcome::Paths(ordered.found),
        Ended::Searched => {}
    }
    let began = millis(stop);
    let crew = Arc::new(Crew {
        search,
        stop: stop.clone(),
        has_ended: AtomicBool::new(false),
        work: Mutex::new(Work {
            places: ordered.places.clone(),
            bytes: ordered.bytes,
            found: ordered.found.clone(),
            ..Work::default()
        }),
        changed: Condvar::new(),
    });
    for _ in 0..helpers {
        // A job that begins after the search keeps nothing of it.
        let crew = Arc::downgrade(&crew);
        helpers::give(Box::new(move || {
            if let Some(crew) = crew.upgrade() {
                crew.help();
            }
        }));
    }
    let is_in_time = crew.work(go_on(until));
    let work = std::mem::take(&mut *crew.lock());
    if !is_in_time {
        return Outcome::Late;
    }
    if work.is_large {
        return Outcome::Large;
    }
    if work.found.len() < crew.search.wanted.most {
        return Outcome::Paths(work.found);
    }
    // There are more than are wanted, and the threads may have found others than the first ones. The time that they
    // took is not that of the search in order.
    let until = until.saturating_add(millis(stop).saturating_sub(began));
    match ordered.run(&crew.search, go_on(until), usize::MAX) {
        Ended::Searched => Outcome::Paths(ordered.found),
        Ended::Late => Outcome::Late,
        Ended::Large => Outcome::Large,
    }
}

/// The time of a read, in milliseconds.
fn millis(stop: &Stop) -> u64 {
    u64::try_from(stop.time.used().as_millis()).unwrap_or(u64::MAX)
}

/// A search of the directories in their order.
struct Ordered {
    places: Vec<Arc<Place>>,
    /// The memory of the places.
    bytes: usize,
    found: Vec<String>,
    /// The number of entries that the system returned.
    listed: usize,
}

/// How a part of a search ended.
enum Ended {
    Searched,
    Late,
    /// The places take too much memory.
    Large,
}

impl Ordered {
    /// Searches until no place is left, until enough is found, until the system has returned `alone` entries, or until
    /// `go_on` returns false.
    fn run(&mut self, search: &Search, mut go_on: impl FnMut() -> bool, alone: usize) -> Ended {
        while self.listed < alone
            && let Some(place) = self.places.pop()
        {
            self.bytes = self.bytes.saturating_sub(place.bytes());
            let mut goes_on = go_on();
            let looked = search.look(&place, || {
                goes_on = goes_on && go_on();
                goes_on
            });
            if !goes_on {
                return Ended::Late;
            }
            self.listed += looked.listed;
            self.found.extend(looked.found);
            if self.found.len() >= search.wanted.most {
                self.places.clear();
                break;
            }
            self.bytes += bytes(&looked.below);
            if looked.is_large || self.bytes > WAITING_BYTES {
                return Ended::Large;
            }
            self.places.extend(looked.below);
        }
        Ended::Searched
    }
}

#[cfg(test)]
mod tests;
