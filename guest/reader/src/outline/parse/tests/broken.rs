//! Files with damage: what follows is found.

use super::{check, damaged};

#[test]
fn missing_brace() {
    damaged(
        "Rust",
        r"
fn one() {
    if a {
        b();
}
fn two() {}
struct Three;
",
        4,
        &["1-4 F one", "5-5 F two", "6-6 T Three"],
    );
}

#[test]
fn missing_brace_in_a_class() {
    damaged(
        "Java",
        r"
class A {
    void one() {
        if (a) {
            b();
    }
    void two() { }
    int three;
    abstract int four();
}
class B { void five() { } }
",
        6,
        &[
            "1-9 T A",
            "2-6 F one",
            "6-6 F two",
            "8-8 F four",
            "10-10 T B",
            "10-10 F five",
        ],
    );
}

#[test]
fn code_that_is_indented_less_than_what_it_stands_in() {
    check(
        "C++",
        r"
    struct View {
  void run() {
   winrt::get_self<Base>(value)->second();
  }
    };
",
        &["1-5 T View", "2-4 F run"],
    );
}

#[test]
fn surplus_brace() {
    damaged(
        "C",
        r"
int one(void) { return 0; } }
int two(void) { return 0; }
",
        1,
        &["1-1 F one", "2-2 F two"],
    );
}

#[test]
fn missing_bracket() {
    damaged(
        "Python",
        r"
x = foo(1, [2
def one():
    pass
class Two:
    def three(self): pass
",
        1,
        &["2-3 F one", "4-5 T Two", "5-5 F three"],
    );
}

#[test]
fn missing_quote() {
    damaged(
        "JavaScript",
        r#"
const a = "open;
function one() { return 'it; }
function two() {}
"#,
        1,
        &["2-3 F one", "3-3 F two"],
    );
}

#[test]
fn missing_quote_over_lines() {
    damaged(
        "Rust",
        r#"
const A: &str = "open;
fn one() { print("b"); }
fn two() {}
"#,
        1,
        &["1-1 V A", "2-2 F one", "3-3 F two"],
    );
}

#[test]
fn missing_end() {
    damaged(
        "Ruby",
        r"
class A
  def one
    if x
      y
  end
  def two; end
end
def three; end
",
        5,
        &["1-7 T A", "2-5 F one", "6-6 F two", "8-8 F three"],
    );
}

#[test]
fn surplus_end() {
    damaged(
        "Lua",
        r"
function one() end end
function two() end
",
        1,
        &["1-1 F one", "2-2 F two"],
    );
}

#[test]
fn missing_end_of_a_comment() {
    damaged(
        "C",
        r"
/* open
int one(void);
/* closed */
int two(void) { return 0; }
",
        1,
        &["2-2 F one", "4-4 F two"],
    );
}

#[test]
fn conflict() {
    damaged(
        "Go",
        r"
package a

<<<<<<< HEAD
func one() {
=======
func one(a int) {
>>>>>>> other
}

func two() {}
",
        3,
        &["4-4 F one", "6-8 F one", "10-10 F two"],
    );
}

#[test]
fn branches() {
    check(
        "C",
        r"
#if A
void one(void) {
#elif B
void one(int a) {
#else
void one(char a) {
#endif
}
int two(void) { return 0; }
",
        &["2-2 F one", "4-4 F one", "6-8 F one", "9-9 F two"],
    );
}

#[test]
fn rest_of_a_class() {
    damaged(
        "JavaScript",
        r"
    return 1;
  }
  two(a) { return a; }
  get three() { return 1; }
}
function four() {}
",
        2,
        &["3-3 F two", "4-4 F three", "6-6 F four"],
    );
}

#[test]
fn missing_parenthesis() {
    damaged(
        "Clojure",
        r"
(defn one [x]
  (str x)
(defn two [] 1)
",
        1,
        &["1-2 F one", "3-3 F two"],
    );
}

#[test]
fn cut() {
    damaged(
        "PHP",
        r#"
function one() {
  if ($a) {
    return "
"#,
        1,
        &["1-3 F one"],
    );
}
