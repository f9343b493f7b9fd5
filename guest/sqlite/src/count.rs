//! Counts the rows of a table by the headers of its pages.

#![allow(unsafe_code, reason = "SQLite is C")]

use crate::bindings::exports::omniread::parts::sqlite::{Error, Value};
use crate::connection::Connection;
use crate::pages::{Layout, Root};
use crate::statement::{Statement, quoted};
use sqlite_wasm_rs as ffi;
use std::ffi::CString;

/// The maximum number of instructions of SQLite's virtual machine to explain a statement.
const PLAN_WORK: u64 = 100_000;

impl Connection {
    /// Counts the rows of a table, and stops after more than `most`. `None` if a statement has to count them: the
    /// database has a log or an unfinished transaction, the table is not an ordinary one, or a page is damaged.
    pub fn count(&self, table: &str, most: u64) -> Result<Option<u64>, Error> {
        self.unchanged(|| {
            self.handle.watch.start(PLAN_WORK);
            let Some(main) = self.plain_file() else {
                return Ok(None);
            };
            if self.schema()?.is_some() {
                return Ok(None);
            }
            let mut head = [0; 100];
            let read = main.read(0, &mut head).map_err(Error::Io)?;
            let layout = Layout::of(head.get(..read).unwrap_or_default(), self.size());
            let (Some(layout), Some(root)) = (layout, self.root(table)) else {
                return Ok(None);
            };
            let page = layout.page();
            Ok(layout.count(root, most, &mut |number, visit| {
                let at = u64::from(number.saturating_sub(1)).saturating_mul(page as u64);
                // A page that cannot be read is not visited, and the statement has the error.
                let _ = main.visit(at, page, visit);
            }))
        })
    }

    /// The first page of the tree that SQLite visits to count the rows of a table: that of the table or of its
    /// smallest index. `None` if it does not count by page.
    fn root(&self, table: &str) -> Option<Root> {
        let sql = format!("EXPLAIN SELECT count(*) FROM {}", quoted(table));
        let sql = CString::new(sql).ok()?;
        let plan = Statement::new(&self.handle, &sql).ok()?;
        let (mut root, mut trees, mut counts) = (None, 0, false);
        while plan.step() == ffi::SQLITE_ROW {
            let (Value::Text(operation), _) = plan.value(1, 16) else {
                return None;
            };
            match operation.as_str() {
                "OpenRead" => {
                    trees += 1;
                    if let (Value::Integer(page), _) = plan.value(3, 0) {
                        // An index is opened with the order of its columns.
                        let (key, _) = plan.value(5, 16);
                        let is_table = !matches!(key, Value::Text(key) if key.starts_with("k("));
                        let page = u32::try_from(page).ok();
                        root = page.map(|page| Root { page, is_table });
                    }
                }
                "Count" => counts = true,
                "VOpen" | "OpenEphemeral" | "InitCoroutine" => return None,
                _ => {}
            }
        }
        root.filter(|_| trees == 1 && counts)
    }
}
