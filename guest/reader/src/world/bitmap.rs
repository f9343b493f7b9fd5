//! Images for tests.

/// An uncompressed grey BMP image.
pub fn bitmap(width: u32, height: u32) -> Vec<u8> {
    let row = (width * 3).div_ceil(4) * 4;
    let size = row * height;
    let mut bytes = b"BM".to_vec();
    for number in [size + 54, 0, 54, 40, width, height] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([1, 0, 24, 0]);
    for number in [0, size, 2835, 2835, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(std::iter::repeat_n(0x80, size as usize));
    bytes
}
