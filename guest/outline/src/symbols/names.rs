//! The names of declarations, with the names of what contains them.

use crate::grammar::Kind;
use crate::item::{Item, Parsed};
use crate::language::{Language, Quirk};
use crate::limits;

/// The scopes of items, and the ends of scopes, by the index of the item.
type Scopes = (Vec<Option<usize>>, Vec<Option<u32>>);

/// The names of the declarations of a text.
#[derive(Debug)]
pub struct Names<'t> {
    text: &'t str,
    parsed: &'t Parsed,
    language: Option<&'static Language>,
    /// For each item, the name by which its members are qualified, if it differs from its own:
    /// `Type` for `impl Trait for Type`. Empty if no item of the text has such a name.
    members_of: Vec<Option<&'t str>>,
    /// For each item, the index of the item in whose block it is. Unlike [`Item::parent`], it also
    /// divides lines with several items. Empty if the text is not code.
    parents: Vec<Option<usize>>,
    /// For each item, the index of the item whose scope it is in because that item has no block:
    /// `package A;`. Empty if no item of the text has such a scope.
    scopes: Vec<Option<usize>>,
    /// For each item that is a module without a block, where its scope ends. See
    /// [`Names::scope_end`].
    ends: Vec<Option<u32>>,
}

impl<'t> Names<'t> {
    /// Prepares the names.
    pub fn new(text: &'t str, parsed: &'t Parsed, language: Option<&'static Language>) -> Self {
        let members_of = language.and_then(|language| language.members_of);
        let members_of = members_of.map_or_else(Vec::new, |members_of| {
            let named = |item: &Item| {
                let before = text.get(item.start..item.name_start)?;
                members_of(before, after(text, item.name_start))
            };
            parsed
                .items
                .iter()
                .map(|item| named(item).filter(|name| !name.is_empty()))
                .collect()
        });
        let parents = language.map_or_else(Vec::new, |_| parents(&parsed.items));
        let (scopes, ends) = language
            .filter(|language| language.scopes_until_next)
            .map_or_else(Default::default, |_| scopes(parsed, &parents));
        Self {
            text,
            parsed,
            language,
            members_of,
            parents,
            scopes,
            ends,
        }
    }

    /// The name of an item without quotes around it.
    pub fn own<'i>(&self, item: &'i Item) -> &'i str {
        if self.language.is_some() {
            unquoted(&item.name)
        } else {
            &item.name
        }
    }

    /// The item in whose scope an item is, because it is in its block or after its declaration.
    pub fn outer(&self, at: usize) -> Option<usize> {
        let parent = self.parent(at);
        let scope = self.scopes.get(at).copied().flatten();
        // An outer item precedes its inner ones, so that chains of them end.
        parent.or(scope).filter(|above| *above < at)
    }

    /// The item in whose block an item is.
    pub fn parent(&self, at: usize) -> Option<usize> {
        match self.parents.get(at) {
            Some(parent) => *parent,
            None => self.parsed.items.get(at)?.parent,
        }
    }

    /// The last module without a block, if its scope is the rest of the text.
    pub fn open_module(&self) -> Option<usize> {
        let is_open = |end: &Option<u32>| *end == Some(u32::MAX);
        self.ends.iter().rposition(is_open)
    }

    /// The line of the module after a module without a block, which ends there. [`u32::MAX`] if
    /// the scope of the module is the rest of the text. `None` for other items.
    pub fn scope_end(&self, at: usize) -> Option<u32> {
        self.ends.get(at).copied().flatten()
    }

    /// The type of which the item only holds members.
    pub fn type_of_members(&self, at: usize) -> Option<&'t str> {
        self.members_of.get(at).copied().flatten()
    }

    /// Calls `part` with each part of the path of an item, from its own name outwards, until `part`
    /// returns `false`. A part may itself be a path, such as `a.b`.
    pub fn each_part(&self, at: usize, part: &mut dyn FnMut(&str) -> bool) {
        let mut next = Some(at);
        let mut inner = true;
        while let Some(at) = next {
            let Some(item) = self.parsed.items.get(at) else {
                return;
            };
            let members_of = self.type_of_members(at);
            let name = if inner {
                self.own(item)
            } else {
                members_of.unwrap_or_else(|| self.own(item))
            };
            if !name.is_empty() && !part(name) {
                return;
            }
            if members_of.is_none() && !self.owners(item, part) {
                return;
            }
            inner = false;
            next = self.outer(at);
        }
    }

    /// Calls `part` with the parts of the path before the name of an item in its text, from the
    /// last to the first: `T` in `void T::name()`. Returns `false` as soon as `part` does.
    fn owners(&self, item: &Item, part: &mut dyn FnMut(&str) -> bool) -> bool {
        let Some(language) = self.language else {
            return true;
        };
        let Some(before) = self.text.get(item.start..item.name_start) else {
            return true;
        };
        if let Some(receiver) = language.receiver
            && let Some(name) = receiver(before)
        {
            return part(name);
        }
        // `public:` is no name.
        let labels = language.has_quirk(Quirk::Labels);
        let is_label = |text: &str| {
            let text = text.trim_end();
            text.ends_with(':') && !text.ends_with("::")
        };
        if labels && is_label(before) {
            return true;
        }
        let mut rest = before;
        for _ in 0..limits::QUERY_PARTS {
            let Some((before, name)) = owner(rest) else {
                return true;
            };
            if !matches!(name, "self" | "this" | "prototype" | "") && !part(name) {
                return false;
            }
            rest = before;
        }
        true
    }

    /// The name of an item with the names of what contains it: `Outer.inner`.
    pub fn path(&self, at: usize) -> String {
        let mut parts: Vec<String> = Vec::new();
        self.each_part(at, &mut |part| {
            parts.push(part.to_owned());
            parts.len() <= limits::SECTION_DEPTH
        });
        parts.reverse();
        parts.join(".")
    }
}

