//! Running heads, feet and page numbers of generated documents: nothing is lost in silence.

use crate::testing::pages;
use crate::{heads, open};
use std::collections::{BTreeMap, BTreeSet};

/// The number of generated documents.
const DOCUMENTS: u64 = 100;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        // The constants of Knuth's MMIX.
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    fn of<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len())]
    }
}

/// A document: the content of each page, its lines, and the lines that no page may leave out.
#[derive(Default)]
struct Generated {
    contents: Vec<String>,
    lines: Vec<Vec<String>>,
    kept: Vec<String>,
}

const WORDS: [&str; 12] = [
    "river", "harbour", "letter", "window", "engine", "garden", "market", "silver", "winter",
    "bridge", "paper", "signal",
];

const CHAPTERS: [&str; 4] = ["Arrival", "The long journey", "Storm", "Harbour lights"];

impl Generated {
    fn of(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut out = Self::default();
        let pages = [1, 2, 2, 3, 3, 4, 5, 7, 12][random.below(9)];
        let (head, foot, top) = (random.below(13), random.below(9), random.below(6));
        let (first, font) = (random.below(9000) + 3, random.of(&["F1", "F2"]));
        let size = [8, 9, 10, 11][random.below(4)];
        let gap = [24, 30, 50][random.below(3)];
        let head_y = [770, 755, 740][random.below(3)];
        let title = format!("Report on the {}", random.of(&WORDS));
        for page in 0..pages {
            let mut sheet = Sheet::default();
            let number = page + 1;
            let (left, right) = out.head(head, (page, first), &title);
            sheet.show(font, size, (50, head_y), &left);
            sheet.show(font, size, (480, head_y), &right);
            let mut y = head_y - gap;
            if page == 0 && random.below(2) == 0 {
                sheet.show("F2", 18, (50, y), &title);
                y -= 40;
            }
            match top {
                0 => {
                    for row in 0..4 {
                        for column in 0..3 {
                            let cell = if row == 0 {
                                ["Name", "Size", "Price"][column].to_owned()
                            } else {
                                format!("{} {}", random.of(&WORDS), random.below(90))
                            };
                            sheet.show("F1", 10, (60 + 150 * column, y), &cell);
                        }
                        y -= 16;
                    }
                    y -= 20;
                }
                1 | 2 => {
                    let line = format!("Exercise {number}");
                    sheet.show(["F1", "F2"][top - 1], 10 + top, (50, y), &line);
                    out.kept.push(line);
                    y -= 24;
                }
                3 => {
                    let line = format!("{number}. {}", random.of(&WORDS));
                    sheet.show("F2", 10, (50, y), &line);
                    y -= 18;
                }
                _ => {}
            }
            for _ in 0..3 + random.below(20) {
                let words: Vec<&str> = (0..9).map(|_| random.of(&WORDS)).collect();
                sheet.show("F1", 10, (50, y), &words.join(" "));
                y -= 12;
            }
            let (left, right) = out.foot(foot, (page, pages), first);
            sheet.show("F1", size, (50, 30), &left);
            sheet.show("F1", size, (500, 30), &right);
            out.contents.push(sheet.content);
            out.lines.push(sheet.lines);
        }
        out
    }

    /// The parts of the head of a page at the left and at the right.
    fn head(
        &mut self,
        kind: usize,
        (page, first): (usize, usize),
        title: &str,
    ) -> (String, String) {
        let number = (page + 1).to_string();
        let counted = (first + page).to_string();
        let none = String::new;
        match kind {
            0 => ("Invoice 2024-0815".into(), "VAT DE123456789".into()),
            1 => {
                self.kept.push(format!("Invoice {counted}"));
                (format!("Invoice {counted}"), none())
            }
            2 => {
                self.kept.push(format!("Invoice {counted} of 3 May 2024"));
                (format!("Invoice {counted} of 3 May 2024"), none())
            }
            4 => (title.to_owned(), none()),
            5 if page % 2 == 0 => (number, "A. Author".into()),
            3 | 5 => (title.to_owned(), number),
            6 => (CHAPTERS[page / 3].to_owned(), counted),
            7 => (format!("{} {counted}", CHAPTERS[page % 4]), none()),
            8 => (none(), format!("Page {number}")),
            9 => ("LESS(1)".into(), "LESS(1)".into()),
            10 => {
                self.kept.push(format!("Exercise {counted}"));
                (format!("Exercise {counted}"), none())
            }
            11 => {
                let date = format!("{}.{}.2024", page + 1, page + 2);
                self.kept.push(date.clone());
                ("Minutes".into(), date)
            }
            _ => (none(), none()),
        }
    }

