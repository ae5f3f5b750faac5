import { expect, test } from 'vitest';
import { entriesOf, judge } from './check-judge.ts';
import type { Line, Measurement, Part } from './ledger-lines.ts';

const floors = { server: 100, parsing: 50, hashing: 200 };
const measured = (lines: readonly (readonly [Part, string, number])[]): Measurement => ({
  lines: lines.map(([part, name, us]): Line => ({ part, name, us })),
  floors,
  others: 0,
  seconds: 1,
});
const runs = [
  measured([
    ['pipeline', 'intake', 100],
    ['pipeline', 'tiny', 1],
    ['pipeline', 'unsteady', 40],
  ]),
  measured([
    ['pipeline', 'intake', 104],
    ['pipeline', 'tiny', 2],
    ['pipeline', 'unsteady', 60],
  ]),
  measured([
    ['pipeline', 'intake', 102],
    ['pipeline', 'tiny', 1],
    ['pipeline', 'unsteady', 50],
  ]),
];
const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);

test('stages that are small or differ too much from run to run are judged together', () => {
  const pipeline = entriesOf(runs).filter(({ part }) => part === 'pipeline');
  expect(pipeline).toEqual([
    { part: 'pipeline', name: 'all', ratio: 1.53, tolerance: 0.22 },
    { part: 'pipeline', name: 'intake', ratio: 1.02, tolerance: 0.1 },
    { part: 'pipeline', name: 'the rest', ratio: 0.51, tolerance: 0.54 },
  ]);
});

test('a stage is dearer beyond its tolerance, in multiples of the floor of the same run', () => {
  const entries = entriesOf(runs);
  const twice = { server: 200, parsing: 100, hashing: 400 };
  const slowMachine = { ...measured([['pipeline', 'intake', 210]]), floors: twice };
  expect(judge(entries, slowMachine).filter(({ isDearer }) => isDearer)).toEqual([]);
  const dearer = judge(entries, measured([['pipeline', 'intake', 115]])).filter(({ isDearer }) => isDearer);
  expect(namesOf(dearer)).toEqual(['intake']);
});

test('a stage that the ledger does not know counts for the rest', () => {
  const found = judge(
    entriesOf(runs),
    measured([
      ['pipeline', 'intake', 102],
      ['pipeline', 'new', 90],
    ]),
  );
  expect(namesOf(found.filter(({ isDearer }) => isDearer))).toEqual(['all', 'the rest']);
});

test('a part that was not measured is not judged', () => {
  expect(judge(entriesOf(runs), measured([['api', 'issue: state', 1]]))).toEqual([]);
});

test('the statements of a call are one', () => {
  const asks: readonly (readonly [Part, string, number])[] = [
    ['statements', 'issue: 1, errors: SELECT a', 100],
    ['statements', 'issue: 2, spans: SELECT b', 100],
  ];
  const entries = entriesOf([measured(asks)]);
  expect(entries.filter(({ part }) => part === 'statements').map(({ name, ratio }) => [name, ratio])).toEqual([
    ['all', 1],
    ['issue', 1],
  ]);
});
