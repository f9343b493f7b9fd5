//! Words that report an error in a message without a level.
//!
//! Two neighbouring letters of each word are searched first. Words are compared only where these are. The search for
//! suspects knows three letters of each word: a new word is a new one there.

use crate::ascii::{after_spaces, at, has, is_word, run};

/// One bit for each pair of letters in lower case that begins a comparison.
const PAIRS: [u64; 1024] = {
    let mut pairs = [0u64; 1024];
    let words = [
        *b"rr", *b"xc", *b"fa", *b"pa", *b"eb", *b"f ", *b"mp", *b"cr",
    ];
    let mut n = 0;
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "it is computed by the compiler"
    )]
    while n < words.len() {
        let pair = (words[n][0] as usize) << 8 | words[n][1] as usize;
        pairs[pair >> 6] |= 1 << (pair & 63);
        n += 1;
    }
    pairs
};

/// The offset of the first word from `start` on that reports an error.
pub fn find(line: &[u8], start: usize) -> Option<usize> {
    let mut pair = 0u16;
    let mut place = start;
    loop {
        let rest = line.get(place..)?;
        let found = rest.iter().position(|byte| {
            pair = (pair << 8) | u16::from(byte | 0x20);
            let bits = PAIRS.get(usize::from(pair >> 6)).copied().unwrap_or(0);
            (bits >> (pair & 63)) & 1 == 1
        });
        place = place.saturating_add(found?).saturating_add(1);
        if let Some(word) = word(line, place.saturating_sub(2)) {
            return Some(word);
        }
    }
}

/// The offset of the word that reports an error, if it has the pair of letters at `pair`.
#[inline(never)]
fn word(line: &[u8], pair: usize) -> Option<usize> {
    let back = |count: usize| pair.checked_sub(count);
    match at(line, pair) | 0x20 {
        b'r' if at(line, pair.saturating_add(1)) | 0x20 == b'r' => {
            let start = back(1).filter(|start| at(line, *start) | 0x20 == b'e')?;
            if has(line, start, b"error") {
                is_error(line, start, 5).then_some(start)
            } else {
                // `npm ERR!`
                let is = line.get(start..start.saturating_add(4)) == Some(b"ERR!");
                is.then_some(start)
            }
        }
        b'x' => {
            let start = back(1).filter(|start| has(line, *start, b"exception"))?;
            is_error(line, start, 9).then_some(start)
        }
        b'f' if at(line, pair.saturating_add(1)) == b' ' => {
            let start = back(5).filter(|start| has(line, *start, b"out of memory"))?;
            Some(start)
        }
        b'f' => failure(line, pair),
        b'p' => panic(line, pair),
        b'e' => {
            let start = back(4)?;
            has(line, start, b"traceback (most recent call").then_some(start)
        }
        b'm' => {
            let start = back(7)?;
            has(line, start, b"core dumped").then_some(start)
        }
        b'c' => {
            let is = line.get(pair..pair.saturating_add(8)) == Some(b"CRITICAL");
            (is && is_whole(line, pair, 8)).then_some(pair)
        }
        _ => None,
    }
}

/// Whether a word is not a part of a longer one, of a name or of a path.
fn is_whole(line: &[u8], start: usize, length: usize) -> bool {
    let before = start.checked_sub(1).map_or(b' ', |before| at(line, before));
    !is_word(before)
        && !matches!(
            before,
            b'-' | b'/' | b'\\' | b'.' | b'$' | b'@' | b'%' | b'?' | b'&' | b'#'
        )
        && ends(line, start.saturating_add(length))
}

/// Whether a word ends at `end`, and not a part of a name or of a path: `error_log`, `error.html`, `error()`.
fn ends(line: &[u8], end: usize) -> bool {
    let (next, then) = (at(line, end), at(line, end.saturating_add(1)));
    match next {
        b'-' | b'/' | b'\\' | b'(' | b'@' => false,
        b'.' => !is_word(then) && then != b'<',
        // `error::tests`
        b':' => then != b':',
        next => !is_word(next),
    }
}

/// Words before which an error is not reported: `no errors`.
const NEGATIONS: [&[u8]; 14] = [
    b"no",
    b"without",
    b"non",
    b"any",
    b"if",
    b"on",
    b"zero",
    b"ignore",
    b"ignoring",
    b"ignored",
    b"possible",
    b"when",
    b"for",
    b"of",
];

/// Words after `error` that name something else than an error.
const NOUNS: [&[u8]; 16] = [
    b"handling",
    b"handler",
    b"handlers",
    b"reporting",
    b"log",
    b"logs",
    b"logging",
    b"page",
    b"pages",
    b"correction",
    b"recovery",
    b"budget",
    b"rate",
    b"count",
    b"detection",
    b"boundary",
];

