//! The part of the structure tree that belongs to a page.
//!
//! A file lists for each page the elements of its marked content (the parent tree). Those elements and the
//! ones around them are read, in the order of the tree, so that a page costs no more than its own
//! elements. A file without such a list is walked whole, within limits.

use super::elements;
use super::roles::{Role, Roles};
use crate::array;
use crate::file::{File, Key, key};
use crate::limits;
use crate::page::Mark;
use crate::strings;
use hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, ObjRef, Object, ObjectIdentifier, Stream, String as PdfString,
};
use std::collections::BTreeSet;

/// An element.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What it is.
    pub role: Role,
    /// Its content in order.
    pub kids: Vec<Kid>,
    /// The description for those who cannot see it.
    pub alt: Option<String>,
    /// The text that replaces its content.
    pub actual: Option<String>,
    /// The number of columns and rows that a cell covers, from 1.
    pub columns: usize,
    /// See `columns`.
    pub rows: usize,
    /// Whether it is a table whose first row is on another page.
    pub continued: bool,
    /// The head of a table that goes on from another page: the page, from 0, and the row.
    pub head: Option<Box<(usize, Node)>>,
}

/// The content of an element.
#[derive(Clone, Debug)]
pub enum Kid {
    /// An element.
    Node(Node),
    /// Marked content of the page.
    Mark(Mark),
    /// An annotation, by the number of its object.
    Object(u32),
}

/// Who says which elements have content on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The list of the file.
    List,
    /// The elements themselves, which are all read once.
    Elements,
}

/// Reads the elements of a page. `None` if the file has no tree, or no element of it is on the page.
/// `forms` are the objects of the forms on the page that have marked content.
pub fn of_page(file: &File, index: usize, forms: &BTreeSet<u32>, source: Source) -> Option<Node> {
    let catalog = file.catalog();
    let root = catalog.get::<Dict<'_>>("StructTreeRoot")?;
    let page = file.pdf().pages().get(index)?;
    let id = page.raw().obj_id().map(|id| (id.obj_number, id.gen_number));
    let listed;
    let wanted = match source {
        Source::List => {
            listed = wanted(file, &root, page.raw(), forms)?;
            &listed
        }
        Source::Elements => file.elements(|| elements::read(file, &root)).get(&id?)?,
    };
    let mut walker = Walker {
        file,
        roles: Roles::new(&root),
        page: id,
        wanted: Some(wanted),
        rest: limits::TREE_NODES,
        open: Vec::new(),
    };
    let whole = walker.kids(&root, None, 0);
    (!whole.is_empty()).then(|| group(whole))
}

fn group(kids: Vec<Kid>) -> Node {
    Node {
        kids,
        columns: 1,
        rows: 1,
        ..Node::default()
    }
}

/// The elements that have content on the page, and all elements around them. `None` if the file does
/// not list them.
fn wanted(
    file: &File,
    root: &Dict<'_>,
    page: &Dict<'_>,
    forms: &BTreeSet<u32>,
) -> Option<BTreeSet<Key>> {
    let parents = root.get::<Dict<'_>>("ParentTree")?;
    let xref = file.pdf().xref();
    let mut first: Vec<ObjRef> = Vec::new();
    let mut steps = limits::TREE_STEPS;
    let mut add = |number: i32| {
        let list = match find(&parents, number, 0, &mut steps) {
            Some(MaybeRef::Ref(reference)) => xref.get::<Array<'_>>(reference.into()),
            Some(MaybeRef::NotRef(object)) => object.into_array(),
            None => None,
        };
        if let Some(list) = list {
            let references = list.raw_iter().filter_map(|it| it.as_obj_ref());
            first.extend(references.take(limits::TREE_NODES));
        }
    };
    if let Some(number) = page.get::<i32>("StructParents") {
        add(number);
    }
    for form in forms {
        let stream = xref.get::<Stream<'_>>(ObjectIdentifier::new(*form, 0));
        if let Some(number) = stream.and_then(|stream| stream.dict().get::<i32>("StructParents")) {
            add(number);
        }
    }
    if first.is_empty() {
        return None;
    }
    // Annotations name one element each.
    if let Some(list) = page.get::<Array<'_>>("Annots") {
        for annotation in array::dicts(&list).take(limits::ANNOTATIONS) {
            if let Some(number) = annotation.get::<i32>("StructParent") {
                let element = find(&parents, number, 0, &mut steps);
                first.extend(element.and_then(|it| it.as_obj_ref()));
            }
        }
    }
    let mut wanted = BTreeSet::new();
    for reference in first {
        let mut at = Some(reference);
        for _ in 0..limits::TREE_DEPTH {
            let Some(reference) = at else { break };
            if !wanted.insert(key(reference)) || wanted.len() > limits::TREE_NODES {
                break;
            }
            let element = xref.get::<Dict<'_>>(reference.into());
            at = element.and_then(|element| element.get_ref("P"));
        }
    }
    Some(wanted)
}

