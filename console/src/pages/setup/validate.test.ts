import { expect, test } from 'vitest';
import { checks } from './validate.ts';

test('what the server takes has no mistakes', () => {
  expect([
    checks.email('ada@example.com'),
    checks.password('correct horse'),
    checks.organization('Acme'),
    checks.project('Shop'),
  ]).toEqual([true, true, true, true]);
});

test('each field says what is wrong with it', () => {
  expect(checks.email('ada')).toContain('email address');
  expect(checks.password('short')).toBe('Use at least 8 characters.');
  expect(checks.password('x'.repeat(129))).toBe('Use at most 128 characters.');
  expect(checks.organization(' ')).toContain('organisation');
  expect(checks.project('')).toBe('Enter a project name.');
  expect(checks.project('x'.repeat(65))).toBe('Use at most 64 characters.');
});
