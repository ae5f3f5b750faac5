import { describe, expect, test } from 'vitest';
import { indexServerEvents } from './choose.ts';
import type { ServerEvent, View } from './lookup.ts';

const view = (overrides: Partial<View> = {}): View => ({
  digest: '',
  traceId: '',
  transaction: '',
  at: 1_000,
  ...overrides,
});
const server = (groupHash: string, overrides: Partial<View> = {}): ServerEvent => ({ ...view(overrides), groupHash });
const choose = (seen: View, ...events: ServerEvent[]) => indexServerEvents(events).causeOf(seen)?.groupHash;

describe('the cause of a view', () => {
  test('shares its digest or its trace', () => {
    const events = [server('a', { digest: '1' }), server('b', { traceId: 't' }), server('c')];
    expect(choose(view({ digest: '1' }), ...events)).toBe('a');
    expect(choose(view({ traceId: 't' }), ...events)).toBe('b');
    expect(choose(view({ digest: '2', traceId: 'u' }), ...events)).toBeUndefined();
    expect(choose(view(), ...events)).toBeUndefined();
  });

  test('is rather the digest than the trace, and of one digest the same visit', () => {
    const [byDigest, byTrace] = [server('a', { digest: '1' }), server('b', { traceId: 't' })];
    expect(choose(view({ digest: '1', traceId: 't' }), byTrace, byDigest)).toBe('a');
    const sameVisit = server('c', { digest: '1', traceId: 't', at: 99_000 });
    expect(choose(view({ digest: '1', traceId: 't' }), byTrace, byDigest, sameVisit)).toBe('c');
  });

  test('has no other digest', () => {
    expect(choose(view({ digest: '1', traceId: 't' }), server('a', { digest: '2', traceId: 't' }))).toBeUndefined();
    expect(choose(view({ traceId: 't' }), server('a', { digest: '2', traceId: 't' }))).toBe('a');
  });

  test('is of the same page, then the nearest in time', () => {
    const trace = { traceId: 't' };
    const events = [
      server('far', { ...trace, at: 5_000, transaction: 'Page Server Component (/cart)' }),
      server('near', { ...trace, at: 1_000, transaction: 'GET /api/prices' }),
    ];
    expect(choose(view({ ...trace, transaction: '/cart' }), ...events)).toBe('far');
    expect(choose(view(trace), ...events)).toBe('near');
  });
});
