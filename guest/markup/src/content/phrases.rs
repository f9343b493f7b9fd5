//! Phrases that say that a block is not a part of the text.
//!
//! The tables have phrases of the trade in the most frequent languages of the web. A phrase counts
//! only in a short block.

/// Headings over links to other texts. A heading starts with the phrase.
const RELATED: &[&str] = &[
    "also on",
    "also read",
    "also see",
    "articles liés",
    "articles recommandés",
    "articoli correlati",
    "artigos relacionados",
    "artikel terkait",
    "artículos relacionados",
    "auch interessant",
    "baca juga",
    "check out these",
    "compare similar",
    "customers also",
    "da leggere",
    "das könnte sie auch interessieren",
    "editor's picks",
    "editors' picks",
    "entradas relacionadas",
    "frequently bought together",
    "further reading",
    "ilgili haberler",
    "in other news",
    "just in",
    "keep reading",
    "kunden kauften auch",
    "latest articles",
    "latest from",
    "latest news",
    "latest posts",
    "latest stories",
    "lee también",
    "lees ook",
    "leggi anche",
    "leia mais",
    "leia também",
    "lesen sie auch",
    "lire aussi",
    "mais lidas",
    "mehr aus",
    "mehr zum thema",
    "more articles",
    "more by",
    "more from",
    "more great",
    "more in",
    "more like this",
    "more news",
    "more on",
    "more posts",
    "more stories",
    "more to explore",
    "more to read",
    "most popular",
    "most read",
    "most viewed",
    "must read",
    "news terkait",
    "next article",
    "next post",
    "noticias relacionadas",
    "notícias relacionadas",
    "other stories",
    "people also",
    "plus d'articles",
    "popular articles",
    "popular news",
    "popular posts",
    "popular stories",
    "posts relacionados",
    "previous article",
    "previous post",
    "productos relacionados",
    "products related to",
    "produits similaires",
    "przeczytaj także",
    "read also",
    "read more",
    "read next",
    "recent articles",
    "recent news",
    "recent posts",
    "recent stories",
    "recently viewed",
    "recommended",
    "relacionado",
    "related products",
    "related",
    "see also",
    "similar articles",
    "similar items",
    "similar posts",
    "similar products",
    "similar stories",
    "suggested",
    "sur le même sujet",
    "te puede interesar",
    "temas relacionados",
    "top stories",
    "trending",
    "up next",
    "veja também",
    "verwandte artikel",
    "você pode gostar",
    "voir aussi",
    "weitere artikel",
    "weitere themen",
    "what to read next",
    "you may also like",
    "you may also",
    "you may like",
    "you might also",
    "you might like",
    "zobacz także",
    "zum thema",
    "ähnliche produkte",
    "вам может",
    "другие новости",
    "ещё по теме",
    "материалы по теме",
    "популярные",
    "последние новости",
    "похожие",
    "рекомендуем",
    "самые популярные",
    "смотрите также",
    "читайте еще",
    "читайте также",
    "اقرأ أيضا",
    "مواضيع ذات صلة",
    "موضوعات متعلقة",
    "कृपया पढ़ें",
    "यह भी पढ़ें",
    "あわせて読みたい",
    "おすすめ",
    "延伸閱讀",
    "推荐",
    "最新記事",
    "热门",
    "相关",
    "相關",
    "関連",
    "관련",
    "인기",
];

/// Headings over the comments of readers, and over the form for them.
const COMMENTS: &[&str] = &[
    "add a comment",
    "add comment",
    "add your comment",
    "be the first to comment",
    "comentarios",
    "comentários",
    "commentaires",
    "commenti",
    "comments",
    "deixe um comentário",
    "deixe uma resposta",
    "deja un comentario",
    "deja una respuesta",
    "discuss",
    "join the conversation",
    "join the discussion",
    "komentar",
    "komentarze",
    "kommentar",
    "kommentare",
    "laisser un commentaire",
    "lascia un commento",
    "leave a comment",
    "leave a reply",
    "post a comment",
    "post comment",
    "reacties",
    "reader comments",
    "schreibe einen kommentar",
    "share your thoughts",
    "tell us what you think",
    "tinggalkan balasan",
    "view comments",
    "what do you think",
    "write a comment",
    "yorumlar",
    "добавить комментарий",
    "добавить отзыв",
    "комментарии",
    "оставить комментарий",
    "отзывы",
    "コメント",
    "評論",
    "评论",
    "댓글",
];

