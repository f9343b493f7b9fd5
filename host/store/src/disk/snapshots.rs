//! The snapshots of a store on disk.

use super::cache;
use super::codec::{checksum, decode_facts, decode_lines, encode_facts, encode_lines};
use super::fault::Fault;
use super::handles::{self, signed, unsigned};
use super::statement::{all_rows, execute, first_row};
use crate::handle::Handle;
use crate::limits::{Limits, PART_OVERHEAD, VERSIONS};
use crate::records::PathSummary;
use crate::snapshot::{Run, Snapshot, Window};
use crate::versions::{Runs, facts_bytes, joined_facts, outside, run_bytes, same_version};
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

/// The place of a snapshot in the tables.
#[derive(Clone, Copy)]
struct Place {
    path: i64,
    id: i64,
}

/// Adds a snapshot. Returns whether something of it is kept.
pub(super) fn remember(
    connection: &Connection,
    limits: Limits,
    handle: &Handle,
    mut snapshot: Snapshot,
) -> Result<bool, Fault> {
    let handle = handles::identifier(connection, handle)?;
    let used = use_path(connection, handle, &snapshot.path)?;
    snapshot.text_left_out = false;
    let newest = newest(connection, used.path, &snapshot.path)?;
    let newest = newest.filter(|(_, newest)| same_version(newest, &snapshot));
    let place = match &newest {
        Some((id, newest)) => {
            let place = Place { id: *id, ..used };
            write_facts(connection, place, &joined_facts(newest, &snapshot))?;
            place
        }
        None => {
            add(connection, used, &snapshot)?;
            used
        }
    };
    for window in &snapshot.windows {
        add_window(connection, place, window)?;
    }
    let runs: Runs = std::mem::take(&mut snapshot.runs).into_iter().collect();
    for run in runs.iter() {
        if newest.is_some() {
            cut_runs(connection, place, run)?;
        }
        add_run(connection, place, run)?;
    }
    if bytes(connection, place)? > limits.text() {
        leave_text_out(connection, limits, place, &snapshot.path)?;
    }
    if newest.is_none() {
        remove_versions(connection, used.path)?;
    }
    remove_excess(connection, limits, handle, used.path)?;
    let kept = "SELECT EXISTS(SELECT 1 FROM snapshot WHERE path = ?1 AND id = ?2)";
    Ok(first_row(
        connection,
        kept,
        [place.path, place.id],
        |row| row.get(0),
    )?)
}

/// Makes a path the most recently used one. Returns the place of a new snapshot of it.
fn use_path(connection: &Connection, handle: i64, path: &str) -> Result<Place, Fault> {
    let written = first_row(
        connection,
        "INSERT INTO path(handle, name, id, used) SELECT ?1, ?2, next, next \
         FROM (SELECT coalesce(max(used), 0) + 1 AS next FROM path) WHERE true \
         ON CONFLICT(handle, name) DO UPDATE SET used = excluded.used RETURNING id, used",
        params![handle, path],
        |row| {
            Ok(Place {
                path: row.get(0)?,
                id: row.get(1)?,
            })
        },
    );
    Ok(written?)
}

/// The newest version of a path without windows and lines. `None` also if its facts are damaged.
fn newest(
    connection: &Connection,
    path: i64,
    name: &str,
) -> Result<Option<(i64, Snapshot)>, Fault> {
    let found: Option<(i64, Option<Snapshot>)> = first_row(
        connection,
        "SELECT id, sum, facts FROM snapshot WHERE path = ?1 ORDER BY id DESC LIMIT 1",
        [path],
        |row| Ok((row.get(0)?, facts(name, row)?)),
    )
    .optional()?;
    Ok(found.and_then(|(id, facts)| Some((id, facts?))))
}

/// The facts in a row with an identifier, a checksum and facts. `None` if they are damaged.
fn facts(name: &str, row: &Row<'_>) -> rusqlite::Result<Option<Snapshot>> {
    let facts = row.get_ref(2)?.as_blob()?;
    if row.get::<_, i64>(1)? != checksum(&[name.as_bytes(), facts]) {
        return Ok(None);
    }
    Ok(decode_facts(name.to_owned(), facts).ok())
}

fn add(connection: &Connection, place: Place, snapshot: &Snapshot) -> Result<(), Fault> {
    let facts = encode_facts(snapshot);
    execute(
        connection,
        "INSERT INTO snapshot(path, id, tag, read, bytes, held, sum, facts) VALUES(?1, ?2, ?3, ?4, ?5, 0, ?6, ?7)",
        params![
            place.path,
            place.id,
            snapshot.tag,
            snapshot.read,
            signed(facts_bytes(snapshot)),
            checksum(&[snapshot.path.as_bytes(), &facts]),
            facts,
        ],
    )?;
    Ok(())
}

fn write_facts(connection: &Connection, place: Place, snapshot: &Snapshot) -> Result<(), Fault> {
    let facts = encode_facts(snapshot);
    execute(
        connection,
        "UPDATE snapshot SET tag = ?3, read = ?4, bytes = ?5, sum = ?6, facts = ?7 WHERE path = ?1 AND id = ?2",
        params![
            place.path,
            place.id,
            snapshot.tag,
            snapshot.read,
            signed(facts_bytes(snapshot)),
            checksum(&[snapshot.path.as_bytes(), &facts]),
            facts,
        ],
    )?;
    Ok(())
}

