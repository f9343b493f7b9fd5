//! Sections of reStructuredText, `AsciiDoc`, Org and LaTeX.

use super::lines::{Line, Lines};
use super::tree::Tree;
use crate::item::Parsed;
use crate::limits;

/// The characters that underline titles of `AsciiDoc`, the outermost level first.
const UNDERLINES: [u8; 5] = *b"=-~^+";

/// LaTeX commands that begin sections or slides, with their levels. The outermost level is 1.
const COMMANDS: [(&str, u32); 10] = [
    ("part", 1),
    ("chapter", 2),
    ("section", 3),
    ("addsec", 3),
    ("subsection", 4),
    ("subsubsection", 5),
    ("paragraph", 6),
    ("subparagraph", 7),
    ("begin{frame}", 8),
    ("frametitle", 8),
];

/// LaTeX environments whose content is verbatim.
const VERBATIM: [&str; 8] = [
    "verbatim",
    "verbatim*",
    "Verbatim",
    "lstlisting",
    "minted",
    "comment",
    "filecontents",
    "filecontents*",
];

/// Finds the titles of reStructuredText. A title is underlined, or is between two lines of
/// punctuation. These lines have no fixed levels: the style that a text uses first is the outermost
/// level.
pub fn rst(text: &str) -> Option<Parsed> {
    let mut tree = Tree::default();
    let mut styles: Vec<(u8, bool)> = Vec::new();
    let mut lines = Lines::new(text);
    let mut apart = true;
    while let Some(line) = lines.next() {
        let blank = line.is_blank();
        let over = rule(line.text);
        let found = if over.is_some() {
            between(&line, lines.clone())
        } else if apart && !blank && line.indent() == 0 {
            lines
                .clone()
                .next()
                .filter(|under| underlines(&line, under))
                .and_then(|under| Some((line, rule(under.text)?)))
        } else {
            None
        };
        let Some((title, mark)) = found else {
            if !blank {
                tree.content(line.number);
            }
            apart = blank;
            continue;
        };
        let style = (mark, over.is_some());
        let level = styles.iter().position(|known| *known == style);
        let level = level.unwrap_or_else(|| {
            styles.push(style);
            styles.len().saturating_sub(1)
        });
        let head = title.number.saturating_add(1);
        let level = u32::try_from(level).unwrap_or(u32::MAX).saturating_add(1);
        let item = tree.begin(level, title.bare.trim_end(), &line, head);
        if let Some(item) = item.and_then(|item| tree.item(item)) {
            item.line = title.number;
        }
        lines.find(|line| line.number >= head);
        apart = true;
    }
    tree.finish()
}

/// Finds a title between the line `over` and an equal line. Returns the line of the title, and the
/// punctuation character of the other two lines.
fn between<'t>(over: &Line<'t>, mut lines: Lines<'t>) -> Option<(Line<'t>, u8)> {
    let title = lines.next().filter(|title| !title.is_blank())?;
    let under = lines.next()?;
    let same = over.text.trim_end() == under.text.trim_end();
    (same && underlines(&title, &under)).then_some((title, rule(over.text)?))
}

/// The character of a line that repeats a single punctuation character at least twice. Returns
/// `None` for other lines.
fn rule(text: &str) -> Option<u8> {
    let text = text.trim_end().as_bytes();
    let (mark, rest) = text.split_first()?;
    let whole =
        !rest.is_empty() && mark.is_ascii_punctuation() && rest.iter().all(|byte| byte == mark);
    whole.then_some(*mark)
}

/// Whether the line `under` underlines a title. An underline of fewer than four characters must be
/// at least as long as the title.
fn underlines(title: &Line<'_>, under: &Line<'_>) -> bool {
    let length = under.text.trim_end().len();
    rule(under.text).is_some()
        && rule(title.text).is_none()
        && (length >= 4 || length >= title.text.trim_end().chars().count())
}