/// The text after an offset, as far as a name or signature may extend.
fn after(text: &str, from: usize) -> &str {
    let end = text.floor_char_boundary(from.saturating_add(limits::SIGNATURE_BYTES));
    text.get(from..end).unwrap_or_default()
}

/// For each item of code, the item in whose block it is.
fn parents(items: &[Item]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(items.len());
    // The items of the current line that have not ended.
    let mut open: Vec<(usize, &Item)> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        while open
            .pop_if(|(_, outer)| outer.end <= item.start || outer.first != item.first)
            .is_some()
        {}
        let outer = open
            .iter()
            .rev()
            .find(|(_, outer)| item.start > outer.name_start && item.end <= outer.end);
        let mut parent = item.parent;
        // A block may end earlier on the line on which the item begins.
        while let Some(above) = parent.and_then(|parent| items.get(parent))
            && above.end > 0
            && above.end <= item.start
        {
            parent = parent.and_then(|parent| *parents.get(parent)?);
        }
        parents.push(outer.map(|(outer, _)| *outer).or(parent));
        if item.last == item.first && item.end > 0 && open.len() < limits::BLOCK_DEPTH {
            open.push((at, item));
        }
    }
    parents
}

/// For each item, the module without a block in whose scope it is, and for each such module the line
/// at which the next one begins.
fn scopes(parsed: &Parsed, parents: &[Option<usize>]) -> Scopes {
    let mut module: Option<usize> = None;
    let mut scopes = Vec::with_capacity(parsed.items.len());
    let mut ends = vec![None; parsed.items.len()];
    for (at, item) in parsed.items.iter().enumerate() {
        let outermost = parents.get(at).is_none_or(Option::is_none);
        if outermost && item.kind == Kind::Module {
            scopes.push(None);
            if let Some(end) = module.and_then(|module| ends.get_mut(module)) {
                // The comment before the next module belongs to that one.
                let doc = item.doc.map_or(item.first, |(doc, _)| doc);
                *end = Some(doc.min(item.first));
            }
            module = Some(at).filter(|_| item.last <= item.head);
            if module.is_some()
                && let Some(end) = ends.get_mut(at)
            {
                *end = Some(u32::MAX);
            }
        } else {
            scopes.push(module.filter(|_| outermost));
        }
    }
    (scopes, ends)
}

/// A name without the quotes or brackets around it: `"name"`, `` `name` ``, `[name]`.
pub fn unquoted(name: &str) -> &str {
    let inner = |open: char, close: char| {
        name.strip_prefix(open)
            .and_then(|name| name.strip_suffix(close))
            .filter(|name| !name.is_empty())
    };
    inner('"', '"')
        .or_else(|| inner('`', '`'))
        .or_else(|| inner('\'', '\''))
        .or_else(|| inner('[', ']'))
        // `r#type`
        .or_else(|| name.strip_prefix("r#").filter(|name| !name.is_empty()))
        .unwrap_or(name)
}

/// The last part of the path at the end of a text, which a separator follows, and the text before
/// it: `T` in `void a::T<x>::`.
fn owner(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let text = text
        .strip_suffix("::")
        .or_else(|| text.strip_suffix('.'))
        .or_else(|| text.strip_suffix('#'))
        .or_else(|| text.strip_suffix('\\'))
        .or_else(|| text.strip_suffix(':'))?;
    let text = before_angles(text.trim_end())?;
    // `String?.name`
    let text = text.strip_suffix('?').unwrap_or(text);
    let last = text.chars().next_back()?;
    let from = match last {
        '"' | '`' => text.get(..text.len().checked_sub(1)?)?.rfind(last)?,
        ']' => text.rfind('[')?,
        _ => {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            text.trim_end_matches(is_word).len()
        }
    };
    let name = unquoted(text.get(from..)?);
    Some((text.get(..from)?, name))
}

/// The text before the type arguments at its end: `a` in `a<b<c>>`.
fn before_angles(text: &str) -> Option<&str> {
    if !text.ends_with('>') {
        return Some(text);
    }
    let mut level = 0usize;
    for (at, byte) in text.bytes().enumerate().rev().take(limits::SIGNATURE_BYTES) {
        match byte {
            b'>' => level = level.saturating_add(1),
            b'<' => {
                level = level.saturating_sub(1);
                if level == 0 {
                    return text.get(..at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Divides a query of a keyword and a name: `impl Type`.
pub fn with_keyword<'q>(query: &'q str, language: &Language) -> Option<(&'q str, &'q str)> {
    let (word, name) = query.trim().split_once(' ')?;
    match language.keyword(word) {
        Some(keyword) => Some((keyword.word, name)),
        None if language.keywords.is_empty() => Some((word, name)),
        None => None,
    }
}
