//! The structure elements of a page: those in the list of the page, and all around them.
//!
//! They are the elements that `structure::tree` reads.

use super::Ranges;
use super::held::Held;
use super::source::Failure;
use super::walk::Kind;
use crate::limits;
use crate::structure::Role;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};
use std::collections::BTreeSet;

impl Ranges {
    /// Reads the elements of the pages that were read.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the file must be read whole.
    pub fn tags(&mut self) -> Result<(), Failure> {
        let new: BTreeSet<i64> = self.keys.difference(&self.tagged).copied().collect();
        let Some(root) = self.tree_root() else {
            return Ok(());
        };
        if new.is_empty() {
            return Ok(());
        }
        self.read(&[root], Kind::Element)?;
        let Some(dict) = tree(&self.held, self.root) else {
            return Ok(());
        };
        let of = |key: &str| references(&dict, key);
        let (maps, lists) = ([of("RoleMap"), of("ClassMap"), of("Namespaces")], of("K"));
        self.walk(Kind::Element, maps.concat())?;
        self.read(&lists, Kind::Element)?;
        let first = self.listed(&new)?;
        let elements = self.around(first, root)?;
        self.rows(&elements)?;
        self.tagged.extend(new);
        Ok(())
    }

    /// Reads all elements of the document.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if the file must be read whole.
    pub fn all_tags(&mut self) -> Result<(), Failure> {
        if let Some(root) = self.tree_root() {
            self.walk(Kind::Tags, vec![root])?;
        }
        self.has_all_tags = true;
        Ok(())
    }

    fn tree_root(&self) -> Option<ObjectIdentifier> {
        let root = self.held.dict(self.root)?;
        Some(root.get_ref("StructTreeRoot")?.into())
    }

    /// The elements that the parent tree lists for keys.
    fn listed(&mut self, keys: &BTreeSet<i64>) -> Result<Vec<ObjectIdentifier>, Failure> {
        let mut values = Vec::new();
        let mut nodes = Vec::new();
        let mut out = Vec::new();
        if let Some(dict) = tree(&self.held, self.root) {
            match dict.get_raw::<Object<'_>>("ParentTree") {
                Some(MaybeRef::Ref(node)) => nodes.push(node.into()),
                Some(MaybeRef::NotRef(Object::Dict(node))) => {
                    entries(&node, keys, &mut nodes, &mut values, &mut out);
                }
                _ => {}
            }
        }
        for _ in 0..limits::NUMBER_TREE_DEPTH {
            if nodes.is_empty() {
                break;
            }
            self.read(&nodes, Kind::Element)?;
            let mut next = Vec::new();
            for node in &nodes {
                if let Some(node) = self.held.dict(*node) {
                    entries(&node, keys, &mut next, &mut values, &mut out);
                }
            }
            nodes = next;
        }
        self.read(&values, Kind::Element)?;
        for value in values {
            match self.held.object(value) {
                Some(Object::Array(list)) => out.extend(items(&list)),
                Some(_) => out.push(value),
                None => {}
            }
        }
        Ok(out)
    }

    /// Reads elements, and all elements around them.
    fn around(
        &mut self,
        first: Vec<ObjectIdentifier>,
        root: ObjectIdentifier,
    ) -> Result<BTreeSet<ObjectIdentifier>, Failure> {
        let mut all = BTreeSet::new();
        let mut level = first;
        for _ in 0..limits::TREE_DEPTH {
            level.sort_unstable();
            level.retain(|id| *id != root && all.insert(*id));
            if level.is_empty() {
                break;
            }
            self.walk(Kind::Element, level.clone())?;
            let parent = |id: &ObjectIdentifier| self.held.dict(*id)?.get_ref("P");
            let next: Vec<_> = level.iter().filter_map(parent).map(Into::into).collect();
            // A list of content may be an object.
            let list = |id: &ObjectIdentifier| {
                let dict = self.held.dict(*id)?;
                references(&dict, "K").first().copied()
            };
            let lists: Vec<_> = level.iter().filter_map(list).collect();
            self.read(&lists, Kind::Element)?;
            level = next;
        }
        Ok(all)
    }

    /// Reads all content of rows, whose empty cells are shown, and the first row of tables.
    fn rows(&mut self, elements: &BTreeSet<ObjectIdentifier>) -> Result<(), Failure> {
        let mut rows = Vec::new();
        let mut tables: Vec<_> = elements.iter().copied().collect();
        // A table has parts, and a part has rows.
        for depth in 0..6 {
            let mut next = Vec::new();
            self.read(&tables, Kind::Element)?;
            for id in &tables {
                let Some(dict) = self.held.dict(*id) else {
                    continue;
                };
                let (is_row, is_table) = part_of_table(&dict);
                if is_row {
                    rows.push(*id);
                }
                if is_table && depth < 5 {
                    next.extend(kids(&self.held, &dict).into_iter().take(8));
                }
            }
            tables = next;
        }
        self.walk(Kind::Tags, rows)
    }
}

