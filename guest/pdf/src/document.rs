//! A PDF file as a document whose units are pages.

use crate::actions::{self, Found};
use crate::content::{self, Show};
use crate::drawn;
use crate::emphasis;
use crate::facts;
use crate::file::File;
use crate::heads::{self, Lines, Shown};
use crate::layout::{self, Analysis, Known, Page, Studied};
use crate::limits;
use crate::missing;
use crate::page::PageContent;
use crate::ranges::{self, Failure, Need, Ranges, Source};
use crate::render;
use crate::structure;
use crate::unread;
use crate::{annotations, attachments};
use omniread_document::model::{Block, Inline};
use omniread_document::{Attachment, Document, Error, Facts, Outline, Unit};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

mod edges;
mod sample;

/// Draws a page: [`render::image`], or the error of a component without images. A component that never refers to
/// [`DRAWN`] is linked without the code that draws.
pub type Draw = fn(&File, usize, u32, u64) -> Result<Option<Vec<u8>>, Error>;

/// Draws pages as a viewer shows them.
pub const DRAWN: Draw = render::image;

/// Opens a PDF file. Reads the facts, and no page.
///
/// # Errors
/// Fails if no page can be found, or if the file is encrypted and the password is missing or wrong.
pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Box<dyn Document>, Error> {
    open_with(bytes, password, DRAWN)
}

/// As [`open`], with the function that draws pages.
///
/// # Errors
/// Fails as [`open`] does.
pub fn open_with(
    bytes: Vec<u8>,
    password: Option<&str>,
    draw: Draw,
) -> Result<Box<dyn Document>, Error> {
    let file = File::open(bytes, password)?;
    Ok(Box::new(Opened::new(file, None, draw)))
}

/// As [`open_with`], for bytes that are read as they are needed. A small file is read whole. Of a large one,
/// only the objects are read that a page needs.
///
/// # Errors
/// Fails as [`open`] does, or if the bytes cannot be read.
pub fn open_source(
    source: Box<dyn Source>,
    password: Option<&str>,
    draw: Draw,
) -> Result<Box<dyn Document>, Error> {
    let small = if source.is_local() {
        limits::SMALL_FILE_BYTES
    } else {
        limits::SMALL_REMOTE_BYTES
    };
    if source.size() <= small {
        return open_whole(&*source, password, draw);
    }
    open_ranges(source, password, draw)
}

/// As [`open_source`], for a file of any size. A file that is encrypted or damaged is read whole.
///
/// # Errors
/// Fails as [`open_source`] does.
pub fn open_ranges(
    source: Box<dyn Source>,
    password: Option<&str>,
    draw: Draw,
) -> Result<Box<dyn Document>, Error> {
    let mut ranges = match Ranges::open(source) {
        Ok(ranges) => ranges,
        Err((Failure::Io(message), _)) => return Err(Error::Io(message)),
        Err((Failure::Whole, source)) => return open_whole(&*source, password, draw),
    };
    let file = ranges.file().map(|bytes| File::open(bytes, password));
    match file {
        Some(Ok(file)) => Ok(Box::new(Opened::new(file, Some(ranges), draw))),
        _ => open_whole(ranges.source(), password, draw),
    }
}

/// Reads and opens a whole file.
fn open_whole(
    source: &dyn Source,
    password: Option<&str>,
    draw: Draw,
) -> Result<Box<dyn Document>, Error> {
    match ranges::whole(source) {
        Ok(Some(bytes)) => open_with(bytes, password, draw),
        Ok(None) => Err(Error::Io(format!(
            "it has more than {} MB, and it is encrypted or damaged",
            limits::FILE_BYTES >> 20
        ))),
        Err(message) => Err(Error::Io(message)),
    }
}

