/**
 * Exceptions in log records become error events where the project asks for it: loggers of OpenTelemetry add type, message
 * and stack to the record of `log.exception(…)`.
 */
import type { LogRow } from '../../../base/tables/logs.ts';
import { asText, type JsonObject } from '../../steps/json.ts';
import type { LogInput } from '../../steps/log/index.ts';
import { platformOfLanguage } from '../../steps/span/index.ts';
import type { ItemContext, ItemResult } from '../../types.ts';
import { distinct, finishErrors, readOnce, type RecordedError, textsOf } from './error.ts';

const levels: Readonly<Record<string, string>> = { trace: 'debug', warn: 'warning' };

/** `rows` are those of `logs`, in the same order. */
export function exceptionsOfLogs(logs: readonly LogInput[], rows: readonly LogRow[], context: ItemContext): ItemResult {
  const recorded: RecordedError[] = [];
  for (const [index, { attributes }] of logs.entries()) {
    const row = rows[index];
    const isTold = 'exception.type' in attributes || 'exception.stacktrace' in attributes;
    if (!row || !isTold || isOfSentry(attributes)) continue;
    const texts = textsOf(attributes);
    const platform = platformOfLanguage(asText(attributes['telemetry.sdk.language']) ?? '');
    recorded.push({
      by: 'opentelemetry.log',
      traceId: row.trace_id,
      spanId: row.span_id,
      platform,
      atUs: row.timestamp,
      place: row.sequence,
      handled: undefined,
      texts,
      read: readOnce(texts, platform),
      event: () => eventOf(attributes, row),
    });
  }
  const all = distinct(recorded, (one, other) => one.atUs < other.atUs);
  return finishErrors(all, context);
}

function isOfSentry(attributes: Readonly<JsonObject>): boolean {
  if (asText(attributes['telemetry.sdk.name'])?.startsWith('sentry')) return true;
  return Object.keys(attributes).some((name) => name.startsWith('sentry.'));
}

function eventOf(attributes: Readonly<JsonObject>, row: LogRow): JsonObject {
  const { trace_id, span_id } = row;
  return {
    timestamp: row.timestamp / 1_000_000,
    level: levels[row.level] ?? row.level,
    logger: attributes['otel.scope.name'] ?? 'opentelemetry',
    logentry: row.body === '' ? undefined : { formatted: row.body },
    release: row.release || undefined,
    environment: row.environment || undefined,
    server_name: attributes['host.name'],
    contexts: trace_id === '' ? undefined : { trace: { trace_id, span_id: span_id || undefined } },
    tags: row.service === '' ? {} : { service: row.service },
    sdk: { name: row.sdk_name || 'opentelemetry', version: row.sdk_version || undefined },
  };
}
