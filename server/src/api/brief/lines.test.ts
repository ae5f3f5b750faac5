/** Of each recorded error, in each language, the brief alone names the line that failed. */
import { expect, test } from 'vitest';
import { listFixtures, listLanguageFixtures, readFixture, readLanguageFixture } from '../../../../fixtures/index.ts';
import { writeBrief } from '../../domains/brief/index.ts';
import { briefOf, eventsOf } from './testing.ts';

/** Where the programs of the recordings fail; of a build without lines, the function. Read from their sources. */
const lines: readonly (readonly [recordings: RegExp, place: string])[] = [
  [/^browser-10\/(?:handled|uncaught)-error/, 'http://shop.example.com/assets/app.js:20301:18` in `readPrice'],
  [/^browser-11\/(?:handled|uncaught)-error/, 'http://shop.example.com/assets/app.js:21110:18` in `readPrice'],
  [/^browser-10\/replay/, 'http://shop.example.com/assets/app.js:20344:'],
  [/^browser-11\/replay/, 'http://shop.example.com/assets/app.js:21153:'],
  [/^browser-10\/unhandled-rejection/, 'http://shop.example.com/assets/app.js:20326:'],
  [/^browser-11\/unhandled-rejection/, 'http://shop.example.com/assets/app.js:21135:'],
  [/^react-10\/(?:error-boundary|uncaught)/, 'http://shop.example.com/assets/app.js:26332:68` in `PriceTag'],
  [/^react-11\/(?:error-boundary|uncaught)/, 'http://shop.example.com/assets/app.js:27016:68` in `PriceTag'],
  [/^react-10\/event-handler/, 'http://shop.example.com/assets/app.js:26341:'],
  [/^react-11\/event-handler/, 'http://shop.example.com/assets/app.js:27025:'],
  [/^node-1[01]\/(?:handled-error|uncaught-error|http-server)/, 'node-program.ts:28:'],
  [/^node-1[01]\/aggregate/, 'node-program.ts:71:'],
  [/^node-1[01]\/trace/, 'node-program.ts:93:'],
  [/^node-1[01]\/unhandled-rejection/, 'node-program.ts:64:'],
  [/^android-8\/anr/, 'CartActivity.kt:31` in `onClick'],
  [/^android-8\/uncaught/, 'SourceFile:5` in `a'],
  [/^cocoa-9\/nsexception/, '-[SHCart at:]'],
  [/^dart-9\/async/, 'cart.dart:14'],
  [/^dotnet-6\/aggregate/, 'Shop/Cart.cs:39'],
  [/^dotnet-6\/chain/, 'Shop/Cart.cs:18'],
  [/^elixir-11\/exception/, 'lib/shop/cart.ex:14'],
  [/^elixir-11\/function-clause/, 'lib/shop/cart.ex:30'],
  [/^go-0\.13\/main$/, '/app/main.go:32'],
  [/^go-0\.13\/main-3/, '/app/main.go:16'],
  [/^go-0\.50(?:-trimpath)?\/(?:panic|http-t-2)$/, 'internal/cart/cart.go:51'],
  [/^go-0\.50(?:-trimpath)?\/pkgerrors/, 'main.go:73` in `savingFails'],
  [/^go-0\.50\/panicerr/, '/app/main.go:53'],
  [/^go-0\.50\/trace-t/, '/app/telemetry.go:62'],
  // Errors of Go without a stack of their own: where they were reported.
  [/^go-0\.50(?:-trimpath)?\/(?:attach|join|sentinel|twobugs|wrapped)/, 'main.go:24` in `report'],
  [/^java-8\.62(?:-default)?\/(?:attach|cause|session-|trace|uncaught)/, 'Cart.java:23` in `readQuantity'],
  [/^java-8\.62.*\/(?:lambda|thread)/, 'Cart.java:44'],
  [/^java-8\.62.*\/suppressed/, 'Cart.java:39` in `suppressed'],
  [/^java-8\.62\/deep/, 'Cart.java:48` in `deep'],
  [/^java-8\.62\/feedback/, 'Telemetry.java:153'],
  [/^java-8\.62\/flags/, 'App.java:61'],
  [/^java-8\.62\/synthetic-names/, 'Service.java:3` in `order'],
  [/^java-8\.53\/logback-3/, 'App.java:12` in `order'],
  [/^java-spring-8\.51\/web-[24]/, 'App.java:37` in `order'],
  [/^php-4\/anonymous/, '/src/Cart.php:44'],
  [/^php-4\/chain/, '/src/Cart.php:22'],
  [/^python-2-django\/web-[24]/, 'django_program.py:59` in `customer'],
  [/^python-2-django\/web-6/, 'django_program.py:63` in `order'],
  [
    /^(?:python|raven).*\/(?:chain$|chain-twins$|main$|web-6|web-8|stream-6|stream-8)/,
    'shop/cart.py:15` in `parse_quantity',
  ],
  [/^python-2\/(?:chain-twins-2|fromnone)/, 'shop/cart.py:38'],
  [/^python-2\/group/, 'shop/cart.py:43'],
  [/^python-2\/locals/, 'program.py:238` in `deep'],
  [/^python-2\/recursion/, 'shop/cart.py:52` in `recurse'],
  [/^python-2\/scrubbing$/, 'program.py:260` in `read'],
  [
    /^python-[12].*\/(?:web-4|stream-4|asyncio|attach|cron-5|during|fingerprint|flags|logging-3|sessions|thread|trace|uncaught)/,
    'shop/cart.py:31` in `during',
  ],
  [/^ruby-5\.3\/block/, 'program.rb:68'],
  [/^ruby-5\.3\/(?:cause|rack|trace|uncaught)/, 'cart.rb:8'],
  [/^ruby-5\.3\/(?:key|thread)/, 'cart.rb:21'],
  [/^rust-0\.49\/(?:panic|session-crash|thread)/, 'cart.rs:57` in `shop::cart::Basket::at'],
  [/^rust-0\.49\/(?:anyhow|attach|session-error)/, 'main.rs:25` in `shop::report'],
  [/^rust-0\.49\/chain/, 'main.rs:70` in `shop::chain'],
  [/^rust-0\.49\/unwrap$/, 'main.rs:43'],
  [/^rust-0\.49\/unwrap-2/, 'main.rs:44'],
  [/^rust-0\.49-release\/(?:panic|session-crash|thread)/, 'shop::cart::Basket::at'],
  [/^rust-0\.49-release\/unwrap/, 'shop::unwraps'],
  [/^unity-4\/il2cpp/, 'Shop.Cart.At'],
  [/^unity-4\/null-reference/, 'Assets/Scripts/Cart.cs:41'],
];

