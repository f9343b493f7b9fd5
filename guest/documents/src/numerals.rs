//! Numbers of lists in letters, digits and words, by the names of WordprocessingML
//! (ECMA-376 part 1, 17.18.59 `ST_NumberFormat`).

use omniread_document::numerals::roman;

/// The largest number in Roman digits. Larger ones are decimal.
const ROMAN: usize = 10_000;

/// The number of times that a letter is repeated at most. Larger numbers are decimal.
const REPETITIONS: usize = 30;

/// Writes a number in a format. Unknown formats are decimal.
pub fn number(value: usize, format: &str) -> String {
    match format {
        "none" => String::new(),
        "upperRoman" => roman(value, ROMAN).to_uppercase(),
        "lowerRoman" => roman(value, ROMAN),
        "upperLetter" => repeated(value, LATIN).to_uppercase(),
        "lowerLetter" => repeated(value, LATIN),
        "russianUpper" => repeated(value, RUSSIAN).to_uppercase(),
        "russianLower" => repeated(value, RUSSIAN),
        "arabicAlpha" => repeated(value, ARABIC_ALPHABET),
        "arabicAbjad" => repeated(value, ARABIC_ABJAD),
        "hebrew1" => hebrew(value),
        "hebrew2" => hebrew_alphabet(value),
        "thaiLetters" => repeated(value, THAI),
        "hindiVowels" => repeated(value, HINDI_VOWELS),
        "hindiConsonants" => repeated(value, HINDI_CONSONANTS),
        "ganada" => repeated(value, GANADA),
        "chosung" => repeated(value, CHOSUNG),
        "aiueo" | "aiueoFullWidth" => repeated(value, AIUEO),
        "iroha" | "irohaFullWidth" => repeated(value, IROHA),
        "ideographTraditional" => repeated(value, STEMS),
        "ideographZodiac" => repeated(value, BRANCHES),
        "decimalZero" => format!("{value:02}"),
        "hex" => format!("{value:X}"),
        "numberInDash" => format!("- {value} -"),
        "ordinal" => format!("{value}{}", ordinal(value)),
        "cardinalText" => capitalised(&words(value, &ONES, &TENS)),
        "ordinalText" => capitalised(&ordinal_words(value)),
        "thaiNumbers" => digits(value, '๐'),
        "hindiNumbers" => digits(value, '०'),
        "decimalFullWidth" | "decimalFullWidth2" => digits(value, '０'),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => enclosed(value, '①'),
        "decimalEnclosedParen" => enclosed(value, '⑴'),
        "decimalEnclosedFullstop" => enclosed(value, '⒈'),
        "ideographEnclosedCircle" if value <= 10 => enclosed(value, '㊀'),
        "chineseCounting"
        | "chineseCountingThousand"
        | "ideographDigital"
        | "japaneseCounting"
        | "japaneseDigitalTenThousand"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand"
        | "koreanDigital2" => chinese(value),
        // The own name for decimal numbers with leading zeros, such as `pad3`.
        _ => match format.strip_prefix("pad").and_then(|it| it.parse().ok()) {
            Some(width @ 1..=9_usize) => format!("{value:0width$}"),
            _ => value.to_string(),
        },
    }
}

const LATIN: &str = "abcdefghijklmnopqrstuvwxyz";
const RUSSIAN: &str = "абвгдежзиклмнопрстуфхцчшщэюя";
const ARABIC_ALPHABET: &str = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي";
const ARABIC_ABJAD: &str = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ";
const THAI: &str = "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ";
const HINDI_CONSONANTS: &str = "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह";
const HINDI_VOWELS: &str = "अआइईउऊऋएऐओऔ";
const GANADA: &str = "가나다라마바사아자차카타파하";
const CHOSUNG: &str = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ";
const AIUEO: &str =
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
const IROHA: &str = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン";
const STEMS: &str = "甲乙丙丁戊己庚辛壬癸";
const BRANCHES: &str = "子丑寅卯辰巳午未申酉戌亥";
const HEBREW: &str = "אבגדהוזחטיכלמנסעפצקרשת";

/// Writes a number as letters: `z` is followed by `aa`, and `zz` by `aaa`.
fn repeated(value: usize, alphabet: &str) -> String {
    let Some(place) = value.checked_sub(1) else {
        return value.to_string();
    };
    let length = alphabet.chars().count();
    let count = place.checked_div(length).unwrap_or_default();
    let letter = place.checked_rem(length).unwrap_or_default();
    match alphabet.chars().nth(letter) {
        Some(letter) if count < REPETITIONS => {
            std::iter::repeat_n(letter, count.saturating_add(1)).collect()
        }
        _ => value.to_string(),
    }
}