/// An open file.
struct Opened {
    file: File,
    draw: Draw,
    /// The objects that were read, if not all were.
    ranges: Option<Ranges>,
    /// Why objects of the last unit could not be read.
    failed: Option<String>,
    facts: Facts,
    notes: Vec<String>,
    outline: Vec<Outline>,
    /// What the layout analysis knows of the document.
    layout: OnceCell<Rc<layout::Document>>,
    /// Whether it was derived from all pages of the sample, and nobody has taken it yet.
    is_new: bool,
    /// Why objects of the file can be read by no unit any more.
    lost: Option<String>,
    /// The pages of the sample, as far as they are analysed.
    studied: Studied,
    /// The analysis of the last page by its index. The next page may continue its table.
    last: Option<(usize, Analysis)>,
    /// What the file says about its pages.
    known: OnceCell<Rc<Known>>,
    /// Lines at the edges of pages: those of the text, and those of artifacts.
    lines: [Lines; 2],
    /// Whether a page is converted without reading others.
    alone: bool,
    /// Pages that were interpreted. The page before another is used twice.
    pages: BTreeMap<usize, Rc<Page>>,
    /// The attachments, and where they are.
    attachments: (Vec<Attachment>, Vec<attachments::Place>),
}

impl Opened {
    fn new(file: File, ranges: Option<Ranges>, draw: Draw) -> Self {
        let facts = facts::facts(&file);
        let mut actions = Found::of_document(&file);
        let outline = facts::outline(&file, &mut actions);
        let mut notes = facts::notes(&file, &actions);
        let attachments = attachments::list(&file);
        if ranges
            .as_ref()
            .is_some_and(Ranges::skips_attachments_of_pages)
        {
            notes.push(
                "Files that are attached to comments of pages are not listed, because only the pages that are shown were read."
                    .to_owned(),
            );
        }
        Self {
            file,
            draw,
            ranges,
            failed: None,
            facts,
            notes,
            outline,
            layout: OnceCell::new(),
            is_new: false,
            lost: None,
            studied: Studied::default(),
            last: None,
            known: OnceCell::new(),
            lines: <[Lines; 2]>::default(),
            alone: false,
            pages: BTreeMap::new(),
            attachments,
        }
    }

    /// Reads objects that are needed and were not read.
    fn read(&mut self, read: impl FnOnce(&mut Ranges) -> Result<(), Failure>) {
        let Some(ranges) = &mut self.ranges else {
            return;
        };
        let read = read(ranges).and_then(|()| match ranges.file() {
            Some(bytes) => self
                .file
                .reopen(bytes, ranges.has_all_tags())
                .map_err(|_| Failure::Whole),
            None => Ok(()),
        });
        match read {
            Ok(()) => {}
            Err(Failure::Io(message)) => self.failed = Some(message),
            Err(Failure::Whole) => {
                let whole = ranges.whole();
                self.ranges = None;
                match whole.map(|bytes| bytes.map(|bytes| File::open(bytes, None))) {
                    Ok(Some(Ok(file))) => self.file = file,
                    Err(message) => self.lose(message),
                    Ok(_) => self.lose("the objects of the file are damaged".to_owned()),
                }
            }
        }
    }

    /// Notes that objects of the file cannot be read, neither for this unit nor for the next ones.
    fn lose(&mut self, message: String) {
        self.failed = Some(message.clone());
        self.lost = Some(message);
    }

    /// Reads what a page needs, and forgets what failed before, unless it is lost.
    fn begin(&mut self, index: usize, need: Need) {
        self.failed.clone_from(&self.lost);
        self.read(|ranges| {
            ranges.make_space()?;
            ranges.pages(&[index], need)
        });
    }

    /// A page with its content, which is not kept.
    fn interpreted(&mut self, index: usize) -> Rc<Page> {
        if let Some(known) = self.pages.get(&index) {
            return Rc::clone(known);
        }
        self.read(|ranges| ranges.pages(&[index], Need::Text));
        let content = content::content(&self.file, index, Show::Visible);
        Rc::new(Page::new(content))
    }

