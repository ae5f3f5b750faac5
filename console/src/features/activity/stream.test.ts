import { expect, test } from 'vitest';
import { streamRows } from './stream.ts';

const entry = (id: string, minute: number, type = 'set_resolved') => ({
  id,
  type,
  dateCreated: `2026-11-22T10:0${minute}:00Z`,
});

test('comments and what happened stand in one order, the newest first', () => {
  const rows = streamRows(
    [entry('5', 4), entry('4', 3, 'note'), entry('3', 3), entry('1', 0, 'first_seen')],
    [entry('4', 3), entry('2', 1)],
  );
  expect(rows.map((row) => (row.kind === 'entry' ? row.entry.type : `comment ${row.comment.id}`))).toEqual([
    'set_resolved',
    'comment 4',
    'set_resolved',
    'comment 2',
    'first_seen',
  ]);
});
