/** From a span as its sender gives it to the row that is stored. Pure, and the same for the same input. */
import { parseSpanId, parseTraceId } from '@culprit/envelope';
import { memo } from '../../../base/memo.ts';
import type { SpanRow } from '../../../base/tables/spans.ts';
import { keepsAddresses, settleAddress } from '../client-address.ts';
import { cutText } from '../limits.ts';
import { userIdentity } from '../normalize/user.ts';
import {
  scrubField,
  scrubFields,
  type ScrubRules,
  scrubRules,
  type ScrubSettings,
  scrubText,
  spanFields,
} from '../scrub/index.ts';
import { spanProblems } from '../../../base/texts/events.ts';
import { readAttributes, type ReadAttributes } from './attributes.ts';
import { addBrowser } from './browser.ts';
import { spanByOwnRules } from './by-own-rules.ts';
import { sensibleTimes } from './clock.ts';
import { describeSpan } from './describe/index.ts';
import type { SpanContext, SpanInput, SpanRemark } from './input.ts';
import { inferOp, spanKind } from './operation.ts';
import { transactionWithoutIds } from './path-ids.ts';
import { platformOf } from './platform.ts';
import { columnText, safeText, senderColumns } from './sender.ts';
import { isFailed, spanStatus } from './status.ts';

const maxName = { max: 2000, allowance: 0 };
const maxShort = { max: 128, allowance: 0 };
const maxTransaction = { max: 200, allowance: 0 };
const maxRemarks = 20;
const maxQuoted = { max: 100, allowance: 0 };
const maxParts = 100;

/** The row of a span whose ids are good; what else is wrong with it is bounded and noted. Never refuses. */
export function finishSpan(sent: SpanInput, context: SpanContext): SpanRow {
  const remarks: SpanRemark[] = [];
  const add = (remark: SpanRemark): void => {
    if (remarks.length < maxRemarks) remarks.push(remark);
  };
  for (const remark of sent.remarks ?? []) add(remark);
  const { settings, receivedAt } = context;
  const raw = spanByOwnRules(sent, settings, add);
  const read = readAttributes(raw.attributes, settings, add);
  const { attributes, numbers } = read;
  const { startUs, endUs } = sensibleTimes(raw, receivedAt, add);
  const durationUs = endUs - startUs;
  const saidKind = raw.kind || columnText(read, 'sentry.kind');
  const op = cutText(raw.op || columnText(read, 'sentry.op') || inferOp(spanKind(saidKind, ''), attributes), maxShort);
  const name = spanName(raw.name, context, add);
  const status = spanStatus({
    status: raw.status,
    message: raw.statusMessage ?? attributes['sentry.status.message'],
    httpCode: numbers['http.response.status_code'],
  });
  if (raw.statusMessage && attributes['sentry.status.message'] === undefined) {
    attributes['sentry.status.message'] = spanName(raw.statusMessage, context, add);
  }
  const platform = platformOf(raw, read);
  const isVital = op.startsWith('ui.webvital.') || op.startsWith('ui.interaction.');
  if (raw.isSegment || isVital) {
    addBrowser(attributes, platform, raw.sender?.inferUserAgent === true, context);
  }
  const described = describeSpan(op, name, attributes);
  const { transaction, transaction_source } = transactionOf(raw, read, name, settings);
  const { environment, release, dist, service, sdk_name, sdk_version } = senderColumns(raw, read, platform, add);
  // Each column by itself: rows are many, and one that is put together of objects is made anew with each of them.
  const row: SpanRow = {
    project_id: context.projectId,
    trace_id: raw.traceId,
    span_id: raw.spanId,
    parent_span_id: raw.parentSpanId ?? '',
    segment_id: raw.segmentId ?? (raw.isSegment ? raw.spanId : (parseSpanId(read.columns['sentry.segment.id']) ?? '')),
    // SDKs send vitals as segments where their page's is gone; they are no transactions of their own.
    is_segment: raw.isSegment && !isVital ? 1 : 0,
    started_at: startUs,
    duration_us: durationUs,
    exclusive_us: exclusive(raw, read, durationUs),
    received_at: receivedAt,
    op,
    name,
    description: described.description,
    description_hash: described.hash,
    transaction,
    transaction_source,
    status,
    failed: isFailed(status) ? 1 : 0,
    kind: spanKind(saidKind, op),
    origin: cutText(raw.origin || columnText(read, 'sentry.origin'), maxShort),
    service,
    platform,
    environment,
    release,
    dist,
    user: userOf(raw, read, platform, context),
    sdk_name,
    sdk_version,
    attributes,
    numbers,
    links: linksText(raw, context, add),
    events: eventsText(raw, context, add),
    remarks: remarksText(remarks, settings),
  };
  scrubFields(row, spanFields, scrubRules(settings));
  return row;
}

/** '' for none. They quote what the sender got wrong. */
export function remarksText(remarks: readonly SpanRemark[], settings: ScrubSettings): string {
  if (remarks.length === 0) return '';
  const rules = scrubRules(settings);
  const safe = remarks.map((remark) =>
    typeof remark.was === 'string'
      ? { ...remark, was: cutText(scrubField(remark.was, 'value', rules).toWellFormed(), maxQuoted) }
      : remark,
  );
  return JSON.stringify(safe);
}

