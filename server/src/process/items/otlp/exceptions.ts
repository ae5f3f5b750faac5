/**
 * Exceptions that spans recorded become error events of the same trace and span, through the same steps as an SDK's.
 *
 * An exception that rises through several spans is recorded by each of them, at each with more of its outer calls; it
 * becomes one event, of the span where it came up. What an SDK reported as an event too is left to that event: it knows more. Spans made by Sentry's SDKs make none.
 */
import { hash } from 'node:crypto';
import type { StackException } from '@culprit/stacktrace';
import type { SpanRow } from '../../../base/tables/spans.ts';
import { asText, type JsonObject } from '../../steps/json.ts';
import type { SpanMoment } from '../../steps/span/index.ts';
import { scrubField, scrubRules } from '../../steps/scrub/index.ts';
import type { ItemContext, ItemResult, MaybeReported } from '../../types.ts';
import { orKept } from '../kept/index.ts';
import { processEvent } from '../event/index.ts';
import type { OtlpSpan } from './span.ts';
import { type ExceptionTexts, exceptionValues, isSameException, readExceptions } from './stack.ts';

/** Of one request; the rest is counted. */
const maxEvents = 200;
const maxStack = 32 * 1024;

interface Recorded {
  readonly span: OtlpSpan;
  readonly row: SpanRow;
  readonly moment: SpanMoment;
  /** That the span lies in, where it came in the same request. */
  readonly segment: OtlpSpan | undefined;
  readonly texts: ExceptionTexts;
  /** What its stack says; read when it is needed. */
  readonly read: () => readonly StackException[];
}

/** `rows` are those of `spans`, in the same order. */
export function exceptionsOf(spans: readonly OtlpSpan[], rows: readonly SpanRow[], context: ItemContext): ItemResult {
  if (!spans.some(({ input }) => input.events?.length)) return { outcomes: [] };
  const recorded = new Map<string, Recorded>();
  const byId = new Map(spans.map((span) => [span.input.traceId + span.input.spanId, span]));
  for (const [index, span] of spans.entries()) {
    const row = rows[index];
    if (!row || !span.input.events?.length || isOfSentry(span)) continue;
    for (const moment of span.input.events) {
      if (moment.name !== 'exception') continue;
      const texts = textsOf(moment);
      const read = once(() => readExceptions(texts.stack, row.platform));
      const one = { span, row, moment, segment: byId.get(row.trace_id + row.segment_id), texts, read };
      const key = [row.trace_id, texts.type, texts.message, texts.stack].join('\n');
      const known = recorded.get(key);
      if (!known || comesFirst(one, known, byId)) recorded.set(key, one);
    }
  }
  const all = distinct([...recorded.values()], byId);
  const maybeReported = all.slice(0, maxEvents).map((one) => toError(one, context));
  const surplus = all.length - maybeReported.length;
  const outcome = { kind: 'invalid', reason: 'too_many' } as const;
  return { outcomes: surplus > 0 ? [{ category: 'error', outcome, quantity: surplus }] : [], maybeReported };
}

/** Stacks of one message that each other one is compared with. */
const maxCompared = 20;

