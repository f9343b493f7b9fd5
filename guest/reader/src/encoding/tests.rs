use super::*;
use crate::world::Bytes;

fn detected(bytes: &[u8]) -> Option<(String, u64, bool)> {
    let mut source = Bytes::new(bytes.to_vec());
    let mut input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
    detect(&mut input, Some(bytes.len() as u64), |_| false)
        .map(|e| (e.charset.name(), e.bom_len, e.guessed))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "it is compared with what is optional"
)]
fn named(name: &str, mark: u64, guessed: bool) -> Option<(String, u64, bool)> {
    Some((name.to_owned(), mark, guessed))
}

#[test]
fn byte_order_mark_decides() {
    assert_eq!(detected(b"\xef\xbb\xbfabc"), named("utf-8", 3, false));
    assert_eq!(detected(b"\xff\xfea\0b\0"), named("utf-16le", 2, false));
    assert_eq!(detected(b"\xfe\xff\0a\0b"), named("utf-16be", 2, false));
    assert_eq!(
        detected(b"\xff\xfe\0\0a\0\0\0"),
        named("utf-32le", 4, false)
    );
    assert_eq!(
        detected(b"\0\0\xfe\xff\0\0\0a"),
        named("utf-32be", 4, false)
    );
    // A UTF-16 text that starts with a NUL and has a length that is not a multiple of
    // four.
    assert_eq!(detected(b"\xff\xfe\0\0a\0"), named("utf-16le", 2, false));
}

#[test]
fn damaged_utf8_stays_utf8() {
    for bytes in [
        &b"plain ascii"[..],
        "grüße".as_bytes(),
        b"gr\xc3\xbc\xc3\x9fe \xff",
        b"overlong \xc0\x80, surrogate \xed\xa0\x80, cut \xe2\x82",
        b"ascii \xff ascii \xff",
        "é \u{1b}$B é".as_bytes(),
    ] {
        assert_eq!(detected(bytes), named("utf-8", 0, false), "{bytes:?}");
    }
}

#[test]
fn other_encodings_are_guessed() {
    for (encoding, text) in [
        (
            encoding_rs::GBK,
            "这是一个用来测试编码检测的中文文本，包含足够多的汉字。",
        ),
        (
            encoding_rs::SHIFT_JIS,
            "これは文字コードの検出を試すための日本語の文章です。",
        ),
        (encoding_rs::WINDOWS_1252, "naïve\n"),
        (
            encoding_rs::WINDOWS_1252,
            "Déjà vu à l’été, garçon! Straße über Köln.",
        ),
        (
            encoding_rs::WINDOWS_1251,
            "Это текст для проверки определения кодировки.",
        ),
        (
            encoding_rs::EUC_KR,
            "이것은 인코딩 감지를 시험하기 위한 한국어 문장입니다.",
        ),
        (encoding_rs::ISO_2022_JP, "これは日本語です。"),
    ] {
        let bytes = encoding.encode(text).0;
        assert_eq!(
            detected(&bytes),
            named(&encoding.name().to_lowercase(), 0, true),
            "{text}"
        );
    }
}

#[test]
fn letters_of_a_language_decide_for_short_texts() {
    for (text, encoding) in [
        ("Kur gyvena šernų ąžuolėliai?", encoding_rs::WINDOWS_1257),
        ("Čiužinių ąsočių įkąstųjų ūžesys", encoding_rs::WINDOWS_1257),
        ("Güneş ışığı, gümüş", encoding_rs::WINDOWS_1254),
        ("Miejscowość: Łódź", encoding_rs::WINDOWS_1250),
        ("Straße, Würzburg", encoding_rs::WINDOWS_1252),
        ("déjà vu, façade", encoding_rs::WINDOWS_1252),
    ] {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text}");
        let name = encoding.name().to_ascii_lowercase();
        assert_eq!(detected(&bytes), named(&name, 0, true), "{text}");
    }
}

#[test]
fn signs_in_ascii_text_are_those_of_windows() {
    for text in [
        "Price: 5 € – “ok”…",
        "5 µs",
        "10 °C today",
        "© 2024 Acme",
        "it’s fine",
    ] {
        let bytes = encoding_rs::WINDOWS_1252.encode(text).0;
        assert_eq!(detected(&bytes), named("windows-1252", 0, true), "{text}");
    }
    // A few letters of another alphabet are next to each other.
    let bytes = encoding_rs::WINDOWS_1251.encode("version 2: привет").0;
    assert_ne!(detected(&bytes), named("windows-1252", 0, true));
}

