//! The letters of languages with Latin letters, which decide the encoding of a short text.
//!
//! Frequencies of letters need some dozens of letters. A few are enough to exclude an encoding in which
//! they belong to no language: `Ýstanbul ýðüþöç` has letters of Icelandic and of German, and the same
//! bytes in windows-1254 are `İstanbul ığüşöç`, which has letters of Turkish only.

use encoding_rs::Encoding;
use std::borrow::Cow;

/// An encoding, and its languages, each with the small letters that are not ASCII.
struct Alphabets {
    encoding: &'static Encoding,
    languages: &'static [&'static str],
}

/// The encoding of Western Europe. The letters are those of the exemplar characters of the Unicode
/// CLDR, the auxiliary ones included as far as they occur in foreign words. Languages with nearly the
/// same letters share an alphabet.
static WESTERN: Alphabets = Alphabets {
    encoding: encoding_rs::WINDOWS_1252,
    languages: &[
        // German, Swedish, Finnish, Estonian.
        "äöüßåéõšž",
        // French.
        "àâæçéèêëîïôœùûüÿ",
        // Spanish, Galician.
        "áéíóúüïñçºª",
        // Italian.
        "àáèéìíîòóùúºª",
        // Catalan.
        "àçéèíïóòúüñ·ºª",
        // Portuguese.
        "áâãàçéêèíìóôõòúùüºª",
        // Danish, Norwegian.
        "æøåéóòôêèüöä",
        // Dutch, Afrikaans.
        "áéëèêïíóöôúüû",
        // Icelandic, Faroese.
        "áðéíóúýþæöø",
    ],
};

/// The encodings of other languages with Latin letters.
static OTHERS: [Alphabets; 4] = [
    Alphabets {
        encoding: encoding_rs::WINDOWS_1250,
        languages: CENTRAL,
    },
    Alphabets {
        encoding: encoding_rs::ISO_8859_2,
        languages: CENTRAL,
    },
    Alphabets {
        encoding: encoding_rs::WINDOWS_1254,
        languages: &["çğıöşüâîûİ"],
    },
    Alphabets {
        encoding: encoding_rs::WINDOWS_1257,
        // Lithuanian, Latvian, Estonian.
        languages: &["ąčęėįšųūž", "āčēģīķļņōŗšūž", "äõöüšž"],
    },
];

/// The languages of Central Europe: Polish, Czech, Slovak, Hungarian, Romanian, and together Croatian,
/// Bosnian and Slovenian.
static CENTRAL: &[&str] = &[
    "ąćęłńóśźż",
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "áéíóöőúüű",
    "âăîşţ",
    "čćđšž",
];

/// The maximum number of words that are examined.
const WORDS: usize = 64;

/// The encoding in which the letters of all words are those of one language. A text of words in two
/// languages of Western Europe is in windows-1252. Otherwise `guess` precedes the other encodings, and
/// words in two of their languages decide only if windows-1252 is impossible. `None` if no encoding
/// fits.
pub fn encoding(pieces: &[&[u8]], guess: &'static Encoding) -> Option<&'static Encoding> {
    let words = foreign_words(pieces);
    if WESTERN.languages_of(&words).is_some() || WESTERN.texts(&words).all(|word| has_signs(&word))
    {
        return Some(WESTERN.encoding);
    }
    let mut others: Vec<&Alphabets> = OTHERS.iter().collect();
    others.sort_by_key(|other| other.encoding != guess);
    let is_western = !WESTERN
        .texts(&words)
        .any(|word| word.contains(char::is_control));
    let most = if is_western { 1 } else { 2 };
    let found = (1..=most).find_map(|count| {
        let mut others = others.iter();
        others.find(|other| other.languages_of(&words) == Some(count))
    });
    found.map(|found| found.encoding)
}

/// The first words with bytes that are not ASCII.
fn foreign_words<'t>(pieces: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let is_end = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
    let words = pieces.iter().flat_map(|piece| piece.split(is_end));
    words.filter(|word| !word.is_ascii()).take(WORDS).collect()
}

impl Alphabets {
    /// The words as text.
    fn texts<'t>(&self, words: &[&'t [u8]]) -> impl Iterator<Item = Cow<'t, str>> {
        let decoded = |word: &&'t [u8]| self.encoding.decode_without_bom_handling(word).0;
        words.iter().map(decoded)
    }

    /// The number of languages whose letters the words have, if it is 1 or 2. `None` if there are
    /// more, or if a word fits none.
    fn languages_of(&self, words: &[&[u8]]) -> Option<u8> {
        let texts: Vec<Cow<'_, str>> = self.texts(words).collect();
        let fit = |languages: &[&str]| {
            let mut words = texts.iter();
            words.all(|word| languages.iter().any(|letters| is_written(word, letters)))
        };
        if self.languages.iter().any(|language| fit(&[language])) {
            return Some(1);
        }
        let pair = |first: &&str| self.languages.iter().any(|second| fit(&[first, second]));
        self.languages.iter().any(pair).then_some(2)
    }
}

