//! Bullets and positions that placeholders inherit from the layout and the master of a slide.

use super::bullets::Levels;
use crate::limits;
use crate::package::Package;
use crate::slides::area::Area;
use crate::xml::{Element, Tree, decode};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The type and the index of a placeholder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placeholder {
    /// The type, such as `title`. It is empty for content of any kind.
    pub kind: String,
    /// The index. It is the same on the slide and on its layout.
    pub index: String,
}

impl Placeholder {
    /// Reads the placeholder of a shape. `None` if the shape is not one.
    pub fn read(shape: Element) -> Option<Self> {
        let properties = shape.children().next()?;
        let found = properties.at(&["nvPr", "ph"])?;
        Some(Self {
            kind: found.attr("type").unwrap_or_default().to_owned(),
            index: found.attr("idx").unwrap_or("0").to_owned(),
        })
    }

    /// Returns whether the placeholder is the title of a slide.
    pub fn is_title(&self) -> bool {
        matches!(self.kind.as_str(), "title" | "ctrTitle")
    }

    /// Returns whether the placeholder is a footer, a date, a slide number or a header.
    pub fn is_footer(&self) -> bool {
        matches!(self.kind.as_str(), "ftr" | "dt" | "sldNum" | "hdr")
    }

    /// Returns the type of the placeholder on the master.
    fn family(&self) -> &str {
        match self.kind.as_str() {
            "title" | "ctrTitle" => "title",
            "ftr" | "dt" | "sldNum" | "hdr" => &self.kind,
            _ => "body",
        }
    }
}

/// Reads the position of a shape on the slide or in its group.
pub fn area(shape: Element) -> Option<Area> {
    let frame = match shape.name() {
        "grpSp" => shape.at(&["grpSpPr", "xfrm"]),
        "graphicFrame" => shape.child("xfrm"),
        _ => shape.at(&["spPr", "xfrm"]),
    }?;
    let (offset, size) = (frame.child("off")?, frame.child("ext"));
    let number = |text: Option<&str>| text.and_then(|it| it.parse::<i64>().ok());
    Some(Area {
        left: number(offset.attr("x"))?,
        top: number(offset.attr("y"))?,
        width: number(size.and_then(|it| it.attr("cx"))).unwrap_or_default(),
        height: number(size.and_then(|it| it.attr("cy"))).unwrap_or_default(),
    })
}

/// A placeholder of a layout or a master.
struct Model {
    placeholder: Placeholder,
    levels: Levels,
    area: Option<Area>,
}

/// The placeholders of a layout or a master.
#[derive(Default)]
struct Placeholders(Vec<Model>);

impl Placeholders {
    fn read(root: Element) -> Self {
        let shapes = root.at(&["cSld", "spTree"]);
        let shapes = shapes.iter().flat_map(Element::children);
        let found = shapes.filter(|it| it.name() == "sp").filter_map(|shape| {
            let style = shape.at(&["txBody", "lstStyle"]);
            Some(Model {
                placeholder: Placeholder::read(shape)?,
                levels: Levels::read(style),
                area: area(shape),
            })
        });
        // Layouts have a few placeholders. A search for each shape is linear in their number.
        Self(found.take(64).collect())
    }

    fn find(&self, matches: impl Fn(&Placeholder) -> bool) -> Option<&Model> {
        self.0.iter().find(|model| matches(&model.placeholder))
    }
}

/// The list styles of a master.
#[derive(Default)]
struct Master {
    placeholders: Placeholders,
    title: Levels,
    body: Levels,
}

/// The list styles of a layout and its master.
#[derive(Default)]
pub struct Layout {
    placeholders: Placeholders,
    master: Rc<Master>,
}

impl Layout {
    /// Returns the models of a placeholder on the layout and on the master, and its family.
    fn models<'l>(
        &'l self,
        wanted: &'l Placeholder,
    ) -> (Option<&'l Model>, Option<&'l Model>, &'l str) {
        let list = &self.placeholders;
        let own = list
            .find(|it| it.index == wanted.index && it.family() == wanted.family())
            .or_else(|| list.find(|it| it.index == wanted.index && it.index != "0"))
            .or_else(|| list.find(|it| it.kind == wanted.kind));
        // A slide may leave out the type that its layout states.
        let known = own.map(|it| &it.placeholder);
        let known = known.filter(|_| wanted.kind.is_empty()).unwrap_or(wanted);
        let family = known.family();
        let base = self.master.placeholders.find(|it| it.family() == family);
        (own, base, family)
    }

    /// Returns the bullets of a placeholder, without its own.
    pub fn levels(&self, wanted: &Placeholder) -> Levels {
        let (own, base, family) = self.models(wanted);
        let style = match family {
            "title" => self.master.title,
            "body" => self.master.body,
            _ => Levels::default(),
        };
        let own = own.map(|it| it.levels).unwrap_or_default();
        let base = base.map(|it| it.levels).unwrap_or_default();
        own.or(base).or(style)
    }

    /// Returns the area of a placeholder that does not have its own.
    pub fn area(&self, wanted: &Placeholder) -> Option<Area> {
        let (own, base, _) = self.models(wanted);
        own.and_then(|it| it.area).or_else(|| base?.area)
    }
}

/// The layouts that are read so far, by their names.
#[derive(Default)]
pub struct Layouts {
    layouts: BTreeMap<String, Rc<Layout>>,
    masters: BTreeMap<String, Rc<Master>>,
}

impl Layouts {
    /// Reads a layout and its master. A missing part has no list styles.
    pub fn get(&mut self, package: &mut Package, name: &str) -> Rc<Layout> {
        if let Some(found) = self.layouts.get(name) {
            return Rc::clone(found);
        }
        let mut layout = Layout::default();
        if let Some(part) = package.part(name) {
            let text = decode(&part.bytes);
            layout.placeholders = Placeholders::read(Tree::parse(&text).root());
            let related = package.relationships(name);
            if let Some(master) = related.first("slideMaster") {
                layout.master = self.master(package, &master.target);
            }
        }
        if self.layouts.len() >= limits::LAYOUTS {
            self.layouts.clear();
            self.masters.clear();
        }
        let layout = Rc::new(layout);
        self.layouts.insert(name.to_owned(), Rc::clone(&layout));
        layout
    }

    fn master(&mut self, package: &mut Package, name: &str) -> Rc<Master> {
        if let Some(found) = self.masters.get(name) {
            return Rc::clone(found);
        }
        let mut master = Master::default();
        if let Some(part) = package.part(name) {
            let text = decode(&part.bytes);
            let tree = Tree::parse(&text);
            let root = tree.root();
            master.placeholders = Placeholders::read(root);
            master.title = Levels::read(root.at(&["txStyles", "titleStyle"]));
            master.body = Levels::read(root.at(&["txStyles", "bodyStyle"]));
        }
        let master = Rc::new(master);
        self.masters.insert(name.to_owned(), Rc::clone(&master));
        master
    }
}
