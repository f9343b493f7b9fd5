//! Damaged files: the declarations after the damage are found.

use super::{check, damaged};

#[test]
fn missing_brace_ends_at_next_declaration() {
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
fn missing_brace_in_class_ends_at_next_member() {
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
fn code_indented_less_than_its_block_is_not_damage() {
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
fn surplus_brace_is_reported_and_skipped() {
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
fn missing_bracket_ends_at_next_declaration() {
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
fn missing_quote_ends_at_line_end() {
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
fn missing_quote_of_multiline_string_ends_at_line_end() {
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
fn missing_end_word_is_found_by_indentation() {
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
fn surplus_end_word_is_reported_and_skipped() {
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
fn missing_comment_end_ends_at_line_end() {
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
fn merge_conflict_declarations_of_both_sides_are_found() {
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
fn preprocessor_branches_declarations_of_all_are_found() {
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
fn class_without_start_members_are_found() {
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
fn missing_parenthesis_ends_at_first_column() {
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
fn truncated_file_open_function_is_found() {
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
