//! Tests of searches by name and by line.

use super::*;

/// The found symbols as `name first-last`, the total if not all are there, or the similar names.
fn drawn(found: Option<Found>) -> Vec<String> {
    let one = |symbol: Symbol| format!("{} {}-{}", symbol.name, symbol.first, symbol.last);
    match found {
        None => vec!["unknown format".to_owned()],
        Some(Found::One(symbol)) => vec![one(symbol)],
        Some(Found::Several { symbols, total }) => {
            let mut drawn: Vec<String> = symbols.into_iter().map(one).collect();
            if total > drawn.len() {
                drawn.push(format!("of {total}"));
            }
            drawn
        }
        Some(Found::None { similar, .. }) => similar
            .into_iter()
            .map(|name| format!("similar {name}"))
            .collect(),
    }
}

fn check(file: &str, text: &str, cases: &[(&str, &[&str])]) {
    for (query, expected) in cases {
        assert_eq!(drawn(find(text, file, query)), *expected, "{file} {query}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(
            drawn(find(&windows, file, query)),
            *expected,
            "{file} {query} with CRLF"
        );
    }
}

#[test]
fn rust_methods_belong_to_the_type_of_their_impl() {
    let text = "/// Doc.\n#[derive(Debug)]\npub struct Type<T>(T);\n\nimpl<T: Fn() -> u8> Type<T> {\n    /// Makes one.\n    #[inline]\n    pub fn new() -> Self {\n        todo!()\n    }\n}\n\nimpl<'a, T> fmt::Display for &'a mut a::Type<T>\nwhere\n    T: Copy,\n{\n    fn fmt(&self) {}\n}\n\nimpl Other for () {\n    fn other(&self) {}\n}\n\nmod inner {\n    trait Other {\n        fn new();\n    }\n}\n";
    check(
        "a.rs",
        text,
        &[
            ("Type", &["Type 1-3"]),
            ("Type::new", &["Type.new 6-10"]),
            ("Type.new", &["Type.new 6-10"]),
            ("Type#new()", &["Type.new 6-10"]),
            ("Type<T>::new", &["Type.new 6-10"]),
            ("new", &["Type.new 6-10", "inner.Other.new 26-26"]),
            ("Type/fmt", &["Type.fmt 17-17"]),
            ("inner::Other::new", &["inner.Other.new 26-26"]),
            ("().other", &["().other 21-21"]),
            ("Other::fmt", &["similar Type.fmt"]),
            ("typ", &["similar Type"]),
            ("type", &["similar Type"]),
            ("", &[]),
            ("::", &[]),
        ],
    );
    let Some(Found::One(symbol)) = find(text, "a.rs", "Type") else {
        panic!("not found");
    };
    assert_eq!((symbol.word, symbol.sign, symbol.line), ("struct", 3, 3));
    assert!(text[symbol.bytes.0..symbol.bytes.1].starts_with("#[derive(Debug)]\npub struct Type"));
}

#[test]
fn methods_outside_their_type_belong_to_it() {
    check(
        "a.go",
        "package a\n\n// Close ends it.\nfunc (t *T[K]) Close() {\n}\n\nfunc Close() {}\n",
        &[
            ("T.Close", &["T.Close 3-5"]),
            ("Close", &["T.Close 3-5", "Close 7-7"]),
        ],
    );
    check(
        "a.cc",
        "namespace n {\ntemplate <class A>\nvoid T<A>::name(int x) {\n}\nT::~T() {}\nbool operator==(T a, T b) { return true; }\n}\n",
        &[
            ("T::name", &["n.T.name 2-4"]),
            ("n::T::name", &["n.T.name 2-4"]),
            ("T::~T", &["n.T.~T 5-5"]),
            ("operator==", &["n.operator== 6-6"]),
        ],
    );
    check(
        "a.lua",
        "function a.b:c()\nend\n\nlocal function c() end\n",
        &[
            ("a.b.c", &["a.b:c 1-2"]),
            ("b:c", &["a.b:c 1-2"]),
            ("c", &["a.b:c 1-2", "c 4-4"]),
        ],
    );
    check(
        "a.kt",
        "class A {\n    fun x() = 1\n}\n\nfun <T> List<T>.x() {\n}\n",
        &[("List.x", &["List.x 5-6"]), ("A.x", &["A.x 2-2"])],
    );
    check(
        "a.pm",
        "package A::B;\n\nsub new {\n}\n\npackage C;\n# Makes one.\nsub new {\n}\n",
        &[("A::B::new", &["A::B.new 3-4"]), ("C::new", &["C.new 7-9"])],
    );
}

