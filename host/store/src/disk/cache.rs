//! The cache of a store on disk.

use super::codec::checksum;
use super::fault::Fault;
use super::handles::{self, Total, signed};
use super::statement::{execute, first_row, insert};
use crate::backend::entry_bytes;
use crate::handle::Handle;
use crate::limits::{ENTRY_BYTES, StoreLimits};
use rusqlite::{Connection, OptionalExtension, params};

/// The value of an entry.
pub(super) enum Value {
    Sound(Vec<u8>),
    Damaged,
}

/// The value of a key.
pub(super) fn get(
    connection: &Connection,
    handle: &Handle,
    key: &str,
) -> Result<Option<Value>, Fault> {
    let found = first_row(
        connection,
        "SELECT cache.sum, value.bytes FROM cache JOIN value ON value.id = cache.value \
         WHERE cache.handle = (SELECT id FROM handle WHERE name = ?1) AND cache.key = ?2",
        params![handle.as_str(), key],
        |row| {
            let value = row.get_ref(1)?.as_blob()?;
            let intact = row.get::<_, i64>(0)? == checksum(&[key.as_bytes(), value]);
            Ok(if intact {
                Value::Sound(value.to_vec())
            } else {
                Value::Damaged
            })
        },
    );
    Ok(found.optional()?)
}

/// Stores a value in place of the previous one. Returns false if it is too large.
pub(super) fn put(
    connection: &Connection,
    limits: StoreLimits,
    handle: &Handle,
    key: &str,
    value: &[u8],
) -> Result<bool, Fault> {
    execute(
        connection,
        "DELETE FROM cache WHERE handle = (SELECT id FROM handle WHERE name = ?1) AND key = ?2",
        params![handle.as_str(), key],
    )?;
    let mut total = handles::total(connection)?;
    let room = limits.cache(total.text, total.artifacts);
    let bytes = entry_bytes(key, value);
    if bytes > room.min(ENTRY_BYTES) {
        return Ok(false);
    }
    let handle = handles::identifier(connection, handle)?;
    let sum = checksum(&[key.as_bytes(), value]);
    let added = "INSERT INTO value(bytes) VALUES(?1)";
    let value = insert(connection, added, [value])?;
    execute(
        connection,
        "INSERT INTO cache(handle, key, value, used, bytes, sum) \
         VALUES(?1, ?2, ?3, (SELECT coalesce(max(used), 0) + 1 FROM cache), ?4, ?5)",
        params![handle, key, value, signed(bytes), sum],
    )?;
    total.cache = total.cache.saturating_add(bytes);
    shrink(connection, limits, total)?;
    Ok(true)
}

/// Marks entries as used, in order.
pub(super) fn touch(connection: &Connection, entries: &[(Handle, String)]) -> Result<(), Fault> {
    for (handle, key) in entries {
        execute(
            connection,
            "UPDATE cache SET used = (SELECT max(used) + 1 FROM cache) \
             WHERE handle = (SELECT id FROM handle WHERE name = ?1) AND key = ?2",
            params![handle.as_str(), key],
        )?;
    }
    Ok(())
}

/// Removes the least recently used entries that have no room.
pub(super) fn shrink(
    connection: &Connection,
    limits: StoreLimits,
    mut total: Total,
) -> Result<(), Fault> {
    while total.cache > limits.cache(total.text, total.artifacts) {
        let oldest = "SELECT handle, key FROM cache ORDER BY used LIMIT 1";
        let oldest = first_row(connection, oldest, [], |row| Ok((row.get(0)?, row.get(1)?)));
        let oldest: Option<(i64, String)> = oldest.optional()?;
        let Some((handle, key)) = oldest else {
            return Ok(());
        };
        let removed = "DELETE FROM cache WHERE handle = ?1 AND key = ?2";
        if execute(connection, removed, params![handle, key])? == 0 {
            return Ok(());
        }
        total = handles::total(connection)?;
    }
    Ok(())
}