#[test]
fn letters_of_dos_and_mac_fit_together() {
    let dos = b"Gr\x94\xe1e, M\x81ller \x81ber caf\x82 in K\x94ln\n";
    assert_eq!(detected(dos), named("cp437", 0, true));
    let mac = encoding_of("macintosh", "Déjà payé, à bientôt ; élève français, été\n");
    assert_eq!(detected(&mac), named("macintosh", 0, true));
    // Most texts with Latin letters are of Windows.
    let windows = encoding_of("windows-1252", "Déjà payé, à bientôt ; élève français\n");
    assert_eq!(detected(&windows), named("windows-1252", 0, true));
    let name = encoding_of(
        "windows-1252",
        "Société Générale: ÉCOLE À CÔTÉ, naïve façade\n",
    );
    assert_eq!(detected(&name), named("windows-1252", 0, true));
    // Letters of Central Europe are signs on the Mac.
    let polish = encoding_of("windows-1250", "Ślimok jest łakomy, Žižka a šťastný\n");
    assert_ne!(detected(&polish), named("macintosh", 0, true));
}

/// The bytes of a text in an encoding that has all its characters, of which some only decode.
fn encoding_of(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let byte = |c: char| {
        (0..=u8::MAX).find(|byte| {
            encoding
                .decode_without_bom_handling(&[*byte])
                .0
                .starts_with(c)
        })
    };
    text.chars().map(|c| byte(c).unwrap()).collect()
}

#[test]
fn frames_and_shades_are_of_code_page_437() {
    let frame = b"\xc9\xcd\xcd\xcd\xcd\xbb\r\n\xba demo \xba\r\n\xc8\xcd\xcd\xcd\xcd\xbc\r\n";
    assert_eq!(detected(frame), named("cp437", 0, true));
    let art = b"  \xb0\xb0\xb1\xb1\xb2\xb2\xdb\xdb\xdb\xdb RELEASE \xdb\xdb\xdb\xb2\xb1\xb0\n \xfe info\n";
    assert_eq!(detected(art), named("cp437", 0, true));
    let table = b"\xda\xc4\xc4\xc4\xc2\xc4\xc4\xc4\xbf\n\xb3 a \xb3 b \xb3\n\xc0\xc4\xc4\xc4\xc1\xc4\xc4\xc4\xd9\n";
    assert_eq!(detected(table), named("cp437", 0, true));
}

#[test]
fn few_nuls_are_part_of_a_text() {
    let log = b"09:00 started\n09:01 value=\0 of the sensor\n09:02 stopped\n";
    assert_eq!(detected(log), named("utf-8", 0, false));
    // Blocks that were lost when the machine stopped.
    let mut lost = vec![0; 20_000];
    lost.extend_from_slice("2024-01-01 10:00 naïve start\n".repeat(50).as_bytes());
    assert_eq!(detected(&lost), named("utf-8", 0, false));
    for data in [
        &b"\x01\0\0\0name\0\0\0\0"[..],
        b"\0\0\0\0",
        b"d\0\0\0e\0\0\0f\0\0\0text at the end of it",
        b"caf\xe9 \0 and more text in Latin-1, as long as a line",
        b"a text with \x01 and \0, which is the start of a structure",
    ] {
        assert_eq!(detected(data), None, "{data:?}");
    }
}

#[test]
fn random_bytes_are_not_text() {
    let mut state = 7u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        u8::try_from(state >> 56).unwrap()
    };
    for (length, most) in [(32, 20), (64, 4), (128, 1), (256, 0), (512, 0)] {
        let texts = (0..200).filter(|_| {
            let bytes: Vec<u8> = (0..length).map(|_| next()).collect();
            detected(&bytes).is_some()
        });
        let texts = texts.count();
        assert!(texts <= most, "{texts} of 200 with {length} bytes");
    }
}

#[test]
fn long_text_has_the_encoding_of_its_lines() {
    let line = encoding_rs::WINDOWS_1251
        .encode("Это строка журнала, в которой есть слова.\n")
        .0;
    let mut log = b"2024-01-01 10:00:00 INFO plain line of a log\n".repeat(20_000);
    for part in 0..20 {
        let at = part * 45 * 1000;
        log.splice(at..at, line.iter().copied());
    }
    assert_eq!(detected(&log), named("windows-1251", 0, true));
    let chinese = encoding_rs::GBK
        .encode("这是一个用来测试编码检测的中文文本")
        .0
        .repeat(10_000);
    assert_eq!(detected(&chinese), named("gbk", 0, true));
    let japanese = encoding_rs::SHIFT_JIS
        .encode("これは文字コードの検出を試すための文章です。")
        .0
        .repeat(10_000);
    assert_eq!(detected(&japanese), named("shift_jis", 0, true));
    let escaped = encoding_rs::ISO_2022_JP
        .encode("これは日本語です。\n")
        .0
        .repeat(10_000);
    assert_eq!(detected(&escaped), named("iso-2022-jp", 0, true));
}

