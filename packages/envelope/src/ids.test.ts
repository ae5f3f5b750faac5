import { expect, it } from 'vitest';
import { createEventId, parseEventId, parseSpanId, parseTraceId } from './index.ts';

const bare = 'fc6d8c0c43fc4630ad850ee518f1b9d0';

it('reads ids with and without hyphens, in any case', () => {
  expect(parseEventId(bare)).toBe(bare);
  expect(parseEventId(bare.toUpperCase())).toBe(bare);
  expect(parseEventId('FC6D8C0C-43FC-4630-AD85-0EE518F1B9D0')).toBe(bare);
  expect(parseTraceId(bare)).toBe(bare);
  expect(parseSpanId('AD850EE518F1B9D0')).toBe('ad850ee518f1b9d0');
});

it.each([
  undefined,
  null,
  7,
  {},
  [bare],
  '',
  bare.slice(1),
  `${bare}0`,
  bare.replace('f', 'g'),
  `${bare}\n`,
  `fc6d-8c0c43fc4630ad850ee518f1b9d0--x`,
  'x'.repeat(36),
])('%j is no id', (value) => {
  expect(parseEventId(value)).toBeUndefined();
  expect(parseTraceId(value)).toBeUndefined();
  expect(parseSpanId(value)).toBeUndefined();
});

it('takes zeros for an event (check-ins use them), not for a trace or span', () => {
  expect(parseEventId('0'.repeat(32))).toBe('0'.repeat(32));
  expect(parseTraceId('0'.repeat(32))).toBeUndefined();
  expect(parseSpanId('0'.repeat(16))).toBeUndefined();
});

it('creates version 4 ids', () => {
  expect(createEventId()).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  expect(createEventId()).not.toBe(createEventId());
});
