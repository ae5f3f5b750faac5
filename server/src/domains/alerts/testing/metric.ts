import type { Metric } from '../types.ts';

/** How many errors there are, critical from ten in five minutes on. For tests. */
export const errorCount = (overrides: Partial<Metric> = {}): Metric => ({
  dataset: 'errors',
  aggregate: 'count()',
  minutes: 5,
  comparison: { type: 'static' },
  direction: 'above',
  warning: null,
  critical: 10,
  resolve: null,
  noData: 'ok',
  ...overrides,
});
