import { expect, test } from 'vitest';
import { canResend, recipientOf, testSentence } from './delivery-words.ts';
import type { Delivery } from './queries.ts';

const delivery = (overrides: Partial<Delivery>): Delivery => ({
  id: '1',
  channel: null,
  user: null,
  email: null,
  kind: 'issue_alert',
  severity: 'info',
  title: '',
  url: '',
  state: 'sent',
  detail: '',
  attempts: [],
  mergedInto: null,
  dateCreated: '',
  due: '',
  finished: null,
  ...overrides,
});

test('deliveries say to whom they went, and whether they can go again', () => {
  expect(recipientOf(delivery({ channel: { id: '1', name: 'Ops', type: 'slack' } }))).toBe('Ops');
  expect(recipientOf(delivery({ user: { id: '1', name: '', email: 'a@b.c' } }))).toBe('a@b.c');
  expect(recipientOf(delivery({ email: 'x@y.z' }))).toBe('x@y.z');
  expect([canResend(delivery({ state: 'waiting' })), canResend(delivery({ state: 'failed' }))]).toEqual([false, true]);
});

test('tests end in a sentence', () => {
  const result = { status: null, answer: '', durationMs: 1, detail: 'no host has the name x' };
  expect(testSentence({ ...result, state: 'failed' })).toBe('The test did not arrive: no host has the name x.');
  expect(testSentence({ ...result, state: 'sent', status: 200 })).toBe(
    'The test arrived: the receiver responded with 200.',
  );
});
