import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { meaningOf, reasons, refusedText } from './reasons.ts';

test('docs/outcomes.md has the table', () => {
  const text = readFileSync(new URL('../../../../docs/outcomes.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (\w+) +\|/gm)].map((match) => match.slice(1, 4));
  const table = Object.entries(reasons).flatMap(([outcome, weights]) =>
    Object.entries(weights).map(([reason, weight]) => [outcome, reason, weight]),
  );
  expect(documented).toEqual(table);
});

test.each([
  ['invalid', 'too_old', 'usual'],
  ['rate_limited', 'key_quota', 'usual'],
  ['rate_limited', 'ratelimit_backoff', 'usual'],
  ['rate_limited', 'log_full', 'alarm'],
  ['rate_limited', 'log_unavailable', 'alarm'],
  ['invalid', 'bad_trace_id', 'fault'],
  ['invalid', 'constructor', 'fault'],
  ['invalid', 'internal', 'alarm'],
  ['filtered', 'discarded-hash', undefined],
  ['client_discard', 'sample_rate', undefined],
  ['accepted', '', undefined],
])('%s: %s weighs %s', (outcome, reason, weight) => {
  expect(meaningOf(outcome, reason)?.weight).toBe(weight);
});

test.each([
  [{ category: 'session', outcome: 'invalid', reason: 'too_old', count: 288 }, '288 sessions rejected: too old'],
  [
    { category: 'log_item', outcome: 'rate_limited', reason: 'key_quota', count: 1 },
    '1 log rejected: rate limit of the key exceeded',
  ],
  [
    { category: 'valueOf', outcome: 'invalid', reason: 'bad_span_id', count: 1234 },
    '1,234 items rejected: bad span id',
  ],
])('%j', (refused, text) => {
  expect(refusedText(refused)).toBe(text);
});
