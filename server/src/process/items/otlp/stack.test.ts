import { expect, test } from 'vitest';
import { readStack } from './stack.ts';

test.each([
  [
    'node',
    `Error: x
    at new Cart (/srv/app/cart.js:1:2)
    at async Promise.all (index 0)
    at async file:///srv/app/main.mjs:10:20
    at Object.<anonymous> (/srv/app/node_modules/pg/lib/client.js:5:6)
Caused by: Error: y
    at lost (/srv/app/lost.js:1:1)`,
    [
      'Object.<anonymous>|/srv/app/node_modules/pg/lib/client.js|5|false',
      '|/srv/app/main.mjs|10|true',
      'new Cart|/srv/app/cart.js|1|true',
    ],
  ],
  [
    'javascript',
    `pay@https://shop.example.com/app.js:10:5
@https://shop.example.com/app.js:1:1`,
    ['|https://shop.example.com/app.js|1|true', 'pay|https://shop.example.com/app.js|10|true'],
  ],
  [
    'python',
    `Traceback (most recent call last):
  File "/srv/first.py", line 1, in first
    first()
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/flask/app.py", line 880, in dispatch
    return self.call()
  File "/srv/shop.py", line 12, in pay
    raise ValueError("x")
ValueError: x`,
    ['dispatch|/usr/lib/python3.12/site-packages/flask/app.py|880|false', 'pay|/srv/shop.py|12|true'],
  ],
  [
    'java',
    `java.lang.IllegalStateException: x
	at com.acme.Cart.total(Cart.java:12)
	at java.base/java.lang.Thread.run(Thread.java:840)
	at com.acme.Native.call(Native Method)
Caused by: java.io.IOException
	at com.acme.Other.read(Other.java:1)`,
    ['call|||true', 'run|Thread.java|840|true', 'total|Cart.java|12|true'],
  ],
  [
    'csharp',
    `System.InvalidOperationException: x
   at Acme.Cart.Total(Int32 id, String name) in /src/Cart.cs:line 12
   at System.Threading.Tasks.Task.Run()`,
    ['Run|||false', 'Total|/src/Cart.cs|12|true'],
  ],
  [
    'ruby',
    "/srv/cart.rb:12:in `total'\n\tfrom /usr/gems/rack.rb:3:in 'Rack#call'",
    ['Rack#call|/usr/gems/rack.rb|3|false', 'total|/srv/cart.rb|12|true'],
  ],
  [
    'php',
    '#0 /srv/cart.php(12): Cart->total(1)\n#1 /srv/vendor/x.php(3): run()\n#2 {main}',
    ['run|/srv/vendor/x.php|3|false', 'Cart->total|/srv/cart.php|12|true'],
  ],
  [
    'go',
    `goroutine 1 [running]:
github.com/acme/shop/cart.(*Cart).Total(0xc000010000)
	/srv/shop/cart/cart.go:12 +0x1d
main.main()
	/srv/shop/main.go:5`,
    ['main|/srv/shop/main.go|5|true', '(*Cart).Total|/srv/shop/cart/cart.go|12|true'],
  ],
  ['other', 'at x (y:1:2)', []],
])('%s', (platform, text, expected) => {
  const frames = readStack(text, platform);
  expect(frames.map((frame) => [frame.function, frame.filename, frame.lineno, frame.in_app].join('|'))).toEqual(
    expected,
  );
});

test('modules of Java and Go', () => {
  expect(readStack('at app//com.acme.Cart.total(Cart.java:12)', 'java')).toMatchObject([{ module: 'com.acme.Cart' }]);
  expect(readStack('github.com/a/b.Run(...)\n\t/b.go:1', 'go')).toMatchObject([
    { module: 'github.com/a/b', function: 'Run' },
  ]);
});

test('long texts and long lines are bounded', () => {
  expect(readStack('    at f (/a.js:1:1)\n'.repeat(10_000), 'node')).toHaveLength(250);
  for (const platform of ['node', 'python', 'java', 'csharp', 'ruby', 'php', 'go']) {
    for (const line of ['at ('.repeat(120), ' in ) in '.repeat(60), 'a:1:in '.repeat(80), '#1 a(1): '.repeat(60)]) {
      expect(readStack(`${line}\n`.repeat(60), platform).length).toBeLessThanOrEqual(60);
    }
    expect(readStack('x'.repeat(100_000), platform)).toEqual([]);
  }
});
