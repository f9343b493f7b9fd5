//! Counts the rows of a table from the headers of its pages, and visits the rows, without the cache of SQLite.
//!
//! SQLite does it in the same way, but keeps each page in its cache, which costs more than reading it.
//! A page is checked as SQLite checks it. At the first doubt, the caller lets SQLite run the statement.
//! The format is described in "Database File Format", chapter 1.6, on sqlite.org.

/// The maximum depth of a tree, as in SQLite.
const DEPTH: usize = 20;

/// A function that calls its second argument with the bytes of the page of a number.
pub type Read<'r> = &'r mut dyn FnMut(u32, &mut dyn FnMut(&[u8]));

/// The first page of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The number of the page.
    pub page: u32,
    /// Whether the tree is that of a table, and not that of an index.
    pub is_table: bool,
}

/// The pages of a database file without a log.
pub struct Layout {
    /// The size of a page in bytes.
    page: usize,
    /// The size of the used part of a page in bytes.
    usable: usize,
    /// The number of pages.
    pages: u32,
    /// The size of a payload that is in its page whole in every kind of tree.
    least: usize,
}

impl Layout {
    /// Reads the layout from the first 100 bytes of a file of `size` bytes. `None` if it is not certain.
    pub fn of(head: &[u8], size: u64) -> Option<Self> {
        let page = match short(head, 16)? {
            1 => 65536,
            page => page,
        };
        let usable = page.checked_sub(usize::from(*head.get(20)?))?;
        let pages = long(head, 28)?;
        // The number of pages is valid only if it was written with the last change.
        let known = page.is_power_of_two() && page >= 512 && usable >= 480;
        let known = known && long(head, 24)? == long(head, 92)?;
        let bytes = (page as u64).checked_mul(pages.into())?;
        (known && bytes <= size).then(|| Self {
            page,
            usable,
            pages,
            least: (usable - 12) * 64 / 255 - 23,
        })
    }

    /// The size of a page in bytes.
    pub fn page(&self) -> usize {
        self.page
    }

    /// Counts the rows of the table or index whose tree starts at `root`. Stops after more than `most`.
    /// `read` calls its second argument with the bytes of a page. `None` if a page is damaged or cannot be read.
    pub fn count(&self, root: Root, most: u64, read: Read<'_>) -> Option<u64> {
        let mut rows = 0u64;
        self.walk(root, read, &mut |node, _| {
            rows = rows.checked_add(node.rows)?;
            Some(rows <= most)
        })?;
        Some(rows)
    }

