//! The snapshots of a store on disk.

use super::cache;
use super::codec::{checksum, decode_facts, decode_lines, encode_facts, encode_lines};
use super::fault::Fault;
use super::handles::{self, signed, unsigned};
use super::statement::{all_rows, execute, first_row};
use crate::handle::Handle;
use crate::limits::{PART_OVERHEAD, StoreLimits, VERSIONS};
use crate::records::PathSummary;
use crate::snapshot::{Run, Snapshot, Window};
use crate::versions::{Runs, facts_bytes, joined_facts, outside, run_bytes, same_version};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The place of a snapshot in the tables.
#[derive(Clone, Copy)]
struct Place {
    path: i64,
    id: i64,
}

impl Place {
    /// Whether the snapshot is the first one of its path.
    fn is_first(self) -> bool {
        self.path == self.id
    }
}

/// Adds a snapshot. Returns whether something of it is kept.
pub(super) fn remember(
    connection: &Connection,
    limits: StoreLimits,
    handle: &Handle,
    mut snapshot: Snapshot,
) -> Result<bool, Fault> {
    let handle = handles::identifier(connection, handle)?;
    let used = use_path(connection, handle, &snapshot.path)?;
    snapshot.text_left_out = false;
    let windows = std::mem::take(&mut snapshot.windows);
    let runs: Runs = std::mem::take(&mut snapshot.runs).into_iter().collect();
    let newest = if used.is_first() {
        None
    } else {
        newest(connection, used.path, &snapshot.path)?
    };
    match newest.filter(|newest| same_version(&newest.facts, &snapshot)) {
        Some(newest) => merge(connection, limits, &newest, (&snapshot, &windows, &runs))?,
        None => add(connection, limits, used, (&snapshot, &windows, &runs))?,
    }
    if used.is_first() {
        remove_paths(connection, limits, handle)?;
    } else {
        remove_versions(connection, used.path)?;
    }
    remove_excess(connection, limits, used.path)
}

/// A snapshot without its parts, its windows, and its runs.
type Parts<'p> = (&'p Snapshot, &'p [Window], &'p Runs);

/// Adds a version of a path.
fn add(
    connection: &Connection,
    limits: StoreLimits,
    place: Place,
    parts: Parts<'_>,
) -> Result<(), Fault> {
    let (snapshot, windows, runs) = parts;
    // The last of two windows of the same lines replaces the first one.
    let mut distinct: Vec<&Window> = Vec::with_capacity(windows.len());
    for window in windows {
        distinct.retain(|old| (old.first, old.last) != (window.first, window.last));
        distinct.push(window);
    }
    let mut row = Version {
        place,
        facts: snapshot.clone(),
        held: 0,
    };
    let of_windows = (distinct.len() as u64).saturating_mul(PART_OVERHEAD);
    row.held = runs
        .iter()
        .map(run_bytes)
        .fold(of_windows, u64::saturating_add);
    let too_long = row.bytes() > limits.text();
    if too_long {
        row.facts.text_left_out = true;
        row.held = of_windows;
    }
    let too_many = row.bytes() > limits.text();
    if too_many {
        row.held = 0;
    }
    insert_version(connection, &row)?;
    for window in distinct.into_iter().filter(|_| !too_many) {
        add_window(connection, place, window)?;
    }
    for run in runs.iter().filter(|_| !too_long) {
        add_run(connection, place, run)?;
    }
    Ok(())
}

/// Adds what was shown of the newest version.
fn merge(
    connection: &Connection,
    limits: StoreLimits,
    newest: &Version,
    parts: Parts<'_>,
) -> Result<(), Fault> {
    let (snapshot, windows, runs) = parts;
    let place = newest.place;
    let mut row = Version {
        place,
        facts: joined_facts(&newest.facts, snapshot),
        held: newest.held,
    };
    for window in windows {
        let replaced = remove_window(connection, place, window)?;
        add_window(connection, place, window)?;
        let added = PART_OVERHEAD.saturating_sub(replaced);
        row.held = row.held.saturating_add(added);
    }
    for run in runs.iter() {
        let (removed, left) = cut_runs(connection, place, run)?;
        add_run(connection, place, run)?;
        let added = left.saturating_add(run_bytes(run));
        row.held = row.held.saturating_add(added).saturating_sub(removed);
    }
    let key = [place.path, place.id];
    if row.bytes() > limits.text() {
        let text = "DELETE FROM run WHERE path = ?1 AND snapshot = ?2";
        execute(connection, text, key)?;
        let count = "SELECT count(*) FROM window WHERE path = ?1 AND snapshot = ?2";
        let count: i64 = first_row(connection, count, key, |row| row.get(0))?;
        row.held = unsigned(count).saturating_mul(PART_OVERHEAD);
        row.facts.text_left_out = true;
    }
    if row.bytes() > limits.text() {
        let windows = "DELETE FROM window WHERE path = ?1 AND snapshot = ?2";
        execute(connection, windows, key)?;
        row.held = 0;
    }
    write_version(connection, &row)
}

