import { expect, test } from 'vitest';
import { addRule } from './add-rule.ts';

const added = (text: string, rule: Partial<Parameters<typeof addRule>[1]> = {}) => {
  const after = addRule(text, { kind: 'ip', text: '', country: 'us', where: '$string', method: 'mask', ...rule });
  return after === undefined ? undefined : (JSON.parse(after) as unknown);
};

test('a kind is a built-in rule', () => {
  expect(added('')).toEqual({ applications: { $string: ['@ip:mask'] } });
});

test('what is there stays', () => {
  const text =
    '{"vars": {"hashKey": "k"}, "rules": {"key_1": {"type": "ip"}}, "applications": {"$string": ["@ip:mask"]}}';
  expect(added(text)).toEqual(JSON.parse(text));
  expect(added(text, { kind: 'key', text: 'a.b', where: '**', method: 'remove' })).toEqual({
    vars: { hashKey: 'k' },
    rules: {
      key_1: { type: 'ip' },
      key_2: { type: 'redact_pair', keyPattern: '(?i)a\\.b', redaction: { method: 'remove' } },
    },
    applications: { $string: ['@ip:mask'], '**': ['key_2'] },
  });
});

test('a pattern is taken as it is', () => {
  expect(added('{}', { kind: 'pattern', text: 'a.b', method: 'hash' })).toEqual({
    rules: { pattern_1: { type: 'pattern', pattern: 'a.b', redaction: { method: 'hash' } } },
    applications: { $string: ['pattern_1'] },
  });
});

test('identity numbers name their country', () => {
  const first = addRule('', { kind: 'identity', text: '', country: 'de', where: '$string', method: 'remove' }) ?? '';
  expect(added(first, { kind: 'identity', country: 'fr', method: 'mask' })).toEqual({
    rules: {
      identity_1: { type: 'identity_number', countries: ['de'], redaction: { method: 'remove' } },
      identity_2: { type: 'identity_number', countries: ['fr'], redaction: { method: 'mask' } },
    },
    applications: { $string: ['identity_1', 'identity_2'] },
  });
});

test('a text that is no object is left alone', () => {
  expect(added('{"a"')).toBeUndefined();
  expect(added('[]')).toBeUndefined();
});
