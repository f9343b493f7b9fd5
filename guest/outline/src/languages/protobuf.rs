use crate::grammar::{Keyword, Name};
use crate::language::Language;

pub const PROTOBUF: Language = Language {
    name: "Protobuf",
    extensions: &["proto"],
    keywords: &[
        Keyword::of_type("message").with_block(),
        Keyword::of_type("enum").with_block(),
        Keyword::of_type("service").with_block(),
        Keyword::function("rpc"),
        Keyword::value("oneof").with_block(),
        Keyword::module("extend")
            .named(Name::Qualified)
            .with_block(),
        Keyword::module("package").named(Name::Qualified),
    ],
    imports: &["import", "syntax", "edition"],
    ..Language::NONE
};