#[test]
fn access_specifier_is_no_part_of_the_member_after_it() {
    check(
        "a.cc",
        "// Doc of A.\nclass A {\n public:\n  A(int x) : x_(x) {\n  }\n\n private:\n  // Doc.\n  int g() { return 1; }\n public slots:\n  void h();\n  protected: int i();\n};\n",
        &[
            ("A", &["A 1-13", "A.A 4-5"]),
            ("g", &["A.g 8-9"]),
            ("h", &["A.h 11-11"]),
            ("i", &["A.i 12-12"]),
        ],
    );
}

#[test]
fn macros_of_c_are_symbols() {
    check(
        "a.c",
        "/* Doc.\n   More. */\n#define ONE 1\n// Two.\n# define TWO(a) \\\n    ((a) + \\\n     ONE)\n#ifdef X\n#define THREE\n#else\n#define THREE 3\n#endif\n#define ONE_MORE ONE\nint f(void) { return ONE; }\n",
        &[
            ("ONE", &["ONE 1-3"]),
            ("TWO", &["TWO 4-7"]),
            ("THREE", &["THREE 9-9", "THREE 11-11"]),
            ("F", &["similar f"]),
        ],
    );
}

#[test]
fn keyword_before_a_name_selects_what_it_declares() {
    check(
        "a.rs",
        "struct A;\n\nimpl A {\n    fn new() {}\n}\n\nimpl Clone for A {\n    fn clone() {}\n}\n\nfn a() {}\n",
        &[
            ("A", &["A 1-1"]),
            ("struct A", &["A 1-1"]),
            ("impl A", &["A 3-5", "Clone for A 7-9"]),
            ("fn new", &["A.new 4-4"]),
            ("fn A", &["similar A", "similar a"]),
        ],
    );
    check(
        "a.swift",
        "struct A {\n}\nextension A: B {\n  func f() {}\n}\n",
        &[("A", &["A 1-2"]), ("extension A", &["A: B 3-5"])],
    );
}

#[test]
fn operators_are_found_by_their_names() {
    check(
        "a.cc",
        "struct A {\n  int operator()(int x) { return x; }\n  bool operator==(const A& o) const;\n  bool operator <(const A& o) const;\n  auto operator<=>(const A&) const = default;\n  int& operator[](int i);\n  A& operator+=(int x);\n  explicit operator bool() const;\n};\nstd::ostream& operator<<(std::ostream& o, const A& a) { return o; }\n",
        &[
            ("operator()", &["A.operator() 2-2"]),
            ("A::operator==", &["A.operator== 3-3"]),
            ("operator<", &["A.operator < 4-4"]),
            ("A::operator<=>", &["A.operator<=> 5-5"]),
            ("operator[]", &["A.operator[] 6-6"]),
            ("operator+=", &["A.operator+= 7-7"]),
            ("operator bool", &["A.operator bool 8-8"]),
            ("operator<<", &["operator<< 10-10"]),
            ("operator ==", &["A.operator== 3-3"]),
        ],
    );
    check(
        "a.rb",
        "class A\n  def ==(o)\n  end\n  def <=>(o)\n  end\n  def [](i)\n  end\n  def +@\n  end\n  def x=(v)\n  end\nend\n",
        &[
            ("==", &["A.== 2-3"]),
            ("A#<=>", &["A.<=> 4-5"]),
            ("A.[]", &["A.[] 6-7"]),
            ("A#+@", &["A.+@ 8-9"]),
            ("A#x=", &["A.x= 10-11"]),
        ],
    );
    check(
        "a.kt",
        "class A {\n    fun `is a name: 1`() {}\n    operator fun plus(o: A) = o\n}\n",
        &[
            ("is a name: 1", &["A.is a name: 1 2-2"]),
            ("A.`is a name: 1`", &["A.is a name: 1 2-2"]),
        ],
    );
    check(
        "a.py",
        "class Größe:\n    def naïve_π(self): pass\n\ndef 名前(): pass\n",
        &[
            ("Größe.naïve_π", &["Größe.naïve_π 2-2"]),
            ("名前", &["名前 4-4"]),
            ("名", &["similar 名前"]),
        ],
    );
}

#[test]
fn templates_and_overloads_are_found_without_their_arguments() {
    check(
        "a.cc",
        "template <class T, int N = 3>\nstruct A<T*, N> {\n  template <class U>\n  U get(int x) const;\n  int get();\n};\n\ntemplate <class T, int N>\ntemplate <class U>\nU A<T*, N>::get(int x) const {\n  return U();\n}\n\nvoid f(int);\nvoid f(double x) {\n}\n",
        &[
            ("A", &["A 1-6"]),
            ("A::get", &["A.get 3-4", "A.get 5-5", "A.get 8-12"]),
            ("A<T*, N>::get", &["A.get 3-4", "A.get 5-5", "A.get 8-12"]),
            ("f", &["f 14-14", "f 15-16"]),
            ("f(double)", &["f 14-14", "f 15-16"]),
        ],
    );
}

