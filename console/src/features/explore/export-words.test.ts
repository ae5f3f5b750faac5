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
  [{ status: 'waiting' }, 'The export is queued'],
  [{}, 'Exporting: 1,200 rows'],
  [{ total: 90_000 }, 'Exporting: 1,200 of 50,000 rows'],
  [{ status: 'done' }, 'errors.csv: 1,200 rows, 2.1\u00a0MB'],
  [
    { status: 'done', truncated: true },
    'errors.csv: the first 1,200 rows, 2.1\u00a0MB. A file is limited to this number.',
  ],
  [{ status: 'cancelled' }, 'The export was cancelled'],
  [{ status: 'expired' }, 'The file was deleted. Export again.'],
  [{ status: 'failed' }, 'The export failed'],
  [{ status: 'failed', detail: 'the disk is full' }, 'The export failed: the disk is full'],
])('%j', (changes, sentence) => {
  expect(exportSentence(facts(changes))).toBe(sentence);
});
