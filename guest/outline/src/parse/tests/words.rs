//! Languages with block words, columns or parentheses.

use super::check;

#[test]
fn ruby() {
    check(
        "Ruby",
        r#"
require "a"
module Outer
  LIMIT = 10
  Point = Struct.new(:x, :y) do
    def length; Math.sqrt(x) end
  end
  class Box < Base
    class << self
      def make(a, b: if_missing) = new(a)
    end
    attr_reader :end, :class
    private def hidden?(x) x.class end
    def name=(v); @name = v if v; end
    def [](i) end
    def ==(other) other.is_a?(Box) && begin true end end
    def text
      a = <<~ONE + <<-'TWO'
        def no
      ONE
        def no
      TWO
      %w[def no end].each do |x| puts x end
      while true do break end
      return unless a
      b = if a then 1 else 2 end
      { if: 1, end: :end }
      a / 2; x =~ /def no/ ? ?a : :b
    end
    def self.build(*) = new
    alias eql? ==
    def last; end
  end
end
=begin
def no
=end
__END__
def no
"#,
        &[
            "2-33 M Outer",
            "3-3 V LIMIT",
            "4-6 T Point",
            "5-5 F length",
            "7-32 T Box",
            "9-9 F make",
            "12-12 F hidden?",
            "13-13 F name=",
            "14-14 F []",
            "15-15 F ==",
            "16-28 F text",
            "29-29 F build",
            "31-31 F last",
        ],
    );
}

#[test]
fn lua() {
    check(
        "Lua",
        r#"
local M = {}
function M.open(a, b) if a then return function() end end end
function M:close() for i = 1, 2 do repeat local x = 1 until x end end
local function helper(...) while true do break end end
M.later = function() end
local handlers = { click = function(e) end, ["a b"] = function() end }
--[[ function no() ]]
local text = [==[ function no() ]] end ]==]
return setmetatable(M, { __call = function(_, x) return x end })
"#,
        &[
            "2-2 F M.open",
            "3-3 F M:close",
            "4-4 F helper",
            "5-5 F M.later",
            "6-6 F click",
            r#"6-6 F "a b""#,
            "9-9 F __call",
        ],
    );
}

#[test]
fn elixir() {
    check(
        "Elixir",
        r#"
defmodule A.B do
  @moduledoc """
  def no do
  """
  @type t :: %{end: integer}
  use C
  def run(x) when x > 1 do
    case x do 1 -> fn -> :end end end
  end
  defp short?(a), do: if(a, do: 1, else: 2)
  defmacro left <~> right do quote do: unquote(left) end
  def long(a)
      when is_list(a) do
    ~s(def no do)
  end
  test "does (it)" do assert ?" end
end
defimpl Walk, for: A do def step(_), do: ~S"""
def no do
""" end
"#,
        &[
            "1-17 M A.B",
            "5-5 T t",
            "7-9 F run",
            "10-10 F short?",
            "11-11 F <~>",
            "12-15 F long",
            r#"16-16 F "does (it)""#,
            "18-20 M Walk, for: A",
            "18-20 F step",
        ],
    );
}

#[test]
fn julia() {
    check(
        "Julia",
        r#"
module A
using B
#= function no() #= nested =# end =#
abstract type Shape{T} <: Any end
mutable struct Point{T<:Real} <: Shape{T}
    x::T
    Point{T}(x) where {T} = new{T}(x)
end
area(p::Point)::Int = p.x[end] + [i for i in 1:2 if i > 1][begin]
function Base.show(io::IO, p::Point) where T
    map(1:2) do i
        if i > 1; "$(p.x["a"]) end" else; :end end
    end
end
@inline function fast!(x) x' end
macro twice(e) quote $e; $e end end
+(a::Point, b::Point) = a
function stub end
long(
    a = 1;
    b = 2,
) = begin a end
const Alias = Point
end
"#,
        &[
            "1-24 M A",
            "4-4 T Shape",
            "5-8 T Point",
            "7-7 F Point",
            "9-9 F area",
            "10-14 F show",
            "15-15 F fast!",
            "16-16 F twice",
            "17-17 F +",
            "18-18 F stub",
            "19-22 F long",
            "23-23 V Alias",
        ],
    );
}

