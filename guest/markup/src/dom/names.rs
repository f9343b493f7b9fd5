//! Names of elements and attributes.
//!
//! A name is looked up by a number that is made of its bytes, which costs a few comparisons.

/// The number of a name: the bytes of a short name, or a hash of a long one. The names in the tables
/// have different ones.
const fn key(name: &[u8]) -> u64 {
    if name.len() > PACKED {
        return hash(name) | LONG;
    }
    // The first bit that is set separates names of different lengths.
    let mut key: u64 = 1;
    let mut rest = name;
    while let [byte, after @ ..] = rest {
        key = (key << 8) | *byte as u64;
        rest = after;
    }
    key
}

/// The length of the longest name whose number consists of its bytes.
const PACKED: usize = 7;

/// The bit of the numbers of long names. Several names may have the same hash.
const LONG: u64 = 1 << 63;

/// The hash FNV-1a.
const fn hash(name: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut rest = name;
    while let [byte, after @ ..] = rest {
        hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        rest = after;
    }
    hash
}

macro_rules! names {
    ($(#[$doc:meta])* $type:ident, $keys:ident: $($variant:ident $name:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(
            missing_docs,
            clippy::enum_variant_names,
            reason = "each is the name that it says"
        )]
        pub enum $type {
            $($variant,)*
        }

        #[allow(non_upper_case_globals, reason = "each has the name of its variant")]
        mod $keys {
            $(pub const $variant: u64 = super::key($name.as_bytes());)*
        }

        impl $type {
            /// The element or attribute with this name, in lower case. `None` if it is not listed.
            pub fn of(name: &[u8]) -> Option<Self> {
                let found = match key(name) {
                    $($keys::$variant => Self::$variant,)*
                    _ => return None,
                };
                (name.len() <= PACKED || found.name().as_bytes() == name).then_some(found)
            }

            /// The name in lower case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// All names.
            #[cfg(test)]
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
        }
    };
}

names! {
    /// An element of HTML, SVG or MathML. Other elements are [`Tag::Other`].
    Tag, tags:
    Other "",
    A "a", Abbr "abbr", Address "address", Annotation "annotation", AnnotationXml "annotation-xml",
    Applet "applet", Area "area", Article "article", Aside "aside", Audio "audio", B "b", Base "base",
    Basefont "basefont", Bdi "bdi", Bdo "bdo", Bgsound "bgsound", Big "big", Blockquote "blockquote", Body "body", Br "br", Button "button",
    Canvas "canvas", Caption "caption", Center "center", Cite "cite", Code "code", Col "col",
    Colgroup "colgroup", Data "data", Datalist "datalist", Dd "dd", Del "del", Desc "desc",
    Details "details", Dfn "dfn", Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em",
    Embed "embed", Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Font "font",
    Footer "footer", ForeignObject "foreignobject", Form "form", Frame "frame", Frameset "frameset",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header",
    Hgroup "hgroup", Hr "hr", Html "html", I "i", Iframe "iframe", Image "image", Img "img", Input "input",
    Ins "ins", Kbd "kbd", Keygen "keygen", Label "label", Legend "legend", Li "li", Link "link", Listing "listing",
    Main "main", Malignmark "malignmark", Map "map", Mark "mark", Marquee "marquee", Math "math", Menclose "menclose",
    Menu "menu", Merror "merror", Meta "meta", Meter "meter", Mfenced "mfenced", Mfrac "mfrac", Mglyph "mglyph",
    Mi "mi", Mmultiscripts "mmultiscripts", Mn "mn", Mo "mo", Mover "mover", Mpadded "mpadded",
    Mphantom "mphantom", Mprescripts "mprescripts", Mroot "mroot", Mrow "mrow", Ms "ms",
    Mspace "mspace", Msqrt "msqrt", Mstyle "mstyle", Msub "msub", Msubsup "msubsup", Msup "msup",
    Mtable "mtable", Mtd "mtd", Mtext "mtext", Mtr "mtr", Munder "munder", Munderover "munderover",
    Nav "nav", Nobr "nobr", Noembed "noembed", Noframes "noframes", Noscript "noscript",
    Object "object", Ol "ol", Optgroup "optgroup", Option "option", Output "output", P "p",
    Param "param", Picture "picture", Plaintext "plaintext", Pre "pre", Progress "progress", Q "q",
    Rb "rb", Rp "rp", Rt "rt", Rtc "rtc", Ruby "ruby", S "s", Samp "samp", Script "script",
    Search "search", Section "section", Select "select", Semantics "semantics", Slot "slot",
    Small "small", Source "source", Span "span", Strike "strike", Strong "strong", Style "style",
    Sub "sub", Summary "summary", Sup "sup", Svg "svg", Table "table", Tbody "tbody", Td "td",
    Template "template", Textarea "textarea", Tfoot "tfoot", Th "th", Thead "thead", Time "time",
    Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul", Var "var", Video "video",
    Wbr "wbr", Xmp "xmp",
}

