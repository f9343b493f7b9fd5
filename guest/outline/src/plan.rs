//! Chooses the lines that an outline shows, within a budget of lines and bytes.
//!
//! Lines are added in this order, as long as they fit:
//!
//! 1. Signatures.
//! 2. The first and last lines of imports.
//! 3. The first lines of documentation comments.
//! 4. Bodies and the code between declarations, the smallest first.
//!
//! If the signatures do not fit, these are left out, one after another:
//!
//! 1. Declarations inside functions.
//! 2. All lines of a signature but the first.
//! 3. Members, of the deepest declarations first.
//!
//! For prose the budget is raised to [`Budget::headings`] before headings are left out.
//!
//! ```text
//! 12-40:    fn name(&self) -> &str { … }    a folded body
//! …                                         code between declarations
//! … 34 methods (120-980)                    declarations
//! ```
//!
//! Some lines are left out without a mark: empty lines, brackets alone, short comments, and the
//! comments and attributes before a declaration. The line numbers show the gap.

mod lines;
mod piece;
#[cfg(test)]
mod tests;
mod words;

use super::data::Sample;
use super::grammar::Kind;
use super::item::{Item, Parsed};
use crate::limits;
use crate::sort;
use lines::{Lines, Marks};
pub use piece::Piece;
use std::ops::ControlFlow;

/// The maximum size of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum number of lines.
    pub lines: usize,
    /// The maximum number of lines of the outline of prose, if the headings of the prose do not fit
    /// into `lines` lines.
    pub headings: usize,
    /// The maximum number of bytes.
    pub bytes: usize,
}

/// Plans the outline of a text. Returns `None` if no declarations or sections were found in the
/// text.
pub fn plan(text: &str, parsed: &Parsed, budget: Budget) -> Option<Vec<Piece>> {
    if parsed.items.is_empty() {
        return None;
    }
    let lines = Lines::new(text, parsed);
    let mut plan = Plan::new(&lines, parsed, budget);
    plan.signatures();
    plan.imports();
    plan.docs();
    plan.bodies();
    Some(plan.counted())
}

/// Plans a page that shows the sampled records of a text of `lines` lines.
pub fn sampled(lines: u32, sample: &Sample, budget: Budget) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut next = 1u32;
    let gap = |first: u32, last: u32| Piece::Gap {
        first,
        last,
        words: None,
    };
    for (first, last) in &sample.shown {
        if pieces.len() >= budget.lines {
            break;
        }
        if *first > next {
            pieces.push(gap(next, first.saturating_sub(1)));
        }
        pieces.extend((*first..=*last).map(Piece::Line));
        next = last.saturating_add(1);
    }
    if next <= lines {
        pieces.push(gap(next, lines));
    }
    pieces
}

/// How much of a declaration is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The whole signature.
    Full,
    /// The first line of the signature.
    Short,
    /// Nothing.
    Not,
}

struct Plan<'p> {
    lines: &'p Lines<'p>,
    parsed: &'p Parsed,
    budget: Budget,
    /// How much is shown of each item.
    items: Vec<Shown>,
    /// The number of ancestors of each item.
    depths: Vec<u32>,
    /// For each item, whether its last line closes its block.
    closed: Vec<bool>,
    /// The first and last line of each shown body of a declaration, and of each shown run of code
    /// between declarations.
    extras: Vec<(u32, u32)>,
    /// For each shown documentation comment, the line that is shown and the last line that may be
    /// folded after it (0 if no line may be folded).
    docs: Vec<(u32, u32)>,
    /// Runs of imports whose first and last line are shown.
    runs: Vec<(u32, u32)>,
    /// The lines of the outline, as of the last call of [`Plan::mark`].
    marks: Marks,
    /// The number of lines of the outline in the most recent plan that fitted into the budget.
    used: usize,
}

