//! Fonts: codes → characters and widths.
//!
//! ```text
//! mod.rs       a font, by the kind of its dictionary
//! simple       fonts with codes of one byte
//! composite    fonts with codes of several bytes
//! code         what a code shows
//! symbols      characters of fonts of signs
//! glyph_map    glyphs of TrueType fonts → characters
//! tex          bitmap fonts of TeX
//! to_unicode   maps of codes to characters
//! names        what the name of a font says about it
//! ```

mod code;
mod composite;
mod glyph_map;
mod names;
mod simple;
mod symbols;
mod tex;
mod to_unicode;

use crate::page::Font;
pub use code::Code;
use code::bytes;
use composite::Composite;
use hayro_syntax::object::{Array, Dict, Name, Object};
use std::cell::RefCell;
use std::collections::BTreeMap;
use to_unicode::ToUnicode;

/// A font that is ready for use.
#[derive(Debug)]
pub struct Loaded {
    /// What the layout needs.
    pub info: Font,
    /// The number of font sizes that a line of text is high. Only fonts of Type 3 with coordinates of
    /// their own differ from 1.
    pub em: f32,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// The codes from 0 to 255.
    Simple(Vec<Code>),
    Composite(Box<Composite>, RefCell<BTreeMap<u32, Code>>),
}

impl Loaded {
    /// The number of entries of its maps and widths, which are in memory.
    pub fn entries(&self) -> usize {
        match &self.kind {
            Kind::Simple(codes) => codes.len(),
            Kind::Composite(font, _) => font.entries(),
        }
    }

    /// Splits a text into codes.
    pub fn codes(&self, bytes: &[u8], mut each: impl FnMut(&Code)) {
        match &self.kind {
            Kind::Simple(codes) => {
                for &byte in bytes {
                    if let Some(code) = codes.get(usize::from(byte)) {
                        each(code);
                    }
                }
            }
            Kind::Composite(font, known) => {
                let mut rest = bytes;
                while !rest.is_empty() {
                    let (code, length) = font.read(rest);
                    rest = rest.get(length.max(1)..).unwrap_or_default();
                    // The length is a part of the key: short and long codes may be equal.
                    let key = code.wrapping_add(u32::try_from(length).unwrap_or_default() << 29);
                    if let Some(known) = known.borrow().get(&key) {
                        each(known);
                        continue;
                    }
                    let made = font.code(code, length);
                    each(&made);
                    known.borrow_mut().insert(key, made);
                }
            }
        }
    }
}

/// Loads a font. A font that cannot be read shows unmapped glyphs.
pub fn load(dict: &Dict<'_>) -> Loaded {
    let subtype = dict.get::<Name<'_>>("Subtype");
    let subtype = subtype.as_deref().unwrap_or_default();
    let descendant = dict
        .get::<Array<'_>>("DescendantFonts")
        .and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let descriptor = match &descendant {
        Some(descendant) => descendant.get::<Dict<'_>>("FontDescriptor"),
        None => dict.get::<Dict<'_>>("FontDescriptor"),
    }
    .unwrap_or_default();
    let (mut info, cjk) = info(dict, &descriptor);
    let map = to_unicode(dict);
    if let (b"Type0", Some(descendant)) = (subtype, &descendant) {
        let font = Composite::new(dict, descendant, &descriptor, map, &info.name);
        info.vertical = font.is_vertical();
        info.mono |= font.is_mono() && !cjk;
        return Loaded {
            info,
            em: 1.0,
            kind: Kind::Composite(Box::new(font), RefCell::new(BTreeMap::new())),
        };
    }
    let simple = simple::load(dict, &descriptor, subtype, &map, &info.name);
    info.mono |= simple.mono && !cjk;
    info.bold |= simple.bold;
    Loaded {
        info,
        em: simple.em,
        kind: Kind::Simple(simple.codes),
    }
}

/// The font that is used where a page names no font that exists: Helvetica.
pub fn fallback() -> Loaded {
    Loaded {
        info: Font::default(),
        em: 1.0,
        kind: Kind::Simple(simple::standard()),
    }
}

/// What a dictionary says about a font, and whether it is a Chinese, Japanese or Korean font.
fn info(dict: &Dict<'_>, descriptor: &Dict<'_>) -> (Font, bool) {
    let name = dict
        .get::<Name<'_>>("BaseFont")
        .or_else(|| descriptor.get::<Name<'_>>("FontName"))
        .or_else(|| dict.get::<Name<'_>>("Name"));
    // Names in the code pages of East Asia are not text.
    let foreign = name.as_ref().is_some_and(|it| !it.as_ref().is_ascii());
    let name = name.map_or(String::new(), |name| {
        let name = crate::strings::line(name.as_str(), 200);
        names::without_prefix(&name).to_owned()
    });
    let flags = descriptor.get::<i32>("Flags").unwrap_or_default();
    let flag = |bit: u32| flags & (1_i32 << bit) != 0;
    let weight = descriptor.get::<f32>("FontWeight").unwrap_or_default();
    let angle = descriptor.get::<f32>("ItalicAngle").unwrap_or_default();
    let bold = names::is_bold(&name) || weight >= 600.0 || flag(18);
    let italic = names::is_italic(&name) || flag(6) || (-45.0..-2.0).contains(&angle);
    let cjk = foreign || names::is_cjk(&name);
    let font = Font {
        bold,
        italic,
        mono: names::is_mono(&name) || flag(0) && !cjk,
        serif: names::is_serif(&name) || flag(1) && !name.to_ascii_lowercase().contains("sans"),
        vertical: false,
        name,
    };
    (font, cjk)
}

fn to_unicode(dict: &Dict<'_>) -> ToUnicode {
    match dict.get::<Object<'_>>("ToUnicode") {
        Some(Object::Stream(stream)) => {
            bytes(&stream).map_or_else(ToUnicode::default, |bytes| ToUnicode::parse(&bytes))
        }
        // Some programs write the name of a map, for codes that are Unicode.
        Some(Object::Name(name)) if name.as_ref().starts_with(b"Identity") => ToUnicode::identity(),
        _ => ToUnicode::default(),
    }
}
