import { describe, expect, it } from 'vitest';
import { findDigest } from './digest.ts';
import { makeEvent } from './make-event.ts';

const crumb = (message: string, digest: unknown, category = 'console') => ({
  category,
  data: { arguments: ['⨯', { message, digest }] },
});
const exception = [{ type: 'Error', value: 'boom' }];

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
