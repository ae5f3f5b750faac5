import { expect, test } from 'vitest';
import { run } from '../testing.ts';

test.each<[string, string, string, string]>([
  ['stays as it was written', '{\n  "a": 1.0,\n  "b": [ ]\n}', '{\n  "a": 1.0,\n  "b": [ ]\n}', ''],
  [
    'loses what is secret',
    '{ "password": "hunter2" }',
    '{"password":"[Filtered]"}',
    'Secrets were removed: 1 × [Filtered]',
  ],
  [
    'loses it where a name comes twice',
    '{ "a": "password=hunter2", "a": "x" }',
    '{"a":"x"}',
    'Changed to remove secrets',
  ],
  [
    'says what it lost',
    'ada@example.com: token=abcdef',
    '[email]: token=[Filtered]',
    'Secrets were removed: 1 × [Filtered], 1 × [email]',
  ],
])('an attachment %s', (_name, sent, stored, detail) => {
  const [kept] = run('attachment', sent, {}, { filename: 'cart.json' }).kept ?? [];
  expect(kept?.row).toMatchObject({ payload: stored, detail, size_bytes: Buffer.byteLength(stored) });
});
