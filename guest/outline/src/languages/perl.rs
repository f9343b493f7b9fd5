use crate::grammar::{Keyword, Name, Scope};
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const PERL: Language = Language {
    name: "Perl",
    extensions: &["pl", "pm", "t", "plx", "psgi", "al", "perl"],
    names: &["cpanfile", "Makefile.PL", "Build.PL"],
    interpreters: &["perl"],
    modes: &["cperl"],
    lex_rules: LexRules {
        line_comments: &["#"],
        block_comments: &[
            Block::of_lines("=pod", "=cut"),
            Block::of_lines("=head", "=cut"),
            Block::of_lines("=over", "=cut"),
            Block::of_lines("=item", "=cut"),
            Block::of_lines("=begin", "=cut"),
            Block::of_lines("=for", "=cut"),
            Block::of_lines("=encoding", "=cut"),
        ],
        strings: &[
            Quote::DOUBLE.over_lines(),
            Quote::SINGLE.over_lines(),
            Quote::new("`", "`").over_lines(),
        ],
        extras: &[
            LexFeature::Heredocs,
            LexFeature::Regexes,
            LexFeature::PerlQuotes,
            LexFeature::Spaced,
            LexFeature::End,
        ],
        ..LexRules::BARE
    },
    keywords: &[
        Keyword::function("sub").named(Name::Path),
        Keyword::function("method").named(Name::Path).with_block(),
        Keyword::of_type("class").named(Name::Qualified),
        Keyword::of_type("role").named(Name::Qualified),
        Keyword::module("package")
            .named(Name::Qualified)
            .holding(Scope::File),
    ],
    modifiers: &["my", "our", "state"],
    imports: &["use", "require", "no"],
    scopes_until_next: true,
    ..Language::NONE
};
