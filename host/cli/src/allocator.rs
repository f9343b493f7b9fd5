//! The memory of the program: small values are first taken from one large page.
//!
//! A small read allocates a thousand values, for the description of the compiled code above all, which touch 130 pages
//! of 4 KiB. Each costs about a microsecond when it is first used. One large page of 2 MiB costs as much as 30 of them,
//! and nothing has to be found or merged in it. When it is full, or if the kernel has no large page, values come from the
//! allocator of the system.

#![expect(
    unsafe_code,
    reason = "an allocator returns memory that the compiler cannot check"
)]

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: FirstPage = FirstPage {
    start: AtomicUsize::new(0),
    used: AtomicUsize::new(0),
};

/// The size of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// The size of the pages of a large page. On processors with larger ones, a large page is too large for this.
const PAGE: usize = 4096;

/// The size from which values are taken from the system, which reuses them: the contents of files.
const LARGE_VALUE: usize = 256 << 10;

/// The value of `start` if there is no large page.
const NONE: usize = 1;

/// An allocator that never reuses what was freed, but for the value that was allocated last.
struct FirstPage {
    /// The address of the large page. 0 before it is there.
    start: AtomicUsize,
    /// The number of its bytes that are used.
    used: AtomicUsize,
}

impl FirstPage {
    /// The address of the large page, if there is one.
    fn start(&self) -> Option<usize> {
        match self.start.load(Ordering::Acquire) {
            0 => self.create(),
            NONE => None,
            start => Some(start),
        }
    }

    /// Maps the large page. If another thread does so at the same time, its page stays.
    #[cold]
    fn create(&self) -> Option<usize> {
        let found = large_page().unwrap_or(NONE);
        let before = self
            .start
            .compare_exchange(0, found, Ordering::AcqRel, Ordering::Acquire);
        let start = before.err().unwrap_or(found);
        if before.is_err() && found != NONE {
            // SAFETY: nothing uses this page.
            let _ = unsafe { munmap(ptr::with_exposed_provenance_mut(found), LARGE_PAGE) };
        }
        (start != NONE).then_some(start)
    }

    /// Whether an address is in the large page.
    fn contains(&self, pointer: *mut u8) -> Option<usize> {
        let start = self.start.load(Ordering::Acquire);
        let offset = pointer.addr().wrapping_sub(start);
        (start > NONE && offset < LARGE_PAGE).then_some(offset)
    }

    /// Takes memory from the large page.
    fn take(&self, layout: Layout) -> Option<*mut u8> {
        if layout.size() >= LARGE_VALUE || layout.align() > PAGE {
            return None;
        }
        let start = self.start()?;
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let from = used.next_multiple_of(layout.align());
            let end = from + layout.size();
            if end > LARGE_PAGE {
                return None;
            }
            let taken =
                self.used
                    .compare_exchange_weak(used, end, Ordering::Relaxed, Ordering::Relaxed);
            match taken {
                Ok(_) => return Some(ptr::with_exposed_provenance_mut(start + from)),
                Err(other) => used = other,
            }
        }
    }

    /// Gives the value at an offset another size in its place, if it is the last one.
    fn resize_last(&self, offset: usize, old: usize, new: usize) -> bool {
        let end = offset.saturating_add(new);
        end <= LARGE_PAGE
            && self
                .used
                .compare_exchange(offset + old, end, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }
}

/// Lets all threads take values from one part of the memory of the system's allocator. In a process that ends after a
/// few reads, the clock is the only other thread. A part for it takes four changes of the memory map, each of which
/// interrupts the thread that reads.
#[cfg(target_env = "gnu")]
pub fn share_among_threads() {
    /// The number of parts (`M_ARENA_MAX` of `malloc.h`).
    const PARTS: i32 = -8;
    unsafe extern "C" {
        fn mallopt(parameter: i32, value: i32) -> i32;
    }
    // SAFETY: this changes a number, which threads read when they start to allocate.
    unsafe { mallopt(PARTS, 1) };
}

unsafe extern "C" {
    /// Says of each page whether it is in memory, in one byte.
    fn mincore(start: *mut u8, length: usize, resident: *mut u8) -> i32;
}

/// Maps a large page. `None` if the kernel has none.
fn large_page() -> Option<usize> {
    // SAFETY: this maps new addresses, unmaps what is around an aligned part of them, and writes to that part.
    unsafe {
        let size = 2 * LARGE_PAGE;
        let flags = ProtFlags::READ | ProtFlags::WRITE;
        let pages = MapFlags::PRIVATE | MapFlags::NORESERVE;
        let all = mmap_anonymous(ptr::null_mut(), size, flags, pages).ok()?;
        let first = all.expose_provenance();
        let start = first.next_multiple_of(LARGE_PAGE);
        let unmap = |from: usize, to: usize| {
            if from < to {
                let _ = munmap(ptr::with_exposed_provenance_mut(from), to - from);
            }
        };
        unmap(first, start);
        unmap(start + LARGE_PAGE, first + size);
        let page = ptr::with_exposed_provenance_mut::<u8>(start);
        if madvise(page.cast(), LARGE_PAGE, Advice::LinuxHugepage).is_ok() {
            // If the first write brings the last bytes too, the page is a large one.
            page.write_volatile(0);
            let mut resident = 0;
            let last = start + LARGE_PAGE - PAGE;
            let known = mincore(
                ptr::with_exposed_provenance_mut(last),
                PAGE,
                &raw mut resident,
            );
            if known == 0 && resident & 1 == 1 {
                return Some(start);
            }
        }
        unmap(start, start + LARGE_PAGE);
        None
    }
}

// SAFETY: each value has bytes of the large page for itself, which are used by no other one until it is freed, or
// memory of the system. A value is freed and resized by what it came from.
unsafe impl GlobalAlloc for FirstPage {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            Some(pointer) => pointer,
            // SAFETY: the caller keeps the rules of this trait.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            Some(pointer) => {
                // SAFETY: these bytes were just taken. An earlier value may have had them.
                unsafe { pointer.write_bytes(0, layout.size()) };
                pointer
            }
            // SAFETY: the caller keeps the rules of this trait.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match self.contains(pointer) {
            Some(offset) => {
                self.resize_last(offset, layout.size(), 0);
            }
            // SAFETY: the value is not in the large page, so that the system has allocated it.
            None => unsafe { System.dealloc(pointer, layout) },
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(offset) = self.contains(pointer) else {
            // SAFETY: the value is not in the large page, so that the system has allocated it.
            return unsafe { System.realloc(pointer, layout, size) };
        };
        if self.resize_last(offset, layout.size(), size) || size <= layout.size() {
            return pointer;
        }
        // SAFETY: the caller keeps the rules of this trait: `size` is valid with this alignment. The new value is
        // another one, and larger.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(pointer, layout.size());
                self.dealloc(pointer, layout);
            }
            new
        }
    }
}
