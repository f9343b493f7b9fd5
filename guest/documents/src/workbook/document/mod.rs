//! A workbook as a document. Each sheet is a unit.
//!
//! ```text
//! mod.rs  a sheet: heading, tables, drawings, comments
//! items   the cells of a sheet with their displayed texts
//! split   cells → separate tables
//! join    parts that are one table in spite of empty rows or columns
//! continued whether rows continue the table above
//! table   a table → Markdown
//! place   where a part is: comments with addresses of cells
//! ```

mod continued;
mod items;
mod join;
mod place;
mod split;
mod table;
#[cfg(test)]
mod tests;

use super::{CellLink, Drawing, Objects, SheetFacts, Visibility, Workbook, column_name};
use crate::model::{Block, Inline, Style};
use crate::note::quoted_name;
use crate::{Document, Error, Facts, Unit, UnitFacts, UnitKind, limits, markdown};
use items::{Item, Items};

/// The number of texts after which a comment names their addresses again.
const TEXTS: usize = 8;

/// Returns a document for a workbook. `format` is the name of the format, such as
/// `Excel workbook`.
pub fn document(
    format: &str,
    metadata: Vec<(String, String)>,
    workbook: Box<dyn Workbook>,
    notes: Vec<String>,
) -> Result<Box<dyn Document>, Error> {
    let list = workbook.sheets().iter().map(|sheet| UnitFacts {
        name: sheet.name.clone(),
        hidden: sheet.visibility != Visibility::Visible,
    });
    let facts = Facts {
        format: format.to_owned(),
        metadata,
        units: Some(UnitKind::Sheet),
        list: list.collect(),
    };
    Ok(Box::new(Sheets {
        facts,
        notes,
        workbook,
    }))
}

struct Sheets {
    facts: Facts,
    notes: Vec<String>,
    workbook: Box<dyn Workbook>,
}

impl Document for Sheets {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn unit(&mut self, index: usize) -> Unit {
        let Some(sheet) = self.workbook.sheets().get(index).cloned() else {
            return Unit::default();
        };
        let facts = self.workbook.sheet(index);
        let objects = self.workbook.objects(index);
        let mut parts = Parts::default();
        parts.block(&Block::Heading {
            level: 2,
            content: vec![Inline::plain(&sheet.name)],
        });
        if sheet.visibility != Visibility::Visible {
            parts.block(&Block::Paragraph(vec![Inline::Text {
                text: "Hidden sheet".to_owned(),
                style: Style::ITALIC,
            }]));
        }
        let items = items::read(self.workbook.as_mut(), index, &facts);
        let mut notes = facts.notes.clone();
        notes.extend_from_slice(&objects.notes);
        notes.extend_from_slice(&items.notes);
        notes.extend(hidden_note(&sheet.name, &items, &facts));
        parts.cells(items, &facts, &objects);
        parts.comments(&objects);
        notes.truncate(limits::NOTES);
        Unit {
            text: parts.text,
            notes,
            edges: [0, 0],
        }
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        self.workbook.image(number)
    }

    fn workbook(&mut self) -> Option<&mut dyn Workbook> {
        Some(self.workbook.as_mut())
    }
}

/// Parts of a text, with an empty line between them.
#[derive(Default)]
struct Parts {
    text: String,
    /// Texts that are not in a table, and not written yet.
    alone: Vec<Item>,
    /// Whether a part with cells is written.
    has_cells: bool,
}

impl Parts {
    /// Starts a part.
    fn start(&mut self) -> &mut String {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        &mut self.text
    }

    fn block(&mut self, block: &Block) {
        let text = markdown::render(std::slice::from_ref(block));
        if !text.is_empty() {
            self.start().push_str(&text);
        }
    }

