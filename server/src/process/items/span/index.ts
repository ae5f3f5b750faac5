/** Spans outside a transaction: a container of them, or one alone as SDKs up to 10 send it. */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { decodeJson } from '../../steps/decode.ts';
import { asObject, type JsonObject } from '../../steps/json.ts';
import { AttributeList, clockShift, finishSpan, type SpanInput } from '../../steps/span/index.ts';
import { readOldSpan } from '../../steps/span/old-span.ts';
import type { CountedOutcome, ItemContext, ItemResult } from '../../types.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { keepRefused, RefusedEntries } from '../refused.ts';
import { spanProblems } from '../../../base/texts/events.ts';
import { containerItems, containerSender, type ReadSpan, readSpan, SharedEnd } from './container.ts';
import { parseShortened, type Shortened } from './shared-end.ts';

export const types = { span: processSpans } satisfies ItemTypes;

const category = 'span';
/** As ingestion lets through. */
const maxBytes = 12 * 1024 * 1024;
/** SDKs send at most 1,000. */
const maxSpans = 10_000;

function processSpans(item: ReceivedItem, context: ItemContext): ItemResult {
  return shortenedRows(item, context) ?? processWhole(item, context);
}

/** Nearly always; undefined where any of the spans is not as it should be. */
function shortenedRows(item: ReceivedItem, context: ItemContext): ItemResult | undefined {
  let shortened: Shortened | undefined;
  const decoded = decodeJson(item.payload, maxBytes, (text) => {
    shortened = parseShortened(text);
    return shortened?.value;
  });
  if (!decoded.ok || !shortened) return undefined;
  const { items = [], settings } = containerItems(shortened.value) ?? {};
  if (items.length > maxSpans) return undefined;
  const sender = containerSender(settings);
  const end = new SharedEnd(shortened.end);
  const spans: SpanInput[] = [];
  for (const entry of items) {
    const read = readSpan(entry, sender, end);
    if (!read.ok) return undefined;
    spans.push(read.span);
  }
  // A mark may stand for what is no span's.
  if (end.replaced !== shortened.count) return undefined;
  return { rows: { spans: finishRecords(spans, context) }, outcomes: [accepted(spans.length)] };
}

function processWhole(item: ReceivedItem, context: ItemContext): ItemResult {
  const decoded = decodeJson(item.payload, maxBytes);
  if (!decoded.ok) {
    return keepAside(item, context, category, { kind: 'invalid', reason: decoded.reason, detail: decoded.detail });
  }
  const container = containerItems(decoded.value);
  if (!container) return processOne(item, asObject(decoded.value), context);
  const { items } = container;
  if (items.length === 0)
    return { outcomes: [{ category, outcome: { kind: 'invalid', reason: 'empty' }, quantity: 1 }] };
  const sender = containerSender(container.settings);
  const spans: SpanInput[] = [];
  const refused = new RefusedEntries('spans');
  for (const entry of items.length > maxSpans ? items.slice(0, maxSpans) : items) {
    const read = readSpan(entry, sender);
    if (read.ok) spans.push(read.span);
    else refused.add(read, entry);
  }
  refused.cut(items.length - maxSpans);
  return {
    rows: { spans: finishRecords(spans, context) },
    kept: keepRefused(refused, context),
    outcomes: [...(spans.length === 0 ? [] : [accepted(spans.length)]), ...refused.outcomes()],
  };
}

const accepted = (quantity: number): CountedOutcome => ({ category, outcome: { kind: 'accepted' }, quantity });

function processOne(item: ReceivedItem, raw: JsonObject | undefined, context: ItemContext): ItemResult {
  const read: ReadSpan = raw ? readOne(raw) : { ok: false, reason: 'not_an_object', detail: spanProblems.notSpan };
  if (!read.ok)
    return keepAside(item, context, category, { kind: 'invalid', reason: read.reason, detail: read.detail });
  return { rows: { spans: finishRecords([read.span], context) }, outcomes: [accepted(1)] };
}

/** Alone it may not say of which segment it is: the page's, whose name stands in its data. */
function readOne(raw: JsonObject): ReadSpan {
  const read = readOldSpan(raw);
  if (!read.ok) return read;
  const { traceId, endUs, links, exclusiveUs, ...span } = read.span;
  if (traceId === undefined) return { ok: false, reason: 'bad_trace_id', detail: spanProblems.noTrace };
  if (endUs === undefined) return { ok: false, reason: 'no_end_timestamp', detail: spanProblems.noEnd };
  const own = Object.hasOwn(span.attributes, 'transaction') ? span.attributes.transaction : undefined;
  return {
    ok: true,
    span: {
      ...span,
      traceId,
      endUs,
      links,
      exclusiveUs,
      transaction: typeof own === 'string' ? own : undefined,
      sender: {
        ...oldSender(span.attributes),
        // Its SDKs expect the server to know who sent it.
        inferIp: true,
        inferUserAgent: true,
      },
    },
  };
}

/** The data of spans alone names what transactions have as fields. */
function oldSender(data: JsonObject): SpanInput['sender'] {
  const text = (name: string): string | undefined => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return { release: text('release'), environment: text('environment') };
}

/** One clock, and one name for each segment: its spans do not say where its name is from, the segment does. */
function finishRecords(spans: readonly SpanInput[], context: ItemContext): SpanRow[] {
  const { shiftUs, remark } = clockShift(
    spans.map(({ endUs }) => endUs),
    context,
  );
  const sources = new Map<string, unknown>();
  for (const { spanId, isSegment, attributes } of spans) {
    if (isSegment)
      sources.set(spanId, valueOf(attributes, 'sentry.segment.name.source') ?? valueOf(attributes, 'sentry.source'));
  }
  const head = context.trace?.transaction;
  return spans.map((span) => {
    const { source, clean } = span.isSegment ? {} : sourceOf(span.attributes, sources, head);
    return finishSpan(
      {
        ...span,
        startUs: span.startUs + shiftUs,
        endUs: span.endUs + shiftUs,
        transactionSource: source,
        transactionIsClean: clean,
        remarks: remark === undefined ? span.remarks : [remark, ...(span.remarks ?? [])],
      },
      context,
    );
  });
}

/** A segment in another envelope is not seen; SDKs name the head of a trace only where its name is no URL. */
function sourceOf(
  attributes: SpanInput['attributes'],
  sources: ReadonlyMap<string, unknown>,
  head: unknown,
): { source?: string; clean?: boolean } {
  if (valueOf(attributes, 'sentry.segment.name.source') !== undefined) return {};
  const known = sources.get(String(valueOf(attributes, 'sentry.segment.id')));
  if (typeof known === 'string') return { source: known };
  return { clean: typeof head === 'string' && head === valueOf(attributes, 'sentry.segment.name') };
}

const valueOf = (attributes: SpanInput['attributes'], name: string): unknown =>
  attributes instanceof AttributeList ? attributes.get(name) : attributes[name];