/// Whole blocks that are labels of something around the text.
const LABELS: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "advertising",
    "anuncio",
    "anzeige",
    "article continues below",
    "article continues below advertisement",
    "back to top",
    "caption",
    "close",
    "comment",
    "comments",
    "continue reading",
    "continue reading below",
    "copy link",
    "email",
    "facebook",
    "iklan",
    "instagram",
    "like this",
    "link copied",
    "linkedin",
    "loading",
    "log in",
    "next",
    "pinterest",
    "previous",
    "print",
    "print this article",
    "publicidad",
    "publicidade",
    "publicité",
    "pubblicità",
    "read full article",
    "reklam",
    "reklama",
    "reply",
    "save",
    "scroll down",
    "share",
    "share article",
    "share on facebook",
    "share on twitter",
    "share on whatsapp",
    "share this",
    "share this article",
    "share this page",
    "share this post",
    "share this story",
    "share this with",
    "sign in",
    "skip ad",
    "skip advertisement",
    "sponsored",
    "story continues",
    "story continues below",
    "story continues below advertisement",
    "tags",
    "teilen",
    "top",
    "tweet",
    "view gallery",
    "watch now",
    "whatsapp",
    "реклама",
    "поделиться",
    "広告",
    "广告",
    "廣告",
    "シェアする",
    "分享",
    "광고",
    "공유",
];

/// Starts of blocks that send readers elsewhere.
const PROMPTS: &[&str] = &[
    "abonnez-vous",
    "abonnieren sie",
    "by continuing to",
    "ce site utilise",
    "cet site utilise",
    "diese website verwendet",
    "este site utiliza",
    "este sitio utiliza",
    "our website uses cookies",
    "questo sito utilizza",
    "this site uses cookies",
    "this website uses cookies",
    "we use cookies",
    "wir verwenden cookies",
    "сайт использует",
    "also read:",
    "also:",
    "also see:",
    "baca juga:",
    "click here for more",
    "click here to read",
    "click here to sign",
    "click here to subscribe",
    "download our app",
    "download the app",
    "enter your email",
    "filed under",
    "follow me on",
    "follow us",
    "for more news",
    "get our",
    "get the latest",
    "have a tip?",
    "inscreva-se",
    "join our",
    "leia também:",
    "like us on",
    "lire aussi",
    "more:",
    "newsletter:",
    "posted in:",
    "read also:",
    "read more",
    "read next",
    "read:",
    "related:",
    "related article:",
    "related articles:",
    "related stories:",
    "related story:",
    "see also:",
    "sign up",
    "sign-up",
    "subscribe",
    "support our",
    "suscríbete",
    "tags:",
    "topics:",
    "want more",
    "watch:",
    "you can also subscribe",
    "подписывайтесь",
    "подпишитесь",
    "теги:",
    "читайте также",
];

/// Social networks on which authors ask to be followed.
const NETWORKS: &[&str] = &[
    "facebook",
    "instagram",
    "linkedin",
    "tiktok",
    "twitter",
    "youtube",
];

/// The meaning of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// A heading over links to other texts.
    Related,
    /// A heading over what a shop says of every product.
    Shop,
    /// A heading over comments.
    Comments,
    /// A label, such as `Advertisement`.
    Label,
    /// A prompt, such as `Sign up for our newsletter`.
    Prompt,
}

/// The length in bytes of the longest block that is compared.
pub const LONGEST: usize = 300;

/// The length in characters of the longest heading and label.
const SHORT: usize = 60;

/// The tables of all phrases with which a block or a part of it may start.
const TABLES: [&[&str]; 4] = [RELATED, COMMENTS, LABELS, PROMPTS];

/// A set of pairs of bytes: those with which the phrases start. Few texts start with one of them,
/// so that most texts are compared with no phrase.
static STARTS: [u64; 1024] = starts_of_phrases();

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "it is evaluated when this is compiled"
)]
const fn starts_of_phrases() -> [u64; 1024] {
    let mut set = [0; 1024];
    let mut table = 0;
    while table < TABLES.len() {
        let mut phrase = 0;
        while phrase < TABLES[table].len() {
            let bytes = TABLES[table][phrase].as_bytes();
            let pair = (bytes[0] as usize) << 8 | bytes[1] as usize;
            set[pair / 64] |= 1 << (pair % 64);
            phrase += 1;
        }
        table += 1;
    }
    set
}

/// The kind of phrase that a text may be, by its start and its end. Most texts are not a phrase. This
/// test is much faster than a comparison with all phrases.
enum Perhaps {
    Nothing,
    Counter,
    Phrase,
}

fn perhaps(text: &str) -> Perhaps {
    let text = text.trim_matches(|character: char| !character.is_alphanumeric());
    let [first, second, ..] = text.as_bytes() else {
        return Perhaps::Phrase;
    };
    // Other letters than those of ASCII have another size in lower case.
    if !first.is_ascii() || !second.is_ascii() {
        return Perhaps::Phrase;
    }
    let pair = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
    if pair == *b"fo" || str::from_utf8(&pair).is_ok_and(may_start) {
        Perhaps::Phrase
    } else if text.ends_with(|character: char| character.is_ascii_digit()) {
        Perhaps::Counter
    } else {
        Perhaps::Nothing
    }
}

/// Whether a phrase may start as a text does.
fn may_start(text: &str) -> bool {
    let [first, second, ..] = text.as_bytes() else {
        return false;
    };
    let pair = usize::from(u16::from_be_bytes([*first, *second]));
    let bits = STARTS.get(pair / 64).copied().unwrap_or(0);
    bits.wrapping_shr(u32::try_from(pair % 64).unwrap_or(0)) & 1 == 1
}

