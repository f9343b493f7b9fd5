//! Workbooks: the rows of their sheets, which are read like tables.

mod sheets;
mod statement;

use super::node::{Next, Node};
use super::way::Way;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::cells::{parse_range, reference};
use crate::path::query::{is_parameter, unknown};
use crate::path::rows::{RowsRequest, Selection, parse};
use crate::path::{Lines, Part, Selector, Suffix, View, ends_in};
use crate::read::offers::may_have_form;
use crate::read::{self, Content, Context, rows};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Container, Document, Kind};
use crate::sources;
use crate::subject::{Step, Subject};
use crate::tables::{self, NamedSheet, SheetOptions, SheetRows};
use crate::world;
use omniread_document as document;
use sheets::{one_spaced, text_path, unread};

/// A workbook in which the rest of the path may name a sheet or contain a query.
pub struct Workbook(document::Format);

impl Node for Workbook {
    fn detect(content: &mut Content, way: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        Ok(format(content, &way.subject, way.rest.as_ref()).map(Self))
    }

    fn consume(
        self,
        mut content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let (Self(format), Some(rest)) = (self, &way.rest) else {
            return Ok(Next::NotMine(content));
        };
        let subject = &way.subject;
        let cannot = |error| failure(error, &context.request.path);
        let mut input = Input::new(&mut *content.source, subject.bytes()).map_err(cannot)?;
        let document = match sources::open_document(format, &mut input, subject, context.world) {
            Ok(document) => document,
            // The answer is the reason why it cannot be read.
            Err(error) => {
                content.container = Some(Container::Document(Document::Engine(format)));
                content.opened = Some(Err(error));
                let selector = Selector::of(Part::Converted(View::Main));
                let answer = read::bytes(&mut content, subject.clone(), selector, context)?;
                return Ok(Next::Body(Box::new(answer)));
            }
        };
        let names = names(&*document);
        let answer = match requested(&names, subject, rest)? {
            // The path names no sheet and has no query, so it selects a part of the text.
            None => {
                content.opened = Some(Ok(document));
                return Ok(Next::NotMine(content));
            }
            Some(Requested::Statement(statement)) => {
                let table = rows::Requested {
                    subject: subject.clone(),
                    rest: Some(rest),
                    path: subject.before_selector(),
                    name: None,
                };
                rows::read(table, &mut input, context, |input, context, world| {
                    let subject = context.subject;
                    let tables = statement::tables(document, &names, &statement, subject, || {
                        sources::open_document(format, input, subject, world)
                    })?;
                    statement::run(tables, &names, &statement, context, world)
                })?
            }
            Some(Requested::Rows(index, name, selection)) => {
                let selection = rows::with_slice(selection, context.request)?;
                let text_path = text_path(&names, index, subject);
                let mut subject = subject.clone();
                subject.enter(Step::Table(name.clone()));
                let options = options(&selection, &subject)?;
                let sheet = NamedSheet {
                    index,
                    name: &name,
                    text_path: &text_path,
                };
                let mut sheet = SheetRows::open(document, sheet, options)
                    .map_err(|error| unread(&error, &subject))?;
                let table = rows::Requested {
                    path: subject.before_selector(),
                    subject,
                    rest: Some(rest),
                    name: Some(name),
                };
                let selected = RowsRequest::Rows(selection);
                rows::read(table, &mut input, context, |_, context, world| {
                    tables::read(&mut sheet, &selected, context, world)
                })?
            }
        };
        Ok(Next::Body(Box::new(answer)))
    }
}

/// The format of a workbook in which `rest` may name a sheet or contain a query. `None` for all
/// other content.
fn format(
    content: &mut Content,
    subject: &Subject,
    rest: Option<&Suffix>,
) -> Option<document::Format> {
    let rest = rest.filter(|rest| !rest.is_root())?;
    let document = match content.container {
        Some(Container::Document(document)) => document,
        Some(_) => return None,
        // A stream that names a part of its content was read into memory.
        None if !content.source.rewindable() => return None,
        // Lines of a text are no reason to look for a workbook.
        None if !matches!(rest.selector(), Ok(None)) && !is_compound_name(subject) => return None,
        None => {
            let mut input = Input::new(&mut *content.source, subject.bytes()).ok()?;
            match Document::of_bytes(&mut input, subject.hints().name) {
                Some(document) => document,
                None if matches!(rest.selector(), Ok(None)) => of_text(&mut input, subject)?,
                None => return None,
            }
        }
    };
    document.engine().filter(|_| document.is_workbook())
}

