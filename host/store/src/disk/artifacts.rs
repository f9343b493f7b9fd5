//! The artifacts of a store on disk.

use super::cache;
use super::codec::checksum;
use super::fault::Fault;
use super::handles::{self, signed, unsigned};
use super::statement::{all_rows, execute, first_row, insert};
use crate::backend::{Draft, now};
use crate::error::StoreError;
use crate::handle::Handle;
use crate::limits::{ARTIFACTS, DRAFT_TIME, StoreLimits};
use crate::records::ArtifactSummary;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The number of bits of the identifier of an artifact that is not finished. The bits above count how often the database was opened again.
pub(super) const ID_BITS: u32 = 48;

/// The maximum of this count, after which it begins again.
pub(super) const MOST: u32 = 0x7fff;

/// The number of artifacts of a handle after which the number of all is compared with its limit.
const EACH: i64 = 64;

/// Adds a part to an artifact, which has an identifier if it has parts. Returns its identifier.
pub(super) fn append(
    connection: &Connection,
    limits: StoreLimits,
    (draft, id): (&Draft, Option<i64>),
    part: &[u8],
) -> Result<i64, Fault> {
    let limit = limits.artifacts();
    if !shrink(connection, limit.saturating_sub(part.len() as u64))? {
        return Err(Fault::Store(StoreError::NoRoom { limit }));
    }
    let id = match id {
        Some(id) => id,
        None => start(connection, draft)?,
    };
    let grown = execute(
        connection,
        "UPDATE artifact SET size = size + ?2, touched = ?3 WHERE id = ?1 AND number IS NULL",
        params![id, signed(part.len() as u64), now()],
    )?;
    if grown == 0 {
        return Err(Fault::Store(StoreError::Cleared));
    }
    if !part.is_empty() {
        let number = signed(draft.parts);
        execute(
            connection,
            "INSERT INTO part(artifact, number, sum, bytes) VALUES(?1, ?2, ?3, ?4)",
            params![id, number, checksum(&[part]), part],
        )?;
    }
    cache::shrink(connection, limits, handles::total(connection)?)?;
    Ok(id)
}

