import { expect, test } from 'vitest';
import { exportSentence, type ExportFacts } from './export-words.ts';

const facts = (changes: Partial<ExportFacts>): ExportFacts => ({
  status: 'running',
  rows: 1200,
  total: null,
  limit: 50_000,
  truncated: false,
  bytes: 2_100_000,
  fileName: 'errors.csv',
  detail: '',
  ...changes,
});

test.each([
  [{ status: 'waiting' }, 'The export waits for its turn'],
  [{}, 'Exporting: 1,200 rows so far'],
  [{ total: 90_000 }, 'Exporting: 1,200 of 50,000 rows'],
  [{ status: 'done' }, 'errors.csv: 1,200 rows, 2.1\u00a0MB'],
  [
    { status: 'done', truncated: true },
    'errors.csv: 1,200 rows, 2.1\u00a0MB. There are more; a file holds the first 50,000',
  ],
  [{ status: 'cancelled' }, 'The export was cancelled'],
  [{ status: 'expired' }, 'The file was deleted; export again'],
  [{ status: 'failed' }, 'The export failed'],
  [{ status: 'failed', detail: 'the disk is full' }, 'The export failed: the disk is full'],
])('%j', (changes, sentence) => {
  expect(exportSentence(facts(changes))).toBe(sentence);
});