/// Writes a number as the sum of Hebrew letters. 15 and 16 avoid a holy name.
fn hebrew(value: usize) -> String {
    const VALUES: [(usize, &str); 24] = [
        (400, "ת"),
        (300, "ש"),
        (200, "ר"),
        (100, "ק"),
        (90, "צ"),
        (80, "פ"),
        (70, "ע"),
        (60, "ס"),
        (50, "נ"),
        (40, "מ"),
        (30, "ל"),
        (20, "כ"),
        (16, "טז"),
        (15, "טו"),
        (10, "י"),
        (9, "ט"),
        (8, "ח"),
        (7, "ז"),
        (6, "ו"),
        (5, "ה"),
        (4, "ד"),
        (3, "ג"),
        (2, "ב"),
        (1, "א"),
    ];
    if !(1..1000).contains(&value) {
        return value.to_string();
    }
    let mut rest = value;
    let mut out = String::new();
    for (size, letters) in VALUES {
        while let Some(less) = rest.checked_sub(size) {
            // 15 and 16 are whole remainders. 17 is 10 and 7.
            if matches!(size, 15 | 16) && less > 0 {
                break;
            }
            rest = less;
            out.push_str(letters);
        }
    }
    out
}

/// Writes a number in the Hebrew alphabet: the last letter for each 22, then the letter of the rest.
fn hebrew_alphabet(value: usize) -> String {
    let Some(place) = value.checked_sub(1) else {
        return value.to_string();
    };
    let count = place / 22;
    match HEBREW.chars().nth(place % 22) {
        Some(letter) if count < REPETITIONS => std::iter::repeat_n('ת', count)
            .chain(std::iter::once(letter))
            .collect(),
        _ => value.to_string(),
    }
}

/// Writes a number with the digits of a writing system.
fn digits(value: usize, zero: char) -> String {
    let digit = |char: char| {
        let digit = char.to_digit(10)?;
        char::from_u32(u32::from(zero).checked_add(digit)?)
    };
    value.to_string().chars().filter_map(digit).collect()
}

/// Writes a number up to 20 as one sign.
fn enclosed(value: usize, one: char) -> String {
    let sign = match value {
        1..=20 => u32::try_from(value.saturating_sub(1)).ok(),
        _ => None,
    };
    let sign = sign.and_then(|more| char::from_u32(u32::from(one).checked_add(more)?));
    sign.map_or_else(|| value.to_string(), String::from)
}

fn ordinal(value: usize) -> &'static str {
    match (value % 10, value % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

const ONES: [&str; 20] = [
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ORDINAL_ONES: [&str; 20] = [
    "",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// Writes a number below 100 in English words. `ones` are the last words.
fn words(value: usize, ones: &[&str; 20], tens: &[&str; 10]) -> String {
    let one = |place: usize| ones.get(place).copied().unwrap_or_default();
    match value {
        1..=19 => one(value).to_owned(),
        20..=99 => {
            let ten = tens.get(value / 10).copied().unwrap_or_default();
            match value % 10 {
                0 => ten.to_owned(),
                rest => format!("{ten}-{}", one(rest)),
            }
        }
        _ => value.to_string(),
    }
}

fn ordinal_words(value: usize) -> String {
    match value {
        20..=99 if value.is_multiple_of(10) => {
            let ten = words(value, &ONES, &TENS);
            format!("{}ieth", ten.trim_end_matches('y'))
        }
        1..=99 => words(value, &ORDINAL_ONES, &TENS),
        _ => format!("{value}{}", ordinal(value)),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|char| char.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Writes a number below 100 in Chinese signs.
fn chinese(value: usize) -> String {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let digit = |place: usize| DIGITS.get(place).copied().unwrap_or_default();
    match value {
        1..=9 => digit(value).to_owned(),
        10..=19 => format!("十{}", digit(value % 10)),
        20..=99 => format!("{}十{}", digit(value / 10), digit(value % 10)),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_the_signs_of_their_format() {
        for (value, format, expected) in [
            (0, "lowerLetter", "0"),
            (26, "lowerLetter", "z"),
            (28, "upperLetter", "BB"),
            (780, "lowerLetter", &"z".repeat(30)),
            (781, "lowerLetter", "781"),
            (29, "russianLower", "аа"),
            (3, "arabicAlpha", "ت"),
            (3, "arabicAbjad", "ج"),
            (15, "hebrew1", "טו"),
            (17, "hebrew1", "יז"),
            (116, "hebrew1", "קטז"),
            (999, "hebrew1", "תתקצט"),
            (1000, "hebrew1", "1000"),
            (23, "hebrew2", "תא"),
            (10, "thaiNumbers", "๑๐"),
            (20, "decimalEnclosedCircle", "⑳"),
            (21, "decimalEnclosedCircle", "21"),
            (42, "chineseCounting", "四十二"),
            (21, "cardinalText", "Twenty-one"),
            (30, "ordinalText", "Thirtieth"),
            (32, "ordinalText", "Thirty-second"),
            (112, "ordinal", "112th"),
            (7, "pad3", "007"),
            (7, "pad900", "7"),
            (usize::MAX, "hebrew2", &usize::MAX.to_string()),
            (5, "unknown", "5"),
        ] {
            assert_eq!(number(value, format), expected, "{value} {format}");
        }
    }
}
