//! More languages with braces.

use super::check;

#[test]
fn swift() {
    check(
        "Swift",
        r##"
@objc(Box) public final class Box<T>: Base where T: Hashable {
    var text: String { "\(name("}"))" }
    required init?(coder: NSCoder) { return nil }
    deinit { }
    class func make() -> Box { Box() }
    subscript(index: Int) -> T { items[index] }
    static func == (a: Box, b: Box) -> Bool { true }
    func `in`(_ f: @escaping () -> Void) throws { }
}
extension Box: Codable where T: Codable { func encode() {} }
enum Color: String { case red, green; func next() -> Color { .red } }
protocol Walk { associatedtype Step; func step() -> Step }
let raw = #"func no() { "quoted" "#
#if DEBUG
func debug() {
#else
func debug() {
#endif
}
func last() {}
"##,
        &[
            "1-9 T Box",
            "2-2 V text",
            "3-3 F init",
            "4-4 F deinit",
            "5-5 F make",
            "6-6 F subscript",
            "7-7 F ==",
            "8-8 F `in`",
            "10-10 M Box: Codable where T: Codable",
            "10-10 F encode",
            "11-11 T Color",
            "11-11 F next",
            "12-12 T Walk",
            "12-12 T Step",
            "12-12 F step",
            "13-13 V raw",
            "15-15 F debug",
            "17-19 F debug",
            "20-20 F last",
        ],
    );
}

#[test]
fn scala() {
    check(
        "Scala",
        r#"
package a.b
import c._
sealed abstract class Tree[+A](size: Int) extends Base with Other {
  self: Context =>
  private[this] lazy val depth: Int = { 1 }
  def map[B](f: A => B): Tree[B] = this match {
    case Leaf(x) => Leaf(f(x))
  }
  def ++(other: Tree[A]) = other
  def `odd name`: String = s"${if (a) "}" else "{"}"
  implicit def convert(x: Int): String = """def no() { """
}
case class Leaf[A](value: A) extends Tree[A](1)
object Tree { type Any2 = Tree[Any]; case object Empty }
"#,
        &[
            "1-1 M a.b",
            "3-12 T Tree",
            "5-5 V depth",
            "6-8 F map",
            "9-9 F ++",
            "10-10 F `odd name`",
            "11-11 F convert",
            "13-13 T Leaf",
            "14-14 T Tree",
            "14-14 T Any2",
            "14-14 T Empty",
        ],
    );
}

#[test]
fn dart() {
    check(
        "Dart",
        r"
library a.b;
abstract class Box<T> extends Base with Mixed {
  final int size;
  const Box(this.size);
  Box.named({int a = 1}) : size = a;
  factory Box.from(Map json) => Box(1);
  int get area => size * 2;
  @override
  bool operator ==(Object other) => true;
  Future<void> run() async { void inner(int a) {} }
}
mixin Mixed {}
enum Color { red, green; String label() => '${name}}'; }
typedef Handler = void Function(int);
void main() {}
",
        &[
            "2-11 T Box",
            "4-4 F Box",
            "5-5 F named",
            "6-6 F from",
            "9-9 F operator ==",
            "10-10 F run",
            "10-10 F inner",
            "12-12 T Mixed",
            "13-13 T Color",
            "13-13 F label",
            "14-14 T Handler",
            "15-15 F main",
        ],
    );
}

#[test]
fn zig() {
    check(
        "Zig",
        r#"
const std = @import("std");
pub const Point = struct {
    x: f32,
    pub fn init(x: f32) Point { return .{ .x = x }; }
    const Kind = enum(u8) { a, b };
};
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        pub fn push(self: *@This(), item: T) !void {}
    };
}
const text =
    \\fn no() {
;
test "push {" { try ok(); }
pub const Error = error{ Full };
"#,
        &[
            "1-1 V std",
            "2-6 T Point",
            "4-4 F init",
            "5-5 T Kind",
            "7-12 F List",
            "10-10 F push",
            "13-14 V text",
            r#"16-16 F "push {""#,
            "17-17 T Error",
        ],
    );
}

