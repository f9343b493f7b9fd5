use super::c;
use crate::outline::grammar::{Form, Habit, Language, Name, Place};
use crate::outline::lexis::{Extra, Lexis};

pub const OBJECTIVE_C: Language = Language {
    name: "Objective-C",
    extensions: &["m", "mm"],
    lexis: Lexis {
        extras: &[Extra::Preprocessor, Extra::RawDelimiters],
        ..c::C.lexis
    },
    forms: &[
        Form::of_type("struct").named(Name::Tag),
        Form::of_type("union").named(Name::Tag),
        Form::of_type("class").named(Name::Tag),
        Form::of_type("enum")
            .named(Name::Tag)
            .holding(Place::Entries),
        Form::of_type("typedef").named(Name::Typedef),
        Form::of_type("using").named(Name::Alias),
        Form::module("namespace")
            .named(Name::Rest)
            .with_block()
            .holding(Place::File),
        Form::of_type("interface"),
        Form::of_type("implementation"),
        Form::of_type("protocol"),
    ],
    habits: &[Habit::Messages],
    ..c::CPP
};
