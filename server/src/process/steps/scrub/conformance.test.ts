import { describe, expect, it } from 'vitest';
import { readJson, report, sharedFolder } from '../conformance-data.ts';
import { judgeRuleLanguage, judgeScrubbing } from './conformance.ts';
import { loadPatterns } from './own/index.ts';

const folder = sharedFolder('conformance/pii', 'comparison of scrubbing with published cases') ?? '';

describe.skipIf(folder === '')('conformance of scrubbing', () => {
  it('published cases', () => {
    expect(report('scrubbing, published', judgeScrubbing(readJson(folder, 'cases.json')))).toBe(1);
  });

  it('published cases, by rules in Relay’s language', async () => {
    await loadPatterns();
    const verdicts = judgeRuleLanguage(readJson(folder, 'cases.json'));
    expect(verdicts.filter(({ passed }) => !passed)).toEqual([]);
    expect(report('scrubbing, rule language', verdicts)).toBe(1);
  });

  it('nothing leaks, nothing harmless goes', () => {
    expect(report('scrubbing, generated', judgeScrubbing(readJson(folder, 'generated.json')))).toBe(1);
  });
});
