use crate::families;
use crate::grammar::{BlockWords, Keyword, Name, Nesting, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

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
    lex_rules: LexRules {
        line_comments: &["#"],
        block_comments: &[Block::of_lines("=begin", "=end")],
        strings: &[
            Quote::DOUBLE.over_lines().code("#{"),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`").over_lines().code("#{"),
        ],
        last: "?!",
        extras: &[
            LexFeature::Heredocs,
            LexFeature::Regexes,
            LexFeature::Percent,
            LexFeature::End,
        ],
        ..LexRules::BARE
    },
    nesting: Nesting::Ends(BlockWords {
        openers: &["def", "class", "module", "begin", "case"],
        leading: &["if", "unless"],
        loops: &["while", "until", "for"],
        after_head: &["do"],
        breaks: &["then", "else", "ensure"],
        closers: &["end"],
        values: false,
        reserved: false,
    }),
    newlines: true,
    keywords: &[
        Keyword::function("def").named(Name::Method),
        Keyword::of_type("class").named(Name::Path),
        Keyword::module("module")
            .named(Name::Path)
            .holding(Scope::File),
    ],
    modifiers: &[
        "private",
        "protected",
        "public",
        "private_class_method",
        "public_class_method",
        "ruby2_keywords",
        "module_function",
        "memoize",
        "helper_method",
    ],
    family: &families::ruby::RUBY,
    imports: &["require", "require_relative", "load"],
    ..Language::NONE
};
