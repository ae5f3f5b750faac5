/** Samples as rows: a few of each percentile, the slowest percentile first. */
import type { Sample } from './queries.ts';

export interface SampleRow extends Sample {
  /** Of the first row of each percentile, else ''. */
  readonly heading: string;
}

const order = ['p99', 'p95', 'p75', 'p50'] as const;
const shownEach = 3;

/** Those without a percentile stay as they are. */
export function sampleRows(samples: readonly Sample[]): SampleRow[] {
  const ofPercentiles = order.flatMap((name) =>
    samples
      .filter(({ percentile }) => percentile === name)
      .slice(0, shownEach)
      .map((sample, index) => ({ ...sample, heading: index === 0 ? name : '' })),
  );
  return [
    ...ofPercentiles,
    ...samples.filter(({ percentile }) => percentile === null).map((sample) => ({ ...sample, heading: '' })),
  ];
}
