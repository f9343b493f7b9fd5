//! Statements over the sheets of a workbook, each of which is a table with the name of the sheet.

use super::sheets::{one_spaced, text_path, unread};
use crate::escapes::escape_invisible;
use crate::failure::Failure;
use crate::limits;
use crate::sources::OpenDocument;
use crate::sqlite::{Shown, quoted};
use crate::subject::Subject;
use crate::tables::{self, NamedSheet, Rows, SheetOptions, SheetRows, TableContext};
use crate::world::{Document, World};

/// A table of a statement, by its name in the statement.
type NamedTable = (String, Box<dyn Rows>);

/// Opens the sheets that a statement names. `open` is the workbook, and `names` are the names of its
/// sheets. A sheet that is loaded closes it, so `reopen` opens it again for the next one.
///
/// # Errors
/// Fails if a sheet cannot be read.
pub fn tables(
    open: Box<dyn Document>,
    names: &[String],
    statement: &str,
    subject: &Subject,
    mut reopen: impl FnMut() -> OpenDocument,
) -> Result<Vec<NamedTable>, Failure> {
    let options = SheetOptions {
        loaded: true,
        ..SheetOptions::default()
    };
    let mut open = Some(Ok(open));
    let named = named(names, statement).into_iter();
    let tables = named.map(|(index, name)| {
        let document = open.take().unwrap_or_else(&mut reopen);
        let text_path = text_path(names, index as u64, subject);
        let sheet = NamedSheet {
            index: index as u64,
            name: names.get(index).map_or("", String::as_str),
            text_path: &text_path,
        };
        let rows = document.and_then(|document| SheetRows::open(document, sheet, options));
        let rows = rows.map_err(|error| unread(&error, subject))?;
        let rows: Box<dyn Rows> = Box::new(rows);
        Ok((name, rows))
    });
    tables.collect()
}

/// Runs a statement on sheets. `names` are the names of all sheets.
///
/// # Errors
/// Fails if the statement is not valid, or if the sheets do not fit into the memory of the engine.
pub fn run(
    tables: Vec<NamedTable>,
    names: &[String],
    statement: &str,
    context: &TableContext<'_>,
    world: &mut dyn World,
) -> Result<Shown, Failure> {
    tables::statement_on(tables, statement, context, world).map_err(|failure| {
        if !failure.message.contains("no such table") {
            return failure;
        }
        let list = names.iter().take(limits::LISTED_RANGES);
        let list: Vec<String> = list.map(|name| quoted(name)).collect();
        let more = match names.len().saturating_sub(list.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let list = escape_invisible(&list.join(", "));
        failure.hint(format!("the tables are the sheets {list}{more}"))
    })
}

/// The sheets that a statement names: the index of each, and its name in the statement. The first
/// sheet as `data` if no sheet has the name, because a statement may name it otherwise.
fn named(names: &[String], statement: &str) -> Vec<(usize, String)> {
    let lowercase = statement.to_lowercase();
    let occurs = |name: &str| {
        let name = name.to_lowercase();
        // In a name in quotes, each quote is doubled.
        let in_quotes =
            ['"', '\'', '`'].map(|quote| name.replace(quote, &format!("{quote}{quote}")));
        has_word(&lowercase, &name) || in_quotes.iter().any(|name| has_word(&lowercase, name))
    };
    let mut found = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let spaced = one_spaced(name);
        if occurs(name) {
            found.push((index, name.clone()));
        } else if !names.contains(&spaced) && occurs(&spaced) {
            found.push((index, spaced));
        }
    }
    if found.is_empty() {
        found.extend(names.first().map(|_| (0, "data".to_owned())));
    }
    found
}

/// Whether a text has a name that is not a part of a longer word.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = at.checked_add(name.len()).and_then(|end| text.get(end..));
            let after = after.and_then(|text| text.chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statement_names_sheets_with_quotes_and_spaces() {
        let names = [" lead", "lead", "Bob's \"Q\" 📈", "1-5", "trail ", "a  b"];
        let names = names.map(str::to_owned);
        let of = |statement: &str| named(&names, statement);
        let one = |index: usize, name: &str| vec![(index, name.to_owned())];
        assert_eq!(of("select * from \"1-5\""), one(3, "1-5"));
        assert_eq!(
            of("select * from \"bob's \"\"q\"\" 📈\""),
            one(2, "Bob's \"Q\" 📈")
        );
        assert_eq!(of("select * from [trail ]"), one(4, "trail "));
        assert_eq!(of("select * from trail"), one(4, "trail"));
        assert_eq!(of("select * from \"a b\""), one(5, "a b"));
        assert_eq!(of("select * from lead"), one(1, "lead"));
        let both = of("select * from \" lead\"");
        assert!(both.contains(&(0, " lead".to_owned())), "{both:?}");
        assert_eq!(of("select 1"), one(0, "data"));
    }
}
