import { describe, expect, it } from 'vitest';
import type { Frame } from './event.ts';
import { isInApp, markInApp, withoutPackageStore } from './in-app.ts';
import { makeEvent } from './make-event.ts';

describe('isInApp', () => {
  it.each<[string, Frame, boolean]>([
    ['node', { filename: '/app/src/a.ts' }, true],
    ['node', { filename: '/app/node_modules/x/a.js', in_app: true }, false],
    ['node', { filename: 'C:\\app\\node_modules\\x\\a.js', in_app: true }, false],
    ['node', { filename: 'node:internal/process/task_queues' }, false],
    ['node', { filename: '/app/src/a.ts', in_app: false }, false],
    ['javascript', { abs_path: 'https://shop.example.com/assets/a.js' }, true],
    ['javascript', { abs_path: 'https://cdn.jsdelivr.net/npm/x.js', in_app: true }, false],
    ['javascript', { abs_path: 'chrome-extension://abc/x.js', in_app: true }, false],
    ['javascript', { abs_path: '<anonymous>' }, false],
    [
      'javascript',
      { abs_path: 'webpack:///./src/a.tsx', filename: './src/a.tsx', data: { sourcemap: 'm' }, in_app: false },
      true,
    ],
    [
      'javascript',
      { abs_path: 'webpack:///webpack/bootstrap', filename: 'webpack/bootstrap', data: { sourcemap: 'm' } },
      false,
    ],
    ['javascript', { module: 'core-js/internals/task', in_app: true }, false],
    ['python', { filename: 'a.py' }, false],
    ['python', { filename: 'a.py', in_app: true }, true],
    ['python', { abs_path: '/usr/lib/python3/site-packages/django/x.py', in_app: true }, false],
    ['php', { filename: '/srv/vendor/laravel/x.php', in_app: true }, false],
    ['java', { module: 'org.springframework.web.X', in_app: true }, false],
    ['java', { module: 'com.example.X', in_app: true }, true],
    ['native', { package: '/usr/lib/libc.so', in_app: true }, false],
  ])('%s %o: %s', (platform, frame, expected) => {
    expect(isInApp(frame, platform)).toBe(expected);
  });

  it('keeps the word of the SDK where it decides otherwise', () => {
    const event = makeEvent({
      platform: 'node',
      stacktrace: {
        frames: [
          { filename: '/a/node_modules/b.js', in_app: true },
          { filename: '/a/c.js', in_app: true },
        ],
      },
    });
    markInApp(event);
    expect(event.stacktrace?.frames.map(({ in_app, data }) => [in_app, data])).toEqual([
      [false, { orig_in_app: 1 }],
      [true, undefined],
    ]);
  });

  it('cuts the store of a package manager out of paths', () => {
    expect(withoutPackageStore('/app/node_modules/.pnpm/express@5.1.0/node_modules/express/lib/a.js')).toBe(
      '/app/node_modules/node_modules/express/lib/a.js',
    );
    expect(withoutPackageStore('/app/src/a.js')).toBe('/app/src/a.js');
  });
});
