/** The published cases, where they are there; shares may only rise. */
import { describe, expect, test } from 'vitest';
import { urlWithoutIds } from '../process/steps/span/path-ids.ts';
import { readJson, report, sharedFolder } from '../process/steps/conformance-data.ts';
import { agrees, type ExpectedProblem, foundBy, foundByAll, type PatchStep, patched } from './conformance.ts';

const folder = sharedFolder('conformance/performance', 'what detectors find in published cases');

interface Cases<Case> {
  readonly cases: readonly Case[];
}

describe.skipIf(folder === undefined)('published cases', () => {
  const read = <Case>(file: string): readonly Case[] => readJson<Cases<Case>>(folder ?? '', file).cases;

  test('cases.json', () => {
    interface Case {
      readonly id: string;
      readonly detector: string;
      readonly event: string;
      readonly patch?: readonly PatchStep[];
      readonly expected: readonly ExpectedProblem[];
    }
    const results = read<Case>('cases.json').map(({ id, detector, event, patch = [], expected }) => ({
      id,
      passed: agrees(expected, foundBy(detector, patched(readJson(folder ?? '', event), patch))),
    }));
    expect(report('performance cases', results)).toBe(1);
  });

  test('thresholds.json', () => {
    interface Case {
      readonly id: string;
      readonly event: Record<string, unknown>;
      readonly expected: readonly string[];
    }
    const results = read<Case>('thresholds.json').map(({ id, event, expected }) => ({
      id,
      passed: foundByAll(event).join() === expected.toSorted().join(),
    }));
    expect(report('performance thresholds', results)).toBe(1);
  });

  test('urls.json', () => {
    const results = read<{ readonly input: string; readonly expected: string }>('urls.json').map(
      ({ input, expected }) => ({ id: input, passed: urlWithoutIds(input) === expected }),
    );
    expect(report('performance urls', results)).toBe(1);
  });
});