/// Finds a value in a number tree (ISO 32000-2, 7.9.7). `steps` is the number of items that may still be
/// compared.
fn find<'a>(
    tree: &Dict<'a>,
    number: i32,
    depth: usize,
    steps: &mut usize,
) -> Option<MaybeRef<Object<'a>>> {
    if depth > limits::NUMBER_TREE_DEPTH {
        return None;
    }
    if let Some(list) = tree.get::<Array<'a>>("Nums") {
        let mut items = list.raw_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            *steps = steps.checked_sub(1)?;
            if let MaybeRef::NotRef(Object::Number(own)) = key
                && own.as_i64() == i64::from(number)
            {
                return Some(value);
            }
        }
        return None;
    }
    let kids = tree.get::<Array<'a>>("Kids")?;
    for kid in array::dicts(&kids) {
        *steps = steps.checked_sub(1)?;
        let limits = kid.get::<[i32; 2]>("Limits");
        if limits.is_none_or(|[low, high]| (low..=high).contains(&number))
            && let Some(found) = find(&kid, number, depth.saturating_add(1), steps)
        {
            return Some(found);
        }
    }
    None
}

/// Reads elements.
struct Walker<'w> {
    file: &'w File,
    roles: Roles,
    page: Option<Key>,
    /// The elements to read. `None` for all.
    wanted: Option<&'w BTreeSet<Key>>,
    /// The number of elements that may still be read.
    rest: usize,
    /// The elements that are being read.
    open: Vec<Key>,
}

