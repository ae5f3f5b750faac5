import { expect, test } from 'vitest';
import { type EnduranceRow, sumOf, withEndurance } from './endurance-results.ts';

const row: EnduranceRow = {
  file: 'server/test/durability.test.ts',
  passed: 4,
  tests: 4,
  seconds: 154,
  said: 'acknowledged over 20 kills: 1200',
  commit: '0123456789, 2026-11-23',
};

test('rows replace those of their files, and nothing else', () => {
  const before = '# Measurements\n\n## a bench\n\n| `x` | 1 |\n';
  const first = withEndurance(before, [row]);
  expect(first.startsWith(before)).toBe(true);
  expect(first).toContain(
    '| `server/test/durability.test.ts` | 4 of 4 | 154 s | acknowledged over 20 kills: 1200 | 0123456789, 2026-11-23 |\n',
  );
  const other = { ...row, file: 'server/test/bulk.test.ts', passed: 0, tests: 1, seconds: 9, said: '' };
  const later = `${first}\n## another bench\n\n| \`y\` | 2 |\n`;
  const second = withEndurance(later, [other, { ...row, seconds: 160 }]);
  expect(second.match(/^\| `.*$/gm)).toEqual([
    '| `x` | 1 |',
    '| `server/test/bulk.test.ts` | 0 of 1 | 9 s |  | 0123456789, 2026-11-23 |',
    '| `server/test/durability.test.ts` | 4 of 4 | 160 s | acknowledged over 20 kills: 1200 | 0123456789, 2026-11-23 |',
    '| `y` | 2 |',
  ]);
  expect(withEndurance(second, [])).toBe(second);
});

test('many files can be one row, which names those that did not pass', () => {
  expect(sumOf('e2e', [])).toBeUndefined();
  const broken = { ...row, file: 'e2e/find.test.ts', passed: 0, tests: 0, seconds: 2, said: '' };
  expect(sumOf('e2e', [row, broken])).toEqual({
    file: 'e2e',
    passed: 4,
    tests: 4,
    seconds: 156,
    said: '2 files, one after the other; not passed: e2e/find.test.ts',
    commit: row.commit,
  });
});
