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
  undoableUntil: '2026-11-23T10:00:00Z',
} as const;

test('under way it says how far it is and can be cancelled', () => {
  expect(bulkWords(bulk, 'resolved', now)).toEqual({
    text: '12,500 of 50,000 issues resolved',
    part: 0.25,
    can: 'cancel',
    failed: false,
  });
  expect(bulkWords({ ...bulk, state: 'waiting', done: 0 }, 'deleted', now).text).toContain('in half a minute');
  expect(bulkWords({ ...bulk, state: 'undoing' }, 'resolved', now)).toMatchObject({ part: 0.75, can: undefined });
});

test('done it can be undone, for as long as the server can', () => {
  const done = { ...bulk, state: 'done', done: 50_000, changed: 49_000 } as const;
  expect(bulkWords(done, 'resolved', now)).toMatchObject({
    text: '49,000 issues resolved, the others were so already',
    can: 'undo',
  });
  expect(bulkWords({ ...done, undoableUntil: null }, 'deleted', now).can).toBeUndefined();
  expect(bulkWords({ ...done, undoableUntil: '2026-11-22T09:00:00Z' }, 'resolved', now).can).toBeUndefined();
  expect(bulkWords({ ...done, changed: 0 }, 'resolved', now).can).toBeUndefined();
  expect(bulkWords({ ...done, failed: 3 }, 'resolved', now)).toMatchObject({ failed: true });
});

test('what was stopped says how far it came', () => {
  expect(bulkWords({ ...bulk, state: 'cancelled' }, 'archived', now)).toMatchObject({ can: 'undo' });
  expect(bulkWords({ ...bulk, state: 'failed', detail: 'disk full' }, 'archived', now).text).toContain('disk full');
  expect(bulkWords({ ...bulk, total: 0, done: 0 }, 'archived', now).part).toBe(0);
});
