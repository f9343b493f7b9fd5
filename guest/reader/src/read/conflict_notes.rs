//! What replies say of a merge conflict: its line in a list, and what is uncertain or missing.

use crate::limits;
use crate::path::Conflict;
use omniread_conflicts::{Block, Candidates, Doubt, End, Label, Part, Side, Style};

/// The line of a conflict in the list: what selects it, its lines, and the labels of its parts.
pub fn entry(block: &Block) -> String {
    let selector = Conflict::Block(block.number);
    let (first, last) = (block.lines.first, block.lines.last);
    let mut entry = format!(":{selector} lines {first}-{last}");
    if block.style == Style::Jujutsu {
        entry.push_str(&named("", &block.label));
    }
    let bases: Vec<Side<'_>> = block.bases().collect();
    let bases = bases.iter().enumerate().map(|(place, base)| {
        let name = match bases.len() {
            1 => "/base".to_owned(),
            _ => format!("/base/{}", (place as u64).saturating_add(1)),
        };
        named(&name, base.label())
    });
    let mut parts = Vec::new();
    if block.sides().count() <= 2 {
        let side = |name, part| block.part(part).map(|side| named(name, side.label()));
        parts.extend(side("/ours", Part::Ours));
        parts.extend(bases);
        parts.extend(side("/theirs", Part::Theirs));
    } else {
        let sides = block.sides().zip(1u64..);
        parts.extend(sides.map(|(side, number)| named(&format!("/side/{number}"), side.label())));
        parts.extend(bases);
    }
    entry.push_str(&format!(": {}", parts.join(", ")));
    for remark in remarks(block) {
        entry.push_str(&format!("; {remark}"));
    }
    entry
}

/// The note with a conflict, or with a side of it, on what is missing or uncertain. `None` if nothing is.
pub fn remark(block: &Block) -> Option<String> {
    let remarks = remarks(block);
    (!remarks.is_empty()).then(|| format!("conflict {}: {}", block.number, remarks.join("; ")))
}

/// What is missing or uncertain, and what other conflicts a conflict has.
fn remarks(block: &Block) -> Vec<String> {
    let mut remarks = Vec::new();
    match block.end {
        End::Marker => {}
        End::Undivided => remarks.push("no line divides its sides".to_owned()),
        End::Missing => remarks.push("its last marker is missing".to_owned()),
    }
    if block.nested > 0 {
        remarks.push(format!("{} nested in its base", block.nested));
    }
    if block.enclosed > 0 {
        remarks.push(format!("{} nested in its sides", block.enclosed));
    }
    remarks.extend(uncertain(block.all_doubts()));
    if block.more_sections {
        remarks.push("the last side has all further ones".to_owned());
    }
    remarks
}

/// The lines that may begin or end a side or base. `None` if its text is certain.
pub fn doubts(block: &Block, part: Part) -> Option<String> {
    let doubts: Vec<String> = uncertain(block.doubts(part)).collect();
    (!doubts.is_empty()).then(|| doubts.join("; "))
}

/// Which lines may be the same marker.
fn uncertain(doubts: Vec<(Doubt, &Candidates)>) -> impl Iterator<Item = String> {
    doubts.into_iter().map(|(doubt, candidates)| {
        let what = match doubt {
            Doubt::Base => "begin its base",
            Doubt::Divider => "divide its sides",
            Doubt::End => "be its last marker",
        };
        format!("lines {} may {what}", listed(candidates))
    })
}

/// The numbers of lines: `3, 8 and 14`.
fn listed(candidates: &Candidates) -> String {
    let numbers: Vec<String> = candidates.lines.iter().map(u64::to_string).collect();
    match numbers.split_last() {
        Some((last, others)) if !candidates.more => format!("{} and {last}", others.join(", ")),
        _ => format!("{} and more", numbers.join(", ")),
    }
}

/// The name of a part with its label.
fn named(name: &str, label: &Label) -> String {
    match labelled(label) {
        Some(label) => format!("{name} {label}"),
        None => name.to_owned(),
    }
}

/// A label, without the words that Jujutsu writes before the name of a commit. `None` if it is empty.
pub fn labelled(label: &Label) -> Option<String> {
    let mut text = label.text.as_str();
    for word in ["to: ", "diff from: "] {
        text = text.strip_prefix(word).unwrap_or(text);
    }
    let kept: String = text.chars().take(limits::CONFLICT_LABEL_CHARS).collect();
    let is_cut = label.cut || kept.len() < text.len();
    let mark = if is_cut { "…" } else { "" };
    (!text.is_empty()).then(|| format!("`{kept}{mark}`"))
}
