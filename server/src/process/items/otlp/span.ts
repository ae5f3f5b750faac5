/** A span of OTLP in the shape that all senders' spans share. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { Nanos } from '../../../base/otlp/index.ts';
import { asCount, asList, asObject, type JsonObject } from '../../steps/json.ts';
import {
  type AttributeList,
  quoted,
  type SpanInput,
  type SpanLink,
  type SpanMoment,
  type SpanRemark,
} from '../../steps/span/index.ts';
import { plainAttributes, withOwn } from './any-value.ts';
import type { Shared } from './owner.ts';

/** Links and events of a span that are looked at; fewer are stored. */
const maxParts = 1_000;

const hasIsRemote = 0x100;
const isRemote = 0x200;

const kinds = ['', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** A span with what its exceptions need besides. */
export interface OtlpSpan {
  readonly input: SpanInput & { readonly attributes: AttributeList };
  /** Of the resource alone. */
  readonly resource: JsonObject;
}

/** `shiftUs` of the clock is still to come. Ids may be missing or wrong: see `spanFault`. */
export function readSpan(record: JsonObject, { resource, common, cut }: Shared): OtlpSpan {
  const remarks: SpanRemark[] = [];
  if (cut > 0) remarks.push({ field: 'resource', what: 'cut', was: cut });
  const attributes = withOwn(common, record.attributes);
  noteDropped(record, remarks);
  const parentSpanId = parentOf(record, remarks);
  const status = asObject(record.status);
  const startUs = toMicros(record.startTimeUnixNano);
  // A span that was never ended has no end; one without a start is a moment.
  const endUs = toMicros(record.endTimeUnixNano) || startUs;
  const input: OtlpSpan['input'] = {
    traceId: parseTraceId(record.traceId) ?? '',
    spanId: parseSpanId(record.spanId) ?? '',
    parentSpanId,
    isSegment: isSegment(record, parentSpanId),
    startUs: startUs || endUs,
    endUs,
    name: typeof record.name === 'string' ? record.name : '',
    transactionSource: sourceOf(attributes),
    status: statusOf(status?.code, remarks),
    statusMessage: typeof status?.message === 'string' && status.message !== '' ? status.message : undefined,
    kind: kindOf(record.kind, remarks),
    attributes,
    links: linksOf(record, remarks),
    events: momentsOf(record, remarks),
    remarks,
  };
  return { input, resource };
}

/** Nanoseconds since the epoch as µs; 0 for none. Texts have up to 20 digits, and numbers have lost their last ones. */
export function toMicros(value: unknown): number {
  if (value instanceof Nanos) return value.micros;
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? Math.floor(value / 1000) : 0;
  if (typeof value !== 'string' || !/^\d{4,20}$/.test(value)) return 0;
  return Number(value.slice(0, -3));
}

function parentOf(record: JsonObject, remarks: SpanRemark[]): string | undefined {
  const { parentSpanId } = record;
  const parsed = parseSpanId(parentSpanId);
  // Exporters write "no parent" as nothing, as '' or as zeros.
  const isNamed = typeof parentSpanId === 'string' && !/^0*$/.test(parentSpanId);
  if (isNamed && parsed === undefined) {
    remarks.push({ field: 'parent_span_id', what: 'invalid_data', was: quoted(parentSpanId) });
  }
  return parsed;
}

/** The first span of its service: one without a parent, or whose parent is in another process. */
function isSegment(record: JsonObject, parentSpanId: string | undefined): boolean {
  if (parentSpanId === undefined) return true;
  const flags = asCount(record.flags) ?? 0;
  if (flags & hasIsRemote) return (flags & isRemote) !== 0;
  // Older exporters do not say. What a service receives begins its part of the trace.
  const kind = kindNumber(record.kind);
  return kind === 2 || kind === 5;
}

function sourceOf(attributes: AttributeList): string | undefined {
  return typeof attributes.get('http.route') === 'string' ? 'route' : undefined;
}

function statusOf(code: unknown, remarks: SpanRemark[]): string | undefined {
  if (code === 1 || code === 'STATUS_CODE_OK') return 'ok';
  if (code === 2 || code === 'STATUS_CODE_ERROR') return 'error';
  if (code !== undefined && code !== 0 && code !== 'STATUS_CODE_UNSET') {
    remarks.push({ field: 'status', what: 'invalid_data', was: quoted(code) });
  }
  return undefined;
}

function kindOf(value: unknown, remarks: SpanRemark[]): string | undefined {
  const kind = kinds[kindNumber(value)];
  if (kind === undefined) {
    remarks.push({ field: 'kind', what: 'invalid_data', was: quoted(value) });
  }
  return kind === '' ? undefined : kind;
}

/** -1 for what is none. */
function kindNumber(value: unknown): number {
  if (value === undefined || value === 'SPAN_KIND_UNSPECIFIED') return 0;
  if (typeof value === 'string') return kinds.findIndex((kind) => kind && value === `SPAN_KIND_${kind.toUpperCase()}`);
  return typeof value === 'number' ? value : -1;
}

function noteDropped(record: JsonObject, remarks: SpanRemark[]): void {
  for (let index = 0; index < droppedCounts.length; index++) {
    const [field, name] = droppedCounts[index] ?? ['', ''];
    const count = asCount(record[name]);
    if (count) remarks.push({ field, what: 'dropped_by_sender', was: count });
  }
}

const droppedCounts = [
  ['attributes', 'droppedAttributesCount'],
  ['events', 'droppedEventsCount'],
  ['links', 'droppedLinksCount'],
] as const;

const none: never[] = [];

function linksOf(record: JsonObject, remarks: SpanRemark[]): SpanLink[] {
  if (record.links === undefined) return none;
  return partsOf(record, 'links', remarks).flatMap((link) => {
    const traceId = parseTraceId(link.traceId);
    const spanId = parseSpanId(link.spanId);
    return traceId && spanId ? [{ traceId, spanId, attributes: plainAttributes(link.attributes) }] : [];
  });
}

function momentsOf(record: JsonObject, remarks: SpanRemark[]): SpanMoment[] {
  if (record.events === undefined) return none;
  return partsOf(record, 'events', remarks).map((event) => ({
    name: typeof event.name === 'string' ? event.name : '',
    atUs: toMicros(event.timeUnixNano),
    attributes: plainAttributes(event.attributes),
  }));
}

function partsOf(record: JsonObject, field: 'links' | 'events', remarks: SpanRemark[]): JsonObject[] {
  const list = asList(record[field]) ?? [];
  if (list.length > maxParts) remarks.push({ field, what: 'cut', was: list.length });
  return list
    .slice(0, maxParts)
    .map(asObject)
    .filter((part) => part !== undefined);
}
