import { describe, expect, it } from 'vitest';
import { makeEvent, receivedAt } from '../make-event.ts';
import { Remarks } from '../remarks.ts';
import { format } from './logentry.ts';
import { splitUrl } from './request.ts';
import { userIdentity } from './user.ts';

const frame = { function: 'f', filename: 'a.js' };

describe('normalizeEvent', () => {
  it('gives an empty event its defaults and leaves unknown keys out', () => {
    expect(makeEvent({ whatever: 1, grouping_config: {} })).toEqual({
      event_id: 'a'.repeat(32),
      type: 'default',
      level: 'error',
      platform: 'other',
      timestamp: receivedAt / 1000,
      received: receivedAt / 1000,
      tags: [],
    });
  });

  it('takes the id of the envelope, else its own without hyphens', () => {
    const event_id = 'FC6D8C0C-43FC-4630-AD85-0EE518F1B9D0';
    expect(makeEvent({ event_id }).event_id).toBe('fc6d8c0c43fc4630ad850ee518f1b9d0');
    expect(makeEvent({ event_id }, { eventId: 'b'.repeat(32) }).event_id).toBe('b'.repeat(32));
    expect(makeEvent({ event_id: '../../etc' }).event_id).toBe('a'.repeat(32));
  });

  it('reads exceptions in every shape', () => {
    const exception = { type: 'E', value: 'v', stacktrace: { frames: [frame] } };
    for (const shape of [exception, [exception], { values: [exception] }, { values: exception }]) {
      const event = makeEvent({ exception: shape });
      expect(event.type).toBe('error');
      expect(event.exception?.values).toEqual([
        {
          type: 'E',
          value: 'v',
          stacktrace: { frames: [expect.objectContaining({ function: 'f', filename: 'a.js', abs_path: 'a.js' })] },
        },
      ]);
    }
    expect(makeEvent({ exception: { values: null } }).exception).toBeUndefined();
  });

  it('reads the names of old clients', () => {
    const event = makeEvent({
      'sentry.interfaces.Exception': { values: [{ type: 'E', value: 'v' }] },
      'sentry.interfaces.Http': { url: 'http://a/b' },
      'sentry.interfaces.User': { id: 7 },
      'sentry.interfaces.Message': { message: 'm' },
      culprit: 'somewhere',
    });
    expect(event).toMatchObject({
      type: 'error',
      request: { url: 'http://a/b' },
      user: { id: '7' },
      logentry: { message: 'm' },
      transaction: 'somewhere',
    });
  });

  it('splits type and value, moves a lone stack into its exception, drops what says nothing', () => {
    const remarks = new Remarks();
    const event = makeEvent({ exception: [{ value: 'TypeError: bad' }], stacktrace: { frames: [frame] } }, {}, remarks);
    expect(event.exception?.values[0]).toMatchObject({
      type: 'TypeError',
      value: 'bad',
      stacktrace: { frames: [{ function: 'f' }] },
    });
    expect(event.stacktrace).toBeUndefined();
    expect(makeEvent({ exception: [{}, null, 7] }, {}, remarks).exception).toBeUndefined();
    expect(remarks.errors).toEqual([{ type: 'missing_attribute', name: 'exception.values.0.type' }]);
  });

  it('gives frames their paths and lines', () => {
    const [one, two, three] =
      makeEvent({
        stacktrace: {
          frames: [
            { abs_path: 'https://a.example/x/y.js?v=1', function: '?', lineno: '12', colno: -1 },
            { filename: 'b.py', pre_context: ['a', null], vars: { x: 1 } },
            { filename: '', abs_path: '/srv/c.rb', context_line: '' },
          ],
        },
      }).stacktrace?.frames ?? [];
    expect(one).toMatchObject({ filename: '/x/y.js', abs_path: 'https://a.example/x/y.js?v=1', lineno: 12 });
    expect(one?.function).toBeUndefined();
    expect(one?.colno).toBeUndefined();
    expect(two).toMatchObject({ abs_path: 'b.py', pre_context: ['a', ''], context_line: '', vars: { x: 1 } });
    expect(three).toMatchObject({ filename: '/srv/c.rb', context_line: '' });
  });

  it('keeps the 200 newest and the 50 oldest frames, and full ones only near the crash', () => {
    const frames = Array.from({ length: 10_000 }, (_, lineno) => ({
      ...frame,
      lineno,
      in_app: lineno % 2 === 0,
      vars: { a: 1 },
      pre_context: ['x'],
    }));
    const stack = makeEvent({ stacktrace: { frames } }).stacktrace;
    expect(stack?.frames).toHaveLength(250);
    expect(stack?.frames_omitted).toEqual([50, 9800]);
    expect([stack?.frames[49]?.lineno, stack?.frames[50]?.lineno, stack?.frames.at(-1)?.lineno]).toEqual([
      49, 9800, 9999,
    ]);
    const full = stack?.frames.filter(({ vars }) => vars !== undefined) ?? [];
    expect(full).toHaveLength(50);
    expect(full.every(({ in_app }) => in_app === true)).toBe(true);
  });

  it('keeps the newest 100 breadcrumbs and moves their times with the clock', () => {
    const drift = 2 * 3_600_000;
    const remarks = new Remarks();
    const breadcrumbs = Array.from({ length: 100_000 }, (_, index) => ({
      message: `b${index}`,
      timestamp: (receivedAt - drift) / 1000,
    }));
    const event = makeEvent(
      { breadcrumbs, timestamp: (receivedAt - drift) / 1000 },
      { sentAt: receivedAt - drift },
      remarks,
    );
    expect(event.breadcrumbs?.values).toHaveLength(100);
    expect(event.breadcrumbs?.values[0]).toEqual({
      message: 'b99900',
      timestamp: receivedAt / 1000,
      type: 'default',
      level: 'info',
    });
    expect(event.breadcrumbs?.values.at(-1)?.message).toBe('b99999');
    expect(remarks.errors).toMatchObject([{ type: 'clock_drift' }]);
  });

  it.each([
    ['warn', 'warning'],
    ['CRITICAL', 'fatal'],
    ['log', 'info'],
    [40, 'error'],
    ['nonsense', 'error'],
    [{}, 'error'],
  ])('level %j is %s', (level, expected) => {
    expect(makeEvent({ level }).level).toBe(expected);
  });

  it('refuses names that could not stand in a URL', () => {
    for (const release of ['.', '..', 'latest', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(201)])
      expect(makeEvent({ release }).release, release).toBeUndefined();
    expect(makeEvent({ release: '  web@5.6.7 ' }).release).toBe('web@5.6.7');
    expect(makeEvent({ environment: 'none' }).environment).toBeUndefined();
    expect(makeEvent({ environment: 'x'.repeat(65) }).environment).toBeUndefined();
    expect(makeEvent({ tags: { environment: 'lab' } })).toMatchObject({ environment: 'lab', tags: [] });
    expect(makeEvent({ dist: ' 99 ' }).dist).toBe('99');
  });

  it('reads tags in both shapes, first of a name wins', () => {
    expect(
      makeEvent({ tags: { a: true, b: 1.5, c: null, d: '', release: 'x', 'sp ace': 'y', 'no/slash': 'z', n: 'a\nb' } })
        .tags,
    ).toEqual([
      ['a', 'true'],
      ['b', '1.5'],
      ['sp-ace', 'y'],
    ]);
    expect(makeEvent({ tags: [['a', 'x'], ['a', 'y'], ['b'], 'c', [null, 1], ['d', 'z', 1]] }).tags).toEqual([
      ['a', 'x'],
    ]);
    expect(makeEvent({ tags: { a: 'x'.repeat(300) } }).tags[0]?.[1]).toBe(`${'x'.repeat(197)}...`);
    expect(makeEvent(JSON.parse('{"tags":{"__proto__":"x","constructor":"y"}}')).tags).toEqual([['constructor', 'y']]);
  });

  it('takes the request apart', () => {
    const { request } = makeEvent({
      request: {
        method: 'post',
        url: 'https://shop.example.com/a?x=1&y=%20z+w&bad=%zz#part',
        headers: { 'content-type': 'application/json', cookie: 'a=b; c=d=e', 'x-list': ['1', '2'] },
        data: '{"n":{"m":[1]}}',
      },
    });
    expect(request).toEqual({
      method: 'POST',
      url: 'https://shop.example.com/a',
      query_string: [
        ['x', '1'],
        ['y', ' z w'],
        ['bad', '%zz'],
      ],
      fragment: 'part',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-List', '1, 2'],
      ],
      cookies: [
        ['a', 'b'],
        ['c', 'd=e'],
      ],
      data: { n: { m: [1] } },
      inferred_content_type: 'application/json',
    });
    expect(makeEvent({ request: { data: 'a=1&b=x%20y' } }).request?.data).toEqual({ a: '1', b: 'x y' });
    expect(makeEvent({ request: { data: 'just words' } }).request?.data).toBe('just words');
    expect(makeEvent({ request: { data: '{"cut":' } }).request?.data).toBe('{"cut":');
    expect(makeEvent({ request: { query_string: { a: 1, b: [2] } } }).request?.query_string).toEqual([
      ['a', '1'],
      ['b', [2]],
    ]);
    expect(splitUrl('/a#b?c')).toEqual({ url: '/a', query: undefined, fragment: 'b?c' });
  });

  it('moves what the protocol does not know of a user into data', () => {
    const { user } = makeEvent({ user: { id: 42, plan: 'pro', ip_address: '{{auto}}', data: { plan: 'kept' } } });
    expect(user).toEqual({ id: '42', ip_address: '{{auto}}', data: { plan: 'kept' } });
    expect(userIdentity({ id: '', username: 'ada', email: 'a@b.c' })).toBe('username:ada');
    expect(userIdentity({ ip_address: '1.2.3.4' })).toBe('ip:1.2.3.4');
    expect(userIdentity(undefined)).toBe('');
  });

  it('fills in templates', () => {
    expect(format('%s has %d%%', ['a', 5])).toBe('a has 5%');
    expect(format('%(name)s and {name} and {0}', { name: 'x' })).toBe('x and x and {0}');
    expect(format('{} {} {1} {2}', ['a', 'b'])).toBe('a b b {2}');
    expect(format('%s', [{ a: 1 }])).toBe('[Object]');
    expect(makeEvent({ logentry: { message: 'user %s', params: ['u'] } }).logentry).toEqual({
      message: 'user %s',
      formatted: 'user u',
      params: ['u'],
    });
    expect(makeEvent({ message: { message: 'old', formatted: 'new' } }).logentry).toEqual({
      message: 'old',
      formatted: 'new',
    });
    expect(makeEvent({ message: 'm' }).logentry).toEqual({ message: 'm', formatted: 'm' });
  });

  it('cuts long texts by code points and says so', () => {
    const remarks = new Remarks();
    const event = makeEvent({ exception: [{ type: 'E', value: '😀'.repeat(9000) }] }, {}, remarks);
    const value = event.exception?.values[0]?.value ?? '';
    expect([...value].length).toBe(8192);
    expect(value.endsWith('😀...')).toBe(true);
    expect(value.isWellFormed()).toBe(true);
    expect(remarks.meta()).toEqual({
      exception: { values: { 0: { value: { '': { rem: [['!limit', 's']], len: 18_000 } } } } },
    });
  });
});

