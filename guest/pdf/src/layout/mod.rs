//! Layout analysis: the content of a page without tags → blocks.
//!
//! A module imports only from modules below it in this list.
//!
//! ```text
//! from a page to its blocks
//!   continued   tables that go on on the next page
//!   blocks      parts → blocks
//!   sample      a sample of the pages → what is known of the document
//!   kept        what is known of the document ↔ bytes
//!   analysis    the content of a page → its parts in reading order
//! from lines to parts
//!   flow        lines → headings, paragraphs, list items, code and tables
//!   items       list items and footnotes
//!   headings    which lines are headings
//!   steps       numbered steps, which are no headings
//!   code        lines of code, and their text
//!   definitions lists of terms and their definitions
//!   contents    lists of contents
//!   hanging     terms with their definitions at their side
//!   framed      tables between horizontal lines
//!   tables      where tables without vertical lines may start
//!   overprint   lines that are printed over tables
//!   notes       footnotes go to their references
//!   resumed     parts that go on in the next region
//!   breaks      where paragraphs end
//!   place       a line and what is around it
//!   margins     the margins of a region
//! what is known of the document, and what is found
//!   scene       what the analysis of a region needs
//!   document    sizes of headings, words, running heads
//!   typewriter  documents that are set like the text of a typewriter
//!   furniture   running heads, feet and page numbers
//!   titles      the titles of a page
//!   head        running heads and feet that were found, and artifacts
//!   edges       lines at the edges of pages
//!   page_number the numbers of pages at the ends of lines
//!   feet        the numbers at the ends of feet
//!   parts       the parts of a page
//! tables
//!   grid        tables with lines around their cells
//!   surroundings titles and notes in the frame of a table
//!   missing     lines that are missing in such a table
//!   bands       rows that no line separates
//!   white       columns that only white separates
//!   lattice     lines that touch → cells
//!   cells       the cells of tables with lines
//!   turned      words of other directions in the cells of tables
//!   table       tables without vertical lines
//!   extent      the lines that may belong to such a table
//!   rows        lines of tables → rows
//!   sections    headings and other lines that look like rows
//!   runs        where one of several tables between lines ends
//!   numbers     numbers of several columns that are close to each other
//!   gaps        columns of tables that are known to be tables
//!   strips      columns of tables that are close to each other, and lines over a table
//!   spans       cells of tables over several columns
//!   charts      axes of charts
//!   values      numbers and other texts of cells
//!   draft       tables before their text is composed
//! columns
//!   boxes       filled boxes beside the text
//!   region      columns and bands over the full width
//!   raster      columns of white
//!   pieces      what is placed on a page
//! text
//!   text        lines → text with formats and links
//!   leaders     leader dots
//!   order       the words of a line in the order of reading
//!   vocabulary  hyphens at the ends of lines
//! from glyphs to lines
//!   lines       words → lines
//!   raised      raised and lowered words
//!   marker      bullets and numbers of list items
//!   prepared    the content of a page in the frame of its text
//!   words       glyphs → words
//!   spacing     the gaps between glyphs that separate words
//!   frame       the directions of the text of a page
//!   strokes     drawn lines
//! sizes and numbers
//!   sizes       how sizes of text are compared
//!   number      conversions between counts and measures
//!   limits      every limit, with its reason
//! ```

mod analysis;
mod bands;
mod blocks;
mod boxes;
mod breaks;
mod cells;
mod charts;
mod code;
mod contents;
mod continued;
mod definitions;
mod document;
mod draft;
mod edges;
mod extent;
mod feet;
mod flow;
mod frame;
mod framed;
mod furniture;
mod gaps;
mod grid;
mod hanging;
mod head;
mod headings;
mod items;
mod kept;
mod lattice;
mod leaders;
mod limits;
mod lines;
mod margins;
mod marker;
mod missing;
mod notes;
mod number;
mod numbers;
mod order;
mod overprint;
mod page_number;
mod parts;
mod pieces;
mod place;
mod prepared;
mod raised;
mod raster;
mod region;
mod resumed;
mod rows;
mod runs;
mod sample;
mod scene;
mod sections;
mod sizes;
mod spacing;
mod spans;
mod steps;
mod strips;
mod strokes;
mod surroundings;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod titles;
mod turned;
mod typewriter;
mod values;
mod vocabulary;
mod white;
mod words;

pub use analysis::Analysis;
pub use document::Document;
pub use edges::Id;
pub use head::{Artifacts, Head, Known, REPEATS};
use omniread_document::model::Block;
pub use prepared::Page;
pub use sample::{Context, Studied};

/// A page as blocks.
pub struct Laid {
    /// The blocks of the text.
    pub blocks: Vec<Block>,
    /// Running heads, feet and page numbers, which are not in the blocks.
    pub heads: Vec<Head>,
    /// What the lines at the edges have in common with those of other pages.
    pub lines: Vec<Id>,
    /// The analysis without these, for the page after.
    pub analysis: Analysis,
}

/// What the lines at the edges of a page have in common with those of other pages. `index` is the number of the
/// page, from 0.
pub fn lines(index: usize, page: &Page) -> Vec<Id> {
    let prepared = page.take();
    let edges = edges::edges(&prepared);
    page.keep(prepared);
    edges.iter().flat_map(|it| it.ids(index)).collect()
}

/// The artifacts of a page, from a page that has only them. `index` is the number of the page, from 0.
pub fn artifacts(known: &Known, index: usize, page: &Page) -> Artifacts {
    Artifacts::of(known, index, &page.take())
}

/// Analyses a page. `index` is the number of the page, from 0.
pub fn analysed(document: &Document, index: usize, page: &Page) -> Analysis {
    Analysis::of(document, index, page.take())
}

/// Whether a page may continue a table or a list of the page before it.
pub fn may_continue(analysis: &Analysis) -> bool {
    analysis.starts_with_terms() || analysis.first_table().is_some()
}

/// Returns the blocks of a page that was analysed. `before` is the page before it if [`may_continue`] is true.
pub fn blocks(document: &Document, mut analysis: Analysis, before: Option<&Analysis>) -> Laid {
    let terms = before.and_then(|before| analysis.continue_table(before));
    let mut blocks = blocks::blocks(document, &analysis);
    if let (Some(Block::Table(table)), Some(shape), Some(before)) =
        (blocks.first_mut(), analysis.first_table(), before)
    {
        continued::header(document, before, &shape, table);
    }
    // The page after compares its table with the page as it is alone.
    analysis.restore(terms);
    Laid {
        blocks,
        heads: std::mem::take(&mut analysis.heads),
        lines: std::mem::take(&mut analysis.lines),
        analysis,
    }
}
