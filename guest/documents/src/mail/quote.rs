//! Quotations of earlier mails: found, marked with `>`, and limited.
//!
//! The newest text of a mail is always complete. Quotations repeat other mails, so that only a
//! number of their lines is shown. The text of a forwarded mail is not a quotation.

/// A text with limited quotations.
#[derive(Debug, PartialEq, Eq)]
pub struct Folded {
    /// The text.
    pub text: String,
    /// The number of lines that are left out.
    pub omitted: usize,
}

/// Marks and limits the quotations in a text. `limit` is the maximum number of lines of each.
pub fn fold(text: &str, subject: &str, limit: usize) -> Folded {
    let lines: Vec<&str> = text.lines().collect();
    if is_forward(subject) || lines.iter().any(|line| is_forward_mark(line)) {
        return Folded {
            text: text.to_owned(),
            omitted: 0,
        };
    }
    let history = history(&lines).unwrap_or(lines.len());
    let is_quoted =
        |at: usize| at >= history || lines.get(at).is_some_and(|line| line.starts_with('>'));
    let is_blank = |at: usize| lines.get(at).is_some_and(|line| line.trim().is_empty());
    let mut writer = Writer {
        lines: &lines,
        history,
        out: String::with_capacity(text.len()),
    };
    let mut omitted = 0_usize;
    let mut at = 0;
    while at < lines.len() {
        if !is_quoted(at) {
            writer.line(at);
            at = at.saturating_add(1);
            continue;
        }
        // Empty lines between quoted lines belong to the quotation.
        let (start, mut end, mut next) = (at, at, at);
        while next < lines.len() && (is_quoted(next) || is_blank(next)) {
            next = next.saturating_add(1);
            if is_quoted(next.saturating_sub(1)) {
                end = next;
            }
        }
        let count = end.saturating_sub(start);
        let left_out = count.saturating_sub(limit);
        // A note instead of a few lines saves nothing.
        if left_out < 4 {
            (start..end).for_each(|line| writer.line(line));
        } else if next == lines.len() {
            let cut = start.saturating_add(limit);
            (start..cut).for_each(|line| writer.line(line));
            writer.omitted(left_out);
            omitted = omitted.saturating_add(left_out);
        } else {
            // An answer belongs to the end of the quotation before it.
            let cut = end.saturating_sub(limit);
            writer.omitted(left_out);
            (cut..end).for_each(|line| writer.line(line));
            omitted = omitted.saturating_add(left_out);
        }
        at = end;
    }
    Folded {
        text: writer.out,
        omitted,
    }
}

struct Writer<'a> {
    lines: &'a [&'a str],
    history: usize,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, at: usize) {
        let line = self.lines.get(at).copied().unwrap_or_default();
        self.start();
        if at >= self.history && !line.starts_with('>') {
            self.out.push_str(if line.is_empty() { ">" } else { "> " });
        }
        self.out.push_str(line);
    }

    fn omitted(&mut self, count: usize) {
        self.start();
        self.out
            .push_str(&format!("> [{count} quoted lines are left out here]"));
    }

    fn start(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }
}

/// Whether a subject is that of a forwarded mail.
fn is_forward(subject: &str) -> bool {
    let Some((start, _)) = subject.trim_start().split_once(':') else {
        return false;
    };
    let start = start.trim().to_lowercase();
    let known = [
        "fw", "fwd", "wg", "tr", "rv", "enc", "vs", "vl", "doorst", "i", "转发", "転送",
    ];
    known.contains(&start.as_str())
}

/// Whether a line introduces a forwarded mail.
fn is_forward_mark(line: &str) -> bool {
    let line = line.trim_matches(['>', ' ', '*', '_']);
    let inner = line.trim_matches(['-', ' ', ':']).to_lowercase();
    let marks = [
        "forwarded message",
        "begin forwarded message",
        "weitergeleitete nachricht",
        "anfang der weitergeleiteten nachricht",
        "message transféré",
        "mensaje reenviado",
        "messaggio inoltrato",
        "doorgestuurd bericht",
    ];
    (line.starts_with("--") || line.ends_with(':')) && marks.contains(&inner.as_str())
}

/// The first line of an earlier mail that is quoted without `>`. `None` if there is none, or if
/// nothing is before it.
fn history(lines: &[&str]) -> Option<usize> {
    let mut has_text = false;
    for (at, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let rest = lines.get(at..).unwrap_or_default();
        if has_text && (is_original_mark(line) || is_header(rest) || is_attribution(rest)) {
            return Some(at);
        }
        let plain = line.trim_matches(['_', '-', ' ']);
        has_text |= !plain.is_empty() && !line.starts_with('>');
    }
    None
}

/// Whether a line is `-----Original Message-----`.
fn is_original_mark(line: &str) -> bool {
    let line = line.trim_matches(['*', ' ', '\\', '_']);
    let marks = [
        "original message",
        "original appointment",
        "ursprüngliche nachricht",
        "originalnachricht",
        "message d'origine",
        "message d’origine",
        "mensaje original",
        "mensagem original",
        "messaggio originale",
        "oorspronkelijk bericht",
        "ursprungligt meddelande",
        "исходное сообщение",
        "原始邮件",
    ];
    let is_ruled = line.starts_with("--") && line.ends_with("--") && line.len() < 100;
    is_ruled && marks.contains(&line.trim_matches(['-', ' ']).to_lowercase().as_str())
}

