//! The tables of a store, and the numbers that identify its file.

use super::fault::Fault;
use rusqlite::Connection;

/// The number that identifies a file as a store of omniread: `omns` in ASCII.
pub(super) const APPLICATION: i64 = 0x6f6d_6e73;

/// The version of the tables. A store of a newer version is set aside.
pub(super) const VERSION: i64 = 2;

/// The statements that create the tables, in order.
///
/// Triggers count sizes in the table `total`, so that the limits need no scan, and remove what belongs to
/// a removed row. The columns `sum` are checksums of values: SQLite does not notice a damaged value on
/// a page of its own.
///
/// Columns named `used` and `number` give the order, because a clock may go backwards. The identifier of a path
/// and those of its snapshots are the value of `used` at their creation, which grows: it is counted in `total.used`.
///
/// `handle.images` and `handle.image_tokens` count the images that were shown in the present generation.
///
/// `handle.artifacts` is the number of the next artifact. A number is not used again after its artifact is removed.
///
/// `total.paths` is the size of the paths of replies.
///
/// `held` is the size of the runs and windows of a snapshot. Triggers for each of them would take most of the time.
///
/// Each index is one more page to write in each read, so that most tables have only their primary key.
const STATEMENTS: [&str; 27] = [
    "CREATE TABLE handle(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, generation INTEGER NOT NULL, artifacts INTEGER NOT NULL, used INTEGER NOT NULL, images INTEGER NOT NULL, image_tokens INTEGER NOT NULL) STRICT",
    "CREATE INDEX handle_used ON handle(used)",
    "CREATE TABLE path(handle INTEGER NOT NULL, name TEXT NOT NULL, id INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY(handle, name)) STRICT, WITHOUT ROWID",
    "CREATE INDEX path_used ON path(handle, used)",
    "CREATE TABLE snapshot(path INTEGER NOT NULL, id INTEGER NOT NULL, tag TEXT, read INTEGER NOT NULL, bytes INTEGER NOT NULL, held INTEGER NOT NULL, sum INTEGER NOT NULL, facts BLOB NOT NULL, PRIMARY KEY(path, id)) STRICT, WITHOUT ROWID",
    "CREATE TABLE run(path INTEGER NOT NULL, snapshot INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, bytes INTEGER NOT NULL, sum INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY(path, snapshot, first)) STRICT, WITHOUT ROWID",
    "CREATE TABLE window(path INTEGER NOT NULL, snapshot INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, number INTEGER NOT NULL, bytes INTEGER NOT NULL, sum INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY(path, snapshot, first, last)) STRICT, WITHOUT ROWID",
    "CREATE TABLE cache(handle INTEGER NOT NULL, key TEXT NOT NULL, value INTEGER NOT NULL, used INTEGER NOT NULL, bytes INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(handle, key)) STRICT, WITHOUT ROWID",
    "CREATE INDEX cache_used ON cache(used)",
    // A use of an entry writes its row in `cache`, and not its value.
    "CREATE TABLE value(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
    "CREATE TABLE artifact(id INTEGER PRIMARY KEY AUTOINCREMENT, handle INTEGER NOT NULL, number INTEGER, source TEXT NOT NULL, mime TEXT NOT NULL, size INTEGER NOT NULL, touched INTEGER NOT NULL, sum INTEGER NOT NULL, real TEXT, UNIQUE(handle, number)) STRICT",
    "CREATE INDEX artifact_open ON artifact(touched) WHERE number IS NULL",
    "CREATE TABLE part(id INTEGER PRIMARY KEY, artifact INTEGER NOT NULL, number INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE(artifact, number)) STRICT",
    "CREATE TABLE reply(handle INTEGER NOT NULL, key BLOB NOT NULL, used INTEGER NOT NULL, content BLOB NOT NULL, path TEXT NOT NULL, generation INTEGER NOT NULL, read INTEGER NOT NULL, PRIMARY KEY(handle, key)) STRICT, WITHOUT ROWID",
    "CREATE INDEX reply_used ON reply(used)",
    "CREATE TABLE total(text INTEGER NOT NULL, cache INTEGER NOT NULL, artifacts INTEGER NOT NULL, replies INTEGER NOT NULL, paths INTEGER NOT NULL, used INTEGER NOT NULL, checkpoints INTEGER NOT NULL) STRICT",
    "CREATE TRIGGER handle_removed AFTER DELETE ON handle BEGIN DELETE FROM path WHERE handle = OLD.id; DELETE FROM cache WHERE handle = OLD.id; DELETE FROM artifact WHERE handle = OLD.id; DELETE FROM reply WHERE handle = OLD.id; END",
    "CREATE TRIGGER path_removed AFTER DELETE ON path BEGIN DELETE FROM snapshot WHERE path = OLD.id; END",
    "CREATE TRIGGER snapshot_added AFTER INSERT ON snapshot BEGIN UPDATE total SET text = text + NEW.bytes + NEW.held; END",
    "CREATE TRIGGER snapshot_changed AFTER UPDATE OF bytes, held ON snapshot BEGIN UPDATE total SET text = text + NEW.bytes + NEW.held - OLD.bytes - OLD.held; END",
    "CREATE TRIGGER snapshot_removed AFTER DELETE ON snapshot BEGIN UPDATE total SET text = text - OLD.bytes - OLD.held; DELETE FROM run WHERE path = OLD.path AND snapshot = OLD.id; DELETE FROM window WHERE path = OLD.path AND snapshot = OLD.id; END",
    "CREATE TRIGGER cache_added AFTER INSERT ON cache BEGIN UPDATE total SET cache = cache + NEW.bytes; END",
    "CREATE TRIGGER cache_removed AFTER DELETE ON cache BEGIN UPDATE total SET cache = cache - OLD.bytes; DELETE FROM value WHERE id = OLD.value; END",
    "CREATE TRIGGER artifact_grown AFTER UPDATE OF size ON artifact BEGIN UPDATE total SET artifacts = artifacts + NEW.size - OLD.size; END",
    "CREATE TRIGGER artifact_removed AFTER DELETE ON artifact BEGIN UPDATE total SET artifacts = artifacts - OLD.size; DELETE FROM part WHERE artifact = OLD.id; END",
    "CREATE TRIGGER reply_added AFTER INSERT ON reply BEGIN UPDATE total SET replies = replies + 1, paths = paths + length(CAST(NEW.path AS BLOB)); END",
    "CREATE TRIGGER reply_removed AFTER DELETE ON reply BEGIN UPDATE total SET replies = replies - 1, paths = paths - length(CAST(OLD.path AS BLOB)); END",
];

