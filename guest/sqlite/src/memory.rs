//! The comparison of bytes, which SQLite calls for each row that it sorts or looks up. That of the C library compares
//! one byte at a time.

#![allow(unsafe_code, reason = "called from C")]

use core::arch::wasm32::{i8x16_bitmask, i8x16_ne, v128, v128_load};
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
