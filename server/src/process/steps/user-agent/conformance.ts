/** User agents held to published cases: what decides a case, for the tests and for whoever brings more of them. */
import { z } from 'zod';
import type { Verdict } from '../conformance-data.ts';
import { browserOf, deviceOf, systemOf } from './rules.ts';

const cases = z.object({
  about: z.string(),
  cases: z.array(z.object({ input: z.string(), expected: z.record(z.string(), z.string().nullable().optional()) })),
});

function found(part: string, input: string): Readonly<Record<string, string | undefined>> {
  if (part === 'device') return { ...deviceOf(input) };
  const { family, parts } = part === 'os' ? systemOf(input) : browserOf(input);
  const [major, minor, patch, patch_minor] = parts;
  return { family, major, minor, patch, patch_minor };
}

/** `file` is the parsed JSON of `browser.json`, `os.json` or `device.json`; it says itself which it is. */
export function judgeUserAgents(file: unknown): Verdict[] {
  const { about, cases: list } = cases.parse(file);
  const part = /user agent in, (browser|os|device) out/.exec(about)?.[1] ?? 'browser';
  return list.map(({ input, expected }, index) => {
    const seen = found(part, input);
    const wrong = Object.keys(expected).filter((name) => (expected[name] ?? '') !== (seen[name] ?? ''));
    return {
      id: `${index} ${input.slice(0, 300)}`,
      passed: wrong.length === 0,
      ...(wrong.length && {
        why: wrong
          .map((name) => `${name}: ${seen[name] ?? 'nothing'} instead of ${expected[name] ?? 'nothing'}`)
          .join('; '),
      }),
    };
  });
}
