import { expect, test } from 'vitest';
import { bulkWords } from './bulk-words.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const bulk = {
  state: 'running',
  total: 50_000,
  done: 12_500,
  changed: 12_400,
  failed: 0,
  detail: '',
  change: { status: 'resolved' },
  undoableUntil: '2026-11-23T10:00:00Z',
} as const;

test('under way it says how far it is and can be cancelled', () => {
  expect(bulkWords(bulk, '{name} resolved', now)).toEqual({
    text: '12,500 of 50,000 issues resolved',
    part: 0.25,
    can: 'cancel',
    failed: false,
  });
  expect(bulkWords({ ...bulk, state: 'waiting', done: 0, change: { delete: true } }, '{name} deleted', now).text).toBe(
    '50,000 issues are deleted in 30 seconds',
  );
  expect(bulkWords({ ...bulk, state: 'undoing' }, '{name} resolved', now)).toMatchObject({
    part: 0.75,
    can: undefined,
  });
});

test('done it can be undone, for as long as the server can', () => {
  const done = { ...bulk, state: 'done', done: 50_000, changed: 49_000 } as const;
  expect(bulkWords(done, '{name} resolved', now)).toMatchObject({
    text: '49,000 issues resolved; the others already were',
    can: 'undo',
  });
  expect(bulkWords({ ...done, undoableUntil: null }, '{name} deleted', now).can).toBeUndefined();
  expect(bulkWords({ ...done, undoableUntil: '2026-11-22T09:00:00Z' }, '{name} resolved', now).can).toBeUndefined();
  expect(bulkWords({ ...done, changed: 0 }, '{name} resolved', now).can).toBeUndefined();
  expect(bulkWords({ ...done, failed: 3 }, '{name} resolved', now)).toMatchObject({
    text: '49,000 issues resolved; 3 failed',
    failed: true,
  });
});

test('what was stopped says how far it came', () => {
  expect(bulkWords({ ...bulk, state: 'cancelled' }, '{name} archived', now)).toMatchObject({ can: 'undo' });
  expect(bulkWords({ ...bulk, state: 'failed', detail: 'disk full' }, '{name} archived', now).text).toContain(
    'disk full',
  );
  expect(bulkWords({ ...bulk, total: 0, done: 0 }, '{name} archived', now).part).toBe(0);
});