impl<'w> Walker<'w> {
    /// Reads the content of an element. `on` is the page of the elements around it.
    fn kids(&mut self, element: &Dict<'w>, on: Option<Key>, depth: usize) -> Vec<Kid> {
        let mut out = Vec::new();
        if depth > limits::TREE_DEPTH {
            return out;
        }
        match element.get_raw::<Object<'w>>("K") {
            Some(MaybeRef::NotRef(Object::Array(list))) => self.list(&list, on, depth, &mut out),
            Some(MaybeRef::Ref(reference)) => {
                // The list itself may be an object.
                match self.file.pdf().xref().get::<Object<'w>>(reference.into()) {
                    Some(Object::Array(list)) => self.list(&list, on, depth, &mut out),
                    _ => self.kid(MaybeRef::Ref(reference), on, depth, &mut out),
                }
            }
            Some(other) => self.kid(other, on, depth, &mut out),
            None => {}
        }
        out
    }

    fn list(&mut self, list: &Array<'w>, on: Option<Key>, depth: usize, out: &mut Vec<Kid>) {
        for item in list.raw_iter().take(limits::TREE_NODES) {
            self.kid(item, on, depth, out);
            if self.rest == 0 {
                return;
            }
        }
    }

    fn kid(
        &mut self,
        item: MaybeRef<Object<'w>>,
        on: Option<Key>,
        depth: usize,
        out: &mut Vec<Kid>,
    ) {
        let (reference, dict) = match item {
            MaybeRef::NotRef(Object::Number(id)) => {
                if on == self.page
                    && let Ok(id) = u32::try_from(id.as_i64())
                {
                    out.push(Kid::Mark(Mark { stream: 0, id }));
                }
                return;
            }
            MaybeRef::NotRef(Object::Dict(dict)) => (None, dict),
            MaybeRef::NotRef(_) => return,
            MaybeRef::Ref(reference) => {
                let reference = key(reference);
                if self
                    .wanted
                    .is_some_and(|wanted| !wanted.contains(&reference))
                {
                    return;
                }
                if self.open.contains(&reference) {
                    return;
                }
                let id = ObjectIdentifier::new(reference.0, reference.1);
                match self.file.pdf().xref().get::<Object<'w>>(id) {
                    Some(Object::Dict(dict)) => (Some(reference), dict),
                    _ => return,
                }
            }
        };
        match dict.get::<Name<'_>>("Type").as_deref() {
            Some(b"MCR") => {
                let page = dict.get_ref("Pg").map(key).or(on);
                let stream = dict.get_ref("Stm").map_or(0, |it| it.obj_number);
                if page == self.page
                    && let Some(id) = dict.get::<u32>("MCID")
                {
                    out.push(Kid::Mark(Mark { stream, id }));
                }
            }
            Some(b"OBJR") => {
                let page = dict.get_ref("Pg").map(key).or(on);
                if page == self.page
                    && let Some(object) = dict.get_ref("Obj")
                {
                    out.push(Kid::Object(object.obj_number));
                }
            }
            _ => {
                let Some(rest) = self.rest.checked_sub(1) else {
                    return;
                };
                self.rest = rest;
                self.open.extend(reference);
                let node = self.element(&dict, on, depth);
                if reference.is_some() {
                    self.open.pop();
                }
                out.extend(node.map(Kid::Node));
            }
        }
    }

    /// Reads an element. `None` if nothing of it is on the page.
    fn element(&mut self, dict: &Dict<'w>, on: Option<Key>, depth: usize) -> Option<Node> {
        let role = dict
            .get::<Name<'_>>("S")
            .map(|name| self.roles.role(&name))
            .unwrap_or_default();
        if role == Role::Skipped {
            return None;
        }
        let on = dict.get_ref("Pg").map(key).or(on);
        // Empty cells have no content, but they have a place in their row.
        let all = self.wanted;
        if role == Role::Row {
            self.wanted = None;
        }
        let mut kids = self.kids(dict, on, depth.saturating_add(1));
        self.wanted = all;
        if role == Role::Formula {
            kids = kids.into_iter().flat_map(content_of).collect();
        }
        let is_cell = matches!(role, Role::Cell | Role::HeaderCell);
        let text = |name: &str| {
            let text = dict.get::<PdfString<'_>>(name)?;
            let text = strings::text(text.as_bytes());
            Some(crate::text::start(&text, limits::ACTUAL_TEXT_BYTES).to_owned())
        };
        let actual = text("ActualText").filter(|_| on == self.page);
        if role == Role::Row && !kids.iter().any(has_content) {
            return None;
        }
        if kids.is_empty() && !is_cell {
            return None;
        }
        let attributes = attributes(dict);
        let span = |name: &str| {
            let spans = attributes.iter().filter_map(|dict| dict.get::<i64>(name));
            let span = spans.max().unwrap_or(1).clamp(1, limits::CELL_SPAN);
            usize::try_from(span).unwrap_or(1)
        };
        let (continued, head) = if role == Role::Table {
            self.head(dict, on)
        } else {
            (false, None)
        };
        Some(Node {
            continued,
            head,
            role,
            kids,
            alt: text("Alt"),
            actual,
            columns: if is_cell { span("ColSpan") } else { 1 },
            rows: if is_cell { span("RowSpan") } else { 1 },
        })
    }
}