/// Finds the titles of `AsciiDoc` outside verbatim blocks. A title follows `=` or `#` characters,
/// or is underlined.
pub fn asciidoc(text: &str) -> Option<Parsed> {
    let mut tree = Tree::default();
    let mut lines = Lines::new(text);
    // The delimiter that ends the current block, and the line on which the block began.
    let mut block: Option<(&str, u32)> = None;
    let mut apart = true;
    while let Some(line) = lines.next() {
        let text = line.text.trim_end();
        let was_apart = std::mem::replace(&mut apart, text.is_empty() || text.starts_with('['));
        if let Some((end, first)) = block {
            if text == end {
                block = None;
                if end.starts_with("////") {
                    tree.comment(first, line.number);
                }
            }
        } else if let Some((mark, rest)) = titled(text) {
            let level = u32::try_from(mark.len()).unwrap_or(u32::MAX);
            tree.begin(level, rest, &line, line.number);
            continue;
        } else if verbatim(text) {
            block = Some((text, line.number));
        } else if text.starts_with("//") && !text.starts_with("///") {
            tree.comment(line.number, line.number);
        } else if was_apart
            && !text.is_empty()
            && let Some(level) = lines
                .clone()
                .next()
                .and_then(|under| two_lines(&line, &under))
        {
            lines.next();
            tree.begin(level, text, &line, line.number.saturating_add(1));
            continue;
        }
        if !text.is_empty() {
            tree.content(line.number);
        }
    }
    if let Some((_, line)) = block {
        tree.lost(line);
    }
    tree.finish()
}

/// Splits the line of a title into its leading `=` or `#` characters and the title. Returns `None`
/// for other lines.
fn titled(text: &str) -> Option<(&str, &str)> {
    let (marks, rest) = text.split_once(' ')?;
    let mark = marks
        .bytes()
        .next()
        .filter(|mark| matches!(mark, b'=' | b'#'))?;
    let titled = marks.len() <= 6 && marks.bytes().all(|byte| byte == mark);
    titled.then_some((marks, rest.trim_start()))
}

/// Whether a line begins a verbatim block.
fn verbatim(text: &str) -> bool {
    let marked =
        matches!(text.as_bytes(), [b'-' | b'.' | b'+' | b'/', _, _, _, ..]) && rule(text).is_some();
    marked || text.starts_with("```")
}

/// The level of a title that the line `under` underlines. The lengths of the two lines may differ
/// by at most two characters. Returns `None` if the line is not such a title.
fn two_lines(title: &Line<'_>, under: &Line<'_>) -> Option<u32> {
    let mark = rule(under.text)?;
    let level = UNDERLINES.iter().position(|known| *known == mark)?;
    let length = title.text.trim_end().chars().count();
    let named = title.text.contains(char::is_alphanumeric) && title.indent() == 0;
    let near = under.text.trim_end().len().abs_diff(length) <= 2 && length >= 2;
    (named && near && rule(title.text).is_none())
        .then(|| u32::try_from(level).unwrap_or(0).saturating_add(1))
}

/// Finds the headings of Org, which begin with `*`.
pub fn org(text: &str) -> Option<Parsed> {
    let mut tree = Tree::default();
    for line in Lines::new(text) {
        let rest = line.text.trim_start_matches('*');
        let level = line.text.len().saturating_sub(rest.len());
        if level > 0 && rest.starts_with([' ', '\t']) {
            let level = u32::try_from(level).unwrap_or(u32::MAX);
            tree.begin(level, rest.trim_ascii(), &line, line.number);
        } else if !line.is_blank() {
            tree.content(line.number);
            if line.bare.starts_with("# ") {
                tree.comment(line.number, line.number);
            }
        }
    }
    tree.finish()
}

/// Finds the sections and slides of LaTeX.
pub fn latex(text: &str) -> Option<Parsed> {
    let mut tree = Tree::default();
    let mut within: Option<(&str, u32)> = None;
    for line in Lines::new(text) {
        if line.is_blank() {
            continue;
        }
        if let Some((name, _)) = within {
            let ends = line.bare.split("\\end{").skip(1);
            let ends = ends.filter_map(|end| end.split_once('}'));
            if ends.into_iter().any(|(end, _)| end == name) {
                within = None;
            }
        } else if line.byte() == Some(b'%') {
            tree.comment(line.number, line.number);
        } else if let Some(command) = line.bare.strip_prefix('\\') {
            let environment = command
                .strip_prefix("begin{")
                .and_then(|rest| rest.split_once('}'));
            if let Some((name, _)) = environment.filter(|(name, _)| VERBATIM.contains(name)) {
                within = Some((name, line.number));
            } else if let Some((level, rest)) = section(command) {
                // The title may continue on the next lines.
                let at = text.len().min(line.start.saturating_add(line.text.len()));
                let at = at.saturating_sub(rest.len());
                if let Some(title) = group(text.get(at..).unwrap_or_default()) {
                    let more = memchr::memchr_iter(b'\n', title.as_bytes()).count();
                    let head = line.number.saturating_add(u32::try_from(more).unwrap_or(0));
                    let words: Vec<&str> = title.split_ascii_whitespace().collect();
                    tree.begin(level, &words.join(" "), &line, head);
                    continue;
                }
            }
        }
        tree.content(line.number.max(tree.last_content()));
    }
    if let Some((_, line)) = within {
        tree.lost(line);
    }
    tree.finish()
}

