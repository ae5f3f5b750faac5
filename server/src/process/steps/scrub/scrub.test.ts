import { describe, expect, it } from 'vitest';
import { makeEvent } from '../make-event.ts';
import { Remarks } from '../remarks.ts';
import type { Event } from '../event.ts';
import { scrubEvent, type ScrubSettings } from './index.ts';

const defaults: ScrubSettings = {
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
};

function scrub(raw: unknown, settings: Partial<ScrubSettings> = {}, remarks = new Remarks()): Event {
  const event = makeEvent(raw, {}, remarks);
  scrubEvent(event, { ...defaults, ...settings }, remarks);
  return event;
}

describe('scrubEvent', () => {
  it('removes by key: text is filtered, all else goes, flags stay', () => {
    const remarks = new Remarks();
    const { extra } = scrub(
      {
        extra: {
          my_Password: 'x',
          tokens: [1],
          token: 5,
          auth: { a: 1 },
          authenticated: true,
          note: 'fine',
          empty_token: '',
        },
      },
      {},
      remarks,
    );
    expect(extra).toEqual({
      my_Password: '[Filtered]',
      tokens: null,
      token: null,
      auth: null,
      authenticated: true,
      note: 'fine',
      empty_token: '',
    });
    expect(remarks.meta()).toMatchObject({
      extra: {
        my_Password: { '': { rem: [['@password:filter', 's']], len: 1 } },
        tokens: { '': { rem: [['@password:filter', 'x']] } },
      },
    });
  });

  it.each([
    ['card', 'paid with 4111 1111-1111 1111.', 'paid with [Filtered].'],
    ['a long id is no card', 'id 94111111111111111234', 'id 94111111111111111234'],
    ['IBAN', 'to DE89370400440532013000', 'to [Filtered]'],
    ['URL password', 'redis://u:p%40ss@host:6379/0', 'redis://u:[Filtered]@host:6379/0'],
    ['bearer', 'sent Bearer abc.def-ghi', 'sent Bearer [Filtered]'],
    ['home', 'at /home/ada/app.js and C:\\Users\\Ada\\x', 'at /home/[user]/app.js and C:\\Users\\[user]\\x'],
    ['a word gives the whole value away', 'my_password', '[Filtered]'],
    ['harmless', 'GET https://example.com/items/12 took 5 ms', 'GET https://example.com/items/12 took 5 ms'],
  ])('in a bag: %s', (_name, text, expected) => {
    expect(scrub({ extra: { note: text } }).extra?.note).toBe(expected);
  });

  it('leaves texts that people look for readable', () => {
    const event = scrub({
      message: 'user ada@example.com used Bearer abcdef, Unexpected token }',
      exception: [{ type: 'SyntaxError', value: 'Unexpected token < in postgres://u:secret@db/x for ada@example.com' }],
      breadcrumbs: [{ message: 'login with password=hunter2, api_key: abc' }, { message: 'Unexpected token' }],
    });
    expect(event.logentry?.formatted).toBe('user [email] used Bearer [Filtered], Unexpected token }');
    expect(event.exception?.values[0]?.value).toBe('Unexpected token < in postgres://u:[Filtered]@db/x for [email]');
    expect(event.breadcrumbs?.values.map(({ message }) => message)).toEqual([
      'login with password=[Filtered], api_key: [Filtered]',
      'Unexpected token',
    ]);
  });

  it('does not touch paths, images, ids, source lines and the user agent', () => {
    const raw = {
      exception: [
        {
          type: 'E',
          stacktrace: {
            frames: [
              {
                filename: '/home/ada/auth/token.js',
                abs_path: '/home/ada/auth/token.js',
                context_line: 'const token = 1',
              },
            ],
          },
        },
      ],
      debug_meta: { images: [{ type: 'sourcemap', code_file: '/home/ada/token.js', debug_id: '1' }] },
      contexts: { trace: { trace_id: 'f0d99aa356a54a5aab63d5be80d7614a', op: 'auth.login' } },
      release: 'auth@1.0',
      transaction: '/auth/token',
      request: { headers: { 'user-agent': 'token secret' } },
    };
    const event = scrub(raw);
    expect(event.exception?.values[0]?.stacktrace?.frames[0]).toMatchObject({
      filename: '/home/ada/auth/token.js',
      context_line: 'const token = 1',
    });
    expect(event.debug_meta).toEqual(raw.debug_meta);
    expect(event).toMatchObject({
      release: 'auth@1.0',
      transaction: '/auth/token',
      contexts: { trace: { op: 'auth.login' } },
    });
    expect(event.request?.headers).toEqual([['User-Agent', 'token secret']]);
  });

  it('knows cookies of sessions, pairs, URLs and tags', () => {
    const event = scrub({
      request: {
        url: 'https://u:pw@example.com/a?access_token=abc&x=1#access_token=abc',
        headers: { cookie: 'sessionid=1; theme=dark', 'x-api-key': 'k', accept: '*/*' },
        env: { DB_PASSWORD: 'x', PORT: '80' },
      },
      tags: { apikey: 'k', card: 'is 4111111111111111', ok: 'yes' },
    });
    expect(event.request).toMatchObject({
      url: 'https://u:[Filtered]@example.com/a',
      query_string: [
        ['access_token', '[Filtered]'],
        ['x', '1'],
      ],
      fragment: 'access_token=[Filtered]',
      headers: [
        ['Accept', '*/*'],
        ['X-Api-Key', '[Filtered]'],
      ],
      cookies: [
        ['sessionid', '[Filtered]'],
        ['theme', 'dark'],
      ],
      env: { DB_PASSWORD: '[Filtered]', PORT: '80' },
    });
    expect(Object.fromEntries(event.tags)).toEqual({ apikey: '[Filtered]', card: 'is [Filtered]', ok: 'yes' });
  });

  it('follows the project: extra fields, safe fields, off', () => {
    const raw = { extra: { ssnr: 'x', my_token: 'y', plain: 'z', a: { safe_token: 'ok' } } };
    expect(scrub(raw, { sensitiveFields: ['SSN'], safeFields: ['Safe_Token'] }).extra).toEqual({
      ssnr: '[Filtered]',
      my_token: '[Filtered]',
      plain: 'z',
      a: { safe_token: 'ok' },
    });
    expect(scrub(raw, { scrubDefaults: false, sensitiveFields: ['plain'] }).extra).toMatchObject({
      my_token: 'y',
      plain: '[Filtered]',
    });
    expect(scrub(raw, { scrubData: false, sensitiveFields: ['plain'] }).extra).toEqual(raw.extra);
    expect(scrub(raw, { sensitiveFields: ['(', '.*', ''] }).extra).toMatchObject({ plain: 'z' });
  });

  it('removes addresses everywhere where none may be kept', () => {
    const { extra } = scrub(
      { extra: { a: 'from 203.0.113.9, then 2001:db8::1', v: 'version 1.2.3.4.5', t: 'at 12:30:45' } },
      { storeIpAddresses: false },
    );
    expect(extra).toEqual({ a: 'from [ip], then [ip]', v: 'version 1.2.3.4.5', t: 'at 12:30:45' });
  });

  it('bounds bags by depth, size and entries', () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 100; depth++) deep = { deep };
    const event = scrub({
      extra: {
        deep,
        large: 'x'.repeat(100_000),
        many: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index])),
      },
      contexts: { own: { list: Array.from({ length: 100_000 }, () => 'entry') } },
    });
    expect(JSON.stringify(event.extra?.deep)).toContain('[Object]');
    expect(event.extra?.large).toHaveLength(16_384 - 'large'.length - 3);
    expect(JSON.stringify(event).length).toBeLessThan(70_000);
    expect(JSON.stringify(event.contexts).length).toBeLessThan(13_000);
  });

  it('bounds each variable by itself, and all of a frame and of an event', () => {
    const long = 'x'.repeat(5_000);
    const varsOf = (vars: unknown, frames = 1): (Record<string, unknown> | undefined)[] => {
      const stacktrace = {
        frames: Array.from({ length: frames }, () => ({ function: 'f', vars: structuredClone(vars) })),
      };
      return (scrub({ exception: [{ type: 'E', stacktrace }] }).exception?.values[0]?.stacktrace?.frames ?? []).map(
        (frame) => frame.vars as Record<string, unknown> | undefined,
      );
    };
    const [vars] = varsOf({ big: long, small: '1', list: [1, 2], password: 'hunter2', last: long });
    expect(vars).toMatchObject({ small: '1', list: [1, 2], password: '[Filtered]' });
    expect(vars?.big).toMatch(/^x{2000,2048}\.\.\.$/);
    expect(vars?.last).toMatch(/^x{2000,2048}\.\.\.$/);

    const [many] = varsOf(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`v${index}`, long])));
    expect(many).toMatchObject({ v0: expect.any(String), v20: expect.stringMatching(/^x{40,64}\.\.\.$/) });
    expect(JSON.stringify(many).length).toBeLessThan(14_000);

    const all = varsOf({ a: long, b: long, c: long, d: long, e: long }, 50);
    expect(JSON.stringify(all).length).toBeLessThan(300_000);
    expect(all.at(-1)?.a).toHaveLength(2_048 - 4);
  });

  it('says of a variable that it was cut', () => {
    const remarks = new Remarks();
    const frames = [{ vars: { a: 'x'.repeat(5_000), b: '1' } }];
    scrub({ exception: [{ type: 'E', stacktrace: { frames } }] }, {}, remarks);
    expect(remarks.changes).toEqual([
      {
        path: ['exception', 'values', 0, 'stacktrace', 'frames', 0, 'vars', 'a'],
        rule: '!limit',
        kind: 's',
        length: 5_000,
      },
    ]);
  });

  it('takes texts made to be slow', () => {
    for (const seed of [
      '4',
      '4 ',
      '123-',
      'a@',
      'bearer ',
      '/home/',
      'http://a:',
      '-----BEGIN A KEY-----',
      'DE12',
      'password=',
      '1.',
      'ab:',
      '::',
    ]) {
      const text = seed.repeat(Math.ceil(200_000 / seed.length));
      for (let round = 0; round < 5; round++) {
        scrub(
          { extra: { text, other: ` ${text}` }, message: text, breadcrumbs: [{ message: text }], tags: { a: 'b' } },
          { storeIpAddresses: false },
        );
      }
    }
  });
});
