/**
 * From where in the code a query is called. SDKs say it of slow calls first (Sentry's of those from 100 ms on), so the
 * slowest calls are looked at.
 */
import type { Events } from '../../ports/events/events.ts';
import type { SamplingLimits } from '../explore/index.ts';
import { type CallSite, wholeFunction } from '../../process/steps/span/call-site.ts';
import { type QueryScope, readOneQuery } from './spans.ts';

export interface QuerySample {
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
  readonly durationUs: number;
  readonly transaction: string;
  readonly release: string;
  readonly failed: boolean;
  /** Undefined where the SDK does not say. */
  readonly site: CallSite | undefined;
}

export interface CalledFrom extends CallSite {
  /** Of Java, the class: its package is the folder of the file. */
  readonly namespace: string;
  readonly count: number;
  readonly totalUs: number;
  readonly longestUs: number;
  /** Release of the newest call. */
  readonly release: string;
  readonly transactions: readonly string[];
  /** The longest call. */
  readonly sample: QuerySample;
}

export interface CallSites {
  /** Calls that were looked at. */
  readonly examined: number;
  /** How many of them say where they come from. */
  readonly told: number;
  readonly sites: readonly CalledFrom[];
  /** The slowest calls. */
  readonly samples: readonly QuerySample[];
}

/** The slowest of them are looked at. */
const examinedCalls = 2_000;
const maxSites = 20;
const maxSamples = 10;
const maxTransactions = 3;

interface Row {
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
  readonly durationUs: number;
  readonly transaction: string;
  readonly release: string;
  readonly failed: 0 | 1;
  readonly name: string;
  readonly namespace: string;
  readonly file: string;
  readonly line: number;
}

export async function readCallSites(events: Events, scope: QueryScope, limits: SamplingLimits): Promise<CallSites> {
  const read = await readOneQuery(events, scope, limits);
  const rows = await events.query<Row>(
    `SELECT trace_id AS traceId, span_id AS spanId, toUnixTimestamp64Micro(started_at) AS startUs,
       duration_us AS durationUs, transaction, release, failed, attributes['code.function.name'] AS name,
       attributes['code.namespace'] AS namespace, attributes['code.file.path'] AS file,
       numbers['code.line.number'] AS line
     FROM spans WHERE ${read.sql} ORDER BY duration_us DESC, span_id LIMIT {limit:UInt32}`,
    { ...read.params, limit: examinedCalls },
  );
  const samples = rows.map(toSample);
  const byPlace = new Map<string, { readonly rows: Row[]; readonly samples: QuerySample[] }>();
  for (const [index, row] of rows.entries()) {
    const sample = samples[index];
    if (!sample?.site) continue;
    const key = JSON.stringify(sample.site);
    const known = byPlace.get(key) ?? { rows: [], samples: [] };
    known.rows.push(row);
    known.samples.push(sample);
    byPlace.set(key, known);
  }
  const sites = [...byPlace.values()]
    .map((one) => toCalledFrom(one.rows, one.samples))
    .toSorted((a, b) => b.count - a.count || b.totalUs - a.totalUs);
  return {
    examined: rows.length,
    told: sites.reduce((sum, { count }) => sum + count, 0),
    sites: sites.slice(0, maxSites),
    samples: samples.slice(0, maxSamples),
  };
}

function toSample({ name, namespace, file, line, failed, ...row }: Row): QuerySample {
  const site = { function: wholeFunction(namespace, name), file, line: Number.isSafeInteger(line) ? line : 0 };
  return { ...row, failed: failed === 1, site: site.function || site.file ? site : undefined };
}

function toCalledFrom(rows: readonly Row[], samples: readonly QuerySample[]): CalledFrom {
  const [longest] = samples;
  const newest = rows.reduce((last, row) => (row.startUs > last.startUs ? row : last));
  if (!longest?.site) throw new Error('a call site without a call');
  const transactions = Map.groupBy(rows, ({ transaction }) => transaction);
  return {
    ...longest.site,
    namespace: newest.namespace,
    count: rows.length,
    totalUs: rows.reduce((sum, { durationUs }) => sum + durationUs, 0),
    longestUs: longest.durationUs,
    release: newest.release,
    transactions: [...transactions]
      .toSorted((a, b) => b[1].length - a[1].length)
      .slice(0, maxTransactions)
      .map(([transaction]) => transaction),
    sample: longest,
  };
}
