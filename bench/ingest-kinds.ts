/** What `ingest` can send, and how what is stored of it is counted. */
import { createCorpus, type CorpusEnvelope, type CorpusOptions } from './corpus.ts';
import { createContainers, createTransactions, spansEach } from './corpus/spans.ts';
import { type Counted, countedErrors } from './intake.ts';

export interface Kind extends Counted {
  readonly unit: 'event' | 'span';
  /** Units in one envelope. */
  readonly each: number;
  envelopes(options: CorpusOptions): Iterable<CorpusEnvelope>;
  /** Selects `stored`, `different` and `groups`. */
  readonly storedSql: string;
}

const spans = {
  unit: 'span',
  each: spansEach,
  categories: ['span'],
  storedSql:
    'SELECT count() AS stored, uniqExact(trace_id, span_id) AS different, uniqExact(description_hash) AS groups FROM spans',
} as const;

export const kinds = {
  errors: {
    ...countedErrors,
    unit: 'event',
    each: 1,
    envelopes: createCorpus,
    storedSql:
      'SELECT count() AS stored, uniqExact(event_id) AS different, uniqExact(group_hash) AS groups FROM errors',
  },
  transactions: { ...spans, envelopes: createTransactions },
  containers: { ...spans, envelopes: createContainers },
} as const satisfies Record<string, Kind>;

export const isKind = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name);