impl<'p> Plan<'p> {
    fn new(lines: &'p Lines<'p>, parsed: &'p Parsed, budget: Budget) -> Self {
        let mut depths: Vec<u32> = Vec::with_capacity(parsed.items.len());
        for item in &parsed.items {
            let above = item.parent.and_then(|parent| depths.get(parent));
            depths.push(above.map_or(0, |depth| depth.saturating_add(1)));
        }
        let closed = |item: &Item| item.last > item.sign && lines.closes(item.sign, item.last);
        Self {
            lines,
            parsed,
            budget,
            items: vec![Shown::Full; parsed.items.len()],
            depths,
            closed: parsed.items.iter().map(closed).collect(),
            extras: Vec::new(),
            docs: Vec::new(),
            runs: Vec::new(),
            marks: Marks::none(lines.count()),
            used: 0,
        }
    }

    /// The number of unused lines in the budget.
    fn left(&self) -> usize {
        self.budget.lines.saturating_sub(self.used)
    }

    fn fits(&mut self) -> bool {
        self.mark();
        let (mut lines, mut bytes) = (0usize, 0usize);
        let budget = self.budget;
        let flow = lines::render(self.lines, &self.marks, |piece| {
            lines = lines.saturating_add(1);
            bytes = bytes.saturating_add(self.lines.bytes(&piece));
            if lines <= budget.lines && bytes <= budget.bytes {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if flow.is_continue() {
            self.used = lines;
        }
        flow.is_continue()
    }

    /// Finds the largest count, at most `most`, for which the plan fits into the budget. `set`
    /// applies a count to the plan. The last call of `set` applies the returned count.
    fn most(&mut self, most: usize, mut set: impl FnMut(&mut Self, usize)) -> usize {
        self.most_near(most / 2, most, &mut set)
    }

    /// Finds the largest count as [`Plan::most`] does, but starts the search at `guess` and moves
    /// away from it in growing steps.
    fn most_near(
        &mut self,
        guess: usize,
        most: usize,
        set: &mut dyn FnMut(&mut Self, usize),
    ) -> usize {
        let (mut fitting, mut beyond) = (0usize, most.saturating_add(1));
        let (mut step, mut next) = (1usize, guess);
        while fitting.saturating_add(1) < beyond {
            next = next.clamp(fitting.saturating_add(1), beyond.saturating_sub(1));
            set(self, next);
            let fits = self.fits();
            if fits {
                fitting = next;
            } else {
                beyond = next;
            }
            let middle = fitting.saturating_add(beyond.saturating_sub(fitting) / 2);
            next = if fits {
                fitting.saturating_add(step).min(middle)
            } else {
                beyond.saturating_sub(step).max(middle)
            };
            step = step.saturating_mul(4);
        }
        set(self, fitting);
        fitting
    }

    fn set_items(&mut self, shown: impl Fn(usize, &Item) -> Shown) {
        for (at, (item, is)) in self.parsed.items.iter().zip(&mut self.items).enumerate() {
            *is = shown(at, item);
        }
    }

    /// Shows as many signatures as there is room for.
    fn signatures(&mut self) {
        if self.fits() {
            return;
        }
        // Try without the declarations inside functions.
        self.set_items(|_, item| if item.local { Shown::Not } else { Shown::Full });
        if self.fits() {
            let mut locals = self.numbers(|item| item.local);
            sort::by(&mut locals, |at| {
                (self.depths.get(*at).copied().unwrap_or(0).into(), 0)
            });
            self.most(locals.len(), |plan, count| {
                plan.put(&locals, count, Shown::Full, Shown::Not);
            });
            return;
        }
        // Try with the first line of each signature.
        self.set_items(|_, item| if item.local { Shown::Not } else { Shown::Short });
        if self.fits() {
            let mut long = self.numbers(|item| !item.local && item.head > item.sign);
            sort::by(&mut long, |at| {
                let item = self.parsed.items.get(*at);
                let lines = item.map_or(0, |item| item.head.saturating_sub(item.sign));
                (lines.into(), 0)
            });
            self.most(long.len(), |plan, count| {
                plan.put(&long, count, Shown::Full, Shown::Short);
            });
            return;
        }
        // Headings are the purpose of an outline of prose, so they get more lines.
        if self.parsed.prose && self.budget.headings > self.budget.lines {
            self.budget.lines = self.budget.headings;
            if self.fits() {
                self.budget.lines = self.used;
                return;
            }
        }
        self.fold_members();
    }

    fn numbers(&self, is: impl Fn(&Item) -> bool) -> Vec<usize> {
        let items = self.parsed.items.iter().enumerate();
        items
            .filter_map(|(at, item)| is(item).then_some(at))
            .collect()
    }

    /// Plans to show the first `count` of the items whose indexes are in `of` as `first` says, and
    /// the others as `rest` says.
    fn put(&mut self, of: &[usize], count: usize, first: Shown, rest: Shown) {
        for (place, at) in of.iter().enumerate() {
            if let Some(is) = self.items.get_mut(*at) {
                *is = if place < count { first } else { rest };
            }
        }
    }

    /// Leaves out the members of as few items as possible. The members of the deepest items are
    /// left out first. Among items of the same depth, those with the most members come first.
    fn fold_members(&mut self) {
        let mut members: Vec<u32> = vec![0; self.parsed.items.len()];
        for item in self.parsed.items.iter().filter(|item| !item.local) {
            if let Some(count) = item.parent.and_then(|parent| members.get_mut(parent)) {
                *count = count.saturating_add(1);
            }
        }
        let mut holders = self.numbers(|_| true);
        holders.retain(|at| members.get(*at).is_some_and(|count| *count > 0));
        sort::by(&mut holders, |at| {
            let depth = self.depths.get(*at).copied().unwrap_or(0);
            let members = members.get(*at).copied().unwrap_or(0);
            (depth.into(), members.into())
        });
        self.fold(&holders, 0);
        if !self.fits() {
            return self.thin();
        }
        // Keep the members of the outermost items and fold those of the others.
        let kept = self.most(holders.len(), |plan, count| plan.fold(&holders, count));
        // One title may contain the whole text. Show as many of its headings as fit.
        if let Some(next) = holders.get(kept).filter(|_| self.parsed.prose) {
            let members = self.numbers(|item| item.parent == Some(*next));
            self.most(members.len(), |plan, count| {
                plan.put(&members, count, Shown::Short, Shown::Not);
            });
        }
    }

    /// Hides the descendants of the items in `holders`. The descendants of the first `kept` items of
    /// this list stay visible.
    fn fold(&mut self, holders: &[usize], kept: usize) {
        let mut folded = vec![false; self.parsed.items.len()];
        for at in holders.iter().skip(kept) {
            if let Some(folded) = folded.get_mut(*at) {
                *folded = true;
            }
        }
        for (at, item) in self.parsed.items.iter().enumerate() {
            // A parent precedes its children, so its state is already set.
            let inside = item.parent.and_then(|parent| {
                let hidden = self.items.get(parent) == Some(&Shown::Not);
                Some(hidden || *folded.get(parent)?)
            });
            if let Some(is) = self.items.get_mut(at) {
                *is = match inside {
                    Some(true) => Shown::Not,
                    _ if item.local => Shown::Not,
                    _ => Shown::Short,
                };
            }
        }
    }

    /// Shows only some of the outermost declarations. The hidden ones are spread over a few gaps at
    /// equal distances.
    fn thin(&mut self) {
        let outer = self.numbers(|item| item.parent.is_none());
        let most = self.budget.lines.min(outer.len());
        let guess = most.saturating_sub(limits::THIN_RUNS);
        self.most_near(guess, most, &mut |plan, count| {
            plan.set_items(|_, _| Shown::Not);
            let hidden = outer.len().saturating_sub(count);
            let runs = (hidden / limits::THIN_RUN).clamp(1, limits::THIN_RUNS);
            for block in outer.chunks(outer.len().div_ceil(runs).max(1)) {
                let shown = block.len().saturating_mul(count).checked_div(outer.len());
                let shown = shown.unwrap_or(0);
                for at in block.iter().take(shown) {
                    if let Some(is) = plan.items.get_mut(*at) {
                        *is = Shown::Short;
                    }
                }
            }
        });
    }

    /// Shows the first and the last line of each run of imports.
    fn imports(&mut self) {
        let imports = &self.parsed.imports;
        self.most_near(imports.len(), imports.len(), &mut |plan, count| {
            plan.runs = imports.iter().take(count).copied().collect();
        });
    }

    /// Shows the first line of documentation comments, those of the outermost items first.
    fn docs(&mut self) {
        let mut docs: Vec<(u32, u32, u32)> = Vec::new();
        let items = self.parsed.items.iter().zip(&self.items);
        for ((item, shown), depth) in items.zip(&self.depths) {
            if let Some((first, last)) = item.doc.filter(|_| *shown == Shown::Full)
                && let Some(line) = self.lines.wording(first, last)
            {
                // The rest of a body is folded after a comment at its start.
                let fold = if line > item.head { item.last } else { 0 };
                docs.push((*depth, line, fold));
            }
        }
        if let Some((first, last)) = self.parsed.file_doc
            && let Some(line) = self.lines.wording(first, last)
        {
            docs.push((0, line, last));
        }
        sort::by(&mut docs, |(depth, line, _)| {
            ((*depth).into(), (*line).into())
        });
        self.most_near(self.left(), docs.len(), &mut |plan, count| {
            let shown = docs.iter().take(count);
            plan.docs = shown.map(|(_, line, fold)| (*line, *fold)).collect();
        });
    }

    /// Shows bodies and code between declarations, the smallest first.
    fn bodies(&mut self) {
        let mut hidden: Vec<(u32, u32, u32)> = Vec::new();
        for piece in self.pieces() {
            let (first, last) = match piece {
                Piece::Line(_) => continue,
                Piece::Fold {
                    first, last, tail, ..
                } => (
                    first.saturating_add(1),
                    if tail { last.saturating_sub(1) } else { last },
                ),
                Piece::Gap { first, last, .. } => (first, last),
            };
            let (first, last) = self.lines.trimmed(first, last);
            hidden.push((last.saturating_sub(first), first, last));
        }
        sort::by(&mut hidden, |(lines, first, _)| {
            ((*lines).into(), (*first).into())
        });
        // Signatures that did not fit were left out on purpose.
        hidden.retain(|(_, first, last)| {
            let mut left_out = self.between(*first, *last);
            !left_out.any(|item| !item.local)
        });
        let left = self.left();
        let sizes = hidden.iter().scan(0usize, |sum, (size, ..)| {
            *sum = sum.saturating_add(*size as usize);
            Some(*sum)
        });
        let guess = sizes.take_while(|lines| *lines <= left).count();
        self.most_near(guess, hidden.len(), &mut |plan, count| {
            let shown = hidden.iter().take(count);
            plan.extras = shown.map(|(_, first, last)| (*first, *last)).collect();
        });
    }

    /// The pieces of the outline, as currently planned.
    fn pieces(&mut self) -> Vec<Piece> {
        self.mark();
        let mut pieces = Vec::new();
        let _ = lines::render(self.lines, &self.marks, |piece| {
            pieces.push(piece);
            ControlFlow::Continue(())
        });
        pieces
    }

    /// Sets `marks` to the lines that the outline shows and may fold, as currently planned.
    fn mark(&mut self) {
        let marks = &mut self.marks;
        marks.clear();
        let items = self.parsed.items.iter().zip(&self.items);
        for ((item, is), closed) in items.zip(&self.closed) {
            let head = match is {
                Shown::Full => item.head,
                Shown::Short => item.sign,
                Shown::Not => continue,
            };
            marks.show(item.sign, head);
            // The last line of a section may close one of its children instead.
            let ends = item.kind != Kind::Section || self.lines.opens(head);
            if *closed && ends && item.last > head {
                marks.show(item.last, item.last);
            }
            marks.fold(head, item.last);
        }
        for (first, last) in &self.extras {
            marks.show(*first, *last);
        }
        for (line, last) in &self.docs {
            marks.show(*line, *line);
            marks.fold(*line, *last);
        }
        for (first, last) in &self.runs {
            marks.show(*first, *first);
            marks.show(*last, *last);
            marks.fold(*first, *last);
        }
    }
}
