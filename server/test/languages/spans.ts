/** One form for spans as SDKs send them and as rows hold them. */
import { parseEnvelope } from '@culprit/envelope';
import type { LanguageFixture } from '../../../fixtures/index.ts';
import type { Rule } from './compare.ts';
import { object, type Json } from './json.ts';
import { asKept } from './logs.ts';
import { seconds } from './neutral.ts';

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
}

/** A transaction and its spans, in envelopes that say when they were sent: others are too old some day. */
export function spansOf({ meta, bytes }: LanguageFixture): Json[] {
  if (!meta.path.includes('/envelope/')) return [];
  const { header, items } = parseEnvelope(bytes);
  if (!header.sent_at) return [];
  return items.flatMap(({ type, payload }) => {
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
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, asKept(value)])),
  };
}

export const spanAsSent = ({ attributes, numbers, ...row }: SpanColumns): Json => ({
  ...row,
  attributes: { ...attributes, ...numbers },
});

export const spanRules: readonly Rule[] = [
  {
    name: 'named as OpenTelemetry does',
    because: 'Old names of attributes are mapped onto those of the semantic conventions.',
    holds: ({ pattern, before, to }) =>
      pattern.startsWith('attributes.') &&
      Object.values(object(to.attributes) ?? {}).some((value) => String(value) === String(before)),
  },
  {
    name: 'to the microsecond',
    because: 'Times are floating-point seconds; start and end are rounded each on its own.',
    holds: ({ pattern, before, after }) => pattern === 'duration_us' && Math.abs(Number(before) - Number(after)) <= 1,
  },
  {
    name: 'scrubbed',
    because: 'Secrets in addresses are removed before anything is stored.',
    holds: ({ after }) => typeof after === 'string' && after.includes('[Filtered]'),
  },
  {
    name: 'of the old protocol',
    because: 'Nobody reads whether a span is of the process of its parent: services tell.',
    holds: ({ pattern }) => pattern === 'same_process_as_parent',
  },
];
