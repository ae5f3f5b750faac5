/** The calls that the console's pages make, over many different issues and events. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { budgetAt, budgets } from './budgets.ts';
import { type Culprit, organization } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import type { Budget } from './report.ts';

/** An issue of the store with one of its events. */
export interface Sample {
  readonly issueId: number;
  readonly eventId: string;
  /** Of an issue of about the same rank that has digests. */
  readonly digest: string;
}

export interface PageKind {
  readonly name: string;
  /** Which budget holds: of pages, of filters over all events, of where a pasted id leads. */
  readonly budget: 'page' | 'filtered' | 'leads';
  /** Addresses that the page asks for at once. */
  paths(sample: Sample, index: number): readonly string[];
}

const api = `/api/0/organizations/${organization}`;

function issueList(query: string, sort: string, statsPeriod = '14d'): string {
  return `${api}/issues/?${new URLSearchParams({ query, sort, limit: '50', shortIdLookup: '1', statsPeriod })}`;
}

function valuesOf(key: string, query: string): string {
  return `${api}/tags/${key}/values/?${new URLSearchParams({ dataset: 'events', statsPeriod: '14d', query })}`;
}

const texts = ['basket', 'invoice', 'voucher 7', 'parcel', 'shipment', 'payment of', 'catalog', 'refund 12'];
const tagFilters = [
  'browser.name:Firefox',
  'tenant:tenant-17',
  'os.name:iOS',
  'plan:enterprise',
  'feature:refund',
  'server_name:web-7',
  'tenant:tenant-803',
  'browser.name:Chrome',
];
/** What is pasted from an error page. */
const screenOf = (digest: string): string =>
  `Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).\nDigest: ${digest}`;
const pick = (values: readonly string[], index: number): string => values[index % values.length] ?? '';

/** Ten searches as people type them, each with values that differ from call to call. */
const searches: readonly (readonly [name: string, query: (index: number) => string])[] = [
  ['a tag', (index) => `is:unresolved ${pick(tagFilters, index)}`],
  ['words', (index) => `is:unresolved ${pick(texts, index)}`],
  ['a release', (index) => `is:unresolved release:shop@5.${index % 40}.${index % 3}`],
  ['a user', (index) => `user.id:u-${(index * 7919) % 50_000}`],
  ['a function of the stack', (index) => `is:unresolved stack.function:${pick(words, index)}${index % 50}`],
  ['files by wildcard', (index) => `stack.filename:src/${pick(words, index)}/1* !level:warning`],
  ['OR of tags', (index) => `(browser.name:Safari plan:pro) OR ${pick(tagFilters, index)}`],
  [
    'OR of issues and events',
    (index) => `(is:resolved release:shop@5.${index % 40}.*) OR (is:for_review ${pick(tagFilters, index)})`,
  ],
  ['present and absent', (index) => `is:unresolved has:digest !${pick(tagFilters, index)}`],
  ['title by wildcard', (index) => `title:*Error*${pick(words, index)}* timesSeen:>20`],
];
const words = ['basket', 'payment', 'order', 'invoice', 'voucher', 'profile', 'session', 'address'];

export const pageKinds: readonly PageKind[] = [
  { name: 'issue list, last seen', budget: 'page', paths: () => [issueList('is:unresolved', 'date')] },
  { name: 'issue list, first seen', budget: 'page', paths: () => [issueList('is:unresolved', 'new')] },
  { name: 'issue list, by events', budget: 'page', paths: () => [issueList('is:unresolved', 'freq')] },
  { name: 'issue list, by users', budget: 'filtered', paths: () => [issueList('is:unresolved', 'user')] },
  { name: 'issue list, by trends', budget: 'filtered', paths: () => [issueList('is:unresolved', 'trends')] },
  ...searches.map(([name, query]): PageKind => ({
    name: `issue list, ${name}`,
    budget: 'filtered',
    paths: (_sample, index) => [issueList(query(index), 'date')],
  })),
  {
    name: 'issue list, a tag, by events',
    budget: 'filtered',
    paths: (_sample, index) => [issueList(`is:unresolved ${pick(tagFilters, index)}`, 'freq')],
  },
  {
    name: 'issue page',
    budget: 'page',
    paths: ({ issueId }) => [
      `${api}/issues/${issueId}/?collapse=tags`,
      `${api}/issues/${issueId}/events/latest/`,
      `${api}/issues/${issueId}/tags/?limit=5`,
    ],
  },
  { name: '… issue', budget: 'page', paths: ({ issueId }) => [`${api}/issues/${issueId}/?collapse=tags`] },
  { name: '… newest event', budget: 'page', paths: ({ issueId }) => [`${api}/issues/${issueId}/events/latest/`] },
  {
    name: '… recommended event',
    budget: 'page',
    paths: ({ issueId }) => [`${api}/issues/${issueId}/events/recommended/`],
  },
  { name: '… tags', budget: 'page', paths: ({ issueId }) => [`${api}/issues/${issueId}/tags/?limit=5`] },
  { name: '… list of events', budget: 'page', paths: ({ issueId }) => [`${api}/issues/${issueId}/events/?limit=50`] },
  {
    name: 'event page by id',
    budget: 'page',
    paths: ({ issueId, eventId }) => [`${api}/issues/${issueId}/events/${eventId}/`],
  },
  {
    name: 'event by id alone',
    budget: 'page',
    paths: ({ eventId }) => [`/api/0/projects/${organization}/shop/events/${eventId}/`],
  },
  {
    name: 'find a digest',
    budget: 'leads',
    paths: ({ digest }) => [`${api}/find/?q=${encodeURIComponent(screenOf(digest))}`],
  },
  {
    name: '… that nothing has',
    budget: 'leads',
    paths: (_sample, index) => [`${api}/find/?q=${encodeURIComponent(screenOf(`9${index}`))}`],
  },
  { name: 'find an event id', budget: 'leads', paths: ({ eventId }) => [`${api}/eventids/${eventId}/`] },
  { name: 'completion, fields', budget: 'filtered', paths: () => [`${api}/tags/?dataset=events&statsPeriod=14d`] },
  { name: '… values of a field', budget: 'filtered', paths: () => [valuesOf('release', '')] },
  {
    name: '… values of a tag, typed',
    budget: 'filtered',
    paths: (_sample, index) => [valuesOf('tenant', `tenant-${index}`)],
  },
  {
    name: '… that nothing has',
    budget: 'filtered',
    paths: (_sample, index) => [valuesOf('tenant', `nobody ${index}`)],
  },
  { name: 'similar issues', budget: 'filtered', paths: ({ issueId }) => [`${api}/issues/${issueId}/similar/`] },
  { name: 'environments', budget: 'page', paths: () => [`${api}/environments/`] },
  { name: 'outcomes, 24 h', budget: 'page', paths: () => [`${api}/outcomes/?statsPeriod=24h`] },
];

