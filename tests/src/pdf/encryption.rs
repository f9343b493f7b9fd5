//! Encrypted PDF files: RC4 with keys of 128 bits (ISO 32000-1, 7.6, revision 3), AES with keys of 128 bits
//! (revision 4), and AES with keys of 256 bits (ISO 32000-2, 7.6, revision 6).

use super::objects::{Objects, line};
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256};
use md5::{Digest as _, Md5};
use sha2::{Sha256, Sha384, Sha512};

/// The bytes that make a password 32 bytes long.
const PADDING: [u8; 32] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];

/// The first identifier of the file.
const ID: &[u8] = b"0123456789abcdef";

/// An algorithm that encrypts files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// RC4 with keys of 128 bits.
    Rc4,
    /// AES with keys of 128 bits.
    Aes128,
    /// AES with keys of 256 bits.
    Aes256,
}

/// A file with one page, whose line is encrypted. `password` may be empty.
pub fn encrypted(text: &str, password: &str, algorithm: Algorithm) -> Vec<u8> {
    let (key, entries) = match algorithm {
        Algorithm::Rc4 | Algorithm::Aes128 => key_of_16(password, algorithm),
        Algorithm::Aes256 => key_of_32(password),
    };
    let content = 4_u32;
    let number = &content.to_le_bytes()[..3];
    let text = line(text);
    let text = text.as_bytes();
    let data = match algorithm {
        Algorithm::Rc4 => rc4(&md5(&[&key, number, &[0, 0]]), text),
        Algorithm::Aes128 => {
            let key = md5(&[&key, number, &[0, 0], b"sAlT"]);
            with_vector(&Aes128::new(&key.into()), text)
        }
        Algorithm::Aes256 => with_vector(&Aes256::new_from_slice(&key).unwrap(), text),
    };
    let mut objects = Objects::lines("", &[""]);
    let head = format!("<< /Length {} >>\nstream\n", data.len());
    objects.replace(4, [head.as_bytes(), &data, b"\nendstream"].concat());
    let id = hex(ID);
    objects.trailer(&format!(
        "/ID [<{id}> <{id}>] /Encrypt << /Filter /Standard /P {PERMISSIONS} {entries} >>"
    ));
    objects.build()
}

/// All permissions.
const PERMISSIONS: i32 = -4;

/// The key of a file for revisions 3 and 4, and the entries of its encryption dictionary.
fn key_of_16(password: &str, algorithm: Algorithm) -> (Vec<u8>, String) {
    let owner = owner_entry(password);
    let mut key = md5(&[&padded(password), &owner, &PERMISSIONS.to_le_bytes(), ID]);
    for _ in 0..50 {
        key = md5(&[&key]);
    }
    let mut user = rc4_rounds(&key, &md5(&[&PADDING, ID]));
    user.resize(32, 0);
    let version = match algorithm {
        Algorithm::Rc4 => "/V 2 /R 3 /Length 128",
        _ => {
            "/V 4 /R 4 /Length 128 /CF << /StdCF << /CFM /AESV2 /Length 16 >> >> /StmF /StdCF /StrF /StdCF"
        }
    };
    let entries = format!("{version} /O <{}> /U <{}>", hex(&owner), hex(&user));
    (key.to_vec(), entries)
}

/// The key of a file for revision 6, and the entries of its encryption dictionary.
fn key_of_32(password: &str) -> (Vec<u8>, String) {
    let key: Vec<u8> = (0..32).map(|byte| byte * 7 + 3).collect();
    let password = password.as_bytes();
    // Each entry is a hash, and the salts of the hash and of the key.
    let (salt, key_salt) = (b"12345678", b"abcdefgh");
    let user = [&hash(password, salt, &[])[..], salt, key_salt].concat();
    let owner = [&hash(password, salt, &user)[..], salt, key_salt].concat();
    let wrapped = |with: [u8; 32]| cbc(&Aes256::new(&with.into()), &[0; 16], &key);
    let (user_key, owner_key) = (
        wrapped(hash(password, key_salt, &[])),
        wrapped(hash(password, key_salt, &user)),
    );
    let entries = format!(
        "/V 5 /R 6 /Length 256 /CF << /StdCF << /CFM /AESV3 /Length 32 >> >> /StmF /StdCF /StrF /StdCF \
         /O <{}> /U <{}> /OE <{}> /UE <{}> /Perms <{}>",
        hex(&owner),
        hex(&user),
        hex(&owner_key),
        hex(&user_key),
        hex(&[0; 16])
    );
    (key, entries)
}

/// The hash of a password for revision 6 (ISO 32000-2, 7.6.4.3.4). `user` is the user entry for the hash of
/// the owner.
fn hash(password: &[u8], salt: &[u8], user: &[u8]) -> [u8; 32] {
    let mut key = Sha256::digest([password, salt, user].concat()).to_vec();
    for round in 1_u16.. {
        let repeated = [password, &key, user].concat().repeat(64);
        let cipher = Aes128::new_from_slice(&key[..16]).unwrap();
        let vector: [u8; 16] = key[16..32].try_into().unwrap();
        let out = cbc(&cipher, &vector, &repeated);
        // 256 is 1 modulo 3, so that the number has the same remainder as the sum of its digits.
        let remainder = out[..16].iter().map(|byte| u32::from(*byte)).sum::<u32>() % 3;
        key = match remainder {
            0 => Sha256::digest(&out).to_vec(),
            1 => Sha384::digest(&out).to_vec(),
            _ => Sha512::digest(&out).to_vec(),
        };
        if round >= 64 && u16::from(out[out.len() - 1]) <= round - 32 {
            break;
        }
    }
    key[..32].try_into().unwrap()
}

/// Encrypts data with a vector before them and padding after them, as in streams.
fn with_vector(cipher: &impl BlockCipherEncrypt, data: &[u8]) -> Vec<u8> {
    let vector = *b"fedcba9876543210";
    let padding = 16 - data.len() % 16;
    let padded = [data, &vec![u8::try_from(padding).unwrap(); padding]].concat();
    [&vector[..], &cbc(cipher, &vector, &padded)].concat()
}

/// Encrypts blocks of 16 bytes, each changed by the one before.
fn cbc(cipher: &impl BlockCipherEncrypt, vector: &[u8; 16], data: &[u8]) -> Vec<u8> {
    let mut last = vector.to_vec();
    let mut out = Vec::new();
    for block in data.chunks_exact(16) {
        let mixed: Vec<u8> = block.iter().zip(&last).map(|(a, b)| a ^ b).collect();
        let mut block = Array::try_from(&mixed[..]).unwrap();
        cipher.encrypt_block(&mut block);
        last = block.to_vec();
        out.extend_from_slice(&last);
    }
    out
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