#[test]
fn late_character_decides_encoding_of_large_file() {
    let mut bytes = b"all ascii here, line after line\n".repeat(200_000);
    let late = encoding_rs::GBK
        .encode("这是一个用来测试编码检测的中文文本，包含足够多的汉字。\n")
        .0
        .repeat(2000);
    bytes.extend_from_slice(&late);
    assert_eq!(detected(&bytes), named("gbk", 0, true));
}

#[test]
fn markup_with_nul_has_an_encoding() {
    let of = |bytes: &[u8], server| {
        let mut source = Bytes::new(bytes.to_vec());
        let input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
        let known = |head: &[u8]| head.starts_with(b"<magic>");
        let found = of_markup_with_nul(&input, server, known);
        found.map(|found| found.charset.name())
    };
    let utf8 = Some("utf-8".to_owned());
    assert_eq!(of(b"<p>a\0b", None), utf8);
    assert_eq!(of("<p>gr\0üße".as_bytes(), None), utf8);
    assert_eq!(
        of(b"<p>na\0\xefve", Some("latin1")),
        Some("windows-1252".to_owned())
    );
    assert_eq!(of(b"a\0b", None), None);
    assert_eq!(of(b"<p>a\0\x01b", None), None);
    assert_eq!(of(b"<magic>\0", None), None);
}

#[test]
fn declaration_of_markup_applies_after_mark_and_label() {
    let latin = b"na\xefve";
    let utf8 = "naïve".as_bytes();
    let guess = Encoding {
        guessed: true,
        ..Encoding::UTF8
    };
    let of = |bytes: &[u8], detected, server, declared| {
        let (encoding, note) = of_markup(bytes, detected, server, declared);
        (encoding.charset.name(), note.is_some())
    };
    let named = |name: &str, note| (name.to_owned(), note);
    let latin1 = Some("latin1");
    assert_eq!(of(latin, guess, None, latin1), named("windows-1252", false));
    assert_eq!(of(latin, guess, None, None), named("utf-8", false));
    assert_eq!(
        of(latin, guess, None, Some("no such")),
        named("utf-8", false)
    );
    // The label of the server takes precedence, also that of UTF-8.
    assert_eq!(
        of(latin, guess, Some("utf-8"), latin1),
        named("utf-8", false)
    );
    let marked = Encoding::marked(Charset::Utf8, 3);
    let bytes = b"\xef\xbb\xbfna\xefve";
    assert_eq!(of(bytes, marked, None, latin1), named("utf-8", false));
    // UTF-8 decides against a wrong declaration.
    assert_eq!(
        of(utf8, Encoding::VALID_UTF8, None, latin1),
        named("utf-8", true)
    );
    assert_eq!(
        of(b"ab", Encoding::VALID_UTF8, None, latin1),
        named("utf-8", false)
    );
    // The bytes could not be read as ASCII if they were UTF-16.
    assert_eq!(
        of(utf8, Encoding::VALID_UTF8, None, Some("utf-16")),
        named("utf-8", false)
    );
    // NULs, which browsers ignore, do not refute it.
    assert_eq!(
        of(b"na\0\xefve", guess, None, latin1),
        named("windows-1252", false)
    );
    let japanese = encoding_rs::ISO_2022_JP.encode("日本").0;
    assert_eq!(
        of(&japanese, guess, None, Some("iso-2022-jp")),
        named("iso-2022-jp", false)
    );
}

#[test]
fn server_label_applies_after_byte_order_mark() {
    let coding = |label: &str, head: &[u8]| of_label(label, head).map(|found| found.charset);
    let web = |encoding| Some(Charset::Web(encoding));
    assert_eq!(
        coding("latin1", b"na\xefve"),
        web(encoding_rs::WINDOWS_1252)
    );
    assert_eq!(
        coding("Shift_JIS", b"\x93\xfa"),
        web(encoding_rs::SHIFT_JIS)
    );
    assert_eq!(coding("utf-16le", b"a\0"), web(encoding_rs::UTF_16LE));
    // A byte order mark or a NUL takes precedence over the label.
    assert_eq!(coding("latin1", b"\xef\xbb\xbfa"), None);
    assert_eq!(coding("latin1", b"a\0b"), None);
    assert_eq!(coding("no such thing", b"a"), None);
}