export const budgetOf = ({ budget }: PageKind, events: number): Budget =>
  budget === 'leads' ? budgets.leadsMs : budgetAt(budget, events);

interface Group {
  readonly group_hash: string;
  /** Some of its events. */
  readonly ids: readonly string[];
  readonly digests: readonly string[];
}

const groupsSql = `SELECT group_hash, groupArray(5)(event_id) AS ids, groupArrayIf(5)(digest, digest != '') AS digests
  FROM errors GROUP BY group_hash ORDER BY count() DESC, group_hash`;

/** Issues from the most frequent to the rarest, evenly over the logarithm of their rank. */
export async function chooseSamples(culprit: Culprit, dataDir: string, count: number): Promise<Sample[]> {
  const groups = await culprit.engine<Group>(groupsSql);
  const database = new DatabaseSync(join(dataDir, 'state.db'), { readOnly: true });
  try {
    const find = database.prepare('SELECT issue_id FROM issue_hash WHERE hash = ?');
    const samples: Sample[] = [];
    for (let index = 0; index < count; index++) {
      const rank = Math.min(groups.length - 1, Math.floor(groups.length ** (index / count)));
      const group = groups[rank];
      const issueId = group && find.get(group.group_hash)?.issue_id;
      const eventId = group?.ids[index % group.ids.length];
      const tagged =
        groups.slice(rank).find(({ digests }) => digests.length) ?? groups.find((one) => one.digests.length);
      const digest = tagged?.digests[index % tagged.digests.length];
      if (issueId === undefined || issueId === null || !eventId || !digest) continue;
      samples.push({ issueId: Number(issueId), eventId, digest });
    }
    if (!samples.length) throw new Error('the store has no issues to look at');
    return samples;
  } finally {
    database.close();
  }
}

export interface PageTimes {
  readonly durationsMs: readonly number[];
  /** Pages opened, with those that only warmed up. */
  readonly opened: number;
  /** Answers that were no success, by status. */
  readonly failures: ReadonlyMap<number, number>;
  readonly meanBytes: number;
}

/** Slow pages are opened less often, so that the benchmark ends. */
const longestMs = 20_000;
const fewestCalls = 10;

/** One page after the other; a page takes as long as the slowest of its calls. */
export async function openPages(
  client: HttpClient,
  kind: PageKind,
  samples: readonly Sample[],
  calls: number,
): Promise<PageTimes> {
  const durationsMs: number[] = [];
  const failures = new Map<number, number>();
  let bytes = 0;
  const warmUps = 3;
  const startedAt = performance.now();
  for (let index = -warmUps; index < calls; index++) {
    if (index >= fewestCalls && performance.now() - startedAt > longestMs) break;
    // Small steps through the list would visit only frequent issues when there are fewer calls than samples.
    const sample = samples[(Math.abs(index) * 7) % samples.length];
    if (!sample) continue;
    const started = performance.now();
    const answers = await Promise.all(kind.paths(sample, index + warmUps).map((path) => client.get(path)));
    const durationMs = performance.now() - started;
    if (index < 0) continue;
    durationsMs.push(durationMs);
    for (const { status, text } of answers) {
      bytes += text.length;
      if (status !== 200) failures.set(status, (failures.get(status) ?? 0) + 1);
    }
  }
  return { durationsMs, opened: durationsMs.length + warmUps, failures, meanBytes: bytes / durationsMs.length };
}
