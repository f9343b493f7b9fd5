//! What may be the number of a page at the start and the end of a line.

use super::lines::Line;
use super::words::Word;

/// The maximum number of characters of a line that are compared.
const CHARACTERS: usize = 300;

/// The maximum number of digits of the number of a page.
const DIGITS: usize = 6;

/// The maximum number of words of the number of a page, such as `Page 3 of 7`, with the signs around it.
const NUMBER_WORDS: usize = 8;

/// The maximum number of letters before a number in the label of a page, such as `MS-12`.
const LABEL_LETTERS: usize = 3;

/// The words in the numbers of pages, and those before the number of all pages.
const PAGE_WORDS: [&str; 17] = [
    "page",
    "pages",
    "pg",
    "p",
    "s",
    "seite",
    "página",
    "pagina",
    "pàgina",
    "strona",
    "sida",
    "side",
    "стр",
    "страница",
    "第",
    "页",
    "頁",
];
const OF_WORDS: [&str; 8] = ["of", "von", "de", "di", "sur", "из", "van", "z"];

/// A number at the start or the end of a line that may be the number of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageNumber {
    /// The number.
    pub value: i64,
    /// Whether white, a sign or a word such as `page` is between it and the rest of the line.
    pub apart: bool,
    /// Whether its form is that of the number of a page, such as `Page 3` or `3/7`.
    pub sure: bool,
    /// The number of words that it has.
    pub used: usize,
    /// The rest of the line, as [`key`]. It is empty if the line has nothing else.
    pub rest: String,
    /// The same with the number at the other end, if that is equal. It may be that of a section.
    pub whole_rest: Option<String>,
}

/// A text without white space in lower case.
pub fn key(text: &str) -> String {
    let ink = text.chars().filter(|it| !it.is_whitespace());
    ink.flat_map(char::to_lowercase).take(CHARACTERS).collect()
}

/// The part of a word that may be the number of a page.
enum Token {
    /// A number, such as `3`, `[3]` or `1/3`.
    Number(i64),
    /// A word such as `page`.
    Page,
    /// A word before the number of all pages.
    Of,
    /// A sign, also before the number of all pages.
    Slash,
    /// Signs.
    Sign,
    /// Other text.
    Other,
}

fn token(word: &str) -> Token {
    let inner = word.trim_matches(|it: char| !it.is_alphanumeric());
    if inner.is_empty() {
        return if word == "/" {
            Token::Slash
        } else {
            Token::Sign
        };
    }
    let lower = inner.to_lowercase();
    if PAGE_WORDS.contains(&lower.as_str()) {
        return Token::Page;
    }
    if OF_WORDS.contains(&lower.as_str()) {
        return Token::Of;
    }
    // `Page3`, `第3页`
    let digits = lower.trim_matches(|it: char| !it.is_ascii_digit());
    let letters: String = lower.chars().filter(|it| it.is_alphabetic()).collect();
    let known = matches!(
        letters.as_str(),
        "" | "page" | "seite" | "第页" | "第頁" | "页" | "頁"
    );
    let inside = digits
        .bytes()
        .all(|it| it.is_ascii_digit() || matches!(it, b'/' | b'-'));
    let mut numbers = digits.split(['/', '-']);
    let (Some(first), second, None) = (numbers.next(), numbers.next(), numbers.next()) else {
        return Token::Other;
    };
    // The page of a chapter, such as `4-17`.
    let value = match second {
        Some(second) if digits.contains('-') => {
            if first.len() > 2 {
                return Token::Other;
            }
            second
        }
        _ => first,
    };
    if !known || !inside || value.len() > DIGITS {
        return Token::Other;
    }
    value.parse().map_or(Token::Other, Token::Number)
}

