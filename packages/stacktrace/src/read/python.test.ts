import { expect, test } from 'vitest';
import type { StackLanguage } from '../types.ts';
import { readStack } from './index.ts';
import { shown } from './testing/shown.ts';

test.each<[StackLanguage, string, string, string]>([
  [
    'python',
    'causes and contexts, with notes and carets',
    `Traceback (most recent call last):
  File "/tmp/rt/a.py", line 7, in read
    return parse(f)
           ^^^^^^^^
  File "/tmp/rt/a.py", line 4, in parse
    return int(t)
           ^^^^^^
ValueError: invalid literal for int() with base 10: 'two'
seen twice

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/rt/a.py", line 13, in during
    read("two")
  File "/tmp/rt/a.py", line 10, in read
    raise OutOfStock("cannot\\nread") from e
OutOfStock: cannot
read

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/tmp/rt/a.py", line 20, in <module>
    try: during()
         ^^^^^^^^
  File "/tmp/rt/a.py", line 15, in during
    {}["missing"]
    ~~^^^^^^^^^^^
KeyError: 'missing'`,
    `python
0: KeyError: 'missing'
* <module> @ rt/a.py:20 | try: during()
* during @ rt/a.py:15 | {}["missing"]
1 context of 0: OutOfStock: cannot
read
* during @ rt/a.py:13 | read("two")
* read @ rt/a.py:10 | raise OutOfStock("cannot\\nread") from e
2 cause of 1: ValueError: invalid literal for int() with base 10: 'two'
seen twice
* read @ rt/a.py:7 | return parse(f)
* parse @ rt/a.py:4 | return int(t)`,
  ],
  [
    'python',
    'a line that was repeated',
    `Traceback (most recent call last):
  File "/tmp/rt/a.py", line 23, in <module>
    try: deep(20)
         ^^^^^^^^
  File "/tmp/rt/a.py", line 18, in deep
    return deep(n-1)
           ^^^^^^^^^
  File "/tmp/rt/a.py", line 18, in deep
    return deep(n-1)
           ^^^^^^^^^
  File "/tmp/rt/a.py", line 18, in deep
    return deep(n-1)
           ^^^^^^^^^
  [Previous line repeated 2 more times]
  File "/tmp/rt/a.py", line 17, in deep
    if n == 0: raise KeyError("deep")
               ^^^^^^^^^^^^^^^^^^^^^^
KeyError: 'deep'`,
    `python
0: KeyError: 'deep'
* <module> @ rt/a.py:23 | try: deep(20)
* deep @ rt/a.py:18 | return deep(n-1)
* deep @ rt/a.py:18 | return deep(n-1)
* deep @ rt/a.py:18 | return deep(n-1)
* deep @ rt/a.py:18 | return deep(n-1)
* deep @ rt/a.py:18 | return deep(n-1)
* deep @ rt/a.py:17 | if n == 0: raise KeyError("deep")`,
  ],
  [
    'python',
    'groups in groups, of exceptions that were never raised',
    `  + Exception Group Traceback (most recent call last):
  |   File "/tmp/rt/a.py", line 27, in <module>
  |     raise ExceptionGroup("outer", errors)
  | ExceptionGroup: outer (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: never raised
    +---------------- 2 ----------------
    | ExceptionGroup: inner (1 sub-exception)
    +-+---------------- 1 ----------------
      | TypeError: t
      | wo lines
      +------------------------------------`,
    `python
0: ExceptionGroup: outer (2 sub-exceptions)
* <module> @ rt/a.py:27 | raise ExceptionGroup("outer", errors)
1 member of 0: ValueError: never raised
2 member of 0: ExceptionGroup: inner (1 sub-exception)
3 member of 2: TypeError: t
wo lines`,
  ],
  [
    'python',
    'a group that was caused',
    `Traceback (most recent call last):
  File "/tmp/rt/a.py", line 31, in <module>
    try: int("x")
         ^^^^^^^^
ValueError: invalid literal for int() with base 10: 'x'

The above exception was the direct cause of the following exception:

  + Exception Group Traceback (most recent call last):
  |   File "/tmp/rt/a.py", line 33, in <module>
  |     raise ExceptionGroup("g", [KeyError(1)]) from e
  | ExceptionGroup: g (1 sub-exception)
  +-+---------------- 1 ----------------
    | KeyError: 1
    +------------------------------------`,
    `python
0: ExceptionGroup: g (1 sub-exception)
* <module> @ rt/a.py:33 | raise ExceptionGroup("g", [KeyError(1)]) from e
1 member of 0: KeyError: 1
2 cause of 0: ValueError: invalid literal for int() with base 10: 'x'
* <module> @ rt/a.py:31 | try: int("x")`,
  ],
  [
    'python',
    'places of libraries, and a type without message',
    `[2026-11-26 08:12:39,123: ERROR] Task failed
Traceback (most recent call last):
  File "/app/shop/payments/__init__.py", line 3, in pay
    charge()
    ~~~~~~^^
  File "/usr/lib/python3.13/asyncio/runners.py", line 118, in run
    return self._loop.run_until_complete(task)
           ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~^^^^^^
  File "/venv/lib/python3.13/site-packages/requests/api.py", line 7, in get
  File "<frozen importlib._bootstrap>", line 1204, in _gcd_import
  File "<stdin>", line 1, in <module>
shop.payments.Charge.<locals>.Refused`,
    `python
0: shop.payments.Charge Refused: 
* shop.payments pay @ shop/payments/__init__.py:3 | charge()
  asyncio.runners run @ asyncio/runners.py:118 | return self._loop.run_until_complete(task)
  requests.api get @ requests/api.py:7
  importlib._bootstrap _gcd_import @ <frozen importlib._bootstrap>:1204
  <module> @ <stdin>:1`,
  ],
  [
    'python',
    'a cause without traceback, a path of Windows, and a place without function',
    `ValueError: never raised

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "C:\\srv\\shop\\cart.py", line 3
    foo bar
        ^^^
SyntaxError: invalid syntax`,
    `python
0: SyntaxError: invalid syntax
*  @ shop/cart.py:3 | foo bar
1 context of 0: ValueError: never raised`,
  ],
  [
    'python',
    'two tracebacks: the last one',
    `Traceback (most recent call last):
  File "/app/a.py", line 1, in a
    a()
E: an earlier one

Traceback (most recent call last):
  File "/app/b.py", line 2, in b
    b()
F: the last one`,
    `python
0: F: the last one
* b b @ b.py:2 | b()`,
  ],
])('%s: %s', (language, _what, text, expected) => {
  expect(shown(readStack(text, language)).join('\n')).toBe(expected);
});
