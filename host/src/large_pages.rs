//! The memory of instances in a process that ends after one or two reads.
//!
//! A page of 4 KiB costs about a microsecond when it is first used, so an instance with 500 of them costs half a
//! millisecond. The kernel provides a large page of 2 MiB in a twentieth of that, if it is asked to.

#![expect(
    unsafe_code,
    reason = "the memory that compiled code uses cannot be checked by the compiler"
)]

use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};
use rustix::mm::{madvise, mmap_anonymous, mprotect, munmap};
use rustix::param::page_size;
use std::ptr;
use wasmtime::{LinearMemory, MemoryCreator, MemoryType, Result, format_err};

/// The size of a large page on x86-64, and on other processors with pages of 4 KiB.
const LARGE_PAGE: usize = 2 << 20;

/// Creates memories in large pages.
pub(crate) struct LargePages;

/// A memory. Its addresses are reserved: a guard, room for the memory to grow, and another guard.
struct Reserved {
    /// The address and the length of all that is reserved.
    start: usize,
    length: usize,
    /// The address of the memory.
    base: usize,
    /// The number of bytes that the memory has now, and that it can have.
    size: usize,
    capacity: usize,
}

// SAFETY: `new_memory` reserves what it is asked for, and all of it but the memory is inaccessible. The kernel fills
// new pages with zeros.
unsafe impl MemoryCreator for LargePages {
    fn new_memory(
        &self,
        _: MemoryType,
        minimum: usize,
        _: Option<usize>,
        reserved: Option<usize>,
        guard: usize,
    ) -> Result<Box<dyn LinearMemory>, String> {
        Reserved::new(minimum, reserved.unwrap_or(0), guard)
            .map(|memory| Box::new(memory) as Box<dyn LinearMemory>)
            .map_err(|error| error.to_string())
    }
}

impl Reserved {
    /// Reserves addresses for a memory, with a guard of `guard` bytes on both sides.
    fn new(minimum: usize, reserved: usize, guard: usize) -> Result<Self> {
        let too_large = || format_err!("the memory is too large");
        let capacity = reserved.max(minimum).checked_next_multiple_of(page_size());
        let capacity = capacity.ok_or_else(too_large)?;
        let length = [guard, guard, LARGE_PAGE]
            .into_iter()
            .try_fold(capacity, usize::checked_add)
            .ok_or_else(too_large)?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: this maps new addresses, which nothing can access.
        let start = unsafe { mmap_anonymous(ptr::null_mut(), length, ProtFlags::empty(), flags) }?;
        let start = start.expose_provenance();
        // The large page before the second guard is room to align the memory.
        let base = start.saturating_add(guard).next_multiple_of(LARGE_PAGE);
        let mut memory = Self {
            start,
            length,
            base,
            size: 0,
            capacity,
        };
        if minimum >= page_size() {
            // SAFETY: these are addresses that were just reserved. Without large pages, small ones are used.
            let _ = unsafe { madvise(memory.pointer(), capacity, Advice::LinuxHugepage) };
        }
        memory.grow(minimum)?;
        Ok(memory)
    }

    fn pointer(&self) -> *mut std::ffi::c_void {
        ptr::with_exposed_provenance_mut(self.base)
    }

    fn grow(&mut self, size: usize) -> Result<()> {
        let accessible = size.checked_next_multiple_of(page_size());
        let accessible = accessible.filter(|bytes| *bytes <= self.capacity);
        let accessible = accessible.ok_or_else(|| format_err!("the memory is full"))?;
        let flags = MprotectFlags::READ | MprotectFlags::WRITE;
        if size > self.size {
            // SAFETY: the addresses are a part of those that were reserved for this memory, before the guard.
            unsafe { mprotect(self.pointer(), accessible, flags) }?;
            self.size = size;
        }
        Ok(())
    }
}

// SAFETY: the memory does not move, and `byte_size` bytes of it are accessible.
unsafe impl LinearMemory for Reserved {
    fn byte_size(&self) -> usize {
        self.size
    }

    fn byte_capacity(&self) -> usize {
        self.capacity
    }

    fn grow_to(&mut self, new_size: usize) -> Result<()> {
        self.grow(new_size)
    }

    fn as_ptr(&self) -> *mut u8 {
        self.pointer().cast()
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: nothing uses the memory of an instance that has ended.
        let _ = unsafe { munmap(ptr::with_exposed_provenance_mut(self.start), self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_up_to_what_was_reserved_and_is_zero() {
        let (page, guard) = (page_size(), 4 * page_size());
        let mut memory = Reserved::new(page, 3 * page, guard).unwrap();
        assert_eq!(
            (memory.byte_size(), memory.byte_capacity()),
            (page, 3 * page)
        );
        assert_eq!(memory.base % LARGE_PAGE, 0);
        assert!(memory.base - memory.start >= guard);
        assert!(memory.start + memory.length - memory.base - memory.capacity >= guard);
        memory.grow_to(3 * page).unwrap();
        // SAFETY: the memory has this size, and nothing else uses it.
        let bytes = unsafe { std::slice::from_raw_parts_mut(memory.as_ptr(), 3 * page) };
        assert!(bytes.iter().all(|byte| *byte == 0));
        bytes.fill(1);
        assert!(memory.grow_to(3 * page + 1).is_err());
        assert!(Reserved::new(usize::MAX, 0, 0).is_err());
    }

    #[test]
    fn addresses_around_a_memory_are_not_accessible() {
        let page = page_size();
        let memory = Reserved::new(page, 2 * page, page).unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let of_address = |address: usize| {
            let in_range = |line: &&str| {
                let range = line.split(' ').next().and_then(|it| it.split_once('-'));
                let number = |text| usize::from_str_radix(text, 16).unwrap();
                range.is_some_and(|(from, to)| (number(from)..number(to)).contains(&address))
            };
            maps.lines()
                .find(in_range)
                .and_then(|line| line.split(' ').nth(1))
        };
        let base = memory.base;
        assert_eq!(of_address(base), Some("rw-p"));
        for outside in [base - 1, base + page, base + 2 * page, base + 3 * page - 1] {
            assert_eq!(of_address(outside), Some("---p"));
        }
    }
}
