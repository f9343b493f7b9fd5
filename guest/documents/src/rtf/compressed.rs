//! Compressed RTF, as mails of Outlook have it: [MS-OXRTFCP].

use crate::limits;

/// The text that is in the dictionary before the first byte: [MS-OXRTFCP] 2.1.2.1.
const PRESET: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \
\\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier\
{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// The number of bytes of the dictionary.
const DICTIONARY: usize = 4096;

/// The signature of compressed data.
const COMPRESSED: &[u8] = b"LZFu";

/// The signature of data that is not compressed.
const PLAIN: &[u8] = b"MELA";

/// Decompresses RTF. `None` if the bytes have another format. Damaged data is decompressed up to the
/// damage.
pub fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let size = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
    let size = usize::try_from(size).ok()?.min(limits::RTF_BYTES);
    let data = bytes.get(16..)?;
    match bytes.get(8..12)? {
        kind if kind == PLAIN => return Some(data.get(..size).unwrap_or(data).to_vec()),
        kind if kind == COMPRESSED => {}
        _ => return None,
    }
    let mut dictionary = [0_u8; DICTIONARY];
    for (slot, byte) in dictionary.iter_mut().zip(PRESET) {
        *slot = *byte;
    }
    let mut write = PRESET.len();
    let mut out = Vec::new();
    let mut input = data.iter().copied();
    'data: while let Some(control) = input.next() {
        for bit in 0..8 {
            if out.len() >= size {
                break 'data;
            }
            if control & (1 << bit) == 0 {
                let Some(byte) = input.next() else {
                    break 'data;
                };
                push(byte, &mut dictionary, &mut write, &mut out);
                continue;
            }
            let (Some(high), Some(low)) = (input.next(), input.next()) else {
                break 'data;
            };
            let reference = u16::from_be_bytes([high, low]);
            let offset = usize::from(reference >> 4);
            let length = usize::from(reference & 15).saturating_add(2);
            if offset == write {
                break 'data;
            }
            for step in 0..length {
                let at = offset.wrapping_add(step) % DICTIONARY;
                let byte = dictionary.get(at).copied().unwrap_or_default();
                push(byte, &mut dictionary, &mut write, &mut out);
            }
        }
    }
    Some(out)
}

/// Adds a byte to the output and to the dictionary.
fn push(byte: u8, dictionary: &mut [u8; DICTIONARY], write: &mut usize, out: &mut Vec<u8>) {
    out.push(byte);
    if let Some(slot) = dictionary.get_mut(*write) {
        *slot = byte;
    }
    *write = write.wrapping_add(1) % DICTIONARY;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(kind: &[u8], size: u32, data: &[u8]) -> Vec<u8> {
        let mut out = u32::try_from(data.len() + 12)
            .unwrap()
            .to_le_bytes()
            .to_vec();
        out.extend(size.to_le_bytes());
        out.extend(kind);
        out.extend([0; 4]);
        out.extend(data);
        out
    }

    #[test]
    fn preset_has_its_length() {
        assert_eq!(PRESET.len(), 207);
    }

    /// The first example of [MS-OXRTFCP] 4.1.1.
    #[test]
    fn example_of_the_specification_is_decompressed() {
        let data = [
            0x03, 0x00, 0x0a, 0x00, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0a,
            0xf3, 0x20, 0x68, 0x65, 0x6c, 0x09, 0x00, 0x20, 0x62, 0x77, 0x05, 0xb0, 0x6c, 0x64,
            0x7d, 0x0a, 0x80, 0x0f, 0xa0,
        ];
        let text = decompressed(&compressed(COMPRESSED, 43, &data)).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&text),
            "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
        );
    }

    #[test]
    fn runs_may_repeat_themselves() {
        // The second example of [MS-OXRTFCP] 4.1.2.
        let data = [
            0x41, 0x00, 0x04, 0x20, 0x57, 0x58, 0x59, 0x5a, 0x0d, 0x6e, 0x7d, 0x01, 0x0e, 0xb0,
        ];
        let text = decompressed(&compressed(COMPRESSED, 28, &data)).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&text),
            "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
        );
    }

    #[test]
    fn plain_data_is_copied() {
        assert_eq!(decompressed(&compressed(PLAIN, 2, b"abc")).unwrap(), b"ab");
        assert_eq!(decompressed(&compressed(b"XXXX", 2, b"abc")), None);
        assert_eq!(decompressed(b"short"), None);
    }
}