    /// The parts of the foot of a page at the left and at the right.
    fn foot(
        &mut self,
        kind: usize,
        (page, pages): (usize, usize),
        first: usize,
    ) -> (String, String) {
        let number = (page + 1).to_string();
        let none = String::new;
        match kind {
            0 => (none(), number),
            1 => (format!("Page {number} of {pages}"), none()),
            2 => (
                "Effective as at 9 April 2019".into(),
                format!("{number}/{pages}"),
            ),
            3 => {
                let total = format!("{}.50", first * 7 + page * 3);
                self.kept.push(total.clone());
                ("Total".into(), total)
            }
            4 => (none(), (first + page).to_string()),
            5 => ("Acme Ltd, IBAN GB33 BUKB 2020 1555".into(), none()),
            6 => ("i ii iii iv v vi vii viii ix x xi xii".split(' '))
                .nth(page)
                .map_or((none(), none()), |it| ("Preface".into(), it.to_owned())),
            7 => {
                let line = format!("Order {}", first + page);
                self.kept.push(line.clone());
                (line, none())
            }
            _ => (none(), none()),
        }
    }
}

/// A page that is written.
#[derive(Default)]
struct Sheet {
    content: String,
    lines: Vec<String>,
}

impl Sheet {
    fn show(&mut self, font: &str, size: usize, (x, y): (usize, usize), text: &str) {
        if text.is_empty() {
            return;
        }
        let escaped = text.replace('(', "\\(").replace(')', "\\)");
        self.content.push_str(&format!(
            "BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET "
        ));
        self.lines.push(text.to_owned());
    }
}

/// The words of a text, and how often it has them. Signs of Markdown are not words.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for word in text.split(|it: char| !it.is_alphanumeric()) {
        if !word.is_empty() {
            *out.entry(word.to_owned()).or_default() += 1;
        }
    }
    out
}

/// Whether a line is nothing but the number of its page.
fn is_page_number(line: &str, page: usize) -> bool {
    let known = |it: &str| {
        let it = it.trim_end_matches('/');
        matches!(it, "Page" | "of") || it.parse::<usize>().is_ok()
    };
    let mut words = line.split([' ', '/']);
    let own = (page + 1).to_string();
    line.split([' ', '/']).any(|it| it == own) && words.all(known)
}

#[test]
fn each_word_is_shown_or_announced() {
    for seed in 0..DOCUMENTS {
        let made = Generated::of(seed);
        let contents: Vec<&str> = made.contents.iter().map(String::as_str).collect();
        let mut document = open(pages(&contents, "", "", &[]), None).unwrap();
        let mut text = String::new();
        for (page, lines) in made.lines.iter().enumerate() {
            let unit = document.unit(page);
            let bare = words(&unit.text);
            let mut all: Option<BTreeMap<String, usize>> = None;
            let announced = unit.notes.iter().any(|it| it == heads::LEFT_OUT);
            let shown = lines.iter().filter(|it| !is_page_number(it, page));
            // A title that is also the head is shown once.
            let shown: BTreeSet<&str> = shown.map(String::as_str).collect();
            let shown: Vec<&str> = shown.into_iter().collect();
            for (word, count) in words(&shown.join(" ")) {
                let has = |it: &BTreeMap<String, usize>| it.get(&word).copied() >= Some(count);
                if has(&bare) {
                    continue;
                }
                let all = all.get_or_insert_with(|| words(&document.whole_unit(page).text));
                assert!(
                    announced && has(all),
                    "document {seed}, page {}, {word}: {}",
                    page + 1,
                    unit.text
                );
            }
            text.push_str(&unit.text);
            text.push('\n');
        }
        for line in &made.kept {
            assert!(text.contains(line), "document {seed}, {line}: {text}");
        }
        // Each head and each foot is shown once, but for the number of the page.
        for line in made.lines.iter().flatten() {
            let known = words(&text);
            for word in words(line)
                .into_keys()
                .filter(|it| it.parse::<usize>().is_err())
            {
                let is_number =
                    matches!(word.as_str(), "Page" | "of") || word.contains(['i', 'v', 'x']);
                assert!(
                    is_number || known.contains_key(&word),
                    "document {seed}, {word}: {text}"
                );
            }
        }
    }
}