fn add_window(connection: &Connection, place: Place, window: &Window) -> Result<(), Fault> {
    let Place { path, id } = place;
    execute(
        connection,
        "DELETE FROM window WHERE path = ?1 AND snapshot = ?2 AND first = ?3 AND last = ?4",
        params![path, id, window.first, window.last],
    )?;
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

/// Removes the lines of a new run from the runs of a snapshot.
fn cut_runs(connection: &Connection, place: Place, new: &Run) -> Result<(), Fault> {
    let Place { path, id } = place;
    let overlapping: Vec<(i64, Option<Run>)> = all_rows(
        connection,
        "SELECT first, sum, text FROM run WHERE path = ?1 AND snapshot = ?2 AND first < ?4 AND last >= ?3",
        params![path, id, new.first, new.end()],
        |row| Ok((row.get(0)?, run(row)?)),
    )?;
    for (first, run) in overlapping {
        execute(
            connection,
            "DELETE FROM run WHERE path = ?1 AND snapshot = ?2 AND first = ?3",
            [path, id, first],
        )?;
        let parts = run.map(|run| outside(run, new.first, new.end()));
        for part in parts.into_iter().flatten().flatten() {
            add_run(connection, place, &part)?;
        }
    }
    Ok(())
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

/// The size of a snapshot, as it counts for the limits.
fn bytes(connection: &Connection, place: Place) -> Result<u64, Fault> {
    let bytes = "SELECT bytes + held FROM snapshot WHERE path = ?1 AND id = ?2";
    let bytes = first_row(connection, bytes, [place.path, place.id], |row| row.get(0));
    Ok(unsigned(bytes?))
}

/// Removes the lines of a snapshot that is larger than the limit.
fn leave_text_out(
    connection: &Connection,
    limits: Limits,
    place: Place,
    name: &str,
) -> Result<(), Fault> {
    let key = [place.path, place.id];
    let text = "DELETE FROM run WHERE path = ?1 AND snapshot = ?2";
    execute(connection, text, key)?;
    let written = "SELECT id, sum, facts FROM snapshot WHERE path = ?1 AND id = ?2";
    if let Some(mut snapshot) = first_row(connection, written, key, |row| facts(name, row))? {
        snapshot.text_left_out = true;
        write_facts(connection, place, &snapshot)?;
    }
    if bytes(connection, place)? > limits.text() {
        let windows = "DELETE FROM window WHERE path = ?1 AND snapshot = ?2";
        execute(connection, windows, key)?;
    }
    Ok(())
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

/// Removes the oldest paths of a handle, and then those of all handles, that exceed the limits.
fn remove_excess(
    connection: &Connection,
    limits: Limits,
    handle: i64,
    path: i64,
) -> Result<(), Fault> {
    let count = "SELECT count(*) FROM path WHERE handle = ?1";
    let count: i64 = first_row(connection, count, [handle], |row| row.get(0))?;
    for _ in limits.paths as u64..unsigned(count) {
        let oldest = "SELECT handle, name FROM path WHERE handle = ?1 ORDER BY used LIMIT 1";
        remove_path(connection, oldest, Some(handle))?;
    }
    while handles::total(connection)?.text > limits.text() {
        let oldest = "SELECT id FROM path ORDER BY used LIMIT 1";
        let oldest: Option<i64> = first_row(connection, oldest, [], |row| row.get(0)).optional()?;
        // The path that was used last remains alone in the end. Only its newest version is kept.
        let version = "DELETE FROM snapshot WHERE path = ?1 AND id = (SELECT min(id) FROM snapshot WHERE path = ?1) \
                       AND (SELECT count(*) FROM snapshot WHERE path = ?1) > 1";
        if oldest != Some(path) || execute(connection, version, [path])? == 0 {
            let oldest = "SELECT handle, name FROM path ORDER BY used LIMIT 1";
            if !remove_path(connection, oldest, None)? {
                break;
            }
        }
    }
    cache::shrink(connection, limits)
}

/// Removes the path that a statement finds. Returns false if it finds none.
fn remove_path(connection: &Connection, sql: &str, handle: Option<i64>) -> Result<bool, Fault> {
    let found = first_row(connection, sql, params_from_iter(handle), |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    let found: Option<(i64, String)> = found.optional()?;
    let removed = "DELETE FROM path WHERE handle = ?1 AND name = ?2";
    found.map_or(Ok(false), |(handle, name)| {
        Ok(execute(connection, removed, params![handle, name])? > 0)
    })
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
        "SELECT path.name, count(*), sum(bytes + held), max(snapshot.id), tag, read \
         FROM path JOIN snapshot ON snapshot.path = path.id \
         WHERE handle = (SELECT id FROM handle WHERE name = ?1) GROUP BY path.id ORDER BY used DESC",
        [handle.as_str()],
        |row| {
            Ok(PathSummary {
                path: row.get(0)?,
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
