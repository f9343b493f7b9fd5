//! Functions of the C library that SQLite calls often: the comparison of bytes in a sort or a search by key, the search
//! of a byte in a text, and the length of a text. Those of the C library take one byte at a time.

#![allow(unsafe_code, reason = "called from C")]
#![allow(
    clippy::cast_ptr_alignment,
    reason = "WebAssembly loads from any address"
)]

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_ne, u8x16_splat, v128, v128_load, v128_or,
};
use core::ffi::c_int;

#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> c_int {
    let mut at = 0;
    // SAFETY: the caller guarantees that both have `length` bytes, and WebAssembly has no alignment.
    unsafe {
        while length - at >= 16 {
            let differs = i8x16_ne(
                v128_load(left.add(at).cast::<v128>()),
                v128_load(right.add(at).cast::<v128>()),
            );
            let differs = i8x16_bitmask(differs);
            if differs != 0 {
                at += differs.trailing_zeros() as usize;
                return c_int::from(*left.add(at)) - c_int::from(*right.add(at));
            }
            at += 16;
        }
        if length - at >= 8 {
            let first = left.add(at).cast::<u64>().read_unaligned();
            let second = right.add(at).cast::<u64>().read_unaligned();
            if first != second {
                at += ((first ^ second).trailing_zeros() / 8) as usize;
                return c_int::from(*left.add(at)) - c_int::from(*right.add(at));
            }
            at += 8;
        }
        while at < length {
            let difference = c_int::from(*left.add(at)) - c_int::from(*right.add(at));
            if difference != 0 {
                return difference;
            }
            at += 1;
        }
    }
    0
}

/// The number of bytes of a text before its end.
#[unsafe(no_mangle)]
unsafe extern "C" fn rust_sqlite_wasm_strlen(text: *const u8) -> usize {
    // SAFETY: the caller guarantees that it ends with a zero byte. An aligned block is in memory as a whole, because the
    // size of memory is a multiple of that of a block.
    unsafe {
        let zero = u8x16_splat(0);
        let before = text.addr() % 16;
        let mut block = text.wrapping_sub(before).cast::<v128>();
        let mut ends = i8x16_bitmask(i8x16_eq(v128_load(block), zero)) >> before;
        if ends != 0 {
            return ends.trailing_zeros() as usize;
        }
        let mut done = 16 - before;
        loop {
            block = block.wrapping_add(1);
            ends = i8x16_bitmask(i8x16_eq(v128_load(block), zero));
            if ends != 0 {
                return done + ends.trailing_zeros() as usize;
            }
            done += 16;
        }
    }
}

/// The number of bytes of a text before the first that is in a set, or before its end. `LIKE` and `GLOB` search the
/// first character of a word with it: a set of one byte or two.
#[unsafe(no_mangle)]
unsafe extern "C" fn rust_sqlite_wasm_strcspn(text: *const u8, set: *const u8) -> usize {
    // SAFETY: the caller guarantees that both end with a zero byte. An aligned block is in memory as a whole, because
    // the size of memory is a multiple of that of a block.
    unsafe {
        let first = *set;
        let second = if first == 0 { 0 } else { *set.add(1) };
        if second != 0 && *set.add(2) != 0 {
            let is_in = |byte: u8| {
                let mut at = 0;
                while *set.add(at) != 0 && *set.add(at) != byte {
                    at += 1;
                }
                *set.add(at) != 0
            };
            let mut at = 0;
            while *text.add(at) != 0 && !is_in(*text.add(at)) {
                at += 1;
            }
            return at;
        }
        let (first, second) = (u8x16_splat(first), u8x16_splat(second));
        let before = text.addr() % 16;
        let mut block = text.wrapping_sub(before).cast::<v128>();
        let mut skipped = before;
        let mut done = 0;
        loop {
            let bytes = v128_load(block);
            let ends = v128_or(
                i8x16_eq(bytes, u8x16_splat(0)),
                v128_or(i8x16_eq(bytes, first), i8x16_eq(bytes, second)),
            );
            let ends = i8x16_bitmask(ends) >> skipped;
            if ends != 0 {
                return done + ends.trailing_zeros() as usize;
            }
            done += 16 - skipped;
            skipped = 0;
            block = block.wrapping_add(1);
        }
    }
}
