import { describe, expect, it } from 'vitest';
import { findDigest } from './digest.ts';
import { makeEvent, receivedAt } from './make-event.ts';

const crumb = (message: string, digest: unknown, category = 'console') => ({
  category,
  data: { arguments: ['⨯', { message, digest }] },
});
const exception = [{ type: 'Error', value: 'boom' }];

const hidden = 'Minified React error #441; visit https://react.dev/errors/441';
const masked = (seconds: number) => ({
  exception: [{ type: 'Error', value: hidden }],
  timestamp: receivedAt / 1000,
  breadcrumbs: [{ ...crumb(hidden, '7'), timestamp: receivedAt / 1000 - seconds }],
});

describe('findDigest', () => {
  it.each<[string, object, string]>([
    ['a tag', { tags: { digest: '1930860604' } }, '1930860604'],
    ['a tag with a framework code', { tags: { digest: '3254426033@E7' } }, '3254426033'],
    ['a redirect is none', { tags: { digest: 'NEXT_REDIRECT;push;/a' } }, ''],
    ['a context', { contexts: { RangeError: { digest: '2105903497' } } }, '2105903497'],
    ['a number in a context', { contexts: { Error: { digest: 42 } } }, '42'],
    ['the console breadcrumb', { exception, breadcrumbs: [crumb('boom', '7')] }, '7'],
    ['the newest of them', { exception, breadcrumbs: [crumb('boom', '7'), crumb('boom', '8')] }, '8'],
    ['another message', { exception, breadcrumbs: [crumb('other', '7')] }, ''],
    ['another category', { exception, breadcrumbs: [crumb('boom', '7', 'fetch')] }, ''],
    ['no exception', { message: 'boom', breadcrumbs: [crumb('boom', '7')] }, ''],
    ['extra', { extra: { digest: '7' } }, '7'],
    ['an error in extra', { extra: { error: { message: 'x', digest: '7@E12' } } }, '7'],
    [
      'arguments of a captured console call',
      { exception, extra: { arguments: [{ message: 'boom', digest: '7' }] } },
      '7',
    ],
    ['arguments that are another error', { exception, extra: { arguments: [{ message: 'x', digest: '7' }] } }, ''],
    [
      'a tag before all else',
      { tags: { digest: '1' }, contexts: { Error: { digest: '2' } }, extra: { digest: '3' } },
      '1',
    ],
    [
      'a signal in the tag leaves the context',
      { tags: { digest: 'NEXT_NOT_FOUND' }, contexts: { Error: { digest: '2' } } },
      '2',
    ],
    ['a not-found signal', { contexts: { Error: { digest: 'NEXT_HTTP_ERROR_FALLBACK;404' } } }, ''],
    ['a bail-out signal', { contexts: { Error: { digest: 'BAILOUT_TO_CLIENT_SIDE_RENDERING' } } }, ''],
    ['a masked event has its breadcrumb beside it', masked(1), '7'],
    ['an older breadcrumb is another masked event’s', masked(60), ''],
    [
      'a cause in the chain',
      {
        exception: [
          { type: 'Error', value: 'boom' },
          { type: 'Error', value: 'outer' },
        ],
        breadcrumbs: [crumb('boom', '7')],
      },
      '7',
    ],
    [
      'odd shapes',
      { exception, contexts: { a: 1 }, breadcrumbs: [{ category: 'console', data: { arguments: 'x' } }] },
      '',
    ],
    ['far too many digits', { tags: { digest: '1'.repeat(50) } }, ''],
  ])('%s', (_name, raw, expected) => {
    expect(findDigest(makeEvent(raw))).toBe(expected);
  });
});
