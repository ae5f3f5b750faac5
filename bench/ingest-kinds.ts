/** What `ingest` can send, where to, and how what is stored of it is counted. */
import { createCorpus, type CorpusEnvelope, type CorpusOptions } from './corpus.ts';
import { createLogs, createSessions, createSmall, logsEach } from './corpus/items.ts';
import { createOtlp, otlpSpansEach } from './corpus/otlp.ts';
import { createContainers, createSlowTransactions, createTransactions, spansEach } from './corpus/spans.ts';
import type { Account, Culprit } from './culprit.ts';
import { type Counted, countedErrors } from './intake.ts';

export interface Kind extends Counted {
  readonly unit: 'event' | 'span' | 'log' | 'session';
  /** Units in one envelope. */
  readonly each: number;
  /** Behind the project. */
  readonly path: string;
  readonly contentType: string;
  envelopes(options: CorpusOptions): Iterable<CorpusEnvelope>;
  /** Selects `stored`, `different` and `groups`. */
  readonly storedSql: string;
}

const envelope = { path: 'envelope/', contentType: 'text/plain;charset=UTF-8' } as const;

const errors = {
  ...envelope,
  ...countedErrors,
  unit: 'event',
  each: 1,
  storedSql: 'SELECT count() AS stored, uniqExact(event_id) AS different, uniqExact(group_hash) AS groups FROM errors',
} as const;

const spans = {
  ...envelope,
  unit: 'span',
  each: spansEach,
  categories: ['span'],
  storedSql:
    'SELECT count() AS stored, uniqExact(sipHash64(trace_id, span_id)) AS different, uniqExact(description_hash) AS groups FROM spans',
} as const;

export const kinds = {
  errors: { ...errors, envelopes: createCorpus },
  small: { ...errors, envelopes: createSmall },
  transactions: { ...spans, envelopes: createTransactions },
  slow: { ...spans, envelopes: createSlowTransactions },
  containers: { ...spans, envelopes: createContainers },
  otlp: {
    ...spans,
    each: otlpSpansEach,
    path: 'integration/otlp/v1/traces',
    contentType: 'application/x-protobuf',
    envelopes: createOtlp,
  },
  logs: {
    ...envelope,
    unit: 'log',
    each: logsEach,
    categories: ['log_item'],
    envelopes: createLogs,
    storedSql:
      'SELECT count() AS stored, uniqExact(sipHash64(trace_id, body)) AS different, uniqExact(level) AS groups FROM logs',
  },
  sessions: {
    ...envelope,
    unit: 'session',
    each: 1,
    categories: ['session'],
    envelopes: createSessions,
    storedSql:
      'SELECT count() AS stored, uniqExact(session) AS different, uniqExact(release) AS groups FROM sessions FINAL',
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name);

/** For `runLoad`: where a kind is sent to, and how. */
export const targetOf = (culprit: Culprit, { projectId, key }: Account, { path, contentType }: Kind) => ({
  url: `${culprit.url}/api/${projectId}/${path}`,
  key,
  contentType,
});
