use crate::outline::grammar::{Calls, Ends, Form, Language, Name, Nesting, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const RUBY: Language = Language {
    name: "Ruby",
    extensions: &[
        "rb", "rake", "gemspec", "ru", "rbi", "podspec", "jbuilder", "thor",
    ],
    names: &[
        "Rakefile",
        "Gemfile",
        "Guardfile",
        "Podfile",
        "Capfile",
        "Vagrantfile",
        "Fastfile",
        "Brewfile",
        "Dangerfile",
        "Appraisals",
        "Berksfile",
        "Thorfile",
        ".irbrc",
        ".pryrc",
    ],
    interpreters: &["ruby", "jruby", "rake", "macruby"],
    lexis: Lexis {
        line_comments: &["#"],
        block_comments: &[Block::of_lines("=begin", "=end")],
        strings: &[
            Quote::DOUBLE.over_lines().code("#{"),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`").over_lines().code("#{"),
        ],
        last: "?!",
        extras: &[Extra::Heredocs, Extra::Regexes, Extra::Percent, Extra::End],
        ..Lexis::BARE
    },
    nesting: Nesting::Ends(Ends {
        openers: &["def", "class", "module", "begin", "case"],
        leading: &["if", "unless"],
        loops: &["while", "until", "for"],
        behind: &["do"],
        breaks: &["then", "else", "ensure"],
        closers: &["end"],
        values: false,
    }),
    newlines: true,
    forms: &[
        Form::function("def").named(Name::Method),
        Form::of_type("class").named(Name::Path),
        Form::module("module")
            .named(Name::Path)
            .holding(Place::File),
    ],
    modifiers: &[
        "private",
        "protected",
        "public",
        "private_class_method",
        "module_function",
        "memoize",
        "helper_method",
    ],
    calls: Calls::Ruby,
    imports: &["require", "require_relative", "load"],
    ..Language::NONE
};
