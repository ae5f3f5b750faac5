import { expect, test } from 'vitest';
import type { StackLanguage } from '../types.ts';
import { readStack } from './index.ts';
import { shown } from './testing/shown.ts';

test.each<[StackLanguage, string, string, string]>([
  [
    'go',
    'a panic',
    `panic: runtime error: index out of range [5] with length 1

goroutine 1 [running]:
main.(*Basket).At(...)
	/tmp/rt/g/main.go:13
main.main()
	/tmp/rt/g/main.go:18 +0xeb`,
    `go goroutine 1
0: panic: runtime error: index out of range [5] with length 1
* main main @ main.go:18
* main (*Basket).At @ main.go:13`,
  ],
  [
    'go',
    'a panic of a goroutine',
    `panic: wrapped: inner

goroutine 18 [running]:
main.main.func1()
	/tmp/rt/g/main.go:20 +0x73
created by main.main in goroutine 1
	/tmp/rt/g/main.go:20 +0x69`,
    `go goroutine 18
0: panic: wrapped: inner
* main main @ main.go:20
* main main.func1 @ main.go:20`,
  ],
  [
    'go',
    'a panic while another one was handled',
    `panic: first
	line two
	panic: second

goroutine 1 [running]:
main.main.func2()
	/tmp/rt/g/main.go:23 +0x25
panic({0x4ac5e0?, 0x4d25e0?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
main.main()
	/tmp/rt/g/main.go:24 +0xe5`,
    `go goroutine 1
0: panic: second
* main main @ main.go:24
  panic @ runtime/panic.go:860
* main main.func2 @ main.go:23
1 context of 0: panic: first
line two`,
  ],
  [
    'go',
    'a stack alone',
    `recovered runtime error: index out of range [2] with length 0
goroutine 1 [running]:
runtime/debug.Stack()
	/usr/local/go/src/runtime/debug/stack.go:26 +0x5e
main.main.func3()
	/tmp/rt/g/main.go:26 +0x5a
panic({0x4beaa0?, 0x1531f06aa000?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
main.(*Basket).At(...)
	/tmp/rt/g/main.go:13
main.main()
	/tmp/rt/g/main.go:27 +0xbc`,
    `go goroutine 1
0: : 
* main main @ main.go:27
* main (*Basket).At @ main.go:13
  panic @ runtime/panic.go:860
* main main.func3 @ main.go:26
  runtime/debug Stack @ runtime/debug/stack.go:26`,
  ],
  [
    'go',
    'a deadlock',
    `fatal error: all goroutines are asleep - deadlock!

goroutine 1 [select (no cases)]:
main.main()
	/tmp/rt/g/main.go:32 +0x9e`,
    `go goroutine 1
0: fatal error: all goroutines are asleep - deadlock!
* main main @ main.go:32`,
  ],
  [
    'go',
    'names of packages, generics and closures; the first goroutine',
    `goroutine 18 [running]:
github.com/acme/shop/internal/cart.(*Basket[...]).At.func1(0xc000012345, {0x1, 0x2})
	/home/go/pkg/mod/github.com/acme/shop@v1.2.0/internal/cart/cart.go:12 +0x1d
gopkg.in/yaml%2ev3.unmarshal(...)
	github.com/acme/shop/vendor/gopkg.in/yaml.v3/yaml.go:3
created by net/http.(*Server).Serve in goroutine 1
	/usr/local/go/src/net/http/server.go:3285 +0x4b4

goroutine 1 [select]:
main.main()
	/srv/main.go:1 +0x1`,
    `go goroutine 18
0: : 
  net/http (*Server).Serve @ net/http/server.go:3285
  gopkg.in/yaml.v3 unmarshal @ gopkg.in/yaml.v3/yaml.go:3
  github.com/acme/shop/internal/cart (*Basket[...]).At.func1 @ github.com/acme/shop@v1.2.0/internal/cart/cart.go:12`,
  ],
  [
    'go',
    'as github.com/pkg/errors prints it',
    `cannot read
main.read
	/srv/shop/main.go:10
runtime.main
	/usr/local/go/src/runtime/proc.go:250`,
    `go
0: : 
  runtime main @ runtime/proc.go:250
* main read @ main.go:10`,
  ],
  [
    'rust',
    'a panic',
    `
thread 'main' (32243) panicked at a.rs:1:101:
index out of bounds: the len is 1 but the index is 5
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616/library/core/src/panicking.rs:80:14
   2: core::panicking::panic_bounds_check
             at /rustc/59807616/library/core/src/panicking.rs:271:5
   3: <usize as core::slice::index::SliceIndex<[T]>>::index
             at /rustc/59807616/library/core/src/slice/index.rs:272:10
   4: core::slice::index::<impl core::ops::index::Index<I> for [T]>::index
             at /rustc/59807616/library/core/src/slice/index.rs:19:15
   5: <alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index
             at /rustc/59807616/library/alloc/src/vec/mod.rs:3804:9
   6: a::cart::Basket::at
             at ./a.rs:1:101
   7: a::main
             at ./a.rs:4:54
   8: core::ops::function::FnOnce::call_once
             at /rustc/59807616/library/core/src/ops/function.rs:250:5
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.`,
    `rust main
0: panic: index out of bounds: the len is 1 but the index is 5
  (core) core::ops::function::FnOnce::call_once @ function.rs:250:5
* (a) a::main @ a.rs:4:54
* (a) a::cart::Basket::at @ a.rs:1:101
  (alloc) <alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index @ mod.rs:3804:9
  (core) core::slice::index::<impl core::ops::index::Index<I> for [T]>::index @ index.rs:19:15
  <usize as core::slice::index::SliceIndex<[T]>>::index @ index.rs:272:10
  (core) core::panicking::panic_bounds_check @ panicking.rs:271:5
  (core) core::panicking::panic_fmt @ panicking.rs:80:14
  (__rustc) __rustc::rust_begin_unwind @ panicking.rs:689:5`,
  ],
  [
    'rust',
    'a full backtrace',
    `
thread '<unnamed>' (32245) panicked at a.rs:5:62:
called \`Result::unwrap()\` on an \`Err\` value: ParseIntError { kind: InvalidDigit }
stack backtrace:
   0:     0x55be53bbb84a - std[e28293b1aa0f68bd]::backtrace_rs::backtrace::libunwind::trace
                               at /rustc/59807616/library/std/src/../../backtrace/src/backtrace/libunwind.rs:117:9
   5:     0x55be53bcc82a - core[c1f1a4ba060b9bfa]::fmt::write
  15:     0x55be53bcd0dc - core[c1f1a4ba060b9bfa]::panicking::panic_fmt
  16:     0x55be53bcce52 - core[c1f1a4ba060b9bfa]::result::unwrap_failed
                               at /rustc/59807616/library/core/src/result.rs:1867:5
  17:     0x55be53b89fac - core::result::Result<T,E>::unwrap::h7042c6aab4276ca9
                               at /rustc/59807616/library/core/src/result.rs:1233:23
  18:     0x55be53b89fac - a::main::{{closure}}::h090c9ec1e66c54a7
                               at /tmp/rt/r/a.rs:5:62
  23:     0x55be53b9055b - __rust_try
                               at /rustc/59807616/library/std/src/sys/thread/unix.rs:118:17
  30:     0x7fc55547c1f5 - start_thread
                               at ./nptl/pthread_create.c:442:8
  32:                0x0 - <unknown>`,
    `rust <unnamed>
0: panic: called \`Result::unwrap()\` on an \`Err\` value: ParseIntError { kind: InvalidDigit }
  <unknown> @
  start_thread @ pthread_create.c:442:8
  __rust_try @ unix.rs:118:17
* (a) a::main::{{closure}} @ a.rs:5:62
  (core) core::result::Result<T,E>::unwrap @ result.rs:1233:23
  (core) core::result::unwrap_failed @ result.rs:1867:5
  (core) core::panicking::panic_fmt @
  (core) core::fmt::write @
  (std) std::backtrace_rs::backtrace::libunwind::trace @ libunwind.rs:117:9`,
  ],
  [
    'rust',
    'a panic without one',
    `
thread 'main' (32246) panicked at a.rs:6:17:
line one
line two
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    `rust main
0: panic: line one
line two
*  @ a.rs:6:17`,
  ],
  [
    'rust',
    'the old form',
    `thread 'main' panicked at 'old form, with 'quotes'
and a line', /build/.cargo/registry/src/index-6f17d22bba15001f/shop-1.0.0/src/lib.rs:3:5
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    `rust main
0: panic: old form, with 'quotes'
and a line
   @ lib.rs:3:5`,
  ],
  [
    'rust',
    'anyhow',
    `Error: read order

Caused by:
    0: read quantity
    1: invalid digit found in string

Stack backtrace:
   0: <E as anyhow::context::ext::StdError>::ext_context
             at /build/.cargo/registry/src/index-6f17d22bba15001f/anyhow-1.0.80/src/backtrace.rs:27:14
   1: shop::read
             at ./src/main.rs:14:5`,
    `rust
0: Error: read order
* (shop) shop::read @ main.rs:14:5
  <E as anyhow::context::ext::StdError>::ext_context @ backtrace.rs:27:14
1 cause of 0: Error: read quantity
2 cause of 1: Error: invalid digit found in string`,
  ],
])('%s: %s', (language, _what, text, expected) => {
  expect(shown(readStack(text, language)).join('\n')).toBe(expected);
});