/// The names of a field of a header in a text, in lower case and in several languages.
const FROM: &[&str] = &[
    "from",
    "von",
    "de",
    "da",
    "van",
    "från",
    "fra",
    "od",
    "от",
    "发件人",
    "差出人",
];
const SENT: &[&str] = &[
    "sent",
    "date",
    "gesendet",
    "datum",
    "envoyé",
    "enviado",
    "fecha",
    "enviado el",
    "inviato",
    "data",
    "verzonden",
    "skickat",
    "sendt",
    "дата",
    "отправлено",
    "发送时间",
    "送信日時",
];
const SUBJECT: &[&str] = &[
    "subject",
    "betreff",
    "objet",
    "asunto",
    "assunto",
    "oggetto",
    "onderwerp",
    "ämne",
    "emne",
    "тема",
    "主题",
    "件名",
];

/// Whether lines start with the header of a mail, as Outlook writes it before a quoted mail.
fn is_header(lines: &[&str]) -> bool {
    let is = |line: &str, names: &[&str]| {
        let line = line.trim_start_matches(['*', ' ']);
        let Some((name, _)) = line.split_once([':', '：']) else {
            return false;
        };
        // Names are short, so that long lines cost nothing.
        name.len() < 40 && names.contains(&name.trim_matches(['*', ' ']).to_lowercase().as_str())
    };
    let mut lines = lines.iter().filter(|line| !line.trim().is_empty());
    if !lines.next().is_some_and(|line| is(line, FROM)) {
        return false;
    }
    let next: Vec<_> = lines.take(6).collect();
    next.iter().any(|line| is(line, SENT)) && next.iter().any(|line| is(line, SUBJECT))
}

/// Whether lines start with `On Friday, Ann wrote:` and text without `>` after it.
fn is_attribution(lines: &[&str]) -> bool {
    let Some(first) = lines.first().map(|line| line.trim()) else {
        return false;
    };
    let starts = ["On ", "Am ", "Le ", "El ", "Il ", "Op ", "Den ", "Em "];
    if first.len() > 300 || !starts.iter().any(|start| first.starts_with(start)) {
        return false;
    }
    let ends = |line: &str| {
        let line = line.trim().trim_end_matches('*');
        let ends = [
            "wrote:",
            "schrieb:",
            "écrit :",
            "écrit:",
            "escribió:",
            "ha scritto:",
            "schreef:",
            "skrev:",
            "escreveu:",
        ];
        ends.iter().any(|end| line.ends_with(end))
            || (line.ends_with(':') && line.contains(" schrieb ") && line.starts_with("Am "))
    };
    // Long ones have two lines.
    let length = match lines.get(1) {
        _ if ends(first) => 1,
        Some(second) if second.len() < 300 && ends(second) => 2,
        _ => return false,
    };
    let mut rest = lines.iter().skip(length);
    let next = rest.find(|line| !line.trim().is_empty());
    next.is_some_and(|line| !line.starts_with('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, limit: usize) -> (String, usize) {
        let folded = fold(text, "Re: x", limit);
        (folded.text, folded.omitted)
    }

    #[test]
    fn short_quotations_are_kept() {
        let text = "Hi\n\nOn Monday, A wrote:\n> one\n> two\n\nYes.";
        assert_eq!(of(text, 10), (text.to_owned(), 0));
    }

    #[test]
    fn long_quotation_at_the_end_keeps_its_start() {
        let quote: String = (1..=10).map(|line| format!("> {line}\n")).collect();
        let (text, omitted) = of(&format!("New\n{quote}\n"), 2);
        assert_eq!(omitted, 8);
        assert_eq!(
            text,
            "New\n> 1\n> 2\n> [8 quoted lines are left out here]\n"
        );
    }

    #[test]
    fn long_quotation_before_an_answer_keeps_its_end() {
        let quote: String = (1..=10).map(|line| format!("> {line}\n")).collect();
        let (text, omitted) = of(&format!("{quote}\nAnswer"), 2);
        assert_eq!(omitted, 8);
        assert_eq!(
            text,
            "> [8 quoted lines are left out here]\n> 9\n> 10\n\nAnswer"
        );
    }

    #[test]
    fn history_without_marks_is_marked() {
        let (text, _) = of("New\n\n-----Original Message-----\nFrom: a\n\nOld", 10);
        assert_eq!(
            text,
            "New\n\n> -----Original Message-----\n> From: a\n>\n> Old"
        );
        let (text, _) = of(
            "New\n\n**Von:** a\n**Gesendet:** b\n**An:** c\n**Betreff:** d\n\nOld",
            10,
        );
        assert_eq!(
            text,
            "New\n\n> **Von:** a\n> **Gesendet:** b\n> **An:** c\n> **Betreff:** d\n>\n> Old"
        );
        let (text, _) = of("New\n\nOn 1 March, A wrote:\n\nOld", 10);
        assert_eq!(text, "New\n\n> On 1 March, A wrote:\n>\n> Old");
        let plain = "From: the top\nSubject matter\nOn the way, he wrote: a book.\nEnd";
        assert_eq!(of(plain, 10).0, plain);
    }

    #[test]
    fn forwarded_mails_are_complete() {
        let old: String = (1..=50).map(|line| format!("> {line}\n")).collect();
        let folded = fold(&old, "Fwd: x", 3);
        assert_eq!((folded.text.as_str(), folded.omitted), (old.as_str(), 0));
        let text = format!("See\n\n---------- Forwarded message ---------\n{old}");
        assert_eq!(of(&text, 3).1, 0);
        let only = "From: a\nSent: b\nSubject: c\n\nText";
        assert_eq!(of(only, 3), (only.to_owned(), 0));
    }
}
