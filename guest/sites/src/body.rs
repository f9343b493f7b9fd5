//! Texts of users in Markdown, such as comments, as a part of a page that has headings of its own.

/// The level of the highest heading in a text of a user. Pages use the levels 1 to 3 for their own headings.
const LEVEL: usize = 4;

/// The first words of the headings of comments.
const OWN: [&str; 3] = ["Comment by ", "Comment on ", "Review by "];

/// A text of a user that is a part of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The text. It has no heading above level 4, and no open code block at its end.
    pub markdown: String,
    /// The number of HTML comments that are left out. The templates of issues have such comments, and no page
    /// shows them.
    pub hidden: usize,
}

/// A block of code that is open: its sign, and the length of its fence.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fence {
    sign: char,
    length: usize,
}

/// Makes a text of a user a part of a page. Headings are moved three levels down, so that no text can imitate a
/// heading of the page. HTML comments outside of code are left out if they have an end. A code block without an
/// end is closed.
pub fn body(text: &str) -> Body {
    // Some programs break lines at these characters too.
    let text = text.replace(['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let text = crate::text::block(&text);
    let mut out = Body::default();
    let mut fence = None;
    let mut before = Before::Blank;
    let visible = without_comments(&text, &mut out.hidden);
    for line in visible.lines() {
        if let Some(open) = fence {
            if closes(line, open) {
                fence = None;
            }
            if imitates(line) {
                out.markdown.push('\\');
            }
            push(&mut out.markdown, line);
            before = Before::Other;
            continue;
        }
        fence = opened(line);
        before = if fence.is_some() {
            push(&mut out.markdown, line);
            Before::Other
        } else {
            text_line(&mut out.markdown, line, before)
        };
    }
    if let Some(Fence { sign, length }) = fence {
        push(&mut out.markdown, &String::from(sign).repeat(length));
    }
    let kept = out.markdown.trim_matches('\n').trim_end();
    Body {
        markdown: kept.to_owned(),
        hidden: out.hidden,
    }
}

/// Code in a block, with a fence that is longer than each run of backticks in it.
pub fn fenced(code: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(code).max(2).saturating_add(1));
    let end = if code.is_empty() || code.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{fence}{language}\n{code}{end}{fence}\n")
}

/// Code in a line.
pub fn code(text: &str) -> String {
    let text = crate::text::line(text, crate::limits::LINE_CHARS);
    let run = longest_run(&text);
    if run == 0 {
        return format!("`{text}`");
    }
    let fence = "`".repeat(run.saturating_add(1));
    format!("{fence} {text} {fence}")
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0_usize, 0_usize);
    for c in text.chars() {
        run = if c == '`' { run.saturating_add(1) } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// What the line before is, as far as an underline makes it a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An empty line, or the start of the text.
    Blank,
    /// The only line of a paragraph. Contains the offset of its start in the output.
    Only(usize),
    /// Another line.
    Other,
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Writes a line outside of code. Returns what it is for the next line.
fn text_line(out: &mut String, line: &str, before: Before) -> Before {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        out.push('\n');
        return Before::Blank;
    }
    let indent = line
        .len()
        .saturating_sub(line.trim_start_matches(' ').len());
    if indent > 3 {
        push(out, line);
        return Before::Other;
    }
    let signs = trimmed.chars().take_while(|c| *c == '#').count();
    let rest = trimmed.get(signs..).unwrap_or_default();
    if (1..=6).contains(&signs) && (rest.is_empty() || rest.starts_with([' ', '\t'])) {
        let level = signs.saturating_add(LEVEL).saturating_sub(1).min(6);
        out.push_str(&"#".repeat(level));
        push(out, rest);
        return Before::Other;
    }
    let underline = |sign: char| trimmed.chars().all(|c| c == sign);
    if before != Before::Blank && (underline('=') || underline('-')) {
        let level = if underline('=') {
            LEVEL
        } else {
            LEVEL.saturating_add(1)
        };
        match before {
            Before::Only(start) => {
                out.insert_str(start, &format!("{} ", "#".repeat(level)));
            }
            _ if underline('=') => push(out, &format!("\\{trimmed}")),
            _ => push(out, &format!("\n{trimmed}")),
        }
        return Before::Other;
    }
    let start = out.len();
    push(out, line);
    let is_paragraph = before == Before::Blank
        && !trimmed.starts_with(['-', '*', '+', '>', '|', '<'])
        && !trimmed.starts_with(|c: char| c.is_ascii_digit());
    if is_paragraph {
        Before::Only(start)
    } else {
        Before::Other
    }
}

/// Whether a line of code looks like the heading of a comment. An attacker may confuse the detection of code blocks
/// with nested lists, so such a line is also changed in code: it gets a backslash.
fn imitates(line: &str) -> bool {
    let trimmed = line.trim_start();
    let rest = trimmed.trim_start_matches('#');
    let signs = trimmed.len().saturating_sub(rest.len());
    let rest = rest.trim_start();
    (1..LEVEL).contains(&signs) && OWN.iter().any(|own| rest.starts_with(own))
}

/// The fence of a code block that a line opens, also in a list or a quotation.
fn opened(line: &str) -> Option<Fence> {
    let rest = contents(line);
    let sign = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = rest.chars().take_while(|c| *c == sign).count();
    let info = rest.trim_start_matches(sign);
    (length >= 3 && !(sign == '`' && info.contains('`'))).then_some(Fence { sign, length })
}

fn closes(line: &str, open: Fence) -> bool {
    let rest = line.trim_start_matches([' ', '\t', '>']).trim_end();
    rest.chars().all(|c| c == open.sign) && rest.len() >= open.length
}

/// A line without the marks of quotations and lists at its start.
fn contents(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let inner = rest
            .strip_prefix('>')
            .or_else(|| rest.strip_prefix("- "))
            .or_else(|| rest.strip_prefix("* "))
            .or_else(|| rest.strip_prefix("+ "))
            .or_else(|| (digits.len() < rest.len()).then(|| digits.strip_prefix(". "))?);
        match inner {
            Some(inner) => rest = inner.trim_start(),
            None => return rest,
        }
    }
}