#[test]
fn nested_declarations_have_paths() {
    check(
        "a.py",
        "class Outer:\n    # Notes.\n    @property\n    def inner(self):\n        \"\"\"Doc.\"\"\"\n        def helper():\n            return 1\n\n        return helper\n\n\ndef inner(): pass\n",
        &[
            ("Outer.inner", &["Outer.inner 2-9"]),
            ("inner", &["Outer.inner 2-9", "inner 12-12"]),
            ("inner.helper", &["Outer.inner.helper 6-7"]),
            ("Outer.helper", &["similar Outer.inner.helper"]),
            ("Iner", &["similar Outer.inner", "similar inner"]),
        ],
    );
    check(
        "a.rb",
        "module A\n  class B::C\n    def self.x!\n    end\n  end\nend\n",
        &[
            ("A::B::C.x!", &["A.B.C.x! 3-4"]),
            ("C#x!", &["A.B.C.x! 3-4"]),
        ],
    );
    check(
        "a.sql",
        "-- The users.\nCREATE TABLE \"app\".\"Users\" (\n  id int\n);\n\ncreate or replace view app.active as\n  select 1;\n",
        &[
            ("Users", &["app.Users 1-4"]),
            ("app.users", &["app.Users 1-4"]),
            ("ACTIVE", &["app.active 6-7"]),
        ],
    );
}

#[test]
fn interpreter_of_a_script_is_no_comment_of_a_declaration() {
    check(
        "a.py",
        "#!/usr/bin/env python3\ndef f():\n    pass\n",
        &[("f", &["f 2-3"])],
    );
    check(
        "a.py",
        "#!/usr/bin/env python3\n# Doc.\ndef f():\n    pass\n",
        &[("f", &["f 2-4"])],
    );
}

#[test]
fn headings_are_found_by_text_and_anchor() {
    let text = "# The `tool`\n\n## Install\n\na\n\n```\n## Install\n```\n\n### On [Linux](http://x/y)\n\nb\n\n## Use it, now!\n\nUsage\n-----\n\nc\n\n## Install\n";
    check(
        "README.md",
        text,
        &[
            (
                "Install",
                &["The `tool`.Install 3-13", "The `tool`.Install 22-22"],
            ),
            (
                "On Linux",
                &["The `tool`.Install.On [Linux](http://x/y) 11-13"],
            ),
            (
                "Install/on linux",
                &["The `tool`.Install.On [Linux](http://x/y) 11-13"],
            ),
            ("#use-it-now", &["The `tool`.Use it, now! 15-15"]),
            ("the tool", &["The `tool` 1-22"]),
            ("usage", &["The `tool`.Usage 17-20"]),
            ("Instal", &["similar The `tool`.Install"]),
            (
                "The `tool`.Install",
                &["The `tool`.Install 3-13", "The `tool`.Install 22-22"],
            ),
            ("The `tool`.Usage", &["The `tool`.Usage 17-20"]),
        ],
    );
}

#[test]
fn enclosing_declarations_come_innermost_first() {
    let text = "mod m {\n    /// Doc.\n    #[test]\n    fn f() {\n        x();\n    }\n\n    const A: u8 = 1;\n}\n";
    let names = |file: &str, text: &str, line: u32| -> Vec<String> {
        let found = enclosing(text, file, At::line(line)).unwrap();
        found
            .into_iter()
            .map(|one| format!("{} {}", one.name, one.sign))
            .collect()
    };
    assert_eq!(names("a.rs", text, 5), ["m.f 4", "m 1"]);
    assert_eq!(names("a.rs", text, 2), ["m.f 4", "m 1"]);
    assert_eq!(names("a.rs", text, 7), ["m 1"]);
    assert_eq!(names("a.rs", text, 8), ["m.A 8", "m 1"]);
    assert!(names("a.rs", text, 99).is_empty());
    let json = "{\n \"a\": {\n  \"b\": [\n   1\n  ]\n },\n \"c\": 2\n}\n";
    assert_eq!(names("a.json", json, 4), ["a.b.0 4", "a.b 3", "a 2"]);
    assert_eq!(names("a.json", json, 7), ["c 7"]);
    assert_eq!(enclosing("x", "a.txt", At::line(1)), None);
}

