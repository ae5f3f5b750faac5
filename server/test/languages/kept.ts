/** Items that no page shows yet, which are kept as they came. */
import { parseEnvelope } from '@culprit/envelope';
import type { LanguageFixture } from '../../../fixtures/index.ts';
import type { Rule } from './compare.ts';
import { object, type Json } from './json.ts';
import { otlpMetric, recordsOf } from './otlp.ts';

export interface KeptColumns {
  readonly item_type: string;
  readonly category: string;
  readonly outcome: string;
  readonly payload: string;
  /** What was wrong with it. */
  readonly detail: string;
}

const types = new Set(['check_in', 'profile', 'profile_chunk', 'trace_metric']);

/** Of the SDKs, by their types. */
export function keptOf({ meta, bytes }: LanguageFixture): { readonly type: string; readonly sent: Json }[] {
  if (!meta.path.includes('/envelope/')) return [];
  return parseEnvelope(bytes).items.flatMap(({ type, payload }) =>
    types.has(type) ? [{ type, sent: JSON.parse(Buffer.from(payload).toString()) as Json }] : [],
  );
}

export const metricsOf = (fixture: LanguageFixture): Json[] => recordsOf(fixture, 'metrics').map(otlpMetric);

/** Each record with its resource and scope. */
export const metricsKept = ({ payload }: KeptColumns): Json[] =>
  (JSON.parse(payload) as { groups: Json[] }).groups.flatMap(({ resource, scope, records }) =>
    (records as Json[]).map((record) => ({ resource, scope, record })),
  );

export const keptRules: readonly Rule[] = [
  {
    name: 'scrubbed',
    because: 'Secrets and addresses are taken out of all that is stored.',
    holds: ({ after }) => typeof after === 'string' && (after.includes('[Filtered]') || after === '[ip]'),
  },
  {
    name: 'nothing said',
    because: 'null says as much as no field.',
    holds: ({ before, after }) => before === null && (after === undefined || after === null),
  },
];

/** What tells one of its like from another. */
export function nameOf(sent: Json): string {
  const [first] = (sent.items ?? []) as Json[];
  const { check_in_id, status, profile_id, event_id } = sent;
  return [first?.timestamp, check_in_id, status, profile_id ?? event_id].filter(Boolean).join(' ');
}

export function nameOfMetric({ scope, record }: Json): string {
  const { name, ...kinds } = record as Json;
  const points = Object.values(kinds).flatMap((kind) => (object(kind)?.dataPoints ?? []) as Json[]);
  return [object(scope)?.name, name, ...points.map(({ timeUnixNano }) => timeUnixNano)].join(' ');
}
