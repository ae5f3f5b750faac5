/** What people ask of Explore, over events and over spans. */
import { organization } from './culprit.ts';

export interface Question {
  readonly name: string;
  /** Address of call number `index`. */
  path(index: number): string;
  /** Sent as JSON, where it is a POST. */
  body?(index: number): unknown;
}

const api = `/api/0/organizations/${organization}`;
const period = '14d';

const ask = (resource: string, query: readonly (readonly [string, string])[]): string =>
  `${api}/${resource}/?${new URLSearchParams([['statsPeriod', period], ...query.map(([key, value]): [string, string] => [key, value])])}`;
const pick = (values: readonly string[], index: number): string => values[index % values.length] ?? '';

const tags = ['browser.name', 'os.name', 'plan', 'tenant', 'feature', 'server_name'];
const browsers = ['Firefox', 'Chrome', 'Safari', 'Edge'];
const plans = ['free', 'pro', 'enterprise'];

export const eventQuestions: readonly Question[] = [
  {
    name: 'table of events by a tag',
    path: (index) =>
      ask('events', [
        ['field', pick(tags, index)],
        ['field', 'count()'],
        ['field', 'last_seen()'],
        ['query', `plan:${pick(plans, index)}`],
      ]),
  },
  {
    name: 'different users over time by release, 5 series',
    path: (index) =>
      ask('events-timeseries', [
        ['yAxis', 'count_unique(user)'],
        ['groupBy', 'release'],
        ['topEvents', '5'],
        ['interval', '6h'],
        ['query', `browser.name:${pick(browsers, index)}`],
      ]),
  },
  {
    name: 'events over time by transaction, 5 series',
    path: (index) =>
      ask('events-timeseries', [
        ['yAxis', 'count()'],
        ['groupBy', 'transaction'],
        ['topEvents', '5'],
        ['query', index % 2 ? 'level:error' : ''],
      ]),
  },
  {
    name: 'newest events with a tag',
    path: (index) => ask('events', [['query', `tenant:tenant-${(index * 37) % 900}`]]),
  },
  {
    name: 'a selection of events beside the rest',
    path: () => `${api}/events-compare/`,
    body: (index) => ({
      dataset: 'errors',
      statsPeriod: period,
      query: 'level:error',
      selection: { query: `browser.name:${pick(browsers, index)} plan:${pick(plans, index)}` },
    }),
  },
];

export const spanQuestions: readonly Question[] = [
  {
    name: 'p95 by transaction',
    path: () =>
      ask('events', [
        ['dataset', 'transactions'],
        ['field', 'transaction'],
        ['field', 'p95(span.duration)'],
        ['field', 'count()'],
        ['field', 'failure_rate()'],
        ['sort', '-p95(span.duration)'],
      ]),
  },
  {
    name: 'p95 of database queries over time by service, 5 series',
    path: () =>
      ask('events-timeseries', [
        ['dataset', 'spans'],
        ['yAxis', 'p95(span.duration)'],
        ['groupBy', 'service'],
        ['topEvents', '5'],
        ['query', 'span.op:db'],
      ]),
  },
  {
    name: 'spans by an attribute',
    path: (index) =>
      ask('events', [
        ['dataset', 'spans'],
        ['field', pick(['db.system.name', 'browser.name', 'server.address'], index)],
        ['field', 'count()'],
        ['field', 'avg(span.duration)'],
      ]),
  },
  {
    name: 'newest slow spans',
    path: (index) =>
      ask('events', [
        ['dataset', 'spans'],
        ['query', `span.duration:>${1 + (index % 5)}s`],
      ]),
  },
  {
    name: 'slow transactions beside the rest',
    path: () => `${api}/events-compare/`,
    body: (index) => ({
      dataset: 'transactions',
      statsPeriod: period,
      query: `transaction:"GET /api/${index % 20}"`,
      selection: { range: { field: 'span.duration', from: 400 } },
    }),
  },
];