#[test]
fn minified_code_has_byte_ranges() {
    let text = "function a(){return 1}function b(){return function c(){}}";
    let Some(Found::One(symbol)) = find(text, "a.js", "b") else {
        panic!("not found");
    };
    assert_eq!((symbol.first, symbol.last), (1, 1));
    assert_eq!(
        &text[symbol.bytes.0..symbol.bytes.1],
        "function b(){return function c(){}}"
    );
}

#[test]
fn members_of_a_container_on_one_line_belong_to_it() {
    check(
        "a.js",
        "class C5{m(){return 5}n(){}}class D{m(){}}\nclass E {\n} class F{m(){}}\n",
        &[
            ("C5.m", &["C5.m 1-1"]),
            ("C5.n", &["C5.n 1-1"]),
            ("D.m", &["D.m 1-1"]),
            ("F.m", &["F.m 3-3"]),
            ("m", &["C5.m 1-1", "D.m 1-1", "F.m 3-3"]),
            ("D", &["D 1-1"]),
        ],
    );
    check(
        "a.rs",
        "mod q { pub trait Sealed {} }\nimpl T { fn a() {} }\nmod r {\n    mod s { fn b() {} }\n    fn c() {}\n}\n",
        &[
            ("q::Sealed", &["q.Sealed 1-1"]),
            ("T::a", &["T.a 2-2"]),
            ("r::s::b", &["r.s.b 4-4"]),
            ("c", &["r.c 5-5"]),
        ],
    );
    check(
        "A.java",
        "class A { int f() { return 1; } class B { void g() {} } }\n",
        &[("A.f", &["A.f 1-1"]), ("A.B.g", &["A.B.g 1-1"])],
    );
    check(
        "a.cc",
        "namespace n { struct S { int f() { return 1; } }; void g(); }\n",
        &[("n::S::f", &["n.S.f 1-1"]), ("n::g", &["n.g 1-1"])],
    );
    check(
        "a.rb",
        "class A; def f; 1; end; def g; end; end\ndef h; end\n",
        &[
            ("A#f", &["A.f 1-1"]),
            ("A#g", &["A.g 1-1"]),
            ("h", &["h 2-2"]),
        ],
    );
    check(
        "a.cs",
        "namespace A.B;\nclass T { void M() {} }\nclass U { void N() {} }\n",
        &[("T.M", &["A.B.T.M 2-2"]), ("A.B.U.N", &["A.B.U.N 3-3"])],
    );
}

#[test]
fn many_declarations_of_one_name_are_counted() {
    let mut text = String::new();
    for _ in 0..100_000 {
        text.push_str("fn f() {}\n");
    }
    let Some(Found::Several { symbols, total }) = find(&text, "a.rs", "f") else {
        panic!("not found");
    };
    assert_eq!((symbols.len(), total), (limits::SYMBOLS, 100_000));
    assert_eq!(enclosing(&text, "a.rs", At::line(99_999)).unwrap().len(), 1);
}

/// The names of all declarations with their ranges.
fn all(file: &str, text: &str) -> Vec<String> {
    let language = languages::by_contents(file, text).unwrap();
    let parsed = declarations::parse(text, language);
    let symbols = Symbols::new(text, &parsed, Some(language)).all();
    symbols
        .into_iter()
        .map(|one| format!("{} {}-{}", one.name, one.first, one.last))
        .collect()
}

#[test]
fn ranges_hold_the_whole_declaration() {
    // A function of old C, whose parameters are declared before its block.
    assert_eq!(
        all(
            "a.c",
            "int f(a, b)\n    const char *a;\n    FILE *b;\n{\n    return 1;\n}\nint g(int a) NOTHROW;\nint h(a) size_t a; { }\n"
        ),
        ["f 1-6", "g 7-7", "h 8-8"]
    );
    // Decorators with values in brackets of every kind.
    assert_eq!(
        all(
            "a.py",
            "x = 1\n\n@one\n# Note.\n@two(a={\"b\": {\"c\": [1]}})\ndef f():\n    pass\n\n@three\nclass A:\n    pass\n\n@four\nx = 2\ndef g():\n    a = \\\n\"\"\"\\\nx\n\"\"\"\n    return a\n"
        ),
        ["f 3-7", "A 9-11", "g 15-20"]
    );
    assert_eq!(
        all(
            "a.ex",
            "defmodule A do\n  @moduledoc \"x\"\n  @doc \"\"\"\n  Text.\n  \"\"\"\n  @spec f(integer) :: integer\n  def f(x) do\n    x\n  end\nend\n"
        ),
        ["A 1-10", "A.f 3-9"]
    );
    // Attributes of the file do not belong to its first declaration, and closures have code.
    assert_eq!(
        all(
            "a.rs",
            "#![allow(x)]\n#![no_std]\n\n#[cfg(y)]\nfn f() {\n    g(|| {\n        struct A<T, U> {\n            a: T,\n        }\n    });\n}\n"
        ),
        ["f 4-11", "f.A 7-9"]
    );
    // A statement that is longer than what is kept of it.
    let mut text = "type A =\n".to_owned();
    for n in 0..300 {
        text.push_str(&format!("  | B{n}<C>\n"));
    }
    text.push_str(";\ntype D = 1;\n");
    assert_eq!(all("a.ts", &text), ["A 1-301", "D 303-303"]);
}

