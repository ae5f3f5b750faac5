/** The published cases, where they are there; shares may only rise. */
import { describe, expect, test } from 'vitest';
import { readJson, report, sharedFolder } from '../../process/steps/conformance-data.ts';
import { judgePerformance } from './conformance.ts';

const folder = sharedFolder('conformance/performance', 'what detectors find in published cases') ?? '';

describe.skipIf(folder === '')('published cases', () => {
  test.each(['cases.json', 'thresholds.json', 'urls.json'])('%s', (name) => {
    expect(report(`performance, ${name}`, judgePerformance(folder, readJson(folder, name)))).toBe(1);
  });
});