names! {
    /// An attribute that a conversion uses. Other attributes are not kept.
    Name, attributes:
    Alt "alt", Alttext "alttext", AriaControls "aria-controls", AriaExpanded "aria-expanded",
    AriaHaspopup "aria-haspopup", AriaHidden "aria-hidden", AriaLabel "aria-label",
    AriaLabelledby "aria-labelledby", AriaLevel "aria-level", AriaModal "aria-modal",
    Bevelled "bevelled", Bgcolor "bgcolor", Checked "checked", Cite "cite", Class "class", Close "close", Color "color",
    Colspan "colspan", Content "content", Data "data", DataBsTarget "data-bs-target",
    DataBsToggle "data-bs-toggle", DataCode "data-code", DataLang "data-lang",
    DataLanguage "data-language", DataLazySrc "data-lazy-src", DataLazySrcset "data-lazy-srcset",
    DataOriginal "data-original", DataSrc "data-src", DataSrcset "data-srcset",
    DataTarget "data-target", DataTestid "data-testid", DataToggle "data-toggle", DataType "data-type", Datetime "datetime", Dir "dir",
    Display "display", EpubType "epub:type", Encoding "encoding", Face "face", Form "form", Height "height", Hidden "hidden", Href "href",
    HttpEquiv "http-equiv", Id "id",
    Itemprop "itemprop", Itemscope "itemscope", Itemtype "itemtype", Label "label", Lang "lang", Linebreak "linebreak", Linethickness "linethickness", Mathvariant "mathvariant",
    Name "name", Notation "notation", Open "open", Property "property", Rel "rel", Reversed "reversed", Role "role",
    Rowspan "rowspan", Scope "scope", Shadowrootmode "shadowrootmode", Selected "selected", Separators "separators", Size "size", Sizes "sizes", Src "src", Srcdoc "srcdoc", Srcset "srcset",
    Start "start", Stretchy "stretchy", Style "style", Summary "summary", Title "title", Type "type", Value "value",
    Width "width", XlinkHref "xlink:href", XmlLang "xml:lang",
}

impl Tag {
    /// Whether the element never has content.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Self::Area
                | Self::Base
                | Self::Br
                | Self::Col
                | Self::Embed
                | Self::Frame
                | Self::Hr
                | Self::Img
                | Self::Input
                | Self::Link
                | Self::Meta
                | Self::Param
                | Self::Source
                | Self::Track
                | Self::Wbr
        )
    }

    /// The level of a heading: 1 for `h1`.
    pub fn heading(self) -> Option<u8> {
        Some(match self {
            Self::H1 => 1,
            Self::H2 => 2,
            Self::H3 => 3,
            Self::H4 => 4,
            Self::H5 => 5,
            Self::H6 => 6,
            _ => return None,
        })
    }

    /// Whether the element starts and ends a block of text.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Article
                | Self::Aside
                | Self::Blockquote
                | Self::Body
                | Self::Caption
                | Self::Center
                | Self::Dd
                | Self::Details
                | Self::Dialog
                | Self::Dir
                | Self::Div
                | Self::Dl
                | Self::Dt
                | Self::Fieldset
                | Self::Figcaption
                | Self::Figure
                | Self::Footer
                | Self::Form
                | Self::Frameset
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Head
                | Self::Header
                | Self::Hgroup
                | Self::Hr
                | Self::Html
                | Self::Legend
                | Self::Li
                | Self::Listing
                | Self::Main
                | Self::Marquee
                | Self::Menu
                | Self::Nav
                | Self::Ol
                | Self::Optgroup
                | Self::Option
                | Self::P
                | Self::Plaintext
                | Self::Pre
                | Self::Search
                | Self::Section
                | Self::Summary
                | Self::Table
                | Self::Tbody
                | Self::Td
                | Self::Tfoot
                | Self::Th
                | Self::Thead
                | Self::Title
                | Self::Tr
                | Self::Ul
                | Self::Xmp
        )
    }

    /// Whether the element ends the search for an open element that an end tag closes: "special"
    /// in the HTML standard, 13.2.4.2.
    pub fn is_special(self) -> bool {
        macro_rules! tags {
            ($($name:ident)*) => {
                $(Self::$name)|*
            };
        }
        matches!(
            self,
            tags!(Address Applet Area Article Aside Base Basefont Bgsound Blockquote Body Br Button
                Caption Center Col Colgroup Dd Details Dir Div Dl Dt Embed Fieldset Figcaption Figure
                Footer Form Frame Frameset H1 H2 H3 H4 H5 H6 Head Header Hgroup Hr Html Iframe Img
                Input Keygen Li Link Listing Main Marquee Menu Meta Nav Noembed Noframes Noscript
                Object Ol P Param Plaintext Pre Script Search Section Select Source Style Summary
                Table Tbody Td Template Textarea Tfoot Th Thead Title Tr Track Ul Wbr Xmp)
        )
    }

    /// A number for the name of an element, which is different for other elements as well. `name` is
    /// needed for these only.
    pub fn number(self, name: &[u8]) -> u32 {
        if self == Self::Other {
            // The lower half of the hash, with a bit that the numbers of listed names do not have.
            let [.., a, b, c, d] = hash(name).to_be_bytes();
            u32::from_be_bytes([a, b, c, d]) | 1 << 31
        } else {
            self as u32
        }
    }

    /// Whether the element belongs to a table, and is not a cell.
    pub fn is_table_structure(self) -> bool {
        matches!(
            self,
            Self::Table | Self::Tbody | Self::Thead | Self::Tfoot | Self::Tr | Self::Colgroup
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_bytes() {
        for tag in Tag::ALL {
            assert_eq!(Tag::of(tag.name().as_bytes()), Some(*tag), "{tag:?}");
        }
        for name in Name::ALL {
            assert_eq!(Name::of(name.name().as_bytes()), Some(*name), "{name:?}");
        }
        for name in ["blockquo", "blockquotes", "x-y", "ab", "A"] {
            assert_eq!(Tag::of(name.as_bytes()), None, "{name}");
        }
    }
}
