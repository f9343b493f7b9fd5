use crate::outline::grammar::{Form, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const PERL: Language = Language {
    name: "Perl",
    extensions: &["pl", "pm", "t", "plx", "psgi", "al", "perl"],
    names: &["cpanfile", "Makefile.PL", "Build.PL"],
    interpreters: &["perl"],
    lexis: Lexis {
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
            Extra::Heredocs,
            Extra::Regexes,
            Extra::PerlQuotes,
            Extra::Spaced,
            Extra::End,
        ],
        ..Lexis::BARE
    },
    forms: &[
        Form::function("sub").named(Name::Path),
        Form::function("method").named(Name::Path).with_block(),
        Form::of_type("class").named(Name::Qualified),
        Form::of_type("role").named(Name::Qualified),
        Form::module("package")
            .named(Name::Qualified)
            .holding(Place::File),
    ],
    modifiers: &["my", "our", "state"],
    imports: &["use", "require", "no"],
    ..Language::NONE
};