#[test]
fn values_and_headers_continue_after_blocks_and_lines() {
    assert_eq!(
        all(
            "a.kt",
            "class A\n@Inject\nprivate constructor(val x: Int) : B() {\n    fun f(): Int? =\n        try {\n            1\n        } catch (e: E) {\n            2\n        } finally {\n        }\n\n    fun g() = if (x) {\n        1\n    } else {\n        2\n    }\n    class C\n    constructor() : this(1)\n}\n"
        ),
        ["A 1-19", "A.x 3-3", "A.f 4-10", "A.g 12-16", "A.C 17-18"]
    );
    assert_eq!(
        all(
            "a.swift",
            "protocol A: B\n  where\n  C == D\n{\n  func f()\n}\nextension E.F: G where H: I {\n  func f() {}\n}\n"
        ),
        ["A 1-6", "A.f 5-5", "E.F: G where H: I 7-9", "F.f 8-8"]
    );
    check(
        "a.swift",
        "extension E.F: G {\n  func f() {}\n}\n",
        &[("F", &["E.F: G 1-3"]), ("F.f", &["F.f 2-2"])],
    );
    // Brackets that match count more than indentation.
    assert_eq!(
        all(
            "a.java",
            "class A {\n    class B {\n        void f() {\n        }\n}\n\n    void g() {\n    }\n}\n"
        ),
        ["A 1-9", "A.B 2-5", "A.B.f 3-4", "A.g 7-8"]
    );
}

#[test]
fn ruby_methods_end_with_their_end() {
    assert_eq!(
        all(
            "a.rb",
            "class A\n  def f\n    @x.each { |a| a } if @x\n    @y.each { |a|\n      a\n    } unless @y\n    while @x\n      @y.each do |a|\n      end\n    end\n    @z = $' if @x\n  end\n\n  def g options = {}\n    1\n  end\n\n  def h\n    { a: 1 }\n  end\n\n  def A::i(a)\n  end\n\n  def j= a\n  end\n\n  ruby2_keywords def k(*a)\n  end\nend\n"
        ),
        [
            "A 1-30",
            "A.f 2-12",
            "A.g 14-16",
            "A.h 18-20",
            "A.A.i 22-23",
            "A.j= 25-26",
            "A.k 28-29"
        ]
    );
}

#[test]
fn value_after_else_and_lambda_belong_to_the_declaration() {
    check(
        "a.kt",
        "fun f(): T? =\n    if (x) {\n        1\n    } else\n        null\n\nfun g() = 1\n",
        &[("f", &["f 1-5"]), ("g", &["g 7-7"])],
    );
    check(
        "a.rb",
        "class A\n  def f\n    -> { 1 }\n  end\n\n  def g\n  end\nend\n",
        &[("f", &["A.f 2-4"]), ("g", &["A.g 6-7"])],
    );
}

/// The declarations of a text that is searched in pieces of at least `size` bytes, as `name first-last`.
fn pieces(file: &str, text: &str, query: &str, size: usize) -> Vec<String> {
    use pieces::{Search, Step, Wanted};
    let mut search = Search::new(file, Wanted::Name(query));
    let (mut from, mut length) = (0, size);
    let mut found: [Vec<String>; RULES] = Default::default();
    loop {
        let rest = &text[from..];
        let end = rest
            .match_indices('\n')
            .map(|(at, _)| at + 1)
            .find(|at| *at >= length)
            .unwrap_or(rest.len());
        match search.piece(&rest[..end], end == rest.len()) {
            Step::Unknown => return vec!["unknown format".to_owned()],
            Step::Longer => length *= 2,
            Step::Piece(piece) => {
                for (all, found) in found.iter_mut().zip(piece.matches) {
                    all.extend(found.symbols.into_iter().map(|one| {
                        let (first, last) = (one.first + piece.before, one.last + piece.before);
                        format!("{} {first}-{last}", one.name)
                    }));
                }
                from += piece.end;
                length = size;
                if from == text.len() {
                    return found
                        .into_iter()
                        .find(|found| !found.is_empty())
                        .unwrap_or_default();
                }
            }
        }
    }
}

