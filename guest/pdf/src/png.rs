//! PNG files (ISO/IEC 15948).

use flate2::Crc;

/// Writes a PNG file without interlacing. `depth` is the number of bits of a sample, and `colour` the
/// type of colour: 0 for gray, 2 for RGB. `data` has the filtered and compressed rows.
pub fn file(width: u32, height: u32, depth: u8, colour: u8, data: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(13);
    header.extend_from_slice(&width.to_be_bytes());
    header.extend_from_slice(&height.to_be_bytes());
    header.extend_from_slice(&[depth, colour, 0, 0, 0]);
    let mut out = Vec::with_capacity(data.len().saturating_add(64));
    out.extend_from_slice(b"\x89PNG\r\n\x1a\n");
    chunk(*b"IHDR", &header, &mut out);
    chunk(*b"IDAT", data, &mut out);
    chunk(*b"IEND", &[], &mut out);
    out
}

/// Writes a chunk.
fn chunk(name: [u8; 4], data: &[u8], out: &mut Vec<u8>) {
    let mut crc = Crc::new();
    crc.update(&name);
    crc.update(data);
    out.extend_from_slice(&u32::try_from(data.len()).unwrap_or_default().to_be_bytes());
    out.extend_from_slice(&name);
    out.extend_from_slice(data);
    out.extend_from_slice(&crc.sum().to_be_bytes());
}
