//! What images cost. The library decodes an image whole each time that it is drawn.

use super::budget::{Stop, whole};
use super::machine::{DECOMPRESSED, Survey};
use super::stream;
use crate::limits;
use crate::render::headers;
use hayro_syntax::Filter;
use hayro_syntax::object::{Dict, Object, Stream};
use hayro_syntax::page::Resources;

/// The time of a sample of an image in nanoseconds, by its filter.
const PLAIN: f64 = 2.0;
const FAX: f64 = 3.0;
const JPEG: f64 = 5.0;
const JPEG_2000: f64 = 60.0;

/// The time of the conversion of a pixel in nanoseconds: to RGB by a profile, and by a function.
const PROFILE: f64 = 8.0;
const FUNCTION: f64 = 300.0;

/// The limit on images.
const TOO_LARGE: Stop = Stop {
    limit: "pixels of an image of a page",
    by_size: false,
};

impl Survey<'_> {
    /// An image, which fills the unit square.
    pub fn image(&mut self, image: &Stream<'_>, resources: &Resources<'_>) -> Result<(), Stop> {
        let dict = image.dict();
        if !self.file.layers().shows(dict, b"OC") {
            return Ok(());
        }
        self.group()?;
        let Some((width, height)) = dimensions(dict) else {
            return Ok(());
        };
        let mut needed = self.decoded(image, Some(resources))?;
        for key in ["SMask", "Mask"] {
            if let Some(mask) = dict.get::<Stream<'_>>(key) {
                needed += self.decoded(&mask, None)?;
                break;
            }
        }
        self.budget.check(whole(needed), false)?;
        // The library scales the image down to the pixels of the page, and keeps that until the page is
        // drawn. If one side becomes shorter, the other may become longer.
        let (unit_across, unit_down) = self.state.units();
        let (across, down) = (unit_across / width, unit_down / height);
        let (kept_width, kept_height) = if across < 1.0 || down < 1.0 {
            let most = f64::from(u16::MAX / 2);
            (
                (width * across).ceil().clamp(1.0, most),
                (height * down).ceil().clamp(1.0, most),
            )
        } else {
            (width, height)
        };
        let kept = kept_width * kept_height;
        self.budget.pixels(kept, 10.0)?;
        // While it is scaled, there is a copy.
        self.budget.check(whole(kept * 8.0), true)?;
        self.budget.bytes(kept * 4.0)?;
        if let Some(pattern) = self.state.fill.clone()
            && is_stencil(dict)
        {
            let area = self.state.clip;
            self.pattern(&pattern, area)?;
        }
        Ok(())
    }

    /// The bytes that decoding an image needs for a short time.
    fn decoded(
        &mut self,
        image: &Stream<'_>,
        resources: Option<&Resources<'_>>,
    ) -> Result<f64, Stop> {
        let dict = image.dict();
        let Some((width, height)) = dimensions(dict) else {
            return Ok(0.0);
        };
        let declared = width * height;
        let filters = image.filters();
        let filter = filters.last().copied();
        let has_own_size = matches!(filter, Some(Filter::Jbig2Decode | Filter::JpxDecode));
        if has_own_size && filters.len() > 1 {
            // Its size is not visible, and nobody writes this.
            return Err(TOO_LARGE);
        }
        let length = stream::length(image, self.budget.room())?;
        self.budget.time(length.saturating_mul(DECOMPRESSED))?;
        let (components, costly) = self.components(dict, resources)?;
        let data = || image.raw_data();
        let (pixels, components, each) = match filter {
            Some(Filter::CcittFaxDecode) => {
                let columns = parameters(dict)
                    .and_then(|dict| dict.get::<u32>("Columns"))
                    .unwrap_or(1728);
                (declared.max(f64::from(columns) * height), 1.0, FAX)
            }
            Some(Filter::Jbig2Decode) => {
                let globals =
                    parameters(dict).and_then(|dict| dict.get::<Stream<'_>>("JBIG2Globals"));
                let mut regions = headers::jbig2_pixels(&data());
                if let Some(globals) = globals {
                    stream::length(&globals, limits::RENDER_STREAM_BYTES)?;
                    let globals = crate::decode::data(&globals, limits::STREAM_BYTES);
                    regions += globals.map_or(0.0, |(data, _)| headers::jbig2_pixels(&data));
                }
                (declared.max(regions), 1.0, FAX)
            }
            // The library corrects files that declare more pixels than the image has.
            Some(Filter::DctDecode) => {
                let frame = headers::jpeg(&data());
                let components = frame.map_or(4.0, |frame| f64::from(frame.components));
                if frame.is_none_or(|frame| frame.is_progressive) {
                    // Coefficients have two bytes.
                    self.budget
                        .check(whole(declared * components * 3.0), false)?;
                }
                (declared, components, JPEG)
            }
            Some(Filter::JpxDecode) => {
                let Some(own) = headers::jpeg_2000(&data()) else {
                    // It cannot be decoded.
                    return Ok(0.0);
                };
                // It is decoded with fewer levels of resolution if the page shows fewer pixels. Each
                // sample has four bytes, and there are copies.
                let (shown_across, shown_down) = self.state.units();
                let pixels = own.pixels_for(shown_across, shown_down);
                (pixels, f64::from(own.components) * 12.0, JPEG_2000 / 12.0)
            }
            _ => {
                #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
                self.budget
                    .check(whole(length as f64 + declared * components), false)?;
                (declared, components, PLAIN)
            }
        };
        let is_jpeg_2000 = filter == Some(Filter::JpxDecode);
        #[expect(clippy::cast_precision_loss, reason = "the limit is small")]
        if !is_jpeg_2000 && pixels > limits::PIXELS as f64 {
            return Err(TOO_LARGE);
        }
        let converted = if costly { FUNCTION } else { PROFILE };
        self.budget
            .time(whole(pixels * (components * each + converted)))?;
        // The samples, and the colours into which they are converted. RGB is converted in place.
        let is_rgb = components.total_cmp(&3.0).is_eq();
        let colours = match filter {
            Some(Filter::DctDecode) if is_rgb && !costly => 0.0,
            _ if components > 1.0 || costly => 3.0,
            _ => 1.0,
        };
        Ok(pixels * (components + colours))
    }

    /// The number of components of an image, and whether its colours are computed by a function.
    fn components(
        &mut self,
        dict: &Dict<'_>,
        resources: Option<&Resources<'_>>,
    ) -> Result<(f64, bool), Stop> {
        if is_stencil(dict) {
            return Ok((1.0, false));
        }
        let space = dict
            .get::<Object<'_>>("ColorSpace")
            .or_else(|| dict.get("CS"));
        let space = match (space, resources) {
            (Some(Object::Name(name)), Some(resources)) => {
                let own = resources.get_color_space(&name);
                own.or(Some(Object::Name(name)))
            }
            (space, _) => space,
        };
        let Some(space) = space else {
            return Ok((1.0, false));
        };
        self.measure(&space)?;
        Ok(components(&space))
    }
}

