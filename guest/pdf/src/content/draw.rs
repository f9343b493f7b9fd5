//! The operators of content streams (ISO 32000-2, annex A).

use super::colour::Space;
use super::frame::Frame;
use super::inline_images::{self, Piece, Pieces};
use super::machine::{Machine, Winding};
use super::painted::Area;
use super::path::{Path, Shapes};
use super::state::{Paint, State};
use super::{bytes, text};
use crate::decode;
use crate::extremes::Extremes as _;
use crate::limits;
use crate::matrix::Matrix;
use crate::page::{Colour, Fill, Rect};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream};
use hayro_syntax::page::Resources;
use std::collections::BTreeMap;
use std::rc::Rc;

impl<'a> Machine<'a> {
    /// Interprets a stream with its resources. `stream` is the number of the object of the form.
    pub fn run(&mut self, bytes: &[u8], resources: &Resources<'a>, stream: u32) {
        let base = self.saved.len();
        let marks = self.marks.depth();
        let mut frame = Frame {
            resources,
            stream,
            base,
            fonts: BTreeMap::new(),
        };
        operators(self, bytes, &mut frame);
        self.path.clear();
        self.clips = None;
        if self.saved.len() > base {
            self.saved.truncate(base.saturating_add(1));
            if let Some(state) = self.saved.pop() {
                self.state = state;
            }
        }
        self.marks.end_to(marks);
    }

    /// Draws a form.
    pub fn form(&mut self, form: &Stream<'a>, resources: &Resources<'a>) {
        let number = form.dict().obj_id().map_or(0, |id| id.obj_number);
        if self.forms.len() >= limits::FORM_DEPTH || number != 0 && self.forms.contains(&number) {
            return;
        }
        // Text of a layer that is not shown is counted.
        let hides = !self.file.layers().shows(form.dict(), b"OC");
        if hides && !self.marks.hide() {
            return;
        }
        self.draw_form(form, number, resources);
        if hides {
            self.marks.end();
        }
    }

    fn draw_form(&mut self, form: &Stream<'a>, number: u32, resources: &Resources<'a>) {
        // Each use of a form costs its bytes, so that forms which draw forms end.
        let Some((bytes, cut, work)) = decode::measured(form, self.bytes) else {
            self.bytes = self.bytes.saturating_sub(bytes::FAILED / bytes::FILTERS);
            return;
        };
        self.out.missing.cut |= cut;
        let cost = bytes.len().max(work / bytes::FILTERS).max(100);
        self.bytes = self.bytes.saturating_sub(cost);
        if self.bytes == 0 {
            self.out.missing.cut = true;
            return;
        }
        let before = self.state.clone();
        if let Some(matrix) = form.dict().get::<[f32; 6]>("Matrix") {
            self.state.matrix = self.state.matrix.after(Matrix(matrix));
        }
        if let Some(area) = form.dict().get::<[f32; 4]>("BBox") {
            let corners = [
                (area[0], area[1]),
                (area[2], area[1]),
                (area[2], area[3]),
                (area[0], area[3]),
            ];
            let corners = corners.map(|(x, y)| self.state.matrix.point(x, y));
            let around = corners
                .into_iter()
                .map(|point| Rect::of(point, point))
                .reduce(|all, one| all.around(&one));
            if let Some(around) = around {
                let inside = self.state.matrix.is_straight().then_some(around);
                self.clip(&around, inside);
            }
        }
        let own = form.dict().get::<Dict<'_>>("Resources").map(Resources::new);
        self.forms.push(number);
        self.run(&bytes, own.as_ref().unwrap_or(resources), number);
        self.forms.pop();
        self.state = before;
    }
}

/// Executes the operators of a stream.
fn operators<'a>(m: &mut Machine<'a>, bytes: &[u8], frame: &mut Frame<'_, 'a>) {
    if inline_images::is_cheap(bytes) {
        execute(m, bytes, frame);
        return;
    }
    for piece in Pieces::new(bytes) {
        match piece {
            Piece::Content(bytes) => {
                if !execute(m, bytes, frame) {
                    return;
                }
            }
            Piece::Unended => m.out.missing.unended = m.out.missing.unended.saturating_add(1),
            Piece::Unread => m.out.missing.cut = true,
        }
    }
}

