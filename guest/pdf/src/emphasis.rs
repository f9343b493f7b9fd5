//! Bold and italic text that says nothing, because all text around it has the same format.

use omniread_document::model::{Block, Cell, Inline, Style, Table};

/// The least number of cells of a column, and of paragraphs of a page, of which the format is that of all.
const CELLS: usize = 2;
const PARAGRAPHS: usize = 3;

/// Removes bold and italic from columns of tables that have it in each cell, and from the paragraphs of a page if each
/// has it as a whole. The header of a table is not compared.
pub fn remove_common(blocks: &mut [Block]) {
    for style in [Style::BOLD, Style::ITALIC] {
        for block in blocks.iter_mut() {
            if let Block::Table(table) = block {
                columns(table, style);
            }
        }
        let paragraphs = || blocks.iter().filter(|it| matches!(it, Block::Paragraph(_)));
        // Items of lists and code are other text.
        let only = blocks.iter().all(|it| {
            matches!(
                it,
                Block::Paragraph(_) | Block::Heading { .. } | Block::Table(_)
            )
        });
        if only && paragraphs().count() >= PARAGRAPHS && paragraphs().all(|it| has(it, style)) {
            for it in blocks.iter_mut() {
                plain(it, style);
            }
        }
    }
}

/// Removes a style from the columns of a table that have it in each cell.
fn columns(table: &mut Table, style: Style) {
    let width = table.rows.iter().map(Vec::len).max().unwrap_or_default();
    // Cells that cover several positions move others.
    let plain_grid = |cell: &Cell| cell.columns == 1 && cell.rows == 1;
    if !table.rows.iter().flatten().all(plain_grid) {
        return;
    }
    for column in 0..width {
        let body = table.rows.iter().skip(1);
        let cells = body.filter_map(|row| row.get(column));
        let filled = cells.filter(|it| !it.blocks.is_empty());
        let mut count: usize = 0;
        let all = filled.into_iter().all(|cell| {
            count = count.saturating_add(1);
            cell.blocks.iter().all(|it| has(it, style))
        });
        if !all || count < CELLS {
            continue;
        }
        let body = table.rows.iter_mut().skip(1);
        for cell in body.filter_map(|row| row.get_mut(column)) {
            for it in &mut cell.blocks {
                plain(it, style);
            }
        }
    }
}

/// Whether a paragraph has a style as a whole.
fn has(block: &Block, style: Style) -> bool {
    match block {
        Block::Paragraph(content) => content.iter().all(|piece| match piece {
            Inline::Text { text, style: own } => own.has(style) || text.trim().is_empty(),
            Inline::Break => true,
            _ => false,
        }),
        _ => false,
    }
}

/// Removes a style from a paragraph.
fn plain(block: &mut Block, removed: Style) {
    if let Block::Paragraph(content) = block {
        for piece in content {
            if let Inline::Text { style, .. } = piece {
                *style = style.without(removed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omniread_document::markdown;

    fn paragraph(text: &str, style: Style) -> Block {
        Block::Paragraph(vec![Inline::Text {
            text: text.to_owned(),
            style,
        }])
    }

    #[test]
    fn bold_columns_are_plain() {
        let bold = |text: &str| Cell::new(vec![paragraph(text, Style::BOLD)]);
        let table = |last: Cell| {
            let rows = vec![
                vec![Cell::text("Name"), Cell::text("Size")],
                vec![bold("a"), bold("1")],
                vec![bold("b"), last],
            ];
            let mut blocks = [Block::Table(Table { rows })];
            remove_common(&mut blocks);
            markdown::render(&blocks)
        };
        assert!(table(bold("2")).ends_with("|a|1|\n|b|2|"));
        assert!(table(Cell::text("2")).ends_with("|a|**1**|\n|b|2|"));
    }

    #[test]
    fn a_page_in_bold_is_plain() {
        let page = |last: Style| {
            let mut blocks = [
                paragraph("a", Style::BOLD),
                paragraph("b", Style::BOLD),
                paragraph("c", last),
            ];
            remove_common(&mut blocks);
            markdown::render(&blocks)
        };
        assert_eq!(page(Style::BOLD), "a\n\nb\n\nc");
        assert_eq!(page(Style::default()), "**a**\n\n**b**\n\nc");
    }
}
