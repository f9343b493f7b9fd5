//! Finds the ends of strings, regular expressions and other literals.

use super::{Class, Lexer};
use crate::lexis::{LexFeature, Quote};
use crate::limits;
use memchr::memchr;

impl Lexer<'_> {
    /// The offset after the string or other literal at the current position. `byte` is the byte at
    /// this position. Returns `None` if no literal begins there.
    pub(super) fn text_end(&mut self, byte: u8) -> Option<usize> {
        let has = |extra| self.lexis.has(extra);
        if self.is_sign_of_name(byte) {
            return None;
        }
        let end = match byte {
            b'<' if has(LexFeature::PhpHeredocs) && self.rest().starts_with(b"<<<") => {
                self.php_heredoc()
            }
            b'<' if has(LexFeature::Heredocs) && self.rest().starts_with(b"<<") => self.heredoc(),
            b'<' if has(LexFeature::Markup) && self.awaits_operand() => self.markup(),
            b'/' if has(LexFeature::Regexes) && self.begins_regex() => self.regex(self.at),
            b'[' if has(LexFeature::LongBrackets) => self.long_bracket(self.at),
            b'#' if has(LexFeature::Hashes) => self.hashes(self.at),
            b'%' if has(LexFeature::Percent) && self.begins_percent() => self.percent(),
            b'?' if has(LexFeature::Sigils)
                || (self.awaits_operand() && has(LexFeature::Percent)) =>
            {
                self.question()
            }
            b'~' if has(LexFeature::Sigils) => self.sigil(),
            b'$' if has(LexFeature::Dollars) => self.dollars(),
            b'\\' if has(LexFeature::BackslashCharacters) => self.backslash(),
            b'\\' if has(LexFeature::Multiline) && self.peek(1) == Some(b'\\') => {
                Some(self.line_end())
            }
            _ => None,
        };
        if end.is_some() {
            return end;
        }
        let quote = self.quote()?;
        if quote.character {
            return self.character();
        }
        let text = self.at.saturating_add(quote.open.len());
        // A triple quote directly after prose ends a string whose start is missing: `text."""`.
        if quote.lines && quote.open.len() == 3 && !self.fresh {
            let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
            let prose = before.is_some_and(|byte| matches!(byte, b'.' | b':' | b'`'));
            if prose {
                self.unended.get_or_insert(self.line);
                return Some(text);
            }
        }
        let ended = if self.searches() {
            self.quoted(text, quote, 0)
        } else {
            None
        };
        let ended = ended.or_else(|| {
            // The string is searched again without code in it. After too many failed searches, only
            // strings of one line are searched.
            let plain = Quote {
                code: None,
                ..*quote
            };
            let may_search = self.searches() || !quote.lines;
            may_search.then(|| self.quoted(text, &plain, 0)).flatten()
        });
        let ended = ended.filter(|end| !quote.lines || !self.is_other_start(*end, quote));
        ended.or_else(|| {
            self.broken = true;
            self.unended.get_or_insert(self.line);
            Some(self.line_end())
        })
    }

    /// The length in bytes of the string at the start of the rest of the text, if it needs no closer check: it is on one
    /// line, and has no escapes.
    pub(super) fn plain_string(&self, rest: &[u8]) -> Option<usize> {
        let (byte, inside) = rest.split_first()?;
        let is_plain = |quote: &&Quote| {
            let is_single = quote.open.len() == 1 && quote.open == quote.close;
            let is_special = quote.doubled || quote.lines || quote.character;
            is_single && !is_special && quote.code.is_none()
        };
        let quote = self.quote().filter(is_plain)?;
        if !self.stops.is_empty() || self.is_sign_of_name(*byte) {
            return None;
        }
        let escape = quote.escape.unwrap_or(*byte);
        let end = inside
            .iter()
            .position(|inner| inner == byte || *inner == escape || *inner == b'\n')?;
        (inside.get(end) == Some(byte)).then(|| end.saturating_add(2))
    }

    /// Whether the closing quote of a string of several lines seems to open another string instead,
    /// so that the closing quote of the first string is missing. `end` is the offset after this
    /// quote.
    fn is_other_start(&self, end: usize, quote: &Quote) -> bool {
        if quote.close.len() != 1 || quote.close == "`" {
            return false;
        }
        let text = self
            .bytes
            .get(self.at.saturating_add(1)..end.saturating_sub(1))
            .unwrap_or_default();
        if memchr(b'\n', text).is_none() {
            return false;
        }
        let next = self.bytes.get(end).copied().unwrap_or(b'\n');
        let shell = self.lexis.has(LexFeature::Spaced);
        let begins = next.is_ascii_alphanumeric()
            || matches!(next, b'%' | b'\\' | b'<' | b'_' | b'@')
            || (!shell && matches!(next, b'{' | b'$' | b'/' | b'#'));
        let opens = matches!(text.last(), Some(b'(' | b'[' | b'='));
        // A word of a shell may continue after a string: `'…'\''…'`, `'…('"$name"`.
        let after = self.bytes.get(end..).unwrap_or_default();
        if shell && (after.starts_with(b"\\'") || (opens && matches!(next, b'"' | b'$'))) {
            return false;
        }
        if begins || opens {
            self.waste(text.len());
        }
        begins || opens
    }

    /// The offset after the string at the current position that begins with the prefix `word`, such
    /// as `r` in `r"…"`. The prefix ends at the offset `end`. Returns `None` if the word is not a
    /// prefix of a string.
    pub(super) fn prefixed(&mut self, word: &[u8], end: usize) -> Option<usize> {
        let next = self.bytes.get(end).copied()?;
        let has = |extra| self.lexis.has(extra);
        match (word, next) {
            (b"r" | b"br" | b"cr", b'"' | b'#') if has(LexFeature::RawHashes) => self.hashes(end),
            (b"R" | b"r" | b"LR" | b"uR" | b"UR" | b"u8R", b'"')
                if has(LexFeature::RawDelimiters) =>
            {
                self.delimited(end)
            }
            (b"q" | b"qq" | b"qw" | b"qr" | b"qx" | b"m" | b"s" | b"tr" | b"y", _)
                if has(LexFeature::PerlQuotes) =>
            {
                self.perl_quote(word, end)
            }
            _ => None,
        }
    }

    /// The offset after a string whose contents begin at `at`. Returns `None` if the string does
    /// not end.
    pub(super) fn quoted(&self, at: usize, quote: &Quote, depth: u32) -> Option<usize> {
        let found = self.string(at, quote, depth);
        if found.is_err_and(|end| end >= self.bytes.len()) {
            self.open_ended.set(true);
        }
        found.map_err(|end| self.waste(end.saturating_sub(at))).ok()
    }

    /// The offset after a string whose contents begin at `at`.
    ///
    /// # Errors
    ///
    /// Fails with the offset at which the search stopped if the string does not end.
    fn string(&self, mut at: usize, quote: &Quote, depth: u32) -> Result<usize, usize> {
        let close = quote.close.as_bytes();
        let (first, code) = (
            close.first().copied().unwrap_or_default(),
            quote.code.map(str::as_bytes),
        );
        let sign = code.and_then(|code| code.first().copied());
        // In a shell both `$(` and `${` begin code.
        let shell = self.lexis.has(LexFeature::Spaced) && code.is_some();
        let (escape, begins) = (quote.escape.unwrap_or(first), sign.unwrap_or(first));
        let ordinary = |byte: &u8| ![first, escape, begins, b'\n'].contains(byte);
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let length = rest.iter().position(|byte| !ordinary(byte));
            let length = length.unwrap_or(rest.len());
            at = at.saturating_add(length);
            let rest = rest.get(length..).unwrap_or_default();
            let Some(byte) = rest.first().copied() else {
                return Err(at);
            };
            if Some(byte) == quote.escape {
                // `\(` begins code where a backslash alone escapes.
                match code.filter(|code| rest.starts_with(code)) {
                    Some(code) if depth < limits::STRING_DEPTH => {
                        at = self.code(at, code, depth)?;
                    }
                    _ => at = at.saturating_add(2),
                }
            } else if byte == first && quote.doubled && self.is_escaped(at) {
                at = at.saturating_add(1);
            } else if byte == first && rest.starts_with(close) {
                at = at.saturating_add(close.len());
                if quote.doubled && self.bytes.get(at) == Some(&first) {
                    at = at.saturating_add(1);
                } else {
                    return Ok(at);
                }
            } else if byte == b'\n' && !quote.lines {
                return Err(at);
            } else if Some(byte) == sign
                && depth < limits::STRING_DEPTH
                && let Some(code) = code.map(|code| {
                    if shell {
                        rest.get(..2).unwrap_or(code)
                    } else {
                        code
                    }
                })
                && rest.starts_with(code)
                && matches!(code.last(), Some(b'{' | b'(' | b'$'))
                && !(shell && code.ends_with(b"$"))
            {
                at = self.code(at, code, depth)?;
            } else {
                at = at.saturating_add(1);
            }
        }
    }

    /// Whether a backslash escapes the quote at `at` in a string without escapes. A letter cannot follow the
    /// end of such a string.
    fn is_escaped(&self, at: usize) -> bool {
        let before = self.bytes.get(..at).unwrap_or_default();
        let is_backslash = |byte: &&u8| **byte == b'\\';
        let odd = before.iter().rev().take_while(is_backslash).count() % 2 == 1;
        odd && self.lexis.has(LexFeature::Backslashes)
            && (self.backslashes
                || self
                    .bytes
                    .get(at.saturating_add(1))
                    .is_some_and(u8::is_ascii_alphanumeric))
    }

    /// The offset after code that is embedded in a string, such as `${…}`. The code begins at the
    /// offset `from` with the sign `open`.
    ///
    /// # Errors
    ///
    /// Fails with the offset at which the search stopped if the code does not end.
    fn code(&self, from: usize, open: &[u8], depth: u32) -> Result<usize, usize> {
        let mut at = from.saturating_add(open.len());
        let (up, down) = match open.last() {
            Some(b'(') => (b'(', b')'),
            _ => (b'{', b'}'),
        };
        let mut level = 1u32;
        while let Some(byte) = self.bytes.get(at).copied() {
            at = at.saturating_add(1);
            if byte == down {
                level = level.saturating_sub(1);
                if level == 0 {
                    return Ok(at);
                }
            } else if byte == up {
                level = level.saturating_add(1);
            } else if matches!(self.class(byte), Class::Comment | Class::Special) {
                let start = at.saturating_sub(1);
                let rest = self.bytes.get(start..).unwrap_or_default();
                let mut quotes = self.lexis.strings.iter();
                if let Some(quote) =
                    quotes.find(|quote| !quote.character && rest.starts_with(quote.open.as_bytes()))
                {
                    // There is no second try: a string that does not end here does not end at all.
                    let text = start.saturating_add(quote.open.len());
                    at = self.string(text, quote, depth.saturating_add(1))?;
                } else if byte == b'/'
                    && let Some(end) = self.inner_regex(start)
                {
                    at = end;
                }
            }
        }
        Err(at)
    }

    /// The offset after the character literal in single quotes at the current position.
    fn character(&self) -> Option<usize> {
        let rest = self.rest().get(1..)?;
        let length = match rest.first()? {
            b'\\' => {
                // `'\u{10ffff}'`
                let after = rest.get(2..14.min(rest.len()))?;
                memchr(b'\'', after)?.saturating_add(2)
            }
            b'\'' | b'\n' => return None,
            byte => match byte.leading_ones() {
                0 => 1,
                ones => ones as usize,
            },
        };
        (rest.get(length) == Some(&b'\'')).then(|| self.at.saturating_add(length).saturating_add(2))
    }

    /// The offset after the raw string `#"…"#`. `from` is the offset of the first `#`, or of the
    /// quote if there is no `#`.
    fn hashes(&self, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        let most = rest.iter().take(limits::TAG_BYTES);
        let hashes = most.take_while(|byte| **byte == b'#').count();
        let quotes: &[u8] = match rest.get(hashes..)? {
            // Only Swift has triple quotes here.
            [b'"', b'"', b'"', ..] if self.lexis.has(LexFeature::Hashes) => b"\"\"\"",
            [b'"', ..] => b"\"",
            _ => return None,
        };
        let text = from.saturating_add(hashes).saturating_add(quotes.len());
        let mut close = quotes.to_vec();
        close.resize(hashes.saturating_add(quotes.len()), b'#');
        Some(self.find(text, &close)?.saturating_add(close.len()))
    }

    /// The offset after the raw string of C++ `R"x(…)x"`. `from` is the offset of the opening
    /// quote.
    fn delimited(&self, from: usize) -> Option<usize> {
        let text = self.bytes.get(from.saturating_add(1)..)?;
        let open = memchr(b'(', text.get(..limits::TAG_BYTES.min(text.len()))?)?;
        let mut close = vec![b')'];
        close.extend_from_slice(text.get(..open)?);
        close.push(b'"');
        let text = from.saturating_add(1).saturating_add(open);
        Some(self.find(text, &close)?.saturating_add(close.len()))
    }

    /// The offset after text in long brackets: `[==[…]==]`. `from` is the offset of the first
    /// bracket.
    fn long_bracket(&self, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?.strip_prefix(b"[")?;
        let signs = rest.iter().take_while(|byte| **byte == b'=').count();
        if rest.get(signs) != Some(&b'[') {
            return None;
        }
        let mut close = vec![b']'];
        close.resize(signs.saturating_add(1), b'=');
        close.push(b']');
        let text = from.saturating_add(1);
        Some(self.find(text, &close)?.saturating_add(close.len()))
    }

    /// The offset after the comment in long brackets at the current position: `--[[…]]`. `sign` is
    /// the length in bytes of the comment sign before the brackets.
    pub(super) fn long_comment(&self, sign: usize) -> Option<usize> {
        if !self.lexis.has(LexFeature::LongBrackets) {
            return None;
        }
        self.long_bracket(self.at.saturating_add(sign))
    }

    /// The offset after the dollar-quoted string at the current position: `$tag$…$tag$`.
    fn dollars(&self) -> Option<usize> {
        let rest = self.rest();
        let tag = rest
            .get(1..)?
            .iter()
            .take(limits::TAG_BYTES)
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        let tag = rest.get(..tag.saturating_add(2))?;
        if !tag.ends_with(b"$") {
            return None;
        }
        let text = self.at.saturating_add(tag.len());
        // A tag before `language`, `;`, `,` or `)` ends a string whose start is missing.
        let after = self.bytes.get(text..)?.trim_ascii_start();
        let language = after
            .get(..8)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"language"));
        if language || matches!(after.first(), Some(b';' | b',' | b')')) {
            return None;
        }
        Some(self.find(text, tag)?.saturating_add(tag.len()))
    }

    /// Whether the `/` at the current position begins a regular expression, and is not the division
    /// operator.
    fn begins_regex(&self) -> bool {
        // A word may be a method whose argument follows a space: `puts /…/`.
        let spaced = self.lexis.has(LexFeature::Percent)
            && self.at.checked_sub(1).and_then(|at| self.bytes.get(at)) == Some(&b' ')
            && self
                .peek(1)
                .is_some_and(|byte| !matches!(byte, b' ' | b'='));
        self.awaits_operand() || spaced
    }

    /// The offset after a regular expression on one line: `/…/`. `from` is the offset of the first
    /// `/`.
    fn regex(&self, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..).filter(|_| self.searches())?;
        let (mut set, mut scanned) = (false, 0usize);
        let mut bytes = rest.iter().enumerate().skip(1);
        while let Some((at, byte)) = bytes.next() {
            scanned = at;
            match byte {
                b'\n' => break,
                b'\\' => drop(bytes.next()),
                b'[' => set = true,
                b']' => set = false,
                b'/' if !set => return Some(from.saturating_add(at).saturating_add(1)),
                _ => {}
            }
        }
        self.waste(scanned);
        None
    }

    /// The offset after the regular expression that begins at the offset `at`. The expression is in
    /// code that is part of a string or of markup. Returns `None` if there is no regular
    /// expression.
    pub(super) fn inner_regex(&self, at: usize) -> Option<usize> {
        let before = self.bytes.get(..at)?.trim_ascii_end();
        let operand = matches!(
            before.last(),
            Some(b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b';')
        );
        let may = operand && self.lexis.has(LexFeature::Regexes);
        may.then(|| self.regex(at)).flatten()
    }

    /// Whether the `%` at the current position begins a string, and is not the remainder operator.
    /// After a word, a space must precede `%` and a letter with a bracket must follow it:
    /// `puts %w(…)`.
    fn begins_percent(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        let named = matches!(
            self.peek(1),
            Some(b'w' | b'W' | b'i' | b'I' | b'q' | b'Q' | b'r')
        );
        self.awaits_operand()
            || (named
                && before == Some(&b' ')
                && matches!(self.peek(2), Some(b'(' | b'[' | b'{' | b'<')))
    }

    /// The offset after the character literal at the current position: `?a`, `?\n`.
    fn question(&self) -> Option<usize> {
        let rest = self.rest();
        let sign = *rest.get(1)?;
        let length = if sign == b'\\' { 3 } else { 2 };
        let lone = rest.get(length).is_none_or(|byte| !self.is_inner(*byte));
        (sign.is_ascii_graphic() && lone)
            .then(|| self.at.saturating_add(length).min(self.bytes.len()))
    }

    /// The offset after the character literal at the current position: `\a`, `\space`.
    fn backslash(&self) -> Option<usize> {
        let rest = self.rest();
        let first = *rest.get(1)?;
        let more = rest
            .iter()
            .skip(2)
            .take_while(|byte| byte.is_ascii_alphanumeric());
        let length = match first {
            first if first.is_ascii_alphanumeric() => more.count().saturating_add(2),
            first => usize::try_from(first.leading_ones().max(1))
                .unwrap_or(1)
                .saturating_add(1),
        };
        Some(self.at.saturating_add(length).min(self.bytes.len()))
    }

    /// The offset after the Elixir sigil at the current position: `~r/…/`, `~S"""…"""`.
    fn sigil(&self) -> Option<usize> {
        let rest = self.rest();
        let letters = rest
            .iter()
            .skip(1)
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        if letters == 0 {
            return None;
        }
        let open = self.at.saturating_add(letters).saturating_add(1);
        let text = self.bytes.get(open..)?;
        for quotes in [b"\"\"\"", b"'''"] {
            if text.starts_with(quotes) {
                return Some(self.find(open.saturating_add(3), quotes)?.saturating_add(3));
            }
        }
        matches!(
            text.first(),
            Some(b'(' | b'[' | b'{' | b'<' | b'/' | b'|' | b'"' | b'\'')
        )
        .then(|| self.bracketed(open))?
    }

    /// The offset after the percent literal at the current position: `%w[…]`, `%(…)`.
    fn percent(&self) -> Option<usize> {
        let rest = self.rest();
        let kind = rest.get(1)?;
        let named = matches!(
            kind,
            b'w' | b'W' | b'q' | b'Q' | b'i' | b'I' | b'r' | b'x' | b's'
        );
        let open = self.at.saturating_add(if named { 2 } else { 1 });
        let bracket = self.bytes.get(open)?;
        if !(matches!(bracket, b'(' | b'[' | b'{' | b'<')
            || (named && matches!(bracket, b'|' | b'!' | b'/' | b'\'' | b'"')))
        {
            return None;
        }
        self.bracketed(open)
    }

    /// The offset after text in brackets, such as `{…}`, or between two copies of a character, such
    /// as `/…/`. `open` is the offset of the opening bracket or of the first copy.
    pub(super) fn bracketed(&self, open: usize) -> Option<usize> {
        let up = *self.bytes.get(open)?;
        let down = match up {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            sign => sign,
        };
        if !self.searches() {
            return None;
        }
        let mut level = 1u32;
        let mut bytes = self.bytes.get(open..)?.iter().enumerate().skip(1);
        while let Some((at, byte)) = bytes.next() {
            if *byte == b'\\' {
                bytes.next();
            } else if *byte == down {
                level = level.saturating_sub(1);
                if level == 0 {
                    return Some(open.saturating_add(at).saturating_add(1));
                }
            } else if *byte == up {
                level = level.saturating_add(1);
            }
        }
        self.waste(self.bytes.len().saturating_sub(open));
        self.open_ended.set(true);
        None
    }
}