/// The document that a text is whose bare path shows the text, such as a workbook in one XML file.
fn of_text(input: &mut Input<'_>, subject: &Subject) -> Option<Document> {
    if !may_have_form(input.head(), subject) {
        return None;
    }
    let detected = sniff::sniff(input, subject.bytes(), None, subject.hints());
    let encoding = detected.encoding.filter(|_| detected.kind == Kind::Text)?;
    sources::of_text(input, encoding, subject.hints())
}

/// Whether the name is that of a workbook before 2007.
fn is_compound_name(subject: &Subject) -> bool {
    ends_in(subject.inner_name(), &["xls", "xlt"])
}

/// What a path requests of a workbook.
enum Requested {
    /// Rows of the sheet with this index and name.
    Rows(u64, String, Selection),
    /// The result of a statement.
    Statement(String),
}

/// The names of the sheets.
fn names(document: &dyn world::Document) -> Vec<String> {
    let units = document.facts().list.iter();
    units.map(|unit| unit.name.clone()).collect()
}

/// Parses the rest of a path. `None` if it is the selector of a part of the text of the workbook.
fn requested(
    names: &[String],
    subject: &Subject,
    rest: &Suffix,
) -> Result<Option<Requested>, Failure> {
    if rest.as_str().starts_with('?') {
        if rest.as_str().starts_with("?q=")
            && let Some(RowsRequest::Statement(statement)) = parse(rest.as_str())?
        {
            return Ok(Some(Requested::Statement(statement)));
        }
        // The only sheet needs no name.
        return match names {
            [name] => {
                let selection = selection(rest.as_str(), name, subject)?;
                Ok(Some(Requested::Rows(0, name.clone(), selection)))
            }
            _ => Err(missing(names, subject, rest)),
        };
    }
    let candidates = rest.names();
    let exact = |wanted: &str| names.iter().position(|name| name == wanted);
    // Neither case nor spaces matter if no sheet has exactly this name.
    let plain = |name: &str| sources::normalize(&one_spaced(name)).to_lowercase();
    let similar = |wanted: &str| {
        let wanted = plain(wanted);
        names.iter().position(|name| plain(name) == wanted)
    };
    let found = candidates
        .iter()
        .find_map(|(name, after)| Some((exact(name)?, after)))
        .or_else(|| {
            candidates
                .iter()
                .find_map(|(name, after)| Some((similar(name)?, after)))
        });
    let Some((index, after)) = found else {
        let find = |name: &str| exact(name).or_else(|| similar(name));
        if let Some((index, cells)) = referred(names, rest, find) {
            let name = names.get(index).cloned().unwrap_or_default();
            let selection = selection(&cells, &name, subject)?;
            return Ok(Some(Requested::Rows(index as u64, name, selection)));
        }
        // A selector of the text, or the name of a sheet that does not exist.
        return match rest.selector() {
            Ok(None) if rest.without_column().is_none() => Err(missing(names, subject, rest)),
            _ => Ok(None),
        };
    };
    let name = names.get(index).cloned().unwrap_or_default();
    let selection = selection(after.as_ref().map_or("", Suffix::as_str), &name, subject)?;
    Ok(Some(Requested::Rows(index as u64, name, selection)))
}

