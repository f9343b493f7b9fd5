//! Texts → glyphs.

use super::frame::{Frame, PageFont};
use super::machine::Machine;
use super::state::State;
use crate::fonts::Loaded;
use crate::limits;
use crate::matrix::Matrix;
use crate::page::{Colour, Direction, FontId, Glyph, Mark, Rect, Text};
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Dict, Name, Object, String as PdfString};

/// Executes an operator of text.
pub fn operator<'a>(m: &mut Machine<'a>, operator: &Op<'_, '_>, frame: &mut Frame<'_, 'a>) {
    let text = &mut m.state.text;
    match operator {
        Op::BeginText(_) => {
            text.matrix = Matrix::IDENTITY;
            text.line = Matrix::IDENTITY;
        }
        Op::EndText(_) => m.end_text(),
        Op::SetTextMatrix(t) => {
            text.matrix = Matrix([t.0, t.1, t.2, t.3, t.4, t.5].map(|it| it.as_f32()));
            text.line = text.matrix;
        }
        Op::TextFont(font) => {
            text.size = font.1.as_f32();
            choose(m, font.0, frame);
        }
        Op::CharacterSpacing(space) => text.character_space = space.0.as_f32(),
        Op::WordSpacing(space) => text.word_space = space.0.as_f32(),
        Op::HorizontalScaling(scale) => text.scale = scale.0.as_f32() / 100.0,
        Op::TextLeading(leading) => text.leading = leading.0.as_f32(),
        Op::TextRise(rise) => text.rise = rise.0.as_f32(),
        Op::TextRenderingMode(mode) => text.mode = mode.0.as_i64(),
        Op::NextLine(by) => text.next_line(by.0.as_f32(), by.1.as_f32()),
        Op::NextLineAndSetLeading(by) => {
            text.leading = -by.1.as_f32();
            text.next_line(by.0.as_f32(), by.1.as_f32());
        }
        Op::NextLineUsingLeading(_) => text.next_line(0.0, -text.leading),
        Op::ShowText(string) => show(m, string.0),
        Op::NextLineAndShowText(string) => {
            text.next_line(0.0, -text.leading);
            show(m, string.0);
        }
        Op::ShowTextWithParameters(string) => {
            text.word_space = string.0.as_f32();
            text.character_space = string.1.as_f32();
            text.next_line(0.0, -text.leading);
            show(m, string.2);
        }
        Op::ShowTexts(list) => {
            for object in list.0.iter::<Object<'_>>() {
                match object {
                    Object::Number(number) => m.state.text.adjust(number.as_f32()),
                    Object::String(string) => show(m, &string),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn choose<'a>(m: &mut Machine<'a>, name: &Name<'_>, frame: &mut Frame<'_, 'a>) {
    if let Some(known) = frame.fonts.get(name.as_ref()) {
        m.state.text.font = Some(known.clone());
        return;
    }
    let font = match frame.resources.get_font(name) {
        Some(dict) => {
            m.charge(dict.data().len());
            m.font(&dict)
        }
        None => m.fallback_font(),
    };
    if frame.fonts.len() < limits::FONTS {
        frame.fonts.insert(name.as_ref().to_vec(), font.clone());
    }
    m.state.text.font = Some(font);
}

impl<'a> Machine<'a> {
    /// The font of a dictionary, and its number on the page.
    pub fn font(&mut self, dict: &Dict<'a>) -> PageFont {
        let data = dict.data();
        let key = (data.as_ptr().addr(), data.len());
        if self.font_entries >= limits::FONT_ENTRIES {
            return self.fallback_font();
        }
        let loaded = self.file.font(key, dict);
        if !self.fonts.contains_key(&key) {
            self.font_entries = self.font_entries.saturating_add(loaded.entries());
        }
        let id = self.font_id(key, &loaded);
        PageFont { id, loaded }
    }

    /// The font of text whose font is missing.
    pub fn fallback_font(&mut self) -> PageFont {
        let loaded = self.file.fallback_font();
        let id = self.font_id((0, 0), &loaded);
        PageFont { id, loaded }
    }

    fn font_id(&mut self, key: (usize, usize), loaded: &Loaded) -> FontId {
        if let Some(id) = self.fonts.get(&key) {
            return *id;
        }
        let id = FontId(u16::try_from(self.out.fonts.len()).unwrap_or(u16::MAX));
        if self.out.fonts.len() < usize::from(u16::MAX) {
            self.out.fonts.push(loaded.info.clone());
            self.fonts.insert(key, id);
        }
        id
    }
}

/// The place of the glyphs of a text. Only the point changes from one glyph to the next.
struct Place {
    /// From glyph space to text space.
    inner: Matrix,
    /// The last matrix of the text, from text space to the page, and from glyph space to the page.
    last: Option<[Matrix; 3]>,
}

impl Place {
    fn of(state: &State) -> Self {
        let text = &state.text;
        Self {
            inner: Matrix([text.size * text.scale, 0.0, 0.0, text.size, 0.0, text.rise]),
            last: None,
        }
    }

    /// From glyph space to the page. Numbers that are the same as for the last glyph are not computed again.
    fn whole(&mut self, state: &State) -> Matrix {
        let matrix = state.text.matrix;
        let (outer, whole) = match self.last {
            Some([last, outer, whole]) if last.has_same_shape(&matrix) => {
                let [.., x, y] = matrix.0;
                let outer = outer.at(state.matrix.point(x, y));
                let [.., x, y] = self.inner.0;
                (outer, whole.at(outer.point(x, y)))
            }
            _ => {
                let outer = state.matrix.after(matrix);
                (outer, outer.after(self.inner))
            }
        };
        self.last = Some([matrix, outer, whole]);
        whole
    }
}

fn show(m: &mut Machine<'_>, string: &PdfString<'_>) {
    if m.state.text.font.is_none() {
        m.state.text.font = Some(m.fallback_font());
    }
    let Some(font) = m.state.text.font.clone() else {
        return;
    };
    let vertical = font.loaded.info.vertical;
    let mut place = Place::of(&m.state);
    let pen = Pen::of(m, &font);
    font.loaded.codes(string.as_bytes(), |code| {
        let text = &m.state.text;
        let whole = place.whole(&m.state);
        let own = code.advance / 1000.0;
        let space = text.character_space
            + if code.word_space {
                text.word_space
            } else {
                0.0
            };
        let advance = if vertical {
            (0.0, own * text.size + space)
        } else {
            ((own * text.size + space) * text.scale, 0.0)
        };
        if m.wanted.is_none() {
            let (dx, dy) = if vertical {
                whole.vector(0.0, own)
            } else {
                whole.vector(own, 0.0)
            };
            pen.glyph(m, &code.text, whole, (dx, dy));
        }
        let text = &mut m.state.text;
        text.matrix = text.matrix.after(Matrix::moved(advance.0, advance.1));
    });
}

/// Adds a glyph.
pub fn glyph(m: &mut Machine<'_>, font: &PageFont, text: &Text, whole: Matrix, by: (f32, f32)) {
    Pen::of(m, font).glyph(m, text, whole, by);
}

/// What the glyphs of a text have in common: the state changes only between texts.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent properties"
)]
struct Pen<'f> {
    font: &'f PageFont,
    colour: Colour,
    inkless: bool,
    heavy: bool,
    clips: bool,
    artifact: bool,
    mark: Option<Mark>,
    /// Whether all glyphs are hidden.
    hidden: bool,
    /// Whether another text replaces the own one of the glyphs.
    is_replaced: bool,
}