/// Executes operators. Returns whether all were executed.
fn execute<'a>(m: &mut Machine<'a>, bytes: &[u8], frame: &mut Frame<'_, 'a>) -> bool {
    let resources = frame.resources;
    let mut operators = TypedIter::new(bytes);
    while let Some(operator) = operators.next() {
        let Some(rest) = m.operators.checked_sub(1) else {
            m.out.missing.cut |= m.wanted.is_none();
            return false;
        };
        m.operators = rest;
        match operator {
            Op::SaveState(_) => {
                if m.saved.len() < limits::STATES {
                    m.saved.push(m.state.clone());
                }
            }
            Op::RestoreState(_) => {
                if m.saved.len() > frame.base
                    && let Some(state) = m.saved.pop()
                {
                    m.state = state;
                }
            }
            Op::Transform(t) => {
                let matrix = Matrix([t.0, t.1, t.2, t.3, t.4, t.5].map(|it| it.as_f32()));
                m.state.matrix = m.state.matrix.after(matrix);
            }
            Op::LineWidth(width) => m.state.line_width = width.0.as_f32(),
            Op::SetGraphicsState(name) => {
                if let Some(dict) = resources.get_ext_g_state(name.0) {
                    m.charge(dict.data().len());
                    graphics_state(m, &dict);
                }
            }
            Op::BeginMarkedContent(mark) => {
                let layers = m.file.layers();
                m.marks.begin(mark.0, None, frame, layers);
            }
            Op::BeginMarkedContentWithProperties(mark) => {
                let (layers, properties) = (m.file.layers(), Some(mark.1));
                let read = m.marks.begin(mark.0, properties, frame, layers);
                m.charge(read);
            }
            Op::EndMarkedContent(_) => m.marks.end(),
            Op::XObject(name) => {
                if let Some(object) = resources.get_x_object(name.0) {
                    m.charge(object.dict().data().len());
                    let subtype = object.dict().get::<Name<'_>>("Subtype");
                    match subtype.as_deref() {
                        Some(b"Image") => {
                            let number = object.dict().obj_id().map(|id| id.obj_number);
                            m.image(&object, number, resources);
                        }
                        _ => m.form(&object, resources),
                    }
                }
            }
            Op::InlineImage(image) => m.image(image.0, None, resources),
            Op::Shading(_) => {
                if !m.marks.hidden() {
                    let clip = m.state.clip;
                    m.out.missing.ink = true;
                    if !m.paints_text(&clip, None) {
                        m.paints(&Area {
                            around: clip,
                            inside: &[],
                            colour: None,
                            opaque: false,
                        });
                    }
                }
            }
            operator if path(m, &operator) => {}
            operator if colour(m, &operator, resources) => {}
            operator => text::operator(m, &operator, frame),
        }
    }
    true
}

fn graphics_state<'a>(m: &mut Machine<'a>, dict: &Dict<'a>) {
    if let Some(alpha) = dict.get::<f32>("ca") {
        m.state.fill.alpha = alpha;
    }
    if let Some(alpha) = dict.get::<f32>("CA") {
        m.state.stroke.alpha = alpha;
    }
    if let Some(width) = dict.get::<f32>("LW") {
        m.state.line_width = width;
    }
    if let Some(mode) = dict.get::<Name<'_>>("BM") {
        m.state.covers = matches!(mode.as_ref(), b"Normal" | b"Compatible");
    }
    if let Some(list) = dict.get::<Array<'_>>("Font") {
        let mut parts = list.iter::<Object<'_>>();
        if let (Some(Object::Dict(font)), Some(Object::Number(size))) = (parts.next(), parts.next())
        {
            m.state.text.font = Some(m.font(&font));
            m.state.text.size = size.as_f32();
        }
    }
}

/// Paths. Returns whether it is such an operator.
fn path(m: &mut Machine<'_>, operator: &Op<'_, '_>) -> bool {
    let point = |x: Number, y: Number| m.state.matrix.point(x.as_f32(), y.as_f32());
    match operator {
        Op::MoveTo(to) => m.path.start(point(to.0, to.1)),
        Op::LineTo(to) => m.path.line(point(to.0, to.1), false),
        Op::CubicTo(to) => {
            let controls = (point(to.0, to.1), point(to.2, to.3));
            m.path
                .curve(Some(controls.0), controls.1, point(to.4, to.5));
        }
        Op::CubicStartTo(to) => m.path.curve(None, point(to.0, to.1), point(to.2, to.3)),
        Op::CubicEndTo(to) => {
            let end = point(to.2, to.3);
            m.path.curve(Some(point(to.0, to.1)), end, end);
        }
        Op::ClosePath(_) => m.path.close(),
        Op::RectPath(r) => {
            let [x, y, width, height] = [r.0, r.1, r.2, r.3].map(|it| it.as_f32());
            m.path.rectangle(m.state.matrix, (x, y), (width, height));
        }
        Op::StrokePath(_) => paint(m, false, true),
        Op::CloseAndStrokePath(_) => {
            m.path.close();
            paint(m, false, true);
        }
        Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
            paint(m, true, false);
        }
        Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => paint(m, true, true),
        Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
            m.path.close();
            paint(m, true, true);
        }
        Op::EndPath(_) => paint(m, false, false),
        Op::ClipNonZero(_) => m.clips = Some(Winding::NonZero),
        Op::ClipEvenOdd(_) => m.clips = Some(Winding::EvenOdd),
        _ => return false,
    }
    true
}

