//! Finds keys of data by their path, or by a line, in one pass without a tree.
//!
//! A walker for each format reports where each key and each element of a sequence begins and ends.

mod flow;
mod json;
mod strings;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

use crate::grammar::Kind;
use crate::item::cut;
use crate::limits;
use crate::sort;
use crate::symbol::{Found, Matches, Symbol};
use std::borrow::Cow;

pub use json::walk as json;
pub use toml::walk as toml;
pub use yaml::walk as yaml;

/// Reports the keys of a text that is JSON or YAML.
pub fn json_or_yaml<'t>(text: &'t str, keys: &mut Keys<'t, '_>) {
    if text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{')
    {
        json(text, keys);
    } else {
        yaml(text, keys);
    }
}

/// A function that reports the keys of a text.
pub type Walk = for<'t> fn(&'t str, &mut Keys<'t, '_>);

/// Finds the keys with a path. If a path from the root matches, only such paths count. A path may have
/// several readings: `a.b` is a key `a.b`, and a key `b` in `a`. A part of the query in quotes is one key:
/// `"a.b"`. Returns `None` if no path ends with the query.
pub fn find(text: &str, walk: Walk, query: &str) -> Option<Found> {
    let query = cut(query, limits::QUERY_BYTES);
    if query.is_empty() {
        return None;
    }
    let search = Search {
        query,
        rooted: false,
        matches: Matches::default(),
    };
    let mut keys = Keys::new(text, Task::Find(search));
    walk(text, &mut keys);
    let (divided, lost) = (keys.divided, keys.lost);
    let Task::Find(Search { mut matches, .. }) = keys.task else {
        return None;
    };
    judge(&mut matches.symbols, divided, lost);
    sort::by(&mut matches.symbols, |symbol| (symbol.bytes.0 as u64, 0));
    matches.found()
}

/// Calls `each` with the name of every key, and with a function that makes its path. Returns the line from which
/// brackets do not match.
pub fn each(
    text: &str,
    walk: Walk,
    each: &mut dyn FnMut(&str, &mut dyn FnMut() -> String),
) -> Option<u32> {
    let mut keys = Keys::new(text, Task::Each(each));
    walk(text, &mut keys);
    keys.lost
}

/// Finds the keys and elements that contain a line, the innermost first. If `offset` is given, they also contain
/// the byte at this offset.
pub fn enclosing(text: &str, walk: Walk, line: u32, offset: Option<usize>) -> Vec<Symbol> {
    let mut found = Vec::new();
    let task = Task::Line(line, offset, &mut found);
    let mut keys = Keys::new(text, task);
    walk(text, &mut keys);
    let (divided, lost) = (keys.divided, keys.lost);
    judge(&mut found, divided, lost);
    found
}

/// Completes the symbols at the end of a walk. `divided` is whether a name of a key may be read as a path, and
/// `lost` the line from which brackets do not match.
fn judge(symbols: &mut [Symbol], divided: bool, lost: Option<u32>) {
    for symbol in symbols {
        symbol.quoted.take_if(|_| !divided);
        symbol.unsure_from = lost.filter(|line| *line <= symbol.last);
    }
}

/// The name of a key, or the index of an element.
#[derive(Clone, Debug)]
pub enum Key<'t> {
    /// A key.
    Name(Cow<'t, str>),
    /// The index of an element of a sequence.
    Index(usize),
}

/// A position at which a key begins.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    /// The first line, with the comment before it.
    pub first: u32,
    /// The line of the key.
    pub line: u32,
    /// The byte offset of the key.
    pub start: usize,
}

/// The places in the query at which the path of an open key may end.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    at: [u16; limits::KEY_PLACES],
    count: u8,
}

impl Places {
    fn add(&mut self, place: usize) {
        // Places fit, because `limits::QUERY_BYTES` is smaller than 2^16.
        if let (Some(free), Ok(place)) = (
            self.at.get_mut(usize::from(self.count)),
            u16::try_from(place),
        ) {
            *free = place;
            self.count = self.count.saturating_add(1);
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        self.at
            .into_iter()
            .take(usize::from(self.count))
            .map(usize::from)
    }
}

/// A key that has not ended.
#[derive(Debug)]
struct Open<'t> {
    key: Key<'t>,
    begin: Begin,
    /// The places for paths that begin at the root.
    rooted: Places,
    /// The places for paths that begin at any key.
    free: Places,
    /// Whether the key matches. `Some(true)` if its path from the root does.
    matched: Option<bool>,
    /// Whether a key in it contains the line.
    holds: bool,
}

/// A search for a path.
#[derive(Debug)]
struct Search<'q> {
    query: &'q str,
    /// Whether a path from the root matches.
    rooted: bool,
    matches: Matches,
}