    /// A page with its content.
    fn page(&mut self, index: usize) -> Rc<Page> {
        let page = self.interpreted(index);
        if self.failed.is_some() || self.pages.contains_key(&index) {
            return page;
        }
        // The pages far from this one go first.
        let glyphs = |pages: &BTreeMap<usize, Rc<Page>>| {
            let glyphs = pages.values().map(|page| page.content.glyphs.len());
            glyphs.sum::<usize>()
        };
        while self.pages.len() >= limits::CACHED_PAGES
            || glyphs(&self.pages).saturating_add(page.content.glyphs.len()) > limits::GLYPHS
        {
            let far = self
                .pages
                .keys()
                .copied()
                .max_by_key(|other| other.abs_diff(index));
            let Some(far) = far else { break };
            self.pages.remove(&far);
        }
        self.pages.insert(index, Rc::clone(&page));
        page
    }

    /// The blocks of glyphs by their places on the page.
    fn untagged(&mut self, index: usize, page: &Page, show: Show, shown: &mut Shown) -> Vec<Block> {
        if page.content.glyphs.len() > limits::LAYOUT_GLYPHS {
            return drawn::lines(&page.content);
        }
        if show == Show::All {
            let mut layout = (*self.prepare(index)).clone();
            layout.keep_furniture();
            let analysis = layout::analysed(&layout, index, page);
            return layout::blocks(&layout, analysis, None).blocks;
        }
        let layout = self.prepare(index);
        // The rest of a tagged page, or of a page that cannot be read, is not the whole page.
        let known = self.pages.get(&index);
        let whole = known.is_some_and(|it| std::ptr::eq(&raw const **it, page));
        let analysis = whole.then(|| self.studied.take(&layout, index)).flatten();
        let analysis = analysis.unwrap_or_else(|| layout::analysed(&layout, index, page));
        let before = index.checked_sub(1).filter(|_| !self.alone);
        let before = before.filter(|_| layout::may_continue(&analysis));
        let last = self.last.take();
        let before = before.map(|before| match last {
            Some((index, analysis)) if index == before => analysis,
            _ => layout::analysed(&layout, before, &self.page(before)),
        });
        let found = layout::blocks(&layout, analysis, before.as_ref());
        self.last = whole.then_some((index, found.analysis));
        if found.blocks.iter().all(is_figure) {
            // All text looks like a running head. A page with no other text shows it.
            let mut text = drawn::lines(&page.content);
            text.extend(found.blocks);
            return text;
        }
        self.add_heads(index, &found.heads, found.lines, shown);
        found.blocks
    }
}

/// Whether a block has only images.
fn is_figure(block: &Block) -> bool {
    match block {
        Block::Paragraph(content) => content
            .iter()
            .all(|inline| matches!(inline, Inline::Image { .. })),
        _ => false,
    }
}

impl Document for Opened {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn outline(&self) -> &[Outline] {
        &self.outline
    }

    fn unit(&mut self, index: usize) -> Unit {
        if index >= self.facts.list.len() {
            return Unit::default();
        }
        self.begin(index, Need::Text);
        let page = self.page(index);
        self.convert(index, &page, Show::Visible)
    }

    fn whole_unit(&mut self, index: usize) -> Unit {
        if index >= self.facts.list.len() {
            return Unit::default();
        }
        self.begin(index, Need::Text);
        let mut content = content::content(&self.file, index, Show::All);
        // Nothing is left out.
        content.missing.hidden = 0;
        self.convert(index, &Page::new(content), Show::All)
    }

    fn set_alone(&mut self, alone: bool) {
        if alone != self.alone {
            self.alone = alone;
            self.layout.take();
            self.is_new = false;
            self.studied = Studied::default();
            self.last = None;
        }
    }

    fn layout(&mut self) -> Option<Vec<u8>> {
        let is_new = std::mem::take(&mut self.is_new);
        // The layout has words of the file.
        let can_be_kept = is_new && !self.file.is_locked();
        self.layout.get().filter(|_| can_be_kept)?.to_bytes()
    }

