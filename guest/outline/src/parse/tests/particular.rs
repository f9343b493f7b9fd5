//! Features of single languages.

use super::super::parse;
use super::check;
use crate::languages::by_name;

#[test]
fn shell_words_continue_after_strings() {
    check(
        "Shell",
        r#"
say 'BEGIN {
  if('"$filter"');
}' "$parent"
one() {
  say 'it isn'\''t
  so'\''' [ [:a ]
}
two() { :; }
"#,
        &["4-7 F one", "8-8 F two"],
    );
}

#[test]
fn ocaml_line_markers_are_skipped() {
    check(
        "OCaml",
        r#"
module M = struct

# 12 "other.ml"

  type _ kind =
    | A : int kind
  let use a = a
end
"#,
        &["1-8 M M", "5-6 T kind", "7-7 F use"],
    );
}

#[test]
fn objective_c_macros_before_methods_are_skipped() {
    check(
        "Objective-C",
        r"
@implementation Box
MARK_NOT_MADE(-(id)init)
MARK_BEGIN
- (void)open
{
}
@end
",
        &["1-7 T Box", "4-6 F open"],
    );
}

#[test]
fn rust_macros_in_parentheses_are_found() {
    check(
        "Rust",
        r"
macro_rules! quiet ( ($($a:tt)*) => {{}} );
macro_rules! long(
    ( $a:expr ) => { fn made() {} }
);
fn last() {}
",
        &["1-1 F quiet", "2-4 F long", "3-3 F made", "5-5 F last"],
    );
}

#[test]
fn go_type_parameters_after_names_are_skipped() {
    check(
        "Go",
        r"
func New[K comparable, V any]() *Map[K, V] { return nil }
func pointer[T int | []byte](value T) *T { return &value }
func (m *Map[K, V]) Get(
	key K,
) V {
	return m.all[key]
}
",
        &["1-1 F New", "2-2 F pointer", "3-7 F Get"],
    );
}

#[test]
fn kotlin_local_functions_in_lambdas_are_found() {
    check(
        "Kotlin",
        r#"
fun <@Suppress("UNUSED") T> same(a: T): T = a
fun wait() = suspended { continuation ->
    fun failed(error: Throwable) = continuation.fail(error)
    fun done(): Int {
        return 1
    }
}
"#,
        &["1-1 F same", "2-7 F wait", "3-3 F failed", "4-6 F done"],
    );
}

#[test]
fn psql_commands_are_skipped() {
    check(
        "SQL",
        r"
\echo Use this file as an extension. \quit
create function one(a int) returns int language sql as $$ select a $$;
\set name 'value'
create table two (a int);
",
        &["2-2 F one", "4-4 T two"],
    );
}

#[test]
fn ignored_code_declares_nothing() {
    check(
        "Clojure",
        r"
#_(defn no [] (defn nor []))
(defn one []
  #_
  (defn neither [])
  1)
",
        &["2-5 F one"],
    );
    check(
        "C",
        "\n// see c:\\dir\\\nint no(void) {\nint one(void) {\n  return 1;\n}\n",
        &["3-5 F one"],
    );
    check(
        "Swift",
        "\nlet a = #\"\"\"\n \"#\nfunc no() {\n\"\"\"#\nfunc one() {\n}\n",
        &["1-4 V a", "5-6 F one"],
    );
    let shifts = "x=$(( 1 << n ))\n".repeat(9);
    let source = format!("\n{shifts}usage=\"\nno() {{\n\"\none() {{\n  :\n}}\n");
    check("Shell", &source, &["13-15 F one"]);
    let generic = "const f = <T>(x: T): T => { return x; };\n".repeat(9);
    let source = format!("\n{generic}const q = `\nfunction no() {{}}\n`;\nfunction one() {{}}\n");
    let ours = parse(source.get(1..).unwrap(), by_name("a.tsx").unwrap());
    assert!(ours.items.iter().all(|item| item.name != "no"));
}

#[test]
fn svelte_snippets_between_tags_are_found() {
    check(
        "Svelte",
        r"
{#snippet row(item: Item)}
  <tr><td>{item.name}</td></tr>
{/snippet}
<div>
  {#snippet cell()}<b>1</b>{/snippet}
  {@render row(a)}
</div>
",
        &["1-3 F row", "5-5 F cell"],
    );
}