/// The characters of a word, each between those next to it. Spaces surround the word.
fn with_neighbours(word: &str) -> impl Iterator<Item = (char, char, char)> {
    let before = std::iter::once(' ').chain(word.chars());
    let after = word.chars().skip(1).chain(std::iter::once(' '));
    before
        .zip(word.chars())
        .zip(after)
        .map(|((before, c), after)| (before, c, after))
}

/// Whether the characters of a word that are not ASCII are signs, such as those of currencies and of
/// powers. Between two small letters, as in `s³owo`, they are more probably letters of another encoding.
fn has_signs(word: &str) -> bool {
    with_neighbours(word).all(|(before, c, after)| {
        let is_between = before.is_lowercase() && after.is_lowercase();
        c.is_ascii() || !(c.is_control() || (c.is_alphabetic() && c != 'µ') || is_between)
    })
}

/// Whether the letters of a word that are not ASCII are among `letters`. Signs may follow a word, and
/// some of them may precede it or be within it. Control characters fit no language.
fn is_written(word: &str, letters: &str) -> bool {
    with_neighbours(word).all(|(before, c, after)| match c {
        // The sign of micro is a letter for Unicode.
        'µ' => true,
        _ if c.is_ascii() => true,
        _ if c.is_alphabetic() => {
            letters.contains(c) || c.to_lowercase().all(|small| letters.contains(small))
        }
        // Apostrophes, dashes and soft hyphens.
        '\u{2018}' | '\u{2019}' | '\u{2013}' | '\u{2014}' | '\u{ad}' => true,
        // Quotation marks and the inverted marks of Spanish.
        '\u{201a}' | '\u{201c}'..='\u{201e}' | '‹' | '›' | '«' | '»' | '¡' | '¿' => {
            !(before.is_alphabetic() && after.is_alphabetic())
        }
        _ => !c.is_control() && !after.is_alphabetic(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{ISO_8859_2, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257};

    fn found(text: &str, wanted: &'static Encoding) -> Option<&'static Encoding> {
        let (bytes, _, unmappable) = wanted.encode(text);
        assert!(!unmappable, "{text}");
        encoding(&[&bytes], WINDOWS_1252)
    }

    #[test]
    fn letters_of_one_language_decide() {
        for (text, wanted) in [
            ("Zażółć gęślą jaźń", WINDOWS_1250),
            ("Miesiąc, Grudzień", ISO_8859_2),
            ("Příliš žluťoučký", WINDOWS_1250),
            ("İstanbul ığüşöç", WINDOWS_1254),
            ("Šiauliai, Panevėžys, Ąžuolų", WINDOWS_1257),
            ("Müller, Größe", WINDOWS_1252),
            ("Señor, Málaga", WINDOWS_1252),
            ("Þórður, Ísland", WINDOWS_1252),
            ("Preis: 5 €, “neu” – für Käufer’", WINDOWS_1252),
        ] {
            assert_eq!(found(text, wanted), Some(wanted), "{text}");
        }
    }

    #[test]
    fn words_of_two_western_languages_are_western() {
        assert_eq!(found("Þór, Çelik", WINDOWS_1252), Some(WINDOWS_1252));
        assert_eq!(found("Größe, Þórður, Nuño", WINDOWS_1252), None);
    }

    #[test]
    fn signs_before_and_between_letters_are_western() {
        for text in [
            "Revenue (£m), debt £bn",
            "¹H NMR, ¹³C NMR",
            "m³H2O",
            "¼oz butter, ¾cup",
            "¥JPY",
            "mean ±SD",
            "©Acme ®Foo ¶See ¦x",
        ] {
            assert_eq!(found(text, WINDOWS_1252), Some(WINDOWS_1252), "{text}");
        }
        // Polish words with one letter: s³owo, st¹d.
        assert_eq!(found("słowo, stąd", WINDOWS_1250), Some(WINDOWS_1250));
    }

    #[test]
    fn control_characters_exclude_an_encoding() {
        // š and ť of windows-1250 are a letter and a control character of windows-1252.
        let text = "Ślimok, Žižka, šťastný";
        assert_eq!(found(text, WINDOWS_1250), Some(WINDOWS_1250));
    }

    #[test]
    fn words_without_a_language_decide_nothing() {
        assert_eq!(encoding(&[b"a\xd7b \x81"], WINDOWS_1252), None);
    }
}
