//! Details of directories, archives and databases.

use super::window::Total;
use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// Details of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct DirectoryDetails {
    /// The number of entries of the directory, without those of its subdirectories.
    pub entries: Total,
    /// The number of entries of the directory that the listing contains, without those of its
    /// subdirectories.
    pub listed: u64,
    /// The number of entries that deny rules removed from the listing.
    #[component(name = "denied-entries")]
    pub denied_entries: u64,
}

/// Details of an archive, or of a directory in it.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct ArchiveDetails {
    /// The format of the archive, such as `zip archive`.
    pub format: String,
    /// The number of entries of the directory, without those of its subdirectories.
    pub entries: Total,
    /// The number of entries of the directory that the listing contains, without those of its
    /// subdirectories.
    pub listed: u64,
    /// The number of entries that deny rules removed from the listing.
    #[component(name = "denied-entries")]
    pub denied_entries: u64,
}

/// Details of a database.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct DatabaseDetails {
    /// The requested part.
    pub part: DatabasePart,
    /// The name of the requested table, if one was requested.
    pub table: Option<String>,
    /// The names of the shown columns.
    pub columns: Vec<String>,
    /// The number of shown rows. For [`DatabasePart::Tables`], it is the number of shown tables.
    pub rows: u64,
    /// The number of all rows that the request selects, or of all tables, shown or not.
    pub total: Total,
}

/// The part of a database that was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(enum)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DatabasePart {
    /// The list of tables and views.
    #[component(name = "tables")]
    Tables,
    /// The definition of a table, and sample rows.
    #[component(name = "schema")]
    Schema,
    /// One row, selected by its key.
    #[component(name = "row")]
    Row,
    /// The rows of a table that the path selects.
    #[component(name = "query")]
    Query,
    /// The rows that the SQL statement in `?q=` returns.
    #[component(name = "raw")]
    Raw,
}
