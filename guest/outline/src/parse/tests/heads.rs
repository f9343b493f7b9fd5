//! Heads and values of declarations that continue on the next lines.

use super::check;

#[test]
fn elixir_head_with_guards_on_several_lines_has_its_body() {
    check(
        "Elixir",
        "
defmodule A do
  def a(x)
      when is_integer(x) and
             x > 1 do
    x
  end

  def b(x)
      when is_integer(x)
      and x > 1
      or x == 0 do
    x
  end

  def c(x) when x in [1, 2] or
                  x in
                    [3] do
    x
  end

  defmacro d(a, b)
           when a == b and not is_nil(a) and
                  (a > 1 or
                     b < 2) do
    a
  end

  defp e(x),
    do:
      x <>
        \"a\"
        <> \"b\"

  def f(x),
    do: x ++
      [1] --
      [2]

  @spec g(x) :: x
        when x: term
  def g(x)
      when x >
             1
           * 2,
      do: x

  def h(<<x>>), do: <<x>>
  def i(x), do: <<x>>
  def j(x) do
    <<x>>
  end
end
",
        &[
            "1-52 M A",
            "2-6 F a",
            "8-13 F b",
            "15-19 F c",
            "21-26 F d",
            "28-32 F e",
            "34-37 F f",
            "41-45 F g",
            "47-47 F h",
            "48-48 F i",
            "49-51 F j",
        ],
    );
}

#[test]
fn head_after_an_operator_continues() {
    check(
        "Lua",
        "
local a = b or
  function(x)
    return x
  end
local c = d
  or function() return ... end
function e() end
",
        &["1-4 F a", "5-6 F c", "7-7 F e"],
    );
    check(
        "Ruby",
        "
def a(b) = b and
  c
def d b,
      c
  e
end
X = 1 +
  2
def or; end
def f; end
",
        &["1-2 F a", "3-6 F d", "7-8 V X", "9-9 F or", "10-10 F f"],
    );
    check(
        "Julia",
        "
function a(x::T, y) where
        {T}
    x
end
f(x) = x
",
        &["1-4 F a", "5-5 F f"],
    );
    check(
        "Swift",
        "
func a(b: () throws -> Int)
  async
  rethrows
  -> Int
{
  return b()
}
func c() {}
",
        &["1-7 F a", "8-8 F c"],
    );
}

#[test]
fn scala_blocks_of_indented_lines_have_their_members() {
    check(
        "Scala",
        "
package a:
  trait T:
    def a: Int
    def b: Int = 1

    def c(x: Int): Int =
      val y = x
      y + 1
  end T

  object O extends T, U:
    val v = 1
    class C(x: Int)(using Y):
      def d = x
    enum E(n: Int):
      case A extends E(1)
      def e = n
  end O
@main def top =
  val q = 1
  q + 1
def t = 2
given ord: Ordering[Int] with
  def compare(x: Int, y: Int) = x - y
  def other = 1
given Ordering[A]:
  def more = 1
extension (x: Int)
  def twice = x * 2
  def thrice = x * 3
extension [A](x: A)(using B)
  def four = x
val v: T = new T:
  def a = 1
  def b = 2
end v
type X = Int
",
        &[
            "1-18 M a",
            "2-9 T T",
            "3-3 F a",
            "4-4 F b",
            "6-8 F c",
            "7-7 V y",
            "11-18 T O",
            "12-12 V v",
            "13-14 T C",
            "14-14 F d",
            "15-17 T E",
            "17-17 F e",
            "19-21 F top",
            "20-20 V q",
            "22-22 F t",
            "23-25 V ord",
            "24-24 F compare",
            "25-25 F other",
            "26-27 V Ordering",
            "27-27 F more",
            "28-30 M (x: Int)",
            "29-29 F twice",
            "30-30 F thrice",
            "31-32 M [A](x: A)(using B)",
            "32-32 F four",
            "33-36 V v",
            "34-34 F a",
            "35-35 F b",
            "37-37 T X",
        ],
    );
}

#[test]
fn scala_values_of_indented_lines_end_with_them() {
    check(
        "Scala",
        "
def a(x: Int) =
  foo {
    x
  }
  bar
end a

def b(x: Int): Int = x match
  case 1 =>
    2
  case _ => 3

def c(x: Int) = if x > 0 then
  1
else
  2

def d(x: Int)
     (y: Int)
     (using z: Int): Int =
  for
    i <- x
  yield
    i

def e =
  def inner(x: Int) =
    x
    x
  lazy val l = 1
  inner(l)

class K:
  val f = foo
    .map { x =>
      x
    }
    .filter(_)
  def g(x: Int) = x match
  case 1 => 2
  case 2 => 3
  case class L(x: Int)
  def h = try
    1
  catch
    case e: E => 2
  finally
    close()
  def i =
    1
  end i
  def j = call:
    1
    2
  private def k(
    x: Int
  ): Int =
    val y = x

    // A comment.
    y
def l = 1
",
        &[
            "1-6 F a",
            "8-11 F b",
            "13-16 F c",
            "18-24 F d",
            "26-31 F e",
            "27-29 F inner",
            "30-30 V l",
            "33-61 T K",
            "34-38 V f",
            "39-41 F g",
            "42-42 T L",
            "43-48 F h",
            "49-51 F i",
            "52-54 F j",
            "55-61 F k",
            "58-58 V y",
            "62-62 F l",
        ],
    );
}

#[test]
fn scala_blocks_in_braces_end_with_them() {
    check(
        "Scala",
        "
object O {
  def a(x: Int) = {
    val y = 1
    y
  }
  val b =
    c
  def d =
    e match {
      case 1 => 2
    }
  def f: Int
  class G(x: Int)
      (y: Int)
      extends H {
    val i = new J {
      def k = 1
    }
  }
}
",
        &[
            "1-20 T O",
            "2-5 F a",
            "3-3 V y",
            "6-7 V b",
            "8-11 F d",
            "12-12 F f",
            "13-19 T G",
            "16-18 V i",
            "17-17 F k",
        ],
    );
}
