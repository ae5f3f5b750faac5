/** Where other pages lead into Explore, with the question filled in. Pure. */
import { termText } from '@culprit/search';
import type { Filters } from '../filters/filters.ts';
import { joinList } from './lists.ts';
import type { ExploreSearch } from './search.ts';

const scopeOf = ({ project, environment, range, start, end }: Filters): Filters => ({
  ...(project !== undefined && { project }),
  ...(environment !== undefined && { environment }),
  ...(range !== undefined && { range }),
  ...(start !== undefined && { start }),
  ...(end !== undefined && { end }),
});

/** Asked of requests: how many, how slow, how many failed. */
const requests = {
  dataset: 'transactions',
  yAxis: joinList(['count()', 'p95(span.duration)', 'failure_rate()']),
} as const;

/** What a list of requests is filtered by, as far as it has these. */
export interface RequestFilters extends Filters {
  /** Part of the name. */
  readonly q?: string | undefined;
  readonly transaction?: string | undefined;
  readonly op?: string | undefined;
  readonly service?: string | undefined;
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly code?: string | undefined;
  readonly release?: string | undefined;
  readonly browser?: string | undefined;
  readonly os?: string | undefined;
  readonly user?: string | undefined;
  readonly failed?: 'true' | 'false' | undefined;
  /** ms. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** `1795284600-1795285200` within the range. */
  readonly t?: string | undefined;
}

const keys = {
  transaction: 'transaction',
  op: 'span.op',
  service: 'service',
  status: 'span.status',
  method: 'http.method',
  code: 'http.status_code',
  release: 'release',
  browser: 'browser.name',
  os: 'os.name',
  user: 'user',
} as const;

/** Names that have this part; one with signs of the language is taken for the whole name. */
const partTerm = (part: string): string =>
  /[\s*"()[\]\\]/.test(part) ? termText('transaction', part) : `transaction:*${part}*`;

/** The same requests, grouped by their names. */
export function exploreRequests(filters: RequestFilters): ExploreSearch {
  const { q, failed, from, until, t } = filters;
  const terms = [
    ...(q ? [partTerm(q)] : []),
    ...Object.entries(keys).flatMap(([name, key]) => {
      const value = filters[name as keyof typeof keys];
      return value ? [termText(key, value)] : [];
    }),
    ...(failed ? [`failed:${failed}`] : []),
    ...(from !== undefined ? [`span.duration:>=${from}ms`] : []),
    ...(until !== undefined ? [`span.duration:<${until}ms`] : []),
  ];
  const [since, before] = t?.split('-').map(Number) ?? [];
  const span =
    since !== undefined && before !== undefined
      ? { start: new Date(since * 1000).toISOString(), end: new Date(before * 1000).toISOString(), range: undefined }
      : {};
  return {
    ...requests,
    ...scopeOf(filters),
    ...span,
    groupBy: filters.transaction ? 'release' : 'transaction',
    ...(terms.length > 0 && { query: terms.join(' ') }),
  };
}
