import { expect, it } from 'vitest';
import { isContainer, itemQuantity, itemType, itemTypes } from './index.ts';

it('has one entry a name, each limited in size and number', () => {
  expect(new Set(itemTypes.map((type) => type.name)).size).toBe(itemTypes.length);
  for (const type of itemTypes) {
    expect(type.known).toBe(true);
    expect(type.maxBytes).toBeGreaterThan(0);
    expect(type.maxPerEnvelope).toBeGreaterThan(0);
    expect(itemType(type.name)).toBe(type);
  }
});

it('knows categories, aliases and strangers', () => {
  expect(itemType('event')).toMatchObject({ category: 'error', needsEventId: true });
  expect(itemType('sessions').category).toBe('session');
  expect(itemType('client_report').limitCategories).toEqual([]);
  expect(itemType('profile_chunk_ui')).toBe(itemType('profile_chunk'));
  expect(itemType('from_the_future')).toMatchObject({ name: 'from_the_future', known: false, category: 'unknown' });
  for (const name of ['__proto__', 'constructor', 'toString', '']) expect(itemType(name).known).toBe(false);
});

it('tells containers from single spans', () => {
  const span = itemType('span');
  const container = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json' };
  expect(isContainer(span, container)).toBe(true);
  expect(isContainer(span, { ...container, content_type: `${container.content_type}; charset=utf-8` })).toBe(true);
  expect(isContainer(span, { type: 'span', item_count: 3 })).toBe(true);
  expect(isContainer(span, { type: 'span' })).toBe(false);
  expect(isContainer(span, { type: 'span', content_type: 'application/json', item_count: 3 })).toBe(false);
  expect(isContainer(itemType('event'), { type: 'event', item_count: 3 })).toBe(false);
});

it('counts entries by the header, and a lie as one', () => {
  const log = itemType('log');
  for (const [count, quantity] of [
    [5, 5],
    [0, 1],
    [-1, 1],
    [1.5, 1],
    [1e300, 1],
    ['7', 1],
    [undefined, 1],
  ] as const) {
    expect(itemQuantity(log, { type: 'log', item_count: count })).toBe(quantity);
  }
  expect(itemQuantity(itemType('event'), { type: 'event', item_count: 5 })).toBe(1);
});
