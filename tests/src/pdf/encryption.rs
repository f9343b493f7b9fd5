//! Encrypted PDF files: RC4 with keys of 128 bits (ISO 32000-1, 7.6, revision 3).

use super::objects::{Objects, line};
use md5::{Digest as _, Md5};

/// The bytes that make a password 32 bytes long.
const PADDING: [u8; 32] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];

/// The first identifier of the file.
const ID: &[u8] = b"0123456789abcdef";

/// A file with one page, whose line is encrypted. `password` may be empty.
pub fn encrypted(text: &str, password: &str) -> Vec<u8> {
    let owner = owner_entry(password);
    let permissions = -4_i32;
    let mut key = md5(&[&padded(password), &owner, &permissions.to_le_bytes(), ID]);
    for _ in 0..50 {
        key = md5(&[&key]);
    }
    let mut user = rc4_rounds(&key, &md5(&[&PADDING, ID]));
    user.resize(32, 0);
    let mut objects = Objects::lines("", &[""]);
    let content = 4_u32;
    let object_key = md5(&[&key, &content.to_le_bytes()[..3], &[0, 0]]);
    let data = rc4(&object_key, line(text).as_bytes());
    let head = format!("<< /Length {} >>\nstream\n", data.len());
    objects.replace(4, [head.as_bytes(), &data, b"\nendstream"].concat());
    let (owner, user, id) = (hex(&owner), hex(&user), hex(ID));
    objects.trailer(&format!(
        "/ID [<{id}> <{id}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 \
         /P {permissions} /O <{owner}> /U <{user}> >>"
    ));
    objects.build()
}

/// The owner's entry, for an owner with the same password as the user.
fn owner_entry(password: &str) -> Vec<u8> {
    let mut key = md5(&[&padded(password)]);
    for _ in 0..50 {
        key = md5(&[&key]);
    }
    rc4_rounds(&key, &padded(password))
}

fn padded(password: &str) -> Vec<u8> {
    let mut out = password.as_bytes().to_vec();
    out.extend_from_slice(&PADDING);
    out.truncate(32);
    out
}

fn md5(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = Md5::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// Encrypts twenty times. Each byte of the key changes with the number of the round.
fn rc4_rounds(key: &[u8; 16], data: &[u8]) -> Vec<u8> {
    (0..20_u8).fold(data.to_vec(), |data, round| {
        rc4(&key.map(|byte| byte ^ round), &data)
    })
}

fn rc4(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut state: Vec<u8> = (0..=255).collect();
    let mut j = 0_u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    let byte = |byte: &u8| {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        let sum = state[usize::from(i)].wrapping_add(state[usize::from(j)]);
        byte ^ state[usize::from(sum)]
    };
    data.iter().map(byte).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