/// Whether the word before `start` is a negation. The number before it, if there is one.
fn before(line: &[u8], start: usize) -> (bool, Option<bool>) {
    let mut end = start;
    while end > 0 && at(line, end.saturating_sub(1)) == b' ' {
        end = end.saturating_sub(1);
    }
    if end == start && start > 0 {
        return (false, None);
    }
    let mut begin = end;
    while begin > 0 && is_word(at(line, begin.saturating_sub(1))) {
        begin = begin.saturating_sub(1);
    }
    let word = line.get(begin..end).unwrap_or_default();
    let number = (!word.is_empty() && word.iter().all(u8::is_ascii_digit))
        .then(|| word.iter().any(|digit| *digit != b'0'));
    let negates = NEGATIONS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word));
    (negates || number == Some(false), number)
}

/// Whether a value follows that denies the word before it: `=0`, `: null`.
fn is_none(line: &[u8], end: usize) -> bool {
    let mut place = end;
    if at(line, place) == b'"' {
        place = place.saturating_add(1);
    }
    if !matches!(at(line, place), b':' | b'=') {
        return false;
    }
    place = after_spaces(line, place.saturating_add(1));
    if at(line, place) == b'"' {
        place = place.saturating_add(1);
        // An empty string.
        if at(line, place) == b'"' {
            return true;
        }
    }
    // Go: `error=<nil>`
    place = place.saturating_add(usize::from(at(line, place) == b'<'));
    let length = run(line, place, is_word);
    let word = line
        .get(place..place.saturating_add(length))
        .unwrap_or_default();
    let words: [&[u8]; 7] = [
        b"none",
        b"null",
        b"nil",
        b"false",
        b"no",
        b"undefined",
        b"ok",
    ];
    let is_zero = !word.is_empty() && word.iter().all(|byte| *byte == b'0');
    is_zero || words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether the word `error` or `exception` reports one. It may be the end of the name of a class: `ValueError`.
fn is_error(line: &[u8], start: usize, length: usize) -> bool {
    let previous = start.checked_sub(1).map_or(b' ', |before| at(line, before));
    let mut end = start.saturating_add(length);
    let is_class = at(line, start) == b'E'
        && (previous.is_ascii_alphanumeric() || matches!(previous, b'.' | b':'));
    let plural = at(line, end) | 0x20 == b's' && !is_word(at(line, end.saturating_add(1)));
    if plural {
        end = end.saturating_add(1);
    }
    if is_class && !plural {
        return ends(line, end) && !is_none(line, end);
    }
    // rustc: `error[E0308]: …`
    if !is_whole(line, start, end.saturating_sub(start)) || is_none(line, end) {
        return false;
    }
    let (negated, number) = before(line, start);
    if negated {
        return false;
    }
    if plural {
        // `3 errors`, `previous errors`, `errors: 2`
        let value = after_spaces(line, end.saturating_add(1));
        let follows = matches!(at(line, end), b':' | b'=') && at(line, value).is_ascii_digit();
        return number == Some(true) || follows;
    }
    let next = after_spaces(line, end);
    if next > end {
        let length = run(line, next, is_word);
        let noun = line
            .get(next..next.saturating_add(length))
            .unwrap_or_default();
        return !NOUNS.iter().any(|known| known.eq_ignore_ascii_case(noun));
    }
    true
}

/// Words that begin with `fa`.
fn failure(line: &[u8], start: usize) -> Option<usize> {
    if has(line, start, b"fault") {
        let segment = start
            .checked_sub(13)
            .filter(|start| has(line, *start, b"segmentation fault"));
        let short = start
            .checked_sub(3)
            .filter(|start| has(line, *start, b"segfault"));
        return segment.or(short);
    }
    let forms: [&[u8]; 5] = [b"failed", b"failure", b"fatal", b"failures", b"fail"];
    let form = forms.iter().find(|form| {
        has(line, start, form) && !is_word(at(line, start.saturating_add(form.len())))
    })?;
    let end = start.saturating_add(form.len());
    if !is_whole(line, start, form.len()) || is_none(line, end) {
        return None;
    }
    let (negated, number) = before(line, start);
    let is = match *form {
        // "may fail" is prose, `FAIL` and `fail:` are results.
        b"fail" => at(line, start) == b'F' || at(line, end) == b':' || number == Some(true),
        b"failures" => number == Some(true),
        _ => true,
    };
    (is && !negated).then_some(start)
}

/// `panicked at`, `panic:`, `PANIC`.
fn panic(line: &[u8], start: usize) -> Option<usize> {
    if has(line, start, b"panicked at") {
        return Some(start);
    }
    if !has(line, start, b"panic") || !is_whole(line, start, 5) {
        return None;
    }
    let is = matches!(at(line, start.saturating_add(5)), b':' | b'(')
        || at(line, start.saturating_add(1)) == b'A'
        || start
            .checked_sub(7)
            .is_some_and(|start| has(line, start, b"kernel panic"));
    (is && !before(line, start).0).then_some(start)
}