/// Makes a path the most recently used one. Returns the place of a new snapshot of it.
fn use_path(connection: &Connection, handle: i64, path: &str) -> Result<Place, Fault> {
    let next = "UPDATE total SET used = used + 1 RETURNING used";
    let next: i64 = first_row(connection, next, [], |row| row.get(0))?;
    let written = first_row(
        connection,
        "INSERT INTO path(handle, name, id, used) VALUES(?1, ?2, ?3, ?3) \
         ON CONFLICT(handle, name) DO UPDATE SET used = excluded.used RETURNING id, used",
        params![handle, path, next],
        |row| {
            Ok(Place {
                path: row.get(0)?,
                id: row.get(1)?,
            })
        },
    );
    Ok(written?)
}

/// The row of a snapshot, without its windows and lines.
struct Version {
    place: Place,
    facts: Snapshot,
    /// The size of its windows and lines, as they count for the limits.
    held: u64,
}

impl Version {
    fn bytes(&self) -> u64 {
        facts_bytes(&self.facts).saturating_add(self.held)
    }
}

/// The newest version of a path. `None` also if its facts are damaged.
fn newest(connection: &Connection, path: i64, name: &str) -> Result<Option<Version>, Fault> {
    let found = first_row(
        connection,
        "SELECT id, sum, facts, held FROM snapshot WHERE path = ?1 ORDER BY id DESC LIMIT 1",
        [path],
        |row| {
            let id = row.get(0)?;
            let held = unsigned(row.get(3)?);
            Ok(facts(name, row)?.map(|facts| Version {
                place: Place { path, id },
                facts,
                held,
            }))
        },
    );
    Ok(found.optional()?.flatten())
}

/// The facts in a row with an identifier, a checksum and facts. `None` if they are damaged.
fn facts(name: &str, row: &Row<'_>) -> rusqlite::Result<Option<Snapshot>> {
    Ok(sound_facts(name, row.get(1)?, row.get_ref(2)?.as_blob()?))
}

fn sound_facts(name: &str, sum: i64, facts: &[u8]) -> Option<Snapshot> {
    if sum != checksum(&[name.as_bytes(), facts]) {
        return None;
    }
    decode_facts(name.to_owned(), facts).ok()
}

fn insert_version(connection: &Connection, version: &Version) -> Result<(), Fault> {
    let facts = encode_facts(&version.facts);
    execute(
        connection,
        "INSERT INTO snapshot(path, id, tag, read, bytes, held, sum, facts) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            version.place.path,
            version.place.id,
            version.facts.tag,
            version.facts.read,
            signed(facts_bytes(&version.facts)),
            signed(version.held),
            checksum(&[version.facts.path.as_bytes(), &facts]),
            facts,
        ],
    )?;
    Ok(())
}

fn write_version(connection: &Connection, version: &Version) -> Result<(), Fault> {
    let facts = encode_facts(&version.facts);
    execute(
        connection,
        "UPDATE snapshot SET tag = ?3, read = ?4, bytes = ?5, held = ?6, sum = ?7, facts = ?8 \
         WHERE path = ?1 AND id = ?2",
        params![
            version.place.path,
            version.place.id,
            version.facts.tag,
            version.facts.read,
            signed(facts_bytes(&version.facts)),
            signed(version.held),
            checksum(&[version.facts.path.as_bytes(), &facts]),
            facts,
        ],
    )?;
    Ok(())
}

/// Removes the window of the same lines. Returns its size, as it counts for the limits.
fn remove_window(connection: &Connection, place: Place, window: &Window) -> Result<u64, Fault> {
    let removed = execute(
        connection,
        "DELETE FROM window WHERE path = ?1 AND snapshot = ?2 AND first = ?3 AND last = ?4",
        params![place.path, place.id, window.first, window.last],
    )?;
    Ok(if removed > 0 { PART_OVERHEAD } else { 0 })
}