#[test]
fn search_in_pieces_finds_the_same_declarations() {
    let code = [
        (
            "a.c",
            "/* f. */\nint f(int a)\n{\n    return '{';\n}\n#define f 1\n#if X\nstruct f {\n    int a;\n};\n#endif\n// Not a doc.\n\nint f(int); /* A comment\nint f(void) {} */\n",
        ),
        (
            "a.py",
            "@x(\n    1)\n# Doc.\n@y\ndef f():\n    \"\"\"\n    def f(): pass\n    \"\"\"\n    return 1\n\nclass f:\n    def f(self): pass\n",
        ),
        (
            "a.js",
            "const f = () => {\n  return `function f() {} ${f}\n`\n}\n/** Doc.\n * f */\nfunction f() {}\nexport class f { f() {} }\n",
        ),
        (
            "a.rb",
            "# Doc.\ndef f\n  x = <<~END\n    def f\n  END\nend\nclass F\n  def f; end\nend\n",
        ),
        (
            "a.go",
            "package a\n\n// F.\nfunc f() {\n\tx := `\nfunc f() {\n`\n}\n\nfunc (t *T) f() {\n}\n",
        ),
        (
            "a.sql",
            "-- Doc.\nCREATE TABLE f (\n  a int\n);\nINSERT INTO `f` VALUES ('it\\'s', '\\\\'), (';\nCREATE TABLE f (');\n",
        ),
        (
            "a.lua",
            "-- Doc.\nfunction f()\n  if x then return [[\nfunction f()\n]] end\nend\nlocal f = function() end\n",
        ),
        ("a.sh", "# Doc.\nf() {\n  cat <<END\nf() {\nEND\n}\n"),
        (
            "a.hs",
            "-- | Doc.\nf :: Int -> Int\nf x = g x\n  where g = id\n",
        ),
        ("a.clj", "(defn f [x]\n  (g x))\n\n; Doc.\n(def f 1)\n"),
        (
            "a.md",
            "# f\n\nText\n\n## f\n\n```\n# f\n```\n\nf\n=\n\nEnd\n",
        ),
        ("a.ini", "[f]\na = 1\n\n[g]\nf = 1\n"),
    ];
    for (file, part) in code {
        let text = part.repeat(5);
        let whole = drawn(find(&text, file, "f"));
        for size in [1, 10, 50, 100, 200] {
            assert_eq!(pieces(file, &text, "f", size), whole, "{file} {size}");
        }
    }
}

#[test]
fn search_in_pieces_keeps_modules_without_a_block() {
    let perl = "# Doc of A.\npackage A;\n\nsub f {\n  return 1;\n}\n\nsub g {\n}\n\n# Doc of B.\npackage B;\n# F.\nsub f {\n}\n\nsub g {\n}\n1;\n";
    let sharp = "using X;\n\nnamespace A.B;\n\nclass T\n{\n    void M() { }\n}\n\nclass U { void M() { } }\n";
    let cases = [
        ("a.pm", perl, "A::f", "A.f 4-6"),
        ("a.pm", perl, "A::g", "A.g 8-9"),
        ("a.pm", perl, "A", "A 1-10"),
        ("a.pm", perl, "B::g", "B.g 17-18"),
        ("a.pm", perl, "B", "B 11-19"),
        ("a.cs", sharp, "A.B.T", "A.B.T 5-8"),
        ("a.cs", sharp, "A.B.U.M", "A.B.U.M 10-10"),
        ("a.cs", sharp, "A.B", "A.B 3-10"),
    ];
    for (file, text, query, expected) in cases {
        assert_eq!(drawn(find(text, file, query)), [expected], "{file} {query}");
        for size in [1, 10, 30, 60, 100] {
            let found = pieces(file, text, query, size);
            assert_eq!(found, [expected], "{file} {query} {size}");
        }
    }
}

#[test]
fn keys_with_spaces_at_their_ends_are_found() {
    check(
        "a.json",
        "{\n \" a \": 1,\n \"b\": 2,\n \"a\": 3\n}\n",
        &[
            (" a ", &[" a  2-2"]),
            ("a", &["a 4-4"]),
            (" b ", &["b 3-3"]),
        ],
    );
}

