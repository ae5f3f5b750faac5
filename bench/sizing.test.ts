/** The guide about sizes says what was measured last. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const results = read('RESULTS.md').split(/^## /m);
const guide = read('../docs/guides/sizing.md');

const rows = [...guide.matchAll(/^\| [^|]+ \| ([\d,.]+) ([^ |]+) \| `([^`]+)`: ([^|]+?) \|$/gm)];
const numberOf = (text = ''): number => Number(text.replaceAll(',', ''));
/** What the results are measured in, of one of what the guide says. */
const scales: Readonly<Record<string, number>> = { 's in ms': 1000 };

test('all figures of the guide are read', () => {
  const table = guide.split('| row of the results |')[1]?.split('\n\n')[0]?.trim().split('\n') ?? [];
  expect(rows.length).toBe(table.length - 1);
});

test.for(rows.map(([, figure, unit, section, row]) => ({ figure, unit, section, row })))(
  '$section …: $row is $figure $unit',
  ({ figure, unit = '', section = '', row }) => {
    const part = results.findLast((one) => one.startsWith(section));
    const line = part?.split('\n').find((one) => one.startsWith(`| ${row} | `));
    const [measured, inUnit = ''] = line?.split(' | ')[1]?.split(' ') ?? [];
    expect(measured, `${section} has no row "${row}"`).toBeDefined();
    const scale = unit === inUnit ? 1 : (scales[`${unit} in ${inUnit}`] ?? Number.NaN);
    expect(
      Math.abs((numberOf(figure) * scale) / numberOf(measured) - 1),
      `measured: ${measured} ${inUnit}`,
    ).toBeLessThan(0.1);
  },
);
