/** One form for logs as SDKs send them, as rows hold them and as the API shows them. */
import { idColumn } from '../../src/domains/logs/columns.ts';
import { asKept, attributeRules } from './attributes.ts';
import type { Rule } from './compare.ts';
import { object, type Json } from './json.ts';
import { seconds } from './neutral.ts';

export const logRows = `
  SELECT *, ${idColumn} AS id, toUnixTimestamp64Micro(timestamp) AS at_us,
    toUnixTimestamp64Micro(observed_at) AS observed_us
  FROM logs`;

export interface LogColumns {
  readonly id: string;
  readonly at_us: number;
  readonly observed_us: number;
  readonly body: string;
  readonly level: string;
  readonly severity_number: number;
  readonly trace_id: string;
  readonly span_id: string;
  readonly service: string;
  readonly environment: string;
  readonly release: string;
  readonly origin: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly attributes: Json;
  readonly numbers: Json;
}

/** Of a container of an SDK. */
export function neutralLog({ attributes, timestamp, severity_number, ...log }: Json): Json {
  const typed = Object.entries(attributes as Record<string, { readonly value: unknown }>);
  return {
    ...log,
    timestamp: Math.round(Number(seconds(timestamp)) * 1e6),
    severity_number,
    attributes: Object.fromEntries(typed.map(([name, { value }]) => [name, asKept(value)])),
  };
}

export const logAsSent = (row: LogColumns): Json => ({
  level: row.level,
  body: row.body,
  trace_id: row.trace_id,
  span_id: row.span_id,
  timestamp: Number(row.at_us),
  observed_at: Number(row.observed_us),
  severity_number: row.severity_number,
  service: row.service,
  environment: row.environment,
  release: row.release,
  origin: row.origin,
  sdk_name: row.sdk_name,
  sdk_version: row.sdk_version,
  attributes: { ...row.attributes, ...row.numbers },
});

export const shownLog = ({ attributes, numbers, sdk, ...log }: Json): Json => ({
  level: log.level,
  body: log.message,
  trace_id: log.traceId ?? '',
  span_id: log.spanId ?? '',
  timestamp: Math.round(Number(seconds(log.timestamp)) * 1e6),
  observed_at: Math.round(Number(seconds(log.dateObserved)) * 1e6),
  severity_number: log.severityNumber,
  service: log.service,
  environment: log.environment,
  release: log.release,
  origin: log.origin,
  sdk_name: object(sdk)?.name,
  sdk_version: object(sdk)?.version,
  attributes: { ...object(attributes), ...object(numbers) },
});

export const logRules: readonly Rule[] = [
  ...attributeRules,
  {
    name: 'the word of its level',
    because: 'What a logger calls its level is kept where it is another word.',
    holds: ({ pattern, before, to }) =>
      pattern === 'attributes.severity.text' && String(before).toLowerCase() === to.level,
  },
  {
    name: 'to the microsecond',
    because: 'Times are floating-point seconds.',
    holds: ({ pattern, before, after }) => pattern === 'timestamp' && Math.abs(Number(before) - Number(after)) <= 1,
  },
];
