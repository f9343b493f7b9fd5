//! Evaluates the program of a statement that scans one table, without the virtual machine of SQLite.
//!
//! SQLite compiles a statement to a program, which `EXPLAIN` shows. The program contains all that the statement
//! means: affinities, collations, the order of groups. A program that consists of a scan of a table and of simple
//! instructions is evaluated here, on the bytes of the pages. At the first doubt, on the program or on a page, the
//! caller lets SQLite run the statement. Groups are collected in a hash table: SQLite sorts all rows, which takes
//! most of its time. Its sort is stable, so each group has its rows in the same order in both.
//!
//! ```text
//! program     instructions of a program
//! plan        recognition of a program: the loop over the rows, and its groups
//! flow        registers of the loop that have a value
//! row         instructions of the loop, for each row
//! like        the operator LIKE
//! record      values of a row in a page
//! group       groups and their aggregates
//! aggregate   count, sum, avg, total, min and max
//! finish      instructions outside of the loop
//! value       values, and their comparison
//! ```

pub mod aggregate;
pub mod finish;
pub mod flow;
pub mod group;
pub mod like;
pub mod plan;
pub mod program;
pub mod record;
pub mod row;
pub mod value;

#[cfg(test)]
mod tests;
