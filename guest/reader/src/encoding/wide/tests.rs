use crate::encoding::detect;
use crate::pages::Input;
use crate::world::Bytes;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GBK, KOI8_R, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1255,
};

fn detected(bytes: &[u8]) -> Option<(String, bool)> {
    let mut source = Bytes::new(bytes.to_vec());
    let mut input = Input::new(&mut source, Some(bytes.len() as u64)).unwrap();
    detect(&mut input, Some(bytes.len() as u64), |_| false).map(|e| (e.charset.name(), e.guessed))
}

/// The detected encoding, if it is UTF-16 or UTF-32.
fn wide(bytes: &[u8]) -> Option<String> {
    let (name, _) = detected(bytes)?;
    ["utf-16", "utf-32"]
        .iter()
        .any(|wide| name.starts_with(wide))
        .then_some(name)
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let bytes = |unit: u16| {
        if big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    text.encode_utf16().flat_map(bytes).collect()
}

fn utf32(text: &str, big: bool) -> Vec<u8> {
    let bytes = |c: char| {
        if big {
            u32::from(c).to_be_bytes()
        } else {
            u32::from(c).to_le_bytes()
        }
    };
    text.chars().flat_map(bytes).collect()
}

/// A generator of reproducible random numbers (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}

const TEXTS: [&str; 32] = [
    "hello\n",
    "hello\nworld\n",
    "naïve Straße\n",
    "Zażółć gęślą jaźń\n",
    "Tôi có thể ăn thủy tinh mà không hại gì.\n",
    "Γαζέες καὶ μυρτιὲς δὲν θὰ βρῶ πιὰ στὸ χρυσαφὶ ξέφωτο\n",
    "Съешь же ещё этих мягких французских булок\n",
    "Привет\n",
    "דג סקרן שט בים מאוכזב ולפתע מצא חברה\n",
    "نص حكيم له سر قاطع وذو شأن عظيم\n",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า\n",
    "मैं काँच खा सकता हूँ और मुझे उससे कोई चोट नहीं पहुंचती।\n",
    "আমি কাঁচ খেতে পারি, তাতে আমার কোনো ক্ষতি হয় না।\n",
    "მინას ვჭამ და არა მტკივა.\n",
    "我能吞下玻璃而不伤身体。\n",
    "我能吞下玻璃而不伤身体。\n下一行 ok\n",
    "這個文件是用來測試編碼的，內容是中文。\n",
    "设置：网络连接失败，请检查您的密码。\n",
    "色は匂へど散りぬるを、我が世誰ぞ常ならむ\n",
    "これは日本語の文章です。\n",
    "ファイルが見つかりません\n",
    "나는 유리를 먹을 수 있어요. 그래도 아프지 않아요\n",
    "안녕하세요. 반갑습니다\n",
    "😀 emoji\n",
    "😀😃😄🎉\n",
    "form\u{b}feed and some more text\n",
    "\u{1b}[31mred\u{1b}[0m and plain\n",
    "┌─────────┬───────────┐\n│ name    │ value     │\n├─────────┼───────────┤\n│ a       │ 1         │\n",
    "// ─────────────────────\n// Helpers\n// ─────────────────────\nint main(){return 0;}\n",
    "Name\r\n──────────────────────────────\r\nvalue\r\n",
    "English\nDeutsch\nРусский\nالعربية\nעברית\nहिन्दी\n中文\n日本語\nPolski\n",
    "привет = hello = Γειά σου = שלום\n",
];

#[test]
fn wide_text_of_many_scripts_is_guessed() {
    for text in TEXTS {
        for (bytes, name) in [
            (utf16(text, false), "utf-16le"),
            (utf16(text, true), "utf-16be"),
            (utf32(text, false), "utf-32le"),
            (utf32(text, true), "utf-32be"),
        ] {
            assert_eq!(detected(&bytes), Some((name.to_owned(), true)), "{text}");
        }
    }
    // Many scripts in one text.
    let all = TEXTS.concat();
    assert_eq!(wide(&utf16(&all, true)).as_deref(), Some("utf-16be"));
    // Longer than the head, which ends between two surrogates.
    let long = format!("a{}", "😀\n".repeat(4000));
    let long = detected(&utf16(&long, false));
    assert_eq!(long, Some(("utf-16le".to_owned(), true)));
    // Damage in a text with strong evidence.
    let mut torn = utf16(&"a line of many\n".repeat(20), false);
    torn.pop();
    torn[101] = 0xdc;
    let torn = detected(&torn);
    assert_eq!(torn, Some(("utf-16le".to_owned(), true)));
}

/// Words of several languages, each with a legacy encoding of the language.
const WORDS: [(&encoding_rs::Encoding, &str); 11] = [
    (
        WINDOWS_1252,
        "the quick brown fox Straße größer für Müller déjà vu été garçon niño señor ação \
         coração 100 2024 = ; file.txt C:\\dir \u{20ac}5 don’t “quoted” tabs\tand more ok",
    ),
    (
        WINDOWS_1250,
        "zażółć gęślą jaźń příliš žluťoučký kůň úpěl árvíztűrő tükörfúrógép",
    ),
    (
        WINDOWS_1251,
        "съешь же ещё этих мягких французских булок да выпей чаю",
    ),
    (
        KOI8_R,
        "съешь же ещё этих мягких французских булок да выпей чаю",
    ),
    (
        WINDOWS_1253,
        "ξεσκεπάζω την ψυχοφθόρα βδελυγμία γαζίες και μυρτιές",
    ),
    (WINDOWS_1255, "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה"),
    (
        SHIFT_JIS,
        "これは 日本語 の 文章 です。 ファイル が 見つかりません ありがとう すみません \
         東京都 千代田区 よろしく お願い します ください んん よう から まで",
    ),
    (
        EUC_JP,
        "これは 日本語 の 文章 です。 ファイル が 見つかりません ありがとう",
    ),
    (
        EUC_KR,
        "안녕하세요 나는 유리를 먹을 수 있어요 그래도 아프지 않아요 이것은 시험 입니다",
    ),
    (
        GBK,
        "我能 吞下 玻璃 而不 伤身体 这是 一个 用来 测试 编码 检测 的 中文 文本 包含 足够多 汉字",
    ),
    (
        BIG5,
        "這個 文件 是 用來 測試 編碼 的 內容 是 中文 網路 連線 失敗 請 檢查 您的 密碼",
    ),
];

/// A line of 8-bit text with a NUL at any position is detected as binary, never as UTF-16.
#[test]
fn lines_of_8_bits_with_one_nul_are_never_wide() {
    let mut numbers = Numbers(1);
    for (encoding, words) in WORDS {
        let words: Vec<&str> = words.split(' ').collect();
        for line in 0..60 {
            let count = 1 + numbers.below(12);
            // Asian lines have hardly any spaces.
            let between = ["", " ", ", ", "\t"][if line % 2 == 0 { 0 } else { numbers.below(4) }];
            let text: Vec<&str> = (0..count)
                .map(|_| words[numbers.below(words.len())])
                .collect();
            let text = format!("{}{}", text.join(between), ["", "\n", "\r\n"][line % 3]);
            let bytes = encoding.encode(&text).0.into_owned();
            for at in 0..=bytes.len() {
                let mut nul = bytes.clone();
                nul.insert(at, 0);
                assert_eq!(wide(&nul), None, "{} {at} {text:?}", encoding.name());
                if at < bytes.len() {
                    nul.remove(at + 1);
                    assert_eq!(wide(&nul), None, "{} {at} {text:?}", encoding.name());
                }
            }
        }
    }
}

#[test]
fn lists_with_nuls_are_never_wide() {
    for list in [
        &b"text\0text"[..],
        b"text\0texts",
        b"a.txt\0b.txt\0",
        "grün\0größer\0".as_bytes(),
        b"ab\0cd\0ef\0gh\0",
        b"a\0bcd\0e\0fgh\0",
        b"a\0",
        b"zip\0a\0b\0c\0",
        b"of\0we\0an\0do\0y\0y\0",
        b"5\x00402\x001\x000\x009\x00",
        b"1\t2\t3\t\n\0",
        b"F0E0D0C0\n\0",
        b"`O}Y\n\0",
        b"\0",
    ] {
        assert_eq!(detected(list), None, "{list:?}");
    }
}

#[test]
fn numbers_are_never_wide() {
    let numbers: Vec<u8> = (0u32..400).flat_map(|n| (n * 7).to_le_bytes()).collect();
    assert_eq!(detected(&numbers), None);
    assert_eq!(detected(&[0; 9000]), None);
    assert_eq!(detected(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), None);
    let mut numbers = Numbers(2);
    for size in 0..2000 {
        let bytes: Vec<u8> = (0..size % 200)
            .map(|_| numbers.next().to_le_bytes()[0])
            .collect();
        assert_eq!(detected(&[&bytes[..], &[0]].concat()), None, "{bytes:?}");
        let units = |end: u64, numbers: &mut Numbers| -> Vec<u8> {
            let units = (0..40 + size % 200).map(|_| u16::try_from(numbers.next() % end).unwrap());
            units.flat_map(u16::to_le_bytes).collect()
        };
        for end in [256, 1000, 2048, 16_384, 40_000, 65_536] {
            let units = units(end, &mut numbers);
            assert_eq!(wide(&units), None, "{end} {units:?}");
        }
    }
}
