/** One form for logs as SDKs send them and as rows hold them. */
import type { Json } from './json.ts';

export interface LogColumns {
  readonly body: string;
  readonly level: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly environment: string;
  readonly release: string;
  readonly origin: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly attributes: Json;
  readonly numbers: Json;
}

/** A row has numbers and texts; what is neither is kept as text. */
export const asKept = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);

export function neutralLog(log: Json): Json {
  const attributes = Object.entries(log.attributes as Record<string, { readonly value: unknown }>);
  return { level: log.level, ...Object.fromEntries(attributes.map(([name, { value }]) => [name, asKept(value)])) };
}

/** Some attributes have a column of their own. */
export const logAsSent = (row: LogColumns): Json => ({
  level: row.level,
  parent_span_id: row.span_id,
  'sentry.environment': row.environment,
  'sentry.release': row.release,
  'sentry.origin': row.origin,
  'sentry.sdk.name': row.sdk_name,
  'sentry.sdk.version': row.sdk_version,
  ...row.attributes,
  ...row.numbers,
});