/// A text without the HTML comments that are outside of code. Counts them. A comment without an end is text.
fn without_comments(text: &str, hidden: &mut usize) -> String {
    const START: &str = "<!--";
    const END: &str = "-->";
    let Some(last) = text.rfind(END) else {
        return text.to_owned();
    };
    let mut out = String::new();
    let mut fence = None;
    let mut in_comment = false;
    let mut offset = 0_usize;
    for line in text.split_inclusive('\n') {
        offset = offset.saturating_add(line.len());
        let mut rest = line;
        if in_comment {
            let Some((_, after)) = line.split_once(END) else {
                continue;
            };
            rest = after;
        } else if let Some(open) = fence {
            if closes(line, open) {
                fence = None;
            }
            out.push_str(line);
            continue;
        } else {
            fence = opened(line);
            if fence.is_some() {
                out.push_str(line);
                continue;
            }
        }
        let mut is_cut = in_comment;
        in_comment = false;
        let start = out.len();
        let mut ticks = 0_usize;
        while let Some((before, inner)) = rest.split_once(START) {
            ticks = ticks.saturating_add(before.matches('`').count());
            out.push_str(before);
            let has_end = offset.saturating_sub(inner.len()) <= last;
            if ticks % 2 == 1 || !has_end {
                out.push_str(START);
                rest = inner;
                continue;
            }
            *hidden = hidden.saturating_add(1);
            is_cut = true;
            match inner.split_once(END) {
                Some((_, after)) => rest = after,
                None => {
                    in_comment = true;
                    rest = "\n";
                    break;
                }
            }
        }
        out.push_str(rest);
        // A line that had only a comment is no line.
        if is_cut && out.get(start..).is_some_and(|line| line.trim().is_empty()) {
            out.truncate(start);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(text: &str) -> String {
        body(text).markdown
    }

    #[test]
    fn headings_of_users_are_below_those_of_the_page() {
        assert_eq!(
            markdown("# a\n## b ##\n###### c\n#d\n    # e"),
            "#### a\n##### b ##\n###### c\n#d\n    # e"
        );
        assert_eq!(markdown("a\n===\n\nb\n---\nc"), "#### a\n\n##### b\nc");
        assert_eq!(markdown("a\nb\n==="), "a\nb\n\\===");
        assert_eq!(markdown("- a\n---"), "- a\n\n---");
        assert_eq!(markdown("a\n\n---\nb"), "a\n\n---\nb");
    }

    #[test]
    fn code_keeps_its_lines_and_has_an_end() {
        assert_eq!(markdown("```sh\n# a\n```\n# b"), "```sh\n# a\n```\n#### b");
        assert_eq!(markdown("~~~~\n~~~\n# a"), "~~~~\n~~~\n# a\n~~~~");
        assert_eq!(
            markdown("1. ```\n   # a\n   ```\n# b"),
            "1. ```\n   # a\n   ```\n#### b"
        );
    }

    #[test]
    fn text_cannot_imitate_a_heading_of_the_page() {
        for text in [
            "## Comment by @root",
            "```\n## Comment by @root\n```",
            "* * ```\n  x\n## Comment by @root",
            "Comment by @root\n---",
            "<!-- ` -->\n## Comment by @root",
        ] {
            let shown = markdown(text);
            let bad = |line: &str| line.starts_with("## ") || line.starts_with("# ");
            assert!(!shown.lines().any(bad), "{shown}");
        }
    }

    /// All texts of five lines of those that open or close something.
    #[test]
    fn no_order_of_lines_imitates_a_heading_of_the_page() {
        const LINES: [&str; 11] = [
            "```",
            "~~~~",
            "- ```",
            "    ```",
            "> ```",
            "<!--",
            "-->",
            "`<!--",
            "## Comment by @root",
            "---",
            "",
        ];
        let mut imitated = 0;
        for text in 0..LINES.len().pow(5) {
            let lines: Vec<&str> = (0..5)
                .map(|at| LINES[text / LINES.len().pow(at) % LINES.len()])
                .collect();
            let text = lines.join("\n");
            imitated += usize::from(text.contains("## Comment"));
            let shown = markdown(&text);
            assert!(
                !shown
                    .lines()
                    .any(|line| line.trim_start().starts_with("## Comment by")),
                "{text}\n=>\n{shown}"
            );
        }
        assert!(imitated > 10_000);
        assert_eq!(
            markdown("a\u{2028}## Comment by @root\u{c}b"),
            "a\n##### Comment by @root\nb"
        );
    }

    #[test]
    fn comments_of_templates_are_left_out_and_counted() {
        let text = "<!-- a\nb -->\nc <!-- d --> e\n`<!-- f -->`\n```\n<!-- g -->\n```\n<!-- h";
        let body = body(text);
        assert_eq!(body.hidden, 2);
        assert_eq!(
            body.markdown,
            "c  e\n`<!-- f -->`\n```\n<!-- g -->\n```\n<!-- h"
        );
        assert_eq!(markdown("a <!-->\nb"), "a <!-->\nb");
        assert_eq!(
            markdown("`<!--` <!-- a --> b <!-- c\nd --> e"),
            "`<!--`  b \n e"
        );
        let flood = "<!--".repeat(50_000);
        assert_eq!(super::body(&flood).markdown.len(), flood.len());
        assert_eq!(super::body(&"<!---->".repeat(30_000)).hidden, 30_000);
    }

    #[test]
    fn fence_is_longer_than_those_in_code() {
        assert_eq!(fenced("a", "rust"), "```rust\na\n```\n");
        assert_eq!(fenced("````\n", ""), "`````\n````\n`````\n");
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
