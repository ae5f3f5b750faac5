import { expect, test } from 'vitest';
import type { About } from './person.ts';
import { isInRequest } from './waiting.ts';

const about = (person: About['person'], more: Partial<About> = {}): About => ({
  person,
  mentions: true,
  key: '',
  ...more,
});
const envelope = (...lines: object[]) => ({
  body: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
  remoteAddress: '203.0.113.9',
});

test('a mail anywhere, an address of who sent it, an event by its id', () => {
  const isAda = isInRequest(about([{ kind: 'email', value: 'ada@mail.example' }]));
  expect(isAda(envelope({}, { type: 'event' }, { message: 'to ADA@mail.example' }))).toBe(true);
  expect(isAda(envelope({}, { type: 'event' }, { message: 'to ada@mail.examples' }))).toBe(false);
  expect(isInRequest(about([{ kind: 'ip', value: '203.0.113.9' }]))(envelope({}))).toBe(true);
  expect(isInRequest(about([{ kind: 'ip', value: '203.0.113.90' }]))(envelope({}))).toBe(false);
  const eventId = '0123456789abcdef0123456789abcdef';
  const isEvent = isInRequest(about([], { event: { projectId: 1, eventId } }));
  expect(isEvent(envelope({ event_id: eventId }))).toBe(true);
  expect(isEvent(envelope({ event_id: '01234567-89AB-cdef-0123-456789abcdef' }))).toBe(true);
  expect(isEvent(envelope({ event_id: `${eventId}0` }))).toBe(false);
});

test.each([
  [true, { user: { id: 7 } }],
  [true, { user: { id: ' 7 ' } }],
  [true, { items: [{ attributes: { 'user.id': { type: 'string', value: '7' } } }] }],
  [true, { spans: [{ data: { 'enduser.id': '7' } }] }],
  [true, { sid: 'x', did: '7' }],
  [false, { user: { id: '77', name: '7' } }],
  [false, { id: '7', tags: { number: 7 } }],
])('a short id is compared with the fields of users: %s for %j', (expected, payload) => {
  const isOne = isInRequest(about([{ kind: 'id', value: '7' }]));
  expect(isOne(envelope({}, { type: 'event' }, payload))).toBe(expected);
});
