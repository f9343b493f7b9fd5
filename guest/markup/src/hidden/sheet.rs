//! The rules of the `<style>` elements of a page.

use super::css::{Declared, Style, declarations};
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;
use std::cell::Cell;
use std::collections::BTreeMap;

/// A part of a selector that describes one element: `tag#id.class`.
#[derive(Debug, Default)]
struct Compound {
    tag: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
    /// Whether the element is directly in the one before.
    is_child: bool,
}

impl Compound {
    /// Parses a compound. `None` if it contains another kind of condition.
    fn of(text: &str) -> Option<Self> {
        let mut compound = Self::default();
        let mut rest = text;
        let mut kind = None;
        loop {
            let end = rest.find(['.', '#']).unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(end)?;
            let is_name = !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            match kind {
                None if name.is_empty() || name == "*" => {}
                _ if !is_name => return None,
                None => compound.tag = Some(name.to_ascii_lowercase()),
                Some('#') => compound.id = Some(name.to_owned()),
                Some(_) => compound.classes.push(name.to_owned()),
            }
            let mut chars = after.chars();
            kind = chars.next();
            if compound.classes.len() > limits::SELECTOR_CLASSES {
                return None;
            }
            if kind.is_none() {
                return Some(compound);
            }
            rest = chars.as_str();
        }
    }

    fn matches(&self, document: &Document, id: Id, checks: &Cell<usize>) -> bool {
        if let Some(tag) = &self.tag
            && document.tag(id).is_none_or(|known| known.name() != tag)
        {
            return false;
        }
        if let Some(name) = &self.id
            && document.attribute(id, Name::Id) != Some(name)
        {
            return false;
        }
        let classes = document.attribute(id, Name::Class).unwrap_or_default();
        let cost = (classes.len() / 8).saturating_add(1);
        let Some(left) = checks.get().checked_sub(cost) else {
            return false;
        };
        checks.set(left);
        self.classes
            .iter()
            .all(|class| classes.split_ascii_whitespace().any(|one| one == class))
    }

    fn specificity(&self) -> usize {
        let id = if self.id.is_some() { 1 << 16 } else { 0 };
        let classes = self.classes.len().min(255).saturating_mul(1 << 8);
        usize::from(self.tag.is_some())
            .saturating_add(classes)
            .saturating_add(id)
    }
}

/// A selector with its declarations.
#[derive(Debug)]
struct Rule {
    /// The compounds, the last one first.
    compounds: Vec<Compound>,
    specificity: usize,
    /// The index of its declarations.
    declared: usize,
}

impl Rule {
    fn matches(&self, document: &Document, id: Id, checks: &Cell<usize>) -> bool {
        let mut compounds = self.compounds.iter();
        let Some(mut last) = compounds.next() else {
            return false;
        };
        if !last.matches(document, id, checks) {
            return false;
        }
        let mut ancestors = document.ancestors(id);
        for compound in compounds {
            let found = if last.is_child {
                ancestors
                    .next()
                    .is_some_and(|outer| compound.matches(document, outer, checks))
            } else {
                ancestors.any(|outer| compound.matches(document, outer, checks))
            };
            if !found {
                return false;
            }
            last = compound;
        }
        true
    }
}

/// The rules of the `<style>` elements of a page that may hide or show text.
#[derive(Debug, Default)]
pub struct Sheet {
    declared: Vec<Declared>,
    rules: Vec<Rule>,
    /// The rules by the id, a class or the tag of their last compound.
    ids: BTreeMap<String, Vec<usize>>,
    classes: BTreeMap<String, Vec<usize>>,
    tags: BTreeMap<String, Vec<usize>>,
    /// Whether there are rules for colours that are not known.
    pub is_partial: bool,
    /// The work that is left for the rules of the page.
    checks: Cell<usize>,
}

impl Sheet {
    /// Parses the `<style>` elements of a page.
    pub fn of(document: &Document) -> Self {
        let mut sheet = Self {
            checks: Cell::new(limits::PAGE_STYLE_CHECKS),
            ..Self::default()
        };
        let mut bytes = 0usize;
        for id in document.with_tag(Tag::Style) {
            let mut text = String::new();
            document.raw_text(id, &mut text);
            bytes = bytes.saturating_add(text.len());
            if bytes > limits::STYLE_BYTES {
                sheet.is_partial = true;
                break;
            }
            sheet.parse(&without_comments(&text));
        }
        sheet
    }

    fn parse(&mut self, text: &str) {
        let mut rest = text;
        // Whether the rules in each open block of `@media` and the like may not apply.
        let mut blocks: Vec<bool> = Vec::new();
        while let Some(at) = rest.find(['{', '}', ';']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let before = before.trim();
            let mut chars = after.chars();
            let found = chars.next();
            rest = chars.as_str();
            match found {
                Some('{') => {
                    let is_conditional = blocks.last().copied().unwrap_or(false);
                    if before.starts_with('@') {
                        blocks.push(is_conditional || !always_applies(before));
                    } else {
                        let (body, after) = rest.split_once('}').unwrap_or((rest, ""));
                        self.add(before, body, is_conditional);
                        rest = after;
                    }
                }
                Some('}') => {
                    blocks.pop();
                }
                _ => self.is_partial |= before.to_ascii_lowercase().starts_with("@import"),
            }
        }
    }