/** Without the records of an exception that other calls had recorded already: their stacks differ in the outer calls. */
function distinct(recorded: readonly Recorded[], byId: Spans): Recorded[] {
  const alike = Map.groupBy(recorded, ({ row, texts }) => [row.trace_id, texts.type, texts.message].join('\n'));
  return [...alike.values()].flatMap((all) => {
    if (all.length === 1) return all;
    const kept: Recorded[] = [];
    for (const one of all) {
      const place = kept.slice(0, maxCompared).findIndex((other) => isSameException(one.read(), other.read()));
      const same = kept[place];
      if (!same) kept.push(one);
      else if (comesFirst(one, same, byId)) kept[place] = one;
    }
    return kept;
  });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Spans = ReadonlyMap<string, OtlpSpan>;

/** Of two records of one exception that of the inner span, whatever the clocks say; else the earlier one. */
function comesFirst(a: Pick<Recorded, 'span' | 'moment'>, b: Pick<Recorded, 'span' | 'moment'>, byId: Spans): boolean {
  if (a.span === b.span) return a.moment.atUs < b.moment.atUs;
  if (liesIn(a.span, b.span, byId)) return true;
  return a.moment.atUs < b.moment.atUs && !liesIn(b.span, a.span, byId);
}

/** Where an exception skips more levels than these, the times decide. */
const maxLevels = 16;

function liesIn(inner: OtlpSpan, outer: OtlpSpan, byId: Spans): boolean {
  let at: OtlpSpan | undefined = inner;
  for (let level = 0; at && level < maxLevels; level++) {
    const { traceId, parentSpanId = '' } = at.input;
    at = byId.get(traceId + parentSpanId);
    if (at === outer) return true;
  }
  return false;
}

function isOfSentry({ input, resource }: OtlpSpan): boolean {
  if (input.attributes.names.some((name) => name.startsWith('sentry.'))) return true;
  return asText(resource['telemetry.sdk.name'])?.startsWith('sentry') ?? false;
}

function textsOf({ attributes = {} }: SpanMoment): ExceptionTexts {
  const text = (name: string): string => asText(attributes[name])?.slice(0, maxStack) ?? '';
  return {
    type: text('exception.type'),
    message: text('exception.message'),
    stack: text('exception.stacktrace'),
  };
}

const reported = { kind: 'filtered', reason: 'reported_by_sdk' } as const;

function toError(recorded: Recorded, context: ItemContext): MaybeReported {
  const { row, moment, texts } = recorded;
  const escaped = moment.attributes?.['exception.escaped'];
  const mechanism = { type: 'opentelemetry', handled: typeof escaped === 'boolean' ? !escaped : undefined };
  const values = exceptionValues(texts, recorded.read(), row.platform, mechanism);
  const [type, value] = [asText(values.at(-1)?.type) ?? '', asText(values.at(-1)?.value) ?? ''];
  const rules = scrubRules(context.settings);
  // Made of what it is: a request that is sent again, or computed again, gives the same event.
  const said = [row.trace_id, row.span_id, moment.atUs, texts.type, texts.message, texts.stack];
  const made = hash('sha256', [context.projectId, ...said].join('\n'), 'hex');
  return {
    projectId: context.projectId,
    traceId: row.trace_id,
    type: scrubField(type, 'value', rules),
    value: scrubField(value, 'message', rules),
    at: Math.round(moment.atUs / 1000) || context.receivedAt,
    finish(isReported) {
      if (isReported) return { outcomes: [{ category: 'error', outcome: reported, quantity: 1 }] };
      const payload = Buffer.from(JSON.stringify(eventOf(recorded, values)));
      const item = { type: 'event', header: { type: 'event' }, payload };
      const ofEvent = { ...context, envelopeEventId: made.slice(0, 32) };
      return orKept(item, ofEvent, () => processEvent(item, ofEvent));
    },
  };
}

function eventOf({ span, row, moment, segment, texts, read }: Recorded, values: readonly JsonObject[]): JsonObject {
  const attributes = span.input.attributes.toObject();
  const { trace_id, span_id, parent_span_id, op, status } = row;
  return {
    timestamp: (moment.atUs || row.started_at + row.duration_us) / 1_000_000,
    platform: row.platform,
    level: 'error',
    logger: 'opentelemetry',
    release: row.release || undefined,
    environment: row.environment || undefined,
    transaction: row.transaction || undefined,
    server_name: attributes['host.name'],
    exception: { values },
    // A stack in a form that nobody here reads is still worth reading.
    extra:
      texts.stack !== '' && read().length === 0
        ? { 'exception.stacktrace': texts.stack.slice(0, 16 * 1024) }
        : undefined,
    contexts: {
      trace: { trace_id, span_id, parent_span_id: parent_span_id || undefined, op, status: status || undefined },
      otel: { resource: span.resource },
    },
    user: userOf(attributes) ?? userOf(segment?.input.attributes.toObject() ?? {}),
    request: requestOf(span) ?? (segment && requestOf(segment)),
    tags: row.service === '' ? {} : { service: row.service },
    sdk: { name: row.sdk_name || 'opentelemetry', version: row.sdk_version || undefined },
  };
}

function userOf(attributes: Readonly<JsonObject>): JsonObject | undefined {
  const id = attributes['user.id'] ?? attributes['enduser.id'];
  const email = attributes['user.email'];
  const username = attributes['user.name'];
  return id === undefined && email === undefined && username === undefined ? undefined : { id, email, username };
}

/** Of the request that was served; those that a span makes itself say nothing of it. */
function requestOf({ input }: OtlpSpan): JsonObject | undefined {
  if (input.kind !== 'server') return undefined;
  const attributes = input.attributes.toObject();
  const url = attributes['url.full'] ?? attributes['http.url'] ?? attributes['url.path'];
  if (url === undefined) return undefined;
  const agent = asText(attributes['user_agent.original'] ?? attributes['http.user_agent']);
  return {
    url,
    method: attributes['http.request.method'] ?? attributes['http.method'],
    query_string: attributes['url.query'],
    headers: agent === undefined ? undefined : { 'User-Agent': agent },
  };
}