fn add_window(connection: &Connection, place: Place, window: &Window) -> Result<(), Fault> {
    let Place { path, id } = place;
    execute(
        connection,
        "INSERT INTO window(path, snapshot, first, last, number, bytes, sum, hash) VALUES(?1, ?2, ?3, ?4, \
         (SELECT coalesce(max(number), 0) + 1 FROM window WHERE path = ?1 AND snapshot = ?2), ?5, ?6, ?7)",
        params![
            path,
            id,
            window.first,
            window.last,
            signed(PART_OVERHEAD),
            window_sum(window),
            window.hash
        ],
    )?;
    Ok(())
}

fn window_sum(window: &Window) -> i64 {
    let (first, last) = (window.first.to_le_bytes(), window.last.to_le_bytes());
    checksum(&[&first, &last, &window.hash])
}

fn add_run(connection: &Connection, place: Place, run: &Run) -> Result<(), Fault> {
    let text = encode_lines(run);
    execute(
        connection,
        "INSERT INTO run(path, snapshot, first, last, bytes, sum, text) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            place.path,
            place.id,
            run.first,
            run.end().saturating_sub(1),
            signed(run_bytes(run)),
            checksum(&[&run.first.to_le_bytes(), &text]),
            text,
        ],
    )?;
    Ok(())
}

/// Removes the lines of a new run from the runs of a snapshot. Returns the size of the removed runs, and the size of
/// what is left of them.
fn cut_runs(connection: &Connection, place: Place, new: &Run) -> Result<(u64, u64), Fault> {
    let Place { path, id } = place;
    let overlapping: Vec<(i64, i64, Option<Run>)> = all_rows(
        connection,
        "SELECT first, sum, text, bytes FROM run WHERE path = ?1 AND snapshot = ?2 AND first < ?4 AND last >= ?3",
        params![path, id, new.first, new.end()],
        |row| Ok((row.get(0)?, row.get(3)?, run(row)?)),
    )?;
    let (mut removed, mut left) = (0_u64, 0_u64);
    for (first, bytes, run) in overlapping {
        execute(
            connection,
            "DELETE FROM run WHERE path = ?1 AND snapshot = ?2 AND first = ?3",
            [path, id, first],
        )?;
        removed = removed.saturating_add(unsigned(bytes));
        let parts = run.map(|run| outside(run, new.first, new.end()));
        for part in parts.into_iter().flatten().flatten() {
            add_run(connection, place, &part)?;
            left = left.saturating_add(run_bytes(&part));
        }
    }
    Ok((removed, left))
}

/// The run in a row with a first line, a checksum and a text. `None` if it is damaged.
fn run(row: &Row<'_>) -> rusqlite::Result<Option<Run>> {
    let first: i64 = row.get(0)?;
    let text = row.get_ref(2)?.as_blob()?;
    if row.get::<_, i64>(1)? != checksum(&[&first.to_le_bytes(), text]) {
        return Ok(None);
    }
    Ok(decode_lines(first, text).ok())
}

/// Removes versions of a path except the newest ones.
fn remove_versions(connection: &Connection, path: i64) -> Result<(), Fault> {
    execute(
        connection,
        "DELETE FROM snapshot WHERE path = ?1 AND id <= \
         (SELECT id FROM snapshot WHERE path = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        params![path, i64::try_from(VERSIONS).unwrap_or(i64::MAX)],
    )?;
    Ok(())
}

/// Removes the oldest paths of a handle that has too many.
fn remove_paths(connection: &Connection, limits: StoreLimits, handle: i64) -> Result<(), Fault> {
    let count = "SELECT count(*) FROM path WHERE handle = ?1";
    let count: i64 = first_row(connection, count, [handle], |row| row.get(0))?;
    for _ in limits.paths as u64..unsigned(count) {
        remove_oldest(connection, handle)?;
    }
    Ok(())
}

/// Removes the oldest paths of all handles that exceed the limit, and then entries of the cache. Returns whether
/// the path that was used last is kept.
fn remove_excess(connection: &Connection, limits: StoreLimits, path: i64) -> Result<bool, Fault> {
    // The oldest path of each handle is found in the index.
    let oldest = "SELECT path.handle, path.id FROM handle CROSS JOIN path ON path.handle = handle.id \
                  AND path.used = (SELECT min(used) FROM path WHERE handle = handle.id) ORDER BY path.used LIMIT 1";
    let mut kept = limits.paths > 0;
    let mut total = handles::total(connection)?;
    while total.text > limits.text() && kept {
        let found = first_row(connection, oldest, [], |row| Ok((row.get(0)?, row.get(1)?)));
        let Some((handle, id)): Option<(i64, i64)> = found.optional()? else {
            kept = false;
            break;
        };
        // The path that was used last remains alone in the end. Only its newest version is kept.
        let version = "DELETE FROM snapshot WHERE path = ?1 AND id = (SELECT min(id) FROM snapshot WHERE path = ?1) \
                       AND (SELECT count(*) FROM snapshot WHERE path = ?1) > 1";
        if id != path || execute(connection, version, [path])? == 0 {
            kept = remove_oldest(connection, handle)? && id != path;
        }
        total = handles::total(connection)?;
    }
    cache::shrink(connection, limits, total)?;
    Ok(kept)
}