#[test]
fn php() {
    check(
        "PHP",
        r#"
<p>function no() {</p>
<?php
namespace A\B;
use C\D;
#[Attribute(1)]
abstract class Box extends Base implements Walk {
    const SIZE = 1;
    private ?string $name = "{$this->get["x"]} {";
    public function __construct(private int $a = 1) {}
    abstract protected static function &make(): ?self;
    function text() { return <<<END
      function no() {
      END; }
}
trait Named { }
enum Color: string { case Red = 'r'; public function label(): string { return ''; } }
function plain() { $f = function ($x) use ($y) { return fn($z) => $z; }; }
?>
<p>{ function no() {</p>
"#,
        &[
            r"3-3 M A\B",
            "6-14 T Box",
            "7-7 V SIZE",
            "9-9 F __construct",
            "10-10 F make",
            "11-13 F text",
            "15-15 T Named",
            "16-16 T Color",
            "16-16 F label",
            "17-17 F plain",
        ],
    );
}

#[test]
fn perl() {
    check(
        "Perl",
        r#"
package A::B;
use strict;
my %map = (s => 1, y => { q => 2 });
sub new { my ($class, %args) = @_; return bless {}, $class }

=head1 NAME

sub no {

=cut

sub y { s{a}{b}g; tr/a-z/A-Z/; return $x // '/'; }
sub text { print <<"END", <<'OTHER'; }
sub no {
END
sub no {
OTHER
sub match($$) { return m/[\/{]/ ? qw(a b {) : $#{$_[0]} }
__END__
sub no { }
"#,
        &[
            "1-1 M A::B",
            "4-4 F new",
            "12-12 F y",
            "13-13 F text",
            "18-18 F match",
        ],
    );
}

#[test]
fn objective_c() {
    check(
        "Objective-C",
        r"
#import <Foundation/Foundation.h>
@class Other;
@protocol Walk <NSObject>
@optional
- (void)step;
@end
@interface Box () <Walk> {
    int size_;
}
@property (nonatomic) int size;
- (instancetype)initWithSize:(int)size name:(NSString *)name;
@end
@implementation Box
+ (Box *)make { return [Box new]; }
- (void)run:(void (^)(int a))block
       with:(int)b {
    block(^{ return 1; }());
}
static int helper(int a) { return a; }
@end
",
        &[
            "3-6 T Walk",
            "5-5 F step",
            "7-12 T Box",
            "11-11 F initWithSize:name:",
            "13-20 T Box",
            "14-14 F make",
            "15-18 F run:with:",
            "19-19 F helper",
        ],
    );
}

#[test]
fn sql() {
    check(
        "SQL",
        r#"
CREATE TABLE IF NOT EXISTS shop."order" (id int, note text DEFAULT 'create table no (');
create or replace function shop.total(a int) returns int as $body$
begin
  create table no (id int);
  return 1;
end; $body$ language plpgsql;
-- CREATE VIEW no AS
CREATE UNIQUE INDEX CONCURRENTLY by_name ON t (name);
CREATE MATERIALIZED VIEW v AS SELECT 1;
CREATE DEFINER=`a`@`b` TRIGGER `after_it` AFTER INSERT ON t FOR EACH ROW SET x = 1;
"#,
        &[
            r#"1-1 T "order""#,
            "2-6 F total",
            "8-8 T by_name",
            "9-9 T v",
            "10-10 F `after_it`",
        ],
    );
}

#[test]
fn schemas() {
    check(
        "Protobuf",
        r#"
syntax = "proto3";
package a.b;
message Outer {
  message Inner { string message = 1; }
  enum Kind { NONE = 0; }
  oneof choice { int32 a = 2; }
}
service Store { rpc Get (Key) returns (stream Value) {} rpc Put (Key) returns (Value); }
"#,
        &[
            "2-2 M a.b",
            "3-7 T Outer",
            "4-4 T Inner",
            "5-5 T Kind",
            "6-6 V choice",
            "8-8 T Store",
            "8-8 F Get",
            "8-8 F Put",
        ],
    );
}
