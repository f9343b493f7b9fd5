//! Laws of the estimates, and examples whose counts are those of `o200k_base` and of Llama 3.

use crate::{ImageRule, Tally, estimate, image};
use proptest::prelude::*;

/// Texts whose lines begin with a letter or a digit.
fn lines() -> impl Strategy<Value = String> {
    "([A-Za-z0-9][ -~\t\u{e9}\u{430}-\u{44f}\u{4e00}-\u{4eff}]{0,40}\n){0,12}"
}

proptest! {
    #[test]
    fn any_text_has_an_estimate(text in any::<String>()) {
        let tokens = estimate(&text);
        prop_assert_eq!(tokens == 0, text.is_empty());
    }

    /// The largest cost of a byte is about four tokens, and there are two tables.
    #[test]
    fn no_text_costs_more_than_a_few_tokens_for_each_byte(text in any::<String>()) {
        prop_assert!(estimate(&text) <= 5 * text.len() as u64 + 1);
    }

    /// Each of the three estimates is rounded by at most half a token.
    #[test]
    fn lines_are_additive(one in lines(), two in lines()) {
        let (together, apart) = (estimate(&(one.clone() + &two)), estimate(&one) + estimate(&two));
        prop_assert!(together.abs_diff(apart) <= 1);
    }

    #[test]
    fn a_line_more_never_costs_less(one in lines(), two in lines()) {
        prop_assert!(estimate(&one) <= estimate(&(one + &two)));
    }

    /// Only the pieces at the seam change: the last bytes of one, and the first bytes of the other.
    #[test]
    fn parts_of_words_are_additive_within_bounds(one in "[ -~\n]{0,80}", two in "[ -~\n]{0,80}") {
        let (together, apart) = (estimate(&(one.clone() + &two)), estimate(&one) + estimate(&two));
        prop_assert!(together.abs_diff(apart) <= 8, "{together} and {apart}");
    }

    #[test]
    fn a_larger_image_of_the_same_shape_does_not_cost_less(
        width in 1u32..5000, height in 1u32..5000, times in 2u32..4,
    ) {
        for rule in [ImageRule::Claude, ImageRule::ClaudeHighResolution, ImageRule::Gemini] {
            let (small, large) = (rule.tokens(width, height), rule.tokens(width * times, height * times));
            // A reduced image may have one row or column of patches less.
            prop_assert!(large + 100 >= small, "{rule:?}: {small} and {large}");
        }
    }

    #[test]
    fn any_image_has_a_bounded_cost(width in 1u32.., height in 1u32..) {
        let limits = [
            (ImageRule::Claude, 1568),
            (ImageRule::ClaudeHighResolution, 4784),
            (ImageRule::OpenAiTiles, 85 + 170 * 8),
            (ImageRule::OpenAiPatches, 1536),
        ];
        for (rule, most) in limits {
            let tokens = rule.tokens(width, height);
            prop_assert!((1..=most).contains(&tokens), "{rule:?}: {tokens}");
        }
        prop_assert!(ImageRule::Gemini.tokens(width, height) >= 258);
    }
}

/// Texts, and their counts in `o200k_base` and for Llama 3.
const TEXTS: [(&str, [u64; 2]); 9] = [
    (
        "The reader lists the first ten thousand conflicts of a text, and the paths that show them.",
        [19, 19],
    ),
    (
        "fn estimate(text: &str) -> u64 {\n    let mut rest = text.as_bytes();\n    while let Some(&first) = rest.first() {\n        units = units.saturating_add(cost);\n    }\n}\n",
        [45, 45],
    ),
    (
        "| name | size |\n|---|---:|\n| README.md | 4,213 |\n| Cargo.lock | 120,004 |\n",
        [29, 29],
    ),
    (
        "{\"name\": \"omniread\", \"version\": \"0.1.0\", \"private\": true, \"files\": [\"dist\", \"src\"]}\n",
        [32, 33],
    ),
    (
        "1:# omniread\n2:\n3:A read tool for agents. You give it **one path string**, and it returns text.\n",
        [28, 28],
    ),
    (
        "2026-11-29T09:15:40.123Z ERROR [worker-3] connection to 10.0.0.7:5432 failed: timeout after 3000 ms\n",
        [43, 43],
    ),
    (
        "Все люди рождаются свободными и равными в своём достоинстве и правах.",
        [18, 22],
    ),
    (
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。",
        [24, 26],
    ),
    (
        "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==",
        [66, 67],
    ),
];

