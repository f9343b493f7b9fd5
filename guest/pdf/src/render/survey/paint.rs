//! What tiling patterns, shadings and soft masks cost (ISO 32000-2, 8.7 and 11.5).

use super::budget::{Stop, whole};
use super::machine::{DEPTH, Survey};
use super::state::{State, after, units};
use super::{nesting, stream};
use crate::limits;
use hayro::kurbo::{Affine, Rect};
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::Resources;
use std::rc::Rc;

/// The time of a pixel of a shading in nanoseconds: a simple one, and one that calls a function.
const SIMPLE_PIXEL: f64 = 5.0;
const FUNCTION_PIXEL: f64 = 150.0;

/// The time of a byte of the program of a function in nanoseconds, for each pixel.
const PROGRAM_BYTE: f64 = 3.0;

/// The bytes of a pixel of a mesh. The library keeps them in a hash table.
const MESH_BYTES: f64 = 100.0;

/// The time of a byte of a mesh in nanoseconds: when it is read, when triangles are drawn, and when patches
/// are drawn. A patch of 40 bytes becomes 722 triangles.
const MESH_BYTE: u64 = 20;
const TRIANGLE_BYTE: u64 = 50;
const PATCH_BYTE: u64 = 2000;

/// The time of a pixel that is blended in nanoseconds: by its components, and by hue, saturation or
/// luminosity.
const BLENDED: f64 = 20.0;
const BLENDED_TOGETHER: f64 = 80.0;

/// The time of a pixel of a soft mask in nanoseconds.
const MASK_PIXEL: f64 = 5.0;

impl<'a> Survey<'a> {
    /// Executes an operator of colours. Returns whether it is one.
    pub fn colour(
        &mut self,
        operator: &Op<'_, '_>,
        resources: &Resources<'a>,
    ) -> Result<bool, Stop> {
        match operator {
            Op::NonStrokeColorDeviceGray(_)
            | Op::NonStrokeColorDeviceRgb(_)
            | Op::NonStrokeColorCmyk(_)
            | Op::NonStrokeColor(_) => self.state.fill = None,
            Op::StrokeColorDeviceGray(_)
            | Op::StrokeColorDeviceRgb(_)
            | Op::StrokeColorCmyk(_)
            | Op::StrokeColor(_) => self.state.stroke = None,
            Op::ColorSpaceNonStroke(name) => {
                self.state.fill = None;
                self.space(name.0, resources)?;
            }
            Op::ColorSpaceStroke(name) => {
                self.state.stroke = None;
                self.space(name.0, resources)?;
            }
            Op::NonStrokeColorNamed(c) => {
                self.state.fill = self.named(c.1.as_ref().copied(), resources)?;
            }
            Op::StrokeColorNamed(c) => {
                self.state.stroke = self.named(c.1.as_ref().copied(), resources)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Measures the streams of a colour space.
    fn space(&mut self, name: &Name<'_>, resources: &Resources<'a>) -> Result<(), Stop> {
        match resources.get_color_space(name) {
            Some(object) => self.measure(&object),
            None => Ok(()),
        }
    }

    fn named(
        &mut self,
        name: Option<&Name<'_>>,
        resources: &Resources<'a>,
    ) -> Result<Option<Rc<Object<'a>>>, Stop> {
        let Some(object) = name.and_then(|name| resources.get_pattern(name)) else {
            return Ok(None);
        };
        // The library reads a shading each time that it becomes the colour.
        if let Object::Dict(dict) = &object
            && let Some(shading) = dict.get::<Object<'_>>("Shading")
        {
            self.mesh(&shading, MESH_BYTE)?;
        }
        Ok(Some(Rc::new(object)))
    }

    /// An area that is painted with a pattern.
    pub fn pattern(&mut self, pattern: &Object<'a>, area: Rect) -> Result<(), Stop> {
        match pattern {
            Object::Stream(tile) => self.tiles(tile, area),
            Object::Dict(dict) => {
                let Some(shading) = dict.get::<Object<'_>>("Shading") else {
                    return Ok(());
                };
                let matrix = dict.get::<[f64; 6]>("Matrix").map(Affine::new);
                let matrix = after(self.state.root, matrix.unwrap_or_default());
                self.shading(&shading, matrix, area)
            }
            _ => Ok(()),
        }
    }

    /// An area that is filled with copies of a tile. The library draws the tile again for each area.
    fn tiles(&mut self, tile: &Stream<'a>, area: Rect) -> Result<(), Stop> {
        let dict = tile.dict();
        let (Some([left, low, right, high]), Some(across), Some(down)) = (
            dict.get::<[f64; 4]>("BBox"),
            dict.get::<f64>("XStep"),
            dict.get::<f64>("YStep"),
        ) else {
            return Ok(());
        };
        let matrix = dict.get::<[f64; 6]>("Matrix").map(Affine::new);
        let matrix = after(self.state.root, matrix.unwrap_or_default());
        let seen = matrix.inverse().transform_rect_bbox(area);
        let cell = Rect::new(left, low, right, high).abs();
        let (unit_across, unit_down) = units(matrix);
        let horizontal = Axis::new(unit_across, cell.width(), across, seen.width());
        let vertical = Axis::new(unit_down, cell.height(), down, seen.height());
        let pixels = horizontal.pixels * vertical.pixels;
        self.budget.pixels(pixels, 1.0)?;
        // The tile stays in memory until the page is drawn, and is drawn with buffers.
        self.budget.bytes(pixels * 4.0)?;
        self.budget.check(whole(pixels * 8.0), true)?;
        if self.depth >= limits::RENDER_DEPTH {
            return Err(DEPTH);
        }
        let bytes = self.content(tile)?;
        let times = self
            .budget
            .repeat(whole(horizontal.copies * vertical.copies));
        let target = Rect::new(0.0, 0.0, horizontal.pixels, vertical.pixels);
        let place = after(
            Affine::scale_non_uniform(horizontal.scale, vertical.scale),
            Affine::translate((-cell.x0, -cell.y0)),
        );
        let result = self.inner(State::new(place, target), |survey| {
            let resources = Resources::new(dict.get("Resources").unwrap_or_default());
            survey.run(&bytes, &resources)
        });
        self.budget.end_repeat(times);
        result
    }

    /// An area that is painted with a shading (ISO 32000-2, 8.7.4.5).
    pub fn shading(
        &mut self,
        shading: &Object<'a>,
        matrix: Affine,
        area: Rect,
    ) -> Result<(), Stop> {
        let dict = match shading {
            Object::Dict(dict) => dict,
            Object::Stream(stream) => stream.dict(),
            _ => return Ok(()),
        };
        let pixels = area.area();
        if let Some(space) = dict.get::<Object<'_>>("ColorSpace") {
            self.nested_spaces(&space)?;
        }
        if let Some(function) = dict.get::<Object<'_>>("Function") {
            self.functions(&function)?;
        }
        let program = self.function(dict.get::<Object<'_>>("Function"))?;
        let kind = dict.get::<i32>("ShadingType").unwrap_or_default();
        let each = match kind {
            2 | 3 => SIMPLE_PIXEL + FUNCTION_PIXEL.min(program * PROGRAM_BYTE),
            _ => FUNCTION_PIXEL + program * PROGRAM_BYTE,
        };
        self.budget.pixels(pixels, each)?;
        // The pixels stay in memory until the page is drawn.
        self.budget.bytes(pixels * 4.0)?;
        if let Object::Stream(_) = shading
            && (4..=7).contains(&kind)
        {
            self.mesh(shading, if kind < 6 { TRIANGLE_BYTE } else { PATCH_BYTE })?;
            self.mesh_area(dict, matrix, area)?;
        }
        Ok(())
    }

