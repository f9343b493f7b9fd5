//! A message in a message as a file of its own.
//!
//! A compound file contains the message as a storage ([MS-OXMSG] 2.2.2.1). The streams of it are
//! copied unchanged to the root of a new compound file ([MS-CFB] version 4), with two changes that
//! the format asks for: the header of the properties has 8 more bytes, and the names of properties
//! come from the file around it.

use crate::ole::{Compound, Kind, MAGIC};

/// The size of a sector.
const SECTOR: usize = 4096;
/// The size of a small sector.
const SMALL: usize = 64;
/// The mark at the end of a chain.
const END: u32 = 0xffff_fffe;
/// The mark of a sector that is not used, and of a missing entry.
const FREE: u32 = 0xffff_ffff;
/// The mark of a sector with a part of the allocation table.
const TABLE: u32 = 0xffff_fffd;
/// The number of sectors of the table that the header lists.
const LISTED: usize = 109;

/// A storage or stream of the new file.
struct Node {
    name: String,
    /// Whether it is a stream.
    is_stream: bool,
    /// The bytes of a stream, until they are in sectors.
    content: Vec<u8>,
    children: Vec<usize>,
    start: u32,
    size: usize,
    left: u32,
    right: u32,
    child: u32,
}

impl Node {
    fn storage(name: &str) -> Self {
        Self {
            is_stream: false,
            ..Self::stream(name, Vec::new())
        }
    }

    fn stream(name: &str, content: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            is_stream: true,
            size: content.len(),
            content,
            children: Vec::new(),
            start: END,
            left: FREE,
            right: FREE,
            child: FREE,
        }
    }
}

/// Returns the message in a storage as a file. `None` if it is too large.
pub fn rebuild(file: &mut Compound, storage: &str) -> Option<Vec<u8>> {
    let mut copy = Copy {
        file,
        nodes: vec![Node::storage("Root Entry")],
    };
    copy.storage(storage, ROOT, 0);
    let names = "__nameid_version1.0";
    if copy.file.find(names).is_some() {
        let index = copy.add(ROOT, Node::storage(names));
        copy.storage(names, index, 0);
    }
    write(&mut copy.nodes)
}

/// The index of the root.
const ROOT: usize = 0;

/// The file around a message, and what is copied from it so far. The root is first.
struct Copy<'f> {
    file: &'f mut Compound,
    nodes: Vec<Node>,
}

impl Copy<'_> {
    /// Adds a node to a storage, and returns its index.
    fn add(&mut self, parent: usize, node: Node) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(index);
        }
        index
    }

    /// Copies what is in a storage. Recursion is as deep as the directory, which is limited.
    fn storage(&mut self, path: &str, parent: usize, depth: usize) {
        if depth > crate::limits::OLE_DEPTH {
            return;
        }
        let entries: Vec<_> = self
            .file
            .children(path)
            .map(|entry| (entry.path.clone(), entry.name().to_owned(), entry.kind))
            .collect();
        for (path, name, kind) in entries {
            if kind == Kind::Storage {
                let index = self.add(parent, Node::storage(&name));
                self.storage(&path, index, depth.saturating_add(1));
                continue;
            }
            let mut content = self
                .file
                .stream(&path)
                .map(|part| part.bytes)
                .unwrap_or_default();
            let is_of_message = parent == ROOT && name == "__properties_version1.0";
            if is_of_message && content.len() >= 24 {
                content.splice(24..24, [0; 8]);
            }
            self.add(parent, Node::stream(&name, content));
        }
    }
}

/// Sectors and the table of their chains.
#[derive(Default)]
struct Sectors {
    bytes: Vec<u8>,
    table: Vec<u32>,
    size: usize,
}

