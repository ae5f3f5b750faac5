import { expect, test } from 'vitest';
import type { Frame } from '../event/types.ts';
import { some } from '../../ui/testing/some.ts';
import { frameName, frameWhere } from './names.ts';

const nothing = { filename: null, absPath: null, module: null, package: null, platform: null, function: null };
const frame = (fields: Partial<Frame>): Frame =>
  some<Frame>({ ...nothing, lineNo: null, colNo: null, instructionAddr: null, ...fields });

const named: readonly (readonly [string, Partial<Frame>, scope: string, name: string])[] = [
  ['java', { module: 'com.example.shop.Cart$Till', function: 'close' }, 'com.example.shop.', 'Cart$Till.close'],
  ['java', { module: 'App', function: 'main' }, '', 'App.main'],
  [
    'go',
    { module: 'example.com/shop/internal/cart', function: '(*Basket).At' },
    'example.com/shop/internal/',
    'cart.(*Basket).At',
  ],
  ['go', { module: 'main', function: 'main' }, '', 'main.main'],
  ['go', { module: 'main', function: 'main.func3.2' }, '', 'main.main.func3.2'],
  ['native', { function: 'shop::basket::Basket::at' }, 'shop::basket::', 'Basket::at'],
  ['native', { function: 'shop::main' }, 'shop::', 'main'],
  ['native', { function: 'shop::cart::order::{{closure}}' }, 'shop::cart::', 'order::{{closure}}'],
  [
    'native',
    { function: '<usize as core::slice::SliceIndex<[T]>>::index' },
    '',
    '<usize as core::slice::SliceIndex<[T]>>::index',
  ],
  [
    'csharp',
    { module: 'Shop.Carts.Cart', function: 'async Task<int> Order(string text)' },
    'Shop.Carts.',
    'Cart.Order(string text)',
  ],
  ['csharp', { module: 'Shop.Cart', function: 'Map<T, U>(T from)' }, 'Shop.', 'Cart.Map<T, U>(T from)'],
  ['csharp', { module: 'Shop.Cart', function: 'void Cart.At(string sku)' }, 'Shop.', 'Cart.At(string sku)'],
  ['csharp', { module: 'Shop.Cart', function: 'Shop.Cart.Pay' }, 'Shop.', 'Cart.Pay'],
  ['csharp', { module: 'Shop.Cart', function: 'Cartons.At' }, 'Shop.', 'Cart.Cartons.At'],
  ['csharp', { function: 'Shop.Cart:Pay (System.String method)' }, '', 'Shop.Cart:Pay (System.String method)'],
  ['native', { instructionAddr: '0x1' }, '', '<unknown>'],
  ['dart', { absPath: '<asynchronous suspension>' }, '', '<asynchronous suspension>'],
  ['php', { filename: '/public/index.php' }, '', '{main}'],
  ['csharp', { module: 'Shop.Cart', function: 'Order' }, 'Shop.', 'Cart.Order'],
  ['php', { function: 'App\\Carts\\Cart::order' }, 'App\\Carts\\', 'Cart::order'],
  ['php', { function: 'App\\Carts\\total' }, 'App\\Carts\\', 'total'],
  ['php', { function: 'App\\Cart::App\\{closure}' }, 'App\\', 'Cart::App\\{closure}'],
  ['ruby', { module: 'Shop::Cart', function: 'order' }, '', 'Shop::Cart#order'],
  ['ruby', { function: 'block in <main>' }, '', 'block in <main>'],
  ['elixir', { module: 'Shop.Cart', function: 'Shop.Cart.order/1' }, '', 'Shop.Cart.order/1'],
  ['python', { module: 'shop.cart', function: 'read_quantity' }, '', 'read_quantity'],
  ['javascript', { module: 'app/cart', function: 'Cart.order' }, '', 'Cart.order'],
  ['javascript', { platform: 'java', module: 'shop.Cart', function: 'order' }, 'shop.', 'Cart.order'],
  ['java', {}, '', '<anonymous>'],
];

test.each(named)('%s: %j', (platform, fields, scope, name) => {
  expect(frameName(frame(fields), platform)).toEqual({ scope, name });
});

const placed: readonly (readonly [string, Partial<Frame>, where: string])[] = [
  ['node', { filename: 'app.ts', lineNo: 42, colNo: 13 }, 'app.ts:42:13'],
  ['node', { module: 'app.price', colNo: 9 }, 'app.price'],
  ['node', {}, '<unknown>'],
  ['java', { filename: 'Cart.java', module: 'shop.Cart', lineNo: 27 }, 'Cart.java:27'],
  ['java', { module: 'a.a.b', function: 'a' }, ''],
  ['java', { filename: 'Object.java', module: 'java.lang.Object', native: true }, 'Native Method'],
  ['go', { absPath: '/srv/shop/main.go', lineNo: 41 }, '/srv/shop/main.go:41'],
  ['go', { absPath: '/go/pkg/mod/github.com/pkg/errors@v0.9.1/errors.go' }, 'github.com/pkg/errors@v0.9.1/errors.go'],
  [
    'native',
    {
      filename: 'mod.rs',
      absPath: '/home/.cargo/registry/src/index-crates-io-1949cf8c6b5b557f/anyhow-1.0.1/src/mod.rs',
    },
    'anyhow-1.0.1/src/mod.rs',
  ],
  [
    'native',
    { filename: 'mod.rs', absPath: '/rustc/59807616e1fa2540724b/library/std/src/mod.rs' },
    'library/std/src/mod.rs',
  ],
  ['native', { filename: 'main.rs', absPath: '/srv/shop/src/main.rs', lineNo: 28 }, '/srv/shop/src/main.rs:28'],
  [
    'native',
    { package: '/srv/shop', instructionAddr: '0x55b866938ec8', imageAddr: '0x55b86658f000' },
    'shop +0x3a9ec8',
  ],
  ['native', { package: '/srv/shop', instructionAddr: '0x55b866938ec8' }, 'shop 0x55b866938ec8'],
  ['native', { instructionAddr: '0x55b866938ec8' }, '0x55b866938ec8'],
  ['native', { package: 'C:\\shop\\shop.dll', instructionAddr: '0x1021', imageAddr: '0x1000' }, 'shop.dll +0x21'],
  ['csharp', { module: 'System.Number', function: 'Throw', package: 'System, Version=9', instructionAddr: '0x1b' }, ''],
  ['csharp', { function: 'UnityEngine.Events.Execute (T target)' }, ''],
  ['elixir', { module: 'erlang', function: ':erlang.binary_to_integer/1' }, ''],
  ['dart', { filename: 'cart.dart', absPath: 'package:shop/cart.dart', lineNo: 21 }, 'package:shop/cart.dart:21'],
  ['dart', { absPath: '<asynchronous suspension>' }, ''],
  ['python', { filename: 'threading.py', absPath: '/usr/lib/python3.11/threading.py' }, 'threading.py'],
];

test.each(placed)('%s: %j is at "%s"', (platform, fields, where) => {
  expect(frameWhere(frame(fields), platform)).toBe(where);
});
