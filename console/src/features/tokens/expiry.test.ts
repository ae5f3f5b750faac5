import { expect, test } from 'vitest';
import { expiresAtOf, expiryOf } from './expiry.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

test('a lifetime is an end to come, or none', () => {
  expect(expiresAtOf('30', '', now)).toBe('2026-12-22T12:00:00.000Z');
  expect(expiresAtOf('never', '', now)).toBeNull();
  expect(Date.parse(expiresAtOf('date', '2027-01-01', now) ?? '')).toBe(Date.parse('2027-01-01T23:59:59'));
  for (const day of ['', '2026-01-01', 'soon']) expect(expiresAtOf('date', day, now)).toBeUndefined();
});

test('an end is far, soon or over', () => {
  expect(expiryOf(null, now)).toEqual({ text: 'no expiry', kind: 'far' });
  expect(expiryOf('2027-11-22T12:00:00Z', now)).toMatchObject({ text: /^expires .*2027/, kind: 'far' });
  expect(expiryOf('2026-11-30T12:00:00Z', now)).toMatchObject({ kind: 'soon' });
  expect(expiryOf('2026-11-22T11:00:00Z', now)).toMatchObject({ text: /^expired /, kind: 'over' });
});
