//! Numbers of lines beside code, which are not code. They are found by their values: consecutive
//! numbers, one for each line.

use crate::dom::{Document, Id, Marks, Tag};
use crate::limits;

/// The elements in a block of code that show the numbers of its lines.
pub fn in_code(document: &Document, code: Id) -> Marks {
    let mut marks = Marks::default();
    // Elements with a number at the start of a line, each with the number and that of the line.
    let mut starts: Vec<(Id, u64, usize)> = Vec::new();
    let mut columns: Vec<(Id, usize)> = Vec::new();
    let mut lines = Lines::default();
    let mut nodes = document.subtree(code);
    nodes.next();
    while let Some(node) = nodes.next() {
        if let Some(text) = document.text(node) {
            lines.add(text);
            continue;
        }
        match document.tag(node) {
            Some(Tag::Br) => lines.add("\n"),
            Some(Tag::Div | Tag::P | Tag::Tr | Tag::Li) => lines.at_start = true,
            _ => {}
        }
        match numbers(document, node) {
            Some(Numbers::One(number)) if lines.at_start => {
                starts.push((node, number, lines.count));
                nodes.skip_children_of(node);
            }
            Some(Numbers::Run(count)) => {
                columns.push((node, count));
                nodes.skip_children_of(node);
            }
            _ => {}
        }
    }
    if !lines.has_text {
        return marks;
    }
    let is_column = |count: usize| count.abs_diff(lines.count) <= 1;
    for (id, count) in columns {
        if is_column(count) {
            marks.insert(id);
        }
    }
    // Each line has its number.
    let mut pairs = starts.iter().zip(starts.iter().skip(1));
    let is_run = pairs.all(|((_, one, _), (_, next, _))| one.checked_add(1) == Some(*next));
    let of_lines = starts.iter().enumerate();
    let is_first = of_lines.into_iter().all(|(at, (_, _, line))| at == *line);
    if starts.len() >= 2 && is_run && is_first && is_column(starts.len()) {
        for (id, _, _) in starts {
            marks.insert(id);
        }
    }
    marks
}

/// Removes the space between the numbers of lines and the code. `starts` are the starts of the lines
/// that had a number. Code is indented by an even number of spaces, so that an odd one has that space.
pub fn remove_space(code: &mut String, mut starts: Vec<usize>) {
    // A line with several numbers is listed for each.
    starts.dedup();
    let lines = starts.iter().filter_map(|start| {
        let line = code.get(*start..)?.lines().next()?;
        (!line.trim().is_empty()).then_some(line)
    });
    let spaces = lines.map(|line| {
        line.len()
            .saturating_sub(line.trim_start_matches(' ').len())
    });
    if spaces.min().unwrap_or(0) % 2 == 0 {
        return;
    }
    let mut kept = String::with_capacity(code.len());
    let mut end = 0;
    for start in starts {
        kept.push_str(code.get(end..start).unwrap_or_default());
        let has_space = code.get(start..).is_some_and(|line| line.starts_with(' '));
        end = start.saturating_add(usize::from(has_space));
    }
    kept.push_str(code.get(end..).unwrap_or_default());
    *code = kept;
}

/// Whether an element has the numbers of the lines in the preformatted element beside it.
pub fn is_beside_code(document: &Document, id: Id, tag: Tag) -> bool {
    if !matches!(tag, Tag::Ul | Tag::Ol | Tag::Div | Tag::Pre) {
        return false;
    }
    let is_blank = |id: &Id| {
        document
            .text(*id)
            .is_some_and(|text| text.trim().is_empty())
    };
    let beside = [
        document.siblings_before(id).find(|id| !is_blank(id)),
        document.siblings_after(id).find(|id| !is_blank(id)),
    ];
    beside
        .into_iter()
        .flatten()
        .any(|code| document.is(code, Tag::Pre) && is_column_of(document, id, code))
}

/// Whether a table has one row: the numbers of lines, and preformatted text.
pub fn is_table_of_code(document: &Document, table: Id) -> bool {
    let mut cells = Vec::new();
    let mut nodes = document.subtree(table);
    while let Some(node) = nodes.next() {
        if matches!(document.tag(node), Some(Tag::Td | Tag::Th)) {
            cells.push(node);
            nodes.skip_children_of(node);
        }
        if cells.len() > 2 {
            return false;
        }
    }
    let [numbers, code] = cells.as_slice() else {
        return false;
    };
    let has_code = document
        .subtree(*code)
        .take(limits::CODE_NODES)
        .any(|id| document.is(id, Tag::Pre));
    has_code && is_column_of(document, *numbers, *code)
}

