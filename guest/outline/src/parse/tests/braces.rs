//! Languages with braces.

use super::check;

#[test]
fn rust() {
    check(
        "Rust",
        r##"
#[derive(Debug)]
pub struct Point<T: Into<f64>> { x: T }
pub(crate) enum Shape { Round { r: f64 }, Flat(u8) }
impl<T> Point<T> {
    pub const ORIGIN: u8 = b'{';
    pub async unsafe fn go(&self, f: impl Fn(u8) -> u8) -> Vec<u8> {
        let text = r#"fn none() { "# ;
        fn inner<'a>(x: &'a str) {}
    }
}
macro_rules! list { ($x:expr) => { fn made() {} } }
mod tests { /* fn no() { /* nested */ */ fn yes() {} }
trait Walk: Send { type Step; fn step(&self) -> Self::Step; }
"##,
        &[
            "2-2 T Point",
            "3-3 T Shape",
            "4-10 M <T> Point<T>",
            "5-5 V ORIGIN",
            "6-9 F go",
            "8-8 F inner",
            "11-11 F list",
            "11-11 F made",
            "12-12 M tests",
            "12-12 F yes",
            "13-13 T Walk",
            "13-13 T Step",
            "13-13 F step",
        ],
    );
}

#[test]
fn go() {
    check(
        "Go",
        r#"
package main

import (
	"fmt"
)

type (
	Reader interface {
		Read(p []byte) (n int, err error)
	}
	Pair[K comparable, V any] struct{ key K }
)

const text = `func no() {`

func (p *Pair[K, V]) Key(f func(int) error) (K, error) { return p.key, nil }

func init() {
	run := func() {}
	run()
}
"#,
        &[
            "8-10 T Reader",
            "9-9 F Read",
            "11-11 T Pair",
            "14-14 V text",
            "16-16 F Key",
            "18-21 F init",
        ],
    );
}

#[test]
fn java() {
    check(
        "Java",
        r#"
@Service("a{b")
public final class Box<T extends Comparable<T>> implements Holder<T> {
    private static final String TEXT = """
        class No { """;
    public Box(T value) { super(); }
    @Override
    public <R> R map(Function<? super T, R> f) throws Exception { return f.apply(v); }
    abstract int size();
    enum Color { RED { int level() { return 1; } }, GREEN; int level() { return 0; } }
    record Point(int x, int y) { Point { check(x); } }
    @interface Mark { String value() default ""; }
}
"#,
        &[
            "2-12 T Box",
            "5-5 F Box",
            "7-7 F map",
            "8-8 F size",
            "9-9 T Color",
            "9-9 F level",
            "10-10 T Point",
            "10-10 F Point",
            "11-11 T Mark",
            "11-11 F value",
        ],
    );
}

#[test]
fn kotlin() {
    check(
        "Kotlin",
        r#"
import java.util.*

object Tools {
    const val SIZE = 1
    inline fun <reified T> List<T>.`the last`(n: Int = 1): T? = last { it != null }
}
sealed interface Shape<out T>
data class Point(val x: Int) : Shape<Int> {
    constructor(text: String) : this(text.toInt())
    companion object { fun of(x: Int) = Point(x) }
}
typealias Names = List<String>
val text = "${if (a) "fun no() {" else ""}"
"#,
        &[
            "3-6 T Tools",
            "4-4 V SIZE",
            "5-5 F `the last`",
            "7-7 T Shape",
            "8-11 T Point",
            "8-8 V x",
            "9-9 F constructor",
            "10-10 T ",
            "10-10 F of",
            "12-12 T Names",
            "13-13 V text",
        ],
    );
}

#[test]
fn c() {
    check(
        "C",
        r"
#include <stdio.h>
#define BOTH(a) void a##_one(void) { }
typedef struct point { int x; } point_t;
typedef int (*handler)(int, void *);
static inline int __attribute__((unused)) first(int a[], struct point *p);
enum color { RED = 1, GREEN };
int
old_style(a, b)
    int a;
    char *b;
{
    if (a) { return '{'; }
    return 0;
}
#ifdef BIG
int size(void) {
#else
int size(int n) {
#endif
    return 1;
}
struct point origin = { .x = 1 };
int last(void) { return 0; }
",
        &[
            "3-3 T point",
            "3-3 T point_t",
            "4-4 T handler",
            "5-5 F first",
            "6-6 T color",
            "8-14 F old_style",
            "16-16 F size",
            "18-21 F size",
            "23-23 F last",
        ],
    );
}

#[test]
fn cpp() {
    check(
        "C++",
        r#"
namespace a::b {
template <typename T, int N = (3 > 2)>
class Box final : public Base<T> {
public:
    explicit Box(T value) : value_{value}, other_(1) {}
    ~Box() override;
    bool operator==(const Box& other) const noexcept { return true; }
    auto operator()(int) -> int;
    template <class U> U to() const requires true { return U{}; }
    struct Inner { int x; };
private:
    T value_;
};
using Name = std::string;
enum class Color : int { Red };
}
const char *text = R"x(void no() { )")x";
template <> int Box<int>::size() const { return [](int a) { return a; }(1); }
extern "C" { int plain(void); }
"#,
        &[
            "1-16 M a::b",
            "3-13 T Box",
            "5-5 F Box",
            "6-6 F ~Box",
            "7-7 F operator==",
            "8-8 F operator()",
            "9-9 F to",
            "10-10 T Inner",
            "14-14 T Name",
            "15-15 T Color",
            "18-18 F size",
            "19-19 F plain",
        ],
    );
}

#[test]
fn csharp() {
    check(
        "C#",
        r#"
using System;
namespace A.B;
[Serializable]
public partial class Box<T> : Base where T : new() {
    public delegate void Changed(object sender);
    public event Changed Done;
    public string Name { get; set; } = $"{{ {Get("x")} {{";
    string path = @"C:\dir\";
    public Box(int a) : base(a) { }
    ~Box() { }
    public static Box<T> operator +(Box<T> a, Box<T> b) => a;
    int IThing.Count<U>(U u) where U : class { return 1; }
    public async Task<int> RunAsync() => await Go();
    enum Color { Red, Green }
    record struct Point(int X, int Y);
}
"#,
        &[
            "2-2 M A.B",
            "4-16 T Box",
            "5-5 T Changed",
            "7-7 V Name",
            "9-9 F Box",
            "10-10 F ~Box",
            "11-11 F operator +",
            "12-12 F Count",
            "13-13 F RunAsync",
            "14-14 T Color",
            "15-15 T Point",
        ],
    );
}