    /// The pixels of a mesh. The library samples all of them, whether they are visible or not.
    fn mesh_area(&mut self, dict: &Dict<'a>, matrix: Affine, area: Rect) -> Result<(), Stop> {
        let range = dict.get::<Array<'_>>("Decode").unwrap_or_default();
        let range: Vec<f64> = range.iter::<f32>().take(4).map(f64::from).collect();
        let [left, right, low, high] = range.as_slice() else {
            return Ok(());
        };
        let all = matrix.transform_rect_bbox(Rect::new(*left, *low, *right, *high));
        // Coordinates below zero or beyond the largest number of 16 bits are cut.
        let side = f64::from(u16::MAX);
        let all = all.intersect(Rect::new(0.0, 0.0, side, side));
        // Programs often write a range that is much larger than the mesh.
        let likely = all.area().min(area.area() * 2.0);
        self.budget.pixels(likely, FUNCTION_PIXEL)?;
        self.budget.check(whole(likely * MESH_BYTES), true)
    }

    /// A mesh, with the time of a byte in nanoseconds.
    fn mesh(&mut self, shading: &Object<'a>, byte: u64) -> Result<(), Stop> {
        let Object::Stream(stream) = shading else {
            return Ok(());
        };
        let length = stream::length(stream, self.budget.room())?;
        self.budget.time(length.saturating_mul(byte))
    }

    /// The bytes of the programs of a function, or of functions, that are called for each pixel.
    fn function(&mut self, function: Option<Object<'a>>) -> Result<f64, Stop> {
        let list: Vec<Object<'a>> = match function {
            Some(Object::Array(list)) => list.iter().take(limits::RENDER_COMPONENTS).collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        let mut all = 0.0;
        for object in list {
            if let Object::Stream(stream) = object {
                let length = stream::length(&stream, self.budget.room())?;
                if stream.dict().get::<i32>("FunctionType") == Some(4) {
                    #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
                    let length = length as f64;
                    all += length;
                }
            }
        }
        Ok(all)
    }

