import { describe, expect, it } from 'vitest';
import type { Grouping, GroupingComponent } from '../../types.ts';
import { markInApp } from '../in-app.ts';
import { makeEvent } from '../make-event.ts';
import { currentGroupingVersion, defaultGroupingConfig, groupEvent } from './index.ts';

function group(raw: object): Grouping {
  const event = makeEvent(raw);
  markInApp(event);
  return groupEvent(event).grouping;
}

const meets = (a: object, b: object): boolean => group(a).hashes.some((hash) => group(b).hashes.includes(hash));
const frame = (name: string, more: object = {}) => ({
  function: name,
  filename: '/app/src/orders.js',
  lineno: 1,
  in_app: true,
  ...more,
});
const error = (frames: object[], more: object = {}) => ({
  platform: 'node',
  exception: [{ type: 'Error', value: 'boom 1', stacktrace: { frames }, ...more }],
});

/** Ids of all components that count, in order. */
function counting(components: readonly GroupingComponent[]): string[] {
  return components.flatMap((component) =>
    component.contributes ? [component.id, ...counting(component.children ?? [])] : [],
  );
}

describe('groupEvent', () => {
  // Hashes stand in stores: this table may grow, but no line of it may change while the version stays.
  it.each<[string, object, string, string[]]>([
    [
      'an exception with a stack',
      error([frame('a'), frame('lib', { filename: '/app/node_modules/x/y.js' })]),
      'exception',
      ['1599963d96a8bea14d084d940ee9f82d', '0c72617b003f1b3ef545f321c3429a50'],
    ],
    [
      'an exception without one',
      { platform: 'node', exception: [{ type: 'Error', value: 'User 4711 not found' }] },
      'exception',
      ['feec58fe35c4aaba69a3a51a14a26dc6'],
    ],
    [
      'a chain',
      {
        exception: [
          { type: 'A', value: 'a' },
          { type: 'B', value: 'b' },
        ],
      },
      'chained-exception',
      ['d783d82cdd26576b472456c1b2b84e41'],
    ],
    ['a message', { message: 'order 7 failed' }, 'message', ['8eab189ea94b2575abe1c104b4bf95b8']],
    [
      'a template',
      { logentry: { message: 'order %s failed', params: [7] } },
      'message',
      ['a18847db143236513e2792bc66d2766f'],
    ],
    [
      'a thread',
      { threads: [{ id: 1, crashed: true, stacktrace: { frames: [frame('main')] } }] },
      'threads',
      ['99753008897e20b79130f40ccb37fc91'],
    ],
    [
      'a stack of its own',
      { platform: 'python', stacktrace: { frames: [frame('main')] } },
      'stacktrace',
      ['ed941b24ca7aa169eb2807e1eefe7d95'],
    ],
    [
      'a CSP report',
      { csp: { effective_directive: 'img-src', blocked_uri: 'https://cdn.example.com/x.png' } },
      'csp',
      ['f61dc39a1ceef640470ea11a371c143c'],
    ],
    [
      'a fingerprint',
      { fingerprint: ['a', '{{ transaction }}'], transaction: '/x' },
      'fingerprint',
      ['195c6cc1394ef8fc0f100bfa377fed0e'],
    ],
    ['a checksum', { checksum: 'ABCDEF0123456789abcdef0123456789' }, 'checksum', ['abcdef0123456789abcdef0123456789']],
    ['nothing at all', {}, 'fallback', ['342bda17d4c793dd5a095bbbcb0d6cfb']],
  ])('%s', (_name, raw, basis, hashes) => {
    const config = { ...defaultGroupingConfig, version: 'culprit:1' };
    expect(groupEvent(makeEvent(raw), config).grouping).toMatchObject({ version: 'culprit:1', basis, hashes });
  });

  it('takes an unknown version for the current one', () => {
    const event = makeEvent({ message: 'm' });
    expect(groupEvent(event, { ...defaultGroupingConfig, version: 'other:9' }).grouping).toMatchObject({
      version: currentGroupingVersion,
    });
  });

  it('carries the hash of own code and that of all code', () => {
    const two = group(error([frame('a'), frame('b', { in_app: false })]));
    expect(two.hashes).toHaveLength(2);
    // The SDK comes to see both as library code: the hash of all code still leads to the issue.
    expect(
      meets(
        error([frame('a'), frame('b', { in_app: false })]),
        error([frame('a', { in_app: false }), frame('b', { in_app: false })]),
      ),
    ).toBe(true);
  });

  describe('JavaScript', () => {
    const script = (base: string, name: string, more: object = {}) =>
      frame(name, { filename: `/app/dist/${base}`, ...more });
    it.each([
      ['checkout-0123456789abcdef.js', 'checkout-fedcba9876543210.js'],
      ['index-DbQ2xY9p.js', 'index-FdK_ReT8.js'],
      ['2.4185d9aa.chunk.js', '2.dc551bda.chunk.js'],
      ['main.8f3c.min.js', 'main.8f3c.min.js'],
      ['[root-of-the-server]__0d4ras0-ws4p_._.js', '[root-of-the-server]__16dsy0ms84yq5._.js'],
      ['page.client-9f8e7d6c5b4a.mjs', 'page.client-0f8e7d6c5b4a.mjs'],
    ])('%s is %s of another build', (a, b) => {
      expect(meets(error([script(a, 'render')]), error([script(b, 'render')]))).toBe(true);
    });

    it.each([
      ['checkout-page.js', 'checkout-form.js'],
      ['orderList.service.js', 'orderView.service.js'],
      ['a.MyComponent.js', 'a.MyDialog.js'],
      ['es2015.js', 'es2017.js'],
      ['jquery-3.js', 'jquery-4.js'],
      ['utils-v1.js', 'utils-v2.js'],
    ])('%s is not %s', (a, b) => {
      expect(meets(error([script(a, 'render')]), error([script(b, 'render')]))).toBe(false);
    });

    it('lets the message help where a minifier took the names', () => {
      const url = {
        filename: 'https://a.example/assets/i-DbQ2xY9p.js',
        abs_path: 'https://a.example/assets/i-DbQ2xY9p.js',
      };
      const event = (names: string[], value: string) => ({
        platform: 'javascript',
        exception: [{ type: 'TypeError', value, stacktrace: { frames: names.map((name) => frame(name, url)) } }],
      });
      expect(meets(event(['a', 'b'], 'x is no y'), event(['c', 'd'], 'x is no y'))).toBe(true);
      expect(meets(event(['onClick', 'b'], 'x is no y'), event(['onClick', 'c'], 'x is no y'))).toBe(true);
      expect(meets(event(['onClick', 'b'], 'x is no y'), event(['onClick', 'b'], 'z is lost'))).toBe(false);
      const { tree } = group(event(['a', 'b'], 'x is no y'));
      expect(JSON.stringify(tree)).toContain('no source map');
      expect(counting(tree)).toEqual(['system', 'exception', 'type', 'value']);
    });

    it('reads a function without a name alike, however a browser says that it has none', () => {
      const crash = (name: string | undefined) => ({
        platform: 'javascript',
        exception: [
          {
            type: 'Error',
            value: `row ${String(name)}`,
            stacktrace: {
              frames: ['startUp', name].map((one) => ({ filename: 'https://a/b.js', function: one, in_app: true })),
            },
          },
        ],
      });
      for (const name of ['?', '<anonymous>', 'Object.<anonymous>', 'Cart/<', '']) {
        expect(meets(crash(name), crash(undefined)), name).toBe(true);
      }
      expect(meets(crash('a'), crash('b'))).toBe(false);
    });

    it('leaves browser and loop frames out, and repeats', () => {
      const noise = [
        frame('map', { filename: '[native code]', abs_path: '[native code]' }),
        frame('eval'),
        frame('process.processTicksAndRejections'),
      ];
      expect(meets(error([frame('a'), ...noise, frame('b')]), error([frame('a'), frame('b'), frame('b')]))).toBe(true);
    });
  });

  describe('exception groups', () => {
    const member = (id: number, parent: number, type: string, value = 'v') => ({
      type,
      value,
      mechanism: { type: 'chained', exception_id: id, parent_id: parent },
    });
    const root = {
      type: 'AggregateError',
      value: 'several',
      mechanism: { type: 'generic', exception_id: 0, is_exception_group: true },
    };

    it('of one kind are that kind', () => {
      const one = { exception: [member(1, 0, 'E'), root] };
      const three = { exception: [member(3, 0, 'E'), member(2, 0, 'E'), member(1, 0, 'E'), root] };
      expect(meets(one, three)).toBe(true);
      expect(groupEvent(makeEvent(three)).main?.type).toBe('E');
    });

    it('of several kinds are told apart, in any order', () => {
      const two = { exception: [member(2, 0, 'F'), member(1, 0, 'E'), root] };
      expect(meets(two, { exception: [member(1, 0, 'E'), root] })).toBe(false);
      expect(meets(two, { exception: [member(1, 0, 'E'), member(2, 0, 'F'), root] })).toBe(true);
    });

    it('with ids that make no tree are chains', () => {
      const cycle = { exception: [member(2, 1, 'A'), member(1, 2, 'B'), root] };
      const twice = { exception: [member(1, 0, 'A'), member(1, 0, 'B'), root] };
      expect(group(cycle).hashes).toHaveLength(1);
      expect(group(twice).basis).toBe('chained-exception');
    });
  });

  describe('fingerprints', () => {
    const base = error([frame('a')]);
    it('fill variables in', () => {
      const raw = {
        ...base,
        transaction: '/cart',
        tags: { tenant: 'acme' },
        level: 'warning',
        logger: 'app',
        fingerprint: [
          '{{ type }}',
          '{{error.value}}',
          '{{ stack.function }} in {{ stack.filename }}',
          '{{ tags.tenant }}',
          '{{ tags.none }}',
          '{{ level }}',
          '{{ logger }}',
          '{{ nonsense }}',
          '{{ message }}',
        ],
      };
      expect(group(raw).tree[0]?.children?.map(({ value }) => value)).toEqual([
        'Error',
        'boom 1',
        'a in /app/src/orders.js',
        'acme',
        '<no-value-for-tag-none>',
        'warning',
        'app',
        '<unrecognized-variable-nonsense>',
        'boom <int>',
      ]);
    });

    it('split the default group where they name it', () => {
      expect(meets(base, { ...base, fingerprint: ['{{ default }}', 'x'] })).toBe(false);
      expect(meets(base, { ...base, fingerprint: ['{{default}}'] })).toBe(true);
      expect(group({ ...base, fingerprint: ['{{ default }}', 'x'] }).basis).toBe('exception');
    });
  });

  describe('built-in rules', () => {
    const plain = (type: string, value: string, more: object = {}) => ({
      platform: 'javascript',
      exception: [{ type, value }],
      ...more,
    });
    it('put errors of loading together, whatever the browser says', () => {
      const first = plain('ChunkLoadError', 'Loading chunk 7 failed.');
      for (const value of [
        'Failed to fetch dynamically imported module: https://a/b.js',
        'error loading dynamically imported module: x',
        'Importing a module script failed.',
        'Unable to preload CSS for /a.css',
        'Loading CSS chunk 3 failed.',
        'Error: Loading chunk 3 failed.',
        'Uncaught (in promise) TypeError: Failed to fetch dynamically imported module: https://a/b.js',
        'Expected a JavaScript-or-Wasm module script but the server responded with a MIME type of "text/html".',
        'Loading module from “https://a/b.js” was blocked because of a disallowed MIME type (“text/html”).',
      ]) {
        expect(meets(first, plain('TypeError', value)), value).toBe(true);
      }
    });

    it('group hydration by page, and know notices of browsers', () => {
      const hydration = 'Hydration failed because the initial UI does not match what was rendered on the server.';
      expect(
        meets(
          plain('Error', hydration, { transaction: '/a' }),
          plain('Error', 'Minified React error #418; visit https://react.dev', { transaction: '/a' }),
        ),
      ).toBe(true);
      expect(
        meets(plain('Error', hydration, { transaction: '/a' }), plain('Error', hydration, { transaction: '/b' })),
      ).toBe(false);
      expect(
        meets(
          plain('Error', 'ResizeObserver loop limit exceeded'),
          plain('Error', 'ResizeObserver loop completed with undelivered notifications.'),
        ),
      ).toBe(true);
      expect(group(plain('Error', 'Script error.')).tree[0]).toMatchObject({
        id: 'fingerprint',
        name: 'built-in rule',
      });
    });

    it('know what the console or a frame for the page alone says', () => {
      const page = { frames: [{ filename: 'https://a/b', function: '?', lineno: 0 }] };
      const hidden = {
        platform: 'javascript',
        exception: [{ type: 'Error', value: 'Script error.', stacktrace: page }],
      };
      expect(meets(hidden, plain('Error', 'Script error.'))).toBe(true);
      expect(meets({ platform: 'javascript', message: 'Script error.' }, hidden)).toBe(true);
      const said = 'Text content did not match. Server: "a" Client: "b"';
      const transaction = '/a';
      expect(meets({ message: `Warning: ${said}`, transaction }, { ...plain('Error', said), transaction })).toBe(true);
    });

    it('do not overrule the client', () => {
      expect(meets(plain('ChunkLoadError', 'x'), plain('ChunkLoadError', 'x', { fingerprint: ['mine'] }))).toBe(false);
    });
  });

  it('explains what counts and why the rest does not', () => {
    const { tree } = group(
      error([frame('a', { context_line: '  call();  ' }), frame('lib', { filename: '/app/node_modules/x/y.js' })]),
    );
    expect(tree.map(({ id }) => id)).toEqual(['app', 'system']);
    const [app] = tree;
    expect(app?.children?.[0]?.children).toEqual([
      { id: 'type', name: 'type', contributes: true, value: 'Error' },
      {
        id: 'stacktrace',
        name: 'stack',
        contributes: true,
        children: [
          {
            id: 'frame',
            name: 'frame',
            contributes: true,
            children: [
              { id: 'filename', name: 'file', contributes: true, value: 'orders.js' },
              { id: 'function', name: 'function', contributes: true, value: 'a' },
              { id: 'context_line', name: 'source line', contributes: true, value: 'call();' },
            ],
          },
          {
            id: 'frame',
            name: 'frame',
            contributes: false,
            why: 'not used: not the project’s own code',
            children: [
              { id: 'filename', name: 'file', contributes: true, value: 'y.js' },
              { id: 'function', name: 'function', contributes: true, value: 'lib' },
            ],
          },
        ],
      },
      {
        id: 'value',
        name: 'message',
        contributes: false,
        why: 'not used: the stack is more specific',
        value: 'boom 1',
      },
    ]);
  });
});
