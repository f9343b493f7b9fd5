//! The words in classes and ids, which authors and programs choose to say what an element is.
//!
//! A name is split at punctuation and at capitals: `articleBody` and `article-body` have the words
//! `article` and `body`. The tables have general words of the trade, and no names of sites.

/// What the words of an element say, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    /// Comments of readers.
    pub const COMMENT: Self = Self(1);
    /// Buttons that share the page, and links to social networks.
    pub const SHARE: Self = Self(1 << 1);
    /// Links to other texts.
    pub const RELATED: Self = Self(1 << 2);
    /// Navigation.
    pub const NAVIGATION: Self = Self(1 << 3);
    /// Advertisements.
    pub const AD: Self = Self(1 << 4);
    /// Prompts to subscribe, register or pay.
    pub const PROMPT: Self = Self(1 << 5);
    /// The authors of the text.
    pub const AUTHOR: Self = Self(1 << 6);
    /// Dates, categories and other facts about the text.
    pub const META: Self = Self(1 << 7);
    /// Captions and credits of images.
    pub const CAPTION: Self = Self(1 << 8);
    /// The end of a page: copyright, imprint.
    pub const FOOTER: Self = Self(1 << 9);
    /// Consent to cookies, and other texts in front of the page.
    pub const NOTICE: Self = Self(1 << 10);
    /// A column beside the text.
    pub const SIDEBAR: Self = Self(1 << 11);
    /// Controls of players, galleries and tools.
    pub const CONTROL: Self = Self(1 << 12);
    /// The text itself: `article-body`.
    pub const BODY: Self = Self(1 << 13);
    /// A post of a discussion, or an answer.
    pub const POST: Self = Self(1 << 15);
    /// Documentation.
    pub const DOCUMENTATION: Self = Self(1 << 16);
    /// A quotation that repeats the text.
    pub const PULL_QUOTE: Self = Self(1 << 17);
    /// A text or quotation from a social network, which the text embeds.
    pub const EMBED: Self = Self(1 << 18);
    /// The title, or the head of the text with it.
    pub const HEAD: Self = Self(1 << 19);
    /// Text for screen readers only.
    pub const SCREEN_READER: Self = Self(1 << 21);
    /// A forum.
    pub const FORUM: Self = Self(1 << 22);
    /// A program that generates documentation.
    pub const GENERATED: Self = Self(1 << 23);
    /// A text of a blog or, in a forum, of a discussion.
    pub const ENTRY: Self = Self(1 << 24);
    /// What customers say of a product.
    pub const REVIEW: Self = Self(1 << 14);
    /// What is around each post of a discussion: facts about its author, a signature, buttons.
    pub const POST_FRAME: Self = Self(1 << 20);
    /// Things around the text that are not the text.
    pub const AROUND: Self = Self(
        Self::COMMENT.0
            | Self::SHARE.0
            | Self::RELATED.0
            | Self::NAVIGATION.0
            | Self::AD.0
            | Self::PROMPT.0
            | Self::FOOTER.0
            | Self::NOTICE.0
            | Self::SIDEBAR.0
            | Self::CONTROL.0
            | Self::SCREEN_READER.0
            | Self::REVIEW.0
            | Self::POST_FRAME.0,
    );

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub const fn except(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Words with a meaning of their own, sorted.
const WORDS: &[(&str, Kinds)] = &[
    ("about", Kinds::AUTHOR),
    ("ad", Kinds::AD),
    ("addthis", Kinds::SHARE),
    ("addtoany", Kinds::SHARE),
    ("ads", Kinds::AD),
    ("adsbygoogle", Kinds::AD),
    ("adsense", Kinds::AD),
    ("advert", Kinds::AD),
    ("advertisement", Kinds::AD),
    ("advertising", Kinds::AD),
    ("advertorial", Kinds::AD),
    ("adwrapper", Kinds::AD),
    ("answer", Kinds::POST),
    ("answers", Kinds::POST),
    ("api", Kinds::DOCUMENTATION),
    ("apidocs", Kinds::DOCUMENTATION),
    ("articlebody", Kinds::BODY),
    ("articlecontent", Kinds::BODY),
    ("articletext", Kinds::BODY),
    ("aside", Kinds::SIDEBAR),
    ("attribution", Kinds::CAPTION),
    ("author", Kinds::AUTHOR),
    ("authorbox", Kinds::AUTHOR),
    ("authors", Kinds::AUTHOR),
    ("banner", Kinds::AD),
    ("bio", Kinds::AUTHOR),
    ("breadcrumb", Kinds::NAVIGATION),
    ("breadcrumbs", Kinds::NAVIGATION),
    ("byline", Kinds::AUTHOR),
    ("caption", Kinds::CAPTION),
    ("captions", Kinds::CAPTION),
    ("categories", Kinds::META),
    ("category", Kinds::META),
    ("comment", Kinds::COMMENT),
    ("commentlist", Kinds::COMMENT),
    ("comments", Kinds::COMMENT),
    ("commerce", Kinds::AD),
    ("consent", Kinds::NOTICE),
    ("contributor", Kinds::AUTHOR),
    ("controls", Kinds::CONTROL),
    ("cookie", Kinds::NOTICE),
    ("cookies", Kinds::NOTICE),
    ("copyright", Kinds::FOOTER),
    ("credit", Kinds::CAPTION),
    ("credits", Kinds::CAPTION),
    ("crosssell", Kinds::RELATED),
    ("cta", Kinds::PROMPT),
    ("date", Kinds::META),
    ("dateline", Kinds::META),
    ("datetime", Kinds::META),
    ("dfp", Kinds::AD),
    ("discussion", Kinds::COMMENT),
    ("disqus", Kinds::COMMENT),
    ("doc", Kinds::DOCUMENTATION),
    ("docs", Kinds::DOCUMENTATION),
    ("documentation", Kinds::DOCUMENTATION),
    ("docusaurus", Kinds::GENERATED),
    ("docutils", Kinds::GENERATED),
    ("doxygen", Kinds::GENERATED),
    ("dropdown", Kinds::NAVIGATION),
    ("entrycontent", Kinds::BODY),
    ("eyebrow", Kinds::META),
    ("feedback", Kinds::REVIEW),
    ("figcaption", Kinds::CAPTION),
    ("follow", Kinds::SHARE),
    ("foot", Kinds::FOOTER),
    ("footer", Kinds::FOOTER),
    ("forum", Kinds::FORUM),
    ("forums", Kinds::FORUM),
    ("gdpr", Kinds::NOTICE),
    ("globalfooter", Kinds::FOOTER),
    ("globalnav", Kinds::NAVIGATION),
    ("gnav", Kinds::NAVIGATION),
    ("headerlink", Kinds::CONTROL),
    ("heading", Kinds::HEAD),
    ("headline", Kinds::HEAD),
    ("javadoc", Kinds::GENERATED),
    ("kicker", Kinds::META),
    ("livefyre", Kinds::COMMENT),
    ("login", Kinds::PROMPT),
    ("manpage", Kinds::GENERATED),
    ("manual", Kinds::DOCUMENTATION),
    ("markdown", Kinds::BODY),
    ("masthead", Kinds::NAVIGATION),
    ("mdbook", Kinds::GENERATED),
    ("megamenu", Kinds::NAVIGATION),
    ("menu", Kinds::NAVIGATION),
    ("message", Kinds::POST),
    ("meta", Kinds::META),
    ("metadata", Kinds::META),
    ("mkdocs", Kinds::GENERATED),
    ("modal", Kinds::NOTICE),
    ("mpu", Kinds::AD),
    ("nav", Kinds::NAVIGATION),
    ("navbar", Kinds::NAVIGATION),
    ("navbox", Kinds::NAVIGATION),
    ("navigation", Kinds::NAVIGATION),
    ("newsletter", Kinds::PROMPT),
    ("newsletters", Kinds::PROMPT),
    ("noprint", Kinds::CONTROL),
    ("offcanvas", Kinds::NAVIGATION),
    ("outbrain", Kinds::RELATED),
    ("overlay", Kinds::NOTICE),
    ("pager", Kinds::NAVIGATION),
    ("pagination", Kinds::NAVIGATION),
    ("paywall", Kinds::PROMPT),
    ("permalink", Kinds::META),
    ("phpbb", Kinds::FORUM),
    ("player", Kinds::CONTROL),
    ("popular", Kinds::RELATED),
    ("popup", Kinds::NOTICE),
    ("post", Kinds::ENTRY),
    ("postbit", Kinds::POST),
    ("postbody", Kinds::BODY),
    ("postcontainer", Kinds::POST),
    ("postcontent", Kinds::BODY),
    ("postmeta", Kinds::META),
    ("postprofile", Kinds::POST_FRAME),
    ("posttext", Kinds::BODY),
    ("privacy", Kinds::NOTICE),
    ("promo", Kinds::RELATED),
    ("promos", Kinds::RELATED),
    ("promoted", Kinds::AD),
    ("prose", Kinds::BODY),
    ("published", Kinds::META),
    ("pullquote", Kinds::PULL_QUOTE),
    ("qa", Kinds::POST),
    ("question", Kinds::POST),
    ("rating", Kinds::CONTROL),
    ("ratings", Kinds::CONTROL),
    ("readmore", Kinds::RELATED),
    ("recently", Kinds::RELATED),
    ("recirc", Kinds::RELATED),
    ("recirculation", Kinds::RELATED),
    ("recommendation", Kinds::RELATED),
    ("recommendations", Kinds::RELATED),
    ("recommended", Kinds::RELATED),
    ("reference", Kinds::DOCUMENTATION),
    ("related", Kinds::RELATED),
    ("relatedposts", Kinds::RELATED),
    ("relatedstories", Kinds::RELATED),
    ("replies", Kinds::COMMENT),
    ("reply", Kinds::COMMENT),
    ("respond", Kinds::COMMENT),
    ("review", Kinds::REVIEW),
    ("reviews", Kinds::REVIEW),
    ("richtext", Kinds::BODY),
    ("rst", Kinds::GENERATED),
    ("rubric", Kinds::META),
    ("rustdoc", Kinds::GENERATED),
    ("search", Kinds::NAVIGATION),
    ("seealso", Kinds::RELATED),
    ("share", Kinds::SHARE),
    ("sharebar", Kinds::SHARE),
    ("sharedaddy", Kinds::SHARE),
    ("shares", Kinds::SHARE),
    ("shariff", Kinds::SHARE),
    ("sharing", Kinds::SHARE),
    ("shoutbox", Kinds::COMMENT),
    ("showthread", Kinds::FORUM),
    ("sidebar", Kinds::SIDEBAR),
    ("sidenav", Kinds::NAVIGATION),
    ("signature", Kinds::POST_FRAME),
    ("signup", Kinds::PROMPT),
    ("social", Kinds::SHARE),
    ("socials", Kinds::SHARE),
    ("sphinx", Kinds::GENERATED),
    ("sphinxsidebar", Kinds::NAVIGATION),
    ("sponsor", Kinds::AD),
    ("sponsored", Kinds::AD),
    ("storybody", Kinds::BODY),
    ("storytext", Kinds::BODY),
    ("submenu", Kinds::NAVIGATION),
    ("subscribe", Kinds::PROMPT),
    ("subscription", Kinds::PROMPT),
    ("taboola", Kinds::RELATED),
    ("tag", Kinds::META),
    ("taglist", Kinds::META),
    ("tags", Kinds::META),
    ("talkback", Kinds::COMMENT),
    ("taxonomy", Kinds::META),
    ("teaser", Kinds::RELATED),
    ("teasers", Kinds::RELATED),
    ("thread", Kinds::FORUM),
    ("timestamp", Kinds::META),
    ("title", Kinds::HEAD),
    ("toc", Kinds::NAVIGATION),
    ("toolbar", Kinds::CONTROL),
    ("tools", Kinds::CONTROL),
    ("tooltip", Kinds::NOTICE),
    ("topic", Kinds::FORUM),
    ("topics", Kinds::META),
    ("trending", Kinds::RELATED),
    ("tweet", Kinds::EMBED),
    ("upsell", Kinds::RELATED),
    ("vbulletin", Kinds::FORUM),
    ("viewtopic", Kinds::FORUM),
    ("vpdoc", Kinds::GENERATED),
    ("widget", Kinds::SIDEBAR),
    ("widgets", Kinds::SIDEBAR),
    ("yarpp", Kinds::RELATED),
    ("zergnet", Kinds::RELATED),
];

/// Two words that mean something together, in this order. The first may name a text, and the
/// second its body, which [`TEXTS`] and [`BODIES`] list.
const PAIRS: &[(&str, &str, Kinds)] = &[
    ("also", "read", Kinds::RELATED),
    ("editors", "picks", Kinds::RELATED),
    ("expand", "link", Kinds::POST_FRAME),
    ("from", "web", Kinds::RELATED),
    ("more", "from", Kinds::RELATED),
    ("more", "news", Kinds::RELATED),
    ("more", "on", Kinds::RELATED),
    ("more", "stories", Kinds::RELATED),
    ("most", "popular", Kinds::RELATED),
    ("most", "read", Kinds::RELATED),
    ("next", "article", Kinds::RELATED),
    ("next", "post", Kinds::RELATED),
    ("post", "date", Kinds::META),
    ("post", "meta", Kinds::META),
    ("post", "navigation", Kinds::NAVIGATION),
    ("print", "only", Kinds::SCREEN_READER),
    ("pull", "quote", Kinds::PULL_QUOTE),
    ("read", "more", Kinds::RELATED),
    ("read", "next", Kinds::RELATED),
    ("read", "also", Kinds::RELATED),
    ("reader", "text", Kinds::SCREEN_READER),
    ("screen", "reader", Kinds::SCREEN_READER),
    ("see", "also", Kinds::RELATED),
    ("shrink", "link", Kinds::POST_FRAME),
    ("sign", "up", Kinds::PROMPT),
    ("sr", "only", Kinds::SCREEN_READER),
    ("story", "timeline", Kinds::RELATED),
    ("top", "stories", Kinds::RELATED),
    ("user", "banner", Kinds::POST_FRAME),
    ("user", "extras", Kinds::POST_FRAME),
    ("user", "title", Kinds::POST_FRAME),
    ("visually", "hidden", Kinds::SCREEN_READER),
    ("you", "may", Kinds::RELATED),
    ("you", "might", Kinds::RELATED),
];

/// Words for a text, before one of [`BODIES`].
const TEXTS: &[&str] = &[
    "article", "artikel", "blog", "blogpost", "body", "content", "detail", "entry", "full", "main",
    "news", "node", "page", "post", "press", "rich", "single", "story", "text",
];

/// Words for the body of a text, after one of [`TEXTS`].
const BODIES: &[&str] = &["body", "content", "contents", "copy", "text", "txt"];

/// Words which make an element a part of the layout, so that its other words do not describe its
/// content: `has-sidebar`, `with-comments`, `no-share`.
const STATES: &[&str] = &["has", "hide", "is", "no", "not", "with", "without"];

/// Words between one of [`TEXTS`] and one of [`BODIES`] that do not change what they say.
const BETWEEN: &[&str] = &["full", "html", "inner", "main", "page", "the", "wrapper"];

/// What the words of a class or an id say.
pub fn kinds(name: &str) -> Kinds {
    let mut kinds = Kinds::default();
    for class in name.split_ascii_whitespace() {
        let mut before = Word::default();
        let mut text = false;
        let mut rest = class.as_bytes();
        while !rest.is_empty() {
            let word;
            (word, rest) = Word::first(rest);
            let name = word.as_str();
            if name.is_empty() {
                continue;
            }
            if before.as_str().is_empty() && STATES.contains(&name) {
                break;
            }
            kinds = kinds.or(of(name)).or(pair(before.as_str(), name));
            if text && BODIES.contains(&name) {
                kinds = kinds.or(Kinds::BODY);
            }
            text = TEXTS.contains(&name) || (text && BETWEEN.contains(&name));
            before = word;
        }
    }
    kinds
}

/// The length of the longest word that is compared. Longer words are not in the tables.
const LONGEST: usize = 16;

/// A word in lower case.
#[derive(Clone, Copy, Default)]
struct Word {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Word {
    /// The first word of a name, and the rest of the name. The word is empty if it is too long.
    fn first(name: &[u8]) -> (Self, &[u8]) {
        let start = name.iter().position(u8::is_ascii_alphabetic);
        let name = name.get(start.unwrap_or(name.len())..).unwrap_or_default();
        let mut word = Self::default();
        let mut lower = false;
        for byte in name {
            if !byte.is_ascii_alphabetic() || (lower && byte.is_ascii_uppercase()) {
                break;
            }
            lower = byte.is_ascii_lowercase();
            if let Some(place) = word.bytes.get_mut(word.length) {
                *place = byte.to_ascii_lowercase();
            }
            word.length = word.length.saturating_add(1);
        }
        let rest = name.get(word.length..).unwrap_or_default();
        if word.length > LONGEST {
            word.length = 0;
        }
        (word, rest)
    }

    fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        str::from_utf8(bytes).unwrap_or_default()
    }
}

fn of(word: &str) -> Kinds {
    WORDS
        .binary_search_by(|(known, _)| (*known).cmp(word))
        .ok()
        .and_then(|at| WORDS.get(at))
        .map_or(Kinds::default(), |(_, kinds)| *kinds)
}

fn pair(before: &str, word: &str) -> Kinds {
    if before.is_empty() {
        return Kinds::default();
    }
    PAIRS
        .iter()
        .find(|(first, second, _)| *first == before && *second == word)
        .map_or(Kinds::default(), |(_, _, kinds)| *kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_table_is_sorted() {
        assert!(WORDS.is_sorted_by(|one, other| one.0 < other.0));
        assert!(WORDS.iter().all(|(word, _)| word.len() <= LONGEST));
    }

    #[test]
    fn names_are_split_at_punctuation_and_capitals() {
        assert!(kinds("articleBody").has(Kinds::BODY));
        assert!(kinds("x post-content__inner").has(Kinds::BODY));
        assert!(kinds("ArticleText").has(Kinds::BODY));
        assert!(kinds("social_share2").has(Kinds::SHARE));
        assert!(kinds("jp-relatedposts").has(Kinds::RELATED));
        assert_eq!(kinds("download adjacent"), Kinds::default());
    }

    #[test]
    fn words_of_a_state_say_nothing() {
        assert!(!kinds("has-sidebar no-comments").has(Kinds::AROUND));
        assert!(kinds("has-sidebar sidebar").has(Kinds::SIDEBAR));
    }
}
