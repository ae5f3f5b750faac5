/** From payload bytes to a transaction whose ids and times are good, and its spans. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { decodeJson } from '../../steps/decode.ts';
import type { Event } from '../../steps/event.ts';
import { asList, asObject, asText, type JsonObject } from '../../steps/json.ts';
import type { Remarks } from '../../steps/remarks.ts';
import { clockShift, parseMicros, type SpanRemark } from '../../steps/span/index.ts';
import { oldAttributes, type OldSpan, readLinks, readOldSpan } from '../../steps/span/old-span.ts';
import type { ItemContext } from '../../types.ts';
import { normalize } from '../event/parse.ts';
import { RefusedEntries } from '../refused.ts';
import { titles, transactionProblems } from '../../../base/texts/events.ts';

export interface Transaction {
  /** Everything about it but the trace: user, tags, request, SDK, …; not scrubbed yet. */
  readonly event: Event;
  readonly root: OldSpan & { readonly traceId: string; readonly endUs: number };
  readonly source: string;
  readonly spans: readonly OldSpan[];
  readonly refused: RefusedEntries;
  /** To be added to all times, µs. */
  readonly shiftUs: number;
  readonly remarks: readonly SpanRemark[];
}

export type ParsedTransaction =
  | { readonly ok: true; readonly transaction: Transaction }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

/** As much as ingestion lets through. */
const maxBytes = 12 * 1024 * 1024;
/** SDKs send at most 1,000. */
const maxSpans = 10_000;
const maxAgeUs = 5 * 86_400_000_000;
const unlabeled = titles.untitledTransaction;

const refuse = (reason: string, detail: string): ParsedTransaction => ({ ok: false, reason, detail });

export function parseTransaction(payload: Uint8Array, context: ItemContext, remarks: Remarks): ParsedTransaction {
  const decoded = decodeJson(payload, maxBytes);
  if (!decoded.ok) return decoded;
  const raw = asObject(decoded.value);
  if (!raw) return refuse('not_an_object', transactionProblems.notObject);
  const trace = asObject(asObject(raw.contexts)?.trace);
  if (!trace) return refuse('no_trace_context', transactionProblems.noTraceContext);
  const traceId = parseTraceId(trace.trace_id);
  if (traceId === undefined) return refuse('bad_trace_id', transactionProblems.noTrace);
  const spanId = parseSpanId(trace.span_id);
  if (spanId === undefined) return refuse('bad_span_id', transactionProblems.noId);
  const startUs = parseMicros(raw.start_timestamp);
  if (startUs === undefined) return refuse('no_start_timestamp', transactionProblems.noStart);
  const endUs = parseMicros(raw.timestamp);
  if (endUs === undefined) return refuse('no_timestamp', transactionProblems.noEnd);
  if (endUs < startUs) return refuse('end_before_start', transactionProblems.endBeforeStart);
  if (context.receivedAt * 1000 - endUs - driftUs(endUs, context) > maxAgeUs) {
    return refuse('too_old', transactionProblems.tooOld);
  }
  const { shiftUs, remark } = clockShift([endUs], context);
  const { spans, refused, noted } = readSpans(raw.spans);
  const root: Transaction['root'] = {
    traceId,
    spanId,
    parentSpanId: parseSpanId(trace.parent_span_id) ?? '',
    segmentId: spanId,
    isSegment: true,
    startUs,
    endUs,
    exclusiveUs: undefined,
    name: asText(raw.transaction)?.trim() || unlabeled,
    op: asText(trace.op),
    status: asText(trace.status),
    origin: asText(trace.origin),
    attributes: rootAttributes(raw, trace),
    links: readLinks(trace.links),
  };
  const transaction: Transaction = {
    event: normalize(surroundings(raw), payload, context, remarks),
    root,
    source: asText(asObject(raw.transaction_info)?.source) ?? '',
    spans,
    refused,
    shiftUs,
    remarks: [...(remark ? [remark] : []), ...noted],
  };
  return { ok: true, transaction };
}

/** What the sender's clock is off by; without `sent_at` nobody knows. */
function driftUs(endUs: number, context: ItemContext): number {
  if (context.sentAt === undefined) return 0;
  const { shiftUs, remark } = clockShift([endUs], context);
  return remark?.what === 'clock_drift' ? shiftUs : 0;
}

/** The trace's data, with the transaction's measurements. Tags come scrubbed from the event. */
function rootAttributes(raw: JsonObject, trace: JsonObject): JsonObject {
  return oldAttributes({ data: trace.data, measurements: raw.measurements, tags: trace.tags });
}

/** The payload as an event, without what spans hold and what only errors show. */
function surroundings(raw: JsonObject): JsonObject {
  const { contexts, spans: _spans, breadcrumbs: _crumbs, modules: _modules, debug_meta: _images, ...rest } = raw;
  const { trace: _trace, ...others } = asObject(contexts) ?? {};
  return { ...rest, contexts: others };
}

function readSpans(value: unknown): Pick<Transaction, 'spans' | 'refused'> & { noted: SpanRemark[] } {
  const list = asList(value) ?? [];
  const spans: OldSpan[] = [];
  const refused = new RefusedEntries('spans');
  for (const entry of list.length > maxSpans ? list.slice(0, maxSpans) : list) {
    const read = readOldSpan(entry);
    if (read.ok) spans.push(read.span);
    else refused.add(read, entry);
  }
  refused.cut(list.length - maxSpans);
  const noted = refused.reasons().map(([reason, count]) => ({ field: 'spans', what: reason, was: count }));
  return { spans, refused, noted };
}