fn paint(m: &mut Machine<'_>, fills: bool, strokes: bool) {
    if !m.marks.hidden() {
        if fills && m.state.fill.alpha > 0.05 {
            let colour = m.state.fill.colour;
            let opaque = m.state.covers && m.state.fill.alpha >= 1.0;
            draw(m, colour, opaque, |path, shapes| path.fill(colour, shapes));
        }
        if strokes && m.state.stroke.alpha > 0.05 {
            let colour = m.state.stroke.colour;
            let thickness = m.state.line_width * m.state.matrix.scale();
            draw(m, colour, false, |path, shapes| {
                path.stroke(colour, thickness, shapes);
            });
        }
    }
    if let Some(winding) = m.clips.take() {
        let none = Rect::default();
        let bounds = m.path.bounds().unwrap_or(none);
        let inside = m.path.inside();
        let largest = inside
            .into_iter()
            .max_by(|a, b| a.area().total_cmp(&b.area()));
        m.clip(&bounds, largest);
        if winding == Winding::EvenOdd
            && let Some(hole) = m.path.hole()
        {
            m.state.hole = Some(hole);
        }
    }
    m.path.clear();
}

/// Draws the shapes of the path. `opaque` tells whether they cover what is below.
fn draw(
    m: &mut Machine<'_>,
    colour: Colour,
    opaque: bool,
    shapes_of: impl FnOnce(&Path, &mut Shapes),
) {
    let Some(bounds) = m.path.bounds() else {
        return;
    };
    m.out.missing.ink |= colour.distance(Colour::WHITE) > 8;
    if m.paints_text(&bounds, Some(colour)) {
        return;
    }
    let mut shapes = Shapes::default();
    shapes_of(&m.path, &mut shapes);
    for (rect, covers) in shapes.fills {
        m.paints(&Area {
            around: rect,
            inside: &[rect],
            colour: Some(colour),
            opaque: opaque && covers,
        });
        if let Some(rect) = rect.common(&m.state.clip)
            && m.out.fills.len() < limits::SHAPES
        {
            m.out.fills.push(Fill { rect, colour });
        }
    }
    for (around, inside) in shapes.others {
        m.paints(&Area {
            around,
            inside: &inside,
            colour: Some(colour),
            opaque,
        });
    }
    for mut rule in shapes.rules {
        let clip = &m.state.clip;
        let (low, high, from, to) = if rule.horizontal {
            (clip.x0, clip.x1, clip.y0, clip.y1)
        } else {
            (clip.y0, clip.y1, clip.x0, clip.x1)
        };
        rule.start = rule.start.greater(low);
        rule.end = rule.end.lesser(high);
        let seen = rule.start < rule.end && rule.at >= from - 1.0 && rule.at <= to + 1.0;
        if seen && m.out.rules.len() < limits::SHAPES {
            m.out.rules.push(rule);
        }
    }
}

/// Colours. Returns whether it is such an operator.
fn colour<'a>(m: &mut Machine<'a>, operator: &Op<'_, '_>, resources: &Resources<'a>) -> bool {
    let one = |numbers: &[Number]| numbers.iter().map(Number::as_f32).collect::<Vec<f32>>();
    match operator {
        Op::StrokeColorDeviceGray(c) => plain(&mut m.state.stroke, Space::Gray, &one(&[c.0])),
        Op::NonStrokeColorDeviceGray(c) => plain(&mut m.state.fill, Space::Gray, &one(&[c.0])),
        Op::StrokeColorDeviceRgb(c) => {
            plain(&mut m.state.stroke, Space::Rgb, &one(&[c.0, c.1, c.2]));
        }
        Op::NonStrokeColorDeviceRgb(c) => {
            plain(&mut m.state.fill, Space::Rgb, &one(&[c.0, c.1, c.2]));
        }
        Op::StrokeColorCmyk(c) => plain(
            &mut m.state.stroke,
            Space::Cmyk,
            &one(&[c.0, c.1, c.2, c.3]),
        ),
        Op::NonStrokeColorCmyk(c) => {
            plain(&mut m.state.fill, Space::Cmyk, &one(&[c.0, c.1, c.2, c.3]));
        }
        Op::ColorSpaceStroke(name) => choose(m, |state| &mut state.stroke, name.0, resources),
        Op::ColorSpaceNonStroke(name) => choose(m, |state| &mut state.fill, name.0, resources),
        Op::StrokeColor(c) => set(&mut m.state.stroke, &one(&c.0)),
        Op::NonStrokeColor(c) => set(&mut m.state.fill, &one(&c.0)),
        Op::StrokeColorNamed(c) => set(&mut m.state.stroke, &one(&c.0)),
        Op::NonStrokeColorNamed(c) => set(&mut m.state.fill, &one(&c.0)),
        _ => return false,
    }
    true
}

fn plain(paint: &mut Paint, space: Space, parts: &[f32]) {
    paint.colour = space.colour(parts);
    if *paint.space != space {
        paint.space = Rc::new(space);
    }
}

fn set(paint: &mut Paint, parts: &[f32]) {
    paint.colour = paint.space.colour(parts);
}

fn choose(
    m: &mut Machine<'_>,
    paint: impl Fn(&mut State) -> &mut Paint,
    name: &Name<'_>,
    resources: &Resources<'_>,
) {
    let space = Space::named(name).unwrap_or_else(|| {
        let Some(object) = resources.get_color_space(name) else {
            return Space::Gray;
        };
        if let Object::Array(array) = &object {
            m.charge(array.data().len());
        }
        Space::of(&object, 0)
    });
    let paint = paint(&mut m.state);
    paint.colour = space.initial();
    paint.space = Rc::new(space);
}
