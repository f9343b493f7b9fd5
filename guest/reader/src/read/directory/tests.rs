use super::*;
use crate::path::Selector;
use crate::request::Style;
use crate::window::Numbering;
use crate::world::Files as _;
use crate::world::memory::MemoryWorld;

fn listing(world: &mut MemoryWorld) -> (Listing, Vec<String>) {
    let style = Style {
        open_lines: limits::MAX_LINES,
        ..Style::PAGED
    };
    let window = style.window(Selector::NONE, Numbering::None);
    let mut directory = world.list(0, "").unwrap();
    read(&mut *directory, "/ws", &window, &[".git"], world)
}

#[test]
fn directory_is_a_tree_of_two_levels_newest_first() {
    let mut world = MemoryWorld::new("/ws");
    let now = world.now;
    world
        .file_at("README.md", "x".repeat(4200), now - 7200)
        .file_at("src/main.rs", "fn main() {}\n", now - 30)
        .file_at("src/deep/er.rs", "", now - 300)
        .file_at(".git/HEAD", "ref", now - 86_400 * 20)
        .link("link", "src/main.rs");
    let (listing, notes) = listing(&mut world);
    let lines: Vec<_> = (0..listing.page.lines.len())
        .map(|n| listing.page.line(n))
        .collect();
    assert_eq!(
        lines,
        [
            ".",
            "  - src/                 just now",
            "    - main.rs       13B  just now",
            "    - deep/              5m ago",
            "  - README.md     4.1KB  2h ago",
            "  - .git/                2w ago  (not listed)",
            "  - link -> src/main.rs",
        ]
    );
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn long_subdirectory_shows_the_newest_and_the_oldest_entries() {
    let mut world = MemoryWorld::new("/ws");
    let now = world.now;
    for n in 0..20 {
        world.file_at(&format!("logs/{n:02}.log"), "", now - 60 * n);
    }
    let (listing, _) = listing(&mut world);
    assert_eq!(listing.page.lines.len(), 15);
    assert!(listing.page.line(12).contains("10.log"));
    assert_eq!(listing.page.line(13), "    - … 8 more");
    assert!(listing.page.line(14).contains("19.log"));
}

#[test]
fn entry_costs_two_calls() {
    for files in [10, 1000] {
        let mut world = MemoryWorld::new("/ws");
        for n in 0..files {
            world.file(&format!("{n}"), "");
        }
        let before = world.calls.get();
        listing(&mut world);
        assert_eq!(world.calls.get() - before, 2 * files + 1);
    }
}

#[test]
fn entries_beyond_the_lookup_budget_are_counted() {
    let mut world = MemoryWorld::new("/ws");
    for n in 0..limits::MEASURED_ENTRIES + 5 {
        world.file(&format!("{n:06}"), "");
    }
    let (listing, notes) = listing(&mut world);
    assert_eq!(listing.entries, Total::Exact(limits::MEASURED_ENTRIES + 5));
    assert_eq!(listing.listed, limits::MEASURED_ENTRIES);
    assert!(
        notes[0].starts_with("20005 entries; the first 20000"),
        "{notes:?}"
    );
}

#[test]
fn directories_beyond_the_lookup_budget_are_marked() {
    let mut world = MemoryWorld::new("/ws");
    for n in 0..limits::MEASURED_ENTRIES {
        world.file(&format!("0/{n:06}"), "");
    }
    for name in ["a/x", "b/x"] {
        world.file(name, "");
    }
    let (listing, notes) = listing(&mut world);
    let text = listing.page.text;
    let marked = text.lines().filter(|line| line.contains("(not listed)"));
    assert!(marked.count() > 0, "{text}");
    let note = format!("not listed, after {} entries", limits::MEASURED_ENTRIES);
    assert!(notes.iter().any(|text| text.contains(&note)), "{notes:?}");
}

#[test]
fn empty_directory_is_reported() {
    let (listing, _) = listing(&mut MemoryWorld::new("/ws"));
    assert_eq!(listing.page.text, ".(empty directory)");
}

/// The lines after a page are only counted.
#[test]
fn page_of_a_listing_has_its_first_lines_and_the_number_of_all() {
    let mut world = MemoryWorld::new("/ws");
    let now = world.now;
    for n in 0..30 {
        world.file_at(&format!("d{n:02}/a.txt"), "x", now - 60 * n);
        world.file_at(&format!("f{n:02}.txt"), "", now - 60 * n - 30);
    }
    world.link("a-link", "f00.txt");
    let (whole, _) = listing(&mut world);
    assert_eq!(whole.page.total, Total::Exact(92));
    for open_lines in [1, 2, 17, 91, 92, 93] {
        let style = Style {
            open_lines,
            ..Style::PAGED
        };
        let window = style.window(Selector::NONE, Numbering::None);
        let mut directory = world.list(0, "").unwrap();
        let (page, _) = read(&mut *directory, "/ws", &window, &[".git"], &world);
        let lines = page.page.lines.len();
        assert_eq!(lines as u64, open_lines.min(92));
        assert!((0..lines).all(|n| page.page.line(n) == whole.page.line(n)));
        assert_eq!(page.page.total, whole.page.total);
    }
}
