/** A log of Sentry's SDKs: an entry of a container, with typed attributes. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { asCount, asObject, asText, type JsonObject } from '../../steps/json.ts';
import { levelOfNumber, levelOfWord, type LogInput, severityOf } from '../../steps/log/index.ts';
import { parseMicros, quoted, type SpanRemark, type SpanSender } from '../../steps/span/index.ts';
import { plainAttributes } from '../span/container.ts';
import { logProblems } from '../../../base/texts/events.ts';

export type ReadLog =
  | { readonly ok: true; readonly log: LogInput }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

const parentSpan = 'sentry.trace.parent_span_id';
const sequence = 'sentry.timestamp.sequence';

export function readLog(value: unknown, sender: SpanSender): ReadLog {
  const raw = asObject(value);
  if (!raw) return { ok: false, reason: 'not_an_object', detail: logProblems.notObject };
  const { body } = raw;
  if (body === undefined || body === null) return { ok: false, reason: 'no_body', detail: logProblems.noBody };
  const { [parentSpan]: named, [sequence]: order, ...attributes } = plainAttributes(asObject(raw.attributes) ?? {});
  // Rust's `tracing` says it so.
  const { parent_span_id: bare } = attributes;
  const parent = named ?? parseSpanId(bare);
  if (bare !== undefined && parent === bare) delete attributes.parent_span_id;
  const remarks: SpanRemark[] = [];
  return {
    ok: true,
    log: {
      traceId: idOf('trace_id', raw.trace_id, parseTraceId, remarks),
      spanId: idOf('span_id', raw.span_id ?? parent, parseSpanId, remarks),
      atUs: parseMicros(raw.timestamp),
      sequence: asCount(order) ?? 0,
      severity: severityIn(raw, remarks),
      body,
      attributes,
      sender: { ...sender, host: asText(attributes['service.name']) ?? hostIn(attributes) },
      remarks,
    },
  };
}

/** The SDKs' name for the machine; Go's has one of its own. */
const hostIn = (attributes: JsonObject): string | undefined =>
  asText(attributes['server.address']) ?? asText(attributes['sentry.server.address']);

function idOf(
  field: string,
  value: unknown,
  parse: (value: unknown) => string | undefined,
  remarks: SpanRemark[],
): string | undefined {
  const id = parse(value);
  if (id === undefined && value !== undefined && value !== null) {
    remarks.push({ field, what: 'invalid_data', was: quoted(value) });
  }
  return id;
}

/** The word counts where it is one of ours, then the number. */
function severityIn({ level, severity_number: number }: JsonObject, remarks: SpanRemark[]): LogInput['severity'] {
  const known = levelOfWord(level);
  if (known === undefined && levelOfNumber(number) === undefined) {
    remarks.push({ field: 'level', what: 'unknown_value', was: quoted(level) });
  }
  return severityOf(known, number);
}
