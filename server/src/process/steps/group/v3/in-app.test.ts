import { describe, expect, it } from 'vitest';
import type { Frame } from '../../event.ts';
import { markInApp } from '../../in-app.ts';
import { makeEvent } from '../../make-event.ts';
import { v3 } from './index.ts';

/** As they are marked, in one letter each. */
function marks(platform: string, frames: readonly Frame[]): string {
  const event = makeEvent({ platform, stacktrace: { frames } });
  markInApp(event, v3);
  return (event.stacktrace?.frames ?? []).map(({ in_app: isOwn }) => (isOwn ? 'o' : '-')).join('');
}

const registry = '/usr/local/cargo/registry/src/index-crates-io-1949cf8c6b5b557f/';
const own: Frame = { function: 'shop::main', abs_path: 'src/main.rs', package: 'shop', in_app: true };

describe('own code of', () => {
  it.each<[string, Frame, boolean]>([
    ['core', { function: '<usize as core::slice::SliceIndex<[T]>>::index', abs_path: '/rustc/59/library/x.rs' }, false],
    ['core without a path', { function: '<usize as core::slice::SliceIndex<[T]>>::index', package: 'core' }, false],
    ['std', { function: '<&dyn core::ops::Fn<(), Output = i32> as core::ops::FnOnce<()>>::call_once' }, false],
    ['a toolchain', { function: 'x', abs_path: 'C:\\Users\\a\\.rustup\\toolchains\\lib\\x.rs' }, false],
    ['a crate', { function: 'sea::x', abs_path: `${registry}sea-1.0.3/src/x.rs`, package: 'sea' }, false],
    ['a crate of Git', { function: 'sea::x', abs_path: '/build/.cargo/git/checkouts/sea-12ab/3/x.rs' }, false],
    ['a macro of a crate', { function: 'shop::a', abs_path: `${registry}log-1.0.3/m.rs`, package: 'shop' }, true],
    ['a well-known crate without a path', { function: 'tokio::runtime::run', package: 'tokio' }, false],
    ['the SDK', { function: '<sentry_panic::P as sentry_core::I>::setup' }, false],
    ['libc', { function: '__libc_start_call_main', abs_path: './csu/../sysdeps/nptl/x.h' }, false],
    ['a trait of the project', { function: '<alloc::vec::Vec<T> as shop::Total>::total', package: 'alloc' }, true],
    ['the way in', { function: 'main' }, false],
    ['C++', { function: 'main', abs_path: '/srv/game/main.cpp', package: '/srv/game/bin/game' }, true],
    ['a closure', { function: 'shop::main::{{closure}}', abs_path: 'src/main.rs', package: 'shop' }, true],
  ])('Rust: %s', (_name, frame, expected) => {
    expect(marks('native', [own, { ...frame, in_app: true }])).toBe(expected ? 'oo' : 'o-');
  });

  it('Rust: crates where they are all there is', () => {
    const crate: Frame = {
      function: 'sea::x',
      abs_path: `${registry}sea-1.0.3/src/x.rs`,
      package: 'sea',
      in_app: true,
    };
    const std: Frame = {
      function: 'std::x',
      abs_path: '/rustc/59/library/std/src/x.rs',
      package: 'std',
      in_app: false,
    };
    expect(marks('rust', [std, crate])).toBe('-o');
    expect(marks('rust', [own, std, crate])).toBe('o--');
  });

  it.each<[string, string, Frame[], string]>([
    [
      'Go, built with -trimpath',
      'go',
      [
        { module: 'runtime', filename: 'runtime/proc.go', in_app: false },
        { module: 'main', filename: 'example.com/shop/main.go', in_app: false },
        { module: 'example.com/shop/internal/cart', filename: 'example.com/shop/internal/cart/cart.go', in_app: false },
        { module: 'shop/pay', filename: 'shop/pay/pay.go', in_app: false },
        { module: 'github.com/pkg/errors', filename: 'github.com/pkg/errors@v0.9.1/errors.go', in_app: false },
        { module: 'net/http', filename: 'net/http/server.go', in_app: false },
      ],
      '-ooo--',
    ],
    [
      'Go, as the SDK says',
      'go',
      [
        { module: 'main', abs_path: '/srv/shop/main.go', in_app: true },
        { module: 'a.example/b', abs_path: '/srv/b.go', in_app: false },
      ],
      'o-',
    ],
    [
      'Java, what is excluded alone',
      'java',
      [
        { module: 'com.example.shop.App' },
        { module: 'com.example.shop.Legacy', in_app: false },
        { module: 'java.lang.String', in_app: false },
      ],
      'o--',
    ],
    ['Java, what is included', 'java', [{ module: 'com.example.A', in_app: true }, { module: 'com.other.B' }], 'o-'],
    [
      'Java, libraries',
      'java',
      [
        'ch.qos.logback.classic.Logger',
        'org.slf4j.Logger',
        'reactor.core.Mono',
        'com.zaxxer.hikari.Pool',
        'com.fasterxml.jackson.Mapper',
        'com.mysql.cj.Driver',
        'org.postgresql.Driver',
        'okhttp3.RealCall',
        'com.google.common.Lists',
        'com.google.shop.App',
        'org.example.Shop',
      ].map((module) => ({ module })),
      '---------oo',
    ],
    [
      'Python, as the SDK says',
      'python',
      [
        { filename: '/srv/shop/a.py', in_app: true },
        { filename: '/srv/b.py', in_app: false },
      ],
      'o-',
    ],
    [
      'JavaScript, as before',
      'node',
      [{ filename: '/srv/a.js' }, { filename: '/srv/node_modules/b.js', in_app: true }],
      'o-',
    ],
  ])('%s', (_name, platform, frames, expected) => {
    expect(marks(platform, frames)).toBe(expected);
  });
});