    /// Writes the tables and the drawings in the order of their positions.
    fn cells(&mut self, items: Items, facts: &SheetFacts, objects: &Objects) {
        let mut drawings: Vec<&Drawing> = objects.drawings.iter().collect();
        drawings.sort_by_key(|drawing| (drawing.row, drawing.column));
        let mut drawings = drawings.into_iter().peekable();
        let islands = split::islands(items.list, &facts.tables);
        let alone = islands.len() == 1;
        for island in islands {
            let Some(bounds) = items::bounds(&island) else {
                continue;
            };
            let place = (bounds.first_row, bounds.first_column);
            while let Some(drawing) = drawings.next_if(|it| (it.row, it.column) < place) {
                self.texts(&facts.links);
                self.drawing(drawing);
            }
            self.island(island, facts, alone);
        }
        self.texts(&facts.links);
        for drawing in drawings {
            self.drawing(drawing);
        }
    }

    fn drawing(&mut self, drawing: &Drawing) {
        for block in &drawing.blocks {
            self.block(block);
        }
    }

    /// Writes a table, after the lines above it that are its title.
    fn island(&mut self, mut island: Vec<Item>, facts: &SheetFacts, alone: bool) {
        let links = &facts.links;
        self.alone
            .append(&mut split::take_titles(&mut island, &facts.tables));
        if island.len() == 1 {
            self.alone.append(&mut island);
            if self.alone.len() >= TEXTS {
                self.texts(links);
            }
            return;
        }
        self.texts(links);
        let Some(bounds) = items::bounds(&island) else {
            return;
        };
        let named = facts.tables.iter().find(|it| {
            it.range.first_row == bounds.first_row && it.range.first_column == bounds.first_column
        });
        let table = table::render(&island, &bounds, links);
        let starts_sheet = bounds.first_row == 1 && bounds.first_column == 1;
        let left_out = table.left_out;
        if named.is_some() || !alone || !starts_sheet || !left_out.is_empty() {
            let name = named.map_or_else(String::new, |it| format!("{}: ", it.name));
            let range = place::range(&bounds);
            self.block(&Block::Comment(format!("{name}{range}{left_out}")));
        }
        self.start().push_str(&table.text);
        self.has_cells = true;
    }

    /// Writes the texts that are not in a table.
    fn texts(&mut self, links: &[CellLink]) {
        let items = std::mem::take(&mut self.alone);
        if items.is_empty() {
            return;
        }
        if let Some(place) = place::of_texts(&items, !self.has_cells) {
            self.block(&Block::Comment(place));
        }
        for item in &items {
            self.block(&Block::Paragraph(item.content(links)));
        }
        self.has_cells = true;
    }

    /// Writes the comments, each as a quotation.
    fn comments(&mut self, objects: &Objects) {
        let mut comments: Vec<_> = objects.comments.iter().collect();
        comments.sort_by_key(|comment| (comment.row, comment.column));
        for comment in comments {
            let kind = if comment.reply { "Reply" } else { "Comment" };
            let mut head = format!("{kind} on {}{}", column_name(comment.column), comment.row);
            let author = comment.author.trim();
            if !author.is_empty() {
                head.push_str(" by ");
                head.push_str(author);
            }
            head.push_str(": ");
            let mut content = vec![Inline::plain(head)];
            for (index, line) in comment.text.lines().enumerate() {
                if index > 0 {
                    content.push(Inline::Break);
                }
                content.push(Inline::plain(line));
            }
            self.block(&Block::Quote(vec![Block::Paragraph(content)]));
        }
    }
}

/// Returns a note on the rows and columns that other programs hide.
fn hidden_note(sheet: &str, items: &Items, facts: &SheetFacts) -> Option<String> {
    const LISTED: usize = 10;
    let mut list: Vec<String> = Vec::new();
    let mut push = |first: String, last: String| {
        if list.len() <= LISTED {
            list.push(if first == last {
                first
            } else {
                format!("{first} to {last}")
            });
        }
    };
    for (first, last) in &items.hidden_rows {
        push(first.to_string(), last.to_string());
    }
    for (first, last) in &facts.hidden_columns {
        push(column_name(*first), column_name(*last));
    }
    if list.is_empty() {
        return None;
    }
    if list.len() > LISTED {
        list.pop();
        list.push("more".to_owned());
    }
    let list = list.join(", ");
    Some(format!(
        "Other programs hide these rows and columns of the sheet {}: {list}.",
        quoted_name(sheet)
    ))
}
