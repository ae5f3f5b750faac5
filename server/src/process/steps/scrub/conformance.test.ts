import { describe, expect, it } from 'vitest';
import { readJson, report, sharedFolder } from '../conformance-data.ts';
import { judgeScrubbing } from './conformance.ts';

const folder = sharedFolder('conformance/pii', 'comparison of scrubbing with published cases') ?? '';

describe.skipIf(folder === '')('conformance of scrubbing', () => {
  it('published cases', () => {
    expect(report('scrubbing, published', judgeScrubbing(readJson(folder, 'cases.json')))).toBe(1);
  });

  it('nothing leaks, nothing harmless goes', () => {
    expect(report('scrubbing, generated', judgeScrubbing(readJson(folder, 'generated.json')))).toBe(1);
  });
});
