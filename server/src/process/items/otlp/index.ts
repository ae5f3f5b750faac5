/** Requests of OpenTelemetry's protocol: spans and logs become rows, exceptions of spans become events, metrics are kept. */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { OtlpError, type Signal, signals } from '../../../base/otlp/index.ts';
import { asCount } from '../../steps/json.ts';
import { finishRecords } from '../../steps/log/index.ts';
import { clockShift, finishSpan, type SpanInput, spanFault } from '../../steps/span/index.ts';
import type { CountedOutcome, ItemContext, ItemResult } from '../../types.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { exceptionsOf } from './exceptions.ts';
import { keepMetrics, plainRecord } from './kept.ts';
import { readLog } from './log.ts';
import { exceptionsOfLogs } from './log-exceptions.ts';
import { readOwner, type Shared } from './owner.ts';
import { type Bad, type Owner, readRequest, type Request } from './read.ts';
import { segmentsOf } from './segments.ts';
import { type OtlpSpan, readSpan } from './span.ts';

const category = { traces: 'span', logs: 'log_item', metrics: 'trace_metric' } as const;
/** Records of a request that are kept with the reason why they could not be read. */
const maxKeptAside = 10;

export const types = {
  [signals.traces.itemType]: (item, context) => processOtlp('traces', item, context),
  [signals.logs.itemType]: (item, context) => processOtlp('logs', item, context),
  [signals.metrics.itemType]: (item, context) => processOtlp('metrics', item, context),
} satisfies ItemTypes;

function processOtlp(signal: Signal, item: ReceivedItem, context: ItemContext): ItemResult {
  const form = item.header.form === 'json' ? 'json' : 'protobuf';
  const take = asCount(item.header.take) ?? 1;
  let request: Request;
  try {
    request = readRequest({ signal, form, payload: item.payload, take });
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error;
    const outcome = { kind: 'invalid', reason: 'invalid_otlp', detail: error.message } as const;
    return {
      ...keepAside(item, context, category[signal], outcome),
      outcomes: [{ category: category[signal], outcome, quantity: take }],
    };
  }
  const read = finish[signal](request, item, context);
  return together([...refuse(request.bad, item, context, category[signal], 'invalid_otlp'), read]);
}

const finish = { traces: finishSpans, logs: finishLogs, metrics: keepMetrics } as const;

/** What the records of an owner have in common, read once. */
function createShared(): (owner: Owner) => Shared {
  const shared = new Map<Owner, Shared>();
  return (owner) => {
    let common = shared.get(owner);
    if (!common) shared.set(owner, (common = readOwner(owner)));
    return common;
  };
}

function finishLogs({ found }: Request, _item: ReceivedItem, context: ItemContext): ItemResult {
  if (found.length === 0) return { outcomes: [] };
  const shared = createShared();
  const logs = found.map(({ owner, record }) => readLog(record, shared(owner)));
  const rows = finishRecords(logs, context);
  const accepted: ItemResult = {
    rows: { logs: rows },
    outcomes: [{ category: category.logs, outcome: { kind: 'accepted' }, quantity: logs.length }],
  };
  if (!context.settings.logExceptions) return accepted;
  return together([accepted, exceptionsOfLogs(logs, rows, context)]);
}

function finishSpans(request: Request, item: ReceivedItem, context: ItemContext): ItemResult {
  const shared = createShared();
  const spans: OtlpSpan[] = [];
  const faulty: (Bad & { reason: string })[] = [];
  for (const { owner, record } of request.found) {
    const span = readSpan(record, shared(owner));
    const { traceId, spanId } = span.input;
    const fault = traceId === '' || spanId === '' ? spanFault(span.input) : undefined;
    if (fault) faulty.push({ ...fault, bytes: Buffer.from(JSON.stringify(plainRecord(record)).slice(0, 64 * 1024)) });
    else spans.push(span);
  }
  const corrected = correctClocks(spans, context);
  const rows = finishRows(corrected, context);
  // Written as JSON, whatever they came as.
  const asJson = { ...item, header: { ...item.header, form: 'json' } };
  const refused = [...Map.groupBy(faulty, ({ reason }) => reason)].flatMap(([reason, bad]) =>
    refuse(bad, asJson, context, category.traces, reason),
  );
  const outcomes: CountedOutcome[] =
    rows.length > 0 ? [{ category: category.traces, outcome: { kind: 'accepted' }, quantity: rows.length }] : [];
  return together([{ outcomes, rows: { spans: rows } }, exceptionsOf(corrected, rows, context), ...refused]);
}

function correctClocks(spans: readonly OtlpSpan[], context: ItemContext): readonly OtlpSpan[] {
  const { shiftUs, remark } = clockShift(
    spans.map(({ input }) => input.endUs),
    context,
  );
  if (shiftUs === 0 && !remark) return spans;
  return spans.map((span) => ({
    ...span,
    input: {
      ...span.input,
      startUs: span.input.startUs + shiftUs,
      endUs: span.input.endUs + shiftUs,
      events: span.input.events?.map((event) => ({ ...event, atUs: event.atUs + shiftUs })),
      remarks: remark ? [remark, ...(span.input.remarks ?? [])] : span.input.remarks,
    },
  }));
}

/** Segments first: the others carry the name that their segment was stored under. */
function finishRows(spans: readonly OtlpSpan[], context: ItemContext): SpanRow[] {
  const inputs = spans.map(({ input }) => input);
  const segments = segmentsOf(inputs);
  const rows = inputs.map((input) => (input.isSegment ? finishSpan(input, context) : undefined));
  return inputs.map(
    (input, index) => rows[index] ?? finishSpan(inSegment(input, rows[segments[index] ?? -1]), context),
  );
}

function inSegment(input: SpanInput, segment: SpanRow | undefined): SpanInput {
  if (!segment) return input;
  // Where the name is from, its own route says nothing about.
  return { ...input, segmentId: segment.span_id, transaction: segment.transaction, transactionSource: undefined };
}

/** Counts them all and keeps some. */
function refuse(
  bad: readonly Bad[],
  item: ReceivedItem,
  context: ItemContext,
  counted: string,
  reason: string,
): ItemResult[] {
  const [first] = bad;
  if (!first) return [];
  const outcome = { kind: 'invalid', reason, detail: first.detail } as const;
  const kept = bad
    .slice(0, maxKeptAside)
    .flatMap(
      ({ bytes, detail }) =>
        keepAside({ ...item, payload: bytes }, context, counted, { ...outcome, detail }).kept ?? [],
    );
  return [{ outcomes: [{ category: counted, outcome, quantity: bad.length }], kept }];
}

function together(results: readonly ItemResult[]): ItemResult {
  return {
    outcomes: results.flatMap(({ outcomes }) => outcomes),
    rows: {
      spans: results.flatMap(({ rows }) => rows?.spans ?? []),
      logs: results.flatMap(({ rows }) => rows?.logs ?? []),
    },
    maybeReported: results.flatMap(({ maybeReported }) => maybeReported ?? []),
    kept: results.flatMap(({ kept }) => kept ?? []),
  };
}
