use super::open;
use crate::ole::testing::compound;

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The stream of properties with a fixed length: a header, and `(number, value)`.
fn fixed(header: usize, list: &[(u16, u64)]) -> Vec<u8> {
    let mut out = vec![0; header];
    for (number, value) in list {
        out.extend([3, 0]);
        out.extend(number.to_le_bytes());
        out.extend([6, 0, 0, 0]);
        out.extend(value.to_le_bytes());
    }
    out
}

/// Streams of a message with a recipient, an attachment, an image and a message in it.
fn streams() -> Vec<(String, Vec<u8>)> {
    let inner = "__attach_version1.0_#00000002/__substg1.0_3701000D";
    let list: Vec<(&str, Vec<u8>)> = vec![
        ("__nameid_version1.0/__substg1.0_00020102", vec![7; 16]),
        (
            "__properties_version1.0",
            fixed(
                32,
                &[
                    (0x39, 133_536_816_050_000_000),
                    (0x3ffd, 1251),
                    (0x3fde, 65001),
                ],
            ),
        ),
        ("__substg1.0_0037001E", b"\xcf\xf0\xe8".to_vec()),
        ("__substg1.0_0042001F", utf16("Ann")),
        ("__substg1.0_5D02001F", utf16("a@x")),
        ("__substg1.0_1000001F", utf16("Hello\r\nworld")),
        (
            "__substg1.0_10130102",
            "<p>Hellö <b>world</b><img alt=i src='cid:i@x'></p>"
                .as_bytes()
                .to_vec(),
        ),
        (
            "__recip_version1.0_#00000000/__properties_version1.0",
            fixed(8, &[(0xc15, 2)]),
        ),
        (
            "__recip_version1.0_#00000000/__substg1.0_3001001F",
            utf16("'Bob'"),
        ),
        (
            "__recip_version1.0_#00000000/__substg1.0_39FE001F",
            utf16("b@x"),
        ),
        (
            "__attach_version1.0_#00000000/__properties_version1.0",
            fixed(8, &[(0x3705, 1)]),
        ),
        (
            "__attach_version1.0_#00000000/__substg1.0_3707001F",
            utf16("a.pdf"),
        ),
        (
            "__attach_version1.0_#00000000/__substg1.0_370E001F",
            utf16("application/pdf"),
        ),
        (
            "__attach_version1.0_#00000000/__substg1.0_37010102",
            vec![b'P'; 5000],
        ),
        (
            "__attach_version1.0_#00000001/__substg1.0_3712001F",
            utf16("i@x"),
        ),
        (
            "__attach_version1.0_#00000001/__substg1.0_37010102",
            b"PNG".to_vec(),
        ),
        (
            "__attach_version1.0_#00000002/__properties_version1.0",
            fixed(8, &[(0x3705, 5)]),
        ),
    ];
    let mut out: Vec<_> = list
        .into_iter()
        .map(|(path, bytes)| (path.to_owned(), bytes))
        .collect();
    let mut add = |path: &str, bytes: Vec<u8>| out.push((format!("{inner}/{path}"), bytes));
    add(
        "__properties_version1.0",
        fixed(24, &[(0x39, 133_536_816_050_000_000)]),
    );
    add("__substg1.0_0037001F", utf16("Inner: x"));
    add("__substg1.0_1000001F", utf16(&"Inner text ".repeat(500)));
    add(
        "__attach_version1.0_#00000000/__substg1.0_3707001F",
        utf16("deep.txt"),
    );
    add(
        "__attach_version1.0_#00000000/__substg1.0_37010102",
        b"deep".to_vec(),
    );
    out
}

fn file(streams: &[(String, Vec<u8>)]) -> Vec<u8> {
    let list: Vec<(&str, &[u8])> = streams
        .iter()
        .map(|(path, it)| (path.as_str(), it.as_slice()))
        .collect();
    compound(&list)
}

#[test]
fn message_is_read() {
    let mut document = open(file(&streams())).unwrap();
    let unit = document.unit(0);
    assert_eq!(
        unit.text,
        "# При\n\nFrom: Ann <a@x>\nCc: Bob <b@x>\nDate: 2024-02-29T12:00:05+00:00\n\n\
         Hellö **world**![i](image:1)\n\nAttachments:\n\n- a.pdf (application/pdf, 4.9 KB)\n\
         - Inner: x.msg (application/vnd.ms-outlook, 10.8 KB)"
    );
    assert_eq!(document.image(1).unwrap(), b"PNG");
    assert_eq!(document.image(2), None);
    assert_eq!(document.attachment(0).unwrap(), vec![b'P'; 5000]);
    assert_eq!(document.attachment(2), None);
}

#[test]
fn message_in_a_message_is_a_file() {
    let mut document = open(file(&streams())).unwrap();
    let inner = document.attachment(1).unwrap();
    let mut inner = open(inner).unwrap();
    let text = inner.unit(0).text;
    assert!(
        text.starts_with("# Inner: x\n\nDate: 2024-02-29T12:00:05+00:00\n\nInner text"),
        "{text}"
    );
    assert_eq!(inner.attachments()[0].name, "deep.txt");
    assert_eq!(inner.attachment(0).unwrap(), b"deep");
    assert!(inner.notes().is_empty());
}

#[test]
fn plain_text_and_transport_header_are_used() {
    let streams = vec![
        (
            "__substg1.0_1000001F".to_owned(),
            utf16("line one\r\nline two\0"),
        ),
        (
            "__substg1.0_007D001F".to_owned(),
            utf16("From: =?utf-8?q?=C3=84?= <a@x>\r\nDate: 1 Mar 2024 12:00:00 +0100\r\n\r\n"),
        ),
        ("__substg1.0_0E04001F".to_owned(), utf16("Bob; Carl")),
        ("__substg1.0_001A001F".to_owned(), utf16("IPM.Contact")),
        ("__substg1.0_3A16001F".to_owned(), utf16("Firm")),
    ];
    assert_eq!(
        open(file(&streams)).unwrap().unit(0).text,
        "# (no subject)\n\nFrom: Ä <a@x>\nTo: Bob, Carl\nDate: 2024-03-01T12:00:00+01:00\n\n\
         Kind: contact\nCompany: Firm\n\nline one\nline two"
    );
}

#[test]
fn html_in_rich_text_is_used() {
    let rtf = b"{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}{\\*\\htmltag84 <b>}x\\'e9{\\*\\htmltag92 </b>}}";
    let rich = |text: &[u8]| {
        let length = u32::try_from(text.len()).unwrap();
        let mut bytes = (length + 12).to_le_bytes().to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.extend(b"MELA\0\0\0\0");
        bytes.extend(text);
        let path = "__substg1.0_10090102".to_owned();
        open(file(&[(path, bytes)])).unwrap().unit(0).text
    };
    assert_eq!(rich(rtf), "# (no subject)\n\n**xé**");
    assert_eq!(rich(b"{\\rtf1\\ansi a\\par b}"), "# (no subject)\n\na\n\nb");
}

#[test]
fn damaged_files_are_read_or_refused() {
    let bytes = file(&streams());
    for end in (0..bytes.len()).step_by(97) {
        if let Ok(mut document) = open(bytes[..end].to_vec()) {
            document.unit(0);
            for index in 0..document.attachments().len() {
                document.attachment(index);
            }
        }
    }
    for at in (0..bytes.len()).step_by(31) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        if let Ok(mut document) = open(damaged) {
            document.unit(0);
            for index in 0..document.attachments().len() {
                document.attachment(index);
            }
        }
    }
    let other = compound(&[("WordDocument", b"x")]);
    assert!(open(other).is_err());
}
