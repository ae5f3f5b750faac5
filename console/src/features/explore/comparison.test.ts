import { expect, test } from 'vitest';
import { comparedRows, comparisonSentence } from './comparison.ts';

const value = (name: string, inSelection: number, inRest: number) => ({ value: name, inSelection, inRest });

test('attributes that differ, with the values that make the difference first', () => {
  const { rows, same } = comparedRows([
    {
      key: 'release',
      difference: 0.8,
      values: [value('1', 0.1, 0.9), value('2', 0.9, 0.1), value('', 0, 0), value('3', 0, 0), value('4', 0, 0)],
    },
    { key: 'os.name', difference: 0.01, values: [value('iOS', 0.5, 0.51)] },
  ]);
  expect(same).toBe(1);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.more).toBe(1);
  expect(rows[0]?.values.slice(0, 2)).toEqual([
    { value: '2', text: '2', here: 0.9, rest: 0.1, hereText: '90%', restText: '10%' },
    { value: '1', text: '1', here: 0.1, rest: 0.9, hereText: '10%', restText: '90%' },
  ]);
  expect(rows[0]?.values[2]?.text).toBe('(none)');
  expect(comparedRows([])).toEqual({ rows: [], same: 0 });
});

test('how many are compared, in words', () => {
  expect(comparisonSentence({ selection: 1, rest: 40, sampled: false }, 'errors')).toBe(
    '1 error selected, compared with 40 others',
  );
  expect(comparisonSentence({ selection: 2, rest: 1, sampled: true }, 'spans')).toBe(
    '2 spans selected, compared with 1 other. The shares are from a sample.',
  );
});