proptest::proptest! {
    #[test]
    fn symbols_of_any_text_are_inside_it(
        text in "([ \n\t{}\\[\\]():;,.=#@'\"\\\\<>a-c-]|fn |def |end|impl |class |- |é|\"\"\"|\r\n){0,120}",
        query in "[a-c.:/#0-9\\[\\]<>é]{0,8}",
        line in 0u32..40,
    ) {
        let lines = line_count(&text);
        for file in ["a.rs", "a.py", "a.rb", "a.kt", "a.go", "a.c", "a.sql", "a.md", "a.json", "a.yaml", "a.toml"] {
            let found = match find(&text, file, &query) {
                Some(Found::One(one)) => vec![one],
                Some(Found::Several { symbols, total }) => {
                    proptest::prop_assert!(total >= symbols.len() && total > 1);
                    symbols
                }
                _ => Vec::new(),
            };
            let around = enclosing(&text, file, At::line(line)).unwrap_or_default();
            proptest::prop_assert!(around.iter().all(|one| one.first <= line && line <= one.last));
            for one in found.iter().chain(&around) {
                proptest::prop_assert!(1 <= one.first && one.first <= one.line, "{one:?}");
                proptest::prop_assert!(one.line <= one.last && one.last <= lines.max(1), "{one:?}");
                proptest::prop_assert!(text.get(one.bytes.0..one.bytes.1).is_some(), "{file} {one:?}");
            }
        }
    }
}

#[test]
fn constants_that_outlines_do_not_have_are_found() {
    check(
        "a.ts",
        "// Where.\nexport const config = {\n  a: 1,\n  b: [\n    2,\n  ],\n};\n\nconst list = [\n  1,\n]\nlet made = call(\n  x,\n)\nexport const LIMIT: number = 5;\nfunction f() {\n  const inner = 1;\n}\nconst text = `\nconst hidden = 1;\n`;\nconst short = a\n  ? b\n  : c\nconst { x } = y;\nclass config2 {}\n",
        &[
            ("config", &["config 1-7"]),
            ("list", &["list 9-11"]),
            ("made", &["made 12-14"]),
            ("LIMIT", &["LIMIT 15-15"]),
            ("const LIMIT", &["LIMIT 15-15"]),
            ("let LIMIT", &[]),
            ("short", &["short 22-24"]),
            ("text", &["text 19-21"]),
            ("hidden", &[]),
            ("config2", &["config2 26-26"]),
        ],
    );
    check(
        "a.py",
        "import a\n# Names.\nNAMES = {\n    'a': 1,\n}\nlimit: int = 5\nX = 1\nif a:\n    Y = 2\n\"\"\"\nZ = 1\n\"\"\"\nX = call(\n    a,\n)\ndef f(): pass\n",
        &[
            ("NAMES", &["NAMES 2-5"]),
            ("limit", &["limit 6-6"]),
            ("X", &["X 7-7", "X 13-15"]),
            ("Z", &["similar f"]),
            ("f", &["f 16-16"]),
        ],
    );
}

#[test]
fn names_as_other_programs_write_them_are_found() {
    check(
        "a.rs",
        "const fn a() {}\nfn r#type() {}\nstruct S { r#fn: u8 }\nimpl S {\n    pub const unsafe fn new() {}\n    fn r#match(&self) {}\n}\nconst B: u8 = 1;\n",
        &[
            ("fn a", &["a 1-1"]),
            ("fn new", &["S.new 5-5"]),
            ("const B", &["B 8-8"]),
            ("type", &["type 2-2"]),
            ("r#type", &["type 2-2"]),
            ("fn r#type", &["type 2-2"]),
            ("S::match", &["S.match 6-6"]),
            ("S::r#match", &["S.match 6-6"]),
        ],
    );
    check(
        "a.c",
        "int try(int a)\n{\n    return a;\n}\nvoid *new(void) { return 0; }\nstatic void delete(int a) { if (a) { b(); } }\nint catch(int x) { return x; }\nvoid using(void) {}\n",
        &[
            ("try", &["try 1-4"]),
            ("new", &["new 5-5"]),
            ("delete", &["delete 6-6"]),
            ("catch", &["catch 7-7"]),
            ("using", &["using 8-8"]),
        ],
    );
    check(
        "a.sql",
        "create table users (\n  id int\n);\nCREATE TABLE IF NOT EXISTS [dbo].[Items] (id int);\nCREATE VIEW users2 AS SELECT 1;\nALTER TABLE users ADD x int;\n",
        &[
            ("table users", &["users 1-3"]),
            ("TABLE users", &["users 1-3"]),
            ("view users", &["similar users", "similar users2"]),
            ("[dbo].[Items]", &["dbo.Items 4-4"]),
            ("dbo.Items", &["dbo.Items 4-4"]),
            ("[Items]", &["dbo.Items 4-4"]),
            ("table Items", &["dbo.Items 4-4"]),
        ],
    );
    check(
        "a.go",
        "package a\n\nfunc (t *T) M() {\n}\n\nfunc (u U) M() {\n}\n",
        &[
            ("(*T).M", &["T.M 3-4"]),
            ("(T).M", &["T.M 3-4"]),
            ("(*U).M", &["U.M 6-7"]),
        ],
    );
    check(
        "a.tf",
        "resource \"aws_x\" \"y\" {\n  a = 1\n}\nvariable \"v\" {\n}\n",
        &[
            ("aws_x.y", &["resource \"aws_x\" \"y\" 1-3"]),
            ("resource.aws_x.y", &["resource \"aws_x\" \"y\" 1-3"]),
            ("v", &["variable \"v\" 4-5"]),
        ],
    );
    check(
        "a.r",
        "f <- \\(x) x + 1\ng = \\(x, y) {\n  x\n}\nh <- function(x) x\n",
        &[("f", &["f 1-1"]), ("g", &["g 2-4"]), ("h", &["h 5-5"])],
    );
}

