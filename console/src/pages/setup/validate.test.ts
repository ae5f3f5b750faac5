import { expect, test } from 'vitest';
import { validateSetup } from './validate.ts';

const good = { email: 'ada@example.com', password: 'correct horse', organization: 'Acme', project: 'Shop' };

test('a complete form has no errors', () => {
  expect(validateSetup(good)).toEqual({});
});

test('each field says what is wrong with it', () => {
  expect(Object.keys(validateSetup({ email: 'ada', password: 'short', organization: ' ', project: '' }))).toEqual([
    'email',
    'password',
    'organization',
    'project',
  ]);
  expect(validateSetup({ ...good, project: 'x'.repeat(65) })).toEqual({ project: 'Use at most 64 characters.' });
});
