//! Scripts, styles, pages and data.

use super::check;

#[test]
fn javascript() {
    check(
        "JavaScript",
        r#"
import a from "a";
export default class Box extends Base {
  #size = 1;
  static async *walk(a = { b() {} }) { yield /[{"]/g; }
  get size() { return this.#size; }
  ["computed name"]() {}
  handle = async (e) => { if (e) return `${e ? `}` : "{"}`; };
  delete() { return 1 / 2 / 3; }
}
const one = (a) => a, two = function () {};
app.get = function get(path) {};
module.exports = class Named {};
const table = { plain() {}, key: function () {}, "a b": async x => x, n: 1 };
function* many({ a = () => 1, b } = {}) { if (a) { b(); } return function inner() {}; }
let Element = <div title="}" on={() => { go(); }}>text {"{"} </div>;
names["key"] = () => {};
"#,
        &[
            "2-9 T Box",
            "4-4 F walk",
            "4-4 F b",
            "5-5 F size",
            r#"6-6 F ["computed name"]"#,
            "7-7 F handle",
            "8-8 F delete",
            "10-10 F one",
            "10-10 F two",
            "11-11 F get",
            "12-12 T exports",
            "12-12 T Named",
            "13-13 F plain",
            "13-13 F key",
            r#"13-13 F "a b""#,
            "14-14 F many",
            "14-14 F inner",
            r#"16-16 F "key""#,
        ],
    );
}

#[test]
fn typescript() {
    check(
        "TypeScript",
        r#"
import { type Shape, read } from "./shape";
export abstract class Box<T extends { id: string }> implements Walk<T> {
  constructor(private readonly a: { b: number }, public c?: () => void) { super(); }
  protected abstract step(): Promise<T & { done(): boolean }>;
  isOpen(): this is { open: true } { return true; }
  private handlers: Map<string, { on: (x: number) => void }> = new Map();
  over(a: string): void;
  over(a: any) {}
}
export interface Walk<T> { (x: T): void; new (x: T): Walk<T>; go<K>(k: K): T; done: () => void; readonly [key: string]: any }
type Pair<A, B = A> = { a: A; swap(): Pair<B, A> } | (() => void);
declare module "x" { export function inner(a: number): string; }
namespace Deep.Er { export enum Color { Red = "r" } }
export const make = <T,>(x: T): T => x;
const guard = (x: unknown): x is string => typeof x === "string";
"#,
        &[
            "2-9 T Box",
            "3-3 F constructor",
            "4-4 F step",
            "4-4 F done",
            "5-5 F isOpen",
            "7-7 F over",
            "8-8 F over",
            "10-10 T Walk",
            "10-10 F go",
            "11-11 T Pair",
            "11-11 F swap",
            r#"12-12 M "x""#,
            "12-12 F inner",
            "13-13 M Deep",
            "13-13 T Color",
            "14-14 F make",
            "15-15 F guard",
        ],
    );
}

#[test]
fn tsx() {
    check(
        "TSX",
        r#"
export const View: React.FC<Props> = ({ title = "a", onPress = () => {} }: Props) => {
  const go = (e: Event) => { e.stop(); };
  return <Text style={{ a: 1 }} onPress={() => { go(); }}>{title}'s {`}`}</Text>;
};
function Generic<T extends object>(props: { render(x: T): void }) { return <></>; }
"#,
        &["1-4 F View", "2-2 F go", "5-5 F Generic", "5-5 F render"],
    );
}

#[test]
fn python() {
    check(
        "Python",
        r#"
import os
@decorator(lambda x: {
    "a": x,
})
class Box(Base, metaclass=Meta):
    """def no():"""
    async def run(self, a: Dict[str, int] = {}, *args) -> None:
        def inner(): pass
        return f"{a['}']}"
    @property
    def size(self): return 1
if True:
    def conditional(
        a,
    ):
        x = """
def no():
"""
class Empty: pass
"#,
        &[
            "5-11 T Box",
            "7-9 F run",
            "8-8 F inner",
            "11-11 F size",
            "13-18 F conditional",
            "19-19 T Empty",
        ],
    );
}

#[test]
fn clojure() {
    check(
        "Clojure",
        r#"
(ns a.b (:require [c.d :as d]))
(defn ^String greet "Says (defn no" [x] (str \( x #"\)"))
(defn- hidden [] (let [f (fn inner [] 1)] f))
(defmacro ^{:private true} unless [c & body] `(if (not ~c) (do ~@body)))
(defprotocol Walk (step [this]))
(defrecord Point [x y] Walk (step [_] 1))
(defmulti area :shape)
(defmethod area :square [s] 1)
; (defn no [])
(d/defn late [] 1)
"#,
        &[
            "1-1 M a.b",
            "2-2 F greet",
            "3-3 F hidden",
            "4-4 F unless",
            "5-5 T Walk",
            "6-6 T Point",
            "7-7 F area",
            "8-8 F area",
            "10-10 F late",
        ],
    );
}

#[test]
fn css() {
    check(
        "CSS",
        r#"
@import url(//a.b/c.css);
.a > .b, #c[data-x="{"]:not(.d) { color: red }
@media (max-width: 10px) {
  .nested { &:hover { top: 0 } }
}
@mixin box($a: 1px) { width: #{$a}; }
@keyframes spin { from { top: 0 } 50% { top: 1px } to { top: 2px } }
.esc\:name { content: "}" }
"#,
        &[
            r#"2-2 S .a > .b, #c[data-x="{"]:not(.d)"#,
            "3-5 S @media (max-width: 10px)",
            "4-4 S .nested",
            "4-4 S &:hover",
            "6-6 F box",
            "7-7 S @keyframes spin",
            r"8-8 S .esc\:name",
        ],
    );
}

#[test]
fn hcl() {
    check(
        "HCL",
        r#"
terraform { required_version = "1" }
resource "aws_instance" "web" {
  tags = { Name = "a" }
  provisioner "local-exec" {
    command = <<-EOT
      resource "no" "no" {
    EOT
  }
}
# variable "no" {
variable plain { default = "${var.a}{" }
"#,
        &[
            "1-1 S terraform",
            r#"2-9 S resource "aws_instance" "web""#,
            r#"4-8 S provisioner "local-exec""#,
            "11-11 S variable plain",
        ],
    );
}

#[test]
fn graphql() {
    check(
        "GraphQL",
        r#"
"""
type No {
"""
type Query implements Node & Other @key(fields: "id") { type(a: Int = 1): String! }
extend schema @link(url: "x")
union Any = A | B
input Filter { type: String }
directive @auth(role: Role = USER) on FIELD
scalar Date
query Find($id: ID!) { node(id: $id) { ...Parts } }
fragment Parts on Node { id }
"#,
        &[
            "4-4 T Query",
            "6-6 T Any",
            "7-7 T Filter",
            "8-8 F auth",
            "9-9 T Date",
            "10-10 F Find",
            "11-11 F Parts",
        ],
    );
}

#[test]
fn vue() {
    check(
        "Vue",
        r#"
<template>
  <div id="app" @click="a > b ? go() : 1"><h1>Title</h1></div>
</template>
<script setup lang="ts">
const go = (x: number): void => {}
interface Props { a: string }
</script>
<style scoped>
.a { color: red }
</style>
"#,
        &[
            "1-3 S template",
            "2-2 S #app",
            "2-2 S Title",
            r#"4-7 S script setup lang="ts""#,
            "5-5 F go",
            "6-6 T Props",
            "8-10 S style scoped",
            "9-9 S .a",
        ],
    );
}

#[test]
fn html() {
    check(
        "HTML",
        r#"
<!DOCTYPE html>
<!-- <h1>no</h1> -->
<h1 class="a">One <b>bold</b></h1>
<section id="part"><h2>Two</h2>
<script>
function run() { return "</div>"; }
</script>
<script type="application/json">{"function no() {": 1}</script>
</section>
<h1>Three</h1>
"#,
        &[
            "3-9 S One bold",
            "4-9 S #part",
            "4-9 S Two",
            "5-7 S script",
            "6-6 F run",
            "10-11 S Three",
        ],
    );
}
