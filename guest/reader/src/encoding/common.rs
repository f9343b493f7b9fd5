//! The most frequent East Asian characters.

/// Frequent characters of Chinese, simplified and traditional, and of Japanese. The ranges U+829F
/// to U+82F1 and U+8340 to U+8396 are excluded, because the Shift-JIS bytes of kana are these code
/// points if they are decoded as UTF-16.
const HAN: &str = "一丁万三上下不与且世业东両两个中为主么义之乗也书买了予争事二于五些交产京人什今从\
     仕他付代以们件任会伝传但位住体何作你使來価便係保信個倍們候値做傳像億儿先光克入全\
     兩公关其具内円再写军决几処出分切列则別利别到制削前力加务动助勉動務勝化北区医區十\
     午卖南印即却原去又及反发取受变口只可史号司各合同名后向吗君吧听呀告员呢味命和品員\
     商啊問喜四回因国國土在地场坂基報場境声売处変夏外多够大天太头女她好如始子存学學它\
     守安完定实実客宣宮家容宿寒實寫对导対将將對導小少尔就局屋展山岸島州工己已市师带師\
     帳帶常平年并幸広应府度庫庭建开式张張強强当形役待很後得從德心必応思急性总息您悲情\
     想意愛感成我或战戰所手才打払技把投报拉拾持指挙据接提擇據支放政教数整數文料斯新方\
     旅族无日早时明昔昭是時晚暑暗曜曲更書最會月有服望期木本机权村条来東板果柱査校株样\
     根格條植検業楽様樂樣横橋機檔檢權次欢歌歡正此歯歴死每比民气気氣水氷求決沒没油治法\
     波注泳洋活流海消深清済温測港湖湯满漢火炭点為無然爭爱爾物特王现玻現球理璃環生產用\
     由申电町画界畑番當病発登發白的皮目直相看県真眼着知短石研确確碼示礼社神祭福种科秒\
     程税種究空立章童笔笛第筆等管箱类系約紅級索細終経結給統絵經綠網総緑線締編練總经结\
     给统羊美義習老者而聞聲聽能臣自至與萬落葉薬處號血行術表被裡西要見規親覺觀见观规觉\
     解言計記設許試詩話該認語說説読課調談請論謝識議讀變讓计认让记许论设识话该语说请谢\
     豆象負買資賣質资走起路身車軍転軽輯輸车農边込达过运近返还这进追送這通速連進遊運過\
     道達遠選還邊那部都配酒里重量金鉄錢録長长門開間関關门问间队限院除陽隊階際难集難電\
     非面頁頭題類题風风飛食飲館饭馬駅马體高麼點鼻";

/// Frequent syllables of Korean.
const HANGUL: &str = "가각간감갔강같개거건것게겠결경계고공과관교구국군그글금기길김까나날남낮내네년녕노\
     눈는니님다단닫달당대던데도동됐되드든들등때떤떻라란랑러럼렇려력로르른를리링마만많\
     말며면명모못무문물므미민바반발밤밥방번법보본부북분불비사산상새생서선성세소손수스\
     습시식신실써아안않았양어업없었에여역연열영오와왔요용우원월위유으은을음의이인일입\
     있자잘장재저적전정제조좋죠주줄중지직진집째쪽차책처체출치크키타터테통투트파표품프\
     피필하학한할합해했행허현호화회후휴히";

/// Punctuation of East Asian texts.
const PUNCTUATION: &str = "　、。〇〈〉《》「」『』【】〜・！％（），：；？～￥";

/// One bit for each character of the basic multilingual plane, which is 1 if the character is
/// frequent in East Asian texts.
static COMMON: [u64; 1024] = bits(&[HAN, HANGUL, PUNCTUATION]);

/// Whether a character is one of the frequent East Asian characters.
pub fn is_common(c: char) -> bool {
    let code = u32::from(c);
    let bits = usize::try_from(code >> 6)
        .ok()
        .and_then(|at| COMMON.get(at));
    bits.is_some_and(|bits| bits.wrapping_shr(code & 63) & 1 == 1)
}

/// Builds the table of bits for the characters in `texts`, each of which must have three bytes in
/// UTF-8.
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "it is evaluated when this is compiled"
)]
const fn bits(texts: &[&str]) -> [u64; 1024] {
    let mut bits = [0; 1024];
    let mut text = 0;
    while text < texts.len() {
        let bytes = texts[text].as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let (a, b, c) = (bytes[at], bytes[at + 1], bytes[at + 2]);
            let code =
                (((a & 0xf) as usize) << 12) | (((b & 0x3f) as usize) << 6) | (c & 0x3f) as usize;
            bits[code >> 6] |= 1 << (code & 63);
            at += 3;
        }
        text += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_characters_are_found() {
        for c in "的國語안녕、。，".chars() {
            assert!(is_common(c), "{c}");
        }
        for c in "aé龘뷁\u{829f}\u{8396}\u{ffff}\u{1f600}".chars() {
            assert!(!is_common(c), "{c}");
        }
    }
}