/// Whether an element has a number for each line of another one.
fn is_column_of(document: &Document, id: Id, code: Id) -> bool {
    let Some(Numbers::Run(count)) = numbers(document, id) else {
        return false;
    };
    let mut lines = Lines::default();
    for node in document.subtree(code) {
        match document.tag(node) {
            None => lines.add(document.text(node).unwrap_or_default()),
            Some(Tag::Br) => lines.add("\n"),
            Some(Tag::Div | Tag::P | Tag::Tr | Tag::Li) => lines.at_start = true,
            Some(_) => {}
        }
    }
    count.abs_diff(lines.count) <= 1
}

/// The lines of code that were read.
struct Lines {
    at_start: bool,
    count: usize,
    has_text: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            at_start: true,
            count: 0,
            has_text: false,
        }
    }
}

impl Lines {
    fn add(&mut self, text: &str) {
        self.has_text |= !text.trim().is_empty();
        for part in text.split_inclusive('\n') {
            if self.at_start && !part.is_empty() {
                self.count = self.count.saturating_add(1);
            }
            self.at_start = part.ends_with('\n');
        }
    }
}

/// The numbers that are the whole text of an element.
enum Numbers {
    One(u64),
    /// Consecutive numbers that are on lines or in elements of their own.
    Run(usize),
}

fn numbers(document: &Document, id: Id) -> Option<Numbers> {
    let mut last: Option<u64> = None;
    let mut count = 0usize;
    for node in document.subtree(id) {
        let Some(text) = document.text(node) else {
            continue;
        };
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            if !line.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let number: u64 = line.parse().ok()?;
            if last.is_some_and(|last| last.checked_add(1) != Some(number)) {
                return None;
            }
            last = Some(number);
            count = count.saturating_add(1);
        }
    }
    match (last, count) {
        (Some(number), 1) => Some(Numbers::One(number)),
        (Some(_), _) => Some(Numbers::Run(count)),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::html::fragment;

    #[test]
    fn consecutive_numbers_beside_lines_are_not_code() {
        for (html, expected) in [
            (
                "<pre><code>a = b\nc = d\n</code><ul class=n><li>1<li>2</ul></pre>",
                "```\na = b\nc = d\n```",
            ),
            (
                "<pre><b class=g>8</b> a\n<b class=g>9</b> b\n<b class=g>10</b> c</pre>",
                "```\na\nb\nc\n```",
            ),
            (
                "<table><tr><td><pre>1\n2</pre><td><pre>x\ny</pre></table>",
                "```\nx\ny\n```",
            ),
            ("<pre>x\ny</pre><ol><li>1<li>2</ol>", "```\nx\ny\n```"),
            // Not the numbers of these lines.
            (
                "<pre>seq 2\n<b>1</b>\n<b>2</b></pre>",
                "```\nseq 2\n1\n2\n```",
            ),
            ("<pre><b>4</b>\n<b>2</b></pre>", "```\n4\n2\n```"),
            (
                "<pre><div class=ln>one</div><div class=ln>two</div></pre>",
                "```\none\ntwo\n```",
            ),
            // The space after the numbers is not indentation.
            (
                "<pre><span class=hl-gutter>1</span> class A\n<span class=hl-gutter>2</span> \n\
                 <span class=hl-gutter>3</span>   x\n<span class=hl-gutter>4</span> {}</pre>",
                "```\nclass A\n\n  x\n{}\n```",
            ),
            ("<pre><b>1</b>  a\n<b>2</b>  b</pre>", "```\n  a\n  b\n```"),
            (
                "<pre><span class=lineno>1</span> a\n<span class=lineno>2</span>b</pre>",
                "```\n a\nb\n```",
            ),
            (
                "<pre><code>int a;\nint b;</code><ul class=pre-numbering><li>1</li><li>2</li></ul></pre>",
                "```\nint a;\nint b;\n```",
            ),
        ] {
            assert_eq!(fragment(html, None).text, expected, "{html}");
        }
    }
}