impl<'f> Pen<'f> {
    fn of(m: &Machine<'_>, font: &'f PageFont) -> Self {
        let mode = m.state.text.mode;
        let strokes = matches!(mode, 1 | 2 | 5 | 6);
        let paint = if mode % 4 == 1 {
            &m.state.stroke
        } else {
            &m.state.fill
        };
        let faint = paint.alpha < 0.02;
        let clip = &m.state.clip;
        Self {
            font,
            colour: paint.colour,
            inkless: faint || matches!(mode, 3 | 7),
            heavy: strokes && mode % 4 == 2,
            clips: (4..=7).contains(&mode),
            artifact: m.marks.artifact(),
            mark: m.marks.mark(),
            hidden: clip.width() <= 0.0 || clip.height() <= 0.0 || m.marks.hidden(),
            is_replaced: m.marks.replaces(),
        }
    }

    /// Adds a glyph.
    fn glyph(&self, m: &mut Machine<'_>, text: &Text, whole: Matrix, by: (f32, f32)) {
        if m.out.glyphs.len() >= limits::GLYPHS {
            m.out.missing.cut = true;
            m.operators = 0;
            return;
        }
        let (x, y) = whole.point(0.0, 0.0);
        if !whole.is_finite() || !x.is_finite() || !y.is_finite() || x.abs() > 1e6 || y.abs() > 1e6
        {
            return;
        }
        let [right_x, right_y, up_x, up_y, ..] = whole.0;
        // Most text is upright, and the root of a square takes long.
        let length = if up_x == 0.0 {
            up_y.abs()
        } else {
            up_x.hypot(up_y)
        };
        let PageFont { id, loaded } = self.font;
        let size = length * loaded.em;
        let direction = if by.0 == 0.0 && by.1 == 0.0 {
            direction((right_x, right_y), loaded.info.vertical, (up_x, up_y))
        } else {
            direction(by, false, (up_x, up_y))
        };
        let end = (x + by.0, y + by.1);
        let area = Rect::of((x, y), end);
        let (x0, x1) = if direction == Direction::Right {
            (area.x0, area.x1)
        } else {
            (x, end.0)
        };
        // A glyph at the edge of the clip path is seen in part.
        let reach = size * 0.5;
        let clip = &m.state.clip;
        let outside = area.x1 < clip.x0 - reach
            || area.x0 > clip.x1 + reach
            || area.y1 < clip.y0 - reach * 0.2
            || area.y0 - size * 0.7 > clip.y1 + reach * 0.2;
        let in_hole = m
            .state
            .hole
            .is_some_and(|it| it.contains(f32::midpoint(x, end.0), f32::midpoint(y, end.1)));
        let own = self.is_replaced.then(|| m.marks.replacement()).flatten();
        let mut text = own.unwrap_or_else(|| text.clone());
        // Programs give all characters of a letter with marks to each of its glyphs.
        if let (Text::Many(_), Some(last)) = (&text, m.out.glyphs.last_mut())
            && last.text == text
            && (last.x0 - x0).abs() < size
        {
            let is_flat = |x0: f32, x1: f32| (x1 - x0).abs() < 0.01 * size;
            if is_flat(x0, x1) {
                text = Text::None;
            } else if is_flat(last.x0, last.x1) {
                last.text = Text::None;
            }
        }
        m.unseen.push(outside || in_hole || self.hidden);
        if self.clips {
            m.text_clip.add(self.inkless.then_some(m.out.glyphs.len()));
        }
        m.out.glyphs.push(Glyph {
            text,
            x0,
            x1,
            y,
            y1: if direction == Direction::Right {
                y
            } else {
                end.1
            },
            size,
            direction,
            font: *id,
            colour: self.colour,
            invisible: self.inkless,
            heavy: self.heavy,
            artifact: self.artifact,
            mcid: self.mark,
        });
    }
}

/// The direction of a vector, for which 3 degrees off are straight.
fn direction(by: (f32, f32), vertical: bool, up: (f32, f32)) -> Direction {
    let (x, y) = if vertical { (-up.0, -up.1) } else { by };
    let straight = 0.05;
    if y.abs() <= x.abs() * straight {
        if x >= 0.0 {
            Direction::Right
        } else {
            Direction::Left
        }
    } else if x.abs() <= y.abs() * straight {
        if y >= 0.0 {
            Direction::Down
        } else {
            Direction::Up
        }
    } else {
        Direction::Other
    }
}
