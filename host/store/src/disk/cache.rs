//! The cache of a store on disk.

use super::codec::checksum;
use super::fault::Fault;
use super::handles::{self, signed};
use super::statement::{execute, first_row, insert};
use crate::backend::entry_bytes;
use crate::handle::Handle;
use crate::limits::{ENTRY_BYTES, Limits};
use rusqlite::{Connection, OptionalExtension, params};

/// The entry of a key.
pub(super) struct Entry {
    pub(super) id: i64,
    /// `None` if the value is damaged.
    pub(super) value: Option<Vec<u8>>,
}

pub(super) fn get(
    connection: &Connection,
    handle: &Handle,
    key: &str,
) -> Result<Option<Entry>, Fault> {
    let found = first_row(
        connection,
        "SELECT cache.id, cache.sum, value.bytes FROM cache JOIN value ON value.id = cache.id \
         WHERE cache.handle = (SELECT id FROM handle WHERE name = ?1) AND cache.key = ?2",
        params![handle.as_str(), key],
        |row| {
            let value = row.get_ref(2)?.as_blob()?;
            let intact = row.get::<_, i64>(1)? == checksum(&[key.as_bytes(), value]);
            Ok(Entry {
                id: row.get(0)?,
                value: intact.then(|| value.to_vec()),
            })
        },
    );
    Ok(found.optional()?)
}

/// Stores a value in place of the previous one. Returns false if it is too large.
pub(super) fn put(
    connection: &Connection,
    limits: Limits,
    handle: &Handle,
    key: &str,
    value: &[u8],
) -> Result<bool, Fault> {
    execute(
        connection,
        "DELETE FROM cache WHERE handle = (SELECT id FROM handle WHERE name = ?1) AND key = ?2",
        params![handle.as_str(), key],
    )?;
    let total = handles::total(connection)?;
    let room = limits.cache(total.text, total.artifacts);
    let bytes = entry_bytes(key, value);
    if bytes > room.min(ENTRY_BYTES) {
        return Ok(false);
    }
    let handle = handles::identifier(connection, handle)?;
    let sum = checksum(&[key.as_bytes(), value]);
    let id = insert(
        connection,
        "INSERT INTO cache(handle, used, bytes, sum, key) \
         VALUES(?1, (SELECT coalesce(max(used), 0) + 1 FROM cache), ?2, ?3, ?4)",
        params![handle, signed(bytes), sum, key],
    )?;
    execute(
        connection,
        "INSERT INTO value(id, bytes) VALUES(?1, ?2)",
        params![id, value],
    )?;
    shrink(connection, limits)?;
    Ok(true)
}

/// Marks entries as used, in order.
pub(super) fn touch(connection: &Connection, ids: &[i64]) -> Result<(), Fault> {
    for id in ids {
        execute(
            connection,
            "UPDATE cache SET used = (SELECT max(used) + 1 FROM cache) WHERE id = ?1",
            [id],
        )?;
    }
    Ok(())
}

/// Removes the least recently used entries that have no room.
pub(super) fn shrink(connection: &Connection, limits: Limits) -> Result<(), Fault> {
    loop {
        let total = handles::total(connection)?;
        if total.cache <= limits.cache(total.text, total.artifacts) {
            return Ok(());
        }
        if execute(
            connection,
            "DELETE FROM cache WHERE id = (SELECT id FROM cache ORDER BY used LIMIT 1)",
            [],
        )? == 0
        {
            return Ok(());
        }
    }
}