    fn set_layout(&mut self, layout: &[u8]) -> bool {
        let outline = self.outline.iter();
        let outline = outline.map(|entry| (entry.level, entry.title.as_str()));
        let known = layout::Document::from_bytes(layout, outline, self.known());
        // The layout of an open file is as good.
        known.is_some_and(|known| self.layout.set(Rc::new(known)).is_ok())
    }

    fn page_image(
        &mut self,
        index: usize,
        longest: u32,
        pixels: u64,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.begin(index, Need::Images);
        match self.failed.take() {
            Some(message) => Err(Error::Io(message)),
            None => (self.draw)(&self.file, index, longest, pixels),
        }
    }

    fn image(&mut self, number: usize) -> Option<Vec<u8>> {
        self.begin(content::page_of_image(number)?, Need::Images);
        content::image(&self.file, number)
    }

    fn attachments(&self) -> &[Attachment] {
        &self.attachments.0
    }

    fn attachment(&mut self, index: usize) -> Option<Vec<u8>> {
        let place = *self.attachments.1.get(index)?;
        self.read(|ranges| ranges.object(place));
        attachments::read(&self.file, place)
    }
}

impl Opened {
    /// The structure elements of a page: those that the file lists for it, or those that refer to it.
    fn elements(&mut self, index: usize, page: &PageContent) -> Option<structure::Elements> {
        if !structure::has_marks(page) {
            return None;
        }
        self.read(Ranges::tags);
        structure::elements(&self.file, index, page, structure::Source::List).or_else(|| {
            self.read(Ranges::all_tags);
            structure::elements(&self.file, index, page, structure::Source::Elements)
        })
    }

    /// Converts a page.
    fn convert(&mut self, index: usize, page: &Page, show: Show) -> Unit {
        let content = &page.content;
        let elements = self.elements(index, content);
        let tagged = elements.and_then(|it| structure::blocks(&self.file, content, it));
        let mut shown = Shown::default();
        let mut marked = self.artifacts(index, content, &mut shown);
        let moved = tagged.as_ref().is_some_and(|it| it.moved);
        let mut blocks = match tagged {
            Some(tagged) => {
                let mut blocks = tagged.blocks;
                if !tagged.rest.is_empty() {
                    let rest = Page::new(drawn::only(content, &tagged.rest));
                    blocks.extend(self.untagged(index, &rest, show, &mut shown));
                }
                blocks
            }
            None => self.untagged(index, page, show, &mut shown),
        };
        let mut left_out = shown.left_out;
        let needs_image = missing::needs_image(&content.missing);
        if needs_image && content.missing.glyphs == 0 {
            // The image of the page shows its images.
            blocks.clear();
            (left_out, marked) = (false, false);
        }
        if content.missing.unknown > 0 {
            for blocks in [&mut blocks, &mut shown.above, &mut shown.below] {
                unread::remove(blocks);
            }
        }
        let mut notes = missing::notes(content);
        let left_out = [(left_out, heads::LEFT_OUT), (marked, heads::MARKED)];
        notes.extend(
            left_out
                .into_iter()
                .filter(|it| it.0)
                .map(|it| it.1.to_owned()),
        );
        if moved {
            notes.push(structure::MOVED.to_owned());
        }
        notes.extend(actions::of_page(&self.file, index));
        if let Some(message) = self.failed.take() {
            notes.push(format!("Not all of it could be read: {message}."));
        }
        emphasis::remove_common(&mut blocks);
        let (mut text, mut edges) = shown.around(blocks, annotations::comments(&self.file, index));
        // The page before may have given text, such as the header of a table.
        unread::strip(&mut text);
        if needs_image {
            let number = index.saturating_add(1);
            let image = format!("![Page {number}](page:{number}:img)");
            text = heads::joined(&[&image, &text]);
            edges = [0, 0];
        }
        Unit { text, notes, edges }
    }
}
