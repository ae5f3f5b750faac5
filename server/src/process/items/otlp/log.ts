/** A log record of OTLP in the shape that all senders' logs share. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { asCount, asText, type JsonObject } from '../../steps/json.ts';
import { levelOfNumber, levelOfWord, type LogInput, severityOf } from '../../steps/log/index.ts';
import { quoted, type SpanRemark } from '../../steps/span/index.ts';
import { plainAttributes, plainValue } from './any-value.ts';
import type { Shared } from './owner.ts';
import { toMicros } from './span.ts';

export function readLog(record: JsonObject, { resource, scope, cut }: Shared): LogInput {
  const remarks: SpanRemark[] = [];
  if (cut > 0) remarks.push({ field: 'resource', what: 'cut', was: cut });
  const dropped = asCount(record.droppedAttributesCount);
  if (dropped) remarks.push({ field: 'attributes', what: 'dropped_by_sender', was: dropped });
  const attributes: JsonObject = Object.assign(
    Object.create(null),
    resource,
    scope,
    plainAttributes(record.attributes),
  );
  const word = asText(record.severityText);
  const severity = severityIn(record.severityNumber, word);
  // What the logger calls it is worth keeping only where it is another word.
  if (word !== undefined && word.toLowerCase() !== severity.level) attributes['severity.text'] = word.slice(0, 64);
  if (typeof record.eventName === 'string' && record.eventName !== '') attributes['event.name'] = record.eventName;
  const observedUs = toMicros(record.observedTimeUnixNano) || undefined;
  const body = plainValue(record.body);
  return {
    traceId: idOf('trace_id', record.traceId, parseTraceId, remarks),
    spanId: idOf('span_id', record.spanId, parseSpanId, remarks),
    atUs: toMicros(record.timeUnixNano) || observedUs,
    observedUs,
    sequence: nanosOf(record.timeUnixNano),
    severity,
    // Events have a name and attributes, and need no body.
    body: body ?? attributes['event.name'] ?? '',
    attributes,
    remarks,
  };
}

/** Numbers of JSON may stand as names of the enumeration: SEVERITY_NUMBER_ERROR2. */
function severityIn(value: unknown, word: string | undefined): LogInput['severity'] {
  const named = typeof value === 'string' ? /^SEVERITY_NUMBER_([A-Z]{4,5})([2-4])?$/.exec(value) : null;
  if (named) {
    const severity = severityOf(levelOfWord(named[1]), undefined);
    return severity.number > 0 ? { ...severity, number: severity.number + Number(named[2] ?? 1) - 1 } : severity;
  }
  return severityOf(levelOfNumber(value) ?? levelOfWord(word), value);
}

/** Exporters write "no span" as nothing, as '' or as zeros. */
function idOf(
  field: string,
  value: unknown,
  parse: (value: unknown) => string | undefined,
  remarks: SpanRemark[],
): string | undefined {
  const id = parse(value);
  if (id === undefined && typeof value === 'string' && !/^0*$/.test(value)) {
    remarks.push({ field, what: 'invalid_data', was: quoted(value) });
  }
  return id;
}

/** Nanoseconds beyond the µs, 0 to 999. */
function nanosOf(value: unknown): number {
  return typeof value === 'string' && /^\d{4,20}$/.test(value) ? Number(value.slice(-3)) : 0;
}