/// The sheet and the cells of a reference as in a formula, `Sales!B4:F20` or `'My sheet'!B4`, or of
/// cells alone if there is only one sheet. A query may follow. `find` finds a sheet by its name. Lines
/// of the text, such as `L3` and `L1-L3`, are no cells. After `!`, they are.
fn referred(
    names: &[String],
    suffix: &Suffix,
    find: impl Fn(&str) -> Option<usize>,
) -> Option<(usize, String)> {
    let rest = suffix.as_str();
    let (cells, query) = match rest.split_once('?') {
        Some((cells, query)) => (cells, format!("&{query}")),
        None => (rest, String::new()),
    };
    if let Some((name, range)) = cells.rsplit_once('!') {
        let range = reference(range)?;
        let quoted = name
            .strip_prefix('\'')
            .and_then(|name| name.strip_suffix('\''));
        let name = quoted.map_or(name.to_owned(), |name| name.replace("''", "'"));
        return Some((find(&name)?, format!("?range={range}{query}")));
    }
    // A number with a colon is a place in the text of the workbook.
    let is_cell = cells.bytes().any(|b| b.is_ascii_alphabetic())
        && reference(cells).is_some()
        && matches!(suffix.selector(), Ok(None));
    (names.len() == 1 && is_cell).then(|| (0, rest.to_owned()))
}

/// The parameters that only sheets have.
const OF_SHEET: [&str; 2] = ["range", "formulas"];

/// Parses the text after the name of a sheet. The parameters that only sheets have come first.
fn selection(text: &str, sheet: &str, subject: &Subject) -> Result<Selection, Failure> {
    let (selector, query) = text.split_once('?').unwrap_or((text, ""));
    let path = || {
        let mut subject = subject.clone();
        subject.inner_path.push(Step::Table(sheet.to_owned()));
        escape_invisible(&subject.before_selector())
    };
    let mut of_sheet = Vec::new();
    let mut others = Vec::new();
    let mut parameters = query.split('&');
    for parameter in parameters.by_ref() {
        let (name, _) = parameter.split_once('=').unwrap_or((parameter, ""));
        if OF_SHEET.contains(&name) {
            of_sheet.push(parameter.to_owned());
        } else if matches!(name, "" | "q") || is_parameter(name) {
            others.push(parameter);
        } else {
            return Err(unknown(name, &OF_SHEET));
        }
        // A condition extends to the end.
        if name == "where" {
            break;
        }
    }
    others.extend(parameters);
    let mut rows = selector;
    if let Some(cells) = reference(selector).filter(|_| !matches!(parse(selector), Ok(Some(_)))) {
        if of_sheet
            .iter()
            .any(|parameter| parameter.starts_with("range="))
        {
            return Err(invalid(text, "a range is given twice"));
        }
        of_sheet.insert(0, format!("range={cells}"));
        rows = "";
    }
    let others = others.join("&");
    let mark = if others.is_empty() { "" } else { "?" };
    let text = format!("{rows}{mark}{others}");
    match parse(&text)? {
        Some(RowsRequest::Rows(selection)) => Ok(Selection {
            of_sheet,
            ..selection
        }),
        Some(RowsRequest::Statement(_)) => {
            Err(
                invalid(&text, "a statement follows the path of the workbook").hint(format!(
                    "use `{}`",
                    escape_invisible(&subject.query_path(None, &text))
                )),
            )
        }
        None => {
            let path = path();
            Err(invalid(&text, "it selects no rows").hint(format!(
                "read rows with `{path}:1-20`, cells with `{path}:A1:C20`; name columns in `?where=` and `?order=`"
            )))
        }
    }
}

fn invalid(text: &str, why: &str) -> Failure {
    let text = escape_invisible(text);
    let message = format!("`{text}` is not valid after a sheet: {why}");
    Failure::new(Reason::InvalidSelector(text), message)
}

