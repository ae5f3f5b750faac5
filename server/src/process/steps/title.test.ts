import { describe, expect, it } from 'vitest';
import { makeEvent } from './make-event.ts';
import { groupEvent } from './group/index.ts';
import { issueSeed } from './title.ts';

function seed(raw: object) {
  const event = makeEvent(raw);
  return issueSeed(event, groupEvent(event).main);
}

describe('issueSeed', () => {
  const frames = [
    { function: 'outer', filename: 'a.js', in_app: true },
    { function: 'lib', filename: 'node_modules/b.js', in_app: false },
  ];
  it.each<[string, object, string, string]>([
    [
      'an exception',
      { exception: [{ type: 'E', value: 'one\ntwo', stacktrace: { frames } }] },
      'E: one',
      'a.js in outer',
    ],
    ['its transaction', { transaction: '/cart', exception: [{ type: 'E', value: 'x' }] }, 'E: x', '/cart'],
    [
      'a module',
      {
        exception: [
          { type: 'E', stacktrace: { frames: [{ module: 'shop.cart', function: 'add', filename: 'cart.py' }] } },
        ],
      },
      'E',
      'shop.cart in add',
    ],
    [
      'a stack alone',
      { exception: [{ value: 'stack of a message', stacktrace: { frames } }] },
      'stack of a message',
      'a.js in outer',
    ],
    ['a message', { message: '  hello\nworld' }, 'hello', ''],
    ['a message of a logger', { message: 'hello', logger: 'shop.pay' }, 'hello', 'shop.pay'],
    [
      'a message among threads',
      {
        platform: 'java',
        message: 'slow',
        threads: [
          { stacktrace: { frames: [{ module: 'java.lang.Object', function: 'wait' }] } },
          { crashed: true, stacktrace: { frames: [{ module: 'com.example.App', function: 'main' }] } },
        ],
      },
      'slow',
      'com.example.App in main',
    ],
    [
      'a message among threads of which none stands for it',
      {
        message: 'slow',
        logger: 'shop',
        threads: [{ stacktrace: { frames: [{ function: 'a' }] } }, { stacktrace: { frames: [{ function: 'b' }] } }],
      },
      'slow',
      'shop',
    ],
    [
      'a program without symbols',
      {
        logger: 'shop',
        exception: [{ type: 'panic', value: 'p', stacktrace: { frames: [{ function: '<unknown>' }] } }],
      },
      'panic: p',
      'shop',
    ],
    ['nothing', {}, '<unlabeled event>', ''],
    [
      'the last of a chain',
      {
        exception: [
          { type: 'Cause', value: 'c' },
          { type: 'Outer', value: 'o' },
        ],
      },
      'Outer: o',
      '',
    ],
    [
      'the cause behind React’s wrapper',
      {
        exception: [
          { type: 'Cause', value: 'c' },
          { type: 'Error', value: 'There was an error during concurrent rendering but React was able to recover' },
        ],
      },
      'Cause: c',
      '',
    ],
    [
      'a CSP report',
      {
        csp: {
          effective_directive: 'style-src-elem',
          blocked_uri: 'https://use.example.com/a.css',
          document_uri: 'https://shop.example.com/',
        },
      },
      "Blocked 'style' from 'use.example.com'",
      'style-src-elem',
    ],
    [
      'an inline script',
      { csp: { 'effective-directive': 'script-src-elem', 'blocked-uri': 'inline' } },
      "Blocked inline 'script'",
      'script-src-elem',
    ],
    ['Expect-CT', { expectct: { hostname: 'example.com' } }, "Expect-CT failed for 'example.com'", ''],
  ])('%s', (_name, raw, title, culprit) => {
    expect(seed(raw)).toMatchObject({ title, culprit });
  });

  it('keeps facts for lists, and is short', () => {
    expect(seed({ exception: [{ type: 'E', value: 'v', stacktrace: { frames } }] }).metadata).toEqual({
      type: 'E',
      value: 'v',
      filename: 'a.js',
      function: 'outer',
    });
    const long = seed({ exception: [{ type: 'T'.repeat(300), value: '😀'.repeat(300) }] }).title;
    expect(long.length).toBeLessThanOrEqual(255);
    expect(long.isWellFormed()).toBe(true);
  });
});