/// Removes the oldest path of a handle. Returns false if it has none.
fn remove_oldest(connection: &Connection, handle: i64) -> Result<bool, Fault> {
    let oldest = "DELETE FROM path WHERE handle = ?1 AND used = (SELECT min(used) FROM path WHERE handle = ?1)";
    Ok(execute(connection, oldest, [handle])? > 0)
}

/// The versions of a path, the newest first, and the number of damaged ones.
pub(super) fn versions(
    connection: &Connection,
    handle: &Handle,
    path: &str,
    tag: Option<&str>,
) -> Result<(Vec<Snapshot>, u64), Fault> {
    let mut damaged = 0;
    let found: Vec<(Place, u64, Option<Snapshot>)> = all_rows(
        connection,
        "SELECT snapshot.id, snapshot.sum, snapshot.facts, path.id, snapshot.held \
         FROM snapshot JOIN path ON path.id = snapshot.path \
         WHERE path.handle = (SELECT id FROM handle WHERE name = ?1) AND path.name = ?2 \
         AND (?3 IS NULL OR snapshot.tag = ?3) ORDER BY snapshot.id DESC",
        params![handle.as_str(), path, tag],
        |row| {
            let place = Place {
                id: row.get(0)?,
                path: row.get(3)?,
            };
            Ok((place, unsigned(row.get(4)?), facts(path, row)?))
        },
    )?;
    let mut versions = Vec::with_capacity(found.len());
    for (place, held, facts) in found {
        let Some(mut snapshot) = facts else {
            damaged += 1;
            continue;
        };
        snapshot.windows = windows(connection, place)?;
        let runs = "SELECT first, sum, text FROM run WHERE path = ?1 AND snapshot = ?2";
        let runs: Vec<Option<Run>> = all_rows(connection, runs, [place.path, place.id], run)?;
        let windows = (snapshot.windows.len() as u64).saturating_mul(PART_OVERHEAD);
        let text = runs.iter().flatten().map(run_bytes);
        if text.fold(windows, u64::saturating_add) != held {
            // A row that is missing on a damaged page does not have a checksum.
            snapshot.text_left_out = true;
            damaged += 1;
        }
        snapshot.runs = runs.into_iter().flatten().collect::<Runs>().joined();
        versions.push(snapshot);
    }
    Ok((versions, damaged))
}

fn windows(connection: &Connection, place: Place) -> Result<Vec<Window>, Fault> {
    let windows: Vec<(i64, Window)> = all_rows(
        connection,
        "SELECT first, last, hash, sum FROM window WHERE path = ?1 AND snapshot = ?2 ORDER BY number",
        [place.path, place.id],
        |row| {
            let window = Window {
                first: row.get(0)?,
                last: row.get(1)?,
                hash: row.get(2)?,
            };
            Ok((row.get(3)?, window))
        },
    )?;
    let windows = windows.into_iter();
    let sound = windows.filter(|(sum, window)| *sum == window_sum(window));
    Ok(sound.map(|(_, window)| window).collect())
}

/// The paths of a handle. The path that was used last is the first one.
pub(super) fn paths(connection: &Connection, handle: &Handle) -> Result<Vec<PathSummary>, Fault> {
    let paths = all_rows(
        connection,
        "SELECT path.name, count(*), sum(bytes + held), max(snapshot.id), tag, read, snapshot.sum, facts \
         FROM path JOIN snapshot ON snapshot.path = path.id \
         WHERE handle = (SELECT id FROM handle WHERE name = ?1) GROUP BY path.id ORDER BY used DESC",
        [handle.as_str()],
        |row| {
            let path: String = row.get(0)?;
            let facts = sound_facts(&path, row.get(6)?, row.get_ref(7)?.as_blob()?);
            Ok(PathSummary {
                real: facts.and_then(|facts| facts.real),
                path,
                versions: usize::try_from(row.get::<_, i64>(1)?).unwrap_or(0),
                bytes: unsigned(row.get(2)?),
                // SQLite takes the other columns from the row with the maximum.
                tag: row.get(4)?,
                read: row.get(5)?,
            })
        },
    );
    Ok(paths?)
}
