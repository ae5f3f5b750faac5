/** Spans as SDKs up to 10 send them: inside a transaction, or alone in an item of their own. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { asBoolean, asList, asObject, asPairs, asText, type JsonObject } from '../json.ts';
import { spanProblems } from '../../../base/texts/events.ts';
import { parseMicros } from './clock.ts';
import type { SpanLink } from './input.ts';
import { addMeasurements } from './measurements.ts';

export interface OldSpan {
  readonly traceId: string | undefined;
  readonly spanId: string;
  /** '' for none. */
  readonly parentSpanId: string;
  readonly segmentId: string | undefined;
  readonly isSegment: boolean;
  /** By the sender's clock. */
  readonly startUs: number;
  /** Undefined for a span that was still open. */
  readonly endUs: number | undefined;
  readonly exclusiveUs: number | undefined;
  readonly name: string;
  readonly op: string | undefined;
  readonly status: string | undefined;
  readonly origin: string | undefined;
  readonly attributes: JsonObject;
  readonly links: readonly SpanLink[];
}

export type ReadOldSpan =
  | { readonly ok: true; readonly span: OldSpan }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

const refused = (reason: string, detail: string): ReadOldSpan => ({ ok: false, reason, detail });

export function readOldSpan(value: unknown): ReadOldSpan {
  const raw = asObject(value);
  if (!raw) return refused('not_an_object', spanProblems.notObject);
  const spanId = parseSpanId(raw.span_id);
  if (spanId === undefined) return refused('bad_span_id', spanProblems.noId);
  const startUs = parseMicros(raw.start_timestamp);
  if (startUs === undefined) return refused('no_start_timestamp', spanProblems.noStart);
  const exclusiveMs =
    typeof raw.exclusive_time === 'number' && raw.exclusive_time >= 0 ? raw.exclusive_time : undefined;
  return {
    ok: true,
    span: {
      traceId: parseTraceId(raw.trace_id),
      spanId,
      parentSpanId: parseSpanId(raw.parent_span_id) ?? '',
      segmentId: parseSpanId(raw.segment_id),
      isSegment: asBoolean(raw.is_segment) ?? false,
      startUs,
      endUs: parseMicros(raw.timestamp ?? raw.end_timestamp),
      exclusiveUs: exclusiveMs === undefined ? undefined : Math.round(exclusiveMs * 1000),
      name: asText(raw.description) ?? '',
      op: asText(raw.op),
      status: asText(raw.status),
      origin: asText(raw.origin),
      attributes: oldAttributes(raw),
      links: readLinks(raw.links),
    },
  };
}

/** Data, then measurements and tags under their own names where the data has none of that name. */
export function oldAttributes(raw: JsonObject): JsonObject {
  const attributes = asObject(raw.data) ?? {};
  addMeasurements(attributes, raw.measurements);
  addTags(attributes, raw.tags);
  return attributes;
}

const maxTags = 200;

export function addTags(attributes: JsonObject, tags: unknown): void {
  let count = 0;
  for (const [key, value] of asPairs(tags)) {
    if (++count > maxTags) break;
    if (key !== '__proto__' && !Object.hasOwn(attributes, key)) attributes[key] = value;
  }
}

/** Links with bad ids are left out. Attributes are plain here; `plain` reads those that are not. */
export function readLinks(value: unknown, plain: (attributes: JsonObject) => JsonObject = (same) => same): SpanLink[] {
  const links: SpanLink[] = [];
  for (const entry of asList(value) ?? []) {
    if (links.length > 100) break;
    const raw = asObject(entry);
    const traceId = parseTraceId(raw?.trace_id);
    const spanId = parseSpanId(raw?.span_id);
    if (traceId === undefined || spanId === undefined) continue;
    links.push({ traceId, spanId, attributes: plain(asObject(raw?.attributes) ?? {}) });
  }
  return links;
}
