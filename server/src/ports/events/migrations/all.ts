/** The migrations of the events store: what lies beside this file. Written by scripts/lists.ts. */
import { migration as errors } from './0001-errors.ts';
import { migration as issueAggregates } from './0002-issue-aggregates.ts';
import { migration as outcomesItems } from './0003-outcomes-items.ts';
import { migration as issueLives } from './0004-issue-lives.ts';
import { migration as revisions } from './0005-revisions.ts';
import { migration as spans } from './0006-spans.ts';
import { migration as spanAggregates } from './0007-span-aggregates.ts';
import { migration as logs } from './0008-logs.ts';
import { migration as problems } from './0009-problems.ts';
import { migration as segments } from './0010-segments.ts';
import { migration as traceIndex } from './0011-trace-index.ts';
import { migration as frames } from './0012-frames.ts';
import { migration as errorTexts } from './0013-error-texts.ts';
import { migration as sessions } from './0014-sessions.ts';
import { migration as facts } from './0015-facts.ts';
import { migration as payloadPlaces } from './0016-payload-places.ts';
import { migration as spanBuckets } from './0017-span-buckets.ts';
import { migration as issueRanks } from './0018-issue-ranks.ts';
import { migration as fewerViews } from './0019-fewer-views.ts';
import { migration as searchIndexes } from './0020-search-indexes.ts';
import { migration as errorTraces } from './0021-error-traces.ts';
import { migration as standsFor } from './0022-stands-for.ts';
import { migration as outcomeKeys } from './0023-outcome-keys.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  errors,
  issueAggregates,
  outcomesItems,
  issueLives,
  revisions,
  spans,
  spanAggregates,
  logs,
  problems,
  segments,
  traceIndex,
  frames,
  errorTexts,
  sessions,
  facts,
  payloadPlaces,
  spanBuckets,
  issueRanks,
  fewerViews,
  searchIndexes,
  errorTraces,
  standsFor,
  outcomeKeys,
];
