//! Whether the tags of a page are worth trust: they have most of its glyphs, and the same words.

use crate::bidi;
use crate::limits;
use crate::page::{Mark, PageContent};
use omniread_document::markdown;
use omniread_document::model::Block;
use std::collections::{BTreeMap, BTreeSet};

/// The places of the glyphs that the tree does not reach, without artifacts. `None` if they are too many.
pub fn rest(page: &PageContent, reached: &BTreeSet<Mark>) -> Option<Vec<usize>> {
    let (mut all, mut tagged) = (0_usize, 0_usize);
    let mut rest = Vec::new();
    for (place, glyph) in page.glyphs.iter().enumerate() {
        if glyph.artifact {
            continue;
        }
        let blank = glyph.text.is_blank();
        all = all.saturating_add(usize::from(!blank));
        if glyph.mcid.is_some_and(|mark| reached.contains(&mark)) {
            tagged = tagged.saturating_add(usize::from(!blank));
        } else {
            rest.push(place);
        }
    }
    let enough = tagged.saturating_mul(100) >= all.saturating_mul(limits::TAGGED_SHARE);
    // Labels without tags belong beside the values that have tags.
    let enough =
        enough && page.labels.saturating_mul(100) < all.saturating_mul(limits::UNTAGGED_LABELS);
    (tagged > 0 && enough).then_some(rest)
}

/// Whether most words of the blocks are words of the page, and the other way round.
pub fn same_words(page: &PageContent, blocks: &[Block], rest: &[usize]) -> bool {
    let rest: BTreeSet<usize> = rest.iter().copied().collect();
    let shown = page
        .glyphs
        .iter()
        .enumerate()
        .filter(|(place, glyph)| !glyph.artifact && !rest.contains(place));
    let mut letters: BTreeMap<char, i64> = BTreeMap::new();
    let mut own = String::new();
    let mut count = 0_i64;
    for (_, glyph) in shown {
        own.clear();
        bidi::push(&glyph.text, false, &mut own);
        for character in own.chars().filter(|it| it.is_alphanumeric()) {
            count = count.saturating_add(1);
            let seen = letters.entry(character).or_default();
            *seen = seen.saturating_add(1);
        }
    }
    for character in markdown::render(blocks)
        .chars()
        .filter(|it| it.is_alphanumeric())
    {
        let seen = letters.entry(character).or_default();
        *seen = seen.saturating_sub(1);
    }
    // Letters of the page that the blocks do not have. The blocks may have more: addresses of links.
    let lost: i64 = letters.values().filter(|it| **it > 0).sum();
    lost.saturating_mul(10) <= count
}
