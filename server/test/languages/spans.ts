/** One form for spans as SDKs send them and as rows hold them. */
import { parseEnvelope } from '@culprit/envelope';
import type { LanguageFixture } from '../../../fixtures/index.ts';
import { asKept, attributeRules } from './attributes.ts';
import type { Rule } from './compare.ts';
import { object, type Json } from './json.ts';
import { seconds } from './neutral.ts';

export const spanRows =
  'SELECT * REPLACE (toUnixTimestamp64Micro(started_at) AS started_at, toUnixTimestamp64Milli(received_at) AS received_at) FROM spans';

export interface SpanColumns {
  readonly span_id: string;
  readonly trace_id: string;
  readonly parent_span_id: string;
  readonly is_segment: number;
  readonly duration_us: number;
  readonly op: string;
  readonly name: string;
  readonly transaction: string;
  readonly status: string;
  readonly origin: string;
  readonly environment: string;
  readonly release: string;
  readonly platform: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly attributes: Json;
  readonly numbers: Json;
  readonly started_at: number | string;
  readonly events: string;
  readonly links: string;
  readonly remarks: string;
}

/** A transaction and its spans, and those of containers. */
export function spansOf({ meta, bytes }: LanguageFixture): Json[] {
  if (!meta.path.includes('/envelope/')) return [];
  return parseEnvelope(bytes).items.flatMap(({ type, payload }) => {
    if (type === 'span') return containedIn(JSON.parse(Buffer.from(payload).toString()) as Json);
    if (type !== 'transaction') return [];
    const sent = JSON.parse(Buffer.from(payload).toString()) as Json;
    const { environment, release, platform, sdk, contexts, measurements } = sent;
    const whole = { transaction: sent.transaction, environment, release };
    const root = {
      ...object(object(contexts)?.trace),
      ...whole,
      platform,
      sdk,
      measurements,
      description: sent.transaction,
      start_timestamp: sent.start_timestamp,
      timestamp: sent.timestamp,
      tags: sent.tags,
    };
    return [root, ...((sent.spans ?? []) as Json[]).map((span) => ({ ...span, ...whole }))];
  });
}

/** Their attributes say of which type they are. */
const containedIn = ({ items }: Json): Json[] =>
  (items as Json[]).map(({ attributes, name, end_timestamp: timestamp, ...span }) => {
    const typed = Object.entries(attributes as Record<string, Json>).map(([key, { value }]) => [key, value]);
    return { ...span, timestamp, description: name, data: Object.fromEntries(typed) as Json };
  });

export function neutralSpan(span: Json): Json {
  const { data, tags, sdk, measurements, start_timestamp: from, timestamp: to, ...rest } = span;
  const { description, ...columns } = rest;
  const named = Array.isArray(tags) ? Object.fromEntries(tags as [string, unknown][]) : object(tags);
  const measured = Object.entries(object(measurements) ?? {}).map(([name, one]) => [name, object(one)?.value]);
  const attributes = { ...object(data), ...named, ...Object.fromEntries(measured) };
  return {
    ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)),
    name: description ?? '',
    duration_us: Math.round((Number(seconds(to)) - Number(seconds(from))) * 1e6),
    sdk_name: object(sdk)?.name,
    sdk_version: object(sdk)?.version,
    // One that is null says as much as none.
    attributes: Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, asKept(value)]])),
    ),
  };
}

export const spanAsSent = ({ attributes, numbers, events, links, ...row }: SpanColumns): Json => ({
  ...row,
  started_at: Number(row.started_at),
  duration_us: Number(row.duration_us),
  is_segment: row.is_segment === 1,
  attributes: { ...attributes, ...numbers },
  events: events ? (JSON.parse(events) as unknown) : [],
  links: links ? (JSON.parse(links) as unknown) : [],
  remarks: row.remarks ? (JSON.parse(row.remarks) as unknown) : [],
});

export const shownSpan = ({ sdk, attributes, numbers, events, links, ...span }: Json): Json => ({
  project_id: Number(span.projectId),
  received_at: Date.parse(String(span.dateReceived)),
  span_id: span.id,
  trace_id: span.traceId,
  parent_span_id: span.parentId ?? '',
  segment_id: span.segmentId ?? '',
  is_segment: span.segment,
  started_at: span.startUs,
  duration_us: span.durationUs,
  exclusive_us: span.exclusiveUs ?? -1,
  op: span.op,
  name: span.name,
  description: span.description,
  transaction: span.transaction,
  transaction_source: span.transactionSource,
  status: span.status,
  failed: span.failed === true ? 1 : 0,
  kind: span.kind,
  origin: span.origin,
  service: span.service,
  platform: span.platform,
  environment: span.environment,
  release: span.release,
  dist: span.dist,
  user: span.user,
  sdk_name: object(sdk)?.name,
  sdk_version: object(sdk)?.version,
  attributes: { ...object(attributes), ...object(numbers) },
  events: (events as Json[]).map(({ atUs, ...event }) => ({ ...event, at_us: atUs })),
  links: (links as Json[]).map((link) => ({ ...link, trace_id: link.traceId, span_id: link.spanId })),
  remarks: span.remarks,
});

/** The API's own way to show. */
export const spanShowing: readonly Rule[] = [
  {
    name: 'for grouping alone',
    because: 'It is the hash of the description that is shown.',
    holds: ({ pattern }) => pattern === 'description_hash',
  },
];

export const spanRules: readonly Rule[] = [
  ...attributeRules,
  {
    name: 'to the microsecond',
    because: 'Times are floating-point seconds; start and end are rounded each on its own.',
    holds: ({ pattern, before, after }) => pattern === 'duration_us' && Math.abs(Number(before) - Number(after)) <= 1,
  },
  {
    name: 'how it failed',
    because: 'A span that says no more than that it failed tells by the answer of its request how.',
    holds: ({ pattern, before, after, to }) =>
      pattern === 'status' &&
      String(before).endsWith('error') &&
      after !== 'ok' &&
      object(to.attributes)?.['http.response.status_code'] !== undefined,
  },
  {
    name: 'of the old protocol',
    because:
      'Nobody reads whether a span is of the process of its parent, for services tell; nor that a context of a trace is one, or how spans are sent.',
    holds: ({ pattern, before }) =>
      pattern === 'same_process_as_parent' ||
      (pattern === 'type' && before === 'trace') ||
      pattern === 'attributes.sentry.trace_lifecycle',
  },
];
