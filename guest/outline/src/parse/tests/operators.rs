//! Operators and other signs directly before a word that ends a block. A lexer of such a language takes
//! the longest sign as one token, and the last character of a sign says nothing about the word after it.

use super::{check, found, language};
use crate::parse;

/// Asserts that each line may be the last one of a block, before the words `end` on the same and on the
/// next line. `block` is a text with two declarations, of which the first one has `@` in place of the
/// line and of white space after it.
fn closes(name: &str, block: &str, lines: &[&str], expected: &dyn Fn(u32) -> [String; 2]) {
    for line in lines {
        for space in [" ", "\n"] {
            let source = block.replace('@', &format!("{line}{space}"));
            let more = u32::from(space == "\n");
            let parsed = parse(&source, language(name));
            assert_eq!(found(&parsed), expected(more), "{source}");
            assert_eq!(parsed.unbalanced_at, None, "{source}");
        }
    }
}

#[test]
fn lua_block_after_any_sign_ends() {
    let lines = [
        "return ...",
        "local a = ...",
        "a.b, c = ...",
        "f(...)",
        "return {...}",
        "return select('#', ...), ...",
        "goto next ::next::",
        "::done::",
        "return #a",
        "return a.b",
        "a['end'] = 1;",
        "return [[end]]",
        "return -1",
        "return 0x1p4",
        "local a <close>",
        "local a <const> = 3",
        "return 'a' .. ...",
    ];
    let block = "local function f(...)\n  @end\nlocal function g(x)\n  return x\nend\n";
    closes("Lua", block, &lines, &|more| {
        [
            format!("1-{} F f", 2 + more),
            format!("{}-{} F g", 3 + more, 5 + more),
        ]
    });
    let block = "function f(...) if a then @end end\nfunction g(x) end\n";
    closes("Lua", block, &lines, &|more| {
        [
            format!("1-{} F f", 1 + more),
            format!("{}-{} F g", 2 + more, 2 + more),
        ]
    });
}

#[test]
fn lua_statement_ends_after_dots() {
    check(
        "Lua",
        "
local name, addon = ...
local function f()
  return 'a' ..
    'b'
end
function g(...) return ... end function h() end
",
        &["2-5 F f", "6-6 F g", "6-6 F h"],
    );
}

#[test]
fn julia_block_after_any_sign_ends() {
    let lines = [
        "x...",
        "f(x...)",
        "[x...]",
        "[x... for x in y]",
        "(a, x...)",
        "a'",
        "a.b'",
        "(a')'",
        "[a', b']",
        "[1]'",
        "A{B}'",
        "a' * b'",
        "'\\''",
        "a .+ b'",
        "return :.",
        "a == :.",
        "return :+",
        "return :end",
        "a[end]",
        "a[begin:end]",
        "f!",
        "b::C!",
        "x -> x",
        "a => b;",
        "op = +",
        "op = !",
        "op = .==",
        "@m",
    ];
    let block = "function f(x...)\n    @end\nfunction g(x)\n    x\nend\n";
    closes("Julia", block, &lines, &|more| {
        [
            format!("1-{} F f", 2 + more),
            format!("{}-{} F g", 3 + more, 5 + more),
        ]
    });
}

#[test]
fn ruby_block_after_any_sign_ends() {
    let lines = [
        "(1...)",
        "a = 1..",
        "a = 1...",
        "b(...)",
        "a.b(*, **, &)",
        "raise $!",
        "a = $@",
        "a = $.",
        "a = $,",
        "a = $/",
        "a = $;",
        "a = $:",
        "a = $\"",
        "a = $'",
        "a = $`",
        "a = $&",
        "a = $~",
        "a = $?",
        "b($?)",
        "b($/, $,)",
        "a = $$",
        "a = $0",
        "a.inject(:+)",
        "a.inject(:/)",
        "a.inject :/",
        "a.inject(:%)",
        "a.inject :<",
        "a.inject(:<<)",
        "a = :[]",
        "a = :!",
        "a = :==",
        "a = :end",
        "a&.end",
        "a::end",
        "@end",
        "$end",
        "a.map(&:end)",
        "a = ?.",
        "a = ?:",
        "a = [?a, ?']",
        "a = { end: 1 }",
        "a = b ? c : d",
        "a = %w[. : @]",
        "a = /[:.]/",
        "a = -> {}",
        "a = !b",
        "return",
        "b!",
        "b?",
    ];
    let block = "def f(...)\n  @end\ndef g(x)\n  x\nend\n";
    closes("Ruby", block, &lines, &|more| {
        [
            format!("1-{} F f", 2 + more),
            format!("{}-{} F g", 3 + more, 5 + more),
        ]
    });
}

#[test]
fn elixir_block_after_any_sign_ends() {
    let lines = [
        ":.",
        "x == :.",
        ":..",
        ":+",
        ":&",
        ":@",
        ":!",
        ":%",
        ":/",
        ":<>",
        ":<<>>",
        ":%{}",
        ":{}",
        ":~~~",
        ":end",
        "..",
        "&(&1)",
        "& &1.end",
        "&+/2",
        "&./2",
        "@end",
        "@a",
        "?.",
        "?@",
        "?:",
        "?\"",
        "?#",
        "?'",
        "[end: 1]",
        "x.end",
        "x!",
        "x?",
        "\"#{x}\"",
        "~r/:/",
        "~w(. : @)",
        "fn -> 1 end",
        "if a, do: b, else: c",
    ];
    let block = "def f(x) do\n  @end\ndef g(x) do\n  x\nend\n";
    closes("Elixir", block, &lines, &|more| {
        [
            format!("1-{} F f", 2 + more),
            format!("{}-{} F g", 3 + more, 5 + more),
        ]
    });
}

#[test]
fn shell_block_after_any_sign_ends() {
    let lines = [
        "if a; then b; fi",
        "if a; then b ...; fi",
        "for a in ...; do b; done",
        "while a; do b .; done",
        "while read a; do b; done <<< \"$c\"",
        "case $a in .) b ;; esac",
        "case $a in\n(.) b ;;\n*) c ;& esac",
        "case $a in ...) ;; @) b ;;& esac",
        "if a; then echo $#; fi",
        "if a; then echo $@; fi",
        "if a; then echo $?; fi",
        "if a; then echo $!; fi",
        "if a; then echo $$; fi",
        "if a; then echo $-; fi",
        "if a; then echo ${a#*\\}}; fi",
        "if a; then echo ${#a}; fi",
        "if a; then echo \\}; fi",
        "if a; then echo $((1 << 2)); fi",
        "if ((a << 2)); then b; fi",
        "if a; then b & fi",
        "if a; then b; fi >&2",
        "if a; then echo '}'; fi",
        "if [ $a = . ]; then b; fi",
        "if [[ $a == @(b|c) ]]; then b; fi",
    ];
    for line in lines {
        let source = format!("f() {{\n  {line}\n}}\ng() {{\n  a\n}}\n");
        let more = u32::try_from(line.matches('\n').count()).expect("a number");
        let parsed = parse(&source, language("Shell"));
        let expected = [
            format!("1-{} F f", 3 + more),
            format!("{}-{} F g", 4 + more, 6 + more),
        ];
        assert_eq!(found(&parsed), expected, "{source}");
        assert_eq!(parsed.unbalanced_at, None, "{source}");
    }
}
