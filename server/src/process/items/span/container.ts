/** Containers of spans, as SDK 11 sends them: typed attributes, and no transaction around the spans. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { asBoolean, asList, asObject, asText, type JsonObject } from '../../steps/json.ts';
import {
  AttributeList,
  parseMicros,
  quoted,
  spanFault,
  type SpanInput,
  type SpanSender,
} from '../../steps/span/index.ts';
import { readLinks } from '../../steps/span/old-span.ts';
import { spanProblems } from '../../../base/texts/events.ts';
import { endMark } from './shared-end.ts';

export type ReadSpan =
  | { readonly ok: true; readonly span: SpanInput }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

const refused = (reason: string, detail: string): ReadSpan => ({ ok: false, reason, detail });

/** What the sender asks the server to add. Without settings nothing. */
export function containerSender(settings: unknown): SpanSender {
  const { infer_ip: ip, infer_user_agent: userAgent } = asObject(settings) ?? {};
  return { inferIp: ip === 'auto', inferUserAgent: userAgent === 'auto' };
}

/** Times are the sender's. */
export function readSpan(value: unknown, sender: SpanSender, end?: SharedEnd): ReadSpan {
  const raw = asObject(value);
  if (!raw) return refused('not_an_object', spanProblems.notObject);
  const traceId = parseTraceId(raw.trace_id);
  const spanId = parseSpanId(raw.span_id);
  if (traceId === undefined || spanId === undefined) {
    const { reason, detail } = spanFault({ traceId, spanId }) ?? { reason: 'bad_span_id', detail: '' };
    return refused(reason, detail);
  }
  const startUs = parseMicros(raw.start_timestamp);
  if (startUs === undefined) return refused('no_start_timestamp', spanProblems.noStart);
  const endUs = parseMicros(raw.end_timestamp);
  if (endUs === undefined) return refused('no_end_timestamp', spanProblems.noEnd);
  const said = asText(raw.status)?.toLowerCase();
  const status = said === undefined || said === 'ok' || said === 'error' || said === 'unset' ? said : 'unknown';
  const parentSpanId = parseSpanId(raw.parent_span_id);
  return {
    ok: true,
    span: {
      traceId,
      spanId,
      parentSpanId: parentSpanId === spanId ? undefined : parentSpanId,
      isSegment: asBoolean(raw.is_segment) ?? false,
      startUs,
      endUs,
      name: asText(raw.name) ?? '',
      status,
      kind: asText(raw.kind),
      attributes: listed(asObject(raw.attributes) ?? {}, end),
      links: readLinks(raw.links, plainAttributes),
      sender,
      remarks: [
        ...(status === said ? [] : [{ field: 'status', what: 'unknown_value', was: quoted(raw.status) }]),
        ...(parentSpanId === spanId ? [{ field: 'parent_span_id', what: 'parent_cycle', was: spanId }] : []),
      ],
    },
  };
}

const maxAttributes = 20_000;

export function plainAttributes(typed: JsonObject): JsonObject {
  const plain: JsonObject = {};
  let count = 0;
  for (const key in typed) {
    if (++count > maxAttributes) break;
    if (key !== '__proto__') plain[key] = plainValue(typed[key]);
  }
  return plain;
}

/** The attributes that spans of a container end with, where a mark stands for them. */
export class SharedEnd {
  readonly list: AttributeList;
  /** How many marks were replaced. */
  replaced = 0;

  constructor(typed: JsonObject) {
    this.list = listed(typed);
  }
}

/** The same as a list. */
function listed(typed: JsonObject, end?: SharedEnd): AttributeList {
  const list = new AttributeList();
  let count = 0;
  for (const key in typed) {
    if (++count > maxAttributes) break;
    if (key === endMark && end) {
      list.append(end.list);
      end.replaced++;
    } else if (key !== '__proto__') list.add(key, plainValue(typed[key]));
  }
  return list;
}

/** `{value, type, unit}` as the value alone; values that stand bare are taken as they are. */
function plainValue(entry: unknown): unknown {
  const object = asObject(entry);
  return object && Object.hasOwn(object, 'value') ? valueOf(object) : entry;
}

/** Whole numbers may come as text, where JSON could not hold them; those that JavaScript cannot hold stay text. */
function valueOf({ value, type }: JsonObject): unknown {
  if (typeof value !== 'string' || (type !== 'integer' && type !== 'double')) return value;
  if (!/^-?\d{1,20}(?:\.\d{1,20})?$/.test(value)) return value;
  const number = Number(value);
  return type === 'double' || Number.isSafeInteger(number) ? number : value;
}

export function containerItems(value: unknown): { items: readonly unknown[]; settings: unknown } | undefined {
  const object = asObject(value);
  const items = asList(object?.items);
  return object && items ? { items, settings: object.ingest_settings } : undefined;
}
