//! The snapshots of a store on disk.

use super::cache;
use super::codec::{checksum, decode_facts, decode_lines, encode_facts, encode_lines};
use super::fault::Fault;
use super::handles::{self, signed, unsigned};
use super::statement::{all_rows, execute, first_row, insert};
use crate::handle::Handle;
use crate::limits::{Limits, PART_OVERHEAD, VERSIONS};
use crate::records::PathSummary;
use crate::snapshot::{Run, Snapshot, Window};
use crate::versions::{Runs, facts_bytes, joined_facts, outside, run_bytes, same_version};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// Adds a snapshot. Returns whether something of it is kept.
pub(super) fn remember(
    connection: &Connection,
    limits: Limits,
    handle: &Handle,
    mut snapshot: Snapshot,
) -> Result<bool, Fault> {
    let handle = handles::identifier(connection, handle)?;
    let path = use_path(connection, handle, &snapshot.path)?;
    snapshot.text_left_out = false;
    let newest = newest(connection, path, &snapshot.path)?;
    let newest = newest.filter(|(_, newest)| same_version(newest, &snapshot));
    let id = match &newest {
        Some((id, newest)) => {
            let facts = joined_facts(newest, &snapshot);
            write_facts(connection, *id, &facts)?;
            snapshot.text_left_out = facts.text_left_out;
            *id
        }
        None => add(connection, path, &snapshot)?,
    };
    for window in &snapshot.windows {
        add_window(connection, id, window)?;
    }
    let runs: Runs = std::mem::take(&mut snapshot.runs).into_iter().collect();
    for run in runs.iter() {
        if newest.is_some() {
            cut_runs(connection, id, run)?;
        }
        add_run(connection, id, run)?;
    }
    if bytes(connection, id)? > limits.text() {
        leave_text_out(connection, limits, id, &snapshot.path)?;
    }
    remove_versions(connection, path)?;
    remove_excess(connection, limits, handle, path)?;
    let kept = "SELECT EXISTS(SELECT 1 FROM snapshot WHERE id = ?1)";
    Ok(first_row(connection, kept, [id], |row| row.get(0))?)
}

/// The identifier of a path, which becomes the most recently used one.
fn use_path(connection: &Connection, handle: i64, path: &str) -> Result<i64, Fault> {
    let written = first_row(
        connection,
        "INSERT INTO path(handle, name, used) VALUES(?1, ?2, (SELECT coalesce(max(used), 0) + 1 FROM path)) \
         ON CONFLICT(handle, name) DO UPDATE SET used = excluded.used RETURNING id",
        params![handle, path],
        |row| row.get(0),
    );
    Ok(written?)
}

