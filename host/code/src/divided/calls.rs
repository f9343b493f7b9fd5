//! A filter for machine code of x86-64, before it is compressed. A call names the distance to a function. The filter replaces
//! it by the address, which is the same in each call. Other processors have no such instructions, so that it changes little
//! in their code.

use std::mem;

/// The instructions of calls and jumps with a distance of 32 bits are this byte and the next one.
const CALL: u8 = 0xe8;

/// Replaces distances by addresses.
pub fn filter(code: &mut [u8]) {
    each(code, |distance, at, size| {
        if (-at..size - at).contains(&distance) {
            distance + at
        } else if (size - at..size).contains(&distance) {
            // So that each address has one distance.
            distance - size
        } else {
            distance
        }
    });
}

/// Replaces addresses by distances.
pub fn restore(code: &mut [u8]) {
    each(code, |address, at, size| {
        if (0..size).contains(&address) {
            address - at
        } else if (-at..0).contains(&address) {
            address + size
        } else {
            address
        }
    });
}

/// Replaces the number of each call, by its position and the size of the code.
fn each(code: &mut [u8], replaced: impl Fn(i64, i64, i64) -> i64) {
    let Ok(size) = i64::try_from(code.len()) else {
        return;
    };
    let mut at = 0;
    let mut rest = code;
    while let Some(before) = rest.iter().position(|byte| byte & 0xfe == CALL) {
        let after = mem::take(&mut rest).get_mut(before + 1..);
        let Some((number, after)) = after.and_then(<[u8]>::split_first_chunk_mut::<4>) else {
            return;
        };
        let call = at + before;
        let known = i32::from_le_bytes(*number).into();
        let new = i64::try_from(call).map(|call| replaced(known, call, size));
        if let Ok(new) = new.and_then(i32::try_from) {
            *number = new.to_le_bytes();
        }
        at = call + 5;
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::{filter, restore};

    #[test]
    fn calls_of_a_function_have_the_same_address() {
        let mut code = [0x90; 40];
        for (at, distance) in [(3, 20_u8), (13, 10)] {
            code[at] = 0xe8;
            code[at + 1..at + 5].copy_from_slice(&[distance, 0, 0, 0]);
        }
        filter(&mut code);
        assert_eq!(code[3..8], [0xe8, 23, 0, 0, 0]);
        assert_eq!(code[13..18], [0xe8, 23, 0, 0, 0]);
    }

    #[test]
    fn filtered_code_is_restored() {
        let mut state = 1_u32;
        for length in 0..3000 {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_be_bytes()[0]
            };
            // Many calls, and many distances near zero and near the size.
            let byte = |random: u8| match random >> 5 {
                0 => 0xe8,
                1 => 0xe9,
                2 | 3 => 0,
                4 => 0xff,
                _ => random & 0x0f,
            };
            let code: Vec<u8> = (0..length).map(|_| byte(next())).collect();
            let mut filtered = code.clone();
            filter(&mut filtered);
            restore(&mut filtered);
            assert!(filtered == code, "{length}");
        }
    }
}