/// The letters and the number of a label such as `MS-12`, and of `p3` or `S.3`, without letters.
fn label(word: &str) -> Option<(&str, i64)> {
    let page = word.strip_prefix('p');
    let page = page.or_else(|| word.strip_prefix(['P', 'S', 's'])?.strip_prefix('.'));
    if let Some(page) = page {
        let digits = page.trim_start_matches('.');
        let all = digits.len() <= DIGITS && digits.bytes().all(|it| it.is_ascii_digit());
        if let Some(value) = digits.parse().ok().filter(|_| all) {
            return Some(("", value));
        }
    }
    let (letters, digits) = word.split_once('-')?;
    let short = !letters.is_empty() && letters.chars().count() <= LABEL_LETTERS;
    let all =
        letters.chars().all(char::is_alphabetic) && digits.bytes().all(|it| it.is_ascii_digit());
    let value = digits.parse().ok().filter(|_| digits.len() <= DIGITS)?;
    (short && all).then_some((letters, value))
}

/// What may be the number of the page at the start and the end of a line.
pub fn page_numbers(words: &[Word], line: &Line) -> [Option<PageNumber>; 2] {
    let (mut start, mut end) = (number(words, line, false), number(words, line, true));
    if let (Some(start), Some(end)) = (&mut start, &mut end)
        && start.value == end.value
        && let Some(last) = line.words.len().checked_sub(end.used)
        && let Some(inner) = line.words.get(start.used..last)
    {
        let inner = inner.iter().filter_map(|it| words.get(*it));
        let rest = key(&inner.map(|it| it.text.as_str()).collect::<String>());
        for it in [start, end] {
            it.whole_rest = Some(std::mem::replace(&mut it.rest, rest.clone()));
            (it.apart, it.sure) = (true, true);
        }
    }
    [start, end]
}

/// What may be the number of the page at the start or the end of a line.
fn number(words: &[Word], line: &Line, end: bool) -> Option<PageNumber> {
    let count = line.words.len();
    if let [only] = line.words.as_slice()
        && let Some((letters, value)) = label(&words.get(*only)?.text)
    {
        return Some(PageNumber {
            value,
            apart: true,
            sure: true,
            used: 1,
            rest: key(letters),
            whole_rest: None,
        });
    }
    // The words from the outside.
    let place = |step: usize| {
        if end {
            count.checked_sub(step.checked_add(1)?)
        } else {
            (step < count).then_some(step)
        }
    };
    let word = |step: usize| words.get(*line.words.get(place(step)?)?);
    let mut found: Vec<i64> = Vec::new();
    let (mut apart, mut page, mut of, mut all) = (false, false, false, false);
    let mut used = 0;
    let mut slash = None;
    // After a number, a sign or a word belongs to it, but another number only after `of`.
    for step in 0..count.min(NUMBER_WORDS) {
        let Some(word) = word(step) else { break };
        match token(&word.text) {
            Token::Number(value) if found.is_empty() || of || found.last() == Some(&value) => {
                found.push(value);
                apart = false;
                all |= of || word.text.contains('/');
            }
            Token::Page => page = true,
            Token::Slash if found.len() == 1 && !of => {
                of = true;
                slash = Some(step.saturating_add(1));
                continue;
            }
            Token::Sign | Token::Slash => apart = true,
            Token::Of if found.len() == 1 => {
                of = true;
                continue;
            }
            _ => break,
        }
        of = false;
        slash = None;
        used = step.saturating_add(1);
    }
    // `Surname / TITLE / 3`
    if let Some(slash) = slash {
        (apart, used) = (true, slash);
    }
    let value = if end { found.last() } else { found.first() };
    let value = *value?;
    let mut rest: Vec<&str> = Vec::new();
    for step in used..count {
        rest.extend(word(step).map(|it| it.text.as_str()));
    }
    if end {
        rest.reverse();
    }
    // Wide white is between two cells.
    let inner = place(used);
    let outer = used.checked_sub(1).and_then(place);
    let cell = |at: Option<usize>| {
        let at = at?;
        line.cells
            .iter()
            .position(|it| (it.start..it.end).contains(&at))
    };
    Some(PageNumber {
        value,
        apart: apart || page || rest.is_empty() || cell(inner) != cell(outer),
        sure: page || all || rest.is_empty(),
        used,
        rest: key(&rest.concat()),
        whole_rest: None,
    })
}