#[test]
fn similar_names_have_colons_and_letters_in_another_order() {
    check(
        "a.json",
        "{\"scripts\": {\"build:prod\": \"x\", \"new\": \"y\", \"test\": \"z\"}}",
        &[
            ("build", &["similar scripts.build:prod"]),
            ("prod", &["similar scripts.build:prod"]),
            ("nwe", &["similar scripts.new"]),
            ("tets", &["similar scripts.test"]),
        ],
    );
    check(
        "a.m",
        "#import <A/A.h>\n@implementation A\n- (void)setOn:(BOOL)on animated:(BOOL)animated {\n}\n@end\n",
        &[("setOn", &["similar A.setOn:animated:"])],
    );
    check(
        "a.md",
        "# Guide\n\n## Deep: 5-9\n\ntext\n",
        &[("Deep", &["similar Guide.Deep: 5-9"])],
    );
    check(
        "a.org",
        "* One\n** TODO Two :tag:\ntext\n",
        &[("Two", &["similar One.TODO Two :tag:"])],
    );
}

#[test]
fn headings_are_found_by_the_end_of_their_path() {
    let text = "# Guide\n\n## Install\n\n### From source\n\na\n\n### v1.2\n\nb\n\n## Use\n\n### From source\n\nc\n";
    check(
        "a.md",
        text,
        &[
            ("Install.From source", &["Guide.Install.From source 5-7"]),
            (
                "Guide.Install.From source",
                &["Guide.Install.From source 5-7"],
            ),
            ("Install.v1.2", &["Guide.Install.v1.2 9-11"]),
            (
                "stall.From source",
                &[
                    "similar Guide.Install.From source",
                    "similar Guide.Use.From source",
                ],
            ),
        ],
    );
    let text = "# %% [markdown] cell:0\n# Title\n\n# %% [code] cell:1\nclass A:\n    def m(self):\n        pass\n";
    let parsed = crate::cells(text, Some("python")).unwrap();
    let symbols = Symbols::new(text, &parsed, None);
    for query in ["A.m", "m", "# %% [code] cell:1.A.m", "# %% [code] cell:1"] {
        let Found::One(one) = symbols.find(query) else {
            panic!("{query} is not found");
        };
        assert_eq!(one.last, 7, "{query}");
    }
}

#[test]
fn declarations_after_brackets_that_do_not_match_are_uncertain() {
    let unsure = |file: &str, text: &str, query: &str| match find(text, file, query) {
        Some(Found::One(one)) => (true, one.unsure_from),
        Some(Found::None { unsure_from, .. }) => (false, unsure_from),
        other => panic!("{other:?}"),
    };
    let rust = "fn first() {}\nfn a() {\n    if x {\n    y();\n\n\n    fn b() {}\n";
    assert_eq!(unsure("a.rs", rust, "first"), (true, None));
    assert_eq!(unsure("a.rs", rust, "a"), (true, Some(2)));
    assert_eq!(unsure("a.rs", rust, "c"), (false, Some(2)));
    let lua = "local function f()\n  if a then\n  return 1\nend\nlocal g = 1\n";
    assert_eq!(unsure("a.lua", lua, "f"), (true, Some(4)));
    for json in ["{\"a\": {\n \"b\": 1\n", "{\"a\": {\n \"b\": 1\n}\n"] {
        let (found, line) = unsure("a.json", json, "a");
        let outline = crate::data::by_name("a.json").and_then(|scan| scan(json));
        let Some(Scanned::Items(outline)) = outline else {
            panic!("no outline");
        };
        assert_eq!((found, line), (true, outline.unbalanced_at), "{json}");
        assert!(line.is_some(), "{json}");
        let around = enclosing(json, "a.json", At::line(2)).unwrap();
        assert!(around.iter().any(|one| one.unsure_from == line), "{json}");
    }
    assert_eq!(
        unsure("a.json", "{\"a\": {\n \"b\": 1\n}}\n", "a"),
        (true, None)
    );
}