    /// Calls `visit` with each leaf of the tree of a table, in the order of the rows. Stops after the first call that
    /// returns false. `None` if a page is damaged or cannot be read, or if `visit` returns it.
    pub fn leaves(
        &self,
        root: u32,
        read: Read<'_>,
        visit: &mut dyn FnMut(Leaf<'_>) -> Option<bool>,
    ) -> Option<()> {
        let root = Root {
            page: root,
            is_table: true,
        };
        self.walk(root, read, &mut |node, bytes| {
            if !node.children.is_empty() {
                return Some(true);
            }
            let first = node.start + 8;
            let places = bytes.get(first..first + 2 * node.cells)?;
            visit(Leaf {
                bytes,
                places,
                usable: self.usable,
            })
        })
    }

    /// Visits the pages of a tree in order, until `visit` returns false.
    fn walk(
        &self,
        root: Root,
        read: Read<'_>,
        visit: &mut dyn FnMut(&Node, &[u8]) -> Option<bool>,
    ) -> Option<()> {
        let mut levels: Vec<std::vec::IntoIter<u32>> = vec![vec![root.page].into_iter()];
        let mut visited = 0u32;
        while let Some(level) = levels.last_mut() {
            let Some(number) = level.next() else {
                levels.pop();
                continue;
            };
            // A sound tree has each page once.
            visited = visited.saturating_add(1);
            if number == 0 || number > self.pages || levels.len() > DEPTH || visited > self.pages {
                return None;
            }
            let mut next = None;
            read(number, &mut |bytes| {
                next = self.visited(number, root, bytes, visit);
            });
            let (goes_on, children) = next?;
            if !goes_on {
                return Some(());
            }
            if !children.is_empty() {
                levels.push(children.into_iter());
            }
        }
        Some(())
    }

    /// Visits a page. Returns whether the walk goes on, and the pages below.
    fn visited(
        &self,
        number: u32,
        root: Root,
        bytes: &[u8],
        visit: &mut dyn FnMut(&Node, &[u8]) -> Option<bool>,
    ) -> Option<(bool, Vec<u32>)> {
        let node = self.node(number, bytes)?;
        // Only an empty table has an empty page.
        let is_sound = node.cells > 0 || (number == root.page && node.children.is_empty());
        if node.is_table != root.is_table || !is_sound {
            return None;
        }
        let goes_on = visit(&node, bytes)?;
        Some((goes_on, node.children))
    }

    fn node(&self, number: u32, bytes: &[u8]) -> Option<Node> {
        let bytes = bytes.get(..self.usable)?;
        // The first page has the header of the file.
        let start = if number == 1 { 100 } else { 0 };
        let (is_table, is_leaf) = match bytes.get(start)? {
            0x02 => (false, false),
            0x05 => (true, false),
            0x0a => (false, true),
            0x0d => (true, true),
            _ => return None,
        };
        let cells = short(bytes, start + 3)?;
        // A cell and its pointer have at least six bytes. SQLite compares with the size of a page, too.
        if cells > (self.page - 8) / 6 {
            return None;
        }
        let first = start + if is_leaf { 8 } else { 12 };
        let pointers = bytes.get(first..first + 2 * cells)?;
        let end = first + 2 * cells;
        // The smallest cell has four bytes, and one in an inner page has five.
        let last = self.usable - if is_leaf { 4 } else { 5 };
        let (places, _) = pointers.as_chunks::<2>();
        let mut children = Vec::new();
        if is_leaf {
            for place in places {
                let at = usize::from(u16::from_be_bytes(*place));
                if at < end || at > last {
                    return None;
                }
                if !self.surely_ends(bytes, at) {
                    self.cell(is_table, is_leaf, bytes, at)?;
                }
            }
        } else {
            children.reserve_exact(cells + 1);
            for place in places {
                let at = usize::from(u16::from_be_bytes(*place));
                if at < end || at > last {
                    return None;
                }
                let cell = self.cell(is_table, is_leaf, bytes, at)?;
                children.push(long(cell, 0)?);
            }
            children.push(long(bytes, start + 8)?);
        }
        Some(Node {
            start,
            is_table,
            cells,
            rows: if is_leaf || !is_table {
                cells as u64
            } else {
                0
            },
            children,
        })
    }

    /// Whether the cell at a position is certain to end in its page, judged by its first two bytes only: the size
    /// of its payload. Before the payload there are at most two numbers, each of at most nine bytes.
    fn surely_ends(&self, bytes: &[u8], at: usize) -> bool {
        let payload = match bytes.get(at..).and_then(|cell| cell.first_chunk()) {
            Some([size @ 0..0x80, _]) => usize::from(*size),
            Some([high, low @ 0..0x80]) => (usize::from(high & 0x7f) << 7) | usize::from(*low),
            _ => return false,
        };
        // A larger payload may go on in other pages.
        payload <= self.least && at + 18 + payload <= self.usable
    }

    /// The bytes from a cell on. `None` if the cell does not end in its page.
    fn cell<'b>(
        &self,
        is_table: bool,
        is_leaf: bool,
        bytes: &'b [u8],
        at: usize,
    ) -> Option<&'b [u8]> {
        let cell = bytes.get(at..)?;
        (self.size(is_table, is_leaf, cell)? <= cell.len()).then_some(cell)
    }

    /// The size of a cell in its page.
    fn size(&self, is_table: bool, is_leaf: bool, cell: &[u8]) -> Option<usize> {
        let start = if is_leaf { 0 } else { 4 };
        let (number, mut end) = varint(cell, start)?;
        if is_table && !is_leaf {
            return Some(end);
        }
        if is_table {
            end = varint(cell, end)?.1;
        }
        let payload = usize::try_from(number).ok()?;
        let upper = if is_table {
            self.usable - 35
        } else {
            self.least
        };
        if payload <= upper {
            return Some((end + payload).max(4));
        }
        // The rest is in other pages.
        let local = local(self.usable, upper, payload);
        Some(end + local + 4)
    }
}

