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
  const { [parentSpan]: parent, [sequence]: order, ...attributes } = plainAttributes(asObject(raw.attributes) ?? {});
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
      // The SDKs' name for the machine, where nobody names the service.
      sender: { ...sender, service: asText(attributes['service.name']) ?? asText(attributes['server.address']) },
      remarks,
    },
  };
}

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