/// Creates the tables in an empty database.
pub(super) fn create(connection: &Connection) -> Result<(), Fault> {
    connection.execute_batch("BEGIN")?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    for statement in STATEMENTS {
        connection.execute(statement, [])?;
    }
    connection.execute("INSERT INTO total VALUES(0, 0, 0, 0, 0, 0, 0)", [])?;
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// A number in the header of the database.
pub(super) fn pragma(connection: &Connection, name: &str) -> Result<i64, Fault> {
    Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
}

/// Why a database is not a store that this version can use, or `None`.
///
/// This compares the tables with the expected ones. A check of all pages takes too long for each start.
pub(super) fn mismatch(connection: &Connection) -> Result<Option<String>, Fault> {
    if pragma(connection, "application_id")? != APPLICATION {
        return Ok(Some("it is a database of another application".to_owned()));
    }
    let version = pragma(connection, "user_version")?;
    if version > VERSION {
        return Ok(Some(format!(
            "a newer version of omniread wrote it: its format is {version}, and this one reads {VERSION}"
        )));
    }
    let mut found = connection.prepare(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )?;
    let found = found.query_map([], |row| row.get(0))?;
    let mut found: Vec<String> = found.collect::<Result<_, _>>()?;
    found.sort_unstable();
    let mut expected = STATEMENTS;
    expected.sort_unstable();
    if version != VERSION || found != expected {
        return Ok(Some("its tables are not those of omniread".to_owned()));
    }
    Ok(None)
}
