import { describe, expect, test } from 'vitest';
import type { ItemRow } from '../../base/tables/items.ts';
import { readFeedback } from './read.ts';

const receivedAt = Date.parse('2026-03-01T12:00:00Z');
const row = (overrides: Partial<ItemRow> = {}): ItemRow => ({
  project_id: 7,
  received_at: receivedAt,
  item_type: 'feedback',
  category: 'feedback',
  outcome: 'accepted',
  reason: '',
  detail: '',
  event_id: 'a'.repeat(32),
  headers: '{}',
  size_bytes: 10,
  payload: '',
  blob_key: '',
  ...overrides,
});
const read = (payload: unknown, overrides: Partial<ItemRow> = {}) =>
  readFeedback(row(overrides), JSON.stringify(payload));

test('what the widget sends', () => {
  const feedback = {
    contact_email: 'ada@example.com',
    name: 'Ada',
    message: ' The button does nothing ',
    url: 'https://shop.example.com/checkout',
    source: 'widget',
    associated_event_id: 'DAA7AAFC-25F0-4F75-8198-1A212B987D58',
  };
  expect(
    read({
      timestamp: receivedAt / 1000 - 5,
      release: 'web@5.6.7',
      environment: 'production',
      user: { id: 'u1', email: 'ada@example.com' },
      tags: { plan: 'pro', __proto__: 'x' },
      contexts: { feedback, trace: { trace_id: 'b'.repeat(32) }, browser: { name: 'Chrome', version: '140' } },
    }),
  ).toEqual({
    projectId: 7,
    kind: 'feedback',
    feedbackId: 'a'.repeat(32),
    message: 'The button does nothing',
    name: 'Ada',
    email: 'ada@example.com',
    url: 'https://shop.example.com/checkout',
    source: 'widget',
    eventId: 'daa7aafc25f04f7581981a212b987d58',
    replayId: '',
    traceId: 'b'.repeat(32),
    release: 'web@5.6.7',
    environment: 'production',
    details: { user: 'ada@example.com', browser: 'Chrome 140', tags: { plan: 'pro' } },
    createdAt: receivedAt - 5_000,
    receivedAt,
  });
});

test('the older report of a crash dialog', () => {
  const report = { event_id: 'c'.repeat(32), name: 'Grace\nHopper', email: 'grace@example.com', comments: 'It broke' };
  expect(read(report, { item_type: 'user_report', event_id: '' })).toMatchObject({
    kind: 'user_report',
    feedbackId: 'c'.repeat(32),
    eventId: 'c'.repeat(32),
    name: 'Grace Hopper',
    message: 'It broke',
    createdAt: receivedAt,
  });
});

describe('hostile', () => {
  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no message', '{"contexts":{"feedback":{}}}'],
    ['a message that is a tree', '{"contexts":{"feedback":{"message":{"a":1}}}}'],
    ['contexts that are a text', '{"contexts":"x"}'],
  ])('%s says nothing', (_, text) => expect(readFeedback(row(), text)).toBeUndefined());

  test('long texts are cut, halves of characters made whole, wrong clocks put right', () => {
    const found = read({
      timestamp: 9e12,
      contexts: { feedback: { message: 'x'.repeat(9000), name: '\ud800' + 'n'.repeat(500), url: 'u'.repeat(9000) } },
    });
    expect(found?.message).toHaveLength(4096);
    expect(found?.name).toHaveLength(128);
    expect(found?.name.isWellFormed()).toBe(true);
    expect(found?.url).toHaveLength(2048);
    expect(found?.createdAt).toBe(receivedAt);
  });

  test('without an id it has one that is the same each time', () => {
    const once = read({ contexts: { feedback: { message: 'hi' } } }, { event_id: '' });
    expect(once?.feedbackId).toMatch(/^[0-9a-f]{32}$/);
    expect(read({ contexts: { feedback: { message: 'hi' } } }, { event_id: '' })?.feedbackId).toBe(once?.feedbackId);
  });
});