impl Sectors {
    /// Adds a stream, and returns its first sector.
    fn add(&mut self, content: &[u8]) -> u32 {
        let start = self.table.len();
        let count = content.len().div_ceil(self.size);
        if count == 0 {
            return END;
        }
        self.bytes.extend_from_slice(content);
        self.bytes
            .resize(start.saturating_add(count).saturating_mul(self.size), 0);
        for next in 1..=count {
            let next = if next == count {
                END
            } else {
                number(start.saturating_add(next))
            };
            self.table.push(next);
        }
        number(start)
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(END)
}

fn write(nodes: &mut [Node]) -> Option<Vec<u8>> {
    let mut large = Sectors {
        size: SECTOR,
        ..Sectors::default()
    };
    let mut small = Sectors {
        size: SMALL,
        ..Sectors::default()
    };
    for node in nodes.iter_mut() {
        let content = std::mem::take(&mut node.content);
        let sectors = if content.len() < SECTOR {
            &mut small
        } else {
            &mut large
        };
        node.start = sectors.add(&content);
    }
    link(nodes);
    let small_table = words(&small.table);
    let small_start = large.add(&small.bytes);
    if let Some(root) = nodes.first_mut() {
        root.start = small_start;
        root.size = small.bytes.len();
    }
    let small_table_start = large.add(&small_table);
    let directory: Vec<u8> = nodes
        .iter()
        .enumerate()
        .flat_map(|(index, node)| record(node, index == 0))
        .collect();
    let directory_sectors = directory.len().div_ceil(SECTOR);
    let directory = large.add(&directory);
    // The table contains the numbers of its own sectors.
    let content = large.table.len();
    let per_sector = SECTOR / 4;
    let mut tables = 1_usize;
    while tables.saturating_mul(per_sector) < content.saturating_add(tables) {
        tables = tables.saturating_add(1);
    }
    if tables > LISTED {
        return None;
    }
    let mut table = large.table;
    table.extend(std::iter::repeat_n(TABLE, tables));
    table.resize(tables.saturating_mul(per_sector), FREE);
    let mut out = Vec::with_capacity(large.bytes.len().saturating_add(SECTOR));
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[0; 16]);
    for word in [0x3e_u16, 4, 0xfffe, 12, 6, 0, 0, 0] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    let fields = [
        number(directory_sectors),
        number(tables),
        directory,
        0,
        number(SECTOR),
        small_table_start,
        number(small_table.len().div_ceil(SECTOR)),
        END,
        0,
    ];
    out.extend_from_slice(&words(&fields));
    for place in 0..LISTED {
        let listed = place < tables;
        let entry = if listed {
            number(content.saturating_add(place))
        } else {
            FREE
        };
        out.extend_from_slice(&entry.to_le_bytes());
    }
    out.resize(SECTOR, 0);
    out.append(&mut large.bytes);
    out.extend_from_slice(&words(&table));
    Some(out)
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Links the entries of each storage as a balanced tree ([MS-CFB] 2.6.4). All are black.
fn link(nodes: &mut [Node]) {
    for index in 0..nodes.len() {
        let mut children = match nodes.get_mut(index) {
            Some(node) => std::mem::take(&mut node.children),
            None => continue,
        };
        // The order is by length and then without case.
        children.sort_by_cached_key(|child| {
            let name = nodes.get(*child).map_or("", |node| node.name.as_str());
            (name.encode_utf16().count(), name.to_uppercase())
        });
        let top = tree(nodes, &children);
        if let Some(node) = nodes.get_mut(index) {
            node.child = top;
        }
    }
}

/// Links a sorted list. The recursion is as deep as the logarithm of its length.
fn tree(nodes: &mut [Node], list: &[usize]) -> u32 {
    let (left, rest) = list.split_at(list.len() / 2);
    let Some((top, right)) = rest.split_first() else {
        return FREE;
    };
    let (left, right) = (tree(nodes, left), tree(nodes, right));
    if let Some(node) = nodes.get_mut(*top) {
        (node.left, node.right) = (left, right);
    }
    number(*top)
}

/// A record of the directory ([MS-CFB] 2.6.1).
fn record(node: &Node, is_root: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    let name: Vec<u16> = node.name.encode_utf16().take(31).collect();
    out.extend(name.iter().flat_map(|unit| unit.to_le_bytes()));
    out.resize(64, 0);
    let length = u16::try_from(name.len()).unwrap_or_default();
    let length = length.saturating_add(1).saturating_mul(2);
    out.extend_from_slice(&length.to_le_bytes());
    let kind = match (is_root, node.is_stream) {
        (true, _) => 5,
        (false, true) => 2,
        (false, false) => 1,
    };
    out.extend_from_slice(&[kind, 1]);
    out.extend_from_slice(&words(&[node.left, node.right, node.child]));
    out.resize(116, 0);
    let start = if kind == 1 { 0 } else { node.start };
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&(node.size as u64).to_le_bytes());
    out
}
