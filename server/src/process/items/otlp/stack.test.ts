import { readStack } from '@culprit/stacktrace';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../steps/json.ts';
import { exceptionValues, isSameException, readExceptions } from './stack.ts';

const mechanism = { type: 'opentelemetry' };

function values(platform: string, type: string, message: string, stack: string): JsonObject[] {
  return exceptionValues({ type, message, stack }, readExceptions(stack, platform), platform, mechanism);
}

const java = `com.example.shop.Main$OutOfStock: cannot read two
	at com.example.shop.Main.read(Main.java:13)
	at com.example.shop.Main.main(Main.java:24)
	Suppressed: java.lang.IllegalStateException: till does not close
		at com.example.shop.Main$Till.close(Main.java:12)
		... 2 more
Caused by: java.lang.NumberFormatException: For input string: "two"
	at java.base/java.lang.Integer.parseInt(Integer.java:668)
	... 2 more`;

test('causes and suppressed exceptions stand before what they led to', () => {
  const read = values('java', 'com.example.shop.Main.OutOfStock', 'cannot read two', java);
  expect(read).toMatchObject([
    {
      type: 'NumberFormatException',
      module: 'java.lang',
      value: 'For input string: "two"',
      mechanism: { type: 'chained', source: 'cause', exception_id: 2, parent_id: 0 },
      stacktrace: {
        frames: [
          { module: 'com.example.shop.Main', function: 'main' },
          { module: 'com.example.shop.Main', function: 'read' },
          { module: 'java.lang.Integer', function: 'parseInt', lineno: 668, in_app: false },
        ],
      },
    },
    {
      type: 'IllegalStateException',
      mechanism: { type: 'suppressed', exception_id: 1, parent_id: 0 },
    },
    { type: 'Main$OutOfStock', module: 'com.example.shop', mechanism: { type: 'opentelemetry', exception_id: 0 } },
  ]);
});

const inner = `Traceback (most recent call last):
  File "/venv/lib/python3.11/site-packages/opentelemetry/trace/__init__.py", line 602, in use_span
    yield span
  File "/app/shop/cart.py", line 23, in read
    raise RuntimeError("cannot read")
RuntimeError: cannot read`;

const outer = `Traceback (most recent call last):
  File "/app/app.py", line 30, in <module>
    read({})
  File "/app/shop/cart.py", line 23, in read
    raise RuntimeError("cannot read")
RuntimeError: cannot read`;

const chained = `Traceback (most recent call last):
  File "/app/shop/cart.py", line 14, in parse
    return int(text)
ValueError: invalid literal

The above exception was the direct cause of the following exception:

${outer}

During handling of the above exception, another exception occurred:

  + Exception Group Traceback (most recent call last):
  |   File "/app/app.py", line 31, in <module>
  |     raise ExceptionGroup("three failed", errors)
  | ExceptionGroup: three failed (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | KeyError: 'a'
    +---------------- 2 ----------------
    | KeyError: 'b'
    +------------------------------------`;

test('how an exception came to another, members of groups, lines of source, modules and short names', () => {
  const read = values('python', 'ExceptionGroup', 'three failed (2 sub-exceptions)', chained);
  const said = read.map(({ type, mechanism: link }) => {
    const { source, exception_id: id, parent_id: parent } = Object(link) as JsonObject;
    return [type, source, id, parent].join(' ');
  });
  expect(said).toEqual([
    'ValueError __cause__ 4 3',
    'RuntimeError __context__ 3 0',
    'KeyError exceptions[1] 2 0',
    'KeyError exceptions[0] 1 0',
    'ExceptionGroup  0 ',
  ]);
  expect(read.at(-1)?.mechanism).toMatchObject({ is_exception_group: true });
  expect(read[0]?.stacktrace).toEqual({
    frames: [
      {
        function: 'parse',
        module: 'shop.cart',
        filename: 'shop/cart.py',
        abs_path: '/app/shop/cart.py',
        lineno: 14,
        context_line: 'return int(text)',
        in_app: true,
      },
    ],
  });
});

test('calls of OpenTelemetry itself are left out', () => {
  expect(readExceptions(inner, 'python')[0]?.frames.map((frame) => frame.function)).toEqual(['read']);
  const go = `goroutine 1 [running]:
go.opentelemetry.io/otel/sdk/trace.recordStackTrace(...)
	/home/go/pkg/mod/go.opentelemetry.io/otel/sdk@v1.47.0/trace/span.go:527
go.opentelemetry.io/otel/sdk/trace.(*recordingSpan).End(0x1b13f66fc000, {0x1b13f66cc0b0, 0x1, 0x1})
	/home/go/pkg/mod/go.opentelemetry.io/otel/sdk@v1.47.0/trace/span.go:435 +0x554
panic({0xb6caa0?, 0x12cb0b0?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
main.pay({0xcc1320?, 0x1b13f66fc000?})
	/srv/shop/main.go:66 +0xdc
main.main()
	/srv/shop/main.go:68 +0x1a1c`;
  expect(readExceptions(go, 'go')[0]?.frames.map((frame) => frame.function)).toEqual(['main', 'pay']);
  const other = go.replaceAll('go.opentelemetry.io/otel', 'example.com/otel');
  expect(readExceptions(other, 'go')[0]?.frames).toHaveLength(5);
});

test('one exception, recorded at different calls', () => {
  const read = (text: string) => readExceptions(text, 'python');
  expect(isSameException(read(inner), read(outer))).toBe(true);
  expect(isSameException(read(inner), read(outer.replace('line 23', 'line 24')))).toBe(false);
  expect(isSameException(read(inner), read(chained))).toBe(false);
  expect(isSameException([], [])).toBe(false);
});

test.each([
  ['java', 'com.acme.Bad', '', 'com.acme Bad'],
  ['csharp', 'Acme.Bad', '', 'Acme Bad'],
  ['go', '*fmt.wrapError', 'goroutine 1 [running]:\nmain.main()\n\t/a.go:1', ' *fmt.wrapError'],
  ['ruby', 'Acme::Bad', "a.rb:1:in `b': c (Acme::Bad)", 'Acme Acme::Bad'],
  ['php', 'App\\Bad', 'App\\Bad: c\n\tat App.Cart.read(Cart.php:1)', 'App App\\Bad'],
  ['node', 'TypeError', 'TypeError: x\n    at a (/b.js:1:1)', ' TypeError'],
  // The text is of another exception.
  ['java', 'com.acme.Bad', 'com.acme.Other: x\n\tat a.b.C.d(C.java:1)', 'com.acme Bad'],
  ['java', '', 'com.acme.Other: x\n\tat a.b.C.d(C.java:1)', 'com.acme Other'],
  ['java', '', '', ' Error'],
])('names of %s: %s', (platform, type, stack, expected) => {
  const read = values(platform, type, 'x', stack);
  expect(read.map((one) => `${asWord(one.module)} ${asWord(one.type)}`)).toEqual([expected]);
});

const asWord = (value: unknown): string => (typeof value === 'string' ? value : '');

test('what no reader is for', () => {
  expect(readExceptions('at x (y:1:2)', 'other')).toEqual([]);
  expect(readExceptions('', 'java')).toEqual([]);
  expect(readExceptions('at x (y:1:2)', 'constructor')).toEqual([]);
  expect(readStack('', 'java')).toBeUndefined();
});
