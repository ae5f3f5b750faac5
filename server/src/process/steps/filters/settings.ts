/** Inbound filters: which there are, what each of them concerns, and what a project settles of them. */

/** What is settled by switches alone, and what by patterns. The order decides where several would drop an item. */
export const filterIds = [
  'ip-address',
  'release-version',
  'environment',
  'filtered-transaction',
  'browser-extensions',
  'web-crawlers',
  'legacy-browsers',
  'localhost',
  'chunk-load-error',
  'error-type',
  'error-message',
] as const;

/** The reason of the outcome of what it drops. */
export type FilterId = (typeof filterIds)[number];

export const patternFilterIds = [
  'ip-address',
  'release-version',
  'environment',
  'error-type',
  'error-message',
] as const satisfies readonly FilterId[];

export type PatternFilterId = (typeof patternFilterIds)[number];

export const hasPatterns = (id: FilterId): id is PatternFilterId =>
  (patternFilterIds as readonly string[]).includes(id);

export interface FilterSettings {
  readonly active: readonly FilterId[];
  /** Kept while the filter is off. */
  readonly patterns: Readonly<Partial<Record<PatternFilterId, readonly string[]>>>;
}

/** Of projects that nobody has settled any for: those that were there before there were filters. */
export const noFilters: FilterSettings = { active: [], patterns: {} };

/** Nearly never wanted by anyone, and nearly never wrong. */
export const newProjectFilters: FilterSettings = {
  active: ['filtered-transaction', 'browser-extensions', 'web-crawlers'],
  patterns: {},
};

export const filterLimits = {
  /** Of one filter. */
  patterns: 100,
  /** Of one pattern. */
  characters: 200,
  /** Of all patterns of one filter, once for each way through their braces. */
  expanded: 5_000,
} as const;