/** Names are for reading: only what is secret in them goes. */
function spanName(sent: string, { settings }: SpanContext, add: (remark: SpanRemark) => void): string {
  if (sent.length > maxName.max) add({ field: 'name', what: 'cut', was: sent.length });
  const rules = scrubRules(settings);
  return cutText(scrubText(safeText(sent.slice(0, maxName.max * 5)), 'message', rules), maxName);
}

function exclusive({ exclusiveUs }: SpanInput, { columns }: ReadAttributes, durationUs: number): number {
  if (exclusiveUs !== undefined) return Math.min(Math.max(0, Math.round(exclusiveUs)), durationUs);
  const ms = columns['sentry.exclusive_time'];
  if (typeof ms !== 'number' || !(ms >= 0)) return -1;
  return Math.min(Math.round(ms * 1000), durationUs);
}

const withoutIds = memo(transactionWithoutIds);

const sources = new Set(['custom', 'url', 'route', 'view', 'component', 'task']);

function transactionOf(
  raw: SpanInput,
  read: ReadAttributes,
  name: string,
  settings: ScrubSettings,
): Pick<SpanRow, 'transaction' | 'transaction_source'> {
  const saidSource = raw.transactionSource || columnText(read, 'sentry.segment.name.source');
  const ofRoute = raw.isSegment && read.attributes['http.route'] ? 'route' : '';
  const source = sources.has(saidSource) ? saidSource : ofRoute;
  const sentName = safeText(raw.transaction ?? '') || columnText(read, 'sentry.segment.name');
  const said = sentName === '' ? (raw.isSegment ? name : '') : safeName(sentName, scrubRules(settings));
  const bare = source === 'url' || (source === '' && !raw.transactionIsClean && said.includes('/'));
  const transaction = cutText(bare ? withoutIds(said) : said, maxTransaction);
  return { transaction, transaction_source: source };
}

/** The name of a segment stands in each of its spans. */
let lastName: { readonly rules: ScrubRules; readonly sent: string; readonly safe: string } | undefined;

function safeName(sent: string, rules: ScrubRules): string {
  if (lastName?.sent === sent && lastName.rules === rules) return lastName.safe;
  const safe = scrubField(sent, 'value', rules);
  if (sent.length <= maxTransaction.max) lastName = { rules, sent, safe };
  return safe;
}

function userOf(raw: SpanInput, { attributes }: ReadAttributes, platform: string, context: SpanContext): string {
  if (raw.sender?.user !== undefined) return raw.sender.user;
  const known = userIdentity({
    id: attributes['user.id'],
    username: attributes['user.name'],
    email: attributes['user.email'],
  });
  if (known !== '') return cutText(known, maxTransaction);
  const ip = settleAddress(
    { claimed: attributes['user.ip_address'], infer: raw.sender?.inferIp === true && platform === 'javascript' },
    context.remoteAddress,
    keepsAddresses(context.settings),
  );
  return ip === undefined ? '' : `ip:${ip}`;
}

function linksText({ links }: SpanInput, context: SpanContext, add: (remark: SpanRemark) => void): string {
  if (!links?.length) return '';
  if (links.length > maxParts) add({ field: 'links', what: 'cut', was: links.length });
  return JSON.stringify(
    links.slice(0, maxParts).map(({ traceId, spanId, attributes }) => ({
      trace_id: traceId,
      span_id: spanId,
      attributes: flat(attributes, context, add),
    })),
  );
}

function eventsText({ events }: SpanInput, context: SpanContext, add: (remark: SpanRemark) => void): string {
  if (!events?.length) return '';
  if (events.length > maxParts) add({ field: 'events', what: 'cut', was: events.length });
  return JSON.stringify(
    events.slice(0, maxParts).map(({ name, atUs, attributes }) => ({
      name: spanName(name, context, add),
      at_us: Number.isSafeInteger(atUs) ? atUs : 0,
      attributes: flat(attributes, context, add),
    })),
  );
}

function flat(
  sent: Readonly<Record<string, unknown>> | undefined,
  { settings }: SpanContext,
  add: (remark: SpanRemark) => void,
): Record<string, string | number> {
  if (!sent) return {};
  const { attributes, numbers } = readAttributes(sent, settings, add);
  return { ...attributes, ...numbers };
}

export interface SpanFault {
  /** Reason of the outcome. */
  readonly reason: string;
  readonly detail: string;
}

/** Why a span cannot be stored at all: without its ids it belongs nowhere. */
export function spanFault(ids: { readonly traceId: unknown; readonly spanId: unknown }): SpanFault | undefined {
  if (parseTraceId(ids.traceId) === undefined) return { reason: 'bad_trace_id', detail: spanProblems.noTrace };
  if (parseSpanId(ids.spanId) === undefined) return { reason: 'bad_span_id', detail: spanProblems.noId };
  return undefined;
}