/// The number of components of a colour space, and whether its colours are computed by a function.
fn components(space: &Object<'_>) -> (f64, bool) {
    let list = match space {
        Object::Name(name) => {
            let count = match name.as_ref() {
                b"DeviceRGB" | b"RGB" | b"CalRGB" | b"Lab" => 3.0,
                b"DeviceCMYK" | b"CMYK" => 4.0,
                _ => 1.0,
            };
            return (count, false);
        }
        Object::Array(list) => list,
        _ => return (1.0, false),
    };
    let mut parts = list.iter::<Object<'_>>();
    let Some(Object::Name(kind)) = parts.next() else {
        return (1.0, false);
    };
    match kind.as_ref() {
        b"ICCBased" => {
            let Some(Object::Stream(profile)) = parts.next() else {
                return (4.0, false);
            };
            let count = profile.dict().get::<u8>("N").unwrap_or(4);
            (f64::from(count), false)
        }
        // Colours of a table have three components.
        b"Indexed" | b"I" | b"CalRGB" | b"Lab" | b"DeviceRGB" => (3.0, false),
        b"DeviceCMYK" => (4.0, false),
        b"Separation" => (1.0, true),
        b"DeviceN" => {
            let Some(Object::Array(names)) = parts.next() else {
                return (4.0, true);
            };
            let count = names
                .iter::<Object<'_>>()
                .take(limits::RENDER_COMPONENTS)
                .count();
            (f64::from(u8::try_from(count).unwrap_or(u8::MAX)), true)
        }
        _ => (1.0, false),
    }
}

fn is_stencil(dict: &Dict<'_>) -> bool {
    dict.get::<bool>("IM").or_else(|| dict.get("ImageMask")) == Some(true)
}

/// The declared width and height.
fn dimensions(dict: &Dict<'_>) -> Option<(f64, f64)> {
    let number = |short: &str, long: &str| dict.get::<u32>(short).or_else(|| dict.get(long));
    let (width, height) = (number("W", "Width")?, number("H", "Height")?);
    (width > 0 && height > 0).then_some((f64::from(width), f64::from(height)))
}

/// The parameters of the last filter.
fn parameters<'a>(dict: &Dict<'a>) -> Option<Dict<'a>> {
    let value = dict
        .get::<Object<'_>>("DP")
        .or_else(|| dict.get("DecodeParms"));
    match value {
        Some(Object::Dict(dict)) => Some(dict),
        Some(Object::Array(list)) => list
            .iter::<Object<'_>>()
            .take(limits::RENDER_COMPONENTS)
            .filter_map(Object::into_dict)
            .last(),
        _ => None,
    }
}
