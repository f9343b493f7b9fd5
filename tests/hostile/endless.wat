;; Functions that never end, each with another cycle in its code.
(component
  (core module $main
    (memory (export "memory") 1)
    (table 1 funcref)
    (elem (i32.const 0) $indirect)
    (type $takes-number (func (param i32)))

    (func $nothing)
    (func $panic)

    ;; Nothing in the loop writes to memory.
    (func (export "loop")
      (loop $again
        (br $again)))

    ;; If both loops had the same flag, it would be known to be zero where the second one begins.
    (func (export "second-loop")
      (local $left i32)
      (local.set $left (i32.const 10))
      (loop $first
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $first (local.get $left)))
      (loop $second
        (br $second)))

    ;; Only the inner loop runs long.
    (func (export "nested-loops")
      (loop $outer
        (loop $inner
          (br $inner))
        (br $outer)))

    ;; The call does not return.
    (func (export "loop-with-panic")
      (local $number i32)
      (loop $again
        (local.set $number (i32.or (local.get $number) (i32.const 2)))
        (if (i32.eq (local.get $number) (i32.const 1))
          (then
            (call $panic)
            (unreachable)))
        (br $again)))

    ;; Each turn of the outer loop asks, after a second or more without a check.
    (func (export "loop-around-long-loop")
      (local $left i64)
      (loop $outer
        (call $nothing)
        (local.set $left (i64.const 1000000000))
        (loop $inner
          (local.set $left (i64.sub (local.get $left) (i64.const 1)))
          (br_if $inner (i32.wrap_i64 (i64.shr_u (local.get $left) (i64.const 1)))))
        (br $outer)))

    ;; It writes to all of its memory.
    (func (export "loop-with-writes")
      (local $address i32)
      (loop $again
        (call $nothing)
        (i32.store8 (local.get $address) (i32.const 2))
        (local.set $address
          (i32.and (i32.add (local.get $address) (i32.const 1)) (i32.const 0xffff)))
        (br $again)))

    (func (export "loop-with-calls")
      (loop $again
        (call $nothing)
        (br $again)))

    ;; Each call makes two, to a depth that fits in the stack.
    (func $recursion (param $depth i32)
      (if (local.get $depth)
        (then
          (call $recursion (i32.sub (local.get $depth) (i32.const 1)))
          (call $recursion (i32.sub (local.get $depth) (i32.const 1))))))
    (func (export "recursion")
      (call $recursion (i32.const 80)))

    (func $first (param $depth i32)
      (call $second (local.get $depth))
      (call $second (local.get $depth)))
    (func $second (param $depth i32)
      (if (local.get $depth)
        (then
          (call $first (i32.sub (local.get $depth) (i32.const 1))))))
    (func (export "mutual-recursion")
      (call $first (i32.const 80)))

    (func $indirect (param $depth i32)
      (if (local.get $depth)
        (then
          (call_indirect (type $takes-number)
            (i32.sub (local.get $depth) (i32.const 1)) (i32.const 0))
          (call_indirect (type $takes-number)
            (i32.sub (local.get $depth) (i32.const 1)) (i32.const 0)))))
    (func (export "indirect-recursion")
      (call $indirect (i32.const 80)))

    ;; A loop with calls and a loop without, each once.
    (func (export "ends")
      (loop (call $nothing))
      (loop)))
  (core instance $main (instantiate $main))
  (alias core export $main "memory" (core memory $memory))
  (func (export "loop") (canon lift (core func $main "loop")))
  (func (export "second-loop") (canon lift (core func $main "second-loop")))
  (func (export "nested-loops") (canon lift (core func $main "nested-loops")))
  (func (export "loop-with-panic") (canon lift (core func $main "loop-with-panic")))
  (func (export "loop-around-long-loop")
    (canon lift (core func $main "loop-around-long-loop")))
  (func (export "loop-with-writes") (canon lift (core func $main "loop-with-writes")))
  (func (export "loop-with-calls") (canon lift (core func $main "loop-with-calls")))
  (func (export "recursion") (canon lift (core func $main "recursion")))
  (func (export "mutual-recursion") (canon lift (core func $main "mutual-recursion")))
  (func (export "indirect-recursion") (canon lift (core func $main "indirect-recursion")))
  (func (export "ends") (canon lift (core func $main "ends"))))
