//! Functions and classes in the values and types of scripts.

use super::{check, damaged};

#[test]
fn functions_with_two_names_are_found_by_both() {
    check(
        "JavaScript",
        r#"
module.exports = class Named extends Base { run() {} };
const table = {
  get: function read() {},
  "put": async function* write() {},
  same: function same() {},
  'next line':
    function other(a) {
      return function deep() {};
    },
};
app.on = a.b = function shared() {};
return class Inner {};
"#,
        &[
            "1-1 T exports",
            "1-1 T Named",
            "1-1 F run",
            "3-3 F get",
            "3-3 F read",
            r#"4-4 F "put""#,
            "4-4 F write",
            "5-5 F same",
            "6-9 F 'next line'",
            "7-9 F other",
            "8-8 F deep",
            "11-11 F b",
            "11-11 F shared",
            "12-12 T Inner",
        ],
    );
}

#[test]
fn functions_bound_to_names_are_found() {
    check(
        "JavaScript",
        r#"
require("a").b = function () {};
const map = { key: this.field = function () {}, [computed]: () => 1, async async(x) {} };
(set)[method] = () => {};
var plain, later = function () {},
  last = (x) => x;
if (a) b.c ??= 1, d = () => {};
const chosen = some ?
  other :
  function () { inner(); };
return (found = function () {});
const { e = () => {} } = f;
class Box { async() {} static { this.g = () => {}; } }
"#,
        &[
            "1-1 F b",
            "2-2 F field",
            "2-2 F [computed]",
            "2-2 F async",
            "3-3 F method",
            "4-4 F later",
            "5-5 F last",
            "6-6 F d",
            "10-10 F found",
            "12-12 T Box",
            "12-12 F async",
            "12-12 F g",
        ],
    );
}

#[test]
fn default_values_of_parameters_declare_nothing() {
    check(
        "TypeScript",
        r"
function one(a = () => 1, b: () => void = () => {}) {}
const two = (c = () => {}) => c;
class Box { three(d = function () {}) {} }
const four = { five(e = () => {}) {} };
call(f = () => {});
",
        &[
            "1-1 F one",
            "2-2 F two",
            "3-3 T Box",
            "3-3 F three",
            "4-4 F five",
            "5-5 F f",
        ],
    );
}

#[test]
fn keywords_as_names_are_accepted() {
    check(
        "TypeScript",
        r#"
import type { type Shape, type Other } from "./shape";
export { type Shape };
for (const type of types) run(type as Shape);
const type = (type extends: number) => 1;
return as(filter(a), { while: () => 1 });
interface Loader { import(id: string): Loader; get "x-y"(): number }
class Kind { type = "a"; readonly [Symbol.kind] = 1; class() {} }
type Type = { type(): void };
"#,
        &[
            "4-4 F type",
            "5-5 F while",
            "6-6 T Loader",
            "6-6 F import",
            r#"6-6 F "x-y""#,
            "7-7 T Kind",
            "7-7 F class",
            "8-8 T Type",
            "8-8 F type",
        ],
    );
}

#[test]
fn type_parameters_are_skipped() {
    check(
        "TypeScript",
        r#"
const one = <A, E = B<A>>(x: A): Map<A, E> => x;
const table = { two: <A, B>(x: A) => x, three<const A, B>(x: A): A { return x; } };
class Box extends Mixed<A, { skip: () => void }>("id")<{ skip: () => void }> {
  four<A, B extends E>(a: A): B { return a; }
  [key]<A>(a: A) { return a < 1 && b > 2; }
  static five<A>(): void;
}
run(function* <A, E>(options: { skip: () => void }) { const six = () => {}; });
const seven: <A = never>() => Array<A> = () => [];
const eight: new <A, B>(a: A) => B = class {};
if (a < b) c = d << e; else run(f, () => { const nine = (): void => {}; });
"#,
        &[
            "1-1 F one",
            "2-2 F two",
            "2-2 F three",
            "3-7 T Box",
            "4-4 F four",
            "5-5 F [key]",
            "6-6 F five",
            "8-8 F six",
            "9-9 F seven",
            "10-10 T eight",
            "11-11 F nine",
        ],
    );
}

#[test]
fn function_types_declare_nothing() {
    check(
        "TypeScript",
        r"
const a = new Map<
  string,
  { skip: () => void; one(): void }
>();
const b = c as { skip: () => void } & { skip: () => void };
type Shape<A> =
  & { skip: () => void }
  & ([A] extends [B] ? { skip: () => void } : { skip: (() => void) | undefined });
const two = (x: { skip: () => void }): { skip: () => void } => ({ three: () => x });
const four = (): (() => void) => { const five = () => {}; };
function six(this: { skip: () => void }): asserts this is { skip: () => void } {}
const seven = a ? { eight: () => 1 } : { nine: () => 2 };
",
        &[
            "3-3 F one",
            "6-8 T Shape",
            "9-9 F two",
            "9-9 F three",
            "10-10 F four",
            "10-10 F five",
            "11-11 F six",
            "12-12 F eight",
            "12-12 F nine",
        ],
    );
}

#[test]
fn statements_over_several_lines_are_joined() {
    check(
        "TypeScript",
        r"
export interface One<
  A = B<C>,
  D extends E
> extends
  Two<A>,
  Three<D>
{
  four(): void
  five?(): void
}
class Six
  extends Seven
  implements Eight, Nine {
  ten = 1
  override [key]() {}
}
function eleven(a: string): void
function eleven(a: number): Map<
  string,
  number
>
const twelve = (): Promise<
  void
> => {}
",
        &[
            "1-10 T One",
            "8-8 F four",
            "9-9 F five",
            "11-16 T Six",
            "15-15 F [key]",
            "17-17 F eleven",
            "18-21 F eleven",
            "22-24 F twelve",
        ],
    );
}

#[test]
fn anonymous_classes_members_are_found() {
    check(
        "TypeScript",
        r"
const Mixed = <A extends object>(Base: A) => class extends Base {
  private one = () => {};
  two<A>(a: A) {}
};
run(class { three() {} }, class Four extends Five { six() {} });
",
        &[
            "1-4 F Mixed",
            "2-2 F one",
            "3-3 F two",
            "5-5 T ",
            "5-5 F three",
            "5-5 T Four",
            "5-5 F six",
        ],
    );
}

#[test]
fn functions_in_markup_are_found() {
    check(
        "TSX",
        r#"
const View = () => (
  <Box<string>
    // It's said here, } and there.
    on={function named() { go(); }}
    style={{ color: "a", pick: () => 1, plain() {} }}
    text="}"
  >
    it's {items.map((item) => (
      <Item key={item} on={() => { const deep = (): void => {}; }}>{item}</Item>
    ))}
    {/* } */ a ? <b>{"}"}</b> : `}`.replace(/[}"]/g, "")}
  </Box>
);
function after<T,>(x: T) { return x; }
"#,
        &[
            "1-13 F View",
            "4-4 F named",
            "5-5 F pick",
            "5-5 F plain",
            "9-9 F deep",
            "14-14 F after",
        ],
    );
}

#[test]
fn regex_in_template_string_does_not_end_it() {
    check(
        "JavaScript",
        r#"
const one = (x) => `${x.replace(/`/g, "``")} ${a / b}`;
function two() {}
"#,
        &["1-1 F one", "2-2 F two"],
    );
}

#[test]
fn markup_without_end_does_not_hide_functions() {
    damaged(
        "TSX",
        r"
const one = () => <div on={() => { a = 1; }}>;
function three() {}
",
        0,
        &["1-1 F one", "2-2 F three"],
    );
}
