/**
 * Exceptions that spans recorded become error events of the same trace and span, through the same steps as an SDK's.
 *
 * An exception that rises through several spans is recorded by each of them, at each with more of its outer calls; it
 * becomes one event, of the span where it came up. What an SDK reported as an event too is left to that event: it knows
 * more. Spans made by Sentry's SDKs make none.
 */
import type { SpanRow } from '../../../base/tables/spans.ts';
import { asText, type JsonObject } from '../../steps/json.ts';
import type { SpanMoment } from '../../steps/span/index.ts';
import type { ItemContext, ItemResult } from '../../types.ts';
import { distinct, finishErrors, readOnce, type RecordedError, textsOf } from './error.ts';
import type { OtlpSpan } from './span.ts';

interface Recorded extends RecordedError {
  readonly span: OtlpSpan;
}

/** `rows` are those of `spans`, in the same order. */
export function exceptionsOf(spans: readonly OtlpSpan[], rows: readonly SpanRow[], context: ItemContext): ItemResult {
  if (!spans.some(({ input }) => input.events?.length)) return { outcomes: [] };
  const recorded: Recorded[] = [];
  const byId = new Map(spans.map((span) => [span.input.traceId + span.input.spanId, span]));
  for (const [index, span] of spans.entries()) {
    const row = rows[index];
    if (!row || !span.input.events?.length || isOfSentry(span)) continue;
    for (const moment of span.input.events) {
      if (moment.name !== 'exception') continue;
      const texts = textsOf(moment.attributes);
      const escaped = moment.attributes?.['exception.escaped'];
      const segment = byId.get(row.trace_id + row.segment_id);
      recorded.push({
        by: 'opentelemetry',
        traceId: row.trace_id,
        spanId: row.span_id,
        platform: row.platform,
        atUs: moment.atUs,
        handled: typeof escaped === 'boolean' ? !escaped : undefined,
        texts,
        read: readOnce(texts, row.platform),
        event: () => eventOf({ span, row, moment, segment }),
        span,
      });
    }
  }
  return finishErrors(
    distinct(recorded, (one, other) => comesFirst(one, other, byId)),
    context,
  );
}

type Spans = ReadonlyMap<string, OtlpSpan>;

/** Of two records of one exception that of the inner span, whatever the clocks say; else the earlier one. */
function comesFirst(a: Recorded, b: Recorded, byId: Spans): boolean {
  if (a.span === b.span) return a.atUs < b.atUs;
  if (liesIn(a.span, b.span, byId)) return true;
  return a.atUs < b.atUs && !liesIn(b.span, a.span, byId);
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

interface Told {
  readonly span: OtlpSpan;
  readonly row: SpanRow;
  readonly moment: SpanMoment;
  /** That the span lies in, where it came in the same request. */
  readonly segment: OtlpSpan | undefined;
}

function eventOf({ span, row, moment, segment }: Told): JsonObject {
  const attributes = span.input.attributes.toObject();
  const { trace_id, span_id, parent_span_id, op, status } = row;
  return {
    timestamp: (moment.atUs || row.started_at + row.duration_us) / 1_000_000,
    level: 'error',
    logger: 'opentelemetry',
    release: row.release || undefined,
    environment: row.environment || undefined,
    transaction: row.transaction || undefined,
    server_name: attributes['host.name'],
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
