use super::*;

const PAGE: usize = 512;

/// The header of a file of some pages.
fn head(pages: u32) -> [u8; 100] {
    let mut head = [0; 100];
    head[16..18].copy_from_slice(&512_u16.to_be_bytes());
    head[28..32].copy_from_slice(&pages.to_be_bytes());
    head
}

/// A page of a table with cells at its end, each with the bytes of one.
fn page(kind: u8, last: Option<u32>, cells: &[&[u8]]) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    page[0] = kind;
    page[3..5].copy_from_slice(&u16::try_from(cells.len()).unwrap().to_be_bytes());
    let first = if let Some(last) = last {
        page[8..12].copy_from_slice(&last.to_be_bytes());
        12
    } else {
        8
    };
    let mut end = PAGE;
    for (index, cell) in cells.iter().enumerate() {
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(cell);
        let at = first + 2 * index;
        page[at..at + 2].copy_from_slice(&u16::try_from(end).unwrap().to_be_bytes());
    }
    page
}

fn count(pages: &[Vec<u8>], most: u64) -> (Option<u64>, u32) {
    let total = u32::try_from(pages.len()).unwrap() + 1;
    let layout = Layout::of(&head(total), u64::from(total) * 512).unwrap();
    let mut visited = 0;
    // The first byte of a page of a table is odd.
    let root = Root {
        page: 2,
        is_table: pages.first().is_some_and(|page| page[0] % 2 == 1),
    };
    let rows = layout.count(root, most, &mut |number, visit| {
        visited += 1;
        if let Some(page) = pages.get(number as usize - 2) {
            visit(page);
        }
    });
    (rows, visited)
}

/// An entry of an index with a payload of three bytes.
const ENTRY: &[u8] = &[3, 1, 1, 1];

/// A row with a payload of three bytes.
const ROW: &[u8] = &[3, 1, 2, 3, 4];

fn tree() -> Vec<Vec<u8>> {
    vec![
        page(5, Some(4), &[&[0, 0, 0, 3, 9]]),
        page(13, None, &[ROW; 4]),
        page(13, None, &[ROW; 7]),
    ]
}

#[test]
fn rows_of_all_pages_are_counted() {
    assert_eq!(count(&tree(), 100), (Some(11), 3));
    assert_eq!(count(&[page(13, None, &[])], 100), (Some(0), 1));
    // The inner pages of an index have rows too.
    let index = vec![
        page(2, Some(4), &[&[0, 0, 0, 3, 2, 1, 1]]),
        page(10, None, &[ENTRY; 4]),
        page(10, None, &[ENTRY; 7]),
    ];
    assert_eq!(count(&index, 100), (Some(12), 3));
}

#[test]
fn count_stops_after_the_maximum() {
    assert_eq!(count(&tree(), 3), (Some(4), 2));
    assert_eq!(count(&tree(), 4), (Some(11), 3));
}

#[test]
fn damaged_page_is_not_counted() {
    let changes: [(usize, usize, u8); 6] = [
        // The kind, the number of cells, and the position of a cell.
        (1, 0, 12),
        (1, 0, 10),
        (1, 3, 9),
        (1, 8, 255),
        // The size of a cell, and a page that does not exist.
        (1, PAGE - 5, 100),
        (0, PAGE - 2, 200),
    ];
    for (number, at, byte) in changes {
        let mut pages = tree();
        pages[number][at] = byte;
        assert_eq!(count(&pages, 100).0, None, "{number} {at} {byte}");
    }
    let mut pages = tree();
    pages[2] = page(13, None, &[]);
    assert_eq!(count(&pages, 100).0, None);
    // A tree whose pages lead to each other has no end.
    let circle = vec![page(5, Some(2), &[&[0, 0, 0, 2, 9]])];
    assert_eq!(count(&circle, 100).0, None);
}

#[test]
fn tree_of_another_kind_is_not_counted() {
    let layout = Layout::of(&head(2), 1024).unwrap();
    let pages = page(10, None, &[ENTRY; 4]);
    let root = |is_table| Root { page: 2, is_table };
    let mut read = |_, visit: &mut dyn FnMut(&[u8])| visit(&pages);
    assert_eq!(layout.count(root(false), 100, &mut read), Some(4));
    assert_eq!(layout.count(root(true), 100, &mut read), None);
}

#[test]
fn cells_are_not_more_than_a_page_has_room_for() {
    // All pointers lead to one cell.
    let many = |cells: u16| {
        let mut page = page(13, None, &[ROW]);
        page[3..5].copy_from_slice(&cells.to_be_bytes());
        let cell = [page[8], page[9]];
        for at in 0..usize::from(cells) {
            page[8 + 2 * at..10 + 2 * at].copy_from_slice(&cell);
        }
        count(&[page], 1000).0
    };
    assert_eq!(many(84), Some(84));
    assert_eq!(many(85), None);
}

#[test]
fn payload_in_other_pages_is_not_in_the_cell() {
    let mut cell = vec![0x87, 0x68, 1];
    // 39 bytes are in the page, and the number of the next page is after them.
    cell.resize(3 + 39 + 4, 7);
    assert_eq!(count(&[page(13, None, &[&cell])], 9).0, Some(1));
    cell.pop();
    assert_eq!(count(&[page(13, None, &[&cell])], 9).0, None);
}

#[test]
fn uncertain_layout_is_refused() {
    assert!(Layout::of(&head(4), 4 * 512).is_some());
    assert!(Layout::of(&head(5), 4 * 512).is_none());
    let mut other = head(4);
    other[27] = 1;
    assert!(Layout::of(&other, 4 * 512).is_none());
    other = head(4);
    other[20] = 100;
    assert!(Layout::of(&other, 4 * 512).is_none());
    assert!(Layout::of(&[0; 50], 4 * 512).is_none());
}