impl<'w> Walker<'w> {
    /// Whether the first row of a table is on another page, and the row if it is a head.
    fn head(&self, table: &Dict<'w>, on: Option<Key>) -> (bool, Option<Box<(usize, Node)>>) {
        let Some((reference, row, on, in_head)) = self.first_row(table, on, false, 0) else {
            return (false, None);
        };
        if self.wanted.is_none_or(|wanted| wanted.contains(&reference)) {
            return (false, None);
        }
        let read = || {
            let page = self.page_of(&row, on, 0)?;
            let mut walker = Walker {
                file: self.file,
                roles: Roles {
                    map: self.roles.map.clone(),
                },
                page: Some(page),
                wanted: None,
                rest: limits::HEAD_NODES,
                open: Vec::new(),
            };
            let node = walker.element(&row, on, 0)?;
            let is_title =
                |kid: &Kid| matches!(kid, Kid::Node(node) if node.role == Role::HeaderCell);
            if !in_head && !node.kids.iter().all(is_title) {
                return None;
            }
            Some(Box::new((self.file.page_of(page)?, node)))
        };
        (true, read())
    }

    /// The first row of a table, the page of the elements around it, and whether it is in the head.
    fn first_row(
        &self,
        element: &Dict<'w>,
        on: Option<Key>,
        in_head: bool,
        depth: usize,
    ) -> Option<(Key, Dict<'w>, Option<Key>, bool)> {
        if depth > 4 {
            return None;
        }
        let Object::Array(list) = element.get::<Object<'w>>("K")? else {
            return None;
        };
        for item in list.raw_iter().take(8) {
            let Some(reference) = item.as_obj_ref() else {
                continue;
            };
            let Some(dict) = self.file.pdf().xref().get::<Dict<'w>>(reference.into()) else {
                continue;
            };
            let on = dict.get_ref("Pg").map(key).or(on);
            let name = dict.get::<Name<'_>>("S")?;
            match self.roles.role(&name) {
                Role::Row => return Some((key(reference), dict, on, in_head)),
                Role::Rows => {
                    let in_head = in_head || name.as_ref() == b"THead";
                    return self.first_row(&dict, on, in_head, depth.saturating_add(1));
                }
                _ => {}
            }
        }
        None
    }

    /// The page of the first content of an element.
    fn page_of(&self, element: &Dict<'w>, on: Option<Key>, depth: usize) -> Option<Key> {
        let on = element.get_ref("Pg").map(key).or(on);
        if depth > 8 {
            return on;
        }
        let first = match element.get_raw::<Object<'w>>("K")? {
            MaybeRef::NotRef(Object::Array(list)) => list.raw_iter().next()?,
            other => other,
        };
        match first {
            MaybeRef::NotRef(Object::Dict(dict)) => {
                self.page_of(&dict, on, depth.saturating_add(1))
            }
            MaybeRef::Ref(reference) => {
                match self.file.pdf().xref().get::<Object<'w>>(reference.into())? {
                    Object::Dict(dict) => self.page_of(&dict, on, depth.saturating_add(1)),
                    _ => on,
                }
            }
            MaybeRef::NotRef(_) => on,
        }
    }
}

/// The content of a formula without its groups: those of MathML (`mi`, `msup`) are not blocks.
fn content_of(kid: Kid) -> Vec<Kid> {
    match kid {
        Kid::Node(node) if node.role == Role::Group => {
            node.kids.into_iter().flat_map(content_of).collect()
        }
        other => vec![other],
    }
}

/// Whether it has content, or is a node with content.
fn has_content(kid: &Kid) -> bool {
    match kid {
        Kid::Node(node) => node.kids.iter().any(has_content),
        Kid::Mark(_) | Kid::Object(_) => true,
    }
}

/// The attribute objects of an element. In a list, numbers of revisions are between them.
fn attributes<'a>(dict: &Dict<'a>) -> Vec<Dict<'a>> {
    match dict.get::<Object<'a>>("A") {
        Some(Object::Dict(dict)) => vec![dict],
        Some(Object::Stream(stream)) => vec![stream.dict().clone()],
        Some(Object::Array(list)) => array::dicts(&list).take(64).collect(),
        _ => Vec::new(),
    }
}
