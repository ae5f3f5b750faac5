/** Grouping held to published cases and to our own; the floors may only rise. */
import { describe, expect, it } from 'vitest';
import { report, sharedFolder } from '../conformance-data.ts';
import { groupingSets, parameterizationSets } from './conformance.ts';

const grouping = sharedFolder('conformance/grouping', 'comparison of grouping with published cases');
const parameterization = sharedFolder(
  'conformance/parameterization',
  'comparison of placeholders with published cases',
);

describe.skipIf(grouping === undefined)('conformance of grouping', () => {
  const sets = groupingSets(grouping ?? '');
  it.each([
    ['grouping/own-pairs.json', 1],
    ['grouping/pairs.json', 1],
    ['grouping/fingerprint-rules.json', 1],
    ['grouping/events', 0.97],
    ['grouping/events (frames)', 0.99],
    ['grouping/events (parts)', 1],
  ])('%s', (name, floor) => {
    expect(report(name, sets[name] ?? [])).toBeGreaterThanOrEqual(floor);
  });
});

it.skipIf(parameterization === undefined)('conformance of placeholders', () => {
  for (const [name, results] of Object.entries(parameterizationSets(parameterization ?? ''))) {
    expect(report(name, results)).toBe(1);
  }
});