    fn add(&mut self, selectors: &str, body: &str, is_conditional: bool) {
        let declared = declarations(body);
        if declared == Declared::default() {
            return;
        }
        let style = declared.style();
        let has_colors = style.colors() != Style::default();
        if is_conditional {
            self.is_partial |= has_colors;
            return;
        }
        let mut depth = 0usize;
        let selectors = selectors.split(|c| {
            match c {
                '(' | '[' => depth = depth.saturating_add(1),
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        let mut index = None;
        let mut shown = None;
        for selector in selectors {
            if self.rules.len() >= limits::STYLE_RULES {
                self.is_partial = true;
                return;
            }
            if let Some(compounds) = compounds(selector) {
                let specificity = compounds
                    .iter()
                    .map(Compound::specificity)
                    .fold(0, usize::saturating_add);
                let declared = *index.get_or_insert_with(|| push(&mut self.declared, declared));
                self.insert(Rule {
                    compounds,
                    specificity,
                    declared,
                });
                continue;
            }
            self.is_partial |= has_colors;
            // A rule such as `.tabs[data-on] .tab.active` may apply. It is only used to show text.
            let showing = Declared {
                normal: declared.normal.showing(),
                important: declared.important.showing(),
            };
            if showing == Declared::default() {
                continue;
            }
            if let Some(classes) = last_classes(selector) {
                let declared = *shown.get_or_insert_with(|| push(&mut self.declared, showing));
                self.insert(Rule {
                    compounds: vec![classes],
                    specificity: usize::MAX,
                    declared,
                });
            }
        }
    }

    fn insert(&mut self, rule: Rule) {
        let Some(last) = rule.compounds.first() else {
            return;
        };
        let rules = if let Some(id) = &last.id {
            self.ids.entry(id.clone()).or_default()
        } else if let Some(class) = last.classes.last() {
            self.classes.entry(class.clone()).or_default()
        } else if let Some(tag) = &last.tag {
            self.tags.entry(tag.clone()).or_default()
        } else {
            return;
        };
        if rules.len() < limits::RULES_OF_NAME {
            rules.push(self.rules.len());
            self.rules.push(rule);
        }
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What the rules say about an element.
    pub fn declared(&self, document: &Document, id: Id, tag: Tag) -> Declared {
        let left = self.checks.get();
        let checks = Cell::new(left.min(limits::STYLE_CHECKS));
        let before = checks.get();
        let mut candidates: Vec<usize> = Vec::new();
        candidates.extend(self.tags.get(tag.name()).into_iter().flatten());
        if let Some(name) = document.attribute(id, Name::Id) {
            candidates.extend(self.ids.get(name).into_iter().flatten());
        }
        let classes = document.attribute(id, Name::Class).unwrap_or_default();
        for class in classes
            .split_ascii_whitespace()
            .take(limits::STYLED_CLASSES)
        {
            candidates.extend(self.classes.get(class).into_iter().flatten());
        }
        let mut matching: Vec<(usize, usize, usize)> = candidates
            .into_iter()
            .filter_map(|index| {
                let rule = self.rules.get(index)?;
                rule.matches(document, id, &checks).then_some((
                    rule.specificity,
                    index,
                    rule.declared,
                ))
            })
            .collect();
        let spent = before.saturating_sub(checks.get());
        self.checks.set(left.saturating_sub(spent));
        matching.sort_unstable();
        let mut declared = Declared::default();
        for (_, _, index) in matching {
            if let Some(over) = self.declared.get(index) {
                declared.merge(over);
            }
        }
        declared
    }
}

fn push(list: &mut Vec<Declared>, declared: Declared) -> usize {
    list.push(declared);
    list.len().saturating_sub(1)
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    if out.contains("<!--") {
        out = out.replace("<!--", "").replace("-->", "");
    }
    out
}

/// Whether the rules in a block, such as `@layer`, always apply on wide screens.
fn always_applies(start: &str) -> bool {
    let start = start.to_ascii_lowercase();
    if start.starts_with("@layer") || start.starts_with("@supports") {
        return true;
    }
    start.strip_prefix("@media").is_some_and(|queries| {
        queries.split(',').any(|query| {
            let query = query.trim();
            let is_wide = query.contains("min-width") && !query.contains("max-width");
            matches!(query, "" | "all" | "screen" | "only screen")
                || (is_wide && !query.contains("print") && !query.contains("not "))
        })
    })
}

/// The compounds of a selector, the last one first. `None` if it has another form.
fn compounds(selector: &str) -> Option<Vec<Compound>> {
    let mut compounds = Vec::new();
    let selector = selector.replace('>', " > ");
    let mut is_child = false;
    for part in selector.split_ascii_whitespace() {
        if part == ">" {
            is_child = true;
            continue;
        }
        let mut compound = Compound::of(part)?;
        compound.is_child = is_child;
        is_child = false;
        compounds.push(compound);
    }
    compounds.reverse();
    Some(compounds)
}

/// The classes of the last compound of a selector that has another form. `None` for the states of
/// an element that the mouse or the keyboard changes, and for generated text.
fn last_classes(selector: &str) -> Option<Compound> {
    const STATES: &[&str] = &[
        ":hover", ":focus", ":active", ":before", ":after", "::", "\\",
    ];
    if STATES.iter().any(|state| selector.contains(state)) {
        return None;
    }
    let last = selector
        .rsplit([' ', '>', '+', '~', '\n', '\t'])
        .find(|part| !part.is_empty())?;
    let end = last.find([':', '[']).unwrap_or(last.len());
    let compound = Compound::of(last.get(..end)?)?;
    (!compound.classes.is_empty()).then_some(compound)
}