/// What is read of a sheet for a selection of its rows.
fn options(selection: &Selection, subject: &Subject) -> Result<SheetOptions, Failure> {
    let parameters = &selection.parameters;
    let mut options = SheetOptions {
        loaded: parameters.filter.is_some() || parameters.order.is_some(),
        all: selection.lines != Lines::All,
        ..SheetOptions::default()
    };
    for parameter in &selection.of_sheet {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        match (name, value) {
            ("range", value) => {
                let range = parse_range(value);
                options.range = Some(range.ok_or_else(|| {
                    let path = escape_invisible(&subject.before_selector());
                    invalid(parameter, "a range is like B4:F20")
                        .hint(format!("use `{path}?range=B4:F20`"))
                })?);
                options.all = true;
            }
            (_, "on" | "") => options.formulas = true,
            (_, "off") => options.formulas = false,
            _ => {
                let path = escape_invisible(&subject.before_selector());
                return Err(invalid(parameter, "formulas are on or off")
                    .hint(format!("use `{path}?formulas=on`")));
            }
        }
    }
    options.all &= !options.loaded;
    Ok(options)
}

/// The failure for a sheet that does not exist.
fn missing(names: &[String], subject: &Subject, rest: &Suffix) -> Failure {
    let paths: Vec<String> = names
        .iter()
        .take(limits::LISTED_RANGES)
        .map(|name| subject.member_path(name))
        .collect();
    let path = escape_invisible(&subject.requested);
    let message = format!(
        "Path '{path}:{}' not found",
        escape_invisible(rest.as_str())
    );
    let shown: Vec<String> = paths
        .iter()
        .map(|path| format!("`{}`", escape_invisible(path)))
        .collect();
    let more = names.len().saturating_sub(paths.len());
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let hint = format!("the sheets are {}{more}", shown.join(", "));
    Failure::new(Reason::NotFound(paths), message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a path requests of a workbook with one sheet. `text` for a part of its text.
    fn of_one_sheet(rest: &str) -> String {
        of_sheets(&["Sales"], rest)
    }

    /// What a path requests of a workbook with these sheets.
    fn of_sheets(names: &[&str], rest: &str) -> String {
        let subject = Subject::stdin(false);
        let rest = Suffix::of(rest);
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        match requested(&names, &subject, &rest).unwrap() {
            None => "text".to_owned(),
            Some(Requested::Statement(statement)) => statement,
            Some(Requested::Rows(index, name, selection)) => {
                format!("{index} {name} {}", selection.of_sheet.join("&"))
            }
        }
    }

    #[test]
    fn lines_with_a_letter_are_no_cells() {
        for text in [
            "L3", "l3", "L1-L3", "L1-3", "1-L3", "L1..L3", "L1+L3", "L1-", "L1,L3", "1-3", "L3-L1",
            "L3:raw", "raw:L3",
        ] {
            assert_eq!(of_one_sheet(text), "text", "{text}");
        }
        for (cells, range) in [
            ("B4", "B4"),
            ("B4:F20", "B4:F20"),
            ("B4-F20", "B4:F20"),
            ("$L$3", "L3"),
            ("L1:L3", "L1:L3"),
            ("L1-M3", "L1:M3"),
            ("Sales!L3", "L3"),
            ("Sales:B4", "B4"),
        ] {
            let expected = format!("0 Sales range={range}");
            assert_eq!(of_one_sheet(cells), expected, "{cells}");
        }
    }
    #[test]
    fn name_of_a_sheet_is_found_whatever_its_characters() {
        let names = [
            " lead",
            "lead",
            "trail ",
            "a  b",
            "1-5",
            "raw",
            "Bob's \"Q\" 📈",
            "C#5",
            "img",
            "A1",
            "Sheet!x",
            "x?y",
        ];
        for (index, name) in names.iter().enumerate() {
            let expected = format!("{index} {name} ");
            assert_eq!(of_sheets(&names, name), expected);
            let expected = format!("{index} {name} range=B2");
            assert_eq!(of_sheets(&names, &format!("{name}:B2")), expected);
            // A question mark starts a query after cells.
            if !name.contains('?') {
                let quoted = format!("'{}'!B2", name.replace('\'', "''"));
                assert_eq!(of_sheets(&names, &quoted), expected);
            }
        }
        // Spaces do not matter if no other sheet has the name.
        for (text, found) in [
            ("trail", "2 trail  "),
            ("a b", "3 a  b "),
            (" LEAD ", "0  lead "),
        ] {
            assert_eq!(of_sheets(&names, text), found);
        }
    }
}
