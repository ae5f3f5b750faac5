/** The guides about sizes say what was measured last. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const results = read('RESULTS.md').split(/^## /m);
const guides = ['sizing', 'scale'].map((name) => read(`../docs/guides/${name}.md`));

const rowsOf = (guide: string): RegExpExecArray[] => [
  ...guide.matchAll(/^\| [^|]+ \| ([\d,.]+) ([^ |]+) \| `([^`]+)`: ([^|]+?) \|$/gm),
];
const rows = guides.flatMap(rowsOf);
const numberOf = (text = ''): number => Number(text.replaceAll(',', ''));
/** What the results are measured in, of one of what the guide says. */
const scales: Readonly<Record<string, number>> = { 's in ms': 1000 };

test.each(guides)('all figures of a guide are read', (guide) => {
  const table = guide.split('| row of the results |')[1]?.split('\n\n')[0]?.trim().split('\n') ?? [];
  expect(rowsOf(guide).length).toBe(table.length - 1);
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
