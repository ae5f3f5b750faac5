/** The calls of the pages about traces and performance, over many traces and transactions. */
import { createHash } from 'node:crypto';
import { organization } from './culprit.ts';
import { days, largeTrace, spansPerBlock } from './spans-fill.ts';

export interface SpanPage {
  readonly name: string;
  /** Which budget holds: of a trace, of pages about many. */
  readonly budget: 'trace' | 'performance';
  /** Address of call number `index`. */
  path(index: number): string;
}

const api = `/api/0/organizations/${organization}`;
/** The most frequent query, by the hash that `spans-fill.ts` gives it. */
const query = `/api/0/projects/${organization}/shop/queries/f0df8b36ce579b99/`;
const hash = (text: string): string => createHash('md5').update(text).digest('hex');

/** Pages of a store with `total` spans that were filled up to `nowMs`. */
export function spanPages(total: number, nowMs: number): SpanPage[] {
  const blocks = Math.max(1, Math.floor(total / spansPerBlock));
  const blockOf = (index: number): number => (index * 7919) % blocks;
  const large = (index: number): string => hash(`trace ${largeTrace(blockOf(index))}`);
  const small = (index: number): string => hash(`trace ${largeTrace(blockOf(index)) + 1 + (index % 300)}`);
  const secondsOf = (index: number): number =>
    Math.round((nowMs - days * 86_400_000 * (1 - (blockOf(index) * spansPerBlock) / total)) / 1000);
  const transaction = (index: number, period: string): string =>
    new URLSearchParams({
      project: 'shop',
      transaction: `GET /api/${(index * 3) % 20}`,
      op: 'http.server',
      statsPeriod: period,
    }).toString();
  return [
    { name: 'trace of 1,000 spans', budget: 'trace', path: (i) => `${api}/trace/${large(i)}/spans/` },
    {
      name: 'trace of 1,000 spans, its time known',
      budget: 'trace',
      path: (i) => `${api}/trace/${large(i)}/spans/?timestamp=${secondsOf(i)}`,
    },
    {
      name: 'trace of 50 spans, its time known',
      budget: 'trace',
      path: (i) => `${api}/trace/${small(i)}/spans/?timestamp=${secondsOf(i)}`,
    },
    {
      name: 'trace of 1,000 spans, nested',
      budget: 'trace',
      path: (i) => `${api}/trace/${large(i)}/?timestamp=${secondsOf(i)}`,
    },
    { name: 'trace that is not there', budget: 'trace', path: (i) => `${api}/trace/${hash(`none ${i}`)}/spans/` },
    { name: 'transactions, 24 h', budget: 'performance', path: () => `${api}/transactions/?statsPeriod=24h` },
    { name: 'transactions, 14 days', budget: 'performance', path: () => `${api}/transactions/?statsPeriod=14d` },
    {
      name: 'transactions, 14 days, by p95',
      budget: 'performance',
      path: () => `${api}/transactions/?statsPeriod=14d&sort=p95`,
    },
    { name: 'transactions, 1 h', budget: 'performance', path: () => `${api}/transactions/?statsPeriod=1h` },
    {
      name: 'one transaction, 24 h',
      budget: 'performance',
      path: (i) => `${api}/transactions/details/?${transaction(i, '24h')}`,
    },
    {
      name: 'one transaction, 14 days',
      budget: 'performance',
      path: (i) => `${api}/transactions/details/?${transaction(i, '14d')}`,
    },
    {
      name: 'its operations, 14 days',
      budget: 'performance',
      path: (i) => `${api}/transactions/operations/?${transaction(i, '14d')}`,
    },
    {
      name: 'its samples, 14 days',
      budget: 'performance',
      path: (i) => `${api}/transactions/samples/?${transaction(i, '14d')}`,
    },
    {
      name: 'its slow tags, 14 days',
      budget: 'performance',
      path: (i) => `${api}/transactions/tags/?${transaction(i, '14d')}`,
    },
    { name: 'database queries, 24 h', budget: 'performance', path: () => `${api}/queries/?statsPeriod=24h` },
    { name: 'database queries, 14 days', budget: 'performance', path: () => `${api}/queries/?statsPeriod=14d` },
    { name: 'a query, 14 days', budget: 'performance', path: () => `${query}?statsPeriod=14d` },
    { name: 'its callers, 14 days', budget: 'performance', path: () => `${query}transactions/?statsPeriod=14d` },
    { name: 'its call sites, 14 days', budget: 'performance', path: () => `${query}call-sites/?statsPeriod=14d` },
    {
      name: 'all transactions over 24 h',
      budget: 'performance',
      path: () => `${api}/transactions/series/?statsPeriod=24h`,
    },
    {
      name: 'all transactions over 14 days',
      budget: 'performance',
      path: () => `${api}/transactions/series/?statsPeriod=14d`,
    },
    { name: 'list of traces, 24 h', budget: 'performance', path: () => `${api}/traces/?statsPeriod=24h` },
    {
      name: 'list of traces, 14 days, failed',
      budget: 'performance',
      path: () => `${api}/traces/?statsPeriod=14d&failed=true`,
    },
    {
      name: 'list of traces, 14 days, the slowest',
      budget: 'performance',
      path: () => `${api}/traces/?statsPeriod=14d&sort=slowest`,
    },
    {
      name: 'list of traces, 14 days, of one user',
      budget: 'performance',
      path: (i) => `${api}/traces/?statsPeriod=14d&user=id:u-${i * 97}`,
    },
    { name: 'their heatmap, 24 h', budget: 'performance', path: () => `${api}/traces/heatmap/?statsPeriod=24h` },
    { name: 'their heatmap, 14 days', budget: 'performance', path: () => `${api}/traces/heatmap/?statsPeriod=14d` },
    { name: 'their fields, 24 h', budget: 'performance', path: () => `${api}/traces/fields/?statsPeriod=24h` },
    { name: 'their fields, 14 days', budget: 'performance', path: () => `${api}/traces/fields/?statsPeriod=14d` },
    {
      name: 'causes of web vitals, 14 days',
      budget: 'performance',
      path: (i) => `${api}/vitals/causes/?statsPeriod=14d&project=shop&transaction=%2Fpage%2F${(i * 3) % 20}`,
    },
    {
      name: 'excerpt around a span of a trace of 1,000',
      budget: 'performance',
      path: (i) => `${api}/trace/${large(i)}/excerpt/?timestamp=${secondsOf(i)}`,
    },
    { name: 'web vitals over 14 days', budget: 'performance', path: () => `${api}/vitals/series/?statsPeriod=14d` },
    { name: 'web vitals, 14 days', budget: 'performance', path: () => `${api}/vitals/?statsPeriod=14d` },
  ];
}