/// Finds what a short block says. `heading` says whether it may be a heading.
pub fn find(text: &str, heading: bool) -> Option<Phrase> {
    if text.len() > LONGEST {
        return None;
    }
    if !heading {
        match perhaps(text) {
            Perhaps::Nothing => return None,
            Perhaps::Counter => return is_counter(text).then_some(Phrase::Label),
            Perhaps::Phrase => {}
        }
    }
    let lower = text.to_lowercase();
    let lower = lower.replace('’', "'");
    let words = lower.trim_matches(|character: char| !character.is_alphanumeric());
    if words.chars().count() <= SHORT {
        if may_start(words) && LABELS.contains(&words) {
            return Some(Phrase::Label);
        }
        if heading {
            // The number of comments precedes the word.
            let name = words.trim_start_matches(|character: char| !character.is_alphabetic());
            if may_start(name) && heads(name, COMMENTS) {
                return Some(Phrase::Comments);
            }
            if may_start(words) && heads(words, RELATED) {
                return Some(Phrase::Related);
            }
        }
    }
    let start = lower.trim_start_matches(|character: char| !character.is_alphanumeric());
    let follow = start.starts_with("follow ") && NETWORKS.iter().any(|name| start.contains(name));
    if follow || starts(start, PROMPTS) {
        return Some(Phrase::Prompt);
    }
    is_counter(words).then_some(Phrase::Label)
}

/// Whether a prompt may be a sentence of the text: it starts with a single word or a label with a
/// colon, such as `Subscribe` or `Read:`, and ends as a sentence does.
pub fn may_be_sentence(text: &str) -> bool {
    let text = text.trim();
    let Some(first) = text.split_whitespace().next() else {
        return false;
    };
    let first = first.to_lowercase();
    let is_word = first.ends_with(':') || PROMPTS.contains(&first.as_str());
    is_word && text.ends_with(['.', '!', '?', '。'])
}

/// Whether a text is the number of an image in a gallery, such as `Image 1 of 5` or `1/50`.
pub fn is_counter(text: &str) -> bool {
    let text = text.trim_matches(|character: char| !character.is_alphanumeric());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() <= 9
        && let Some((one, other)) = text.split_once('/')
    {
        return is_number(one.trim()) && is_number(other.trim());
    }
    let mut words = text.split_whitespace().rev();
    matches!(
        (words.next(), words.next(), words.next(), words.next(), words.next()),
        (Some(last), Some(of), Some(first), _, None)
            if of.eq_ignore_ascii_case("of") && is_number(last) && is_number(first)
    )
}

/// Whether a heading starts with one of the phrases. A single word is the whole heading, or nearly:
/// `Comments (3)`, `Related stories`, but not `Comments in code` or `Related work in the field`.
pub fn heads(text: &str, phrases: &[&str]) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic));
    let short = words.count() <= 2;
    phrases.iter().any(|phrase| {
        (short || !phrase.is_ascii() || phrase.contains(' ')) && starts_with(text, &[phrase])
    })
}

/// Whether a text starts with one of the phrases, as whole words.
fn starts(text: &str, phrases: &[&str]) -> bool {
    may_start(text) && starts_with(text, phrases)
}

fn starts_with(text: &str, phrases: &[&str]) -> bool {
    let first = text.as_bytes().first();
    phrases.iter().any(|phrase| {
        // Most phrases differ in the first byte, whose comparison needs no call.
        phrase.as_bytes().first() == first
            && text.strip_prefix(phrase).is_some_and(|rest| {
                let next = rest.chars().next();
                phrase.ends_with([':', '?'])
                    || !phrase.is_ascii()
                    || next.is_none_or(|next| !next.is_alphanumeric())
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_over_links_is_related() {
        assert_eq!(find("Related stories", true), Some(Phrase::Related));
        assert_eq!(find("You may also like…", true), Some(Phrase::Related));
        assert_eq!(find("関連記事", true), Some(Phrase::Related));
        assert_eq!(find("Relatedness of owls", true), None);
        assert_eq!(find("Related work in the field", true), None);
        assert_eq!(find("Related stories", false), None);
    }

    #[test]
    fn heading_with_number_of_comments_is_comments() {
        assert_eq!(find("12 Comments", true), Some(Phrase::Comments));
        assert_eq!(find("Comments (3)", true), Some(Phrase::Comments));
        assert_eq!(find("Comments in code", true), None);
    }

    #[test]
    fn label_is_whole_block() {
        assert_eq!(find(" Advertisement ", false), Some(Phrase::Label));
        assert_eq!(find("Share the bread", false), None);
    }

    #[test]
    fn number_of_image_is_label() {
        assert_eq!(find("Image 1 of 5", false), Some(Phrase::Label));
        assert_eq!(find("3/12", false), Some(Phrase::Label));
        assert_eq!(find("Part 1 of the story", false), None);
        assert_eq!(find("24/7 service", false), None);
    }

    #[test]
    fn prompt_starts_block() {
        assert_eq!(find("READ MORE: A storm", false), Some(Phrase::Prompt));
        assert_eq!(find("Subscribers left in 2019.", false), None);
    }
}