#[test]
fn shell() {
    check(
        "Shell",
        r#"
#!/bin/bash
one() { echo "${x:-"}"}" # } }
}
function two { case "$1" in a) echo 1 ;; (b) echo 2 ;; esac; }
function three()
{
  cat <<EOF <<-'END'
no() {
EOF
	no() {
	END
}
four() (
  cd /tmp && echo $# ${#x} a\'b
)
test -f x || five-six() { :; }
x='no() {'
if true; then seven() { echo $((1 << 2)); }; fi
"#,
        &[
            "2-3 F one",
            "4-4 F two",
            "5-12 F three",
            "13-15 F four",
            "16-16 F five-six",
            "18-18 F seven",
        ],
    );
}

#[test]
fn r() {
    check(
        "R",
        r#"
library(a)
f <- function(x, ...) { g <- function(y) y + 1; x %in% "}" }
`odd name<-` <- function(x, value) x
Box <- R6Class("Box", public = list(
  run = function(a) { a },
  size = 1
))
setMethod("show", "Box", function(object) cat("{"))
h = function() NULL
"#,
        &[
            "2-2 F f",
            "2-2 F g",
            "3-3 F `odd name<-`",
            "4-7 T Box",
            "5-5 F run",
            "8-8 F show",
            "9-9 F h",
        ],
    );
}

#[test]
fn haskell() {
    check(
        "Haskell",
        r"
{-# LANGUAGE CPP #-}
module A.B (run, Shape(..)) where
import C
data Shape a = Round { radius :: a } | Flat deriving (Eq)
newtype Name' = Name' String
class (Eq a) => Walk a where
  step :: a -> Int
  step _ = 1
instance Walk Int where
  step x = x
run, go :: Int
    -> Int
run 0 = 1
run n | n > 1 = '\'' `seq` 2
  where helper = n
(<+>) :: Int -> Int -> Int
a <+> b = a + b
type family F a
{- run2 :: no {- nested -} -}
x `op` y = x
",
        &[
            "2-2 M A.B",
            "4-4 T Shape",
            "5-5 T Name'",
            "6-8 T Walk",
            "7-8 F step",
            "9-10 M Walk Int",
            "10-10 F step",
            "11-15 F run",
            "16-17 F <+>",
            "18-18 T F",
            "20-20 F op",
        ],
    );
}

#[test]
fn ocaml() {
    check(
        "OCaml",
        r#"
open A
type 'a tree = Leaf | Node of 'a tree * 'a
and ('a, 'b) pair = { a : 'a }
exception Empty of string
let rec map f = function Leaf -> Leaf | Node (l, x) -> let g y = y in Node (map f l, g x)
and fold f acc t = acc
let limit = 10
let ( ++ ) a b = a
let () = print_endline "let no x ="
module Make (X : sig type t end) : S = struct
  let inner x = (* let no (* "x" *) *) x
  class ['a] box = object (self)
    method get = 1
  end
end
module type S = sig
  val run : int -> int
  val size : int
end
external low : int -> int = "low"
let last x' = {|let no|}
"#,
        &[
            "2-2 T tree",
            "3-3 T pair",
            "4-4 T Empty",
            "5-5 F map",
            "6-6 F fold",
            "7-7 V limit",
            "8-8 F ( ++ )",
            "10-15 M Make",
            "11-11 F inner",
            "12-14 T box",
            "13-13 F get",
            "16-19 M S",
            "17-17 F run",
            "18-18 V size",
            "20-20 F low",
            "21-21 F last",
        ],
    );
}
