//! The names of files in which images of replies are saved.

/// The words of a path that a number or name of a unit follows.
const UNITS: [&str; 7] = ["page", "slide", "cell", "chapter", "mail", "sheet", "image"];

/// The words of a path that do not choose an image.
const WORDS: [&str; 5] = ["img", "raw", "full", "all", "fresh"];

/// The maximum number of characters of a name.
const CHARS: usize = 100;

/// The name, without an extension, of the file for an image of a reply: the path that reads the
/// image, as words with `-` between them. Each file and member is its last name without extension.
///
/// `manual.pdf:page:3:img` is `manual-page-3`, and `a.zip:photos/b.jpg` is `a-b`. `before` is the text
/// of the reply before the image, which names the image if the path does not.
pub fn stem(path: &str, before: &str) -> String {
    let mut words = words(path);
    let named = label(before).or_else(|| {
        let has_unit = words.iter().any(|word| word.number.is_some());
        let unit = (!has_unit).then(|| unit(before))?;
        unit.map(|unit| (unit, false))
    });
    if let Some(((kind, number), replaces)) = named {
        // The label is a whole path in the document, so it replaces the unit of the reply's path.
        if replaces {
            words.retain(|word| word.number.is_none());
        }
        words.push(Word {
            text: kind,
            number: Some(number),
        });
    }
    let text: Vec<String> = words.into_iter().map(Word::text).collect();
    safe(&text.join("-"))
}

/// A part of a name.
struct Word {
    text: String,
    /// The number of a unit. `None` if the word is the name of a file or member.
    number: Option<String>,
}

impl Word {
    fn text(self) -> String {
        match self.number {
            Some(number) => format!("{}-{number}", self.text),
            None => self.text,
        }
    }
}

/// The words of a path.
fn words(path: &str) -> Vec<Word> {
    // The host and the query of a web address do not belong to the name.
    let path = match path.split_once("://") {
        Some((_, address)) => address.split(['?', '#']).next().unwrap_or_default(),
        None => path,
    };
    // In the escape form, a selector of an image has an escaped colon too.
    let path = path.replace("\\:", ":");
    // A letter before a colon and a separator is a drive of Windows.
    let drive = path
        .get(1..3)
        .is_some_and(|rest| matches!(rest, ":\\" | ":/"));
    let path = if drive { &path[2..] } else { &path };
    let mut words = Vec::new();
    let mut parts = path.split(':').peekable();
    let mut is_first = true;
    while let Some(part) = parts.next() {
        let is_unit = UNITS.contains(&part) && !is_first;
        let number = parts.next_if(|number| is_unit && !number.is_empty());
        let ignored = !is_first && WORDS.contains(&part);
        is_first = false;
        if let Some(number) = number {
            words.push(Word {
                text: part.to_owned(),
                number: Some(number.to_owned()),
            });
        } else if !ignored {
            let name = part.trim_end_matches(['/', '\\']);
            let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
            let stem = match name.rsplit_once('.') {
                Some((stem, _)) if !stem.is_empty() => stem,
                _ => name.trim_start_matches('.'),
            };
            if !safe_text(stem).is_empty() {
                words.push(Word {
                    text: stem.to_owned(),
                    number: None,
                });
            }
        }
    }
    words
}

/// The unit and number in the label on the last line of a text, such as `[image:3]` or
/// `[page:3:img: 40x30]`, which names the image that follows. True, because it replaces those of the
/// path.
fn label(before: &str) -> Option<((String, String), bool)> {
    let line = before.lines().next_back()?;
    let mut parts = line.strip_prefix('[')?.split([':', ']']);
    let kind = parts.next().filter(|kind| UNITS.contains(kind))?;
    let number = parts.next().filter(|number| is_number(number))?;
    Some(((kind.to_owned(), number.to_owned()), true))
}

/// The unit and number in the last line that begins a unit: `# %% [code] cell:3`, or
/// `<!-- slide 2 -->`.
fn unit(before: &str) -> Option<(String, String)> {
    before.lines().rev().find_map(|line| {
        let (kind, number) = if let Some(cell) = line.strip_prefix("# %% [") {
            let (_, cell) = cell.split_once("] ")?;
            cell.split_whitespace().next()?.split_once(':')?
        } else {
            let comment = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
            let (kind, rest) = comment.split_once(' ')?;
            (kind, rest.split(' ').next()?)
        };
        let known = UNITS.contains(&kind) && is_number(number);
        known.then(|| (kind.to_owned(), number.to_owned()))
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text as the name of a file in the directory in which images are saved.
fn safe(text: &str) -> String {
    let text = safe_text(text);
    if text.is_empty() {
        "image".to_owned()
    } else {
        text
    }
}

fn safe_text(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let name: String = text
        .chars()
        .take(CHARS)
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    name.trim_matches([' ', '.', '-']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_paths_of_images() {
        for (path, name) in [
            ("a/b.png", "b"),
            ("logo.svg:img", "logo"),
            ("manual.pdf:page:3:img", "manual-page-3"),
            ("manual.pdf:page:iii:img", "manual-page-iii"),
            ("deck.pptx:slide:2", "deck-slide-2"),
            ("letter.docx:image:4", "letter-image-4"),
            ("notes.ipynb:cell:4", "notes-cell-4"),
            ("a.zip:photos/b.jpg", "a-b"),
            ("a.zip:in/m.pdf:page:3:img", "a-m-page-3"),
            ("m.eml:scan.pdf:page:1:img", "m-scan-page-1"),
            ("x.tar.gz:c/d.e.jpg", "x.tar-d.e"),
            ("https://example.com/a/b.png?size=3", "b"),
            ("C:\\photos\\a.png", "a"),
            ("page.html:full", "page"),
            ("a\\:b.png", "a-b"),
            ("manual.pdf:page:3\\:img", "manual-page-3"),
            ("page", "page"),
        ] {
            assert_eq!(stem(path, ""), name, "{path}");
        }
    }

    #[test]
    fn names_stay_in_the_directory() {
        for (path, name) in [
            ("../..", "image"),
            ("-rf.png", "rf"),
            (".hidden", "hidden"),
            (".hidden.png", "hidden"),
            ("a\u{1b}[2J.png", "a__2J"),
            ("", "image"),
            ("x.zip:..:/", "x"),
        ] {
            assert_eq!(stem(path, ""), name, "{path}");
        }
        assert!(stem(&"x".repeat(500), "").len() <= CHARS);
    }

    #[test]
    fn text_before_an_image_names_it() {
        for (path, before, name) in [
            (
                "letter.docx",
                "![a](letter.docx:image:1)\n[image:1]",
                "letter-image-1",
            ),
            ("deck.pptx:slide:2", "x\n[image:7: 40x30]", "deck-image-7"),
            ("manual.pdf", "x\n[page:3:img: 800x600]", "manual-page-3"),
            (
                "a.ipynb",
                "# %% [code] cell:0\nx\n# %% [code] cell:2\n[Image output: image/png, 3B]",
                "a-cell-2",
            ),
            (
                "a.ipynb:cell:2",
                "# %% [code] cell:2\n[Image output: image/png]",
                "a-cell-2",
            ),
            ("deck.pptx", "<!-- slide 4 -->\n\ntext", "deck-slide-4"),
            ("a.png", "[Image 'a.png': PNG image, 1x1]", "a"),
        ] {
            assert_eq!(stem(path, before), name, "{path} {before}");
        }
    }
}