/** Nothing of a name or a line was sent: stripped binaries, obfuscated builds. An error of a macro is where that stands. */
const nameless = /^(?:rust-0\.49-stripped|dart-9\/obfuscated|cocoa-9\/bad-access|native-0\.12|rust-0\.49\/tracing)/;

const recordings = [
  ...listFixtures().map((name) => ({ name, fixture: readFixture(name) })),
  ...listLanguageFixtures().map((name) => ({ name, fixture: readLanguageFixture(name) })),
].filter(({ fixture }) => /\/(?:envelope|store)\//.test(fixture.meta.path));

const errors = recordings.flatMap(({ name, fixture }) =>
  eventsOf(fixture)
    .filter((event) => event.entries.some(({ type }) => type === 'exception'))
    .map((event) => ({ name, event })),
);

test('there are recordings of all languages', () => expect(errors.length).toBeGreaterThan(120));

test.each(errors.filter(({ name }) => !nameless.test(name)))('$name', ({ name, event }) => {
  // Messages with a stack are told of as errors too: nothing failed there.
  if (name.endsWith('/message') || name.endsWith('/message-2')) return;
  const place = lines.find(([of]) => of.test(name))?.[1];
  expect(place, `${name} has no line in the table`).toBeDefined();
  const failing = writeBrief(briefOf(event)).split('\n## Where it failed\n')[1]?.split('\n')[1] ?? '';
  expect(failing).toContain(place);
});

test.each(errors.filter(({ name }) => nameless.test(name)))('$name: the stack says what there is', ({ event }) => {
  const brief = briefOf(event);
  expect(brief.failure ?? brief.errors[0]).toBeDefined();
  expect(writeBrief(brief)).toContain('## Where it failed');
});
