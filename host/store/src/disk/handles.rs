//! The handles, their generations and shown replies, and the sizes of everything in a store on disk.

use super::fault::Fault;
use super::statement::{all_rows, execute, first_row, insert};
use crate::backend::now;
use crate::handle::Handle;
use crate::limits::{HANDLES, REPLIES, StoreLimits};
use crate::records::{NewReply, ShownImages, ShownReply};
use rusqlite::{Connection, OptionalExtension, params};

/// The sizes of what a store has, as they count for the limits.
pub(super) struct Total {
    pub(super) text: u64,
    pub(super) cache: u64,
    pub(super) artifacts: u64,
}

/// A number as SQLite has it. Numbers in a store are far below the maximum.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that is not negative. A negative one in a damaged store counts as 0.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn total(connection: &Connection) -> Result<Total, Fault> {
    let total = "SELECT text, cache, artifacts FROM total";
    let total = first_row(connection, total, [], |row| {
        Ok(Total {
            text: unsigned(row.get(0)?),
            cache: unsigned(row.get(1)?),
            artifacts: unsigned(row.get(2)?),
        })
    });
    Ok(total?)
}

/// The identifier of a handle, which is added if it has no data yet.
pub(super) fn identifier(connection: &Connection, handle: &Handle) -> Result<i64, Fault> {
    // A handle that is used several times in turn is written only once.
    let found = "SELECT id, used < (SELECT max(used) FROM handle) FROM handle WHERE name = ?1";
    let found = first_row(connection, found, [handle.as_str()], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    if let Some((id, is_older)) = found.optional()? {
        if is_older {
            let used = "UPDATE handle SET used = (SELECT max(used) + 1 FROM handle) WHERE id = ?1";
            execute(connection, used, [id])?;
        }
        return Ok(id);
    }
    execute(
        connection,
        "DELETE FROM handle WHERE id = (SELECT id FROM handle ORDER BY used LIMIT 1) \
         AND (SELECT count(*) FROM handle) >= ?1",
        [i64::try_from(HANDLES).unwrap_or(i64::MAX)],
    )?;
    Ok(insert(
        connection,
        "INSERT INTO handle(name, generation, artifacts, used, images, image_tokens) \
         VALUES(?1, 0, 0, (SELECT coalesce(max(used), 0) + 1 FROM handle), 0, 0)",
        [handle.as_str()],
    )?)
}

/// The names of all handles.
pub(super) fn all(connection: &Connection) -> Result<Vec<Handle>, Fault> {
    let all = "SELECT name FROM handle ORDER BY name";
    let all: Vec<String> = all_rows(connection, all, [], |row| row.get(0))?;
    let all = all.iter().filter_map(|name| Handle::new(name).ok());
    Ok(all.collect())
}

pub(super) fn generation(connection: &Connection, handle: &Handle) -> Result<u64, Fault> {
    let found = "SELECT generation FROM handle WHERE name = ?1";
    let found = first_row(connection, found, [handle.as_str()], |row| row.get(0)).optional()?;
    Ok(found.map_or(0, unsigned))
}

/// Writes the number of the present generation, and removes the replies and the images of earlier ones.
pub(super) fn write_generation(
    connection: &Connection,
    handle: &Handle,
    generation: u64,
) -> Result<(), Fault> {
    let handle = identifier(connection, handle)?;
    execute(
        connection,
        "UPDATE handle SET generation = ?2, images = 0, image_tokens = 0 WHERE id = ?1",
        params![handle, signed(generation)],
    )?;
    execute(
        connection,
        "DELETE FROM reply WHERE handle = ?1 AND generation < ?2",
        params![handle, signed(generation)],
    )?;
    Ok(())
}

/// The images that were shown in the present generation.
pub(super) fn images(connection: &Connection, handle: &Handle) -> Result<ShownImages, Fault> {
    let found = "SELECT images, image_tokens FROM handle WHERE name = ?1";
    let found = first_row(connection, found, [handle.as_str()], |row| {
        Ok(ShownImages {
            count: unsigned(row.get(0)?),
            tokens: unsigned(row.get(1)?),
        })
    });
    Ok(found.optional()?.unwrap_or_default())
}

/// Adds images that were shown in the present generation.
pub(super) fn add_images(
    connection: &Connection,
    handle: &Handle,
    images: ShownImages,
) -> Result<(), Fault> {
    let before = self::images(connection, handle)?;
    let handle = identifier(connection, handle)?;
    execute(
        connection,
        "UPDATE handle SET images = ?2, image_tokens = ?3 WHERE id = ?1",
        params![
            handle,
            signed(before.count.saturating_add(images.count)),
            signed(before.tokens.saturating_add(images.tokens))
        ],
    )?;
    Ok(())
}

pub(super) fn shown(
    connection: &Connection,
    handle: &Handle,
    key: &[u8; 32],
) -> Result<Option<ShownReply>, Fault> {
    let found = first_row(
        connection,
        "SELECT reply.content, reply.path, reply.generation, reply.read FROM reply JOIN handle ON handle.id = reply.handle \
         WHERE handle.name = ?1 AND reply.key = ?2 AND reply.generation = handle.generation",
        params![handle.as_str(), key],
        |row| {
            Ok(ShownReply {
                content: row.get(0)?,
                path: row.get(1)?,
                generation: unsigned(row.get(2)?),
                read: row.get(3)?,
            })
        },
    );
    Ok(found.optional()?)
}

/// Adds a shown reply of the present generation.
pub(super) fn note_shown(
    connection: &Connection,
    handle: &Handle,
    limits: StoreLimits,
    key: &[u8; 32],
    reply: &NewReply<'_>,
) -> Result<(), Fault> {
    let handle = identifier(connection, handle)?;
    execute(
        connection,
        "DELETE FROM reply WHERE handle = ?1 AND key = ?2",
        params![handle, key],
    )?;
    execute(
        connection,
        "INSERT INTO reply(handle, key, used, content, path, generation, read) \
         VALUES(?1, ?2, (SELECT coalesce(max(used), 0) + 1 FROM reply), ?3, ?4, ?5, ?6)",
        params![
            handle,
            key,
            reply.content,
            reply.path,
            signed(reply.generation),
            now()
        ],
    )?;
    remove_replies(connection, limits)
}

/// Removes the oldest replies that exceed the limits.
fn remove_replies(connection: &Connection, limits: StoreLimits) -> Result<(), Fault> {
    let excess = "DELETE FROM reply WHERE (handle, key) = (SELECT handle, key FROM reply ORDER BY used LIMIT 1) \
                  AND (SELECT replies > ?1 OR paths > ?2 FROM total)";
    let most = [signed(REPLIES as u64), signed(limits.reply_paths())];
    while execute(connection, excess, most)? > 0 {}
    Ok(())
}
