import { expect, test } from 'vitest';
import { errorRow, hash } from '../issues/testing/stores.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { readQuery } from './read-query.ts';
import { now, useShops } from './testing/shops.ts';

const python = (value: string, call = 'read'): string => `Traceback (most recent call last):
  File "/srv/app.py", line 3, in main
    ${call}()
  File "/srv/shop/cart.py", line 12, in ${call}
    raise OutOfStock(value)
shop.errors.OutOfStock: ${value}
`;

const texts: readonly (readonly [platform: string, type: string, value: string, functions: string[], text: string])[] =
  [
    ['python', 'OutOfStock', 'no tea left', ['main', 'read'], python('no tea left')],
    [
      'java',
      'Cart$Empty',
      'cart 7',
      ['total', 'main'],
      'Exception in thread "main" com.example.Cart$Empty: cart 7\n\tat com.example.Cart.total(Cart.java:12)\n' +
        '\tat com.example.Main.main(Main.java:3)\n',
    ],
    [
      'go',
      '*errors.errorString',
      'no basket',
      ['(*Basket).At', 'main'],
      'panic: no basket\n\ngoroutine 1 [running]:\nmain.(*Basket).At(0x1)\n\t/srv/b.go:3 +0x1\nmain.main()\n\t/srv/m.go:4 +0x1\n',
    ],
    [
      'rust',
      'panic',
      'no shop',
      ['shop::open', 'shop::main'],
      "thread 'main' panicked at src/main.rs:3:5:\nno shop\nstack backtrace:\n   0: shop::open\n" +
        '             at ./src/main.rs:3:5\n   1: shop::main\n             at ./src/main.rs:9:5\n',
    ],
    [
      'ruby',
      'Shop::Closed',
      'till is closed',
      ['sell', '<main>'],
      "till.rb:3:in `sell': till is closed (Shop::Closed)\n\tfrom till.rb:9:in `<main>'\n",
    ],
    [
      'php',
      'App\\Refused',
      'card refused',
      ['App\\Till::pay', 'App\\Till::open'],
      'PHP Fatal error:  Uncaught App\\Refused: card refused in /srv/t.php:3\nStack trace:\n' +
        '#0 /srv/t.php(9): App\\Till->pay()\n#1 /srv/i.php(2): App\\Till->open()\n#2 {main}\n  thrown in /srv/t.php on line 3\n',
    ],
    [
      'csharp',
      'MissingException',
      'no such order',
      ['Find', 'Main'],
      'Unhandled exception. Shop.MissingException: no such order\n   at Shop.Orders.Find(Int32 id) in /srv/O.cs:line 3\n' +
        '   at Shop.Program.Main() in /srv/P.cs:line 9\n',
    ],
    [
      'elixir',
      'Shop.Late',
      'too late',
      ['Shop.Clock.tick/1'],
      '** (Shop.Late) too late\n    (shop 0.1.0) lib/clock.ex:3: Shop.Clock.tick/1\n',
    ],
    [
      'node',
      'RangeError',
      'no page 9',
      ['turn', 'open'],
      'Uncaught RangeError: no page 9\n    at turn (/srv/book.js:3:5)\n    at open (/srv/book.js:9:1)\n',
    ],
  ];

onEachDatabase('find by a stack trace', ({ migrated }) => {
  const start = useShops(migrated);

  test('the issue that has it, in each language', async () => {
    const { shop, put, ask, cause } = await start();
    const row = ([platform, type, value, functions]: (typeof texts)[number], overrides = {}) =>
      errorRow({
        project_id: shop.id,
        timestamp: now - 60_000,
        platform,
        error_type: type,
        error_value: value,
        error_types: [type],
        error_values: [value],
        stack_functions: functions,
        group_hash: hash(`${platform} ${type}`),
        group_hashes: [hash(`${platform} ${type}`)],
        title: `${type}: ${value}`,
        ...overrides,
      });
    await put(...texts.map((one) => row(one)));
    for (const [platform, type, value, , text] of texts) {
      const found = await cause(text);
      expect(
        found.understood.find(({ kind }) => kind === 'stack'),
        platform,
      ).toBeDefined();
      expect(found, platform).toMatchObject({ matchedBy: 'stack', causes: [{ event: { main: { type, value } } }] });
    }
    // Another order, and so another message; and another function, with an error of its own.
    expect(await cause(python('no coffee left'))).toMatchObject({
      causes: [{ event: { title: 'OutOfStock: no tea left' } }],
    });
    expect(await ask(python('no coffee left', 'write').replace('in main', 'in other'))).toMatchObject({
      kind: 'search',
      search: '"OutOfStock: no coffee left"',
    });
  });

  test('nothing of another organisation', async () => {
    const { other, put, ask } = await start();
    const types = { error_types: ['OutOfStock'], error_values: ['no tea left'], stack_functions: ['main', 'read'] };
    const group = { group_hash: hash('theirs'), group_hashes: [hash('theirs')] };
    const at = { project_id: other.id, timestamp: now - 60_000 };
    await put(errorRow({ ...at, ...group, error_type: 'OutOfStock', ...types }));
    expect((await ask(python('no tea left'))).kind).toBe('search');
  });
});

test('ids in a text go before its stack', () => {
  const options = { ownHosts: [], prefixes: [] };
  const id = '8c05a357b1c24d6f9e0a1b2c3d4e5f60';
  expect(readQuery(`event ${id}\n${python('x')}`, options).map(({ kind }) => kind)).toEqual(['event', 'stack']);
  expect(readQuery(python('x'), options)).toMatchObject([{ kind: 'stack', value: 'OutOfStock: x' }]);
  expect(readQuery('at noon (see a.js:1:2)', options).map(({ kind }) => kind)).toEqual(['words']);
});
