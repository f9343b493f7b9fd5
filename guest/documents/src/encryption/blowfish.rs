//! Blowfish in cipher feedback mode, with feedback of 8 bytes.

use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use blowfish::Blowfish;

/// Decrypts bytes in place. `None` if the key or the first block has a wrong length.
pub fn decrypt_cfb(key: &[u8], iv: &[u8], bytes: &mut [u8]) -> Option<()> {
    let cipher = <Blowfish as KeyInit>::new_from_slice(key).ok()?;
    let mut last: [u8; 8] = iv.try_into().ok()?;
    for chunk in bytes.chunks_mut(8) {
        let mut stream = Array::from(last);
        cipher.encrypt_block(&mut stream);
        for ((byte, stream), last) in chunk.iter_mut().zip(stream).zip(&mut last) {
            *last = *byte;
            *byte ^= stream;
        }
    }
    Some(())
}