/// The level of a LaTeX command that begins a section or slide, and the text after the name of the
/// command. Returns `None` for other commands.
fn section(command: &str) -> Option<(u32, &str)> {
    COMMANDS.iter().find_map(|(name, level)| {
        let rest = command.strip_prefix(name)?;
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        let rest = rest.trim_start();
        rest.starts_with(['[', '{', '<']).then_some((*level, rest))
    })
}

/// The text in the first pair of braces. Options in other brackets may precede it. Returns `None`
/// if the braces do not begin on the first line, or do not end within [`limits::TITLE_BYTES`] bytes.
fn group(text: &str) -> Option<&str> {
    let (mut depth, mut from) = (0u32, None);
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().take(limits::TITLE_BYTES) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => {
                depth = depth.saturating_add(1);
                from = from.or(Some(at.saturating_add(1)));
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text.get(from?..at);
                }
            }
            b'\n' if from.is_none() => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    fn check(parse: fn(&str) -> Option<Parsed>, cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
    }

    #[test]
    fn rst_titles_become_sections() {
        check(
            rst,
            &[
                (
                    "====\n A\n====\nBB\n--\n\nC\n=====\nx\n\nDD\n--\nE\n===\n",
                    &[
                        "A 1-14",
                        "  BB 4-9",
                        "    C 7-9",
                        "  DD 11-14",
                        "    E 13-14",
                    ],
                ),
                // A short line, a transition, a table, and indented or continued text.
                (
                    "Title\n---\n\n----\n\n=====  =====\nx      y\n=====  =====\n",
                    &["none"],
                ),
                ("x\n\n  A\n  ---\n\nx\ny\n----\n\n====\n", &["none"]),
                ("ÄÄ\n==\n\nx", &["ÄÄ 1-4"]),
                ("A\n", &["none"]),
                ("====\nA", &["none"]),
            ],
        );
        let item = rst("==\nA\n==\n").unwrap().items.remove(0);
        assert_eq!((item.first, item.line, item.head), (1, 2, 3));
    }

    #[test]
    fn asciidoc_titles_become_sections() {
        check(
            asciidoc,
            &[
                (
                    "= A\n:x: y\n\n== B\n\n=== C\nx\n\n== D\n",
                    &["A 1-9", "  B 4-7", "    C 6-7", "  D 9-9"],
                ),
                (
                    "== A\n----\n== x\n----\n....\n== x\n-----\n....\n== B\n",
                    &["A 1-8", "B 9-9"],
                ),
                (
                    "git(1)\n======\n\nNAME\n----\nx\n\n----\n== x\n----\n",
                    &["git(1) 1-10", "  NAME 4-10"],
                ),
                ("////\n== x\n////\n// c\n## A\n", &["A 5-5"]),
                ("== A\n----\n== x\n", &["A 1-3", "lost 2"]),
                ("====\nx\n====\n=x\n======= x\n", &["none"]),
            ],
        );
        assert_eq!(
            asciidoc("////\nx\n////\n// c\n== A\n").unwrap().comments,
            [(1, 4)]
        );
    }

    #[test]
    fn org_headings_become_sections() {
        check(
            org,
            &[
                (
                    "#+TITLE: x\n* A\n** TODO B\n- x\n\n* C\n*b*\n",
                    &["A 2-4", "  TODO B 3-4", "C 6-7"],
                ),
                (" * x\n*x\n", &["none"]),
            ],
        );
    }

    #[test]
    fn latex_commands_become_sections() {
        check(
            latex,
            &[
                (
                    "\\chapter{A}\n\\section*{B \\{ {c}}\nx\n\\subsection[d]{D\n e}\n% c\nx\n\n  \\section {E}\n",
                    &["A 1-9", "  B \\{ {c} 2-7", "    D e 4-7", "  E 9-9"],
                ),
                (
                    "\\begin{verbatim}\n\\section{x}\n\\end{verbatim}\n\\section{A}\n",
                    &["A 4-4"],
                ),
                (
                    "\\begin{frame}[fragile]{A}\n\\end{frame}\n\\frametitle{B}\n",
                    &["A 1-2", "B 3-3"],
                ),
                (
                    "\\section{A}\n\\begin{lstlisting}[x]\n\\section{x}\n",
                    &["A 1-3", "lost 2"],
                ),
                (
                    "\\section{A\n\\sectionmark{x}\n\\partial{x}\n\\section\n",
                    &["none"],
                ),
            ],
        );
    }
}