    /// Executes the parameters of a dictionary of the graphics state (ISO 32000-2, 8.4.5).
    pub fn graphics_state(
        &mut self,
        dict: &Dict<'a>,
        resources: &Resources<'a>,
    ) -> Result<(), Stop> {
        if let Some(width) = dict.get::<f64>("LW") {
            self.state.line_width = width;
        }
        if let Some(list) = dict.get::<Array<'_>>("D")
            && let Some(lengths) = list.iter::<Array<'_>>().next()
        {
            let lengths = lengths.iter::<f32>().map(f64::from);
            let lengths: Vec<f64> = lengths
                .take(limits::RENDER_DASHES.saturating_add(1))
                .collect();
            self.dashes(&lengths)?;
        }
        if let Some(list) = dict.get::<Array<'_>>("Font") {
            let mut parts = list.iter::<Object<'_>>();
            if let (Some(Object::Dict(font)), Some(Object::Number(size))) =
                (parts.next(), parts.next())
            {
                self.font(&font, size.as_f64())?;
            }
        }
        if let Some(mode) = dict.get::<Name<'_>>("BM") {
            self.state.blend = match mode.as_ref() {
                b"Normal" | b"Compatible" => 0.0,
                b"Hue" | b"Saturation" | b"Color" | b"Luminosity" => BLENDED_TOGETHER,
                _ => BLENDED,
            };
        } else if dict.contains_key("BM") {
            // The first known mode of a list.
            self.state.blend = BLENDED_TOGETHER;
        }
        for function in nesting::transfers(dict) {
            self.functions(&function)?;
        }
        if let Some(mask) = dict.get::<Dict<'_>>("SMask") {
            self.soft_mask(&mask, resources)?;
        }
        Ok(())
    }

    /// A soft mask has the size of the image, and stays in memory.
    fn soft_mask(&mut self, mask: &Dict<'a>, resources: &Resources<'a>) -> Result<(), Stop> {
        let Some(group) = mask.get::<Stream<'_>>("G") else {
            return Ok(());
        };
        if let Some(function) = mask.get::<Object<'_>>("TR") {
            self.functions(&function)?;
        }
        if let Some(group) = group.dict().get::<Dict<'_>>("Group")
            && let Some(space) = group.get::<Object<'_>>("CS")
        {
            self.nested_spaces(&space)?;
        }
        // The library decompresses the group before it knows whether the mask is drawn already.
        let bytes = self.content(&group)?;
        let key = mask.data().as_ptr().addr();
        let place = self.state.matrix.as_coeffs().map(f64::to_bits);
        if !self.masks.insert((key, place)) {
            return Ok(());
        }
        let pixels = self.size.area();
        self.budget.pixels(pixels, MASK_PIXEL)?;
        self.budget.bytes(pixels)?;
        self.budget.check(whole(pixels * 8.0), true)?;
        if self.depth >= limits::RENDER_DEPTH {
            return Err(DEPTH);
        }
        let dict = group.dict();
        let mut state = State::new(self.state.matrix, self.target());
        if let Some(matrix) = dict.get::<[f64; 6]>("Matrix") {
            state.matrix = after(state.matrix, Affine::new(matrix));
            state.root = state.matrix;
        }
        let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
        self.inner(state, |survey| {
            survey.run(&bytes, own.as_ref().unwrap_or(resources))
        })
    }

    /// Surveys content with a state and a path of its own.
    pub fn inner(
        &mut self,
        state: State<'a>,
        run: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let state = std::mem::replace(&mut self.state, state);
        let saved = std::mem::take(&mut self.saved);
        let path = std::mem::take(&mut self.path);
        let clips = std::mem::take(&mut self.clips);
        // Each surface has masks of its own.
        let masks = std::mem::take(&mut self.masks);
        self.depth = self.depth.saturating_add(1);
        let result = run(self);
        self.depth = self.depth.saturating_sub(1);
        self.state = state;
        self.saved = saved;
        self.path = path;
        self.clips = clips;
        self.masks = masks;
        result
    }
}

/// One direction of tiles. The library draws one step of the pattern if more than one is visible, otherwise
/// the visible part, with all copies of the cell that reach into it.
struct Axis {
    /// Pixels per unit.
    scale: f64,
    /// The length of the tile in pixels.
    pixels: f64,
    /// The copies of the cell that are drawn.
    copies: f64,
}

impl Axis {
    fn new(unit: f64, cell: f64, step: f64, visible: f64) -> Self {
        let step = step.abs();
        let scale = (step * unit).round().max(1.0) / step;
        let length = if visible >= step { step } else { visible };
        let repeats = if visible >= step { 0.0 } else { visible };
        Self {
            scale,
            pixels: (length * scale).ceil().clamp(1.0, f64::from(u16::MAX)),
            copies: ((cell + repeats) / step).ceil() + 1.0,
        }
    }
}