/// A leaf of the tree of a table.
#[derive(Clone, Copy)]
pub struct Leaf<'p> {
    bytes: &'p [u8],
    /// The positions of the cells, each of two bytes.
    places: &'p [u8],
    usable: usize,
}

impl<'p> Leaf<'p> {
    /// The rows in order: the rowid of each, the size of its record, and the part of the record that is in the page.
    pub fn rows(self) -> impl Iterator<Item = Option<Stored<'p>>> {
        let (places, _) = self.places.as_chunks::<2>();
        let places = places.iter();
        places.map(move |place| self.row(usize::from(u16::from_be_bytes(*place))))
    }

    #[inline]
    fn row(self, at: usize) -> Option<Stored<'p>> {
        let (size, after) = varint(self.bytes, at)?;
        let id = self.bytes.get(after..)?;
        // The number ends at the first byte without this bit, or at its ninth byte.
        let mut length = 1;
        while length < 9 && *id.get(length - 1)? >= 0x80 {
            length += 1;
        }
        let start = after + length;
        let size = usize::try_from(size).ok()?;
        let upper = self.usable - 35;
        let here = if size <= upper {
            size
        } else {
            local(self.usable, upper, size)
        };
        Some(Stored {
            id,
            size,
            local: self.bytes.get(start..start.checked_add(here)?)?,
        })
    }
}

/// A row in a page.
#[derive(Clone, Copy)]
pub struct Stored<'p> {
    /// The rowid, as a number of variable length, and the bytes after it.
    id: &'p [u8],
    /// The size of the record in bytes.
    pub size: usize,
    /// The part of the record that is in the page. The rest is in other pages.
    pub local: &'p [u8],
}

impl Stored<'_> {
    /// The rowid.
    pub fn id(&self) -> Option<i64> {
        let (id, _) = varint(self.id, 0)?;
        Some(id.cast_signed())
    }
}

/// The number of bytes of a payload that are in the page of its cell, at most `upper`.
fn local(usable: usize, upper: usize, payload: usize) -> usize {
    if payload <= upper {
        return payload;
    }
    let lower = (usable - 12) * 32 / 255 - 23;
    let local = lower + (payload - lower) % (usable - 4);
    if local > upper { lower } else { local }
}

/// A page of a tree.
struct Node {
    /// The position of the header of the page.
    start: usize,
    is_table: bool,
    cells: usize,
    /// The number of rows in the page itself.
    rows: u64,
    /// The pages below, in their order.
    children: Vec<u32>,
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(usize::from(u16::from_be_bytes(bytes)))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A number of variable length, and the position after it.
#[inline]
pub fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    match bytes.get(at) {
        // A position in the bytes is not the greatest number.
        Some(byte @ 0..0x80) => Some((u64::from(*byte), at.wrapping_add(1))),
        Some(_) => long_varint(bytes, at),
        None => None,
    }
}

#[inline(never)]
fn long_varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut number = 0u64;
    for (count, byte) in bytes.get(at..)?.iter().take(9).enumerate() {
        if count == 8 {
            return Some(((number << 8) | u64::from(*byte), at + 9));
        }
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, at + count + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests;