/// Whether an element may be a row, and whether it may be a table or a part with rows. A name that is not a
/// standard one may be mapped to one.
fn part_of_table(dict: &Dict<'_>) -> (bool, bool) {
    let Some(name) = dict.get::<Name<'_>>("S") else {
        return (false, false);
    };
    match Role::standard(name.as_ref()) {
        Some(Role::Row) => (true, false),
        Some(Role::Table | Role::Rows) => (false, true),
        Some(_) => (false, false),
        None => (true, true),
    }
}

/// The content of an element that is other elements.
fn kids(held: &Held, dict: &Dict<'_>) -> Vec<ObjectIdentifier> {
    let first = references(dict, "K");
    match dict.get_ref("K").map(|list| held.object(list.into())) {
        Some(Some(Object::Array(list))) => items(&list).collect(),
        _ => first,
    }
}

/// The references of an entry: itself, or the items of a list.
fn references(dict: &Dict<'_>, key: &str) -> Vec<ObjectIdentifier> {
    match dict.get_raw::<Object<'_>>(key) {
        Some(MaybeRef::Ref(reference)) => vec![reference.into()],
        Some(MaybeRef::NotRef(Object::Array(list))) => items(&list).collect(),
        _ => Vec::new(),
    }
}

fn items(list: &Array<'_>) -> impl Iterator<Item = ObjectIdentifier> {
    let references = list.raw_iter().filter_map(|item| item.as_obj_ref());
    references.map(Into::into)
}

/// Looks for keys in a node of a number tree. `nodes` gets the nodes below it, `values` the objects that
/// keys have, and `elements` those in lists.
fn entries(
    node: &Dict<'_>,
    keys: &BTreeSet<i64>,
    nodes: &mut Vec<ObjectIdentifier>,
    values: &mut Vec<ObjectIdentifier>,
    elements: &mut Vec<ObjectIdentifier>,
) {
    if let Some([low, high]) = node.get::<[i64; 2]>("Limits")
        && (low > high || keys.range(low..=high).next().is_none())
    {
        return;
    }
    if let Some(list) = node.get::<Array<'_>>("Nums") {
        let mut items = list.raw_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let MaybeRef::NotRef(Object::Number(key)) = key else {
                continue;
            };
            if !keys.contains(&key.as_i64()) {
                continue;
            }
            match value {
                MaybeRef::Ref(value) => values.push(value.into()),
                MaybeRef::NotRef(Object::Array(list)) => elements.extend(self::items(&list)),
                MaybeRef::NotRef(_) => {}
            }
        }
    }
    nodes.extend(references(node, "Kids"));
}

/// The structure tree of a file.
fn tree(held: &Held, root: ObjectIdentifier) -> Option<Dict<'_>> {
    let catalog = held.dict(root)?;
    let tree = catalog.get_ref("StructTreeRoot")?;
    held.dict(tree.into())
}
