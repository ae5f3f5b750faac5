/** Budgets are those of the design, word by word. It lies beside the checkout; where it does not, this says so. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { budgets } from './budgets.ts';
import { atLeast, atMost, below } from './report.ts';

const design = fileURLToPath(new URL('../../shared/DESIGN.md', import.meta.url));

/** Row of the design, the words about each budget in it, and how much larger its unit is than ours. */
const said: Readonly<Partial<Record<keyof typeof budgets, readonly [row: string, words: string, scale?: number]>>> = {
  acceptedOfFloor: ['ingest, accepted durably', '≥ 0.8 × the floor'],
  drainedOfFloor: ['ingest drained', '≥ 0.5 × the floor'],
  lagSeconds: ['ingest drained', 'lag < 1 s at any steady rate'],
  cpuOfFloor: ['processor time per event', '≤ 2.7 × the floor'],
  steadyOfFull: ['… at 200 events/s', '≤ 2 × that at full load'],
  spansDrainedOfFloor: ['spans drained', '≥ 0.5 × the floor'],
  spanUs: ['spans drained', '≤ 30 µs a span'],
  diskBytesPerEvent: ['disk per 16 kB event', '≤ 1.3 kB', 1000],
  diskBytesPerSpan: ['disk per 16 kB event', '≤ 60 B'],
  visibleP95Ms: ['error sent', '< 0.5 s', 1000],
  pageSmallMs: ['issue list, issue page', '< 6 ms with 50,000 events'],
  pageMiddleMs: ['issue list, issue page', '< 30 with 1 million'],
  pageLargeMs: ['issue list, issue page', '< 50 with 10 million'],
  traceSmallMs: ['issue list, issue page', '; < 15, 30, 50;'],
  traceMiddleMs: ['issue list, issue page', ', 30, 50;'],
  traceLargeMs: ['issue list, issue page', ', 50;'],
  leadsMs: ['issue list, issue page', '; < 15 at any size'],
  filteredSmallMs: ['list filtered', '< 40,'],
  filteredMiddleMs: ['list filtered', '< 100,'],
  filteredLargeMs: ['list filtered', '< 250 ms'],
  performanceMs: ['performance pages', '< 250 ms'],
  alertP95Ms: ['alerts', '≤ 5 s', 1000],
  alertShare: ['alerts', '≤ 15 %'],
  readyMs: ['`npm start` to ready', '< 3 s', 1000],
  readyAgainMs: ['`npm start` to ready', '; < 1.5 s', 1000],
  idleMb: ['memory, private dirty', '≤ 180;'],
  loadedMb: ['memory, private dirty', '≤ 600;'],
  aboveIdleMb: ['memory, private dirty', 'idle + 60 MB'],
};

/** Budgets that stand elsewhere: in issues, or because nothing may ever be lost. */
const ofTheirOwn: readonly (keyof typeof budgets)[] = [
  'tunnelOfProxy',
  'lost',
  'overloadedAckP99Ms',
  'soakGrowthMb',
  'caughtUpOfDrained',
  'waterfallFirstRowsMs',
  'waterfallLongFrames',
  'waterfallRows',
];

const kinds = { '≤': atMost, '≥': atLeast, '<': below } as const;

function rowsOf(text: string): Map<string, string> {
  const section = text.slice(text.indexOf('\n## 7.'), text.indexOf('\n## 8.'));
  const cells = section.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split('|').slice(1, 3)] : []));
  return new Map(cells.map(([name = '', budget = '']) => [name.trim(), budget]));
}

test('each budget stands in the design or says why not', () => {
  expect([...Object.keys(said), ...ofTheirOwn].toSorted()).toEqual(Object.keys(budgets).toSorted());
});

test.skipIf(!existsSync(design))(`budgets are those of ${design}, which is not everywhere`, () => {
  const rows = rowsOf(readFileSync(design, 'utf8'));
  for (const [name, [start, words, scale = 1]] of Object.entries(said)) {
    const [, row = ''] = [...rows].find(([each]) => each.startsWith(start)) ?? [];
    expect(row, `${name}: the row "${start}"`).toContain(words);
    const [, number = ''] = /(\d+(?:\.\d+)?)/.exec(words) ?? [];
    // Where several numbers share a sign, it stands before the first.
    const sign = /[≤≥<]/.exec(words)?.[0] ?? (start.startsWith('issue') ? '<' : '≤');
    expect(budgets[name as keyof typeof budgets], name).toEqual(
      kinds[sign as keyof typeof kinds](Number(number) * scale),
    );
  }
});