/// The newest version of a path without windows and lines. `None` also if its facts are damaged.
fn newest(
    connection: &Connection,
    path: i64,
    name: &str,
) -> Result<Option<(i64, Snapshot)>, Fault> {
    let found = first_row(
        connection,
        "SELECT id, sum, facts FROM snapshot WHERE path = ?1 ORDER BY id DESC LIMIT 1",
        [path],
        |row| Ok((row.get(0)?, facts(name, row)?)),
    );
    let found: Option<(i64, Option<Snapshot>)> = found.optional()?;
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

fn add(connection: &Connection, path: i64, snapshot: &Snapshot) -> Result<i64, Fault> {
    let facts = encode_facts(snapshot);
    Ok(insert(
        connection,
        "INSERT INTO snapshot(path, tag, read, bytes, held, sum, facts) VALUES(?1, ?2, ?3, ?4, 0, ?5, ?6)",
        params![
            path,
            snapshot.tag,
            snapshot.read,
            signed(facts_bytes(snapshot)),
            checksum(&[snapshot.path.as_bytes(), &facts]),
            facts,
        ],
    )?)
}

fn write_facts(connection: &Connection, id: i64, snapshot: &Snapshot) -> Result<(), Fault> {
    let facts = encode_facts(snapshot);
    execute(
        connection,
        "UPDATE snapshot SET tag = ?2, read = ?3, bytes = ?4, sum = ?5, facts = ?6 WHERE id = ?1",
        params![
            id,
            snapshot.tag,
            snapshot.read,
            signed(facts_bytes(snapshot)),
            checksum(&[snapshot.path.as_bytes(), &facts]),
            facts,
        ],
    )?;
    Ok(())
}

fn add_window(connection: &Connection, id: i64, window: &Window) -> Result<(), Fault> {
    execute(
        connection,
        "DELETE FROM window WHERE snapshot = ?1 AND first = ?2 AND last = ?3",
        params![id, window.first, window.last],
    )?;
    execute(
        connection,
        "INSERT INTO window(snapshot, first, last, bytes, hash) VALUES(?1, ?2, ?3, ?4, ?5)",
        params![
            id,
            window.first,
            window.last,
            signed(PART_OVERHEAD),
            window.hash
        ],
    )?;
    Ok(())
}

fn add_run(connection: &Connection, id: i64, run: &Run) -> Result<(), Fault> {
    let text = encode_lines(run);
    execute(
        connection,
        "INSERT INTO run(snapshot, first, last, bytes, sum, text) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            id,
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
fn cut_runs(connection: &Connection, id: i64, new: &Run) -> Result<(), Fault> {
    let overlapping: Vec<(i64, Option<Run>)> = all_rows(
        connection,
        "SELECT id, first, sum, text FROM run WHERE snapshot = ?1 AND first < ?3 AND last >= ?2",
        params![id, new.first, new.end()],
        |row| Ok((row.get(0)?, run(row)?)),
    )?;
    for (old, run) in overlapping {
        execute(connection, "DELETE FROM run WHERE id = ?1", [old])?;
        let parts = run.map(|run| outside(run, new.first, new.end()));
        for part in parts.into_iter().flatten().flatten() {
            add_run(connection, id, &part)?;
        }
    }
    Ok(())
}

/// The run in a row with an identifier, a first line, a checksum and a text. `None` if it is damaged.
fn run(row: &Row<'_>) -> rusqlite::Result<Option<Run>> {
    let first: i64 = row.get(1)?;
    let text = row.get_ref(3)?.as_blob()?;
    if row.get::<_, i64>(2)? != checksum(&[&first.to_le_bytes(), text]) {
        return Ok(None);
    }
    Ok(decode_lines(first, text).ok())
}

/// The size of a snapshot, as it counts for the limits.
fn bytes(connection: &Connection, id: i64) -> Result<u64, Fault> {
    let bytes = "SELECT bytes + held FROM snapshot WHERE id = ?1";
    Ok(unsigned(first_row(connection, bytes, [id], |row| {
        row.get(0)
    })?))
}

/// Removes the lines of a snapshot that is larger than the limit.
fn leave_text_out(
    connection: &Connection,
    limits: Limits,
    id: i64,
    name: &str,
) -> Result<(), Fault> {
    execute(connection, "DELETE FROM run WHERE snapshot = ?1", [id])?;
    let written = first_row(
        connection,
        "SELECT id, sum, facts FROM snapshot WHERE id = ?1",
        [id],
        |row| facts(name, row),
    )?;
    if let Some(mut snapshot) = written {
        snapshot.text_left_out = true;
        write_facts(connection, id, &snapshot)?;
    }
    if bytes(connection, id)? > limits.text() {
        execute(connection, "DELETE FROM window WHERE snapshot = ?1", [id])?;
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
    let excess = unsigned(count).saturating_sub(limits.paths as u64);
    if excess > 0 {
        execute(
            connection,
            "DELETE FROM path WHERE id IN (SELECT id FROM path WHERE handle = ?1 ORDER BY used LIMIT ?2)",
            params![handle, signed(excess)],
        )?;
    }
    while handles::total(connection)?.text > limits.text() {
        let oldest = "SELECT id FROM path ORDER BY used LIMIT 1";
        let oldest: Option<i64> = first_row(connection, oldest, [], |row| row.get(0)).optional()?;
        let Some(oldest) = oldest else {
            break;
        };
        // The path that was used last remains alone in the end. Only its newest version is kept.
        let version = "DELETE FROM snapshot WHERE id = (SELECT min(id) FROM snapshot WHERE path = ?1) \
                       AND (SELECT count(*) FROM snapshot WHERE path = ?1) > 1";
        if oldest != path || execute(connection, version, [path])? == 0 {
            execute(connection, "DELETE FROM path WHERE id = ?1", [oldest])?;
        }
    }
    cache::shrink(connection, limits)
}

/// The versions of a path, the newest first, and the number of damaged parts that are left out.
pub(super) fn versions(
    connection: &Connection,
    handle: &Handle,
    path: &str,
    tag: Option<&str>,
) -> Result<(Vec<Snapshot>, u64), Fault> {
    let mut damaged = 0;
    let found = all_rows(
        connection,
        "SELECT snapshot.id, snapshot.sum, snapshot.facts FROM snapshot JOIN path ON path.id = snapshot.path \
         WHERE path.handle = (SELECT id FROM handle WHERE name = ?1) AND path.name = ?2 \
         AND (?3 IS NULL OR snapshot.tag = ?3) ORDER BY snapshot.id DESC",
        params![handle.as_str(), path, tag],
        |row| Ok((row.get(0)?, facts(path, row)?)),
    )?;
    let mut versions = Vec::with_capacity(found.len());
    for (id, facts) in found {
        let Some(mut snapshot) = facts else {
            damaged += 1;
            continue;
        };
        snapshot.windows = windows(connection, id)?;
        let runs = all_rows(
            connection,
            "SELECT id, first, sum, text FROM run WHERE snapshot = ?1 ORDER BY first",
            [id],
            run,
        )?;
        if runs.iter().any(Option::is_none) {
            snapshot.text_left_out = true;
            damaged += 1;
        }
        snapshot.runs = runs.into_iter().flatten().collect::<Runs>().joined();
        versions.push(snapshot);
    }
    Ok((versions, damaged))
}

fn windows(connection: &Connection, id: i64) -> Result<Vec<Window>, Fault> {
    let found = all_rows(
        connection,
        "SELECT first, last, hash FROM window WHERE snapshot = ?1 ORDER BY id",
        [id],
        |row| {
            Ok(Window {
                first: row.get(0)?,
                last: row.get(1)?,
                hash: row.get(2)?,
            })
        },
    )?;
    Ok(found)
}

/// The paths of a handle. The path that was used last is the first one.
pub(super) fn paths(connection: &Connection, handle: &Handle) -> Result<Vec<PathSummary>, Fault> {
    let found = all_rows(
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
    )?;
    Ok(found)
}
