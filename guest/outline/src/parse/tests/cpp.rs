//! Features of C and C++ that other languages lack.

use super::check;

#[test]
fn macros_around_declarations_are_skipped() {
    check(
        "C++",
        r#"
namespace std LIB_VISIBLE(default) {
LIB_BEGIN_NAMESPACE

template <class T> class First : public Base<
    T> { First(); };
LIB_EXTENSION typedef unsigned Size;
API class LIB_API Second FINAL : Base {
  MARK_FIELD(bool, is_set)
  Second(int a);
  ATTRIBUTE(8) static int count(float a = 1, const char *b = "a, -b");
  ATTRIBUTE(8) int width;
  int held GUARDED_BY(lock);
};
LIB_END_NAMESPACE
}
LIB_PUBLIC(char *)
printed(const Item *item);
LIB_CHECK(value)
called(value);
SHARED_ITEM LIB_CALL(*)
read_item(int handle);
int NAME_OF(axpy)(int n, float *x) { return 0; }
extern void old_style ARGS((int a, char *b));
MADE_INTERFACE("0f")
Interface : public Unknown { virtual void go() = 0; };
const int TABLE_OF(name)[] = { 1 };
enum Kind kind() const { return kind_; }
"#,
        &[
            "1-15 M std LIB_VISIBLE(default)",
            "4-5 T First",
            "5-5 F First",
            "6-6 T Size",
            "7-13 T Second",
            "9-9 F Second",
            "10-10 F count",
            "17-17 F printed",
            "21-21 F read_item",
            "22-22 F NAME_OF",
            "23-23 F old_style",
            "25-25 T Interface",
            "25-25 F go",
            "27-27 F kind",
        ],
    );
}

#[test]
fn template_requirements_are_skipped() {
    check(
        "C++",
        r"
template <typename T> Span(T &) -> Span<T>;
template <typename T>
  requires(is_base_of<T>) && Other<T>
class Node : public Base<T> { Node(); };
template <typename T> requires requires(T a) { a.go(); } void run(T a);
template <typename T> concept Going = requires(T a) { { a.go() } -> same<T>; };
const Color (&colors())[3] { return all; }
void (*signal(int sig, void (*handler)(int)))(int);
double (power)(double a) { return a; }
bool operator()[[nodiscard]](int a) const;
/* static */ Type
Maker::make(int a) {
  Type made(a);
  return made;
}
Maker::Maker(int a) noexcept
    : Super{a},
      first_{a},
      second_(a) {
  int b(a);
}
void align(constant<size_t, 4>, int);
",
        &[
            "1-1 F Span",
            "4-4 T Node",
            "4-4 F Node",
            "5-5 F run",
            "6-6 T Going",
            "7-7 F colors",
            "8-8 F signal",
            "9-9 F power",
            "10-10 F operator()",
            "12-15 F make",
            "16-21 F Maker",
            "22-22 F align",
        ],
    );
}

#[test]
fn several_names_in_one_statement_are_found() {
    check(
        "C",
        r"
typedef struct {
  int a;
} One, *TwoRef;
typedef unsigned long elf, elves[4];
int
  first (int a),
  *second (int *b, int c);
void third$old(void) {}
static int f(int a) {
    len += (double) g(a, b);
    return 0;
}
",
        &[
            "3-3 T One",
            "3-3 T TwoRef",
            "4-4 T elf",
            "4-4 T elves",
            "6-7 F first",
            "7-7 F second",
            "8-8 F third$old",
            "9-12 F f",
        ],
    );
}