/// One sentence has few pieces, so that their errors do not cancel each other: a fifth is allowed for each text,
/// and a twentieth for all together.
#[test]
fn estimates_are_near_the_counts_of_tokenizers() {
    let (mut tokens, mut counted) = (0, 0);
    for (text, [o200k, llama3]) in TEXTS {
        let (estimate, count) = (estimate(text), o200k.midpoint(llama3));
        assert!(
            5 * estimate.abs_diff(count) <= count,
            "{estimate}, not {count}: {text}"
        );
        (tokens, counted) = (tokens + estimate, counted + count);
    }
    assert!(
        20 * tokens.abs_diff(counted) <= counted,
        "{tokens}, not {counted}"
    );
}

#[test]
fn runs_cost_what_they_cost_in_vocabularies() {
    assert_eq!(estimate("123456789"), 3);
    assert_eq!(estimate("1234567890"), 4);
    assert_eq!(estimate(&" ".repeat(1000)), 9);
    assert_eq!(estimate(&"\n".repeat(1000)), 51);
}

/// The time is linear: each byte of a long piece is read once. A quadratic scan of these would not end.
#[test]
fn long_pieces_are_read_once() {
    for piece in [
        "a", "A", "7", " ", "\n", "\t", "-", "/\n", " \n", "\u{4e00}", "\u{301}", "\0",
    ] {
        let text = piece.repeat(4_000_000 / piece.len());
        assert!(estimate(&text) > 30_000, "{piece:?}: {}", estimate(&text));
    }
}

/// The examples of the pages that [`ImageRule`] names.
#[test]
fn images_cost_what_the_documentation_says() {
    assert_eq!(ImageRule::OpenAiTiles.tokens(1024, 1024), 765);
    assert_eq!(ImageRule::OpenAiTiles.tokens(2048, 4096), 1105);
    assert_eq!(ImageRule::OpenAiPatches.tokens(1024, 1024), 1024);
    assert_eq!(ImageRule::OpenAiPatches.tokens(1800, 2400), 1452);
    assert_eq!(ImageRule::Gemini.tokens(384, 384), 258);
    assert_eq!(ImageRule::Gemini.tokens(1000, 1000), 4 * 258);
    // The largest sizes of their shapes that are not resized.
    assert_eq!(ImageRule::Claude.tokens(1092, 1092), 39 * 39);
    assert_eq!(ImageRule::Claude.tokens(784, 1568), 1568);
    assert_eq!(ImageRule::Claude.tokens(1568, 3136), 1568);
    assert_eq!(ImageRule::ClaudeHighResolution.tokens(1000, 1000), 36 * 36);
}

#[test]
fn images_without_pixels_cost_nothing() {
    assert_eq!(image(0, 7), 0);
    assert_eq!(image(7, 0), 0);
    assert_eq!(image(1, 1), 1);
    assert_eq!(
        image(1000, 1000),
        ImageRule::ClaudeHighResolution.tokens(1000, 1000)
    );
}

#[test]
fn tally_of_lines_is_the_estimate_of_the_text() {
    let lines: Vec<String> = (1..=400)
        .map(|line| format!("{line}:let value = numbers.iter().sum::<u64>(); // café\n"))
        .collect();
    let mut tally = Tally::default();
    for line in &lines {
        tally.add(line);
    }
    assert_eq!(tally.tokens(), estimate(&lines.concat()));
    tally.add_tokens(7);
    assert_eq!(tally.tokens(), estimate(&lines.concat()) + 7);
}