/// The purpose of a walk.
enum Task<'k> {
    Find(Search<'k>),
    Each(&'k mut dyn FnMut(&str, &mut dyn FnMut() -> String)),
    Line(u32, Option<usize>, &'k mut Vec<Symbol>),
}

/// The keys that are open during a walk.
pub struct Keys<'t, 'k> {
    text: &'t str,
    open: Vec<Open<'t>>,
    /// The number of open keys that are nested too deeply to be kept.
    deeper: usize,
    task: Task<'k>,
    /// Whether the name of a key may be read as a path.
    divided: bool,
    /// The first line from which brackets do not match.
    lost: Option<u32>,
    /// Whether elements that are scalars do not matter, because the query has no index.
    pub skips_scalars: bool,
}

impl<'t, 'k> Keys<'t, 'k> {
    fn new(text: &'t str, task: Task<'k>) -> Self {
        Self {
            text,
            open: Vec::new(),
            deeper: 0,
            divided: false,
            lost: None,
            skips_scalars: match &task {
                Task::Find(search) => !search.query.bytes().any(|byte| byte.is_ascii_digit()),
                Task::Each(_) => true,
                Task::Line(..) => false,
            },
            task,
        }
    }

    /// The number of open keys.
    pub fn depth(&self) -> usize {
        self.open.len().saturating_add(self.deeper)
    }

    /// Records that brackets do not match from a line on.
    pub fn lost(&mut self, line: u32) {
        self.lost.get_or_insert(line);
    }

    /// Begins a key or element.
    pub fn enter(&mut self, key: Key<'t>, begin: Begin) {
        if self.deeper > 0 || self.open.len() >= limits::SECTION_DEPTH {
            self.deeper = self.deeper.saturating_add(1);
            return;
        }
        let mut open = Open {
            key,
            begin,
            rooted: Places::default(),
            free: Places::default(),
            matched: None,
            holds: false,
        };
        if let Task::Find(search) = &self.task {
            self.compare(&mut open, search.query);
        }
        if let Key::Name(name) = &open.key {
            self.divided = self.divided || is_divided(name);
        }
        self.open.push(open);
        if let Task::Each(each) = &mut self.task
            && let Some(Open {
                key: Key::Name(name),
                ..
            }) = self.open.last()
        {
            each(name, &mut || path(&self.open));
        }
    }

    /// Finds the places in the query at which the path of a key that begins may end.
    fn compare(&self, open: &mut Open<'t>, query: &str) {
        let above = self.open.last();
        let continues = above.is_none_or(|above| above.rooted.count > 0 || above.free.count > 0);
        if !continues && !may_begin(&open.key, query) {
            return;
        }
        let mut root = Places::default();
        root.add(0);
        let rooted = above.map_or(root, |above| above.rooted);
        let mut free = above.map_or_else(Places::default, |above| above.free);
        free.add(0);
        for (places, is_rooted) in [(rooted, true), (free, false)] {
            for place in places.all() {
                let Some(rest) = query.get(place..) else {
                    continue;
                };
                let Some(end) = ends(&open.key, rest, place == 0) else {
                    continue;
                };
                let end = place.saturating_add(end);
                if end == query.len() {
                    open.matched = Some(is_rooted || open.matched == Some(true));
                } else if is_rooted {
                    open.rooted.add(end);
                } else {
                    open.free.add(end);
                }
            }
        }
    }

    /// Ends the innermost key. `last` is its last line, and `end` the byte offset after it.
    pub fn leave(&mut self, last: u32, end: usize) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let Some(open) = self.open.last() else {
            return;
        };
        let last = last.max(open.begin.line);
        let symbol = || {
            Some(Symbol {
                name: path(&self.open),
                quoted: Some(quoted_path(&self.open)),
                kind: Kind::Section,
                word: match open.key {
                    Key::Name(_) => "key",
                    Key::Index(_) => "element",
                },
                first: open.begin.first,
                sign: open.begin.line,
                line: open.begin.line,
                head: open.begin.line,
                last,
                bytes: (open.begin.start, end.max(open.begin.start)),
                unsure_from: None,
            })
        };
        let mut contains = false;
        match (&mut self.task, open.matched) {
            (Task::Find(search), Some(true)) => {
                if !std::mem::replace(&mut search.rooted, true) {
                    search.matches = Matches::default();
                }
                search.matches.add(symbol);
            }
            (Task::Find(search), Some(false)) if !search.rooted => {
                search.matches.add(symbol);
            }
            (Task::Line(line, offset, found), _) => {
                contains = (open.begin.first..=last).contains(line)
                    && offset.is_none_or(|offset| (open.begin.start..end).contains(&offset))
                    && (open.holds || found.is_empty());
                if contains {
                    found.extend(symbol());
                }
            }
            _ => {}
        }
        self.open.pop();
        if let Some(above) = self.open.last_mut() {
            above.holds |= contains;
        }
    }

    /// Ends all keys but the outermost `depth` ones.
    pub fn leave_to(&mut self, depth: usize, last: u32, end: usize) {
        while self.depth() > depth {
            self.leave(last, end);
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }
}

/// The path of the innermost of these keys.
fn path(open: &[Open<'_>]) -> String {
    let mut path = String::new();
    for (at, open) in open.iter().enumerate() {
        if at > 0 {
            path.push('.');
        }
        match &open.key {
            Key::Name(name) => path.push_str(cut(name, limits::NAME_BYTES)),
            Key::Index(index) => path.push_str(&index.to_string()),
        }
    }
    path
}

/// The path of the innermost of these keys, with names in quotes so that it has no other reading: of two names one
/// after the other, one is in quotes.
fn quoted_path(open: &[Open<'_>]) -> String {
    let mut path = String::new();
    let mut plain = false;
    for (at, one) in open.iter().enumerate() {
        if at > 0 {
            path.push('.');
        }
        match &one.key {
            Key::Name(name) => {
                let name = cut(name, limits::NAME_BYTES);
                let next = open.get(at.saturating_add(1)).map(|next| &next.key);
                let indexed = matches!(next, Some(Key::Index(_)));
                plain = !(plain || indexed || is_divided(name) || name.is_empty());
                if plain {
                    path.push_str(name);
                } else {
                    path.push('"');
                    path.push_str(&name.replace('"', "\"\""));
                    path.push('"');
                }
            }
            Key::Index(index) => {
                plain = false;
                path.push_str(&index.to_string());
            }
        }
    }
    path
}

/// Whether the name of a key may be read as a path or as a part in quotes.
fn is_divided(name: &str) -> bool {
    name.bytes()
        .any(|byte| matches!(byte, b'.' | b'#' | b'/' | b'[' | b'"'))
        || name.contains("::")
}

/// The name in quotes at the start of a query, in which a quote is doubled, and the text after it.
fn quoted(query: &str) -> Option<(Cow<'_, str>, &str)> {
    let text = query.strip_prefix('"')?;
    let mut from = 0usize;
    loop {
        let end = text.get(from..)?.find('"')?.saturating_add(from);
        let after = text.get(end.saturating_add(1)..)?;
        if !after.starts_with('"') {
            let name = text.get(..end)?;
            let name = if from > 0 {
                Cow::Owned(name.replace("\"\"", "\""))
            } else {
                Cow::Borrowed(name)
            };
            return is_end(after).then_some((name, after));
        }
        from = end.saturating_add(2);
    }
}

/// The signs between the keys of a query.
const SEPARATORS: [&str; 4] = ["::", ".", "#", "/"];

/// Whether a key of a query ends before this text.
fn is_end(after: &str) -> bool {
    after.is_empty()
        || after.starts_with('[')
        || SEPARATORS
            .iter()
            .any(|separator| after.starts_with(separator))
}

/// Whether a query may begin with a key, by its first letter. Most keys are rejected so.
fn may_begin(key: &Key<'_>, query: &str) -> bool {
    let first = query.as_bytes().first();
    match key {
        Key::Name(name) => name.as_bytes().first() == first || first == Some(&b'"'),
        Key::Index(_) => first.is_some_and(|byte| byte.is_ascii_digit() || *byte == b'['),
    }
}

/// The length of the part of a query that a key matches, if it does. `first` is whether the query
/// begins there, so that no separator precedes the key.
fn ends(key: &Key<'_>, query: &str, first: bool) -> Option<usize> {
    let separated = || {
        SEPARATORS
            .iter()
            .find_map(|separator| query.strip_prefix(separator))
    };
    let bracketed = matches!(key, Key::Index(_)) && query.starts_with('[');
    let rest = if first || bracketed {
        query
    } else {
        separated()?
    };
    let after = match key {
        Key::Name(name) => match quoted(rest) {
            Some((wanted, after)) => Some(after).filter(|_| wanted == **name)?,
            None => rest.strip_prefix(&**name)?,
        },
        Key::Index(index) => {
            let bare = rest.strip_prefix('[');
            let digits = bare.unwrap_or(rest);
            let length = digits.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = digits.get(..length)?.parse().ok()?;
            if number != *index {
                return None;
            }
            let after = digits.get(length..)?;
            match bare {
                Some(_) => after.strip_prefix(']')?,
                None => after,
            }
        }
    };
    is_end(after).then(|| query.len().saturating_sub(after.len()))
}