describe('remarks of the SDK', () => {
  it('stay, and ours are added to them', () => {
    const remarks = new Remarks();
    makeEvent(
      {
        message: 'x'.repeat(10_000),
        _meta: {
          logentry: { message: { '': { rem: [['!config', 's']], len: 7 } } },
          user: { email: { '': { rem: [['@email', 's', 0, 7]] } } },
          extra: { '': { rem: 'x', len: -1 }, a: 7 },
        },
      },
      {},
      remarks,
    );
    expect(remarks.meta()).toMatchObject({
      logentry: {
        message: {
          '': {
            rem: [
              ['!config', 's'],
              ['!limit', 's'],
            ],
            len: 7,
          },
        },
      },
      user: { email: { '': { rem: [['@email', 's']] } } },
    });
    expect(remarks.meta()).not.toHaveProperty('extra');
  });

  it('are bounded, and go with the places that they name', () => {
    let deep: unknown = { '': { rem: [['!config', 's']] } };
    for (let depth = 0; depth < 200; depth++) deep = { deep };
    const said = { '': { rem: [['!config', 's']] } };
    const remarks = new Remarks();
    const stacktrace = { frames: Array.from({ length: 300 }, () => frame) };
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, said]));
    const frames = { 299: { vars: { a: said } } };
    makeEvent(
      {
        exception: [{ type: 'E', stacktrace }],
        _meta: { exception: { values: { 0: { stacktrace: { frames } } } }, deep, many },
      },
      {},
      remarks,
    );
    const meta = remarks.meta();
    expect(JSON.stringify(meta).length).toBeLessThan(10_000);
    expect(meta).toMatchObject({ exception: { values: { 0: { stacktrace: { frames: { '': expect.anything() } } } } } });
    expect(JSON.stringify(meta?.exception)).not.toContain('!config');
  });
});