/// Removes the oldest finished artifacts until all have at most this number of bytes. Returns false if those that are
/// not finished have more. A process that has opened a removed artifact goes on to read it as it was.
fn shrink(connection: &Connection, bytes: u64) -> Result<bool, Fault> {
    while handles::total(connection)?.artifacts > bytes {
        let oldest = "DELETE FROM artifact WHERE id = (SELECT id FROM artifact WHERE number IS NOT NULL ORDER BY id LIMIT 1)";
        if execute(connection, oldest, [])? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds an artifact without parts. Removes those that a process did not finish before its end.
fn start(connection: &Connection, draft: &Draft) -> Result<i64, Fault> {
    let now = now();
    execute(
        connection,
        "DELETE FROM artifact WHERE number IS NULL AND touched NOT BETWEEN ?1 AND ?2",
        params![
            now.saturating_sub(DRAFT_TIME),
            now.saturating_add(DRAFT_TIME)
        ],
    )?;
    let handle = handles::identifier(connection, &draft.handle)?;
    Ok(insert(
        connection,
        "INSERT INTO artifact(handle, number, source, mime, size, touched, sum, real) VALUES(?1, NULL, ?2, ?3, 0, ?4, 0, ?5)",
        params![handle, draft.source, draft.mime, now, draft.real],
    )?)
}

/// Gives an artifact its number.
pub(super) fn finish(
    connection: &Connection,
    id: i64,
    draft: &Draft,
    size: u64,
) -> Result<u64, Fault> {
    let number = first_row(
        connection,
        "UPDATE handle SET artifacts = artifacts + 1 \
         WHERE id = (SELECT handle FROM artifact WHERE id = ?1 AND number IS NULL) RETURNING artifacts - 1",
        [id],
        |row| row.get::<_, i64>(0),
    );
    let number = number.optional()?;
    let number = number.ok_or(Fault::Store(StoreError::Cleared))?;
    execute(
        connection,
        "UPDATE artifact SET touched = ?2, sum = ?3, number = ?4 WHERE id = ?1",
        params![
            id,
            now(),
            facts_sum(&draft.source, draft.real.as_deref(), &draft.mime, size),
            number
        ],
    )?;
    // The list is read for this, so that it is not done each time.
    if number % EACH == 0 {
        execute(
            connection,
            "DELETE FROM artifact WHERE id IN \
         (SELECT id FROM artifact WHERE number IS NOT NULL ORDER BY id DESC LIMIT -1 OFFSET ?1)",
            [signed(ARTIFACTS as u64)],
        )?;
    }
    Ok(unsigned(number))
}

fn facts_sum(source: &str, real: Option<&str>, mime: &str, size: u64) -> i64 {
    let real = real.unwrap_or_default();
    let size = size.to_le_bytes();
    checksum(&[source.as_bytes(), real.as_bytes(), mime.as_bytes(), &size])
}

/// Removes an artifact that is not finished.
pub(super) fn abandon(connection: &Connection, id: i64) -> Result<(), Fault> {
    execute(
        connection,
        "DELETE FROM artifact WHERE id = ?1 AND number IS NULL",
        [id],
    )?;
    Ok(())
}

/// The facts in a row with an identifier, a number, a source, a type, a size, a time, a checksum and a real path. `None` if
/// they are damaged.
fn summary(row: &Row<'_>) -> rusqlite::Result<Option<(i64, ArtifactSummary)>> {
    let summary = ArtifactSummary {
        number: unsigned(row.get(1)?),
        source: row.get(2)?,
        real: row.get(7)?,
        mime: row.get(3)?,
        size: unsigned(row.get(4)?),
        created: row.get(5)?,
    };
    let sum = facts_sum(
        &summary.source,
        summary.real.as_deref(),
        &summary.mime,
        summary.size,
    );
    let id = row.get(0)?;
    Ok((row.get::<_, i64>(6)? == sum).then_some((id, summary)))
}

/// The identifier and the facts of the artifact with a number. The error says whether it was removed to make room.
pub(super) fn find(
    connection: &Connection,
    handle: &Handle,
    number: u64,
) -> Result<(i64, ArtifactSummary), Fault> {
    let found = first_row(
        connection,
        "SELECT id, number, source, mime, size, touched, sum, real FROM artifact \
         WHERE handle = (SELECT id FROM handle WHERE name = ?1) AND number = ?2",
        params![handle.as_str(), signed(number)],
        summary,
    );
    if let Some(found) = found.optional()? {
        return found.ok_or(Fault::Damaged);
    }
    let next = "SELECT artifacts FROM handle WHERE name = ?1";
    let next = first_row(connection, next, [handle.as_str()], |row| row.get(0)).optional()?;
    Err(Fault::Store(if number < next.map_or(0, unsigned) {
        StoreError::Evicted { number }
    } else {
        StoreError::NoArtifact { number }
    }))
}

pub(super) fn list(
    connection: &Connection,
    handle: &Handle,
) -> Result<Vec<ArtifactSummary>, Fault> {
    let found = all_rows(
        connection,
        "SELECT id, number, source, mime, size, touched, sum, real FROM artifact \
         WHERE handle = (SELECT id FROM handle WHERE name = ?1) AND number IS NOT NULL ORDER BY number",
        [handle.as_str()],
        summary,
    )?;
    let found = found.into_iter().flatten();
    Ok(found.map(|(_, summary)| summary).collect())
}

/// A part of an artifact, in the transaction in which the artifact was found.
pub(super) fn part(connection: &Connection, id: i64, number: u64) -> Result<Vec<u8>, Fault> {
    let found = first_row(
        connection,
        "SELECT sum, bytes FROM part WHERE artifact = ?1 AND number = ?2",
        params![id, signed(number)],
        |row| {
            let part = row.get_ref(1)?.as_blob()?;
            Ok((row.get::<_, i64>(0)? == checksum(&[part])).then(|| part.to_vec()))
        },
    );
    found.optional()?.flatten().ok_or(Fault::Damaged)
}
